//! Events: the results of instructions, and the flags that implement waits for them.
//!
//! An instruction's event is set on its pipe when the instruction is done. Waiting for it on another pipe is a pair
//! of `set_flag` after the instruction and `wait_flag` before the waiting one; on the same pipe it is a barrier. A
//! pipe that has waited for a later event of the other pipe needs no further wait. Flags are inserted, and event
//! identifiers assigned, when the kernel is finished: only then is it known how long each flag is in flight.
//!
//! Source: `include/pto/common/event.hpp` of the public reference, `docs/isa/programming-model`.

use pto_isa::pipe::{EVENT_IDS, Pipe};
use pto_isa::rules;
use pto_lang::build::Error;
use pto_lang::ir::flow::Flow;
use pto_lang::ir::rewrite::Point;
use pto_lang::ir::{BlockId, Function, OperationId};
use pto_lang::passes::sync::Order;
use std::collections::HashMap;

/// An instruction in flight; [`Kernel::after`](super::Kernel::after) waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub(super) kernel: u32,
    pub(super) operation: OperationId,
    pub(super) pipe: Pipe,
}

impl Event {
    /// The pipe that runs the instruction.
    pub fn pipe(&self) -> Pipe {
        self.pipe
    }
}

/// One wait: `consumer`, on pipe `to`, starts after `producer`, on pipe `from`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    pub(super) producer: OperationId,
    pub(super) from: Pipe,
    pub(super) consumer: OperationId,
    pub(super) to: Pipe,
}

/// The core that has a pipe; `None` for MTE2 and S, which exist on both.
fn core(pipe: Pipe) -> Option<&'static str> {
    match pipe {
        Pipe::Matrix | Pipe::Mte1 | Pipe::Fixpipe => Some("cube"),
        Pipe::Vector | Pipe::Mte3 => Some("vector"),
        Pipe::Scalar | Pipe::Mte2 | Pipe::All => None,
    }
}

/// Whether flags can order two pipes.
///
/// # Errors
/// If they belong to different cores, whose order flags do not keep.
pub(super) fn orderable(from: Pipe, to: Pipe) -> Result<(), Error> {
    match (core(from), core(to)) {
        (Some(a), Some(b)) if a != b => Err(Error::own(
            &rules::kernel::EVENT_CORES,
            format!(
                "pipe {} is the {a} core's and pipe {} the {b} core's: an event orders the pipes of one core",
                from.word(),
                to.word()
            ),
        )),
        _ => Ok(()),
    }
}

/// Position of an operation: for each block around it, from the function's body inwards, the block and the index in
/// it of the operation or of its ancestor.
fn way(flow: &Flow, operation: OperationId) -> Option<Vec<(BlockId, usize)>> {
    let mut way = vec![flow.place(operation)?];
    way.extend(flow.around(operation).filter_map(|around| flow.place(around)));
    way.reverse();
    Some(way)
}

/// One flag in flight, between two operations of one block or operations nested in them.
struct Flight {
    block: BlockId,
    pipes: (Pipe, Pipe),
    /// Index of the operation after which the flag is set; in `end`, the index of the operation before which it is
    /// awaited.
    start: usize,
    end: usize,
}

/// The flags and barriers for a kernel's waits, in the order of insertion.
///
/// # Errors
/// If a wait spans branches, or more flags are in flight between two pipes than there are identifiers.
pub(super) fn plan(function: &Function, waits: &[Wait]) -> Result<Vec<(Point, Order)>, Error> {
    let flow = Flow::of(function);
    let mut barriers: Vec<(Point, Order)> = Vec::new();
    let mut flights: Vec<Flight> = Vec::new();
    for wait in waits {
        let (Some(a), Some(b)) = (way(&flow, wait.producer), way(&flow, wait.consumer)) else { continue };
        let common = a.iter().zip(&b).find(|(a, b)| a != b);
        let (block, start, end) = match common {
            Some(((x, i), (y, k))) if x == y && i < k => (*x, *i, *k),
            _ => {
                let message = "an event of one branch or section is waited for in another";
                return Err(Error::own(&rules::kernel::EVENT_SCOPE, message));
            }
        };
        if wait.from == wait.to {
            let barrier = (Point::Before(function.blocks[block].operations[end]), Order::Barrier(wait.to));
            if !barriers.contains(&barrier) {
                barriers.push(barrier);
            }
            continue;
        }
        flights.push(Flight { block, pipes: (wait.from, wait.to), start, end });
    }
    drop_covered(&mut flights);
    let flags = number(function, flights, &flow)?;
    let (sets, waits): (Vec<_>, Vec<_>) =
        flags.into_iter().partition(|(_, sync)| matches!(sync, Order::Set { .. }));
    // Each set goes right after its producer: sets inserted later stand before the earlier ones.
    Ok(barriers.into_iter().chain(waits).chain(sets.into_iter().rev()).collect())
}

/// Drops flags that a later one covers: it is set after them, and waited for no later.
fn drop_covered(flights: &mut Vec<Flight>) {
    flights.sort_by_key(|flight| (std::cmp::Reverse(flight.start), flight.end));
    let mut earliest: HashMap<(BlockId, Pipe, Pipe), usize> = HashMap::new();
    flights.retain(|flight| {
        let (from, to) = flight.pipes;
        let end = earliest.entry((flight.block, from, to)).or_insert(usize::MAX);
        let needed = flight.end < *end;
        *end = flight.end.min(*end);
        needed
    });
}

/// Identifiers in flight, each with the position of its wait.
type Busy = Vec<(u8, Vec<usize>)>;

/// Gives each flag an identifier that no other flag between the same pipes has while it is in flight.
fn number(function: &Function, mut flights: Vec<Flight>, flow: &Flow) -> Result<Vec<(Point, Order)>, Error> {
    let operation = |flight: &Flight, index: usize| function.blocks[flight.block].operations[index];
    let place = |flight: &Flight, index: usize| -> Vec<usize> {
        let way = way(flow, operation(flight, index)).unwrap_or_default();
        way.into_iter().map(|(_, index)| index).collect()
    };
    // Right after the producer and all operations nested in it.
    let set = |flight: &Flight| -> Vec<usize> {
        let mut place = place(flight, flight.start);
        place.last_mut().into_iter().for_each(|index| *index += 1);
        place
    };
    flights.sort_by_cached_key(set);
    let mut busy: HashMap<(Pipe, Pipe), Busy> = HashMap::new();
    let mut flags = Vec::with_capacity(2 * flights.len());
    for flight in flights {
        let (start, end) = (set(&flight), place(&flight, flight.end));
        let own = busy.entry(flight.pipes).or_default();
        // A flag that is waited for where this one is set may still be up when this one goes up.
        own.retain(|(_, until)| *until >= start);
        let (from, to) = flight.pipes;
        let Some(id) = (0..EVENT_IDS).find(|id| own.iter().all(|(taken, _)| taken != id)) else {
            let message = format!(
                "more than {EVENT_IDS} events are in flight from pipe {} to pipe {}: wait for some earlier",
                from.word(),
                to.word()
            );
            return Err(Error::own(&rules::kernel::EVENT_IDENTIFIERS, message));
        };
        own.push((id, end));
        flags.push((Point::After(operation(&flight, flight.start)), Order::Set { from, to, id }));
        flags.push((Point::Before(operation(&flight, flight.end)), Order::Wait { from, to, id }));
    }
    Ok(flags)
}
