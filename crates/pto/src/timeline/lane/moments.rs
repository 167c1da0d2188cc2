//! Moments that a core still refers to: every later event begins at or after one of them.

use super::{Lane, Moment, PipeState};
use std::collections::VecDeque;

impl Lane<'_> {
    /// Shows all moments that something may still wait for.
    pub(in crate::timeline) fn moments(&mut self, see: &mut dyn FnMut(&mut Moment)) {
        see(&mut self.scalar);
        for pipe in &mut self.pipes {
            let PipeState { queue, starts, free, done, moving, .. } = pipe;
            queue.iter_mut().for_each(|queued| see(&mut queued.issued));
            starts.iter_mut().chain([free, done]).for_each(&mut *see);
            moving.iter_mut().for_each(|moving| see(&mut moving.instruction.start));
        }
        self.flags.iter_mut().flatten().for_each(&mut *see);
        self.tokens.values_mut().for_each(|token| see(&mut token.at));
        self.phases.values_mut().for_each(&mut *see);
    }

    /// Drops the data of a core that has ended.
    pub(in crate::timeline) fn clear(&mut self) {
        self.pipes.iter_mut().for_each(|pipe| pipe.starts = VecDeque::new());
        self.flags = Vec::new();
        self.tokens.clear();
        self.phases.clear();
    }
}
