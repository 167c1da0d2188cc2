//! The elements that one transfer moves between a view and a tile: by its path on a device, else the valid region.
//!
//! Rules judge what is known before the run, formula and fast path move what a run finds, and watchers ask for its bytes. All of them
//! take it from here.

use super::paths::{Count, Lines, Path, Way};
use crate::diag::Severity;
use crate::layout::{LayoutName, c0};
use crate::op::effect::Extent;
use crate::op::site::{Check, GlobalLayout, Site, TileFact, ViewFact};
use crate::profile::{NPU, Profile};
use crate::rule::{ERROR_OR_NPU_LINT, Rule};
use crate::tile::{Location, Pad, TileType};
#[cfg(feature = "run")]
use {
    super::window::{Piece, Window},
    crate::element::Element,
    crate::exec::overlay::Area,
    crate::exec::state::{Fault, State, Tile, View},
    crate::layout::Layout,
    std::ops::Range,
};

const SOURCE: &str = "docs/isa/tile/ops/memory-and-data-movement/tload.md, tstore.md; include/pto/npu/{a2a3,a5}/TLoad.hpp, TStore.hpp";

pub(super) const EXTENT: Rule = Rule::new(
    "extent",
    "View and valid region of the tile have as many rows and columns as each other; on cpu the view may have more.",
    SOURCE,
)
.because(
    "Devices take the number of rows from one of the two and that of columns from the other, at most the declared ones of the tile; \
     A2/A3 moves lines that are shorter than the view's together.",
)
.instead("Give the partition the sizes of the valid region, or the tile the valid region of the partition.")
.weighing(ERROR_OR_NPU_LINT);
pub(super) const ROW_STRIDE: Rule = Rule::new(
    "row-stride",
    "The rows of a view in DN are contiguous: their stride is 1.",
    "include/pto/npu/{a2a3,a5}/TLoad.hpp, TStore.hpp",
)
.because("Devices ignore the stride and take rows as neighbours.")
.instead("Declare the view as ND, or load with stride 1 and rearrange on chip.")
.lint()
.only(NPU);

/// The extents of a view and of a tile's valid region, as far as they are known.
struct Known {
    shape: [Option<u64>; 5],
    strides: [Option<i64>; 5],
    /// Rows and columns of the view as a matrix.
    view: [Option<u64>; 2],
    valid: [Option<u64>; 2],
}

/// One transfer: its path, and what of view and tile its elements depend on.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    path: Option<&'static Path>,
    layout: GlobalLayout,
    /// Whether the program declares DN, whose row stride devices ignore.
    ignores_rows: bool,
    way: Way,
    ty: TileType,
    /// Rows and columns of which parts are padded to a multiple.
    pads: Option<(Side, u32)>,
}

/// Rows or columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Rows,
    Cols,
}

impl Transfer {
    /// The transfer between the view `view` and the tile `tile`, whose elements lie in `name`.
    pub(super) fn new(
        profile: Profile,
        way: Way,
        view: &ViewFact,
        (ty, name): (&TileType, LayoutName),
    ) -> Transfer {
        let said = view.layout.or_guess(ty, view.shape.len(), profile);
        let outer = view.shape.iter().rev().skip(2);
        let layout = if outer.eq([Some(1); 3].iter().take(view.shape.len().saturating_sub(2))) {
            as_the_tile(said, (ty, name))
        } else {
            said
        };
        let path = Path::find(profile, way, layout, (ty, name));
        let pads = if way == Way::Load { padding(ty, name, path) } else { None };
        let ignores_rows = view.layout.0 == Some(GlobalLayout::Dn);
        Transfer { path, layout, ignores_rows, way, ty: *ty, pads }
    }

    /// The transfer of a use of TLOAD or TSTORE; `None` for other instructions and for convolution tiles.
    pub fn of(site: &Site<'_>) -> Option<Transfer> {
        let (way, view, tile) = match (site.view("src"), site.tile("dst")) {
            (Some(view), Some(tile)) => (Way::Load, view, tile),
            _ => (Way::Store, site.view("dst")?, site.tile("src")?),
        };
        let name = if way == Way::Store { as_stored(tile) } else { tile.layout().name };
        Some(Transfer::new(site.profile, way, view, (&tile.ty, name)))
    }

    /// The layout of the view.
    #[cfg(feature = "run")]
    pub(super) fn layout(&self) -> GlobalLayout {
        self.layout
    }

    /// Whether nothing is written behind what is moved.
    #[cfg(feature = "run")]
    pub(super) fn pads_nothing(&self) -> bool {
        self.pads.is_none()
    }

    /// The extent of both operands in effects; `other` is the role of the other operand. It is the valid region, with its padding,
    /// where nothing else can be moved.
    pub(super) fn extents(
        &self,
        site: &Site<'_>,
        tile: &'static str,
        view: &'static str,
    ) -> (Extent, Extent) {
        use crate::op::effect::Count::{RoundedUp, Valid};
        let agrees = site.view(view).zip(site.tile(tile)).is_some_and(|(view, tile)| {
            let known = Known::of(view, tile, self.layout);
            known.view.iter().zip(known.valid).all(|(view, valid)| view.is_some() && *view == valid)
        });
        if self.path.is_some() && (!agrees || self.is_peculiar()) {
            return (Extent::Moved(view), Extent::Moved(tile));
        }
        let rect = match self.pads {
            Some((Side::Rows, unit)) => Extent::Rect(RoundedUp(unit), Valid),
            Some((Side::Cols, unit)) => Extent::Rect(Valid, RoundedUp(unit)),
            None => Extent::VALID,
        };
        (rect, Extent::Covered(tile))
    }

    /// Whether the device may move other elements than the logical ones although view and valid region agree.
    fn is_peculiar(&self) -> bool {
        self.path.is_some_and(|path| match path.lines {
            Lines::PackedBlocks | Lines::Dense => true,
            Lines::Strided | Lines::Packed => path.view == GlobalLayout::Dn && self.ignores_rows,
        })
    }

    /// Why a device cannot move what view and valid region say, as far as that is known.
    fn obstacle(&self, known: &Known) -> Option<String> {
        let path = self.path?;
        let [s0, s1, s2, _, s4] = known.shape;
        let other = |extent: Option<u64>| extent.is_some_and(|extent| extent != 1);
        if path.single && [s0, s1, s2].into_iter().any(other) {
            return Some("the view has more than one matrix, and this transfer moves one".to_owned());
        }
        let is_acc = self.ty.location == Location::Acc && path.view == GlobalLayout::Nd;
        if let (true, Some(wide), Some(valid)) = (is_acc, s4, known.valid[1])
            && wide != valid
        {
            return Some(format!(
                "the view has {wide} columns and the accumulator {valid}, and devices store matrices of the view's width"
            ));
        }
        let of =
            |count: Count, at: usize| if count == Count::View { known.view[at] } else { known.valid[at] };
        let declared = [u64::from(self.ty.rows), u64::from(self.ty.cols)];
        for (at, what) in [(0, "rows"), (1, "columns")] {
            let count = of(if at == 0 { path.rows } else { path.cols }, at);
            if let Some(count) = count.filter(|count| *count > declared[at]) {
                return Some(format!("the device moves {count} {what}, and the tile has {}", declared[at]));
            }
        }
        None
    }

    /// What view and valid region are, and what the device moves instead of the valid region.
    fn difference(&self, known: &Known) -> String {
        let text = |[rows, cols]: [Option<u64>; 2]| {
            let text = |extent: Option<u64>| extent.map_or("?".to_owned(), |extent| extent.to_string());
            format!("{}x{}", text(rows), text(cols))
        };
        let mut message = format!("the view is {}, the valid region {}", text(known.view), text(known.valid));
        let Some(path) = self.path else { return message };
        let of =
            |count: Count, at: usize| if count == Count::View { known.view[at] } else { known.valid[at] };
        message.push_str(&format!("; the device moves {}", text([of(path.rows, 0), of(path.cols, 1)])));
        if path.lines == Lines::PackedBlocks {
            message.push_str(" in whole blocks of 32 bytes");
        }
        if let Some(distance) = self.distance(known) {
            message.push_str(&format!(", with {} {distance} elements apart in memory", path.lines_word()));
        }
        message
    }

    /// Elements in memory from one line, or block column, to the next, as far as it is known.
    fn distance(&self, known: &Known) -> Option<i64> {
        let path = self.path?;
        let [_, _, s2, s3, s4] = known.shape;
        let [_, t1, _, t3, t4] = known.strides;
        let unit = i64::from(c0(self.ty.element));
        let number = |extent: Option<u64>| extent.and_then(|extent| i64::try_from(extent).ok());
        let blocks = |count: i64| if path.lines == Lines::PackedBlocks { count / unit * unit } else { count };
        let packed = |stride: Option<i64>, own: Option<u64>, valid: Option<u64>| {
            Some(blocks(number(valid)?).saturating_add(blocks(stride?.saturating_sub(number(own)?))))
        };
        let rows_in_boxes = || number(s2)?.checked_mul(number(s3)?);
        match (path.lines, path.view) {
            (Lines::Strided, GlobalLayout::Nd) => t3,
            (Lines::Strided, GlobalLayout::Dn) => t4,
            (Lines::Strided, _) => t1,
            (Lines::Dense, _) => rows_in_boxes()?.checked_mul(number(s4)?),
            (_, GlobalLayout::Nd) => packed(t3, s4, known.valid[1]),
            (_, GlobalLayout::Dn) => packed(t4, s3, known.valid[0]),
            _ => {
                let missing = rows_in_boxes()?.saturating_sub(number(known.valid[0])?);
                Some(t1?.saturating_sub(missing.saturating_mul(number(s4)?)))
            }
        }
    }
}

impl Known {
    fn of(view: &ViewFact, tile: &TileFact, layout: GlobalLayout) -> Known {
        let mut shape = [Some(1); 5];
        let mut strides = [Some(0); 5];
        if let Some(inner) = 5usize.checked_sub(view.shape.len()) {
            shape[inner..].copy_from_slice(&view.shape);
            strides[inner..].fill(None);
            if view.strides.len() == view.shape.len() {
                strides[inner..].copy_from_slice(&view.strides);
            }
        }
        let (rows, cols) = view.matrix(layout).unwrap_or_default();
        Known {
            shape,
            strides,
            view: [rows, cols],
            valid: [tile.rows.map(u64::from), tile.cols.map(u64::from)],
        }
    }
}

/// Checks rows and columns of a view against the valid region of a tile.
pub(super) fn check(check: &mut Check<'_>, (tile, view): (&'static str, &'static str)) {
    let Some(transfer) = Transfer::of(check.site) else { return };
    let Some(fact) = check.site.view(view) else { return };
    let (valid, known) = (check.tile(tile), Known::of(fact, check.tile(tile), transfer.layout));
    let pairs = || known.view.iter().zip(known.valid).filter_map(|(have, need)| Some(((*have)?, need?)));
    if transfer.path.is_none() {
        let enough = pairs().all(|(have, need)| have >= need);
        check.require(&EXTENT, view, enough, |_| transfer.difference(&known));
        return;
    }
    rows_of_columns(check, (&transfer, view), fact);
    if let Some(why) = transfer.obstacle(&known) {
        check.require(&EXTENT, view, false, |_| why);
        return;
    }
    let fixed = fact.is_static && valid.ty.valid_rows.is_some() && valid.ty.valid_cols.is_some();
    let severity =
        if fixed && transfer.must_agree(check.profile()) { Severity::Error } else { Severity::Lint };
    check.judge(severity, &EXTENT, view, pairs().all(|(have, need)| have == need), |_| {
        transfer.difference(&known)
    });
    let unit = u64::from(c0(valid.element()));
    let partial = transfer.path.is_some_and(|path| path.lines == Lines::PackedBlocks);
    let length = known.valid[usize::from(transfer.layout != GlobalLayout::Dn)];
    let whole = !partial || length.is_none_or(|length| length % unit == 0);
    check.judge(Severity::Lint, &EXTENT, view, whole, |_| {
        format!("{}, and the lines of the tile end within a block of 32 bytes", transfer.difference(&known))
    });
}

/// Checks that the rows of a view in DN are neighbours.
fn rows_of_columns(check: &mut Check<'_>, (transfer, role): (&Transfer, &'static str), view: &ViewFact) {
    let rows = view.shape.len().checked_sub(2);
    let stride = rows.filter(|at| view.shape[*at] != Some(1)).and_then(|at| *view.strides.get(at)?);
    let read = transfer.layout == GlobalLayout::Dn && transfer.ignores_rows;
    check.judge(Severity::Lint, &ROW_STRIDE, role, !read || stride.is_none_or(|one| one == 1), |check| {
        format!("rows of {} have a stride of {} elements", check.name(role), stride.unwrap_or_default())
    });
}

impl Transfer {
    /// Whether static extents that differ do not compile.
    fn must_agree(&self, profile: Profile) -> bool {
        const ASSERTS: &[Profile] = crate::profile::A5_ONLY;
        let plain = (self.layout, self.ty.location) == (GlobalLayout::Nd, Location::Vec);
        ASSERTS.contains(&profile) && self.way == Way::Load && plain
    }
}

/// The layout of a view of one matrix: for a tile of one row or column ND and DN are the same, and a device takes the tile's.
fn as_the_tile(view: GlobalLayout, (ty, name): (&TileType, LayoutName)) -> GlobalLayout {
    match name {
        LayoutName::Nd | LayoutName::Dn if ty.rows != 1 && ty.cols != 1 || view.is_scales() => view,
        LayoutName::Nd => GlobalLayout::Nd,
        LayoutName::Dn => GlobalLayout::Dn,
        _ => view,
    }
}

/// The layout in which a store takes a tile: a vec tile of one row with boxes is stored as consecutive elements, in memory order.
pub(super) fn as_stored(tile: &TileFact) -> LayoutName {
    let layout = tile.layout();
    if is_boxed_row(&tile.ty) && layout.rows == 1 { LayoutName::Nd } else { layout.name }
}

/// Whether a vec tile has a single row with a boxed layout.
pub(super) fn is_boxed_row(ty: &TileType) -> bool {
    ty.location == Location::Vec && ty.rows == 1 && ty.is_boxed()
}

/// The side on which a load pads, and to a multiple of which number of elements; `None` if it does not pad.
fn padding(ty: &TileType, layout: LayoutName, path: Option<&Path>) -> Option<(Side, u32)> {
    if path.is_some_and(|path| path.line) {
        let side = if layout == LayoutName::Nd { Side::Cols } else { Side::Rows };
        return Some((side, c0(ty.element)));
    }
    let pads = match ty.location {
        Location::Vec => ty.pad != Pad::NULL && layout == LayoutName::Nd,
        _ => layout == LayoutName::Nz,
    };
    pads.then(|| (Side::Cols, c0(ty.element)))
}

/// What a run moves.
#[cfg(feature = "run")]
pub(super) struct Moved {
    /// The view, with the extents and strides that the device uses.
    pub(super) window: Window,
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// Elements from one line of the tile to the next within one matrix of the view, if that is not the tile's own distance.
    pub(super) pitch: Option<usize>,
    /// Whether lines overlap, in memory or in the tile, so that their order matters.
    pub(super) overlaps: bool,
    /// The finding, if it is not the logical transfer.
    pub(super) lint: Option<(&'static Rule, String)>,
}

#[cfg(feature = "run")]
impl Moved {
    /// The rows and columns of the tile with the padding behind them.
    pub(super) fn padded(&self, transfer: &Transfer) -> (usize, usize) {
        let up =
            |count: usize, unit: u32, most: u32| count.next_multiple_of(unit as usize).min(most as usize);
        match transfer.pads {
            Some((Side::Rows, unit)) => (up(self.rows, unit, transfer.ty.rows), self.cols),
            Some((Side::Cols, unit)) => (self.rows, up(self.cols, unit, transfer.ty.cols)),
            None => (self.rows, self.cols),
        }
    }

    /// The layout of the tile within one matrix of the view.
    pub(super) fn layout(&self, layout: &Layout) -> Layout {
        match (self.pitch, layout.name) {
            (Some(pitch), LayoutName::Nd) => Layout { cols: pitch, ..*layout },
            (Some(pitch), LayoutName::Dn) => Layout { rows: pitch, ..*layout },
            _ => *layout,
        }
    }

    /// The offset of an element in the tile, in elements.
    pub(super) fn offset(&self, layout: &Layout, (row, col): (usize, usize)) -> usize {
        if self.pitch.is_none() {
            return layout.offset(row, col);
        }
        let (down, along) = self.window.matrix();
        let (first, within) = ((row / down * down, col / along * along), (row % down, col % along));
        layout.offset(first.0, first.1) + self.layout(layout).offset(within.0, within.1)
    }
}

#[cfg(feature = "run")]
impl Transfer {
    /// Whether a transfer whose view and valid region are as given moves just the valid region, by the strides of view and tile.
    pub(super) fn is_logical(&self, view: (u64, u64), valid: (usize, usize)) -> bool {
        match self.path {
            None => view.0 >= valid.0 as u64 && view.1 >= valid.1 as u64,
            Some(_) => view == (valid.0 as u64, valid.1 as u64) && !self.is_peculiar(),
        }
    }

    /// What is moved, given the valid rows and columns of the tile and the layout of its elements.
    ///
    /// # Errors
    /// If the device cannot move it, or on `cpu` if the view is smaller than the valid region.
    pub(super) fn moved(
        &self,
        view: &View,
        (rows, cols): (usize, usize),
        layout: &Layout,
    ) -> Result<Moved, Fault> {
        let window = Window::of(view, self.layout);
        let have = window.extent();
        let logical = Moved { window, rows, cols, pitch: None, overlaps: false, lint: None };
        let is_logical = self.is_logical(have, (rows, cols));
        let Some(path) = self.path else {
            return if is_logical { Ok(logical) } else { Err(Fault::Rule) };
        };
        if rows == 0 || cols == 0 || is_logical && !path.single {
            return Ok(logical);
        }
        let known = Known {
            shape: window.dimensions().0.map(Some),
            strides: window.dimensions().1.map(Some),
            view: [Some(have.0), Some(have.1)],
            valid: [Some(rows as u64), Some(cols as u64)],
        };
        if let Some(why) = self.obstacle(&known) {
            return Err(Fault::Broken(&EXTENT, why));
        }
        let of =
            |count: Count, view: u64, valid: usize| if count == Count::View { view as usize } else { valid };
        let taken = (of(path.rows, have.0, rows), of(path.cols, have.1, cols));
        let mut moved = self.by_path(path, (window, &known), taken, layout)?;
        let same = have == (rows as u64, cols as u64) && moved.is_like(&window, taken);
        moved.lint = (!same).then(|| (&EXTENT, self.difference(&known)));
        Ok(moved)
    }

    /// The rows and columns that a path takes, with its distances of lines.
    fn by_path(
        &self,
        path: &Path,
        (window, known): (Window, &Known),
        (rows, cols): (usize, usize),
        layout: &Layout,
    ) -> Result<Moved, Fault> {
        let (mut shape, mut strides) = window.dimensions();
        let at = match path.view {
            GlobalLayout::Nd => 3,
            GlobalLayout::Dn => 4,
            _ => 1,
        };
        strides[at] = self.distance(known).unwrap_or(strides[at]);
        let unit = i64::from(c0(self.ty.element));
        let blocks = |count: i64| if path.lines == Lines::PackedBlocks { count / unit * unit } else { count };
        let [s3, s4] = [shape[3] as i64, shape[4] as i64];
        let mut moved = Moved { window, rows, cols, pitch: None, overlaps: false, lint: None };
        match path.view {
            GlobalLayout::Nd => {
                let length = blocks(cols as i64);
                moved.cols = length as usize;
                if path.lines == Lines::PackedBlocks {
                    moved.pitch = Some((length + blocks(layout.cols as i64 - cols as i64)) as usize);
                }
                shape[4] = length as u64;
                if path.rows == Count::Valid {
                    shape[3] = rows as u64;
                }
            }
            GlobalLayout::Dn => {
                let length = blocks(rows as i64);
                moved.rows = length as usize;
                if self.ignores_rows {
                    strides[3] = 1;
                }
                moved.pitch = match path.lines {
                    Lines::PackedBlocks => Some(length + blocks(layout.rows as i64 - rows as i64)),
                    Lines::Packed if length != s3 => {
                        let gap = (layout.rows as i64).saturating_sub(s3).div_euclid(unit);
                        let length = (length as usize).next_multiple_of(unit as usize) as i64;
                        Some(length.saturating_add(gap.saturating_mul(unit)))
                    }
                    _ => None,
                }
                .map(|pitch| pitch.max(0) as usize);
                shape[3] = length as u64;
                if path.cols == Count::Valid {
                    shape[4] = cols as u64;
                }
            }
            _ => {
                let box_rows = (shape[3] as usize).max(1);
                if path.lines == Lines::Dense {
                    strides = [0, strides[1], s3.saturating_mul(s4), s4, 1];
                    [shape[0], shape[1]] = [1, cols.div_ceil((s4 as usize).max(1)) as u64];
                }
                shape[2] = rows.div_ceil(box_rows) as u64;
            }
        }
        if strides.iter().any(|stride| *stride < 0) {
            return Err(Fault::Broken(
                &EXTENT,
                "the lines of the view overlap, and are longer than the valid region".into(),
            ));
        }
        let own = if path.view == GlobalLayout::Dn { layout.rows } else { layout.cols };
        moved.pitch = moved.pitch.filter(|pitch| *pitch != own);
        let length = match path.view {
            GlobalLayout::Nd => moved.cols as i64,
            GlobalLayout::Dn => moved.rows as i64,
            _ => rows as i64 * s4,
        };
        moved.overlaps = strides[at] < length || moved.pitch.is_some_and(|pitch| (pitch as i64) < length);
        moved.window = window.reshaped(shape, strides, (moved.rows, moved.cols));
        let last = moved.offset(layout, (moved.rows.saturating_sub(1), moved.cols.saturating_sub(1)));
        if moved.pitch.is_some() && last >= self.ty.elements() {
            return Err(Fault::Broken(
                &EXTENT,
                "the device moves elements behind the end of the tile".into(),
            ));
        }
        Ok(moved)
    }

    /// Calls `each` for the runs of bytes in the buffer whose byte `start` is the first of the view.
    pub fn view_runs(
        &self,
        view: &View,
        (start, element): (u64, Element),
        (valid, tile): ((usize, usize), &Tile),
        mut each: impl FnMut(Range<usize>),
    ) {
        let Ok(moved) = self.moved(view, valid, &tile.layout) else { return };
        if moved.window.is_addressable() {
            moved.pieces(start, element, |piece| piece.area(element).runs(&mut each));
        }
    }

    /// Calls `each` for the runs of bytes of the tile at an address, its padding included, of at most so many rows and columns.
    pub fn tile_runs(
        &self,
        view: &View,
        (valid, most): ((usize, usize), (usize, usize)),
        (tile, address): (&Tile, usize),
        mut each: impl FnMut(Range<usize>),
    ) {
        let Ok(moved) = self.moved(view, valid, &tile.layout) else { return };
        let element = tile.ty.element;
        let (rows, cols) = moved.padded(self);
        if moved.pitch.is_none() {
            let placement = tile.layout.placement(address);
            let (rows, cols) = (rows.min(most.0), cols.min(most.1));
            return Area { placement, rows, cols, bits: element.bits() }.runs(each);
        }
        let inner = moved.layout(&tile.layout);
        moved.pieces(0, element, |piece| {
            let start = address + element.bytes(tile.layout.offset(piece.row, piece.col));
            let placement = inner.placement(start);
            let rows = piece.rows.min(most.0.saturating_sub(piece.row));
            let cols = piece.cols.min(most.1.saturating_sub(piece.col));
            Area { placement, rows, cols, bits: element.bits() }.runs(&mut each);
        });
    }
}

#[cfg(feature = "run")]
impl Moved {
    /// Calls `each` for the row and column of each element, in the order of a device: line by line.
    pub(super) fn in_order(&self, (rows, cols): (usize, usize), mut each: impl FnMut(usize, usize)) {
        let (lines, wide) = self.window.in_lines(cols);
        for line in 0..lines {
            let columns = (line * wide).min(cols)..((line + 1) * wide).min(cols);
            for i in 0..rows {
                columns.clone().for_each(|j| each(i, j));
            }
        }
    }

    /// Calls `each` for the parts of the view that are moved.
    pub(super) fn pieces(&self, start: u64, element: Element, each: impl FnMut(Piece)) {
        self.window.pieces(start, element, self.rows, self.cols, each);
    }

    /// Whether the same elements as these rows and columns of a view are moved, to the same places of the tile.
    fn is_like(&self, window: &Window, (rows, cols): (usize, usize)) -> bool {
        (self.rows, self.cols) == (rows, cols)
            && self.pitch.is_none()
            && self.window.is_like(window, (rows, cols))
    }

    /// Notes the finding of the transfer.
    pub(super) fn note(&self, state: &mut State<'_>) {
        if let Some(lint) = &self.lint {
            state.lint = Some(lint.clone());
        }
    }
}
