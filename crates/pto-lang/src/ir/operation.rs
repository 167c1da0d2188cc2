//! Names of operations, and typed access to operands and attributes.

use super::{Attribute, NamedAttribute, Operand, Operation, Spelling, ValueId};
use pto_isa::diag::Span;
use pto_isa::meaning::Meaning;
use pto_isa::op::Instruction;
use pto_isa::op::form::Syntax;
use pto_isa::pipe::Pipe;
use pto_isa::registry::Op;
use std::fmt;

/// The name of an operation: a handle into the registry with the written spelling, or an unknown name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationName(Name);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Known { op: Op, spelling: u8 },
    Unknown(Box<str>),
}

impl OperationName {
    /// The operation; `None` for an unknown name.
    pub fn op(&self) -> Option<Op> {
        match &self.0 {
            Name::Known { op, .. } => Some(*op),
            Name::Unknown(_) => None,
        }
    }

    /// The full name as written: `pto.tmov.m2l` differs from `pto.tmov`.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Name::Known { op, spelling } => op.spelling(*spelling),
            Name::Unknown(name) => name,
        }
    }

    /// The printed full name. Operations with `ins` and `outs` print their main name, not the parsed alias.
    pub(crate) fn canonical(&self) -> &str {
        match &self.0 {
            Name::Known { op, .. } if matches!(op.page().syntax, Syntax::Destination(_)) => op.name(),
            _ => self.as_str(),
        }
    }
}

impl From<Op> for OperationName {
    fn from(op: Op) -> OperationName {
        OperationName(Name::Known { op, spelling: 0 })
    }
}

impl From<&str> for OperationName {
    fn from(name: &str) -> OperationName {
        OperationName(match Op::spelled(name) {
            Some((op, spelling)) => Name::Known { op, spelling },
            None => Name::Unknown(name.into()),
        })
    }
}

impl fmt::Display for OperationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Operation {
    /// An operation without operands, results and regions, not yet in a block.
    pub fn new(name: impl Into<OperationName>, attributes: Vec<NamedAttribute>) -> Operation {
        Operation {
            name: name.into(),
            operands: Vec::new(),
            results: Vec::new(),
            attributes,
            inner_attributes: 0,
            regions: Vec::new(),
            successors: Vec::new(),
            spelling: Spelling::Standard,
            variant: 0,
            span: Span::default(),
            name_span: Span::default(),
            type_span: Span::default(),
            location: None,
        }
    }

    /// Handle of the operation in the registry; `None` for an unknown name.
    pub fn op(&self) -> Option<Op> {
        self.name.op()
    }

    /// Whether the operation is `op`, in any spelling.
    pub fn is(&self, op: Op) -> bool {
        self.op() == Some(op)
    }

    /// Whether the operation is in `list`, in any spelling.
    pub fn is_one_of(&self, list: &[Op]) -> bool {
        self.op().is_some_and(|op| list.contains(&op))
    }

    /// The instruction of the operation; `None` if the operation is not an instruction.
    pub fn instruction(&self) -> Option<&'static dyn Instruction> {
        self.op()?.instruction()
    }

    /// Semantics of the operation; an unknown operation does not run.
    pub fn meaning(&self) -> Meaning {
        self.op().map_or(Meaning::NotRun, Op::meaning)
    }

    /// Name of the operation without its dialect.
    pub fn short_name(&self) -> &str {
        let name = self.name.as_str();
        name.split_once('.').map_or(name, |(_, rest)| rest)
    }

    /// The first operand in a role.
    pub fn operand(&self, role: &str) -> Option<&Operand> {
        self.operands.iter().find(|operand| operand.role == role)
    }

    /// All operands in a role.
    pub fn operands_in<'a>(&'a self, role: &'a str) -> impl Iterator<Item = &'a Operand> {
        self.operands.iter().filter(move |operand| operand.role == role)
    }

    /// The value of the first operand in a role.
    pub fn value(&self, role: &str) -> Option<ValueId> {
        self.operand(role).map(|operand| operand.value)
    }

    /// The first result.
    pub fn result(&self) -> Option<ValueId> {
        self.results.first().copied()
    }

    /// The attribute with this key.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        super::find_attribute(&self.attributes, name)
    }

    /// The word or string of an attribute.
    pub fn word(&self, name: &str) -> Option<&str> {
        self.attribute(name)?.as_word()
    }

    /// The integer of an attribute.
    pub fn integer(&self, name: &str) -> Option<i128> {
        self.attribute(name)?.as_integer()
    }

    /// The integer of an attribute, or the page's default if it is not written.
    pub fn integer_or_default(&self, name: &str) -> Option<i128> {
        self.integer(name).or_else(|| self.op()?.page().default_integer(name))
    }

    /// The symbol of an attribute, without `@`.
    pub fn symbol(&self, name: &str) -> Option<&str> {
        match self.attribute(name)? {
            Attribute::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// The integers of a list attribute.
    pub fn integers(&self, name: &str) -> Option<Vec<i128>> {
        match self.attribute(name)? {
            Attribute::Array(list) => list.iter().map(Attribute::as_integer).collect(),
            _ => None,
        }
    }

    /// The pipe that an attribute names, directly or as a class of instructions.
    pub fn pipe(&self, name: &str) -> Option<Pipe> {
        Pipe::of_word(self.word(name)?)
    }
}
