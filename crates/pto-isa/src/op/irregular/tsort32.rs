//! TSORT32: sorts blocks of 32 values with their indices into pairs.

use super::shared::{ROWS, Types, holds, rows};
use crate::diag::Severity;
use crate::element::Element::{Bf16, F16, F32, I16, I32, U32};
use crate::element::element_word;
use crate::op::common::{VEC, agree, valid_regions};
use crate::op::cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A5_ONLY, NPU, Profile};
use crate::rule::{ERROR_OR_NPU_EXTENSION, Rule};
use pto_num::sizes::{BLOCK, PAIR};
#[cfg(feature = "run")]
use {
    super::shared::byte_of,
    crate::element::Element,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::sort::blocks,
};

const SOURCE: &str = "docs/isa/TSORT32.md";

const ELEMENT: Rule =
    Rule::new("element-type", "Values are f16 or f32; the simulator also has bf16, i16 and i32.", SOURCE)
        .because("The sort unit compares values of these formats.")
        .instead("Convert the values with TCVT.");
const SAME_TYPE: Rule = Rule::new("same-type", "Values and pairs have one element type.", SOURCE)
    .because("A pair stores the value in its own format.")
    .instead("Declare destination and source with one element type.");
const INDEX_TYPE: Rule = Rule::new("index-type", "Indices are ui32.", SOURCE)
    .because("A pair stores the index as a word of 32 bits.")
    .instead("Declare the index tile as ui32.");
const INDEX_SHAPE: Rule = Rule::new(
    "index-region",
    "There is an index for each value, or one row of indices for all rows of values; further indices are not read.",
    "docs/isa/TSORT32.md, Tile Sizes & Data Types",
)
.because("A value without an index would be paired with undefined bytes.")
.instead("Give the index tile at least the source's valid columns, in one row or in every row.");
const ROOM: Rule = Rule::new(
    "room",
    "The destination has a valid row for each row of values, and declares 8 bytes for each value of a row.",
    "docs/isa/TSORT32.md, dst expansion factor",
)
.because("Each pair takes 8 bytes; pairs beyond the destination overwrite other tiles.")
.instead("Declare the destination with 8 bytes for each value of a row.");
const BLOCKS: Rule = Rule::new(
    "whole-blocks",
    "Without a workspace the values of a row are a multiple of 32.",
    "docs/isa/TSORT32.md, Constraints",
)
.because("The sort unit takes 32 values at a time and would include undefined ones.")
.instead("Pass a workspace, or pad the row to a multiple of 32 values.")
.only(NPU);
const TMP: Rule = Rule::new(
    "workspace",
    "The workspace has room for a row of values, rounded up to 32 values; for more than 8160 values (on A5, bytes) 32 values \
     suffice. Its elements have the type of the values; the headers take other types.",
    "docs/isa/TSORT32.md, tmp size equation",
)
.because("The device pads the row in the workspace and overruns a smaller tile.")
.instead("Declare a workspace of the size and type that the message names.")
.weighing(ERROR_OR_NPU_EXTENSION)
.only(NPU);

const VALUES: Types = Types { a2a3: &[F16, F32], a5: &[F16, F32], cpu: &[F16, F32, Bf16, I16, I32] };

/// The instruction TSORT32.
pub(super) struct Tsort32 {
    page: Page,
}

pub(super) static TSORT32: Tsort32 = Tsort32 {
    page: Page {
        name: "tsort32",
        aliases: &[],
        set: Set::Irregular,
        summary: "Sorts each block of 32 values of a row, the greatest first, together with their indices.",
        formula: "block b of the pairs in dst[i] = the pairs (src[i, 32 b + k], idx[i, 32 b + k]), sorted by descending value, \
                  then by index; a pair takes 8 bytes: the value, zeros, the index; NaN comes last",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: Tile, idx: Tile) outs(dst: Tile)),
            form!(ins(src: Tile, idx: Tile, tmp: Tile) outs(dst: Tile)),
        ]),
        attributes: &[],
        rules: &[&VEC, &ROWS, &ELEMENT, &SAME_TYPE, &INDEX_TYPE, &INDEX_SHAPE, &ROOM, &BLOCKS, &TMP],
        cost: cost::SORT,
        effects: &[
            Effect::reads("src"),
            // A larger tile of indices has more than is needed.
            Effect::reads("idx").of(Extent::Rect(Count::SharedRows("src"), Count::Cols("src"))),
            Effect::destroys("tmp"),
            Effect::writes("dst"),
        ],
        pictures: super::sort_pictures::TSORT32,
        origin: Some(Origin::WRITTEN),
    },
};

/// Elements per pair.
#[cfg(feature = "run")]
fn slots(element: Element) -> usize {
    PAIR / element.bytes(1)
}

/// Profiles that compare a row in bytes, not elements, to decide whether the workspace is one block.
const BY_BYTES: &[Profile] = A5_ONLY;

fn check_regions(check: &mut Check<'_>) {
    let (src, idx, dst) = (check.tile("src"), check.tile("idx"), check.tile("dst"));
    let enough =
        |has: Option<u32>, needs: Option<u32>| has.zip(needs).is_none_or(|(has, needs)| has >= needs);
    let fits = (idx.rows == Some(1) || enough(idx.rows, src.rows)) && enough(idx.cols, src.cols);
    check.require(&INDEX_SHAPE, "idx", fits, |check| valid_regions(check, "idx", "src"));
    let (bytes, have) =
        (src.cols.map(|cols| cols as usize * PAIR), dst.element().bytes(dst.ty.cols as usize));
    let room = agree(src.rows, dst.rows) && bytes.is_none_or(|bytes| bytes <= have);
    check.require(&ROOM, "dst", room, |check| {
        let regions = valid_regions(check, "src", "dst");
        format!("{regions}, and a declared row of {} takes {have} bytes", check.name("dst"))
    });
    let Some(tmp) = check.site.tile("tmp") else {
        let whole = src.cols.is_none_or(|cols| (cols as usize).is_multiple_of(BLOCK));
        check.require(&BLOCKS, "src", whole, |check| {
            format!("{} has {} valid elements and there is no workspace", check.name("src"), src.valid_text())
        });
        return;
    };
    let Some(cols) = src.cols else { return };
    let weight =
        if BY_BYTES.contains(&check.profile()) { src.element().bytes(cols as usize) } else { cols as usize };
    let need = if weight <= 255 * BLOCK { (cols as usize).next_multiple_of(BLOCK) } else { BLOCK };
    let (have, bytes, word) = (tmp.ty.bytes(), src.element().bytes(need), element_word(src.element()));
    let large = check.require(&TMP, "tmp", have >= bytes, |check| {
        format!("{} has {have} bytes, and {need} elements of {word} take {bytes}", check.name("tmp"))
    });
    let other = element_word(tmp.element());
    check.judge(Severity::Extension, &TMP, "tmp", !large || tmp.element() == src.element(), |check| {
        format!("{} holds {other}: the headers take it as bytes, the page names {word}", check.name("tmp"))
    });
}

impl Instruction for Tsort32 {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn check(&self, check: &mut Check<'_>) {
        for role in ["src", "idx", "dst"] {
            rows(check, role);
        }
        holds(check, &ELEMENT, "src", VALUES.of(check.profile()));
        let (src, dst) = (check.tile("src").element(), check.tile("dst").element());
        check.require(&SAME_TYPE, "dst", src == dst, |check| {
            let (a, b) = (element_word(src), element_word(dst));
            format!("{} holds {a}, {} {b}", check.name("src"), check.name("dst"))
        });
        holds(check, &INDEX_TYPE, "idx", &[U32]);
        check_regions(check);
    }
}

#[cfg(feature = "run")]
impl Compute for Tsort32 {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (src, idx, dst) = (reference.tile("src"), reference.tile("idx"), reference.tile("dst"));
        let element = src.ty.element;
        let (Size { rows, cols }, index_rows) = (reference.valid(&src), reference.valid(&idx).rows);
        for i in 0..rows {
            for start in (0..cols).step_by(BLOCK) {
                let from = if index_rows == 1 { 0 } else { i };
                let pair = |j| (reference.get(&src, i, j), reference.get(&idx, from, j));
                let mut pairs: Vec<_> = (start..cols.min(start + BLOCK)).map(pair).collect();
                pairs.sort_by(|a, b| {
                    let (x, y) = (element.decode(a.0), element.decode(b.0));
                    let numbers = y.partial_cmp(&x).unwrap_or(x.is_nan().cmp(&y.is_nan()));
                    numbers.then(a.1.cmp(&b.1))
                });
                for (place, (value, index)) in pairs.into_iter().enumerate() {
                    let pair = value | index << 32;
                    for slot in 0..slots(element) {
                        let part = pair >> (slot as u32 * element.bits());
                        reference.set(&dst, i, (start + place) * slots(element) + slot, part);
                    }
                }
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (src, idx, dst) = (prepare.tile("src")?, prepare.tile("idx")?, prepare.tile("dst")?);
        let (element, sort) = (src.ty.element, blocks());
        Ok(Box::new(move |state: &mut State<'_>| {
            let (live, one) = (state.live(&src), state.live(&idx).rows == 1);
            let cols = live.cols as usize;
            let to = state.live(&dst).address;
            let [values, indices] = state.apart([&dst], [&src, &idx]);
            for i in 0..live.rows as usize {
                let [out, value] = [byte_of(&dst, to, i, 0), byte_of(&src, values, i, 0)];
                let index = byte_of(&idx, indices, if one { 0 } else { i }, 0);
                sort(state.memory, element, cols, out, value, index);
            }
            Ok(())
        }))
    }
}
