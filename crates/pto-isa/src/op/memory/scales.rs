//! Loads of MX scales: the legal pairs of view layout and tile.

use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::layout::LayoutName;
use crate::op::site::{Check, GlobalLayout, ViewFact};
use crate::profile::{A2A3_ONLY, A5_ONLY, Profile};
use crate::rule::Rule;
use crate::tile::{Location, TileType};

const SOURCE: &str = "docs/isa/TLOAD.md";

const TYPE: Rule =
    Rule::new("mx-type", "MX scales are f8E8M0.", "include/pto/npu/a5/TLoad.hpp, TLoadMxCubeCheck")
        .because("The matrix unit reads scales as powers of two of 8 bits.")
        .instead("Declare view and tile as f8E8M0.")
        .only(A5_ONLY);
/// Transfers of element types that A2/A3 has no format for.
pub(super) const FORMAT: Rule = Rule::new(
    "profile-type",
    "Floats of 8 and 4 bits are for A5.",
    "docs/isa/TLOAD.md, TSTORE.md; docs/PTO_IR_manual.md of the public assembler",
)
.because("A2/A3 has no such formats.")
.instead("Move the bytes as i8, or compile for a5.")
.only(A2A3_ONLY);

/// Checks that the profile has the format of the elements that a transfer copies.
pub(super) fn format(check: &mut Check<'_>, role: &'static str) {
    let element = check.tile(role).element();
    let small = element.bits() <= 8 && element.is_float();
    check.require(&FORMAT, role, !small, |check| {
        format!("{} holds {}, which a2a3 has not", check.name(role), element_word(element))
    });
}
pub(super) const VIEW: Rule = Rule::new(
    "mx-view",
    "A view in an order of MX scales has five dimensions: ?x?x?x16x2 for ZZ and NN, else 1x1x?x?x2 or 1x1x1x?x? with the \
     strides of pairs. A tile of one row also takes 1x1x1x1xK in ZZ.",
    SOURCE,
)
.because("The five extents determine the places of pairs and boxes.")
.instead("Give the view the five extents that the message names.");
const PAIRS: Rule = Rule::new(
    "mx-pairs",
    "Scales of a left factor have an even number of valid columns, scales of a right factor an even number of valid rows.",
    SOURCE,
)
.because("Scales are stored in pairs along K, and half a pair cannot be transferred.")
.instead("Pad K to a multiple of 64.")
.only(A5_ONLY);
/// The rules of loads of scales.
pub(super) const RULES: &[&Rule] = &[&TYPE, &VIEW, &PAIRS];

/// Whether a tile is one into which A5 loads MX scales: ZZ for the left factor, NN for the right one.
fn factor(tile: &TileType) -> Option<LayoutName> {
    let name = tile.layout().name;
    let is_scale = tile.location == Location::Mat && tile.fractal == 32;
    (is_scale && matches!(name, LayoutName::Zz | LayoutName::Nn)).then_some(name)
}

/// Whether a view layout of scales belongs to the factor of a tile.
pub(super) fn fits(from: GlobalLayout, tile: &TileType) -> bool {
    use GlobalLayout::{MxADn, MxANd, MxAZz, MxBDn, MxBNd, MxBNn};
    match factor(tile) {
        Some(LayoutName::Zz) => matches!(from, MxAZz | MxANd | MxADn),
        Some(_) => matches!(from, MxBNn | MxBNd | MxBDn),
        None => false,
    }
}

/// Profiles whose header loads left scales from row-major views.
const LEFT_IN_ROWS: &[Profile] = A5_ONLY;

/// Reports an extension if a view declared row-major is loaded into a tile of left scales.
pub(super) fn in_rows(check: &mut Check<'_>, rule: &'static Rule, layout: GlobalLayout) -> bool {
    let left = factor(&check.tile("dst").ty) == Some(LayoutName::Zz);
    let fits = left && layout == GlobalLayout::Nd && LEFT_IN_ROWS.contains(&check.profile());
    check.judge(Severity::Extension, rule, "dst", !fits, |check| {
        format!("{} is ND: A5's header takes it, its page does not name it", check.name("src"))
    });
    fits
}

/// Checks the dimensions of a view with a layout of scales.
pub(super) fn dimensions(check: &mut Check<'_>, role: &'static str, view: &ViewFact, layout: GlobalLayout) {
    use GlobalLayout::{MxAZz, MxBNn};
    // A view with fewer dimensions and no declared layout takes the layout of the tile.
    if !layout.is_scales() || view.layout.0.is_none() && view.shape.len() < 5 {
        return;
    }
    let is = |at: usize, wanted: u64| view.shape[at].is_none_or(|extent| extent == wanted);
    let boxes = matches!(layout, MxAZz | MxBNn);
    // The scales of a vector are a single line of pairs.
    let line = check.site.tile("dst").is_some_and(|tile| tile.ty.rows == 1)
        && layout == MxAZz
        && view.shape.len() == 5
        && (0..4).all(|at| is(at, 1));
    let pairs = || if boxes { is(4, 2) && is(3, 16) } else { is(0, 1) && is(1, 1) && (is(4, 2) || is(2, 1)) };
    let fits = line || view.shape.len() == 5 && pairs();
    check.require(&VIEW, role, fits, |check| {
        let extents = view.shape.iter().map(|extent| extent.map_or("?".into(), |extent| extent.to_string()));
        let extents: Vec<String> = extents.collect();
        let want = if boxes { "?x?x?x16x2" } else { "1x1x?x?x2 or 1x1x1x?x?" };
        format!("{} is {} in {}, not {want}", check.name(role), extents.join("x"), layout.word())
    });
}

/// Checks the rules of a load from a view with a layout of scales.
pub(super) fn check(check: &mut Check<'_>, view: &ViewFact, layout: GlobalLayout) {
    use GlobalLayout::{MxADn, MxANd, MxAZz};
    if !layout.is_scales() {
        return;
    }
    dimensions(check, "src", view, layout);
    let (tile, element) = (check.tile("dst"), view.element);
    check.require(&TYPE, "src", element == Element::E8M0 && tile.element() == Element::E8M0, |check| {
        let (a, b) = (element_word(element), element_word(tile.element()));
        format!("{} holds {a}, {} {b}", check.name("src"), check.name("dst"))
    });
    let of_left = matches!(layout, MxAZz | MxANd | MxADn);
    let extent = if of_left { tile.cols } else { tile.rows };
    check.require(&PAIRS, "dst", extent.is_none_or(|extent| extent % 2 == 0), |check| {
        format!("{} has {} valid elements", check.name("dst"), tile.valid_text())
    });
}
