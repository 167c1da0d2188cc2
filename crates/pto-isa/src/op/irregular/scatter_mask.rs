//! TSCATTER by a mask pattern.

use super::pattern::{Axis, Pattern, required};
use super::tscatter::SOURCE;
use crate::diag::Severity;
use crate::op::common::{agree, valid_regions};
use crate::op::site::{Check, Site};
use crate::profile::{A5_ONLY, NPU, Profile};
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    super::index::clear,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::matrix::Size,
    pto_num::{get_element, set_element},
};

const PATTERN: Rule = Rule::new(
    "mask-pattern",
    "Without indices there is a mask pattern, along rows or, with `axis`, down columns.",
    SOURCE,
)
.because("Without a pattern or indices the positions of the elements are undefined.")
.instead("Write `maskPattern`, such as P0101, or pass an index tile.");
const EXTENT: Rule = Rule::new(
    "mask-extent",
    "The destination is N times as wide (or high) as the source, for a pattern with groups of N elements; in the simulator \
     the pattern selects as many elements as the source has.",
    "docs/isa/tile/ops/irregular-and-complex/tscatter.md; include/pto/cpu/TScatter.hpp",
)
.because("Elements beyond the destination would overwrite other tiles.")
.instead("Multiply the source's extent by the length of the pattern's group.");
const WHOLE: Rule = Rule::new("mask-whole", "All declared elements of the destination are valid.", SOURCE)
    .because(
        "The device clears the whole declared shape, so elements outside of the valid region change too.",
    )
    .instead("Make the valid region as large as the declared shape.")
    .lint();
const FORM: Rule = Rule::new(
    "mask-form",
    "The page has mask patterns on A5 and along rows; the headers have them on both devices, down columns too.",
    "docs/isa/tile/ops/irregular-and-complex/tscatter.md; include/pto/npu/{a2a3,a5}/TScatter.hpp",
)
.because("Page and headers disagree, so another version of the headers may refuse the form.")
.instead("Use the form with indices, or a pattern along rows on A5.")
.extension()
.only(NPU);

/// Rules of the form by mask pattern.
pub(super) const RULES: &[&Rule] = &[&PATTERN, &EXTENT, &WHOLE, &FORM];

/// Whether the pattern of a use selects every element.
pub(super) fn moves_all(site: &Site<'_>) -> bool {
    Pattern::of(site) == Some(Pattern::ALL)
}

/// Profiles whose header has the row form, although the page does not name it for them.
const UNNAMED_ROWS: &[Profile] = A5_ONLY;

/// Checks the form by mask pattern.
pub(super) fn check(check: &mut Check<'_>) {
    let Some((pattern, axis)) = required(check, &PATTERN, "src") else { return };
    let named = UNNAMED_ROWS.contains(&check.profile()) && axis == Axis::Row;
    check.judge(Severity::Extension, &FORM, "src", named, |check| {
        format!("the page does not name this form for {}, the header has it", check.profile().word())
    });
    let (src, dst) = (check.tile("src"), check.tile("dst"));
    let (same, spread) = match axis {
        Axis::Row => (agree(src.rows, dst.rows), (src.cols, dst.cols)),
        Axis::Col => (agree(src.cols, dst.cols), (src.rows, dst.rows)),
    };
    let fits = match spread {
        (None, _) | (_, None) => true,
        (Some(from), to) if !check.profile().is_device() => pattern.count_of(to) == Some(u64::from(from)),
        (Some(from), Some(to)) => u64::from(from) * pattern.group as u64 == u64::from(to),
    };
    check.require(&EXTENT, "dst", same && fits, |check| valid_regions(check, "src", "dst"));
    let whole = agree(dst.rows, Some(dst.ty.rows)) && agree(dst.cols, Some(dst.ty.cols));
    let zeros = pattern != Pattern::ALL && !whole;
    check.judge(Severity::Lint, &WHOLE, "dst", !zeros, |check| {
        let (rows, cols) = (dst.ty.rows, dst.ty.cols);
        format!("{} has {} valid elements of {rows}x{cols}", check.name("dst"), dst.valid_text())
    });
}

/// The operands of the form by mask pattern.
#[cfg(feature = "run")]
struct Spread {
    dst: Tile,
    src: Tile,
    pattern: Pattern,
    axis: Axis,
}

#[cfg(feature = "run")]
impl Spread {
    fn of(prepare: &Prepare<'_>) -> Result<Spread, String> {
        let (pattern, axis) = (Pattern::of(prepare.site), Axis::of(prepare.site));
        let (pattern, axis) = pattern.zip(axis).ok_or("there is no mask pattern")?;
        Ok(Spread { dst: prepare.tile("dst")?, src: prepare.tile("src")?, pattern, axis })
    }

    /// Row and column in the destination of an element of the source.
    fn target(&self, i: usize, j: usize) -> (usize, usize) {
        match self.axis {
            Axis::Row => (i, self.pattern.place(j)),
            Axis::Col => (self.pattern.place(i), j),
        }
    }

    fn run(&self, state: &mut State<'_>) {
        let Spread { dst, src, .. } = self;
        let (source, address) = (state.live(src), state.live(dst).address);
        let [from] = state.apart([dst], [src]);
        if self.pattern != Pattern::ALL {
            clear(state, dst);
        }
        for i in 0..source.rows as usize {
            for j in 0..source.cols as usize {
                let value = get_element(state.memory, from, src.layout.offset(i, j), src.ty.element);
                let (row, col) = self.target(i, j);
                set_element(state.memory, address, dst.layout.offset(row, col), dst.ty.element, value);
            }
        }
    }
}

/// The formula.
#[cfg(feature = "run")]
pub(super) fn by_formula(reference: &mut Reference<'_>) -> Result<(), Fault> {
    let spread = Spread::of(reference.prepare()).map_err(Fault::Other)?;
    let Spread { dst, src, pattern, .. } = &spread;
    if *pattern != Pattern::ALL {
        for i in 0..dst.rows() {
            for j in 0..dst.cols() {
                reference.set(dst, i, j, 0);
            }
        }
    }
    let Size { rows, cols } = reference.valid(src);
    for i in 0..rows {
        for j in 0..cols {
            let value = reference.get(src, i, j);
            let (row, col) = spread.target(i, j);
            reference.set(dst, row, col, value);
        }
    }
    Ok(())
}

/// The form, ready to run.
#[cfg(feature = "run")]
pub(super) fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let spread = Spread::of(prepare)?;
    Ok(Box::new(move |state: &mut State<'_>| {
        spread.run(state);
        Ok(())
    }))
}
