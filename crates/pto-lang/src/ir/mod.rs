//! The program as plain data: modules, functions, regions, operations, values.
//!
//! Objects of a function are in its arenas and are identified by handles; every object has a span. Facts that only
//! one stage needs are not stored here.

pub(crate) mod comments;
pub mod fields;
pub mod flow;
mod kernel;
mod names;
mod operation;
mod order;
mod part;
pub mod rewrite;

pub use comments::{PlacedComment, Spot};
pub use names::Names;
pub use operation::OperationName;
pub use order::{Event, Order};
pub use pto_isa::arena::{Arena, Handle};
pub use pto_isa::attribute::{Attribute, EnumSpelling, NamedAttribute, find as find_attribute};
pub use pto_isa::types::{Scalar, Type, TypeId, TypeTable};

use pto_isa::diag::Span;

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Every type that occurs.
    pub types: TypeTable,
    /// The tree of modules and functions, in source order.
    pub items: Vec<Item>,
    /// All functions, nested ones too, in source order.
    pub functions: Arena<Function>,
    /// Comments outside the bodies of functions, in source order.
    pub comments: Vec<Comment>,
    /// The `!name = type` definitions, in source order.
    pub type_aliases: Vec<TypeAlias>,
    /// `#name = ...` definitions that locations refer to, as written.
    pub location_aliases: Vec<String>,
}

/// A name for a type, `!name = type`. Uses of the name are the type itself; printing finds the name again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeAlias {
    /// The name without `!`.
    pub name: String,
    /// The type.
    pub ty: TypeId,
    /// The definition; empty for one that is not in the source.
    pub span: Span,
}

/// A member of a module.
#[derive(Clone, Debug)]
pub enum Item {
    /// A module.
    Module(ModuleItem),
    /// A function.
    Function(FunctionId),
}

impl Item {
    /// Byte offset at which the item starts.
    pub(crate) fn start(&self, module: &Module) -> u32 {
        match self {
            Item::Module(inner) => inner.span.start,
            Item::Function(function) => module.functions[*function].span.start,
        }
    }
}

/// A `module { ... }`.
#[derive(Clone, Debug)]
pub struct ModuleItem {
    /// Symbol name of the module, if there is one.
    pub name: Option<String>,
    /// Attributes such as `pto.target_arch`.
    pub attributes: Vec<NamedAttribute>,
    /// Members of the module.
    pub items: Vec<Item>,
    /// From the keyword to the closing brace.
    pub span: Span,
    /// `loc(...)` after the module, as written.
    pub location: Option<String>,
}

/// A comment, with its `//`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The text, from `//` to the end of the line, without trailing blanks.
    pub text: String,
    /// Source location.
    pub span: Span,
    /// Whether code precedes the comment on its line.
    pub trailing: bool,
    /// Whether a blank line is before it.
    pub blank_before: bool,
}

/// The handle of a function.
pub type FunctionId = Handle<Function>;
/// The handle of a value.
pub type ValueId = Handle<Value>;
/// The handle of an operation.
pub type OperationId = Handle<Operation>;
/// The handle of a block.
pub type BlockId = Handle<Block>;
/// The handle of a region.
pub type RegionId = Handle<Region>;

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Symbol name without `@`.
    pub name: String,
    /// `private`, `public` or nothing.
    pub visibility: Option<String>,
    /// Arguments. A declaration has them too.
    pub arguments: Vec<Argument>,
    /// Types of results.
    pub results: Vec<TypeId>,
    /// Attributes such as `pto.kernel_kind`.
    pub attributes: Vec<NamedAttribute>,
    /// The body; `None` for a declaration.
    pub body: Option<RegionId>,
    /// Values defined in the function.
    pub values: Arena<Value>,
    /// Operations of the function.
    pub operations: Arena<Operation>,
    /// Blocks of the function.
    pub blocks: Arena<Block>,
    /// Regions of the function.
    pub regions: Arena<Region>,
    /// Comments in the body of the function, in source order.
    pub comments: Vec<PlacedComment>,
    /// From the keyword to the closing brace.
    pub span: Span,
    /// The name.
    pub name_span: Span,
    /// `loc(...)` after the function, as written.
    pub location: Option<String>,
    /// The attributes of the modules that contain the function, outermost first.
    pub module_attributes: std::sync::Arc<[NamedAttribute]>,
}

/// An argument of a function.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The value inside the function.
    pub value: ValueId,
    /// Attributes after the argument's type.
    pub attributes: Vec<NamedAttribute>,
}

/// A value: the result of an operation, or the argument of a block.
#[derive(Clone, Debug)]
pub struct Value {
    /// Name without `%`. Results of one packed definition are named `pack#0`, `pack#1`, ...
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// Source location of the value's definition.
    pub span: Span,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Name of the operation: a handle into the registry, or an unknown name.
    pub name: OperationName,
    /// Operands in the order in which they are written.
    pub operands: Vec<Operand>,
    /// Results.
    pub results: Vec<ValueId>,
    /// Attributes in the order in which they are written.
    pub attributes: Vec<NamedAttribute>,
    /// Number of `attributes` inside the parentheses of `ins(...)`.
    pub inner_attributes: usize,
    /// Nested regions.
    pub regions: Vec<RegionId>,
    /// Blocks to which control may pass.
    pub successors: Vec<Successor>,
    /// Spelling of the operation.
    pub spelling: Spelling,
    /// Index of the syntax pattern; 0 if the operation's name has only one pattern.
    pub variant: u8,
    /// From the first result to the end of the operation.
    pub span: Span,
    /// The name.
    pub name_span: Span,
    /// The span of the result type, if its own syntax writes one; else empty.
    pub type_span: Span,
    /// `loc(...)` after the operation, as written.
    pub location: Option<String>,
}

/// The spelling of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Spelling {
    /// Destination-passing, `pto.op ins(...) outs(...)`, or the operation's own syntax.
    #[default]
    Standard,
    /// `%d = pto.op %a, %b : (...) -> ...`.
    Ssa,
    /// `%d = op %a, %b : T -> T`.
    Assembly,
    /// `"pto.op"(%a, %b) : (...) -> ...`.
    Generic,
}

/// The use of a value.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The value.
    pub value: ValueId,
    /// Role of the operand: `src0`, `dst`, ...
    pub role: &'static str,
    /// The list that contains the operand.
    pub group: OperandGroup,
    /// The source location of the use.
    pub span: Span,
}

/// The list of a destination-passing operation that contains an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperandGroup {
    /// In `ins(...)`, or anywhere in an operation with its own syntax.
    In,
    /// In `ins(...)`, after the types of the operands before it.
    Apart,
    /// After a keyword in `ins(...)`, such as `fp %t`.
    Keyword(&'static str),
    /// In `outs(...)`.
    Out,
}

/// A block to which control may pass, with values for its arguments.
#[derive(Clone, Debug)]
pub struct Successor {
    /// The block.
    pub block: BlockId,
    /// Values for the arguments of the block.
    pub arguments: Vec<Operand>,
}

/// A list of blocks; control enters at the first.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// Blocks in source order.
    pub blocks: Vec<BlockId>,
}

/// Operations that run in order.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Name without `^`; empty without a header.
    pub name: String,
    /// Arguments.
    pub arguments: Vec<ValueId>,
    /// Operations.
    pub operations: Vec<OperationId>,
    /// The header.
    pub span: Span,
}
