//! The instructions that set the quantization of accumulators that are pushed into a queue.
//!
//! The device has one register per kind of parameter. The public assembler binds parameters to the number of a
//! queue; they remain until they are set again.

mod set_quant_scalar;
mod set_quant_vector;

pub(super) use set_quant_scalar::SET_QUANT_SCALAR;
pub(super) use set_quant_vector::SET_QUANT_VECTOR;

use crate::op::attribute::AttributeSpec;
use crate::op::effect::{Effect, Register};
use crate::op::form::{Kinds, Syntax};
#[cfg(feature = "run")]
use crate::op::site::Site;
use crate::op::view::support;
use crate::op::{Page, Set};
use crate::rule::Rule;

const ID: AttributeSpec =
    AttributeSpec::integer("id", "The number of the queue that uses the parameters.").or_integer(0);

/// The number of the queue.
#[cfg(feature = "run")]
fn queue(site: &Site<'_>) -> Option<i128> {
    site.integer_or_default(ID.name)
}

const EFFECTS: &[Effect] = &[Effect::names("value"), Effect::writes_register(Register::Quantization)];

const fn page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    kinds: Kinds,
    rules: &'static [&'static Rule],
) -> Page {
    let syntax = Syntax::Own(&["( %value : :value ) {} {}"], kinds);
    Page {
        set: Set::Layout,
        ..support::page(name, summary, formula, source, syntax, rules).with(&[ID]).touching(EFFECTS)
    }
}
