//! Buffers that persist, and launches on parts of them.

use super::borrowed::{Borrowed, Home};
use super::watch::{Seen, Watch};
use super::window::{Window, windows};
use super::words::Finding;
use crate::data::{Array, DataError, Failure, dtype, item_bytes, shape_text};
use pto_isa::Element;
use pto_isa::exec::bits::Bits;
use pto_isa::written::Written;
use pto_machine::Program;
use pto_machine::observe::{self, Traffic, WatchOptions, Watched, Watcher};
use pto_machine::sim::{ArgumentKind, Control, Observer, Options, Outcome, Signature, Storage, Value};
use std::sync::{Arc, Mutex, PoisonError};

/// A buffer of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferId(pub(super) usize);

/// Consecutive elements of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The buffer.
    pub buffer: BufferId,
    /// First element, in items.
    pub first: usize,
    /// End, exclusive, in items.
    pub end: usize,
}

/// An argument of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Elements of a buffer.
    Part(Part),
    /// A scalar, as the bits of its type.
    Scalar(u64),
    /// A property of the launch, which the machine fills in.
    Fact,
}

/// A launch of a session.
#[derive(Clone)]
pub struct Launch<'a> {
    /// Name of the launch in messages.
    pub name: String,
    /// The program.
    pub program: &'a Program,
    /// The caller's number of the program, by which findings name it.
    pub kernel: usize,
    /// Number of blocks.
    pub blocks: u32,
    /// The arguments, in order.
    pub given: Vec<Given>,
}

/// A buffer.
pub(super) struct SessionBuffer {
    pub(super) name: String,
    pub(super) element: Element,
    pub(super) shape: Vec<usize>,
    home: Home,
    bytes: usize,
    /// The bytes that launches have written; `None` if it had contents from the start.
    pub(super) written: Option<Bits>,
}

impl SessionBuffer {
    /// The index of the element that contains a byte.
    pub(super) fn element_of(&self, byte: usize) -> Vec<u64> {
        let mut at = byte / item_bytes(self.element);
        let mut index = Vec::new();
        for extent in self.shape.iter().rev() {
            index.push((at % extent.max(&1)) as u64);
            at /= extent.max(&1);
        }
        index.reverse();
        index
    }
}

/// Buffers that persist from one launch to the next.
///
/// Buffers start as zeros, or with contents that are given. Launches use them in place. With watchers enabled
/// ([`WatchOptions`]), each launch is watched as it would be alone, and in addition the session watches bytes that
/// are read before a launch wrote them (`init`), and accesses of launches that have no order (`race`).
///
/// ```
/// use pto::data::Array;
/// use pto::isa::Element;
/// use pto::observe::WatchOptions;
/// use pto::sequence::{Given, Launch, Part, Session};
/// use pto::sim::Options;
///
/// let text = "func.func @one(%x: !pto.ptr<i32>) {
///   %c0 = arith.constant 0 : index
///   %one = arith.constant 1 : i32
///   pto.store_scalar %one, %x[%c0] : !pto.ptr<i32>, i32
///   return
/// }";
/// let checked = pto::check(pto::parse(text).expect("well-formed text").module, None).expect("a legal program");
/// let program = pto::Program::decode(&checked, None).expect("a program that runs");
/// let mut session = Session::new(Options::default(), WatchOptions::default());
/// let x = session.make("x", Element::I32, vec![4])?;
/// for first in [1, 3] {
///     let given = vec![Given::Part(Part { buffer: x, first, end: 4 })];
///     session.launch(&Launch { name: "one".into(), program: &program, kernel: 0, blocks: 1, given })?;
/// }
/// assert_eq!(session.array(x).full(), "[0 1 0 1]");
/// # Ok::<(), pto::data::Failure>(())
/// ```
pub struct Session {
    options: Options,
    watched: WatchOptions,
    buffers: Vec<SessionBuffer>,
    watch: Watch,
}

impl Session {
    /// A session without buffers. The options apply to every launch; the launch has its own number of blocks.
    pub fn new(options: Options, watched: WatchOptions) -> Session {
        Session { options, watched, buffers: Vec::new(), watch: Watch::default() }
    }

    /// Replaces the control of the launches that follow.
    pub fn set_control(&mut self, control: Arc<Control>) {
        self.options.control = Some(control);
    }

    /// Adds a buffer of zeros; of ones in each bit if unwritten memory is poisoned.
    ///
    /// # Errors
    /// If the host has no room for it.
    pub fn make(&mut self, name: &str, element: Element, shape: Vec<usize>) -> Result<BufferId, DataError> {
        Ok(self.make_in(name, Array::zeros(element, shape)?))
    }

    /// Adds a buffer without contents, as [`make`](Session::make) does, in memory of the caller, which holds zeros.
    pub fn make_in(&mut self, name: &str, mut array: Array) -> BufferId {
        if self.options.poison {
            array.bytes_mut().fill(u8::MAX);
        }
        self.add(name, array, Some(Bits::default()))
    }

    /// Adds a buffer with contents. They may be shared with others, or lent by others.
    pub fn give(&mut self, name: &str, array: Array) -> BufferId {
        self.add(name, array, None)
    }

    fn add(&mut self, name: &str, array: Array, written: Option<Bits>) -> BufferId {
        let (element, shape, bytes) = (array.element(), array.shape().to_vec(), array.bytes().len());
        let home = Arc::new(Mutex::new(array.into_bytes()));
        self.buffers.push(SessionBuffer { name: name.to_owned(), element, shape, home, bytes, written });
        BufferId(self.buffers.len() - 1)
    }

    /// Frees the contents of a buffer that no launch will use again.
    pub fn free(&mut self, buffer: BufferId) {
        let buffer = &mut self.buffers[buffer.0];
        *buffer.home.lock().unwrap_or_else(PoisonError::into_inner) = Storage::default();
        (buffer.bytes, buffer.written) = (0, None);
        buffer.shape = vec![0];
    }

    /// The name of a buffer.
    pub fn name(&self, buffer: BufferId) -> &str {
        &self.buffers[buffer.0].name
    }

    /// The element type of a buffer.
    pub fn element(&self, buffer: BufferId) -> Element {
        self.buffers[buffer.0].element
    }

    /// The shape of a buffer, in items.
    pub fn shape(&self, buffer: BufferId) -> &[usize] {
        &self.buffers[buffer.0].shape
    }

    /// A copy of a buffer's contents.
    pub fn array(&self, buffer: BufferId) -> Array {
        let known = &self.buffers[buffer.0];
        let bytes = known.home.lock().unwrap_or_else(PoisonError::into_inner).to_vec();
        let array = Array::new(known.element, known.shape.clone(), bytes);
        array.unwrap_or_else(|_| Array::scalar(known.element, 0))
    }

    /// A copy of the items of a part, in one dimension.
    ///
    /// # Errors
    /// If the buffer has no such part.
    pub fn part(&self, part: Part) -> Result<Array, DataError> {
        let SessionBuffer { name, element, home, .. } = &self.buffers[part.buffer.0];
        let size = item_bytes(*element);
        let home = home.lock().unwrap_or_else(PoisonError::into_inner);
        let range = part.first.checked_mul(size).zip(part.end.checked_mul(size));
        let bytes = range
            .and_then(|(first, end)| home.get(first..end))
            .ok_or_else(|| DataError::new(format!("`{name}` has no part {}..{}", part.first, part.end)))?;
        Array::new(*element, vec![part.end - part.first], bytes.to_vec())
    }

    /// Value of an item in a buffer of integers. `index` has a position for each dimension, or a single one among all
    /// items.
    ///
    /// # Errors
    /// An item that does not exist, or a buffer without integers.
    pub fn integer(&self, buffer: BufferId, index: &[i64]) -> Result<i64, DataError> {
        let SessionBuffer { name, element, shape, home, .. } = &self.buffers[buffer.0];
        if !element.is_integer() {
            let message = format!("`{name}` holds {}, not integers", dtype::word(*element));
            return Err(DataError::new(message));
        }
        let items = shape.iter().product::<usize>();
        let extents = if index.len() == 1 { &[items][..] } else { shape };
        let mut at = (index.len() == extents.len()).then_some(0usize);
        for (position, extent) in index.iter().zip(extents) {
            let position = usize::try_from(*position).ok().filter(|position| position < extent);
            at = at.zip(position).map(|(at, position)| at * extent + position);
        }
        let at = at.ok_or_else(|| {
            DataError::new(format!("`{name}` of shape {} has no element {index:?}", shape_text(shape)))
        })?;
        let size = item_bytes(*element);
        let home = home.lock().unwrap_or_else(PoisonError::into_inner);
        let mut word = [0; 8];
        word[..size].copy_from_slice(&home[at * size..(at + 1) * size]);
        i64::try_from(element.decode_int(u64::from_le_bytes(word)))
            .map_err(|_| DataError::new(format!("`{name}{index:?}` does not fit in 64 bits with a sign")))
    }

    /// Runs a launch. The buffers keep its writes, even if it fails.
    ///
    /// # Errors
    /// Arguments that do not fit the program, and findings that stopped the run.
    pub fn launch(&mut self, launch: &Launch<'_>) -> Result<(Outcome, Watched), Failure> {
        self.launch_observed(launch, None)
    }

    /// Runs a launch as [`launch`](Session::launch) does, with one more observer.
    ///
    /// # Errors
    /// As for [`launch`](Session::launch).
    pub fn launch_observed(
        &mut self,
        launch: &Launch<'_>,
        observer: Option<&mut dyn Observer>,
    ) -> Result<(Outcome, Watched), Failure> {
        let signature =
            Signature::of(launch.program.module(), launch.program.entry()).map_err(DataError::new)?;
        self.check(launch, &signature)?;
        let windows = windows(launch, &self.buffers);
        let values = self.values(launch, &windows);
        let options = self.options.clone().blocks(launch.blocks);
        let known = windows.iter().map(|window| self.known(window));
        let mut watch = observe::Watch::in_sequence(launch.program, &self.watched, &options, known);
        let watchers = self.watched.watchers;
        let mut traffic = (watchers.has(Watcher::Race) || watchers.has(Watcher::Init)).then(Traffic::default);
        let mut observers: Vec<&mut dyn Observer> = vec![&mut watch];
        observers.extend(traffic.as_mut().map(|traffic| traffic as &mut dyn Observer));
        observers.extend(observer.map(|observer| observer as &mut dyn Observer));
        let launched = launch.program.launch_ranks(vec![values], &options, &mut observers);
        let (mut outcome, watched) = watch.result(launched)?;
        // Dropping the contents sends the buffers home.
        outcome.buffers.iter_mut().for_each(|buffer| buffer.bytes = Storage::default());
        if let Some(traffic) = traffic {
            let (seen, bytes) = Seen::of(launch, traffic, &windows);
            self.watch.add(seen, bytes, &mut self.buffers);
        }
        Ok((outcome, watched))
    }

    /// Begins a group of branches that have no order among each other.
    pub fn begin_group(&mut self) {
        self.watch.begin_group();
    }

    /// Begins the next branch of the innermost group. Launches of one branch are in order.
    pub fn next_branch(&mut self) {
        self.watch.next_branch();
    }

    /// Ends the innermost group.
    pub fn end_group(&mut self) {
        self.watch.end_group();
    }

    /// Conflicts between launches without order, so far.
    pub fn conflicts(&self) -> Vec<Finding> {
        self.watch.conflicts()
    }

    /// Lints on buffers that launches have written and none has read, except for the results.
    pub fn unread(&self, results: &[BufferId]) -> Vec<Finding> {
        self.watch.unread(&self.buffers, results)
    }

    /// Checks the arguments of a launch.
    fn check(&self, launch: &Launch<'_>, signature: &Signature) -> Result<(), DataError> {
        if launch.given.len() != signature.arguments.len() {
            let (takes, given) = (signature.arguments.len(), launch.given.len());
            return Err(DataError::new(format!(
                "`@{}` takes {takes} arguments, not {given}",
                signature.entry
            )));
        }
        for (at, (argument, given)) in signature.arguments.iter().zip(&launch.given).enumerate() {
            let name = &argument.name;
            let wrong = |message: String| Err(DataError::new(message).of_argument(at));
            match (argument.kind, given) {
                (ArgumentKind::Buffer(element), Given::Part(part)) => {
                    let buffer = &self.buffers[part.buffer.0];
                    let items = buffer.bytes / item_bytes(buffer.element);
                    if element != buffer.element {
                        let (wants, has) = (dtype::word(element), dtype::word(buffer.element));
                        return wrong(format!(
                            "argument `{name}` is a buffer of {wants}, but `{}` holds {has}",
                            buffer.name
                        ));
                    }
                    if part.first > part.end || part.end > items {
                        return wrong(format!(
                            "argument `{name}`: `{}` has {items} elements, no part {}..{}",
                            buffer.name, part.first, part.end
                        ));
                    }
                }
                (ArgumentKind::Buffer(_), _) => return wrong(format!("argument `{name}` is a buffer")),
                (_, Given::Part(_)) => return wrong(format!("argument `{name}` is a scalar, not a buffer")),
                (ArgumentKind::Scalar(_) | ArgumentKind::Launch, _) => {}
            }
        }
        Ok(())
    }

    /// The values of a launch. All parts of one buffer are in one memory: the argument that starts first brings it, the others
    /// are addresses in it.
    fn values(&self, launch: &Launch<'_>, windows: &[Window]) -> Vec<Value> {
        let value = |(at, given): (usize, &Given)| match given {
            Given::Scalar(bits) => Value::Scalar(*bits),
            Given::Fact => Value::Launch,
            Given::Part(part) => {
                let buffer = &self.buffers[part.buffer.0];
                let window = windows.iter().find(|window| window.buffer == part.buffer);
                let window = window.expect("each part has a window");
                if window.argument == at {
                    let borrowed = Borrowed::of(&buffer.home, window.bytes.clone());
                    return Value::Buffer { bytes: Storage::lent(borrowed) };
                }
                let start = part.first * item_bytes(buffer.element);
                let offset = (start - window.bytes.start) as u64;
                Value::Peer { rank: 0, argument: window.argument, offset }
            }
        };
        launch.given.iter().enumerate().map(value).collect()
    }

    /// The written bytes of a window, from its start; `None` if all are.
    fn known(&self, window: &Window) -> Option<Written> {
        let written = self.buffers[window.buffer.0].written.as_ref()?;
        let mut known = Written::default();
        written.runs_in(window.bytes.clone(), |run| {
            known.mark_bytes(run.start as u64 - window.bytes.start as u64, run.len() as u64);
        });
        Some(known)
    }
}
