//! TEXPANDS: fills a tile with a scalar.

use super::family::{SCALAR_TYPE, Scalars, scalar_type};
use crate::element::Element;
use crate::element::Element::{Bf16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::op::common::{ELEMENT, ROW_MAJOR, Types, element_type, vec_row_major};
use crate::op::cost;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::picture::{Paint, Panel, Patch, Picture, arrow};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::NPU;
use crate::rule::Rule;
use crate::tile::Location;
#[cfg(feature = "run")]
use {
    crate::exec::reference::{Reference, scalar_bits},
    crate::exec::runs::for_each_run,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::layout::fill,
};

const LOCATION: Rule = Rule::new(
    "location",
    "The tile is a vec tile or a mat tile.",
    "docs/isa/tile/ops/tile-scalar-and-immediate/texpands.md",
)
.because("The device fills UB and L1 only.")
.instead("Use a vec or mat tile.")
.only(NPU);

const TYPES: Types = Types {
    a2a3: &[U8, I8, U16, I16, U32, I32, F16, Bf16, F32],
    a5: &[U8, I8, U16, I16, U32, I32, I64, U64, F16, Bf16, F32],
    a2a3_header: &[],
    a5_header: &[],
};

const PICTURE: Picture = Picture::tiles(
    "every valid element is the scalar",
    &[
        Panel::source("scalar", (1, 1), &[Patch::new((0, 0), (1, 1), Paint::Parameter, "scalar")])
            .holding(Element::F32, &[3.0]),
        Panel::destination("dst", (3, 4), &[Patch::new((0, 0), (3, 4), Paint::Result, "valid region")])
            .holding(Element::F32, &[3.0; 12]),
    ],
    &[arrow((0, 0), (1, 0))],
);

/// Fills the valid region of a vec tile, or all of a mat tile.
pub(super) struct Texpands {
    page: Page,
}

pub(super) static TEXPANDS: Texpands = Texpands {
    page: Page {
        name: "texpands",
        aliases: &[],
        set: Set::TileScalar,
        summary: "Fills a tile with a scalar: the valid region of a vec tile, all of a mat tile.",
        formula: "dst[i, j] = scalar",
        source: "docs/isa/tile/ops/tile-scalar-and-immediate/texpands.md",
        syntax: Syntax::Destination(&[form!(ins(scalar: Scalar) outs(dst: Tile))]),
        attributes: &[],
        rules: &[&LOCATION, &ELEMENT, &SCALAR_TYPE, &ROW_MAJOR],
        effects: &[Effect::writes("dst")],
        cost: cost::COPY,
        pictures: &[PICTURE],
        origin: Some(Origin::WRITTEN),
    },
};

impl Instruction for Texpands {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        match site.tile("dst").map(|dst| dst.location()) {
            Some(Location::Mat) => Pipe::Mte2,
            _ => Pipe::Vector,
        }
    }

    fn element_types(&self, profile: crate::profile::Profile) -> &'static [Element] {
        TYPES.of(profile)
    }

    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        match site.tile("dst").map(|dst| dst.location()) {
            Some(Location::Mat) => vec![Effect::writes("dst").of(Extent::DECLARED)],
            _ => site.held(self.page.effects),
        }
    }

    fn check(&self, check: &mut Check<'_>) {
        let location = check.tile("dst").location();
        check.require(&LOCATION, "dst", matches!(location, Location::Vec | Location::Mat), |check| {
            format!("{} is a {} tile, not a vec or mat tile", check.name("dst"), location.word())
        });
        if check.tile("dst").element().bits() == 64 && location == Location::Vec {
            vec_row_major(check, "dst");
        }
        element_type(check, "dst", &TYPES, &|element| !element.is_packed());
        scalar_type(check, Scalars::Element);
    }
}

#[cfg(feature = "run")]
impl Compute for Texpands {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let dst = reference.tile("dst");
        let scalar = reference.scalar("scalar", dst.ty.element);
        let Size { rows, cols } = match dst.ty.location {
            Location::Mat => dst.size(),
            _ => reference.valid(&dst),
        };
        for row in 0..rows {
            for col in 0..cols {
                reference.set(&dst, row, col, scalar);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let dst = prepare.tile("dst")?;
        let (slot, ty) = prepare.scalar("scalar")?;
        let element = dst.ty.element;
        let whole = dst.ty.location == Location::Mat;
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&dst);
            let scalar = scalar_bits(state.scalars[slot], ty, element);
            let size = if whole { dst.size() } else { live.size() };
            let memory = &mut *state.memory;
            for_each_run([&dst.layout], size, |[d], count| {
                fill(memory, live.address + element.bytes(d), element.bits(), scalar, count);
                Ok(())
            })
        }))
    }
}
