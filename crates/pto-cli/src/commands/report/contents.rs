//! Contents of tiles, for heat maps.

use crate::commands::timing::Timed;
use pto::Program;
use pto::observe::{KeepContents, TileContents};
use serde::Serialize;

/// Most bytes of all contents in the page.
const MOST_BYTES: usize = 1_200_000;

/// Pictures that the runs of one operation leave, at most.
const RUNS: usize = 4;

/// The contents of tiles after steps.
#[derive(Serialize)]
pub(super) struct Contents {
    tiles: Vec<Tile>,
    #[serde(skip)]
    pub(super) remarks: Vec<String>,
}

/// Contents that an instruction left in a tile.
#[derive(Serialize)]
struct Tile {
    line: usize,
    operation: String,
    tile: String,
    ty: String,
    core: String,
    run: u64,
    declared: (usize, usize),
    valid: (usize, usize),
    step: (usize, usize),
    size: (usize, usize),
    /// f32, little endian, in base 64.
    cells: String,
}

/// Contents of a block that a launch keeps, few enough for the page.
pub(in crate::commands) fn keep(program: &Program, rank: u32, block: u32) -> KeepContents {
    let operations = program.functions().flat_map(|id| program.module().functions[id].operations.iter());
    let instructions = operations.filter(|(_, operation)| operation.instruction().is_some()).count();
    let bytes = |side: usize| instructions.saturating_mul(RUNS * side * side * size_of::<f32>() * 4 / 3);
    let side = [64, 48, 32, 24, 16].into_iter().find(|side| bytes(*side) <= MOST_BYTES).unwrap_or(8);
    KeepContents { rank, block, side }
}

/// The contents that a launch has kept, as many as fit.
pub(super) fn contents(timed: &Timed<'_>) -> Contents {
    let all = &timed.recording.contents;
    let mut order: Vec<&TileContents> = all.iter().collect();
    // First runs are the last ones to go.
    order.sort_by_key(|tile| tile.run);
    let (mut bytes, mut tiles) = (0, Vec::new());
    for tile in order {
        let cells: Vec<u8> = tile.cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        bytes += cells.len() * 4 / 3;
        if bytes > MOST_BYTES {
            break;
        }
        tiles.push(Tile {
            line: timed.source.positions(tile.span).0.line,
            operation: tile.operation.clone(),
            tile: tile.tile.clone(),
            ty: tile.ty.clone(),
            core: tile.core.clone(),
            run: tile.run,
            declared: (tile.declared.rows, tile.declared.cols),
            valid: (tile.valid.rows, tile.valid.cols),
            step: (tile.step.rows, tile.step.cols),
            size: (tile.size.rows, tile.size.cols),
            cells: base64(&cells),
        });
    }
    let mut remarks = Vec::new();
    if tiles.len() < all.len() {
        remarks.push(format!("the page has contents of tiles after {} of {} steps", tiles.len(), all.len()));
    }
    tiles.sort_by(|a, b| (a.line, a.run, &a.core).cmp(&(b.line, b.run, &b.core)));
    Contents { tiles, remarks }
}

/// Base 64 with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let number =
            three.iter().fold(0u32, |number, byte| number << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for digit in 0..4 {
            match digit <= three.len() {
                true => text.push(char::from(DIGITS[(number >> (18 - 6 * digit) & 63) as usize])),
                false => text.push('='),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_pads_the_last_digits() {
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }
}
