//! Microkernels: a tile of C of a few rows and one or two vectors of columns, held in registers over all of k.

use super::WORD;
use super::vector::{FloatWords, IntegerWords, SQUARE, Vector};
use crate::dispatch::Level;

/// Rows of the largest tile.
pub(super) const ROWS: usize = 8;
/// Columns of the widest vector.
pub(super) const LANES: usize = 16;

/// What a microkernel reads and writes. Elements are words of 4 bytes, strides are in bytes, and the columns of a
/// vector are contiguous in all but A.
#[derive(Clone, Copy)]
pub(super) struct Operands {
    /// Words along k, in all and in one box of A.
    pub(super) steps: usize,
    pub(super) run: usize,
    /// A at the first row of the tile; from a row to the next, along k inside a box, and from box to box.
    pub(super) a: *const u8,
    pub(super) a_row: usize,
    pub(super) a_step: usize,
    pub(super) a_box: usize,
    /// B at the first column of the tile; from a step to the next, and to the second vector.
    pub(super) b: *const u8,
    pub(super) b_step: usize,
    pub(super) b_vector: usize,
    /// What the chains start from; from a row to the next, and to the second vector.
    pub(super) start: *const u8,
    pub(super) start_row: usize,
    pub(super) start_vector: usize,
    /// Where the tile goes; may be where it starts from.
    pub(super) c: *mut u8,
    pub(super) c_row: usize,
    pub(super) c_vector: usize,
}

impl Operands {
    /// Chains that start from a row of zeros, of vectors `vector` bytes apart; for the rest to be filled in.
    pub(super) fn from_zeros(zeros: *const u8, vector: usize) -> Operands {
        Operands {
            steps: 0,
            run: 1,
            a: std::ptr::null(),
            a_row: 0,
            a_step: 0,
            a_box: 0,
            b: std::ptr::null(),
            b_step: 0,
            b_vector: 0,
            start: zeros,
            start_row: 0,
            start_vector: vector,
            c: std::ptr::null_mut(),
            c_row: 0,
            c_vector: 0,
        }
    }
}

/// The microkernels of a level, and what they need of a panel of B.
#[derive(Clone, Copy)]
pub(super) struct Micro {
    /// Columns of a vector.
    pub(super) lanes: usize,
    /// Heights of tiles that there are, descending.
    heights: &'static [usize],
    /// `(operands, rows, vectors)`: runs the tile of this height and width.
    ///
    /// # Safety
    ///
    /// All that the operands describe is inside buffers that may be read, or for C written.
    pub(super) run: unsafe fn(&Operands, usize, usize),
    /// `(source, line, steps, out, stride)`: see [`transpose`].
    pub(super) transpose: fn(&[u8], usize, usize, &mut [u8], usize),
}

impl Micro {
    /// The height of the next tile, if `rest` rows are left.
    pub(super) fn height(&self, rest: usize) -> usize {
        self.heights.iter().copied().find(|&height| height <= rest).unwrap_or(1)
    }
}

/// Fused multiply-adds in f32.
pub(super) fn floats(level: Level) -> Micro {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => x86::FLOATS_512,
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => x86::FLOATS_256,
        _ => portable::<FloatWords>(),
    }
}

/// Sums of products of pairs of i16, wrapping in i32.
pub(super) fn integers(level: Level) -> Micro {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 if std::arch::is_x86_feature_detected!("avx512vnni") => x86::DOTS_512,
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => x86::INTEGERS_512,
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => x86::INTEGERS_256,
        _ => portable::<IntegerWords>(),
    }
}

fn portable<V: Vector>() -> Micro {
    Micro { lanes: V::LANES, heights: &[4, 2, 1], run: by_size::<V, 4>, transpose: transpose::<V> }
}

/// Runs the tile of `rows`, at most `MOST`, by `vectors`.
///
/// # Safety
///
/// As for [`tile`].
#[inline(always)]
unsafe fn by_size<V: Vector, const MOST: usize>(operands: &Operands, rows: usize, vectors: usize) {
    // SAFETY: the caller's.
    unsafe {
        match (rows, vectors) {
            (4, 2) => tile::<V, 4, 2>(operands),
            (4, _) => tile::<V, 4, 1>(operands),
            (2, 2) => tile::<V, 2, 2>(operands),
            (2, _) => tile::<V, 2, 1>(operands),
            (1, 2) => tile::<V, 1, 2>(operands),
            (1, _) => tile::<V, 1, 1>(operands),
            (_, 2) => tile::<V, MOST, 2>(operands),
            (_, _) => tile::<V, MOST, 1>(operands),
        }
    }
}

/// Chains of a tile of C, from where they start to where they go.
///
/// # Safety
///
/// The host has V's instructions, and all that the operands describe for this size is inside buffers that may be
/// read, or for C written.
#[inline(always)]
unsafe fn tile<V: Vector, const ROWS: usize, const VECTORS: usize>(operands: &Operands) {
    let o = operands;
    // SAFETY: the caller's; every row is below ROWS, every vector below VECTORS and every step below `o.steps`.
    unsafe {
        let mut sums = [[V::zero(); VECTORS]; ROWS];
        for i in 0..ROWS {
            for v in 0..VECTORS {
                sums[i][v] = V::load(o.start.add(i * o.start_row + v * o.start_vector));
            }
        }
        let (mut of_box, mut b, mut rest) = (o.a, o.b, o.steps);
        while rest > 0 {
            let run = rest.min(o.run);
            let mut a = of_box;
            for _ in 0..run / UNROLL {
                for _ in 0..UNROLL {
                    step(&mut sums, a, b, o);
                    (a, b) = (a.wrapping_add(o.a_step), b.wrapping_add(o.b_step));
                }
            }
            for _ in 0..run % UNROLL {
                step(&mut sums, a, b, o);
                (a, b) = (a.wrapping_add(o.a_step), b.wrapping_add(o.b_step));
            }
            rest -= run;
            of_box = of_box.wrapping_add(o.a_box);
        }
        for i in 0..ROWS {
            for v in 0..VECTORS {
                sums[i][v].finish().store(o.c.add(i * o.c_row + v * o.c_vector));
            }
        }
    }
}

/// Steps between two checks for the end of a run; boxes have a multiple of as many.
const UNROLL: usize = 4;

/// One step of every chain of a tile, with the column of A at `a` and the row of B at `b`.
///
/// # Safety
///
/// As for [`tile`].
#[inline(always)]
unsafe fn step<V: Vector, const ROWS: usize, const VECTORS: usize>(
    sums: &mut [[V; VECTORS]; ROWS],
    a: *const u8,
    b: *const u8,
    o: &Operands,
) {
    // SAFETY: the caller's.
    unsafe {
        let mut right = [V::zero(); VECTORS];
        for v in 0..VECTORS {
            right[v] = V::load(b.add(v * o.b_vector));
        }
        for i in 0..ROWS {
            let left = V::splat(a.add(i * o.a_row));
            for v in 0..VECTORS {
                sums[i][v] = sums[i][v].step(left, right[v]);
            }
        }
    }
}

/// Copies `steps` words of each of [`Vector::LANES`] lines, which follow each other every `line` bytes, to rows of
/// as many words, which follow each other every `stride` bytes. `steps` is a multiple of [`SQUARE`].
#[inline(always)]
fn transpose<V: Vector>(source: &[u8], line: usize, steps: usize, out: &mut [u8], stride: usize) {
    let row = V::LANES * WORD;
    assert!(steps > 0 && steps.is_multiple_of(SQUARE));
    assert!(source.len() >= (V::LANES - 1) * line + steps * WORD && out.len() >= (steps - 1) * stride + row);
    for step in (0..steps).step_by(SQUARE) {
        // SAFETY: by the assertions, SQUARE words of each line are in `source` from here, and SQUARE rows of LANES
        // words in `out`.
        unsafe {
            V::transpose(source.as_ptr().add(step * WORD), line, out.as_mut_ptr().add(step * stride), stride);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::vector::{Dots512, Floats256, Floats512, Integers256, Integers512, Vector};
    use super::{Micro, Operands, by_size, transpose};

    /// The microkernels of a vector type, whose instructions `$feature` names, in tiles of up to `$most` rows.
    macro_rules! micro {
        ($name:ident, $vector:ty, $feature:literal, $most:literal) => {
            pub(super) const $name: Micro = {
                #[target_feature(enable = $feature)]
                unsafe fn run(operands: &Operands, rows: usize, vectors: usize) {
                    // SAFETY: the caller's.
                    unsafe { by_size::<$vector, $most>(operands, rows, vectors) }
                }
                #[target_feature(enable = $feature)]
                fn transpose_here(s: &[u8], line: usize, steps: usize, out: &mut [u8], stride: usize) {
                    transpose::<$vector>(s, line, steps, out, stride);
                }
                Micro {
                    lanes: <$vector>::LANES,
                    heights: &[$most, 4, 2, 1],
                    run,
                    // SAFETY: these microkernels are chosen only where their features were detected.
                    transpose: |s, line, steps, out, stride| unsafe {
                        transpose_here(s, line, steps, out, stride)
                    },
                }
            };
        };
    }

    micro!(FLOATS_512, Floats512, "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma", 8);
    micro!(INTEGERS_512, Integers512, "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma", 8);
    micro!(DOTS_512, Dots512, "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma", 8);
    micro!(FLOATS_256, Floats256, "avx2,fma", 6);
    micro!(INTEGERS_256, Integers256, "avx2,fma", 6);
}
