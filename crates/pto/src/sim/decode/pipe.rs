//! Queues between the cube core and the vector cores, and the buffers that they keep their slots in.

use super::super::code::{PipeStep, Route, Step};
use super::Decoder;
use crate::ir::{Attribute, Function, FunctionId, Module, Operation, OperationId, Type};
use crate::isa::element::{Element, element_word};
use crate::isa::memory::Buffer;
use crate::isa::op::epilogue::{self, Epilogue};
use crate::isa::op::state::Slot;
use crate::isa::tile::TileType;
use std::collections::HashMap;

/// Most slots of a queue.
const MAX_SLOTS: u32 = 1024;

/// Whether this module decodes operations of a name.
pub(super) fn runs(name: &str) -> bool {
    is_transfer(name)
        || matches!(
            name,
            "pto.aic_initialize_pipe"
                | "pto.aiv_initialize_pipe"
                | "pto.reserve_buffer"
                | "pto.import_reserved_buffer"
        )
}

/// Whether an operation moves entries of a queue.
pub(super) fn is_transfer(name: &str) -> bool {
    matches!(
        name,
        "pto.tpush_to_aiv"
            | "pto.tpush_to_aic"
            | "pto.tpop_from_aic"
            | "pto.tpop_from_aiv"
            | "pto.tfree_from_aic"
            | "pto.tfree_from_aiv"
    )
}

/// The number of an attribute, or another one where it is not written.
pub(super) fn number(operation: &Operation, key: &str, otherwise: i128) -> i128 {
    operation.attribute(key).and_then(Attribute::as_integer).unwrap_or(otherwise)
}

/// What an operation that opens a queue says happens to the elements of accumulators; the checker has read it.
fn epilogue_of(operation: &Operation) -> Option<Epilogue> {
    Epilogue::of(operation.attribute(epilogue::KEY)?).ok()
}

/// What the functions of a program say of its queues to the vector cores.
#[derive(Default)]
pub(super) struct Queues {
    /// What happens to accumulators, by the function that opens the queue and its number.
    epilogues: HashMap<(FunctionId, i128), Epilogue>,
    /// The format of the tiles that are popped, by number; nothing where there are several.
    popped: HashMap<i128, Option<Element>>,
}

impl Queues {
    pub(super) fn of(module: &Module, functions: &[FunctionId]) -> Queues {
        let mut queues = Queues::default();
        for &id in functions {
            let function = &module.functions[id];
            for (_, operation) in function.operations.iter() {
                let queue = number(operation, "id", 0);
                match operation.name.as_str() {
                    "pto.aic_initialize_pipe" => {
                        let epilogue = epilogue_of(operation).map(|epilogue| ((id, queue), epilogue));
                        queues.epilogues.extend(epilogue);
                    }
                    "pto.tpop_from_aic" => {
                        let tile = operation.results.first().map(|result| function.values[*result].ty);
                        let Some(Type::Tile(tile)) = tile.map(|ty| &module.types[ty]) else { continue };
                        let known = queues.popped.entry(queue).or_insert(Some(tile.element));
                        *known = known.filter(|known| *known == tile.element);
                    }
                    _ => {}
                }
            }
        }
        queues
    }
}

/// The buffer and the bytes that `reserve_buffer` asks for.
pub(super) fn reserved(operation: &Operation) -> (Buffer, usize) {
    let location = operation.attribute("location").and_then(Attribute::as_word);
    let buffer = if location == Some("mat") { Buffer::L1 } else { Buffer::Ub };
    (buffer, usize::try_from(number(operation, "size", 0)).unwrap_or(usize::MAX))
}

/// Whether the place of a reserved buffer is chosen here.
pub(super) fn is_automatic(operation: &Operation) -> bool {
    number(operation, "auto", 1) != 0 && operation.attribute("base").is_none()
}

impl Decoder<'_> {
    pub(super) fn pipe(&mut self, id: OperationId) {
        let operation = &self.function.operations[id];
        match operation.name.as_str() {
            "pto.reserve_buffer" => self.reserve(operation, self.id, id),
            "pto.import_reserved_buffer" => self.import(operation),
            "pto.aic_initialize_pipe" | "pto.aiv_initialize_pipe" => self.open(operation),
            _ => self.move_entry(operation),
        }
    }

    /// The address of a reserved buffer, in bytes from the start of UB or L1.
    fn reserve(&mut self, operation: &Operation, function: FunctionId, id: OperationId) {
        let reserving = &self.module.functions[function].operations[id];
        let (buffer, _) = reserved(reserving);
        let base = match self.shared.places.automatic(function, id) {
            Some(at) => (at - self.shared.places.map.base[buffer as usize]) as u64,
            None => number(reserving, "base", 0) as u64,
        };
        if let Some(Slot::Scalar(to)) = operation.results.first().map(|result| self.slot(*result)) {
            self.emit(Step::Constant { to, bits: base });
        }
    }

    /// The same for the buffer that another function reserves under a name.
    fn import(&mut self, operation: &Operation) {
        let name = operation.attribute("name").and_then(Attribute::as_word).unwrap_or("");
        let peer = match operation.attribute("peer_func") {
            Some(Attribute::Symbol(peer)) => peer.as_str(),
            _ => "",
        };
        let reserves = |function: &Function| {
            let mut operations = function.operations.iter();
            let same = |operation: &Operation| {
                operation.name == "pto.reserve_buffer"
                    && operation.attribute("name").and_then(Attribute::as_word) == Some(name)
            };
            operations.find(|(_, operation)| same(operation)).map(|(id, _)| id)
        };
        let mut functions = self.module.functions.iter();
        let found = functions.find(|(_, function)| function.name == peer);
        let found = found.and_then(|(id, function)| Some((id, reserves(function)?)));
        match found {
            Some((function, id)) => self.reserve(operation, function, id),
            None => self.problem(
                "pipe::peer",
                operation.name_span,
                format!("`@{peer}` reserves no buffer `{name}`"),
            ),
        }
    }

    fn open(&mut self, operation: &Operation) {
        let mut base = |role: &str| operation.operand(role).map(|operand| self.scalar(operand.value));
        let bases = [base("v2c_consumer_buf"), base("c2v_consumer_buf")];
        let both = number(operation, "dir_mask", 1) == 3;
        let slots = number(operation, "slot_num", if both { 4 } else { 8 });
        let local = number(operation, "local_slot_num", slots);
        let positive =
            |count: i128| u32::try_from(count).ok().filter(|count| (1..=MAX_SLOTS).contains(count));
        let size =
            u64::try_from(number(operation, "slot_size", 0)).ok().filter(|size| (1..1 << 30).contains(size));
        let (Some(slots), Some(local), Some(size)) = (positive(slots), positive(local), size) else {
            let message = "slot_size, slot_num and local_slot_num are numbers of bytes and slots".into();
            return self.problem("pipe::slots", operation.name_span, message);
        };
        let epilogue = epilogue_of(operation);
        let step = PipeStep::Open {
            id: number(operation, "id", 0),
            directions: [
                number(operation, "dir_mask", 1) & 2 != 0,
                number(operation, "dir_mask", 1) & 1 != 0,
            ],
            slots,
            local,
            size,
            bases,
            epilogue,
        };
        self.push_pipe(step);
    }

    /// What happens to the elements that an operation pushes, and the format that the consumers take them in.
    fn epilogue(
        &self,
        operation: &Operation,
        route: Route,
        ty: &TileType,
    ) -> Result<Option<(Epilogue, Element)>, String> {
        let Some(epilogue) =
            self.shared.queues.epilogues.get(&(self.id, route.id)).filter(|_| route.to_vector)
        else {
            return Ok(None);
        };
        let fits = |to: &Element| epilogue.targets(ty.element).contains(to);
        match self.shared.queues.popped.get(&route.id) {
            Some(Some(to)) if fits(to) => Ok(Some((*epilogue, *to))),
            Some(None) => Err(format!("tiles of two formats are popped from pipe {}", route.id)),
            Some(Some(to)) => Err(format!(
                "`{}` makes {} of what `{}` pushes, but pipe {} is popped as {}",
                epilogue.mode.word,
                epilogue.targets_text(ty.element),
                operation.name,
                route.id,
                element_word(*to)
            )),
            None => Err(format!("nothing pops from pipe {}: what its entries hold is not known", route.id)),
        }
    }

    pub(super) fn push_pipe(&mut self, step: PipeStep) {
        self.code.pipes.push(step);
        self.emit(Step::Pipe(self.code.pipes.len() as u32 - 1));
    }

    fn move_entry(&mut self, operation: &Operation) {
        let name = operation.short_name();
        let to_vector = matches!(name, "tpush_to_aiv" | "tpop_from_aic" | "tfree_from_aic");
        let split = number(operation, "split", 0);
        let route = Route { id: number(operation, "id", 0), to_vector, split: split as u8 };
        if !(0..=4).contains(&split) {
            let message = format!("split is 0 to 4, not {split}");
            return self.problem("pipe::split", operation.name_span, message);
        }
        if name.starts_with("tfree") {
            return self.push_pipe(PipeStep::Free { route });
        }
        let push = name.starts_with("tpush");
        let value = match push {
            true => operation.operand("value").map(|operand| operand.value),
            false => operation.results.first().copied(),
        };
        let Some((value, Type::Tile(ty))) =
            value.map(|value| (value, &self.module.types[self.function.values[value].ty]))
        else {
            let message = format!("`{}` of global entries does not run yet", operation.name);
            return self.problem("unsupported", operation.name_span, message);
        };
        let ty = *ty;
        let Slot::Tile(tile) = self.slot(value) else { return };
        if push {
            let epilogue = match self.epilogue(operation, route, &ty) {
                Ok(epilogue) => epilogue,
                Err(message) => return self.problem("pipe::epilogue-type", operation.name_span, message),
            };
            return self.push_pipe(PipeStep::Push { route, tile, ty, epilogue });
        }
        let mut extent = |role: &str| operation.operand(role).map(|operand| self.scalar(operand.value));
        let extents = [extent("rows"), extent("cols")];
        self.push_pipe(PipeStep::Pop { route, to: tile, ty, extents });
    }
}
