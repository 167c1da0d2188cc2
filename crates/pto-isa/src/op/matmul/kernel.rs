//! The kernel that computes a product, chosen by the formats of its factors.

use crate::element::Element;
use crate::exec::state::{Prepare, State, Tile};
use pto_kernels::Placement;
use pto_kernels::matmul::{
    Init, MatMul, MatMulFn, ScaledMatMulFn, Scales, matmul, matmul_scaled, matmul_tf32,
};
use pto_num::{get_element, set_element};

/// A product of `m` x `n` elements with K = 0: each is its initial value.
pub(super) fn without_depth(
    state: &mut State<'_>,
    c: &Placement,
    m: usize,
    n: usize,
    init: Init,
    acc: Element,
) {
    for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let at = c.index(i, j);
        let start = match init {
            Init::Zero => 0,
            Init::Accumulate => get_element(state.memory, c.offset, at, acc),
            Init::Row { offset } => get_element(state.memory, offset, j, acc),
        };
        let is_nan = acc == Element::F32 && f32::from_bits(start as u32).is_nan();
        set_element(state.memory, c.offset, at, acc, if is_nan { 0x7fc0_0000 } else { start });
    }
}

/// The kernel for two formats.
pub(super) enum Kernel {
    Plain(MatMulFn),
    /// f32 without MX scales; a mode may round the factors.
    Moded(MatMulFn),
    /// Factors with MX scales, and the tiles that hold the scales.
    Scaled(ScaledMatMulFn, Box<[Tile; 2]>),
}

impl Kernel {
    pub(super) fn of(prepare: &Prepare<'_>, scaled: bool) -> Result<Kernel, String> {
        let (left, right) = (prepare.tile("left")?.ty.element, prepare.tile("right")?.ty.element);
        let missing = "these element types do not multiply";
        if !scaled {
            let plain = matmul(left, right).ok_or(missing)?;
            let moded = (left, right) == (Element::F32, Element::F32);
            return Ok(if moded { Kernel::Moded(plain) } else { Kernel::Plain(plain) });
        }
        let kernel = matmul_scaled(left, right).ok_or(missing)?;
        let scales = [prepare.tile("left_scale")?, prepare.tile("right_scale")?];
        Ok(Kernel::Scaled(kernel, Box::new(scales)))
    }

    pub(super) fn run(&self, state: &mut State<'_>, product: &MatMul) {
        match self {
            Kernel::Plain(kernel) => kernel(state.memory, product, state.scratch),
            Kernel::Moded(plain) => {
                let kernel = state.registers.tf32.map_or(*plain, matmul_tf32);
                kernel(state.memory, product, state.scratch);
            }
            Kernel::Scaled(kernel, scales) => {
                let [a, b] = [&scales[0], &scales[1]].map(|tile| state.placement(tile));
                let scales = Scales { a, b };
                kernel(state.memory, product, &scales, state.scratch);
            }
        }
    }
}
