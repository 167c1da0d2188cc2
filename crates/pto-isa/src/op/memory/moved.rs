//! The elements that one transfer moves between a view and a tile: by its path on a device, else the valid region.
//!
//! Rules check the facts known before the run, formula and fast path move the elements of a run, and watchers need
//! their bytes. All of them use this module.

use super::feature_map;
use super::paths::{Count, Lines, Path, Way};
use crate::diag::Severity;
use crate::layout::{Layout, LayoutName, c0};
use crate::op::effect::Extent;
use crate::op::site::{Check, GlobalLayout, Site, TileFact, ViewFact};
use crate::profile::{A5_ONLY, NPU, Profile};
use crate::rule::{ERROR_OR_NPU_LINT, Rule};
use crate::tile::{Location, Pad, TileType};
#[cfg(feature = "run")]
mod run;

#[cfg(feature = "run")]
pub(super) use run::Moved;

const SOURCE: &str = "docs/isa/tile/ops/memory-and-data-movement/tload.md, tstore.md; include/pto/npu/{a2a3,a5}/TLoad.hpp, TStore.hpp";

pub(super) const EXTENT: Rule = Rule::new(
    "extent",
    "The view and the tile's valid region have the same numbers of rows and columns; on cpu the view may have more.",
    SOURCE,
)
.because(
    "A device takes the rows from one of the two and the columns from the other, up to the declared extents of the \
     tile. A2/A3 also moves lines that are shorter than the view's without gaps.",
)
.instead("Give the partition the sizes of the valid region, or the tile the valid region of the partition.")
.weighing(ERROR_OR_NPU_LINT);
pub(super) const ROW_STRIDE: Rule = Rule::new(
    "row-stride",
    "The rows of a view in DN are contiguous: their stride is 1.",
    "include/pto/npu/{a2a3,a5}/TLoad.hpp, TStore.hpp",
)
.because("Devices ignore the stride and read the rows as contiguous.")
.instead("Declare the view as ND, or load with stride 1 and rearrange on chip.")
.lint()
.only(NPU);

/// Profiles whose header compares static extents of view and valid region.
const STATIC_ASSERTS: &[Profile] = A5_ONLY;

/// The extents of a view and of a tile's valid region, as far as they are known.
#[derive(Clone, Copy, Debug)]
struct Known {
    shape: [Option<u64>; 5],
    strides: [Option<i64>; 5],
    /// Rows and columns of the view as a matrix.
    view: [Option<u64>; 2],
    valid: [Option<u64>; 2],
}

/// One transfer: its path, and the facts about view and tile that determine its elements.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    path: Option<&'static Path>,
    layout: GlobalLayout,
    /// Whether the program declares DN, whose row stride devices ignore.
    ignores_rows: bool,
    way: Way,
    ty: TileType,
    /// Side on which parts are padded, and the number of elements to a multiple of which they are padded.
    pads: Option<(Side, u32)>,
}

/// Rows or columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Rows,
    Cols,
}

impl Transfer {
    /// The transfer between the view `view` and the tile `tile` with layout `name`.
    pub(super) fn new(
        profile: Profile,
        way: Way,
        view: &ViewFact,
        ty: &TileType,
        name: LayoutName,
    ) -> Transfer {
        let said = view.layout.or_guess(ty, view.shape.len(), profile);
        let outer = view.shape.iter().rev().skip(2);
        let layout = if outer.eq([Some(1); 3].iter().take(view.shape.len().saturating_sub(2))) {
            as_the_tile(said, ty, name)
        } else {
            said
        };
        let path = Path::find(profile, way, layout, ty, name);
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
        let layout = tile.layout();
        let name = if way == Way::Store { as_stored(&tile.ty, &layout) } else { layout.name };
        Some(Transfer::new(site.profile, way, view, &tile.ty, name))
    }

    /// The extents of tile and view in effects: the valid region, with its padding, where nothing else can be moved.
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

    /// Reason why a device cannot move the elements that view and valid region give, as far as these are known.
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
        let declared = [self.ty.rows, self.ty.cols].map(u64::from);
        let sides = known.taken(path).into_iter().zip(declared).zip(["rows", "columns"]);
        sides.into_iter().find_map(|((count, declared), what)| {
            let count = count.filter(|count| *count > declared)?;
            Some(format!("the device moves {count} {what}, and the tile has {declared}"))
        })
    }

    /// Text about the extents of view and valid region, and the extents that the device moves instead.
    fn difference(&self, known: &Known) -> String {
        let text = |[rows, cols]: [Option<u64>; 2]| {
            let text = |extent: Option<u64>| extent.map_or("?".to_owned(), |extent| extent.to_string());
            format!("{}x{}", text(rows), text(cols))
        };
        let mut message = format!("the view is {}, the valid region {}", text(known.view), text(known.valid));
        let Some(path) = self.path else { return message };
        message.push_str(&format!("; the device moves {}", text(known.taken(path))));
        if path.lines == Lines::PackedBlocks {
            message.push_str(" in whole blocks of 32 bytes");
        }
        if let Some(distance) = self.distance(known) {
            message.push_str(&format!(", with {} {distance} elements apart in memory", path.lines_word()));
        }
        message
    }

    /// A number of elements of a line as a path counts them: some take whole blocks of 32 bytes.
    fn counted(&self, path: &Path, elements: i64) -> i64 {
        let unit = i64::from(c0(self.ty.element));
        if path.lines == Lines::PackedBlocks { elements / unit * unit } else { elements }
    }

    /// Whether static extents that differ do not compile.
    fn must_agree(&self, profile: Profile) -> bool {
        let plain = (self.layout, self.ty.location) == (GlobalLayout::Nd, Location::Vec);
        STATIC_ASSERTS.contains(&profile) && self.way == Way::Load && plain
    }

    /// Elements in memory from one line, or block column, to the next, as far as it is known.
    fn distance(&self, known: &Known) -> Option<i64> {
        let path = self.path?;
        let [_, _, s2, s3, s4] = known.shape;
        let [_, t1, _, t3, t4] = known.strides;
        let number = |extent: Option<u64>| extent.and_then(|extent| i64::try_from(extent).ok());
        let packed = |stride: Option<i64>, own: Option<u64>, valid: Option<u64>| {
            let (line, gap) = (number(valid)?, stride?.saturating_sub(number(own)?));
            Some(self.counted(path, line).saturating_add(self.counted(path, gap)))
        };
        let rows_in_boxes = || number(s2)?.checked_mul(number(s3)?);
        match (path.lines, path.matrix) {
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
    /// The rows and columns that a path moves, each from view or valid region.
    fn taken(&self, path: &Path) -> [Option<u64>; 2] {
        let of = |count: Count, at: usize| if count == Count::View { self.view[at] } else { self.valid[at] };
        [of(path.rows, 0), of(path.cols, 1)]
    }

    fn of(view: &ViewFact, tile: &TileFact, layout: GlobalLayout) -> Known {
        let (rows, cols) = view.matrix(layout).unwrap_or_default();
        let (shape, strides) = view.in_five();
        let (_, shape, strides) = feature_map::as_matrix(layout, shape, strides);
        Known {
            shape,
            strides,
            view: [rows, cols],
            valid: [tile.rows.map(u64::from), tile.cols.map(u64::from)],
        }
    }
}

/// Checks rows and columns of the view in role `view` against the valid region of the tile in role `tile`.
pub(super) fn check(check: &mut Check<'_>, tile: &'static str, view: &'static str) {
    let Some(transfer) = Transfer::of(check.site) else { return };
    let Some(fact) = check.site.view(view) else { return };
    let (valid, known) = (check.tile(tile), Known::of(fact, check.tile(tile), transfer.layout));
    let pairs = || known.view.iter().zip(known.valid).filter_map(|(have, need)| Some(((*have)?, need?)));
    if transfer.path.is_none() {
        let enough = pairs().all(|(have, need)| have >= need);
        check.require(&EXTENT, view, enough, |_| transfer.difference(&known));
        return;
    }
    rows_of_columns(check, &transfer, view, fact);
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
fn rows_of_columns(check: &mut Check<'_>, transfer: &Transfer, role: &'static str, view: &ViewFact) {
    let rows = view.shape.len().checked_sub(2);
    let stride = rows.filter(|at| view.shape[*at] != Some(1)).and_then(|at| *view.strides.get(at)?);
    let read = transfer.layout == GlobalLayout::Dn && transfer.ignores_rows;
    check.judge(Severity::Lint, &ROW_STRIDE, role, !read || stride.is_none_or(|one| one == 1), |check| {
        format!("rows of {} have a stride of {} elements", check.name(role), stride.unwrap_or_default())
    });
}

/// The layout of a view of one matrix: for a tile of one row or column ND and DN are the same, and a device takes the tile's.
fn as_the_tile(view: GlobalLayout, ty: &TileType, name: LayoutName) -> GlobalLayout {
    match name {
        LayoutName::Nd | LayoutName::Dn if ty.rows != 1 && ty.cols != 1 || view.is_scales() => view,
        LayoutName::Nd => GlobalLayout::Nd,
        LayoutName::Dn => GlobalLayout::Dn,
        _ => view,
    }
}

/// The layout that a store reads from a tile: a vec tile of one row with boxes is stored as consecutive elements, in
/// memory order.
pub(super) fn as_stored(ty: &TileType, layout: &Layout) -> LayoutName {
    if is_boxed_row(ty) && layout.rows == 1 { LayoutName::Nd } else { layout.name }
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
