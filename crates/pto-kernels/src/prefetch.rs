//! Prefetch hints for lines that will be written.
//!
//! A store to a line that is not in L1 first loads the line. Hardware prefetches for loads, hardly for stores to lines
//! in L2: with a hint a copy of 32 KB takes 0.41 instead of 0.72 µs, an addition 0.86 instead of 1.04 µs.

/// Prefetch distance in bytes: enough for the latency of L2, with few lines prefetched uselessly.
const AHEAD: usize = 512;

/// Prefetches the lines of the `bytes` bytes that begin [`AHEAD`] bytes after byte `at`. Only a hint: they may be
/// outside the buffer.
#[inline(always)]
pub(crate) fn next_written(mem: &[u8], at: usize, bytes: usize) {
    lines(mem.as_ptr().wrapping_add(at + AHEAD), bytes);
}

/// Prefetches a run [`AHEAD`] bytes of runs after the one at `at`, where runs of `bytes` bytes are `stride` bytes
/// apart.
#[inline(always)]
pub(crate) fn next_run(at: *const u8, bytes: usize, stride: usize) {
    lines(at.wrapping_add((AHEAD / bytes).max(1).wrapping_mul(stride)), bytes);
}

/// Prefetches one line.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // For transposes in vectors.
#[inline(always)]
pub(crate) fn line(at: *const u8) {
    lines(at, 1);
}

#[inline(always)]
fn lines(at: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..bytes).step_by(64) {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        // SAFETY: a hint reads nothing, and has no effect at an address without memory.
        unsafe { _mm_prefetch::<_MM_HINT_ET0>(at.wrapping_add(line).cast()) };
    }
    // Rust has no stable prefetch intrinsic for other architectures.
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (at, bytes);
}
