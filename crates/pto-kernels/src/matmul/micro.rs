//! Microkernels: a tile of C, a few rows by a few vectors of columns, held in registers over all of k.
//!
//! A step loads a vector of B for each vector of columns and broadcasts a word of A for each row. Narrow tiles are
//! load-bound, since a core with two multiply-adds per cycle may not sustain two 64-byte loads: a tile of 6 rows x 4
//! vectors has 10 loads for 24 multiply-adds, one of 8 x 2 has 10 for 16, one of 6 x 2 has 8 for 12.

use super::pack::{Packing, pack};
use super::turned::ColumnsFn;
use super::vector::{FloatWords, IntegerWords, Vector};
#[cfg(target_arch = "aarch64")]
use super::vector::{Floats128, Integers128};
use crate::dispatch::Level;

/// Most rows of a tile.
pub(super) const ROWS: usize = 8;
/// Most rows of a tile of full width, and of every tile on hosts with 16 vector registers.
const WIDE_ROWS: usize = 6;
/// Columns of the widest tile.
pub(super) const COLUMNS: usize = 64;

/// Operands of a microkernel. Elements are words of 4 bytes, strides are in bytes. The columns of a vector are
/// contiguous in B, C and `start`.
#[derive(Clone, Copy)]
pub(super) struct MicroArguments {
    /// Words along k.
    pub(super) steps: usize,
    /// Words along k in one box of A.
    pub(super) run: usize,
    /// A at the first row of the tile.
    pub(super) a: *const u8,
    /// Offset of each row from `a`. A table, since the compiler would expand a common stride to long address sums.
    pub(super) a_rows: [usize; ROWS],
    /// Stride of A along k inside a box.
    pub(super) a_step: usize,
    /// Stride of A from box to box along k.
    pub(super) a_box: usize,
    /// B at the first column of the tile.
    pub(super) b: *const u8,
    /// Stride of B along k.
    pub(super) b_step: usize,
    /// Stride of B from one vector of columns to the next.
    pub(super) b_vector: usize,
    /// Initial values of the chains; null for zeros.
    pub(super) start: *const u8,
    /// Stride of `start` from row to row.
    pub(super) start_row: usize,
    /// Stride of `start` from vector to vector.
    pub(super) start_vector: usize,
    /// Destination of the tile, which may equal `start`.
    pub(super) c: *mut u8,
    /// Stride of C from row to row.
    pub(super) c_row: usize,
    /// Stride of C from vector to vector.
    pub(super) c_vector: usize,
}

impl MicroArguments {
    /// The initial sums of a tile.
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

    /// Writes the sums of a tile to C.
    ///
    /// # Safety
    ///
    /// As for [`tile`].
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // The indices also compute addresses.
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

/// The microkernels of a level, with the panel format that they need.
#[derive(Clone, Copy)]
pub(super) struct Micro {
    /// Words of a vector.
    pub(super) lanes: usize,
    /// Vectors of the widest tile, a power of two; there are tiles of every smaller power of two.
    pub(super) most: usize,
    /// Most rows of a tile that has less than full width.
    high: usize,
    /// `(operands, rows, vectors)`: runs the tile of this height and width.
    ///
    /// # Safety
    ///
    /// Everything that the operands describe is inside buffers that may be read and, for C, written.
    pub(super) run: unsafe fn(&MicroArguments, usize, usize),
    /// Packs a group of lines of B.
    ///
    /// # Safety
    ///
    /// Everything described is inside buffers that may be read and, for the panel, written.
    pub(super) pack: unsafe fn(&Packing),
    /// Microkernels of transposed products, for each of [`LINES`](super::turned::LINES); `None` unless vectors have 16
    /// words.
    pub(super) columns: Option<[ColumnsFn; 3]>,
}

impl Micro {
    /// Vectors of the next tile, if `rest` columns are left.
    pub(super) fn vectors(&self, rest: usize) -> usize {
        let mut vectors = self.most;
        while (vectors - 1) * self.lanes >= rest {
            vectors /= 2;
        }
        vectors
    }

    /// Rows of the next tile of `vectors` vectors, if `rest` rows are left: few tiles, of about equal height.
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
        // 24 sums, 4 vectors of B and one of A fit in 32 registers.
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

/// [`integers`] for hosts that have the best level but not the instruction for pairs of i16; `None` if this host lacks
/// that level.
pub(super) fn without_dots() -> Option<Micro> {
    #[cfg(target_arch = "x86_64")]
    if crate::dispatch::level() == Level::Avx512 {
        return Some(x86::INTEGERS_512);
    }
    None
}

/// The microkernels of a vector type whose instructions the compilation target guarantees, in tiles of up to `MOST`
/// vectors.
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

/// Runs the tile of `rows`, a result of [`Micro::rows`], by `vectors`, a power of two up to `MOST`.
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

/// Runs the tile of `rows`, a result of [`Micro::rows`], by `VECTORS`.
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

/// Computes the chains of a tile of C, from the initial values to C.
///
/// # Safety
///
/// The host has V's instructions, and everything that the operands describe for this size is inside buffers that may be
/// read and, for C, written.
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

    /// The microkernels of a vector type for transposed products.
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
