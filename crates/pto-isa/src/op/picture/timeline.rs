//! Timelines: consecutive steps of pipes, cores and slots, and the order between steps.

/// A pipe, a core or a slot of a queue.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// Name of the lane, such as `MTE2`.
    pub name: &'static str,
    /// Steps in order of time, without overlap.
    pub steps: &'static [Step],
}

/// A step of a lane.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Begin and end, in units without a meaning: lengths are not measured.
    pub time: (u8, u8),
    /// Kind of the step.
    pub doing: Doing,
    /// The label, such as `tload`.
    pub label: &'static str,
}

/// A kind of step; each has its own colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Doing {
    /// Runs an instruction that accesses memory.
    Works,
    /// Runs an instruction that synchronizes.
    Synchronizes,
    /// Waits for another lane.
    Waits,
    /// Holds an entry of a queue.
    Holds,
}

impl Doing {
    /// The word in the legend.
    pub fn word(self) -> &'static str {
        match self {
            Doing::Works => "runs an instruction",
            Doing::Synchronizes => "synchronizes",
            Doing::Waits => "waits",
            Doing::Holds => "holds an entry",
        }
    }
}

/// An order of two steps: one happens before the other.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Lane and step that come first, as indices from 0.
    pub from: (u8, u8),
    /// Lane and step that come later, as indices from 0.
    pub to: (u8, u8),
    /// The reason of the order; may be empty.
    pub label: &'static str,
}

/// An order without a label.
pub(crate) const fn edge(from: (u8, u8), to: (u8, u8)) -> Edge {
    Edge { from, to, label: "" }
}

/// An order with a label.
pub(crate) const fn edge_with(from: (u8, u8), to: (u8, u8), label: &'static str) -> Edge {
    Edge { from, to, label }
}

impl Lane {
    /// A lane with its steps.
    pub(crate) const fn of(name: &'static str, steps: &'static [Step]) -> Lane {
        Lane { name, steps }
    }
}

impl Step {
    /// An instruction that accesses memory.
    pub(crate) const fn works(from: u8, to: u8, label: &'static str) -> Step {
        Step { time: (from, to), doing: Doing::Works, label }
    }

    /// An instruction that synchronizes.
    pub(crate) const fn syncs(from: u8, to: u8, label: &'static str) -> Step {
        Step { time: (from, to), doing: Doing::Synchronizes, label }
    }

    /// A wait.
    pub(crate) const fn waits(from: u8, to: u8) -> Step {
        Step { time: (from, to), doing: Doing::Waits, label: "waits" }
    }

    /// An entry in a slot.
    pub(crate) const fn holds(from: u8, to: u8, label: &'static str) -> Step {
        Step { time: (from, to), doing: Doing::Holds, label }
    }
}
