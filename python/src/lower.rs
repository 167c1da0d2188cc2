//! Lowering: addresses, flags and several buffers for programs that leave them to an assembler.

use crate::errors::{DataError, Stage, raised};
use crate::kernel::{Kernel, profile};
use crate::launch::abandonable;
use crate::text::{Lines, Text};
use pto::Profile;
use pto::data::{Failure, NoFiles};
use pto::diag::Diagnostic;
use pto::lowering::{self, LoweringOptions};
use pto::passes::{self, BufferPlan, LowerOptions, SynchronizeBy};
use pto::text::{Style, TypeAliases};
use pyo3::prelude::*;
use std::sync::Arc;

/// Most buffers of a tile.
const MOST_BUFFERS: u32 = 8;

/// A program, as a kernel or as text.
#[derive(FromPyObject)]
pub(crate) enum Given<'py> {
    /// A kernel.
    Kernel(PyRef<'py, Kernel>),
    /// The text of a program.
    Text(String),
}

/// A program with the entry and the target of its kernel.
pub(crate) struct Named {
    pub(crate) text: Arc<Text>,
    pub(crate) entry: Option<String>,
    pub(crate) target: Option<String>,
}

impl Given<'_> {
    /// The program; `target` comes before that of a kernel.
    pub(crate) fn named(self, target: Option<String>) -> Named {
        match self {
            Given::Kernel(kernel) => Named {
                text: Arc::clone(&kernel.inner.text),
                entry: kernel.entry.clone(),
                target: target.or_else(|| kernel.target.clone()),
            },
            Given::Text(text) => {
                let text = Arc::new(Text { name: "<text>".to_owned(), text });
                Named { text, entry: None, target }
            }
        }
    }
}

/// The checked program of a text.
pub(crate) fn checked(text: &Text, profile: Option<Profile>) -> Result<pto::Checked, Vec<Diagnostic>> {
    pto::check(pto::parse(&text.text)?.module, profile)
}

impl Named {
    /// The profile of the target.
    pub(crate) fn profile(&self) -> PyResult<Option<Profile>> {
        profile(self.target.as_deref())
    }
}

/// Gives addresses to the tiles of a program, and inserts flags and barriers that order their accesses, as `pto lower`.
///
/// `multi_buffer` repeats loops that load and compute, so that each round has tiles of its own: 1 to 8; `sync=None` and
/// `place=False` leave out a pass; `canonicalize` folds constants first. Of the programs that the passes can make the fastest is kept, and verified against
/// the source unless `verify=False`. Raises CheckError for an illegal program, and if tiles do not fit: its notes list what is alive
/// at the fullest point. An exception of a signal handler, such as KeyboardInterrupt, ends the call; the passes go on in a
/// thread of their own until they are done.
#[pyfunction]
#[pyo3(signature = (program, *, multi_buffer = 1, sync = Some("flags"), place = true, canonicalize = false, verify = true, target = None))]
// The keywords of the call.
#[allow(clippy::too_many_arguments)]
pub(crate) fn lower(
    py: Python<'_>,
    program: Given<'_>,
    multi_buffer: u32,
    sync: Option<&str>,
    place: bool,
    canonicalize: bool,
    verify: bool,
    target: Option<String>,
) -> PyResult<Lowered> {
    let sync = match sync {
        None => None,
        Some("flags") => Some(SynchronizeBy::Flags),
        Some("tokens") => Some(SynchronizeBy::Tokens),
        Some("fewest") => Some(SynchronizeBy::Fewest),
        Some(other) => {
            let message = format!("sync={other:?}: it is \"flags\", \"tokens\", \"fewest\" or None");
            return Err(DataError::new_err(message));
        }
    };
    if !(1..=MOST_BUFFERS).contains(&multi_buffer) {
        let message = format!("multi_buffer={multi_buffer}: it is 1 to {MOST_BUFFERS}");
        return Err(DataError::new_err(message));
    }
    let named = program.named(target);
    let (text, profile) = (Arc::clone(&named.text), named.profile()?);
    let options = LowerOptions::none()
        .canonicalize(canonicalize)
        .multi_buffer(multi_buffer)
        .place(place)
        .synchronize(sync);
    let mut judged = LoweringOptions::default();
    (judged.passes, judged.verify) = (options, verify);
    let lowered = abandonable(py, move || lowered(named, profile, &judged))?;
    lowered.map_err(|failure| match failure {
        Failure::Program(findings) => raised(py, Stage::Check, &findings, &text),
        Failure::Data(error) => DataError::new_err(error.to_string()),
    })
}

/// The lowered form of a program.
fn lowered(named: Named, profile: Option<Profile>, options: &LoweringOptions) -> Result<Lowered, Failure> {
    let lowering = lowering::lower(&checked(&named.text, profile)?, options, &NoFiles)?;
    let lowered = lowering.lowered;
    let style = Style { source: Some(&named.text.text), aliases: TypeAliases::Kept, ..Style::default() };
    let text = pto::text::print(&lowered.module, &style);
    let function = |id| lowered.module.functions[id].name.clone();
    let lines = named.text.lines();
    let insertions = lowered.insertions.iter();
    let buffers = lowered.buffers.iter();
    Ok(Lowered {
        insertions: insertions.map(|one| Insertion::of(one, function(one.function), &lines)).collect(),
        buffers: buffers.map(|plan| Memory::of(plan, function(plan.function))).collect(),
        multi_buffered: lowered.multi_buffered,
        unknown: lowering.unknown,
        microseconds: lowering.fastest.map(|fastest| fastest.microseconds),
        name: format!("{} (lowered)", named.text.name),
        text,
        entry: named.entry,
        target: named.target,
    })
}

/// A lowered program, and what the passes did.
#[pyclass(frozen, module = "pto_tools")]
pub(crate) struct Lowered {
    /// The program.
    #[pyo3(get)]
    text: String,
    /// The flags, tokens and barriers that were inserted.
    #[pyo3(get)]
    insertions: Vec<Insertion>,
    /// The memory of each function and buffer in which a tile is; empty with `place=False`.
    #[pyo3(get)]
    buffers: Vec<Memory>,
    /// Number of loops whose tiles have several buffers.
    #[pyo3(get)]
    multi_buffered: usize,
    /// Why it is not known that the result computes what its source computes; None if it was accepted, or not verified.
    #[pyo3(get)]
    unknown: Option<String>,
    /// Its time on the usual device, if several programs were timed; else None.
    #[pyo3(get)]
    microseconds: Option<f64>,
    name: String,
    entry: Option<String>,
    target: Option<String>,
}

#[pymethods]
impl Lowered {
    /// The program as a kernel with the entry and the target of the source.
    #[getter]
    fn kernel(&self, py: Python<'_>) -> PyResult<Kernel> {
        let text = Text { name: self.name.clone(), text: self.text.clone() };
        Kernel::of(py, text, self.entry.clone(), self.target.clone())
    }

    fn __repr__(&self) -> String {
        let flags = self.insertions.iter().filter(|one| one.kind != "barrier").count();
        format!("<Lowered {}: {flags} flags, {} barriers>", self.name, self.insertions.len() - flags)
    }
}

/// A flag, a token or a barrier that was inserted.
#[pyclass(frozen, module = "pto_tools")]
#[derive(Clone)]
pub(crate) struct Insertion {
    /// Its kind.
    #[pyo3(get)]
    kind: &'static str,
    /// The function, without `@`.
    #[pyo3(get)]
    function: String,
    /// The pipe that sets and the pipe that waits; the pipe of a barrier alone.
    #[pyo3(get)]
    pipes: Vec<&'static str>,
    /// The event id of a flag, the number of a token; None for a barrier.
    #[pyo3(get)]
    event: Option<u8>,
    /// Whether it orders accesses of different rounds of a loop.
    #[pyo3(get)]
    carried: bool,
    /// The lines of the two accesses that it orders, in the source.
    #[pyo3(get)]
    lines: Vec<usize>,
}

impl Insertion {
    fn of(one: &passes::Insertion, function: String, lines: &Lines) -> Insertion {
        let (pipes, event) = match one.flag {
            Some((from, to, event)) => (vec![from.word(), to.word()], Some(event)),
            None => (vec![one.pipe.word()], None),
        };
        let line = |access: &passes::Reasoned| lines.of(access.span.start);
        Insertion {
            kind: match one.flag {
                Some(_) if one.is_token => "token",
                Some(_) => "flag",
                None => "barrier",
            },
            function,
            pipes,
            event,
            carried: one.carried,
            lines: one.accesses.iter().flatten().map(line).collect(),
        }
    }
}

#[pymethods]
impl Insertion {
    fn __repr__(&self) -> String {
        format!("<{} {}>", self.kind, self.pipes.join(" -> "))
    }
}

/// The memory of a function in one buffer.
#[pyclass(frozen, module = "pto_tools")]
#[derive(Clone)]
pub(crate) struct Memory {
    /// The function, without `@`.
    #[pyo3(get)]
    function: String,
    /// The buffer, such as `UB` or `L1`.
    #[pyo3(get)]
    buffer: &'static str,
    /// The end of the last tile, in bytes.
    #[pyo3(get)]
    peak: u64,
    /// The most bytes that are alive at one time.
    #[pyo3(get)]
    bound: u64,
    /// The bytes that may be used.
    #[pyo3(get)]
    capacity: u64,
    /// Name, address and size in bytes of each tile.
    #[pyo3(get)]
    tiles: Vec<(String, u64, u64)>,
}

impl Memory {
    fn of(plan: &BufferPlan, function: String) -> Memory {
        let tiles = plan.places.iter().map(|place| (place.name.clone(), place.address, place.bytes));
        Memory {
            function,
            buffer: plan.buffer.word(),
            peak: plan.peak,
            bound: plan.bound,
            capacity: plan.capacity,
            tiles: tiles.collect(),
        }
    }
}

#[pymethods]
impl Memory {
    fn __repr__(&self) -> String {
        format!("<Memory {} of @{}: {} of {} bytes>", self.buffer, self.function, self.peak, self.capacity)
    }
}
