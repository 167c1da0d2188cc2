//! Code shared by the matrix products: `dst = init + left x right`.

use super::rules::{
    ACC_LAYOUT, BIAS, GEMV_ROW, LEFT_LAYOUT, LOCATIONS, RANGE, RESULT, RIGHT_LAYOUT, SHAPE, TYPES,
};
use super::{locations, mx, pictures};
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::op::acc_pitch::{self, PitchUse};
use crate::op::common::{agree, pairs_note};
use crate::op::cost;
use crate::op::effect::{Count, Effect, Extent, Register};
use crate::op::form::{Form, Syntax, form};
use crate::op::origin::Origin;
use crate::op::otherwise::Otherwise;
use crate::op::site::{Check, Site, TileFact};
use crate::op::unit_flag;
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{PerProfile, Profile};
use crate::rule::{Rule, join};
use crate::tile::{BLayout, Location, SLayout};
use pto_num::sum_of_products;
#[cfg(feature = "run")]
use {
    super::kernel::{Kernel, without_depth},
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::{Position, Size},
    crate::op::Compute,
    pto_kernels::copy_matrix,
    pto_kernels::matmul::{Init, MatMul},
};

const RULES: &[&Rule] =
    &[&LOCATIONS, &SHAPE, &RESULT, &RANGE, &TYPES, &ACC_LAYOUT, &RIGHT_LAYOUT, &LEFT_LAYOUT];
const BIAS_RULES: &[&Rule] = join!(RULES, &[&BIAS]);
const GEMV_RULES: &[&Rule] = join!(RULES, &[&GEMV_ROW]);
const GEMV_BIAS_RULES: &[&Rule] = join!(RULES, &[&BIAS, &GEMV_ROW]);

const MX: &[&Rule] = &[&mx::SCALE_LOCATION, &mx::SCALE_TYPE, &mx::SCALE_SHAPE, &mx::K_MULTIPLE];
const MX_RULES: &[&Rule] = join!(RULES, MX);
const MX_BIAS_RULES: &[&Rule] = join!(RULES, &[&BIAS], MX);
const MX_GEMV_RULES: &[&Rule] = join!(RULES, &[&GEMV_ROW], MX);
const MX_GEMV_BIAS_RULES: &[&Rule] = join!(RULES, &[&BIAS, &GEMV_ROW], MX);

/// The initial value of a product.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Zero.
    Zero,
    /// An accumulator, usually the destination itself.
    Accumulator,
    /// A row of biases.
    Bias,
}

/// The shape of the left factor.
#[derive(Clone, Copy)]
pub(super) enum Left {
    /// A matrix.
    Matrix,
    /// A row vector.
    Row,
}

/// A matrix product.
pub(super) struct Product {
    page: Page,
    start: Start,
    vector: bool,
    /// Whether the factors have MX scales.
    scaled: bool,
}

/// Effects: `left` is M x K and `right` K x N; the first M x N elements of accumulator, bias and result are
/// accessed.
const EFFECTS: &[Effect] = &[
    Effect::reads_register(Register::Products),
    Effect::reads("left"),
    Effect::reads("left_scale").of(Extent::Rect(Count::Rows("left"), Count::Valid)),
    Effect::reads("right"),
    Effect::reads("right_scale").of(Extent::Rect(Count::Valid, Count::Cols("right"))),
    Effect::reads("acc").of(RESULT_REGION),
    Effect::reads("bias").of(Extent::Rect(Count::Fixed(1), Count::Cols("right"))),
    Effect::writes("dst").of(RESULT_REGION),
];
const RESULT_REGION: Extent = Extent::Rect(Count::Rows("left"), Count::Cols("right"));

const PLAIN: Form = form!(ins(left: Tile, right: Tile) outs(dst: Tile));
const ACCUMULATE: Form = form!(ins(acc: Tile, left: Tile, right: Tile) outs(dst: Tile));
const WITH_BIAS: Form = form!(ins(left: Tile, right: Tile, bias: Tile) outs(dst: Tile));
const MX_PLAIN: Form =
    form!(ins(left: Tile, left_scale: Tile, right: Tile, right_scale: Tile) outs(dst: Tile));
const MX_ACCUMULATE: Form =
    form!(ins(acc: Tile, left: Tile, left_scale: Tile, right: Tile, right_scale: Tile) outs(dst: Tile));
const MX_WITH_BIAS: Form =
    form!(ins(left: Tile, left_scale: Tile, right: Tile, right_scale: Tile, bias: Tile) outs(dst: Tile));

/// A product in one of its forms.
pub(super) const fn product(
    name: &'static str,
    start: Start,
    left: Left,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Product {
    let vector = matches!(left, Left::Row);
    let syntax = match start {
        Start::Zero => Syntax::Destination(&[PLAIN]),
        Start::Accumulator => Syntax::Destination(&[ACCUMULATE]),
        Start::Bias => Syntax::Destination(&[WITH_BIAS]),
    };
    let rules: &[&'static Rule] = match (start, vector) {
        (Start::Bias, false) => BIAS_RULES,
        (Start::Bias, true) => GEMV_BIAS_RULES,
        (_, true) => GEMV_RULES,
        _ => RULES,
    };
    let (set, aliases) = (Set::Matmul, &[]);
    Product {
        page: Page {
            name,
            aliases,
            set,
            summary,
            formula,
            source,
            syntax,
            attributes: &[unit_flag::OF_PRODUCT],
            rules,
            effects: EFFECTS,
            cost: cost::MATRIX_PRODUCT,
            pictures: pictures::plain(start, vector),
            origin: Some(Origin::WRITTEN),
        },
        start,
        vector,
        scaled: false,
    }
}

/// A product of factors with MX scales in one of its forms.
pub(super) const fn scaled(
    name: &'static str,
    start: Start,
    left: Left,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Product {
    let vector = matches!(left, Left::Row);
    let plain = product(name, start, left, summary, formula, source);
    let syntax = match start {
        Start::Zero => Syntax::Destination(&[MX_PLAIN]),
        Start::Accumulator => Syntax::Destination(&[MX_ACCUMULATE]),
        Start::Bias => Syntax::Destination(&[MX_WITH_BIAS]),
    };
    let rules: &[&'static Rule] = match (start, vector) {
        (Start::Bias, false) => MX_BIAS_RULES,
        (Start::Bias, true) => MX_GEMV_BIAS_RULES,
        (_, true) => MX_GEMV_RULES,
        _ => MX_RULES,
    };
    Product {
        page: Page { syntax, rules, pictures: pictures::scaled(vector), ..plain.page },
        scaled: true,
        ..plain
    }
}

fn types_fit(profile: Profile, left: Element, right: Element, acc: Element) -> bool {
    use Element::*;
    let small = |element| matches!(element, E4M3 | E5M2);
    let a2a3 =
        matches!((acc, left, right), (I32, I8, I8) | (F32, F16, F16) | (F32, F32, F32) | (F32, Bf16, Bf16));
    let a5 = a2a3 || acc == F32 && (small(left) && small(right) || (left, right) == (HiF8, HiF8));
    let cpu = sum_of_products(left, right).is_some() && (acc == if left.is_integer() { I32 } else { F32 });
    PerProfile::new(cpu, a2a3, a5).of(profile)
}

impl Product {
    fn check_layouts(&self, check: &mut Check<'_>) {
        let left = check.tile("left").ty;
        let single_row = left.slayout == SLayout::NoneBox && left.rows == 1;
        check.require(&LEFT_LAYOUT, "left", left.slayout == SLayout::RowMajor || single_row, |check| {
            format!("{} is {} with {}", check.name("left"), left.blayout.word(), left.slayout.word())
        });
        let layouts = [
            (&RIGHT_LAYOUT, "right", BLayout::RowMajor, SLayout::ColMajor),
            (&ACC_LAYOUT, "acc", BLayout::ColMajor, SLayout::RowMajor),
            (&ACC_LAYOUT, "dst", BLayout::ColMajor, SLayout::RowMajor),
        ];
        for (rule, role, blayout, slayout) in layouts {
            let Some(ty) = check.site.tile(role).map(|tile| tile.ty) else { continue };
            check.require(rule, role, (ty.blayout, ty.slayout) == (blayout, slayout), |check| {
                format!("{} is {} with {}", check.name(role), ty.blayout.word(), ty.slayout.word())
            });
        }
    }

    fn check_shapes(&self, check: &mut Check<'_>) {
        let (left, right, dst) = (check.tile("left"), check.tile("right"), check.tile("dst"));
        let room = |need: Option<u32>, have: u32| need.is_none_or(|need| need <= have);
        let ([m, along], [down, n]) = (left.values(), right.values());
        let fits = agree(along, down) && room(m, dst.ty.rows) && room(n, dst.ty.cols);
        let shapes = |check: &Check<'_>| {
            let text = |role: &str, tile: &TileFact| format!("{} is {}", check.name(role), tile.valid_text());
            let note = pairs_note(&[left.element(), right.element()]);
            format!("{}, {}, {}{note}", text("left", left), text("right", right), text("dst", dst))
        };
        check
            .require(&SHAPE, "dst", fits, |check| format!("the valid regions do not fit: {}", shapes(check)));
        let whole = agree(m, dst.rows) && agree(n, dst.cols);
        check.judge(Severity::Extension, &RESULT, "dst", whole || !fits, |check| {
            format!("the product is not all of the result, or more: {}", shapes(check))
        });
        let in_range = |extent: Option<u32>| extent.is_none_or(|extent| extent <= 4095);
        let all = [m, along, n].into_iter().all(in_range);
        check.require(&RANGE, "dst", all, |check| format!("an extent is out of range: {}", shapes(check)));
        if self.vector {
            let one = agree(m, Some(1)) && agree(dst.rows, Some(1));
            check.require(&GEMV_ROW, "left", one, |check| format!("more than one row: {}", shapes(check)));
        }
        if self.start == Start::Bias {
            let bias = check.tile("bias");
            let fits = bias.location() == Location::Bias
                && agree(bias.rows, Some(1))
                && bias.cols.zip(n).is_none_or(|(have, need)| have >= need)
                && bias.element() == dst.element();
            check.require(&BIAS, "bias", fits, |check| {
                format!(
                    "{} is {} with {} valid elements; the result has {} columns of {}",
                    check.name("bias"),
                    bias.ty.brief(),
                    bias.valid_text(),
                    n.map_or("?".into(), |cols| cols.to_string()),
                    element_word(dst.element())
                )
            });
        }
    }
}

impl Instruction for Product {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Matrix
    }

    fn otherwise(&self) -> Vec<Otherwise> {
        vec![acc_pitch::otherwise()]
    }

    fn accumulators(&self, site: &Site<'_>) -> Vec<PitchUse> {
        acc_pitch::of_product(site)
    }

    fn check(&self, check: &mut Check<'_>) {
        let in_place = locations::check(check);
        let types =
            [check.tile("left").element(), check.tile("right").element(), check.tile("dst").element()];
        let [left, right, acc] = types;
        let types_fit = if self.scaled { mx::types_fit } else { types_fit };
        check.require(&TYPES, "dst", types_fit(check.profile(), left, right, acc), |check| {
            let [left, right, acc] = types.map(element_word);
            let with = if self.scaled { " with scales" } else { "" };
            format!("{} does not multiply {left} by {right} into {acc}{with}", check.profile().word())
        });
        let initial = check.site.tile("acc").map_or(acc, TileFact::element);
        check.require(&TYPES, "acc", initial == acc, |check| {
            let (name, initial, acc) = (check.name("acc"), element_word(initial), element_word(acc));
            format!("{name} holds {initial}, but the result {acc}")
        });
        if in_place {
            self.check_layouts(check);
        }
        self.check_shapes(check);
        if self.scaled {
            mx::check(check);
        }
    }
}

#[cfg(feature = "run")]
impl Compute for Product {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, left, right) = (reference.tile("dst"), reference.tile("left"), reference.tile("right"));
        let initial = reference.tile_if("acc").or_else(|| reference.tile_if("bias"));
        let (left_scale, right_scale) = (reference.tile_if("left_scale"), reference.tile_if("right_scale"));
        let Size { rows: m, cols: k } = reference.valid_values(&left);
        let n = reference.valid_values(&right).cols;
        let rounding = reference.state().registers.tf32.filter(|_| left.ty.element == Element::F32);
        for i in 0..m {
            for j in 0..n {
                let row = if self.start == Start::Bias { 0 } else { i };
                let start = initial.map_or(0, |tile| reference.get(&tile, row, j));
                let value = if dst.ty.element.is_integer() {
                    let steps = (0..k).map(|p| (reference.get(&left, i, p), reference.get(&right, p, j)));
                    let (a, b) = (left.ty.element, right.ty.element);
                    let product = |(x, y)| (a.decode_int(x) * b.decode_int(y)) as i32;
                    steps.fold(start as u32 as i32, |sum, step| sum.wrapping_add(product(step))) as u32
                } else {
                    let (a, b) = (left_scale.as_ref(), right_scale.as_ref());
                    let factor =
                        |value| rounding.map_or(value, |tf32| pto_kernels::matmul::round_tf32(tf32, value));
                    let x = |p| factor(mx::value(reference, &left, a, Position { row: i, col: p }, true));
                    let y = |p| factor(mx::value(reference, &right, b, Position { row: p, col: j }, false));
                    let value = (0..k).fold(f32::from_bits(start as u32), |sum, p| x(p).mul_add(y(p), sum));
                    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
                };
                reference.set(&dst, i, j, u64::from(value));
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, left, right) = (prepare.tile("dst")?, prepare.tile("left")?, prepare.tile("right")?);
        let kernel = Kernel::of(prepare, self.scaled)?;
        let initial = match self.start {
            Start::Zero => None,
            Start::Accumulator => Some(prepare.tile("acc")?),
            Start::Bias => Some(prepare.tile("bias")?),
        };
        let start = self.start;
        let factors = [&left, &right].map(|tile| tile.layout.of_values(tile.ty.element));
        Ok(Box::new(move |state: &mut State<'_>| {
            let (a, b) = (state.live(&left), state.live(&right));
            let Size { rows: m, cols: k } = left.values_in(a.size());
            let Size { rows: down, cols: n } = right.values_in(b.size());
            if down != k || m > dst.rows() || n > dst.cols() {
                return Err(Fault::Rule);
            }
            if m == 0 || n == 0 {
                return Ok(());
            }
            let c = state.placement(&dst);
            let init = match (start, initial) {
                (Start::Accumulator, Some(acc)) => {
                    let [from] = state.unalias(&dst, [&acc]);
                    let from = acc.layout.placement(from);
                    if from != c {
                        copy_matrix(state.memory, &c, &from, m, n, 32);
                    }
                    Init::Accumulate
                }
                (Start::Bias, Some(bias)) => Init::Row { offset: state.live(&bias).address },
                _ => Init::Zero,
            };
            if k == 0 {
                without_depth(state, &c, m, n, init, dst.ty.element);
                return Ok(());
            }
            let (a, b) = (factors[0].placement(a.address), factors[1].placement(b.address));
            let product = MatMul { m, k, n, a, b, c, init };
            kernel.run(state, &product);
            Ok(())
        }))
    }
}
