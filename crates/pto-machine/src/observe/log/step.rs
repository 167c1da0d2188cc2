//! Entries as the alignment compares them: hashes of their operations and contents, and the effects that order them.

use super::entry::{Action, Area, Entry, Position, Shape, Use};
use pto_isa::pipe::Pipe;
use std::hash::{DefaultHasher, Hash, Hasher};

/// An entry of a log: its number, and the position of its operation in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// The number.
    pub sequence: u64,
    /// The position.
    pub position: Position,
}

/// An entry of a log, reduced to the data of an alignment: hashes of its identity, and its effects.
///
/// Equal hashes of 64 bits count as equal identities.
#[derive(Clone, Debug)]
pub struct Step {
    /// The entry.
    pub mark: Mark,
    /// Hash of the operation, its synchronization and the addresses of its operands.
    place: u64,
    /// Hash of the operation, its synchronization and the names of its operands.
    named: u64,
    /// Hash of the names of the destinations; `None` if there are none.
    target: Option<u64>,
    /// Hash of the written contents.
    values: u64,
    order: Order,
    accesses: Box<[Access]>,
}

/// Orders of an entry within its core.
#[derive(Clone, Copy, Debug)]
struct Order {
    /// The pipe, or all pipes, as a set of bits.
    pipes: u16,
    kind: Kind,
    /// Hash of the flag that it sets or waits for.
    flag: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Instruction,
    Set,
    Wait,
    Other,
}

/// An access to memory.
#[derive(Clone, Copy, Debug)]
struct Access {
    space: u64,
    start: u64,
    end: u64,
    shape: Shape,
    changes: bool,
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Whether an operand is a signal, which orders instructions.
fn is_signal(usage: Use) -> bool {
    matches!(usage, Use::Notifies | Use::Awaits)
}

/// The bit of a pipe.
fn bits(pipe: Pipe) -> u16 {
    if pipe == Pipe::All { u16::MAX } else { 1 << (pipe as u16) }
}

impl Order {
    fn of(entry: &Entry<'_>) -> Order {
        let other = |pipe| Order { pipes: bits(pipe), kind: Kind::Other, flag: None };
        match entry.action {
            Action::Run if entry.operands.iter().any(|operand| is_signal(operand.usage)) => other(Pipe::All),
            Action::Run => Order { pipes: bits(entry.pipe), kind: Kind::Instruction, flag: None },
            Action::Set { from, to, event } => {
                let flag = Some(hash_of((from.word(), to.word(), event)));
                Order { pipes: bits(from), kind: Kind::Set, flag }
            }
            Action::Wait { from, to, event } => {
                let flag = Some(hash_of((from.word(), to.word(), event)));
                Order { pipes: bits(to), kind: Kind::Wait, flag }
            }
            Action::Barrier(pipe) | Action::Acquire { pipe, .. } | Action::Release { pipe, .. } => {
                other(pipe)
            }
            // Between cores, everything counts as ordered.
            _ => other(Pipe::All),
        }
    }

    /// Whether two entries may run in either order.
    fn commutes(&self, other: &Order) -> bool {
        match (self.kind, other.kind) {
            (Kind::Instruction, Kind::Instruction) => true,
            (Kind::Set, Kind::Set) | (Kind::Wait, Kind::Wait) => self.flag != other.flag,
            (Kind::Set, Kind::Wait) | (Kind::Wait, Kind::Set) if self.flag == other.flag => false,
            _ => self.pipes & other.pipes == 0,
        }
    }
}

impl Access {
    fn of(area: &Area<'_>, usage: Use) -> Access {
        let Area { space, start, end, shape } = *area;
        Access { space: hash_of(space), start, end, shape, changes: usage.changes() }
    }

    /// Whether the accesses may share bytes and one of them changes some.
    fn conflicts(&self, other: &Access) -> bool {
        (self.changes || other.changes)
            && self.space == other.space
            && self.start < other.end
            && other.start < self.end
            && !self.interleaves(other)
    }

    /// Whether both accesses have runs of the same stride, and the runs of one lie between those of the other.
    fn interleaves(&self, other: &Access) -> bool {
        let (Shape::Runs { run: a, stride }, Shape::Runs { run: b, stride: same }) =
            (self.shape, other.shape)
        else {
            return false;
        };
        let (low, high, first, second) =
            if self.start <= other.start { (self, other, a, b) } else { (other, self, b, a) };
        let within = (high.start - low.start) % stride;
        stride == same && within >= first && within + second <= stride
    }
}

impl Step {
    /// The step of an entry.
    pub fn of(entry: &Entry<'_>) -> Step {
        let (mut place, mut named) = (DefaultHasher::new(), DefaultHasher::new());
        let (mut target, mut values) = (DefaultHasher::new(), DefaultHasher::new());
        let mut writes = false;
        for hasher in [&mut place, &mut named] {
            (entry.name, entry.pipe, entry.action).hash(hasher);
        }
        for operand in &entry.operands {
            let kind = std::mem::discriminant(&operand.usage);
            (kind, operand.area).hash(&mut place);
            (kind, operand.name).hash(&mut named);
            if let Use::Writes { bytes, hash } = operand.usage {
                writes = true;
                operand.name.hash(&mut target);
                (bytes, hash).hash(&mut values);
            }
        }
        Step {
            mark: Mark { sequence: entry.sequence, position: entry.position },
            place: place.finish(),
            named: named.finish(),
            target: writes.then(|| target.finish()),
            values: values.finish(),
            order: Order::of(entry),
            accesses: entry.operands.iter().map(|operand| Access::of(&operand.area, operand.usage)).collect(),
        }
    }

    /// Whether both are the same operation on the same addresses.
    pub(super) fn is_same(&self, other: &Step) -> bool {
        self.place == other.place
    }

    /// Whether both have written the same contents.
    pub(super) fn wrote_same(&self, other: &Step) -> bool {
        self.values == other.values
    }

    /// Similarity of two steps: pairs of greater similarity are preferred. 0 if the two are never aligned.
    pub(super) fn likeness(&self, other: &Step) -> u32 {
        let alike = match () {
            () if self.place == other.place => 8,
            () if self.named == other.named => 4,
            () if self.is_replaced_by(other) => 2,
            () => return 0,
        };
        alike + u32::from(self.values == other.values)
    }

    /// Whether both entries write the same tiles, but differ in operation or operands.
    pub(super) fn is_replaced_by(&self, other: &Step) -> bool {
        self.place != other.place
            && self.named != other.named
            && self.target.is_some()
            && self.target == other.target
    }

    /// Whether two steps of one core may run in either order: they share no bytes that one of them changes, and neither
    /// orders the other's pipe.
    pub fn commutes(&self, other: &Step) -> bool {
        self.order.commutes(&other.order)
            && !self.accesses.iter().any(|a| other.accesses.iter().any(|b| a.conflicts(b)))
    }
}
