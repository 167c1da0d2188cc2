//! Pictures of tile layouts: rows and columns as a grid, memory order as numbers, colours and a line.

use super::axis::Axis;
use super::svg::{Anchor, Area, INK, Letters, Stroke, Svg};
use crate::layout::{order, unit, valid};
use pto::isa::{Layout, LayoutName, TileType};

/// Maximum number of elements drawn one by one.
const CELLS: usize = 1024;
/// Maximum number of elements along a side of a tile that is drawn completely.
const ALL: usize = 64;
/// Maximum number of pieces and ellipses along a side of a larger tile.
const SIDE: usize = 16;
const HEIGHT: i32 = 22;
const LEFT: i32 = 56;
const TOP: i32 = 96;
const OUTSIDE: &str = "#c9ced6";
const EDGE: Stroke = Stroke::of("#8c959f", 0.5);
const BOX: Stroke = Stroke::of(INK, 1.6);
const ORDER: Stroke = Stroke::of("#cf222e", 1.2);
const VALID: Stroke = Stroke::of("#1a7f37", 3.0).dashed();

/// Pieces to draw: `rows` x `cols` elements that are contiguous in memory, down and across.
struct Pieces {
    rows: usize,
    cols: usize,
    down: Axis,
    across: Axis,
}

/// A piece that is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    /// Offset of its first element; the key of the order.
    offset: usize,
    /// Row and column of its first element.
    first: (usize, usize),
    /// Row and column in the picture.
    slot: (usize, usize),
}

impl Pieces {
    /// Single elements, or boxes of a large tile with boxes; of a large tile the first and the last.
    fn of(layout: &Layout) -> Pieces {
        let small = layout.rows.saturating_mul(layout.cols) <= CELLS && layout.rows.max(layout.cols) <= ALL;
        let (rows, cols) = match (small, layout.name) {
            (true, _) | (false, LayoutName::Nd | LayoutName::Dn) => (1, 1),
            (false, _) => (layout.box_rows, layout.box_cols),
        };
        let limit = if small { ALL } else { SIDE };
        let axis = |extent: usize, unit: usize| Axis::of(extent.div_ceil(unit), limit);
        Pieces { rows, cols, down: axis(layout.rows, rows), across: axis(layout.cols, cols) }
    }

    fn is_single(&self) -> bool {
        (self.rows, self.cols) == (1, 1)
    }

    fn is_elided(&self) -> bool {
        self.down.gap().or(self.across.gap()).is_some()
    }

    /// Every piece shown, in memory order.
    fn in_order(&self, layout: &Layout) -> Vec<Piece> {
        let piece = |(down, row): (usize, usize), (right, col): (usize, usize)| {
            let first = (row * self.rows, col * self.cols);
            Piece { offset: layout.offset(first.0, first.1), first, slot: (down, right) }
        };
        let columns = self.across.pieces();
        let mut list: Vec<_> = self
            .down
            .pieces()
            .flat_map(|row| columns.clone().map(move |col| (row, col)))
            .map(|(row, col)| piece(row, col))
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
    let largest = ordered.last().map_or(0, |piece| piece.offset);
    let width = 14 + 7 * largest.to_string().len() as i32;
    let mut drawing = Drawing { svg: Svg::default(), tile, layout, pieces, width };
    drawing.headings();
    drawing.cells(&ordered);
    drawing.box_numbers(&ordered);
    drawing.order(&ordered);
    drawing.outlines();
    drawing.numbers(&ordered);
    drawing.ellipses();
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
        let spelled = self.tile.text(true);
        self.svg.text(12, 48, Letters::plain(13, Anchor::Start).mono(), &spelled);
        self.svg.text(12, 68, Letters::plain(12, Anchor::Start).faint(), &self.note());
        let faint = Letters::plain(10, Anchor::Middle).faint();
        let column = |(slot, piece): (usize, usize)| {
            let area = self.area(0, slot, 1, 1);
            (area.x + area.width / 2, TOP - 6, (piece * self.pieces.cols).to_string())
        };
        let columns: Vec<_> = self.pieces.across.pieces().map(column).collect();
        let row = |(slot, piece): (usize, usize)| {
            (LEFT - 6, self.area(slot, 0, 1, 1).y + 15, (piece * self.pieces.rows).to_string())
        };
        let rows: Vec<_> = self.pieces.down.pieces().map(row).collect();
        self.svg.labels(faint, columns);
        self.svg.labels(Letters { anchor: Anchor::End, ..faint }, rows);
    }

    /// The caption: the meaning of a cell, and whether parts of the tile are left out.
    fn note(&self) -> String {
        let (rows, cols) = (self.layout.rows, self.layout.cols);
        let part = match self.pieces.is_elided() {
            true => format!("; of {rows} rows and {cols} columns the first and the last"),
            false => String::new(),
        };
        let unit = unit(self.tile);
        if self.pieces.is_single() {
            return format!("number: offset in {unit}{part}");
        }
        let (rows, cols) = (self.pieces.rows, self.pieces.cols);
        format!(
            "each cell a box of {rows}x{cols} {unit}, which are contiguous; number: offset of the first{part}"
        )
    }

    fn cells(&mut self, ordered: &[Piece]) {
        let (valid_rows, valid_cols) = valid(self.tile);
        let last = ordered.len().saturating_sub(1).max(1);
        let mut cells = Vec::new();
        for (at, piece) in ordered.iter().enumerate() {
            let area = self.area(piece.slot.0, piece.slot.1, 1, 1);
            let (row, col) = piece.first;
            if row < valid_rows && col < valid_cols {
                cells.push((area, ramp(at, last)));
                let tails = self.tails(area, valid_rows - row, valid_cols - col);
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
    fn order(&mut self, ordered: &[Piece]) {
        let area = self.pieces.rows * self.pieces.cols;
        let mut runs: Vec<Vec<(i32, i32)>> = Vec::new();
        let mut next = None;
        for piece in ordered {
            let cell = self.area(piece.slot.0, piece.slot.1, 1, 1);
            // Below and to the right of the numbers.
            let point = (cell.x + cell.width - 4, cell.y + cell.height - 4);
            match runs.last_mut() {
                Some(run) if next == Some(piece.offset) => {
                    run.extend(route(run.last().copied(), cell, point))
                }
                _ => runs.push(vec![point]),
            }
            next = Some(piece.offset + area.min(self.elements(piece)));
        }
        for run in runs {
            self.svg.arrow(&run, ORDER);
        }
    }

    /// Draws the number of each box in memory order, large and pale, in the background of the offsets of its elements.
    fn box_numbers(&mut self, ordered: &[Piece]) {
        if !self.tile.is_boxed() || !self.pieces.is_single() {
            return;
        }
        let (rows, cols) = (self.layout.box_rows, self.layout.box_cols);
        let (down, across) = (self.pieces.down.slots(), self.pieces.across.slots());
        let is_first =
            |piece: &&Piece| piece.slot.0.is_multiple_of(rows) && piece.slot.1.is_multiple_of(cols);
        let firsts = ordered.iter().filter(is_first).map(|piece| piece.slot);
        let place = |(number, (row, col)): (usize, (usize, usize))| {
            let area = self.area(row, col, rows.min(down - row), cols.min(across - col));
            (area.x + area.width / 2, area.y + area.height / 2 + 16, number.to_string())
        };
        let numbers: Vec<_> = firsts.enumerate().map(place).collect();
        self.svg.labels(Letters::plain(44, Anchor::Middle).bold().pale(), numbers);
    }

    /// Elements of a piece, which may be cut off at the tile's edge.
    fn elements(&self, piece: &Piece) -> usize {
        let (row, col) = piece.first;
        self.pieces.rows.min(self.layout.rows - row) * self.pieces.cols.min(self.layout.cols - col)
    }

    /// Draws the outlines of boxes and of the valid region.
    fn outlines(&mut self) {
        let (down, across) = (self.pieces.down.slots(), self.pieces.across.slots());
        if self.tile.is_boxed() {
            // Boxes of elements, or pieces that are boxes; the ellipsis has none.
            let per = |unit: usize, piece: usize| (unit / piece).max(1);
            let (high, wide) =
                (per(self.layout.box_rows, self.pieces.rows), per(self.layout.box_cols, self.pieces.cols));
            let is_gap = |row: usize, col: usize| {
                self.pieces.down.gap() == Some(row) || self.pieces.across.gap() == Some(col)
            };
            let starts =
                (0..down).step_by(high).flat_map(|row| (0..across).step_by(wide).map(move |col| (row, col)));
            let areas = starts
                .filter(|(row, col)| !is_gap(*row, *col))
                .map(|(row, col)| self.area(row, col, high.min(down - row), wide.min(across - col)));
            for area in areas.collect::<Vec<_>>() {
                self.svg.rect(area, "none", Some(BOX));
            }
        }
        let (rows, cols) = valid(self.tile);
        if (rows, cols) != (self.layout.rows, self.layout.cols) {
            let whole = self.area(0, 0, down, across);
            let width = self.pieces.across.edge(cols, self.pieces.cols, self.width);
            let height = self.pieces.down.edge(rows, self.pieces.rows, HEIGHT);
            self.svg.rect(Area { width, height, ..whole }, "none", Some(VALID));
        }
    }

    /// Marks the rows and columns that are left out.
    fn ellipses(&mut self) {
        if !self.pieces.is_elided() {
            return;
        }
        let (down, across) = (&self.pieces.down, &self.pieces.across);
        let mark = |row: usize, col: usize| match (down.gap() == Some(row), across.gap() == Some(col)) {
            (true, true) => Some("\u{22f1}"),
            (true, false) => Some("\u{22ee}"),
            (false, true) => Some("\u{2026}"),
            (false, false) => None,
        };
        let slots = (0..down.slots()).flat_map(|row| (0..across.slots()).map(move |col| (row, col)));
        let marks = slots.filter_map(|(row, col)| {
            let area = self.area(row, col, 1, 1);
            Some((area.x + area.width / 2, area.y + 15, mark(row, col)?.to_owned()))
        });
        let marks: Vec<_> = marks.collect();
        self.svg.labels(Letters::plain(12, Anchor::Middle).faint(), marks);
    }

    fn numbers(&mut self, ordered: &[Piece]) {
        let place = |piece: &Piece| {
            let area = self.area(piece.slot.0, piece.slot.1, 1, 1);
            (area.x + area.width / 2, area.y + 14, piece.offset.to_string())
        };
        let numbers: Vec<_> = ordered.iter().map(place).collect();
        self.svg.labels(Letters::plain(11, Anchor::Middle).mono(), numbers);
    }

    fn finish(mut self) -> String {
        let whole = self.area(0, 0, self.pieces.down.slots(), self.pieces.across.slots());
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
        let width = (whole.x + whole.width).max(self.svg.right()) + 20;
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
