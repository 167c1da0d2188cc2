//! Legal programs with one property of one instruction changed.
//!
//! The programs stay well-formed: only rules of the instruction can reject them.

mod changes;

use changes::{conv_tiles, follow, numbers, tiles, values, views, words};
use pto::ir::{
    Argument, Attribute, Function, FunctionId, Item, Module, NamedAttribute, Operand, OperandGroup,
    OperationId, Scalar, Type, Value, ValueId,
};
use pto::isa::Op;
use pto::isa::element::Element;
use pto::isa::op::form::{Kind, Syntax};
use pto::isa::tile::TileType;

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
