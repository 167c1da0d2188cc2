//! Rules and helpers of instructions that treat tiles as rows of bytes.

use crate::element::{Element, element_word};
#[cfg(feature = "run")]
use crate::exec::state::Tile;
use crate::op::common::{vec, words};
use crate::op::site::Check;
use crate::profile::PerProfile;
use crate::rule::Rule;
use crate::tile::{BLayout, SLayout};

const PAGES: &str = "docs/isa/tile/ops/irregular-and-complex";

pub(super) const ROWS: Rule = Rule::new("row-major", "The tiles are row-major without boxes.", PAGES)
    .because("The result is defined by rows and columns of a tile without boxes.")
    .instead("Declare `blayout=row_major, slayout=none_box`.");

/// Element types of `dst`, by profile; `cpu` has the types of both devices and its own.
pub(super) type Types = PerProfile<&'static [Element]>;

/// Checks that a tile is a row-major vec tile.
pub(super) fn rows(check: &mut Check<'_>, role: &str) {
    vec(check, role);
    let ty = check.tile(role).ty;
    let plain = (ty.blayout, ty.slayout) == (BLayout::RowMajor, SLayout::NoneBox);
    check.require(&ROWS, role, plain, |check| {
        format!("{} is {} with {}", check.name(role), ty.blayout.word(), ty.slayout.word())
    });
}

/// Checks that the element type of a tile is in a list.
pub(super) fn holds(check: &mut Check<'_>, rule: &'static Rule, role: &str, list: &[Element]) {
    let element = check.tile(role).element();
    check.require(rule, role, list.contains(&element), |check| {
        if list.is_empty() {
            return format!("{} has no `{}`", check.profile().word(), check.site.instruction.page().name);
        }
        format!("{} holds {}, not {}", check.name(role), element_word(element), words(list))
    });
}

/// The byte address of an element of a tile that starts at `base`.
#[cfg(feature = "run")]
pub(super) fn byte_of(tile: &Tile, base: usize, row: usize, col: usize) -> usize {
    base + tile.ty.element.bytes(tile.layout.offset(row, col))
}
