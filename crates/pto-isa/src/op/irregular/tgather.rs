//! TGATHER: gathers elements by index or by a mask pattern, or the indices of elements that satisfy a comparison.

use super::{gather_compare, gather_index, gather_mask, pattern};
use crate::element::Element;
use crate::op::common::{ROW_MAJOR, SAME_TYPE, VEC};
use crate::op::cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::otherwise::{Here, Otherwise};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A5_ONLY, NPU, Profile};
use crate::rule::{Rule, join};
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare},
    crate::op::Compute,
};

pub(super) const SOURCE: &str = "docs/isa/tile/ops/irregular-and-complex/tgather.md";

/// Each form has its own rules; this rule on element types is common to all forms.
pub(super) const ELEMENT: Rule = Rule::new(
    "element-type",
    "The profile has the form for the element types of source and destination.",
    SOURCE,
)
.because("The device has no encoding of this form for these formats.")
.instead("Convert with TCVT to element types that the form has, of one size.")
.weighing(crate::op::common::ELEMENT.weights);

const COMMON: &[&Rule] = &[&VEC, &ROW_MAJOR, &SAME_TYPE, &ELEMENT];
const RULES: &[&Rule] = join!(COMMON, gather_index::RULES, gather_mask::RULES, gather_compare::RULES);

/// Gathers within a tile.
pub(super) struct Tgather {
    page: Page,
}

pub(super) static TGATHER: Tgather = Tgather {
    page: Page {
        name: "tgather",
        aliases: &[],
        set: Set::Irregular,
        summary: "Gathers elements by index or by a mask pattern, or finds the indices of elements that satisfy a comparison.",
        formula: "dst[i, j] = element idx[i, j] of src, counted row by row; with a mask pattern, the selected elements (or \
                  rows) of src one after the other; with a comparison, row i of dst holds the ascending indices, plus `offset`, \
                  of the elements of row i of src that equal k (or are greater), and count their number",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: Tile, idx: Tile, tmp: Tile) outs(dst: Tile)),
            form!(ins(src: Tile, idx: Tile) outs(dst: Tile)),
            form!(ins(src: Tile) outs(dst: Tile)).named("mask").asking(&["maskPattern", "axis"]),
            form!(ins(src: Tile, k: Scalar, tmp: Tile) outs(dst: Tile, count: Tile))
                .named("compare")
                .asking(COMPARING),
            form!(ins(src: Tile, k: Tile, tmp: Tile) outs(dst: Tile, count: Tile))
                .named("compare_each")
                .asking(COMPARING),
        ]),
        attributes: &[
            pattern::PATTERN,
            pattern::AXIS,
            gather_compare::COMPARISON,
            gather_compare::OFFSET_OF_INDICES,
        ],
        rules: RULES,
        cost: cost::GATHER,
        effects: &[
            Effect::reads("src"),
            Effect::reads("idx"),
            Effect::reads("k").of(Extent::Leading(Count::Rows("src"))),
            Effect::workspace("tmp"),
            Effect::writes("dst"),
            Effect::writes("count").of(Extent::Leading(Count::Rows("src"))),
        ],
        pictures: super::pictures::TGATHER,
        origin: Some(Origin::WRITTEN),
    },
};

/// The attributes of the comparing forms.
const COMPARING: &[&str] = &["cmpMode", "offset"];

/// The operand or attribute that selects elements: indices, a mask pattern, or a comparison.
enum Selector {
    Index,
    Mask,
    Compare,
}

fn selector_of(site: &Site<'_>) -> Selector {
    match (site.operand("count"), site.operand("idx")) {
        (Some(_), _) => Selector::Compare,
        (None, Some(_)) => Selector::Index,
        (None, None) => Selector::Mask,
    }
}

impl Instruction for Tgather {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn otherwise(&self) -> Vec<Otherwise> {
        const WHOLE: Otherwise = Otherwise::of(
            NPU,
            "A gather by mask writes every element that the mask selects, also after the valid columns of the destination.",
            Here::SameBits,
            "docs/isa/TGATHER.md; include/pto/npu/{a2a3,a5}/TGather.hpp",
        );
        const WIDE: Otherwise = Otherwise::of(
            A5_ONLY,
            "A gather of 64-bit elements by mask writes the elements of row r from element r * (declared columns of dst / \
             elements of a group) on.",
            Here::SameBits,
            "include/pto/npu/a5/TGather.hpp, Int64GatherPattern; results of a device",
        );
        vec![WHOLE, WIDE]
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        gather_index::TYPES.of(profile)
    }

    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        const NAMED: &str = "the indices select the elements that are read";
        const SELECTED: &str =
            "only the elements that the mask pattern selects are read, and as many are written";
        const FOUND: &str = "as many indices are written as elements are found";
        match selector_of(site) {
            Selector::Index => site.held(&[
                Effect::reads("src").of(Extent::Storage).loosely(NAMED),
                Effect::reads("idx").of(Extent::like("dst")),
                Effect::workspace("tmp"),
                Effect::writes("dst"),
            ]),
            Selector::Mask => site.held(&[
                Effect::reads("src").loosely(SELECTED),
                Effect::writes_parts("dst", SELECTED).of(Extent::DECLARED),
            ]),
            Selector::Compare => site.held(&[
                Effect::reads("src"),
                Effect::reads("k").of(Extent::Leading(Count::Rows("src"))),
                Effect::workspace("tmp"),
                Effect::writes_parts("dst", FOUND),
                Effect::writes("count").of(Extent::Leading(Count::Rows("src"))),
            ]),
        }
    }

    fn check(&self, check: &mut Check<'_>) {
        match selector_of(check.site) {
            Selector::Index => gather_index::check(check),
            Selector::Mask => gather_mask::check(check),
            Selector::Compare => gather_compare::check(check),
        }
    }
}

#[cfg(feature = "run")]
impl Compute for Tgather {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        match selector_of(reference.prepare().site) {
            Selector::Index => gather_index::by_formula(reference),
            Selector::Mask => gather_mask::by_formula(reference),
            Selector::Compare => gather_compare::by_formula(reference),
        }
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        match selector_of(prepare.site) {
            Selector::Index => gather_index::prepare(prepare),
            Selector::Mask => gather_mask::prepare(prepare),
            Selector::Compare => gather_compare::prepare(prepare),
        }
    }
}
