//! Reductions as plain formulas, element by element: the reference of the kernels.

use super::ReduceOp;
use crate::map::BinaryFormula;
use crate::{BinaryOp, Element, Overflow, Rounding};

/// Reductions of elements given as bits.
pub trait Fold {
    /// The reduction of a row in lane order; `None` if the format does not have the operation.
    fn fold_row(self, element: Element, bits: &[u64]) -> Option<u64>;

    /// The reduction of a column, ascending; `None` if the format does not have the operation.
    fn fold_column(self, element: Element, bits: &[u64]) -> Option<u64>;
}

/// The binary operation of a reduction.
fn binary(op: ReduceOp) -> BinaryOp {
    match op {
        ReduceOp::Sum => BinaryOp::Add,
        ReduceOp::Prod => BinaryOp::Mul,
        ReduceOp::Max => BinaryOp::Max,
        ReduceOp::Min => BinaryOp::Min,
    }
}

/// The accumulator format, and the bits of the identity in it.
fn start(op: ReduceOp, element: Element) -> (Element, u64) {
    if element.is_float() {
        let value = match op {
            ReduceOp::Sum => 0.0f32,
            ReduceOp::Prod => 1.0,
            ReduceOp::Max => f32::NEG_INFINITY,
            ReduceOp::Min => f32::INFINITY,
        };
        return (Element::F32, u64::from(value.to_bits()));
    }
    let (least, most) = element.int_range();
    let value = match op {
        ReduceOp::Sum => 0,
        ReduceOp::Prod => 1,
        ReduceOp::Max => least,
        ReduceOp::Min => most,
    };
    (element, value as u64 & element.mask())
}

impl Fold for ReduceOp {
    fn fold_row(self, element: Element, bits: &[u64]) -> Option<u64> {
        let (wide, identity) = start(self, element);
        let mut lanes = [identity; 16];
        for (k, &bits) in bits.iter().enumerate() {
            lanes[k % 16] = binary(self).apply(wide, lanes[k % 16], widen(element, bits))?;
        }
        for half in [8, 4, 2, 1] {
            for i in 0..half {
                lanes[i] = binary(self).apply(wide, lanes[i], lanes[i + half])?;
            }
        }
        Some(narrow(element, lanes[0]))
    }

    fn fold_column(self, element: Element, bits: &[u64]) -> Option<u64> {
        let (wide, identity) = start(self, element);
        let fold = |result, &bits: &u64| binary(self).apply(wide, result, widen(element, bits));
        Some(narrow(element, bits.iter().try_fold(identity, fold)?))
    }
}

fn widen(element: Element, bits: u64) -> u64 {
    if element.is_integer() {
        return bits;
    }
    Element::F32.encode(element.decode(bits), Rounding::NearestEven, Overflow::Ieee)
}

fn narrow(element: Element, bits: u64) -> u64 {
    if element.is_integer() {
        return bits;
    }
    element.encode(Element::F32.decode(bits), Rounding::NearestEven, Overflow::Ieee)
}
