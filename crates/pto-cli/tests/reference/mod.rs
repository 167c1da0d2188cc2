//! Reference results of the kernels of `tests/corpus.json`, computed from their mathematics in f64.
//!
//! Nothing here uses a `pto` crate: a shared mistake would go unseen. Values arrive as f64, decoded from the argument's
//! type in buffer order; bf16 and f32 inputs are therefore exact. Every function states its shapes (rows x columns) and
//! the reason for its tolerance. Two reasons recur:
//!
//! - An output stored as bf16 has 8 significant bits, so it is off by up to half a unit, 2^-8 of its value: [`BF16`].
//! - A sum of products in f32 is off by about 2^-24 of the largest partial sum, times the square root of the number
//!   of its terms; the absolute tolerances leave room for four standard deviations.

mod attention;
mod control_flow;
mod elementwise;
mod ffn;
mod layout;
mod matmul;
mod paged;
mod qwen;
mod qwen_attention;

/// One argument before the run. A scalar is one value; `i1` is 0 or 1.
pub(crate) struct Input<'a> {
    /// The argument's name without `%`.
    pub(crate) name: &'a str,
    /// Values of the argument in buffer order.
    pub(crate) values: &'a [f64],
}

/// A part of an argument after the run: the elements from `start` on. Elements outside all parts are not compared.
pub(crate) struct Expected {
    /// The argument's name without `%`.
    pub(crate) argument: &'static str,
    /// The element at which `values` begin.
    pub(crate) start: usize,
    /// Required value.
    pub(crate) values: Vec<f64>,
    /// The absolute tolerance, added to the relative one.
    pub(crate) atol: f64,
    /// The tolerance relative to the expected value.
    pub(crate) rtol: f64,
}

/// Computes the outputs from the inputs.
pub(crate) type Reference = fn(&[Input]) -> Vec<Expected>;

/// Half a unit in the last place of bf16, and a little for the f32 arithmetic before it.
pub(crate) const BF16: f64 = 1.01 / 256.0;

/// The reference that `tests/corpus.json` calls `name`.
pub(crate) fn find(name: &str) -> Option<Reference> {
    Some(match name {
        "add" => elementwise::add,
        "mul" => elementwise::mul,
        "add_scalar" => elementwise::add_scalar,
        "attention" => attention::quartic,
        "attention_cubic" => attention::cubic,
        "attention_intermediate" => attention::intermediate,
        "attention_scores" => attention::scores,
        "attention_softmax" => attention::softmax,
        "attention_sv" => attention::sv,
        "concat" => layout::concat,
        "tconcatidx" => layout::tconcatidx,
        "partition5d" => layout::partition5d,
        "rope_swap" => layout::rope_swap,
        "rope_interleave" => layout::rope_interleave,
        "control_flow_2d" => control_flow::two_loops,
        "control_flow_branch" => control_flow::branch,
        "control_flow_mixed" => control_flow::mixed,
        "control_flow_nested" => control_flow::nested,
        "ffn" => ffn::block,
        "ffn_full_tiled" => ffn::full_tiled,
        "ffn_fc1" => ffn::fc1,
        "ffn_fc2" => ffn::fc2,
        "ffn_act" => ffn::act,
        "ffn_act_dynamic" => ffn::act_dynamic,
        "matmul_bias" => matmul::bias,
        "matmul_transpose" => matmul::transpose,
        "movfp" => matmul::movfp,
        "paged_qk" => paged::qk,
        "paged_pv" => paged::pv,
        "paged_softmax_prepare" => paged::softmax_prepare,
        "paged_online_update" => paged::online_update,
        "qwen_rmsnorm" => qwen::rmsnorm,
        "qwen_post_rmsnorm" => qwen::post_rmsnorm,
        "qwen_q_proj" => qwen::q_proj,
        "qwen_kv_proj" => qwen::kv_proj,
        "qwen_row_sums" => qwen::row_sums,
        "qwen_out_proj_residual" => qwen::out_proj_residual,
        "qwen_down_proj_residual" => qwen::down_proj_residual,
        "qwen_silu" => qwen::silu,
        "qwen_rope_kv_cache" => qwen_attention::rope_kv_cache,
        "qwen_qk" => qwen_attention::qk,
        "qwen_softmax" => qwen_attention::softmax,
        "qwen_sv" => qwen_attention::sv,
        "qwen_online_softmax" => qwen_attention::online_softmax,
        _ => return None,
    })
}

/// The values of the argument `name`.
fn values<'a>(inputs: &[Input<'a>], name: &str) -> &'a [f64] {
    optional(inputs, name).unwrap_or_else(|| panic!("the manifest gives no input `{name}`"))
}

/// The values of the argument `name`, if the kernel has one.
fn optional<'a>(inputs: &[Input<'a>], name: &str) -> Option<&'a [f64]> {
    inputs.iter().find(|input| input.name == name).map(|input| input.values)
}

/// The value of the scalar `name`, a size or an index.
fn size(inputs: &[Input], name: &str) -> usize {
    values(inputs, name)[0] as usize
}

/// A whole argument.
fn whole(argument: &'static str, values: Vec<f64>, atol: f64, rtol: f64) -> Expected {
    Expected { argument, start: 0, values, atol, rtol }
}

/// `a` (rows x `inner`) times `b` (`inner` x `columns`), row-major.
fn product(a: &[f64], b: &[f64], inner: usize, columns: usize) -> Vec<f64> {
    let mut out = vec![0.0; a.len() / inner * columns];
    for (a_row, out_row) in a.chunks_exact(inner).zip(out.chunks_exact_mut(columns)) {
        for (&x, b_row) in a_row.iter().zip(b.chunks_exact(columns)) {
            for (sum, &y) in out_row.iter_mut().zip(b_row) {
                *sum += x * y;
            }
        }
    }
    out
}

/// The value of bf16 nearest to `value`, ties away from zero. `value` is normal or zero.
fn to_bf16(value: f64) -> f64 {
    // Seven stored bits of the 52 stay.
    let half = 1u64 << 44;
    f64::from_bits((value.to_bits() + half) & !(2 * half - 1))
}

#[test]
fn a_product_has_rows_of_a_and_columns_of_b() {
    assert_eq!(
        product(&[1.0, 2.0, 3.0, 4.0], &[1.0, 0.0, 5.0, 0.0, 1.0, 6.0], 2, 3),
        [1.0, 2.0, 17.0, 3.0, 4.0, 39.0]
    );
}

#[test]
fn bf16_keeps_eight_significant_bits() {
    assert_eq!(to_bf16(1.0 + 1.0 / 256.0), 1.0 + 1.0 / 128.0);
    assert_eq!(to_bf16(-1.003), -1.0);
    assert_eq!(to_bf16(0.0), 0.0);
}
