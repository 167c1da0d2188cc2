//! Contents of the tiles that instructions write, reduced to pictures of a limited size.

use crate::observe::words::operation_at;
use crate::sim::by_place::ByPlace;
use crate::sim::event::{CoreId, Event, Place, What, Work};
use crate::sim::operands::Space;
use crate::sim::{Needs, Observe, Printed, Program};
use pto_isa::diag::Span;
use pto_isa::exec::state::{Slot, Tile};
use pto_isa::matrix::Size;
use pto_isa::op::site::Fact;
use pto_num::get_value;
use std::collections::BTreeMap;

/// The contents of tiles that a launch keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepContents {
    /// The rank and the block whose tiles are kept.
    pub rank: u32,
    /// The block.
    pub block: u32,
    /// Maximum number of rows, and of columns, of a picture: larger tiles are reduced.
    pub side: usize,
}

/// Contents that an instruction left in a tile, reduced to cells.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TileContents {
    /// Place of the operation's name in the text of the program.
    pub span: Span,
    /// The operation.
    pub operation: String,
    /// Name of the tile, without `%`.
    pub tile: String,
    /// Type of the tile in short.
    pub ty: String,
    /// Name of the core within its block.
    pub core: String,
    /// Execution count of the operation on that core, from 1.
    pub run: u64,
    /// Declared rows and columns, in values.
    pub declared: Size,
    /// Valid rows and columns, in values.
    pub valid: Size,
    /// Rows and columns of the tile that form one cell.
    pub step: Size,
    /// Rows and columns of the picture.
    pub size: Size,
    /// A number for each cell, row by row: NaN or an infinity if the cell contains one, else the value of the largest magnitude.
    pub cells: Vec<f32>,
}

/// Number of first executions of an operation that are kept. Of later ones, the latest whose number is a power of two
/// is kept.
const FIRST: u64 = 3;

/// Maximum number of pictures of a launch.
const MOST: usize = 1 << 14;

/// Keeps the contents of tiles that instructions write.
pub struct Contents {
    keep: KeepContents,
    /// Names and tiles of the operands of an operation.
    operands: ByPlace<Vec<Option<(String, Tile)>>>,
    runs: BTreeMap<(CoreId, Place), u64>,
    kept: BTreeMap<(CoreId, Place, u16, u64), TileContents>,
}

impl Contents {
    /// An observer that keeps the contents that `keep` selects.
    pub fn new(keep: KeepContents) -> Contents {
        let keep = KeepContents { side: keep.side.max(1), ..keep };
        Contents { keep, operands: ByPlace::default(), runs: BTreeMap::new(), kept: BTreeMap::new() }
    }

    /// The contents, by core and operation.
    pub fn into_contents(self) -> Vec<TileContents> {
        self.kept.into_values().collect()
    }

    fn end(&mut self, program: &Program, event: &Event<'_>, work: &Work<'_>) {
        let run = self.runs.entry((event.core, event.at)).or_default();
        *run += 1;
        let run = *run;
        if run > FIRST && !run.is_power_of_two() {
            return;
        }
        let operands = self.operands.get_or_insert_with(event.at, || tiles_of(program, event.at));
        let mut written: Vec<u16> = work
            .touches
            .iter()
            .filter(|touch| touch.kind.access.changes())
            .map(|touch| touch.kind.operand)
            .collect();
        written.dedup();
        for operand in written {
            let Some(Some((name, tile))) = operands.get(usize::from(operand)) else { continue };
            let Some(contents) = contents(program, event, name, tile, work, run, self.keep.side) else {
                continue;
            };
            if run > 2 * FIRST {
                self.kept.remove(&(event.core, event.at, operand, run / 2));
            }
            if self.kept.len() < MOST {
                self.kept.insert((event.core, event.at, operand, run), contents);
            }
        }
    }
}

/// The tiles among the operands of an operation.
fn tiles_of(program: &Program, at: Place) -> Vec<Option<(String, Tile)>> {
    let found = || {
        let (code, function) = program.function_at(at.function)?;
        let step = code.tiles.iter().find(|step| step.operation.index() == at.operation as usize)?;
        let operation = &function.operations[step.operation];
        let site = code.facts.site(function, &program.module().types, operation, program.profile())?;
        let tiles =
            site.operands.iter().zip(&step.slots).map(|(operand, slot)| match (&operand.fact, slot) {
                (Fact::Tile(fact), Slot::Tile(slot)) => {
                    Some((operand.name.to_owned(), Tile::new(*slot, fact.ty, fact.layout())))
                }
                _ => None,
            });
        Some(tiles.collect())
    };
    found().unwrap_or_default()
}

fn contents(
    program: &Program,
    event: &Event<'_>,
    name: &str,
    tile: &Tile,
    work: &Work<'_>,
    run: u64,
    side: usize,
) -> Option<TileContents> {
    let (_, operation) = operation_at(program, event.at)?;
    let live = work.operands.live(tile);
    let memory = work.memory.bytes(Space::Chip(event.core.rank, event.core.block));
    // A tile whose address is beyond its buffer is an error of its own.
    if live.address.checked_add(tile.bytes()).is_none_or(|end| end > memory.len()) {
        return None;
    }
    let declared = tile.values_in(tile.size());
    let step = Size { rows: declared.rows.div_ceil(side).max(1), cols: declared.cols.div_ceil(side).max(1) };
    let size = Size { rows: declared.rows.div_ceil(step.rows), cols: declared.cols.div_ceil(step.cols) };
    let core = event.core.kind.name();
    Some(TileContents {
        span: operation.name_span,
        operation: operation.short_name().to_owned(),
        tile: name.to_owned(),
        ty: tile.ty.brief(),
        core: core.strip_prefix("the ").unwrap_or(&core).to_owned(),
        run,
        declared,
        valid: tile.values_in(live.size()),
        step,
        size,
        cells: cells(memory, live.address, tile, step),
    })
}

/// The numbers of the cells of a tile at byte `address`; a cell has `step` values.
fn cells(memory: &[u8], address: usize, tile: &Tile, step: Size) -> Vec<f32> {
    let declared = tile.values_in(tile.size());
    let width = declared.cols.div_ceil(step.cols);
    let (element, layout) = (tile.ty.element, tile.layout.of_values(tile.ty.element));
    let mut cells = vec![0.0f32; declared.rows.div_ceil(step.rows) * width];
    for row in 0..declared.rows {
        for col in 0..declared.cols {
            let value = element.decode(get_value(memory, address, layout.offset(row, col), element));
            let cell = &mut cells[row / step.rows * width + col / step.cols];
            *cell = stronger(*cell, clamped(value));
        }
    }
    cells
}

/// A value as the picture has it: finite ones stay finite.
fn clamped(value: f64) -> f32 {
    let nearest = value as f32;
    if value.is_finite() && nearest.is_infinite() { f32::MAX.copysign(nearest) } else { nearest }
}

/// The number of two that a cell shows.
fn stronger(one: f32, other: f32) -> f32 {
    if one.is_nan() || other.is_nan() {
        return f32::NAN;
    }
    if other.abs() > one.abs() { other } else { one }
}

impl Observe for Contents {
    fn needs(&self) -> Needs {
        Needs::ENDS
    }

    fn see(&mut self, program: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        if let What::End(work) = &event.what
            && (event.core.rank, event.core.block) == (self.keep.rank, self.keep.block)
        {
            self.end(program, event, work);
        }
    }
}
