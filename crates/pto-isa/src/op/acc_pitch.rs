//! The pitch of accumulators: the distance in rows between the column blocks of 16 that an instruction accesses.
//!
//! The pitch of a product is the number of rows that it computes. The pitch of readers is the number of declared
//! rows, or of valid rows if the tile is compact. Where the two differ, a reader of more than one block finds other
//! elements than those that were written. A run keeps the logical contents and reports the difference as an error, so
//! that no result depends on it.
//!
//! Source: `include/pto/npu/{a2a3,a5}/TMatmul.hpp`, `arch/memory/tstore_common.hpp`; `include/pto/npu/a5/TMov.hpp`,
//! `TExtract.hpp`, `TInsert.hpp`.

use super::otherwise::{Here, Otherwise};
use super::site::{Site, TileFact};
use crate::layout::LayoutName;
use crate::profile::{A5_ONLY, NPU, Profile};
use crate::tile::{CompactMode, Location};

/// Rows and columns of a block.
pub const BLOCK: u32 = 16;

/// The rows from one column block to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PitchRows {
    /// The declared rows of the accumulator.
    Declared,
    /// The valid rows of the tile in this role, rounded up to whole blocks.
    Valid(&'static str),
}

/// One access of an instruction to an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PitchUse {
    /// The accumulator.
    pub role: &'static str,
    /// Whether the access writes; otherwise it reads.
    pub writes: bool,
    /// The distance between the accumulator's column blocks.
    pub rows: PitchRows,
}

impl PitchRows {
    /// The number, given the declared rows of the accumulator and the valid rows of the tile in the role.
    pub fn number(self, declared: u32, valid: u32) -> u32 {
        match self {
            PitchRows::Declared => declared,
            PitchRows::Valid(_) => valid.max(1).next_multiple_of(BLOCK),
        }
    }
}

/// The accumulators of a product, whose pitch is given by the rows of its left factor.
pub(super) fn of_product(site: &Site<'_>) -> Vec<PitchUse> {
    if !NPU.contains(&site.profile) {
        return Vec::new();
    }
    let rows = PitchRows::Valid("left");
    let read = site.tile("acc").map(|_| PitchUse { role: "acc", writes: false, rows });
    read.into_iter().chain([PitchUse { role: "dst", writes: true, rows }]).collect()
}

/// The accumulator that an instruction reads in a role, if it is one.
pub(super) fn of_reader(
    site: &Site<'_>,
    role: &'static str,
    rows: impl Fn(&TileFact) -> PitchRows,
) -> Vec<PitchUse> {
    let source = site.tile(role).filter(|src| src.location() == Location::Acc);
    let on_device = source.filter(|_| NPU.contains(&site.profile));
    on_device.map(|src| PitchUse { role, writes: false, rows: rows(src) }).into_iter().collect()
}

/// The rows of an accumulator that is stored from a role.
pub(super) fn stored(src: &TileFact, role: &'static str) -> PitchRows {
    match src.ty.compact {
        CompactMode::Normal => PitchRows::Valid(role),
        _ => PitchRows::Declared,
    }
}

/// The difference of devices where the pitches of writer and reader differ.
pub(super) fn otherwise() -> Otherwise {
    Otherwise::new(
        NPU,
        "A product writes the column blocks of an accumulator at a pitch of the left factor's valid rows, rounded up to 16; \
         readers expect a pitch of the declared rows, or with `compact=1` of the valid rows if their page says so.",
        Here::Reported("mem::accumulator-pitch"),
        "include/pto/npu/{a2a3,a5}/TMatmul.hpp, arch/memory/tstore_common.hpp",
    )
}

/// Profiles on which the tiles determine the pitch of the fixpipe's moves.
const BY_TILES: &[Profile] = A5_ONLY;

/// The rows of the source in a role, counted for a destination in this layout: its valid ones for ND and DN on profiles that go by tiles.
fn by_destination(layout: Option<LayoutName>, role: &'static str) -> PitchRows {
    let plain = matches!(layout, Some(LayoutName::Nd | LayoutName::Dn));
    if plain { PitchRows::Valid(role) } else { PitchRows::Declared }
}

fn is_short(src: &TileFact) -> bool {
    src.ty.valid_rows.is_some_and(|rows| rows < src.ty.rows)
}

fn destination(site: &Site<'_>) -> Option<LayoutName> {
    site.tile("dst").map(|dst| dst.layout().name)
}

fn is_to_vec(site: &Site<'_>) -> bool {
    site.tile("dst").is_some_and(|dst| dst.location() == Location::Vec)
}

/// The rows of an accumulator that TMOV reads.
pub(super) fn moved(site: &Site<'_>, src: &TileFact) -> PitchRows {
    if !BY_TILES.contains(&site.profile) || is_short(src) {
        return PitchRows::Declared;
    }
    by_destination(destination(site), "src")
}

/// The rows of an accumulator that TEXTRACT reads.
pub(super) fn extracted(site: &Site<'_>, src: &TileFact) -> PitchRows {
    if BY_TILES.contains(&site.profile) && is_to_vec(site) { stored(src, "src") } else { PitchRows::Declared }
}

/// The rows of an accumulator that TINSERT reads.
pub(super) fn inserted(site: &Site<'_>, _: &TileFact) -> PitchRows {
    if BY_TILES.contains(&site.profile) && is_to_vec(site) {
        by_destination(destination(site), "src")
    } else {
        PitchRows::Declared
    }
}

/// The rows of an accumulator that TPUSH reads: as stored where entries pass through memory, else as moved to the consumer's tile.
pub(super) fn pushed(site: &Site<'_>, src: &TileFact) -> PitchRows {
    let queue = site.queue;
    if !BY_TILES.contains(&site.profile) || queue.is_some_and(|queue| queue.names_memory) {
        return stored(src, "value");
    }
    if is_short(src) {
        return PitchRows::Declared;
    }
    by_destination(queue.map(|queue| queue.layout), "value")
}
