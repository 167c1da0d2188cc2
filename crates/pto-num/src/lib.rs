//! The number formats that tiles of the PTO ISA hold, and their codecs.
//!
//! [`Element`] names a format. [`Element::decode`] gives the exact value of its bits, [`Element::encode`] the bits of a
//! value, correctly rounded in each [`Rounding`]. [`get_element`] and [`set_element`] read and write elements in byte
//! buffers, [`get_value`] and [`set_value`] the halves of a packed pair as well.
//!
//! [`UnaryOp`], [`BinaryOp`], [`ReduceOp`] and [`Relation`] name the operations of instructions on elements, and the
//! formats that have them.
//! [`random`] is the generator of random numbers that the whole toolchain shares.
//!
//! - Elements are little endian. Two 4-bit values share a byte, the first in its low half.
//! - Offsets are in bytes, indices in elements; an element outside the buffer panics.
//! - Results are the same bits on every host. The crate has no dependencies, no `unsafe` and no target-specific code.
//!
//! ```
//! use pto_num::{Element, Overflow, Rounding};
//!
//! assert_eq!(Element::F16.decode(0x3c00), 1.0);
//! assert_eq!(Element::E4M3.encode(0.3, Rounding::NearestEven, Overflow::Saturate), 0x2a);
//! assert_eq!(Element::F16.encode(1e6, Rounding::NearestEven, Overflow::Saturate), 0x7bff);
//! assert_eq!(Element::F16.encode(1e6, Rounding::NearestEven, Overflow::Ieee), 0x7c00);
//! ```
#![forbid(unsafe_code)]

mod bytes;
mod convert;
mod decode;
mod element;
mod encode;
mod exact;
mod half;
mod hif8;
mod mx;
mod operation;
mod quant;
pub mod random;
pub mod sizes;
mod small;

pub use bytes::{Indices, get_element, get_elements, get_value, set_element, set_elements, set_value};
pub use convert::convert_one;
pub use decode::{Fields, power_of_two};
pub use element::Element;
pub use encode::{Overflow, Rounding};
pub use half::{bf16_from_f32, bf16_to_f32, f16_from_f32, f16_to_f32};
pub use mx::{Mx, ScaleRule};
pub use operation::{BinaryOp, ReduceOp, Relation, Tf32, UnaryOp, converts, sum_of_products};
pub use quant::{Parameter, quantize_one, quantizes};
pub use small::{e1m2_to_f32, e2m1_to_f32, e4m3_to_f32, e5m2_to_f32};

#[cfg(test)]
mod tests;
