//! What TROWEXPAND and TCOLEXPAND share: one row or column becomes a tile.

use crate::isa::layout::{Layout, LayoutName};
use crate::isa::op::common::{SAME_TYPE, VEC, agree, same_type, valid_regions, vec};
use crate::isa::op::form::{Syntax, form};
use crate::isa::op::reference::Reference;
use crate::isa::op::rule::Rule;
use crate::isa::op::site::{Check, Site};
use crate::isa::op::state::{Execute, Fault, Prepare, State};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use pto_kernels::layout::fill;
use pto_kernels::{get_element, set_element};

const PAGES: &str = "docs/isa/tile/ops/reduce-and-expand";

const EXTENT: Rule = Rule::new(
    "source-extent",
    "The source has at least the destination's valid rows (columns) and one valid column (row).",
    PAGES,
);

/// The direction in which elements are repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Along {
    /// `dst[i, j] = src[i, 0]`.
    Rows,
    /// `dst[i, j] = src[0, j]`.
    Columns,
}

/// The page of a spread.
pub(super) const fn page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Page {
    Page {
        name,
        aliases: &[],
        set: Set::Expand,
        summary,
        formula,
        source,
        syntax: Syntax::Destination(&[form!(ins(src: Tile) outs(dst: Tile))]),
        rules: &[&VEC, &SAME_TYPE, &EXTENT],
        reads_destination: false,
        pictures: &[],
    }
}

/// One row or column repeated.
pub(super) struct Spread {
    pub(super) page: Page,
    pub(super) along: Along,
}

impl Instruction for Spread {
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
        let enough =
            |have: Option<u32>, need: Option<u32>| have.zip(need).is_none_or(|(have, need)| have >= need);
        let holds = match self.along {
            Along::Rows => enough(src.rows, dst.rows) && !agree(src.cols, Some(0)) || src.cols.is_none(),
            Along::Columns => enough(src.cols, dst.cols) && !agree(src.rows, Some(0)) || src.rows.is_none(),
        };
        check.require(&EXTENT, "src", holds, |check| valid_regions(check, "src", "dst"));
    }

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let (rows, cols) = reference.valid(&dst);
        for i in 0..rows {
            for j in 0..cols {
                let value = match self.along {
                    Along::Rows => reference.get(&src, i, 0),
                    Along::Columns => reference.get(&src, 0, j),
                };
                reference.set(&dst, i, j, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let (element, along) = (dst.ty.element, self.along);
        Ok(Box::new(move |state: &mut State<'_>| {
            let [from] = state.settle(&dst, [&src]);
            let live = state.live(&dst);
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            let memory = &mut *state.memory;
            for i in 0..rows {
                if along == Along::Rows && !element.is_packed() {
                    let value = get_element(memory, from, src.layout.offset(i, 0), element);
                    spread_row(&dst.layout, i, cols, |offset, count| {
                        fill(memory, live.address + element.bytes(offset), element.bits(), value, count);
                    });
                    continue;
                }
                for j in 0..cols {
                    let place =
                        if along == Along::Rows { src.layout.offset(i, 0) } else { src.layout.offset(0, j) };
                    let value = get_element(memory, from, place, element);
                    set_element(memory, live.address, dst.layout.offset(i, j), element, value);
                }
            }
            Ok(())
        }))
    }
}

/// Calls `run` for the runs of row `i`.
fn spread_row(layout: &Layout, i: usize, cols: usize, mut run: impl FnMut(usize, usize)) {
    if layout.name == LayoutName::Nd {
        return run(layout.offset(i, 0), cols);
    }
    (0..cols).for_each(|j| run(layout.offset(i, j), 1));
}
