//! Queues between the cube core and the vector cores, and the buffers of their slots.

use super::super::code::{AccumulatorUse, ExchangeStep, GlobalEntry, Route, Step};
use super::Decoder;
use super::instruction::accumulators;
use pto_isa::element::{Element, element_word};
use pto_isa::exec::state::Slot;
use pto_isa::meaning::{Core, EntryAction, Meaning};
use pto_isa::memory::Buffer;
use pto_isa::op::Slots;
use pto_isa::op::epilogue::{self, Epilogue};
use pto_isa::registry::Op;
use pto_isa::rule::Rule;
use pto_isa::rules;
use pto_isa::tile::TileType;
use pto_lang::analysis::queues::{directions, local_slots, number_of, slots};
use pto_lang::ir::{Function, FunctionId, Module, Operation, OperationId, Type, ValueId};
use std::collections::HashMap;

/// Maximum number of slots of a queue.
const MAX_SLOTS: u32 = 1024;

/// Whether an operation creates a queue value.
fn makes_queue(operation: &Operation) -> bool {
    matches!(operation.meaning(), Meaning::Queue { .. })
}

/// The integer of an attribute, or `otherwise` if it is not written.
pub(super) fn number(operation: &Operation, key: &str, otherwise: i128) -> i128 {
    operation.integer(key).unwrap_or(otherwise)
}

/// The epilogue in an operation that opens a queue; the checker has validated it.
fn epilogue_of(operation: &Operation) -> Option<Epilogue> {
    Epilogue::of(operation.attribute(epilogue::KEY)?).ok()
}

/// The number of a queue value in its function: its first flag, or the number of queue values created before it.
fn number_in(function: &Function, id: OperationId) -> i128 {
    let before = function.operations.iter().take_while(|(other, _)| *other != id);
    let ordinal = before.filter(|(_, operation)| makes_queue(operation)).count();
    number(&function.operations[id], "flag_base", ordinal as i128)
}

/// The attributes of all queues of a program to the vector cores.
#[derive(Default)]
pub(super) struct Queues {
    /// Epilogues, by the function that opens the queue and the queue's number.
    epilogues: HashMap<(FunctionId, i128), Epilogue>,
    /// The element type of popped tiles, by queue number; `None` if there are several types.
    popped: HashMap<i128, Option<Element>>,
}

impl Queues {
    /// Records the element type of a popped tile.
    fn pops(&mut self, queue: i128, tile: Option<&Type>) {
        if let Some(Type::Tile(tile)) = tile {
            let known = self.popped.entry(queue).or_insert(Some(tile.element));
            *known = known.filter(|known| *known == tile.element);
        }
    }

    pub(super) fn of(module: &Module, functions: &[FunctionId]) -> Queues {
        let mut queues = Queues::default();
        for &id in functions {
            let function = &module.functions[id];
            for (at, operation) in function.operations.iter() {
                let queue = number_of(operation);
                match operation.op() {
                    Some(Op::AIC_INITIALIZE_PIPE) => {
                        let epilogue = epilogue_of(operation).map(|epilogue| ((id, queue), epilogue));
                        queues.epilogues.extend(epilogue);
                    }
                    Some(Op::INITIALIZE_L2G2L_PIPE | Op::INITIALIZE_L2L_PIPE) => {
                        let queue = number_in(function, at);
                        let epilogue = epilogue_of(operation).map(|epilogue| ((id, queue), epilogue));
                        queues.epilogues.extend(epilogue);
                    }
                    Some(Op::TPOP_FROM_AIC) => {
                        let tile = operation.results.first().map(|result| function.values[*result].ty);
                        queues.pops(queue, tile.map(|ty| &module.types[ty]));
                    }
                    Some(Op::TPOP) => {
                        let mut makers = function.operations.iter();
                        let queue = operation.value("pipe");
                        let made = |made: &Operation| makes_queue(made) && made.result() == queue;
                        let Some((maker, _)) = makers.find(|(_, other)| made(other)) else { continue };
                        let tile =
                            operation.operand("value").map(|operand| function.values[operand.value].ty);
                        queues.pops(number_in(function, maker), tile.map(|ty| &module.types[ty]));
                    }
                    _ => {}
                }
            }
        }
        queues
    }
}

/// The buffer and the size in bytes of a `reserve_buffer`.
pub(super) fn reserved(operation: &Operation) -> (Buffer, usize) {
    let buffer = if operation.word("location") == Some("mat") { Buffer::L1 } else { Buffer::Ub };
    (buffer, usize::try_from(number(operation, "size", 0)).unwrap_or(usize::MAX))
}

/// Whether the address of a reserved buffer is assigned automatically.
pub(super) fn is_automatic(operation: &Operation) -> bool {
    number(operation, "auto", 1) != 0 && operation.attribute("base").is_none()
}

impl Decoder<'_> {
    pub(super) fn queue(&mut self, id: OperationId) {
        let operation = &self.function.operations[id];
        match operation.meaning() {
            Meaning::ReserveBuffer => self.reserve(operation, self.id, id),
            Meaning::ImportBuffer => self.import(operation),
            Meaning::QueueEnd(_) => {
                let mut base = |role: &str| operation.operand(role).map(|operand| self.scalar(operand.value));
                let bases = [base("v2c_consumer_buf"), base("c2v_consumer_buf")];
                let global = operation.operand("gm_slot_tensor").map(|operand| self.slot(operand.value));
                let memory = operation.operand("gm_slot_buffer").map(|operand| self.scalar(operand.value));
                self.open(operation, number_of(operation), bases, global, memory);
            }
            Meaning::Queue { through_global } => {
                // A queue through global memory has its slots there as the first operand; the buffers of local
                // slots follow.
                let buffers: Vec<_> = operation.operands.iter().map(|operand| operand.value).collect();
                let buffers: Vec<_> = buffers.into_iter().map(|value| self.slot(value)).collect();
                let (global, local) = match buffers.split_first() {
                    Some((first, rest)) if through_global => (Some(*first), rest.first()),
                    _ => (None, buffers.first()),
                };
                let base = match local {
                    Some(Slot::Scalar(slot)) => Some(*slot),
                    _ => None,
                };
                self.open(operation, self.number_of(id), [base; 2], global, None);
            }
            Meaning::Entry { action, .. } => self.move_entry(operation, action),
            _ => {}
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

    /// The address of a buffer that another function reserves under a name.
    fn import(&mut self, operation: &Operation) {
        let name = operation.word("name").unwrap_or("");
        let peer = operation.symbol("peer_func").unwrap_or("");
        let reserves = |function: &Function| {
            let mut operations = function.operations.iter();
            let same = |operation: &Operation| {
                operation.is(Op::RESERVE_BUFFER) && operation.word("name") == Some(name)
            };
            operations.find(|(_, operation)| same(operation)).map(|(id, _)| id)
        };
        let mut functions = self.module.functions.iter();
        let found = functions.find(|(_, function)| function.name == peer);
        let found = found.and_then(|(id, function)| Some((id, reserves(function)?)));
        match found {
            Some((function, id)) => self.reserve(operation, function, id),
            None => self.problem(
                &rules::queue::PEER,
                operation.name_span,
                format!("`@{peer}` reserves no buffer `{name}`"),
            ),
        }
    }

    /// The number of a queue value: its first flag, or the number of queue values that the function creates before
    /// it.
    fn number_of(&self, id: OperationId) -> i128 {
        number_in(self.function, id)
    }

    fn open(
        &mut self,
        operation: &Operation,
        id: i128,
        bases: [Option<u32>; 2],
        global: Option<Slot>,
        memory: Option<u32>,
    ) {
        let (slots, local) = (slots(operation), local_slots(operation));
        let positive =
            |count: i128| u32::try_from(count).ok().filter(|count| (1..=MAX_SLOTS).contains(count));
        let size =
            u64::try_from(number(operation, "slot_size", 0)).ok().filter(|size| (1..1 << 30).contains(size));
        let (Some(slots), Some(local), Some(size)) = (positive(slots), positive(local), size) else {
            let message = "slot_size, slot_num and local_slot_num are numbers of bytes and slots".into();
            return self.problem(&rules::queue::SLOTS, operation.name_span, message);
        };
        let epilogue = epilogue_of(operation);
        let step = ExchangeStep::Open {
            id,
            directions: [directions(operation) & 2 != 0, directions(operation) & 1 != 0],
            slots,
            local,
            size,
            bases,
            global,
            memory,
            epilogue,
        };
        self.push_exchange(step);
    }

    /// The epilogue of a push, and the element type in which the consumers pop the entry.
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
            Some(None) => Err(format!("tiles of two formats are popped from queue {}", route.id)),
            Some(Some(to)) => Err(format!(
                "`{}` makes {} of what `{}` pushes, but queue {} is popped as {}",
                epilogue.mode.word,
                epilogue.targets_text(ty.element),
                operation.name,
                route.id,
                element_word(*to)
            )),
            None => Err(format!("nothing pops from queue {}: what its entries hold is not known", route.id)),
        }
    }

    pub(super) fn push_exchange(&mut self, step: ExchangeStep) {
        self.code.exchanges.push(step);
        self.emit(Step::Exchange(self.code.exchanges.len() as u32 - 1));
    }

    /// The queue of an operation on an entry, as the operation uses it.
    fn route(&self, operation: &Operation) -> Result<Route, (&'static Rule, String)> {
        let unknown = || {
            let message = "which queue this is does not follow from the program: it is made elsewhere";
            (&rules::queue::INITIALIZE, message.to_owned())
        };
        let site = self.facts.site(self.function, &self.module.types, operation, self.profile);
        let pipes = site.as_ref().and_then(|site| site.instruction.entry_pipes(site));
        let queue = site.and_then(|site| site.queue);
        let (pipes, queue) = pipes.zip(queue).ok_or_else(unknown)?;
        let id = match operation.operand("pipe") {
            Some(_) => self.number_of(self.facts.queues.opened(operation).ok_or_else(unknown)?),
            None => number_of(operation),
        };
        // 0 to 4; the rules of `op/sync/queue` ensure it.
        let split = operation.integer_or_default("split").unwrap_or(0) as u8;
        let slots = Slots::of(queue.names_memory, self.profile);
        Ok(Route { id, to_vector: queue.consumer == Core::Vector, split, slots, pipes })
    }

    fn move_entry(&mut self, operation: &Operation, action: EntryAction) {
        let route = match self.route(operation) {
            Ok(route) => route,
            Err((rule, message)) => return self.problem(rule, operation.name_span, message),
        };
        if action == EntryAction::Free {
            return self.push_exchange(ExchangeStep::Free { route });
        }
        let entry = operation.operand("value").map(|operand| operand.value);
        let Some(value) = entry.or(operation.results.first().copied()) else { return };
        let ty = &self.module.types[self.function.values[value].ty];
        let takes = action != EntryAction::Push;
        match (self.slot(value), ty) {
            (Slot::View(view), Type::TensorView { shape, element }) => {
                let shape = shape.iter().map(|extent| extent.unwrap_or(0)).collect();
                self.move_global(
                    operation,
                    action,
                    route,
                    GlobalEntry { to: view, shape, bits: element.bits() },
                )
            }
            (Slot::Tile(tile), Type::Tile(ty)) if action != EntryAction::Allocate => {
                self.move_tile(operation, action, route, tile, *ty)
            }
            _ => {
                let message = "an entry is a tile, or a tensor view in global memory".to_owned();
                self.problem(&rules::queue::ENTRY, operation.name_span, message);
            }
        }
        if takes {
            self.has_address(value);
        }
    }

    /// Decodes a transfer of an entry in global memory, which the program fills and reads itself.
    fn move_global(&mut self, operation: &Operation, action: EntryAction, route: Route, entry: GlobalEntry) {
        if route.split > 2 {
            let message = "an entry in global memory is not split with an odd number".to_owned();
            return self.problem(&rules::queue::SPLIT, operation.name_span, message);
        }
        if action == EntryAction::Push {
            return self.push_exchange(ExchangeStep::Commit { route });
        }
        let allocates = action == EntryAction::Allocate;
        self.push_exchange(ExchangeStep::Take { route, entry, allocates });
    }

    /// The tiles with quantization parameters that a push may read, and the operations that set them.
    fn parameters(&mut self, operation: &Operation) -> Vec<(OperationId, u32, TileType)> {
        let found: Vec<_> = self.facts.parameters(operation).collect();
        let tile = |(setter, value): (OperationId, ValueId)| {
            let Type::Tile(ty) = &self.module.types[self.function.values[value].ty] else { return None };
            match self.slot(value) {
                Slot::Tile(slot) => Some((setter, slot, *ty)),
                _ => None,
            }
        };
        found.into_iter().filter_map(tile).collect()
    }

    /// The accumulator that a push reads.
    fn pushed_accumulators(&mut self, operation: &Operation) -> Vec<AccumulatorUse> {
        let Some(site) = self.facts.site(self.function, &self.module.types, operation, self.profile) else {
            return Vec::new();
        };
        let slots: Vec<Slot> = operation.operands.iter().map(|operand| self.slot(operand.value)).collect();
        accumulators(&site, &slots)
    }

    fn move_tile(
        &mut self,
        operation: &Operation,
        action: EntryAction,
        route: Route,
        tile: u32,
        ty: TileType,
    ) {
        if action == EntryAction::Push {
            let epilogue = match self.epilogue(operation, route, &ty) {
                Ok(epilogue) => epilogue,
                Err(message) => {
                    return self.problem(&rules::queue::EPILOGUE_TYPE, operation.name_span, message);
                }
            };
            let parameters = self.parameters(operation);
            let accumulators = self.pushed_accumulators(operation);
            let push = ExchangeStep::Push { route, tile, ty, epilogue, parameters, accumulators };
            return self.push_exchange(push);
        }
        let mut extent = |role: &str| operation.operand(role).map(|operand| self.scalar(operand.value));
        let extents = [extent("rows"), extent("cols")];
        let position = operation.operands.iter().position(|operand| operand.role == "value");
        let operand = position.unwrap_or(operation.operands.len()) as u16;
        self.push_exchange(ExchangeStep::Pop { route, operand, to: tile, ty, extents });
    }
}
