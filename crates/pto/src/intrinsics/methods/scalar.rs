//! Instructions on a tile and a scalar.

use super::elementwise::Comparison;
use super::{Error, Event, Kernel, Target, VecTile, id};
use crate::intrinsics::ScalarOr;
use crate::intrinsics::dtype::Integer;
use crate::intrinsics::recorder::{Call, word};
use crate::ir::EnumSpelling;

/// Methods of instructions on vec tiles and a scalar, in the order in which they are written; all have the
/// destination's element type.
macro_rules! scalar_methods {
    ($($(#[$doc:meta])* $name:ident = $spelled:literal ($($before:ident),* ; scalar $(; $after:ident)*);)*) => {
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
                    self.record($spelled, &[$(id($before),)* scalar, $(id($after)),*], &[id(dst)])
                }
            )*
        }
    };
}

scalar_methods!(
    /// `dst = src + scalar`.
    tadds = "pto.tadds" (src; scalar);
    /// `dst = src0 + scalar + src1`.
    taddsc = "pto.taddsc" (src0; scalar; src1);
    /// `dst = src & scalar`.
    tands = "pto.tands" (src; scalar);
    /// `dst = dst + src * scalar`.
    taxpy = "pto.taxpy" (src; scalar);
    /// `dst = src / scalar`.
    tdivs = "pto.tdivs" (src; scalar);
    /// `dst = scalar / src`.
    tdivs_by = "pto.tdivs" (; scalar; src);
    /// `dst = scalar`.
    texpands = "pto.texpands" (; scalar);
    /// `dst = src - trunc(src / scalar) * scalar`.
    tfmods = "pto.tfmods" (src; scalar);
    /// `dst = src > 0 ? src : src * scalar`.
    tlrelu = "pto.tlrelu" (src; scalar);
    /// `dst = max(src, scalar)`.
    tmaxs = "pto.tmaxs" (src; scalar);
    /// `dst = min(src, scalar)`.
    tmins = "pto.tmins" (src; scalar);
    /// `dst = src * scalar`.
    tmuls = "pto.tmuls" (src; scalar);
    /// `dst = src | scalar`.
    tors = "pto.tors" (src; scalar);
    /// `dst = src ^ scalar`, a power.
    tpows = "pto.tpows" (src; scalar);
    /// `dst = src - floor(src / scalar) * scalar`.
    trems = "pto.trems" (src; scalar);
    /// The same with a workspace.
    trems_tmp = "pto.trems" (src; scalar; tmp);
    /// `dst = src << scalar`.
    tshls = "pto.tshls" (src; scalar);
    /// `dst = src >> scalar`.
    tshrs = "pto.tshrs" (src; scalar);
    /// `dst = src - scalar`.
    tsubs = "pto.tsubs" (src; scalar);
    /// `dst = src0 - scalar + src1`.
    tsubsc = "pto.tsubsc" (src0; scalar; src1);
    /// `dst = src ^ scalar`, bit by bit.
    txors = "pto.txors" (src; scalar);
    /// The same with a workspace.
    txors_tmp = "pto.txors" (src; scalar; tmp);
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
            name: "pto.tcmps",
            ins: &[id(src), scalar],
            outs: &[id(dst)],
            attributes: vec![mode],
            ..Call::default()
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
        self.record("pto.tsels", &[id(mask), id(src), scalar], &[id(dst)])
    }
}
