//! Legal programs with one property of one instruction changed.
//!
//! The programs stay well-formed: only rules of the instruction can reject them.

use pto::ir::{
    Argument, Attribute, EnumSpelling, Function, FunctionId, Item, Module, NamedAttribute, Operand,
    OperandGroup, OperationId, Scalar, Type, Value, ValueId,
};
use pto::isa::Op;
use pto::isa::conv::{ConvLayout, ConvTileType};
use pto::isa::element::Element;
use pto::isa::op::attribute::{AttributeKind, AttributeSpec};
use pto::isa::op::form::{Kind, Syntax};
use pto::isa::tile::{BLayout, CompactMode, Location, Pad, SLayout, TileType};

/// A program with one change.
#[derive(Clone, Debug)]
pub struct Perturbed {
    /// The instruction, without `pto.`.
    pub instruction: String,
    /// The change, such as `dst element f32 -> i8`.
    pub change: String,
    /// The program: one function.
    pub module: Module,
}

/// The functions of a module, each in a module of its own.
pub fn alone(module: &Module) -> Vec<Module> {
    module
        .functions
        .iter()
        .map(|(_, function)| {
            let mut single = Module { types: module.types.clone(), ..Module::default() };
            let id = single.functions.push(function.clone());
            single.items.push(Item::Function(id));
            single
        })
        .collect()
}

/// Every single change of each instruction of a module with one function.
pub fn perturb(module: &Module) -> Vec<Perturbed> {
    let mut all = Vec::new();
    for (function, body) in module.functions.iter() {
        for (operation, described) in body.operations.iter() {
            let site = OperationSite { module, function, operation };
            if described.is(Op::ALLOC_TILE) {
                site.addresses(&mut all);
            }
            let Some(instruction) = described.instruction() else { continue };
            site.more(&mut all, instruction.page().syntax);
            site.operands(&mut all);
            site.together(&mut all);
            site.attributes(&mut all);
        }
    }
    all
}

/// An instruction of a module.
struct OperationSite<'a> {
    module: &'a Module,
    function: FunctionId,
    operation: OperationId,
}

impl OperationSite<'_> {
    fn body(&self) -> &Function {
        &self.module.functions[self.function]
    }

    fn push(&self, all: &mut Vec<Perturbed>, change: String, apply: impl FnOnce(&mut Module)) {
        let name = &self.body().operations[self.operation].name;
        let mut module = self.module.clone();
        apply(&mut module);
        let instruction = name.as_str().trim_start_matches("pto.").to_owned();
        all.push(Perturbed { instruction, change, module });
    }

    fn operands(&self, all: &mut Vec<Perturbed>) {
        let operation = &self.body().operations[self.operation];
        let used = operation.operands.iter().map(|operand| (operand.role, operand.value));
        let made = operation.results.iter().map(|result| ("result", *result));
        for (role, value) in used.chain(made) {
            match &self.module.types[self.body().values[value].ty] {
                Type::Tile(tile) => {
                    for (change, changed) in tiles(tile) {
                        self.retype(all, value, format!("{role} {change}"), Type::Tile(changed));
                    }
                }
                Type::ConvTile(tile) => {
                    for (change, changed) in conv_tiles(tile) {
                        self.retype(all, value, format!("{role} {change}"), Type::ConvTile(changed));
                    }
                }
                Type::PartitionView { shape, element } => {
                    for (change, shape, element) in views(shape, *element) {
                        let ty = Type::PartitionView { shape, element };
                        self.retype(all, value, format!("{role} {change}"), ty);
                    }
                }
                Type::TensorView { shape, element } => {
                    for (change, shape, element) in views(shape, *element) {
                        let ty = Type::TensorView { shape, element };
                        self.retype(all, value, format!("{role} {change}"), ty);
                    }
                }
                Type::Scalar(scalar) => self.scalar(all, role, value, *scalar),
                _ => {}
            }
        }
        for index in 0..operation.operands.len() {
            let role = operation.operands[index].role;
            self.push(all, format!("without {role}"), |module| {
                module.functions[self.function].operations[self.operation].operands.remove(index);
            });
        }
    }

    /// A simultaneous change of all tiles of the instruction that agree in the changed property: element type, layout,
    /// rows or columns.
    fn together(&self, all: &mut Vec<Perturbed>) {
        let operation = &self.body().operations[self.operation];
        let values: Vec<ValueId> = operation.operands.iter().map(|operand| operand.value).collect();
        let tile_of = |value: ValueId| match &self.module.types[self.body().values[value].ty] {
            Type::Tile(tile) => Some(*tile),
            _ => None,
        };
        let mut leaders: Vec<TileType> = values.iter().filter_map(|value| tile_of(*value)).collect();
        leaders.dedup();
        for (first, change, changed) in leaders.iter().flat_map(|first| {
            tiles(first).into_iter().map(move |(change, changed)| (*first, change, changed))
        }) {
            let mut module = self.module.clone();
            let mut count = 0;
            for value in &values {
                let Some(tile) = tile_of(*value) else { continue };
                let Some(like) = follow(&first, &changed, &tile) else { continue };
                let ty = module.types.intern(Type::Tile(like));
                module.functions[self.function].values[*value].ty = ty;
                count += 1;
            }
            if count > 1 {
                self.push(all, format!("all {change}"), |into| *into = module);
            }
        }
    }

    fn retype(&self, all: &mut Vec<Perturbed>, value: ValueId, change: String, ty: Type) {
        self.push(all, change, |module| {
            let ty = module.types.intern(ty);
            module.functions[self.function].values[value].ty = ty;
        });
    }

    /// Other addresses of a tile: unaligned, beyond the buffer, in the part that some instructions reserve.
    fn addresses(&self, all: &mut Vec<Perturbed>) {
        let operation = &self.body().operations[self.operation];
        let Some(address) = operation.operand("addr") else { return };
        let others = [1, 32, 180 * 1024, 184 * 1024, 1 << 30];
        self.constants(all, "addr", address.value, |_| others.to_vec());
    }

    /// An additional operand, if a form of the instruction has it: a tile like the destination, or a scalar.
    fn more(&self, all: &mut Vec<Perturbed>, syntax: Syntax) {
        let Syntax::Destination(forms) = syntax else { return };
        let operation = &self.body().operations[self.operation];
        let ins = operation.operands.iter().filter(|operand| operand.group != OperandGroup::Out).count();
        let Some(last) = operation.operands.last() else { return };
        for form in forms.iter().filter(|form| form.ins.len() == ins + 1) {
            let added = form.ins[ins];
            let like = self.body().values[last.value].ty;
            self.push(all, format!("with {}", added.name), |module| {
                let ty = match added.kind {
                    Kind::Tile => like,
                    Kind::Scalar => module.types.intern(Type::Scalar(Scalar::Number(Element::I64))),
                    _ => return,
                };
                let function = &mut module.functions[self.function];
                let span = function.name_span;
                let value = function.values.push(Value { name: "more".into(), ty, span });
                function.arguments.push(Argument { value, attributes: Vec::new() });
                let group = added.keyword.map_or(OperandGroup::In, OperandGroup::Keyword);
                let operand = Operand { value, role: added.name, group, span };
                function.operations[self.operation].operands.insert(ins, operand);
            });
        }
    }

    /// Another type of a scalar, and other values of a constant.
    fn scalar(&self, all: &mut Vec<Perturbed>, role: &str, value: ValueId, scalar: Scalar) {
        if self.constant(value).is_some() {
            let others =
                |known| vec![-1, 0, 1, 3, known + 1, known + 8, known + 16, 4096, i128::from(i64::MAX)];
            return self.constants(all, role, value, others);
        }
        let others =
            [Scalar::Number(Element::F32), Scalar::Number(Element::I32), Scalar::Index, Scalar::Bool];
        for other in others {
            if other != scalar {
                let change = format!("{role} {} -> {}", scalar.word(), other.word());
                self.retype(all, value, change, Type::Scalar(other));
            }
        }
    }

    /// The constant that defines a value, with its operation.
    fn constant(&self, value: ValueId) -> Option<(OperationId, i128)> {
        let mut operations = self.body().operations.iter();
        let (id, made) = operations.find(|(_, operation)| operation.results.contains(&value))?;
        let known = made.integer("value")?;
        made.is(Op::ARITH_CONSTANT).then_some((id, known))
    }

    /// Other values of a constant.
    fn constants(
        &self,
        all: &mut Vec<Perturbed>,
        role: &str,
        value: ValueId,
        others: impl Fn(i128) -> Vec<i128>,
    ) {
        let Some((constant, known)) = self.constant(value) else { return };
        for other in others(known).into_iter().filter(|other| *other != known) {
            self.push(all, format!("{role} {known} -> {other}"), |module| {
                let operation = &mut module.functions[self.function].operations[constant];
                for attribute in &mut operation.attributes {
                    if let Attribute::Integer(value, _) = &mut attribute.value {
                        *value = other;
                    }
                }
            });
        }
    }

    /// Attribute words replaced, removed, or added.
    fn attributes(&self, all: &mut Vec<Perturbed>) {
        let operation = &self.body().operations[self.operation];
        for (index, attribute) in operation.attributes.iter().enumerate() {
            for (change, value) in numbers(&attribute.value) {
                self.push(all, format!("{} {change}", attribute.name), |module| {
                    let operation = &mut module.functions[self.function].operations[self.operation];
                    operation.attributes[index].value = value;
                });
            }
            self.push(all, format!("without {}", attribute.name), |module| {
                let operation = &mut module.functions[self.function].operations[self.operation];
                operation.attributes.remove(index);
                operation.inner_attributes = operation.inner_attributes.min(operation.attributes.len());
            });
            let Attribute::Enum { value: old, .. } = &attribute.value else { continue };
            let spec = operation.op().and_then(|op| op.page().attribute(&attribute.name));
            let known = spec.map_or(&[][..], |spec| words(spec));
            for word in known.iter().chain(&["nonsense"]).filter(|word| *word != old) {
                let change = format!("{} {old} -> {word}", attribute.name);
                self.push(all, change, |module| {
                    let operation = &mut module.functions[self.function].operations[self.operation];
                    if let Attribute::Enum { value, .. } = &mut operation.attributes[index].value {
                        *value = (*word).to_owned();
                    }
                });
            }
        }
        let listed = operation.op().map_or(&[][..], |op| op.page().attributes);
        for spec in listed.iter().filter(|spec| spec.names().all(|name| operation.attribute(name).is_none()))
        {
            for value in values(spec) {
                self.push(all, format!("with {} {value:?}", spec.name), |module| {
                    let attribute = NamedAttribute::new(spec.name, value);
                    module.functions[self.function].operations[self.operation].attributes.push(attribute);
                });
            }
        }
    }
}

/// The words of an attribute.
fn words(spec: &AttributeSpec) -> &'static [&'static str] {
    match spec.kind {
        AttributeKind::Words(_, words) => words,
        _ => &[],
    }
}

/// Values with which an attribute is added: its words, or a number and a truth value, and one that it refuses.
fn values(spec: &AttributeSpec) -> Vec<Attribute> {
    let word = |name: &str, value: &str| Attribute::Enum {
        name: name.into(),
        value: value.into(),
        spelling: EnumSpelling::Dotted,
    };
    let mut values = match spec.kind {
        AttributeKind::Words(name, words) => words.iter().map(|one| word(name, one)).collect(),
        AttributeKind::Integer | AttributeKind::Number => vec![Attribute::Integer(1, None)],
        AttributeKind::Bool => vec![Attribute::Bool(true)],
        AttributeKind::Integers => vec![Attribute::Array(vec![Attribute::Integer(1, None); 2])],
        _ => Vec::new(),
    };
    values.push(word("nonsense", "nonsense"));
    values
}

/// Extents and element types of a view with one change, and its description.
fn views(shape: &[Option<u64>], element: Element) -> Vec<(String, Vec<Option<u64>>, Element)> {
    let mut all = Vec::new();
    for at in 0..shape.len() {
        let mut larger = shape.to_vec();
        larger[at] = larger[at].map(|extent| extent + 1);
        all.push((format!("extent {at} larger"), larger, element));
        let mut single = shape.to_vec();
        single[at] = single[at].map(|_| 1);
        all.push((format!("extent {at} -> 1"), single, element));
    }
    if shape.len() < 5 {
        let deeper = std::iter::once(Some(2)).chain(shape.iter().copied()).collect();
        all.push(("with one more dimension".to_owned(), deeper, element));
    }
    let others = [Element::F32, Element::I32, Element::F16, Element::I8];
    for other in others.into_iter().filter(|other| *other != element) {
        all.push((format!("of {other:?}"), shape.to_vec(), other));
    }
    all
}

/// A convolution tile type with one change, and its description.
fn conv_tiles(tile: &ConvTileType) -> Vec<(String, ConvTileType)> {
    let mut all = Vec::new();
    for element in Element::ALL {
        let word = pto::isa::element::element_word(element);
        all.push((format!("element -> {word}"), ConvTileType { element, ..*tile }));
    }
    for location in Location::ALL {
        all.push((format!("location -> {}", location.word()), ConvTileType { location, ..*tile }));
    }
    for layout in ConvLayout::ALL {
        all.push((format!("layout -> {}", layout.word()), ConvTileType { layout, ..*tile }));
    }
    for at in 0..tile.layout.rank() {
        for extent in [1, tile.extents[at] + 1, 2 * tile.extents[at]] {
            let mut changed = *tile;
            changed.extents[at] = extent;
            all.push((format!("extent {at} -> {extent}"), changed));
        }
    }
    all.retain(|(_, changed)| changed != tile);
    all
}

/// The tile with the change from `old` to `new`, if it equals `old` in the changed property.
fn follow(old: &TileType, new: &TileType, tile: &TileType) -> Option<TileType> {
    let mut like = *tile;
    let mut agrees = true;
    macro_rules! follow {
        ($($field:ident),*) => {$(
            if old.$field != new.$field {
                agrees &= tile.$field == old.$field;
                like.$field = new.$field;
            }
        )*};
    }
    follow!(location, element, rows, cols, valid_rows, valid_cols, blayout, slayout, fractal, pad, compact);
    agrees.then_some(like)
}

/// A number, or a list of numbers, with one changed.
fn numbers(attribute: &Attribute) -> Vec<(String, Attribute)> {
    let others =
        |known: i128| [-1, 0, 2, known + 1, 100, 70_000].into_iter().filter(move |other| *other != known);
    match attribute {
        Attribute::Integer(known, ty) => {
            others(*known).map(|other| (format!("-> {other}"), Attribute::Integer(other, *ty))).collect()
        }
        Attribute::Array(list) => {
            let mut all = Vec::new();
            for (at, member) in list.iter().enumerate() {
                for (change, changed) in numbers(member) {
                    let mut list = list.clone();
                    list[at] = changed;
                    all.push((format!("{at} {change}"), Attribute::Array(list)));
                }
            }
            all
        }
        _ => Vec::new(),
    }
}

/// A tile type with one change, and its description.
fn tiles(tile: &TileType) -> Vec<(String, TileType)> {
    let mut all = Vec::new();
    let mut push = |change: String, changed: TileType| {
        if changed != *tile {
            all.push((change, changed));
        }
    };
    for element in Element::ALL {
        let word = pto::isa::element::element_word;
        push(format!("element {} -> {}", word(tile.element), word(element)), TileType { element, ..*tile });
    }
    for location in Location::ALL {
        let change = format!("location {} -> {}", tile.location.word(), location.word());
        push(change, TileType { location, ..*tile });
    }
    for blayout in [BLayout::RowMajor, BLayout::ColMajor] {
        for slayout in [SLayout::NoneBox, SLayout::RowMajor, SLayout::ColMajor] {
            let changed = TileType { blayout, slayout, ..*tile };
            let change = format!("layout {} -> {}", tile.layout().name.word(), changed.layout().name.word());
            push(change, changed);
        }
    }
    for fractal in [32, 512, 1024] {
        push(format!("fractal {} -> {fractal}", tile.fractal), TileType { fractal, ..*tile });
    }
    for pad in [Pad::NULL, Pad::ZERO, Pad::MIN] {
        push(format!("pad {} -> {}", tile.pad.0, pad.0), TileType { pad, ..*tile });
    }
    for compact in CompactMode::ALL {
        push(format!("compact {:?} -> {compact:?}", tile.compact), TileType { compact, ..*tile });
    }
    extents(tile, &mut push);
    all
}

/// Other declared extents with the same valid region, and other valid regions.
fn extents(tile: &TileType, push: &mut impl FnMut(String, TileType)) {
    let others = |extent: u32| {
        let list = [
            1,
            extent / 2,
            extent.saturating_sub(1),
            extent + 1,
            extent + 16,
            extent * 2,
            1024,
            4096,
            70_000,
        ];
        list.into_iter().filter(move |other| *other != extent && *other > 0)
    };
    for rows in others(tile.rows) {
        let full = tile.valid_rows == Some(tile.rows);
        let valid_rows = tile.valid_rows.map(|valid| if full { rows } else { valid.min(rows) });
        push(format!("rows {} -> {rows}", tile.rows), TileType { rows, valid_rows, ..*tile });
        if full && rows > tile.rows {
            let change = format!("rows {} -> {rows}, as many valid", tile.rows);
            push(change, TileType { rows, ..*tile });
        }
    }
    for cols in others(tile.cols) {
        let full = tile.valid_cols == Some(tile.cols);
        let valid_cols = tile.valid_cols.map(|valid| if full { cols } else { valid.min(cols) });
        push(format!("columns {} -> {cols}", tile.cols), TileType { cols, valid_cols, ..*tile });
        if full && cols > tile.cols {
            let change = format!("columns {} -> {cols}, as many valid", tile.cols);
            push(change, TileType { cols, ..*tile });
        }
    }
    for valid in [0, 1, 8, 15, tile.rows / 2, tile.rows.saturating_sub(1)] {
        let valid_rows = Some(valid.min(tile.rows));
        push(format!("valid rows -> {valid}"), TileType { valid_rows, ..*tile });
    }
    for valid in [0, 1, 8, 15, tile.cols / 2, tile.cols.saturating_sub(1)] {
        let valid_cols = Some(valid.min(tile.cols));
        push(format!("valid columns -> {valid}"), TileType { valid_cols, ..*tile });
    }
}
