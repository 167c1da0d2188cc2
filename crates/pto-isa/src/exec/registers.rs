//! Registers of a core that instructions write for later ones.
//!
//! Sources: `include/pto/npu/{a2a3,a5}/TImg2col.hpp`, `SetFmatrix.hpp`, `SetImg2colRpt.hpp`, `SetImg2colPadding.hpp`; `docs/isa/SET_QUANT_SCALAR.md`,
//! `SET_QUANT_VECTOR.md`.

use crate::element::Element;
use crate::layout::Layout;
use pto_kernels::matmul::Tf32;
use std::collections::BTreeMap;
use std::ops::Range;

/// The registers of a core; each block starts with the default values.
#[derive(Clone, Debug)]
pub struct Registers {
    /// The registers of TIMG2COL.
    pub img2col: Img2colRegisters,
    /// Quantization of the entries of a queue, by the queue's number.
    pub quantization: BTreeMap<i128, QueueQuantization>,
    /// The control register.
    pub control: u64,
    /// The rounding of f32 factors of products; `None` for no rounding.
    pub tf32: Option<Tf32>,
    /// The accumulators that products have written.
    pub accumulators: Accumulators,
}

/// The pitch of each accumulator that a product has written.
#[derive(Clone, Debug, Default)]
pub struct Accumulators {
    written: Vec<WrittenAccumulator>,
}

/// An accumulator that a product has written.
#[derive(Clone, Debug)]
pub struct WrittenAccumulator {
    /// Byte range of the accumulator.
    pub bytes: Range<usize>,
    /// Rows from one column block to the next.
    pub pitch: u32,
    /// The product: the indices of its function and of its operation.
    pub writer: [usize; 2],
}

impl Accumulators {
    /// The last writer of a byte of a range.
    pub fn writer(&self, bytes: &Range<usize>) -> Option<&WrittenAccumulator> {
        self.written.iter().rev().find(|of| of.bytes.start < bytes.end && bytes.start < of.bytes.end)
    }

    /// Notes a writer.
    pub fn write(&mut self, new: WrittenAccumulator) {
        self.written.retain(|of| of.bytes.start < new.bytes.start || new.bytes.end < of.bytes.end);
        self.written.push(new);
    }
}

impl Default for Registers {
    fn default() -> Self {
        Registers {
            img2col: Img2colRegisters::default(),
            quantization: BTreeMap::new(),
            control: control::START,
            tf32: None,
            accumulators: Accumulators::default(),
        }
    }
}

/// The control register. Bits that would change numerical results must keep the value that this machine
/// implements.
///
/// Sources: `docs/isa/TQUANT.md` (bit 50); the public assembler's `docs/designs/mad-semantic-op-design.md` (45 to 48) and
/// `acc-store-structured-interface.md` (6 to 10); `include/pto/npu/{a2a3,a5}/TCvt.hpp` (59, 60).
pub mod control {
    /// The initial value: infinities and NaN are kept, no other bit is set.
    pub(crate) const START: u64 = 1 << 48;

    /// Bits that change results, with the effect and the alternative for a single instruction.
    const MEANINGS: [(std::ops::RangeInclusive<u32>, &str); 6] = [
        (6..=10, "makes stores add to memory: write `atomicType` at the store"),
        (45..=45, "reads 8-bit factors as hif8: write the element type of the tiles"),
        (46..=47, "rounds factors to tf32: use `pto.settf32mode`"),
        (48..=48, "makes infinities and NaN finite: write `sat_mode` at the conversion"),
        (50..=50, "rounds at random, which does not run yet"),
        (59..=60, "selects whether conversions saturate: write `sat_mode` at the conversion"),
    ];

    /// Checks a new value of the register.
    ///
    /// # Errors
    /// A sentence about the first bit that would change numerical results.
    pub fn accepts(new: u64) -> Result<(), String> {
        let changed = |bit: &u32| (START ^ new) >> bit & 1 != 0;
        for (bits, meaning) in MEANINGS {
            if let Some(bit) = bits.clone().find(changed) {
                return Err(format!("bit {bit} of the control register {meaning}"));
            }
        }
        Ok(())
    }
}

/// The quantization that SET_QUANT_SCALAR and SET_QUANT_VECTOR set for a queue.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueQuantization {
    /// The scale for all columns.
    pub scale: Option<f32>,
    /// The tile with one parameter per column. Its contents are read when an entry is pushed.
    pub columns: Option<QuantizationColumns>,
}

/// The per-column quantization parameters in memory.
#[derive(Clone, Copy, Debug)]
pub struct QuantizationColumns {
    /// Slot of the tile.
    pub slot: u32,
    /// Byte offset in the block's memory.
    pub address: usize,
    /// Number of parameters.
    pub count: usize,
    /// Format of the parameters: 64-bit parameters, or scales only.
    pub element: Element,
    /// Layout of the parameters.
    pub layout: Layout,
}

/// The registers of TIMG2COL, each in a set A and a set B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Img2colRegisters {
    /// The feature map: columns in bits 0 to 15, rows in 16 to 31, then eight bits of padding each for left,
    /// right, top and bottom.
    pub fmatrix: [u64; 2],
    /// Repetition: stride in bits 0 to 15, count in 16 to 23, mode in 24 to 31; on A5 also the destination's
    /// stride in 32 to 47 and its row offset in 48 to 63.
    pub repeat: [u64; 2],
    /// The bits of the padding value; an 8-bit value is stored twice.
    pub padding: [u64; 2],
}

impl Default for Img2colRegisters {
    /// No feature map, one transfer, zero padding.
    fn default() -> Self {
        Img2colRegisters { fmatrix: [0; 2], repeat: [1 << 16; 2], padding: [0; 2] }
    }
}
