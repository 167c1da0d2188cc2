//! Columns that take turns.

use super::{Error, Event, Kernel, Target, VecTile, id};
use crate::isa::registry::Op;

impl<P: Target> Kernel<P> {
    /// Lets the columns of two tiles take turns, the first half of them in `dst0`, the second in `dst1`.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tinterleave<S: VecTile>(
        &mut self,
        (dst0, dst1): (impl VecTile<DType = S::DType>, impl VecTile<DType = S::DType>),
        src0: S,
        src1: impl VecTile<DType = S::DType>,
    ) -> Result<Event, Error> {
        self.record(Op::TINTERLEAVE, &[id(src0), id(src1)], &[id(dst0), id(dst1)])
    }

    /// Puts the even columns of two tiles side by side into `dst0` and the odd columns into `dst1`.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tdeinterleave<S: VecTile>(
        &mut self,
        (dst0, dst1): (impl VecTile<DType = S::DType>, impl VecTile<DType = S::DType>),
        src0: S,
        src1: impl VecTile<DType = S::DType>,
    ) -> Result<Event, Error> {
        self.record(Op::TDEINTERLEAVE, &[id(src0), id(src1)], &[id(dst0), id(dst1)])
    }

    /// Parts the columns of one tile among two destinations.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tdeinterleave_one<S: VecTile>(
        &mut self,
        (dst0, dst1): (impl VecTile<DType = S::DType>, impl VecTile<DType = S::DType>),
        src: S,
    ) -> Result<Event, Error> {
        self.record(Op::TDEINTERLEAVE, &[id(src)], &[id(dst0), id(dst1)])
    }
}
