//! The places of the tiles in a picture: in rows and columns, or sources left of destinations.

use super::diagram::{LINE, MARGIN, width_of};
use super::tiles::Drawn;
use pto::isa::op::picture::{Arrow, Panel};

/// Pixels between sources and destinations, for the arrows and their labels.
pub(super) const GAP: i32 = 170;
/// Pixels between two rows of panels, for arrows.
const BETWEEN_ROWS: i32 = 44;

/// The panels with the upper left corners of their grids, and the edges of the whole.
pub(super) struct Arrangement<'a> {
    pub(super) drawn: Vec<Drawn<'a>>,
    pub(super) grids: Vec<(i32, i32)>,
    pub(super) right: i32,
    pub(super) bottom: i32,
    /// Whether the panels have places in rows and columns.
    pub(super) is_grid: bool,
}

/// Places panels with cells of width `cell` from `top` on.
pub(super) fn arrange<'a>(panels: &'a [Panel], arrows: &[Arrow], cell: i32, top: i32) -> Arrangement<'a> {
    let is_grid = panels.iter().any(|panel| panel.place.is_some());
    let drawn: Vec<_> = (0..panels.len())
        .map(|at| Drawn { panel: &panels[at], cell, is_beside: is_grid && is_beside(panels, arrows, at) })
        .collect();
    if is_grid { in_grid(drawn, arrows, top) } else { in_columns(drawn, top) }
}

fn place(panel: &Panel) -> (u8, u8) {
    panel.place.unwrap_or((0, u8::from(panel.is_written)))
}

/// Whether the text of a panel is right of it: if an arrow comes or goes above or below it, and none to the right.
fn is_beside(panels: &[Panel], arrows: &[Arrow], at: usize) -> bool {
    let ends = |arrow: &Arrow| {
        let [from, to] = [arrow.from, arrow.to].map(|end| usize::from(end.0));
        let columns = [from, to].map(|end| panels.get(end).map(|panel| place(panel).1));
        (from, to, columns[0] == columns[1])
    };
    let is_vertical =
        arrows.iter().map(ends).any(|(from, to, vertical)| vertical && (from == at || to == at));
    let goes_right = arrows.iter().map(ends).any(|(from, _, vertical)| !vertical && from == at);
    is_vertical && !goes_right
}

/// Sources one below the other on the left, destinations on the right; the shorter column is centered.
fn in_columns(drawn: Vec<Drawn<'_>>, top: i32) -> Arrangement<'_> {
    let size = |drawn: &Drawn<'_>| {
        let (width, height) = drawn.grid();
        (drawn.indent() + width.max(drawn.words()), drawn.head() + height + drawn.foot())
    };
    let stack = |written: bool| {
        let sizes: Vec<_> =
            drawn.iter().filter(|drawn| drawn.panel.is_written == written).map(size).collect();
        (sizes.iter().map(|size| size.0).max().unwrap_or(0), sizes.iter().map(|size| size.1).sum::<i32>())
    };
    let (sources, destinations) = (stack(false), stack(true));
    let height = sources.1.max(destinations.1);
    let mut next = [top + (height - sources.1) / 2, top + (height - destinations.1) / 2];
    let left = [MARGIN, MARGIN + sources.0 + GAP];
    let mut grids = Vec::new();
    for drawn in &drawn {
        let side = usize::from(drawn.panel.is_written);
        grids.push((left[side] + drawn.indent(), next[side] + drawn.head()));
        next[side] += size(drawn).1;
    }
    Arrangement { drawn, grids, right: left[1] + destinations.0, bottom: top + height, is_grid: false }
}

/// Extents of a row or a column of panels: before the grids, the grids, and after them.
#[derive(Clone, Copy, Default)]
struct Track {
    before: i32,
    grid: i32,
    after: i32,
}

/// Panels at their rows and columns; grids are centered in them.
fn in_grid<'a>(drawn: Vec<Drawn<'a>>, arrows: &[Arrow], top: i32) -> Arrangement<'a> {
    let count = drawn.iter().map(|drawn| place(drawn.panel)).fold((0, 0), |(rows, cols), (row, col)| {
        (rows.max(usize::from(row) + 1), cols.max(usize::from(col) + 1))
    });
    let (mut rows, mut cols) = (vec![Track::default(); count.0], vec![Track::default(); count.1]);
    for drawn in &drawn {
        let (row, col) = place(drawn.panel);
        let (row, col) = (&mut rows[usize::from(row)], &mut cols[usize::from(col)]);
        let (width, height) = drawn.grid();
        (col.grid, row.grid) = (col.grid.max(width), row.grid.max(height));
        (col.before, row.before) = (col.before.max(drawn.indent()), row.before.max(drawn.head()));
        row.after = row.after.max(drawn.foot());
    }
    for drawn in &drawn {
        let (row, col) = place(drawn.panel);
        let (row, col) = (&mut rows[usize::from(row)], &mut cols[usize::from(col)]);
        let (width, height) = drawn.grid();
        let (beyond, below) = match drawn.is_beside {
            true => (12 + drawn.words(), LINE * (1 + drawn.legend().len() as i32) - height),
            false => (drawn.words() - width, 0),
        };
        col.after = col.after.max(beyond - (col.grid - width) / 2);
        row.after = row.after.max(below - (row.grid - height) / 2);
    }
    let labels = arrows.iter().map(|arrow| width_of(arrow.label)).max().unwrap_or(0);
    let lefts = starts(&cols, MARGIN, labels + 56);
    let tops = starts(&rows, top, BETWEEN_ROWS);
    let grids = drawn.iter().map(|drawn| {
        let (row, col) = place(drawn.panel);
        let (row, col) = (usize::from(row), usize::from(col));
        let (width, height) = drawn.grid();
        let (x, y) = (lefts[col] + cols[col].before, tops[row] + rows[row].before);
        (x + (cols[col].grid - width) / 2, y + (rows[row].grid - height) / 2)
    });
    let grids = grids.collect();
    let end = |starts: &[i32], tracks: &[Track]| {
        let last = starts.last().zip(tracks.last());
        last.map_or(0, |(start, track)| start + track.before + track.grid + track.after)
    };
    let (right, bottom) = (end(&lefts, &cols), end(&tops, &rows));
    Arrangement { drawn, grids, right, bottom: bottom + 8, is_grid: true }
}

/// Starts of consecutive tracks with a gap between them.
fn starts(tracks: &[Track], first: i32, gap: i32) -> Vec<i32> {
    let mut next = first;
    let mut starts = Vec::new();
    for track in tracks {
        starts.push(next);
        next += track.before + track.grid + track.after.max(0) + gap;
    }
    starts
}
