//! Prints tiles, or keeps their contents, after each run of an operation.

use crate::observe::words::operation_at;
use crate::sim::event::{Event, What, Work};
use crate::sim::operands::Space;
use crate::sim::{Needs, Observe, Printed, Program};
use pto_isa::exec::state::{Live, Slot, Tile, describe};
use pto_isa::matrix::Size;
use pto_isa::op::site::Fact;
use pto_num::{Element, get_element};
use std::collections::VecDeque;

/// Most snapshots that a launch keeps.
pub const MOST_SNAPSHOTS: usize = 1 << 14;

/// A tile to print, or to keep, after each run of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// The tile's name without `%`.
    pub tile: String,
    /// The operation: any that starts between these bytes of the source.
    pub from: u32,
    /// End of that range.
    pub to: u32,
}

/// Contents of a tile after a run of an operation.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The number of its request.
    pub request: usize,
    /// The rank that ran the operation.
    pub rank: u32,
    /// The block that ran the operation.
    pub block: u32,
    /// The tile's type, as text.
    pub ty: String,
    /// The number format of its elements.
    pub element: Element,
    /// Rows and columns of its valid region, in elements.
    pub shape: [usize; 2],
    /// The elements, row by row, each in whole bytes, little endian.
    pub bytes: Vec<u8>,
}

/// Prints tiles after operations.
pub struct Dumper {
    dumps: Vec<Dump>,
}

impl Dumper {
    /// Prints these tiles.
    pub fn new(dumps: &[Dump]) -> Dumper {
        Dumper { dumps: dumps.to_vec() }
    }
}

/// A tile operand of an operation that has run: its type and address, and the memory that it is in.
struct Seen<'a> {
    tile: Tile,
    live: Live,
    memory: &'a [u8],
}

/// The tile with a name in the function of an event.
fn find<'a>(program: &Program, event: &Event<'_>, work: &Work<'a>, name: &str) -> Option<Seen<'a>> {
    let (code, function) = program.function_at(event.at.function)?;
    code.tiles.iter().find_map(|step| {
        let operation = &function.operations[step.operation];
        let site = code.facts.site(function, &program.module().types, operation, program.profile())?;
        let found = site.operands.iter().zip(&step.slots).find(|(operand, _)| operand.name == name);
        let (operand, Slot::Tile(slot)) = found? else { return None };
        let Fact::Tile(fact) = &operand.fact else { return None };
        let tile = Tile::new(*slot, fact.ty, fact.layout());
        let memory = work.memory.bytes(Space::Chip(event.core.rank, event.core.block));
        Some(Seen { live: work.operands.live(&tile), tile, memory })
    })
}

/// The requests for the operation of an event, with their numbers.
fn wanted<'a>(
    program: &Program,
    event: &Event<'_>,
    requests: &'a [Dump],
) -> impl Iterator<Item = (usize, &'a Dump)> + use<'a> {
    let start = operation_at(program, event.at).map(|(_, operation)| operation.span.start);
    let requests = requests.iter().enumerate();
    requests
        .filter(move |(_, request)| start.is_some_and(|start| (request.from..request.to).contains(&start)))
}

impl Observe for Dumper {
    fn needs(&self) -> Needs {
        if self.dumps.is_empty() { Needs::NONE } else { Needs::ENDS }
    }

    fn see(&mut self, program: &Program, event: &Event<'_>, printed: &mut Vec<Printed>) {
        let What::End(work) = &event.what else { return };
        for (_, dump) in wanted(program, event, &self.dumps) {
            let seen = find(program, event, work, &dump.tile);
            printed.extend(seen.map(|seen| describe(seen.memory, seen.live, &seen.tile, &dump.tile)));
        }
    }
}

/// Keeps the contents of tiles after operations.
pub struct Snapshots {
    requests: Vec<Dump>,
    kept: VecDeque<Snapshot>,
}

impl Snapshots {
    /// Keeps these tiles.
    pub fn new(requests: &[Dump]) -> Snapshots {
        Snapshots { requests: requests.to_vec(), kept: VecDeque::new() }
    }

    /// The snapshots, in order; the last [`MOST_SNAPSHOTS`] of them.
    pub fn into_snapshots(self) -> Vec<Snapshot> {
        self.kept.into()
    }
}

/// The elements of the valid region of a tile, row by row.
fn contents(Seen { tile, live, memory }: &Seen<'_>) -> Vec<u8> {
    let (Size { rows, cols }, element) = (live.size(), tile.ty.element);
    let size = element.bytes(1);
    let mut bytes = Vec::with_capacity(rows * cols * size);
    for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        let bits = get_element(memory, live.address, tile.layout.offset(row, col), element);
        bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
    }
    bytes
}

impl Observe for Snapshots {
    fn needs(&self) -> Needs {
        if self.requests.is_empty() { Needs::NONE } else { Needs::ENDS }
    }

    fn see(&mut self, program: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        let What::End(work) = &event.what else { return };
        for (request, dump) in wanted(program, event, &self.requests) {
            let Some(seen) = find(program, event, work, &dump.tile) else { continue };
            if self.kept.len() == MOST_SNAPSHOTS {
                self.kept.pop_front();
            }
            let Size { rows, cols } = seen.live.size();
            self.kept.push_back(Snapshot {
                request,
                rank: event.core.rank,
                block: event.core.block,
                ty: seen.tile.ty.brief(),
                element: seen.tile.ty.element,
                shape: [rows, cols],
                bytes: contents(&seen),
            });
        }
    }
}
