//! Remainders of i32 on A2/A3, which overwrite their sources: the device computes in f32 in place.
//!
//! The divisor tile holds bits of f32 afterwards. The dividend tile holds the dividends as f32 represents them, rounded to 24 bits. Here
//! the remainder is exact all the same, and a dividend that f32 does not represent is a lint.

use crate::element::Element;
use crate::op::effect::{Access, Effect};
use crate::op::otherwise::{Here, Otherwise};
use crate::op::site::Site;
use crate::profile::{A2A3_ONLY, A5_ONLY};
use crate::rule::Rule;
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    crate::exec::state::{State, Tile},
    pto_num::{get_element, set_element},
};

pub(in crate::op) const RANGE: Rule = Rule::new(
    "range",
    "Dividends of i32 lie between -2^24 and 2^24.",
    "docs/isa/TREMS.md, Constraints; include/pto/npu/a2a3/TRem.hpp",
)
.because("The device computes remainders of i32 in f32, which has 24 bits of mantissa.")
.instead("Reduce the dividends first, or compute the remainder on A5.")
.lint()
.only(A2A3_ONLY);

/// The differences of remainders.
const OF_REMAINDERS: &[Otherwise] = &[
    Otherwise::of(
        A2A3_ONLY,
        "A remainder of i32 overwrites its sources: the divisor tile holds bits of f32 afterwards.",
        Here::Undefined,
        "include/pto/npu/a2a3/TRem.hpp, TRemS.hpp",
    ),
    Otherwise::of(
        A2A3_ONLY,
        "A remainder of i32 is computed with dividends rounded to 24 bits.",
        Here::Reported("trem::range"),
        "docs/isa/TREMS.md, Constraints; include/pto/npu/a2a3/TRem.hpp",
    ),
    Otherwise::of(
        A5_ONLY,
        "A remainder of i64 or ui64 truncates: it has the sign of the dividend.",
        Here::SameBits,
        "include/pto/npu/a5/Int64Div.hpp; results of a device",
    ),
];

/// The differences of an instruction that computes `op`.
pub(in crate::op) fn otherwise(op: BinaryOp) -> Vec<Otherwise> {
    if op == BinaryOp::Rem { OF_REMAINDERS.to_vec() } else { Vec::new() }
}

/// Whether a use overwrites its sources.
pub(in crate::op) fn overwrites_sources(site: &Site<'_>, op: BinaryOp) -> bool {
    op == BinaryOp::Rem
        && A2A3_ONLY.contains(&site.profile)
        && site.tile("dst").is_some_and(|dst| dst.element() == Element::I32)
}

/// The effects of a use of an instruction with these effects on its page.
pub(in crate::op) fn effects(site: &Site<'_>, op: BinaryOp, page: &[Effect]) -> Vec<Effect> {
    let mut effects = site.held(page);
    if !overwrites_sources(site, op) {
        return effects;
    }
    let dividend = if site.operand("src0").is_some() { "src0" } else { "src" };
    let first_write =
        effects.iter().position(|effect| effect.access == Access::Write).unwrap_or(effects.len());
    effects.insert(first_write, Effect::writes(dividend));
    if site.operand("src1").is_some() {
        effects.insert(first_write, Effect::destroys("src1"));
    }
    effects
}

/// Rounds the dividends to 24 bits, unless the destination shares their bytes.
#[cfg(feature = "run")]
pub(in crate::op) fn round(state: &mut State<'_>, dividends: &Tile, dst: &Tile) {
    let (live, result) = (state.bytes_of(dividends), state.bytes_of(dst));
    if live.start < result.end && result.start < live.end {
        return;
    }
    let size = state.live(dst);
    let mut beyond = None;
    for row in 0..size.rows as usize {
        for col in 0..size.cols as usize {
            let at = dividends.layout.offset(row, col);
            let value = get_element(state.memory, live.start, at, Element::I32) as u32 as i32;
            // The saturating cast is that of the device.
            let rounded = value as f32 as i32;
            if rounded != value {
                set_element(state.memory, live.start, at, Element::I32, u64::from(rounded as u32));
            }
            if value.unsigned_abs() > 1 << 24 {
                beyond.get_or_insert(value);
            }
        }
    }
    if let Some(value) = beyond {
        let message = format!("a dividend is {value}: a2a3 computes with the nearest number of 24 bits");
        state.lint = Some((&RANGE, message));
    }
}
