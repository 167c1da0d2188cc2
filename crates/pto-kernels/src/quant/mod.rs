//! Fixpipe quantization: accumulator elements times a scale, rounded, clamped, plus an offset.
//!
//! [`quantize_one`] defines the result; [`quantization`] chooses the loop. A parameter is one u64: bits 31:0 are the
//! scale as an f32, bits 35:32 the shift minus one, bits 45:37 the offset in two's complement, bit 46 set if results
//! are signed. In a row of parameters, one for each column, the low 13 bits of the scale are ignored.

mod kernel;

pub use pto_num::{Parameter, quantize_one, quantizes};

use crate::Element;
use crate::format::set_element;

/// Quantization parameters of a run of elements.
#[derive(Clone, Copy, Debug)]
pub enum Parameters {
    /// One parameter for all elements.
    One(Parameter),
    /// One u64 per column, from byte `at` on; the elements are contiguous whole rows of `columns` columns.
    Row {
        /// Byte offset of the first parameter.
        at: usize,
        /// Number of columns.
        columns: usize,
    },
}

/// A quantization, chosen once.
#[derive(Clone, Copy, Debug)]
pub struct Quantization {
    from: Element,
    to: Element,
    relu: bool,
    run: fn(&Quantization, &mut [u8], usize, usize, &Parameters, usize),
}

/// The quantization between two formats; `None` unless [`quantizes`].
pub fn quantization(from: Element, to: Element, relu: bool) -> Option<Quantization> {
    quantizes(from, to).then(|| Quantization { from, to, relu, run: kernel::select() })
}

impl Quantization {
    /// Quantizes `count` elements from byte `src` to byte `dst`. The ranges are disjoint.
    #[inline]
    pub fn run(&self, mem: &mut [u8], dst: usize, src: usize, parameters: &Parameters, count: usize) {
        (self.run)(self, mem, dst, src, parameters, count);
    }

    /// Quantizes one element, given and returned as bits.
    pub fn one(&self, parameter: Parameter, bits: u64) -> u64 {
        quantize_one(self.from, self.to, self.relu, parameter, bits).unwrap_or_default()
    }
}

/// Writes parameters as a row at byte `at`.
pub fn set_row(mem: &mut [u8], at: usize, parameters: impl Iterator<Item = u64>) {
    for (index, bits) in parameters.enumerate() {
        set_element(mem, at, index, Element::U64, bits);
    }
}
