//! The peaks of this machine, which instructions are compared with.

use super::measured::Measured;
use super::timing::quantiles;
use pto_kernels::copy_rows;
use pto_kernels::peak::{multiply_adds, multiply_adds_from_l1};
use std::hint::black_box;
use std::time::Instant;

/// Rounds of multiply-adds per measurement, some tenths of a millisecond.
const ROUNDS: usize = 100_000;

/// A loop of a number of rounds, which returns its number of multiply-adds.
type Rounds = fn(usize) -> usize;

/// Loops of multiply-adds: in registers, and with the loads of a product.
const MULTIPLY_ADDS: [(&str, Rounds); 2] =
    [("peak fma f32", multiply_adds), ("peak fma f32 from L1", multiply_adds_from_l1)];

/// Bytes of each of two buffers of a copy: both in L1, both in L2, and in memory.
const BUFFERS: [(&str, usize); 3] =
    [("peak copy in L1", 12 << 10), ("peak copy in L2", 256 << 10), ("peak copy in memory", 64 << 20)];

/// The peaks selected by `wanted`: multiply-adds of f32, and copies.
pub(super) fn peaks(repeat: u32, wanted: &dyn Fn(&str) -> bool) -> Vec<Measured> {
    let mut all = Vec::new();
    for (name, run) in MULTIPLY_ADDS {
        if wanted(name) {
            all.push(multiply_add_peak(name, run, repeat));
        }
    }
    let buffers = BUFFERS.into_iter().filter(|(name, _)| wanted(name));
    all.extend(buffers.map(|(name, bytes)| copy_peak(name, bytes, repeat)));
    all
}

fn multiply_add_peak(name: &str, run: Rounds, repeat: u32) -> Measured {
    let mut done = 0;
    let (best_ns, median_ns) = timed(repeat, || done = run(ROUNDS));
    Measured { multiply_adds: done as u64, ..Measured::of(name.to_owned(), best_ns, median_ns) }
}

/// The current rate of f32 multiply-adds in registers, per ns: the best of a few short loops, so that an interrupt does
/// not lower it.
pub(super) fn multiply_adds_per_ns() -> f64 {
    const TIMES: usize = 5;
    let mut done = 0;
    let (best_ns, _) = timed(TIMES as u32, || done = multiply_adds(ROUNDS / TIMES));
    done as f64 / best_ns.max(1.0)
}

fn copy_peak(name: &str, bytes: usize, repeat: u32) -> Measured {
    // Both in one buffer, as tiles are, and written before: unwritten pages all map to one zero page.
    let mut both = vec![1u8; 2 * bytes];
    let copies = ((64 << 20) / bytes).clamp(1, 4096);
    let (best, median) = timed(repeat, || {
        for _ in 0..copies {
            copy_rows(black_box(&mut both), (bytes, bytes), (0, bytes), 1, bytes);
        }
    });
    let (best_ns, median_ns) = (best / copies as f64, median / copies as f64);
    // Each byte is read and written.
    Measured { bytes: 2 * bytes as u64, ..Measured::of(name.to_owned(), best_ns, median_ns) }
}

/// Minimum and median of `repeat` runs, at least 5.
fn timed(repeat: u32, mut body: impl FnMut()) -> (f64, f64) {
    let times = (0..repeat.max(5)).map(|_| {
        let start = Instant::now();
        body();
        start.elapsed().as_nanos() as f64
    });
    quantiles(times.collect())
}
