//! TSCATTER: writes elements to the positions that indices select, or spreads them by a mask pattern.

use super::table::WALKING;
use super::{pattern, scatter_index, scatter_mask};
use crate::element::Element;
use crate::op::common::{
    ELEMENT, NUMBERS, ROW_MAJOR, SAME_TYPE, Types, VEC, element_type, same_type, vec_row_major,
};
use crate::op::cost;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::Profile;
use crate::rule::{Rule, join};
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare},
    crate::op::Compute,
};

pub(super) const SOURCE: &str = "docs/isa/tile/ops/irregular-and-complex/tscatter.md";

const COMMON: &[&Rule] = &[&VEC, &ROW_MAJOR, &SAME_TYPE, &ELEMENT];
const RULES: &[&Rule] = join!(COMMON, scatter_index::RULES, scatter_mask::RULES);

const TYPES: Types =
    Types { a2a3: NUMBERS, a5: NUMBERS, a2a3_header: &[], a5_header: &[Element::I64, Element::U64] };

/// The instruction TSCATTER.
pub(super) struct Tscatter {
    page: Page,
}

pub(super) static TSCATTER: Tscatter = Tscatter {
    page: Page {
        name: "tscatter",
        aliases: &[],
        set: Set::Irregular,
        summary: "Scatters elements by index or by a mask pattern into a tile whose other elements become zero.",
        formula: "element idx[i, j] of dst in memory order = src[i, j], of several elements the last stays; with a mask pattern \
                  of n elements and lane p, dst[i, j * n + p] = src[i, j], or dst[i * n + p, j] with axis \"col\"; the other \
                  elements of dst become 0, and P1111 copies src",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: Tile, idx: Tile) outs(dst: Tile)),
            form!(ins(src: Tile) outs(dst: Tile)).named("mask").asking(&["maskPattern", "axis"]),
        ]),
        attributes: &[pattern::PATTERN, pattern::AXIS],
        rules: RULES,
        cost: cost::GATHER,
        effects: &[
            Effect::reads("src"),
            Effect::reads("idx").of(Extent::like("src")),
            Effect::writes("dst").of(Extent::DECLARED),
            // V clears the destination, and the scalar unit moves elements.
            Effect::orders(&[(Pipe::Vector, Pipe::Scalar)], &[(Pipe::Scalar, Pipe::Vector)]).on(WALKING),
        ],
        pictures: super::pictures::TSCATTER,
        origin: Some(Origin::WRITTEN),
    },
};

fn by_index(site: &Site<'_>) -> bool {
    site.operand("idx").is_some()
}

impl Instruction for Tscatter {
    fn page(&self) -> &Page {
        &self.page
    }

    /// On A2/A3 the scalar unit moves the elements of the form by index.
    fn pipe(&self, site: &Site<'_>) -> Pipe {
        if by_index(site) && WALKING.contains(&site.profile) { Pipe::Scalar } else { Pipe::Vector }
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        TYPES.of(profile)
    }

    /// The pattern that selects every element copies the source and clears nothing.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        let mut effects = site.held(self.page.effects);
        if !by_index(site) && scatter_mask::moves_all(site) {
            effects.retain(|effect| effect.role() == Some("src"));
            effects.push(Effect::writes("dst").of(Extent::like("src")));
        }
        effects
    }

    fn check(&self, check: &mut Check<'_>) {
        same_type(check, "src", "dst");
        for role in ["src", "dst"] {
            vec_row_major(check, role);
        }
        element_type(check, "dst", &TYPES, &|element| !element.is_packed());
        if by_index(check.site) { scatter_index::check(check) } else { scatter_mask::check(check) }
    }
}

#[cfg(feature = "run")]
impl Compute for Tscatter {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        if by_index(reference.prepare().site) {
            scatter_index::by_formula(reference)
        } else {
            scatter_mask::by_formula(reference)
        }
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        if by_index(prepare.site) { scatter_index::prepare(prepare) } else { scatter_mask::prepare(prepare) }
    }
}
