//! Reasons of insertions: the accesses that they order.

use super::tree::NodeId;

/// An access of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct AccessOf {
    pub(super) node: NodeId,
    /// Index among the accesses of the node.
    pub(super) touch: usize,
}

impl AccessOf {
    /// The first access of a node.
    pub(super) fn of_node(node: NodeId) -> AccessOf {
        AccessOf { node, touch: 0 }
    }
}

/// The two accesses that an inserted operation orders.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reason {
    pub(super) first: Option<AccessOf>,
    pub(super) second: Option<AccessOf>,
    /// Whether the second is in a later round of a loop.
    pub(super) carried: bool,
}
