//! The operations on one element as plain formulas: the reference of the kernels.

use super::elementary::{exp, log, pow, rsqrt};
use super::{BinaryOp, UnaryOp};
use crate::dispatch::Plain;
use crate::{Element, Overflow, Rounding};

/// An operation of one source on one element: its definition.
pub trait UnaryFormula {
    /// The bits of `op(a)`; `None` if the format does not have the operation.
    fn apply(self, element: Element, a: u64) -> Option<u64>;
}

/// An operation of two sources on one pair of elements: its definition.
pub trait BinaryFormula {
    /// The bits of `a op b`; `None` if the format does not have the operation.
    fn apply(self, element: Element, a: u64, b: u64) -> Option<u64>;
}

impl UnaryFormula for UnaryOp {
    fn apply(self, element: Element, a: u64) -> Option<u64> {
        if !self.applies_to(element) {
            return None;
        }
        if element.is_integer() {
            let a = element.decode_int(a);
            let result = match self {
                UnaryOp::Abs => a.abs(),
                UnaryOp::Neg => -a,
                UnaryOp::Not => !a,
                UnaryOp::Recip => 1i128.checked_div(a).unwrap_or(0),
                _ => a.max(0),
            };
            return Some(result as u64 & element.mask());
        }
        let a = element.decode(a) as f32;
        let result = match self {
            UnaryOp::Abs => a.abs(),
            UnaryOp::Neg => -a,
            UnaryOp::Exp => exp(a),
            UnaryOp::Log => log(a),
            UnaryOp::Sqrt => a.sqrt(),
            UnaryOp::Rsqrt => rsqrt::<Plain>(a),
            UnaryOp::Recip => 1.0 / a,
            UnaryOp::Relu if a.is_nan() => a,
            UnaryOp::Relu if a > 0.0 => a,
            UnaryOp::Relu | UnaryOp::Not => 0.0,
        };
        Some(element.encode(f64::from(result), Rounding::NearestEven, Overflow::Ieee))
    }
}

impl BinaryFormula for BinaryOp {
    fn apply(self, element: Element, a: u64, b: u64) -> Option<u64> {
        if !self.applies_to(element) {
            return None;
        }
        match self {
            BinaryOp::ExpDif => UnaryOp::Exp.apply(element, BinaryOp::Sub.apply(element, a, b)?),
            BinaryOp::Pow if element.is_float() => {
                let result = pow(element.decode(a) as f32, element.decode(b) as f32);
                Some(element.encode(f64::from(result), Rounding::NearestEven, Overflow::Ieee))
            }
            _ => self.exact(element, a, b),
        }
    }
}
