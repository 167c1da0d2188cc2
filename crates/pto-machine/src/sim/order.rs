//! The order of instructions within a core that a launch assumes.

use super::Program;
use pto_lang::analysis::Synchronization;

/// The order of instructions within a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The order of the program's flags and barriers.
    Flags,
    /// Program order: the program has no addresses, or synchronization is declared to be inserted later.
    Program,
    /// None: the program has addresses but no synchronization.
    Nothing,
}

impl Order {
    /// The order within the cores of a program; `inserted` if its synchronization is declared to be inserted later.
    pub(crate) fn of(program: &Program, inserted: bool) -> Order {
        match Synchronization::of(program.module(), program.functions()) {
            _ if inserted => Order::Program,
            Synchronization::Explicit => Order::Flags,
            Synchronization::Missing => Order::Nothing,
            Synchronization::Automatic => Order::Program,
        }
    }
}
