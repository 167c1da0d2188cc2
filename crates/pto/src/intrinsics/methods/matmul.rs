//! Matrix products.

use super::{Error, Event, Kernel, Target, id};
use crate::intrinsics::tile::{AnyTile, loc};

/// Methods of a product and its forms with an accumulator and with a bias.
macro_rules! products {
    ($($plain:ident, $acc:ident, $bias:ident = $p:literal, $a:literal, $b:literal, $what:literal;)*) => {
        impl<P: Target> Kernel<P> {
            $(
                #[doc = concat!("`dst = left * right`: a ", $what, ".")]
                ///
                /// # Errors
                /// If a rule of the instruction forbids these tiles.
                pub fn $plain<D, L, R>(&mut self, dst: D, left: L, right: R) -> Result<Event, Error>
                where
                    D: AnyTile<Location = loc::Acc>,
                    L: AnyTile<Location = loc::Left>,
                    R: AnyTile<Location = loc::Right>,
                {
                    self.record($p, &[id(left), id(right)], &[id(dst)])
                }

                /// `dst = acc + left * right`; `acc` may be `dst`.
                ///
                /// # Errors
                /// If a rule of the instruction forbids these tiles.
                pub fn $acc<D, A, L, R>(&mut self, dst: D, acc: A, left: L, right: R) -> Result<Event, Error>
                where
                    D: AnyTile<Location = loc::Acc>,
                    A: AnyTile<Location = loc::Acc, DType = D::DType>,
                    L: AnyTile<Location = loc::Left>,
                    R: AnyTile<Location = loc::Right>,
                {
                    self.record($a, &[id(acc), id(left), id(right)], &[id(dst)])
                }

                /// `dst = left * right + bias`, the bias being added to each row.
                ///
                /// # Errors
                /// If a rule of the instruction forbids these tiles.
                pub fn $bias<D, L, R, B>(&mut self, dst: D, left: L, right: R, bias: B) -> Result<Event, Error>
                where
                    D: AnyTile<Location = loc::Acc>,
                    L: AnyTile<Location = loc::Left>,
                    R: AnyTile<Location = loc::Right>,
                    B: AnyTile<Location = loc::Bias, DType = D::DType>,
                {
                    self.record($b, &[id(left), id(right), id(bias)], &[id(dst)])
                }
            )*
        }
    };
}

products!(
    tmatmul, tmatmul_acc, tmatmul_bias =
        "pto.tmatmul", "pto.tmatmul.acc", "pto.tmatmul.bias", "matrix product";
    tgemv, tgemv_acc, tgemv_bias =
        "pto.tgemv", "pto.tgemv.acc", "pto.tgemv.bias", "product of a row and a matrix";
);
