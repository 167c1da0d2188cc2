//! Conversions of elements on their way out of an accumulator.

use super::tile::{AnyTile, TileId, loc};
use super::value::Scalar;
use pto_lang::build::word;
use pto_lang::ir::{EnumSpelling, NamedAttribute};

/// Whether negative values on their way out of an accumulator become zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReluPreMode {
    /// Negative values stay unchanged.
    #[default]
    NoRelu,
    /// Negative values become zero.
    NormalRelu,
}

/// The vector cores that receive the elements of an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccToVecMode {
    /// Vector core 0 gets all elements.
    SingleModeVec0,
    /// Vector core 1 gets all elements.
    SingleModeVec1,
    /// Core 0 gets the upper rows, core 1 the lower ones, at the same address.
    DualModeSplitM,
    /// Core 0 gets the left columns, core 1 the right ones, at the same address.
    DualModeSplitN,
}

/// Number of transfers into which a TINSERT of boxes from UB to L1 is split. The result does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Two.
    Split2,
    /// Four.
    Split4,
}

/// Quantization on the way out of an accumulator.
#[derive(Clone, Copy, Debug, Default)]
pub enum Quant {
    /// None: elements are kept or cast.
    #[default]
    None,
    /// One 64-bit parameter for all elements; `docs/isa/cube/fixpipe-model.md` has its fields.
    Scalar(u64),
    /// One 64-bit parameter, given when the kernel runs.
    Argument(Scalar<u64>),
    /// One 64-bit parameter for each column, in a tile of the fixpipe buffer: see [`Quant::vector`].
    Vector(TileId),
}

impl Quant {
    /// One 64-bit parameter for each column.
    pub fn vector<F>(fp: F) -> Quant
    where
        F: AnyTile<Location = loc::Scaling, DType = u64>,
    {
        Quant::Vector(fp.id())
    }

    /// The parameter that multiplies by `scale`, to a signed destination or another one.
    pub fn scale(scale: f32, signed: bool) -> Quant {
        Quant::Scalar(u64::from(scale.to_bits()) | u64::from(signed) << 46)
    }
}

/// Conversion of elements on their way out of an accumulator: the template parameters of TMOV, TINSERT, TEXTRACT and
/// TSTORE.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixpipe {
    /// Relu.
    pub relu: ReluPreMode,
    /// The vector cores that receive the elements; for destinations in UB.
    pub mode: Option<AccToVecMode>,
    /// Quantization.
    pub quant: Quant,
}

impl Fixpipe {
    /// The enumeration attributes.
    pub(crate) fn attributes(&self) -> Vec<NamedAttribute> {
        let mode = self.mode.map(|mode| match mode {
            AccToVecMode::SingleModeVec0 => "single_mode_vec0",
            AccToVecMode::SingleModeVec1 => "single_mode_vec1",
            AccToVecMode::DualModeSplitM => "dual_mode_split_m",
            AccToVecMode::DualModeSplitN => "dual_mode_split_n",
        });
        let mode = mode.map(|mode| word("accToVecMode", "acc_to_vec_mode", mode, EnumSpelling::Dotted));
        let relu = (self.relu == ReluPreMode::NormalRelu)
            .then(|| word("reluPreMode", "relu_pre_mode", "normal_relu", EnumSpelling::Spaced));
        mode.into_iter().chain(relu).collect()
    }
}
