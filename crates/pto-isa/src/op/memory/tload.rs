//! TLOAD: copies a view of global memory into a tile.

use super::moved::{self, EXTENT, ROW_STRIDE, Transfer};
use super::paths::{Path, Way};
use super::{VIEW_LAYOUT, conv, feature_map, loading, scales};
use crate::layout::LayoutName;
use crate::op::cost::Cost;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::otherwise::Otherwise;
use crate::op::site::{Check, GlobalLayout, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A5_ONLY, NPU, Profile};
use crate::rule::{ERROR_OR_A5_EXTENSION, Rule, join};
use crate::tile::Location;
#[cfg(feature = "run")]
use {
    super::loading::LoadExtent,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare},
    crate::op::Compute,
};

const SOURCE: &str = "docs/isa/tile/ops/memory-and-data-movement/tload.md";

const SAME_SIZE: Rule = Rule::new("element-size", "View and tile have elements of the same size.", SOURCE)
    .because("MTE2 copies bytes and converts nothing.")
    .instead("Declare the tile with an element type of the view's size, and convert with TCVT.");
const LOCATION: Rule = Rule::new("location", "The tile is a vec or a mat tile.", SOURCE)
    .because("MTE2 writes UB and L1 only.")
    .instead("Load into a vec or mat tile, and move from there with TMOV.");
const LAYOUTS: Rule = Rule::new(
    "layout-pair",
    "Vec tiles: ND to ND, DN to DN, NZ to NZ; mat tiles also ND to NZ and DN to ZN, on A5 DN to NZ, MX_A to ZZ and \
     MX_B to NN with boxes of 32 bytes.",
    SOURCE,
)
.because("MTE2 rearranges between these layouts only.")
.instead("Declare the layouts of view and tile as one of the pairs in the statement.")
.weighing(ERROR_OR_A5_EXTENSION)
.only(NPU);
const RULES: &[&Rule] = join!(
    &[&SAME_SIZE, &EXTENT, &LOCATION, &LAYOUTS, &ROW_STRIDE, &scales::FORMAT, &feature_map::PLACE],
    scales::RULES,
    conv::LOAD_RULES
);

/// Copies a view into a tile; pads each row if the tile has a pad value.
pub(super) struct Tload {
    page: Page,
}

pub(super) static TLOAD: Tload = Tload {
    page: Page {
        name: "tload",
        aliases: &[],
        set: Set::Memory,
        summary: "Copies a view of global memory into the valid region of a tile, or into a convolution tile.",
        formula: "dst[i, j] = src[i, j]; columns after the valid ones up to 32 bytes get the tile's padding value",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: View) outs(dst: Tile)),
            form!(ins(src: View) outs(dst: ConvTile)),
        ]),
        attributes: &[VIEW_LAYOUT],
        rules: RULES,
        effects: &[Effect::reads("src").of(Extent::Covered("dst")), Effect::writes("dst")],
        cost: Cost::Transfer,
        pictures: super::pictures::LOAD,
        origin: Some(Origin::WRITTEN),
    },
};

/// Profiles that load a DN view into an NZ tile of L1.
const DN_TO_NZ: &[Profile] = A5_ONLY;

pub(super) fn pair_fits(profile: Profile, from: GlobalLayout, tile: &crate::TileType) -> bool {
    use LayoutName::{Dn, Nd, Nz, Zn};
    let to = tile.layout().name;
    // For a single row or column, ND and DN are the same.
    let line = matches!(to, Nd | Dn) && (tile.rows == 1 || tile.cols == 1);
    let same = matches!((from, to), (GlobalLayout::Nd, Nd) | (GlobalLayout::Dn, Dn) | (GlobalLayout::Nz, Nz));
    let mat = tile.location == Location::Mat
        && (matches!((from, to), (GlobalLayout::Nd, Nz) | (GlobalLayout::Dn, Zn))
            || DN_TO_NZ.contains(&profile) && matches!((from, to), (GlobalLayout::Dn, Nz)));
    let mx = profile.small_floats && scales::fits(from, tile);
    same || mat || line && !from.is_scales() || mx || !profile.is_device()
}

impl Instruction for Tload {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Mte2
    }

    fn otherwise(&self) -> Vec<Otherwise> {
        Path::otherwise(Way::Load)
    }

    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        let Some(transfer) = Transfer::of(site) else { return conv::load_effects(site) };
        let (tile, view) = transfer.extents(site, "dst", "src");
        vec![Effect::reads("src").of(view), Effect::writes("dst").of(tile).renewing()]
    }

    fn check(&self, check: &mut Check<'_>) {
        if check.site.conv("dst").is_some() {
            return conv::check_load(check, &SAME_SIZE);
        }
        if !loading::check(check, &SAME_SIZE, &LOCATION) {
            return;
        }
        scales::format(check, "dst");
        let dst = check.tile("dst");
        let Some(src) = check.site.view("src").cloned() else { return };
        let profile = check.profile();
        let layout = src.layout.or_guess(&dst.ty, src.shape.len(), profile);
        scales::check(check, &src, layout);
        let pair = pair_fits(profile, layout, &dst.ty) || scales::in_rows(check, &LAYOUTS, layout);
        // The layout of a tile that no load reaches is not the cause.
        let is_reached = matches!(dst.location(), Location::Vec | Location::Mat);
        check.require(&LAYOUTS, "dst", pair || !is_reached, |check| {
            format!(
                "{} is {}, {} is {}: {} has no such load",
                check.name("src"),
                layout.word(),
                check.name("dst"),
                dst.ty.layout().name.word(),
                profile.word()
            )
        });
        moved::check(check, "dst", "src");
    }
}

#[cfg(feature = "run")]
impl Compute for Tload {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        if reference.prepare().site.conv("dst").is_some() {
            return conv::by_formula(reference);
        }
        loading::by_formula(reference, LoadExtent::Moved)
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        if prepare.site.conv("dst").is_some() {
            return conv::prepare(prepare);
        }
        loading::prepare(prepare, LoadExtent::Moved)
    }
}
