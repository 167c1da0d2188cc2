//! The streams of the cores of a launch.

use crate::timeline::recording::Stream;
use pto_machine::sim::event::CoreId;
use std::collections::BTreeMap;

/// The stream of each core.
#[derive(Default)]
pub(super) struct Streams {
    list: Vec<Stream>,
    /// Index of the stream of a core.
    cores: BTreeMap<CoreId, usize>,
    /// The core that issued the last step, with the index of its stream.
    last: Option<(CoreId, usize)>,
    /// Most steps of all streams.
    most: usize,
    /// Steps so far.
    count: usize,
    /// Whether there were more.
    pub(super) is_truncated: bool,
}

impl Streams {
    /// Streams of at most `most` steps together.
    pub(super) fn new(most: usize) -> Streams {
        Streams { most, ..Streams::default() }
    }

    /// The stream of a core that is to get a step; `None` if there are as many steps as there may be.
    pub(super) fn next(&mut self, core: CoreId) -> Option<&mut Stream> {
        if self.count >= self.most {
            self.is_truncated = true;
            return None;
        }
        self.count += 1;
        let streams = &mut self.list;
        let index = match self.last {
            Some((last, index)) if last == core => index,
            _ => *self.cores.entry(core).or_insert_with(|| {
                streams.push(Stream { core, steps: Vec::new(), ranges: Vec::new() });
                streams.len() - 1
            }),
        };
        self.last = Some((core, index));
        Some(&mut streams[index])
    }

    /// The index of the stream of a core.
    pub(super) fn index(&self, core: CoreId) -> Option<usize> {
        self.cores.get(&core).copied()
    }

    /// All of them, by index.
    pub(super) fn finish(self) -> Vec<Stream> {
        self.list
    }
}
