//! TMOV from vec to mat on A5, which copies bytes unchanged, regardless of the layouts and shapes of the two tiles.
//!
//! A source in rows: the first elements in memory order, as many as are valid in the destination, in whole blocks of 32
//! bytes. An NZ source: whole block columns. A ZN or ZZ source: nothing.

use crate::diag::Severity;
use crate::layout::{LayoutName, c0};
use crate::op::effect::{Count, Effect, Extent};
use crate::op::site::{Check, Site, TileFact};
use crate::profile::A5_ONLY;
use crate::rule::Rule;
use crate::tile::{Location, TileType};
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Fault, Prepare, State, Tile},
    crate::matrix::Size,
};

const SOURCE: &str = "include/pto/npu/a5/TMov.hpp, TExtract.hpp";
/// Bytes that the device copies at once.
const BLOCK: usize = 32;

pub(super) const RAW_COPY: Rule = Rule::new(
    "raw-copy",
    "A move from vec to mat keeps each element at its row and column.",
    SOURCE,
)
.because("A5 copies the bytes in memory order: elements keep their places only between equal layouts and pitches.")
.instead("Declare both tiles in rows with all declared columns valid, or both NZ with all rows of the destination valid.")
.lint()
.only(A5_ONLY);
pub(super) const RAW_ROWS: Rule = Rule::new(
    "raw-rows",
    "An NZ source of a move to mat has at least the declared rows of the destination.",
    SOURCE,
)
.because("The device computes a negative distance between the block columns of the source.")
.instead("Declare the source with the destination's rows.")
.only(A5_ONLY);
pub(super) const RAW_ROOM: Rule = Rule::new(
    "raw-room",
    "The bytes that a move from vec to mat copies lie within both tiles.",
    SOURCE,
)
.because("The device counts the bytes by the destination's valid region, and reads beyond a smaller source.")
.instead("Declare the source at least as large as the valid region of the destination.")
.only(A5_ONLY);

/// Whether a use copies bytes.
pub(super) fn is_raw(site: &Site<'_>) -> bool {
    let at = |role: &str, location: Location| site.tile(role).is_some_and(|tile| tile.location() == location);
    A5_ONLY.contains(&site.profile)
        && at("src", Location::Vec)
        && at("dst", Location::Mat)
        && site.operand("fill").is_none()
}

/// Equal runs of bytes: their count and length, and the distances of their starts in source and destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Runs {
    count: usize,
    length: usize,
    from: usize,
    to: usize,
}

impl Runs {
    const NONE: Runs = Runs { count: 0, length: 0, from: 0, to: 0 };

    /// The runs for valid rows and columns of the destination.
    fn of(src: &TileType, dst: &TileType, rows: u32, cols: u32) -> Runs {
        match src.layout().name {
            LayoutName::Nz => {
                let tall = rows.next_multiple_of(16) as usize;
                let skip = (src.rows as usize).saturating_sub(dst.rows as usize);
                let (length, from) = (tall * BLOCK, (tall + skip) * BLOCK);
                Runs { count: cols.div_ceil(c0(src.element)) as usize, length, from, to: length }
            }
            LayoutName::Nd => {
                let bytes = src.element.bytes(rows as usize * cols as usize);
                Runs { count: 1, length: bytes / BLOCK * BLOCK, ..Runs::NONE }
            }
            _ => Runs::NONE,
        }
    }

    /// The ends of the last run in source and destination.
    fn ends(&self) -> [usize; 2] {
        match self.count {
            0 => [0; 2],
            count => [self.from, self.to].map(|step| (count - 1) * step + self.length),
        }
    }
}

/// Whether every valid element keeps its row and column; `true` if that depends on unknown facts.
fn keeps_places(src: &TileFact, dst: &TileFact) -> bool {
    match (src.layout().name, dst.layout().name) {
        (LayoutName::Nd, LayoutName::Nd) => {
            let pitch = dst.cols.is_none_or(|cols| src.ty.cols == cols && dst.ty.cols == cols);
            dst.rows.is_none_or(|rows| rows == 1) || pitch
        }
        (LayoutName::Nz, LayoutName::Nz) => {
            dst.rows.is_none_or(|rows| dst.ty.rows == rows.next_multiple_of(16))
        }
        _ => false,
    }
}

/// Checks a move from vec to mat.
pub(super) fn check(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    if !is_raw(check.site) {
        return;
    }
    let short = src.layout().name == LayoutName::Nz && src.ty.rows < dst.ty.rows;
    check.require(&RAW_ROWS, "src", !short, |check| {
        let (src_rows, dst_rows) = (src.ty.rows, dst.ty.rows);
        format!("{} has {src_rows} declared rows, {} {dst_rows}", check.name("src"), check.name("dst"))
    });
    if short {
        return;
    }
    let size = dst.rows.zip(dst.cols);
    let [read, written] = size.map_or([0; 2], |(rows, cols)| Runs::of(&src.ty, &dst.ty, rows, cols).ends());
    check.require(&RAW_ROOM, "dst", read <= src.ty.bytes() && written <= dst.ty.bytes(), |check| {
        let bytes = src.ty.bytes();
        format!(
            "{read} bytes of {} are copied, which has {bytes}; {} has {}",
            check.name("src"),
            check.name("dst"),
            dst.ty.bytes()
        )
    });
    check.judge(Severity::Lint, &RAW_COPY, "dst", keeps_places(src, dst), |check| {
        let copied = match src.layout().name {
            LayoutName::Nd => "the first elements in memory order",
            LayoutName::Nz => "whole block columns",
            _ => "nothing",
        };
        format!(
            "{} is {}, {} {} with {} valid elements: a5 copies {copied}",
            check.name("src"),
            src.layout().name.word(),
            check.name("dst"),
            dst.layout().name.word(),
            dst.valid_text()
        )
    });
}

/// The effects of a use.
pub(super) fn effects(site: &Site<'_>) -> Vec<Effect> {
    const PARTS: &str = "the valid region of the destination determines the copied bytes";
    let (Some(src), Some(dst)) = (site.tile("src"), site.tile("dst")) else { return Vec::new() };
    let exact = |extent: Extent| vec![Effect::reads("src").of(extent), Effect::writes("dst").of(extent)];
    match (src.layout().name, dst.rows.zip(dst.cols)) {
        (LayoutName::Nd, Some((rows, cols))) => {
            let bytes = Runs::of(&src.ty, &dst.ty, rows, cols).length;
            exact(Extent::Leading(Count::Fixed((bytes / src.element().bytes(1).max(1)) as u32)))
        }
        (LayoutName::Nd | LayoutName::Nz, _) => vec![
            Effect::reads("src").of(Extent::Storage).loosely(PARTS),
            Effect::writes_parts("dst", PARTS).of(Extent::Storage),
        ],
        _ => Vec::new(),
    }
}

/// A copy of bytes, ready to run.
#[cfg(feature = "run")]
pub(super) struct RawCopy {
    src: Tile,
    dst: Tile,
}

#[cfg(feature = "run")]
impl RawCopy {
    /// The copy of a use; `None` if the use moves elements.
    ///
    /// # Errors
    /// If an operand is missing.
    pub(super) fn of(prepare: &Prepare<'_>) -> Result<Option<RawCopy>, String> {
        if !is_raw(prepare.site) {
            return Ok(None);
        }
        Ok(Some(RawCopy { src: prepare.tile("src")?, dst: prepare.tile("dst")? }))
    }

    fn runs(&self, rows: u32, cols: u32) -> Result<Runs, Fault> {
        let runs = Runs::of(&self.src.ty, &self.dst.ty, rows, cols);
        let [read, written] = runs.ends();
        let fits = read <= self.src.bytes() && written <= self.dst.bytes();
        if fits { Ok(runs) } else { Err(Fault::Rule) }
    }

    /// Copies by the formula.
    ///
    /// # Errors
    /// [`Fault::Rule`] if a run leaves a tile.
    pub(super) fn by_formula(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let Size { rows, cols } = reference.valid(&self.dst);
        let runs = self.runs(rows as u32, cols as u32)?;
        for run in 0..runs.count {
            for byte in 0..runs.length {
                let value = reference.byte(&self.src, run * runs.from + byte);
                reference.set_byte(&self.dst, run * runs.to + byte, value);
            }
        }
        Ok(())
    }

    /// Copies.
    ///
    /// # Errors
    /// [`Fault::Rule`] if a run leaves a tile.
    pub(super) fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let (from, to) = (state.live(&self.src).address, state.live(&self.dst));
        let runs = self.runs(to.rows, to.cols)?;
        for run in 0..runs.count {
            let start = from + run * runs.from;
            state.memory.copy_within(start..start + runs.length, to.address + run * runs.to);
        }
        Ok(())
    }
}
