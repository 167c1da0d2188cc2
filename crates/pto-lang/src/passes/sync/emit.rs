//! Puts chosen flags and barriers into a function.

use super::plan::{Beside, InsertedId, Operation as Chosen, Plan};
use super::reason::AccessOf;
use super::tree::Kind;
use super::{Insertion, Reasoned};
use crate::ir::rewrite::Point;
use crate::ir::{Attribute, EnumSpelling, FunctionId, Module, NamedAttribute, Operation, OperationId};
use pto_isa::pipe::Pipe;
use pto_isa::registry::Op;

/// An operation that orders pipes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Pipe `from` sets a flag for pipe `to`.
    Set {
        /// The pipe that sets it.
        from: Pipe,
        /// The pipe that waits.
        to: Pipe,
        /// The number of its event.
        id: u8,
    },
    /// Pipe `to` waits for it.
    Wait {
        /// The pipe that sets it.
        from: Pipe,
        /// The pipe that waits.
        to: Pipe,
        /// The number of its event.
        id: u8,
    },
    /// A barrier of a pipe, or of all.
    Barrier(Pipe),
    /// A pipe takes a buffer token, or gives it back.
    Token {
        /// Whether the pipe takes the token.
        acquires: bool,
        /// The pipe.
        pipe: Pipe,
        /// The number of the token.
        id: u8,
    },
}

/// The operation of the IR.
pub fn operation(order: Order) -> Operation {
    let word = |key: &str, value: String| {
        let spelling = EnumSpelling::Elided;
        NamedAttribute::new(key, Attribute::Enum { name: String::new(), value, spelling })
    };
    let pipe = |pipe: Pipe| format!("PIPE_{}", pipe.word());
    let flag = |from, to, id| {
        vec![word("src", pipe(from)), word("dst", pipe(to)), word("event", format!("EVENT_ID{id}"))]
    };
    match order {
        Order::Set { from, to, id } => Operation::new(Op::SET_FLAG, flag(from, to, id)),
        Order::Wait { from, to, id } => Operation::new(Op::WAIT_FLAG, flag(from, to, id)),
        Order::Barrier(at) => Operation::new(Op::BARRIER, vec![word("pipe", pipe(at))]),
        Order::Token { acquires, pipe: by, id } => {
            let number = NamedAttribute::new("id", Attribute::Integer(i128::from(id), None));
            Operation::new(
                if acquires { Op::GET_BUF } else { Op::RLS_BUF },
                vec![word("event", pipe(by)), number],
            )
        }
    }
}

/// Operations to insert before or after others.
#[derive(Default)]
pub(super) struct Edits {
    before: Vec<(OperationId, Vec<Order>)>,
    after: Vec<(OperationId, Vec<Order>)>,
}

/// Insertions of a plan, by operation of the function.
pub(super) fn edits(plan: &Plan<'_>) -> Edits {
    let mut edits = Edits::default();
    for (node, of_node) in plan.tree.nodes.iter().enumerate() {
        let list = |list: Option<&Vec<Beside>>| -> Vec<Order> {
            list.into_iter().flatten().filter_map(|beside| order_of(plan, *beside)).collect()
        };
        let carried: Vec<InsertedId> = plan.carried.get(&node).cloned().unwrap_or_default();
        let around = |beside: fn(InsertedId) -> Beside| {
            carried.iter().filter_map(move |id| order_of(plan, beside(*id)))
        };
        let mut before = list(plan.before.get(&node));
        before.extend(around(Beside::Set));
        let mut after: Vec<Order> = around(Beside::Wait).collect();
        after.extend(list(plan.after.get(&node)));
        edits.before.push((of_node.operation, before));
        edits.after.push((of_node.operation, after));
    }
    edits
}

fn order_of(plan: &Plan<'_>, beside: Beside) -> Option<Order> {
    let (Beside::Set(id)
    | Beside::Wait(id)
    | Beside::Barrier(id)
    | Beside::Acquire(id, _)
    | Beside::Release(id, _)) = beside;
    let inserted = &plan.inserted[id];
    if !inserted.on {
        return None;
    }
    Some(match (inserted.what, beside) {
        (Chosen::Flag { from, to, .. }, Beside::Set(_)) => Order::Set { from, to, id: inserted.id },
        (Chosen::Flag { from, to, .. }, _) => Order::Wait { from, to, id: inserted.id },
        (Chosen::Barrier(pipe), _) => Order::Barrier(pipe),
        (Chosen::Token { .. }, Beside::Acquire(_, pipe)) => {
            Order::Token { acquires: true, pipe, id: inserted.id }
        }
        (Chosen::Token { .. }, Beside::Release(_, pipe)) => {
            Order::Token { acquires: false, pipe, id: inserted.id }
        }
        (Chosen::Token { .. }, _) => return None,
    })
}

/// Inserts the operations.
pub(super) fn apply(module: &mut Module, id: FunctionId, edits: Edits) {
    module.rewrite(id, |rewriter| {
        let present = "the operations of the tree are in the function";
        for (at, list) in edits.before {
            for order in list {
                rewriter.insert(Point::Before(at), operation(order), &[]).expect(present);
            }
        }
        for (at, list) in edits.after {
            for order in list.into_iter().rev() {
                rewriter.insert(Point::After(at), operation(order), &[]).expect(present);
            }
        }
    });
}

/// Insertions of a plan, with reasons.
pub(super) fn insertions(plan: &Plan<'_>, module: &Module, id: FunctionId) -> Vec<Insertion> {
    let inserted = plan.inserted.iter().filter(|inserted| inserted.on);
    inserted
        .map(|inserted| {
            let (flag, pipe) = match inserted.what {
                Chosen::Flag { from, to, .. } => (Some((from, to, inserted.id)), to),
                Chosen::Barrier(pipe) => (None, pipe),
                Chosen::Token { from, to } => (Some((from, to, inserted.id)), to),
            };
            let is_token = matches!(inserted.what, Chosen::Token { .. });
            let reason = inserted.reason;
            let accesses = [reason.first, reason.second].map(|access| reasoned(plan, module, id, access?));
            Insertion { function: id, flag, is_token, pipe, accesses, carried: reason.carried }
        })
        .collect()
}

fn reasoned(plan: &Plan<'_>, module: &Module, id: FunctionId, access: AccessOf) -> Option<Reasoned> {
    let function = &module.functions[id];
    let of_node: &super::tree::Node = &plan.tree.nodes[access.node];
    let operation = &function.operations[of_node.operation];
    let (value, writes) = match &of_node.kind {
        Kind::Step(step) => {
            let touch = step.touches.get(access.touch)?;
            (function.values[touch.value].name.clone(), touch.writes)
        }
        _ => (String::new(), true),
    };
    Some(Reasoned { span: operation.span, operation: operation.short_name().to_owned(), value, writes })
}
