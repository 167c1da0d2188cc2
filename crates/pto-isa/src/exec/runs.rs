//! Iteration over several tiles in runs of elements that are contiguous in all of them.

use super::state::State;
use crate::layout::{Layout, LayoutName};
use crate::matrix::Size;
use std::ops::Range;

/// Calls `run` with the element offsets in each tile and the length of a run, until the runs have covered the
/// first `size` elements. Row-major tiles are covered row by row, column-major tiles column by column. Tiles of one layout that
/// are covered completely are a single run.
#[inline]
pub fn for_each_run<const N: usize, E>(
    layouts: [&Layout; N],
    size: Size,
    mut run: impl FnMut([usize; N], usize) -> Result<(), E>,
) -> Result<(), E> {
    if size.is_empty() {
        return Ok(());
    }
    let Size { rows, cols } = size;
    if layouts.iter().all(|layout| layout.name == LayoutName::Nd) {
        if rows == 1 || layouts.iter().all(|layout| layout.cols == cols) {
            return run([0; N], rows * cols);
        }
        return (0..rows).try_for_each(|row| run(layouts.map(|layout| row * layout.cols), cols));
    }
    in_boxes(layouts, size, run)
}

/// The runs if some tile is not row-major.
fn in_boxes<const N: usize, E>(
    layouts: [&Layout; N],
    size: Size,
    mut run: impl FnMut([usize; N], usize) -> Result<(), E>,
) -> Result<(), E> {
    let Size { rows, cols } = size;
    let first = layouts[0];
    if layouts.iter().all(|layout| *layout == first) && is_whole(first, rows, cols) {
        return run([0; N], rows * cols);
    }
    let down = layouts.iter().all(|layout| length_down(layout) > 1 || layout.rows == 1);
    let along = layouts.iter().all(|layout| length_along(layout) > 1 || layout.cols == 1);
    let (outer, inner, by_columns) = if along || !down { (rows, cols, false) } else { (cols, rows, true) };
    for o in 0..outer {
        let mut i = 0;
        while i < inner {
            let mut length = inner - i;
            for layout in layouts {
                let whole = if by_columns { length_down(layout) } else { length_along(layout) };
                length = length.min(whole - i % whole);
            }
            let offsets =
                layouts.map(|layout| if by_columns { layout.offset(i, o) } else { layout.offset(o, i) });
            run(offsets, length)?;
            i += length;
        }
    }
    Ok(())
}

/// Calls `each` with a batch of rows and a buffer of one number per row, until all rows are covered. A small
/// number of rows gets a small buffer, because clearing a large one takes time.
#[inline(always)]
pub(crate) fn in_batches(rows: Range<usize>, mut each: impl FnMut(Range<usize>, &mut [u64])) {
    const FEW: usize = 4;
    const MANY: usize = 64;
    let (mut few, mut many);
    let room: &mut [u64] = if rows.len() <= FEW {
        few = [0; FEW];
        &mut few
    } else {
        many = [0; MANY];
        &mut many
    };
    for row in rows.clone().step_by(room.len()) {
        let batch = row..rows.end.min(row + room.len());
        let count = batch.len();
        each(batch, &mut room[..count]);
    }
}

/// Size in bytes of the line in spare memory that holds intermediate results.
pub(crate) const LINE: usize = 2048;

/// The byte address of the line in spare memory.
pub(crate) fn line(state: &State<'_>) -> usize {
    state.spare.end - LINE
}

/// Calls `each` with the element offsets and the length of runs of a row's columns that are contiguous in all
/// tiles.
pub(crate) fn along_row<const N: usize>(
    layouts: [&Layout; N],
    row: usize,
    cols: Range<usize>,
    mut each: impl FnMut([usize; N], usize),
) {
    let offsets = |col: usize| layouts.map(|layout| layout.offset(row, col));
    if layouts.iter().all(|layout| layout.name == LayoutName::Nd) {
        if !cols.is_empty() {
            each(offsets(cols.start), cols.len());
        }
        return;
    }
    cols.for_each(|col| each(offsets(col), 1));
}

/// Whether the first `rows` x `cols` elements of a tile that is not row-major are its first `rows * cols` elements
/// in memory.
pub(crate) fn is_whole(layout: &Layout, rows: usize, cols: usize) -> bool {
    match layout.name {
        LayoutName::Dn => rows == layout.rows || cols == 1,
        _ => {
            let full_boxes =
                layout.rows.is_multiple_of(layout.box_rows) && layout.cols.is_multiple_of(layout.box_cols);
            full_boxes && rows == layout.rows && cols == layout.cols
        }
    }
}

/// Number of contiguous elements of a row.
fn length_along(layout: &Layout) -> usize {
    match layout.name {
        LayoutName::Nd => layout.cols,
        LayoutName::Nz | LayoutName::Zz => layout.box_cols,
        LayoutName::Dn if layout.rows == 1 => layout.cols,
        _ => 1,
    }
}

/// Number of contiguous elements of a column.
fn length_down(layout: &Layout) -> usize {
    match layout.name {
        LayoutName::Dn => layout.rows,
        LayoutName::Zn | LayoutName::Nn => layout.box_rows,
        LayoutName::Nd if layout.cols == 1 => layout.rows,
        _ => 1,
    }
}
