//! Microkernels: a tile of C of a few rows and vectors of columns, held in registers over all of k.
//!
//! A step loads a vector of B for each vector of columns and broadcasts a word of A for each row. Loads are what
//! bounds narrow tiles, since a core that does two multiply-adds in a cycle may not do two loads of 64 bytes: a tile
//! of 6 rows x 4 vectors has 10 loads for 24 multiply-adds, one of 8 x 2 as many for 16, one of 6 x 2 has 8 for 12.

use super::pack::{Packing, pack};
use super::turned::ColumnsFn;
use super::vector::{FloatWords, IntegerWords, Vector};
#[cfg(target_arch = "aarch64")]
use super::vector::{Floats128, Integers128};
use crate::dispatch::Level;

/// Rows of the highest tile.
pub(super) const ROWS: usize = 8;
/// Rows of the highest of the widest tiles, and of all tiles where 16 registers are all there are.
const WIDE_ROWS: usize = 6;
/// Columns of the widest tile.
pub(super) const COLUMNS: usize = 64;

/// What a microkernel reads and writes. Elements are words of 4 bytes, strides are in bytes, and the columns of a
/// vector are contiguous in all but A.
#[derive(Clone, Copy)]
pub(super) struct MicroArguments {
    /// Words along k, in all and in one box of A.
    pub(super) steps: usize,
    pub(super) run: usize,
    /// A at the first row of the tile; from there to each row, along k inside a box, and from box to box. (The rows
    /// are a table, for what their distances have in common would tempt the compiler to long sums of addresses.)
    pub(super) a: *const u8,
    pub(super) a_rows: [usize; ROWS],
    pub(super) a_step: usize,
    pub(super) a_box: usize,
    /// B at the first column of the tile; from a step to the next, and from a vector to the next.
    pub(super) b: *const u8,
    pub(super) b_step: usize,
    pub(super) b_vector: usize,
    /// What the chains start from, or null for zeros; from a row to the next, and from a vector to the next.
    pub(super) start: *const u8,
    pub(super) start_row: usize,
    pub(super) start_vector: usize,
    /// Where the tile goes, which may be where it starts from; from a row and a vector to the next.
    pub(super) c: *mut u8,
    pub(super) c_row: usize,
    pub(super) c_vector: usize,
}

impl MicroArguments {
    /// The sums of a tile as they start.
    ///
    /// # Safety
    ///
    /// As for [`tile`].
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // Rows and vectors are numbers here, of places in memory too.
    pub(super) unsafe fn sums<V: Vector, const HEIGHT: usize, const VECTORS: usize>(
        &self,
    ) -> [[V; VECTORS]; HEIGHT] {
        // SAFETY: the caller's; every row is below HEIGHT, every vector below VECTORS.
        unsafe {
            let mut sums = [[V::zero(); VECTORS]; HEIGHT];
            if !self.start.is_null() {
                for i in 0..HEIGHT {
                    for v in 0..VECTORS {
                        sums[i][v] = V::load(self.start.add(i * self.start_row + v * self.start_vector));
                    }
                }
            }
            sums
        }
    }

    /// Writes the sums of a tile where they go.
    ///
    /// # Safety
    ///
    /// As for [`tile`].
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // As above.
    pub(super) unsafe fn finish<V: Vector, const HEIGHT: usize, const VECTORS: usize>(
        &self,
        sums: &[[V; VECTORS]; HEIGHT],
    ) {
        for i in 0..HEIGHT {
            for v in 0..VECTORS {
                // SAFETY: as above.
                unsafe { sums[i][v].finish().store(self.c.add(i * self.c_row + v * self.c_vector)) };
            }
        }
    }
}

/// The microkernels of a level, and what they need of a panel of B.
#[derive(Clone, Copy)]
pub(super) struct Micro {
    /// Columns of a vector.
    pub(super) lanes: usize,
    /// Vectors of the widest tile; there are those of half as many, down to one.
    pub(super) most: usize,
    /// Rows of the highest tile that is not of the widest.
    high: usize,
    /// `(operands, rows, vectors)`: runs the tile of this height and width.
    ///
    /// # Safety
    ///
    /// All that the operands describe is inside buffers that may be read, or for C written.
    pub(super) run: unsafe fn(&MicroArguments, usize, usize),
    /// Packs a group of lines of B.
    ///
    /// # Safety
    ///
    /// All that is described is inside buffers that may be read, or for the panel written.
    pub(super) pack: unsafe fn(&Packing),
    /// Those of products turned about, for each of [`LINES`](super::turned::LINES), if vectors have as many words.
    pub(super) columns: Option<[ColumnsFn; 3]>,
}

impl Micro {
    /// The vectors of the next tile, if `rest` columns are left.
    pub(super) fn vectors(&self, rest: usize) -> usize {
        let mut vectors = self.most;
        while (vectors - 1) * self.lanes >= rest {
            vectors /= 2;
        }
        vectors
    }

    /// The rows of the next tile of so many vectors, if `rest` are left: few tiles, of about the same height.
    pub(super) fn rows(&self, vectors: usize, rest: usize) -> usize {
        const fn table(most: usize) -> [u8; 3 * ROWS] {
            let mut table = [0; 3 * ROWS];
            let mut rest = 1;
            while rest < table.len() {
                table[rest] = rest.div_ceil(rest.div_ceil(most)) as u8;
                rest += 1;
            }
            table
        }
        const TABLES: [[u8; 3 * ROWS]; 2] = [table(WIDE_ROWS), table(ROWS)];
        let most = if vectors < self.most { self.high } else { WIDE_ROWS };
        TABLES[usize::from(most > WIDE_ROWS)].get(rest).map_or(most, |rows| usize::from(*rows))
    }
}

/// Fused multiply-adds in f32.
pub(super) fn floats(level: Level) -> Micro {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => x86::FLOATS_512,
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => x86::FLOATS_256,
        // 24 sums, 4 vectors of B and one of A fit 32 registers.
        #[cfg(target_arch = "aarch64")]
        Level::Neon => portable::<Floats128, 4>(),
        _ => portable::<FloatWords, 2>(),
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
        // Each factor takes two registers.
        #[cfg(target_arch = "aarch64")]
        Level::Neon => portable::<Integers128, 2>(),
        _ => portable::<IntegerWords, 2>(),
    }
}

/// [`integers`] of a host of the best level that lacks the instruction for pairs, if this host has that level.
#[cfg(test)]
pub(super) fn without_dots() -> Option<Micro> {
    #[cfg(target_arch = "x86_64")]
    if crate::dispatch::level() == Level::Avx512 {
        return Some(x86::INTEGERS_512);
    }
    None
}

/// The microkernels of a vector type that the compilation target has the instructions of, in tiles of up to `MOST` vectors.
fn portable<V: Vector, const MOST: usize>() -> Micro {
    Micro {
        lanes: V::LANES,
        most: MOST,
        high: V::HIGH,
        run: by_size::<V, MOST>,
        pack: pack::<V>,
        columns: None,
    }
}

/// Runs the tile of `rows`, as [`Micro::rows`] says, by `vectors`, a power of two up to `MOST`.
///
/// # Safety
///
/// As for [`tile`].
#[inline(always)]
unsafe fn by_size<V: Vector, const MOST: usize>(operands: &MicroArguments, rows: usize, vectors: usize) {
    // SAFETY: the caller's.
    unsafe {
        match vectors {
            1 => by_rows::<V, 1, MOST>(operands, rows),
            2 => by_rows::<V, 2, MOST>(operands, rows),
            _ => by_rows::<V, MOST, MOST>(operands, rows),
        }
    }
}

/// Runs the tile of `rows`, as [`Micro::rows`] says, by `VECTORS`.
///
/// # Safety
///
/// As for [`tile`].
#[inline(always)]
unsafe fn by_rows<V: Vector, const VECTORS: usize, const MOST: usize>(
    operands: &MicroArguments,
    rows: usize,
) {
    // SAFETY: the caller's.
    unsafe {
        match rows {
            1 => tile::<V, 1, VECTORS>(operands),
            2 => tile::<V, 2, VECTORS>(operands),
            3 => tile::<V, 3, VECTORS>(operands),
            4 => tile::<V, 4, VECTORS>(operands),
            5 => tile::<V, 5, VECTORS>(operands),
            7 if VECTORS < MOST && V::HIGH == ROWS => tile::<V, 7, VECTORS>(operands),
            8 if VECTORS < MOST && V::HIGH == ROWS => tile::<V, ROWS, VECTORS>(operands),
            _ => tile::<V, WIDE_ROWS, VECTORS>(operands),
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
#[allow(clippy::needless_range_loop)] // Rows and vectors are numbers here, of places in memory too.
unsafe fn tile<V: Vector, const HEIGHT: usize, const VECTORS: usize>(operands: &MicroArguments) {
    let o = operands;
    let rows = o.a_rows;
    // SAFETY: the caller's; every row is below HEIGHT, every vector below VECTORS and every step below `o.steps`.
    unsafe {
        let mut sums = o.sums::<V, HEIGHT, VECTORS>();
        let (mut of_box, mut b, mut rest) = (o.a, o.b, o.steps);
        while rest > 0 {
            let run = rest.min(o.run);
            let mut a = of_box;
            for _ in 0..run {
                let mut right = [V::zero(); VECTORS];
                for v in 0..VECTORS {
                    right[v] = V::load(b.add(v * o.b_vector));
                }
                for i in 0..HEIGHT {
                    let left = V::splat(a.add(rows[i]));
                    for v in 0..VECTORS {
                        sums[i][v] = sums[i][v].step(left, right[v]);
                    }
                }
                (a, b) = (a.wrapping_add(o.a_step), b.wrapping_add(o.b_step));
            }
            rest -= run;
            of_box = of_box.wrapping_add(o.a_box);
        }
        o.finish(&sums);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::turned::{Columns, LINES, columns};
    use super::super::vector::{Dots512, Floats256, Floats512, Integers256, Integers512, Vector};
    use super::{Micro, MicroArguments, Packing, by_size, pack};

    /// The microkernels of a vector type for products turned about.
    macro_rules! columns {
        ($vector:ty, $feature:literal) => {{
            #[target_feature(enable = $feature)]
            unsafe fn run<const LINE: usize>(operands: &Columns) {
                // SAFETY: the caller's.
                unsafe { columns::<$vector, LINE>(operands) }
            }
            Some([run::<{ LINES[0] }>, run::<{ LINES[1] }>, run::<{ LINES[2] }>])
        }};
    }

    /// The microkernels of a vector type, whose instructions `$feature` names, in tiles of up to `$most` vectors.
    macro_rules! micro {
        ($name:ident, $vector:ty, $feature:literal, $most:literal $(, $columns:ident)?) => {
            pub(super) const $name: Micro = {
                #[target_feature(enable = $feature)]
                unsafe fn run(operands: &MicroArguments, rows: usize, vectors: usize) {
                    // SAFETY: the caller's.
                    unsafe { by_size::<$vector, $most>(operands, rows, vectors) }
                }
                #[target_feature(enable = $feature)]
                unsafe fn pack_here(packing: &Packing) {
                    // SAFETY: the caller's.
                    unsafe { pack::<$vector>(packing) }
                }
                let columns = [None $(, $columns!($vector, $feature))?];
                let columns = columns[columns.len() - 1];
                Micro {
                    lanes: <$vector>::LANES,
                    most: $most,
                    high: <$vector>::HIGH,
                    run,
                    pack: pack_here,
                    columns,
                }
            };
        };
    }

    micro!(FLOATS_512, Floats512, "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma", 4, columns);
    micro!(INTEGERS_512, Integers512, "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma", 4, columns);
    micro!(DOTS_512, Dots512, "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma", 4, columns);
    micro!(FLOATS_256, Floats256, "avx2,fma", 2);
    micro!(INTEGERS_256, Integers256, "avx2,fma", 2);
}
