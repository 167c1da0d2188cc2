//! Bytes that are read and that nothing has written.

use super::Observer;
use super::words::{ungiven_in_words, unwritten_in_words};
use super::written::Written;
use crate::isa::op::effect::Access;
use crate::sim::event::{Event, Place, Touched, What, Work};
use crate::sim::operands::Space;
use crate::sim::{Outcome, Printed, Program};
use std::collections::BTreeMap;

/// A read of bytes that nothing wrote: the first such read, its first such byte, and how many there were.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unwritten {
    pub(super) read: Touched,
    pub(super) byte: u64,
    pub(super) count: u64,
}

/// Follows what has been written, of memory that started without contents.
#[derive(Default)]
pub(super) struct Init {
    written: BTreeMap<Space, Written>,
    /// By operation and operand.
    found: BTreeMap<(Place, u16), Unwritten>,
    /// Buffers that were read before anything had written them: by which operation and operand.
    ungiven: BTreeMap<u32, (Place, u16)>,
    /// Reads of what had been written.
    reads: u64,
}

impl Init {
    /// What an instruction reads must have been written, as far as it holds values; what it writes beyond values has not
    /// been.
    fn instruction(&mut self, at: Place, work: &Work<'_>) {
        let mut last = None;
        for touched in work.touched {
            let touch = &work.touches[usize::from(touched.index)];
            if !touch.carries() {
                self.touch(at, touched);
                continue;
            }
            // The values of an effect are looked at once, after all its ranges are known to hold nothing.
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
                        && written.is_empty()
                    {
                        // Said once, and for the whole buffer.
                        self.ungiven.insert(buffer, (at, touched.touch.operand));
                        self.written.remove(&touched.space);
                        return;
                    }
                    let first = Unwritten { read: *touched, byte, count: 0 };
                    self.found.entry((at, touched.touch.operand)).or_insert(first).count += 1;
                    // Said once.
                    written.mark(&touched.range);
                } else {
                    self.reads += 1;
                }
            }
            Access::Destroy => written.clear(&touched.range),
            _ => written.mark(&touched.range),
        }
    }
}

impl Observer for Init {
    fn see(&mut self, _: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        let chip = Space::Chip(event.core.rank, event.core.block);
        match &event.what {
            What::Blank { buffer } => {
                self.written.insert(Space::Global(*buffer), Written::default());
            }
            What::BlockBegins => {
                self.written.insert(chip, Written::default());
            }
            What::BlockEnds => {
                self.written.remove(&chip);
            }
            What::Issue(work) => self.instruction(event.at, work),
            What::Entry { touched, .. } => touched.iter().for_each(|touched| self.touch(event.at, touched)),
            _ => {}
        }
    }

    fn finish(self: Box<Self>, program: &Program, outcome: &mut Outcome) {
        outcome.examined.reads = Some(self.reads);
        let ungiven = self.ungiven.iter();
        outcome.findings.extend(ungiven.map(|(buffer, place)| ungiven_in_words(program, *buffer, *place)));
        let words = self.found.iter().map(|((at, _), found)| unwritten_in_words(program, *at, found));
        outcome.findings.extend(words);
    }
}
