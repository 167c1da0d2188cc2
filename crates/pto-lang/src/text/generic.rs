//! The generic form of operations, as far as it differs from their own syntax: names of attributes, and the order of operands.

use crate::ir::OperationName;
use pto_isa::registry::Op;

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

const LAYOUT_ORDER: &[&[&str]] = &[&["src"], &["row"], &["col"], &["dst"], &["fp"], &["q"]];
const FIXPIPE_ORDER: &[&[&str]] = &[&["src"], &["dst"], &["fp", "tmp"], &["q"]];
const COLLECTIVE_ORDER: &[&[&str]] = &[&["tensor"], &["receive"], &["receive"], &["group"]];

/// Operations whose generic form has operands in another order than their own syntax, or divides them into other segments: the
/// roles in each place. Source: `include/PTO/IR/PTOOps.td` of the public assembler.
const GENERIC_ORDER: &[(Op, &[&[&str]])] = &[
    (Op::TINSERT, LAYOUT_ORDER),
    (Op::TEXTRACT, LAYOUT_ORDER),
    (Op::TMOV, FIXPIPE_ORDER),
    (Op::TSTORE, FIXPIPE_ORDER),
    (Op::TLOAD, &[&["src"], &["dst"], &[], &[], &[], &[]]),
    (Op::MGATHER, &[&["src"], &["idx"], &["dst"], &["scratch"]]),
    (Op::TGATHER, &[&["src"], &["dst"], &["count"], &["idx"], &["tmp"], &["k"]]),
    (Op::TSCATTER, &[&["src"], &["dst"], &["idx"]]),
    (Op::TPOW, &[&["src0"], &["src1"], &["dst"], &["tmp"]]),
    (Op::TPOWS, &[&["src"], &["scalar"], &["dst"], &["tmp"]]),
    (Op::TRSQRT, &[&["src"], &["dst"], &["tmp"]]),
    (Op::TQUANT, &[&["src"], &["scale"], &["offset"], &["tmp"], &["dst"]]),
    (
        Op::TMRGSORT,
        &[&["src", "src0", "src1", "src2", "src3"], &["block"], &["dst"], &["tmp"], &["executed"]],
    ),
    (Op::SUBVIEW, &[&["source"], &["offsets"], &["valid"], &["valid"]]),
    (Op::COMM_TBROADCAST, COLLECTIVE_ORDER),
    (Op::COMM_TGATHER, COLLECTIVE_ORDER),
    (Op::COMM_TSCATTER, COLLECTIVE_ORDER),
    (Op::COMM_TREDUCE, &[&["tensor"], &["accumulator"], &["receive"], &["receive"], &["group"]]),
];

/// The roles in the places of an operation's generic form, if they are not those of its own syntax.
pub(crate) fn generic_order(name: &OperationName) -> Option<&'static [&'static [&'static str]]> {
    let op = name.op()?;
    GENERIC_ORDER.iter().find(|(known, _)| *known == op).map(|(_, order)| *order)
}
