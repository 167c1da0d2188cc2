//! Flags between the pipes of a core.

use super::named;
use super::order::{By, DECLARATIONS, Order, page};
use super::pictures;
use crate::diag::Severity;
use crate::meaning::Meaning;
use crate::op::attribute::AttributeSpec;
use crate::op::form::{Kind, Syntax};
use crate::op::site::Check;
use crate::pipe::{EVENT_IDS, Pipe};
use crate::profile::NPU;
use crate::rule::Rule;

pub(super) static SET_FLAG: Order = Order {
    page: page(
        "set_flag",
        "Sets a flag for another pipe of the core when the earlier instructions of a pipe have ended.",
        "the earlier instructions of src end before dst begins an instruction after the wait_flag of the same (src, dst, event)",
        "docs/isa/scalar/ops/pipeline-sync/set-flag.md",
        NAMED,
        RULES,
    )
    .with(WITH_EVENT)
    .pictured(pictures::FLAGS),
    by: By::Named("src"),
    meaning: Meaning::Flag { sets: true, computed: false },
    check: check_pipes,
};

pub(super) static SET_FLAG_DYN: Order = Order {
    page: page(
        "set_flag_dyn",
        "Sets a flag for another pipe of the core, with an event that the program computes.",
        "as set_flag, with event as a number",
        DECLARATIONS,
        COMPUTED,
        RULES_COMPUTED,
    )
    .with(BETWEEN)
    .pictured(pictures::FLAGS),
    by: By::Named("src"),
    meaning: Meaning::Flag { sets: true, computed: true },
    check: check_computed,
};

pub(super) static WAIT_FLAG: Order = Order {
    page: page(
        "wait_flag",
        "Makes a pipe wait until another pipe of the core has set a flag for it.",
        "dst begins an instruction after wait_flag when src has executed the set_flag of the same (src, dst, event)",
        "docs/isa/scalar/ops/pipeline-sync/wait-flag.md",
        NAMED,
        RULES,
    )
    .with(WITH_EVENT)
    .pictured(pictures::FLAGS),
    by: By::Named("dst"),
    meaning: Meaning::Flag { sets: false, computed: false },
    check: check_pipes,
};

pub(super) static WAIT_FLAG_DYN: Order = Order {
    page: page(
        "wait_flag_dyn",
        "Makes a pipe wait for the flag of another pipe of the core, with an event that the program computes.",
        "as wait_flag, with event as a number",
        DECLARATIONS,
        COMPUTED,
        RULES_COMPUTED,
    )
    .with(BETWEEN)
    .pictured(pictures::FLAGS),
    by: By::Named("dst"),
    meaning: Meaning::Flag { sets: false, computed: true },
    check: check_computed,
};

const DIRECTION: Rule = Rule::new(
    "direction",
    "A flag leads from one pipe to another.",
    "docs/isa/scalar/ops/pipeline-sync/set-flag.md, Summary",
)
.because("A pipe runs its own instructions in order, and a wait for itself can hang.")
.instead("Write `pto.barrier` for the pipe, or name two pipes.");
/// A lint, because `docs/isa/machine-model/ordering-and-synchronization.md` also names flags for data exchanged
/// between cube and vector cores.
const CORES: Rule = Rule::new(
    "cores",
    "The two pipes belong to one core: M, MTE1 and FIX are the cube core's, V is a vector core's.",
    "docs/isa/micro-isa/01-pipeline-sync.md of the public assembler, Intra-Core Pipeline Sync",
)
.because("A flag of one core does not reach the other, so the wait hangs there.")
.instead("Write `pto.sync.set` and `pto.sync.wait` between the cores.")
.lint()
.only(NPU);
const EVENT: Rule = Rule::new(
    "event",
    "The event is one of eight, 0 to 7.",
    "docs/PTO_IR_manual.md of the public assembler, 3.3; include/pto/common/event.hpp",
)
.because("A core has eight flags for each pair of pipes.")
.instead("Write an event from EVENT_ID0 to EVENT_ID7.");

fn check_pipes(check: &mut Check<'_>) {
    let pipe = |key: &str| check.site.word(key).and_then(Pipe::from_word);
    let (Some(source), Some(destination)) = (pipe("src"), pipe("dst")) else { return };
    check.require(&DIRECTION, "src", source != destination, |_| {
        format!("both pipes are PIPE_{0}: order within a pipe is `pto.barrier <PIPE_{0}>`", source.word())
    });
    let core = |pipe: Pipe| check.profile().only_core(pipe);
    let (Some(one), Some(other)) = (core(source), core(destination)) else { return };
    check.judge(Severity::Lint, &CORES, "src", one == other, |_| {
        let (source, destination) = (source.word(), destination.word());
        let (one, other) = (one.phrase(), other.phrase());
        format!("PIPE_{source} is a pipe of {one}, PIPE_{destination} of {other}: cores have `pto.sync.set`")
    });
}

/// Checks a flag whose event is an operand.
fn check_computed(check: &mut Check<'_>) {
    check_pipes(check);
    named::number(check, &EVENT, "event", i128::from(EVENT_IDS) - 1);
}

const BETWEEN: &[AttributeSpec] = &[SRC, DST];
const WITH_EVENT: &[AttributeSpec] = &[SRC, DST, named::EVENT];
const SRC: AttributeSpec = named::one_pipe("src", "The pipe that sets the flag.");
const DST: AttributeSpec = named::one_pipe("dst", "The pipe that waits for the flag.");
pub(super) const NAMED: Syntax = Syntax::Own(&["[ #src , #dst , #event ] {}"], &[]);
const COMPUTED: Syntax = Syntax::Own(&["[ #src , #dst , %event ] {}"], &[("event", Kind::Index)]);
const RULES: &[&Rule] = &[&DIRECTION, &CORES];
const RULES_COMPUTED: &[&Rule] = &[&DIRECTION, &CORES, &EVENT];
