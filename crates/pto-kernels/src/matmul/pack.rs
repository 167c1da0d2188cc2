//! Factors of a product as words in the order in which the microkernels read them.
//!
//! A goes row by row. B goes in panels of two vectors' columns (one, for a narrow last panel), each panel row by
//! row and padded with zeros. A word is an f32, or, for integers, a pair of i16 that follow each other along k.

use std::marker::PhantomData;
use std::sync::LazyLock;

use super::Scratch;
use crate::Element;
use crate::dispatch::{Features, multiversion};
use crate::layout::{Placement, transfer};
use crate::number::{Bf16, F16, F32, Number};

/// A format of float factors.
pub(super) trait Input: 'static {
    const BYTES: usize;
    /// Whether two elements share a byte in a tile; they are packed from a byte each.
    const PACKED: bool = false;
    /// What [`read`](Input::read) looks up, if it does.
    fn table() -> &'static [f32; 256] {
        &[0.0; 256]
    }
    fn read(bytes: &[u8], table: &[f32; 256]) -> f32;
}

macro_rules! computed {
    ($($number:ty),*) => {$(
        impl Input for $number {
            const BYTES: usize = <$number as Number>::BYTES;
            #[inline(always)]
            fn read(bytes: &[u8], _: &[f32; 256]) -> f32 {
                <$number as Number>::read(bytes)
            }
        }
    )*};
}

computed!(F32, F16, Bf16);

macro_rules! tabulated {
    ($($name:ident),*) => {$(
        /// The format of this name, by a table of the values that a byte can mean.
        pub(super) struct $name;

        impl Input for $name {
            const BYTES: usize = 1;
            const PACKED: bool = Element::$name.is_packed();
            fn table() -> &'static [f32; 256] {
                static TABLE: LazyLock<[f32; 256]> =
                    LazyLock::new(|| std::array::from_fn(|bits| Element::$name.decode(bits as u64) as f32));
                &TABLE
            }
            #[inline(always)]
            fn read(bytes: &[u8], table: &[f32; 256]) -> f32 {
                table[usize::from(bytes[0])]
            }
        }
    )*};
}

tabulated!(E4M3, E5M2, HiF8, E2M1, E1M2);

/// An integer format whose products of pairs are summed at once.
pub(super) trait Pairs: 'static {
    fn read(byte: u8) -> i16;
}

impl Pairs for i8 {
    #[inline(always)]
    fn read(byte: u8) -> i16 {
        i16::from(byte as i8)
    }
}

impl Pairs for u8 {
    #[inline(always)]
    fn read(byte: u8) -> i16 {
        i16::from(byte)
    }
}

/// Where elements 0 to `count` lie along one axis.
pub(super) fn offsets(table: &mut Vec<usize>, count: usize, side: usize, of_boxes: usize, inside: usize) {
    table.clear();
    let mut start = 0;
    while table.len() < count {
        let run = side.min(count - table.len());
        table.extend((0..run).map(|i| start + i * inside));
        start += of_boxes;
    }
}

/// Rows of contiguous elements.
pub(crate) struct Rows<'a> {
    mem: &'a [u8],
    /// Bytes of the start of each row, and from there of each column.
    rows: &'a [usize],
    cols: &'a [usize],
    /// Columns, starting at a multiple of as many, that are contiguous: 16, 8 or 1.
    chunk: usize,
}

multiversion!(PackBody, select_pack, fn(source: &Rows<'_>, out: &mut [u32], panel: usize));

struct Floats<T>(PhantomData<T>);
struct RowPairs<T>(PhantomData<T>);
struct PanelPairs<T>(PhantomData<T>);

/// Reads N contiguous elements as f32.
#[inline(always)]
fn words<T: Input, const N: usize>(mem: &[u8], from: usize, out: &mut [u32], table: &[f32; 256]) {
    let bytes = &mem[from..from + N * T::BYTES];
    let out = &mut out[..N];
    for j in 0..N {
        out[j] = T::read(&bytes[j * T::BYTES..], table).to_bits();
    }
}

impl<T: Input> PackBody for Floats<T> {
    /// `panel` is the width of a panel in words: those of all columns for A.
    #[inline(always)]
    fn run<F: Features>(source: &Rows<'_>, out: &mut [u32], panel: usize) {
        let table = T::table();
        let steps = source.rows.len();
        for (i, cols) in source.cols.chunks(panel).enumerate() {
            let start = i * panel * steps;
            let stride = (out.len() - start).div_ceil(steps).min(panel);
            for (r, &row) in source.rows.iter().enumerate() {
                let out = &mut out[start + r * stride..][..stride];
                let whole = cols.len() - cols.len() % source.chunk;
                let mut j = 0;
                while j < whole {
                    match source.chunk {
                        16 => words::<T, 16>(source.mem, row + cols[j], &mut out[j..], table),
                        8 => words::<T, 8>(source.mem, row + cols[j], &mut out[j..], table),
                        _ => words::<T, 1>(source.mem, row + cols[j], &mut out[j..], table),
                    }
                    j += source.chunk;
                }
                for j in whole..cols.len() {
                    words::<T, 1>(source.mem, row + cols[j], &mut out[j..], table);
                }
                out[cols.len()..].fill(0);
            }
        }
    }
}

#[inline(always)]
fn pair(low: i16, high: i16) -> u32 {
    u32::from(low as u16) | u32::from(high as u16) << 16
}

impl<T: Pairs> PackBody for RowPairs<T> {
    /// Columns are contiguous; an odd last one is paired with zero.
    #[inline(always)]
    fn run<F: Features>(source: &Rows<'_>, out: &mut [u32], _: usize) {
        let k = source.cols.len();
        for (&row, out) in source.rows.iter().zip(out.chunks_exact_mut(k.div_ceil(2))) {
            let bytes = &source.mem[row..row + k];
            let (pairs, rest) = bytes.as_chunks::<2>();
            for (word, [low, high]) in out.iter_mut().zip(pairs) {
                *word = pair(T::read(*low), T::read(*high));
            }
            if let [last] = rest {
                out[k / 2] = pair(T::read(*last), 0);
            }
        }
    }
}

impl<T: Pairs> PackBody for PanelPairs<T> {
    /// Columns are contiguous; an odd last row is paired with zeros.
    #[inline(always)]
    fn run<F: Features>(source: &Rows<'_>, out: &mut [u32], panel: usize) {
        let n = source.cols.len();
        let steps = source.rows.len().div_ceil(2);
        for left in (0..n).step_by(panel) {
            let start = left * steps;
            let width = panel.min(n - left);
            let stride = (out.len() - start).div_ceil(steps).min(panel);
            for (step, rows) in source.rows.chunks(2).enumerate() {
                let out = &mut out[start + step * stride..][..stride];
                let low = &source.mem[rows[0] + left..][..width];
                match rows {
                    [_, high] => {
                        let high = &source.mem[high + left..][..width];
                        for ((word, low), high) in out.iter_mut().zip(low).zip(high) {
                            *word = pair(T::read(*low), T::read(*high));
                        }
                    }
                    _ => out.iter_mut().zip(low).for_each(|(word, low)| *word = pair(T::read(*low), 0)),
                }
                out[width..].fill(0);
            }
        }
    }
}

/// The first `len` words of a buffer from a multiple of 64 bytes on, so that no vector straddles cache lines.
pub(super) fn aligned(buffer: &mut Vec<u32>, len: usize) -> &mut [u32] {
    const LINE: usize = 64;
    buffer.resize(len + LINE / 4, 0);
    let skip = buffer.as_ptr().align_offset(LINE).min(LINE / 4);
    &mut buffer[skip..skip + len]
}

/// Packs A: `rows` x `cols` elements, row by row.
pub(super) fn rows<T: Input>(mem: &[u8], a: &Placement, rows: usize, cols: usize, scratch: &mut Scratch) {
    let mut out = std::mem::take(&mut scratch.a);
    out.resize(rows * cols, 0);
    by_rows(mem, a, [rows, cols], T::BYTES, false, scratch, |source| {
        select_pack::<Floats<T>>()(source, &mut out, cols);
    });
    scratch.a = out;
}

/// Packs B: `rows` x `cols` elements, in panels of `2 * lanes` columns.
pub(super) fn panels<T: Input>(
    mem: &[u8],
    b: &Placement,
    rows: usize,
    cols: usize,
    lanes: usize,
    scratch: &mut Scratch,
) {
    let mut out = std::mem::take(&mut scratch.b);
    let panels = aligned(&mut out, rows * cols.next_multiple_of(lanes));
    by_rows(mem, b, [rows, cols], T::BYTES, false, scratch, |source| {
        select_pack::<Floats<T>>()(source, panels, 2 * lanes);
    });
    scratch.b = out;
}

/// Packs A as pairs along its columns.
pub(super) fn row_pairs<T: Pairs>(
    mem: &[u8],
    a: &Placement,
    rows: usize,
    cols: usize,
    scratch: &mut Scratch,
) {
    let mut out = std::mem::take(&mut scratch.a);
    out.resize(rows * cols.div_ceil(2), 0);
    by_rows(mem, a, [rows, cols], 1, true, scratch, |source| {
        select_pack::<RowPairs<T>>()(source, &mut out, 0);
    });
    scratch.a = out;
}

/// Packs B as pairs along its rows, in panels of `2 * lanes` columns.
pub(super) fn panel_pairs<T: Pairs>(
    mem: &[u8],
    b: &Placement,
    rows: usize,
    cols: usize,
    lanes: usize,
    scratch: &mut Scratch,
) {
    let mut out = std::mem::take(&mut scratch.b);
    let panels = aligned(&mut out, rows.div_ceil(2) * cols.next_multiple_of(lanes));
    by_rows(mem, b, [rows, cols], 1, true, scratch, |source| {
        select_pack::<PanelPairs<T>>()(source, panels, 2 * lanes);
    });
    scratch.b = out;
}

/// Gives `pack` the matrix as rows: where it lies if its columns are contiguous (throughout, if `whole`),
/// else a copy.
fn by_rows(
    mem: &[u8],
    placement: &Placement,
    [rows, cols]: [usize; 2],
    bytes: usize,
    whole: bool,
    scratch: &mut Scratch,
    pack: impl FnOnce(&Rows<'_>),
) {
    let mut place = placement.widened(rows, cols);
    let mut mem = mem;
    if place.col != 1 || (whole && place.box_cols != usize::MAX) {
        scratch.bytes.resize(rows * cols * bytes, 0);
        place = Placement::rows(0, cols);
        transfer(&mut scratch.bytes, &place, mem, placement, rows, cols, bytes as u32 * 8);
        mem = &scratch.bytes;
    }
    offsets(&mut scratch.rows, rows, place.box_rows, place.row_of_boxes * bytes, place.row * bytes);
    offsets(&mut scratch.cols, cols, place.box_cols, place.col_of_boxes * bytes, place.col * bytes);
    scratch.rows.iter_mut().for_each(|row| *row += place.offset);
    let chunk = super::contiguous_chunk(&place);
    pack(&Rows { mem, rows: &scratch.rows, cols: &scratch.cols, chunk });
}
