//! Origins: the storage to which the results of an operation refer, as data on its page.
//!
//! Tiles, views and pointers are references: several values may refer to one allocation. Each operation with a result
//! or a block argument of such a type has one of three origins on its page: it *makes* storage, *names* bytes of its
//! operands, or *passes on* its operands unchanged. An operation without an origin has no such result: the checker
//! rejects it (`structure::operand-type`). So an analysis that follows the origins of all operations misses no alias.

use super::form::Syntax;

/// The storage to which results of an operation refer if they are tiles, views or pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// New storage, or storage that no earlier value of the program refers to.
    Makes,
    /// Bytes of the operands in these roles: all of them or a part, perhaps as another type. Without roles: a slot of a queue.
    /// A destination in `outs(...)` refers to these bytes afterwards too.
    Names(&'static [&'static str]),
    /// The operands or the values of the regions, unchanged.
    PassesOn(Passing),
}

/// The values that an operation passes on, and the results and block arguments that they become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Within the operation.
    Within(&'static [Link]),
    /// The values that a branch passes to a block become the arguments of the block.
    Successors,
    /// The operands become the arguments of the called function, and its returned values become the results.
    Call,
}

/// Values that become others, one to one in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The values that are passed on.
    pub from: Source,
    /// The values that they become.
    pub to: Sink,
}

/// The values that an operation passes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The operands in a role.
    Role(&'static str),
    /// The operands in `outs(...)`.
    Outs,
    /// The values with which the region of this number ends.
    End(usize),
    /// The values with which any of its regions ends.
    AnyEnd,
}

/// The values that passed ones become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sink {
    /// The results.
    Results,
    /// The arguments of the region of this number.
    Entry(usize),
    /// The arguments of the region of this number, after its counter.
    EntryAfterCounter(usize),
}

const fn link(from: Source, to: Sink) -> Link {
    Link { from, to }
}

impl Origin {
    /// Origin of an instruction with destinations: its results are the tiles that it writes.
    pub(crate) const WRITTEN: Origin =
        Origin::PassesOn(Passing::Within(&[link(Source::Outs, Sink::Results)]));

    /// Origin of an operation with this syntax, unless its page gives another one.
    pub(crate) const fn of_syntax(syntax: &Syntax) -> Option<Origin> {
        match syntax {
            Syntax::Destination(_) => Some(Origin::WRITTEN),
            Syntax::Own(..) | Syntax::Code(..) => None,
        }
    }

    /// Origin of a choice between two operands.
    pub(crate) const CHOSEN: Origin = Origin::PassesOn(Passing::Within(&[
        link(Source::Role("then"), Sink::Results),
        link(Source::Role("else"), Sink::Results),
    ]));

    /// Origin of an operation that runs one of its regions.
    pub(crate) const YIELDED: Origin =
        Origin::PassesOn(Passing::Within(&[link(Source::AnyEnd, Sink::Results)]));

    /// Origin of a counted loop: a loop that runs no round passes on its initial values.
    pub(crate) const COUNTED: Origin = Origin::PassesOn(Passing::Within(&[
        link(Source::Role("init"), Sink::EntryAfterCounter(0)),
        link(Source::Role("init"), Sink::Results),
        link(Source::End(0), Sink::EntryAfterCounter(0)),
        link(Source::End(0), Sink::Results),
    ]));

    /// Origin of a loop with a condition, whose first region ends with the condition.
    pub(crate) const REPEATED: Origin = Origin::PassesOn(Passing::Within(&[
        link(Source::Role("init"), Sink::Entry(0)),
        link(Source::End(0), Sink::Entry(1)),
        link(Source::End(0), Sink::Results),
        link(Source::End(1), Sink::Entry(0)),
    ]));

    /// Whether the results follow from the operands alone: a copy of the operation refers to the storage of the copied operands.
    pub fn is_of_operands(self) -> bool {
        let from_operand = |link: &Link| matches!(link.from, Source::Role(_)) && link.to == Sink::Results;
        match self {
            Origin::Names(roles) => !roles.is_empty(),
            Origin::PassesOn(Passing::Within(links)) => links.iter().all(from_operand),
            Origin::Makes | Origin::PassesOn(_) => false,
        }
    }
}
