//! Instructions of three sources: `dst = (a op b) op c`, each operation rounded to the element type.

use super::family::SOURCES_TO_DST;
use crate::exec::reference::{Reference, scalar_bits};
use crate::exec::runs::{LINE, for_each_run, line};
use crate::exec::state::{Execute, Fault, Prepare, State};
use crate::isa::element::Element;
use crate::isa::op::common::{ELEMENTWISE, Types, elementwise};
use crate::isa::op::form::Syntax;
use crate::isa::op::site::{Check, Site};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use pto_kernels::map::{BinaryOp, Rows, binary, binary_scalar};

/// The page of such an instruction.
pub(in crate::isa::op) const fn page(
    name: &'static str,
    set: Set,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    syntax: Syntax,
) -> Page {
    Page::of(set, name, summary, formula, source, syntax, ELEMENTWISE).touching(SOURCES_TO_DST)
}

/// `dst[i, j] = (src0[i, j] first x) second y`, `x` a tile or a scalar, `y` the last tile.
pub(in crate::isa::op) struct Chain {
    pub(in crate::isa::op) page: Page,
    pub(in crate::isa::op) first: BinaryOp,
    pub(in crate::isa::op) second: BinaryOp,
    /// Roles of the tile sources: two where the middle operand is the role `scalar`, else three.
    pub(in crate::isa::op) sources: &'static [&'static str],
    pub(in crate::isa::op) types: Types,
}

impl Instruction for Chain {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: crate::isa::profile::Profile) -> &'static [Element] {
        self.types.of(profile)
    }

    fn check(&self, check: &mut Check<'_>) {
        elementwise(check, self.sources, &self.types, |element| BinaryOp::Add.applies_to(element));
    }

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let dst = reference.tile("dst");
        let element = dst.ty.element;
        let sources: Vec<_> = self.sources.iter().map(|role| reference.tile(role)).collect();
        let scalar = (sources.len() == 2).then(|| reference.scalar("scalar", element));
        let (rows, cols) = reference.valid(&dst);
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
            let [at_a, at_b, at_c] = state.settle(&dst, [&a, &b, &c]);
            let live = state.live(&dst);
            let scalar = scalar.map(|(slot, ty)| scalar_bits(state.scalars[slot], ty, element));
            let line = line(state);
            let memory = &mut *state.memory;
            let layouts = [&dst.layout, &a.layout, &b.layout, &c.layout];
            for_each_run(state.sweep, layouts, live.size(), |[d, x, y, z], count| {
                // The first result waits beside the tiles: the destination may be the last source.
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

/// What A2/A3 and A5 take, as the pages list it.
pub(in crate::isa::op) const TYPES: Types = Types {
    a2a3: &[Element::I32, Element::I16, Element::F16, Element::F32],
    a5: &[Element::I32, Element::I16, Element::F16, Element::F32],
    a2a3_header: &[],
    a5_header: &[],
};
