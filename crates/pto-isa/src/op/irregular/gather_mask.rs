//! TGATHER by a mask pattern.

use super::gather_index::whole_rows;
use super::index::at_least;
use super::pattern::{Axis, required};
use super::tgather::{ELEMENT, SOURCE};
use crate::diag::Severity;
use crate::element::Element::{Bf16, E4M3, E5M2, F16, F32, HiF8, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::element::{Element, element_word};
use crate::op::common::{Types, agree, element_type, valid_regions, vec_row_major};
use crate::op::site::Check;
use crate::profile::{A5_ONLY, Profile};
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    super::pattern::Pattern,
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
.because("Without a pattern or indices the selected elements are undefined.")
.instead("Write `maskPattern`, such as P0101, or pass an index tile.");
const EXTENT: Rule = Rule::new(
    "mask-extent",
    "Along rows the destination declares columns for all selected elements; down columns it has the selected rows and the \
     source's columns.",
    "docs/isa/tile/ops/irregular-and-complex/tgather.md; include/pto/npu/a2a3/TGather.hpp; include/pto/cpu/TGather.hpp",
)
.because("Selected elements beyond the destination would overwrite other tiles.")
.instead("Make the destination large enough for the selected rows and columns.");

/// Rules of the form by mask pattern only.
pub(super) const RULES: &[&Rule] = &[&PATTERN, &EXTENT];

const WIDE: &[Element] = &[I16, U16, I32, U32, F16, Bf16, F32];
const TYPES: Types = Types {
    a2a3: WIDE,
    a5: &[I8, U8, I16, U16, I32, U32, F16, Bf16, F32, E4M3, E5M2, HiF8],
    a2a3_header: &[],
    a5_header: &[I64, U64],
};

/// Profiles whose device tests use shorter rows, which the header does not reject.
const SHORT_ROWS: &[Profile] = A5_ONLY;

/// Checks the form by mask pattern.
pub(super) fn check(check: &mut Check<'_>) {
    for role in ["src", "dst"] {
        vec_row_major(check, role);
        element_type(check, role, &TYPES, &|element| !element.is_packed());
    }
    let (src, dst) = (check.tile("src"), check.tile("dst"));
    check.require(&ELEMENT, "dst", src.element().bits() == dst.element().bits(), |check| {
        let (from, to) = (element_word(src.element()), element_word(dst.element()));
        format!("{} holds {from}, {} {to}, of another size", check.name("src"), check.name("dst"))
    });
    let Some((pattern, axis)) = required(check, &PATTERN, "src") else { return };
    let fits = match axis {
        Axis::Row => {
            let weight =
                if SHORT_ROWS.contains(&check.profile()) { Severity::Extension } else { Severity::Error };
            whole_rows(check, "dst", weight);
            let width = u64::from(dst.ty.cols);
            let room = dst.rows.map(|rows| u64::from(rows) * width);
            let along = pattern.count_of(src.cols);
            let need = src.rows.zip(along).map(|(rows, along)| match rows {
                0 => 0,
                // A row of 64-bit elements begins at a row of the destination.
                _ if dst.element().bits() == 64 => u64::from(rows - 1) * width + along,
                _ => u64::from(rows) * along,
            });
            need.zip(room).is_none_or(|(need, room)| need <= room)
        }
        Axis::Col => {
            let rows = pattern.count_of(src.rows).map(|rows| rows as u32);
            agree(rows, dst.rows) && agree(src.cols, dst.cols) && at_least(src.cols, dst.cols)
        }
    };
    check.require(&EXTENT, "dst", fits, |check| valid_regions(check, "src", "dst"));
}

/// The operands of the form by mask pattern.
#[cfg(feature = "run")]
struct Select {
    dst: Tile,
    src: Tile,
    pattern: Pattern,
    axis: Axis,
    profile: Profile,
}

/// Elements of the destination from the results of one row to those of the next; `None` if they are contiguous. Elements
/// of 64 bits begin at a row of the destination, on A5 at the share of it that the pattern selects
/// (`include/pto/npu/a5/TGather.hpp`, Int64GatherPattern).
#[cfg(feature = "run")]
fn row_pitch(dst: &Tile, pattern: Pattern, profile: Profile) -> Option<usize> {
    let share = if A5_ONLY.contains(&profile) { pattern.group } else { 1 };
    (dst.ty.element.bits() == 64).then_some(dst.cols() / share)
}

#[cfg(feature = "run")]
impl Select {
    fn of(prepare: &Prepare<'_>) -> Result<Select, String> {
        let (pattern, axis) = (Pattern::of(prepare.site), Axis::of(prepare.site));
        let (pattern, axis) = pattern.zip(axis).ok_or("there is no mask pattern")?;
        let profile = prepare.profile();
        Ok(Select { dst: prepare.tile("dst")?, src: prepare.tile("src")?, pattern, axis, profile })
    }

    /// Positions in source and destination of each selected element, for a valid region of `rows` x `cols`.
    fn moves(&self, rows: usize, cols: usize) -> impl Iterator<Item = [(usize, usize); 2]> + use<> {
        let (pattern, axis, width) = (self.pattern, self.axis, self.dst.cols());
        let pitch = row_pitch(&self.dst, pattern, self.profile);
        let (down, along) = match axis {
            Axis::Row => (rows, pattern.count(cols)),
            Axis::Col => (pattern.count(rows), cols),
        };
        (0..down * along).map(move |number| {
            let (i, j) = (number / along, number % along);
            match axis {
                Axis::Row => {
                    // Selected elements fill the destination row by row, contiguously.
                    let to = pitch.map_or(number, |pitch| i * pitch + j);
                    [(i, pattern.place(j)), (to / width, to % width)]
                }
                Axis::Col => [(pattern.place(i), j), (i, j)],
            }
        })
    }

    fn run(&self, state: &mut State<'_>) {
        let Select { dst, src, .. } = self;
        let (source, address) = (state.live(src), state.live(dst).address);
        let [from] = state.apart([dst], [src]);
        for [(row, col), (i, j)] in self.moves(source.rows as usize, source.cols as usize) {
            let value = get_element(state.memory, from, src.layout.offset(row, col), src.ty.element);
            set_element(state.memory, address, dst.layout.offset(i, j), dst.ty.element, value);
        }
    }
}

/// The formula.
#[cfg(feature = "run")]
pub(super) fn by_formula(reference: &mut Reference<'_>) -> Result<(), Fault> {
    let Select { dst, src, pattern, axis, profile } =
        Select::of(reference.prepare()).map_err(Fault::Other)?;
    let pitch = row_pitch(&dst, pattern, profile);
    let Size { rows, cols } = reference.valid(&src);
    let selects = |place: usize| place % pattern.group == pattern.lane;
    let mut count = 0;
    for i in 0..rows {
        count = pitch.map_or(count, |pitch| i * pitch);
        for j in 0..cols {
            let value = reference.get(&src, i, j);
            match axis {
                Axis::Row if selects(j) => {
                    reference.set(&dst, count / dst.cols(), count % dst.cols(), value);
                    count += 1;
                }
                Axis::Col if selects(i) => reference.set(&dst, i / pattern.group, j, value),
                _ => {}
            }
        }
    }
    Ok(())
}

/// The form, ready to run.
#[cfg(feature = "run")]
pub(super) fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let select = Select::of(prepare)?;
    Ok(Box::new(move |state: &mut State<'_>| {
        select.run(state);
        Ok(())
    }))
}
