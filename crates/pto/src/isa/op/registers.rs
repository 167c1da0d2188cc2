//! Registers of the cube core: what TIMG2COL reads, and how products read their factors.
//!
//! Source: `include/pto/npu/{a2a3,a5}/TImg2col.hpp`, `SetFmatrix.hpp`, `SetImg2colRpt.hpp`, `SetImg2colPadding.hpp`.

/// The registers; those of TIMG2COL in a set A and a set B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CubeRegisters {
    /// The feature map: columns in bits 0 to 15, rows in 16 to 31, then eight bits of padding each left, right, top and
    /// bottom.
    pub fmatrix: [u64; 2],
    /// Repetition: stride in bits 0 to 15, times in 16 to 23, mode in 24 to 31, on A5 also the destination's stride in
    /// 32 to 47 and its position along the rows in 48 to 63.
    pub repeat: [u64; 2],
    /// The bits of the value outside the feature map; an 8-bit value stands there twice.
    pub padding: [u64; 2],
    /// Whether products round factors of f32 to tf32.
    pub tf32: bool,
}

impl Default for CubeRegisters {
    /// No feature map, one transfer, zeros outside; factors as they are.
    fn default() -> Self {
        CubeRegisters { fmatrix: [0; 2], repeat: [1 << 16; 2], padding: [0; 2], tf32: false }
    }
}
