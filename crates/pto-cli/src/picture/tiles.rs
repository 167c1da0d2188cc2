//! Tiles of an instruction: each patch in the colour of its source, with arrows to its destination.

use super::arrangement::{Arrangement, arrange};
use super::diagram::{ARROW, EDGE, FRAME, LINE, TITLE, WORDS, fill, key, on_paper, width_of};
use super::svg::{Anchor, Area, Letters, Stroke, Svg};
use pto::isa::element::element_word;
use pto::isa::op::picture::{Arrow, Cells, Paint, Panel, Patch, Span};

/// Width and height of a cell in pixels; wider if a number needs it.
const CELL: (i32, i32) = (28, 22);
const MEASURE: Stroke = Stroke::of("#57606a", 1.0);
const NUMBERS: Letters = Letters::plain(10, Anchor::Middle).faint();

/// A panel with the sizes of its parts in pixels.
pub(super) struct Drawn<'a> {
    pub(super) panel: &'a Panel,
    /// Width of a cell.
    pub(super) cell: i32,
    /// Whether title and legend are right of the grid instead of above and below it.
    pub(super) is_beside: bool,
}

impl Drawn<'_> {
    /// Width and height of the grid.
    pub(super) fn grid(&self) -> (i32, i32) {
        (i32::from(self.panel.cols) * self.cell, i32::from(self.panel.rows) * CELL.1)
    }

    /// The title: role, buffer and element type.
    pub(super) fn title(&self) -> String {
        let panel = self.panel;
        let buffer = panel.buffer.map(|buffer| format!(", {}", buffer.word())).unwrap_or_default();
        let element = match panel.element.map(element_word) {
            Some(word) if panel.is_paired => format!(", pairs of {word} and index"),
            Some(word) => format!(", {word}"),
            None => String::new(),
        };
        format!("{}{buffer}{element}", panel.role)
    }

    /// Whether a patch's label fits inside it.
    fn holds_label(&self, patch: &Patch) -> bool {
        let is_free = patch.cells == Cells::Blank && self.panel.values.is_empty();
        is_free && width_of(patch.label) + 4 <= i32::from(patch.size.1) * self.cell
    }

    /// The legend of the panel: labels that do not fit, and the meaning of the rest of the tile.
    pub(super) fn legend(&self) -> Vec<(Paint, &'static str)> {
        let panel = self.panel;
        let labelled =
            panel.patches.iter().filter(|patch| !patch.label.is_empty() && !self.holds_label(patch));
        let mut lines: Vec<_> = labelled.map(|patch| (patch.paint, patch.label)).collect();
        let covered: u32 =
            panel.patches.iter().map(|patch| u32::from(patch.size.0) * u32::from(patch.size.1)).sum();
        if covered < u32::from(panel.rows) * u32::from(panel.cols) {
            lines.push((panel.ground, panel.ground.word()));
        }
        lines
    }

    /// Width of title and legend.
    pub(super) fn words(&self) -> i32 {
        let legend = self.legend().into_iter().map(|(_, label)| width_of(label) + 30);
        legend.chain([TITLE.width(&self.title()) + 12]).max().unwrap_or(0)
    }

    /// Pixels left of the grid, for numbers of rows and labels of spans.
    pub(super) fn indent(&self) -> i32 {
        let names = self.panel.spans.iter().filter_map(|span| match span {
            Span::Rows(_, _, name) => Some(width_of(name) + 20),
            Span::Columns(..) => None,
        });
        names.max().unwrap_or(0).max(self.numbers_indent())
    }

    /// Pixels that the numbers of the rows take.
    fn numbers_indent(&self) -> i32 {
        if self.panel.is_numbered && self.panel.rows > 1 { 18 } else { 0 }
    }

    /// Pixels above the grid, for the title, numbers of columns and labels of spans.
    pub(super) fn head(&self) -> i32 {
        let is_measured = self.panel.spans.iter().any(|span| matches!(span, Span::Columns(..)));
        let title = if self.is_beside { 0 } else { LINE + 4 };
        title + if is_measured { 20 } else { self.numbers_head() }
    }

    /// Pixels that the numbers of the columns take.
    pub(super) fn numbers_head(&self) -> i32 {
        if self.panel.is_numbered && self.panel.cols > 1 { 14 } else { 0 }
    }

    /// Pixels below the grid, for the legend.
    pub(super) fn foot(&self) -> i32 {
        if self.is_beside { 0 } else { 8 + LINE * self.legend().len() as i32 + 14 }
    }

    /// The area of a patch in the grid at (`x`, `y`).
    fn within(&self, x: i32, y: i32, patch: &Patch) -> Area {
        let ((row, col), (rows, cols)) = (patch.at, patch.size);
        Area {
            x: x + i32::from(col) * self.cell,
            y: y + i32::from(row) * CELL.1,
            width: i32::from(cols) * self.cell,
            height: i32::from(rows) * CELL.1,
        }
    }
}

/// Draws tiles and arrows from `top` on; returns the right and lower edge.
pub(super) fn draw(svg: &mut Svg, panels: &[Panel], arrows: &[Arrow], top: i32) -> (i32, i32) {
    let cells = |panel: &Panel| {
        let rows = 0..panel.rows;
        let texts = rows
            .flat_map(|row| (0..panel.cols).map(move |col| (row, col)))
            .map(|(row, col)| panel.cell_text(row, col));
        texts.map(|text| width_of(&text) + 8).max().unwrap_or(0)
    };
    let cell = panels.iter().map(cells).max().unwrap_or(0).max(CELL.0);
    let Arrangement { drawn, grids, right, bottom, is_grid } = arrange(panels, arrows, cell, top);
    for (drawn, (x, y)) in drawn.iter().zip(&grids) {
        draw_panel(svg, drawn, *x, *y);
    }
    for arrow in arrows {
        let end = |(number, patch): (u8, u8)| {
            let drawn = drawn.get(usize::from(number))?;
            let whole = Patch { size: (drawn.panel.rows, drawn.panel.cols), ..Patch::plain(Paint::Others) };
            let (x, y) = grids[usize::from(number)];
            let patch = drawn.within(x, y, &drawn.panel.patch(patch)?);
            Some(End { drawn, grid: drawn.within(x, y, &whole), patch })
        };
        let Some((from, to)) = end(arrow.from).zip(end(arrow.to)) else { continue };
        draw_arrow(svg, from, to, arrow.label, is_grid);
    }
    for (drawn, (x, y)) in drawn.iter().zip(&grids) {
        let whole = Area { x: *x, y: *y, width: drawn.grid().0, height: drawn.grid().1 };
        drawn.panel.spans.iter().for_each(|span| measure(svg, whole, drawn.cell, span));
    }
    (right, bottom)
}

/// An end of an arrow.
struct End<'a> {
    /// The panel.
    drawn: &'a Drawn<'a>,
    /// The area of the grid of the panel.
    grid: Area,
    /// The area of the patch within the grid.
    patch: Area,
}

/// Draws an arrow between two patches; in an arrangement by rows and columns it touches the edges of the grids, so that
/// it crosses no cell.
fn draw_arrow(svg: &mut Svg, from: End<'_>, to: End<'_>, label: &str, is_grid: bool) {
    let (target, from_grid, to_grid) = (to.drawn, from.grid, to.grid);
    let (from, to) = (from.patch, to.patch);
    let center = |area: Area| (area.x + area.width / 2, area.y + area.height / 2);
    if is_grid && from_grid == to_grid {
        // Around, below the grid.
        let (start, end, bottom) = (center(from).0 + 8, center(to).0, from_grid.y + from_grid.height);
        svg.arrow(&[(start, bottom), (start, bottom + 16), (end, bottom + 16), (end, bottom)], ARROW);
        return;
    }
    if is_grid && to_grid.x < from_grid.x + from_grid.width && from_grid.x < to_grid.x + to_grid.width {
        let is_down = to_grid.y > from_grid.y;
        let start = (center(from).0, if is_down { from_grid.y + from_grid.height } else { from_grid.y });
        let below = to_grid.y + to_grid.height;
        let tip = (center(to).0, if is_down { to_grid.y - target.numbers_head() } else { below });
        svg.arrow(&[start, tip], ARROW);
        on_paper(svg, (start.0 + tip.0) / 2 + 6, (start.1 + tip.1) / 2 + 4, WORDS, label);
        return;
    }
    let (left, right) = if is_grid { (from_grid, to_grid) } else { (from, to) };
    let start = (left.x + left.width, center(from).1);
    let tip = (right.x + if is_grid { -target.numbers_indent() } else { 3 }, center(to).1);
    svg.arrow(&[start, tip], ARROW);
    let x = if is_grid { (start.0 + tip.0) / 2 } else { to_grid.x - super::arrangement::GAP / 2 };
    let y = start.1 + (tip.1 - start.1) * (x - start.0) / (tip.0 - start.0).max(1);
    on_paper(svg, x, y, Letters::plain(12, Anchor::Middle), label);
}

/// Draws a panel whose grid is at (`x`, `y`).
fn draw_panel(svg: &mut Svg, drawn: &Drawn<'_>, x: i32, y: i32) {
    let panel = drawn.panel;
    let whole = Patch { size: (panel.rows, panel.cols), ..Patch::plain(panel.ground) };
    let grid = drawn.within(x, y, &whole);
    let mut cells = Vec::new();
    let mut labels = Vec::new();
    for row in 0..panel.rows {
        for col in 0..panel.cols {
            let area = drawn.within(x, y, &Patch { at: (row, col), size: (1, 1), ..whole });
            cells.push((area, fill(paint_of(panel, row, col))));
            let text = panel.cell_text(row, col);
            if !text.is_empty() {
                labels.push((area.x + area.width / 2, area.y + 15, text));
            }
        }
    }
    svg.cells(EDGE, cells);
    svg.labels(Letters::plain(11, Anchor::Middle).mono(), labels);
    svg.rect(grid, "none", Some(FRAME));
    for patch in panel.patches {
        let area = drawn.within(x, y, patch);
        svg.rect(area, "none", Some(FRAME));
        if drawn.holds_label(patch) {
            let middle = (area.x + area.width / 2, area.y + area.height / 2 + 4);
            svg.text(middle.0, middle.1, Letters::plain(12, Anchor::Middle), patch.label);
        }
    }
    draw_numbers(svg, drawn, grid);
    let (left, mut below) = if drawn.is_beside {
        svg.text(grid.x + grid.width + 12, grid.y + 13, TITLE, &drawn.title());
        (grid.x + grid.width + 12, grid.y + LINE + 2)
    } else {
        svg.text(grid.x, grid.y - drawn.head() + 12, TITLE, &drawn.title());
        (grid.x, grid.y + grid.height + 8)
    };
    for (paint, label) in drawn.legend() {
        key(svg, left, below, fill(paint), label);
        below += LINE;
    }
}

fn paint_of(panel: &Panel, row: u8, col: u8) -> Paint {
    let inside = |patch: &&Patch| {
        let (down, right) = (row.checked_sub(patch.at.0), col.checked_sub(patch.at.1));
        down.is_some_and(|i| i < patch.size.0) && right.is_some_and(|j| j < patch.size.1)
    };
    panel.patches.iter().find(inside).map_or(panel.ground, |patch| patch.paint)
}

/// Draws the numbers of rows and columns.
fn draw_numbers(svg: &mut Svg, drawn: &Drawn<'_>, grid: Area) {
    if !drawn.panel.is_numbered {
        return;
    }
    if drawn.panel.cols > 1 {
        let column =
            |col: u8| (grid.x + i32::from(col) * drawn.cell + drawn.cell / 2, grid.y - 4, col.to_string());
        svg.labels(NUMBERS, (0..drawn.panel.cols).map(column));
    }
    if drawn.panel.rows > 1 {
        let row = |row: u8| (grid.x - 9, grid.y + i32::from(row) * CELL.1 + 15, row.to_string());
        svg.labels(NUMBERS, (0..drawn.panel.rows).map(row));
    }
}

/// Draws a span with its label.
fn measure(svg: &mut Svg, grid: Area, cell: i32, span: &Span) {
    match *span {
        Span::Rows(from, to, name) => {
            let (x, tick) = (grid.x - 10, 4);
            let (a, b) = (grid.y + i32::from(from) * CELL.1 + 1, grid.y + i32::from(to) * CELL.1 - 1);
            svg.path(&[(x - tick, a), (x + tick, a), (x, a), (x, b), (x - tick, b), (x + tick, b)], MEASURE);
            let letters = Letters::plain(12, Anchor::End);
            on_paper(svg, x - 7, (a + b) / 2 + 4, letters, name);
        }
        Span::Columns(from, to, name) => {
            let (y, tick) = (grid.y - 8, 4);
            let (a, b) = (grid.x + i32::from(from) * cell + 1, grid.x + i32::from(to) * cell - 1);
            svg.path(&[(a, y - tick), (a, y + tick), (a, y), (b, y), (b, y - tick), (b, y + tick)], MEASURE);
            svg.text((a + b) / 2, y - 6, Letters::plain(12, Anchor::Middle), name);
        }
    }
}
