//! Matrix products.

use super::{Error, Event, Kernel, RoundMode, Target, id};
use crate::build::word;
use crate::intrinsics::dtype::E8M0;
use crate::intrinsics::tile::{AnyTile, loc};
use crate::ir::{Attribute, EnumSpelling, NamedAttribute};
use crate::isa::registry::Op;

/// MX scales of a left factor.
pub trait LeftScale: AnyTile<Location = loc::ScaleLeft, DType = E8M0> {}
impl<T: AnyTile<Location = loc::ScaleLeft, DType = E8M0>> LeftScale for T {}

/// MX scales of a right factor.
pub trait RightScale: AnyTile<Location = loc::ScaleRight, DType = E8M0> {}
impl<T: AnyTile<Location = loc::ScaleRight, DType = E8M0>> RightScale for T {}

/// Methods of a product and its forms with an accumulator and with a bias.
macro_rules! products {
    ($($plain:ident, $acc:ident, $bias:ident = $p:ident, $a:ident, $b:ident, $what:literal;)*) => {
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
                    self.record(Op::$p, &[id(left), id(right)], &[id(dst)])
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
                    self.record(Op::$a, &[id(acc), id(left), id(right)], &[id(dst)])
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
                    self.record(Op::$b, &[id(left), id(right), id(bias)], &[id(dst)])
                }
            )*
        }
    };
}

products!(
    tmatmul, tmatmul_acc, tmatmul_bias =
        TMATMUL, TMATMUL_ACC, TMATMUL_BIAS, "matrix product";
    tgemv, tgemv_acc, tgemv_bias =
        TGEMV, TGEMV_ACC, TGEMV_BIAS, "product of a row and a matrix";
);

/// Methods of a product of factors with MX scales and its forms with an accumulator and with a bias.
macro_rules! scaled_products {
    ($($plain:ident, $acc:ident, $bias:ident = $p:ident, $a:ident, $b:ident, $what:literal;)*) => {
        impl<P: Target> Kernel<P> {
            $(
                #[doc = concat!("`dst = left * right`: a ", $what, " with MX scales, each factor with its own.")]
                ///
                /// # Errors
                /// If a rule of the instruction forbids these tiles.
                pub fn $plain<D, L, R>(
                    &mut self,
                    dst: D,
                    left: (L, impl LeftScale),
                    right: (R, impl RightScale),
                ) -> Result<Event, Error>
                where
                    D: AnyTile<Location = loc::Acc, DType = f32>,
                    L: AnyTile<Location = loc::Left>,
                    R: AnyTile<Location = loc::Right>,
                {
                    self.record(Op::$p, &[id(left.0), id(left.1), id(right.0), id(right.1)], &[id(dst)])
                }

                /// `dst = acc + left * right`, the factors with MX scales; `acc` may be `dst`.
                ///
                /// # Errors
                /// If a rule of the instruction forbids these tiles.
                pub fn $acc<D, A, L, R>(
                    &mut self,
                    dst: D,
                    acc: A,
                    left: (L, impl LeftScale),
                    right: (R, impl RightScale),
                ) -> Result<Event, Error>
                where
                    D: AnyTile<Location = loc::Acc, DType = f32>,
                    A: AnyTile<Location = loc::Acc, DType = f32>,
                    L: AnyTile<Location = loc::Left>,
                    R: AnyTile<Location = loc::Right>,
                {
                    self.record(Op::$a, &[id(acc), id(left.0), id(left.1), id(right.0), id(right.1)], &[id(dst)])
                }

                /// `dst = left * right + bias`, the factors with MX scales, the bias being added to each row.
                ///
                /// # Errors
                /// If a rule of the instruction forbids these tiles.
                pub fn $bias<D, L, R, B>(
                    &mut self,
                    dst: D,
                    left: (L, impl LeftScale),
                    right: (R, impl RightScale),
                    bias: B,
                ) -> Result<Event, Error>
                where
                    D: AnyTile<Location = loc::Acc, DType = f32>,
                    L: AnyTile<Location = loc::Left>,
                    R: AnyTile<Location = loc::Right>,
                    B: AnyTile<Location = loc::Bias, DType = f32>,
                {
                    self.record(Op::$b, &[id(left.0), id(left.1), id(right.0), id(right.1), id(bias)], &[id(dst)])
                }
            )*
        }
    };
}

scaled_products!(
    tmatmul_mx, tmatmul_mx_acc, tmatmul_mx_bias =
        TMATMUL_MX, TMATMUL_MX_ACC, TMATMUL_MX_BIAS, "matrix product";
    tgemv_mx, tgemv_mx_acc, tgemv_mx_bias =
        TGEMV_MX, TGEMV_MX_ACC, TGEMV_MX_BIAS, "product of a row and a matrix";
);

impl<P: Target> Kernel<P> {
    /// Says that `dst` holds the MX scales of the factor `src`; no element moves or changes.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tget_scale_addr(
        &mut self,
        dst: impl AnyTile<DType = E8M0>,
        src: impl AnyTile,
    ) -> Result<Event, Error> {
        self.record(Op::TGET_SCALE_ADDR, &[id(src)], &[id(dst)])
    }
}

impl<P: Target> Kernel<P> {
    /// Switches HF32 on or off for the products of f32 that follow. Values here stay those of f32.
    ///
    /// # Errors
    /// If a rule of the instruction forbids the mode.
    pub fn sethf32mode(&mut self, enable: bool, rounding: RoundMode) -> Result<Event, Error> {
        self.set_mode(Op::SETHF32MODE, enable, rounding)
    }

    /// Switches TF32 on or off for the products of f32 that follow: they round their factors to 10 bits of mantissa on
    /// A5, to 11 on A2/A3.
    ///
    /// # Errors
    /// If a rule of the instruction forbids the mode.
    pub fn settf32mode(&mut self, enable: bool, rounding: RoundMode) -> Result<Event, Error> {
        self.set_mode(Op::SETTF32MODE, enable, rounding)
    }

    fn set_mode(&mut self, op: Op, enable: bool, rounding: RoundMode) -> Result<Event, Error> {
        let enable = NamedAttribute::new("enable", Attribute::Bool(enable));
        let rounding = word("mode", "round_mode", rounding.cast_word(), EnumSpelling::Spaced);
        self.recorder.issue_in_roles(op, &[], vec![enable, rounding])
    }
}
