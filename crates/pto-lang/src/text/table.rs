//! Syntax of operations for parser and printer, from their pages.

use super::pattern::{Piece, compile};
use crate::ir::{Attribute, Operation, OperationName};
use pto_isa::diag::Diagnostic;
use pto_isa::op::form::{Form, Syntax};
use pto_isa::registry::Op;
use pto_isa::rules;
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

/// The finding about an attribute that has its own position in the operation's syntax and is missing, or cannot be
/// written there.
pub(crate) fn misplaced(operation: &Operation) -> Option<Diagnostic> {
    let missing = missing_attribute(operation, patterns(&operation.name)?)?;
    let name = operation.name.as_str();
    let wrong = operation.attributes.iter().find(|attribute| attribute.name == missing);
    let judged =
        wrong.and_then(|attribute| operation.op()?.page().attribute(missing)?.judge(name, attribute));
    judged.or_else(|| {
        let message = format!("`{name}` lacks its attribute `{missing}`");
        Some(Diagnostic::error(&rules::attributes::MISSING, message))
    })
}

/// The first attribute that a pattern needs and the operation lacks, or whose value is not a word although the
/// pattern writes a bare word. Of several patterns, the one with the fewest such attributes counts; `None` if it has
/// none.
fn missing_attribute(operation: &Operation, patterns: &[Vec<Piece>]) -> Option<&'static str> {
    let lacks = |piece: &Piece| match *piece {
        Piece::Constant(key) | Piece::Symbol(key) => operation.attribute(key).is_none().then_some(key),
        Piece::Bare(key) => {
            (!matches!(operation.attribute(key), Some(Attribute::Enum { .. }))).then_some(key)
        }
        _ => None,
    };
    let missing = patterns.iter().map(|pattern| pattern.iter().filter_map(lacks).collect::<Vec<_>>());
    missing.min_by_key(Vec::len)?.first().copied()
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

/// Instructions whose dictionary the assembler reads inside `ins(...)` only.
pub(crate) const ALL_INNER: &[Op] = &[Op::TCMP, Op::TCMPS, Op::TCVT, Op::TRANDOM, Op::TTRI];

/// Instructions that write each operand of `ins(...)` with its own type.
pub(crate) const APART: &[Op] = &[Op::TMOV, Op::TSTORE];
