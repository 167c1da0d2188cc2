//! TAXPY: adds a multiple of a tile to a tile.

use crate::element::{Element, element_word};
use crate::op::common::{SAME_VALID, VEC, same_valid, vec};
use crate::op::cost;
use crate::op::effect::Effect;
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::reference::{Reference, scalar_bits},
    crate::exec::runs::{LINE, for_each_run, line},
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::matrix::Size,
    crate::op::Compute,
    crate::types::Scalar,
    pto_kernels::convert,
    pto_kernels::map::{BinaryFormula, Rows, binary, binary_scalar, multiply_add, multiply_add_one},
    pto_num::{BinaryOp, Indices, Rounding, convert_one, set_elements},
};

const SOURCE: &str = "docs/isa/TAXPY.md";
const PAIR: Rule = Rule::new(
    "element-type",
    "Both tiles hold f16 or both f32, or the source f16 and the destination f32.",
    SOURCE,
)
.because("The fused multiply-add has these formats only.")
.instead("Convert with TCVT to f16 or f32.");

/// `dst += scalar * src`.
pub(super) struct Taxpy {
    page: Page,
}

pub(super) static TAXPY: Taxpy = Taxpy {
    page: Page {
        name: "taxpy",
        aliases: &[],
        set: Set::TileScalar,
        summary: "Adds a multiple of a tile to the destination.",
        formula: "dst[i, j] = scalar * src[i, j] + dst[i, j]; f16 results are rounded once; for f32 results, product and sum \
                  are each rounded",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(src: Tile, scalar: Scalar) outs(dst: Tile))]),
        attributes: &[],
        rules: &[&VEC, &SAME_VALID, &PAIR],
        effects: &[Effect::reads("src"), Effect::reads("dst"), Effect::writes("dst")],
        cost: cost::PRODUCT,
        pictures: &[],
        origin: Some(Origin::WRITTEN),
    },
};

/// Converts an element of the source to the destination's format.
#[cfg(feature = "run")]
fn widen(from: Element, to: Element, bits: u64) -> u64 {
    if from == to { bits } else { convert_one(from, to, Rounding::NearestEven, false, bits).unwrap_or(0) }
}

/// Computes one element: a fused multiply-add for f16; product and sum rounded separately for f32.
#[cfg(feature = "run")]
fn step(from: Element, to: Element, scalar: u64, x: u64, y: u64) -> u64 {
    if to == Element::F16 {
        return multiply_add_one(to, scalar, x, y).unwrap_or(0);
    }
    let product = BinaryOp::Mul.apply(to, widen(from, to, scalar), widen(from, to, x)).unwrap_or(0);
    BinaryOp::Add.apply(to, product, y).unwrap_or(0)
}

/// The fused multiply-add on f16; a line in spare memory holds a copy of the scalar per element.
#[cfg(feature = "run")]
fn fused(dst: Tile, src: Tile, slot: usize, ty: Scalar) -> Option<Box<dyn Execute>> {
    let element = dst.ty.element;
    let bytes = element.bytes(1);
    let multiply_add = multiply_add(element)?;
    Some(Box::new(move |state: &mut State<'_>| {
        let [from] = state.unalias(&dst, [&src]);
        let live = state.live(&dst);
        let scalar = scalar_bits(state.scalars[slot], ty, element);
        let line = line(state);
        let memory = &mut *state.memory;
        let most = LINE / bytes;
        let scalars = [scalar; LINE];
        let used = most.min(live.size().elements());
        set_elements(memory, line, Indices { first: 0, step: 1 }, element, &scalars[..used]);
        for_each_run([&dst.layout, &src.layout], live.size(), |[d, s], count| {
            for start in (0..count).step_by(most) {
                let (x, y) = (from + bytes * (s + start), live.address + bytes * (d + start));
                multiply_add(memory, y, line, x, y, most.min(count - start));
            }
            Ok(())
        })
    }))
}

impl Instruction for Taxpy {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn check(&self, check: &mut Check<'_>) {
        vec(check, "src");
        vec(check, "dst");
        same_valid(check, "src", "dst");
        let pair = (check.tile("src").element(), check.tile("dst").element());
        let fits = matches!(pair, (Element::F16, Element::F16 | Element::F32) | (Element::F32, Element::F32));
        check.require(&PAIR, "src", fits, |check| {
            let (from, to) = (element_word(pair.0), element_word(pair.1));
            format!("{} holds {from}, {} {to}", check.name("src"), check.name("dst"))
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Taxpy {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let (from, to) = (src.ty.element, dst.ty.element);
        let scalar = reference.scalar("scalar", from);
        let Size { rows, cols } = reference.valid(&dst);
        for i in 0..rows {
            for j in 0..cols {
                let (x, y) = (reference.get(&src, i, j), reference.get(&dst, i, j));
                reference.set(&dst, i, j, step(from, to, scalar, x, y));
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let (slot, ty) = prepare.scalar("scalar")?;
        let (from, to) = (src.ty.element, dst.ty.element);
        let missing = "the element type has no such operation";
        if to == Element::F16 {
            return fused(dst, src, slot, ty).ok_or_else(|| missing.to_owned());
        }
        let multiply = binary_scalar(BinaryOp::Mul, to).ok_or(missing)?;
        let add = binary(BinaryOp::Add, to).ok_or(missing)?;
        let widened = convert(from, to, Rounding::NearestEven, false);
        let widened = widened.filter(|_| from != to);
        Ok(Box::new(move |state: &mut State<'_>| {
            let [at] = state.unalias(&dst, [&src]);
            let live = state.live(&dst);
            let scalar = widen(from, to, scalar_bits(state.scalars[slot], ty, from));
            let line = line(state);
            let memory = &mut *state.memory;
            let layouts = [&dst.layout, &src.layout];
            for_each_run(layouts, live.size(), |[d, s], count| {
                // Products go to spare memory, because they are rounded before the addition.
                let most = LINE / to.bytes(1);
                for start in (0..count).step_by(most) {
                    let part = (count - start).min(most);
                    let (x, y) = (at + from.bytes(s + start), live.address + to.bytes(d + start));
                    if let Some(widened) = widened {
                        widened.run(memory, line, x, part);
                    }
                    let factor = if widened.is_some() { line } else { x };
                    multiply(memory, &Rows::one(line, factor, part), &[scalar]);
                    add(memory, y, line, y, part);
                }
                Ok(())
            })
        }))
    }
}
