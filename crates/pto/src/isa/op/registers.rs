//! Registers that instructions write for later ones.
//!
//! Sources: `include/pto/npu/{a2a3,a5}/TImg2col.hpp`, `SetFmatrix.hpp`, `SetImg2colRpt.hpp`, `SetImg2colPadding.hpp`; `docs/isa/SET_QUANT_SCALAR.md`,
//! `SET_QUANT_VECTOR.md`.

use crate::isa::element::Element;
use crate::isa::layout::Layout;
use std::collections::BTreeMap;

/// The registers of a core. They start afresh with each block.
#[derive(Clone, Debug, Default)]
pub struct Registers {
    /// Those of TIMG2COL.
    pub img2col: Img2colRegisters,
    /// How entries of a queue are quantized, by the queue's number.
    pub quantization: BTreeMap<i128, QueueQuantization>,
}

/// What SET_QUANT_SCALAR and SET_QUANT_VECTOR set for a queue.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueQuantization {
    /// The scale for all columns.
    pub scale: Option<f32>,
    /// The tile with a parameter for each column. What it holds is read when an entry is pushed.
    pub columns: Option<QuantizationColumns>,
}

/// Where the parameters of columns are.
#[derive(Clone, Copy, Debug)]
pub struct QuantizationColumns {
    /// Byte offset in the block's memory.
    pub address: usize,
    /// How many there are.
    pub count: usize,
    /// Their format: 64-bit parameters, or scales alone.
    pub element: Element,
    /// Their placement.
    pub layout: Layout,
}

/// The registers, each in a set A and a set B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Img2colRegisters {
    /// The feature map: columns in bits 0 to 15, rows in 16 to 31, then eight bits of padding each left, right, top and
    /// bottom.
    pub fmatrix: [u64; 2],
    /// Repetition: stride in bits 0 to 15, times in 16 to 23, mode in 24 to 31, on A5 also the destination's stride in
    /// 32 to 47 and its position along the rows in 48 to 63.
    pub repeat: [u64; 2],
    /// The bits of the value outside the feature map; an 8-bit value stands there twice.
    pub padding: [u64; 2],
}

impl Default for Img2colRegisters {
    /// No feature map, one transfer, zeros outside.
    fn default() -> Self {
        Img2colRegisters { fmatrix: [0; 2], repeat: [1 << 16; 2], padding: [0; 2] }
    }
}
