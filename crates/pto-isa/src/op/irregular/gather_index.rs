//! TGATHER by indices.

use super::index::{covers, is_index, is_word};
use super::tgather::SOURCE;
use crate::diag::Severity;
use crate::element::Element::{Bf16, E4M3, E5M2, F16, F32, HiF8, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::element::element_word;
use crate::op::common::{Types, agree, element_type, same_type, valid_regions, vec, vec_row_major};
use crate::op::site::{Check, TileFact};
use crate::profile::{A2A3_ONLY, A5_ONLY, CPU_AND_A5, Profile};
use crate::rule::{ERROR_OR_EXTENSION, Rule};
#[cfg(feature = "run")]
use {
    super::index::{Indexed, in_rows},
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::layout::LayoutName,
    crate::matrix::{Position, Size},
    pto_kernels::gather_words,
    pto_num::{Indices, get_element, get_elements, set_elements},
};

const INDEX_TYPE: Rule = Rule::new(
    "index-type",
    "Indices are integers of 32 bits, on A5 also of 16 bits for elements of up to 4 bytes.",
    SOURCE,
)
.because("The device reads each index as a word of this size.")
.instead("Declare the index tile with a 32-bit integer type, or convert it with TCVT.");
const INDEX_SHAPE: Rule = Rule::new(
    "index-shape",
    "The index tile has a valid element for each valid element of the destination.",
    SOURCE,
)
.because("A destination element without an index has no source.")
.instead("Give the index tile the destination's valid region.");
const INDEX_RANGE: Rule = Rule::new(
    "index-range",
    "An index names an element of the source; beyond the source devices read undefined elements.",
    SOURCE,
)
.because("A device checks no bounds and reads bytes of other tiles.")
.instead("Clamp the indices to the source, for instance with TMINS and TMAXS.");
/// A rule of the forms by index and by mask pattern.
pub(super) const CONTINUOUS: Rule = Rule::new(
    "continuous",
    "All declared columns of a destination with several rows are valid; on A5, also those of the index tile.",
    SOURCE,
)
.because("The device counts elements without gaps, so a partial row shifts all later rows.")
.instead("Declare the tile with as many columns as are valid.")
.weighing(ERROR_OR_EXTENSION);
const TMP: Rule = Rule::new(
    "tmp",
    "On A2/A3 there is a workspace with the element type and the valid region of the indices.",
    "docs/isa/tile/ops/irregular-and-complex/tgather.md, Temporary tile",
)
.because("The device keeps intermediate indices there.")
.instead("Pass a workspace with the type and valid region of the index tile.")
.only(A2A3_ONLY);

/// Rules of the form by index, including the ones shared with the form by mask pattern.
pub(super) const RULES: &[&Rule] = &[&INDEX_TYPE, &INDEX_SHAPE, &INDEX_RANGE, &CONTINUOUS, &TMP];

/// Element types by profile. The header of A5 accepts elements of any size.
pub(super) const TYPES: Types = Types {
    a2a3: &[I16, U16, I32, U32, F16, Bf16, F32],
    a5: &[I16, U16, I32, U32, F16, F32],
    a2a3_header: &[],
    a5_header: &[I8, U8, Bf16, I64, U64, E4M3, E5M2, HiF8],
};

/// Profiles that accept 16-bit indices.
const NARROW_INDICES: &[Profile] = CPU_AND_A5;
/// Profiles whose page requires whole rows of indices.
const WHOLE_INDICES: &[Profile] = A5_ONLY;

/// Checks the form by index.
pub(super) fn check(check: &mut Check<'_>) {
    same_type(check, "src", "dst");
    for role in ["src", "idx", "dst"] {
        vec_row_major(check, role);
    }
    element_type(check, "dst", &TYPES, &|element| !element.is_packed());
    let (dst, idx) = (check.tile("dst"), check.tile("idx"));
    let element = idx.element();
    let narrow = NARROW_INDICES.contains(&check.profile()) && is_index(element) && dst.element().bits() <= 32;
    check.require(&INDEX_TYPE, "idx", narrow || is_word(element), |check| {
        format!("{} holds {} on {}", check.name("idx"), element_word(element), check.profile().word())
    });
    covers(check, &INDEX_SHAPE, "idx", "dst");
    // The page requires whole rows, the headers do not.
    whole_rows(check, "dst", Severity::Extension);
    if WHOLE_INDICES.contains(&check.profile()) {
        whole_rows(check, "idx", Severity::Extension);
    }
    workspace(check, idx);
}

/// Checks that all columns of a tile are valid.
pub(super) fn whole_rows(check: &mut Check<'_>, role: &str, severity: Severity) {
    let tile = check.tile(role);
    // A single row has no next one that a partial row could shift.
    let single = tile.rows.is_none_or(|rows| rows <= 1);
    let whole = single
        || agree(tile.cols, Some(tile.ty.cols))
        || !check.profile().is_device() && severity != Severity::Error;
    check.judge(severity, &CONTINUOUS, role, whole, |check| {
        format!("{} has {} valid elements of {} columns", check.name(role), tile.valid_text(), tile.ty.cols)
    });
}

fn workspace(check: &mut Check<'_>, idx: &TileFact) {
    let Some(tmp) = check.site.tile("tmp") else {
        check.require(&TMP, "idx", false, |check| {
            format!("there is no workspace: give one like {} as the third operand", check.name("idx"))
        });
        return;
    };
    vec(check, "tmp");
    let valid = agree(tmp.rows, idx.rows) && agree(tmp.cols, idx.cols);
    let declared = agree(Some(tmp.ty.rows), idx.rows) && agree(Some(tmp.ty.cols), idx.cols);
    check.require(&TMP, "tmp", valid || declared, |check| valid_regions(check, "tmp", "idx"));
    check.require(&TMP, "tmp", tmp.element() == idx.element(), |check| {
        let (have, want) = (element_word(tmp.element()), element_word(idx.element()));
        format!("{} holds {have}, but {} holds {want}", check.name("tmp"), check.name("idx"))
    });
}

/// Elements of a contiguous row that are gathered before they are written.
const CHUNK: usize = 64;

/// The operands of the form by index.
#[cfg(feature = "run")]
struct Gather(Indexed);

#[cfg(feature = "run")]
impl Gather {
    fn of(prepare: &Prepare<'_>) -> Result<Gather, String> {
        Indexed::of(prepare, "src").map(Gather)
    }

    /// The element of the source that the index at a position selects.
    fn source(&self, bits: u64, at: Position) -> Result<Position, Fault> {
        self.0.named(&INDEX_RANGE, &self.0.src, in_rows, bits, at)
    }

    fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let Indexed { dst, src, idx, .. } = &self.0;
        let [from, table] = state.apart([dst], [src, idx]);
        let live = state.live(dst);
        let (element, cols) = (dst.ty.element, live.cols as usize);
        let by_rows = |tile: &Tile| tile.layout.name == LayoutName::Nd;
        let places = if by_rows(src) { self.0.places(src) } else { 0 };
        let chunk = if by_rows(idx) && by_rows(dst) { CHUNK } else { 1 };
        let words = chunk == CHUNK && element.bits() == 32 && idx.ty.element.bits() == 32;
        let (mut indices, mut values) = ([0; CHUNK], [0; CHUNK]);
        for i in 0..live.rows as usize {
            let mut done = 0;
            if words {
                let [to, numbers] = [(live.address, dst), (table, idx)]
                    .map(|(base, tile)| base + tile.layout.offset(i, 0) * 4);
                done = gather_words(state.memory, to, from, numbers, cols, places as usize);
            }
            for start in (done..cols).step_by(chunk) {
                let count = chunk.min(cols - start);
                let (indices, values) = (&mut indices[..count], &mut values[..count]);
                get_elements(
                    state.memory,
                    table,
                    Indices { first: idx.layout.offset(i, start), step: 1 },
                    idx.ty.element,
                    indices,
                );
                for (j, (bits, value)) in indices.iter().zip(values.iter_mut()).enumerate() {
                    let place = if *bits < places {
                        *bits as usize
                    } else {
                        let at = self.source(*bits, Position { row: i, col: start + j })?;
                        src.layout.offset(at.row, at.col)
                    };
                    *value = get_element(state.memory, from, place, element);
                }
                let at = dst.layout.offset(i, start);
                set_elements(state.memory, live.address, Indices { first: at, step: 1 }, element, values);
            }
        }
        Ok(())
    }
}

/// The formula.
#[cfg(feature = "run")]
pub(super) fn by_formula(reference: &mut Reference<'_>) -> Result<(), Fault> {
    let gather = Gather::of(reference.prepare()).map_err(Fault::Other)?;
    let Indexed { dst, src, idx, .. } = &gather.0;
    let Size { rows, cols } = reference.valid(dst);
    for i in 0..rows {
        for j in 0..cols {
            let bits = reference.get(idx, i, j);
            let from = gather.source(bits, Position { row: i, col: j })?;
            let value = reference.get(src, from.row, from.col);
            reference.set(dst, i, j, value);
        }
    }
    Ok(())
}

/// The form, ready to run.
#[cfg(feature = "run")]
pub(super) fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let gather = Gather::of(prepare)?;
    Ok(Box::new(move |state: &mut State<'_>| gather.run(state)))
}
