//! The interface of a kernel: its arguments and their uses in the program.

use super::dependence::Dependence;
use super::expression::{Expression, Expressions};
use super::{Facts, Storage, touches};
use crate::ir::{Function, FunctionId, Module, Operation, Scalar, Type, ValueId};
use pto_isa::diag::Span;
use pto_isa::element::Element;
use pto_isa::meaning::Meaning;
use pto_isa::op::effect::Access;
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use std::collections::{HashMap, HashSet};

/// The kind of an argument of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A buffer in global memory with elements of this type.
    Buffer(Element),
    /// A scalar of this type.
    Scalar(Scalar),
    /// A scalar that the launch fills in: the index of the block, or the number of blocks.
    Launch(Scalar),
    /// A type that a launch cannot give.
    Other,
}

impl ParameterKind {
    /// The kind of an argument of a function.
    pub fn of(module: &Module, function: &Function, argument: ValueId) -> ParameterKind {
        let is_fact = function.launch_fact(&module.types, argument).is_some();
        match &module.types[function.values[argument].ty] {
            Type::Scalar(scalar) if is_fact => ParameterKind::Launch(*scalar),
            Type::Scalar(scalar) => ParameterKind::Scalar(*scalar),
            Type::Pointer { element, .. } => ParameterKind::Buffer(element.element()),
            Type::MemRef { element, .. } => ParameterKind::Buffer(*element),
            _ => ParameterKind::Other,
        }
    }
}

/// A view that a program makes of a buffer.
#[derive(Clone, Debug)]
pub struct BufferView {
    /// Name of the view, without `%`.
    pub name: String,
    /// Span of the operation that makes the view.
    pub span: Span,
    /// Elements from the start of the buffer to the first element of the view.
    pub offset: Expression,
    /// Extents in elements, outermost first.
    pub shape: Vec<Expression>,
    /// Strides in elements, outermost first.
    pub strides: Vec<Expression>,
}

/// Role of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// An extent of a view.
    Extent,
    /// A stride of a view.
    Stride,
    /// An offset into a view or a buffer.
    Offset,
    /// An extent of a part of a view.
    Size,
    /// The first value, the end or the step of a loop.
    Loop,
    /// Valid rows or columns of a tile.
    ValidRegion,
    /// A condition.
    Condition,
    /// An operand of an instruction.
    Operand,
}

/// A use of a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// Role of the scalar.
    pub role: Role,
    /// Name of the value or operation whose property it determines, such as a view or `tadds`.
    pub of: String,
    /// Number of the dimension, counted from the outermost, for extents, strides, offsets and sizes.
    pub dimension: Option<usize>,
    /// Span of the use.
    pub span: Span,
    /// Whether the operand is an expression of the scalar; else the operand depends on the scalar, or on the contents of the
    /// buffer, in another way: through a comparison, a choice, memory.
    pub is_exact: bool,
}

/// An argument of a kernel.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Name without `%`.
    pub name: String,
    /// Value of the argument in the entry function.
    pub value: ValueId,
    /// Value of the argument in each function that shares the arguments of the entry, the entry first.
    pub values: Vec<(FunctionId, ValueId)>,
    /// Kind of the argument.
    pub kind: ParameterKind,
    /// Whether an instruction reads the buffer.
    pub reads: bool,
    /// Whether an instruction writes the buffer.
    pub writes: bool,
    /// The views that the program makes of the buffer, in program order.
    pub views: Vec<BufferView>,
    /// The uses of the scalar, or of scalars that depend on the contents of the buffer, in program order.
    pub uses: Vec<Use>,
}

/// The arguments of a kernel.
#[derive(Clone, Debug)]
pub struct Interface {
    /// Name of the entry function.
    pub entry: String,
    /// The entry function.
    pub function: FunctionId,
    /// The arguments, in order.
    pub parameters: Vec<Parameter>,
    dependence: Dependence,
}

impl Interface {
    /// Interface of the kernel made of `functions`, the entry first. A function without a caller among them shares
    /// the arguments of the entry: the cube and the vector function of a kernel are such a pair.
    ///
    /// # Panics
    /// If there is no function.
    pub fn of(module: &Module, functions: &[FunctionId], profile: Profile) -> Interface {
        let entry = functions[0];
        let function = &module.functions[entry];
        let parameters =
            function.arguments.iter().map(|argument| Parameter::new(module, function, argument.value));
        let parameters: Vec<Parameter> = parameters.collect();
        let collector = Collector::new(module, functions, profile);
        let dependence = collector.dependence(functions);
        let mut interface =
            Interface { entry: function.name.clone(), function: entry, parameters, dependence };
        for root in &collector.roots {
            for (parameter, argument) in
                interface.parameters.iter_mut().zip(&module.functions[*root].arguments)
            {
                parameter.values.push((*root, argument.value));
            }
        }
        for &id in functions {
            collector.function(id, &mut interface);
        }
        interface
    }

    /// The numbers of the arguments on which a value depends: scalars, and buffers by their contents.
    pub fn dependence(&self, function: FunctionId, value: ValueId) -> &[usize] {
        self.dependence.arguments(function, value)
    }
}

impl Parameter {
    fn new(module: &Module, function: &Function, value: ValueId) -> Parameter {
        let name = function.values[value].name.clone();
        let kind = ParameterKind::of(module, function, value);
        let (values, views, uses) = (Vec::new(), Vec::new(), Vec::new());
        Parameter { name, value, values, kind, reads: false, writes: false, views, uses }
    }

    /// Whether an operand that is an expression of the scalar has this role.
    pub fn has(&self, role: Role) -> bool {
        self.uses.iter().any(|used| used.role == role && used.is_exact)
    }

    /// Whether the scalar, or the contents of the buffer, determine numbers of iterations, extents of tiles,
    /// branches, or locations of data.
    pub fn decides(&self) -> bool {
        use Role::{Condition, Extent, Loop, Offset, Size, ValidRegion};
        let roles = [Extent, Size, Loop, ValidRegion, Condition, Offset];
        self.uses.iter().any(|used| roles.contains(&used.role))
    }
}

/// Collects the accesses to arguments and the uses of scalars.
struct Collector<'a> {
    module: &'a Module,
    profile: Profile,
    storage: Storage,
    expressions: Expressions<'a>,
    /// The functions that no other one calls.
    roots: Vec<FunctionId>,
    /// Positions of the arguments of these functions, by number in `storage`.
    arguments: HashMap<u32, usize>,
}

impl<'a> Collector<'a> {
    fn new(module: &'a Module, functions: &[FunctionId], profile: Profile) -> Collector<'a> {
        let names = crate::ir::Names::of(module);
        let called: HashSet<FunctionId> = functions
            .iter()
            .flat_map(|id| {
                module.functions[*id].operations.iter().map(move |(_, operation)| (*id, operation))
            })
            .filter(|(_, operation)| operation.meaning() == Meaning::Call)
            .filter_map(|(id, operation)| names.find(&module.functions[id], operation.symbol("callee")?))
            .collect();
        let roots: Vec<FunctionId> =
            functions.iter().copied().filter(|id| *id == functions[0] || !called.contains(id)).collect();
        let (storage, expressions) = (Storage::of(module), Expressions::of(module, functions));
        let arguments = roots.iter().flat_map(|root| {
            let values = module.functions[*root].arguments.iter().map(|argument| argument.value);
            values.enumerate().map(|(at, value)| (storage.number(*root, value), at))
        });
        let arguments = arguments.collect();
        Collector { module, profile, storage, expressions, roots, arguments }
    }

    /// The numbers of the arguments whose buffers a value may refer to.
    fn buffers(&self, function: FunctionId, value: ValueId) -> Vec<usize> {
        let is_argument = |number| self.arguments.contains_key(&number);
        let sources = self.storage.sources_until(function, value, is_argument);
        sources.iter().filter_map(|source| self.arguments.get(source).copied()).collect()
    }

    /// The number of the argument that a value is.
    fn scalar(&self, (function, value): (FunctionId, ValueId)) -> Option<usize> {
        let root = self.roots.iter().find(|root| **root == function)?;
        self.module.functions[*root].arguments.iter().position(|argument| argument.value == value)
    }

    /// The data flow from the arguments.
    fn dependence(&self, functions: &[FunctionId]) -> Dependence {
        let arguments = self.roots.iter().flat_map(|root| {
            let arguments = self.module.functions[*root].arguments.iter().enumerate();
            arguments.map(|(at, argument)| ((*root, argument.value), at))
        });
        Dependence::of(self.module, functions, self.profile, &arguments.collect::<Vec<_>>())
    }

    fn function(&self, id: FunctionId, interface: &mut Interface) {
        let Interface { parameters, dependence, .. } = interface;
        let function = &self.module.functions[id];
        let facts = Facts::of(function, &self.module.types);
        for (_, operation) in function.operations.iter() {
            if operation.meaning() != Meaning::Call {
                for touch in touches(function, &self.module.types, &facts, operation, self.profile) {
                    for at in self.buffers(id, touch.value) {
                        let Some(parameter) = parameters.get_mut(at) else { continue };
                        match touch.access {
                            Access::Read => parameter.reads = true,
                            access if access.changes() => parameter.writes = true,
                            _ => {}
                        }
                    }
                }
            }
            if operation.meaning() == Meaning::MakeView
                && let Some(view) = operation.result()
            {
                for at in self.buffers(id, view) {
                    let Some(parameter) = parameters.get_mut(at) else { continue };
                    parameter.views.extend(self.view(id, function, operation));
                }
            }
            self.uses(id, operation, dependence, parameters);
        }
    }

    fn view(&self, id: FunctionId, function: &Function, operation: &Operation) -> Option<BufferView> {
        let all =
            |role| operation.operands_in(role).map(|operand| self.expressions.express(id, operand.value));
        Some(BufferView {
            name: function.values[operation.result()?].name.clone(),
            span: operation.span,
            offset: self.expressions.offset((id, operation.value("source")?)),
            shape: all("shape").collect(),
            strides: all("strides").collect(),
        })
    }

    /// Adds the uses of scalar arguments by an operation.
    fn uses(
        &self,
        id: FunctionId,
        operation: &Operation,
        dependence: &Dependence,
        parameters: &mut [Parameter],
    ) {
        let function = &self.module.functions[id];
        if operation.meaning().is_scalar() || operation.meaning() == Meaning::Call {
            return;
        }
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for operand in &operation.operands {
            let seen = counts.iter().position(|(role, _)| *role == operand.role).unwrap_or_else(|| {
                counts.push((operand.role, 0));
                counts.len() - 1
            });
            let nth = counts[seen].1;
            counts[seen].1 += 1;
            if !matches!(self.module.types[function.values[operand.value].ty], Type::Scalar(_)) {
                continue;
            }
            let Some(role) = role_of(operation, operand.role) else { continue };
            let dimension =
                matches!(role, Role::Extent | Role::Stride | Role::Offset | Role::Size).then_some(nth);
            let of = match operation.result() {
                Some(result) if role != Role::Operand && role != Role::Loop => {
                    format!("%{}", function.values[result].name)
                }
                _ => operation.short_name().to_owned(),
            };
            let values = self.expressions.express(id, operand.value).values();
            let exact: Vec<usize> = values.into_iter().filter_map(|at| self.scalar(at)).collect();
            for at in exact.iter().chain(dependence.arguments(id, operand.value)) {
                let Some(parameter) = parameters.get_mut(*at) else { continue };
                let is_exact = exact.contains(at);
                let used = Use { role, of: of.clone(), dimension, span: operation.span, is_exact };
                if !parameter.uses.contains(&used) {
                    parameter.uses.push(used);
                }
            }
        }
    }
}

/// Role of an operand of an operation; `None` if it only passes on.
fn role_of(operation: &Operation, role: &str) -> Option<Role> {
    Some(match (operation.meaning(), role) {
        (Meaning::MakeView, "shape") => Role::Extent,
        (Meaning::MakeView, "strides") => Role::Stride,
        (Meaning::Partition, "sizes") => Role::Size,
        (Meaning::Partition | Meaning::AddPointer, _) => Role::Offset,
        (Meaning::For, "init") | (Meaning::Yield | Meaning::Return | Meaning::Condition, _) => return None,
        (Meaning::For, _) => Role::Loop,
        (Meaning::If | Meaning::Switch | Meaning::BranchIf, _) => Role::Condition,
        (Meaning::AllocTile, "valid_row" | "valid_col") => Role::ValidRegion,
        _ if operation.is(Op::SET_VALIDSHAPE) => Role::ValidRegion,
        _ => Role::Operand,
    })
}
