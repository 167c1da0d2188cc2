//! TPREFETCH: copies a view of global memory into a tile ahead of its use.
//!
//! On devices the copy is a hint, and the tile's contents afterwards are unspecified. The manual's simulator loads
//! the intersection of view and tile, and so does this machine.

use super::{VIEW_LAYOUT, feature_map, loading};
use crate::op::cost::Cost;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::otherwise::{Here, Otherwise};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::NPU;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    super::loading::LoadExtent,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare},
    crate::op::Compute,
};

const SOURCE: &str = "docs/isa/tile/ops/memory-and-data-movement/tprefetch.md";
const DIALECT: &str = "docs/PTO_IR_manual.md of the public assembler, pto.tprefetch";

const SAME_SIZE: Rule = Rule::new("element-size", "View and tile have elements of the same size.", DIALECT)
    .because("The copy converts nothing.")
    .instead("Declare the tile with an element type of the view's size.");
const LOCATION: Rule = Rule::new("location", "The tile is a vec or a mat tile.", DIALECT)
    .because("The copy goes to UB or L1 only.")
    .instead("Prefetch into a vec or mat tile.");

/// Copies the intersection of a view and the valid region of a tile.
pub(super) struct Tprefetch {
    page: Page,
}

pub(super) static TPREFETCH: Tprefetch = Tprefetch {
    page: Page {
        name: "tprefetch",
        aliases: &[],
        set: Set::Memory,
        summary: "Prefetches a view of global memory into the cache; a run copies the view into the tile, devices leave the \
                  tile undefined.",
        formula: "dst[i, j] = src[i, j], as far as the view and the valid region of the tile both reach",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(src: View) outs(dst: Tile))]),
        attributes: &[VIEW_LAYOUT],
        rules: &[&SAME_SIZE, &LOCATION, &feature_map::PLACE],
        cost: Cost::Transfer,
        effects: &[
            Effect::reads("src").of(Extent::View).loosely("only elements inside the tile are copied"),
            Effect::writes_parts("dst", "only elements inside the view are copied"),
        ],
        pictures: &[],
        origin: Some(Origin::WRITTEN),
    },
};

impl Instruction for Tprefetch {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Mte2
    }

    fn otherwise(&self) -> Vec<Otherwise> {
        const HINT: Otherwise = Otherwise::of(
            NPU,
            "The contents of the tile of a prefetch are undefined afterwards: the hint is for the cache.",
            Here::OneOfSeveral,
            SOURCE,
        );
        vec![HINT]
    }

    fn check(&self, check: &mut Check<'_>) {
        loading::check(check, &SAME_SIZE, &LOCATION);
    }
}

#[cfg(feature = "run")]
impl Compute for Tprefetch {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        loading::by_formula(reference, LoadExtent::Common)
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        loading::prepare(prepare, LoadExtent::Common)
    }
}
