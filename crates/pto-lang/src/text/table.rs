//! Syntax of operations for parser and printer, from their pages.

use super::pattern::{Piece, compile};
use crate::ir::OperationName;
use pto_isa::op::form::{Form, Syntax};
use pto_isa::registry::Op;
use std::sync::OnceLock;

/// The patterns of an operation with its own syntax, or `None`. The parser uses the first one that fits; the
/// printer uses the first.
pub(crate) fn patterns(name: &OperationName) -> Option<&'static [Vec<Piece>]> {
    static PATTERNS: OnceLock<Vec<Vec<Vec<Piece>>>> = OnceLock::new();
    let compiled = |op: Op| match op.page().syntax {
        Syntax::Own(texts, _) => texts.iter().map(|text| compile(text)).collect(),
        Syntax::Destination(_) | Syntax::Code(..) => Vec::new(),
    };
    let patterns = PATTERNS.get_or_init(|| Op::all().map(compiled).collect());
    let patterns = &patterns[name.op()?.index()];
    (!patterns.is_empty()).then_some(patterns.as_slice())
}

/// Attributes with another name in the assembler's generic form, and their names here.
pub(crate) const GENERIC_KEYS: &[(&str, &str)] = &[
    ("src_pipe", "src"),
    ("dst_pipe", "dst"),
    ("src_op", "src"),
    ("dst_op", "dst"),
    ("event_id", "event"),
    ("event_id", "id"),
    ("op_type", "event"),
    ("buf_id", "id"),
];

/// The forms of a destination-passing instruction; `None` for other operations.
pub(crate) fn forms(name: &OperationName) -> Option<&'static [Form]> {
    match name.op()?.instruction()?.page().syntax {
        Syntax::Destination(forms) => Some(forms),
        Syntax::Own(..) | Syntax::Code(..) => None,
    }
}

/// Attributes inside `ins(...)`.
const INNER_ATTRIBUTES: &[&str] = &[
    "rmode",
    "satmode",
    "sat_mode",
    "cmpMode",
    "maskPattern",
    AXIS,
    "exhausted",
    "no_tmp",
    "rounds",
    "upperOrLower",
    "isBinary",
];

/// The attribute that is written as a string after the types of `ins(...)`.
pub(crate) const AXIS: &str = "axis";

/// Whether an operation has an attribute inside `ins(...)`.
pub(crate) fn is_inner(name: &OperationName, attribute: &str) -> bool {
    // The comparison of TGATHER is after its destinations.
    let behind = name.op() == Some(Op::TGATHER) && attribute == "cmpMode";
    INNER_ATTRIBUTES.contains(&attribute) && !behind
}

/// Instructions that write each operand of `ins(...)` with its own type.
pub(crate) const APART: &[Op] = &[Op::TMOV, Op::TSTORE];
