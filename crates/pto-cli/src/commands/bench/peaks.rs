//! What this machine can do: the limits that instructions are compared with.

use super::measured::Measured;
use super::timing::quantiles;
use pto_kernels::peak::multiply_adds;
use std::hint::black_box;
use std::time::Instant;

/// Rounds of multiply-adds of one measurement, some tenths of a millisecond.
const ROUNDS: usize = 100_000;

/// Bytes of the buffers between which bytes are copied: both lie in L1, in L2, and in neither.
const BUFFERS: [(&str, usize); 3] =
    [("peak copy in L1", 12 << 10), ("peak copy in L2", 256 << 10), ("peak copy in memory", 64 << 20)];

/// The peaks: multiply-adds of f32, and copies.
pub(super) fn peaks(repeat: u32) -> Vec<Measured> {
    let mut all = Vec::new();
    let mut done = 0;
    let times = (0..repeat.max(5)).map(|_| {
        let start = Instant::now();
        done = multiply_adds(ROUNDS);
        start.elapsed().as_nanos() as f64
    });
    let (best_ns, median_ns) = quantiles(times.collect());
    let name = "peak fma f32".to_owned();
    all.push(Measured { name, best_ns, median_ns, bytes: 0, multiply_adds: done as u64 });
    for (name, bytes) in BUFFERS {
        let from = vec![1u8; bytes];
        let mut to = vec![0u8; bytes];
        let copies = ((64 << 20) / bytes).clamp(1, 4096);
        let times = (0..repeat.max(5)).map(|_| {
            let start = Instant::now();
            for _ in 0..copies {
                black_box(&mut to).copy_from_slice(black_box(&from));
            }
            start.elapsed().as_nanos() as f64 / copies as f64
        });
        let (best_ns, median_ns) = quantiles(times.collect());
        let bytes = 2 * bytes as u64;
        all.push(Measured { name: name.to_owned(), best_ns, median_ns, bytes, multiply_adds: 0 });
    }
    all
}
