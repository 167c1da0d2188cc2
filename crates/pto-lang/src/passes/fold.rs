//! Constant folding of scalar operations, with the arithmetic of the machine.

use crate::ir::{Attribute, Operation, Scalar, ValueId};
use pto_isa::element::Element;
use pto_isa::meaning::{Binary, Meaning};
use pto_isa::scalar::{Cast, Compare, Width, compare_floats, float_binary};

/// The folded value of an operation.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Folded {
    /// The bits of a constant.
    Bits(u64),
    /// One of its operands.
    Operand(ValueId),
}

/// Access to known scalars: bits of constants, and types.
pub(super) trait Scalars {
    /// The bits of a constant.
    fn bits(&self, value: ValueId) -> Option<u64>;
    /// The type of a scalar; `None` for other values.
    fn scalar(&self, value: ValueId) -> Option<Scalar>;
}

/// The folded value of an operation, if it is known. A division by zero is not folded, because it stops the run.
pub(super) fn fold(known: &impl Scalars, operation: &Operation) -> Option<Folded> {
    let value = |role: &str| operation.value(role);
    let bits = |role: &str| value(role).and_then(|value| known.bits(value));
    let ty = |role: &str| value(role).and_then(|value| known.scalar(value));
    match operation.meaning() {
        Meaning::Binary(op) => {
            binary(op, ty("lhs")?, [value("lhs")?, value("rhs")?], [bits("lhs"), bits("rhs")])
        }
        Meaning::Compare { float } => {
            let (ty, word) = (ty("lhs")?, operation.word("predicate")?);
            let (a, b) = (bits("lhs")?, bits("rhs")?);
            let holds = match float {
                true => compare_floats(word, ty.element().decode(a), ty.element().decode(b))?,
                false => Compare::from_word(word)?.apply(Width::of(ty.bits()), a, b),
            };
            Some(Folded::Bits(u64::from(holds)))
        }
        Meaning::Select => {
            let (then, other) = (value("then")?, value("else")?);
            match bits("condition") {
                Some(condition) => Some(Folded::Operand(if condition != 0 { then } else { other })),
                None => (then == other).then_some(Folded::Operand(then)),
            }
        }
        Meaning::Convert(conversion) => {
            let to = known.scalar(operation.result()?)?;
            let from = ty("in")?;
            if from == to {
                return Some(Folded::Operand(value("in")?));
            }
            Some(Folded::Bits(Cast::of(conversion, from, to)?.apply(bits("in")?)))
        }
        _ => None,
    }
}

fn binary(op: Binary, ty: Scalar, values: [ValueId; 2], bits: [Option<u64>; 2]) -> Option<Folded> {
    if let Binary::Float(op) = op {
        // Sums with zero and products with one are not identities of floats: -0 + 0 is 0.
        let [Some(a), Some(b)] = bits else { return None };
        return Some(Folded::Bits(float_binary(op, ty.element(), a, b)));
    }
    if let [Some(a), Some(b)] = bits {
        return op.apply(Width::of(ty.bits()), a, b).map(Folded::Bits);
    }
    use Binary::{
        Add, DivSigned, DivUnsigned, Mul, Or, ShiftLeft, ShiftRightSigned, ShiftRightUnsigned, Sub, Xor,
    };
    match (op, bits) {
        (Add | Or | Xor, [Some(0), None]) | (Mul, [Some(1), None]) => Some(Folded::Operand(values[1])),
        (Add | Sub | Or | Xor | ShiftLeft | ShiftRightSigned | ShiftRightUnsigned, [None, Some(0)])
        | (Mul | DivSigned | DivUnsigned, [None, Some(1)]) => {
            // The 1-bit constant 1 is -1 as a signed number.
            (ty.bits() > 1).then_some(Folded::Operand(values[0]))
        }
        (Mul, [Some(0), None] | [None, Some(0)]) => Some(Folded::Bits(0)),
        _ => None,
    }
}

/// The constant with these bits as an attribute; `None` for infinities and NaN.
pub(super) fn constant(ty: Scalar, bits: u64) -> Option<Attribute> {
    Some(match ty {
        Scalar::Bool => Attribute::Bool(bits & 1 == 1),
        _ if ty.is_integer() => {
            let width = Width::of(ty.bits());
            let unsigned = matches!(ty, Scalar::Number(element) if element.is_unsigned_integer());
            let value = if unsigned { i128::from(width.cut(bits)) } else { i128::from(width.signed(bits)) };
            Attribute::Integer(value, None)
        }
        _ => Attribute::Float(float_text(ty.element(), bits)?, None),
    })
}

/// The text of a finite float that parses to the same bits.
fn float_text(element: Element, bits: u64) -> Option<String> {
    let value = element.decode(bits);
    let text = format!("{value:?}");
    let text = match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    };
    value.is_finite().then_some(text)
}
