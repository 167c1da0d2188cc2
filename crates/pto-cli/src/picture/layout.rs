//! Pictures of tile layouts: rows and columns as a grid, memory order as numbers, colours and a line.

use super::svg::{Anchor, Area, INK, Letters, Stroke, Svg};
use crate::layout::{order, unit, valid};
use pto::isa::{Layout, TileType};
use pto::text::tile_type_text;

/// Most elements drawn one by one.
const CELLS: usize = 1024;
/// Most pieces drawn along either side.
const SIDE: usize = 32;
const HEIGHT: i32 = 22;
const LEFT: i32 = 56;
const TOP: i32 = 96;
const OUTSIDE: &str = "#c9ced6";
const EDGE: Stroke = Stroke::of("#8c959f", 0.5);
const BOX: Stroke = Stroke::of(INK, 1.6);
const ORDER: Stroke = Stroke::of("#cf222e", 1.2);
const VALID: Stroke = Stroke::of("#1a7f37", 3.0).dashed();

/// `all 16 rows`, or `rows 0 to 31 of 256`.
pub fn part_of(what: &str, shown: usize, all: usize) -> String {
    if shown == all {
        format!("all {all} {what}")
    } else {
        format!("{what} 0 to {} of {all}", shown.max(1) - 1)
    }
}

/// Pieces to draw: `rows` x `cols` elements that are contiguous in memory, and their number in each direction.
struct Pieces {
    rows: usize,
    cols: usize,
    down: usize,
    across: usize,
}

impl Pieces {
    /// Single elements of a small tile, boxes of a large one, or pieces of its rows or columns.
    fn of(layout: &Layout) -> Pieces {
        let small = layout.rows.saturating_mul(layout.cols) <= CELLS;
        let (rows, cols) = match (small && layout.rows.max(layout.cols) <= 2 * SIDE, layout.name) {
            (true, _) => (1, 1),
            (false, pto::isa::LayoutName::Nd) => (1, layout.cols.div_ceil(SIDE)),
            (false, pto::isa::LayoutName::Dn) => (layout.rows.div_ceil(SIDE), 1),
            (false, _) => (layout.box_rows, layout.box_cols),
        };
        let limit = if (rows, cols) == (1, 1) { 2 * SIDE } else { SIDE };
        let count = |extent: usize, unit: usize| extent.div_ceil(unit).min(limit);
        Pieces { rows, cols, down: count(layout.rows, rows), across: count(layout.cols, cols) }
    }

    fn is_single(&self) -> bool {
        (self.rows, self.cols) == (1, 1)
    }

    /// Rows and columns of elements shown.
    fn shown(&self, layout: &Layout) -> (usize, usize) {
        ((self.down * self.rows).min(layout.rows), (self.across * self.cols).min(layout.cols))
    }

    /// Every piece shown, with the offset of its first element, in memory order.
    fn in_order(&self, layout: &Layout) -> Vec<(usize, usize, usize)> {
        let mut list: Vec<_> = (0..self.down)
            .flat_map(|row| (0..self.across).map(move |col| (row, col)))
            .map(|(row, col)| (layout.offset(row * self.rows, col * self.cols), row, col))
            .collect();
        list.sort_unstable();
        list
    }
}

/// The picture of a tile type's layout; its size is bounded for any tile.
pub fn layout(tile: &TileType) -> String {
    let layout = tile.layout();
    let pieces = Pieces::of(&layout);
    let ordered = pieces.in_order(&layout);
    let largest = ordered.last().map_or(0, |(offset, ..)| *offset);
    let width = 14 + 7 * largest.to_string().len() as i32;
    let mut drawing = Drawing { svg: Svg::default(), tile, layout, pieces, width };
    drawing.headings();
    drawing.cells(&ordered);
    drawing.box_numbers(&ordered);
    drawing.order(&ordered);
    drawing.outlines();
    drawing.numbers(&ordered);
    drawing.finish()
}

struct Drawing<'a> {
    svg: Svg,
    tile: &'a TileType,
    layout: Layout,
    pieces: Pieces,
    /// Width of a piece in pixels.
    width: i32,
}

impl Drawing<'_> {
    /// The rectangle of `down` x `across` pieces from a piece on.
    fn area(&self, row: usize, col: usize, down: usize, across: usize) -> Area {
        Area {
            x: LEFT + col as i32 * self.width,
            y: TOP + row as i32 * HEIGHT,
            width: across as i32 * self.width,
            height: down as i32 * HEIGHT,
        }
    }

    fn headings(&mut self) {
        let name = self.layout.name;
        let title = format!("{}: {}", name.word(), order(name));
        self.svg.text(12, 26, Letters::plain(18, Anchor::Start).bold(), &title);
        let spelled = tile_type_text(self.tile, true);
        self.svg.text(12, 48, Letters::plain(13, Anchor::Start).mono(), &spelled);
        self.svg.text(12, 68, Letters::plain(12, Anchor::Start).faint(), &self.note());
        let faint = Letters::plain(10, Anchor::Middle).faint();
        let column = |col: usize| {
            let area = self.area(0, col, 1, 1);
            (area.x + area.width / 2, TOP - 6, (col * self.pieces.cols).to_string())
        };
        let columns: Vec<_> = (0..self.pieces.across).map(column).collect();
        let row =
            |row: usize| (LEFT - 6, self.area(row, 0, 1, 1).y + 15, (row * self.pieces.rows).to_string());
        let rows: Vec<_> = (0..self.pieces.down).map(row).collect();
        self.svg.labels(faint, columns);
        self.svg.labels(Letters { anchor: Anchor::End, ..faint }, rows);
    }

    /// The caption: the meaning of a cell, and the part of the tile that is shown.
    fn note(&self) -> String {
        let (rows, cols) = self.pieces.shown(&self.layout);
        let all = (rows, cols) == (self.layout.rows, self.layout.cols);
        let part = if all {
            String::new()
        } else {
            let (rows, cols) =
                (part_of("rows", rows, self.layout.rows), part_of("columns", cols, self.layout.cols));
            format!("; shown: {rows}, {cols}")
        };
        let unit = unit(self.tile);
        if self.pieces.is_single() {
            return format!("number: offset in {unit}{part}");
        }
        let what = if self.tile.is_boxed() { "box" } else { "piece" };
        let (rows, cols) = (self.pieces.rows, self.pieces.cols);
        format!(
            "each cell a {what} of {rows}x{cols} {unit}, which lie together; number: offset of the first{part}"
        )
    }

    fn cells(&mut self, ordered: &[(usize, usize, usize)]) {
        let (valid_rows, valid_cols) = valid(self.tile);
        let last = ordered.len().saturating_sub(1).max(1);
        let mut cells = Vec::new();
        for (at, &(_, row, col)) in ordered.iter().enumerate() {
            let area = self.area(row, col, 1, 1);
            let (first_row, first_col) = (row * self.pieces.rows, col * self.pieces.cols);
            if first_row < valid_rows && first_col < valid_cols {
                cells.push((area, ramp(at, last)));
                let tails = self.tails(area, valid_rows - first_row, valid_cols - first_col);
                cells.extend(tails.map(|tail| (tail, OUTSIDE.to_owned())));
            } else {
                cells.push((area, OUTSIDE.to_owned()));
            }
        }
        self.svg.cells(EDGE, cells.iter().map(|(area, fill)| (*area, fill.as_str())));
    }

    /// The areas of padding in a piece, of which `rows` and `cols` are valid, from its first on.
    fn tails(&self, area: Area, rows: usize, cols: usize) -> impl Iterator<Item = Area> + use<> {
        let part = |pixels: i32, valid: usize, all: usize| (pixels as usize * valid.min(all) / all) as i32;
        let right = part(area.width, cols, self.pieces.cols);
        let below = part(area.height, rows, self.pieces.rows);
        let beside = Area { x: area.x + right, width: area.width - right, ..area };
        let under = Area { y: area.y + below, height: area.height - below, width: right, ..area };
        [beside, under].into_iter().filter(|tail| tail.width > 0 && tail.height > 0)
    }

    /// The line through the pieces in memory order; it breaks where the next piece is not shown.
    fn order(&mut self, ordered: &[(usize, usize, usize)]) {
        let area = self.pieces.rows * self.pieces.cols;
        let mut runs: Vec<Vec<(i32, i32)>> = Vec::new();
        let mut next = None;
        for &(offset, row, col) in ordered {
            let cell = self.area(row, col, 1, 1);
            // Below and to the right of the numbers.
            let point = (cell.x + cell.width - 4, cell.y + cell.height - 4);
            match runs.last_mut() {
                Some(run) if next == Some(offset) => run.extend(route(run.last().copied(), cell, point)),
                _ => runs.push(vec![point]),
            }
            next = Some(offset + area.min(self.piece_elements(row, col)));
        }
        for run in runs {
            self.svg.arrow(&run, ORDER);
        }
    }

    /// The number of each box in memory order, large and pale behind the offsets of its elements.
    fn box_numbers(&mut self, ordered: &[(usize, usize, usize)]) {
        if !self.tile.is_boxed() || !self.pieces.is_single() {
            return;
        }
        let (rows, cols) = (self.layout.box_rows, self.layout.box_cols);
        let firsts = ordered.iter().filter(|(_, row, col)| row % rows == 0 && col % cols == 0);
        let place = |(number, &(_, row, col)): (usize, &(usize, usize, usize))| {
            let area =
                self.area(row, col, rows.min(self.pieces.down - row), cols.min(self.pieces.across - col));
            (area.x + area.width / 2, area.y + area.height / 2 + 16, number.to_string())
        };
        let numbers: Vec<_> = firsts.enumerate().map(place).collect();
        self.svg.labels(Letters::plain(44, Anchor::Middle).bold().pale(), numbers);
    }

    /// Elements of a piece, which may be cut off at the tile's edge.
    fn piece_elements(&self, row: usize, col: usize) -> usize {
        let left = |at: usize, unit: usize, all: usize| unit.min(all - at * unit);
        left(row, self.pieces.rows, self.layout.rows) * left(col, self.pieces.cols, self.layout.cols)
    }

    /// Draws the outlines of boxes and of the valid region.
    fn outlines(&mut self) {
        if self.tile.is_boxed() {
            let per = |unit: usize, piece: usize| (unit / piece).max(1);
            let (down, across) =
                (per(self.layout.box_rows, self.pieces.rows), per(self.layout.box_cols, self.pieces.cols));
            for row in (0..self.pieces.down).step_by(down) {
                for col in (0..self.pieces.across).step_by(across) {
                    let (high, wide) =
                        (down.min(self.pieces.down - row), across.min(self.pieces.across - col));
                    let area = self.area(row, col, high, wide);
                    self.svg.rect(area, "none", Some(BOX));
                }
            }
        }
        let (rows, cols) = valid(self.tile);
        let shown = self.pieces.shown(&self.layout);
        if (rows, cols) != (self.layout.rows, self.layout.cols) {
            let whole = self.area(0, 0, self.pieces.down, self.pieces.across);
            let part = |pixels: i32, valid: usize, unit: usize, shown: usize, size: i32| {
                if valid >= shown { pixels } else { (valid * size as usize / unit) as i32 }
            };
            let width = part(whole.width, cols, self.pieces.cols, shown.1, self.width);
            let height = part(whole.height, rows, self.pieces.rows, shown.0, HEIGHT);
            self.svg.rect(Area { width, height, ..whole }, "none", Some(VALID));
        }
    }

    fn numbers(&mut self, ordered: &[(usize, usize, usize)]) {
        let place = |&(offset, row, col): &(usize, usize, usize)| {
            let area = self.area(row, col, 1, 1);
            (area.x + area.width / 2, area.y + 14, offset.to_string())
        };
        let numbers: Vec<_> = ordered.iter().map(place).collect();
        self.svg.labels(Letters::plain(11, Anchor::Middle).mono(), numbers);
    }

    fn finish(mut self) -> String {
        let whole = self.area(0, 0, self.pieces.down, self.pieces.across);
        let mut y = whole.y + whole.height + 30;
        let plain = Letters::plain(12, Anchor::Start);
        let key = |y: i32| Area { x: 12, y: y - 13, width: 60, height: 16 };
        for step in 0..6 {
            let area = Area { x: 12 + 10 * step, width: 10, ..key(y) };
            self.svg.rect(area, &ramp(step as usize, 5), None);
        }
        self.svg.arrow(&[(12, y - 5), (72, y - 5)], ORDER);
        self.svg.text(84, y, plain, "order in memory, first to last");
        if self.tile.is_boxed() {
            y += 24;
            self.svg.rect(key(y), "none", Some(BOX));
            let (rows, cols) = (self.layout.box_rows, self.layout.box_cols);
            let bytes = self.tile.element.bytes(rows * cols);
            let numbered = if self.pieces.is_single() {
                "; its number in memory order is in the background"
            } else {
                ""
            };
            let text = format!("box of {rows}x{cols} {}, {bytes} bytes{numbered}", unit(self.tile));
            self.svg.text(84, y, plain, &text);
        }
        if valid(self.tile) != (self.layout.rows, self.layout.cols) {
            y += 24;
            self.svg.rect(key(y), OUTSIDE, Some(EDGE));
            self.svg.text(84, y, plain, "outside the valid region, which is framed in dashes");
        }
        let title = format!("{} layout", self.layout.name.word());
        let letters = self.note().len().max(tile_type_text(self.tile, true).len() + 8) as i32;
        let width = (whole.x + whole.width + 20).max(24 + 7 * letters).max(520);
        self.svg.finish(width, y + 16, &title)
    }
}

/// The way of the line to `point` in `cell`: straight to a neighbour in the row or the column; else below the row of
/// the last point and along the left edge of the cell, where no number is.
fn route(last: Option<(i32, i32)>, cell: Area, point: (i32, i32)) -> Vec<(i32, i32)> {
    match last {
        Some((x, y)) if x != point.0 && y != point.1 => {
            vec![(x, y + 3), (cell.x + 2, y + 3), (cell.x + 2, point.1), point]
        }
        _ => vec![point],
    }
}

/// A colour between those of the first and the last piece in memory; all are light enough for dark text.
fn ramp(at: usize, last: usize) -> String {
    let mix = |from: usize, to: usize| (from * (last - at.min(last)) + to * at.min(last)) / last;
    format!("#{:02x}{:02x}{:02x}", mix(0xcf, 0xff), mix(0xe4, 0xd9), mix(0xff, 0xa0))
}
