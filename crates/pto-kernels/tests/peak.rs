use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::peak::{multiply_adds, multiply_adds_from_l1};

/// Independent sums of the loop in registers; rows of the product and steps of its loop.
const SUMS: usize = 24;
const ROWS: usize = 6;
const STEPS: usize = 64;

#[test]
fn every_level_counts_its_lanes() {
    for level in levels() {
        let done = with_level(level, || [multiply_adds(10), multiply_adds_from_l1(100)]);
        assert!(done[0] >= 10 * SUMS && done[0].is_multiple_of(10 * SUMS), "{level:?}: {done:?}");
        assert!(done[1] >= 100 * ROWS && done[1].is_multiple_of(STEPS * ROWS), "{level:?}: {done:?}");
    }
}
