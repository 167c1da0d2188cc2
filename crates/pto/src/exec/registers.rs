//! Registers that instructions write for later ones.
//!
//! Sources: `include/pto/npu/{a2a3,a5}/TImg2col.hpp`, `SetFmatrix.hpp`, `SetImg2colRpt.hpp`, `SetImg2colPadding.hpp`; `docs/isa/SET_QUANT_SCALAR.md`,
//! `SET_QUANT_VECTOR.md`.

use crate::isa::element::Element;
use crate::isa::layout::Layout;
use pto_kernels::matmul::Tf32;
use std::collections::BTreeMap;

/// The registers of a core. They start afresh with each block.
#[derive(Clone, Debug)]
pub struct Registers {
    /// Those of TIMG2COL.
    pub img2col: Img2colRegisters,
    /// How entries of a queue are quantized, by the queue's number.
    pub quantization: BTreeMap<i128, QueueQuantization>,
    /// The control register.
    pub control: u64,
    /// How products round factors of f32; `None` leaves them as they are.
    pub tf32: Option<Tf32>,
}

impl Default for Registers {
    fn default() -> Self {
        Registers {
            img2col: Img2colRegisters::default(),
            quantization: BTreeMap::new(),
            control: control::START,
            tf32: None,
        }
    }
}

/// The control register: bits that change what numbers come out keep the value that this machine computes by.
///
/// Sources: `docs/isa/TQUANT.md` (bit 50); the public assembler's `docs/designs/mad-semantic-op-design.md` (45 to 48) and
/// `acc-store-structured-interface.md` (6 to 10); `include/pto/npu/{a2a3,a5}/TCvt.hpp` (59, 60).
pub(crate) mod control {
    /// The register in a block that has not written it: infinities and NaN are kept, nothing else is set.
    pub(crate) const START: u64 = 1 << 48;

    /// Bits that change results, and what says the same for one instruction.
    const MEANINGS: [(std::ops::RangeInclusive<u32>, &str); 6] = [
        (6..=10, "makes stores add to memory: write `atomicType` at the store"),
        (45..=45, "reads 8-bit factors as hif8: write the element type of the tiles"),
        (46..=47, "rounds factors to tf32: use `pto.settf32mode`"),
        (48..=48, "makes infinities and NaN finite: write `sat_mode` at the conversion"),
        (50..=50, "rounds at random, which does not run yet"),
        (59..=60, "says whether conversions saturate: write `sat_mode` at the conversion"),
    ];

    /// Whether the register may take a value.
    ///
    /// # Errors
    /// A sentence about the first bit that would change what numbers come out.
    pub(crate) fn accepts(new: u64) -> Result<(), String> {
        let changed = |bit: &u32| (START ^ new) >> bit & 1 != 0;
        for (bits, meaning) in MEANINGS {
            if let Some(bit) = bits.clone().find(changed) {
                return Err(format!("bit {bit} of the control register {meaning}"));
            }
        }
        Ok(())
    }
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
    /// The bits of the value outside the feature map; an 8-bit value is stored twice.
    pub padding: [u64; 2],
}

impl Default for Img2colRegisters {
    /// No feature map, one transfer, zeros outside.
    fn default() -> Self {
        Img2colRegisters { fmatrix: [0; 2], repeat: [1 << 16; 2], padding: [0; 2] }
    }
}
