//! Demand for memory in a function: tiles, multi-tiles, reserved buffers, with sizes and live ranges.

use crate::analysis::places::storage_of;
use crate::analysis::{Facts, Liveness, Storage, touches};
use crate::ir::flow::Flow;
use crate::ir::{FunctionId, Module, Operation, OperationId};
use pto_isa::diag::Span;
use pto_isa::meaning::{Core, Meaning};
use pto_isa::memory::Buffer;
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use std::collections::{HashMap, HashSet};

/// An allocation.
#[derive(Clone, Debug)]
pub(super) struct Need {
    pub(super) operation: OperationId,
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) buffer: Buffer,
    pub(super) bytes: u64,
    /// Byte address, if it is a constant.
    pub(super) address: Option<u64>,
    /// Whether the program computes the address.
    pub(super) is_computed: bool,
    /// Positions in text order during which the allocation is alive, both ends included.
    pub(super) alive: Vec<(usize, usize)>,
    /// Number of the allocation; allocations between which values pass have the same number.
    pub(super) group: u32,
    /// Positions of the operations that have the allocation as an operand, ascending.
    pub(super) uses: Vec<usize>,
}

impl Need {
    /// The allocations of a function, in text order.
    pub(super) fn all(module: &Module, id: FunctionId, storage: &Storage, profile: Profile) -> Vec<Need> {
        let function = &module.functions[id];
        let liveness = Liveness::of(module, id, storage, profile);
        let (flow, facts) = (Flow::of(function), Facts::of(function, &module.types));
        let end = flow.operations().len().saturating_sub(1);
        let always = always(module, id, &flow, &facts, storage, profile);
        let uses = uses(module, id, &flow, storage);
        let mut needs = Vec::new();
        for operation_id in flow.operations() {
            let operation = &function.operations[*operation_id];
            let Some(result) = operation.result() else { continue };
            let named = (function.values[result].name.clone(), operation.span);
            let of = |buffer, bytes, address: Option<Option<u64>>, alive, group| Need {
                operation: *operation_id,
                name: named.0.clone(),
                span: named.1,
                buffer,
                bytes,
                address: address.flatten(),
                is_computed: address == Some(None),
                alive,
                group,
                uses: uses.get(&group).cloned().unwrap_or_default(),
            };
            match operation.meaning() {
                Meaning::AllocTile => {
                    let ty = &module.types[function.values[result].ty];
                    let Some((buffer, bytes)) = storage_of(ty) else { continue };
                    let allocation = storage.allocation(id, result);
                    let alive = match always.contains(&allocation) {
                        true => vec![(0, end)],
                        false => liveness
                            .ranges(allocation)
                            .iter()
                            .map(|range| (range.first, range.last))
                            .collect(),
                    };
                    let address = operation.operand("addr").map(|_| facts.address(result));
                    needs.push(of(buffer, bytes, address, alive, allocation));
                }
                Meaning::ReserveBuffer => {
                    let Some(bytes) = operation.integer("size").and_then(|size| u64::try_from(size).ok())
                    else {
                        continue;
                    };
                    let buffer =
                        if operation.word("location") == Some("mat") { Buffer::L1 } else { Buffer::Ub };
                    let address = fixed_base(operation).map(Some);
                    needs.push(of(buffer, bytes, address, vec![(0, end)], storage.allocation(id, result)));
                }
                _ => {}
            }
        }
        needs
    }
}

/// For each allocation, the positions of the operations that have a tile of it as an operand.
fn uses(module: &Module, id: FunctionId, flow: &Flow, storage: &Storage) -> HashMap<u32, Vec<usize>> {
    let function = &module.functions[id];
    let mut uses: HashMap<u32, Vec<usize>> = HashMap::new();
    for (position, operation) in flow.operations().iter().enumerate() {
        let values = function.operations[*operation].operands.iter().map(|operand| operand.value);
        for value in values.filter(|value| storage_of(&module.types[function.values[*value].ty]).is_some()) {
            let known = uses.entry(storage.allocation(id, value)).or_default();
            if known.last() != Some(&position) {
                known.push(position);
            }
        }
    }
    uses
}

/// The address of a reserved buffer that the program chooses.
fn fixed_base(operation: &Operation) -> Option<u64> {
    let is_automatic = operation.integer("auto").is_none_or(|auto| auto != 0);
    let base = operation.integer("base").and_then(|base| u64::try_from(base).ok());
    base.or((!is_automatic).then_some(0))
}

/// Allocations that are alive all the time: those accessed by a kind of core that does not own their buffer, because
/// nothing in the text orders these accesses, and those whose address the program takes.
fn always(
    module: &Module,
    id: FunctionId,
    flow: &Flow,
    facts: &Facts,
    storage: &Storage,
    profile: Profile,
) -> HashSet<u32> {
    let function = &module.functions[id];
    let mut cores: HashMap<u32, HashSet<Option<bool>>> = HashMap::new();
    let mut always = HashSet::new();
    let is_mixed = [Core::Cube, Core::Vector].into_iter().all(|core| function.has_section(core));
    for operation_id in flow.operations() {
        let operation = &function.operations[*operation_id];
        if operation.is(Op::TILE_BUF_ADDR) {
            always.extend(operation.operands.iter().map(|operand| storage.allocation(id, operand.value)));
        }
        let by = function.core_of(flow, *operation_id);
        for touch in touches(function, &module.types, facts, operation, profile) {
            let Some((buffer, _)) = storage_of(&module.types[function.values[touch.value].ty]) else {
                continue;
            };
            let allocation = storage.allocation(id, touch.value);
            let own = if buffer == Buffer::Ub { Core::Vector } else { Core::Cube };
            let is_foreign = by.is_some_and(|core| core != own) || is_mixed && by.is_none();
            cores.entry(allocation).or_default().insert(is_foreign.then_some(true));
        }
    }
    always.extend(
        cores.into_iter().filter(|(_, by)| by.contains(&Some(true))).map(|(allocation, _)| allocation),
    );
    always
}
