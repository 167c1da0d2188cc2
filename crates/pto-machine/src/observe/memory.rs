//! Misuse of memory: slots of queues after `tfree`, the window of UB that is reserved for instructions, stores through views
//! whose elements overlap, tiles that another tile has overwritten.

pub(in crate::observe) mod init;
pub mod kept;
pub(in crate::observe) mod reuse;

use crate::observe::watch::{Watched, Watching};
use crate::observe::words::{beyond_in_words, clobbered_in_words, evicted_in_words, memory_misuse_in_words};
use crate::sim::event::{CoreId, Event, Place, Touched, What, Work};
use crate::sim::operands::Space;
use crate::sim::{Needs, Observe, Printed, Program};
use pto_isa::Buffer;
use pto_isa::diag::dimension::Excess;
use pto_isa::exec::state::View;
use pto_isa::memory::TMP_WINDOW;
use pto_isa::strided_range::StridedRange;
use reuse::Reuse;
use std::collections::{BTreeMap, VecDeque};

/// A misuse of memory by an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::observe) enum MemoryMisuse {
    /// A store through a view in which two indices have one address.
    SelfOverlap,
    /// Use of a slot of a queue that was freed.
    Returned,
}

/// Bytes of a tile in the window of UB that A2/A3 reserves for instructions.
struct Guest {
    range: StridedRange,
    /// The instruction that has overwritten them since.
    lost: Option<Place>,
}

/// Tracks slots of queues, and checks the addresses that instructions write.
#[derive(Default)]
pub(in crate::observe) struct Mem {
    /// Slots that each core has popped and not freed, oldest first.
    taken: BTreeMap<CoreId, VecDeque<Vec<StridedRange>>>,
    /// Slots of queues that were freed and not filled again.
    returned: BTreeMap<Space, Vec<StridedRange>>,
    /// Bytes of tiles in the window.
    guests: BTreeMap<Space, Vec<Guest>>,
    /// Number of occurrences by the instruction that uses the window, and the operation and operand that read lost bytes.
    evicted: BTreeMap<(Place, Place, u16), u64>,
    /// Writers of the bytes of tiles.
    reuse: Reuse,
    /// By operation that creates a partition beyond its view: dimension, end and extent of the first one, and the count.
    beyond: BTreeMap<Place, (Excess, u64)>,
    /// Number of occurrences by operation and operand.
    found: BTreeMap<(Place, u16, MemoryMisuse), u64>,
    /// Number of checked accesses.
    places: u64,
}

impl Mem {
    /// For a run in which instructions run when they are issued, or later.
    pub(in crate::observe) fn new(in_order: bool) -> Mem {
        Mem { reuse: Reuse::new(in_order), ..Mem::default() }
    }

    fn found(&mut self, at: Place, operand: u16, misuse: MemoryMisuse) {
        *self.found.entry((at, operand, misuse)).or_default() += 1;
    }

    fn is_returned(&self, touched: &Touched) -> bool {
        let mut slots = self.returned.get(&touched.space).into_iter().flatten();
        slots.any(|slot| slot.common(&touched.range).is_some())
    }

    fn instruction(&mut self, program: &Program, at: Place, work: &Work<'_>) {
        if program.profile().uses_ub_window {
            self.window(program, at, work);
        }
        self.places += work.touched.len() as u64;
        let mut views = None;
        for touched in work.touched {
            let (operand, changes) = (touched.touch.operand, touched.touch.access.changes());
            if self.is_returned(touched) {
                self.found(at, operand, MemoryMisuse::Returned);
            }
            if changes
                && views != Some(operand)
                && let Some(view) = work.operands.whole_view(&work.touches[usize::from(touched.index)])
            {
                // A view is checked once, not for each of its ranges.
                views = Some(operand);
                if overlaps_itself(view) {
                    self.found(at, operand, MemoryMisuse::SelfOverlap);
                }
            }
        }
    }

    /// Tracks bytes of tiles in the window: an instruction that uses the window overwrites them, which is reported when they
    /// are read. Tiles that the machine places are outside the buffer.
    fn window(&mut self, program: &Program, at: Place, work: &Work<'_>) {
        let map = program.map();
        let core = work.operands.core;
        let base = map.base[Buffer::Ub as usize] as u64 + u64::from(core.vector_core) * core.vector_stride;
        let window = StridedRange::bytes(base + TMP_WINDOW.start, TMP_WINDOW.end - TMP_WINDOW.start);
        let here = |touched: &&Touched| {
            matches!(touched.space, Space::Chip(..)) && touched.range.common(&window).is_some()
        };
        let (changes, reads): (Vec<&Touched>, Vec<&Touched>) =
            work.touched.iter().filter(here).partition(|touched| touched.touch.access.changes());
        for touched in reads {
            for guest in self.guests.get(&touched.space).into_iter().flatten() {
                if let Some(user) = guest.lost.filter(|_| guest.range.common(&touched.range).is_some()) {
                    *self.evicted.entry((user, at, touched.touch.operand)).or_default() += 1;
                }
            }
        }
        if work.uses_window {
            let own = Space::Chip(core.rank, core.block);
            let guests = self.guests.get_mut(&own).into_iter().flatten();
            let hit = guests.filter(|guest| guest.lost.is_none() && guest.range.common(&window).is_some());
            hit.for_each(|guest| guest.lost = Some(at));
        }
        for touched in changes {
            let guests = self.guests.entry(touched.space).or_default();
            guests.retain(|guest| !touched.range.covers(&guest.range));
            guests.push(Guest { range: touched.range, lost: None });
        }
    }

    /// The tile of an entry: if it is written, its slot was popped.
    fn entry(&mut self, core: CoreId, at: Place, touched: &[Touched]) {
        let writes = touched.iter().any(|touched| touched.touch.access.changes());
        for touched in touched {
            if let Some(returned) = self.returned.get_mut(&touched.space).filter(|_| writes) {
                returned.retain(|slot| slot.common(&touched.range).is_none());
            }
            if self.is_returned(touched) {
                self.found(at, touched.touch.operand, MemoryMisuse::Returned);
            }
        }
        if writes {
            let ranges = touched.iter().map(|touched| touched.range).collect();
            self.taken.entry(core).or_default().push_back(ranges);
        }
    }
}

impl Observe for Mem {
    fn needs(&self) -> Needs {
        Needs::ACCESSES
    }

    fn see(&mut self, program: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        let chip = Space::Chip(event.core.rank, event.core.block);
        match &event.what {
            What::Issue(work) => {
                self.reuse.issue(program, event.core, event.at, work);
                self.instruction(program, event.at, work);
            }
            What::Entry { touched, memory, .. } => {
                // An entry is there already when its pop is reported.
                let is_pop = touched.iter().any(|touched| touched.touch.access.changes());
                let memory = (!is_pop).then_some(*memory);
                self.reuse.accesses(program, event.core, event.at, touched, memory);
                self.entry(event.core, event.at, touched);
            }
            // Slots are freed in the order in which they were popped.
            What::Return { tile: Some(_), .. } => {
                if let Some(slot) = self.taken.get_mut(&event.core).and_then(VecDeque::pop_front) {
                    self.returned.entry(chip).or_default().extend(slot);
                }
            }
            What::Beyond(excess) => {
                self.beyond.entry(event.at).or_insert((*excess, 0)).1 += 1;
            }
            What::BlockEnds => {
                self.returned.remove(&chip);
                self.guests.remove(&chip);
                self.reuse.block_ends(chip);
                self.taken.retain(|core, _| Space::Chip(core.rank, core.block) != chip);
            }
            _ => {}
        }
    }
}

impl Watching for Mem {
    fn has_found(&self) -> bool {
        !(self.found.is_empty() && self.evicted.is_empty() && self.beyond.is_empty())
            || self.reuse.found().next().is_some()
    }

    fn report(&mut self, program: &Program, names: &[String], watched: &mut Watched) {
        watched.examined.places = Some(self.places);
        let words = self.found.iter().map(|((at, operand, misuse), count)| {
            memory_misuse_in_words(program, *at, *operand, *misuse, *count)
        });
        watched.findings.extend(words);
        let words = self
            .evicted
            .iter()
            .map(|((user, read, operand), count)| evicted_in_words(program, *user, *read, *operand, *count));
        watched.findings.extend(words);
        let words =
            self.beyond.iter().map(|(at, (beyond, count))| beyond_in_words(program, *at, *beyond, *count));
        watched.findings.extend(words);
        watched.conflicts.extend(self.reuse.conflicts());
        let words: Vec<_> = self
            .reuse
            .found()
            .map(|(pair, found)| clobbered_in_words(program, names, *pair, found))
            .collect();
        watched.findings.extend(words);
    }
}

/// Whether two indices of a view have one address.
fn overlaps_itself(view: &View) -> bool {
    let rank = usize::from(view.rank);
    let mut dimensions: Vec<(u64, u64)> = (0..rank)
        .map(|at| (view.strides[at].unsigned_abs(), view.shape[at]))
        .filter(|(_, extent)| *extent > 1)
        .collect();
    dimensions.sort_unstable();
    let mut span = 1u64;
    dimensions.into_iter().any(|(stride, extent)| {
        let overlaps = stride < span;
        span = span.saturating_add((extent - 1).saturating_mul(stride));
        overlaps
    })
}
