//! TPACK: converts integers to integers of another width.

use super::transfer_rules::{PROFILE_TYPE, profile_types};
use crate::element::element_word;
use crate::op::common::{SAME_VALID, VEC, same_valid, vec};
use crate::op::cost;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::picture::{Paint, Panel, Patch, Picture, Span, arrow_with};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    super::moving::{Move, Moved},
    super::transfer_rules::Units,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::op::Compute,
};

const SOURCE: &str = "docs/isa/tile/ops/layout-and-rearrangement/tpack.md";

const TYPES: Rule = Rule::new(
    "element-type",
    "Source and destination hold integers, or the same element type. The page leaves the types open: this is the definition \
     of pto.",
    SOURCE,
)
.because("The bits are kept or extended, which changes the value of a float.")
.instead("Use integers, or convert with TCVT.");

/// The instruction TPACK: truncates, or extends by sign or zeros.
pub(super) struct Tpack {
    page: Page,
}

const PICTURE: Picture = Picture::tiles(
    "each element keeps its place and changes its width",
    &[
        Panel::source("src", (3, 6), &[Patch::new((0, 0), (3, 5), Paint::First, "valid region")])
            .measured(&[Span::Rows(0, 3, "R"), Span::Columns(0, 5, "C")]),
        Panel::destination("dst", (3, 6), &[Patch::new((0, 0), (3, 5), Paint::Result, "narrower or wider")])
            .measured(&[Span::Rows(0, 3, "R"), Span::Columns(0, 5, "C")]),
    ],
    &[arrow_with((0, 0), (1, 0), "low bits")],
)
.noted("Into a wider type, elements are extended by the sign or by zeros.");

pub(super) static TPACK: Tpack = Tpack {
    page: Page {
        name: "tpack",
        aliases: &[],
        set: Set::Layout,
        summary: "Truncates integers to their low bits in a narrower type, or extends them to a wider type.",
        formula: "dst[i, j] = src[i, j], truncated to its low bits, or extended",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(src: Tile) outs(dst: Tile))]),
        attributes: &[],
        rules: &[&PROFILE_TYPE, &VEC, &SAME_VALID, &TYPES],
        effects: &[Effect::reads("src").of(Extent::like("dst")), Effect::writes("dst")],
        cost: cost::CONVERSION,
        pictures: &[PICTURE],
        origin: Some(Origin::WRITTEN),
    },
};

#[cfg(feature = "run")]
fn extent(moving: &Move, state: &State<'_>) -> Moved {
    let live = state.live(&moving.dst);
    Moved { size: live.size(), ..Moved::default() }
}

impl Instruction for Tpack {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn check(&self, check: &mut Check<'_>) {
        if !profile_types(check) {
            return;
        }
        vec(check, "src");
        vec(check, "dst");
        same_valid(check, "src", "dst");
        let (from, to) = (check.tile("src").element(), check.tile("dst").element());
        let fits = from == to || from.is_integer() && to.is_integer();
        check.require(&TYPES, "dst", fits, |check| {
            let (from, to) = (element_word(from), element_word(to));
            format!("{} holds {from}, but {} holds {to}", check.name("src"), check.name("dst"))
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Tpack {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let moving = Move::of(reference.prepare(), Units::ANY, Units::ANY).map_err(Fault::Other)?;
        let extent = extent(&moving, reference.state());
        moving.by_formula(reference, &extent)
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let moving = Move::of(prepare, Units::ANY, Units::ANY)?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let extent = extent(&moving, state);
            moving.run(state, &extent)
        }))
    }
}
