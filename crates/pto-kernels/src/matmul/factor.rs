//! Factors of a product as 4-byte words: f32 in place, other formats widened in storage order.
//!
//! Widening goes through the storage of a matrix in order, so that it is one loop over contiguous elements, and the
//! words have the placement of the elements. Pairs of integers need elements 2i and 2i + 1 along k to be adjacent; if
//! they are not, or if a matrix is sparse in memory, it is gathered first. A right factor in the usual boxes is widened
//! later, as it is packed, so that its words stay in L1.

use std::sync::LazyLock;

use super::lines::{Lines, WORD, Widen, extent};
use super::shortened;
use crate::Element;
use crate::dispatch::{Features, multiversion};
use crate::format::{e1m2_to_f32, e2m1_to_f32, e4m3_to_f32, e5m2_to_f32};
use crate::layout::{Placement, transfer};
use crate::number::{Bf16, F16, F32, Number};
use crate::prefetch;

/// An element format of factors.
pub(super) trait Input: 'static {
    /// Bytes of an element.
    const BYTES: usize;
    /// Elements per word: 1 as an f32, or 2 as i16.
    const PER_WORD: usize = 1;
    /// Whether elements already are words.
    const WORDS: bool = false;
    /// Values per byte: 2 for formats of 4 bits, whose values are counted like elements.
    const PER_BYTE: usize = 1;
    /// A loop that widens elements, up to the end of the shorter buffer.
    fn widen() -> Widen;

    /// Size in bytes of `count` elements.
    fn bytes(count: usize) -> usize {
        count.div_ceil(Self::PER_BYTE) * Self::BYTES
    }
}

multiversion!(WidenBody, select_widen, fn(elements: &[u8], words: &mut [u8]));

/// Widens elements of `FROM` bytes to `TO` bytes each.
#[inline(always)]
fn widen_each<const FROM: usize, const TO: usize>(
    elements: &[u8],
    words: &mut [u8],
    widen: impl Fn([u8; FROM]) -> [u8; TO],
) {
    for (word, element) in words.as_chunks_mut::<TO>().0.iter_mut().zip(elements.as_chunks::<FROM>().0) {
        *word = widen(*element);
    }
}

macro_rules! widened {
    ($($name:ty, $from:literal to $to:literal, $widen:expr, { $($constant:item)* };)*) => {$(
        impl Input for $name {
            const BYTES: usize = $from;
            $($constant)*
            fn widen() -> Widen {
                select_widen::<$name>()
            }
        }

        impl WidenBody for $name {
            #[inline(always)]
            fn run<F: Features>(elements: &[u8], words: &mut [u8]) {
                widen_each::<$from, $to>(elements, words, $widen);
            }
        }
    )*};
}

/// f32 rounded to fewer bits of mantissa, ties to even or away from zero.
pub(super) struct Rounded<const MANTISSA: u32, const AWAY: bool>;

/// Marker types of the element formats with these names.
pub(super) struct E4M3;
pub(super) struct E5M2;
pub(super) struct E2M1x2;
pub(super) struct E1M2x2;
pub(super) struct HiF8;

widened! {
    F32, 4 to 4, |bytes| bytes, { const WORDS: bool = true; };
    Rounded<10, false>, 4 to 4, |bytes| shortened::<10, false>(f32::from_le_bytes(bytes)).to_le_bytes(), {};
    Rounded<11, false>, 4 to 4, |bytes| shortened::<11, false>(f32::from_le_bytes(bytes)).to_le_bytes(), {};
    Rounded<11, true>, 4 to 4, |bytes| shortened::<11, true>(f32::from_le_bytes(bytes)).to_le_bytes(), {};
    Bf16, 2 to 4, |bytes| <Bf16 as Number>::read(&bytes).to_le_bytes(), {};
    i8, 1 to 2, |bytes| i16::from(bytes[0] as i8).to_le_bytes(), { const PER_WORD: usize = 2; };
    u8, 1 to 2, |bytes| u16::from(bytes[0]).to_le_bytes(), { const PER_WORD: usize = 2; };
    E4M3, 1 to 4, |[byte]| e4m3_to_f32(byte).to_le_bytes(), {};
    E5M2, 1 to 4, |[byte]| e5m2_to_f32(byte).to_le_bytes(), {};
    E2M1x2, 1 to 8, |[byte]| pair(byte, e2m1_to_f32), { const PER_BYTE: usize = 2; };
    E1M2x2, 1 to 8, |[byte]| pair(byte, e1m2_to_f32), { const PER_BYTE: usize = 2; };
}

/// The words of the two values of a byte, the low half first.
#[inline(always)]
fn pair(byte: u8, value: impl Fn(u8) -> f32) -> [u8; 8] {
    let [low, high] = [byte, byte >> 4].map(|code| u64::from(value(code).to_bits()));
    (low | high << 32).to_le_bytes()
}

impl Input for F16 {
    const BYTES: usize = 2;
    fn widen() -> Widen {
        select_widen::<F16>()
    }
}

impl WidenBody for F16 {
    #[inline(always)]
    fn run<F: Features>(elements: &[u8], words: &mut [u8]) {
        /// Elements whose words fill a cache line.
        const CHUNK: usize = 16;
        #[inline(always)]
        fn chunk<F: Features>(elements: &[u8; CHUNK * 2], words: &mut [u8; CHUNK * 4]) {
            let mut values = [0f32; CHUNK];
            F16::read_all::<F>(elements, &mut values);
            for (word, value) in words.as_chunks_mut::<4>().0.iter_mut().zip(values) {
                *word = value.to_le_bytes();
            }
        }
        let count = (elements.len() / 2).min(words.len() / 4);
        let (elements, last) = elements[..count * 2].as_chunks();
        let (words, rest) = words[..count * 4].as_chunks_mut();
        for (elements, words) in elements.iter().zip(words) {
            prefetch::next_run(words.as_ptr(), CHUNK * 4, CHUNK * 4);
            chunk::<F>(elements, words);
        }
        if !last.is_empty() {
            let (mut narrow, mut wide) = ([0; CHUNK * 2], [0; CHUNK * 4]);
            narrow[..last.len()].copy_from_slice(last);
            chunk::<F>(&narrow, &mut wide);
            rest.copy_from_slice(&wide[..rest.len()]);
        }
    }
}

impl Input for HiF8 {
    const BYTES: usize = 1;
    /// Uses one table at all levels: vectors would need gathers, which are slower than separate loads.
    fn widen() -> Widen {
        static TABLE: LazyLock<[f32; 256]> =
            LazyLock::new(|| std::array::from_fn(|bits| Element::HiF8.decode(bits as u64) as f32));
        |elements, words| {
            let table = &*TABLE;
            widen_each::<1, 4>(elements, words, |[byte]| table[usize::from(byte)].to_le_bytes());
        }
    }
}

/// The elements of a factor, in the storage order in which they are widened.
pub(super) struct Elements<'a> {
    /// The bytes from the first element on.
    pub(super) bytes: &'a [u8],
    /// Number of elements, gaps included.
    pub(super) count: usize,
    /// Placement of the elements in `bytes`.
    pub(super) place: Placement,
}

/// The `lines` x `k` elements of a factor at `place`: in memory, or copied to `gathered` if they fill less than half of
/// their extent, or if `together` asks for elements adjacent along k and they are not.
pub(super) fn elements<'a, T: Input>(
    mem: &'a [u8],
    place: &Placement,
    [lines, k]: [usize; 2],
    together: bool,
    gathered: &'a mut Vec<u8>,
) -> Elements<'a> {
    let count = extent(place, lines, k);
    let units = T::PER_WORD * T::PER_BYTE;
    let neighbours = if units == 2 { pairable(place) } else { place.col == 1 };
    if count / 2 <= lines * k && (neighbours || !together) {
        let bytes = &mem[place.offset..place.offset + T::bytes(count)];
        return Elements { bytes, count, place: Placement { offset: 0, ..*place } };
    }
    let along_k = together || place.row != 1;
    let pitch = if along_k { k } else { lines }.next_multiple_of(units);
    let here = if along_k { Placement::rows(0, pitch) } else { Placement::columns(0, pitch) };
    let count = if along_k { lines * pitch } else { k * pitch };
    let room = grown(gathered, T::bytes(count));
    let bits = T::BYTES as u32 * 8;
    if T::PER_BYTE == 2 {
        transfer(room, &paired(&here), mem, &paired(place), lines, k.div_ceil(2), bits);
    } else {
        transfer(room, &here, mem, place, lines, k, bits);
    }
    Elements { bytes: room, count, place: here }
}

/// The words of a factor whose `lines` x `k` elements have the placement `place`.
///
/// Words stay in `mem` if the elements already are words and are disjoint from `c`, which is written; else they are
/// computed in `buffer`, with `gathered` as intermediate buffer. If a line has an odd number of integers, its last
/// one is paired with the element that follows, whose value is arbitrary.
pub(super) fn words<'a, T: Input>(
    mem: &[u8],
    place: &Placement,
    [lines, k]: [usize; 2],
    c: &Lines,
    buffer: &'a mut Vec<u8>,
    gathered: &mut Vec<u8>,
) -> Lines<'a> {
    let place = place.widened(lines, k);
    if T::WORDS {
        let words = Lines::new(None, &place, [lines, k]);
        if words.apart_from(c) {
            return words;
        }
    }
    let pairs = T::PER_WORD == 2;
    let Elements { bytes, count, place } = elements::<T>(mem, &place, [lines, k], pairs, gathered);
    let room = grown(buffer, count.div_ceil(T::PER_WORD) * WORD);
    T::widen()(bytes, room);
    let place = if pairs { paired(&place) } else { place };
    Lines::new(Some(room), &place, [lines, k.div_ceil(T::PER_WORD)])
}

/// A right factor that is widened as it is packed: `lines` columns of `k` elements, where `place` is the transposed
/// placement. `None` if elements already are words, if its columns are not contiguous in boxes one after the other, or
/// if it overlaps `c`, which is written.
pub(super) fn narrow<T: Input>(
    place: &Placement,
    [lines, k]: [usize; 2],
    c: &Lines,
) -> Option<Lines<'static>> {
    if T::WORDS || T::PER_BYTE > 1 {
        return None;
    }
    let wide = place.widened(lines, k);
    // A single row of boxes has no known sides, but a column ends where the next one begins.
    let side = if wide.box_cols == usize::MAX { wide.row } else { wide.box_cols };
    let own = wide.box_cols < usize::MAX || k <= side;
    let one_behind_the_other = wide.box_rows == usize::MAX && wide.col == 1 && wide.row == side && own;
    let whole = [k, side, wide.col_of_boxes].iter().all(|count| count.is_multiple_of(T::PER_WORD));
    if !one_behind_the_other || side > MOST_NARROW || !whole {
        return None;
    }
    let wide = if T::PER_WORD == 2 { paired(&wide) } else { wide };
    let narrow = Lines::narrow(&wide, [lines, k / T::PER_WORD], T::BYTES * T::PER_WORD, T::widen());
    narrow.apart_from(c).then_some(narrow)
}

/// Maximum number of elements of a column of a box that is widened as it is packed.
const MOST_NARROW: usize = 32;

/// Whether elements 2i and 2i + 1 of every line are adjacent and start a word, for every i.
fn pairable(place: &Placement) -> bool {
    let Placement { box_cols, row_of_boxes, col_of_boxes, row, col, .. } = *place;
    let whole = box_cols == usize::MAX || box_cols.is_multiple_of(2);
    col == 1 && whole && [row, row_of_boxes, col_of_boxes].iter().all(|stride| stride.is_multiple_of(2))
}

/// The placement of the pairs of a [`pairable`] placement, in units of pairs.
fn paired(place: &Placement) -> Placement {
    Placement {
        box_cols: if place.box_cols == usize::MAX { usize::MAX } else { place.box_cols / 2 },
        row_of_boxes: place.row_of_boxes / 2,
        col_of_boxes: place.col_of_boxes / 2,
        row: place.row / 2,
        ..*place
    }
}

/// The first `len` bytes of a buffer from a multiple of 64 bytes on, so that vectors do not straddle cache lines. Grows
/// the buffer if needed.
pub(super) fn grown(buffer: &mut Vec<u8>, len: usize) -> &mut [u8] {
    const LINE: usize = 64;
    if buffer.len() < len + LINE {
        buffer.resize(len + LINE, 0);
    }
    let skip = buffer.as_ptr().align_offset(LINE).min(LINE);
    &mut buffer[skip..skip + len]
}
