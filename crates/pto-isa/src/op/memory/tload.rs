//! TLOAD: copies a view of global memory into a tile.

use super::{VIEW_LAYOUT, conv, loading, scales};
use crate::diag::Severity;
use crate::layout::LayoutName;
use crate::op::cost::Cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, GlobalLayout, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A5_ONLY, NPU, Profile};
use crate::rule::{ERROR_OR_A5_EXTENSION, ERROR_OR_NPU_LINT, Rule, join};
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
const EXTENT: Rule =
    Rule::new("extent", "The view is at least as large as the valid region of the tile.", SOURCE)
        .because("Devices copy rows (DN: columns) as long as the tile's: elements beyond the view are other data, or no memory.")
        .instead("Enlarge the view, or reduce the valid region of the tile.")
        .weighing(ERROR_OR_NPU_LINT);
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
const ROW_STRIDE: Rule = Rule::new(
    "row-stride",
    "The rows of a view in DN are contiguous: their stride is 1.",
    "include/pto/npu/a5/TLoad.hpp",
)
.because("A5 ignores the stride and takes rows as neighbours; the run follows the view.")
.instead("Declare the view as ND, or load with stride 1 and rearrange on chip.")
.lint()
.only(A5_ONLY);

const RULES: &[&Rule] =
    join!(&[&SAME_SIZE, &EXTENT, &LOCATION, &LAYOUTS, &ROW_STRIDE], scales::RULES, conv::LOAD_RULES);

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

    /// Rows are padded as [`loading::padding`] states; a convolution tile is written completely.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        let Some(dst) = site.tile("dst") else {
            return vec![Effect::reads("src").of(Extent::View), Effect::writes("dst").of(Extent::Storage)];
        };
        let mut effects = site.held(self.page.effects);
        if let (Some(unit), Some(last)) = (loading::padding(&dst.ty, dst.layout().name), effects.last_mut()) {
            *last = last.of(Extent::Rect(Count::Valid, Count::RoundedUp(unit)));
        }
        effects
    }

    fn check(&self, check: &mut Check<'_>) {
        if check.site.conv("dst").is_some() {
            return conv::check_load(check, &SAME_SIZE);
        }
        loading::check(check, &SAME_SIZE, &LOCATION);
        let dst = check.tile("dst");
        let Some(src) = check.site.view("src").cloned() else { return };
        let profile = check.profile();
        let layout = src.layout.or_guess(&dst.ty, src.shape.len(), profile);
        scales::check(check, &src, layout);
        let pair = pair_fits(profile, layout, &dst.ty) || scales::in_rows(check, &LAYOUTS, layout);
        check.require(&LAYOUTS, "dst", pair, |check| {
            format!(
                "{} is {}, {} is {}: {} has no such load",
                check.name("src"),
                layout.word(),
                check.name("dst"),
                dst.ty.layout().name.word(),
                profile.word()
            )
        });
        if let Some((rows, cols)) = src.matrix(layout) {
            let count = src.strides.len();
            let stride = count.checked_sub(2).and_then(|at| src.strides[at]).filter(|_| rows != Some(1));
            let said = src.layout.0 == Some(GlobalLayout::Dn);
            check.judge(
                Severity::Lint,
                &ROW_STRIDE,
                "src",
                !said || stride.is_none_or(|one| one == 1),
                |check| {
                    format!(
                        "rows of {} have a stride of {} elements",
                        check.name("src"),
                        stride.unwrap_or_default()
                    )
                },
            );
            let enough = |have: Option<u64>, need: Option<u32>| {
                have.zip(need).is_none_or(|(have, need)| have >= u64::from(need))
            };
            let (tall, wide) = (enough(rows, dst.rows), enough(cols, dst.cols));
            let only_short_runs = match layout {
                GlobalLayout::Nd => tall,
                GlobalLayout::Dn => wide,
                _ => false,
            };
            let severity =
                if only_short_runs && profile.is_device() { Severity::Lint } else { Severity::Error };
            check.judge(severity, &EXTENT, "src", tall && wide, |check| {
                let text = |extent: Option<u64>| extent.map_or("?".to_owned(), |extent| extent.to_string());
                format!(
                    "{} is {}x{}, but {} has {} valid elements",
                    check.name("src"),
                    text(rows),
                    text(cols),
                    check.name("dst"),
                    dst.valid_text()
                )
            });
        }
    }
}

#[cfg(feature = "run")]
impl Compute for Tload {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        if reference.prepare().site.conv("dst").is_some() {
            return conv::by_formula(reference);
        }
        loading::by_formula(reference, LoadExtent::Valid)
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        if prepare.site.conv("dst").is_some() {
            return conv::prepare(prepare);
        }
        loading::prepare(prepare, LoadExtent::Valid)
    }
}
