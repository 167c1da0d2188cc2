//! The rules of TMOV from ND or DN scales to ZZ.

use crate::element::Element::{E8M0, HiF8, U8};
use crate::element::element_word;
use crate::layout::LayoutName;
use crate::op::common::same_type;
use crate::op::site::{Check, TileFact};
use crate::profile::A5_ONLY;
use crate::rule::Rule;
use crate::tile::Location;

pub(super) const WORKSPACE: Rule = Rule::new(
    "workspace",
    "A second tile that is no scaling tile is the workspace of a move of 8-bit scales into ZZ order, on A5.",
    "docs/isa/TMOV.md, X to ZZ",
)
.because("No other form of the move takes a second tile.")
.instead("Remove the second tile, or use TMOV_FP with a scaling tile for quantization.");
pub(super) const AXIS: Rule =
    Rule::new("group-axis", "grpAxis is written with a workspace.", "docs/isa/TMOV.md, X to ZZ")
        .because("Only the move of scales, which has a workspace, knows groups.")
        .instead("Pass a workspace, or remove `grpAxis`.");
pub(super) const ZZ_ROOM: Rule = Rule::new(
    "zz-room",
    "The destination is large enough for the scales, with rows padded to a multiple of 16 and an even number of columns.",
    "docs/isa/TMOV.md, X to ZZ",
)
.because("Boxes of 16 x 2 scales are written whole.")
.instead("Declare the destination with rows padded to 16 and an even number of columns.");

pub(super) const ZZ_LAYOUT: Rule = Rule::new(
    "zz-layout",
    "The source is in rows without boxes, the destination is ZZ.",
    "include/pto/npu/a5/TMov.hpp; PTO_IR_manual, pto.tmov",
)
.because("The move reads scales row by row and writes boxes of 16 x 2.")
.instead(
    "Declare the source with row_major and none_box, the destination with row_major in blayout and slayout.",
)
.only(A5_ONLY);
pub(super) const ZZ_WORKSPACE: Rule = Rule::new(
    "zz-workspace",
    "The workspace of a move to ZZ is a vec tile; along axis1 it has 64 bytes, and a byte for each column in each sixteen rows.",
    "docs/isa/TMOV.md, Role of the tmp tile; PTO_IR_manual, pto.tmov",
)
.because("Along axis1 the device gathers by indices that it keeps there.")
.instead("Declare a vec tile of the bytes in the message.")
.only(A5_ONLY);
pub(super) const ZZ_APART: Rule = Rule::new(
    "zz-apart",
    "Source, destination and, along axis1, workspace of a move to ZZ are different tiles without common bytes.",
    "PTO_IR_manual, pto.tmov",
)
.because("The device writes boxes and indices while it still reads scales.")
.instead("Give each of the tiles bytes of its own.")
.only(A5_ONLY);

/// Rules of moves to ZZ only.
pub(super) const RULES: &[&Rule] = &[&WORKSPACE, &ZZ_ROOM, &ZZ_LAYOUT, &ZZ_WORKSPACE, &ZZ_APART];

/// Whether the source holds all scales in a single row; rows and columns are then the destination's.
pub(super) fn is_flat((src_rows, src_cols): (u32, u32), (rows, cols): (u32, u32)) -> bool {
    src_rows == 1 && rows > 1 && u64::from(src_cols) == u64::from(rows) * u64::from(cols)
}

/// Bytes of the workspace: 16-bit indices, one per pair of columns and 16 rows, plus 32.
fn workspace_bytes(axis: &str, rows: u32, cols: u32) -> u64 {
    if axis == "axis0" { 0 } else { 64 + u64::from(rows.div_ceil(16)) * u64::from(cols) }
}

/// Checks types, layouts and overlaps of tiles.
fn check_tiles(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    same_type(check, "dst", "src");
    same_type(check, "tmp", "src");
    let (from, to) = (src.layout().name, dst.layout().name);
    check.require(&ZZ_LAYOUT, "dst", (from, to) == (LayoutName::Nd, LayoutName::Zz), |check| {
        format!("{} is {}, {} is {}", check.name("src"), from.word(), check.name("dst"), to.word())
    });
    // Along axis 0 the workspace is not accessed, so it may overlap.
    let pairs = [["src", "dst"], ["tmp", "dst"], ["src", "tmp"]];
    let used = if check.site.word("grpAxis") == Some("axis0") { 1 } else { pairs.len() };
    for [a, b] in pairs.into_iter().take(used) {
        let (one, other) = (check.tile(a), check.tile(b));
        let apart = check.name(a) != check.name(b) && !one.shares_bytes(other);
        check.require(&ZZ_APART, a, apart, |check| {
            format!("{} and {} have bytes in common", check.name(a), check.name(b))
        });
    }
}

/// Checks axis, tiles and sizes.
pub(super) fn check(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    let tmp = check.site.operand("tmp").is_some();
    check.require(&AXIS, "grpAxis", tmp, |_| "grpAxis needs a workspace".to_owned());
    if !tmp {
        return;
    }
    let types = [U8, HiF8, E8M0];
    let known =
        types.contains(&src.element()) && types.contains(&dst.element()) && check.profile().small_floats;
    let pair = matches!((src.location(), dst.location()), (Location::Vec, Location::Vec | Location::Mat));
    check.require(&WORKSPACE, "tmp", known && pair, |check| {
        let (from, to) = (element_word(src.element()), element_word(dst.element()));
        format!(
            "{} is a {} tile of {from}, {} a {} tile of {to}, for {}",
            check.name("src"),
            src.location().word(),
            check.name("dst"),
            dst.location().word(),
            check.profile().word()
        )
    });
    check_tiles(check, src, dst);
    let axis = check.site.word("grpAxis").unwrap_or("axis1").to_owned();
    let Some((rows, cols)) = src.rows.zip(src.cols) else { return };
    let (rows, cols) = match dst.rows.zip(dst.cols) {
        _ if axis == "axis0" => (cols, rows),
        Some(own) if is_flat((rows, cols), own) => own,
        _ => (rows, cols),
    };
    let tmp = check.tile("tmp");
    let (least, has) = (workspace_bytes(&axis, rows, cols), tmp.ty.bytes() as u64);
    check.require(&ZZ_WORKSPACE, "tmp", tmp.location() == Location::Vec && has >= least, |check| {
        let word = tmp.location().word();
        format!(
            "{} is a {word} tile of {has} bytes, {rows}x{cols} scales need {least} in vec",
            check.name("tmp")
        )
    });
    let (need, have) = (super::zz::bytes(rows, cols), dst.ty.bytes() as u64);
    check.require(&ZZ_ROOM, "dst", need <= have && cols % 2 == 0, |check| {
        format!("{rows}x{cols} scales take {need} bytes, {} has {have}", check.name("dst"))
    });
}
