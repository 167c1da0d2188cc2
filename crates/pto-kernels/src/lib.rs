//! Numeric loops of the PTO machine.
//!
//! Every kernel works on one byte buffer and ranges in it, since the tiles of a program may coincide or overlap. The
//! crate works on placements of matrices in memory, not on tiles. The number formats are those of [`pto_num`].
//!
//! - Offsets are in bytes, elements little endian, counts in elements. Two 4-bit elements share a byte, the
//!   first in its low half.
//! - The ranges of one call are disjoint or coincide exactly; the result of a partial overlap is unspecified.
//!   A range outside the buffer panics.
//! - A kernel is looked up once (`map::binary(op, element)` and the like) and is then a plain `fn`.
//! - Results are the same bits on every host and at every [`Level`].

pub mod affine;
mod aligned;
pub mod convert;
pub mod count;
pub mod dispatch;
pub mod format;
#[doc(hidden)]
pub mod inner;
pub mod layout;
pub mod map;
pub mod mask;
pub mod matmul;
pub mod mx;
mod number;
pub mod peak;
mod prefetch;
pub mod quant;
pub mod reduce;
pub mod sort;
pub mod streams;

pub use convert::{Conversion, convert, convert_one};
pub use dispatch::{Level, level};
pub use format::{
    Overflow, Rounding, gather_words, get_element, get_elements, get_value, set_element, set_elements,
    set_value,
};
pub use layout::{PairsFn, Placement, RowsFn, copy_matrix, copy_rows, pairs_copy, rows_copy, transfer};
pub use map::{BinaryOp, UnaryOp};
pub use matmul::{Init, MatMul, Scratch};
pub use pto_num::Element;
pub use quant::{Parameter, Parameters, Quantization, quantization, quantize_one};
pub use reduce::ReduceOp;
