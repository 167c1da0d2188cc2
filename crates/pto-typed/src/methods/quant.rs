//! Sorting, counting, random numbers, quantization.

use super::{Error, Event, Kernel, Target, VecTile, id};
use crate::ScalarOr;
use crate::dtype::Integer;
use crate::tile::TileId;
use pto_isa::registry::Op;
use pto_lang::build::{Call, word};
use pto_lang::ir::{Attribute, EnumSpelling, NamedAttribute, Type};

/// Formats that MX quantization makes of elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MxFormat {
    /// 8-bit floats with 4 exponent bits.
    #[default]
    Fp8,
    /// 4-bit floats with 2 exponent bits.
    Fp4E2M1,
}

/// Rule for the exponent of a group, given its greatest magnitude.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScaleAlgorithm {
    /// The exponent of that magnitude less that of the format's greatest value.
    #[default]
    Ocp,
    /// The least power of two that brings the magnitude within the format.
    Nv,
}

/// Direction of the groups of MX quantization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupAxis {
    /// 32 rows of a column.
    Axis0,
    /// 32 columns of a row.
    #[default]
    Axis1,
}

fn attribute(name: &str, value: Attribute) -> NamedAttribute {
    NamedAttribute::new(name, value)
}

impl<P: Target> Kernel<P> {
    /// `dst` holds the pairs of `src` and `idx`, each block of 32 of a row sorted, the greatest value first.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tsort32<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        idx: impl VecTile,
    ) -> Result<Event, Error> {
        self.record(Op::TSORT32, &[id(src), id(idx)], &[id(dst)])
    }

    /// Sorts groups of 32 with a workspace, for rows whose length is not a multiple of 32.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tsort32_tmp<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        idx: impl VecTile,
        tmp: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error> {
        self.record(Op::TSORT32, &[id(src), id(idx), id(tmp)], &[id(dst)])
    }

    /// `dst = (src - offset) * scale`, with a scale and an offset for each row.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tdequant<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile,
        scale: impl VecTile<DType = D::DType>,
        offset: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error> {
        self.record(Op::TDEQUANT, &[id(src), id(scale), id(offset)], &[id(dst)])
    }

    /// Merges each four sorted blocks of `src`; a block has `block_len` elements, a multiple of 64.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tmrgsort<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        block_len: impl Into<ScalarOr<u32>>,
    ) -> Result<Event, Error> {
        let block = self.scalar_id(block_len.into())?;
        self.record(Op::TMRGSORT, &[id(src), block], &[id(dst)])
    }

    /// Merges two to four sorted lists of pairs; with `exhausted`, up to the end of the first that is used up.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tmrgsort_lists<D: VecTile>(
        &mut self,
        dst: D,
        lists: &[TileId],
        tmp: impl VecTile<DType = D::DType>,
        exhausted: bool,
    ) -> Result<Event, Error> {
        let ty = self.recorder.intern(Type::Opaque("vector<4xi16>".into()));
        let zeros = vec![attribute("value", Attribute::Opaque("dense<0> : vector<4xi16>".into()))];
        let ins: Vec<_> = lists.iter().map(|list| list.0).chain([id(tmp)]).collect();
        self.attempt(|kernel| {
            let (_, made) = kernel.recorder.operation(Op::ARITH_CONSTANT, &[], &[("executed", ty)], zeros)?;
            kernel.recorder.issue(Call {
                ins: &ins,
                outs: &[id(dst), made[0]],
                attributes: vec![attribute("exhausted", Attribute::Bool(exhausted))],
                ..Call::of(Op::TMRGSORT)
            })
        })
    }

    /// Counts, for each value of a byte, the elements of each row that have it or a smaller one, among those whose upper
    /// bytes are those of `idx`.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn thistogram<S: VecTile>(
        &mut self,
        dst: impl VecTile<DType = u32>,
        src: S,
        idx: impl VecTile<DType = u8>,
        byte: u8,
    ) -> Result<Event, Error>
    where
        S::DType: Integer,
    {
        self.recorder.issue(Call {
            ins: &[id(src), id(idx)],
            outs: &[id(dst)],
            attributes: vec![attribute("byte", Attribute::Integer(byte.into(), None))],
            ..Call::of(Op::THISTOGRAM)
        })
    }

    /// Fills a tile with pseudo-random words of a 128-bit counter and a 64-bit key, mixed in 7 or 10 rounds.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn trandom<D: VecTile>(
        &mut self,
        dst: D,
        key: [ScalarOr<u32>; 2],
        counter: [ScalarOr<u32>; 4],
        rounds: u8,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
    {
        let words: Result<Vec<_>, _> =
            key.into_iter().chain(counter).map(|scalar| self.scalar_id(scalar)).collect();
        self.recorder.issue(Call {
            ins: &words?,
            outs: &[id(dst)],
            attributes: vec![attribute("rounds", Attribute::Integer(rounds.into(), None))],
            ..Call::of(Op::TRANDOM)
        })
    }

    /// Quantizes to `i8` with a scale for each row.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tquant(
        &mut self,
        dst: impl VecTile<DType = i8>,
        src: impl VecTile<DType = f32>,
        scale: impl VecTile<DType = f32>,
    ) -> Result<Event, Error> {
        let mode = word("quant_type", "quant_type", "INT8_SYM", EnumSpelling::Spaced);
        self.recorder.issue(Call {
            ins: &[id(src), id(scale)],
            outs: &[id(dst)],
            attributes: vec![mode],
            ..Call::of(Op::TQUANT)
        })
    }

    /// Quantizes to `u8` with a scale and an offset for each row.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tquant_offset(
        &mut self,
        dst: impl VecTile<DType = u8>,
        src: impl VecTile<DType = f32>,
        scale: impl VecTile<DType = f32>,
        offset: impl VecTile<DType = f32>,
    ) -> Result<Event, Error> {
        let mode = word("quant_type", "quant_type", "INT8_ASYM", EnumSpelling::Spaced);
        self.recorder.issue(Call {
            ins: &[id(src), id(scale), id(offset)],
            outs: &[id(dst)],
            attributes: vec![mode],
            ..Call::of(Op::TQUANT)
        })
    }

    /// Quantizes groups of 32 elements that share a power of two; `max` and `scaling` receive intermediate results.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tquant_mx<S: VecTile>(
        &mut self,
        (dst, exp): (impl VecTile, impl VecTile),
        (max, scaling): (impl VecTile<DType = S::DType>, impl VecTile<DType = S::DType>),
        src: S,
        (format, algorithm, axis): (MxFormat, ScaleAlgorithm, GroupAxis),
    ) -> Result<Event, Error> {
        let format = match format {
            MxFormat::Fp8 => "MXFP8",
            MxFormat::Fp4E2M1 => "MXFP4_E2M1",
        };
        let algorithm = if algorithm == ScaleAlgorithm::Nv { "nv" } else { "ocp" };
        let axis = if axis == GroupAxis::Axis0 { "axis0" } else { "axis1" };
        self.recorder.issue(Call {
            ins: &[id(src)],
            outs: &[id(dst), id(exp), id(max), id(scaling)],
            attributes: vec![
                word("quant_type", "quant_type", format, EnumSpelling::Spaced),
                word("quantScaleAlg", "quant_scale_alg", algorithm, EnumSpelling::Spaced),
                word("grpAxis", "mx_group_axis", axis, EnumSpelling::Spaced),
            ],
            ..Call::of(Op::TQUANT_MX)
        })
    }
}
