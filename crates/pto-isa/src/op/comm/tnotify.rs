//! TNOTIFY: changes a signal of another rank.

use super::collective::page;
use super::signal::{TYPE, VALUE, check_signal, has_several};
use crate::diag::Severity;
use crate::op::attribute::AttributeSpec;
use crate::op::effect::{Access, Effect};
use crate::op::form::{Kind, Syntax};
use crate::op::scalar_unit::ScalarInstruction;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {super::signal::first, super::tensor::TensorSlot, crate::exec::state::State};

const SOURCE: &str = "docs/isa/comm/TNOTIFY.md";

const OPERATION: Rule =
    Rule::new("operation", "The operation is atomic_add or set.", "docs/isa/comm/README.md, NotifyOp")
        .because("The remote write has these two modes only.")
        .instead("Write `notifyOp` as atomic_add or set.");
const SINGLE: Rule = Rule::new(
    "single-signal",
    "The view of the signal has one element, because only the first element is changed.",
    "include/pto/comm/a2a3/TNotify.hpp",
)
.because("The other elements of the view keep their value, and waits for them hang.")
.instead("Pass a view of one element, and notify once per signal.")
.lint();

pub(super) static COMM_TNOTIFY: ScalarInstruction = ScalarInstruction {
    page: page(
        "comm.tnotify",
        "Sets a signal of another rank, or adds to it, after the earlier instructions have ended.",
        "signal = value, or signal + value modulo 2^32",
        SOURCE,
        Syntax::Own(
            &["( %signal , %value : :signal , :value ) {}"],
            &[("signal", Kind::View), ("value", Kind::Integer)],
        ),
        &[&TYPE, &VALUE, &OPERATION, &SINGLE],
    )
    .with(&[AttributeSpec::words(
        "notifyOp",
        "notify_op",
        &["atomic_add", "set"],
        "Whether the value replaces the signal or is added to it.",
    )])
    .touching(&[Effect::signal("signal", Access::Notify)]),
    check: |check| {
        check_signal(check);
        let known = matches!(check.site.word("notifyOp"), Some("atomic_add" | "set"));
        check.require(&OPERATION, "signal", known, |check| match check.site.word("notifyOp") {
            Some(word) => format!("`{word}` is no operation of a notification: atomic_add or set"),
            None => "say which: {notifyOp = #pto<notify_op atomic_add>}".to_owned(),
        });
        let several = has_several(check);
        check.judge(Severity::Lint, &SINGLE, "signal", !several, |check| {
            format!("{} has several elements; only the first is changed", check.name("signal"))
        });
    },
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let (signal, value) = (TensorSlot::of(prepare, "signal")?, prepare.scalar("value")?.0);
        let add = prepare.site.word("notifyOp") == Some("atomic_add");
        Ok(Box::new(move |state: &mut State<'_>| {
            let signals = signal.open(state)?;
            let Some(place) = first(&signals) else { return Ok(()) };
            let old = if add { signals.get(state, &place, 0, 0) as u32 } else { 0 };
            let new = old.wrapping_add(state.scalars[value] as u32);
            signals.set(state, &place, 0, 0, u64::from(new));
            Ok(())
        }))
    },
};
