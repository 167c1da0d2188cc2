//! The picture of `pto map`.

use crate::picture::memory::{Block, Chart, Kind, Mark, memory};
use crate::report::{MapReport, MappedBuffer, MappedTile};

/// Moments of the time axis: finer than its pixels.
pub(in crate::commands) const MOMENTS: usize = 1520;

/// Numbered times below an axis.
const TIMES: usize = 6;

/// States of a piece of memory at a time, in the order of [`Block::kind`].
pub(in crate::commands) const KINDS: [Kind; 5] = [
    Kind { word: "live: a value that is read later", color: "#a5cdff" },
    Kind { word: "dead: between two values", color: "#eaeef2" },
    Kind { word: "written, never read", color: "#ffd9a0" },
    Kind { word: "never accessed", color: "#d8c8f0" },
    Kind { word: "conflict", color: "#ff6b6b" },
];
const LIVE: usize = 0;
const DEAD: usize = 1;
const UNREAD: usize = 2;
const IDLE: usize = 3;
const CONFLICT: usize = 4;

/// The picture of the memory of a block.
pub(super) fn svg(map: &MapReport) -> String {
    let charts: Vec<Chart> = (0..map.buffers.len()).map(|buffer| chart(map, buffer)).collect();
    let block = if map.rank > 0 {
        format!("block {} of rank {}", map.block, map.rank)
    } else {
        format!("block {}", map.block)
    };
    let mut title = format!("Memory of {}, {block}: {:.2} us on {}", map.file, map.microseconds, map.device);
    for (holds, words) in [
        (map.lowered, ", lowered"),
        (map.stopped, ", until an error stopped it"),
        (map.truncated, ", beginning only"),
    ] {
        title.push_str(if holds { words } else { "" });
    }
    memory(&title, &charts, &KINDS)
}

/// The time axis of a launch.
#[derive(Clone, Copy)]
pub(in crate::commands) struct Axis {
    /// The time of the launch, in microseconds.
    pub(in crate::commands) micros: f64,
    /// Number of moments into which it is divided.
    pub(in crate::commands) moments: usize,
}

impl Axis {
    /// The moment of a time in microseconds, from 0.
    fn moment(self, micros: f64) -> usize {
        let share = (micros / self.micros.max(1e-9)).clamp(0.0, 1.0);
        ((share * self.moments as f64) as usize).min(self.moments.saturating_sub(1))
    }
}

fn chart(map: &MapReport, index: usize) -> Chart {
    let buffer = &map.buffers[index];
    let axis = Axis { micros: map.microseconds, moments: MOMENTS };
    let mut blocks = Vec::new();
    for tile in &buffer.tiles {
        blocks.extend(pieces(axis, tile).into_iter().map(|(first, last, kind)| Block {
            name: tile.name.clone(),
            address: tile.address,
            bytes: tile.bytes,
            time: (first, last),
            kind,
        }));
    }
    // Drawing order: live blocks are drawn last, over unread, idle and dead blocks of any tile.
    blocks.sort_by_key(|block| [DEAD, IDLE, UNREAD, LIVE].iter().position(|kind| *kind == block.kind));
    for conflict in map.conflicts.iter().filter(|conflict| conflict.buffer == index) {
        let (Some(start), Some(end)) = (conflict.start, conflict.end) else { continue };
        let time = (axis.moment(start), axis.moment(end));
        blocks.push(Block {
            name: String::new(),
            address: conflict.address,
            bytes: conflict.bytes,
            time,
            kind: CONFLICT,
        });
    }
    let mut marks = vec![Mark { address: buffer.peak, label: "peak".to_owned(), is_limit: false }];
    marks.extend(buffer.capacity.map(|address| Mark {
        address,
        label: "capacity".to_owned(),
        is_limit: true,
    }));
    let label = |at: usize| {
        let micros = map.microseconds * at as f64 / TIMES as f64;
        (at * MOMENTS / TIMES, format!("{micros:.2} us"))
    };
    Chart { title: title(buffer), blocks, marks, moments: MOMENTS, labels: (0..TIMES).map(label).collect() }
}

fn title(buffer: &MappedBuffer) -> String {
    let of = buffer.capacity.map_or(String::new(), |capacity| format!(" of {capacity}"));
    format!(
        "{}: {}{of} bytes, {} live at once, {} reused, {} never accessed",
        buffer.name, buffer.peak, buffer.live_peak, buffer.reused, buffer.unused
    )
}

/// The pieces of a tile on a time axis: one from its first to its last access, on which its values lie. Each
/// is a first moment, a last one, and an index among [`KINDS`].
pub(in crate::commands) fn pieces(axis: Axis, tile: &MappedTile) -> Vec<(usize, usize, usize)> {
    let (Some(first), Some(last)) = (tile.values.first(), tile.values.last()) else {
        return vec![(0, axis.moments.saturating_sub(1), IDLE)];
    };
    let mut pieces = vec![(axis.moment(first.start), axis.moment(last.end), DEAD)];
    for value in &tile.values {
        let (first, last) = (axis.moment(value.start), axis.moment(value.end));
        let kind = if value.reads > 0 { LIVE } else { UNREAD };
        match pieces.last_mut() {
            // Values closer than a pixel are drawn as one.
            Some((_, known, of)) if *of == kind && first <= *known + 1 => *known = last.max(*known),
            _ => pieces.push((first, last, kind)),
        }
    }
    pieces
}
