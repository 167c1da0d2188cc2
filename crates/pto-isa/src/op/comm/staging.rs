//! Transfers through staging tiles. A tensor larger than its tile is transferred in chunks of the tile's valid
//! region, over its rows and columns, for each index of the outer dimensions. With two tiles, the chunks alternate
//! between them. Source: `docs/isa/comm/TPUT.md`.

use crate::element::element_word;
use crate::op::site::{Check, Fact, TileFact, ViewFact};
use crate::rule::Rule;
use crate::tile::Location;
#[cfg(feature = "run")]
use {
    super::tensor::Tensor,
    crate::exec::overlay::Area,
    crate::exec::state::{Fault, Prepare, State, Tile},
    pto_kernels::map::{BinaryFormula, binary},
    pto_kernels::transfer,
    pto_num::{BinaryOp, get_element, set_element},
};

const SOURCE: &str = "docs/isa/comm/TPUT.md, Constraints";

pub(super) const TYPE: Rule =
    Rule::new("element-type", "All tensors and tiles have one element type.", SOURCE)
        .because("Chunks pass through the staging tile as bytes, without conversion.")
        .instead("Give tensors and staging tiles one element type.");
pub(super) const SHAPE: Rule = Rule::new("shape", "Source and destination have one shape.", SOURCE)
    .because("Each element has one destination.")
    .instead("Give both tensors the same extents.");
pub(super) const LAYOUT: Rule = Rule::new("layout", "All tensors have one layout.", SOURCE)
    .because("A chunk is stored in the order in which it was loaded.")
    .instead("Give all tensors the same layout.");
pub(super) const STAGING: Rule =
    Rule::new("staging", "Staging tiles are vec tiles, all of one type.", SOURCE)
        .because("Chunks are loaded by MTE2 and stored by MTE3, which share UB only; two tiles alternate.")
        .instead("Declare the staging tiles as vec tiles of one type.");
pub(super) const CHUNK: Rule = Rule::new(
    "chunk",
    "The staging tile's valid region is not empty. Valid extents that are fixed by the tile's type divide larger extents of \
     a tensor.",
    SOURCE,
)
.because("The chunks are all of one size, so the last one would reach outside of the tensor.")
.instead("Choose valid rows and columns that divide those of the tensor, or leave them open (`?`).");

/// Facts about the views in a role.
pub(super) fn views<'a>(check: &Check<'a>, role: &str) -> Vec<&'a ViewFact> {
    let operands = check.site.operands.iter().filter(|operand| operand.role == role);
    let view = |fact: &'a Fact| match fact {
        Fact::View(view) => Some(view),
        _ => None,
    };
    operands.filter_map(|operand| view(&operand.fact)).collect()
}

/// Facts about the tiles in a role.
pub(super) fn tiles<'a>(check: &Check<'a>, role: &str) -> Vec<&'a TileFact> {
    let operands = check.site.operands.iter().filter(|operand| operand.role == role);
    let tile = |fact: &'a Fact| match fact {
        Fact::Tile(tile) => Some(tile),
        _ => None,
    };
    operands.filter_map(|operand| tile(&operand.fact)).collect()
}

/// The five extents of a view; `None` for views of more dimensions.
pub(super) fn five(view: &ViewFact) -> Option<[Option<u64>; 5]> {
    let mut shape = [Some(1u64); 5];
    shape.get_mut(5usize.checked_sub(view.shape.len())?..)?.copy_from_slice(&view.shape);
    Some(shape)
}

/// A shape as text, such as `1x?x16`.
pub(super) fn shape_text(shape: &[Option<u64>]) -> String {
    let words = shape.iter().map(|extent| extent.map_or("?".to_owned(), |extent| extent.to_string()));
    words.collect::<Vec<_>>().join("x")
}

/// Whether the known extents of two shapes are equal.
pub(super) fn agree(a: &[Option<u64>; 5], b: &[Option<u64>; 5]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.zip(*b).is_none_or(|(a, b)| a == b))
}

/// Checks the rules of tensors and their staging tiles. `tensor` is the role of the tensor that is divided into
/// chunks.
pub(super) fn check(check: &mut Check<'_>, roles: &[&str], staging: &[&str], tensor: &str) {
    let tensors: Vec<&ViewFact> = roles.iter().flat_map(|role| views(check, role)).collect();
    let tiles: Vec<&TileFact> = staging.iter().flat_map(|role| tiles(check, role)).collect();
    let (Some(first), Some(tile)) = (tensors.first(), tiles.first()) else { return };
    let elements = tensors.iter().map(|view| view.element).chain(tiles.iter().map(|tile| tile.element()));
    let elements: Vec<_> = elements.collect();
    let one = elements.iter().all(|element| *element == first.element);
    check.require(&TYPE, tensor, one, |_| {
        let words: Vec<_> = elements.iter().map(|element| element_word(*element)).collect();
        format!("the element types are {}", words.join(", "))
    });
    let layouts: Vec<_> = tensors.iter().filter_map(|view| view.layout.0).collect();
    check.require(&LAYOUT, tensor, layouts.iter().all(|layout| *layout == layouts[0]), |_| {
        let words: Vec<_> = layouts.iter().map(|layout| layout.word()).collect();
        format!("the layouts are {}", words.join(", "))
    });
    let fits = tiles.iter().all(|tile| tile.location() == Location::Vec)
        && tiles.iter().all(|other| other.ty == tile.ty);
    check.require(&STAGING, staging[0], fits, |_| {
        let words: Vec<_> = tiles.iter().map(|tile| tile.ty.brief()).collect();
        format!("the staging tiles are {}", words.join(", "))
    });
    let Some(shape) = views(check, tensor).first().and_then(|view| five(view)) else { return };
    let sides = [
        (shape[3], tile.rows, tile.ty.valid_rows.is_some(), "rows"),
        (shape[4], tile.cols, tile.ty.valid_cols.is_some(), "columns"),
    ];
    for (extent, valid, fixed, what) in sides {
        let Some(valid) = valid.map(u64::from) else { continue };
        let divides = valid > 0
            && extent.is_none_or(|extent| !fixed || extent <= valid || extent.is_multiple_of(valid));
        check.require(&CHUNK, staging[0], divides, |check| {
            let extent = extent.map_or("?".to_owned(), |extent| extent.to_string());
            format!(
                "{} has {extent} {what}, {} has {valid} valid {what}",
                check.name(tensor),
                check.name(staging[0])
            )
        });
    }
}

/// A part of a tensor that fits into the staging tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    /// Index in the first three dimensions.
    pub(super) outer: [usize; 3],
    /// First row and column.
    pub(super) row: usize,
    pub(super) col: usize,
    /// Rows and columns.
    pub(super) rows: usize,
    pub(super) cols: usize,
}

/// The staging tiles of an instruction, and how elements are copied through them.
#[derive(Clone, Debug)]
#[cfg(feature = "run")]
pub(super) struct Staging {
    tiles: Vec<Tile>,
    /// Whether elements are copied one by one, as the formula states.
    by_formula: bool,
}

#[cfg(feature = "run")]
impl Staging {
    /// The tiles in a role.
    ///
    /// # Errors
    /// If there are none.
    pub(super) fn of(prepare: &Prepare<'_>, role: &str, by_formula: bool) -> Result<Staging, String> {
        let tiles = prepare.tiles(role);
        if tiles.is_empty() {
            return Err(format!("operand `{role}` is not a tile"));
        }
        Ok(Staging { tiles, by_formula })
    }

    /// The tile of chunk number `turn`: tiles alternate.
    pub(super) fn tile(&self, turn: usize) -> Tile {
        self.tiles[turn % self.tiles.len()]
    }

    /// The chunks of a tensor, each with its staging tile.
    ///
    /// # Errors
    /// If the tile's valid region is empty, or has a fixed extent that does not divide the tensor's.
    pub(super) fn chunks(&self, state: &State<'_>, tensor: &Tensor) -> Result<Vec<(Chunk, Tile)>, Fault> {
        let [s0, s1, s2, rows, cols] = tensor.shape;
        if tensor.count() == 0 {
            return Ok(Vec::new());
        }
        let live = state.live(&self.tiles[0]);
        let (high, wide) = (live.rows as usize, live.cols as usize);
        let ty = &self.tiles[0].ty;
        let divides = |extent: usize, valid: usize, fixed: bool| {
            valid > 0 && (!fixed || extent <= valid || extent.is_multiple_of(valid))
        };
        if !divides(rows, high, ty.valid_rows.is_some()) || !divides(cols, wide, ty.valid_cols.is_some()) {
            return Err(Fault::Rule);
        }
        let mut chunks = Vec::new();
        for at in 0..s0 * s1 * s2 {
            let outer = [at / s2 / s1, at / s2 % s1, at % s2];
            for row in (0..rows).step_by(high) {
                for col in (0..cols).step_by(wide) {
                    let chunk =
                        Chunk { outer, row, col, rows: (rows - row).min(high), cols: (cols - col).min(wide) };
                    chunks.push((chunk, self.tile(chunks.len())));
                }
            }
        }
        Ok(chunks)
    }

    /// Copies a chunk of a tensor into a tile.
    pub(super) fn load(&self, state: &mut State<'_>, tensor: &Tensor, chunk: &Chunk, tile: &Tile) {
        let from = tensor.placement(chunk.outer, chunk.row, chunk.col);
        let to = state.placement(tile);
        if self.by_formula {
            for (i, j) in (0..chunk.rows).flat_map(|i| (0..chunk.cols).map(move |j| (i, j))) {
                let bits = tensor.get(state, &from, i, j);
                set_element(state.memory, to.offset, to.index(i, j), tensor.element, bits);
            }
            return;
        }
        let area = Area { placement: from, rows: chunk.rows, cols: chunk.cols, bits: tensor.element.bits() };
        let source = state.global.reading(tensor.buffer).read(&area);
        transfer(state.memory, &to, source, &from, chunk.rows, chunk.cols, tensor.element.bits());
    }

    /// Copies a chunk from a tile to its position in a tensor, plus `down` rows; adds to the old elements if
    /// `add`.
    pub(super) fn store(
        &self,
        state: &mut State<'_>,
        tensor: &Tensor,
        chunk: &Chunk,
        down: usize,
        tile: &Tile,
        add: bool,
    ) {
        let to = tensor.placement(chunk.outer, chunk.row + down, chunk.col);
        let from = state.placement(tile);
        if self.by_formula || add {
            for (i, j) in (0..chunk.rows).flat_map(|i| (0..chunk.cols).map(move |j| (i, j))) {
                let bits = get_element(state.memory, from.offset, from.index(i, j), tensor.element);
                let old = tensor.get(state, &to, i, j);
                let sum = if add { BinaryOp::Add.apply(tensor.element, old, bits) } else { None };
                tensor.set(state, &to, i, j, sum.unwrap_or(bits));
            }
            return;
        }
        let area = Area { placement: to, rows: chunk.rows, cols: chunk.cols, bits: tensor.element.bits() };
        let target = state.global.writing(tensor.buffer).write(&area);
        transfer(target, &to, state.memory, &from, chunk.rows, chunk.cols, tensor.element.bits());
    }

    /// Reduces a chunk elementwise: `acc = op(acc, received)`.
    pub(super) fn reduce(
        &self,
        state: &mut State<'_>,
        op: BinaryOp,
        chunk: &Chunk,
        acc: &Tile,
        received: &Tile,
    ) {
        let (a, b) = (state.placement(acc), state.placement(received));
        let element = acc.ty.element;
        let fast = binary(op, element).filter(|_| !self.by_formula && a.col == 1 && b.col == 1);
        for i in 0..chunk.rows {
            if let Some(run) = fast
                && a.box_rows == usize::MAX
                && b.box_rows == usize::MAX
            {
                let at = |placement: &pto_kernels::Placement| {
                    placement.offset + element.bytes(placement.index(i, 0))
                };
                run(state.memory, at(&a), at(&a), at(&b), chunk.cols);
                continue;
            }
            for j in 0..chunk.cols {
                let x = get_element(state.memory, a.offset, a.index(i, j), element);
                let y = get_element(state.memory, b.offset, b.index(i, j), element);
                let bits = op.apply(element, x, y).unwrap_or(x);
                set_element(state.memory, a.offset, a.index(i, j), element, bits);
            }
        }
    }
}
