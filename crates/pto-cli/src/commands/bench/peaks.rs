//! What this machine can do: the limits that instructions are compared with.

use super::measured::Measured;
use super::timing::quantiles;
use pto_kernels::copy_rows;
use pto_kernels::peak::{multiply_adds, multiply_adds_from_l1};
use std::hint::black_box;
use std::time::Instant;

/// Rounds of multiply-adds of one measurement, some tenths of a millisecond.
const ROUNDS: usize = 100_000;

/// A loop of so many rounds, which says how many operations these are.
type Rounds = fn(usize) -> usize;

/// Loops of multiply-adds: of registers alone, and with the loads of a product.
const MULTIPLY_ADDS: [(&str, Rounds); 2] =
    [("peak fma f32", multiply_adds), ("peak fma f32 from L1", multiply_adds_from_l1)];

/// Bytes of the buffers between which bytes are copied: both lie in L1, in L2, and in neither.
const BUFFERS: [(&str, usize); 3] =
    [("peak copy in L1", 12 << 10), ("peak copy in L2", 256 << 10), ("peak copy in memory", 64 << 20)];

/// The wanted ones of the peaks: multiply-adds of f32, and copies.
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

/// The multiply-adds of f32 in registers that the core does in a nanosecond now: at its best in a few short loops, since
/// one that is interrupted would say that it does few.
pub(super) fn multiply_adds_per_ns() -> f64 {
    const TIMES: usize = 5;
    let mut done = 0;
    let (best_ns, _) = timed(TIMES as u32, || done = multiply_adds(ROUNDS / TIMES));
    done as f64 / best_ns.max(1.0)
}

fn copy_peak(name: &str, bytes: usize, repeat: u32) -> Measured {
    // Both in one buffer, as tiles are, and written before: pages that were never written are all one.
    let mut both = vec![1u8; 2 * bytes];
    let copies = ((64 << 20) / bytes).clamp(1, 4096);
    let (best, median) = timed(repeat, || {
        for _ in 0..copies {
            copy_rows(black_box(&mut both), (bytes, bytes), (0, bytes), 1, bytes);
        }
    });
    let (best_ns, median_ns) = (best / copies as f64, median / copies as f64);
    // Each is read and written.
    Measured { bytes: 2 * bytes as u64, ..Measured::of(name.to_owned(), best_ns, median_ns) }
}

/// The least and the median of so many runs, at least 5.
fn timed(repeat: u32, mut body: impl FnMut()) -> (f64, f64) {
    let times = (0..repeat.max(5)).map(|_| {
        let start = Instant::now();
        body();
        start.elapsed().as_nanos() as f64
    });
    quantiles(times.collect())
}
