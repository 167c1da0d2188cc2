//! Extremes of tiles of different valid regions, with the indices that belong to them.

use super::part::{REGIONS, UNCOVERED, check_regions, each_segment};
use crate::diag::Severity;
use crate::isa::element::{Element, element_word};
use crate::isa::op::common::{
    ELEMENT, ROW_MAJOR, SAME_TYPE, Types, VEC, agree, element_type, same_type, valid_regions, vec_row_major,
};
use crate::isa::op::form::{Syntax, form};
use crate::isa::op::reference::Reference;
use crate::isa::op::rule::Rule;
use crate::isa::op::site::{Check, Site};
use crate::isa::op::state::{Execute, Fault, Prepare, State};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use crate::isa::profile::Profile;
use pto_kernels::map::BinaryOp;
use pto_kernels::reduce::ReduceOp;
use pto_kernels::{get_element, set_element};

const SOURCE: &str = "docs/isa/TPARTARGMAX.md, General constraints";

const INDEX_TYPE: Rule = Rule::new(
    "index-type",
    "The index tiles hold one integer type: of 32 bits, beside f16 also of 16 bits.",
    SOURCE,
);
const INDEX_REGION: Rule =
    Rule::new("index-region", "An index tile has the valid region of the tile that it belongs to.", SOURCE);

/// Values with the tiles of their indices.
const PAIRS: [(&str, &str); 3] = [("src0", "idx0"), ("src1", "idx1"), ("dst", "idx")];

/// The extreme of two tiles and its index.
pub(super) struct PartArg {
    page: Page,
    op: ReduceOp,
}

/// The page names types of values for A5 alone; the header of A2/A3 has the floats.
const TYPES: Types = Types {
    a2a3: &[Element::F16, Element::F32, Element::I16, Element::I32],
    a5: &[Element::F16, Element::F32],
    a5_header: &[],
};

/// An instruction of this kind.
pub(super) const fn part_arg(
    name: &'static str,
    op: ReduceOp,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
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
        rules: &[&SAME_TYPE, &VEC, &ROW_MAJOR, &ELEMENT, &INDEX_TYPE, &INDEX_REGION, &REGIONS, &UNCOVERED],
        reads_destination: false,
        pictures: &[],
    };
    PartArg { page, op }
}

impl PartArg {
    /// Whether the first of two values is the extreme. Of equal ones it is the second, -0 is less than +0, and a NaN is
    /// taken before anything else.
    fn first_wins(&self, element: Element, a: u64, b: u64) -> bool {
        let order = if element.is_integer() {
            element.decode_int(a).cmp(&element.decode_int(b))
        } else {
            let (a, b) = (element.decode(a), element.decode(b));
            if a.is_nan() || b.is_nan() {
                return a.is_nan();
            }
            a.total_cmp(&b)
        };
        if self.op == ReduceOp::Max { order.is_gt() } else { order.is_lt() }
    }

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

impl Instruction for PartArg {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        if profile == Profile::Cpu { &[] } else { TYPES.a5 }
    }

    fn check(&self, check: &mut Check<'_>) {
        for (role, index) in PAIRS {
            same_type(check, role, "dst");
            vec_row_major(check, role);
            vec_row_major(check, index);
        }
        element_type(check, "dst", &TYPES, |element| BinaryOp::Max.applies_to(element));
        let element = check.tile("dst").element();
        let unnamed = check.profile() == Profile::A2A3 && matches!(element, Element::I16 | Element::I32);
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

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let tiles = PAIRS.map(|(value, index)| (reference.tile(value), reference.tile(index)));
        let element = tiles[0].0.ty.element;
        let regions = tiles.map(|(value, _)| reference.valid(&value));
        let (rows, cols) = regions[2];
        for i in 0..rows {
            for j in 0..cols {
                let valid = [0, 1].map(|source| i < regions[source].0 && j < regions[source].1);
                let taken = match valid {
                    [false, false] => None,
                    [first, second] if first != second => Some(usize::from(second)),
                    _ => {
                        let [a, b] = [0, 1].map(|source: usize| reference.get(&tiles[source].0, i, j));
                        Some(usize::from(!self.first_wins(element, a, b)))
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
        let op = PartArg { page: self.page, op: self.op };
        Ok(Box::new(move |state: &mut State<'_>| {
            let (live, places) = (state.live(&dst), state.live(&idx).address);
            let sources = [&values[0], &values[1], &indices[0], &indices[1]];
            let [first, second, first_index, second_index] = state.apart([&dst, &idx], sources);
            let (from, belong) = ([first, second], [first_index, second_index]);
            let regions = values.map(|tile| state.live(&tile));
            let memory = &mut *state.memory;
            for row in 0..live.rows as usize {
                each_segment(live.cols as usize, row, &regions, |start, end, valid| {
                    for col in start..end {
                        let read = |memory: &[u8], source: usize| {
                            get_element(memory, from[source], values[source].layout.offset(row, col), element)
                        };
                        let taken = match valid {
                            [true, true] => {
                                let (a, b) = (read(memory, 0), read(memory, 1));
                                Some(usize::from(!op.first_wins(element, a, b)))
                            }
                            [false, false] => None,
                            [_, second] => Some(usize::from(second)),
                        };
                        let (value, number) = taken.map_or((0, 0), |source| {
                            let at = indices[source].layout.offset(row, col);
                            (read(memory, source), get_element(memory, belong[source], at, index))
                        });
                        set_element(memory, live.address, dst.layout.offset(row, col), element, value);
                        set_element(memory, places, idx.layout.offset(row, col), index, number);
                    }
                });
            }
            Ok(())
        }))
    }
}
