//! Instructions with three sources: `dst = (a op b) op c`, each operation rounded to the element type.

use super::family::SOURCES_TO_DST;
use crate::element::Element;
use crate::op::common::{ELEMENTWISE, Types, elementwise};
use crate::op::cost;
use crate::op::form::{Syntax, form};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    crate::exec::reference::{Reference, scalar_bits},
    crate::exec::runs::{LINE, for_each_run, line},
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::map::{BinaryFormula, Rows, binary, binary_scalar},
};

pub(super) static TADDC: Chain = three_tiles(
    "taddc",
    BinaryOp::Add,
    "Adds three tiles.",
    "dst[i, j] = src0[i, j] + src1[i, j] + src2[i, j]",
    "docs/isa/tile/ops/elementwise-tile-tile/taddc.md",
);

pub(super) static TSUBC: Chain = three_tiles(
    "tsubc",
    BinaryOp::Sub,
    "Subtracts a tile from a tile and adds a third.",
    "dst[i, j] = src0[i, j] - src1[i, j] + src2[i, j]",
    "docs/isa/tile/ops/elementwise-tile-tile/tsubc.md",
);

/// `dst[i, j] = (src0[i, j] first x) second y`; `x` is a tile or a scalar, `y` the last tile.
pub(in crate::op) struct Chain {
    page: Page,
    first: BinaryOp,
    second: BinaryOp,
    /// Roles of the tile sources: two if the middle operand is the role `scalar`, else three.
    sources: &'static [&'static str],
    types: Types,
}

/// Three tiles, of which the last is added: `dst[i, j] = (src0[i, j] first src1[i, j]) + src2[i, j]`.
const fn three_tiles(
    name: &'static str,
    first: BinaryOp,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Chain {
    let syntax = Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile, src2: Tile) outs(dst: Tile))]);
    let page = Page::of(Set::Elementwise, name, summary, formula, source, syntax, ELEMENTWISE)
        .costing(cost::TWO_SOURCES)
        .touching(SOURCES_TO_DST);
    Chain { page, first, second: BinaryOp::Add, sources: &["src0", "src1", "src2"], types: TYPES }
}

/// A tile, a scalar and a tile that is added: `dst[i, j] = (src0[i, j] first scalar) + src1[i, j]`.
pub(in crate::op) const fn tile_scalar_tile(
    name: &'static str,
    first: BinaryOp,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Chain {
    let syntax = Syntax::Destination(&[form!(ins(src0: Tile, scalar: Scalar, src1: Tile) outs(dst: Tile))]);
    let page = Page::of(Set::TileScalar, name, summary, formula, source, syntax, ELEMENTWISE)
        .costing(cost::TWO_SOURCES)
        .touching(SOURCES_TO_DST);
    Chain { page, first, second: BinaryOp::Add, sources: &["src0", "src1"], types: TYPES }
}

impl Instruction for Chain {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: crate::profile::Profile) -> &'static [Element] {
        self.types.of(profile)
    }

    fn check(&self, check: &mut Check<'_>) {
        elementwise(check, self.sources, &self.types, &|element| BinaryOp::Add.applies_to(element));
    }
}

#[cfg(feature = "run")]
impl Compute for Chain {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let dst = reference.tile("dst");
        let element = dst.ty.element;
        let sources: Vec<_> = self.sources.iter().map(|role| reference.tile(role)).collect();
        let scalar = (sources.len() == 2).then(|| reference.scalar("scalar", element));
        let Size { rows, cols } = reference.valid(&dst);
        for i in 0..rows {
            for j in 0..cols {
                let a = reference.get(&sources[0], i, j);
                let b = scalar.unwrap_or_else(|| reference.get(&sources[1], i, j));
                let c = reference.get(&sources[sources.len() - 1], i, j);
                let part = self.first.apply(element, a, b).unwrap_or_default();
                let whole = self.second.apply(element, part, c).unwrap_or_default();
                reference.set(&dst, i, j, whole);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let dst = prepare.tile("dst")?;
        let element = dst.ty.element;
        let tiles: Vec<_> = self.sources.iter().map(|role| prepare.tile(role)).collect::<Result<_, _>>()?;
        let (a, b, c) = (tiles[0], tiles[1], tiles[tiles.len() - 1]);
        let missing = "the element type has no such operation";
        let with_tile = binary(self.first, element).ok_or(missing)?;
        let with_scalar = binary_scalar(self.first, element).ok_or(missing)?;
        let second = binary(self.second, element).ok_or(missing)?;
        let scalar = if tiles.len() == 2 { Some(prepare.scalar("scalar")?) } else { None };
        let bytes = element.bits() as usize / 8;
        Ok(Box::new(move |state: &mut State<'_>| {
            let [at_a, at_b, at_c] = state.unalias(&dst, [&a, &b, &c]);
            let live = state.live(&dst);
            let scalar = scalar.map(|(slot, ty)| scalar_bits(state.scalars[slot], ty, element));
            let line = line(state);
            let memory = &mut *state.memory;
            let layouts = [&dst.layout, &a.layout, &b.layout, &c.layout];
            for_each_run(layouts, live.size(), |[d, x, y, z], count| {
                // The first result goes to spare memory, because the destination may be the last source.
                for start in (0..count).step_by(LINE / bytes) {
                    let part = (count - start).min(LINE / bytes);
                    let at = |base: usize, offset: usize| base + (offset + start) * bytes;
                    match scalar {
                        Some(scalar) => with_scalar(memory, &Rows::one(line, at(at_a, x), part), &[scalar]),
                        None => with_tile(memory, line, at(at_a, x), at(at_b, y), part),
                    }
                    second(memory, at(live.address, d), line, at(at_c, z), part);
                }
                Ok(())
            })
        }))
    }
}

/// Element types of A2/A3 and A5, as the pages list them.
const TYPES: Types = Types {
    a2a3: &[Element::I32, Element::I16, Element::F16, Element::F32],
    a5: &[Element::I32, Element::I16, Element::F16, Element::F32],
    a2a3_header: &[],
    a5_header: &[],
};
