//! Code shared by the instructions on signals. A signal is an i32 in global memory that other ranks change.

use super::staging::{five, views};
use crate::element::{Element, element_word};
use crate::op::attribute::AttributeSpec;
use crate::op::site::{Check, Site};
use crate::rule::Rule;
use crate::types::Scalar;
#[cfg(feature = "run")]
use {
    super::tensor::{Tensor, TensorSlot},
    crate::exec::state::{Fault, Prepare, State},
};

const SOURCE: &str = "docs/isa/comm/TWAIT.md, Constraints";

pub(super) const TYPE: Rule = Rule::new("element-type", "Signals are i32.", SOURCE)
    .because("The other rank polls and changes a word of 32 bits.")
    .instead("Declare the view of signals with element type i32.");
pub(super) const VALUE: Rule = Rule::new("value", "The value is an integer.", SOURCE)
    .because("A signal is compared and changed as an integer.")
    .instead("Pass an integer, or convert the value first.");
pub(super) const COMPARE: Rule = Rule::new(
    "comparison",
    "The comparison is eq, ne, gt, ge, lt or le.",
    "docs/isa/comm/README.md, WaitCmp",
)
.because("Another comparison is not defined, so the wait has no condition.")
.instead("Write `cmp` as eq, ne, gt, ge, lt or le.");

/// The attribute that selects the comparison of a signal with a value.
pub(super) const CMP: AttributeSpec = AttributeSpec::words(
    "cmp",
    "wait_cmp",
    &["eq", "ne", "gt", "ge", "lt", "le"],
    "The comparison of the signal with the value.",
);

/// Comparisons of a signal with a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Comparison {
    Eq,
    Ne,
    Gt,
    Ge,
    Lt,
    Le,
}

impl Comparison {
    fn of(site: &Site<'_>) -> Option<Comparison> {
        Some(match site.word(CMP.name)? {
            "eq" => Comparison::Eq,
            "ne" => Comparison::Ne,
            "gt" => Comparison::Gt,
            "ge" => Comparison::Ge,
            "lt" => Comparison::Lt,
            "le" => Comparison::Le,
            _ => return None,
        })
    }

    fn holds(self, signal: i32, value: i32) -> bool {
        match self {
            Comparison::Eq => signal == value,
            Comparison::Ne => signal != value,
            Comparison::Gt => signal > value,
            Comparison::Ge => signal >= value,
            Comparison::Lt => signal < value,
            Comparison::Le => signal <= value,
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Comparison::Eq => "==",
            Comparison::Ne => "!=",
            Comparison::Gt => ">",
            Comparison::Ge => ">=",
            Comparison::Lt => "<",
            Comparison::Le => "<=",
        }
    }
}

/// A comparison of all signals of a view with a value, ready to run.
#[cfg(feature = "run")]
pub(super) struct Look {
    signal: TensorSlot,
    name: String,
    value: usize,
    comparison: Comparison,
}

#[cfg(feature = "run")]
impl Look {
    pub(super) fn of(prepare: &Prepare<'_>) -> Result<Look, String> {
        Ok(Look {
            signal: TensorSlot::of(prepare, "signal")?,
            name: prepare.name("signal").to_owned(),
            value: prepare.scalar("value")?.0,
            comparison: Comparison::of(prepare.site).ok_or("there is no such comparison")?,
        })
    }

    /// `None` if the comparison holds for all signals, else a description of the first signal for which it fails.
    pub(super) fn missing(&self, state: &mut State<'_>) -> Result<Option<String>, Fault> {
        let signals = self.signal.open(state)?;
        let value = state.scalars[self.value] as i32;
        for (outer, row, col) in signals.each() {
            let place = signals.placement(outer, row, col);
            let signal = signals.get(state, &place, 0, 0) as i32;
            if !self.comparison.holds(signal, value) {
                let sign = self.comparison.sign();
                return Ok(Some(format!("a signal of `%{}` {sign} {value}, which is {signal}", self.name)));
            }
        }
        Ok(None)
    }
}

/// The signal that a notification changes: the first of its view.
#[cfg(feature = "run")]
pub(super) fn first(signals: &Tensor) -> Option<pto_kernels::Placement> {
    (signals.count() > 0).then(|| signals.placement([0; 3], 0, 0))
}

/// The rules of every instruction on signals.
pub(super) fn check_signal(check: &mut Check<'_>) {
    let element = views(check, "signal").first().map(|view| view.element);
    check.require(&TYPE, "signal", element.is_none_or(|element| element == Element::I32), |check| {
        let word = element_word(element.unwrap_or(Element::I32));
        format!("{} holds {word}", check.name("signal"))
    });
    let value = check.site.scalar("value").map(|(ty, _)| ty);
    let integer = value.is_none_or(|ty| ty.is_integer() && ty != Scalar::Bool);
    check.require(&VALUE, "value", integer, |check| {
        format!("{} is {}", check.name("value"), value.map_or("?", |ty| ty.word()))
    });
}

/// The rules of instructions that compare signals.
pub(super) fn check_look(check: &mut Check<'_>) {
    check_signal(check);
    let known = Comparison::of(check.site).is_some();
    check.require(&COMPARE, "signal", known, |check| match check.site.word(CMP.name) {
        Some(word) => format!("`{word}` is no comparison"),
        None => "say which: {cmp = #pto<wait_cmp ge>}".to_owned(),
    });
}

/// Whether a view has more than one element; `false` if that is unknown.
pub(super) fn has_several(check: &Check<'_>) -> bool {
    let shape = views(check, "signal").first().and_then(|view| five(view));
    shape.is_some_and(|shape| shape.iter().flatten().any(|extent| *extent > 1))
}
