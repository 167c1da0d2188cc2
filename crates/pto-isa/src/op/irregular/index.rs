//! Elements that an index tile selects.

use crate::element::Element;
use crate::matrix::Position;
use crate::op::common::valid_regions;
use crate::op::site::{Check, Site};
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::runs::{for_each_run, is_whole},
    crate::exec::state::{Fault, Prepare, State, Tile},
    crate::layout::LayoutName,
    pto_kernels::layout::fill,
};

/// Whether an element type is an integer of 16 or 32 bits.
pub(super) fn is_index(element: Element) -> bool {
    element.is_integer() && matches!(element.bits(), 16 | 32)
}

/// Whether an element type is a 32-bit integer.
pub(super) fn is_word(element: Element) -> bool {
    matches!(element, Element::I32 | Element::U32)
}

/// Checks that the tile in `role` has at least the valid rows and columns of the tile in `other`, as far as they
/// are known.
pub(super) fn covers(check: &mut Check<'_>, rule: &'static Rule, role: &str, other: &str) -> bool {
    let (have, need) = (check.tile(role), check.tile(other));
    let enough = at_least(have.rows, need.rows) && at_least(have.cols, need.cols);
    check.require(rule, role, enough, |check| valid_regions(check, role, other))
}

/// Whether an extent may be at least as large as another: it is, or one is unknown.
pub(super) fn at_least(have: Option<u32>, need: Option<u32>) -> bool {
    have.zip(need).is_none_or(|(have, need)| have >= need)
}

/// Row and column of an element by its row-major index, if it is inside the tile. The index counts declared columns
/// of the storage: in a part of a tile, it also counts the columns outside of the part.
#[cfg(feature = "run")]
pub(super) fn in_rows(tile: &Tile, index: i128) -> Option<Position> {
    let index = usize::try_from(index).ok()?;
    inside(tile, Position { row: index / tile.layout.cols, col: index % tile.layout.cols })
}

/// Row and column of an element by its index in memory order, if it is inside the tile.
#[cfg(feature = "run")]
pub(super) fn in_memory(tile: &Tile, index: i128) -> Option<Position> {
    inside(tile, tile.layout.place(usize::try_from(index).ok()?))
}

#[cfg(feature = "run")]
fn inside(tile: &Tile, at: Position) -> Option<Position> {
    (at.row < tile.rows() && at.col < tile.cols()).then_some(at)
}

/// The word of an attribute, or the page's default if it is not written.
///
/// # Errors
/// If the attribute is not a word.
pub(super) fn word_of<'s>(site: &'s Site<'_>, key: &str) -> Result<Option<&'s str>, ()> {
    match (site.attribute(key), site.word(key)) {
        (Some(_), None) => Err(()),
        _ => Ok(site.word_or_default(key)),
    }
}

/// An operand's name and the value of one of its elements, for messages.
pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    pub(super) value: i128,
    pub(super) at: Position,
}

impl Named<'_> {
    /// The fault that the selected element does not exist.
    #[cfg(feature = "run")]
    pub(super) fn fault(&self, rule: &'static Rule, target: &str, has: &str) -> Fault {
        let Position { row: i, col: j } = self.at;
        let message =
            format!("`%{}` is {} in element ({i}, {j}), but `%{target}` has {has}", self.name, self.value);
        Fault::Broken(rule, message)
    }
}

/// The operands of a form by indices; the index tile selects elements of the source or of the destination.
#[cfg(feature = "run")]
pub(super) struct Indexed {
    pub(super) dst: Tile,
    pub(super) src: Tile,
    pub(super) idx: Tile,
    /// Names of the index tile and of the tile whose elements it selects.
    pub(super) names: [String; 2],
}

#[cfg(feature = "run")]
impl Indexed {
    /// `named` is the role of the tile whose elements are selected.
    pub(super) fn of(prepare: &Prepare<'_>, named: &str) -> Result<Indexed, String> {
        let names = ["idx", named].map(|role| prepare.name(role).to_owned());
        Ok(Indexed { dst: prepare.tile("dst")?, src: prepare.tile("src")?, idx: prepare.tile("idx")?, names })
    }

    /// The bound below which the bits of an index are directly a position of `tile` in memory order: its element
    /// count, or 0 if the tile is part of another tile.
    pub(super) fn places(&self, tile: &Tile) -> u64 {
        let (layout, rows, cols) = (&tile.layout, tile.rows(), tile.cols());
        let in_rows = layout.name == LayoutName::Nd;
        let whole = if in_rows { layout.cols == cols } else { is_whole(layout, rows, cols) };
        let index = self.idx.ty.element;
        // Negative indices, read as unsigned, exceed every position: positions are at most half of the index
        // range.
        let positive = if index.is_signed_integer() { index.mask() / 2 } else { u64::MAX };
        if whole { positive.min((rows * cols) as u64) } else { 0 }
    }

    /// The element of `tile` that an index selects; `bits` is the index, `at` its position in the index tile.
    ///
    /// # Errors
    /// [`Fault`] of `rule` if there is no such element.
    pub(super) fn named(
        &self,
        rule: &'static Rule,
        tile: &Tile,
        place: impl Fn(&Tile, i128) -> Option<Position>,
        bits: u64,
        at: Position,
    ) -> Result<Position, Fault> {
        let value = self.idx.ty.element.decode_int(bits);
        let [name, target] = &self.names;
        place(tile, value).ok_or_else(|| Named { name, value, at }.fault(rule, target, &extent_text(tile)))
    }
}

/// The declared extents as text: `8x16 elements`.
#[cfg(feature = "run")]
fn extent_text(tile: &Tile) -> String {
    format!("{}x{} elements", tile.rows(), tile.cols())
}

/// Fills the whole declared tile with zeros.
#[cfg(feature = "run")]
pub(super) fn clear(state: &mut State<'_>, tile: &Tile) {
    let (address, element) = (state.live(tile).address, tile.ty.element);
    let memory = &mut *state.memory;
    let done: Result<(), ()> = for_each_run([&tile.layout], tile.size(), |[at], count| {
        fill(memory, address + element.bytes(at), element.bits(), 0, count);
        Ok(())
    });
    debug_assert!(done.is_ok());
}
