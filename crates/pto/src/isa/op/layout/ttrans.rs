//! TTRANS: exchanges rows and columns.

use crate::isa::op::common::{NPU, SAME_TYPE, VEC, agree, same_type, vec};
use crate::isa::op::form::{Syntax, form};
use crate::isa::op::reference::Reference;
use crate::isa::op::rule::Rule;
use crate::isa::op::site::{Check, Site};
use crate::isa::op::state::{Execute, Fault, Prepare, State};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use crate::isa::tile::BLayout;
use pto_kernels::{Placement, copy_matrix};

const SOURCE: &str = "docs/isa/TTRANS.md";

const SHAPE: Rule = Rule::new(
    "shape",
    "The destination has the source's valid columns as rows, and its rows as columns.",
    SOURCE,
);
const SIZE: Rule = Rule::new("element-size", "Elements take 1, 2 or 4 bytes.", SOURCE);
const ROW_MAJOR: Rule = Rule::new("row-major", "The source is row-major.", SOURCE).only(NPU);

/// Transposes the valid region.
pub(super) struct Ttrans {
    page: Page,
}

pub(super) static TTRANS: Ttrans = Ttrans {
    page: Page {
        name: "ttrans",
        aliases: &[],
        set: Set::Layout,
        summary: "Exchanges rows and columns.",
        formula: "dst[j, i] = src[i, j]",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: Tile) outs(dst: Tile)),
            form!(ins(src: Tile, tmp: Tile) outs(dst: Tile)),
        ]),
        rules: &[&VEC, &SAME_TYPE, &SHAPE, &SIZE, &ROW_MAJOR],
        reads_destination: false,
    },
};

impl Instruction for Ttrans {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn check(&self, check: &mut Check<'_>) {
        vec(check, "src");
        vec(check, "dst");
        same_type(check, "src", "dst");
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        check.require(&SHAPE, "dst", agree(src.rows, dst.cols) && agree(src.cols, dst.rows), |check| {
            format!(
                "{} has {} valid elements, {} {}",
                check.name("src"),
                src.valid_text(),
                check.name("dst"),
                dst.valid_text()
            )
        });
        let bits = src.element().bits();
        check.require(&SIZE, "src", matches!(bits, 8 | 16 | 32), |check| {
            format!("the elements of {} take {bits} bits", check.name("src"))
        });
        check.require(&ROW_MAJOR, "src", src.ty.blayout == BLayout::RowMajor, |check| {
            format!("{} is {}", check.name("src"), src.ty.blayout.word())
        });
    }

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let (rows, cols) = reference.valid(&src);
        for i in 0..rows {
            for j in 0..cols {
                let value = reference.get(&src, i, j);
                reference.set(&dst, j, i, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&src);
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            if rows > dst.cols() || cols > dst.rows() {
                return Err(Fault::Rule);
            }
            // In place every element but the diagonal is read after it was overwritten: read a copy.
            let [mut from] = state.settle(&dst, [&src]);
            if from == state.live(&dst).address {
                let bytes = src.bytes();
                state.memory.copy_within(from..from + bytes, state.spare.start);
                from = state.spare.start;
            }
            let to = transposed(&state.placement(&dst));
            copy_matrix(state.memory, &to, &src.layout.placement(from), rows, cols, src.ty.element.bits());
            Ok(())
        }))
    }
}

/// The same elements with rows and columns exchanged.
fn transposed(placement: &Placement) -> Placement {
    Placement {
        offset: placement.offset,
        box_rows: placement.box_cols,
        box_cols: placement.box_rows,
        row_of_boxes: placement.col_of_boxes,
        col_of_boxes: placement.row_of_boxes,
        row: placement.col,
        col: placement.row,
    }
}
