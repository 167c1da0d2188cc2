//! Reads of unwritten bytes, and of bytes that a load has left unchanged.

use crate::observe::watch::{Watched, Watching};
use crate::observe::words::{stale_in_words, ungiven_in_words, unwritten_in_words};
use crate::sim::event::{Event, Place, Touched, What, Work};
use crate::sim::operands::Space;
use crate::sim::{Needs, Observe, Printed, Program};
use pto_isa::op::effect::Access;
use pto_isa::written::Written;
use std::collections::BTreeMap;

/// Reads of unwritten bytes by one operand: the first such read, its first unwritten byte, and the number of reads.
#[derive(Clone, Copy, Debug)]
pub(in crate::observe) struct Unwritten {
    pub(in crate::observe) read: Touched,
    pub(in crate::observe) byte: u64,
    pub(in crate::observe) count: u64,
}

/// Tracks written bytes of memory that started unwritten.
#[derive(Default)]
pub(in crate::observe) struct Init {
    written: BTreeMap<Space, Written>,
    /// By operation and operand.
    found: BTreeMap<(Place, u16), Unwritten>,
    /// Bytes that the last load of their tile left unchanged.
    old: BTreeMap<Space, Written>,
    /// Reads of such bytes, by operation and operand.
    stale: BTreeMap<(Place, u16), Unwritten>,
    /// Buffers that were read before any write: the operation and the operand.
    ungiven: BTreeMap<u32, (Place, u16)>,
    /// Number of reads of written bytes.
    reads: u64,
    /// Whether earlier launches may have written to buffers: then each unwritten byte counts, as in tiles.
    in_sequence: bool,
}

impl Init {
    /// Buffers of a launch in a sequence, with the bytes that are written already.
    pub(in crate::observe) fn starting_with(known: impl Iterator<Item = (u32, Written)>) -> Init {
        let written = known.map(|(buffer, written)| (Space::Global(buffer), written)).collect();
        Init { written, in_sequence: true, ..Init::default() }
    }

    /// Checks that bytes that an instruction reads as values are written. Bytes that it writes beyond its values count as
    /// unwritten.
    fn instruction(&mut self, at: Place, work: &Work<'_>) {
        let mut last = None;
        for touch in work.touches.iter().filter(|touch| touch.renews()) {
            work.operands
                .declared(touch, &mut |space, range| self.old.entry(space).or_default().mark(&range));
        }
        for touched in work.touched {
            let touch = &work.touches[usize::from(touched.index)];
            if !touch.carries() {
                self.touch(at, touched);
                continue;
            }
            // The values of an effect are checked once, after all ranges of a writing effect are marked as unwritten.
            if last.replace(touch.kind.effect) == Some(touch.kind.effect) {
                continue;
            }
            let (mut all, mut values) = (Vec::new(), Vec::new());
            work.operands.ranges(touch, &mut |space, range| all.push((space, range)));
            work.operands.values(touch, &mut |space, range| values.push((space, range)));
            if touch.kind.access.changes() {
                for (space, range) in all {
                    self.written.get_mut(&space).into_iter().for_each(|written| written.clear(&range));
                }
            }
            for (space, range) in values {
                self.touch(at, &Touched { space, range, ..*touched });
            }
        }
    }

    fn touch(&mut self, at: Place, touched: &Touched) {
        let Some(written) = self.written.get_mut(&touched.space) else { return };
        match touched.touch.access {
            Access::Read => {
                if let Some(byte) = written.missing(&touched.range) {
                    if let Space::Global(buffer) = touched.space
                        && !self.in_sequence
                        && written.is_empty()
                    {
                        // Reported once, for the whole buffer.
                        self.ungiven.insert(buffer, (at, touched.touch.operand));
                        self.written.remove(&touched.space);
                        return;
                    }
                    let first = Unwritten { read: *touched, byte, count: 0 };
                    self.found.entry((at, touched.touch.operand)).or_insert(first).count += 1;
                    // Reported once.
                    written.mark(&touched.range);
                    return;
                }
                self.reads += 1;
                if let Some(old) = self.old.get_mut(&touched.space)
                    && let Some(byte) = old.first(&touched.range)
                {
                    let first = Unwritten { read: *touched, byte, count: 0 };
                    self.stale.entry((at, touched.touch.operand)).or_insert(first).count += 1;
                    // Reported once.
                    old.clear(&touched.range);
                }
                return;
            }
            Access::Destroy => written.clear(&touched.range),
            _ => written.mark(&touched.range),
        }
        if let Some(old) = self.old.get_mut(&touched.space) {
            old.clear(&touched.range);
        }
    }
}

impl Observe for Init {
    fn needs(&self) -> Needs {
        Needs::ACCESSES
    }

    fn see(&mut self, _: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        let chip = Space::Chip(event.core.rank, event.core.block);
        match &event.what {
            What::Blank { buffer } => {
                self.written.insert(Space::Global(*buffer), Written::default());
            }
            What::HostWrites { buffer, range } => {
                if let Some(written) = self.written.get_mut(&Space::Global(*buffer)) {
                    written.mark(range);
                }
            }
            What::BlockBegins => {
                self.written.insert(chip, Written::default());
            }
            What::BlockEnds => {
                self.written.remove(&chip);
                self.old.remove(&chip);
            }
            What::Fresh { range } => {
                for bytes in [&mut self.written, &mut self.old] {
                    bytes.get_mut(&chip).into_iter().for_each(|bytes| bytes.clear(range));
                }
            }
            What::Issue(work) => self.instruction(event.at, work),
            What::Entry { touched, .. } | What::Slot { touched, .. } => {
                touched.iter().for_each(|touched| self.touch(event.at, touched))
            }
            _ => {}
        }
    }
}

impl Watching for Init {
    fn has_found(&self) -> bool {
        !(self.found.is_empty() && self.stale.is_empty() && self.ungiven.is_empty())
    }

    fn report(&mut self, program: &Program, names: &[String], watched: &mut Watched) {
        watched.examined.reads = Some(self.reads);
        let ungiven = self.ungiven.iter();
        let mut findings: Vec<_> = ungiven
            .map(|(buffer, (at, operand))| ungiven_in_words(program, names, *buffer, *at, *operand))
            .collect();
        let found = self.found.iter();
        findings.extend(found.map(|((at, _), found)| unwritten_in_words(program, names, *at, found)));
        findings.extend(self.stale.iter().map(|((at, _), found)| stale_in_words(program, names, *at, found)));
        watched.findings.extend(findings);
    }
}
