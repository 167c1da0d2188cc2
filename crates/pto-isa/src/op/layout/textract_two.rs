//! TEXTRACT with two destinations: copies two windows of a row-major tile, each into a boxed tile.

use super::textract_rules::WINDOW;
use super::transfer_rules as transfer;
use crate::element::Element;
use crate::layout::{LayoutName, c0};
use crate::memory::TMP_WINDOW;
use crate::op::accumulator;
use crate::op::common::same_type;
use crate::op::effect::Effect;
use crate::op::site::{Check, Site, TileFact};
use crate::profile::{A2A3_ONLY, NPU, PerProfile};
use crate::rule::{ERROR_OR_NPU_EXTENSION, Rule};
use crate::tile::{CompactMode, Location};
use Element::{Bf16, E1M2x2, E2M1x2, E4M3, E5M2, E8M0, F16, F32, HiF8, I8, I32};
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::matrix::Position,
    crate::op::subtile::{SubTile, copy_subtile},
};

const SOURCE: &str = "docs/isa/TEXTRACT.md, ND to 2xNZ extraction path";

const LAYOUT: Rule = Rule::new(
    "two-layouts",
    "Two windows are extracted from an ND vec tile, each into an NZ vec tile with boxes of 512 bytes.",
    SOURCE,
)
.because("The device rearranges rows into boxes in one pass.")
.instead("Declare an ND vec source and NZ vec destinations with `fractal=512`.");
const TYPES: Rule =
    Rule::new("two-element-type", "The profile extracts two windows of this element type.", SOURCE)
        .because("The device has no encoding of this form for the element type.")
        .instead("Use an element type that the message lists, or extract twice.")
        .weighing(ERROR_OR_NPU_EXTENSION)
        .only(NPU);
const COMPACT: Rule = Rule::new(
    "two-compact",
    "Two windows go to NZ tiles without `compact`; on A5 also to tiles with `compact=2`.",
    SOURCE,
)
.because("A2/A3 writes boxes without gaps only.")
.instead("Leave `compact` out of the destination's type, or write `compact=2` on A5.")
.only(NPU);
const RESERVED: Rule = Rule::new(
    "reserved-window",
    "An extraction of two windows of one-byte elements overwrites UB from 184 KB to 192 KB if a window starts at a block of \
     32 bytes, has an odd number of valid columns, and is not a single element. No operand may lie there.",
    "docs/isa/TEXTRACT.md, Index alignment; include/pto/npu/a2a3/TExtract.hpp, TMP_UB_OFFSET",
)
.because("The device keeps intermediate rows in this window. This destroys a tile in the window.")
.instead("Place the tile below 184 KB.")
.only(A2A3_ONLY);

/// Rules of this form that the forms with one destination lack.
pub(super) const RULES: &[&Rule] = &[&LAYOUT, &TYPES, &COMPACT, &RESERVED];

/// Roles of the destination and the offsets of each window.
const WINDOWS: [(&str, [&str; 2]); 2] = [("dst0", ["row0", "col0"]), ("dst1", ["row1", "col1"])];

/// Legal element types.
const FORMATS: PerProfile<&[Element]> = PerProfile::a2a3_or(
    &[I8, F16, Bf16, F32, I32],
    &[I8, F16, Bf16, F32, I32, HiF8, E4M3, E5M2, E8M0, E2M1x2, E1M2x2],
);

/// Legal compact modes of a destination.
const COMPACT_MODES: PerProfile<&[CompactMode]> =
    PerProfile::a2a3_or(&[CompactMode::Null], &[CompactMode::Null, CompactMode::RowPlusOne]);

/// Checks the rules of the form with two destinations.
pub(super) fn check(check: &mut Check<'_>) {
    let src = check.tile("src");
    accumulator::relu(check, src.element());
    let plain = src.location() == Location::Vec && src.layout().name == LayoutName::Nd;
    check.require(&LAYOUT, "src", plain, |check| place_text(check, "src"));
    check_type(check, src.element());
    for (role, offsets) in WINDOWS {
        let dst = check.tile(role);
        same_type(check, "src", role);
        let boxed = dst.layout().name == LayoutName::Nz && dst.ty.fractal == 512;
        check.require(&LAYOUT, role, dst.location() == Location::Vec && boxed, |check| {
            place_text(check, role)
        });
        let compact = COMPACT_MODES.of(check.profile()).contains(&dst.ty.compact);
        check.require(&COMPACT, role, compact, |check| {
            format!("{} has compact={}", check.name(role), dst.ty.compact as u32)
        });
        transfer::window_at(check, &WINDOW, "src", offsets, [dst.rows, dst.cols], [src.ty.rows, src.ty.cols]);
    }
    check_reserved(check);
}

fn place_text(check: &Check<'_>, role: &str) -> String {
    let tile = check.tile(role);
    let (location, layout) = (tile.location().word(), tile.layout().name.word());
    format!("{} is a {location} tile, {layout}, with fractal={}", check.name(role), tile.ty.fractal)
}

fn check_type(check: &mut Check<'_>, element: Element) {
    let list = FORMATS.of(check.profile());
    transfer::copied_type(check, &TYPES, element, list);
}

/// Whether the device copies a window of `rows` x `cols` elements from column `col` through the workspace in UB.
fn widens(element: Element, rows: u32, cols: u32, col: u64) -> bool {
    element.bits() == 8
        && cols % 2 == 1
        && (rows, cols) != (1, 1)
        && col.is_multiple_of(u64::from(c0(element)))
}

/// Whether a tile has a known address and overlaps the workspace in UB.
fn is_in_scratch(tile: &TileFact) -> bool {
    tile.address.is_some_and(|start| {
        start < TMP_WINDOW.end && start.saturating_add(tile.ty.bytes() as u64) > TMP_WINDOW.start
    })
}

/// Adds the effects that depend on offsets, as far as they are known: the workspace in UB, and the flags of the
/// scalar unit, which moves single elements and windows that are not aligned to 32 bytes.
pub(super) fn effects(site: &Site<'_>, mut effects: Vec<Effect>) -> Vec<Effect> {
    let known = |(role, [_, col]): &(&str, [&str; 2])| {
        let dst = site.tile(role)?;
        let col = u64::try_from(site.scalar(col).and_then(|(_, value)| value)?).ok()?;
        Some((dst.element(), dst.rows.zip(dst.cols)?, col))
    };
    let windows: Vec<_> = WINDOWS.iter().filter_map(known).collect();
    if windows.iter().any(|(element, (rows, cols), col)| widens(*element, *rows, *cols, *col)) {
        effects.push(Effect::uses_window());
    }
    if windows.iter().any(|(element, size, col)| by_scalars(*element, *size, *col)) {
        effects.push(Effect::uses_flags());
    }
    effects
}

/// Whether A2/A3 moves a window element by element (`include/pto/npu/a2a3/TExtract.hpp`).
fn by_scalars(element: Element, size: (u32, u32), col: u64) -> bool {
    size == (1, 1) || !col.is_multiple_of(u64::from(c0(element)))
}

fn check_reserved(check: &mut Check<'_>) {
    let taken = |(role, [_, col]): &(&str, [&str; 2])| {
        let (dst, col) = (check.tile(role), check.site.scalar(col).and_then(|(_, value)| value));
        let known = dst.rows.zip(dst.cols).zip(col.and_then(|col| u64::try_from(col).ok()));
        known.is_some_and(|((rows, cols), col)| widens(dst.element(), rows, cols, col))
    };
    let Some((odd, _)) = WINDOWS.into_iter().find(taken) else { return };
    for role in ["src", "dst0", "dst1"] {
        let tile = check.tile(role);
        check.require(&RESERVED, role, !is_in_scratch(tile), |check| {
            let cols = check.tile(odd).cols.unwrap_or(0);
            format!(
                "{} reaches into the window, and {} has {cols} valid columns",
                check.name(role),
                check.name(odd)
            )
        });
    }
}

/// One of the two destinations and its window.
#[derive(Clone, Copy)]
#[cfg(feature = "run")]
struct Target {
    dst: Tile,
    row: usize,
    col: usize,
}

/// Both extractions, ready to run; offsets are slots of scalars.
#[cfg(feature = "run")]
struct TwoExtracts {
    src: Tile,
    targets: [Target; 2],
    /// Whether one of the tiles overlaps the device's workspace in UB.
    in_scratch: bool,
}

#[cfg(feature = "run")]
impl TwoExtracts {
    fn of(prepare: &Prepare<'_>) -> Result<TwoExtracts, String> {
        let target = |(role, [row, col]): (&str, [&str; 2])| -> Result<Target, String> {
            Ok(Target { dst: prepare.tile(role)?, row: prepare.scalar(row)?.0, col: prepare.scalar(col)?.0 })
        };
        let src = prepare.tile("src")?;
        let scratch = |role: &str| prepare.site.tile(role).is_some_and(is_in_scratch);
        let in_scratch = prepare.profile().uses_ub_window && ["src", "dst0", "dst1"].into_iter().any(scratch);
        let targets = [target(WINDOWS[0])?, target(WINDOWS[1])?];
        Ok(TwoExtracts { src, targets, in_scratch })
    }

    /// The start of a window, and its rows and columns, if it is inside the source.
    fn extent(&self, state: &State<'_>, target: &Target) -> Result<(Position, usize, usize), Fault> {
        let live = state.live(&target.dst);
        let (rows, cols) = (live.rows as usize, live.cols as usize);
        let inside = |offset: u64, count: usize, limit: usize| {
            let start = usize::try_from(offset).ok()?;
            start.checked_add(count).filter(|end| *end <= limit).map(|_| start)
        };
        let row = inside(state.scalars[target.row], rows, self.src.rows()).ok_or(Fault::Rule)?;
        let col = inside(state.scalars[target.col], cols, self.src.cols()).ok_or(Fault::Rule)?;
        // The checker reports overlaps with the workspace; a column that is not constant is known only at run
        // time.
        let widens = self.in_scratch && widens(target.dst.ty.element, live.rows, live.cols, col as u64);
        if widens {
            return Err(Fault::Rule);
        }
        Ok((Position { row, col }, rows, cols))
    }

    fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let [first, second] = &self.targets;
        let extents = [self.extent(state, first)?, self.extent(state, second)?];
        let [from] = state.apart([&first.dst, &second.dst], [&self.src]);
        for (target, (window, rows, cols)) in self.targets.iter().zip(extents) {
            let to = SubTile::new(&target.dst, state.live(&target.dst).address, Position::default());
            copy_subtile(state.memory, &to, &SubTile::new(&self.src, from, window), rows, cols);
        }
        Ok(())
    }
}

/// The formula.
#[cfg(feature = "run")]
pub(super) fn by_formula(reference: &mut Reference<'_>) -> Result<(), Fault> {
    let operands = TwoExtracts::of(reference.prepare()).map_err(Fault::Other)?;
    let [first, second] = &operands.targets;
    let extents = [operands.extent(reference.state(), first)?, operands.extent(reference.state(), second)?];
    for (target, (window, rows, cols)) in operands.targets.iter().zip(extents) {
        for i in 0..rows {
            for j in 0..cols {
                let value = reference.get(&operands.src, window.row + i, window.col + j);
                reference.set(&target.dst, i, j, value);
            }
        }
    }
    Ok(())
}

/// The instruction, ready to run.
#[cfg(feature = "run")]
pub(super) fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let operands = TwoExtracts::of(prepare)?;
    Ok(Box::new(move |state: &mut State<'_>| operands.run(state)))
}
