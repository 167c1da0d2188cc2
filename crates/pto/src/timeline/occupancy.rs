//! Memory over time: times and addresses at which tiles hold values.
//!
//! A tile is *live* while one of its bytes holds data that an instruction reads later: from the start of the write to the
//! end of the read. Between two such times it is dead. An interval of liveness without a break is one value of the tile.

use super::accesses::Accesses;
use super::live::{Lives, Value};
use super::recording::{PlacedTile, Recording};
use super::timing::Timing;
use pto_isa::diag::Span;
use pto_isa::memory::Buffer;
use pto_isa::strided_range::StridedRange;
use pto_isa::written::Written;
use pto_machine::sim::part::Part;
use std::collections::{BTreeMap, BTreeSet};

/// A value of a tile: from the start of its first write to the end of its last read, in cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LiveRange {
    /// Start of the first write; of the first read, if no instruction of the block wrote it.
    pub start: f64,
    /// End of the last read; end of the last write, if nothing reads it.
    pub end: f64,
    /// Number of instructions that write it.
    pub writes: u64,
    /// Number of instructions that read it.
    pub reads: u64,
}

/// A tile at an address, over time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TileOccupancy {
    /// Name of the tile, without `%`.
    pub name: String,
    /// Short form of the tile's type, such as `16x32xf32 vec`.
    pub ty: String,
    /// Span of the declaration.
    pub span: Span,
    /// First byte in its buffer.
    pub address: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of bytes of the tile that an instruction reads or writes.
    pub used: u64,
    /// Number of bytes of the tile that an instruction reads.
    pub read: u64,
    /// Values of the tile, in the order of time.
    pub lives: Vec<LiveRange>,
    /// Number of values that were joined with the previous one, because a tile has more than [`MOST_LIVES`]; their short
    /// dead times are not shown.
    pub joined: u64,
    /// Operations that access the tile, as indices among [`Timing::sources`].
    pub sources: Vec<u32>,
}

/// Two tiles that hold values in the same bytes at the same time: the second is written before the first has been read.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Overlap {
    /// The tile whose value is overwritten, and the tile that overwrites it: indices among [`BufferOccupancy::tiles`].
    pub tiles: [usize; 2],
    /// First common byte.
    pub address: u64,
    /// Number of bytes from the first to the last common byte.
    pub bytes: u64,
    /// Start of the write.
    pub start: f64,
    /// End of the last read of the first value.
    pub end: f64,
}

/// The live bytes of a memory, over time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LiveBytes {
    /// The memory.
    pub memory: Buffer,
    /// Cycles at which their number changes, ascending, and the number from then on.
    pub levels: Vec<(f64, u64)>,
}

/// One buffer of a block, over time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BufferOccupancy {
    /// The buffer; `None` for tiles outside UB to which the program gives no address.
    pub buffer: Option<Buffer>,
    /// The vector core, for UB.
    pub vector_core: Option<u64>,
    /// Whether the program gives the addresses of its tiles.
    pub has_addresses: bool,
    /// Size of the buffer in bytes; `None` without addresses.
    pub capacity: Option<u64>,
    /// Tiles in the buffer, by address.
    pub tiles: Vec<TileOccupancy>,
    /// End of the last tile.
    pub peak: u64,
    /// Peak number of live bytes of tiles, and the first cycle at which they were live.
    pub live_peak: (u64, f64),
    /// The bytes of tiles that are live, over time: one entry, or without addresses one for each memory of the tiles.
    pub live: Vec<LiveBytes>,
    /// Bytes of tiles, each byte counted once.
    pub allocated: u64,
    /// Number of allocated bytes that no instruction accesses: padding, and parts beyond valid regions.
    pub unused: u64,
    /// Bytes that belong to several tiles: memory that is reused.
    pub reused: u64,
    /// Tiles that hold values in the same bytes at the same time.
    pub overlaps: Vec<Overlap>,
}

/// Maximum number of separate values of a tile.
pub const MOST_LIVES: usize = 2000;

/// A tile with its live ranges and the operations that access it.
pub(super) struct Tile<'a> {
    placed: &'a PlacedTile,
    lives: Lives,
    sources: Vec<u32>,
}

/// The buffers of a block over the time of its launch, in the order of [`Buffer::ALL`]. `timing` must be that of this recording.
pub fn occupancy(recording: &Recording, timing: &Timing, rank: u32, block: u32) -> Vec<BufferOccupancy> {
    let accesses = Accesses::of(recording, timing, (rank, block));
    let mut parts: BTreeMap<Part, Vec<Tile<'_>>> = BTreeMap::new();
    for (tile, (lives, sources)) in accesses.lives() {
        let placed = &recording.tiles[tile as usize];
        parts.entry(placed.part).or_default().push(Tile { placed, lives, sources });
    }
    let mut buffers: Vec<BufferOccupancy> =
        parts.into_iter().map(|(part, tiles)| buffer(recording, part, tiles)).collect();
    buffers.sort_by_key(|buffer| (buffer.buffer, !buffer.has_addresses, buffer.vector_core));
    buffers
}

fn buffer(recording: &Recording, part: Part, mut tiles: Vec<Tile<'_>>) -> BufferOccupancy {
    tiles.sort_by_key(|tile| (tile.placed.address, tile.placed.bytes));
    let (buffer, vector_core, has_addresses) = match part {
        Part::Cube(buffer) => (Some(buffer), None, true),
        Part::Ub(core) => (Some(Buffer::Ub), Some(core), true),
        Part::AutomaticUb(core) => (Some(Buffer::Ub), Some(core), false),
        Part::Automatic => (None, None, false),
    };
    let mut used = Written::default();
    let tile = |Tile { placed, lives, sources }: &Tile<'_>| {
        let [written, read] = lives.bytes();
        let mut own = written.clone();
        let all = StridedRange::bytes(placed.address, placed.bytes);
        own.mark_common(&all, read);
        used.mark_common(&all, &own);
        TileOccupancy {
            name: placed.name.clone(),
            ty: placed.ty.clone(),
            span: placed.span,
            address: placed.address,
            bytes: placed.bytes,
            used: own.count(),
            read: read.count(),
            lives: lives.values().iter().map(|value| value.range).collect(),
            joined: lives.joined(),
            sources: sources.clone(),
        }
    };
    let all: Vec<TileOccupancy> = tiles.iter().map(tile).collect();
    let depths = depths(&tiles);
    let bytes_where = |least: u32| -> u64 {
        depths.iter().filter(|(_, depth)| *depth >= least).map(|((start, end), _)| end - start).sum()
    };
    let (allocated, reused) = (bytes_where(1), bytes_where(2));
    BufferOccupancy {
        buffer,
        vector_core,
        has_addresses,
        capacity: buffer.filter(|_| has_addresses).map(|buffer| recording.profile.capacity(buffer)),
        peak: tiles.iter().map(|tile| tile.placed.end()).max().unwrap_or(0),
        live_peak: live_peak(&live_bytes(&tiles.iter().collect::<Vec<_>>(), &depths)),
        live: by_memory(&tiles, &depths),
        allocated,
        unused: allocated.saturating_sub(used.count()),
        reused,
        overlaps: overlaps(&tiles),
        tiles: all,
    }
}

/// The pieces of a buffer between the edges of tiles, ascending: first byte and end, and the number of tiles that contain it.
fn depths(tiles: &[Tile<'_>]) -> Vec<((u64, u64), u32)> {
    let ends = tiles.iter().flat_map(|tile| [(tile.placed.address, 1), (tile.placed.end(), -1)]);
    let mut edges: Vec<(u64, i32)> = ends.collect();
    edges.sort_unstable();
    let (mut depth, mut from) = (0, 0);
    let mut pieces = Vec::new();
    for (at, change) in edges {
        if at > from {
            pieces.push(((from, at), depth as u32));
        }
        (depth, from) = (depth + change, at);
    }
    pieces
}

/// The most bytes that are live at one time, and the first such cycle.
fn live_peak(live: &[(f64, u64)]) -> (u64, f64) {
    live.iter().fold((0, 0.0), |peak, (at, bytes)| if *bytes > peak.0 { (*bytes, *at) } else { peak })
}

/// The live bytes of each memory in which tiles are.
fn by_memory(tiles: &[Tile<'_>], pieces: &[((u64, u64), u32)]) -> Vec<LiveBytes> {
    let memories: BTreeSet<Buffer> = tiles.iter().map(|tile| tile.placed.memory).collect();
    let live = |memory| {
        let tiles: Vec<&Tile<'_>> = tiles.iter().filter(|tile| tile.placed.memory == memory).collect();
        LiveBytes { memory, levels: live_bytes(&tiles, pieces) }
    };
    memories.into_iter().map(live).collect()
}

/// The bytes that are live, each counted once, from each cycle on at which their number changes.
fn live_bytes(tiles: &[&Tile<'_>], pieces: &[((u64, u64), u32)]) -> Vec<(f64, u64)> {
    let mut changes: Vec<(f64, bool, usize)> = Vec::new();
    for (index, tile) in tiles.iter().enumerate() {
        for value in tile.lives.values().iter().filter(|value| value.range.reads > 0) {
            // A read of zero duration would end before it begins.
            if value.range.end <= value.range.start {
                continue;
            }
            changes.extend([(value.range.start, true, index), (value.range.end, false, index)]);
        }
    }
    // At one time, values end before others begin.
    changes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut holders = vec![0u32; pieces.len()];
    let (mut live, mut levels) = (0u64, Vec::<(f64, u64)>::new());
    for (at, begins, tile) in changes {
        let placed = tiles[tile].placed;
        let first = pieces.partition_point(|((start, _), _)| *start < placed.address);
        for (((start, end), _), holders) in pieces[first..].iter().zip(&mut holders[first..]) {
            if *start >= placed.end() {
                break;
            }
            match begins {
                true => *holders += 1,
                false => *holders -= 1,
            }
            match (begins, *holders) {
                (true, 1) => live += end - start,
                (false, 0) => live -= end - start,
                _ => {}
            }
        }
        match levels.last_mut().filter(|(last, _)| *last == at) {
            Some((_, bytes)) => *bytes = live,
            None => levels.push((at, live)),
        }
    }
    levels.dedup_by_key(|(_, bytes)| *bytes);
    levels
}

/// Maximum number of overlaps of two tiles that are listed: the first ones.
const MOST_OVERLAPS: usize = 20;

/// Values that are overwritten through another tile before their last read. Bytes that another core writes are a transfer.
fn overlaps(tiles: &[Tile<'_>]) -> Vec<Overlap> {
    let mut all = Vec::new();
    for (first, tile) in tiles.iter().enumerate() {
        for (second, other) in tiles.iter().enumerate() {
            if other.placed.address >= tile.placed.end() {
                break;
            }
            // Values that were joined hide dead times.
            let is_exact = tile.lives.joined() + other.lives.joined() == 0;
            if first != second && other.placed.end() > tile.placed.address && is_exact {
                let found = overwritten(tile.lives.values(), other.lives.values());
                all.extend(
                    found.take(MOST_OVERLAPS).map(|overlap| Overlap { tiles: [first, second], ..overlap }),
                );
            }
        }
    }
    all
}

/// Values that are overwritten by others before the last instruction that reads them begins.
fn overwritten<'a>(values: &'a [Value], others: &'a [Value]) -> impl Iterator<Item = Overlap> + 'a {
    let mut from = 0;
    let is_value = |value: &&Value| value.range.reads > 0 && value.range.writes > 0;
    values.iter().filter(is_value).filter_map(move |value| {
        from += others[from..].iter().take_while(|other| other.range.start <= value.range.start).count();
        let inside = others[from..].iter().take_while(|other| other.range.start < value.last_read);
        let mut hits = inside.filter(|other| other.range.writes > 0 && other.core == value.core);
        hits.find_map(|other| {
            let (address, end) = (value.bytes.0.max(other.bytes.0), value.bytes.1.min(other.bytes.1));
            let (start, until) = (other.range.start, value.range.end);
            (address < end).then(|| Overlap {
                tiles: [0, 0],
                address,
                bytes: end - address,
                start,
                end: until,
            })
        })
    })
}
