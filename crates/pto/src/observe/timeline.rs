//! Records what the cores of a launch issue, for the timeline.

use super::Observer;
use crate::isa::device;
use crate::isa::element::Element;
use crate::isa::memory::Buffer;
use crate::isa::op::cost::{Cost, Extents};
use crate::isa::op::effect::Access;
use crate::isa::pipe::Pipe;
use crate::isa::profile::Profile;
use crate::isa::tile::Location;
use crate::sim::code::{CoreKind, Strand};
use crate::sim::event::{CoreId, Event, Place, QueueEnd, Touched, What, Work as Running};
use crate::sim::footprint::Region;
use crate::sim::operands::Space;
use crate::sim::{Outcome, Printed, Program};
use crate::timeline::recording::{GlobalRange, Ranges, Recording, Signal, Source, Step, Stream, Work};
use std::collections::{BTreeMap, HashMap};

/// The pipe of a tile whose push or pop is pending, with its work.
type Pending = Option<(Pipe, Step)>;

/// Records steps.
#[derive(Default)]
pub(crate) struct Recorder {
    recording: Recording,
    /// Most steps that are recorded.
    most: usize,
    steps: usize,
    /// Index of the stream of a core.
    cores: BTreeMap<CoreId, usize>,
    sources: HashMap<Place, u32>,
    /// Works of an operation, which differ in extents.
    works: HashMap<Place, Vec<u32>>,
    signals: BTreeMap<Signal, u32>,
    /// How often each core has set a flag for others.
    told: BTreeMap<(CoreId, u8, u64), u64>,
    /// How often each counter in global memory was changed.
    changed: BTreeMap<(u32, u64), u64>,
    /// The push whose entry was read, by core.
    pushes: BTreeMap<CoreId, Pending>,
}

impl Recorder {
    /// A recorder of at most `most` steps.
    pub(crate) fn new(most: usize) -> Recorder {
        Recorder { most, ..Recorder::default() }
    }

    fn stream(&mut self, core: CoreId) -> &mut Vec<Step> {
        let recording = &mut self.recording;
        let index = *self.cores.entry(core).or_insert_with(|| {
            recording.streams.push(Stream { core, steps: Vec::new() });
            recording.streams.len() - 1
        });
        &mut self.recording.streams[index].steps
    }

    fn push(&mut self, core: CoreId, step: Step) {
        if self.steps >= self.most {
            self.recording.is_truncated = true;
            return;
        }
        self.steps += 1;
        self.stream(core).push(step);
    }

    fn source(&mut self, program: &Program, at: Place) -> u32 {
        let recording = &mut self.recording;
        *self.sources.entry(at).or_insert_with(|| {
            let source = match super::words::operation_at(program, at) {
                Some((function, operation)) => Source {
                    name: operation.short_name().to_owned(),
                    function: function.name.clone(),
                    span: operation.name_span,
                },
                None => Source { name: String::new(), function: String::new(), span: Default::default() },
            };
            recording.sources.push(source);
            recording.sources.len() as u32 - 1
        })
    }

    fn signal(&mut self, signal: Signal) -> u32 {
        let signals = &mut self.recording.signals;
        *self.signals.entry(signal).or_insert_with(|| {
            signals.push(signal);
            signals.len() as u32 - 1
        })
    }

    fn tell(&mut self, core: CoreId, pipe: Pipe, signal: Signal) {
        let signal = self.signal(signal);
        self.push(core, Step::Tell { pipe, signal });
    }

    fn hear(&mut self, core: CoreId, pipe: Pipe, signal: Signal, source: u32) {
        let signal = self.signal(signal);
        self.push(core, Step::Hear { pipe, signal, source });
    }

    /// The ranges of global memory among accesses.
    fn ranges(&mut self, touched: &[Touched]) -> Ranges {
        if self.steps >= self.most {
            return Ranges::default();
        }
        let first = self.recording.ranges.len() as u32;
        for touched in touched {
            if let Space::Global(buffer) = touched.space
                && touched.touch.access.is_of_bytes()
            {
                let writes = touched.touch.access != Access::Read;
                self.recording.ranges.push(GlobalRange { buffer, writes, range: touched.range });
                let size = self.recording.buffers.entry(buffer).or_default();
                *size = (*size).max(touched.range.end());
            }
        }
        Ranges { first, count: self.recording.ranges.len() as u32 - first }
    }

    /// The work of an instruction with these extents; equal works of an operation are one.
    fn work(&mut self, at: Place, work: Work) -> u32 {
        let works = &mut self.recording.works;
        let known = self.works.entry(at).or_default();
        if let Some(index) = known.iter().find(|index| works[**index as usize] == work) {
            return *index;
        }
        works.push(work);
        known.push(works.len() as u32 - 1);
        works.len() as u32 - 1
    }

    fn issue(&mut self, program: &Program, core: CoreId, at: Place, running: &Running<'_>) {
        let source = self.source(program, at);
        let work = of_instruction(program, at, source, running);
        let work = self.work(at, work);
        let ranges = self.ranges(running.touched);
        self.push(core, Step::Work { work, ranges });
    }

    /// The signals in global memory that an instruction changes or awaits.
    fn signals(&mut self, core: CoreId, source: u32, running: &Running<'_>) {
        for touched in running.touched {
            let Space::Global(buffer) = touched.space else { continue };
            let counter = (buffer, touched.range.start);
            match touched.touch.access {
                Access::Notify => self.notify(core, counter),
                Access::Await => self.see_counter(core, counter, source),
                Access::Look if running.looked => self.see_counter(core, counter, source),
                _ => {}
            }
        }
    }

    fn notify(&mut self, core: CoreId, (buffer, byte): (u32, u64)) {
        let count = self.changed.entry((buffer, byte)).or_default();
        *count += 1;
        let signal = Signal::Memory(buffer, byte, *count);
        self.tell(core, Pipe::All, signal);
    }

    fn see_counter(&mut self, core: CoreId, (buffer, byte): (u32, u64), source: u32) {
        let count = self.changed.get(&(buffer, byte)).copied().unwrap_or(0);
        if count > 0 {
            self.hear(core, Pipe::Scalar, Signal::Memory(buffer, byte, count), source);
        }
    }

    /// The tile of an entry is read to be pushed, or written where it was popped.
    fn entry(&mut self, program: &Program, core: CoreId, at: Place, (pipe, touched): (Pipe, &[Touched])) {
        let source = self.source(program, at);
        let reads = touched.iter().any(|touched| touched.touch.access == Access::Read);
        let work = of_entry(program, at, source, (pipe, touched, reads));
        let Some(work) = work else { return };
        let pipe = work.phases[0];
        let step = Step::Work { work: self.work(at, work), ranges: Ranges::default() };
        match reads {
            true => {
                self.pushes.insert(core, Some((pipe, step)));
            }
            false => self.push(core, step),
        }
    }
}

/// The first `count` cores at the other end of a queue that a core uses.
fn others(program: &Program, core: CoreId, count: u32) -> Vec<CoreId> {
    let is_cube = |kind: CoreKind| kind == CoreKind::Cube;
    let strands = program.strands.iter().filter(|strand| is_cube(strand.kind) != is_cube(core.kind));
    let id = |strand: &Strand| CoreId { kind: strand.kind, vector_core: strand.vector_core, ..core };
    strands.map(id).take(count as usize).collect()
}

/// The pipe that pushes entries without a tile, and that frees slots.
fn pipe_of(core: CoreId, profile: Profile, frees: bool) -> Pipe {
    match (core.kind, frees) {
        (CoreKind::Cube, false) => Pipe::Fixpipe,
        (_, false) => Pipe::Mte3,
        // On A2/A3 an entry has been copied out of its slot when MTE2 has run; on A5 it is used in place.
        (_, true) if !profile.small_floats => Pipe::Mte2,
        (CoreKind::Cube, true) => Pipe::Mte1,
        (_, true) => Pipe::Vector,
    }
}

/// The pipe that pops entries.
fn popping(profile: Profile) -> Pipe {
    if profile.small_floats { Pipe::Scalar } else { Pipe::Mte2 }
}

/// Where the entries of queues pass through: global memory, or the buffer of the consumer.
fn through(program: &Program, to: Buffer) -> device::Endpoint {
    match program.profile().small_floats {
        true => device::Endpoint::Chip(to),
        false => device::Endpoint::Global,
    }
}

fn place_of(region: &Region) -> device::Endpoint {
    device::Endpoint::Chip(region.ty.buffer())
}

fn shape_of(region: &Region) -> String {
    format!("{}x{}x{}", region.rows, region.cols, crate::isa::element::element_word(region.ty.element))
}

fn extents_of(region: &Region) -> Extents {
    let element = region.ty.element;
    Extents {
        rows: region.rows,
        row_bytes: element.bytes(region.cols as usize) as u64,
        columns: region.cols,
        contiguous: region.is_contiguous(),
        fractals: 0,
    }
}

/// An instruction with its extents.
fn of_instruction(program: &Program, at: Place, source: u32, running: &Running<'_>) -> Work {
    let cost = super::words::operation_at(program, at)
        .and_then(|(_, operation)| operation.instruction())
        .map_or(Cost::Issue, |instruction| instruction.page().cost);
    let regions = || {
        running
            .touches
            .iter()
            .filter(|touch| touch.kind.access.is_of_bytes())
            .filter_map(|touch| Some((touch.kind.access, touch.region(running.operands.tiles)?)))
    };
    let largest = regions().map(|(_, region)| region).max_by_key(Region::bytes);
    let mut work = Work {
        source,
        phases: running.phases.to_vec(),
        cost,
        element: largest.as_ref().map_or(Element::F32, |region| region.ty.element),
        extents: largest.as_ref().map_or(Extents::default(), extents_of),
        path: None,
        bytes: 0,
        runs: 0,
        products: 0,
        shape: largest.as_ref().map_or(String::new(), shape_of),
    };
    match cost {
        Cost::Transfer => transfer(&mut work, running, regions()),
        Cost::Cycles(_) => product(&mut work, regions()),
        Cost::Issue => {}
    }
    work
}

/// The path and the bytes of a transfer.
fn transfer(work: &mut Work, running: &Running<'_>, regions: impl Iterator<Item = (Access, Region)>) {
    let (mut from, mut to, mut bytes) = (None, None, 0);
    for (access, region) in regions {
        if access == Access::Read {
            // Parameters of a quantization are read, too: the largest source is what moves.
            if bytes < region.bytes() {
                from = Some(place_of(&region));
                bytes = region.bytes();
                work.extents = extents_of(&region);
                work.element = region.ty.element;
            }
        } else if access != Access::Destroy && to.is_none() {
            to = Some(place_of(&region));
            if from.is_none() {
                bytes = region.bytes();
                work.extents = extents_of(&region);
            }
        }
    }
    // Convolution tiles are no regions: they are moved as a whole, or unfolded into what is written.
    for (touch, buffer) in running.touches.iter().filter_map(|touch| Some((touch, touch.storage()?))) {
        let end = if touch.kind.access == Access::Read { &mut from } else { &mut to };
        *end = end.or(Some(device::Endpoint::Chip(buffer)));
    }
    let global = running.touched.iter().filter(|touched| matches!(touched.space, Space::Global(_)));
    let (mut global_bytes, mut global_runs, mut reads) = (0, 0, false);
    for touched in global.filter(|touched| touched.touch.access.is_of_bytes()) {
        global_bytes += touched.range.run * touched.range.count;
        global_runs += touched.range.count;
        reads |= touched.touch.access == Access::Read;
    }
    if global_bytes > 0 {
        let end = if reads { &mut from } else { &mut to };
        *end = Some(device::Endpoint::Global);
        (work.bytes, work.runs) = (global_bytes, global_runs);
    } else {
        (work.bytes, work.runs) = (bytes, 1);
    }
    work.path = from.zip(to);
}

/// The fractals of a product: rows of the left factor, its columns, and columns of the right one.
fn product(work: &mut Work, regions: impl Iterator<Item = (Access, Region)>) {
    let (mut left, mut right) = (None, None);
    for (_, region) in regions {
        match region.ty.location {
            Location::Left => left = Some(region),
            Location::Right => right = Some(region),
            _ => {}
        }
    }
    let (Some(left), Some(right)) = (left, right) else { return };
    let element = left.ty.element;
    let bytes = element.bytes(left.cols as usize) as u64;
    work.extents.fractals = left.rows.div_ceil(16) * bytes.div_ceil(32) * right.cols.div_ceil(16);
    work.products = left.rows * left.cols * right.cols;
    work.element = element;
    work.shape =
        format!("{}x{}x{} {}", left.rows, left.cols, right.cols, crate::isa::element::element_word(element));
}

/// The transfer of an entry of a queue: into the slot, or out of it; `None` if it is used in place.
fn of_entry(
    program: &Program,
    at: Place,
    source: u32,
    (pipe, touched, reads): (Pipe, &[Touched], bool),
) -> Option<Work> {
    let tile = super::words::tile_type_at(program, at)?;
    let own = device::Endpoint::Chip(tile.buffer());
    let bytes: u64 = touched.iter().map(|touched| touched.range.run * touched.range.count).sum();
    let (phases, path) = match reads {
        true => {
            let to = if tile.buffer() == Buffer::Ub { Buffer::L1 } else { Buffer::Ub };
            (vec![pipe], (own, through(program, to)))
        }
        // On A5 an entry is used where it is.
        false if program.profile().small_floats => return None,
        false => (vec![Pipe::Mte2], (device::Endpoint::Global, own)),
    };
    let region = Region { rows: u64::from(tile.rows), cols: u64::from(tile.cols), ty: tile };
    Some(Work {
        source,
        phases,
        cost: Cost::Transfer,
        element: tile.element,
        extents: extents_of(&region),
        path: Some(path),
        bytes,
        runs: region.rows,
        products: 0,
        shape: shape_of(&region),
    })
}

impl Observer for Recorder {
    fn see(&mut self, program: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        let (core, at, profile) = (event.core, event.at, program.profile());
        match &event.what {
            What::Issue(running) if !running.signals => self.issue(program, core, at, running),
            What::End(running) if running.signals => {
                let source = self.source(program, at);
                self.signals(core, source, running);
                self.issue(program, core, at, running);
            }
            What::Set(key) => {
                let source = self.source(program, at);
                self.push(core, Step::Set { key: *key, source });
            }
            What::Wait(key) => {
                let source = self.source(program, at);
                self.push(core, Step::Wait { key: *key, source });
            }
            What::Barrier(pipe) | What::Behind(pipe) => {
                let source = self.source(program, at);
                self.push(core, Step::Barrier { pipe: *pipe, source });
            }
            What::Acquire { pipe, token } => {
                let source = self.source(program, at);
                self.push(core, Step::Acquire { pipe: *pipe, token: *token, source });
            }
            What::Release { pipe, token } => {
                self.push(core, Step::Release { pipe: *pipe, token: *token });
            }
            What::Entry { pipe, touched, .. } => self.entry(program, core, at, (*pipe, touched)),
            What::Allocate { queue, returns, consumers } => {
                let source = self.source(program, at);
                let pipe = match self.pushes.get(&core) {
                    Some(Some((pipe, _))) => *pipe,
                    _ => Pipe::Scalar,
                };
                if *returns > 0 {
                    for other in others(program, core, *consumers) {
                        self.hear(core, pipe, Signal::Freed(other, key_of(*queue), returns - 1), source);
                    }
                }
            }
            What::Push { queue, entry, .. } => {
                let pending = self.pushes.insert(core, None).flatten();
                let pipe = match pending {
                    Some((pipe, step)) => {
                        self.push(core, step);
                        pipe
                    }
                    None => pipe_of(core, profile, false),
                };
                self.tell(core, pipe, Signal::Pushed(core, key_of(*queue), *entry));
            }
            What::Pop { queue, entry, producers } => {
                let source = self.source(program, at);
                for other in others(program, core, *producers) {
                    self.hear(core, popping(profile), Signal::Pushed(other, key_of(*queue), *entry), source);
                }
            }
            What::Free { queue, number, .. } => {
                self.tell(core, pipe_of(core, profile, true), Signal::Freed(core, key_of(*queue), *number));
            }
            What::Signal { flag: (reach, id), pipe } => {
                let count = self.told.entry((core, *reach as u8, *id)).or_default();
                let signal = Signal::Flag(core, *reach as u8, *id, *count);
                *count += 1;
                self.tell(core, *pipe, signal);
            }
            What::Hear { flag: (reach, id), pipe, setters, count } => {
                let source = self.source(program, at);
                for setter in setters.iter().filter(|setter| **setter != core) {
                    self.hear(core, *pipe, Signal::Flag(*setter, *reach as u8, *id, *count), source);
                }
            }
            What::Notify { signal } => self.notify(core, *signal),
            What::See { signal } => {
                let source = self.source(program, at);
                self.see_counter(core, *signal, source);
            }
            What::Issue(_) | What::Begin | What::End(_) => {}
            What::Blank { .. }
            | What::Beyond { .. }
            | What::BlockBegins
            | What::BlockEnds
            | What::CoreEnds => {}
        }
    }

    fn finish(self: Box<Self>, _: &Program, outcome: &mut Outcome) {
        outcome.recording = Some(Box::new(self.recording));
    }
}

/// The queue without its end.
fn key_of(queue: QueueEnd) -> QueueEnd {
    queue.at(0)
}
