//! The report of `pto map`: the memory of one block over time.

use crate::render::{Authored, SourceText, authored_at};
use pto::Program;
use pto::passes::{BufferPlan, plan};
use pto::timeline::{BufferOccupancy, ConflictBytes, Recording, TileOccupancy, Timing, occupancy};
use serde::Serialize;

/// JSON report of `pto map`. Times are in microseconds from the start of the launch, addresses and sizes in bytes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MapReport {
    /// The program.
    pub file: String,
    /// The device.
    pub device: String,
    /// Whether the program has no flags of its own, and was lowered.
    pub lowered: bool,
    /// Time of the launch.
    pub microseconds: f64,
    /// Rank of the block.
    pub rank: u32,
    /// The block.
    pub block: u32,
    /// Whether the launch had more steps than are shown.
    pub truncated: bool,
    /// Whether an error stopped the launch: what was issued until then is shown.
    pub stopped: bool,
    /// Its buffers with tiles.
    pub buffers: Vec<MappedBuffer>,
    /// Conflicts between tiles, and between accesses to them.
    pub conflicts: Vec<MappedConflict>,
    /// The mark in front of names of tiles.
    #[serde(skip)]
    pub sigil: &'static str,
}

/// A buffer of the block.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MappedBuffer {
    /// Its name, such as `UB of vector core 0`.
    pub name: String,
    /// Its size; nothing for tiles to which the program gives no address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u64>,
    /// End of the last tile.
    pub peak: u64,
    /// Most bytes of tiles that hold values at one time.
    pub live_peak: u64,
    /// When that is so first.
    pub live_peak_at: f64,
    /// Bytes of tiles, each byte counted once.
    pub allocated: u64,
    /// Those of the allocated bytes that no instruction accesses.
    pub unused: u64,
    /// Bytes that belong to several tiles.
    pub reused: u64,
    /// Its tiles, by address.
    pub tiles: Vec<MappedTile>,
}

/// A tile at an address.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MappedTile {
    /// Its name, without `%`.
    pub name: String,
    /// Its type in short.
    #[serde(rename = "type")]
    pub ty: String,
    /// The line that declares it.
    pub line: usize,
    /// Where the author wrote that line, if a compiler made the program and names the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Authored>,
    /// First byte in the buffer.
    pub address: u64,
    /// Size.
    pub bytes: u64,
    /// Those of its bytes that are accessed.
    pub used: u64,
    /// Those of its bytes that are read.
    pub read: u64,
    /// Share of the time of the launch in which it holds a value that is read later.
    pub live: f64,
    /// Its values: start and end of each.
    pub values: Vec<MappedValue>,
    /// Number of values that are joined with the one before, for their number.
    pub joined: u64,
    /// The lines whose instructions access it; none, if no instruction does.
    pub lines: Vec<usize>,
}

/// A value of a tile.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MappedValue {
    /// Start of its first write.
    pub start: f64,
    /// End of its last read.
    pub end: f64,
    /// Number of instructions that write it; 0, if another block or nothing does.
    pub writes: u64,
    /// Number of instructions that read it.
    pub reads: u64,
}

/// Two tiles, or two accesses, that should not share bytes at this time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MappedConflict {
    /// The rule that is broken; nothing, if two tiles hold values in the same bytes on the timeline and no watcher says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Index of the buffer.
    pub buffer: usize,
    /// First byte.
    pub address: u64,
    /// Number of bytes.
    pub bytes: u64,
    /// When it begins; nothing, if it is not on the timeline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// When it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// The tiles.
    pub tiles: [String; 2],
    /// Lines of the accesses of a finding, or those that declare the tiles.
    pub lines: [usize; 2],
}

/// A program that ran and was timed.
#[derive(Clone, Copy)]
pub struct Ran<'a> {
    /// Its text.
    pub text: &'a SourceText<'a>,
    /// The program as it ran.
    pub program: &'a Program,
    /// The instructions that its cores issued.
    pub recording: &'a Recording,
    /// When.
    pub timing: &'a Timing,
    /// Whether it was lowered first.
    pub lowered: bool,
    /// The mark in front of names of tiles.
    pub sigil: &'static str,
}

impl MapReport {
    /// The memory of a block of a launch.
    pub fn of(ran: &Ran<'_>, rank: u32, block: u32) -> MapReport {
        let timing = ran.timing;
        let found = occupancy(ran.recording, timing, rank, block);
        let plans =
            if found.iter().any(|buffer| buffer.has_addresses) { plans(ran.program) } else { Vec::new() };
        let buffers: Vec<MappedBuffer> = found.iter().map(|buffer| mapped(ran, buffer, &plans)).collect();
        let mut conflicts = watched(ran, &found, (rank, block));
        conflicts.extend(overlapping(ran, &found, &conflicts));
        MapReport {
            file: ran.text.name().to_owned(),
            device: timing.device.clone(),
            lowered: ran.lowered,
            microseconds: timing.microseconds(),
            rank,
            block,
            truncated: timing.is_truncated || timing.is_cut(),
            stopped: timing.is_stopped,
            buffers,
            conflicts,
            sigil: ran.sigil,
        }
    }
}

/// The declared tiles of a program with addresses.
fn plans(program: &Program) -> Vec<BufferPlan> {
    let mut plans = plan(program.module(), |_| program.profile());
    plans.retain(|plan| program.functions().any(|function| function == plan.function));
    plans
}

fn name_of(buffer: &BufferOccupancy) -> String {
    let word = buffer.buffer.map_or("buffers of the cube core", |buffer| buffer.word());
    let core = buffer.vector_core.map_or(String::new(), |core| format!(" of vector core {core}"));
    let without = if buffer.has_addresses { "" } else { ", tiles without addresses" };
    format!("{word}{core}{without}")
}

fn mapped(ran: &Ran<'_>, of: &BufferOccupancy, plans: &[BufferPlan]) -> MappedBuffer {
    let timing = ran.timing;
    let mut tiles: Vec<MappedTile> = of.tiles.iter().map(|tile| tile_of(ran, tile)).collect();
    let declared = plans.iter().filter(|plan| of.has_addresses && Some(plan.buffer) == of.buffer);
    for place in declared.flat_map(|plan| &plan.places).filter(|place| !place.is_chosen) {
        let (address, bytes) = (place.address, place.bytes);
        let is_within =
            |tile: &MappedTile| tile.address <= address && address + bytes <= tile.address + tile.bytes;
        // A tile that is accessed only through another one at its address is not wasted.
        if tiles.iter().any(is_within) {
            continue;
        }
        tiles.push(MappedTile {
            name: place.name.clone(),
            ty: String::new(),
            line: ran.text.positions(place.span).0.line,
            origin: authored_at(place.span, ran.text),
            address,
            bytes,
            used: 0,
            read: 0,
            live: 0.0,
            values: Vec::new(),
            joined: 0,
            lines: Vec::new(),
        });
    }
    tiles.sort_by_key(|tile| (tile.address, tile.bytes));
    let allocated = bytes(&tiles);
    MappedBuffer {
        name: name_of(of),
        capacity: of.capacity,
        peak: tiles.iter().map(|tile| tile.address + tile.bytes).max().unwrap_or(0),
        live_peak: of.live_peak.0,
        live_peak_at: timing.micros(of.live_peak.1),
        allocated,
        unused: allocated.saturating_sub(of.allocated - of.unused),
        reused: of.reused,
        tiles,
    }
}

/// Bytes of tiles, which are in the order of addresses, each byte counted once.
fn bytes(tiles: &[MappedTile]) -> u64 {
    let (mut all, mut from) = (0, 0);
    for tile in tiles {
        let end = tile.address + tile.bytes;
        all += end.saturating_sub(from.max(tile.address));
        from = from.max(end);
    }
    all
}

fn tile_of(ran: &Ran<'_>, tile: &TileOccupancy) -> MappedTile {
    let timing = ran.timing;
    let value = |life: &pto::timeline::LiveRange| MappedValue {
        start: timing.micros(life.start),
        end: timing.micros(life.end),
        writes: life.writes,
        reads: life.reads,
    };
    let lives = tile.lives.iter().filter(|life| life.reads > 0).map(|life| life.end - life.start);
    // The sum of no floats is -0.
    let live = lives.fold(0.0, |sum, life| sum + life);
    let line = |source: &u32| ran.text.positions(timing.sources[*source as usize].span).0.line;
    let mut lines: Vec<usize> = tile.sources.iter().map(line).collect();
    lines.sort_unstable();
    lines.dedup();
    MappedTile {
        name: tile.name.clone(),
        ty: tile.ty.clone(),
        line: ran.text.positions(tile.span).0.line,
        origin: authored_at(tile.span, ran.text),
        address: tile.address,
        bytes: tile.bytes,
        used: tile.used,
        read: tile.read,
        live: live / timing.cycles.max(1.0),
        values: tile.lives.iter().map(value).collect(),
        joined: tile.joined,
        lines,
    }
}

/// The conflicts that watchers found in the block.
fn watched(ran: &Ran<'_>, buffers: &[BufferOccupancy], block: (u32, u32)) -> Vec<MappedConflict> {
    let (timing, spans) = (ran.timing, ran.recording.conflict_spans(ran.timing));
    let mut all = Vec::new();
    for (conflict, spans) in ran.recording.conflicts.iter().zip(spans) {
        let in_block = |core: u32| {
            let core = &timing.cores[core as usize];
            (core.rank, core.block) == block
        };
        let Some(bytes) = conflict.bytes.filter(|_| conflict.accesses.iter().any(|one| in_block(one.core)))
        else {
            continue;
        };
        let Some(buffer) = buffers.iter().position(|buffer| is_in(buffer, &bytes)) else { continue };
        let spans = spans.map(|span| span.map(|span| timing.spans()[span]));
        let start = spans.iter().flatten().map(|span| span.start).reduce(f64::min);
        let end = spans.iter().flatten().map(|span| span.end).reduce(f64::max);
        let line = |source: u32| ran.text.positions(timing.sources[source as usize].span).0.line;
        all.push(MappedConflict {
            rule: Some(conflict.rule.clone()),
            buffer,
            address: bytes.address,
            bytes: bytes.bytes,
            start: start.map(|at| timing.micros(at)),
            end: end.map(|at| timing.micros(at)),
            tiles: conflict.accesses.each_ref().map(|access| access.operand.clone()),
            lines: conflict.accesses.each_ref().map(|access| line(access.source)),
        });
    }
    all
}

fn is_in(buffer: &BufferOccupancy, bytes: &ConflictBytes) -> bool {
    let has_addresses = bytes.buffer.is_some();
    buffer.has_addresses == has_addresses
        && buffer.vector_core == bytes.vector_core
        && (!has_addresses || buffer.buffer == bytes.buffer)
}

/// Values that share bytes on the timeline, between tiles of which no watcher has found a conflict.
fn overlapping(ran: &Ran<'_>, buffers: &[BufferOccupancy], known: &[MappedConflict]) -> Vec<MappedConflict> {
    let mut all = Vec::new();
    for (index, buffer) in buffers.iter().enumerate() {
        for overlap in &buffer.overlaps {
            let tiles = overlap.tiles.map(|tile| &buffer.tiles[tile]);
            let names = tiles.map(|tile| tile.name.clone());
            let is_same = |conflict: &MappedConflict| {
                conflict.buffer == index && names.iter().all(|name| conflict.tiles.contains(name))
            };
            if known.iter().any(is_same) {
                continue;
            }
            all.push(MappedConflict {
                rule: None,
                buffer: index,
                address: overlap.address,
                bytes: overlap.bytes,
                start: Some(ran.timing.micros(overlap.start)),
                end: Some(ran.timing.micros(overlap.end)),
                tiles: names,
                lines: tiles.map(|tile| ran.text.positions(tile.span).0.line),
            });
        }
    }
    all
}
