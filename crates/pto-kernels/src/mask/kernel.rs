//! The loops of [`mask`](super): 64 elements at a time, whose mask bits are one u64.

use std::marker::PhantomData;

use super::{Bits, Lines, Operand};
use crate::aligned::Aligned;
use crate::dispatch::{Features, each_chunk, multiversion};
use crate::number::Number;

multiversion!(
    BitsBody,
    select_bits,
    fn(bits: &Bits, mem: &mut [u8], mask: Lines, a: Lines, b: &Operand, size: [usize; 2])
);
multiversion!(
    ChoiceBody,
    select_choice,
    fn(mem: &mut [u8], dst: Lines, mask: Lines, a: Lines, b: &Operand, size: [usize; 2])
);

/// Elements of a chunk.
const CHUNK: usize = 64;

/// Whether a relation holds for two values.
pub(super) struct Compare<N>(PhantomData<N>);
/// Whether the first of two floats is the extreme.
pub(super) struct Wins<N>(PhantomData<N>);
/// Selects from one source or the other.
pub(super) struct Select<N>(PhantomData<N>);

/// Values that are compared.
pub(super) trait Key: Copy + PartialOrd {
    /// The value whose order is compared: XOR with `flip`.
    fn flipped(self, flip: i64) -> Self;
}

macro_rules! integer_key {
    ($($type:ty),*) => {
        $(impl Key for $type {
            #[inline(always)]
            fn flipped(self, flip: i64) -> $type {
                self ^ flip as $type
            }
        })*
    };
}

integer_key!(i8, i16, i32, i64);

impl Key for f32 {
    #[inline(always)]
    fn flipped(self, _: i64) -> f32 {
        self
    }
}

/// Eight flags, each 0 or 1, as the bits of a byte.
#[inline(always)]
fn packed(flags: [u8; 8]) -> u8 {
    // The product moves flag k from bit 8k to bit 56 + k; no two partial products overlap.
    (u64::from_le_bytes(flags).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The scalar, if the operand is one.
#[inline(always)]
fn scalar<N: Number>(operand: &Operand) -> N::Value {
    match operand {
        Operand::Scalar(bits) => N::read(&bits.to_le_bytes()),
        Operand::Lines(_) => N::Value::default(),
    }
}

/// Reads a value for each element of `values`, from element `start` of a row on.
#[inline(always)]
fn load<N: Number, F: Features>(mem: &[u8], row: usize, start: usize, values: &mut [N::Value]) {
    let at = row + start * N::BYTES;
    N::read_all::<F>(&mem[at..at + values.len() * N::BYTES], values);
}

/// Writes the mask bit `flag(a, b)` of every pair.
#[inline(always)]
fn each_pair<N: Number, F: Features>(
    mem: &mut [u8],
    mask: Lines,
    a: Lines,
    b: &Operand,
    [rows, count]: [usize; 2],
    flag: impl Fn(N::Value, N::Value) -> u8,
) {
    let Aligned(left) = &mut Aligned([N::Value::default(); CHUNK]);
    let Aligned(right) = &mut Aligned([scalar::<N>(b); CHUNK]);
    for row in 0..rows {
        each_chunk!(count, CHUNK, |start, length| {
            load::<N, F>(mem, a.row(row), start, &mut left[..length]);
            if let Operand::Lines(b) = b {
                load::<N, F>(mem, b.row(row), start, &mut right[..length]);
            }
            let mut flags = [0; CHUNK];
            for (index, (a, b)) in flags.iter_mut().zip(left.iter().zip(&*right)) {
                *index = flag(*a, *b);
            }
            let mut bytes = [0; CHUNK / 8];
            for (byte, flags) in bytes.iter_mut().zip(flags.as_chunks().0) {
                *byte = packed(*flags);
            }
            // The flags after the last pair are those of a previous chunk.
            let bits = u64::from_le_bytes(bytes) & u64::MAX >> (CHUNK - length);
            let (at, used) = (mask.row(row) + start / 8, length.div_ceil(8));
            mem[at..at + used].copy_from_slice(&bits.to_le_bytes()[..used]);
        });
    }
}

impl<N: Number<Value: Key>> BitsBody for Compare<N> {
    #[inline(always)]
    fn run<F: Features>(bits: &Bits, mem: &mut [u8], mask: Lines, a: Lines, b: &Operand, size: [usize; 2]) {
        let Bits { answers: [less, equal, greater], opposite, flip, .. } = *bits;
        // Always doing all three comparisons costs less than a loop for each relation and format.
        each_pair::<N, F>(mem, mask, a, b, size, |a, b| {
            let (a, b) = (a.flipped(flip), b.flipped(flip));
            let answer = u8::from(a < b) & less | u8::from(a == b) & equal | u8::from(a > b) & greater;
            answer ^ opposite
        });
    }
}

/// An integer key in the order of the floats, -0 below +0, or, XORed with `flip` -1, in the opposite order; `nan` for
/// NaN.
#[inline(always)]
fn ordered(value: f32, flip: i32, nan: i32) -> i32 {
    let bits = value.to_bits() as i32;
    let key = bits ^ (bits >> 31) & i32::MAX ^ flip;
    if value.is_nan() { nan } else { key }
}

impl<N: Number<Value = f32>> BitsBody for Wins<N> {
    #[inline(always)]
    fn run<F: Features>(bits: &Bits, mem: &mut [u8], mask: Lines, a: Lines, b: &Operand, size: [usize; 2]) {
        let flip = bits.flip as i32;
        // The keys of both NaN are above infinity: that of the first wins over that of the second.
        each_pair::<N, F>(mem, mask, a, b, size, |a, b| {
            u8::from(a == b) | u8::from(ordered(a, flip, i32::MAX) > ordered(b, flip, i32::MAX - 1))
        });
    }
}

/// Elements that are selected by mask bits.
pub(super) trait Choose: Number<Value: Default> {
    /// `a` where a bit is set, else `b`.
    fn choose(
        bits: [u8; CHUNK / 8],
        a: &[Self::Value; CHUNK],
        b: &[Self::Value; CHUNK],
    ) -> [Self::Value; CHUNK];
}

macro_rules! choose {
    ($($type:ty),*) => {
        $(impl Choose for $type {
            /// Takes as many bits at a time as an element has: each is tested in the lane of its element.
            #[inline(always)]
            fn choose(bits: [u8; CHUNK / 8], a: &[$type; CHUNK], b: &[$type; CHUNK]) -> [$type; CHUNK] {
                const LANES: usize = <$type>::BITS as usize;
                let Aligned(masks) = &mut Aligned([0; CHUNK]);
                let words = bits.as_chunks().0.iter().map(|bytes| <$type>::from_le_bytes(*bytes));
                for (masks, word) in masks.as_chunks_mut::<LANES>().0.iter_mut().zip(words) {
                    for (lane, mask) in masks.iter_mut().enumerate() {
                        *mask = if word & (1 << lane) != 0 { <$type>::MAX } else { 0 };
                    }
                }
                let mut chosen = [0; CHUNK];
                for (chosen, (mask, (a, b))) in chosen.iter_mut().zip(masks.iter().zip(a.iter().zip(b))) {
                    *chosen = b ^ (a ^ b) & mask;
                }
                chosen
            }
        })*
    };
}

choose!(u8, u16, u32, u64);

impl<N: Choose> ChoiceBody for Select<N> {
    #[inline(always)]
    fn run<F: Features>(
        mem: &mut [u8],
        dst: Lines,
        mask: Lines,
        a: Lines,
        b: &Operand,
        [rows, count]: [usize; 2],
    ) {
        let Aligned(left) = &mut Aligned([N::Value::default(); CHUNK]);
        let Aligned(right) = &mut Aligned([scalar::<N>(b); CHUNK]);
        for row in 0..rows {
            each_chunk!(count, CHUNK, |start, length| {
                load::<N, F>(mem, a.row(row), start, &mut left[..length]);
                if let Operand::Lines(b) = b {
                    load::<N, F>(mem, b.row(row), start, &mut right[..length]);
                }
                let (from, used) = (mask.row(row) + start / 8, length.div_ceil(8));
                let mut bits = [0; CHUNK / 8];
                bits[..used].copy_from_slice(&mem[from..from + used]);
                let chosen = N::choose(bits, left, right);
                let at = dst.row(row) + start * N::BYTES;
                N::write_all::<F>(&chosen[..length], &mut mem[at..at + length * N::BYTES]);
            });
        }
    }
}
