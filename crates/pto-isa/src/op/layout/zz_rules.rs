//! The rules of TMOV from ND or DN scales to ZZ.

use super::zz::is_turned;
use crate::diag::Severity;
use crate::element::Element::{E8M0, HiF8, U8};
use crate::element::element_word;
use crate::layout::LayoutName;
use crate::op::common::{agree, same_type};
use crate::op::fixpipe::has_relu;
use crate::op::site::{Check, TileFact};
use crate::profile::A5_ONLY;
use crate::rule::Rule;
use crate::tile::Location;

pub(super) const WORKSPACE: Rule = Rule::new(
    "workspace",
    "Only a move of 8-bit scales into ZZ order, on A5 and cpu, takes a second tile that is no scaling tile: the workspace.",
    "docs/isa/TMOV.md, X to ZZ",
)
.because("No other form of the move takes a second tile.")
.instead("Remove the second tile, or use TMOV_FP with a scaling tile for quantization.");
pub(super) const AXIS: Rule =
    Rule::new("group-axis", "`grpAxis` is written only with a workspace.", "docs/isa/TMOV.md, X to ZZ")
        .because("Only the move of scales has groups, and this move has a workspace.")
        .instead("Pass a workspace, or remove `grpAxis`.");
pub(super) const ZZ_ROOM: Rule = Rule::new(
    "zz-room",
    "The destination, on A5 also the source, has room for the scales, with rows padded to a multiple of 16 and an even \
     number of columns.",
    "docs/isa/TMOV.md, X to ZZ",
)
.because(
    "The move writes whole boxes of 16 x 2 scales; A5 also clears the source up to the end of the last box.",
)
.instead("Declare the tile with rows padded to a multiple of 16 and an even number of columns.");

pub(super) const ZZ_SOURCE: Rule = Rule::new(
    "zz-source",
    "The source of a move to ZZ holds the scales without gaps. Along axis1: one row, or rows whose declared columns are all \
     valid; at least as many scales as the destination. Along axis0: an even number of rows, a multiple of 16 columns, all \
     columns valid.",
    "PTO_IR_manual, A5 X-to-ZZ constraints; include/pto/npu/a5/TMov.hpp",
)
.because("The device reads as many bytes as the destination has scales, one after the other.")
.instead("Declare the source with as many columns as are valid, and as many scales as the destination.");
pub(super) const ZZ_PITCH: Rule = Rule::new(
    "zz-pitch",
    "Along axis1, source and destination of a move to ZZ have as many declared columns as the destination has valid columns; \
     a source of one row may differ.",
    "include/pto/npu/a5/TMov.hpp",
)
.because("The device uses this number as the length of a source row, and as the distance of rows of boxes.")
.instead("Declare both tiles with the valid columns of the destination.")
.lint()
.only(A5_ONLY);
pub(super) const ZZ_PLAIN: Rule = Rule::new(
    "zz-plain",
    "A move to ZZ has no relu, no quantization and no accToVecMode, and tiles with static valid regions.",
    "PTO_IR_manual, A5 X-to-ZZ constraints",
)
.because("The vector unit only rearranges bytes, and the extents are constants of the compiled code.")
.instead("Remove the attribute or operand, and write the valid region in the type.")
.only(A5_ONLY);
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
    "The workspace of a move to ZZ is a vec tile; along axis1 it has 64 bytes, plus one byte per column for each 16 rows.",
    "docs/isa/TMOV.md, Role of the tmp tile; PTO_IR_manual, pto.tmov",
)
.because("Along axis1 the device keeps the indices of a gather in the workspace.")
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
pub(super) const RULES: &[&Rule] =
    &[&WORKSPACE, &ZZ_ROOM, &ZZ_SOURCE, &ZZ_PITCH, &ZZ_PLAIN, &ZZ_LAYOUT, &ZZ_WORKSPACE, &ZZ_APART];

/// Bytes of the workspace: 16-bit indices, one per pair of columns and 16 rows, plus 32.
fn workspace_bytes(turned: bool, rows: u32, cols: u32) -> u64 {
    if turned { 0 } else { 64 + u64::from(rows.div_ceil(16)) * u64::from(cols) }
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
    let used = if is_turned(check.site) { 1 } else { pairs.len() };
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
    let pair = matches!((src.location(), dst.location()), (Location::Vec, Location::Vec));
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
    plain(check);
    let turned = is_turned(check.site);
    let size = if turned { src.cols.zip(src.rows) } else { dst.rows.zip(dst.cols) };
    source(check, src, dst, turned);
    let Some((rows, cols)) = size else { return };
    let tmp = check.tile("tmp");
    let (least, has) = (workspace_bytes(turned, rows, cols), tmp.ty.bytes() as u64);
    check.require(&ZZ_WORKSPACE, "tmp", tmp.location() == Location::Vec && has >= least, |check| {
        let word = tmp.location().word();
        format!(
            "{} is a {word} tile of {has} bytes, {rows}x{cols} scales need {least} in vec",
            check.name("tmp")
        )
    });
    let need = super::zz::bytes(rows, cols);
    for (role, tile) in [("dst", dst), ("src", src)] {
        // The declared shape counts, not the boxes around it.
        let have = u64::from(tile.ty.rows) * u64::from(tile.ty.cols);
        // Only the device clears the source up to the last box.
        let judged = role == "dst" || A5_ONLY.contains(&check.profile());
        check.require(&ZZ_ROOM, role, !judged || need <= have && cols % 2 == 0, |check| {
            format!("{rows}x{cols} scales take {need} bytes, {} has {have}", check.name(role))
        });
    }
}

/// Checks that the use requests only the move.
fn plain(check: &mut Check<'_>) {
    let asked = |check: &Check<'_>| -> Option<&'static str> {
        let site = check.site;
        if has_relu(site) {
            return Some("reluPreMode");
        }
        if site.attribute("accToVecMode").is_some() {
            return Some("accToVecMode");
        }
        ["q", "fp"].into_iter().find(|role| site.operand(role).is_some())
    };
    let extra = asked(check);
    check.require(&ZZ_PLAIN, extra.unwrap_or("src"), extra.is_none(), |_| {
        format!("`{}` is given beside a workspace", extra.unwrap_or_default())
    });
    for role in ["src", "dst"] {
        let ty = check.tile(role).ty;
        let fixed = ty.valid_rows.is_some() && ty.valid_cols.is_some();
        check.require(&ZZ_PLAIN, role, fixed, |check| {
            format!("the type of {} leaves its valid region open", check.name(role))
        });
    }
}

/// Checks the shape of the source.
fn source(check: &mut Check<'_>, src: &TileFact, dst: &TileFact, turned: bool) {
    // The simulator reads the valid region, regardless of the declared columns.
    let device = A5_ONLY.contains(&check.profile());
    let compact = !device || agree(src.cols, Some(src.ty.cols));
    if turned {
        if !device {
            return;
        }
        let rows = src.rows.is_none_or(|rows| rows >= 2 && rows % 2 == 0);
        let whole = compact && src.ty.cols.is_multiple_of(16);
        check.require(&ZZ_SOURCE, "src", rows && whole, |check| {
            let (declared, valid) = (src.ty.cols, src.valid_text());
            format!(
                "{} is declared with {declared} columns and has {valid} valid elements",
                check.name("src")
            )
        });
        return;
    }
    let count = |tile: &TileFact| Some(u64::from(tile.rows?) * u64::from(tile.cols?));
    let enough = count(src).zip(count(dst)).is_none_or(|(have, need)| have >= need);
    let single = agree(src.rows, Some(1));
    check.require(&ZZ_SOURCE, "src", (single || compact) && enough, |check| {
        format!(
            "{} is declared with {} columns and has {} valid elements, {} {}",
            check.name("src"),
            src.ty.cols,
            src.valid_text(),
            check.name("dst"),
            dst.valid_text()
        )
    });
    let pitch = |role: &str, tile: &TileFact| {
        dst.cols.is_none_or(|cols| tile.ty.cols == cols) || role == "src" && single
    };
    for (role, tile) in [("src", src), ("dst", dst)] {
        check.judge(Severity::Lint, &ZZ_PITCH, role, pitch(role, tile), |check| {
            let declared = tile.ty.cols;
            format!(
                "{} is declared with {declared} columns, {} has {} valid elements",
                check.name(role),
                check.name("dst"),
                dst.valid_text()
            )
        });
    }
}
