//! Observers: consumers of the events of a launch. They belong to the caller, which reads the result of each
//! afterwards.

use super::Program;
use super::event::Event;
use super::machine::Printed;

/// Parts of a launch that an observer needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Events at all. Blocks of a launch without observers run in parallel.
    pub events: bool,
    /// The accesses of instructions.
    pub accesses: bool,
    /// The begins and ends of instructions; otherwise the observer sees only their issue, and the end of instructions
    /// that use signals.
    pub ends: bool,
}

impl Needs {
    /// The needs of an observer that takes no part in the launch.
    pub const NONE: Needs = Needs { events: false, accesses: false, ends: false };

    /// The events with the accesses of instructions.
    pub const ACCESSES: Needs = Needs { events: true, accesses: true, ..Needs::NONE };

    /// The events with the begins and ends of instructions.
    pub const ENDS: Needs = Needs { events: true, ends: true, ..Needs::NONE };

    /// The needs of two observers together.
    #[must_use]
    pub fn or(self, other: Needs) -> Needs {
        Needs {
            events: self.events || other.events,
            accesses: self.accesses || other.accesses,
            ends: self.ends || other.ends,
        }
    }
}

/// A consumer of the events of a launch: those of [`observe`](crate::observe) and of the timeline.
pub trait Observer: observing::Observe + Send {}

impl<T: observing::Observe + Send> Observer for T {}

/// The methods of an observer. Only the observers of this library implement them, since events are not a stable
/// interface.
pub(crate) mod observing {
    use super::{Event, Needs, Printed, Program};

    /// See [`Observer`](super::Observer).
    pub trait Observe {
        /// The parts of the launch that the observer needs; called before the launch begins.
        fn needs(&self) -> Needs;

        /// Handles an event. Text goes to `printed`, in the order of the run.
        fn see(&mut self, program: &Program, event: &Event<'_>, printed: &mut Vec<Printed>);

        /// Ends the observation: the launch has ended, or was stopped. `names` are those of its buffers, for messages.
        fn finish(&mut self, _program: &Program, _names: &[String]) {}
    }
}

/// The observer of unobserved launches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl observing::Observe for Unobserved {
    fn needs(&self) -> Needs {
        Needs::NONE
    }

    fn see(&mut self, _: &Program, _: &Event<'_>, _: &mut Vec<Printed>) {}
}

/// The observers of a launch that need its events.
#[derive(Default)]
pub(super) struct Observers<'o> {
    /// The single observer of a live launch, which builds this list at each call and avoids the cost of a vector.
    only: Option<&'o mut dyn Observer>,
    list: Vec<&'o mut dyn Observer>,
    needs: Needs,
}

impl<'o> Observers<'o> {
    pub(super) fn new(all: &'o mut [&mut dyn Observer]) -> Observers<'o> {
        let list: Vec<&'o mut dyn Observer> = all
            .iter_mut()
            .map(|observer| &mut **observer as &mut dyn Observer)
            .filter(|observer| observer.needs().events)
            .collect();
        let needs = list.iter().map(|observer| observer.needs()).fold(Needs::NONE, Needs::or);
        Observers { only: None, list, needs }
    }

    /// A single observer, if it needs events.
    pub(super) fn only(observer: &'o mut dyn Observer) -> Observers<'o> {
        let needs = observer.needs();
        Observers { only: needs.events.then_some(observer), list: Vec::new(), needs }
    }

    /// Whether there is no observer.
    pub(super) fn is_empty(&self) -> bool {
        self.only.is_none() && self.list.is_empty()
    }

    /// The needs of all together.
    pub(super) fn needs(&self) -> Needs {
        self.needs
    }

    /// Sends an event to all observers.
    pub(super) fn see(&mut self, program: &Program, event: &Event<'_>, printed: &mut Vec<Printed>) {
        for observer in self.only.iter_mut().chain(&mut self.list) {
            observer.see(program, event, printed);
        }
    }

    /// Ends the observation.
    pub(super) fn finish(self, program: &Program, names: &[String]) {
        self.only.into_iter().chain(self.list).for_each(|observer| observer.finish(program, names));
    }
}
