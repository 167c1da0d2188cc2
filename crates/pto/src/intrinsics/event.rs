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
            "event::cores",
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

fn paths(function: &Function) -> HashMap<OperationId, Path> {
    let mut found = HashMap::new();
    let Some(body) = function.body else { return found };
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
            found.insert(*operation, path);
        }
    }
    found
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
    let paths = paths(function);
    let mut insertions = Insertions::new();
    let mut flights: Vec<Flight> = Vec::new();
    for wait in waits {
        let (Some(a), Some(b)) = (paths.get(&wait.producer), paths.get(&wait.consumer)) else { continue };
        let common = a.iter().zip(b).find(|(a, b)| a != b);
        let (block, start, end) = match common {
            Some(((x, i), (y, k))) if x == y && i < k => (*x, *i, *k),
            _ => {
                let message = "an event of one branch or section is waited for in another";
                return Err(Error::own("event::scope", message));
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
        let pipes = (wait.from, wait.to);
        // A later set that is waited for no later orders this pair as well.
        let covered = |flight: &Flight| {
            flight.block == block && flight.pipes == pipes && flight.start > start && flight.end <= end
        };
        if !flights.iter().any(covered) {
            flights.push(Flight { block, pipes, start: start + 1, end });
        }
    }
    number(flights, &paths_of_blocks(&paths), &mut insertions)?;
    insertions.values_mut().for_each(|list| list.sort_by_key(|(index, sync)| (*index, order(sync))));
    Ok(insertions)
}

/// Waits stand right before the operation that waits, sets right behind the one that is waited for: first.
fn order(sync: &Sync) -> u8 {
    match sync {
        Sync::Set { .. } => 0,
        Sync::Barrier(_) => 1,
        Sync::Wait { .. } => 2,
    }
}

/// For each block, the way to it.
fn paths_of_blocks(paths: &HashMap<OperationId, Path>) -> HashMap<BlockId, Path> {
    let mut blocks = HashMap::new();
    for path in paths.values() {
        if let Some(((block, _), around)) = path.split_last() {
            blocks.entry(*block).or_insert_with(|| around.to_vec());
        }
    }
    blocks
}

/// Gives each flag an identifier that no other flag between the same pipes has while it is in flight.
fn number(
    mut flights: Vec<Flight>,
    blocks: &HashMap<BlockId, Path>,
    insertions: &mut Insertions,
) -> Result<(), Error> {
    let place = |flight: &Flight, index: usize| {
        let mut path: Vec<usize> =
            blocks.get(&flight.block).into_iter().flatten().map(|(_, index)| *index).collect();
        path.push(index);
        path
    };
    flights.sort_by_key(|flight| place(flight, flight.start));
    let mut busy: HashMap<(Pipe, Pipe), Vec<(u8, Vec<usize>)>> = HashMap::new();
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
            return Err(Error::own("event::identifiers", message));
        };
        own.push((id, end));
        let list = insertions.entry(flight.block).or_default();
        list.push((flight.start, Sync::Set { from, to, id }));
        list.push((flight.end, Sync::Wait { from, to, id }));
    }
    Ok(())
}
