//! Sums and differences with relu and narrowing: `dst = convert(relu(src0 + src1))`, optionally scaled before the
//! relu.

use super::family::SOURCES_TO_DST;
use crate::element::Element::{F16, F32, I8, I16, I32};
use crate::element::{Element, element_word};
use crate::op::common::{ROW_MAJOR, SAME_VALID, VEC, same_valid, vec_row_major};
use crate::op::cost;
use crate::op::form::{Syntax, form};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::rule::Rule;
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    crate::exec::reference::{Reference, scalar_bits},
    crate::exec::runs::for_each_run,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::map::{
        BinaryFn, BinaryFormula, Rows, ScalarFn, UnaryFn, UnaryFormula, binary, binary_scalar, unary,
    },
    pto_kernels::{Conversion, convert},
    pto_num::{Rounding, UnaryOp, convert_one},
};

/// Adds two tiles of i32, scales, replaces negative products by zero and narrows to f16.
///
/// The header of A2/A3 overwrites the sources with intermediate results; the page allows only the workspace tile
/// for them, and here the sources keep their contents.
pub(super) static TADDDEQRELU: Narrowing = Narrowing {
    page: page(
        "tadddeqrelu",
        "Adds two tiles of i32, multiplies by a scale, replaces negative products by zero and narrows to f16, saturating.",
        "dst[i, j] = f16(max(f32(src0[i, j] + src1[i, j]) * 2^-17 * scale * 2^17, 0)), each product rounded to f32",
        "docs/isa/TAddDeqRelu.md",
        Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile, scale: Scalar, tmp: Tile) outs(dst: Tile))]),
        SCALED_RULES,
    ),
    op: BinaryOp::Add,
    pairs: &[(I32, F16)],
    scaled: true,
};

pub(super) static TADDRELUCONV: Narrowing = Narrowing {
    page: page(
        "taddreluconv",
        "Adds two tiles, replaces negative sums by zero and narrows, saturating.",
        "dst[i, j] = convert(max(src0[i, j] + src1[i, j], 0))",
        "docs/isa/TADDReluConv.md",
        Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile) outs(dst: Tile))]),
        RULES,
    ),
    op: BinaryOp::Add,
    pairs: &[(F32, F16), (F16, I8), (I16, I8)],
    scaled: false,
};

pub(super) static TSUBRELUCONV: Narrowing = Narrowing {
    page: page(
        "tsubreluconv",
        "Subtracts two tiles, replaces negative differences by zero and narrows, saturating.",
        "dst[i, j] = convert(max(src0[i, j] - src1[i, j], 0))",
        "include/pto/common/pto_instr.hpp; include/pto/npu/{a2a3,a5}/TSubReluConv.hpp",
        Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile) outs(dst: Tile))]),
        RULES,
    ),
    op: BinaryOp::Sub,
    pairs: &[(F32, F16), (F16, I8), (I16, I8)],
    scaled: false,
};

/// The page of a narrowing instruction.
const fn page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    syntax: Syntax,
    rules: &'static [&'static Rule],
) -> Page {
    Page::of(Set::Elementwise, name, summary, formula, source, syntax, rules)
        .costing(cost::SEVERAL)
        .touching(SOURCES_TO_DST)
}

const PAGES: &str =
    "docs/isa/TADDReluConv.md, TAddDeqRelu.md, Constraints; include/pto/npu/{a2a3,a5}/TSubReluConv.hpp";
const PAIR: Rule = Rule::new(
    "element-type",
    "Both sources have one format, and the instruction narrows it to the format of the destination.",
    PAGES,
)
.because("The fused step converts between these formats only.")
.instead("Use a pair that the message lists, or compute first and convert with TCVT.");
const SCALE: Rule = Rule::new("scalar-type", "The scale is an f32.", "docs/isa/TAddDeqRelu.md")
    .because("The device reads the scale from a register as f32.")
    .instead("Pass the scale as f32.");
const SCRATCH: Rule = Rule::new(
    "scratch",
    "The workspace holds i32, and its valid region is at least as large as that of the destination.",
    "docs/isa/TAddDeqRelu.md; include/pto/npu/a2a3/TAddDeqRelu.hpp",
)
.because("The device keeps the i32 intermediate sums there.")
.instead("Declare an i32 workspace with the valid region of the destination or a larger one.");
/// The rules of instructions without a scale.
const RULES: &[&Rule] = &[&VEC, &ROW_MAJOR, &SAME_VALID, &PAIR];
/// The rules of instructions with a scale and a workspace.
const SCALED_RULES: &[&Rule] = &[&VEC, &ROW_MAJOR, &SAME_VALID, &PAIR, &SCALE, &SCRATCH];

/// Adds or subtracts in the sources' format, clamps, and narrows to nearest even, saturating.
pub(super) struct Narrowing {
    page: Page,
    /// The operation: sum or difference.
    op: BinaryOp,
    /// Formats of sources and destination.
    pairs: &'static [(Element, Element)],
    /// Whether the result is converted to f32 and multiplied by the operand `scale`.
    scaled: bool,
}

/// 2^-17 and 2^17 as f32. The manual multiplies by 2^-17 before the scale and by 2^17 after it, so that 32-bit
/// sums stay in range.
const AROUND: [u64; 2] = [0x3700_0000, 0x4800_0000];

impl Narrowing {
    /// The format in which the relu is applied.
    fn middle(&self, from: Element) -> Element {
        if self.scaled { Element::F32 } else { from }
    }

    #[cfg(feature = "run")]
    fn steps(&self, from: Element, to: Element) -> Option<Steps> {
        let middle = self.middle(from);
        let scaling = match self.scaled {
            true => Some((
                convert(from, middle, Rounding::NearestEven, false)?,
                binary_scalar(BinaryOp::Mul, middle)?,
            )),
            false => None,
        };
        Some(Steps {
            first: binary(self.op, from)?,
            scaling,
            relu: unary(UnaryOp::Relu, middle)?,
            narrow: convert(middle, to, Rounding::NearestEven, true)?,
        })
    }

    /// Computes one element.
    #[cfg(feature = "run")]
    fn apply(&self, from: Element, to: Element, a: u64, b: u64, scale: u64) -> Option<u64> {
        let middle = self.middle(from);
        let mut value = self.op.apply(from, a, b)?;
        if self.scaled {
            value = convert_one(from, middle, Rounding::NearestEven, false, value)?;
            for factor in [AROUND[0], scale, AROUND[1]] {
                value = BinaryOp::Mul.apply(middle, value, factor)?;
            }
        }
        value = UnaryOp::Relu.apply(middle, value)?;
        convert_one(middle, to, Rounding::NearestEven, true, value)
    }
}

/// The kernels of each step.
#[cfg(feature = "run")]
struct Steps {
    first: BinaryFn,
    scaling: Option<(Conversion, ScalarFn)>,
    relu: UnaryFn,
    narrow: Conversion,
}

/// Size in bytes of the line in spare memory that holds elements before narrowing.
const LINE: usize = 2048;

#[cfg(feature = "run")]
impl Steps {
    /// Computes `count` elements, at most one line, from `a` and `b` to `dst`, through the lines in spare memory.
    fn run(&self, memory: &mut [u8], lines: [usize; 2], [dst, a, b]: [usize; 3], scale: u64, count: usize) {
        let [sum, scaled] = lines;
        (self.first)(memory, sum, a, b, count);
        let mut at = sum;
        if let Some((widen, times)) = &self.scaling {
            at = scaled;
            widen.run(memory, at, sum, count);
            for factor in [AROUND[0], scale, AROUND[1]] {
                times(memory, &Rows::one(at, at, count), &[factor]);
            }
        }
        (self.relu)(memory, at, at, count);
        self.narrow.run(memory, dst, at, count);
    }
}

fn check_scratch(check: &mut Check<'_>) {
    vec_row_major(check, "tmp");
    let (tmp, dst) = (check.tile("tmp"), check.tile("dst"));
    let holds = |have: Option<u32>, need: Option<u32>| have.zip(need).is_none_or(|(have, need)| have >= need);
    let large = holds(tmp.rows, dst.rows) && holds(tmp.cols, dst.cols);
    check.require(&SCRATCH, "tmp", large && tmp.element() == Element::I32, |check| {
        let (name, word) = (check.name("tmp"), element_word(tmp.element()));
        format!(
            "{name} holds {} valid elements of {word}, {} {}",
            tmp.valid_text(),
            check.name("dst"),
            dst.valid_text()
        )
    });
}

impl Instruction for Narrowing {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn check(&self, check: &mut Check<'_>) {
        for role in ["src0", "src1", "dst"] {
            vec_row_major(check, role);
        }
        same_valid(check, "src0", "dst");
        same_valid(check, "src1", "dst");
        let [a, b, to] = ["src0", "src1", "dst"].map(|role| check.tile(role).element());
        check.require(&PAIR, "dst", a == b && self.pairs.contains(&(a, to)), |check| {
            let word =
                |(from, to): &(Element, Element)| format!("{} to {}", element_word(*from), element_word(*to));
            let list: Vec<_> = self.pairs.iter().map(word).collect();
            let [a, b, to] = [a, b, to].map(element_word);
            format!(
                "{a} and {b} to {to}: `{}` goes from {}",
                check.site.instruction.page().name,
                list.join(", ")
            )
        });
        if self.scaled {
            let scale = check.site.scalar("scale").map(|(ty, _)| ty);
            check.require(&SCALE, "scale", scale.is_none_or(|ty| ty.element() == Element::F32), |check| {
                format!("{} is a {}", check.name("scale"), scale.map_or("?", |ty| ty.word()))
            });
            check_scratch(check);
        }
    }
}

#[cfg(feature = "run")]
impl Compute for Narrowing {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src0, src1) = (reference.tile("dst"), reference.tile("src0"), reference.tile("src1"));
        let scale = if self.scaled { reference.scalar("scale", Element::F32) } else { 0 };
        let Size { rows, cols } = reference.valid(&dst);
        for i in 0..rows {
            for j in 0..cols {
                let (a, b) = (reference.get(&src0, i, j), reference.get(&src1, i, j));
                let result = self.apply(src0.ty.element, dst.ty.element, a, b, scale);
                reference.set(&dst, i, j, result.unwrap_or_default());
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src0, src1) = (prepare.tile("dst")?, prepare.tile("src0")?, prepare.tile("src1")?);
        let (from, to) = (src0.ty.element, dst.ty.element);
        let steps = self.steps(from, to).ok_or("the element type has no such operation")?;
        let scale = if self.scaled { Some(prepare.scalar("scale")?) } else { None };
        Ok(Box::new(move |state: &mut State<'_>| {
            let [a, b] = state.unalias(&dst, [&src0, &src1]);
            let live = state.live(&dst);
            let scale = scale.map_or(0, |(slot, ty)| scalar_bits(state.scalars[slot], ty, Element::F32));
            let lines = [state.spare.end - LINE, state.spare.end - 2 * LINE];
            let memory = &mut *state.memory;
            let layouts = [&dst.layout, &src0.layout, &src1.layout];
            let most = LINE / from.bytes(1);
            for_each_run(layouts, live.size(), |[d, x, y], count| {
                for start in (0..count).step_by(most) {
                    let at = [
                        live.address + to.bytes(d + start),
                        a + from.bytes(x + start),
                        b + from.bytes(y + start),
                    ];
                    steps.run(memory, lines, at, scale, most.min(count - start));
                }
                Ok(())
            })
        }))
    }
}
