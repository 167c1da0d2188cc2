//! Elementwise instructions on tiles.

use super::{DType, Error, Event, Kernel, Target, VecTile, id, vec_methods};
use crate::build::{Call, word};
use crate::intrinsics::ScalarOr;
use crate::intrinsics::dtype::{Integer, f16};
use crate::ir::EnumSpelling;
use crate::isa::registry::Op;

vec_methods!(
    /// `dst = |src|`.
    tabs = TABS (src);
    /// `dst = src0 + src1`.
    tadd = TADD (src0, src1);
    /// `dst = src0 + src1 + src2`.
    taddc = TADDC (src0, src1, src2);
    /// `dst = max(src0 + src1, 0)`.
    taddrelu = TADDRELU (src0, src1);
    /// `dst = src0 & src1`.
    tand = TAND (src0, src1);
    /// `dst = src0 / src1`.
    tdiv = TDIV (src0, src1);
    /// `dst = e^src`.
    texp = TEXP (src);
    /// `dst = src0 - trunc(src0 / src1) * src1`.
    tfmod = TFMOD (src0, src1);
    /// `dst = src0 - trunc(src0 / src1) * src1`, with a workspace.
    tfmod_tmp = TFMOD (src0, src1, tmp: any);
    /// `dst = src0 * dst + src1`, rounded once.
    tfusedmuladd = TFUSEDMULADD (src0, src1);
    /// `dst = max(src0 * dst + src1, 0)`, rounded once.
    tfusedmuladdrelu = TFUSEDMULADDRELU (src0, src1);
    /// `dst = ln src`.
    tlog = TLOG (src);
    /// `dst = max(src0, src1)`; NaN propagates.
    tmax = TMAX (src0, src1);
    /// `dst = min(src0, src1)`; NaN propagates.
    tmin = TMIN (src0, src1);
    /// `dst = src0 * src1`.
    tmul = TMUL (src0, src1);
    /// `dst = src0 * src1 + dst`, rounded once.
    tmuladddst = TMULADDDST (src0, src1);
    /// `dst = -src`.
    tneg = TNEG (src);
    /// `dst = !src`.
    tnot = TNOT (src);
    /// `dst = src0 | src1`.
    tor = TOR (src0, src1);
    /// `dst = src0 ^ src1`, a power.
    tpow = TPOW (src0, src1);
    /// `dst = src0 ^ src1`, with a workspace.
    tpow_tmp = TPOW (src0, src1, tmp: any);
    /// `dst = src0 > 0 ? src0 : src0 * src1`.
    tprelu = TPRELU (src0, src1);
    /// `dst = src0 > 0 ? src0 : src0 * src1`, with a workspace.
    tprelu_tmp = TPRELU (src0, src1, tmp: any);
    /// `dst = 1 / src`.
    trecip = TRECIP (src);
    /// `dst = max(src, 0)`.
    trelu = TRELU (src);
    /// `dst = src0 - floor(src0 / src1) * src1`.
    trem = TREM (src0, src1);
    /// `dst = src0 - floor(src0 / src1) * src1`, with a workspace.
    trem_tmp = TREM (src0, src1, tmp: any);
    /// `dst = 1 / sqrt(src)`.
    trsqrt = TRSQRT (src);
    /// `dst = 1 / sqrt(src)`, with a workspace.
    trsqrt_tmp = TRSQRT (src, tmp: any);
    /// `dst = src0 << src1`.
    tshl = TSHL (src0, src1);
    /// `dst = src0 >> src1`.
    tshr = TSHR (src0, src1);
    /// `dst = sqrt(src)`.
    tsqrt = TSQRT (src);
    /// `dst = src0 - src1`.
    tsub = TSUB (src0, src1);
    /// `dst = src0 - src1 + src2`.
    tsubc = TSUBC (src0, src1, src2);
    /// `dst = max(src0 - src1, 0)`.
    tsubrelu = TSUBRELU (src0, src1);
    /// `dst = src0 ^ src1`, bit by bit.
    txor = TXOR (src0, src1);
    /// `dst = src0 ^ src1`, with a workspace.
    txor_tmp = TXOR (src0, src1, tmp: any);
    /// `dst = mask ? src0 : src1`; the mask has one bit for each element.
    tsel = TSEL (mask: any, src0, src1);
    /// `dst = mask ? src0 : src1`, with a workspace.
    tsel_tmp = TSEL (mask: any, src0, src1, tmp: any);
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
        self.record(Op::TADDRELUCONV, &[id(src0), id(src1)], &[id(dst)])
    }

    /// `dst = max(src0 - src1, 0)`, narrowed from f32 to f16 or from f16 or i16 to i8.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tsubreluconv<S: VecTile>(
        &mut self,
        dst: impl VecTile,
        src0: S,
        src1: impl VecTile<DType = S::DType>,
    ) -> Result<Event, Error> {
        self.record(Op::TSUBRELUCONV, &[id(src0), id(src1)], &[id(dst)])
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
        self.record(Op::TADDDEQRELU, &[id(src0), id(src1), scale, id(tmp)], &[id(dst)])
    }
}

impl<P: Target> Kernel<P> {
    /// Converts elements to the destination's type, to nearest even and saturating as the pair of types does unless said.
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
            ins: &[id(src)],
            outs: &[id(dst)],
            attributes: Self::attributes(&[rounding, saturation]),
            ..Call::of(Op::TCVT)
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
            ins: &[id(src0), id(src1)],
            outs: &[id(dst)],
            attributes: vec![mode],
            ..Call::of(Op::TCMP)
        })
    }
}
