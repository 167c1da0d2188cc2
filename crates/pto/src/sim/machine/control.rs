//! What other threads see of a launch while it runs.

use super::Machine;
use std::sync::atomic::{AtomicU64, Ordering};

/// A launch in progress, as other threads see it.
#[derive(Debug, Default)]
pub struct Control {
    ended: AtomicU64,
}

impl Control {
    /// Number of blocks of all ranks that have ended, summed over all launches with this control. It may fall, when blocks
    /// that ran in parallel turn out to depend on each other and run again.
    pub fn ended_blocks(&self) -> u64 {
        self.ended.load(Ordering::Relaxed)
    }
}

impl Machine<'_> {
    /// Counts an ended block.
    pub(super) fn count_block(&self) {
        if let Some(control) = &self.options.control {
            control.ended.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Takes back what was counted since `ended`.
    pub(super) fn forget_blocks(&self, ended: Option<u64>) {
        if let Some((control, ended)) = self.options.control.as_ref().zip(ended) {
            control.ended.store(ended, Ordering::Relaxed);
        }
    }

    /// Number of blocks counted so far.
    pub(super) fn counted_blocks(&self) -> Option<u64> {
        self.options.control.as_ref().map(|control| control.ended_blocks())
    }
}
