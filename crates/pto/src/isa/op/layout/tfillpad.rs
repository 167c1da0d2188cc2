//! TFILLPAD: copies a tile and fills the rest of the destination with its padding value.

use crate::isa::element::element_word;
use crate::isa::layout::LayoutName;
use crate::isa::op::common::NPU;
use crate::isa::op::form::{Syntax, form};
use crate::isa::op::reference::Reference;
use crate::isa::op::rule::Rule;
use crate::isa::op::site::{Check, Site};
use crate::isa::op::state::{Execute, Fault, Prepare, State, Tile};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use crate::isa::tile::{Location, Pad};
use pto_kernels::layout::fill;
use pto_kernels::{copy_matrix, set_element};

const SOURCE: &str = "docs/isa/TFILLPAD.md";

const SIZE: Rule = Rule::new(
    "element-size",
    "Source and destination have elements of the same size, 1, 2 or 4 bytes.",
    SOURCE,
);
const PAD: Rule = Rule::new("pad", "A vec destination has a padding value.", SOURCE).only(NPU);
const SHAPE: Rule =
    Rule::new("shape", "The destination is declared at least as large as the source.", SOURCE);

/// Copies and pads.
pub(super) struct Tfillpad {
    page: Page,
}

pub(super) static TFILLPAD: Tfillpad = Tfillpad {
    page: Page {
        name: "tfillpad",
        aliases: &["tfillpad_inplace", "tfillpad_expand"],
        set: Set::Layout,
        summary: "Copies the valid region of a tile and fills the rest of the destination with its padding value.",
        formula: "dst[i, j] = src[i, j] inside the valid region of src, else the padding value of dst",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(src: Tile) outs(dst: Tile))]),
        rules: &[&SIZE, &PAD, &SHAPE],
        reads_destination: false,
    },
};

impl Instruction for Tfillpad {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        match site.tile("dst").map(|dst| dst.location()) {
            Some(Location::Mat) => Pipe::Mte2,
            _ => Pipe::Vector,
        }
    }

    fn check(&self, check: &mut Check<'_>) {
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        let (a, b) = (src.element(), dst.element());
        let fits = a.bits() == b.bits() && matches!(a.bits(), 8 | 16 | 32);
        check.require(&SIZE, "src", fits, |check| {
            format!(
                "{} holds {}, {} {}",
                check.name("src"),
                element_word(a),
                check.name("dst"),
                element_word(b)
            )
        });
        let padded = dst.location() != Location::Vec || dst.ty.pad != Pad::NULL;
        check.require(&PAD, "dst", padded, |check| {
            format!(
                "{} has `pad=0`, which is no value: 1 is zero, 2 the largest, 3 the smallest value",
                check.name("dst")
            )
        });
        let larger = dst.ty.rows >= src.ty.rows && dst.ty.cols >= src.ty.cols;
        check.require(&SHAPE, "dst", larger, |check| {
            format!(
                "{} is declared {}x{}, {} {}x{}",
                check.name("src"),
                src.ty.rows,
                src.ty.cols,
                check.name("dst"),
                dst.ty.rows,
                dst.ty.cols
            )
        });
    }

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let (rows, cols) = reference.valid(&src);
        let pad = dst.ty.pad.bits(dst.ty.element);
        for i in 0..dst.rows() {
            for j in 0..dst.cols() {
                let value = if i < rows && j < cols { reference.get(&src, i, j) } else { pad };
                reference.set(&dst, i, j, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let element = dst.ty.element;
        let pad = dst.ty.pad.bits(element);
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&src);
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            if rows > dst.rows() || cols > dst.cols() {
                return Err(Fault::Rule);
            }
            let [from] = state.settle(&dst, [&src]);
            let to = state.placement(&dst);
            copy_matrix(state.memory, &to, &src.layout.placement(from), rows, cols, element.bits());
            fill_outside(state.memory, &dst, to.offset, pad, (rows, cols));
            Ok(())
        }))
    }
}

/// Fills what lies outside the first rows and columns.
pub(super) fn fill_outside(
    memory: &mut [u8],
    tile: &Tile,
    address: usize,
    pad: u64,
    (rows, cols): (usize, usize),
) {
    let element = tile.ty.element;
    for i in 0..tile.rows() {
        let first = if i < rows { cols } else { 0 };
        if tile.layout.name == LayoutName::Nd {
            let at = address + element.bytes(tile.layout.offset(i, first));
            fill(memory, at, element.bits(), pad, tile.cols() - first);
            continue;
        }
        for j in first..tile.cols() {
            set_element(memory, address, tile.layout.offset(i, j), element, pad);
        }
    }
}
