//! Events: what an instruction returns, and how waiting for it becomes flags.
//!
//! An instruction's event is set on its pipe when the instruction is done. Waiting for it on another pipe is a pair of
//! `set_flag` behind the instruction and `wait_flag` before the one that waits; on the same pipe it is a barrier, and
//! a pipe that already waited for that pipe since need not wait again. Flags are put in, and event identifiers given
//! out, when the kernel is finished: only then is known how long each is in flight.
//!
//! Source: `include/pto/common/event.hpp` of the public reference, `docs/isa/programming-model`.

use super::error::Error;
use crate::ir::{BlockId, Function, OperationId};
use crate::isa::pipe::{EVENT_IDS, Pipe};
use crate::isa::rules;
use std::collections::HashMap;

/// An instruction that is under way; [`Kernel::after`](super::Kernel::after) waits for it.
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

/// What is put into a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sync {
    Set { from: Pipe, to: Pipe, id: u8 },
    Wait { from: Pipe, to: Pipe, id: u8 },
    Barrier(Pipe),
}

/// Operations to put into blocks: before the operation at an index.
pub(super) type Insertions = HashMap<BlockId, Vec<(usize, Sync)>>;

/// Which core runs a pipe: MTE2 and S exist on both.
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

/// Where an operation stands: for each block around it, from the function's body inwards, the block and the index of
/// the operation in it that holds this one, or is it.
type Path = Vec<(BlockId, usize)>;

/// The ways to a function's operations, and to its blocks.
#[derive(Default)]
struct Ways {
    operations: HashMap<OperationId, Path>,
    blocks: HashMap<BlockId, Path>,
}

impl Ways {
    fn of(function: &Function) -> Ways {
        let mut ways = Ways::default();
        let Some(body) = function.body else { return ways };
        let mut open: Vec<(BlockId, Path)> =
            function.regions[body].blocks.iter().map(|block| (*block, Path::new())).collect();
        while let Some((block, around)) = open.pop() {
            for (index, operation) in function.blocks[block].operations.iter().enumerate() {
                let mut path = around.clone();
                path.push((block, index));
                for region in &function.operations[*operation].regions {
                    let inner = function.regions[*region].blocks.iter();
                    open.extend(inner.map(|block| (*block, path.clone())));
                }
                ways.operations.insert(*operation, path);
            }
            ways.blocks.insert(block, around);
        }
        ways
    }

    /// Where in the order of the whole function an index of a block stands.
    fn place(&self, block: BlockId, index: usize) -> Vec<usize> {
        let around = self.blocks.get(&block).into_iter().flatten();
        around.map(|(_, index)| *index).chain([index]).collect()
    }
}

/// One flag in flight, between two places of one block.
struct Flight {
    block: BlockId,
    pipes: (Pipe, Pipe),
    /// The flag is set before the operation at this index, and waited for before the one at `end`.
    start: usize,
    end: usize,
}

/// The flags and barriers for a kernel's waits.
///
/// # Errors
/// If a wait spans branches, or more flags are in flight between two pipes than there are identifiers.
pub(super) fn plan(function: &Function, waits: &[Wait]) -> Result<Insertions, Error> {
    let ways = Ways::of(function);
    let mut insertions = Insertions::new();
    let mut flights: Vec<Flight> = Vec::new();
    for wait in waits {
        let way = |operation| ways.operations.get(&operation);
        let (Some(a), Some(b)) = (way(wait.producer), way(wait.consumer)) else { continue };
        let common = a.iter().zip(b).find(|(a, b)| a != b);
        let (block, start, end) = match common {
            Some(((x, i), (y, k))) if x == y && i < k => (*x, *i, *k),
            _ => {
                let message = "an event of one branch or section is waited for in another";
                return Err(Error::own(&rules::kernel::EVENT_SCOPE, message));
            }
        };
        if wait.from == wait.to {
            let barrier = (end, Sync::Barrier(wait.to));
            let own = insertions.entry(block).or_default();
            if !own.contains(&barrier) {
                own.push(barrier);
            }
            continue;
        }
        flights.push(Flight { block, pipes: (wait.from, wait.to), start: start + 1, end });
    }
    drop_covered(&mut flights);
    number(flights, &ways, &mut insertions)?;
    insertions.values_mut().for_each(|list| list.sort_by_key(|(index, sync)| (*index, order(sync))));
    Ok(insertions)
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

/// Waits stand right before the operation that waits, sets right behind the one that is waited for: first.
fn order(sync: &Sync) -> u8 {
    match sync {
        Sync::Set { .. } => 0,
        Sync::Barrier(_) => 1,
        Sync::Wait { .. } => 2,
    }
}

/// Identifiers in flight, and where each is waited for.
type Busy = Vec<(u8, Vec<usize>)>;

/// Gives each flag an identifier that no other flag between the same pipes has while it is in flight.
fn number(mut flights: Vec<Flight>, ways: &Ways, insertions: &mut Insertions) -> Result<(), Error> {
    let place = |flight: &Flight, index: usize| ways.place(flight.block, index);
    flights.sort_by_key(|flight| place(flight, flight.start));
    let mut busy: HashMap<(Pipe, Pipe), Busy> = HashMap::new();
    for flight in flights {
        let (start, end) = (place(&flight, flight.start), place(&flight, flight.end));
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
        let list = insertions.entry(flight.block).or_default();
        list.push((flight.start, Sync::Set { from, to, id }));
        list.push((flight.end, Sync::Wait { from, to, id }));
    }
    Ok(())
}
