//! The data of the page.

use super::contents::{Contents, contents};
use super::lines::{Hottest, LineData, Lines};
use super::loops::{of_cpp, of_module};
use super::rows::{Timeline, timeline};
use crate::commands::map::{Axis, KINDS, MOMENTS, pieces};
use crate::commands::timing::Timed;
use crate::linked::CALLS;
use crate::picture;
use crate::render::all_authored;
use crate::report::{Finding, MapReport, TimeReport, TimedPart, findings};
use pto::diag::Span;
use pto::ir::Type;
use pto::isa::TileType;
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that the page shows. Times are in microseconds.
#[derive(Serialize)]
pub(super) struct PageData {
    file: String,
    /// The mark in front of names of tiles.
    sigil: &'static str,
    device: String,
    clock: f64,
    microseconds: f64,
    cycles: f64,
    slots: usize,
    /// Remarks for the reader, before the figures.
    remarks: Vec<String>,
    /// The text of the program, by lines. Lines of the page count from its first one.
    source: Vec<String>,
    /// Where the author wrote a line, by line: `model.py:14`.
    origins: BTreeMap<usize, String>,
    /// The files of the text; none for a program, which is one.
    files: Vec<FileData>,
    lines: Vec<LineData>,
    hottest: Option<Hottest>,
    findings: Vec<Finding>,
    conflicts: Vec<ConflictData>,
    path: Vec<TimedPart>,
    timeline: Timeline,
    map: MapData,
    contents: Contents,
    layouts: Vec<LayoutData>,
}

/// A file of the text.
#[derive(Serialize)]
struct FileData {
    name: String,
    /// First line of the file on the page.
    first: usize,
    /// Whether the file is the text of the calls of a kernel in C++, which is hidden.
    hidden: bool,
}

/// Two accesses that no synchronization orders, or the second of which reads bytes that the first has overwritten.
#[derive(Serialize)]
struct ConflictData {
    rule: String,
    /// Index of the finding about the conflict.
    finding: Option<usize>,
    sides: [SideData; 2],
    /// The bytes in words.
    bytes: Option<String>,
    count: u64,
}

#[derive(Serialize)]
struct SideData {
    line: usize,
    operation: String,
    operand: String,
    core: String,
    pipe: &'static str,
    writes: bool,
    run: u32,
    /// Start and end, if it is on the timeline.
    time: Option<[f64; 2]>,
    /// Index of its pipe among the rows of the timeline.
    row: Option<usize>,
}

/// First moment, last moment and kind of each piece of a tile.
type Pieces = Vec<(usize, usize, usize)>;

/// The memory map, with pieces of time instead of values.
#[derive(Serialize)]
struct MapData {
    #[serde(flatten)]
    report: MapReport,
    /// For each buffer and tile, its pieces: first and last moment, and kind.
    pieces: Vec<Vec<Pieces>>,
    /// Moments of the whole time.
    moments: usize,
    kinds: Vec<&'static str>,
}

/// The picture of a tile type.
#[derive(Serialize)]
struct LayoutData {
    ty: String,
    svg: String,
}

/// Maximum number of tile types whose layout is drawn, and maximum size of all pictures in bytes.
const MOST_LAYOUTS: usize = 24;
const MOST_LAYOUT_BYTES: usize = 600_000;

impl PageData {
    pub(super) fn of(timed: Timed<'_>, rank: u32, block: u32) -> PageData {
        let files = files(&timed);
        let timed = &timed.in_one_file();
        let timing = &timed.timing;
        let mut remarks: Vec<String> = timed.remarks().into_iter().map(str::to_owned).collect();
        let all = [timed.warnings.as_slice(), &timed.findings].concat();
        let findings = findings(&all, &timed.source);
        let timeline = timeline(timed, (rank, block));
        let contents = contents(timed);
        let layouts = layouts(timed);
        let mut lines = Lines::default();
        lines.add(timing, &timed.source, &loops_of(timed));
        let (map, left_out) = MapData::of(MapReport::of(&timed.ran(), rank, block));
        remarks.extend(left_out);
        remarks.extend(timeline.remarks.iter().chain(&contents.remarks).cloned());
        PageData {
            file: timed.text.name.clone(),
            sigil: timed.sigil,
            device: timing.device.clone(),
            clock: timing.clock,
            microseconds: timing.microseconds(),
            cycles: timing.cycles,
            slots: timing.slots,
            remarks,
            source: shown(timed, &files),
            origins: all_authored(&timed.source),
            files,
            hottest: lines.hottest(),
            lines: lines.list(),
            conflicts: conflicts(timed, &findings, &timeline),
            findings,
            path: TimeReport::of(timing, &timed.source, timed.lowered).path,
            timeline,
            map,
            contents,
            layouts,
        }
    }
}

/// The loops of the text: a kernel in C++ has them in its source, not in the program that its calls make.
fn loops_of(timed: &Timed<'_>) -> Vec<Span> {
    match timed.is_cpp() {
        true => of_cpp(timed.source.text()),
        false => of_module(timed.program.module()),
    }
}

/// The files of a kernel in C++.
fn files(timed: &Timed<'_>) -> Vec<FileData> {
    let file =
        |(first, name): (usize, &str)| FileData { name: name.to_owned(), first, hidden: name == CALLS };
    let files: Vec<FileData> = timed.source.files().map(file).collect();
    if files.len() > 1 { files } else { Vec::new() }
}

/// Lines of the text; empty for hidden files.
fn shown(timed: &Timed<'_>, files: &[FileData]) -> Vec<String> {
    let is_hidden = |line: usize| {
        let after = files.partition_point(|file| file.first <= line);
        after.checked_sub(1).is_some_and(|at| files[at].hidden)
    };
    let lines = timed.source.text().lines().enumerate();
    lines.map(|(at, text)| if is_hidden(at + 1) { String::new() } else { text.to_owned() }).collect()
}

/// Maximum number of tiles of a buffer, and of pieces of all tiles.
const MOST_TILES: usize = 400;
const MOST_PIECES: usize = 20_000;

impl MapData {
    /// Returns the map for the page, and a remark for each omission.
    fn of(mut report: MapReport) -> (MapData, Vec<String>) {
        let mut remarks = Vec::new();
        for buffer in report.buffers.iter_mut().filter(|buffer| buffer.tiles.len() > MOST_TILES) {
            let (all, name) = (buffer.tiles.len(), &buffer.name);
            remarks.push(format!("{name} has {all} tiles: the memory map shows the first {MOST_TILES}"));
            buffer.tiles.truncate(MOST_TILES);
        }
        let divided = |moments: usize| -> Vec<Vec<Pieces>> {
            let of_tile = |tile: &_| pieces(Axis { micros: report.microseconds, moments }, tile);
            report.buffers.iter().map(|buffer| buffer.tiles.iter().map(of_tile).collect()).collect()
        };
        let mut moments = MOMENTS;
        let mut pieces = divided(moments);
        while moments > 50 && pieces.iter().flatten().map(Vec::len).sum::<usize>() > MOST_PIECES {
            moments /= 2;
            pieces = divided(moments);
        }
        if moments < MOMENTS {
            remarks.push(format!(
                "the memory map is divided into {moments} times: shorter dead times are not shown"
            ));
        }
        // Values are drawn as pieces, which are fewer.
        report.buffers.iter_mut().flat_map(|buffer| &mut buffer.tiles).for_each(|tile| tile.values.clear());
        let kinds = KINDS.iter().map(|kind| kind.word).collect();
        (MapData { report, pieces, moments, kinds }, remarks)
    }
}

/// The conflicts, each with the finding that names it.
fn conflicts(timed: &Timed<'_>, findings: &[Finding], timeline: &Timeline) -> Vec<ConflictData> {
    let (timing, recording) = (&timed.timing, &timed.recording);
    let spans = recording.conflict_spans(timing);
    let mut all = Vec::new();
    for (conflict, spans) in recording.conflicts.iter().zip(spans) {
        let side = |at: usize| {
            let access = &conflict.accesses[at];
            let span = spans[at].map(|index| timing.spans()[index]);
            let core = &timing.cores[access.core as usize];
            SideData {
                line: timed.line(access.source),
                operation: timing.sources[access.source as usize].name.clone(),
                operand: access.operand.clone(),
                core: format!("{} of block {}", core.core, core.block),
                pipe: access.pipe.word(),
                writes: access.writes,
                run: access.run,
                time: span.map(|span| [timing.micros(span.start), timing.micros(span.end)]),
                row: span.and_then(|span| timeline.row_of(span.core, span.pipe)),
            }
        };
        let sides = [side(0), side(1)];
        let names_it = |finding: &Finding| {
            let at = |place: &crate::report::Place| place.line;
            finding.rule == conflict.rule
                && at(&finding.place) == Some(sides[1].line)
                && finding.labels.iter().any(|label| at(&label.place) == Some(sides[0].line))
        };
        let bytes = conflict.bytes.map(|bytes| {
            let buffer = bytes.buffer.map_or("memory without addresses", |buffer| buffer.word());
            format!(
                "bytes {} to {} of {buffer}",
                bytes.address,
                (bytes.address + bytes.bytes).saturating_sub(1)
            )
        });
        let finding = findings.iter().position(names_it);
        all.push(ConflictData { rule: conflict.rule.clone(), finding, sides, bytes, count: conflict.count });
    }
    all
}

/// Pictures of the tile types of the program, in the order of its types.
fn layouts(timed: &Timed<'_>) -> Vec<LayoutData> {
    let tile = |ty: &Type| match ty {
        Type::Tile(tile) => Some(*tile),
        _ => None,
    };
    let mut known: Vec<TileType> = Vec::new();
    let (mut all, mut bytes) = (Vec::new(), 0);
    for tile in timed.program.module().types.iter().filter_map(|(_, ty)| tile(ty)) {
        // Types that differ only in their valid region have one layout.
        let whole = TileType { valid_rows: Some(tile.rows), valid_cols: Some(tile.cols), ..tile };
        if known.contains(&whole) || all.len() == MOST_LAYOUTS {
            continue;
        }
        known.push(whole);
        let svg = picture::layout(&tile);
        bytes += svg.len();
        if bytes > MOST_LAYOUT_BYTES {
            break;
        }
        all.push(LayoutData { ty: tile.text(true), svg });
    }
    all
}
