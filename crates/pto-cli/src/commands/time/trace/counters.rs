//! Counters of a trace: entries of queues, and live bytes of each memory.

use super::{Arguments, Event, Events, pid_of};
use pto::timeline::{BufferOccupancy, LiveBytes, QueueLevel, occupancy};
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
            let pid = pid_of(rank, block);
            let events = |buffer: &BufferOccupancy| {
                let live = buffer.live.iter();
                live.flat_map(|live| self.memory(pid, &counter_name(buffer, live), live)).collect::<Vec<_>>()
            };
            buffers.iter().flat_map(events).collect::<Vec<_>>()
        })
    }

    /// The live bytes of a memory over time, from 0 on.
    fn memory(&self, pid: u32, name: &str, live: &LiveBytes) -> Vec<Event<'a>> {
        let level = |(at, bytes): (f64, u64)| Event {
            name: Cow::Owned(name.to_owned()),
            ph: "C",
            cat: Some("memory"),
            ts: Some(self.micros(at)),
            pid,
            args: Some(Arguments::Live { bytes }),
            ..Event::default()
        };
        let begins_later = live.levels.first().is_none_or(|(at, _)| *at > 0.0);
        let start = begins_later.then_some((0.0, 0));
        start.into_iter().chain(live.levels.iter().copied()).map(level).collect()
    }
}

/// The name of a counter, such as `live bytes of UB of vector core 0`.
fn counter_name(buffer: &BufferOccupancy, live: &LiveBytes) -> String {
    let core = buffer.vector_core.map_or(String::new(), |core| format!(" of vector core {core}"));
    let without = if buffer.has_addresses { "" } else { ", tiles without addresses" };
    format!("live bytes of {}{core}{without}", live.memory.word())
}
