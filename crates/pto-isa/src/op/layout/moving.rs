//! Code shared by TMOV, TEXTRACT and TINSERT: moves a window of one tile into a window of another.

use super::blocks::Blocks;
use crate::matrix::Size;
use crate::memory::Buffer;
use crate::op::attribute::AttributeSpec;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::{Form, form};
use crate::op::site::Site;
use crate::pipe::Pipe;
use crate::tile::Location;
#[cfg(feature = "run")]
use {
    super::transfer_rules::Units,
    crate::exec::reference::{Reference, scalar_bits},
    crate::exec::runs::is_whole,
    crate::exec::state::{Fault, Prepare, State, Tile},
    crate::layout::LayoutName,
    crate::matrix::Position,
    crate::op::fixpipe::Path,
    crate::op::padding::fill_outside,
    crate::op::subtile::{SubTile, copy_subtile, lines},
    crate::types::Scalar,
    pto_kernels::{RowsFn, rows_copy},
};

/// The forms of TEXTRACT_FP and TINSERT_FP.
pub(super) const FP_FORMS: &[Form] = &[
    form!(ins(src: Tile, fp: Tile, row: Scalar, col: Scalar) outs(dst: Tile)),
    form!(ins(src: Tile, row: Scalar, col: Scalar, fp: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, row: Scalar, col: Scalar, fp => fp: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, row: Scalar, col: Scalar, fill: Scalar) outs(dst: Tile)),
    form!(ins(src: Tile, row: Scalar, col: Scalar, fp => fill: Scalar) outs(dst: Tile)),
    form!(ins(src: Tile, fp: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, fp => fp: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, fill: Scalar) outs(dst: Tile)),
    form!(ins(src: Tile, fp => fill: Scalar) outs(dst: Tile)),
];

/// The slots of a window's first row and column; `None` for an omitted offset, which is 0.
#[cfg(feature = "run")]
pub(super) fn offsets(prepare: &Prepare<'_>) -> [Option<usize>; 2] {
    ["row", "col"].map(|role| prepare.scalar_if(role).map(|(slot, _)| slot))
}

/// The current first row and column of a window.
#[cfg(feature = "run")]
pub(super) fn start(state: &State<'_>, slots: [Option<usize>; 2]) -> (u64, u64) {
    let [row, col] = slots.map(|slot| slot.map_or(0, |slot| state.scalars[slot]));
    (row, col)
}

/// The attribute that selects the vector cores that receive a move from an accumulator to UB.
pub(super) const RECEIVERS: AttributeSpec = AttributeSpec::words(
    "accToVecMode",
    "acc_to_vec_mode",
    &["single_mode_vec0", "single_mode_vec1", "dual_mode_split_m", "dual_mode_split_n"],
    "The vector cores whose UB receives the result: one, or both with half of the rows (m) or columns (n) each.",
)
.or_means("the vector core that runs the instruction; vector core 0 of a cube core");

/// The vector cores that receive a move from an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receivers {
    /// The running vector core, or vector core 0 for a cube core.
    Here,
    /// Vector core 0 or 1.
    Single(usize),
    /// The upper half of the rows to vector core 0, the lower half to vector core 1.
    SplitRows,
    /// The left half of the columns to vector core 0, the right half to vector core 1.
    SplitCols,
}

impl Receivers {
    /// The receivers that a word of `accToVecMode` selects.
    pub(super) fn from_word(word: &str) -> Option<Receivers> {
        Some(match word {
            "single_mode_vec0" => Receivers::Single(0),
            "single_mode_vec1" => Receivers::Single(1),
            "dual_mode_split_m" => Receivers::SplitRows,
            "dual_mode_split_n" => Receivers::SplitCols,
            _ => return None,
        })
    }

    /// The receivers of a use; [`Receivers::Here`] by default.
    pub(super) fn of(site: &Site<'_>) -> Receivers {
        site.listed_word(RECEIVERS.name).and_then(Receivers::from_word).unwrap_or(Receivers::Here)
    }

    /// Whether both vector cores receive a half.
    pub(super) fn is_dual(self) -> bool {
        matches!(self, Receivers::SplitRows | Receivers::SplitCols)
    }

    /// The size of the part that one core receives of the moved elements.
    fn share(self, moved: Size) -> Size {
        match self {
            Receivers::SplitRows => Size { rows: moved.rows / 2, ..moved },
            Receivers::SplitCols => Size { cols: moved.cols / 2, ..moved },
            _ => moved,
        }
    }

    /// Rows and columns that one core receives, if they are known.
    pub(super) fn share_known(self, rows: Option<u32>, cols: Option<u32>) -> (Option<u32>, Option<u32>) {
        let share = |rows: u32, cols: u32| self.share(Size { rows: rows as usize, cols: cols as usize });
        (rows.map(|rows| share(rows, 0).rows as u32), cols.map(|cols| share(0, cols).cols as u32))
    }

    /// Whether the moved elements can be divided among the receivers.
    fn divides(self, moved: Size) -> bool {
        let share = self.share(moved);
        !self.is_dual() || share.rows * 2 == moved.rows || share.cols * 2 == moved.cols
    }

    /// The vector core that receives element (`i`, `j`) of the moved ones, and the row and column in its share.
    fn place(self, moved: Size, i: usize, j: usize) -> (Option<usize>, usize, usize) {
        let Size { rows: height, cols: width } = self.share(moved);
        match self {
            Receivers::Here => (None, i, j),
            Receivers::Single(core) => (Some(core), i, j),
            Receivers::SplitRows => (Some(i / height), i % height, j),
            Receivers::SplitCols => (Some(j / width), i, j % width),
        }
    }
}

/// The pipe of moves between two locations.
pub(super) fn pipe_between(src: Location, dst: Location) -> Pipe {
    match (src, dst) {
        (Location::Acc, _) | (_, Location::Scaling) => Pipe::Fixpipe,
        // According to the instruction class TMOV_M2V; `include/pto/common/event.hpp` has no entry.
        (Location::Mat, Location::Vec) => Pipe::Vector,
        (Location::Mat, _) => Pipe::Mte1,
        (Location::Vec, Location::Mat) => Pipe::Mte3,
        _ => Pipe::Vector,
    }
}

/// The pipe of a use with `src` and `dst`.
pub(super) fn pipe_of(site: &Site<'_>) -> Pipe {
    // Scales of MX products are loaded as the factors are: `docs/isa/cube/ops/data-movement/mte-l1-l0a-mx.md`.
    let buffer = site.tile("dst").map(|tile| tile.ty.buffer());
    if matches!(buffer, Some(Buffer::ScaleLeft | Buffer::ScaleRight)) {
        return Pipe::Mte1;
    }
    let conv = site.conv("src").map(|tile| tile.location);
    let location = |role: &str| site.tile(role).map_or(Location::Vec, |tile| tile.location());
    if let Some(from) = conv {
        return pipe_between(from, location("dst"));
    }
    pipe_between(location("src"), location("dst"))
}

/// The writes to `dst` at (`row`, `col`) of a use that moves the valid region of the tile in role `of`.
pub(super) fn written(site: &Site<'_>, of: &'static str, at: [&'static str; 2]) -> Vec<Effect> {
    let to = |rows: Count, cols: Count| Effect::writes("dst").of(Extent::Window(rows, cols, at));
    let (rows, cols) = (Count::Rows(of), Count::Cols(of));
    let in_ub = site.tile("dst").is_some_and(|dst| dst.ty.buffer() == Buffer::Ub);
    match if in_ub { Receivers::of(site) } else { Receivers::Here } {
        Receivers::Here => vec![to(rows, cols)],
        Receivers::Single(core) => vec![to(rows, cols).in_core(core as u8)],
        Receivers::SplitRows => [0, 1].map(|core| to(Count::HalfRows(of), cols).in_core(core)).into(),
        Receivers::SplitCols => [0, 1].map(|core| to(rows, Count::HalfCols(of)).in_core(core)).into(),
    }
}

/// Extends effects on valid regions to whole blocks, if the use moves whole blocks.
pub(super) fn in_blocks(site: &Site<'_>, effects: Vec<Effect>) -> Vec<Effect> {
    let Some(blocks) = Blocks::of(site) else { return effects };
    effects.into_iter().map(|effect| blocks.effect(effect)).collect()
}

/// The effect of a fill value: the declared shape of `dst` is written.
pub(super) const FILL_EFFECT: Effect = Effect::writes("dst").of(Extent::DECLARED);

/// A move between two tiles, with the conversion of its elements.
#[derive(Clone, Copy)]
#[cfg(feature = "run")]
pub(super) struct Move {
    pub(super) dst: Tile,
    pub(super) src: Tile,
    path: Path,
    pub(super) receivers: Receivers,
    units: [Units; 2],
    /// The kernel that copies rows of bytes, and the bytes per element.
    copy: (RowsFn, usize),
    /// Whether both tiles are row-major and elements are copied unchanged, as in most small moves.
    in_rows: bool,
    /// Whether both tiles have one layout and elements are copied unchanged, so that whole tiles can be copied as
    /// bytes.
    in_place: bool,
    /// The extension of the move to whole blocks.
    blocks: Option<Blocks>,
    fill: Option<(usize, Scalar)>,
}

/// The moved part: start in source and destination, rows and columns, and the first column of the scaling tile.
#[derive(Clone, Copy, Debug, Default)]
#[cfg(feature = "run")]
pub(super) struct Moved {
    pub(super) from: Position,
    pub(super) to: Position,
    pub(super) size: Size,
    pub(super) scale: usize,
}

#[cfg(feature = "run")]
impl Move {
    /// The move selected by `src`, `dst` and the attributes; offsets must be multiples of `from` and `to`.
    ///
    /// # Errors
    /// If there is no such conversion.
    pub(super) fn of(prepare: &Prepare<'_>, from: Units, to: Units) -> Result<Move, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let path = Path::of(prepare, src.ty.element, dst.ty.element)?;
        let receivers =
            if dst.ty.buffer() == Buffer::Ub { Receivers::of(prepare.site) } else { Receivers::Here };
        let bits = src.ty.element.bits() as usize;
        let is_copy = path.is_copy();
        let both_in_rows = dst.layout.name == LayoutName::Nd && src.layout.name == LayoutName::Nd;
        let in_rows = is_copy && both_in_rows && receivers == Receivers::Here;
        let in_place = is_copy && dst.layout == src.layout;
        let copy = (rows_copy(src.bytes().min(dst.bytes())), bits / 8);
        let fill = prepare.scalar_if("fill");
        let (units, blocks) = ([from, to], Blocks::of(prepare.site));
        Ok(Move { dst, src, path, receivers, units, copy, in_rows, in_place, blocks, fill })
    }

    /// Whether an extent is inside both tiles and the scaling tile.
    #[inline(always)] // A call, with the extent in memory, takes as long as the copy of some rows.
    fn fits(&self, extent: &Moved) -> bool {
        let inside = |start: usize, count: usize, limit: usize| {
            start.checked_add(count).is_some_and(|end| end <= limit)
        };
        let Size { rows, cols } = extent.size;
        let Size { rows: height, cols: width } = self.receivers.share(extent.size);
        // Avoids slow divisions: most units are 1.
        let multiple = |at: usize, unit: usize| unit == 1 || at.is_multiple_of(unit);
        let whole = |at: &Position, unit: &Units| multiple(at.row, unit.row) && multiple(at.col, unit.col);
        whole(&extent.from, &self.units[0])
            && whole(&extent.to, &self.units[1])
            && inside(extent.from.row, rows, self.src.rows())
            && inside(extent.from.col, cols, self.src.cols())
            && inside(extent.to.row, height, self.dst.rows())
            && inside(extent.to.col, width, self.dst.cols())
            && self.receivers.divides(extent.size)
            && extent.scale.checked_add(cols).is_some_and(|end| self.path.has_columns(end))
    }

    /// The moved part, extended to whole blocks if the device moves whole blocks and they have parameters.
    fn completed(&self, extent: &Moved) -> Moved {
        let Some(blocks) = self.blocks else { return *extent };
        let whole = blocks.completed(extent, &self.src, &self.dst);
        if self.path.has_columns(whole.scale + whole.size.cols) { whole } else { *extent }
    }

    /// Moves by the formula.
    ///
    /// # Errors
    /// [`Fault::Rule`] if the extent does not fit.
    pub(super) fn by_formula(&self, reference: &mut Reference<'_>, extent: &Moved) -> Result<(), Fault> {
        if !self.fits(extent) {
            return Err(Fault::Rule);
        }
        let extent = &self.completed(extent);
        let Size { rows, cols } = extent.size;
        for i in 0..rows {
            for j in 0..cols {
                let bits = reference.get(&self.src, extent.from.row + i, extent.from.col + j);
                let value = self.path.apply(reference, extent.scale + j, bits);
                let (core, row, col) = self.receivers.place(extent.size, i, j);
                reference.set_in(core, &self.dst, extent.to.row + row, extent.to.col + col, value);
            }
        }
        Ok(())
    }

    /// Moves with the fast path.
    ///
    /// # Errors
    /// [`Fault::Rule`] if the extent does not fit.
    pub(super) fn run(&self, state: &mut State<'_>, extent: &Moved) -> Result<(), Fault> {
        if !self.fits(extent) {
            return Err(Fault::Rule);
        }
        let extent = &self.completed(extent);
        let [mut from] = state.unalias(&self.dst, [&self.src]);
        if from == state.live(&self.dst).address && self.path.is_copy() && extent.from != extent.to {
            // Source and destination are windows of the same tile.
            state.memory.copy_within(from..from + self.src.bytes(), state.spare.start);
            from = state.spare.start;
        }
        if self.in_rows {
            let (target, bytes) = (state.live(&self.dst).address, self.copy.1);
            let to = lines(&self.dst.layout, target, extent.to, bytes);
            let from = lines(&self.src.layout, from, extent.from, bytes);
            self.copy_rows(state, to, from, extent.size);
            return Ok(());
        }
        let share = self.receivers.share(extent.size);
        let home = state.tiles[self.dst.slot as usize].address;
        let second = |row, col| Position { row: extent.from.row + row, col: extent.from.col + col };
        let stride = state.vector_stride;
        match self.receivers {
            Receivers::Here => {
                let target = state.live(&self.dst).address;
                self.part(state, extent, from, target, extent.from, extent.size);
            }
            Receivers::Single(core) => {
                self.part(state, extent, from, home + core * stride, extent.from, extent.size)
            }
            Receivers::SplitRows | Receivers::SplitCols => {
                let other = if self.receivers == Receivers::SplitRows {
                    second(share.rows, 0)
                } else {
                    second(0, share.cols)
                };
                self.part(state, extent, from, home, extent.from, share);
                self.part(state, extent, from, home + stride, other, share);
            }
        }
        Ok(())
    }

    /// Fills the elements that were not written with the fill value, if there is one, by the formula.
    pub(super) fn fill_by_formula(&self, reference: &mut Reference<'_>, extent: &Moved) {
        let Some((slot, ty)) = self.fill else { return };
        let value = scalar_bits(reference.state().scalars[slot], ty, self.dst.ty.element);
        let Size { rows: height, cols: width } = self.receivers.share(extent.size);
        for i in 0..self.dst.rows() {
            for j in 0..self.dst.cols() {
                if i >= height || j >= width {
                    reference.set(&self.dst, i, j, value);
                }
            }
        }
    }

    /// Fills the elements that were not written with the fill value, if there is one.
    pub(super) fn fill(&self, state: &mut State<'_>, extent: &Moved) {
        let Some((slot, ty)) = self.fill else { return };
        let value = scalar_bits(state.scalars[slot], ty, self.dst.ty.element);
        let address = state.live(&self.dst).address;
        let share = self.receivers.share(extent.size);
        fill_outside(state.memory, &self.dst, address, value, share);
    }

    /// Copies rows; `to` and `from` are (address of the first row, row stride), both in bytes.
    #[inline(always)]
    fn copy_rows(&self, state: &mut State<'_>, to: (usize, usize), from: (usize, usize), size: Size) {
        let (copy, bytes) = self.copy;
        copy(state.memory, to, from, size.rows, size.cols * bytes);
    }

    /// Moves `size` elements, the share of one core, to a destination whose first byte is at `target`. They start at `window` of the
    /// source, whose first byte is at `from`.
    #[inline]
    fn part(
        &self,
        state: &mut State<'_>,
        extent: &Moved,
        from: usize,
        target: usize,
        window: Position,
        size: Size,
    ) {
        let Size { rows, cols } = size;
        let start = Position::default();
        if self.in_place && window == start && extent.to == start && is_whole(&self.src.layout, rows, cols) {
            // Both tiles have one layout, so the bytes are copied in memory order.
            let line = cols * self.copy.1;
            return self.copy_rows(state, (target, line), (from, line), size);
        }
        let dst = SubTile::new(&self.dst, target, extent.to);
        let src = SubTile::new(&self.src, from, window);
        if self.path.is_copy() {
            return copy_subtile(state.memory, &dst, &src, rows, cols);
        }
        // `unalias` may have put a copy of the source at the start of spare memory.
        let behind = state.spare.start + self.src.bytes();
        let results = self.path.stage(state, &src, size, extent.scale, behind);
        let plain = SubTile::plain(results, rows, cols, self.dst.ty.element.bits());
        copy_subtile(state.memory, &dst, &plain, rows, cols);
    }
}
