//! Static facts about the values of a function.

use super::queues::Queues;
use crate::ir::{Function, Operation, OperationId, Type, TypeTable, ValueId};
use pto_isa::meaning::{EntryAction, Meaning};
use pto_isa::op::site::{Fact, GlobalLayout, OperandFact, Site, TileFact, ViewFact, ViewLayout};
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use std::collections::{HashMap, HashSet};

/// Facts about a tile.
#[derive(Clone, Copy, Debug, Default)]
struct KnownTile {
    rows: Option<u32>,
    cols: Option<u32>,
    address: Option<u64>,
}

/// Facts about a view.
#[derive(Clone, Debug, Default)]
struct KnownView {
    layout: ViewLayout,
    strides: Vec<Option<i64>>,
}

/// Constants, tiles and views of one function.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    constants: HashMap<ValueId, i64>,
    tiles: HashMap<ValueId, KnownTile>,
    views: HashMap<ValueId, KnownView>,
    /// Declared shape of the tile of which the value is a part.
    storage: HashMap<ValueId, (u32, u32)>,
    /// Tiles that become the quantization parameters of a queue: its number, and the operation.
    parameters: Vec<(i128, OperationId, ValueId)>,
    /// The queues that the function opens.
    pub queues: Queues,
}

/// Tiles that operations change after their creation.
#[derive(Debug, Default)]
struct Changed {
    /// Tiles whose valid region is set.
    regions: HashSet<ValueId>,
    /// Tiles whose address is changed.
    moved: HashSet<ValueId>,
}

/// Collects the tiles that a function changes. A result of TASSIGN is an alias of its tile.
fn changed(function: &Function) -> Changed {
    let mut changed = Changed::default();
    let mut same: HashMap<ValueId, ValueId> = HashMap::new();
    let tile_of = |operation: &Operation| operation.operand("tile").map(|operand| operand.value);
    for (_, operation) in function.operations.iter().filter(|(_, operation)| operation.is(Op::TASSIGN)) {
        let Some(tile) = tile_of(operation) else { continue };
        let first = same.get(&tile).copied().unwrap_or(tile);
        changed.moved.insert(first);
        same.extend(operation.results.first().map(|result| (*result, first)));
    }
    for (_, operation) in function.operations.iter() {
        // A tile that is the destination of TRESHAPE aliases another tile from then on.
        if operation.is(Op::TRESHAPE) {
            changed.moved.extend(operation.operand("dst").map(|operand| operand.value));
        }
        if operation.is(Op::SET_VALIDSHAPE) {
            let tile = tile_of(operation);
            changed.regions.extend(tile);
            changed.regions.extend(tile.and_then(|tile| same.get(&tile).copied()));
        }
    }
    changed
}

impl Facts {
    /// Collects the facts from the definitions of a function.
    pub fn of(function: &Function, types: &TypeTable) -> Facts {
        let mut facts = Facts::default();
        let changed_later = changed(function);
        // Constants for addresses of the short spellings are last in the arena.
        let constants = function.operations.iter().filter(|(_, operation)| operation.is(Op::ARITH_CONSTANT));
        for (_, operation) in constants {
            facts.read(function, types, operation, &changed_later);
        }
        for (id, operation) in function.operations.iter() {
            facts.read(function, types, operation, &changed_later);
            facts.queues.add(id, operation);
            if operation.is(Op::SET_QUANT_VECTOR)
                && let (Some(queue), Some(tile)) =
                    (operation.integer_or_default("id"), operation.operand("value"))
            {
                facts.parameters.push((queue, id, tile.value));
            }
        }
        facts
    }

    /// The tiles with quantization parameters that a push may read beside its operand, each with the operation that
    /// sets it: those of its queue, or of all queues if the push names its queue by a value.
    pub fn parameters(&self, operation: &Operation) -> impl Iterator<Item = (OperationId, ValueId)> + '_ {
        let pushes = matches!(operation.meaning(), Meaning::Entry { action: EntryAction::Push, .. });
        let of = match operation.operand("pipe") {
            Some(_) => None,
            None => operation.integer_or_default("id"),
        };
        let mine = move |queue: i128| pushes && of.is_none_or(|of| of == queue);
        let all = self.parameters.iter().filter(move |(queue, ..)| mine(*queue));
        all.map(|(_, setter, tile)| (*setter, *tile))
    }

    /// Adds the facts of one operation, in program order: constants, tiles and views that it defines, and the
    /// valid region that it sets.
    pub(crate) fn learn(&mut self, function: &Function, types: &TypeTable, operation: &Operation) {
        self.read(function, types, operation, &Changed::default());
        if operation.is(Op::SET_VALIDSHAPE)
            && let Some(tile) = operation.operand("tile").and_then(|tile| self.tiles.get_mut(&tile.value))
        {
            let constants = &self.constants;
            let extent = |role: &str| {
                let value = constants.get(&operation.operand(role)?.value)?;
                u32::try_from(*value).ok()
            };
            (tile.rows, tile.cols) = (extent("rows"), extent("cols"));
        }
    }

    /// Removes the valid region of a tile from the facts.
    pub(crate) fn forget_region(&mut self, tile: ValueId) {
        if let Some(tile) = self.tiles.get_mut(&tile) {
            (tile.rows, tile.cols) = (None, None);
        }
    }

    fn read(&mut self, function: &Function, types: &TypeTable, operation: &Operation, changed: &Changed) {
        let Some(&result) = operation.results.first() else { return };
        let of = |role: &str| operation.operand(role).map(|operand| operand.value);
        match operation.op() {
            Some(Op::ARITH_CONSTANT) => {
                let value = operation.integer("value");
                self.constants.extend(value.map(|value| (result, value as i64)));
            }
            Some(Op::ARITH_INDEX_CAST) => {
                let value = of("in").and_then(|value| self.constants.get(&value).copied());
                self.constants.extend(value.map(|value| (result, value)));
            }
            Some(Op::ALLOC_TILE | Op::ALLOC_MULTI_TILE | Op::DECLARE_TILE) => {
                let constant = |role: &str| of(role).and_then(|value| self.constants.get(&value).copied());
                let moves = changed.moved.contains(&result);
                let address = constant("addr").and_then(|value| u64::try_from(value).ok()).filter(|_| !moves);
                let tile = match &types[function.values[result].ty] {
                    Type::Tile(tile) | Type::MultiTile { tile, .. } => tile,
                    Type::ConvTile(_) => {
                        self.tiles.insert(result, KnownTile { address, ..KnownTile::default() });
                        return;
                    }
                    _ => return,
                };
                let extent = |role: &str| constant(role).and_then(|value| u32::try_from(value).ok());
                let fixed = !changed.regions.contains(&result);
                let known = KnownTile {
                    rows: tile.valid_rows.or_else(|| extent("valid_row").filter(|_| fixed)),
                    cols: tile.valid_cols.or_else(|| extent("valid_col").filter(|_| fixed)),
                    address,
                };
                self.tiles.insert(result, known);
            }
            Some(Op::MAKE_TENSOR_VIEW) => {
                let layout = ViewLayout(operation.word("layout").and_then(GlobalLayout::from_word));
                let strides = operation.operands.iter().filter(|operand| operand.role == "strides");
                let strides = strides.map(|stride| self.constants.get(&stride.value).copied()).collect();
                self.views.insert(result, KnownView { layout, strides });
            }
            Some(Op::SUBVIEW) if matches!(types[function.values[result].ty], Type::Tile(_)) => {
                let Some(source) = of("source") else { return };
                let Type::Tile(tile) = &types[function.values[source].ty] else { return };
                let storage = self.storage.get(&source).copied().unwrap_or((tile.rows, tile.cols));
                self.storage.insert(result, storage);
            }
            Some(Op::MULTI_TILE_GET) => {
                let whole = of("source").and_then(|source| self.tiles.get(&source).copied());
                let fixed = !changed.regions.contains(&result);
                if let Some(whole) = whole.filter(|_| fixed) {
                    self.tiles.insert(result, KnownTile { address: None, ..whole });
                }
            }
            Some(Op::TASSIGN) => {
                let storage = of("tile").and_then(|tile| self.storage.get(&tile).copied());
                self.storage.extend(storage.map(|storage| (result, storage)));
            }
            Some(Op::PARTITION_VIEW | Op::SUBVIEW) => {
                let view = of("source").and_then(|source| self.views.get(&source).cloned());
                self.views.extend(view.map(|view| (result, view)));
            }
            _ => {}
        }
    }

    /// The integer value, if it is known.
    pub fn constant(&self, value: ValueId) -> Option<i64> {
        self.constants.get(&value).copied()
    }

    /// The byte address of a tile, if it is known.
    pub fn address(&self, value: ValueId) -> Option<u64> {
        self.tiles.get(&value)?.address
    }

    /// The facts about a value as an operand of `operation`.
    pub(crate) fn fact(
        &self,
        function: &Function,
        types: &TypeTable,
        value: ValueId,
        operation: &Operation,
    ) -> Fact {
        match &types[function.values[value].ty] {
            Type::Tile(tile) => {
                let known = self.tiles.get(&value).copied().unwrap_or_default();
                let (rows, cols) = (tile.valid_rows.or(known.rows), tile.valid_cols.or(known.cols));
                let storage = self.storage.get(&value).copied().unwrap_or((tile.rows, tile.cols));
                Fact::Tile(TileFact { ty: *tile, rows, cols, address: known.address, storage })
            }
            Type::ConvTile(tile) => Fact::ConvTile(*tile),
            Type::TensorView { shape, element } | Type::PartitionView { shape, element } => {
                let own = operation.word("layout").and_then(GlobalLayout::from_word);
                let KnownView { layout, strides } = self.views.get(&value).cloned().unwrap_or_default();
                let layout = ViewLayout(own.or(layout.0));
                let is_static = shape.iter().all(Option::is_some);
                Fact::View(ViewFact { element: *element, shape: shape.clone(), layout, strides, is_static })
            }
            Type::MemRef { shape, element, .. } => Fact::View(ViewFact {
                element: *element,
                shape: shape.clone(),
                layout: ViewLayout::default(),
                strides: Vec::new(),
                is_static: shape.iter().all(Option::is_some),
            }),
            Type::Scalar(scalar) => Fact::Scalar(*scalar, self.constants.get(&value).copied()),
            Type::Pointer { element, space } => Fact::Pointer(*element, space.clone()),
            _ => Fact::Other,
        }
    }

    /// The site of an operation whose operands have roles; `None` if it is not an instruction.
    pub fn site<'a>(
        &self,
        function: &'a Function,
        types: &TypeTable,
        operation: &'a Operation,
        profile: Profile,
    ) -> Option<Site<'a>> {
        let instruction = operation.instruction()?;
        let used = operation.operands.iter().map(|operand| (operand.role, operand.value, operand.span));
        let made = operation.results.iter().map(|result| ("result", *result, operation.name_span));
        let operands = used
            .chain(made)
            .map(|(role, value, span)| OperandFact {
                role,
                name: function.values[value].name.as_str(),
                span,
                defined: function.values[value].span,
                fact: self.fact(function, types, value, operation),
            })
            .collect();
        Some(Site {
            instruction,
            spelling: operation.name.as_str(),
            profile,
            operands,
            attributes: &operation.attributes,
            queue: self.queues.of(function, operation),
            span: operation.name_span,
        })
    }
}
