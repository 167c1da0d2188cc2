//! Elementwise instructions on tiles.

use super::{DType, Error, Event, Kernel, Target, VecTile, id, vec_methods};
use crate::intrinsics::ScalarOr;
use crate::intrinsics::dtype::{Integer, f16};
use crate::intrinsics::recorder::{Call, word};
use crate::ir::EnumSpelling;

vec_methods!(
    /// `dst = |src|`.
    tabs = "pto.tabs" (src);
    /// `dst = src0 + src1`.
    tadd = "pto.tadd" (src0, src1);
    /// `dst = src0 + src1 + src2`.
    taddc = "pto.taddc" (src0, src1, src2);
    /// `dst = max(src0 + src1, 0)`.
    taddrelu = "pto.taddrelu" (src0, src1);
    /// `dst = src0 & src1`.
    tand = "pto.tand" (src0, src1);
    /// `dst = src0 / src1`.
    tdiv = "pto.tdiv" (src0, src1);
    /// `dst = e^src`.
    texp = "pto.texp" (src);
    /// `dst = src0 - trunc(src0 / src1) * src1`.
    tfmod = "pto.tfmod" (src0, src1);
    /// The same with a workspace.
    tfmod_tmp = "pto.tfmod" (src0, src1, tmp: any);
    /// `dst = src0 * dst + src1`, rounded once.
    tfusedmuladd = "pto.tfusedmuladd" (src0, src1);
    /// `dst = max(src0 * dst + src1, 0)`, rounded once.
    tfusedmuladdrelu = "pto.tfusedmuladdrelu" (src0, src1);
    /// `dst = ln src`.
    tlog = "pto.tlog" (src);
    /// `dst = max(src0, src1)`; NaN propagates.
    tmax = "pto.tmax" (src0, src1);
    /// `dst = min(src0, src1)`; NaN propagates.
    tmin = "pto.tmin" (src0, src1);
    /// `dst = src0 * src1`.
    tmul = "pto.tmul" (src0, src1);
    /// `dst = src0 * src1 + dst`, rounded once.
    tmuladddst = "pto.tmuladddst" (src0, src1);
    /// `dst = -src`.
    tneg = "pto.tneg" (src);
    /// `dst = !src`.
    tnot = "pto.tnot" (src);
    /// `dst = src0 | src1`.
    tor = "pto.tor" (src0, src1);
    /// `dst = src0 ^ src1`, a power.
    tpow = "pto.tpow" (src0, src1);
    /// The same with a workspace.
    tpow_tmp = "pto.tpow" (src0, src1, tmp: any);
    /// `dst = src0 > 0 ? src0 : src0 * src1`.
    tprelu = "pto.tprelu" (src0, src1);
    /// The same with a workspace.
    tprelu_tmp = "pto.tprelu" (src0, src1, tmp: any);
    /// `dst = 1 / src`.
    trecip = "pto.trecip" (src);
    /// `dst = max(src, 0)`.
    trelu = "pto.trelu" (src);
    /// `dst = src0 - floor(src0 / src1) * src1`.
    trem = "pto.trem" (src0, src1);
    /// The same with a workspace.
    trem_tmp = "pto.trem" (src0, src1, tmp: any);
    /// `dst = 1 / sqrt(src)`.
    trsqrt = "pto.trsqrt" (src);
    /// The same with a workspace.
    trsqrt_tmp = "pto.trsqrt" (src, tmp: any);
    /// `dst = src0 << src1`.
    tshl = "pto.tshl" (src0, src1);
    /// `dst = src0 >> src1`.
    tshr = "pto.tshr" (src0, src1);
    /// `dst = sqrt(src)`.
    tsqrt = "pto.tsqrt" (src);
    /// `dst = src0 - src1`.
    tsub = "pto.tsub" (src0, src1);
    /// `dst = src0 - src1 + src2`.
    tsubc = "pto.tsubc" (src0, src1, src2);
    /// `dst = max(src0 - src1, 0)`.
    tsubrelu = "pto.tsubrelu" (src0, src1);
    /// `dst = src0 ^ src1`, bit by bit.
    txor = "pto.txor" (src0, src1);
    /// The same with a workspace.
    txor_tmp = "pto.txor" (src0, src1, tmp: any);
    /// `dst = mask ? src0 : src1`; the mask has one bit for each element.
    tsel = "pto.tsel" (mask: any, src0, src1);
    /// The same with a workspace.
    tsel_tmp = "pto.tsel" (mask: any, src0, src1, tmp: any);
);

/// What TCMP and TCMPS compare for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

impl Comparison {
    pub(super) fn word(self) -> &'static str {
        match self {
            Comparison::Eq => "eq",
            Comparison::Ne => "ne",
            Comparison::Lt => "lt",
            Comparison::Le => "le",
            Comparison::Gt => "gt",
            Comparison::Ge => "ge",
        }
    }
}

/// How TCVT and the modes of products round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundMode {
    /// To nearest, ties to even.
    Rint,
    /// To nearest, ties away from zero.
    Round,
    /// Down.
    Floor,
    /// Up.
    Ceil,
    /// Towards zero.
    Trunc,
    /// To odd.
    Odd,
}

impl RoundMode {
    fn word(self) -> &'static str {
        self.cast_word().trim_start_matches("CAST_")
    }

    /// The word with the prefix of the manual's enumeration.
    pub(super) fn cast_word(self) -> &'static str {
        match self {
            RoundMode::Rint => "CAST_RINT",
            RoundMode::Round => "CAST_ROUND",
            RoundMode::Floor => "CAST_FLOOR",
            RoundMode::Ceil => "CAST_CEIL",
            RoundMode::Trunc => "CAST_TRUNC",
            RoundMode::Odd => "CAST_ODD",
        }
    }
}

/// What TCVT does with values beyond the destination's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saturation {
    /// They become the largest or smallest value.
    On,
    /// Integers keep their low bits, floats become infinite.
    Off,
}

impl<P: Target> Kernel<P> {
    /// `dst = max(src0 + src1, 0)`, narrowed from f32 to f16 or from f16 or i16 to i8.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn taddreluconv<S: VecTile>(
        &mut self,
        dst: impl VecTile,
        src0: S,
        src1: impl VecTile<DType = S::DType>,
    ) -> Result<Event, Error> {
        self.record("pto.taddreluconv", &[id(src0), id(src1)], &[id(dst)])
    }

    /// `dst = max((src0 + src1) * scale, 0)`, from i32 to f16; `tmp` is a workspace.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tadddeqrelu(
        &mut self,
        dst: impl VecTile<DType = f16>,
        src0: impl VecTile<DType = i32>,
        src1: impl VecTile<DType = i32>,
        scale: impl Into<ScalarOr<f32>>,
        tmp: impl VecTile<DType = i32>,
    ) -> Result<Event, Error> {
        let scale = self.scalar_id(scale.into())?;
        self.record("pto.tadddeqrelu", &[id(src0), id(src1), scale, id(tmp)], &[id(dst)])
    }
}

impl<P: Target> Kernel<P> {
    /// Converts elements to the destination's type, rounding and saturating as the profile does unless said.
    ///
    /// # Errors
    /// If the profile has no such conversion.
    pub fn tcvt(
        &mut self,
        dst: impl VecTile,
        src: impl VecTile,
        rounding: Option<RoundMode>,
        saturation: Option<Saturation>,
    ) -> Result<Event, Error> {
        let spaced = EnumSpelling::Spaced;
        let rounding = rounding.map(|mode| word("rmode", "round_mode", mode.word(), spaced));
        let saturation = saturation.map(|mode| {
            let on = if mode == Saturation::On { "ON" } else { "OFF" };
            word("satmode", "saturation_mode", on, spaced)
        });
        self.recorder.issue(Call {
            name: "pto.tcvt",
            ins: &[id(src)],
            outs: &[id(dst)],
            attributes: Self::attributes(&[rounding, saturation]),
            ..Call::default()
        })
    }

    /// One bit for each element: whether `src0` compares so with `src1`.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tcmp<D, S>(
        &mut self,
        dst: D,
        src0: S,
        src1: impl VecTile<DType = S::DType>,
        comparison: Comparison,
    ) -> Result<Event, Error>
    where
        D: VecTile,
        D::DType: Integer,
        S: VecTile,
        S::DType: DType,
    {
        let mode = word("cmpMode", "cmp", comparison.word(), EnumSpelling::Spaced);
        self.recorder.issue(Call {
            name: "pto.tcmp",
            ins: &[id(src0), id(src1)],
            outs: &[id(dst)],
            attributes: vec![mode],
            ..Call::default()
        })
    }
}
