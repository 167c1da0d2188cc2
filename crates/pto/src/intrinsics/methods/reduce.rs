//! Rows or columns to one element.

use super::{Error, Event, Kernel, Target, VecTile, id, vec_methods};
use crate::intrinsics::dtype::Integer;
use crate::isa::registry::Op;

vec_methods!(
    /// `dst[i, 0]` is the sum of row `i`; `tmp` is a workspace.
    trowsum = TROWSUM (src, tmp: any);
    /// `dst[i, 0]` is the product of row `i`; `tmp` is a workspace.
    trowprod = TROWPROD (src, tmp: any);
    /// `dst[i, 0]` is the largest element of row `i`; `tmp` is a workspace.
    trowmax = TROWMAX (src, tmp: any);
    /// `dst[i, 0]` is the smallest element of row `i`; `tmp` is a workspace.
    trowmin = TROWMIN (src, tmp: any);
    /// `dst[0, j]` is the sum of column `j`.
    tcolsum = TCOLSUM (src);
    /// `dst[0, j]` is the sum of column `j`, with a workspace.
    tcolsum_tmp = TCOLSUM (src, tmp: any);
    /// `dst[0, j]` is the product of column `j`.
    tcolprod = TCOLPROD (src);
    /// `dst[0, j]` is the largest element of column `j`.
    tcolmax = TCOLMAX (src);
    /// `dst[0, j]` is the smallest element of column `j`.
    tcolmin = TCOLMIN (src);
    /// `dst[i, k] = src[i, 2k] + src[i, 2k + 1]`; zeros fill the right half of `dst`.
    tpairreducesum = TPAIRREDUCESUM (src);
);

/// Methods of the instructions that say where an extremum is, alone or with its value.
macro_rules! arg_methods {
    ($($(#[$doc:meta])* $name:ident, $both:ident = $op:ident;)*) => {
        impl<P: Target> Kernel<P> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// If a rule of the instruction forbids these tiles.
                pub fn $name<D: VecTile>(
                    &mut self,
                    dst: D,
                    src: impl VecTile,
                    tmp: impl VecTile,
                ) -> Result<Event, Error>
                where
                    D::DType: Integer,
                {
                    self.record(Op::$op, &[id(src), id(tmp)], &[id(dst)])
                }

                /// Finds the index of the extreme, and leaves the element itself in `value`.
                ///
                /// # Errors
                /// If a rule of the instruction forbids these tiles.
                pub fn $both<D: VecTile, S: VecTile>(
                    &mut self,
                    value: impl VecTile<DType = S::DType>,
                    dst: D,
                    src: S,
                    tmp: impl VecTile,
                ) -> Result<Event, Error>
                where
                    D::DType: Integer,
                {
                    self.record(Op::$op, &[id(src), id(tmp)], &[id(value), id(dst)])
                }
            )*
        }
    };
}

arg_methods!(
    /// `dst[i, 0]` is the column of the largest element of row `i`.
    trowargmax, trowargmax_value = TROWARGMAX;
    /// `dst[i, 0]` is the column of the smallest element of row `i`.
    trowargmin, trowargmin_value = TROWARGMIN;
    /// `dst[0, j]` is the row of the largest element of column `j`.
    tcolargmax, tcolargmax_value = TCOLARGMAX;
    /// `dst[0, j]` is the row of the smallest element of column `j`.
    tcolargmin, tcolargmin_value = TCOLARGMIN;
);
