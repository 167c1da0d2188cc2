//! The layout of a tile type: in words, as a grid of offsets, and as JSON.

use pto::isa::element::element_word;
use pto::isa::{Layout, LayoutName, Profile, TileType};
use serde_json::{Value, json};
use std::fmt::Write;

/// Most characters of a line of the grid.
const WIDTH: usize = 170;
/// Most rows of the grid, unless a box has more.
const HEIGHT: usize = 32;

/// `all 16 rows`, or `rows 0 to 31 of 256`.
fn part_of(what: &str, shown: usize, all: usize) -> String {
    if shown == all {
        format!("all {all} {what}")
    } else {
        format!("{what} 0 to {} of {all}", shown.max(1) - 1)
    }
}

/// The order of elements in memory, in words.
pub fn order(name: LayoutName) -> &'static str {
    match name {
        LayoutName::Nd => "rows one after the other",
        LayoutName::Dn => "columns one after the other",
        LayoutName::Nz => "boxes down the columns, in a box along the rows",
        LayoutName::Zn => "boxes along the rows, in a box down the columns",
        LayoutName::Zz => "boxes along the rows, in a box along the rows",
        LayoutName::Nn => "boxes down the columns, in a box down the columns",
    }
}

/// Unit of offsets.
pub fn unit(tile: &TileType) -> &'static str {
    if tile.element.is_packed() { "pairs" } else { "elements" }
}

/// The valid region; dynamic extents count as declared.
pub fn valid(tile: &TileType) -> (usize, usize) {
    let extent = |valid: Option<u32>, declared: u32| valid.unwrap_or(declared) as usize;
    (extent(tile.valid_rows, tile.rows), extent(tile.valid_cols, tile.cols))
}

fn valid_text(tile: &TileType) -> String {
    let text = |extent: Option<u32>| extent.map_or("?".to_owned(), |extent| extent.to_string());
    format!("{}x{}", text(tile.valid_rows), text(tile.valid_cols))
}

/// The rows and columns that a grid shows: the first ones, whole boxes if one fits.
fn shown(tile: &TileType) -> (usize, usize) {
    let layout = tile.layout();
    let whole = |limit: usize, unit: usize| if limit >= unit { limit / unit * unit } else { limit };
    let rows = layout.rows.min(whole(HEIGHT.max(layout.box_rows), layout.box_rows));
    let edges = |cols: usize| if tile.is_boxed() { (cols - 1) / layout.box_cols } else { 0 };
    let fits = |cols: usize| margin(rows) + cols * (cell(tile, rows, cols) + 1) + 2 * edges(cols) <= WIDTH;
    let mut cols = layout.cols.min(WIDTH);
    while cols > 1 && !fits(cols) {
        cols -= 1;
    }
    if cols < layout.cols {
        cols = whole(cols, layout.box_cols.max(8));
    }
    (rows, cols)
}

/// Characters of a row number and a space.
fn margin(rows: usize) -> usize {
    digits(rows.saturating_sub(1)) + 1
}

/// Characters of a cell: the largest offset, in brackets if padding is shown.
fn cell(tile: &TileType, rows: usize, cols: usize) -> usize {
    let layout = tile.layout();
    let corners = [(rows, cols), (rows, 1), (1, cols)];
    let largest =
        corners.map(|(rows, cols)| layout.offset(rows - 1, cols - 1)).into_iter().max().unwrap_or(0);
    let (valid_rows, valid_cols) = valid(tile);
    digits(largest.max(cols - 1)) + if rows > valid_rows || cols > valid_cols { 2 } else { 0 }
}

fn digits(number: usize) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

/// The layout in words and as a grid.
pub fn text(tile: &TileType, profile: Profile) -> String {
    let layout = tile.layout();
    let mut text = format!("{}\n\n", tile.text(true));
    let _ = writeln!(text, "layout   {}: {}", layout.name.word(), order(layout.name));
    if tile.is_boxed() {
        let _ = writeln!(text, "boxes    {}", boxes(tile, &layout));
    }
    let capacity = profile.capacity(tile.buffer());
    let _ = writeln!(
        text,
        "bytes    {} of {}, which has {capacity} on {}",
        tile.bytes(),
        tile.buffer().word(),
        profile.word()
    );
    let _ = writeln!(text, "valid    {} of {}x{}\n", valid_text(tile), tile.rows, tile.cols);
    let (rows, cols) = shown(tile);
    let _ = write!(text, "offsets in {}", unit(tile));
    if (rows, cols) != (layout.rows, layout.cols) {
        let (down, across) = (part_of("rows", rows, layout.rows), part_of("columns", cols, layout.cols));
        let _ = write!(text, ", an excerpt: {down}, {across}");
    }
    let (valid_rows, valid_cols) = valid(tile);
    if rows > valid_rows || cols > valid_cols {
        text.push_str("; outside the valid region in brackets");
    }
    text.push_str("\n\n");
    grid(&mut text, tile, rows, cols);
    text
}

fn boxes(tile: &TileType, layout: &Layout) -> String {
    let count = |extent: usize, unit: usize| extent.div_ceil(unit);
    let whole = layout.rows.is_multiple_of(layout.box_rows) && layout.cols.is_multiple_of(layout.box_cols);
    let cut = if whole { "" } else { ", cut off at the tile's edge" };
    format!(
        "{}x{} {}, {} bytes each; {}x{} of them{cut}",
        layout.box_rows,
        layout.box_cols,
        unit(tile),
        tile.element.bytes(layout.box_rows * layout.box_cols),
        count(layout.rows, layout.box_rows),
        count(layout.cols, layout.box_cols)
    )
}

fn grid(text: &mut String, tile: &TileType, rows: usize, cols: usize) {
    let layout = tile.layout();
    let (width, margin) = (cell(tile, rows, cols), margin(rows));
    let (valid_rows, valid_cols) = valid(tile);
    let boxed = tile.is_boxed();
    let edge = |col: usize| boxed && col > 0 && col.is_multiple_of(layout.box_cols);
    let _ = write!(text, "{:margin$}", "");
    for col in 0..cols {
        let _ = write!(text, "{}{col:>width$}", if edge(col) { "   " } else { " " });
    }
    text.push('\n');
    for row in 0..rows {
        if boxed && row > 0 && row.is_multiple_of(layout.box_rows) {
            let line: usize = (0..cols).map(|col| width + if edge(col) { 3 } else { 1 }).sum();
            let _ = writeln!(text, "{:margin$}{}", "", "-".repeat(line));
        }
        let _ = write!(text, "{row:>0$} ", margin - 1);
        for col in 0..cols {
            let offset = layout.offset(row, col);
            let number =
                if row < valid_rows && col < valid_cols { offset.to_string() } else { format!("({offset})") };
            let _ = write!(text, "{}{number:>width$}", if edge(col) { " | " } else { " " });
        }
        text.push_str(if cols < layout.cols { " ...\n" } else { "\n" });
    }
    if rows < layout.rows {
        text.push_str("...\n");
    }
}

/// The layout as JSON: names and numbers, and the offsets of the rows and columns that the grid shows.
pub fn json(tile: &TileType, profile: Profile, notes: &[String]) -> Value {
    let layout = tile.layout();
    let (rows, cols) = shown(tile);
    let offsets: Vec<Vec<usize>> =
        (0..rows).map(|row| (0..cols).map(|col| layout.offset(row, col)).collect()).collect();
    json!({
        "type": tile.text(false),
        "profile": profile.word(),
        "layout": layout.name.word(),
        "location": tile.location.word(),
        "buffer": tile.buffer().word(),
        "element": element_word(tile.element),
        "rows": tile.rows,
        "cols": tile.cols,
        "valid_rows": tile.valid_rows,
        "valid_cols": tile.valid_cols,
        "box_rows": layout.box_rows,
        "box_cols": layout.box_cols,
        "bytes": tile.bytes(),
        "unit": unit(tile),
        "complete": (rows, cols) == (layout.rows, layout.cols),
        "offsets": offsets,
        "notes": notes,
    })
}
