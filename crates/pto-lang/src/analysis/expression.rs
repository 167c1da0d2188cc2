//! Integers of a program as expressions of the scalars that a launch gives.

use crate::ir::{FunctionId, Module, Names, OperationId, ValueId};
use pto_isa::meaning::{Binary, Conversion, Meaning};
use pto_isa::registry::Op;
use pto_isa::scalar::Width;
use std::collections::HashMap;
use std::fmt;

/// Most operations that one expression has; a larger one ends in the names of intermediate values.
const LARGEST: usize = 32;

/// An integer as an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expression {
    /// A constant.
    Constant(i64),
    /// A value by its name: an argument, a loop counter, the index of the block, or a number that the program reads.
    Value(FunctionId, ValueId, String),
    /// An operation on two integers.
    Binary(Binary, Box<[Expression; 2]>),
}

impl Expression {
    /// The number, given the numbers of the values in it; `None` if one is unknown, or for a division by zero.
    pub fn evaluate(&self, known: &impl Fn(FunctionId, ValueId) -> Option<i64>) -> Option<i64> {
        match self {
            Expression::Constant(number) => Some(*number),
            Expression::Value(function, value, _) => known(*function, *value),
            Expression::Binary(op, sides) => {
                let [a, b] = [sides[0].evaluate(known)?, sides[1].evaluate(known)?];
                op.apply(Width::of(64), a as u64, b as u64).map(|bits| bits as i64)
            }
        }
    }

    /// The constant, if it is one.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Expression::Constant(number) => Some(*number),
            _ => None,
        }
    }

    /// The values in it, from left to right.
    pub fn values(&self) -> Vec<(FunctionId, ValueId)> {
        match self {
            Expression::Constant(_) => Vec::new(),
            Expression::Value(function, value, _) => vec![(*function, *value)],
            Expression::Binary(_, sides) => sides.iter().flat_map(Expression::values).collect(),
        }
    }

    /// An operation on two expressions, without additions of zero and products with one.
    pub(super) fn binary(op: Binary, left: Expression, right: Expression) -> Expression {
        use Binary::{Add, CeilDivSigned, DivSigned, DivUnsigned, FloorDivSigned, Mul, Sub};
        match (op, left.constant(), right.constant()) {
            (_, Some(a), Some(b)) => {
                if let Some(bits) = op.apply(Width::of(64), a as u64, b as u64) {
                    return Expression::Constant(bits as i64);
                }
            }
            (Add, Some(0), _) | (Mul, Some(1), _) => return right,
            (Add | Sub, _, Some(0)) => return left,
            (Mul | DivSigned | DivUnsigned | CeilDivSigned | FloorDivSigned, _, Some(1)) => return left,
            _ => {}
        }
        Expression::Binary(op, Box::new([left, right]))
    }
}

/// How an operation is written: as a function, or between its sides with a precedence.
fn notation(op: Binary) -> (&'static str, Option<u8>) {
    match op {
        Binary::Add => ("+", Some(1)),
        Binary::Sub => ("-", Some(1)),
        Binary::Mul => ("*", Some(2)),
        Binary::DivSigned | Binary::DivUnsigned | Binary::FloorDivSigned => ("/", Some(2)),
        Binary::RemSigned | Binary::RemUnsigned => ("%", Some(2)),
        Binary::CeilDivSigned => ("ceildiv", None),
        Binary::MinSigned | Binary::MinUnsigned => ("min", None),
        Binary::MaxSigned | Binary::MaxUnsigned => ("max", None),
        Binary::And => ("and", None),
        Binary::Or => ("or", None),
        Binary::Xor => ("xor", None),
        Binary::ShiftLeft => ("shl", None),
        Binary::ShiftRightSigned | Binary::ShiftRightUnsigned => ("shr", None),
        Binary::Float(_) => ("float", None),
    }
}

impl fmt::Display for Expression {
    /// As in the source of a program: `(n + 15) / 16 * 16`, `min(rows, 64)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Constant(number) => write!(f, "{number}"),
            Expression::Value(_, _, name) => f.write_str(name),
            Expression::Binary(op, sides) => {
                let [left, right] = &**sides;
                let (sign, Some(level)) = notation(*op) else {
                    return write!(f, "{}({left}, {right})", notation(*op).0);
                };
                let level_of = |side: &Expression| match side {
                    Expression::Binary(op, _) => notation(*op).1.unwrap_or(3),
                    _ => 3,
                };
                let side = |f: &mut fmt::Formatter<'_>, side: &Expression, least: u8| {
                    if level_of(side) < least { write!(f, "({side})") } else { write!(f, "{side}") }
                };
                side(f, left, level)?;
                write!(f, " {sign} ")?;
                side(f, right, level + 1)
            }
        }
    }
}

/// Definitions of the values of some functions, to express integers by.
pub struct Expressions<'a> {
    module: &'a Module,
    /// The operation that defines a value.
    definitions: HashMap<(FunctionId, ValueId), OperationId>,
    /// Number of an argument of a function, and its only call; arguments of functions with several calls are absent.
    arguments: HashMap<(FunctionId, ValueId), (FunctionId, ValueId)>,
}

impl<'a> Expressions<'a> {
    /// Collects the definitions in these functions.
    pub fn of(module: &'a Module, functions: &[FunctionId]) -> Expressions<'a> {
        let names = Names::of(module);
        let mut definitions = HashMap::new();
        // The call of a function; `None` after a second one.
        let mut calls: HashMap<FunctionId, Option<(FunctionId, OperationId)>> = HashMap::new();
        for &id in functions {
            let function = &module.functions[id];
            for (at, operation) in function.operations.iter() {
                definitions.extend(operation.results.iter().map(|result| ((id, *result), at)));
                let callee = operation.symbol("callee").filter(|_| operation.meaning() == Meaning::Call);
                if let Some(callee) = callee.and_then(|name| names.find(function, name)) {
                    calls.entry(callee).and_modify(|call| *call = None).or_insert(Some((id, at)));
                }
            }
        }
        let mut arguments = HashMap::new();
        for &callee in functions {
            let Some(Some((caller, call))) = calls.get(&callee).copied() else { continue };
            let given = module.functions[caller].operations[call].operands.iter();
            let pairs = module.functions[callee].arguments.iter().zip(given);
            arguments.extend(pairs.map(|(own, given)| ((callee, own.value), (caller, given.value))));
        }
        Expressions { module, definitions, arguments }
    }

    /// A value as an expression.
    pub fn express(&self, function: FunctionId, value: ValueId) -> Expression {
        self.expand(function, value, &mut LARGEST.clone())
    }

    /// The value that a caller gives, if `value` is an argument of a function with one call; else `value`.
    pub(super) fn given(&self, mut at: (FunctionId, ValueId)) -> (FunctionId, ValueId) {
        // Bounded, since nothing has checked yet that functions do not call themselves.
        for _ in 0..self.arguments.len() {
            let Some(caller) = self.arguments.get(&at) else { break };
            at = *caller;
        }
        at
    }

    /// The operation that defines a value.
    pub(super) fn definition(
        &self,
        (function, value): (FunctionId, ValueId),
    ) -> Option<&'a crate::ir::Operation> {
        let at = self.definitions.get(&(function, value))?;
        Some(&self.module.functions[function].operations[*at])
    }

    /// Elements from the start of the buffer to a pointer.
    pub(super) fn offset(&self, pointer: (FunctionId, ValueId)) -> Expression {
        let mut at = self.given(pointer);
        let mut sum = Expression::Constant(0);
        while let Some(operation) = self.definition(at) {
            // The address of a view is that of the pointer of which it is made; that of a part is not known here.
            if operation.is(Op::TENSOR_VIEW_ADDR)
                && let Some(view) = operation.value("view")
                && let made = self.given((at.0, view))
                && let Some(made_by) = self.definition(made)
                && made_by.meaning() == Meaning::MakeView
                && let Some(source) = made_by.value("source")
            {
                at = self.given((made.0, source));
                continue;
            }
            let (Meaning::AddPointer, Some(inner)) = (operation.meaning(), operation.value("pointer")) else {
                break;
            };
            if let Some(offset) = operation.value("offset") {
                let offset = self.express(at.0, offset);
                sum = Expression::binary(Binary::Add, offset, sum);
            }
            at = self.given((at.0, inner));
        }
        sum
    }

    fn expand(&self, function: FunctionId, value: ValueId, left: &mut usize) -> Expression {
        let (function, value) = self.given((function, value));
        let leaf =
            || Expression::Value(function, value, self.module.functions[function].values[value].name.clone());
        let Some(operation) = self.definition((function, value)) else { return leaf() };
        if *left == 0 {
            return leaf();
        }
        *left -= 1;
        let role = |role: &str| operation.value(role);
        match operation.meaning() {
            Meaning::Constant if operation.is(Op::ARITH_CONSTANT) => {
                operation.integer("value").map_or_else(leaf, |number| Expression::Constant(number as i64))
            }
            Meaning::Convert(Conversion::Signed | Conversion::Unsigned | Conversion::SameSize) => {
                role("in").map_or_else(leaf, |inner| self.expand(function, inner, left))
            }
            Meaning::Binary(Binary::Float(_)) => leaf(),
            Meaning::Binary(op) => {
                let (Some(a), Some(b)) = (role("lhs"), role("rhs")) else { return leaf() };
                let a = self.expand(function, a, left);
                Expression::binary(op, a, self.expand(function, b, left))
            }
            Meaning::ViewExtent { stride: false } => {
                self.extent(function, operation, left).unwrap_or_else(leaf)
            }
            _ => leaf(),
        }
    }

    /// The extent of a view that `make_tensor_view` or `partition_view` defines.
    fn extent(
        &self,
        function: FunctionId,
        operation: &crate::ir::Operation,
        left: &mut usize,
    ) -> Option<Expression> {
        let index = self.expand(function, operation.value("index")?, left).constant()?;
        let (owner, view) = self.given((function, operation.value("view")?));
        let made = self.definition((owner, view))?;
        let role = match made.meaning() {
            Meaning::MakeView => "shape",
            Meaning::Partition => "sizes",
            _ => return None,
        };
        let extent = made.operands_in(role).nth(usize::try_from(index).ok()?)?.value;
        Some(self.expand(owner, extent, left))
    }
}
