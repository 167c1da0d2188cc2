//! The picture of `pto map`.

use crate::picture::memory::{Block, Chart, Kind, Mark, memory};
use crate::report::{MapReport, MappedBuffer, MappedTile};

/// Moments of the time axis: finer than its pixels.
const MOMENTS: usize = 1520;

/// Numbered times below an axis.
const TIMES: usize = 6;

/// What a piece of memory is at a time, in the order of [`Block::kind`].
const KINDS: [Kind; 5] = [
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

/// The moment of a time.
fn moment(map: &MapReport, micros: f64) -> usize {
    let share = (micros / map.microseconds.max(1e-9)).clamp(0.0, 1.0);
    ((share * MOMENTS as f64) as usize).min(MOMENTS - 1)
}

fn chart(map: &MapReport, index: usize) -> Chart {
    let buffer = &map.buffers[index];
    let mut blocks = Vec::new();
    for tile in &buffer.tiles {
        pieces(map, tile, &mut blocks);
    }
    for conflict in map.conflicts.iter().filter(|conflict| conflict.buffer == index) {
        let (Some(start), Some(end)) = (conflict.start, conflict.end) else { continue };
        let time = (moment(map, start), moment(map, end));
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

/// The pieces of a tile: one from its first to its last access, on which its values lie.
fn pieces(map: &MapReport, tile: &MappedTile, blocks: &mut Vec<Block>) {
    let mut piece = |time, kind| {
        blocks.push(Block { name: tile.name.clone(), address: tile.address, bytes: tile.bytes, time, kind });
    };
    let (Some(first), Some(last)) = (tile.values.first(), tile.values.last()) else {
        return piece((0, MOMENTS - 1), IDLE);
    };
    piece((moment(map, first.start), moment(map, last.end)), DEAD);
    // Values closer than a pixel are drawn as one.
    let mut open: Option<((usize, usize), usize)> = None;
    for value in &tile.values {
        let time = (moment(map, value.start), moment(map, value.end));
        let kind = if value.reads > 0 { LIVE } else { UNREAD };
        match &mut open {
            Some((known, of)) if *of == kind && time.0 <= known.1 + 1 => known.1 = known.1.max(time.1),
            _ => {
                if let Some((time, kind)) = open.replace((time, kind)) {
                    piece(time, kind);
                }
            }
        }
    }
    if let Some((time, kind)) = open {
        piece(time, kind);
    }
}
