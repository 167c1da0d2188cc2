//! Counters of a trace: entries of queues, and live bytes of each memory.

use super::{Arguments, Event, Events, pid_of};
use crate::report::buffer_name;
use pto::timeline::{BufferOccupancy, QueueLevel, occupancy};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Maximum number of blocks whose live bytes are counted: the first ones.
const MOST_BLOCKS: usize = 64;

impl<'a> Events<'a> {
    /// The entries of a queue from a time on.
    pub(super) fn queue(&self, level: &QueueLevel) -> Event<'a> {
        let direction = if level.to_vector { "to vector" } else { "to cube" };
        Event {
            name: Cow::Owned(format!("queue {} {direction}", level.queue)),
            ph: "C",
            cat: Some("queue"),
            ts: Some(self.micros(level.at)),
            pid: pid_of(level.rank, level.block),
            args: Some(Arguments::Level { entries: level.entries }),
            ..Event::default()
        }
    }

    /// The live bytes of each memory of the first blocks, at each time at which their number changes.
    pub(super) fn live_bytes(&self) -> impl Iterator<Item = Event<'a>> + '_ {
        let cores = &self.timed.timing.cores;
        let block = |core: u32| (cores[core as usize].rank, cores[core as usize].block);
        let blocks: BTreeSet<(u32, u32)> = self.shown.iter().map(|span| block(span.core)).collect();
        blocks.into_iter().take(MOST_BLOCKS).flat_map(move |(rank, block)| {
            let buffers = occupancy(&self.timed.recording, &self.timed.timing, rank, block);
            buffers.into_iter().flat_map(move |buffer| self.memory(pid_of(rank, block), &buffer))
        })
    }

    /// The live bytes of a memory over time, from 0 on.
    fn memory(&self, pid: u32, buffer: &BufferOccupancy) -> Vec<Event<'a>> {
        let name = format!("live bytes of {}", buffer_name(buffer));
        let level = |(at, bytes): (f64, u64)| Event {
            name: Cow::Owned(name.clone()),
            ph: "C",
            cat: Some("memory"),
            ts: Some(self.micros(at)),
            pid,
            args: Some(Arguments::Live { bytes }),
            ..Event::default()
        };
        let begins_later = buffer.live.first().is_none_or(|(at, _)| *at > 0.0);
        let start = begins_later.then_some((0.0, 0));
        start.into_iter().chain(buffer.live.iter().copied()).map(level).collect()
    }
}
