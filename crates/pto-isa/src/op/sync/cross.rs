//! Flags between cores, and between blocks.

use super::named;
use super::order::{By, DECLARATIONS, Order, VERIFIER, page};
use super::pictures;
use crate::meaning::{Between, Meaning};
use crate::op::attribute::AttributeSpec;
use crate::op::form::{Kind, Syntax};
use crate::op::site::Check;
use crate::pipe::{PIPES, Pipe};
use crate::profile::{A2A3_ONLY, A5_ONLY};
use crate::rule::Rule;

pub(super) static SET_CROSS_BLOCK: Order = Order {
    page: page(
        "set_cross_block",
        "Sets a flag for the other blocks when the earlier instructions of a pipe have ended.",
        "sync.set with ffts_mode 0",
        DECLARATIONS,
        PATTERNS,
        ACROSS,
    )
    .with(OF_BLOCKS)
    .pictured(pictures::BLOCKS),
    by: By::Named("pipe"),
    meaning: Meaning::CoreFlag { sets: true, between: Between::Blocks },
    check: check_blocks,
};

pub(super) static SET_INTRA_BLOCK: Order = Order {
    page: page(
        "set_intra_block",
        "Sets a flag for one other core of the block when the earlier instructions of a pipe have ended.",
        "flag id of the cube core reaches vector core id / 16; flag id of a vector core reaches the cube core",
        "docs/isa/scalar/ops/pipeline-sync/set-intra-block.md",
        PATTERNS,
        INTRA,
    )
    .with(OF_INTRA)
    .pictured(pictures::ONE_CORE),
    by: By::Named("pipe"),
    meaning: Meaning::CoreFlag { sets: true, between: Between::Cores },
    check: check_intra,
};

pub(super) static SYNC_SET: Order = Order {
    page: page(
        "sync.set",
        "Sets a flag for the cores that ffts_mode selects, else for the cores of the block, when the earlier instructions of a \
         pipe have ended.",
        "with ffts_mode 2, flag id of the cube core reaches both vector cores, and flag id of both vector cores reaches the \
         cube core",
        "docs/PTO_IR_manual.md of the public assembler, 4.16",
        PATTERNS,
        MODED,
    )
    .with(OF_MODED)
    .pictured(pictures::CORES),
    by: By::Named("pipe"),
    meaning: Meaning::CoreFlag { sets: true, between: Between::Moded },
    check: check_moded,
};

pub(super) static SYNC_WAIT: Order = Order {
    page: page(
        "sync.wait",
        "Makes a pipe wait until every core that sends a flag has set it.",
        "pipe begins an instruction after sync.wait when every sending core has set flag id",
        "docs/PTO_IR_manual.md of the public assembler, 4.16",
        PATTERNS,
        MODED,
    )
    .with(OF_MODED)
    .pictured(pictures::CORES),
    by: By::Named("pipe"),
    meaning: Meaning::CoreFlag { sets: false, between: Between::Moded },
    check: check_moded,
};

pub(super) static WAIT_CROSS_BLOCK: Order = Order {
    page: page(
        "wait_cross_block",
        "Makes a pipe wait until every block has set a flag.",
        "sync.wait with ffts_mode 0",
        DECLARATIONS,
        PATTERNS,
        ACROSS,
    )
    .with(OF_BLOCKS)
    .pictured(pictures::BLOCKS),
    by: By::Named("pipe"),
    meaning: Meaning::CoreFlag { sets: false, between: Between::Blocks },
    check: check_blocks,
};

pub(super) static WAIT_INTRA_BLOCK: Order = Order {
    page: page(
        "wait_intra_block",
        "Makes a pipe wait until another core of the block has set a flag for it.",
        "pipe begins an instruction after wait_intra_block when the sending core has set flag id",
        "docs/isa/scalar/ops/pipeline-sync/wait-intra-core.md",
        PATTERNS,
        INTRA,
    )
    .with(OF_INTRA)
    .pictured(pictures::ONE_CORE),
    by: By::Named("pipe"),
    meaning: Meaning::CoreFlag { sets: false, between: Between::Cores },
    check: check_intra,
};

/// The pipes that can signal other cores.
const SIGNALLING: [Pipe; 5] = [Pipe::Fixpipe, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Vector];

pub(super) const PIPE: Rule =
    Rule::new("pipe", "The pipe is FIX, MTE1, MTE2, MTE3 or V, written as PIPE_V.", VERIFIER)
        .because("The flag is set by a pipe when its earlier instructions are done.")
        .instead("Write PIPE_FIX, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3 or PIPE_V.");
const ANY_PIPE: Rule = Rule::new(
    "pipe",
    "A pipe sets or waits for the flag; it is written as PIPE_V.",
    "docs/PTO_IR_manual.md of the public assembler, 4.16",
)
.because("The set or wait takes its place in the order of the pipe's instructions.")
.instead("Write the pipe, such as PIPE_V.");
const A5_PIPE: Rule = Rule::new("a5-pipe", "The pipe is FIX, MTE1, MTE2, MTE3 or V.", VERIFIER)
    .because("The other pipes of A5 have no such flag.")
    .instead("Write PIPE_FIX, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3 or PIPE_V.")
    .only(A5_ONLY);
pub(super) const ID: Rule = Rule::new(
    "id",
    "There are 16 flags, 0 to 15.",
    "docs/isa/scalar/ops/pipeline-sync/set-cross-core.md, Constraints",
)
.because("The hardware has 16 flags between cores.")
.instead("Write an id from 0 to 15.");
const INTRA_ID: Rule = Rule::new(
    "id",
    "A flag is 0 to 15; on a5 also 16 to 31, the flags of the second vector core.",
    "docs/isa/scalar/ops/pipeline-sync/set-intra-block.md, Constraints; lib/PTO/IR/PTO.cpp of the public assembler",
)
.because("A vector core has 16 flags, and on a5 the second one has numbers from 16.")
.instead("Write an id from 0 to 15, or to 31 on a5.");
/// The manual has these instructions for A5 only; the newer assembler accepts them for A2/A3 too, as an extension.
const EXTENSION: Rule = Rule::new(
    "extension",
    "Only a5 has this instruction; a2a3 has sync.set and sync.wait.",
    "docs/isa/scalar/ops/pipeline-sync/set-intra-block.md, Constraints",
)
.because("The page names a5 only, so another assembler may refuse it for a2a3.")
.instead("Write `pto.sync.set` and `pto.sync.wait`.")
.extension()
.only(A2A3_ONLY);
const FFTS_MODE: Rule = Rule::new(
    "ffts-mode",
    "ffts_mode is 0 (between blocks), 1 (between the vector cores of a block) or 2 (between the cores of a block).",
    VERIFIER,
)
.because("The mode decides which cores receive the flag.")
.instead("Write 0, 1 or 2.");
const BLOCKS: Rule = Rule::new("ffts-mode", "ffts_mode, if it is written, is 0: between blocks.", VERIFIER)
    .because("The other modes stay within a block.")
    .instead("Write `ffts_mode = 0`, or use `pto.sync.set`.");

/// Checks a flag within a block; each core has its own flags.
fn check_intra(check: &mut Check<'_>) {
    check.judge(crate::diag::Severity::Extension, &EXTENSION, "pipe", false, |check| {
        format!("`{}` is for a5: a2a3 has `pto.sync.set` and `pto.sync.wait`", check.site.spelling)
    });
    named::pipe(check, &PIPE, "pipe", &SIGNALLING);
    let last = i128::from(check.profile().flags_between_cores) - 1;
    named::number(check, &INTRA_ID, "id", last);
}

/// Checks a flag between blocks.
fn check_blocks(check: &mut Check<'_>) {
    named::pipe(check, &PIPE, "pipe", &SIGNALLING);
    named::number(check, &ID, "id", 15);
    named::optional(check, &BLOCKS, "ffts_mode", 0);
}

/// Checks a flag whose mode selects the receiving cores.
fn check_moded(check: &mut Check<'_>) {
    if named::pipe(check, &ANY_PIPE, "pipe", &PIPES).is_some() {
        named::pipe(check, &A5_PIPE, "pipe", &SIGNALLING);
    }
    named::number(check, &ID, "id", 15);
    named::optional(check, &FFTS_MODE, "ffts_mode", 2);
}

const SIGNALS: AttributeSpec = named::any_pipe("pipe", "The pipe that sets the flag, or waits for it.");
const NUMBER: AttributeSpec =
    AttributeSpec::integer("id", "The number of the flag.").or_means("the operand id is the number");
const OF_INTRA: &[AttributeSpec] = &[
    SIGNALS,
    NUMBER,
    AttributeSpec::integer("ffts_mode", "The scope of the flag on a2a3, as in sync.set; a5 ignores it.")
        .or_integer(2),
];
const OF_BLOCKS: &[AttributeSpec] = &[
    SIGNALS,
    NUMBER,
    AttributeSpec::integer("ffts_mode", "The scope of the flag: 0, between blocks.").or_integer(0),
];
const OF_MODED: &[AttributeSpec] = &[
    SIGNALS,
    NUMBER,
    AttributeSpec::integer(
        "ffts_mode",
        "The scope of the flag: between blocks (0), between the vector cores of a block (1), or between the cores of a block \
         (2).",
    )
    .or_integer(2),
];

pub(super) const PATTERNS: Syntax =
    Syntax::Own(&["#pipe , #id {}", "#pipe , %id {}"], &[("id", Kind::Index)]);
const INTRA: &[&Rule] = &[&EXTENSION, &PIPE, &INTRA_ID];
const ACROSS: &[&Rule] = &[&PIPE, &ID, &BLOCKS];
const MODED: &[&Rule] = &[&ANY_PIPE, &A5_PIPE, &ID, &FFTS_MODE];
