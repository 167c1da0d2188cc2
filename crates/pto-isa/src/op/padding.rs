//! Fills parts of tiles with one value, one contiguous run at a time.

#[cfg(feature = "run")]
use {
    crate::exec::state::Tile, crate::layout::LayoutName, crate::matrix::Size, pto_kernels::layout::fill,
    std::ops::Range,
};

/// Fills a rectangle of a tile at byte `address` with the element `bits`.
#[cfg(feature = "run")]
pub(super) fn fill_part(
    memory: &mut [u8],
    tile: &Tile,
    address: usize,
    bits: u64,
    [rows, cols]: [Range<usize>; 2],
) {
    let (element, layout) = (tile.ty.element, &tile.layout);
    // Runs follow rows if a row's elements are contiguous (within a box, if there are boxes), else columns.
    let by_rows = layout.name.is_by_rows();
    let (lines, along) = if by_rows { (rows, cols) } else { (cols, rows) };
    let side = match layout.name {
        LayoutName::Nd | LayoutName::Dn => usize::MAX,
        LayoutName::Nz | LayoutName::Zz => layout.box_cols,
        LayoutName::Zn | LayoutName::Nn => layout.box_rows,
    };
    for line in lines {
        let mut at = along.start;
        while at < along.end {
            let (row, col) = if by_rows { (line, at) } else { (at, line) };
            let offset = layout.offset(row, col);
            let run = (side - at % side).min(along.end - at);
            fill(memory, address + element.bytes(offset), element.bits(), bits, run);
            at += run;
        }
    }
}

/// Fills the part of a tile outside its first `size` elements.
#[cfg(feature = "run")]
pub(super) fn fill_outside(memory: &mut [u8], tile: &Tile, address: usize, bits: u64, size: Size) {
    let Size { rows, cols } = size;
    fill_part(memory, tile, address, bits, [0..rows, cols..tile.cols()]);
    fill_part(memory, tile, address, bits, [rows..tile.rows(), 0..tile.cols()]);
}
