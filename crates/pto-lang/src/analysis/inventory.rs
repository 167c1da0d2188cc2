//! Inventory of a kernel: tiles, instructions by pipe, synchronization.

use super::Facts;
use crate::ir::{Event, FunctionId, Module, Operation, Order, Type};
use pto_isa::diag::Span;
use pto_isa::meaning::{LaunchFact, Meaning};
use pto_isa::memory::Buffer;
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;

/// Synchronization of the pipes of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Synchronization {
    /// By flags, barriers, events or tokens of the program.
    Explicit,
    /// By nothing: tiles have addresses, and flags are missing or inserted later.
    Missing,
    /// By the assembler that places the tiles: the program has neither addresses nor flags.
    Automatic,
}

impl Synchronization {
    /// The synchronization of the functions of a kernel.
    pub fn of(module: &Module, functions: impl IntoIterator<Item = FunctionId>) -> Synchronization {
        let (mut addresses, mut orders) = (false, false);
        for id in functions {
            for (_, operation) in module.functions[id].operations.iter() {
                addresses |= operation.operand("addr").is_some();
                orders |= operation.meaning().orders_pipes();
            }
        }
        match (orders, addresses) {
            (true, _) => Synchronization::Explicit,
            (false, true) => Synchronization::Missing,
            (false, false) => Synchronization::Automatic,
        }
    }
}

/// A tile that a kernel allocates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The function that allocates the tile.
    pub function: FunctionId,
    /// Name without `%`.
    pub name: String,
    /// Type in short form: `vec 16x128xf32`.
    pub ty: String,
    /// The buffer that holds the tile.
    pub buffer: Buffer,
    /// Size of one slot in bytes.
    pub bytes: usize,
    /// Number of slots; 1 unless several tiles are allocated as one value.
    pub slots: u32,
    /// Byte address in the buffer, if it is a constant.
    pub address: Option<u64>,
    /// Span of the allocation.
    pub span: Span,
}

/// The flags from one pipe to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagPair {
    /// The pipe that sets the flags.
    pub from: Pipe,
    /// The pipe that waits for the flags.
    pub to: Pipe,
    /// The events that the program names, in order; an event that the program computes is `computed`.
    pub events: Vec<String>,
    /// Operations that set one.
    pub sets: usize,
    /// Operations that wait for one.
    pub waits: usize,
}

/// The parts of a kernel.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Inventory {
    /// Tiles, in program order.
    pub tiles: Vec<Tile>,
    /// Number of instructions of each pipe, by name of the pipe.
    pub pipes: Vec<(Pipe, usize)>,
    /// Flags between pipes of a core.
    pub flags: Vec<FlagPair>,
    /// Barriers of each pipe, or of all.
    pub barriers: Vec<(Pipe, usize)>,
    /// Operations on buffer tokens.
    pub tokens: usize,
    /// Flags between cores, and barriers of all cores.
    pub core_flags: usize,
    /// Operations on queues between cores.
    pub queues: usize,
    /// Whether the program reads the index or the number of blocks.
    pub reads_blocks: bool,
    /// Synchronization of the pipes of each core.
    pub synchronization: Synchronization,
}

impl Inventory {
    /// The parts of the kernel with these functions.
    pub fn of(module: &Module, functions: &[FunctionId], profile: Profile) -> Inventory {
        let mut inventory = Inventory {
            tiles: Vec::new(),
            pipes: Vec::new(),
            flags: Vec::new(),
            barriers: Vec::new(),
            tokens: 0,
            core_flags: 0,
            queues: 0,
            reads_blocks: false,
            synchronization: Synchronization::of(module, functions.iter().copied()),
        };
        for &id in functions {
            let function = &module.functions[id];
            let facts = Facts::of(function, &module.types);
            for (_, operation) in function.operations.iter() {
                inventory.operation(operation);
                inventory.tiles.extend(tile(module, id, &facts, operation));
                let site = facts.site(function, &module.types, operation, profile);
                if let (Some(site), Meaning::Compute) = (site, operation.meaning()) {
                    count(&mut inventory.pipes, site.instruction.pipe(&site));
                }
            }
        }
        inventory.pipes.sort_unstable_by_key(|(pipe, _)| pipe.word());
        inventory
    }

    fn operation(&mut self, operation: &Operation) {
        match operation.order() {
            Some(Order::Flag { sets, from, to, event }) => {
                let at = self.flags.iter().position(|pair| pair.from == from && pair.to == to);
                let at = at.unwrap_or_else(|| {
                    self.flags.push(FlagPair { from, to, events: Vec::new(), sets: 0, waits: 0 });
                    self.flags.len() - 1
                });
                let pair = &mut self.flags[at];
                *(if sets { &mut pair.sets } else { &mut pair.waits }) += 1;
                let event = match event {
                    Event::Fixed(number) => format!("EVENT_ID{number}"),
                    Event::Computed(_) => "computed".to_owned(),
                };
                if !pair.events.contains(&event) {
                    pair.events.push(event);
                }
            }
            Some(Order::Barrier(pipe)) => count(&mut self.barriers, pipe),
            Some(Order::Token { .. }) => self.tokens += 1,
            None => self.others(operation.meaning()),
        }
    }

    /// Counts an operation that orders no pipes of its core.
    fn others(&mut self, meaning: Meaning) {
        match meaning {
            Meaning::CoreFlag { .. } | Meaning::Meet => self.core_flags += 1,
            Meaning::Launch(LaunchFact::BlockIndex | LaunchFact::BlockCount) => self.reads_blocks = true,
            meaning if meaning.is_of_queues() => self.queues += 1,
            _ => {}
        }
    }
}

fn count<T: PartialEq>(counts: &mut Vec<(T, usize)>, key: T) {
    match counts.iter_mut().find(|(known, _)| *known == key) {
        Some((_, number)) => *number += 1,
        None => counts.push((key, 1)),
    }
}

/// The tile that an operation allocates.
fn tile(module: &Module, function: FunctionId, facts: &Facts, operation: &Operation) -> Option<Tile> {
    if operation.meaning() != Meaning::AllocTile {
        return None;
    }
    let result = operation.result()?;
    let value = &module.functions[function].values[result];
    let (tile, slots) = match &module.types[value.ty] {
        Type::Tile(tile) => (tile, 1),
        Type::MultiTile { tile, count } => (tile, *count),
        _ => return None,
    };
    Some(Tile {
        function,
        name: value.name.clone(),
        ty: tile.brief(),
        buffer: tile.buffer(),
        bytes: tile.bytes(),
        slots,
        address: facts.address(result),
        span: operation.span,
    })
}
