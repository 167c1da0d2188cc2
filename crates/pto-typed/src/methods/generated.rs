//! Methods of instructions, written by `generate` from the registry; not for editing.

use super::words::{
    Atomic, Axis, Beyond, Coalesce, Comparison, Conflict, MaskPattern, RoundMode, Saturation,
};
use super::{Error, Event, Kernel, LeftScale, RightScale, Target, VecTile, id};
use crate::dtype::{Common, Integer, f16};
use crate::tile::{AnyTile, layout, loc};
use crate::{ScalarOr, View};
use pto_isa::registry::Op;
use pto_lang::build::{Call, word};
use pto_lang::ir::{Attribute, EnumSpelling, NamedAttribute};

impl<P: Target> Kernel<P> {
    /// Takes magnitudes; -0 becomes +0.
    ///
    /// `dst[i, j] = |src[i, j]|`
    ///
    /// Written `pto.tabs ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tabs` forbids these operands.
    pub fn tabs<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TABS, &[id(src)], &[id(dst)])
    }

    /// Takes magnitudes; -0 becomes +0.
    ///
    /// `dst[i, j] = |src[i, j]|`
    ///
    /// Written `pto.tabs ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tabs` forbids these operands.
    pub fn tabs_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TABS, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Adds two tiles.
    ///
    /// `dst[i, j] = src0[i, j] + src1[i, j]`
    ///
    /// Written `pto.tadd ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tadd` forbids these operands.
    pub fn tadd<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TADD, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Adds three tiles.
    ///
    /// `dst[i, j] = src0[i, j] + src1[i, j] + src2[i, j]`
    ///
    /// Written `pto.taddc ins(src0: tile, src1: tile, src2: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `taddc` forbids these operands.
    pub fn taddc<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src2: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TADDC, &[id(src0), id(src1), id(src2)], &[id(dst)])
    }

    /// Adds two tiles of i32, multiplies by a scale, replaces negative products by zero and narrows to f16, saturating.
    ///
    /// `dst[i, j] = f16(max(f32(src0[i, j] + src1[i, j]) * 2^-17 * scale * 2^17, 0)), each product rounded to f32`
    ///
    /// Written `pto.tadddeqrelu ins(src0: tile, src1: tile, scale: scalar, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tadddeqrelu` forbids these operands.
    pub fn tadddeqrelu(
        &mut self,
        dst: impl VecTile<DType = f16, Layout = layout::Nd>,
        src0: impl VecTile<DType = i32, Layout = layout::Nd>,
        src1: impl VecTile<DType = i32, Layout = layout::Nd>,
        scale: impl Into<ScalarOr<f32>>,
        tmp: impl VecTile<DType = i32, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        let scale = self.scalar_id(scale.into())?;
        self.record(Op::TADDDEQRELU, &[id(src0), id(src1), scale, id(tmp)], &[id(dst)])
    }

    /// Adds two tiles and replaces negative sums by zero; NaN stays NaN.
    ///
    /// `dst[i, j] = max(src0[i, j] + src1[i, j], 0)`
    ///
    /// Written `pto.taddrelu ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `taddrelu` forbids these operands.
    pub fn taddrelu<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TADDRELU, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Adds two tiles, replaces negative sums by zero and narrows, saturating.
    ///
    /// `dst[i, j] = convert(max(src0[i, j] + src1[i, j], 0))`
    ///
    /// Written `pto.taddreluconv ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `taddreluconv` forbids these operands.
    pub fn taddreluconv<D: VecTile<Layout = layout::Nd>, S: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: S,
        src1: impl VecTile<DType = S::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
        S::DType: Common,
    {
        self.record(Op::TADDRELUCONV, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Ands the bits of two tiles.
    ///
    /// `dst[i, j] = src0[i, j] & src1[i, j]`
    ///
    /// Written `pto.tand ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tand` forbids these operands.
    pub fn tand<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
    {
        self.record(Op::TAND, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Compares element by element and packs the results, one bit per element.
    ///
    /// `bit j of row i of dst = (src0[i, j] cmpMode src1[i, j])`
    ///
    /// Written `pto.tcmp ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcmp` forbids these operands.
    pub fn tcmp<S: VecTile>(
        &mut self,
        dst: impl VecTile<Layout = layout::Nd>,
        src0: S,
        src1: impl VecTile<DType = S::DType>,
        cmp_mode: impl Into<Option<Comparison>>,
    ) -> Result<Event, Error> {
        let attributes = [cmp_mode.into().map(|it| word("cmpMode", "cmp", it.word(), EnumSpelling::Spaced))]
            .into_iter()
            .flatten()
            .collect();
        self.recorder.issue(Call {
            ins: &[id(src0), id(src1)],
            outs: &[id(dst)],
            attributes,
            ..Call::of(Op::TCMP)
        })
    }

    /// Converts elements to another format, with a rounding mode and a saturation mode; extents of f4E2M1x2, f4E1M2x2 and i4x2 (`int4b_t`) count pairs of values.
    ///
    /// `dst[i, j] = convert(src[i, j]); on A5 with saturation, NaN of f32 becomes 0 in f8E4M3FN and f8E5M2, and hif8 keeps infinities (provisional)`
    ///
    /// Written `pto.tcvt ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcvt` forbids these operands.
    pub fn tcvt(
        &mut self,
        dst: impl VecTile,
        src: impl VecTile,
        rmode: impl Into<Option<RoundMode>>,
        sat_mode: impl Into<Option<Saturation>>,
    ) -> Result<Event, Error> {
        let attributes = [
            rmode.into().map(|it| word("rmode", "round_mode", it.word(), EnumSpelling::Spaced)),
            sat_mode.into().map(|it| word("sat_mode", "saturation_mode", it.word(), EnumSpelling::Spaced)),
        ]
        .into_iter()
        .flatten()
        .collect();
        self.recorder.issue(Call { ins: &[id(src)], outs: &[id(dst)], attributes, ..Call::of(Op::TCVT) })
    }

    /// Converts elements to another format, with a rounding mode and a saturation mode; extents of f4E2M1x2, f4E1M2x2 and i4x2 (`int4b_t`) count pairs of values.
    ///
    /// `dst[i, j] = convert(src[i, j]); on A5 with saturation, NaN of f32 becomes 0 in f8E4M3FN and f8E5M2, and hif8 keeps infinities (provisional)`
    ///
    /// Written `pto.tcvt ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcvt` forbids these operands.
    pub fn tcvt_tmp(
        &mut self,
        dst: impl VecTile,
        src: impl VecTile,
        tmp: impl AnyTile,
        rmode: impl Into<Option<RoundMode>>,
        sat_mode: impl Into<Option<Saturation>>,
    ) -> Result<Event, Error> {
        let attributes = [
            rmode.into().map(|it| word("rmode", "round_mode", it.word(), EnumSpelling::Spaced)),
            sat_mode.into().map(|it| word("sat_mode", "saturation_mode", it.word(), EnumSpelling::Spaced)),
        ]
        .into_iter()
        .flatten()
        .collect();
        self.recorder.issue(Call {
            ins: &[id(src), id(tmp)],
            outs: &[id(dst)],
            attributes,
            ..Call::of(Op::TCVT)
        })
    }

    /// Divides a tile by a tile element by element.
    ///
    /// `dst[i, j] = src0[i, j] / src1[i, j]; an integer quotient by zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.tdiv ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tdiv` forbids these operands.
    pub fn tdiv<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TDIV, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Raises e to the power of each element.
    ///
    /// `dst[i, j] = exp(src[i, j])`
    ///
    /// Written `pto.texp ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `texp` forbids these operands.
    pub fn texp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TEXP, &[id(src)], &[id(dst)])
    }

    /// Raises e to the power of each element.
    ///
    /// `dst[i, j] = exp(src[i, j])`
    ///
    /// Written `pto.texp ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `texp` forbids these operands.
    pub fn texp_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TEXP, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Remainder with the sign of the dividend.
    ///
    /// `dst[i, j] = src0[i, j] - trunc(src0[i, j] / src1[i, j]) * src1[i, j]; an integer remainder by zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.tfmod ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tfmod` forbids these operands.
    pub fn tfmod<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TFMOD, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Remainder with the sign of the dividend.
    ///
    /// `dst[i, j] = src0[i, j] - trunc(src0[i, j] / src1[i, j]) * src1[i, j]; an integer remainder by zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.tfmod ins(src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tfmod` forbids these operands.
    pub fn tfmod_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TFMOD, &[id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Multiplies the destination by one tile and adds another.
    ///
    /// `dst[i, j] = src0[i, j] * dst[i, j] + src1[i, j], rounded once`
    ///
    /// Written `pto.tfusedmuladd ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tfusedmuladd` forbids these operands.
    pub fn tfusedmuladd<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TFUSEDMULADD, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Multiplies the destination by one tile, adds another and replaces negative results by zero; NaN stays NaN.
    ///
    /// `dst[i, j] = max(src0[i, j] * dst[i, j] + src1[i, j], 0), rounded once`
    ///
    /// Written `pto.tfusedmuladdrelu ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tfusedmuladdrelu` forbids these operands.
    pub fn tfusedmuladdrelu<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TFUSEDMULADDRELU, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Takes natural logarithms.
    ///
    /// `dst[i, j] = ln(src[i, j])`
    ///
    /// Written `pto.tlog ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tlog` forbids these operands.
    pub fn tlog<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TLOG, &[id(src)], &[id(dst)])
    }

    /// Takes natural logarithms.
    ///
    /// `dst[i, j] = ln(src[i, j])`
    ///
    /// Written `pto.tlog ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tlog` forbids these operands.
    pub fn tlog_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TLOG, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Takes the larger of two elements; NaN propagates.
    ///
    /// `dst[i, j] = max(src0[i, j], src1[i, j])`
    ///
    /// Written `pto.tmax ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmax` forbids these operands.
    pub fn tmax<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TMAX, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Takes the smaller of two elements; NaN propagates.
    ///
    /// `dst[i, j] = min(src0[i, j], src1[i, j])`
    ///
    /// Written `pto.tmin ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmin` forbids these operands.
    pub fn tmin<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TMIN, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Multiplies two tiles element by element.
    ///
    /// `dst[i, j] = src0[i, j] * src1[i, j]`
    ///
    /// Written `pto.tmul ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmul` forbids these operands.
    pub fn tmul<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TMUL, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Adds the product of two tiles to the destination.
    ///
    /// `dst[i, j] = src0[i, j] * src1[i, j] + dst[i, j], rounded once`
    ///
    /// Written `pto.tmuladddst ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmuladddst` forbids these operands.
    pub fn tmuladddst<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TMULADDDST, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Negates elements.
    ///
    /// `dst[i, j] = -src[i, j]`
    ///
    /// Written `pto.tneg ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tneg` forbids these operands.
    pub fn tneg<D: VecTile>(&mut self, dst: D, src: impl VecTile<DType = D::DType>) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TNEG, &[id(src)], &[id(dst)])
    }

    /// Negates elements.
    ///
    /// `dst[i, j] = -src[i, j]`
    ///
    /// Written `pto.tneg ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tneg` forbids these operands.
    pub fn tneg_tmp<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TNEG, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Complements the bits of elements.
    ///
    /// `dst[i, j] = ~src[i, j]`
    ///
    /// Written `pto.tnot ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tnot` forbids these operands.
    pub fn tnot<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
    {
        self.record(Op::TNOT, &[id(src)], &[id(dst)])
    }

    /// Complements the bits of elements.
    ///
    /// `dst[i, j] = ~src[i, j]`
    ///
    /// Written `pto.tnot ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tnot` forbids these operands.
    pub fn tnot_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
    {
        self.record(Op::TNOT, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Ors the bits of two tiles.
    ///
    /// `dst[i, j] = src0[i, j] | src1[i, j]`
    ///
    /// Written `pto.tor ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tor` forbids these operands.
    pub fn tor<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
    {
        self.record(Op::TOR, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Raises elements to the power of elements.
    ///
    /// `dst[i, j] = src0[i, j] ^ src1[i, j]`
    ///
    /// Written `pto.tpow ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tpow` forbids these operands.
    pub fn tpow<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TPOW, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Raises elements to the power of elements.
    ///
    /// `dst[i, j] = src0[i, j] ^ src1[i, j]`
    ///
    /// Written `pto.tpow ins(src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tpow` forbids these operands.
    pub fn tpow_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TPOW, &[id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Multiplies negative elements by their slope.
    ///
    /// `dst[i, j] = src0[i, j] > 0 ? src0[i, j] : src0[i, j] * src1[i, j]`
    ///
    /// Written `pto.tprelu ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tprelu` forbids these operands.
    pub fn tprelu<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TPRELU, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Multiplies negative elements by their slope.
    ///
    /// `dst[i, j] = src0[i, j] > 0 ? src0[i, j] : src0[i, j] * src1[i, j]`
    ///
    /// Written `pto.tprelu ins(src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tprelu` forbids these operands.
    pub fn tprelu_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl VecTile<Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TPRELU, &[id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Takes reciprocals.
    ///
    /// `dst[i, j] = 1 / src[i, j]; the reciprocal of an integer truncates: 1 for 1, -1 for -1, 0 for others; the reciprocal of an integer zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.trecip ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trecip` forbids these operands.
    pub fn trecip<D: VecTile>(&mut self, dst: D, src: impl VecTile<DType = D::DType>) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TRECIP, &[id(src)], &[id(dst)])
    }

    /// Takes reciprocals.
    ///
    /// `dst[i, j] = 1 / src[i, j]; the reciprocal of an integer truncates: 1 for 1, -1 for -1, 0 for others; the reciprocal of an integer zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.trecip ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trecip` forbids these operands.
    pub fn trecip_tmp<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TRECIP, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Replaces negative elements by zero; NaN stays NaN.
    ///
    /// `dst[i, j] = max(src[i, j], 0)`
    ///
    /// Written `pto.trelu ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trelu` forbids these operands.
    pub fn trelu<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TRELU, &[id(src)], &[id(dst)])
    }

    /// Replaces negative elements by zero; NaN stays NaN.
    ///
    /// `dst[i, j] = max(src[i, j], 0)`
    ///
    /// Written `pto.trelu ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trelu` forbids these operands.
    pub fn trelu_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TRELU, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Remainder with the sign of the divisor. A2/A3 overwrite sources of i32.
    ///
    /// `dst[i, j] = src0[i, j] - floor(src0[i, j] / src1[i, j]) * src1[i, j]; on A5, trunc instead of floor for 64-bit elements; an integer remainder by zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.trem ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trem` forbids these operands.
    pub fn trem<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TREM, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Remainder with the sign of the divisor. A2/A3 overwrite sources of i32.
    ///
    /// `dst[i, j] = src0[i, j] - floor(src0[i, j] / src1[i, j]) * src1[i, j]; on A5, trunc instead of floor for 64-bit elements; an integer remainder by zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.trem ins(src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trem` forbids these operands.
    pub fn trem_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error> {
        self.record(Op::TREM, &[id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Takes reciprocal square roots.
    ///
    /// `dst[i, j] = 1 / sqrt(src[i, j]); on A5 the root is rounded before the division`
    ///
    /// Written `pto.trsqrt ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trsqrt` forbids these operands.
    pub fn trsqrt<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TRSQRT, &[id(src)], &[id(dst)])
    }

    /// Takes reciprocal square roots.
    ///
    /// `dst[i, j] = 1 / sqrt(src[i, j]); on A5 the root is rounded before the division`
    ///
    /// Written `pto.trsqrt ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trsqrt` forbids these operands.
    pub fn trsqrt_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TRSQRT, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Selects each element from one of two sources by a mask.
    ///
    /// `dst[i, j] = bit j of row i of mask ? src0[i, j] : src1[i, j]`
    ///
    /// Written `pto.tsel ins(mask: tile, src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tsel` forbids these operands.
    pub fn tsel<D: VecTile<Layout = layout::Nd>, M: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        mask: M,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        M::DType: Integer,
    {
        self.record(Op::TSEL, &[id(mask), id(src0), id(src1)], &[id(dst)])
    }

    /// Selects each element from one of two sources by a mask.
    ///
    /// `dst[i, j] = bit j of row i of mask ? src0[i, j] : src1[i, j]`
    ///
    /// Written `pto.tsel ins(mask: tile, src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tsel` forbids these operands.
    pub fn tsel_tmp<D: VecTile<Layout = layout::Nd>, M: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        mask: M,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        M::DType: Integer,
    {
        self.record(Op::TSEL, &[id(mask), id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Shifts elements left.
    ///
    /// `dst[i, j] = src0[i, j] << src1[i, j]; on A5, 64-bit elements are shifted by the amount modulo 64`
    ///
    /// Written `pto.tshl ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tshl` forbids these operands.
    pub fn tshl<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TSHL, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Shifts elements right, arithmetically if they are signed.
    ///
    /// `dst[i, j] = src0[i, j] >> src1[i, j]; on A5, 64-bit elements are shifted by the amount modulo 64`
    ///
    /// Written `pto.tshr ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tshr` forbids these operands.
    pub fn tshr<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TSHR, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Takes square roots.
    ///
    /// `dst[i, j] = sqrt(src[i, j])`
    ///
    /// Written `pto.tsqrt ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tsqrt` forbids these operands.
    pub fn tsqrt<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TSQRT, &[id(src)], &[id(dst)])
    }

    /// Takes square roots.
    ///
    /// `dst[i, j] = sqrt(src[i, j])`
    ///
    /// Written `pto.tsqrt ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tsqrt` forbids these operands.
    pub fn tsqrt_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TSQRT, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Subtracts a tile from a tile.
    ///
    /// `dst[i, j] = src0[i, j] - src1[i, j]`
    ///
    /// Written `pto.tsub ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tsub` forbids these operands.
    pub fn tsub<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TSUB, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Subtracts a tile from a tile and adds a third.
    ///
    /// `dst[i, j] = src0[i, j] - src1[i, j] + src2[i, j]`
    ///
    /// Written `pto.tsubc ins(src0: tile, src1: tile, src2: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tsubc` forbids these operands.
    pub fn tsubc<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src2: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TSUBC, &[id(src0), id(src1), id(src2)], &[id(dst)])
    }

    /// Subtracts two tiles and replaces negative differences by zero; NaN stays NaN.
    ///
    /// `dst[i, j] = max(src0[i, j] - src1[i, j], 0)`
    ///
    /// Written `pto.tsubrelu ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tsubrelu` forbids these operands.
    pub fn tsubrelu<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TSUBRELU, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Subtracts two tiles, replaces negative differences by zero and narrows, saturating.
    ///
    /// `dst[i, j] = convert(max(src0[i, j] - src1[i, j], 0))`
    ///
    /// Written `pto.tsubreluconv ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tsubreluconv` forbids these operands.
    pub fn tsubreluconv<D: VecTile<Layout = layout::Nd>, S: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: S,
        src1: impl VecTile<DType = S::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
        S::DType: Common,
    {
        self.record(Op::TSUBRELUCONV, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Xors the bits of two tiles.
    ///
    /// `dst[i, j] = src0[i, j] ^ src1[i, j]`
    ///
    /// Written `pto.txor ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `txor` forbids these operands.
    pub fn txor<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
    {
        self.record(Op::TXOR, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Xors the bits of two tiles.
    ///
    /// `dst[i, j] = src0[i, j] ^ src1[i, j]`
    ///
    /// Written `pto.txor ins(src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `txor` forbids these operands.
    pub fn txor_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
    {
        self.record(Op::TXOR, &[id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Adds a scalar to each element.
    ///
    /// `dst[i, j] = src[i, j] + scalar`
    ///
    /// Written `pto.tadds ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tadds` forbids these operands.
    pub fn tadds<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TADDS, &[id(src), scalar], &[id(dst)])
    }

    /// Adds a tile, a scalar and a tile.
    ///
    /// `dst[i, j] = src0[i, j] + scalar + src1[i, j]`
    ///
    /// Written `pto.taddsc ins(src0: tile, scalar: scalar, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `taddsc` forbids these operands.
    pub fn taddsc<D: VecTile>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TADDSC, &[id(src0), scalar, id(src1)], &[id(dst)])
    }

    /// Ands the bits of each element with a scalar.
    ///
    /// `dst[i, j] = src[i, j] & scalar`
    ///
    /// Written `pto.tands ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tands` forbids these operands.
    pub fn tands<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TANDS, &[id(src), scalar], &[id(dst)])
    }

    /// Adds a multiple of a tile to the destination.
    ///
    /// `dst[i, j] = scalar * src[i, j] + dst[i, j]; f16 results are rounded once; for f32 results, product and sum are each rounded`
    ///
    /// Written `pto.taxpy ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `taxpy` forbids these operands.
    pub fn taxpy<D: VecTile, S: VecTile>(
        &mut self,
        dst: D,
        src: S,
        scalar: impl Into<ScalarOr<S::DType>>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
        S::DType: Common,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TAXPY, &[id(src), scalar], &[id(dst)])
    }

    /// Compares element by element and packs the results, one bit per element.
    ///
    /// `bit j of row i of dst = (src[i, j] cmpMode scalar); of a tile in place of the scalar, element (0, 0)`
    ///
    /// Written `pto.tcmps ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcmps` forbids these operands.
    pub fn tcmps<S: VecTile>(
        &mut self,
        dst: impl VecTile<Layout = layout::Nd>,
        src: S,
        scalar: impl Into<ScalarOr<S::DType>>,
        cmp_mode: impl Into<Option<Comparison>>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        let attributes = [cmp_mode.into().map(|it| word("cmpMode", "cmp", it.word(), EnumSpelling::Spaced))]
            .into_iter()
            .flatten()
            .collect();
        self.recorder.issue(Call {
            ins: &[id(src), scalar],
            outs: &[id(dst)],
            attributes,
            ..Call::of(Op::TCMPS)
        })
    }

    /// Compares element by element and packs the results, one bit per element.
    ///
    /// `bit j of row i of dst = (src[i, j] cmpMode scalar); of a tile in place of the scalar, element (0, 0)`
    ///
    /// Written `pto.tcmps ins(src: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcmps` forbids these operands.
    pub fn tcmps_tile<S: VecTile>(
        &mut self,
        dst: impl VecTile<Layout = layout::Nd>,
        src: S,
        src1: impl VecTile<DType = S::DType>,
        cmp_mode: impl Into<Option<Comparison>>,
    ) -> Result<Event, Error>
    where
        S::DType: Common,
    {
        let attributes = [cmp_mode.into().map(|it| word("cmpMode", "cmp", it.word(), EnumSpelling::Spaced))]
            .into_iter()
            .flatten()
            .collect();
        self.recorder.issue(Call {
            ins: &[id(src), id(src1)],
            outs: &[id(dst)],
            attributes,
            ..Call::of(Op::TCMPS)
        })
    }

    /// Divides each element by a scalar, or a scalar by each element, in the order of the operands.
    ///
    /// `dst[i, j] = src[i, j] / scalar, or scalar / src[i, j]; an integer quotient by zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.tdivs ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tdivs` forbids these operands.
    pub fn tdivs<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TDIVS, &[id(src), scalar], &[id(dst)])
    }

    /// Divides each element by a scalar, or a scalar by each element, in the order of the operands.
    ///
    /// `dst[i, j] = src[i, j] / scalar, or scalar / src[i, j]; an integer quotient by zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.tdivs ins(scalar: scalar, src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tdivs` forbids these operands.
    pub fn tdivs_by<D: VecTile>(
        &mut self,
        dst: D,
        scalar: impl Into<ScalarOr<D::DType>>,
        src: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TDIVS, &[scalar, id(src)], &[id(dst)])
    }

    /// Fills a tile with a scalar: the valid region of a vec tile, all of a mat tile.
    ///
    /// `dst[i, j] = scalar`
    ///
    /// Written `pto.texpands ins(scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `texpands` forbids these operands.
    pub fn texpands<D: AnyTile>(
        &mut self,
        dst: D,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TEXPANDS, &[scalar], &[id(dst)])
    }

    /// Remainder of each element by a scalar, with the sign of the element.
    ///
    /// `dst[i, j] = src[i, j] - trunc(src[i, j] / scalar) * scalar; an integer remainder by zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.tfmods ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tfmods` forbids these operands.
    pub fn tfmods<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TFMODS, &[id(src), scalar], &[id(dst)])
    }

    /// Remainder of each element by a scalar, with the sign of the element.
    ///
    /// `dst[i, j] = src[i, j] - trunc(src[i, j] / scalar) * scalar; an integer remainder by zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.tfmods ins(src: tile, scalar: scalar, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tfmods` forbids these operands.
    pub fn tfmods_tmp<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TFMODS, &[id(src), scalar, id(tmp)], &[id(dst)])
    }

    /// Multiplies negative elements by a scalar.
    ///
    /// `dst[i, j] = src[i, j] >= 0 ? src[i, j] : src[i, j] * scalar`
    ///
    /// Written `pto.tlrelu ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tlrelu` forbids these operands.
    pub fn tlrelu<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TLRELU, &[id(src), scalar], &[id(dst)])
    }

    /// Takes the larger of each element and a scalar.
    ///
    /// `dst[i, j] = max(src[i, j], scalar)`
    ///
    /// Written `pto.tmaxs ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmaxs` forbids these operands.
    pub fn tmaxs<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TMAXS, &[id(src), scalar], &[id(dst)])
    }

    /// Takes the smaller of each element and a scalar.
    ///
    /// `dst[i, j] = min(src[i, j], scalar)`
    ///
    /// Written `pto.tmins ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmins` forbids these operands.
    pub fn tmins<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TMINS, &[id(src), scalar], &[id(dst)])
    }

    /// Multiplies each element by a scalar.
    ///
    /// `dst[i, j] = src[i, j] * scalar`
    ///
    /// Written `pto.tmuls ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmuls` forbids these operands.
    pub fn tmuls<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TMULS, &[id(src), scalar], &[id(dst)])
    }

    /// Ors the bits of each element with a scalar.
    ///
    /// `dst[i, j] = src[i, j] | scalar`
    ///
    /// Written `pto.tors ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tors` forbids these operands.
    pub fn tors<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TORS, &[id(src), scalar], &[id(dst)])
    }

    /// Raises elements to the power of a scalar.
    ///
    /// `dst[i, j] = src[i, j] ^ scalar`
    ///
    /// Written `pto.tpows ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tpows` forbids these operands.
    pub fn tpows<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TPOWS, &[id(src), scalar], &[id(dst)])
    }

    /// Raises elements to the power of a scalar.
    ///
    /// `dst[i, j] = src[i, j] ^ scalar`
    ///
    /// Written `pto.tpows ins(src: tile, scalar: scalar, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tpows` forbids these operands.
    pub fn tpows_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        scalar: impl Into<ScalarOr<D::DType>>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TPOWS, &[id(src), scalar, id(tmp)], &[id(dst)])
    }

    /// Remainder of each element by a scalar, with the sign of the scalar. A2/A3 overwrite a source of i32.
    ///
    /// `dst[i, j] = src[i, j] - floor(src[i, j] / scalar) * scalar; on A5, trunc instead of floor for 64-bit elements; an integer remainder by zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.trems ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trems` forbids these operands.
    pub fn trems<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TREMS, &[id(src), scalar], &[id(dst)])
    }

    /// Remainder of each element by a scalar, with the sign of the scalar. A2/A3 overwrite a source of i32.
    ///
    /// `dst[i, j] = src[i, j] - floor(src[i, j] / scalar) * scalar; on A5, trunc instead of floor for 64-bit elements; an integer remainder by zero stops the run, or is 0 with --on-division-by-zero zero`
    ///
    /// Written `pto.trems ins(src: tile, scalar: scalar, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trems` forbids these operands.
    pub fn trems_tmp<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
        tmp: impl VecTile,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TREMS, &[id(src), scalar, id(tmp)], &[id(dst)])
    }

    /// Selects each element from one of two sources by a mask.
    ///
    /// `dst[i, j] = bit j of row i of mask ? src0[i, j] : src1[i, j]`
    ///
    /// Written `pto.tsels ins(mask: tile, src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tsels` forbids these operands.
    pub fn tsels<D: VecTile<Layout = layout::Nd>, M: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        mask: M,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error>
    where
        M::DType: Integer,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TSELS, &[id(mask), id(src), scalar], &[id(dst)])
    }

    /// Selects each element from one of two sources by a mask.
    ///
    /// `dst[i, j] = bit j of row i of mask ? src0[i, j] : src1[i, j]`
    ///
    /// Written `pto.tsels ins(mask: tile, src: tile, tmp: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tsels` forbids these operands.
    pub fn tsels_tmp<D: VecTile<Layout = layout::Nd>, M: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        mask: M,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error>
    where
        M::DType: Integer,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TSELS, &[id(mask), id(src), id(tmp), scalar], &[id(dst)])
    }

    /// Shifts each element left by a scalar.
    ///
    /// `dst[i, j] = src[i, j] << scalar; on A5, 64-bit elements are shifted by the amount modulo 64`
    ///
    /// Written `pto.tshls ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tshls` forbids these operands.
    pub fn tshls<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TSHLS, &[id(src), scalar], &[id(dst)])
    }

    /// Shifts each element right by a scalar, arithmetically if it is signed.
    ///
    /// `dst[i, j] = src[i, j] >> scalar; on A5, 64-bit elements are shifted by the amount modulo 64`
    ///
    /// Written `pto.tshrs ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tshrs` forbids these operands.
    pub fn tshrs<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TSHRS, &[id(src), scalar], &[id(dst)])
    }

    /// Subtracts a scalar from each element.
    ///
    /// `dst[i, j] = src[i, j] - scalar`
    ///
    /// Written `pto.tsubs ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tsubs` forbids these operands.
    pub fn tsubs<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TSUBS, &[id(src), scalar], &[id(dst)])
    }

    /// Subtracts a scalar from a tile and adds a tile.
    ///
    /// `dst[i, j] = src0[i, j] - scalar + src1[i, j]`
    ///
    /// Written `pto.tsubsc ins(src0: tile, scalar: scalar, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tsubsc` forbids these operands.
    pub fn tsubsc<D: VecTile>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TSUBSC, &[id(src0), scalar, id(src1)], &[id(dst)])
    }

    /// Xors the bits of each element with a scalar.
    ///
    /// `dst[i, j] = src[i, j] ^ scalar`
    ///
    /// Written `pto.txors ins(src: tile, scalar: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `txors` forbids these operands.
    pub fn txors<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TXORS, &[id(src), scalar], &[id(dst)])
    }

    /// Xors the bits of each element with a scalar.
    ///
    /// `dst[i, j] = src[i, j] ^ scalar`
    ///
    /// Written `pto.txors ins(src: tile, scalar: scalar, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `txors` forbids these operands.
    pub fn txors_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        scalar: impl Into<ScalarOr<D::DType>>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
    {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TXORS, &[id(src), scalar, id(tmp)], &[id(dst)])
    }

    /// Finds the index of the largest element of each column, and optionally the element.
    ///
    /// `dst[0, j] = first i where src[i, j] is the largest of column j`
    ///
    /// Written `pto.tcolargmax ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolargmax` forbids these operands.
    pub fn tcolargmax<D: VecTile<Layout = layout::Nd>, S: VecTile>(
        &mut self,
        dst: D,
        src: S,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
        S::DType: Common,
    {
        self.record(Op::TCOLARGMAX, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Finds the index of the largest element of each column, and optionally the element.
    ///
    /// `dst[0, j] = first i where src[i, j] is the largest of column j`
    ///
    /// Written `pto.tcolargmax ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolargmax` forbids these operands.
    pub fn tcolargmax_without_tmp<D: VecTile<Layout = layout::Nd>, S: VecTile>(
        &mut self,
        dst: D,
        src: S,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
        S::DType: Common,
    {
        self.record(Op::TCOLARGMAX, &[id(src)], &[id(dst)])
    }

    /// Finds the index of the largest element of each column, and optionally the element.
    ///
    /// `dst[0, j] = first i where src[i, j] is the largest of column j`
    ///
    /// Written `pto.tcolargmax ins(src: tile, tmp: tile) outs(value: tile, dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolargmax` forbids these operands.
    pub fn tcolargmax_value<V: VecTile<Layout = layout::Nd>, D: VecTile<Layout = layout::Nd>>(
        &mut self,
        value: V,
        dst: D,
        src: impl VecTile<DType = V::DType>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        V::DType: Common,
        D::DType: Integer,
    {
        self.record(Op::TCOLARGMAX, &[id(src), id(tmp)], &[id(value), id(dst)])
    }

    /// Finds the index of the largest element of each column, and optionally the element.
    ///
    /// `dst[0, j] = first i where src[i, j] is the largest of column j`
    ///
    /// Written `pto.tcolargmax ins(src: tile) outs(value: tile, dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolargmax` forbids these operands.
    pub fn tcolargmax_value_without_tmp<V: VecTile<Layout = layout::Nd>, D: VecTile<Layout = layout::Nd>>(
        &mut self,
        value: V,
        dst: D,
        src: impl VecTile<DType = V::DType>,
    ) -> Result<Event, Error>
    where
        V::DType: Common,
        D::DType: Integer,
    {
        self.record(Op::TCOLARGMAX, &[id(src)], &[id(value), id(dst)])
    }

    /// Finds the index of the smallest element of each column, and optionally the element.
    ///
    /// `dst[0, j] = first i where src[i, j] is the smallest of column j`
    ///
    /// Written `pto.tcolargmin ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolargmin` forbids these operands.
    pub fn tcolargmin<D: VecTile<Layout = layout::Nd>, S: VecTile>(
        &mut self,
        dst: D,
        src: S,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
        S::DType: Common,
    {
        self.record(Op::TCOLARGMIN, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Finds the index of the smallest element of each column, and optionally the element.
    ///
    /// `dst[0, j] = first i where src[i, j] is the smallest of column j`
    ///
    /// Written `pto.tcolargmin ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolargmin` forbids these operands.
    pub fn tcolargmin_without_tmp<D: VecTile<Layout = layout::Nd>, S: VecTile>(
        &mut self,
        dst: D,
        src: S,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
        S::DType: Common,
    {
        self.record(Op::TCOLARGMIN, &[id(src)], &[id(dst)])
    }

    /// Finds the index of the smallest element of each column, and optionally the element.
    ///
    /// `dst[0, j] = first i where src[i, j] is the smallest of column j`
    ///
    /// Written `pto.tcolargmin ins(src: tile, tmp: tile) outs(value: tile, dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolargmin` forbids these operands.
    pub fn tcolargmin_value<V: VecTile<Layout = layout::Nd>, D: VecTile<Layout = layout::Nd>>(
        &mut self,
        value: V,
        dst: D,
        src: impl VecTile<DType = V::DType>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        V::DType: Common,
        D::DType: Integer,
    {
        self.record(Op::TCOLARGMIN, &[id(src), id(tmp)], &[id(value), id(dst)])
    }

    /// Finds the index of the smallest element of each column, and optionally the element.
    ///
    /// `dst[0, j] = first i where src[i, j] is the smallest of column j`
    ///
    /// Written `pto.tcolargmin ins(src: tile) outs(value: tile, dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolargmin` forbids these operands.
    pub fn tcolargmin_value_without_tmp<V: VecTile<Layout = layout::Nd>, D: VecTile<Layout = layout::Nd>>(
        &mut self,
        value: V,
        dst: D,
        src: impl VecTile<DType = V::DType>,
    ) -> Result<Event, Error>
    where
        V::DType: Common,
        D::DType: Integer,
    {
        self.record(Op::TCOLARGMIN, &[id(src)], &[id(value), id(dst)])
    }

    /// Takes the largest element of each column.
    ///
    /// `dst[0, j] = max over i of src[i, j]`
    ///
    /// Written `pto.tcolmax ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolmax` forbids these operands.
    pub fn tcolmax<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error> {
        self.record(Op::TCOLMAX, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Takes the largest element of each column.
    ///
    /// `dst[0, j] = max over i of src[i, j]`
    ///
    /// Written `pto.tcolmax ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolmax` forbids these operands.
    pub fn tcolmax_without_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TCOLMAX, &[id(src)], &[id(dst)])
    }

    /// Takes the smallest element of each column.
    ///
    /// `dst[0, j] = min over i of src[i, j]`
    ///
    /// Written `pto.tcolmin ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolmin` forbids these operands.
    pub fn tcolmin<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error> {
        self.record(Op::TCOLMIN, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Takes the smallest element of each column.
    ///
    /// `dst[0, j] = min over i of src[i, j]`
    ///
    /// Written `pto.tcolmin ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolmin` forbids these operands.
    pub fn tcolmin_without_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TCOLMIN, &[id(src)], &[id(dst)])
    }

    /// Multiplies the elements of each column.
    ///
    /// `dst[0, j] = product over i of src[i, j]`
    ///
    /// Written `pto.tcolprod ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolprod` forbids these operands.
    pub fn tcolprod<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TCOLPROD, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Multiplies the elements of each column.
    ///
    /// `dst[0, j] = product over i of src[i, j]`
    ///
    /// Written `pto.tcolprod ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolprod` forbids these operands.
    pub fn tcolprod_without_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TCOLPROD, &[id(src)], &[id(dst)])
    }

    /// Sums each column.
    ///
    /// `dst[0, j] = sum over i of src[i, j]`
    ///
    /// Written `pto.tcolsum ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolsum` forbids these operands.
    pub fn tcolsum<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error> {
        self.record(Op::TCOLSUM, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Sums each column.
    ///
    /// `dst[0, j] = sum over i of src[i, j]`
    ///
    /// Written `pto.tcolsum ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolsum` forbids these operands.
    pub fn tcolsum_without_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TCOLSUM, &[id(src)], &[id(dst)])
    }

    /// Adds each even column and the next; zeros fill the rest of the destination. A lone last column is not added.
    ///
    /// `dst[i, k] = src[i, 2k] + src[i, 2k + 1] for 2k + 1 < n, n being the valid columns; else 0`
    ///
    /// Written `pto.tpairreducesum ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tpairreducesum` forbids these operands.
    pub fn tpairreducesum<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TPAIRREDUCESUM, &[id(src)], &[id(dst)])
    }

    /// Finds the index of the largest element of each row, and optionally the element.
    ///
    /// `dst[i, 0] = first j where src[i, j] is the largest of row i`
    ///
    /// Written `pto.trowargmax ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowargmax` forbids these operands.
    pub fn trowargmax<D: VecTile, S: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: S,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
        S::DType: Common,
    {
        self.record(Op::TROWARGMAX, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Finds the index of the largest element of each row, and optionally the element.
    ///
    /// `dst[i, 0] = first j where src[i, j] is the largest of row i`
    ///
    /// Written `pto.trowargmax ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowargmax` forbids these operands.
    pub fn trowargmax_without_tmp<D: VecTile, S: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: S,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
        S::DType: Common,
    {
        self.record(Op::TROWARGMAX, &[id(src)], &[id(dst)])
    }

    /// Finds the index of the largest element of each row, and optionally the element.
    ///
    /// `dst[i, 0] = first j where src[i, j] is the largest of row i`
    ///
    /// Written `pto.trowargmax ins(src: tile, tmp: tile) outs(value: tile, dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowargmax` forbids these operands.
    pub fn trowargmax_value<V: VecTile, D: VecTile>(
        &mut self,
        value: V,
        dst: D,
        src: impl VecTile<DType = V::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        V::DType: Common,
        D::DType: Integer,
    {
        self.record(Op::TROWARGMAX, &[id(src), id(tmp)], &[id(value), id(dst)])
    }

    /// Finds the index of the largest element of each row, and optionally the element.
    ///
    /// `dst[i, 0] = first j where src[i, j] is the largest of row i`
    ///
    /// Written `pto.trowargmax ins(src: tile) outs(value: tile, dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowargmax` forbids these operands.
    pub fn trowargmax_value_without_tmp<V: VecTile, D: VecTile>(
        &mut self,
        value: V,
        dst: D,
        src: impl VecTile<DType = V::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        V::DType: Common,
        D::DType: Integer,
    {
        self.record(Op::TROWARGMAX, &[id(src)], &[id(value), id(dst)])
    }

    /// Finds the index of the smallest element of each row, and optionally the element.
    ///
    /// `dst[i, 0] = first j where src[i, j] is the smallest of row i`
    ///
    /// Written `pto.trowargmin ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowargmin` forbids these operands.
    pub fn trowargmin<D: VecTile, S: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: S,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
        S::DType: Common,
    {
        self.record(Op::TROWARGMIN, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Finds the index of the smallest element of each row, and optionally the element.
    ///
    /// `dst[i, 0] = first j where src[i, j] is the smallest of row i`
    ///
    /// Written `pto.trowargmin ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowargmin` forbids these operands.
    pub fn trowargmin_without_tmp<D: VecTile, S: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: S,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
        S::DType: Common,
    {
        self.record(Op::TROWARGMIN, &[id(src)], &[id(dst)])
    }

    /// Finds the index of the smallest element of each row, and optionally the element.
    ///
    /// `dst[i, 0] = first j where src[i, j] is the smallest of row i`
    ///
    /// Written `pto.trowargmin ins(src: tile, tmp: tile) outs(value: tile, dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowargmin` forbids these operands.
    pub fn trowargmin_value<V: VecTile, D: VecTile>(
        &mut self,
        value: V,
        dst: D,
        src: impl VecTile<DType = V::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        V::DType: Common,
        D::DType: Integer,
    {
        self.record(Op::TROWARGMIN, &[id(src), id(tmp)], &[id(value), id(dst)])
    }

    /// Finds the index of the smallest element of each row, and optionally the element.
    ///
    /// `dst[i, 0] = first j where src[i, j] is the smallest of row i`
    ///
    /// Written `pto.trowargmin ins(src: tile) outs(value: tile, dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowargmin` forbids these operands.
    pub fn trowargmin_value_without_tmp<V: VecTile, D: VecTile>(
        &mut self,
        value: V,
        dst: D,
        src: impl VecTile<DType = V::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        V::DType: Common,
        D::DType: Integer,
    {
        self.record(Op::TROWARGMIN, &[id(src)], &[id(value), id(dst)])
    }

    /// Takes the largest element of each row.
    ///
    /// `dst[i, 0] = max over j of src[i, j]`
    ///
    /// Written `pto.trowmax ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowmax` forbids these operands.
    pub fn trowmax<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error> {
        self.record(Op::TROWMAX, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Takes the largest element of each row.
    ///
    /// `dst[i, 0] = max over j of src[i, j]`
    ///
    /// Written `pto.trowmax ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowmax` forbids these operands.
    pub fn trowmax_without_tmp<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TROWMAX, &[id(src)], &[id(dst)])
    }

    /// Takes the smallest element of each row.
    ///
    /// `dst[i, 0] = min over j of src[i, j]`
    ///
    /// Written `pto.trowmin ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowmin` forbids these operands.
    pub fn trowmin<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error> {
        self.record(Op::TROWMIN, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Takes the smallest element of each row.
    ///
    /// `dst[i, 0] = min over j of src[i, j]`
    ///
    /// Written `pto.trowmin ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowmin` forbids these operands.
    pub fn trowmin_without_tmp<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TROWMIN, &[id(src)], &[id(dst)])
    }

    /// Multiplies the elements of each row.
    ///
    /// `dst[i, 0] = product over j of src[i, j]`
    ///
    /// Written `pto.trowprod ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowprod` forbids these operands.
    pub fn trowprod<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWPROD, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Multiplies the elements of each row.
    ///
    /// `dst[i, 0] = product over j of src[i, j]`
    ///
    /// Written `pto.trowprod ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowprod` forbids these operands.
    pub fn trowprod_without_tmp<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWPROD, &[id(src)], &[id(dst)])
    }

    /// Sums each row.
    ///
    /// `dst[i, 0] = sum over j of src[i, j]`
    ///
    /// Written `pto.trowsum ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowsum` forbids these operands.
    pub fn trowsum<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error> {
        self.record(Op::TROWSUM, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Sums each row.
    ///
    /// `dst[i, 0] = sum over j of src[i, j]`
    ///
    /// Written `pto.trowsum ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowsum` forbids these operands.
    pub fn trowsum_without_tmp<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TROWSUM, &[id(src)], &[id(dst)])
    }

    /// Repeats the first row down the tile.
    ///
    /// `dst[i, j] = src[0, j]`
    ///
    /// Written `pto.tcolexpand ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolexpand` forbids these operands.
    pub fn tcolexpand<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error> {
        self.record(Op::TCOLEXPAND, &[id(src)], &[id(dst)])
    }

    /// Adds one element per column to a tile.
    ///
    /// `dst[i, j] = src0[i, j] + src1[i, j], one source repeated down each column`
    ///
    /// Written `pto.tcolexpandadd ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolexpandadd` forbids these operands.
    pub fn tcolexpandadd<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TCOLEXPANDADD, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Divides a tile by one element per column; with swapped operands, the reverse.
    ///
    /// `dst[i, j] = src0[i, j] / src1[i, j], one source repeated down each column`
    ///
    /// Written `pto.tcolexpanddiv ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolexpanddiv` forbids these operands.
    pub fn tcolexpanddiv<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TCOLEXPANDDIV, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Takes the exponential of the difference of a tile and one element per column.
    ///
    /// `dst[i, j] = exp(src0[i, j] - src1[i, j]), one source repeated down each column`
    ///
    /// Written `pto.tcolexpandexpdif ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolexpandexpdif` forbids these operands.
    pub fn tcolexpandexpdif<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TCOLEXPANDEXPDIF, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Takes the larger of a tile and one element per column.
    ///
    /// `dst[i, j] = max(src0[i, j], src1[i, j]), one source repeated down each column`
    ///
    /// Written `pto.tcolexpandmax ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolexpandmax` forbids these operands.
    pub fn tcolexpandmax<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TCOLEXPANDMAX, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Takes the smaller of a tile and one element per column.
    ///
    /// `dst[i, j] = min(src0[i, j], src1[i, j]), one source repeated down each column`
    ///
    /// Written `pto.tcolexpandmin ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolexpandmin` forbids these operands.
    pub fn tcolexpandmin<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TCOLEXPANDMIN, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Multiplies a tile by one element per column.
    ///
    /// `dst[i, j] = src0[i, j] * src1[i, j], one source repeated down each column`
    ///
    /// Written `pto.tcolexpandmul ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolexpandmul` forbids these operands.
    pub fn tcolexpandmul<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TCOLEXPANDMUL, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Subtracts one element per column from a tile; with swapped operands, the reverse.
    ///
    /// `dst[i, j] = src0[i, j] - src1[i, j], one source repeated down each column`
    ///
    /// Written `pto.tcolexpandsub ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tcolexpandsub` forbids these operands.
    pub fn tcolexpandsub<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TCOLEXPANDSUB, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Repeats the first element of each row along it.
    ///
    /// `dst[i, j] = src[i, 0]`
    ///
    /// Written `pto.trowexpand ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpand` forbids these operands.
    pub fn trowexpand<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error> {
        self.record(Op::TROWEXPAND, &[id(src)], &[id(dst)])
    }

    /// Adds one element per row to a tile.
    ///
    /// `dst[i, j] = src0[i, j] + src1[i, j], one source repeated along each row`
    ///
    /// Written `pto.trowexpandadd ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpandadd` forbids these operands.
    pub fn trowexpandadd<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDADD, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Adds one element per row to a tile.
    ///
    /// `dst[i, j] = src0[i, j] + src1[i, j], one source repeated along each row`
    ///
    /// Written `pto.trowexpandadd ins(src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpandadd` forbids these operands.
    pub fn trowexpandadd_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDADD, &[id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Divides a tile by one element per row; with swapped operands, the reverse.
    ///
    /// `dst[i, j] = src0[i, j] / src1[i, j], one source repeated along each row`
    ///
    /// Written `pto.trowexpanddiv ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpanddiv` forbids these operands.
    pub fn trowexpanddiv<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDDIV, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Divides a tile by one element per row; with swapped operands, the reverse.
    ///
    /// `dst[i, j] = src0[i, j] / src1[i, j], one source repeated along each row`
    ///
    /// Written `pto.trowexpanddiv ins(src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpanddiv` forbids these operands.
    pub fn trowexpanddiv_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDDIV, &[id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Takes the exponential of the difference of a tile and one element per row.
    ///
    /// `dst[i, j] = exp(src0[i, j] - src1[i, j]), one source repeated along each row`
    ///
    /// Written `pto.trowexpandexpdif ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpandexpdif` forbids these operands.
    pub fn trowexpandexpdif<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDEXPDIF, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Takes the exponential of the difference of a tile and one element per row.
    ///
    /// `dst[i, j] = exp(src0[i, j] - src1[i, j]), one source repeated along each row`
    ///
    /// Written `pto.trowexpandexpdif ins(src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpandexpdif` forbids these operands.
    pub fn trowexpandexpdif_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDEXPDIF, &[id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Takes the larger of a tile and one element per row.
    ///
    /// `dst[i, j] = max(src0[i, j], src1[i, j]), one source repeated along each row`
    ///
    /// Written `pto.trowexpandmax ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpandmax` forbids these operands.
    pub fn trowexpandmax<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDMAX, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Takes the larger of a tile and one element per row.
    ///
    /// `dst[i, j] = max(src0[i, j], src1[i, j]), one source repeated along each row`
    ///
    /// Written `pto.trowexpandmax ins(src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpandmax` forbids these operands.
    pub fn trowexpandmax_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDMAX, &[id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Takes the smaller of a tile and one element per row.
    ///
    /// `dst[i, j] = min(src0[i, j], src1[i, j]), one source repeated along each row`
    ///
    /// Written `pto.trowexpandmin ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpandmin` forbids these operands.
    pub fn trowexpandmin<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDMIN, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Takes the smaller of a tile and one element per row.
    ///
    /// `dst[i, j] = min(src0[i, j], src1[i, j]), one source repeated along each row`
    ///
    /// Written `pto.trowexpandmin ins(src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpandmin` forbids these operands.
    pub fn trowexpandmin_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDMIN, &[id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Multiplies a tile by one element per row.
    ///
    /// `dst[i, j] = src0[i, j] * src1[i, j], one source repeated along each row`
    ///
    /// Written `pto.trowexpandmul ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpandmul` forbids these operands.
    pub fn trowexpandmul<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDMUL, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Multiplies a tile by one element per row.
    ///
    /// `dst[i, j] = src0[i, j] * src1[i, j], one source repeated along each row`
    ///
    /// Written `pto.trowexpandmul ins(src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpandmul` forbids these operands.
    pub fn trowexpandmul_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDMUL, &[id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Subtracts one element per row from a tile; with swapped operands, the reverse.
    ///
    /// `dst[i, j] = src0[i, j] - src1[i, j], one source repeated along each row`
    ///
    /// Written `pto.trowexpandsub ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpandsub` forbids these operands.
    pub fn trowexpandsub<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDSUB, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Subtracts one element per row from a tile; with swapped operands, the reverse.
    ///
    /// `dst[i, j] = src0[i, j] - src1[i, j], one source repeated along each row`
    ///
    /// Written `pto.trowexpandsub ins(src0: tile, src1: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `trowexpandsub` forbids these operands.
    pub fn trowexpandsub_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
        tmp: impl AnyTile,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TROWEXPANDSUB, &[id(src0), id(src1), id(tmp)], &[id(dst)])
    }

    /// Multiplies a row vector by a matrix.
    ///
    /// `dst = left x right, one fused multiply-add per step, k ascending`
    ///
    /// Written `pto.tgemv ins(left: tile, right: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tgemv` forbids these operands.
    pub fn tgemv<D: AnyTile<Location = loc::Acc>>(
        &mut self,
        dst: D,
        left: impl AnyTile<Location = loc::Left>,
        right: impl AnyTile<Location = loc::Right>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TGEMV, &[id(left), id(right)], &[id(dst)])
    }

    /// Multiplies a row vector by a matrix onto an accumulator.
    ///
    /// `dst = acc + left x right, one fused multiply-add per step, k ascending`
    ///
    /// Written `pto.tgemv.acc ins(acc: tile, left: tile, right: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tgemv.acc` forbids these operands.
    pub fn tgemv_acc<D: AnyTile<Location = loc::Acc>>(
        &mut self,
        dst: D,
        acc: impl AnyTile<Location = loc::Acc, DType = D::DType>,
        left: impl AnyTile<Location = loc::Left>,
        right: impl AnyTile<Location = loc::Right>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TGEMV_ACC, &[id(acc), id(left), id(right)], &[id(dst)])
    }

    /// Multiplies a row vector by a matrix and adds a row of biases.
    ///
    /// `dst = bias + left x right, one fused multiply-add per step, k ascending`
    ///
    /// Written `pto.tgemv.bias ins(left: tile, right: tile, bias: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tgemv.bias` forbids these operands.
    pub fn tgemv_bias<D: AnyTile<Location = loc::Acc>>(
        &mut self,
        dst: D,
        left: impl AnyTile<Location = loc::Left>,
        right: impl AnyTile<Location = loc::Right>,
        bias: impl AnyTile<Location = loc::Bias, DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TGEMV_BIAS, &[id(left), id(right), id(bias)], &[id(dst)])
    }

    /// Multiplies a row vector by a matrix with MX scales.
    ///
    /// `dst = (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending`
    ///
    /// Written `pto.tgemv.mx ins(left: tile, left_scale: tile, right: tile, right_scale: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tgemv.mx` forbids these operands.
    pub fn tgemv_mx(
        &mut self,
        dst: impl AnyTile<Location = loc::Acc, DType = f32>,
        left: impl AnyTile<Location = loc::Left>,
        left_scale: impl LeftScale,
        right: impl AnyTile<Location = loc::Right>,
        right_scale: impl RightScale,
    ) -> Result<Event, Error> {
        self.record(Op::TGEMV_MX, &[id(left), id(left_scale), id(right), id(right_scale)], &[id(dst)])
    }

    /// Multiplies a row vector by a matrix with MX scales onto an accumulator.
    ///
    /// `dst = acc + (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending`
    ///
    /// Written `pto.tgemv.mx.acc ins(acc: tile, left: tile, left_scale: tile, right: tile, right_scale: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tgemv.mx.acc` forbids these operands.
    pub fn tgemv_mx_acc(
        &mut self,
        dst: impl AnyTile<Location = loc::Acc, DType = f32>,
        acc: impl AnyTile<Location = loc::Acc, DType = f32>,
        left: impl AnyTile<Location = loc::Left>,
        left_scale: impl LeftScale,
        right: impl AnyTile<Location = loc::Right>,
        right_scale: impl RightScale,
    ) -> Result<Event, Error> {
        self.record(
            Op::TGEMV_MX_ACC,
            &[id(acc), id(left), id(left_scale), id(right), id(right_scale)],
            &[id(dst)],
        )
    }

    /// Multiplies a row vector by a matrix with MX scales and adds a row of biases.
    ///
    /// `dst = bias + (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending`
    ///
    /// Written `pto.tgemv.mx.bias ins(left: tile, left_scale: tile, right: tile, right_scale: tile, bias: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tgemv.mx.bias` forbids these operands.
    pub fn tgemv_mx_bias(
        &mut self,
        dst: impl AnyTile<Location = loc::Acc, DType = f32>,
        left: impl AnyTile<Location = loc::Left>,
        left_scale: impl LeftScale,
        right: impl AnyTile<Location = loc::Right>,
        right_scale: impl RightScale,
        bias: impl AnyTile<Location = loc::Bias, DType = f32>,
    ) -> Result<Event, Error> {
        self.record(
            Op::TGEMV_MX_BIAS,
            &[id(left), id(left_scale), id(right), id(right_scale), id(bias)],
            &[id(dst)],
        )
    }

    /// Multiplies two matrices.
    ///
    /// `dst = left x right, one fused multiply-add per step, k ascending`
    ///
    /// Written `pto.tmatmul ins(left: tile, right: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmatmul` forbids these operands.
    pub fn tmatmul<D: AnyTile<Location = loc::Acc>>(
        &mut self,
        dst: D,
        left: impl AnyTile<Location = loc::Left>,
        right: impl AnyTile<Location = loc::Right>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TMATMUL, &[id(left), id(right)], &[id(dst)])
    }

    /// Multiplies two matrices onto an accumulator.
    ///
    /// `dst = acc + left x right, one fused multiply-add per step, k ascending`
    ///
    /// Written `pto.tmatmul.acc ins(acc: tile, left: tile, right: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmatmul.acc` forbids these operands.
    pub fn tmatmul_acc<D: AnyTile<Location = loc::Acc>>(
        &mut self,
        dst: D,
        acc: impl AnyTile<Location = loc::Acc, DType = D::DType>,
        left: impl AnyTile<Location = loc::Left>,
        right: impl AnyTile<Location = loc::Right>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TMATMUL_ACC, &[id(acc), id(left), id(right)], &[id(dst)])
    }

    /// Multiplies two matrices and adds a row of biases.
    ///
    /// `dst = bias + left x right, one fused multiply-add per step, k ascending`
    ///
    /// Written `pto.tmatmul.bias ins(left: tile, right: tile, bias: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmatmul.bias` forbids these operands.
    pub fn tmatmul_bias<D: AnyTile<Location = loc::Acc>>(
        &mut self,
        dst: D,
        left: impl AnyTile<Location = loc::Left>,
        right: impl AnyTile<Location = loc::Right>,
        bias: impl AnyTile<Location = loc::Bias, DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TMATMUL_BIAS, &[id(left), id(right), id(bias)], &[id(dst)])
    }

    /// Multiplies two matrices with MX scales.
    ///
    /// `dst = (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending`
    ///
    /// Written `pto.tmatmul.mx ins(left: tile, left_scale: tile, right: tile, right_scale: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmatmul.mx` forbids these operands.
    pub fn tmatmul_mx(
        &mut self,
        dst: impl AnyTile<Location = loc::Acc, DType = f32>,
        left: impl AnyTile<Location = loc::Left>,
        left_scale: impl LeftScale,
        right: impl AnyTile<Location = loc::Right>,
        right_scale: impl RightScale,
    ) -> Result<Event, Error> {
        self.record(Op::TMATMUL_MX, &[id(left), id(left_scale), id(right), id(right_scale)], &[id(dst)])
    }

    /// Multiplies two matrices with MX scales onto an accumulator.
    ///
    /// `dst = acc + (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending`
    ///
    /// Written `pto.tmatmul.mx.acc ins(acc: tile, left: tile, left_scale: tile, right: tile, right_scale: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmatmul.mx.acc` forbids these operands.
    pub fn tmatmul_mx_acc(
        &mut self,
        dst: impl AnyTile<Location = loc::Acc, DType = f32>,
        acc: impl AnyTile<Location = loc::Acc, DType = f32>,
        left: impl AnyTile<Location = loc::Left>,
        left_scale: impl LeftScale,
        right: impl AnyTile<Location = loc::Right>,
        right_scale: impl RightScale,
    ) -> Result<Event, Error> {
        self.record(
            Op::TMATMUL_MX_ACC,
            &[id(acc), id(left), id(left_scale), id(right), id(right_scale)],
            &[id(dst)],
        )
    }

    /// Multiplies two matrices with MX scales and adds a row of biases.
    ///
    /// `dst = bias + (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending`
    ///
    /// Written `pto.tmatmul.mx.bias ins(left: tile, left_scale: tile, right: tile, right_scale: tile, bias: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tmatmul.mx.bias` forbids these operands.
    pub fn tmatmul_mx_bias(
        &mut self,
        dst: impl AnyTile<Location = loc::Acc, DType = f32>,
        left: impl AnyTile<Location = loc::Left>,
        left_scale: impl LeftScale,
        right: impl AnyTile<Location = loc::Right>,
        right_scale: impl RightScale,
        bias: impl AnyTile<Location = loc::Bias, DType = f32>,
    ) -> Result<Event, Error> {
        self.record(
            Op::TMATMUL_MX_BIAS,
            &[id(left), id(left_scale), id(right), id(right_scale), id(bias)],
            &[id(dst)],
        )
    }

    /// Puts the columns of two tiles side by side.
    ///
    /// `dst[i, j] = src0[i, j] for j < n0, else src1[i, j - n0], n0 being the valid columns of src0`
    ///
    /// Written `pto.tconcat ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tconcat` forbids these operands.
    pub fn tconcat<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error> {
        self.record(Op::TCONCAT, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Puts the columns of two tiles side by side.
    ///
    /// `dst[i, j] = src0[i, j] for j < n0, else src1[i, j - n0], n0 being the valid columns of src0`
    ///
    /// Written `pto.tconcat ins(src0: tile, src1: tile, idx0: tile, idx1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tconcat` forbids these operands.
    pub fn tconcat_indexed<D: VecTile<Layout = layout::Nd>, I: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        idx0: I,
        idx1: impl VecTile<DType = I::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        I::DType: Integer,
    {
        self.record(Op::TCONCAT, &[id(src0), id(src1), id(idx0), id(idx1)], &[id(dst)])
    }

    /// Puts the columns of two tiles side by side.
    ///
    /// `dst[i, j] = src0[i, j] for j < n0, else src1[i, j - n0], n0 being the valid columns of src0`
    ///
    /// Written `pto.tconcat ins(src0: tile, src1: tile, idx0: tile, idx1: tile) outs(dst: tile, count: tile)`.
    ///
    /// # Errors
    /// If a rule of `tconcat` forbids these operands.
    pub fn tconcat_counted<D: VecTile<Layout = layout::Nd>, T: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        count: T,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        idx0: impl VecTile<DType = T::DType, Layout = layout::Nd>,
        idx1: impl VecTile<DType = T::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        T::DType: Integer,
    {
        self.record(Op::TCONCAT, &[id(src0), id(src1), id(idx0), id(idx1)], &[id(dst), id(count)])
    }

    /// Puts the first n0 columns of a tile and the first n1 columns of another side by side, with n0 and n1 for each row.
    ///
    /// `n0 = idx0[i, 0] / sizeof(Idx), n1 = idx1[i, 0] / sizeof(Idx), clamped to the destination; dst[i, j] = src0[i, j] for j < n0, src1[i, j - n0] for n0 <= j < n0 + n1; count[i, 0] = (n0 + n1) * sizeof(Idx)`
    ///
    /// Written `pto.tconcatidx ins(src0: tile, src1: tile, idx0: tile, idx1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tconcatidx` forbids these operands.
    pub fn tconcatidx<D: VecTile<Layout = layout::Nd>, I: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        idx0: I,
        idx1: impl VecTile<DType = I::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        I::DType: Integer,
    {
        self.record(Op::TCONCATIDX, &[id(src0), id(src1), id(idx0), id(idx1)], &[id(dst)])
    }

    /// Puts the first n0 columns of a tile and the first n1 columns of another side by side, with n0 and n1 for each row.
    ///
    /// `n0 = idx0[i, 0] / sizeof(Idx), n1 = idx1[i, 0] / sizeof(Idx), clamped to the destination; dst[i, j] = src0[i, j] for j < n0, src1[i, j - n0] for n0 <= j < n0 + n1; count[i, 0] = (n0 + n1) * sizeof(Idx)`
    ///
    /// Written `pto.tconcatidx ins(src0: tile, src1: tile, idx0: tile, idx1: tile) outs(dst: tile, count: tile)`.
    ///
    /// # Errors
    /// If a rule of `tconcatidx` forbids these operands.
    pub fn tconcatidx_counted<D: VecTile<Layout = layout::Nd>, T: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        count: T,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        idx0: impl VecTile<DType = T::DType, Layout = layout::Nd>,
        idx1: impl VecTile<DType = T::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        T::DType: Integer,
    {
        self.record(Op::TCONCATIDX, &[id(src0), id(src1), id(idx0), id(idx1)], &[id(dst), id(count)])
    }

    /// Puts the even columns of two tiles, or of one, into one destination and the odd columns into another.
    ///
    /// `with s being the columns of src0 and then those of src1, or those of src: dst0[i, k] = s[i, 2k], dst1[i, k] = s[i, 2k + 1]`
    ///
    /// Written `pto.tdeinterleave ins(src0: tile, src1: tile) outs(dst0: tile, dst1: tile)`.
    ///
    /// # Errors
    /// If a rule of `tdeinterleave` forbids these operands.
    pub fn tdeinterleave<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst0: D,
        dst1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TDEINTERLEAVE, &[id(src0), id(src1)], &[id(dst0), id(dst1)])
    }

    /// Interleaves the columns of two tiles, with the first half of the result in one destination and the second half in another.
    ///
    /// `with s[i, 2k] = src0[i, k] and s[i, 2k + 1] = src1[i, k]: dst0[i, j] = s[i, j], dst1[i, j] = s[i, m + j], m being the valid columns, rounded down to pairs`
    ///
    /// Written `pto.tinterleave ins(src0: tile, src1: tile) outs(dst0: tile, dst1: tile)`.
    ///
    /// # Errors
    /// If a rule of `tinterleave` forbids these operands.
    pub fn tinterleave<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst0: D,
        dst1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src0: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        src1: impl VecTile<DType = D::DType, Layout = layout::Nd>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TINTERLEAVE, &[id(src0), id(src1)], &[id(dst0), id(dst1)])
    }

    /// Truncates integers to their low bits in a narrower type, or extends them to a wider type.
    ///
    /// `dst[i, j] = src[i, j], truncated to its low bits, or extended`
    ///
    /// Written `pto.tpack ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tpack` forbids these operands.
    pub fn tpack(&mut self, dst: impl VecTile, src: impl VecTile) -> Result<Event, Error> {
        self.record(Op::TPACK, &[id(src)], &[id(dst)])
    }

    /// Exchanges rows and columns, or brings a convolution tile into another layout.
    ///
    /// `dst[j, i] = src[i, j]; of convolution tiles the same element [g, n, c, d, h, w], c being c1 * C0 + c0 and n being n1 * N0 + n0, zero where src has no such element`
    ///
    /// Written `pto.ttrans ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `ttrans` forbids these operands.
    pub fn ttrans(&mut self, dst: impl VecTile, src: impl VecTile) -> Result<Event, Error> {
        self.record(Op::TTRANS, &[id(src)], &[id(dst)])
    }

    /// Exchanges rows and columns, or brings a convolution tile into another layout.
    ///
    /// `dst[j, i] = src[i, j]; of convolution tiles the same element [g, n, c, d, h, w], c being c1 * C0 + c0 and n being n1 * N0 + n0, zero where src has no such element`
    ///
    /// Written `pto.ttrans ins(src: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `ttrans` forbids these operands.
    pub fn ttrans_tmp(
        &mut self,
        dst: impl VecTile,
        src: impl VecTile,
        tmp: impl AnyTile,
    ) -> Result<Event, Error> {
        self.record(Op::TTRANS, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Scatters rows or single elements to a table in global memory by their indices.
    ///
    /// `dst[idx[i], j] = src[i, j] by rows, or element idx[i, j] of dst = src[i, j]; an atomic mode writes the sum, maximum or minimum with the old element; of several elements for one place the last stays; `scatterOob` decides whether an index beyond the table is clamped, wrapped or skipped`
    ///
    /// Written `pto.mscatter ins(src: tile, idx: tile) outs(dst: view)`.
    ///
    /// # Errors
    /// If a rule of `mscatter` forbids these operands.
    pub fn mscatter<S: VecTile, I: VecTile>(
        &mut self,
        dst: impl Into<View<S::DType>>,
        src: S,
        idx: I,
        coalesce: impl Into<Option<Coalesce>>,
        scatter_oob: impl Into<Option<Beyond>>,
        scatter_atomic_op: impl Into<Option<Atomic>>,
        scatter_conflict: impl Into<Option<Conflict>>,
    ) -> Result<Event, Error>
    where
        I::DType: Integer,
    {
        let dst = dst.into().id;
        let attributes = [
            coalesce.into().map(|it| word("coalesce", "coalesce", it.word(), EnumSpelling::Spaced)),
            scatter_oob.into().map(|it| word("scatterOob", "scatter_oob", it.word(), EnumSpelling::Spaced)),
            scatter_atomic_op
                .into()
                .map(|it| word("scatterAtomicOp", "scatter_atomic_op", it.word(), EnumSpelling::Spaced)),
            scatter_conflict
                .into()
                .map(|it| word("scatterConflict", "scatter_conflict", it.word(), EnumSpelling::Spaced)),
        ]
        .into_iter()
        .flatten()
        .collect();
        self.recorder.issue(Call {
            ins: &[id(src), id(idx)],
            outs: &[dst],
            attributes,
            ..Call::of(Op::MSCATTER)
        })
    }

    /// Fills the first row with consecutive numbers, upwards, or downwards with `descending`; integers wrap.
    ///
    /// `dst[0, j] = start + j, or start - j; floats are the exact sum, rounded once, to nearest even`
    ///
    /// Written `pto.tci ins(start: scalar) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tci` forbids these operands.
    pub fn tci<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        start: impl Into<ScalarOr<D::DType>>,
        descending: impl Into<Option<bool>>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        let start = self.scalar_id(start.into())?;
        let attributes = [descending.into().map(|it| NamedAttribute::new("descending", Attribute::Bool(it)))]
            .into_iter()
            .flatten()
            .collect();
        self.recorder.issue(Call { ins: &[start], outs: &[id(dst)], attributes, ..Call::of(Op::TCI) })
    }

    /// Fills the first row with consecutive numbers, upwards, or downwards with `descending`; integers wrap.
    ///
    /// `dst[0, j] = start + j, or start - j; floats are the exact sum, rounded once, to nearest even`
    ///
    /// Written `pto.tci ins(start: scalar, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tci` forbids these operands.
    pub fn tci_tmp<D: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        start: impl Into<ScalarOr<D::DType>>,
        tmp: impl VecTile,
        descending: impl Into<Option<bool>>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        let start = self.scalar_id(start.into())?;
        let attributes = [descending.into().map(|it| NamedAttribute::new("descending", Attribute::Bool(it)))]
            .into_iter()
            .flatten()
            .collect();
        self.recorder.issue(Call {
            ins: &[start, id(tmp)],
            outs: &[id(dst)],
            attributes,
            ..Call::of(Op::TCI)
        })
    }

    /// Gathers elements by index or by a mask pattern, or finds the indices of elements that satisfy a comparison.
    ///
    /// `dst[i, j] = element idx[i, j] of src, counted row by row; with a mask pattern, the selected elements (or rows) of src one after the other; with a comparison, row i of dst holds the ascending indices, plus `offset`, of the elements of row i of src that equal k (or are greater), and count their number`
    ///
    /// Written `pto.tgather ins(src: tile, idx: tile, tmp: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tgather` forbids these operands.
    pub fn tgather<D: VecTile<Layout = layout::Nd>, I: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        idx: I,
        tmp: impl VecTile,
    ) -> Result<Event, Error>
    where
        I::DType: Integer,
    {
        self.record(Op::TGATHER, &[id(src), id(idx), id(tmp)], &[id(dst)])
    }

    /// Gathers elements by index or by a mask pattern, or finds the indices of elements that satisfy a comparison.
    ///
    /// `dst[i, j] = element idx[i, j] of src, counted row by row; with a mask pattern, the selected elements (or rows) of src one after the other; with a comparison, row i of dst holds the ascending indices, plus `offset`, of the elements of row i of src that equal k (or are greater), and count their number`
    ///
    /// Written `pto.tgather ins(src: tile, idx: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tgather` forbids these operands.
    pub fn tgather_without_tmp<D: VecTile<Layout = layout::Nd>, I: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType, Layout = layout::Nd>,
        idx: I,
    ) -> Result<Event, Error>
    where
        I::DType: Integer,
    {
        self.record(Op::TGATHER, &[id(src), id(idx)], &[id(dst)])
    }

    /// Gathers elements by index or by a mask pattern, or finds the indices of elements that satisfy a comparison.
    ///
    /// `dst[i, j] = element idx[i, j] of src, counted row by row; with a mask pattern, the selected elements (or rows) of src one after the other; with a comparison, row i of dst holds the ascending indices, plus `offset`, of the elements of row i of src that equal k (or are greater), and count their number`
    ///
    /// Written `pto.tgather ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tgather` forbids these operands.
    pub fn tgather_mask(
        &mut self,
        dst: impl VecTile<Layout = layout::Nd>,
        src: impl VecTile<Layout = layout::Nd>,
        mask_pattern: impl Into<Option<MaskPattern>>,
        axis: impl Into<Option<Axis>>,
    ) -> Result<Event, Error> {
        let attributes = [
            mask_pattern
                .into()
                .map(|it| word("maskPattern", "mask_pattern", it.word(), EnumSpelling::Spaced)),
            axis.into().map(|it| NamedAttribute::new("axis", Attribute::String(it.word().to_owned()))),
        ]
        .into_iter()
        .flatten()
        .collect();
        self.recorder.issue(Call { ins: &[id(src)], outs: &[id(dst)], attributes, ..Call::of(Op::TGATHER) })
    }

    /// Gathers elements by index or by a mask pattern, or finds the indices of elements that satisfy a comparison.
    ///
    /// `dst[i, j] = element idx[i, j] of src, counted row by row; with a mask pattern, the selected elements (or rows) of src one after the other; with a comparison, row i of dst holds the ascending indices, plus `offset`, of the elements of row i of src that equal k (or are greater), and count their number`
    ///
    /// Written `pto.tgather ins(src: tile, k: scalar, tmp: tile) outs(dst: tile, count: tile)`.
    ///
    /// # Errors
    /// If a rule of `tgather` forbids these operands.
    pub fn tgather_compare<D: VecTile<Layout = layout::Nd>, S: VecTile<Layout = layout::Nd>>(
        &mut self,
        dst: D,
        count: impl VecTile,
        src: S,
        k: impl Into<ScalarOr<S::DType>>,
        tmp: impl VecTile,
        cmp_mode: impl Into<Option<Comparison>>,
        offset: impl Into<Option<i32>>,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
        S::DType: Common,
    {
        let k = self.scalar_id(k.into())?;
        let attributes = [
            cmp_mode.into().map(|it| word("cmpMode", "cmp", it.word(), EnumSpelling::Spaced)),
            offset.into().map(|it| NamedAttribute::new("offset", Attribute::Integer(it.into(), None))),
        ]
        .into_iter()
        .flatten()
        .collect();
        self.recorder.issue(Call {
            ins: &[id(src), k, id(tmp)],
            outs: &[id(dst), id(count)],
            attributes,
            ..Call::of(Op::TGATHER)
        })
    }

    /// Gathers elements by index or by a mask pattern, or finds the indices of elements that satisfy a comparison.
    ///
    /// `dst[i, j] = element idx[i, j] of src, counted row by row; with a mask pattern, the selected elements (or rows) of src one after the other; with a comparison, row i of dst holds the ascending indices, plus `offset`, of the elements of row i of src that equal k (or are greater), and count their number`
    ///
    /// Written `pto.tgather ins(src: tile, k: tile, tmp: tile) outs(dst: tile, count: tile)`.
    ///
    /// # Errors
    /// If a rule of `tgather` forbids these operands.
    pub fn tgather_compare_each<
        D: VecTile<Layout = layout::Nd>,
        S: VecTile<Layout = layout::Nd>,
        T: VecTile,
    >(
        &mut self,
        dst: D,
        count: impl VecTile,
        src: S,
        k: T,
        tmp: impl VecTile,
        cmp_mode: impl Into<Option<Comparison>>,
        offset: impl Into<Option<i32>>,
    ) -> Result<Event, Error>
    where
        D::DType: Integer,
        S::DType: Common,
        T::DType: Integer,
    {
        let attributes = [
            cmp_mode.into().map(|it| word("cmpMode", "cmp", it.word(), EnumSpelling::Spaced)),
            offset.into().map(|it| NamedAttribute::new("offset", Attribute::Integer(it.into(), None))),
        ]
        .into_iter()
        .flatten()
        .collect();
        self.recorder.issue(Call {
            ins: &[id(src), id(k), id(tmp)],
            outs: &[id(dst), id(count)],
            attributes,
            ..Call::of(Op::TGATHER)
        })
    }

    /// Gathers blocks of 32 bytes by their byte offsets in the source.
    ///
    /// `dst[i, b * n + k] = element k of the block at byte offsets[i, b] of src, n elements being 32 bytes`
    ///
    /// Written `pto.tgatherb ins(src: tile, offsets: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tgatherb` forbids these operands.
    pub fn tgatherb<D: VecTile, T: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        offsets: T,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
        T::DType: Integer,
    {
        self.record(Op::TGATHERB, &[id(src), id(offsets)], &[id(dst)])
    }

    /// Adds two tiles; where only one is valid, its element is copied.
    ///
    /// `dst[i, j] = src0[i, j] + src1[i, j], or the element of the only source that is valid there`
    ///
    /// Written `pto.tpartadd ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tpartadd` forbids these operands.
    pub fn tpartadd<D: VecTile>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error> {
        self.record(Op::TPARTADD, &[id(src0), id(src1)], &[id(dst)])
    }

    /// The larger element of two tiles with its index; where only one tile is valid, its element and index are copied.
    ///
    /// `(dst, idx)[i, j] = (src0, idx0)[i, j] where src0[i, j] >= src1[i, j] or only src0 is valid, else (src1, idx1)[i, j]; NaN wins over numbers`
    ///
    /// Written `pto.tpartargmax ins(src0: tile, src1: tile, idx0: tile, idx1: tile) outs(dst: tile, idx: tile)`.
    ///
    /// # Errors
    /// If a rule of `tpartargmax` forbids these operands.
    pub fn tpartargmax<D: VecTile, I: VecTile>(
        &mut self,
        dst: D,
        idx: I,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
        idx0: impl VecTile<DType = I::DType>,
        idx1: impl VecTile<DType = I::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
        I::DType: Integer,
    {
        self.record(Op::TPARTARGMAX, &[id(src0), id(src1), id(idx0), id(idx1)], &[id(dst), id(idx)])
    }

    /// The smaller element of two tiles with its index; where only one tile is valid, its element and index are copied.
    ///
    /// `(dst, idx)[i, j] = (src0, idx0)[i, j] where src0[i, j] <= src1[i, j] or only src0 is valid, else (src1, idx1)[i, j]; NaN wins over numbers`
    ///
    /// Written `pto.tpartargmin ins(src0: tile, src1: tile, idx0: tile, idx1: tile) outs(dst: tile, idx: tile)`.
    ///
    /// # Errors
    /// If a rule of `tpartargmin` forbids these operands.
    pub fn tpartargmin<D: VecTile, I: VecTile>(
        &mut self,
        dst: D,
        idx: I,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
        idx0: impl VecTile<DType = I::DType>,
        idx1: impl VecTile<DType = I::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
        I::DType: Integer,
    {
        self.record(Op::TPARTARGMIN, &[id(src0), id(src1), id(idx0), id(idx1)], &[id(dst), id(idx)])
    }

    /// The larger element of two tiles; where only one is valid, its element is copied.
    ///
    /// `dst[i, j] = max(src0[i, j], src1[i, j]), or the element of the only source that is valid there`
    ///
    /// Written `pto.tpartmax ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tpartmax` forbids these operands.
    pub fn tpartmax<D: VecTile>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error> {
        self.record(Op::TPARTMAX, &[id(src0), id(src1)], &[id(dst)])
    }

    /// The smaller element of two tiles; where only one is valid, its element is copied.
    ///
    /// `dst[i, j] = min(src0[i, j], src1[i, j]), or the element of the only source that is valid there`
    ///
    /// Written `pto.tpartmin ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tpartmin` forbids these operands.
    pub fn tpartmin<D: VecTile>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error> {
        self.record(Op::TPARTMIN, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Multiplies two tiles; where only one is valid, its element is copied.
    ///
    /// `dst[i, j] = src0[i, j] * src1[i, j], or the element of the only source that is valid there`
    ///
    /// Written `pto.tpartmul ins(src0: tile, src1: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tpartmul` forbids these operands.
    pub fn tpartmul<D: VecTile>(
        &mut self,
        dst: D,
        src0: impl VecTile<DType = D::DType>,
        src1: impl VecTile<DType = D::DType>,
    ) -> Result<Event, Error>
    where
        D::DType: Common,
    {
        self.record(Op::TPARTMUL, &[id(src0), id(src1)], &[id(dst)])
    }

    /// Scatters elements by index or by a mask pattern into a tile whose other elements become zero.
    ///
    /// `element idx[i, j] of dst in memory order = src[i, j], of several elements the last stays; with a mask pattern of n elements and lane p, dst[i, j * n + p] = src[i, j], or dst[i * n + p, j] with axis "col"; the other elements of dst become 0, and P1111 copies src`
    ///
    /// Written `pto.tscatter ins(src: tile, idx: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tscatter` forbids these operands.
    pub fn tscatter<D: VecTile, I: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        idx: I,
    ) -> Result<Event, Error>
    where
        I::DType: Integer,
    {
        self.record(Op::TSCATTER, &[id(src), id(idx)], &[id(dst)])
    }

    /// Scatters elements by index or by a mask pattern into a tile whose other elements become zero.
    ///
    /// `element idx[i, j] of dst in memory order = src[i, j], of several elements the last stays; with a mask pattern of n elements and lane p, dst[i, j * n + p] = src[i, j], or dst[i * n + p, j] with axis "col"; the other elements of dst become 0, and P1111 copies src`
    ///
    /// Written `pto.tscatter ins(src: tile) outs(dst: tile)`.
    ///
    /// # Errors
    /// If a rule of `tscatter` forbids these operands.
    pub fn tscatter_mask<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        mask_pattern: impl Into<Option<MaskPattern>>,
        axis: impl Into<Option<Axis>>,
    ) -> Result<Event, Error> {
        let attributes = [
            mask_pattern
                .into()
                .map(|it| word("maskPattern", "mask_pattern", it.word(), EnumSpelling::Spaced)),
            axis.into().map(|it| NamedAttribute::new("axis", Attribute::String(it.word().to_owned()))),
        ]
        .into_iter()
        .flatten()
        .collect();
        self.recorder.issue(Call { ins: &[id(src)], outs: &[id(dst)], attributes, ..Call::of(Op::TSCATTER) })
    }
}
