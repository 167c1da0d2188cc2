//! Chains of elementwise instructions, between which the public assembler inserts no barrier of V on A2/A3: it assumes that
//! the second instruction reads each element after the first one has written it.

use super::pipes::slot_of;
use super::shadow::Record;
use crate::sim::Program;
use crate::sim::event::Place;
use pto_isa::op::Set;
use pto_isa::pipe::Pipe;
use std::collections::HashSet;

/// The elementwise instructions of a program whose profile chains them.
#[derive(Debug)]
pub(in crate::observe) struct Chains {
    elementwise: HashSet<Place>,
    /// Number of conflicts that were accepted as chains.
    pub(in crate::observe) accepted: u64,
}

impl Chains {
    pub(in crate::observe) fn of(program: &Program) -> Chains {
        let mut elementwise = HashSet::new();
        let functions = program.functions().filter(|_| program.profile().chains_elements);
        for (number, id) in functions.enumerate() {
            for (operation, it) in program.module().functions[id].operations.iter() {
                let set = it.op().map(|op| op.page().set);
                if matches!(set, Some(Set::Elementwise | Set::TileScalar)) {
                    elementwise.insert(Place::of(number, operation));
                }
            }
        }
        Chains { elementwise, accepted: 0 }
    }

    /// Whether a conflict is part of a chain: both instructions run on V of one core, and the second reads exactly the bytes
    /// that the first has written (`reads_it`).
    pub(in crate::observe) fn accept(&mut self, first: &Record, second: &Record, reads_it: bool) -> bool {
        let vector = slot_of(Pipe::Vector) as u8;
        let on_vector = [first, second].iter().all(|record| record.moment.pipe == vector);
        let chain = on_vector
            && reads_it
            && first.moment.core == second.moment.core
            && first.access.changes()
            && first.range == second.range
            && self.elementwise.contains(&first.origin.at);
        self.accepted += u64::from(chain);
        chain
    }
}
