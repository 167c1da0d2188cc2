//! Instructions on a tile and a scalar.

use super::elementwise::Comparison;
use super::{Error, Event, Kernel, Target, VecTile, id};
use crate::build::{Call, word};
use crate::intrinsics::ScalarOr;
use crate::intrinsics::dtype::Integer;
use crate::ir::EnumSpelling;
use crate::isa::registry::Op;

/// Methods of instructions on vec tiles and a scalar, in the order in which they are written; all have the
/// destination's element type.
macro_rules! scalar_methods {
    ($($(#[$doc:meta])* $name:ident = $op:ident ($($before:ident),* ; scalar $(; $after:ident)*);)*) => {
        impl<P: Target> Kernel<P> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// If a rule of the instruction forbids these operands.
                pub fn $name<D: VecTile>(
                    &mut self,
                    dst: D,
                    $($before: impl VecTile<DType = D::DType>,)*
                    scalar: impl Into<ScalarOr<D::DType>>,
                    $($after: impl VecTile<DType = D::DType>,)*
                ) -> Result<Event, Error> {
                    let scalar = self.scalar_id(scalar.into())?;
                    self.record(Op::$op, &[$(id($before),)* scalar, $(id($after)),*], &[id(dst)])
                }
            )*
        }
    };
}

scalar_methods!(
    /// `dst = src + scalar`.
    tadds = TADDS (src; scalar);
    /// `dst = src0 + scalar + src1`.
    taddsc = TADDSC (src0; scalar; src1);
    /// `dst = src & scalar`.
    tands = TANDS (src; scalar);
    /// `dst = dst + src * scalar`.
    taxpy = TAXPY (src; scalar);
    /// `dst = src / scalar`.
    tdivs = TDIVS (src; scalar);
    /// `dst = scalar / src`.
    tdivs_by = TDIVS (; scalar; src);
    /// `dst = scalar`.
    texpands = TEXPANDS (; scalar);
    /// `dst = src - trunc(src / scalar) * scalar`.
    tfmods = TFMODS (src; scalar);
    /// `dst = src > 0 ? src : src * scalar`.
    tlrelu = TLRELU (src; scalar);
    /// `dst = max(src, scalar)`.
    tmaxs = TMAXS (src; scalar);
    /// `dst = min(src, scalar)`.
    tmins = TMINS (src; scalar);
    /// `dst = src * scalar`.
    tmuls = TMULS (src; scalar);
    /// `dst = src | scalar`.
    tors = TORS (src; scalar);
    /// `dst = src ^ scalar`, a power.
    tpows = TPOWS (src; scalar);
    /// `dst = src - floor(src / scalar) * scalar`.
    trems = TREMS (src; scalar);
    /// `dst = src - floor(src / scalar) * scalar`, with a workspace.
    trems_tmp = TREMS (src; scalar; tmp);
    /// `dst = src << scalar`.
    tshls = TSHLS (src; scalar);
    /// `dst = src >> scalar`.
    tshrs = TSHRS (src; scalar);
    /// `dst = src - scalar`.
    tsubs = TSUBS (src; scalar);
    /// `dst = src0 - scalar + src1`.
    tsubsc = TSUBSC (src0; scalar; src1);
    /// `dst = src ^ scalar`, bit by bit.
    txors = TXORS (src; scalar);
    /// `dst = src ^ scalar`, with a workspace.
    txors_tmp = TXORS (src; scalar; tmp);
);

impl<P: Target> Kernel<P> {
    /// One bit for each element: whether it compares so with the scalar.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tcmps<D, S>(
        &mut self,
        dst: D,
        src: S,
        scalar: impl Into<ScalarOr<S::DType>>,
        comparison: Comparison,
    ) -> Result<Event, Error>
    where
        D: VecTile,
        D::DType: Integer,
        S: VecTile,
    {
        let scalar = self.scalar_id(scalar.into())?;
        let mode = word("cmpMode", "cmp", comparison.word(), EnumSpelling::Spaced);
        self.recorder.issue(Call {
            ins: &[id(src), scalar],
            outs: &[id(dst)],
            attributes: vec![mode],
            ..Call::of(Op::TCMPS)
        })
    }

    /// `dst = mask ? src : scalar`; the mask has one bit for each element.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tsels<D: VecTile>(
        &mut self,
        dst: D,
        mask: impl VecTile,
        src: impl VecTile<DType = D::DType>,
        scalar: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let scalar = self.scalar_id(scalar.into())?;
        self.record(Op::TSELS, &[id(mask), id(src), scalar], &[id(dst)])
    }
}
