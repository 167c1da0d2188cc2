//! Diagrams of instructions: sources on the left, destinations on the right, each patch in the colour of its source.

use super::svg::{Anchor, Area, INK, Letters, PAPER, Stroke, Svg};
use pto::isa::op::Page;
use pto::isa::op::picture::{Cells, Paint, Panel, Patch, Picture, Span};

const CELL: (i32, i32) = (28, 22);
const MARGIN: i32 = 16;
/// Pixels between sources and destinations, for the arrows and their labels.
const GAP: i32 = 170;
const LINE: i32 = 18;
const TITLE: Letters = Letters::plain(13, Anchor::Start).bold();
const WORDS: Letters = Letters::plain(12, Anchor::Start);
const EDGE: Stroke = Stroke::of("#8c959f", 0.5);
const FRAME: Stroke = Stroke::of(INK, 1.4);
const MEASURE: Stroke = Stroke::of("#57606a", 1.0);
const ARROW: Stroke = Stroke::of("#cf222e", 1.8);

/// The colour of a patch; all are light enough for dark text.
fn fill(paint: Paint) -> &'static str {
    match paint {
        Paint::First => "#cfe4ff",
        Paint::Second => "#ffd9a0",
        Paint::Parameter => "#e2d4f7",
        Paint::Result => "#c8ecd0",
        Paint::Fill => "#f7c6c7",
        Paint::Unchanged => "#f6f0d0",
        Paint::Outside => "#d8dde3",
        Paint::Unread => "#f0f2f5",
    }
}

/// Upper bound of the width in pixels of a 12-pixel text.
fn width_of(text: &str) -> i32 {
    7 * text.chars().count() as i32
}

/// The pictures of an instruction, one below the other; `None` if its page has none.
pub fn diagram(page: &Page) -> Option<String> {
    if page.pictures.is_empty() {
        return None;
    }
    let mut svg = Svg::default();
    let title = page.name.to_uppercase();
    svg.text(MARGIN, 30, Letters::plain(20, Anchor::Start).bold(), &title);
    let mut y = 52;
    for line in wrapped(page.summary) {
        svg.text(MARGIN, y, WORDS, &line);
        y += LINE;
    }
    for line in wrapped(page.formula) {
        svg.text(MARGIN, y, WORDS.mono(), &line);
        y += LINE;
    }
    let mut width = 720;
    for picture in page.pictures {
        let (right, bottom) = one(&mut svg, picture, y + 14);
        (width, y) = (width.max(right), bottom);
    }
    Some(svg.finish(width + MARGIN, y + MARGIN, &format!("{title} tile operation diagram")))
}

/// Breaks text into lines of bounded length.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is a line");
        if last.len() + word.len() > 95 {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

/// Draws one picture from `top` on; returns its right and lower edge.
fn one(svg: &mut Svg, picture: &Picture, top: i32) -> (i32, i32) {
    svg.text(MARGIN, top + 14, Letters::plain(14, Anchor::Start).bold(), picture.caption);
    let top = top + 32;
    let stack = |written: bool| {
        let list: Vec<_> = picture.panels.iter().filter(|panel| panel.is_written == written).collect();
        let height: i32 = list.iter().map(|panel| size(panel).1).sum();
        let width = list.iter().map(|panel| size(panel).0).max().unwrap_or(0);
        (width, height)
    };
    let (sources, destinations) = (stack(false), stack(true));
    let height = sources.1.max(destinations.1);
    let mut next = [top + (height - sources.1) / 2, top + (height - destinations.1) / 2];
    let left = [MARGIN, MARGIN + sources.0 + GAP];
    let mut grids = Vec::new();
    for panel in picture.panels {
        let side = usize::from(panel.is_written);
        grids.push(draw(svg, panel, left[side], next[side]));
        next[side] += size(panel).1;
    }
    for arrow in picture.arrows {
        let end = |(panel, patch): (u8, u8)| {
            let panel = usize::from(panel);
            within(grids[panel], &picture.panels[panel].patches[usize::from(patch)])
        };
        let (from, to) = (end(arrow.from), end(arrow.to));
        let start = (from.x + from.width, from.y + from.height / 2);
        let tip = (to.x + 3, to.y + to.height / 2);
        svg.arrow(&[start, tip], ARROW);
        let middle = (
            left[1] - GAP / 2,
            start.1 + (tip.1 - start.1) * (left[1] - GAP / 2 - start.0) / (tip.0 - start.0),
        );
        on_paper(svg, middle, Letters::plain(12, Anchor::Middle), arrow.label);
    }
    for (panel, grid) in picture.panels.iter().zip(&grids) {
        panel.spans.iter().for_each(|span| measure(svg, *grid, span));
    }
    let mut bottom = top + height;
    if !picture.note.is_empty() {
        for line in wrapped(picture.note) {
            bottom += LINE;
            svg.text(MARGIN, bottom, WORDS.faint(), &line);
        }
    }
    (left[1] + destinations.0, bottom + 10)
}

/// Pixels left of a panel's grid, for the labels of spans along its rows.
fn indent(panel: &Panel) -> i32 {
    let names = panel.spans.iter().filter_map(|span| match span {
        Span::Rows(_, _, name) => Some(width_of(name) + 20),
        Span::Columns(..) => None,
    });
    names.max().unwrap_or(0)
}

/// Pixels above a panel's grid, for its title and the spans along its columns.
fn head(panel: &Panel) -> i32 {
    let measured = panel.spans.iter().any(|span| matches!(span, Span::Columns(..)));
    LINE + if measured { 24 } else { 4 }
}

/// Width and height of a panel with title, spans and legend.
fn size(panel: &Panel) -> (i32, i32) {
    let (rows, cols) = (i32::from(panel.rows), i32::from(panel.cols));
    let legend = legend(panel);
    let words = legend.iter().map(|(_, label)| width_of(label) + 30).max().unwrap_or(0);
    let width = (cols * CELL.0).max(words).max(width_of(panel.role) + 20);
    (indent(panel) + width, head(panel) + rows * CELL.1 + 8 + LINE * legend.len() as i32 + 14)
}

/// Whether a patch's label fits inside it.
fn holds_label(patch: &Patch) -> bool {
    patch.cells == Cells::Blank && width_of(patch.label) + 4 <= i32::from(patch.size.1) * CELL.0
}

/// The legend below a panel: labels that do not fit, and the meaning of the rest of the tile.
fn legend(panel: &Panel) -> Vec<(Paint, &'static str)> {
    let labelled = panel.patches.iter().filter(|patch| !patch.label.is_empty() && !holds_label(patch));
    let mut lines: Vec<_> = labelled.map(|patch| (patch.paint, patch.label)).collect();
    let covered: u32 =
        panel.patches.iter().map(|patch| u32::from(patch.size.0) * u32::from(patch.size.1)).sum();
    if covered < u32::from(panel.rows) * u32::from(panel.cols) {
        lines.push((panel.ground, panel.ground.word()));
    }
    lines
}

/// The area of a patch in a grid.
fn within(grid: Area, patch: &Patch) -> Area {
    let ((row, col), (rows, cols)) = (patch.at, patch.size);
    Area {
        x: grid.x + i32::from(col) * CELL.0,
        y: grid.y + i32::from(row) * CELL.1,
        width: i32::from(cols) * CELL.0,
        height: i32::from(rows) * CELL.1,
    }
}

/// Draws a panel with its upper left corner at (`x`, `y`); returns the area of its grid.
fn draw(svg: &mut Svg, panel: &Panel, x: i32, y: i32) -> Area {
    let whole = Patch { at: (0, 0), size: (panel.rows, panel.cols), ..Patch::plain(panel.ground) };
    let grid = within(Area { x: x + indent(panel), y: y + head(panel), width: 0, height: 0 }, &whole);
    svg.text(grid.x, y + 12, TITLE, panel.role);
    let mut cells = Vec::new();
    let mut labels = Vec::new();
    for row in 0..panel.rows {
        for col in 0..panel.cols {
            let inside = |patch: &&Patch| {
                let (down, right) = (row.checked_sub(patch.at.0), col.checked_sub(patch.at.1));
                down.is_some_and(|i| i < patch.size.0) && right.is_some_and(|j| j < patch.size.1)
            };
            let patch = panel.patches.iter().find(inside).unwrap_or(&whole);
            let area = within(grid, &Patch { at: (row, col), size: (1, 1), ..whole });
            cells.push((area, fill(patch.paint)));
            let text = patch.cells.text(patch.size, row - patch.at.0, col - patch.at.1);
            if !text.is_empty() {
                labels.push((area.x + area.width / 2, area.y + 15, text));
            }
        }
    }
    svg.cells(EDGE, cells);
    svg.labels(Letters::plain(11, Anchor::Middle).mono(), labels);
    svg.rect(grid, "none", Some(FRAME));
    for patch in panel.patches {
        let area = within(grid, patch);
        svg.rect(area, "none", Some(FRAME));
        if holds_label(patch) {
            let middle = (area.x + area.width / 2, area.y + area.height / 2 + 4);
            svg.text(middle.0, middle.1, Letters::plain(12, Anchor::Middle), patch.label);
        }
    }
    for (at, (paint, label)) in legend(panel).into_iter().enumerate() {
        let y = grid.y + grid.height + 8 + LINE * at as i32;
        svg.rect(Area { x: grid.x, y: y + 2, width: 18, height: 12 }, fill(paint), Some(EDGE));
        svg.text(grid.x + 24, y + 12, WORDS, label);
    }
    grid
}

/// Draws a text on a background that hides the lines below it.
fn on_paper(svg: &mut Svg, (x, y): (i32, i32), letters: Letters, text: &str) {
    if text.is_empty() {
        return;
    }
    let width = width_of(text);
    let left = if letters.anchor == Anchor::End { x - width } else { x - width / 2 };
    svg.rect(Area { x: left - 1, y: y - 11, width: width + 2, height: 14 }, PAPER, None);
    svg.text(x, y, letters, text);
}

/// Draws a span with its label.
fn measure(svg: &mut Svg, grid: Area, span: &Span) {
    match *span {
        Span::Rows(from, to, name) => {
            let (x, tick) = (grid.x - 10, 4);
            let (a, b) = (grid.y + i32::from(from) * CELL.1 + 1, grid.y + i32::from(to) * CELL.1 - 1);
            svg.path(&[(x - tick, a), (x + tick, a), (x, a), (x, b), (x - tick, b), (x + tick, b)], MEASURE);
            let letters = Letters::plain(12, Anchor::End);
            on_paper(svg, (x - 7, (a + b) / 2 + 4), letters, name);
        }
        Span::Columns(from, to, name) => {
            let (y, tick) = (grid.y - 8, 4);
            let (a, b) = (grid.x + i32::from(from) * CELL.0 + 1, grid.x + i32::from(to) * CELL.0 - 1);
            svg.path(&[(a, y - tick), (a, y + tick), (a, y), (b, y), (b, y - tick), (b, y + tick)], MEASURE);
            svg.text((a + b) / 2, y - 6, Letters::plain(12, Anchor::Middle), name);
        }
    }
}
