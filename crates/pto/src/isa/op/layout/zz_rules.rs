//! The rules of TMOV from ND or DN scales to ZZ.

use crate::isa::element::Element::{E8M0, HiF8, U8};
use crate::isa::element::element_word;
use crate::isa::op::site::{Check, TileFact};
use crate::isa::profile::Profile;
use crate::isa::rule::Rule;
use crate::isa::tile::Location;

pub(super) const WORKSPACE: Rule = Rule::new(
    "workspace",
    "A second tile that is no scaling tile is the workspace of a move of 8-bit scales into ZZ order, on A5.",
    "docs/isa/TMOV.md, X to ZZ",
)
.because("No other form of the move takes a second tile.")
.instead("Remove the second tile, or use TMOV_FP with a scaling tile for quantization.");
pub(super) const AXIS: Rule =
    Rule::new("group-axis", "grpAxis is axis0 or axis1, with a workspace.", "docs/isa/TMOV.md, X to ZZ")
        .because("Another value does not say along which axis scales are grouped.")
        .instead("Write `grpAxis` as axis0 or axis1, and pass a workspace.");
pub(super) const ZZ_ROOM: Rule = Rule::new(
    "zz-room",
    "The destination has room for the scales, their rows filled up to sixteens, in pairs of columns.",
    "docs/isa/TMOV.md, X to ZZ",
)
.because("Boxes of 16 x 2 scales are written whole.")
.instead("Declare the destination with rows padded to 16 and an even number of columns.");

/// Checks axis, tiles and room.
pub(super) fn check(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    let axis = check.site.word("grpAxis").unwrap_or("axis1").to_owned();
    let tmp = check.site.operand("tmp").is_some();
    check.require(&AXIS, "grpAxis", tmp && matches!(axis.as_str(), "axis0" | "axis1"), |_| {
        if tmp {
            format!("`{axis}` is no axis: axis0 or axis1")
        } else {
            "grpAxis needs a workspace".to_owned()
        }
    });
    if !tmp {
        return;
    }
    let types = [U8, HiF8, E8M0];
    let known =
        types.contains(&src.element()) && types.contains(&dst.element()) && check.profile() != Profile::A2A3;
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
    let Some((rows, cols)) = src.rows.zip(src.cols) else { return };
    let (rows, cols) = if axis == "axis0" { (cols, rows) } else { (rows, cols) };
    let (need, have) = (super::zz::bytes(rows, cols), dst.ty.bytes() as u64);
    check.require(&ZZ_ROOM, "dst", need <= have && cols % 2 == 0, |check| {
        format!("{rows}x{cols} scales take {need} bytes, {} has {have}", check.name("dst"))
    });
}
