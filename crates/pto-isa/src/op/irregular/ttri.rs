//! TTRI: ones on one side of a diagonal, zeros on the other.

use super::made_pictures;
use crate::element::Element;
use crate::element::Element::{Bf16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::op::attribute::AttributeSpec;
use crate::op::common::{ELEMENT, ROW_MAJOR, Types, VEC, element_type, vec_row_major};
use crate::op::cost;
use crate::op::effect::Effect;
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::Profile;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::runs::along_row,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::layout::fill,
    pto_num::{Overflow, Rounding},
};

const SOURCE: &str = "docs/isa/tile/ops/irregular-and-complex/ttri.md";

const SIDE: Rule = Rule::new("side", "`upperOrLower` is 0 for lower or 1 for upper.", SOURCE)
    .because("Another value does not say which triangle is filled.")
    .instead("Write `upperOrLower = 0` for lower or `1` for upper.");
const DIAGONAL: Rule = Rule::new("diagonal-type", "The diagonal is an integer.", SOURCE)
    .because("The diagonal is a number of columns.")
    .instead("Pass an integer.");

const NARROW: &[Element] = &[F16, F32, I16, I32, U16, U32];
const TYPES: Types = Types {
    a2a3: NARROW,
    a5: &[F16, F32, Bf16, I8, I16, I32, I64, U8, U16, U32, U64],
    a2a3_header: &[],
    a5_header: &[],
};

/// The instruction TTRI.
pub(super) struct Ttri {
    page: Page,
}

pub(super) static TTRI: Ttri = Ttri {
    page: Page {
        name: "ttri",
        aliases: &[],
        set: Set::Irregular,
        summary: "Writes ones on and below a diagonal, or on and above it, and zeros elsewhere; `diagonal` shifts it right.",
        formula: "dst[i, j] = 1 where j <= i + diagonal (lower) or j >= i + diagonal (upper), else 0",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(diagonal: Scalar) outs(dst: Tile))]),
        attributes: &[AttributeSpec::integer(
            "upperOrLower",
            "The triangle of ones: 0 is the lower one, 1 the upper one.",
        )
        .or_integer(0)],
        rules: &[&VEC, &ROW_MAJOR, &ELEMENT, &SIDE, &DIAGONAL],
        effects: &[Effect::writes("dst")],
        cost: cost::COPY,
        pictures: made_pictures::TTRI,
        origin: Some(Origin::WRITTEN),
    },
};

/// Whether the upper triangle is requested; `None` for an unknown word.
fn is_upper(site: &Site<'_>) -> Option<bool> {
    match site.integer_or_default("upperOrLower")? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// The first column of the second part of a row: lower triangles have ones before it, upper triangles zeros.
fn edge(row: usize, diagonal: i128, upper: bool, cols: usize) -> usize {
    let last = row as i128 + diagonal + i128::from(!upper);
    last.clamp(0, cols as i128) as usize
}

/// The bits of the number one in an element type.
#[cfg(feature = "run")]
fn one(element: Element) -> u64 {
    if element.is_integer() { 1 } else { element.encode(1.0, Rounding::NearestEven, Overflow::Ieee) }
}

impl Instruction for Ttri {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        TYPES.of(profile)
    }

    fn check(&self, check: &mut Check<'_>) {
        vec_row_major(check, "dst");
        element_type(check, "dst", &TYPES, &|element| {
            NARROW.contains(&element) || TYPES.a5.contains(&element)
        });
        check.require(&SIDE, "dst", is_upper(check.site).is_some(), |_| {
            "`upperOrLower` is neither 0 nor 1".to_owned()
        });
        let Some((ty, _)) = check.site.scalar("diagonal") else { return };
        check.require(&DIAGONAL, "diagonal", ty.element().is_integer(), |check| {
            format!("{} is a {}", check.name("diagonal"), ty.word())
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Ttri {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, diagonal) = (reference.tile("dst"), diagonal_of(reference));
        let upper = is_upper(reference.prepare().site) == Some(true);
        let Size { rows, cols } = reference.valid(&dst);
        for i in 0..rows {
            for j in 0..cols {
                let (place, limit) = (j as i128, i as i128 + diagonal);
                let inside = if upper { place >= limit } else { place <= limit };
                reference.set(&dst, i, j, if inside { one(dst.ty.element) } else { 0 });
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let dst = prepare.tile("dst")?;
        let (slot, ty) = prepare.scalar("diagonal")?;
        let (element, wide) = (dst.ty.element, ty.element());
        let upper = is_upper(prepare.site).ok_or("`upperOrLower` is neither 0 nor 1")?;
        let values = if upper { [0, one(element)] } else { [one(element), 0] };
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&dst);
            let diagonal = wide.decode_int(state.scalars[slot]);
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            let memory = &mut *state.memory;
            for row in 0..rows {
                let edge = edge(row, diagonal, upper, cols);
                for (part, value) in [(0..edge, values[0]), (edge..cols, values[1])] {
                    along_row([&dst.layout], row, part, |[at], count| {
                        fill(memory, live.address + element.bytes(at), element.bits(), value, count);
                    });
                }
            }
            Ok(())
        }))
    }
}

/// The diagonal operand as a number, by its scalar type.
#[cfg(feature = "run")]
fn diagonal_of(reference: &Reference<'_>) -> i128 {
    let ty = reference.prepare().site.scalar("diagonal").map(|(ty, _)| ty.element());
    ty.map_or(0, |element| element.decode_int(reference.integer("diagonal") as u64))
}
