//! Elements that are named by numbers in a tile.

use crate::isa::element::Element;
use crate::isa::op::common::valid_regions;
use crate::isa::op::site::{Check, Site};
use crate::isa::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::runs::{for_each_run, is_whole},
    crate::exec::state::{Fault, Prepare, State, Tile},
    crate::isa::layout::LayoutName,
    pto_kernels::layout::fill,
};

/// Integers of 16 and 32 bits.
pub(super) fn is_index(element: Element) -> bool {
    element.is_integer() && matches!(element.bits(), 16 | 32)
}

/// Integers of 32 bits.
pub(super) fn is_word(element: Element) -> bool {
    matches!(element, Element::I32 | Element::U32)
}

/// The tile in `role` has at least the valid rows and columns of the one in `other`, as far as they are known.
pub(super) fn covers(check: &mut Check<'_>, rule: &'static Rule, role: &str, other: &str) -> bool {
    let (have, need) = (check.tile(role), check.tile(other));
    let enough = at_least(have.rows, need.rows) && at_least(have.cols, need.cols);
    check.require(rule, role, enough, |check| valid_regions(check, role, other))
}

/// Whether an extent may be as large as another: it is, or one is not known yet.
pub(super) fn at_least(have: Option<u32>, need: Option<u32>) -> bool {
    have.zip(need).is_none_or(|(have, need)| have >= need)
}

/// Row and column of an element that is counted row by row, if the tile has it. Rows are those of the storage: in a
/// part of a tile the count goes on over what lies beside the part.
#[cfg(feature = "run")]
pub(super) fn in_rows(tile: &Tile, index: i128) -> Option<(usize, usize)> {
    let index = usize::try_from(index).ok()?;
    inside(tile, (index / tile.layout.cols, index % tile.layout.cols))
}

/// Row and column of an element that is counted in the order of memory, if the tile has it.
#[cfg(feature = "run")]
pub(super) fn in_memory(tile: &Tile, index: i128) -> Option<(usize, usize)> {
    inside(tile, tile.layout.place(usize::try_from(index).ok()?))
}

#[cfg(feature = "run")]
fn inside(tile: &Tile, (row, col): (usize, usize)) -> Option<(usize, usize)> {
    (row < tile.rows() && col < tile.cols()).then_some((row, col))
}

/// The word of an attribute; the page's default, if there is one, where it is not given.
///
/// # Errors
/// If it is given as something else.
pub(super) fn word_of<'s>(site: &'s Site<'_>, key: &str) -> Result<Option<&'s str>, ()> {
    match (site.attribute(key), site.word(key)) {
        (Some(_), None) => Err(()),
        _ => Ok(site.word_or_default(key)),
    }
}

/// An operand's name and what an element of it says, for messages.
pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    pub(super) value: i128,
    pub(super) at: (usize, usize),
}

impl Named<'_> {
    /// The run stops: what is named is not there.
    #[cfg(feature = "run")]
    pub(super) fn fault(&self, rule: &'static Rule, target: &str, has: &str) -> Fault {
        let (i, j) = self.at;
        let message =
            format!("`%{}` is {} in element ({i}, {j}), but `%{target}` has {has}", self.name, self.value);
        Fault::Broken(rule, message)
    }
}

/// The operands of a form by indices: the index tile names elements of the source or of the destination.
#[cfg(feature = "run")]
pub(super) struct Indexed {
    pub(super) dst: Tile,
    pub(super) src: Tile,
    pub(super) idx: Tile,
    /// The names of the index tile and of the tile whose elements it names.
    pub(super) names: [String; 2],
}

#[cfg(feature = "run")]
impl Indexed {
    /// `named`: the role of the tile whose elements are named.
    pub(super) fn of(prepare: &Prepare<'_>, named: &str) -> Result<Indexed, String> {
        let names = ["idx", named].map(|role| prepare.name(role).to_owned());
        Ok(Indexed { dst: prepare.tile("dst")?, src: prepare.tile("src")?, idx: prepare.tile("idx")?, names })
    }

    /// Indices below this, as bits, are places of `tile` in memory already, if its elements are counted in that order: all of
    /// them, unless it is part of another tile.
    pub(super) fn places(&self, tile: &Tile) -> u64 {
        let (layout, rows, cols) = (&tile.layout, tile.rows(), tile.cols());
        let in_rows = layout.name == LayoutName::Nd;
        let whole = if in_rows { layout.cols == cols } else { is_whole(layout, rows, cols) };
        let index = self.idx.ty.element;
        // Numbers below zero are beyond all places, which are at most half of what an index can be.
        let positive = if index.is_signed_integer() { index.mask() / 2 } else { u64::MAX };
        if whole { positive.min((rows * cols) as u64) } else { 0 }
    }

    /// The element of `tile` at the place that the index with these bits, which stands at `at`, names.
    ///
    /// # Errors
    /// If there is no such element: that breaks `rule`.
    pub(super) fn named(
        &self,
        rule: &'static Rule,
        tile: &Tile,
        place: impl Fn(&Tile, i128) -> Option<(usize, usize)>,
        bits: u64,
        at: (usize, usize),
    ) -> Result<(usize, usize), Fault> {
        let value = self.idx.ty.element.decode_int(bits);
        let [name, target] = &self.names;
        place(tile, value).ok_or_else(|| Named { name, value, at }.fault(rule, target, &extent_text(tile)))
    }
}

/// `8x16 elements`.
#[cfg(feature = "run")]
fn extent_text(tile: &Tile) -> String {
    format!("{}x{} elements", tile.rows(), tile.cols())
}

/// Zeros in all of a tile, whatever is valid of it.
#[cfg(feature = "run")]
pub(super) fn clear(state: &mut State<'_>, tile: &Tile) {
    let (address, element) = (state.live(tile).address, tile.ty.element);
    let memory = &mut *state.memory;
    let done: Result<(), ()> = for_each_run([&tile.layout], (tile.rows(), tile.cols()), |[at], count| {
        fill(memory, address + element.bytes(at), element.bits(), 0, count);
        Ok(())
    });
    debug_assert!(done.is_ok());
}
