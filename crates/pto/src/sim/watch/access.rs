//! What an instruction touches: which operands it reads and writes.

use super::super::code::{FunctionCode, Program, TileStep};
use crate::ir::{Function, Operation, Place, Type};
use crate::isa::element::Element;
use crate::isa::op::site::Fact;
use crate::isa::op::state::Slot;
use crate::isa::op::{Set, state::Tile};
use crate::isa::pipe::Pipe;

/// How an operand is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Read,
    Write,
}

/// Which elements of an operand are touched.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// The valid region of a tile.
    Tile(Tile),
    /// As many rows and columns of a tile as another one has, from the row and column in two scalar slots on.
    Part(Tile, Tile, [Option<u32>; 2]),
    /// One element of a tile, counted in memory order by a scalar slot.
    TileElement(Tile, u32),
    /// A view.
    View(u32, Element),
    /// One element behind a pointer: slots of pointer and offset.
    Element(u32, u32, Element),
}

/// One operand that an instruction touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) mode: Mode,
    pub(super) what: What,
    /// The operand's index among those of the operation.
    pub(super) operand: u16,
}

/// What an instruction does, as watchers see it.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) pipe: Pipe,
    /// Reads first: a destination that is also a source is read before it is written.
    pub(super) touches: Vec<Touch>,
    /// The signal that it is about.
    pub(super) signal: Option<Signal>,
    /// Whether it adds to memory in one go.
    pub(super) atomic: bool,
}

/// A signal in global memory that an instruction changes or looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signal {
    /// Slot of its view.
    pub(super) view: u32,
    pub(super) changes: bool,
    /// Where a look leaves whether it was as wanted; without it the instruction has waited.
    pub(super) seen: Option<u32>,
}

/// Instructions that name memory or set it up, and touch no element.
const NAMING: [&str; 11] = [
    "treshape",
    "subview",
    "tassign",
    "tile_buf_addr",
    "set_validshape",
    "get_validshape",
    "tget_scale_addr",
    "set_quant_scalar",
    "set_quant_vector",
    "tprefetch_async",
    "comm.build_async_session",
];

/// Roles of tiles that an instruction works in.
fn is_scratch(role: &str) -> bool {
    matches!(role, "tmp" | "scratch" | "buffers" | "receive" | "accumulator")
}

impl Plan {
    pub(super) fn of(program: &Program, code: &FunctionCode, step: &TileStep) -> Plan {
        let function = &program.module.functions[code.id.unwrap_or(program.entry())];
        let operation = &function.operations[step.operation];
        let site = code.facts.site(function, &program.module.types, operation, program.profile);
        let Some(site) = site else { return Plan::nothing(Pipe::Scalar) };
        let page = site.instruction.page();
        let pipe = site.instruction.pipe(&site);
        if NAMING.contains(&page.name) {
            return Plan::nothing(pipe);
        }
        if let Some(changes) = signals(page.name) {
            let signal = step.slots.iter().find_map(|slot| match slot {
                Slot::View(view) => Some(*view),
                _ => None,
            });
            let seen = match step.slots.get(operation.operands.len()) {
                Some(Slot::Scalar(slot)) => Some(*slot),
                _ => None,
            };
            let signal = signal.map(|view| Signal { view, changes, seen });
            return Plan { signal, ..Plan::nothing(pipe) };
        }
        let atomic = site.word("atomicType") == Some("atomic_add")
            || site.word("scatterAtomicOp").is_some_and(|word| word != "none");
        let reads_destination = page.reads_destination || atomic;
        let mut touches = Vec::new();
        for (index, operand) in operation.operands.iter().enumerate() {
            let what = match (&site.operands[index].fact, step.slots[index]) {
                (Fact::Tile(tile), Slot::Tile(slot)) => What::Tile(Tile::new(slot, tile.ty, tile.layout())),
                (Fact::View(view), Slot::View(slot)) => What::View(slot, view.element),
                _ => continue,
            };
            let scratch = is_scratch(operand.role);
            let writes = scratch || writes(page.name, page.set, operand.place, operand.role);
            let reads = !writes || scratch || reads_destination;
            let operand = index as u16;
            if reads && !scratch {
                touches.push(Touch { mode: Mode::Read, what, operand });
            }
            if writes {
                touches.push(Touch { mode: Mode::Write, what, operand });
            }
        }
        touches.extend(scalar_access(program, function, operation, step));
        narrow(page.name, operation, step, &mut touches);
        single(page.name, operation, step, &mut touches);
        touches.sort_by_key(|touch| touch.mode == Mode::Write);
        Plan { pipe, touches, signal: None, atomic }
    }

    fn nothing(pipe: Pipe) -> Plan {
        Plan { pipe, touches: Vec::new(), signal: None, atomic: false }
    }
}

/// Whether an instruction changes a signal; nothing if it is about none. A look that finds a signal missing waits, or is
/// of no consequence.
fn signals(name: &str) -> Option<bool> {
    match name {
        "comm.tnotify" => Some(true),
        "comm.twait" | "comm.ttest" => Some(false),
        _ => None,
    }
}

/// Whether an instruction writes an operand.
fn writes(name: &str, set: Set, place: Place, role: &str) -> bool {
    if set != Set::Communication {
        return place == Place::Out || matches!((name, role), ("tsetval", "dst"));
    }
    match (name, role) {
        ("comm.tbroadcast" | "comm.tscatter", "group") | ("comm.tgather" | "comm.treduce", "tensor") => true,
        (_, role) => role == "dst",
    }
}

/// What LOAD_SCALAR and STORE_SCALAR touch.
fn scalar_access(
    program: &Program,
    function: &Function,
    operation: &Operation,
    step: &TileStep,
) -> Option<Touch> {
    let mode = match operation.short_name() {
        "load_scalar" => Mode::Read,
        "store_scalar" => Mode::Write,
        _ => return None,
    };
    let at = |role: &str| operation.operands.iter().position(|operand| operand.role == role);
    let slot = |at: usize| match step.slots[at] {
        Slot::Scalar(slot) => Some(slot),
        _ => None,
    };
    let (pointer, offset) = (at("pointer")?, at("offset")?);
    let ty = &program.module.types[function.values[operation.operands[pointer].value].ty];
    let Type::Pointer { element, .. } = ty else { return None };
    let what = What::Element(slot(pointer)?, slot(offset)?, element.element());
    Some(Touch { mode, what, operand: pointer as u16 })
}

/// TEXTRACT reads a part of its source, TINSERT writes a part of its destination.
fn narrow(name: &str, operation: &Operation, step: &TileStep, touches: &mut [Touch]) {
    let (whole, part) = match name.split(['_', '.']).next() {
        Some("textract") => (Mode::Read, Mode::Write),
        Some("tinsert") => (Mode::Write, Mode::Read),
        _ => return,
    };
    let offset = |role: &str| {
        let at = operation.operands.iter().position(|operand| operand.role == role)?;
        match step.slots[at] {
            Slot::Scalar(slot) => Some(slot),
            _ => None,
        }
    };
    let offsets = [offset("row"), offset("col")];
    let role = |touch: &Touch| operation.operands[usize::from(touch.operand)].role;
    let tiles = |mode: Mode, wanted: &str| {
        let found = touches.iter().find(|touch| touch.mode == mode && role(touch) == wanted);
        found.and_then(|touch| match touch.what {
            What::Tile(tile) => Some(tile),
            _ => None,
        })
    };
    let (whole_role, part_role) = if whole == Mode::Read { ("src", "dst") } else { ("dst", "src") };
    let (Some(big), Some(small)) = (tiles(whole, whole_role), tiles(part, part_role)) else { return };
    if offsets.iter().any(Option::is_none) {
        return;
    }
    for touch in touches.iter_mut().filter(|touch| role_of(operation, touch) == whole_role) {
        touch.what = What::Part(big, small, offsets);
    }
}

fn role_of(operation: &Operation, touch: &Touch) -> &'static str {
    operation.operands[usize::from(touch.operand)].role
}

/// TGETVAL reads one element of a tile, TSETVAL writes one.
fn single(name: &str, operation: &Operation, step: &TileStep, touches: &mut [Touch]) {
    if !matches!(name, "tgetval" | "tsetval") {
        return;
    }
    let index = operation.operands.iter().position(|operand| operand.role == "index");
    let Some(Slot::Scalar(slot)) = index.map(|at| step.slots[at]) else { return };
    for touch in touches {
        if let What::Tile(tile) = touch.what {
            touch.what = What::TileElement(tile, slot);
        }
    }
}
