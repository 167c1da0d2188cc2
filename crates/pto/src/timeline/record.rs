//! Records the instructions that the cores of a launch issue, for the timeline.

mod interned;
mod launch;
mod streams;
mod tiles;
mod work;

use super::recording::{GlobalRange, Recording, Signal, Source, Step, Work};
use super::{Conflict, ConflictAccess};
use interned::{Numbers, Recent};
pub use launch::{LaunchObserver, Observed, RecordOptions, record};
use pto_isa::op::Slots;
use pto_isa::op::cost::Cost;
use pto_isa::op::effect::Access;
use pto_isa::pipe::Pipe;
use pto_isa::rule::RuleId;
use pto_isa::strided_range::StridedRange;
use pto_machine::observe::conflict::{Found, Side};
use pto_machine::observe::{Watched, operation_at};
use pto_machine::sim::by_place::{ByPlace, entry};
use pto_machine::sim::code::{CoreKind, Strand};
use pto_machine::sim::event::{CoreId, Event, FlagKey, Place, QueueEnd, Touched, What, Work as Running};
use pto_machine::sim::operands::Space;
use pto_machine::sim::{Needs, Observe, Printed, Program};
use std::collections::BTreeMap;
use streams::Streams;
use tiles::Placed;
use work::{of_entry, of_instruction};

/// Facts about an operation.
struct Known {
    /// Index among the sources of the recording.
    source: u32,
    cost: Cost,
    /// Works of the operation, which differ in extents, as indices among those of the recording.
    works: Vec<u32>,
    /// Its latest steps, if it is an instruction.
    issued: Recent<Issued>,
    /// Its latest steps, if it is a set or a wait of a flag.
    flags: Recent<FlagKey>,
}

/// Origin of a step of an instruction.
struct Issued {
    /// The [`signature`](Running::signature) of its operands.
    signature: u64,
    /// The numbers of its ranges of global memory.
    ranges: Vec<u32>,
}

impl Known {
    /// Facts about an operation, which becomes a source if it is new.
    fn of<'a>(
        operations: &'a mut ByPlace<Known>,
        sources: &mut Vec<Source>,
        program: &Program,
        at: Place,
    ) -> &'a mut Known {
        operations.get_or_insert_with(at, || {
            let found = operation_at(program, at);
            sources.push(match found {
                Some((function, operation)) => Source {
                    name: operation.short_name().to_owned(),
                    function: function.name.clone(),
                    span: operation.name_span,
                    ordered: Vec::new(),
                },
                None => Source::default(),
            });
            let instruction = found.and_then(|(_, operation)| operation.instruction());
            let cost = instruction.map_or(Cost::Issue, |instruction| instruction.page().cost);
            let source = sources.len() as u32 - 1;
            Known { source, cost, works: Vec::new(), issued: Recent::default(), flags: Recent::default() }
        })
    }

    /// The number of a work of the operation among all `works`; equal ones are one. `phases` are its pipes.
    fn number(&mut self, works: &mut Vec<Work>, work: Work, phases: &[Pipe]) -> u32 {
        let is_like = |other: &Work| other.phases == phases && other.is_like(&work);
        if let Some(index) = self.works.iter().rev().find(|index| is_like(&works[**index as usize])) {
            return *index;
        }
        works.push(Work { phases: phases.to_vec(), ..work });
        self.works.push(works.len() as u32 - 1);
        works.len() as u32 - 1
    }
}

/// Records steps.
#[derive(Default)]
pub struct Recorder {
    recording: Recording,
    streams: Streams,
    operations: ByPlace<Known>,
    placed: Placed,
    steps: Numbers<Step>,
    ranges: Numbers<GlobalRange>,
    flags: Numbers<FlagKey>,
    signals: Numbers<Signal>,
    /// Number of flags that each core has set for others.
    told: BTreeMap<(CoreId, u8, u64), u64>,
    /// Number of changes of each counter in global memory.
    changed: BTreeMap<(u32, u64), u64>,
    /// Whether the launch has ended, or was stopped.
    has_ended: bool,
}

impl Recorder {
    /// A recorder of at most `most` steps.
    pub fn new(most: usize) -> Recorder {
        Recorder { streams: Streams::new(most), ..Recorder::default() }
    }

    /// The recording, with the conflicts that watchers of the launch found.
    pub fn into_recording(mut self, program: &Program, watched: &Watched) -> Recording {
        let conflicts = watched.conflicts.iter().filter_map(|found| self.conflict(program, found)).collect();
        let mut recording = self.recording;
        recording.is_truncated = self.streams.is_truncated;
        recording.streams = self.streams.finish();
        recording.conflicts = conflicts;
        recording.steps = self.steps.finish();
        recording.ranges = self.ranges.finish();
        recording.flags = self.flags.finish();
        recording.signals = self.signals.finish();
        (recording.tiles, recording.uses) = self.placed.finish();
        recording.profile = program.profile();
        recording
    }

    /// A step of an operation.
    fn push(&mut self, core: CoreId, at: Place, step: Step) {
        let step = self.steps.number(at, step);
        self.append(core, step);
    }

    /// A step by its number.
    fn append(&mut self, core: CoreId, step: u32) {
        if let Some(stream) = self.streams.next(core) {
            stream.steps.push(step);
        }
    }

    /// A flag is set or waited for: the step of a flag and a source.
    fn flag(&mut self, program: &Program, core: CoreId, at: Place, key: FlagKey, step: fn(u32, u32) -> Step) {
        let known = Known::of(&mut self.operations, &mut self.recording.sources, program, at);
        let number = match known.flags.find(|other| *other == key) {
            Some((_, number)) => number,
            None => {
                self.recording.sources[known.source as usize].ordered = vec![key.from, key.to];
                let step = step(self.flags.number(at, key), known.source);
                known.flags.keep(key, self.steps.number(at, step)).1
            }
        };
        self.append(core, number);
    }

    fn source(&mut self, program: &Program, at: Place) -> u32 {
        Known::of(&mut self.operations, &mut self.recording.sources, program, at).source
    }

    fn tell(&mut self, core: CoreId, at: Place, pipe: Pipe, signal: Signal) {
        let signal = self.signals.number(at, signal);
        self.push(core, at, Step::Tell { pipe, signal });
    }

    fn hear(&mut self, core: CoreId, at: Place, source: u32, pipe: Pipe, signal: Signal) {
        let signal = self.signals.number(at, signal);
        self.push(core, at, Step::Hear { pipe, signal, source });
    }

    /// An instruction is issued. If its operands have a signature that is known, its step is known.
    fn issue(&mut self, program: &Program, core: CoreId, at: Place, running: &Running<'_>) {
        let Recording { sources, works, .. } = &mut self.recording;
        let known = Known::of(&mut self.operations, sources, program, at);
        let (issued, step) = match known.issued.find(|issued| issued.signature == running.signature) {
            Some(found) => found,
            None => {
                let work = of_instruction(known.source, known.cost, running);
                let work = known.number(works, work, running.phases);
                let range = |(buffer, touched): (u32, &Touched)| {
                    let writes = touched.touch.access != Access::Read;
                    let range = StridedRange { start: 0, ..touched.range };
                    self.ranges.number(at, GlobalRange { buffer, writes, range })
                };
                let ranges: Vec<u32> = of_global(running.touched).map(range).collect();
                let uses =
                    self.placed.uses(program, at, &running.values(), &|touched| running.serial(touched));
                let step = Step::Work { work, ranges: ranges.len() as u32, uses };
                let issued = Issued { signature: running.signature, ranges };
                known.issued.keep(issued, self.steps.number(at, step))
            }
        };
        let Some(stream) = self.streams.next(core) else { return };
        for ((buffer, touched), number) in of_global(running.touched).zip(&issued.ranges) {
            stream.ranges.push((touched.range.start, *number));
            let size = entry(&mut self.recording.buffers, buffer, || 0);
            *size = touched.range.end().max(*size);
        }
        stream.steps.push(step);
    }

    /// A conflict between operations that are on the timeline.
    fn conflict(&mut self, program: &Program, found: &Found) -> Option<Conflict> {
        let access = |side: &Side| {
            let Side { at, core, pipe, writes, run, .. } = *side;
            let (source, core) = (self.source(program, at), self.streams.index(core)? as u32);
            Some(ConflictAccess { source, operand: side.name(program), core, pipe, writes, run })
        };
        let [first, second] = found.sides.each_ref().map(access);
        let (rule, bytes) = (RuleId::from(found.rule).to_string(), found.bytes(program));
        Some(Conflict { rule, accesses: [first?, second?], bytes, count: found.count })
    }

    /// The signals in global memory that an instruction changes or awaits.
    fn signals(&mut self, core: CoreId, at: Place, source: u32, running: &Running<'_>) {
        for touched in running.touched {
            let Space::Global(buffer) = touched.space else { continue };
            let byte = touched.range.start;
            match touched.touch.access {
                Access::Notify => self.notify(core, at, buffer, byte),
                Access::Await => self.see_counter(core, at, source, buffer, byte),
                Access::Look if running.looked => self.see_counter(core, at, source, buffer, byte),
                _ => {}
            }
        }
    }

    fn notify(&mut self, core: CoreId, at: Place, buffer: u32, byte: u64) {
        let count = self.changed.entry((buffer, byte)).or_default();
        *count += 1;
        let signal = Signal::Memory(buffer, byte, *count);
        self.tell(core, at, Pipe::All, signal);
    }

    fn see_counter(&mut self, core: CoreId, at: Place, source: u32, buffer: u32, byte: u64) {
        let count = self.changed.get(&(buffer, byte)).copied().unwrap_or(0);
        if count > 0 {
            self.hear(core, at, source, Pipe::Scalar, Signal::Memory(buffer, byte, count));
        }
    }

    /// The tile of an entry is read to be pushed, or written where it was popped.
    fn entry(
        &mut self,
        program: &Program,
        core: CoreId,
        at: Place,
        pipe: Pipe,
        slots: Slots,
        touched: &[Touched],
    ) {
        let Recording { sources, works, .. } = &mut self.recording;
        let known = Known::of(&mut self.operations, sources, program, at);
        let Some(work) = of_entry(program, at, known.source, slots, touched) else { return };
        let work = known.number(works, work, &[pipe]);
        let uses = self.placed.uses(program, at, touched, &|_| None);
        self.push(core, at, Step::Work { work, ranges: 0, uses });
    }
}

/// The accesses to bytes of global memory, with the buffers.
fn of_global(touched: &[Touched]) -> impl Iterator<Item = (u32, &Touched)> {
    touched.iter().filter_map(|touched| match touched.space {
        Space::Global(buffer) if touched.touch.access.is_of_bytes() => Some((buffer, touched)),
        _ => None,
    })
}

/// The first `count` cores at the other end of a queue that a core uses.
fn others(program: &Program, core: CoreId, count: u32) -> Vec<CoreId> {
    let is_cube = |kind: CoreKind| kind == CoreKind::Cube;
    let strands = program.strands.iter().filter(|strand| is_cube(strand.kind) != is_cube(core.kind));
    let id = |strand: &Strand| CoreId { kind: strand.kind, vector_core: strand.vector_core, ..core };
    strands.map(id).take(count as usize).collect()
}

impl Observe for Recorder {
    fn needs(&self) -> Needs {
        Needs::ACCESSES
    }

    fn see(&mut self, program: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        if self.streams.is_truncated {
            return;
        }
        let (core, at) = (event.core, event.at);
        match &event.what {
            What::Issue(running) if !running.signals => self.issue(program, core, at, running),
            What::End(running) if running.signals => {
                let source = self.source(program, at);
                self.signals(core, at, source, running);
                self.issue(program, core, at, running);
            }
            What::Set(key) => {
                self.flag(program, core, at, *key, |flag, source| Step::Set { flag, source });
            }
            What::Wait(key) => {
                self.flag(program, core, at, *key, |flag, source| Step::Wait { flag, source });
            }
            What::Barrier(pipe) | What::Behind(pipe) => {
                let source = self.source(program, at);
                self.recording.sources[source as usize].ordered = vec![*pipe];
                self.push(core, at, Step::Barrier { pipe: *pipe, source });
            }
            What::Acquire { pipe, token } => {
                let source = self.source(program, at);
                self.push(core, at, Step::Acquire { pipe: *pipe, token: *token, source });
            }
            What::Release { pipe, token } => {
                self.push(core, at, Step::Release { pipe: *pipe, token: *token });
            }
            What::Entry { pipe, slots, touched, .. } => {
                self.entry(program, core, at, *pipe, *slots, touched);
            }
            What::Allocate { queue, pipe, returns, consumers } => {
                let source = self.source(program, at);
                if *returns > 0 {
                    for other in others(program, core, *consumers) {
                        let freed = Signal::Freed(other, key_of(*queue), returns - 1);
                        self.hear(core, at, source, *pipe, freed);
                    }
                }
            }
            What::Push { queue, pipe, entry, .. } => {
                self.tell(core, at, *pipe, Signal::Pushed(core, key_of(*queue), *entry));
            }
            What::Pop { queue, pipe, entry, producers } => {
                let source = self.source(program, at);
                for other in others(program, core, *producers) {
                    let pushed = Signal::Pushed(other, key_of(*queue), *entry);
                    self.hear(core, at, source, *pipe, pushed);
                }
            }
            What::Return { queue, pipe, number, .. } => {
                self.tell(core, at, *pipe, Signal::Freed(core, key_of(*queue), *number));
            }
            What::Signal { flag: (reach, id), pipe } => {
                let count = self.told.entry((core, *reach as u8, *id)).or_default();
                let signal = Signal::Flag(core, *reach as u8, *id, *count);
                *count += 1;
                self.tell(core, at, *pipe, signal);
            }
            What::Hear { flag: (reach, id), pipe, setters, count } => {
                let source = self.source(program, at);
                for setter in setters.iter().filter(|setter| **setter != core) {
                    let flag = Signal::Flag(*setter, *reach as u8, *id, *count);
                    self.hear(core, at, source, *pipe, flag);
                }
            }
            What::Notify { signal: (buffer, byte) } => self.notify(core, at, *buffer, *byte),
            What::See { signal: (buffer, byte) } => {
                let source = self.source(program, at);
                self.see_counter(core, at, source, *buffer, *byte);
            }
            What::Issue(_) | What::Begin | What::End(_) => {}
            What::Blank { .. }
            | What::Beyond(_)
            | What::Fresh { .. }
            | What::Unlike { .. }
            | What::Slot { .. }
            | What::HostWrites { .. }
            | What::LaunchEnds { .. }
            | What::LaunchStops
            | What::BlockBegins
            | What::BlockEnds
            | What::CoreEnds => {}
        }
    }

    fn finish(&mut self, _: &Program, _: &[String]) {
        self.has_ended = true;
    }
}

/// The queue without its end.
fn key_of(queue: QueueEnd) -> QueueEnd {
    queue.at(0)
}
