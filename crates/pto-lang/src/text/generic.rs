//! The order of operands in the generic form of the dialect.

use crate::ir::OperationName;
use pto_isa::registry::Op;

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
