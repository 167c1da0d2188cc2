//! The paths of transfers on devices, as data: which elements TLOAD and TSTORE move where a view and the valid region of a tile
//! differ.
//!
//! A device takes the number of rows from one of the two and the number of columns from the other, and it counts the distance of
//! lines (rows of ND, columns of DN, block columns of NZ) in its own way. Where view and valid region agree, and lines are whole
//! blocks of 32 bytes, all this is the logical transfer. `cpu` has no paths: it moves the valid region.
//!
//! Source: `include/pto/npu/a2a3/arch/memory/tload_common.hpp`, `tstore_common.hpp`; `include/pto/npu/a5/TLoad.hpp`, `TStore.hpp`.

use crate::layout::LayoutName;
use crate::op::otherwise::{Here, Otherwise};
use crate::op::site::GlobalLayout;
use crate::profile::{A2A3_ONLY, A5_ONLY, NPU, Profile};
use crate::tile::{Location, TileType};

const SOURCE: &str = "include/pto/npu/a2a3/arch/memory/tload_common.hpp, tstore_common.hpp; include/pto/npu/a5/TLoad.hpp, TStore.hpp";

/// The direction of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Load,
    Store,
}

/// The source of the number of moved rows, or columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    View,
    Valid,
}

/// The distance of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    /// Given by strides and tile.
    Strided,
    /// The device takes gaps instead of distances and computes the gap from the view's line, so lines shorter than
    /// the view's move together.
    Packed,
    /// Packed, and lines and gaps are rounded down to whole blocks of 32 bytes.
    PackedBlocks,
    /// Contiguous, regardless of the strides.
    Dense,
}

/// The layouts of the two ends of a path.
struct Layouts {
    view: GlobalLayout,
    tile: LayoutName,
}

const ND: Layouts = Layouts { view: GlobalLayout::Nd, tile: LayoutName::Nd };
const DN: Layouts = Layouts { view: GlobalLayout::Dn, tile: LayoutName::Dn };
const NZ: Layouts = Layouts { view: GlobalLayout::Nz, tile: LayoutName::Nz };
const ND_AND_NZ: Layouts = Layouts { view: GlobalLayout::Nd, tile: LayoutName::Nz };
const DN_AND_NZ: Layouts = Layouts { view: GlobalLayout::Dn, tile: LayoutName::Nz };
const DN_AND_ZN: Layouts = Layouts { view: GlobalLayout::Dn, tile: LayoutName::Zn };

/// A feature map in the layout `view` and a tile in NZ.
const fn map(view: GlobalLayout) -> Layouts {
    Layouts { view, tile: LayoutName::Nz }
}

/// The sources of the numbers of moved rows and columns.
struct Counts {
    rows: Count,
    cols: Count,
}

/// Rows and columns of the view.
const OF_VIEW: Counts = Counts { rows: Count::View, cols: Count::View };
/// Rows and columns of the valid region.
const OF_VALID: Counts = Counts { rows: Count::Valid, cols: Count::Valid };
/// Rows of the view, columns of the valid region.
const ROWS_OF_VIEW: Counts = Counts { rows: Count::View, cols: Count::Valid };
/// Columns of the view, rows of the valid region.
const COLS_OF_VIEW: Counts = Counts { rows: Count::Valid, cols: Count::View };

/// One path.
#[derive(Debug)]
pub(super) struct Path {
    on: &'static [Profile],
    ways: &'static [Way],
    locations: &'static [Location],
    pub(super) view: GlobalLayout,
    /// The layout of the view as a matrix.
    pub(super) matrix: GlobalLayout,
    pub(super) tile: LayoutName,
    pub(super) rows: Count,
    pub(super) cols: Count,
    pub(super) lines: Lines,
    /// Whether the view is one matrix.
    pub(super) single: bool,
    /// Whether the path is for tiles declared with a single line only, whose last block is filled with zeros.
    pub(super) line: bool,
}

const LOAD: &[Way] = &[Way::Load];
const STORE: &[Way] = &[Way::Store];
const BOTH: &[Way] = &[Way::Load, Way::Store];
const VEC: &[Location] = &[Location::Vec];
const MAT: &[Location] = &[Location::Mat];
const ACC: &[Location] = &[Location::Acc];
const VEC_AND_MAT: &[Location] = &[Location::Vec, Location::Mat];

const fn path(
    on: &'static [Profile],
    ways: &'static [Way],
    locations: &'static [Location],
    layouts: Layouts,
    counts: Counts,
    lines: Lines,
) -> Path {
    let (Layouts { view, tile }, Counts { rows, cols }) = (layouts, counts);
    let matrix = match view {
        GlobalLayout::Nhwc => GlobalLayout::Nd,
        GlobalLayout::Nchw | GlobalLayout::Ncdhw => GlobalLayout::Dn,
        GlobalLayout::Nc1hwc0 | GlobalLayout::Ndc1hwc0 => GlobalLayout::Nz,
        plain => plain,
    };
    Path { on, ways, locations, view, matrix, tile, rows, cols, lines, single: false, line: false }
}

impl Path {
    const fn single(self) -> Path {
        Path { single: true, ..self }
    }

    const fn of_a_line(self) -> Path {
        Path { line: true, single: true, ..self }
    }

    /// The dimension of the path's views along which lines, or block columns, follow each other.
    pub(super) fn across(&self) -> usize {
        match self.matrix {
            GlobalLayout::Nd => 3,
            GlobalLayout::Dn => 4,
            _ => 1,
        }
    }

    /// The word for the lines of its views.
    pub(super) fn lines_word(&self) -> &'static str {
        match self.matrix {
            GlobalLayout::Nd => "rows",
            GlobalLayout::Dn => "columns",
            _ => "block columns",
        }
    }

    /// The moved elements, for the manual.
    fn describe(&self) -> String {
        let locations: Vec<&str> = self.locations.iter().map(|location| location.word()).collect();
        let of = |count: Count| if count == Count::View { "the view" } else { "the valid region" };
        let mut text = format!(
            "{} tiles {}, views {}: the transfer has the rows of {} and the columns of {}",
            locations.join(" and "),
            self.tile.word(),
            self.view.word(),
            of(self.rows),
            of(self.cols)
        );
        if self.matrix != self.view {
            text.push_str("; the distances between the points of the view are equal, else an error");
        }
        text.push_str(match self.lines {
            Lines::Strided => "",
            Lines::Packed => {
                "; lines keep the gaps between the view's lines, so that shorter lines lie closer together"
            }
            Lines::PackedBlocks => "; lines and gaps are rounded down to whole blocks of 32 bytes",
            Lines::Dense => "; block columns are contiguous, whatever the strides",
        });
        if self.line {
            text.push_str("; only for tiles declared with one line; zeros fill the last block of the line");
        } else if self.single {
            text.push_str("; the view is one matrix, else an error");
        }
        text.push('.');
        text
    }

    /// The differences of devices where view and valid region differ.
    pub(super) fn otherwise(way: Way) -> Vec<Otherwise> {
        let paths = PATHS.iter().filter(|path| path.ways.contains(&way));
        let of = |path: &Path| Otherwise::new(path.on, path.describe(), Here::SameBits, SOURCE);
        paths.map(of).collect()
    }

    /// Whether the path applies to a tile: some paths need tiles declared with one line.
    fn takes(&self, tile: &TileType) -> bool {
        let lines = if self.view == GlobalLayout::Dn { tile.cols } else { tile.rows };
        !self.line || lines == 1
    }

    /// The path of a transfer; `None` on `cpu`, for MX scales, and for pairs of layouts that no device has.
    pub(super) fn find(
        profile: Profile,
        way: Way,
        view: GlobalLayout,
        ty: &TileType,
        tile: LayoutName,
    ) -> Option<&'static Path> {
        PATHS.iter().find(|path| {
            (path.view, path.tile) == (view, tile)
                && path.on.contains(&profile)
                && path.ways.contains(&way)
                && path.locations.contains(&ty.location)
                && path.takes(ty)
        })
    }
}

/// Every path; the first that fits a transfer is its own.
static PATHS: &[Path] = {
    use GlobalLayout::{Nc1hwc0, Ncdhw, Nchw, Ndc1hwc0, Nhwc};
    use Lines::{Dense, Packed, PackedBlocks, Strided};
    &[
        path(A2A3_ONLY, BOTH, VEC, ND, ROWS_OF_VIEW, Packed),
        path(A2A3_ONLY, BOTH, VEC, DN, COLS_OF_VIEW, Packed),
        path(A2A3_ONLY, LOAD, VEC, NZ, COLS_OF_VIEW, Strided),
        path(A2A3_ONLY, STORE, VEC, NZ, COLS_OF_VIEW, Packed),
        path(A2A3_ONLY, LOAD, MAT, ND, OF_VIEW, Strided).of_a_line(),
        path(A2A3_ONLY, LOAD, MAT, DN, OF_VIEW, Strided).of_a_line(),
        path(A2A3_ONLY, BOTH, MAT, ND, ROWS_OF_VIEW, PackedBlocks),
        path(A2A3_ONLY, BOTH, MAT, DN, COLS_OF_VIEW, PackedBlocks),
        path(A2A3_ONLY, BOTH, MAT, NZ, COLS_OF_VIEW, Packed),
        path(A2A3_ONLY, LOAD, MAT, ND_AND_NZ, OF_VIEW, Strided).single(),
        path(A2A3_ONLY, LOAD, MAT, DN_AND_ZN, OF_VIEW, Strided).single(),
        path(A5_ONLY, LOAD, VEC_AND_MAT, ND, ROWS_OF_VIEW, Strided),
        path(A5_ONLY, LOAD, VEC_AND_MAT, DN, COLS_OF_VIEW, Strided),
        path(A5_ONLY, LOAD, VEC_AND_MAT, NZ, COLS_OF_VIEW, Strided),
        path(A5_ONLY, STORE, VEC, ND, ROWS_OF_VIEW, Strided),
        path(A5_ONLY, STORE, VEC, DN, COLS_OF_VIEW, Strided),
        path(A5_ONLY, STORE, VEC, NZ, COLS_OF_VIEW, Strided),
        path(A5_ONLY, LOAD, MAT, ND_AND_NZ, ROWS_OF_VIEW, Strided).single(),
        path(A5_ONLY, LOAD, MAT, DN_AND_NZ, ROWS_OF_VIEW, Strided).single(),
        path(A5_ONLY, LOAD, MAT, DN_AND_ZN, COLS_OF_VIEW, Strided).single(),
        path(NPU, STORE, ACC, ND_AND_NZ, OF_VALID, Strided).single(),
        path(NPU, STORE, ACC, NZ, OF_VALID, Dense),
        path(A2A3_ONLY, STORE, ACC, map(Nc1hwc0), OF_VALID, Strided),
        path(A2A3_ONLY, STORE, ACC, map(Ndc1hwc0), OF_VALID, Strided),
        path(A5_ONLY, STORE, ACC, map(Nhwc), OF_VALID, Strided),
        path(A5_ONLY, STORE, ACC, map(Nchw), OF_VALID, Strided),
        path(A5_ONLY, STORE, ACC, map(Ncdhw), OF_VALID, Strided),
    ]
};
