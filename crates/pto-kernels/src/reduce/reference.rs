//! Reductions as the obvious formula, element by element.

use super::ReduceOp;
use crate::{BinaryOp, Element, Overflow, Rounding};

impl ReduceOp {
    fn binary(self) -> BinaryOp {
        match self {
            ReduceOp::Sum => BinaryOp::Add,
            ReduceOp::Prod => BinaryOp::Mul,
            ReduceOp::Max => BinaryOp::Max,
            ReduceOp::Min => BinaryOp::Min,
        }
    }

    /// The format that accumulates, and the bits of the identity there.
    fn start(self, element: Element) -> (Element, u64) {
        if element.is_float() {
            let value = match self {
                ReduceOp::Sum => 0.0f32,
                ReduceOp::Prod => 1.0,
                ReduceOp::Max => f32::NEG_INFINITY,
                ReduceOp::Min => f32::INFINITY,
            };
            return (Element::F32, u64::from(value.to_bits()));
        }
        let (least, most) = element.int_range();
        let value = match self {
            ReduceOp::Sum => 0,
            ReduceOp::Prod => 1,
            ReduceOp::Max => least,
            ReduceOp::Min => most,
        };
        (element, value as u64 & element.mask())
    }

    /// The reduction of a row in lane order; `None` where the format has no such arithmetic.
    pub fn fold_row(self, element: Element, bits: &[u64]) -> Option<u64> {
        let (wide, identity) = self.start(element);
        let mut lanes = [identity; 16];
        for (k, &bits) in bits.iter().enumerate() {
            lanes[k % 16] = self.binary().apply(wide, lanes[k % 16], widen(element, bits))?;
        }
        for half in [8, 4, 2, 1] {
            for i in 0..half {
                lanes[i] = self.binary().apply(wide, lanes[i], lanes[i + half])?;
            }
        }
        Some(narrow(element, lanes[0]))
    }

    /// The reduction of a column, ascending; `None` where the format has no such arithmetic.
    pub fn fold_column(self, element: Element, bits: &[u64]) -> Option<u64> {
        let (wide, identity) = self.start(element);
        let fold = |result, &bits: &u64| self.binary().apply(wide, result, widen(element, bits));
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
