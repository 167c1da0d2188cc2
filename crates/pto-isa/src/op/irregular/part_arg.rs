//! Extremes of tiles of different valid regions, together with their indices.

use super::made_pictures;
use super::part::{REGIONS, UNCOVERED, check_regions};
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::op::common::{
    self, ROW_MAJOR, SAME_TYPE, Types, VEC, agree, element_type, same_type, valid_regions, vec_row_major,
};
use crate::op::cost;
use crate::op::effect::Effect;
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::picture::Picture;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, Profile};
use crate::rule::{ERROR_OR_EXTENSION, Rule};
use pto_num::{BinaryOp, ReduceOp};
#[cfg(feature = "run")]
use {
    super::part::each_segment,
    crate::exec::reference::Reference,
    crate::exec::runs::{LINE, along_row, line},
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::mask::{Bits, ChoiceFn, Lines, Operand, choice, first_wins, wins},
};

pub(super) static TPARTARGMAX: PartArg = part_arg(
    "tpartargmax",
    ReduceOp::Max,
    "The larger element of two tiles with its index; where only one tile is valid, its element and index are copied.",
    "(dst, idx)[i, j] = (src0, idx0)[i, j] where src0[i, j] >= src1[i, j] or only src0 is valid, else (src1, idx1)[i, j]; NaN \
     wins over numbers",
    "docs/isa/TPARTARGMAX.md",
    made_pictures::TPARTARGMAX,
);

pub(super) static TPARTARGMIN: PartArg = part_arg(
    "tpartargmin",
    ReduceOp::Min,
    "The smaller element of two tiles with its index; where only one tile is valid, its element and index are copied.",
    "(dst, idx)[i, j] = (src0, idx0)[i, j] where src0[i, j] <= src1[i, j] or only src0 is valid, else (src1, idx1)[i, j]; NaN \
     wins over numbers",
    "docs/isa/TPARTARGMIN.md",
    made_pictures::TPARTARGMIN,
);

const SOURCE: &str = "docs/isa/TPARTARGMAX.md, General constraints";

/// The page of A2/A3 does not specify the element types.
const ELEMENT: Rule = common::ELEMENT.weighing(ERROR_OR_EXTENSION);
const INDEX_TYPE: Rule = Rule::new(
    "index-type",
    "The index tiles have one integer type: of 32 bits, or with f16 values also of 16 bits.",
    SOURCE,
)
.because("The device selects values and indices with one mask, so their sizes must correspond.")
.instead("Declare all index tiles as i32 or ui32, or with f16 values as i16 or ui16.");
const INDEX_REGION: Rule =
    Rule::new("index-region", "An index tile has the valid region of the tile that it belongs to.", SOURCE)
        .because("Each value has its index at the same position.")
        .instead("Give the index tile the valid region of its value tile.");

/// Roles of the value tiles, each with the tile of its indices.
const PAIRS: [(&str, &str); 3] = [("src0", "idx0"), ("src1", "idx1"), ("dst", "idx")];

/// The extreme of two tiles and its index.
pub(super) struct PartArg {
    page: Page,
    op: ReduceOp,
}

/// The page names element types of values only for A5; the header of A2/A3 has the floats.
const TYPES: Types = Types {
    a2a3: &[Element::F16, Element::F32, Element::I16, Element::I32],
    a5: &[Element::F16, Element::F32],
    a2a3_header: &[],
    a5_header: &[],
};

const EFFECTS: &[Effect] = &[
    Effect::reads("src0"),
    Effect::reads("src1"),
    Effect::reads("idx0"),
    Effect::reads("idx1"),
    Effect::writes("dst"),
    Effect::writes("idx"),
];

/// An instruction that selects an extreme and its index.
const fn part_arg(
    name: &'static str,
    op: ReduceOp,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    pictures: &'static [Picture],
) -> PartArg {
    let page = Page {
        name,
        aliases: &[],
        set: Set::Irregular,
        summary,
        formula,
        source,
        syntax: Syntax::Destination(&[
            form!(ins(src0: Tile, src1: Tile, idx0: Tile, idx1: Tile) outs(dst: Tile, idx: Tile)),
        ]),
        attributes: &[],
        rules: &[&SAME_TYPE, &VEC, &ROW_MAJOR, &ELEMENT, &INDEX_TYPE, &INDEX_REGION, &REGIONS, &UNCOVERED],
        effects: EFFECTS,
        cost: cost::SEVERAL,
        pictures,
        origin: Some(Origin::WRITTEN),
    };
    PartArg { page, op }
}

impl PartArg {
    fn check_indices(&self, check: &mut Check<'_>) {
        let value = check.tile("dst").element();
        let index = check.tile("idx").element();
        let narrow = value == Element::F16 && matches!(index, Element::I16 | Element::U16);
        let fits = narrow || matches!(index, Element::I32 | Element::U32);
        check.require(&INDEX_TYPE, "idx", fits, |check| {
            format!(
                "{} holds {}, {} {}",
                check.name("idx"),
                element_word(index),
                check.name("dst"),
                element_word(value)
            )
        });
        for (role, index_role) in PAIRS {
            let (tile, indices) = (check.tile(role), check.tile(index_role));
            check.require(&INDEX_TYPE, index_role, indices.element() == index, |check| {
                let (have, want) = (element_word(indices.element()), element_word(index));
                format!("{} holds {have}, but {} holds {want}", check.name(index_role), check.name("idx"))
            });
            let same = agree(tile.rows, indices.rows) && agree(tile.cols, indices.cols);
            check.require(&INDEX_REGION, index_role, same, |check| valid_regions(check, index_role, role));
        }
    }
}

/// Profiles whose page does not specify the element types.
const OPEN_TYPES: &[Profile] = A2A3_ONLY;

impl Instruction for PartArg {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        if profile.is_device() { TYPES.a5 } else { &[] }
    }

    fn check(&self, check: &mut Check<'_>) {
        for (role, index) in PAIRS {
            same_type(check, role, "dst");
            vec_row_major(check, role);
            vec_row_major(check, index);
        }
        element_type(check, "dst", &TYPES, &|element| BinaryOp::Max.applies_to(element));
        let element = check.tile("dst").element();
        let unnamed = OPEN_TYPES.contains(&check.profile()) && matches!(element, Element::I16 | Element::I32);
        check.judge(Severity::Extension, &ELEMENT, "dst", !unnamed, |check| {
            let name = check.site.instruction.page().name;
            format!(
                "`{name}` on {}: the page leaves the types open on A2/A3, its header has f16 and f32",
                element_word(element)
            )
        });
        self.check_indices(check);
        check_regions(check);
    }
}

#[cfg(feature = "run")]
impl Compute for PartArg {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let tiles = PAIRS.map(|(value, index)| (reference.tile(value), reference.tile(index)));
        let element = tiles[0].0.ty.element;
        let regions = tiles.map(|(value, _)| reference.valid(&value));
        let Size { rows, cols } = regions[2];
        for i in 0..rows {
            for j in 0..cols {
                let valid = [0, 1].map(|source| i < regions[source].rows && j < regions[source].cols);
                let taken = match valid {
                    [false, false] => None,
                    [first, second] if first != second => Some(usize::from(second)),
                    _ => {
                        let [a, b] = [0, 1].map(|source: usize| reference.get(&tiles[source].0, i, j));
                        Some(usize::from(!first_wins(self.op, element, a, b)))
                    }
                };
                let pair = taken.map_or((0, 0), |source| {
                    (reference.get(&tiles[source].0, i, j), reference.get(&tiles[source].1, i, j))
                });
                reference.set(&tiles[2].0, i, j, pair.0);
                reference.set(&tiles[2].1, i, j, pair.1);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, idx) = (prepare.tile("dst")?, prepare.tile("idx")?);
        let values = [prepare.tile("src0")?, prepare.tile("src1")?];
        let indices = [prepare.tile("idx0")?, prepare.tile("idx1")?];
        let (element, index) = (dst.ty.element, idx.ty.element);
        let kernels = Kernels::of(self.op, [element, index]);
        let kernels = kernels.ok_or("the element type has no such operation")?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let (live, places) = (state.live(&dst), state.live(&idx).address);
            let sources = [&values[0], &values[1], &indices[0], &indices[1]];
            let from = state.apart([&dst, &idx], sources);
            let regions = values.map(|tile| state.live(&tile));
            let [value_bytes, index_bytes] = [&dst, &idx].map(|tile| state.bytes_of(tile));
            let shared = value_bytes.start < index_bytes.end && index_bytes.start < value_bytes.end;
            // Elements per kernel call: as many as fit the mask line, or one if the destinations overlap, because
            // then the order of writes matters.
            let most = if shared { 1 } else { LINE * 8 };
            let (mask, tiles) = (line(state), [dst, idx, values[0], values[1], indices[0], indices[1]]);
            let layouts = tiles.each_ref().map(|tile| &tile.layout);
            for row in 0..live.rows as usize {
                each_segment(live.cols as usize, row, &regions, |start, end, valid| {
                    along_row(layouts, row, start..end, |[d, i, a, b, x, y], count| {
                        for done in (0..count).step_by(most) {
                            let value = |base: usize, offset: usize| base + element.bytes(offset + done);
                            let number = |base: usize, offset: usize| base + index.bytes(offset + done);
                            let values = [value(live.address, d), value(from[0], a), value(from[1], b)];
                            let numbers = [number(places, i), number(from[2], x), number(from[3], y)];
                            let count = (count - done).min(most);
                            kernels.run(state.memory, mask, [values, numbers], count, valid);
                        }
                    });
                });
            }
            Ok(())
        }))
    }
}

/// The kernels for values and their indices.
#[cfg(feature = "run")]
struct Kernels {
    wins: Bits,
    /// Selection kernel and element type, of values and of indices.
    choices: [(ChoiceFn, Element); 2],
}

#[cfg(feature = "run")]
impl Kernels {
    fn of(op: ReduceOp, elements: [Element; 2]) -> Option<Kernels> {
        let choices = elements.map(|element| Some((choice(element.bits())?, element)));
        let [values, indices] = choices;
        Some(Kernels { wins: wins(op, elements[0])?, choices: [values?, indices?] })
    }

    /// Computes elements with the same valid sources. `at` has the byte addresses of destination, first and second
    /// source, of values and then of indices. `mask` is the address of the line for one mask bit per element.
    fn run(&self, memory: &mut [u8], mask: usize, at: [[usize; 3]; 2], count: usize, valid: [bool; 2]) {
        let (mask, size) = (Lines::one(mask), [1, count]);
        if valid == [true, true] {
            let [_, a, b] = at[0].map(Lines::one);
            self.wins.run(memory, mask, a, &Operand::Lines(b), size);
        }
        for ([to, a, b], (choose, element)) in at.into_iter().zip(self.choices) {
            let bytes = element.bytes(count);
            match valid {
                [true, true] => {
                    let [to, a, b] = [to, a, b].map(Lines::one);
                    choose(memory, to, mask, a, &Operand::Lines(b), size);
                }
                [true, false] => memory.copy_within(a..a + bytes, to),
                [false, true] => memory.copy_within(b..b + bytes, to),
                [false, false] => memory[to..to + bytes].fill(0),
            }
        }
    }
}
