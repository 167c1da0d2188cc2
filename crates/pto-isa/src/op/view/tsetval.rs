//! TSETVAL: writes one element of a tile.

use super::support::page;
use super::tgetval::{RANGE, in_range};
use crate::element::Element::{F32, I32};
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::picture::{Paint, Panel, Patch, Picture, arrow};
use crate::op::scalar_unit::ScalarInstruction;
#[cfg(feature = "run")]
use {
    crate::exec::reference::scalar_bits,
    crate::exec::state::{Fault, State},
    pto_num::set_element,
};

/// Element 10 of a tile with rows of 8 elements: row 1, column 2.
const PICTURE: Picture = Picture::tiles(
    "the index counts elements in the order of memory, here row by row",
    &[
        Panel::source("index", (1, 1), &[Patch::new((0, 0), (1, 1), Paint::Parameter, "index")])
            .holding(I32, &[10.0]),
        Panel::source("value", (1, 1), &[Patch::new((0, 0), (1, 1), Paint::First, "value")])
            .holding(F32, &[99.0]),
        Panel::destination("dst", (2, 8), &[Patch::new((1, 2), (1, 1), Paint::First, "")])
            .kept()
            .numbered()
            .holding(F32, &[OLD, OLD, OLD, OLD, OLD, OLD, OLD, OLD, OLD, OLD, 99.0, OLD, OLD, OLD, OLD, OLD]),
    ],
    &[arrow((1, 0), (2, 0))],
);

/// An element that keeps its value: nothing is written in its cell.
const OLD: f64 = f64::NAN;

pub(super) static TSETVAL: ScalarInstruction = ScalarInstruction {
    page: page(
        "tsetval",
        "Writes one element of a tile by its offset in memory order.",
        "dst[index] = value, elements counted from the start of the tile",
        "docs/PTO_IR_manual.md of the public assembler, pto.tsetval",
        Syntax::Destination(&[form!(ins(index: Scalar, value: Scalar) outs(dst: Tile))]),
        &[&RANGE],
    )
    .touching(&[Effect::writes("dst").of(Extent::Element("index"))])
    .pictured(&[PICTURE]),
    check: |check| in_range(check, "dst"),
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let (dst, index) = (prepare.tile("dst")?, prepare.scalar("index")?.0);
        let (value, ty) = prepare.scalar("value")?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let index = state.scalars[index];
            if index >= dst.ty.elements() as u64 {
                return Err(Fault::Rule);
            }
            let address = state.live(&dst).address;
            let bits = scalar_bits(state.scalars[value], ty, dst.ty.element);
            set_element(state.memory, address, index as usize, dst.ty.element, bits);
            Ok(())
        }))
    },
};
