//! Scales of matrix products, and modes of the products that follow.

use super::{Error, Event, Kernel, RoundMode, Target, id};
use crate::dtype::E8M0;
use crate::tile::{AnyTile, loc};
use pto_isa::registry::Op;
use pto_lang::build::word;
use pto_lang::ir::{Attribute, EnumSpelling, NamedAttribute};

/// MX scales of a left factor.
pub trait LeftScale: AnyTile<Location = loc::ScaleLeft, DType = E8M0> {}
impl<T: AnyTile<Location = loc::ScaleLeft, DType = E8M0>> LeftScale for T {}

/// MX scales of a right factor.
pub trait RightScale: AnyTile<Location = loc::ScaleRight, DType = E8M0> {}
impl<T: AnyTile<Location = loc::ScaleRight, DType = E8M0>> RightScale for T {}

impl<P: Target> Kernel<P> {
    /// Declares that `dst` contains the MX scales of the factor `src`; no element moves or changes.
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
        let rounding = word("mode", "round_mode", &format!("CAST_{}", rounding.word()), EnumSpelling::Spaced);
        self.recorder.issue_in_roles(op, &[], vec![enable, rounding])
    }
}
