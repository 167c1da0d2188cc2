//! Scalar arithmetic: the operations of the dialect `arith` that programs use.

use super::{Row, page, rows};
use crate::meaning::{Binary, Conversion, Meaning};
use crate::op::Set;
use crate::op::attribute::{AttributeKind, AttributeSpec};
use crate::op::form::{Kind, Kinds, Syntax};
use crate::op::origin::Origin;
use pto_num::BinaryOp;

const SOURCE: &str = "MLIR documentation, dialect arith";

const INTEGERS: Kinds = &[("lhs", Kind::Integer), ("rhs", Kind::Integer)];
const FLOATS: Kinds = &[("lhs", Kind::Float), ("rhs", Kind::Float)];

/// An operation on two scalars of one type; the result has the same type.
const fn binary(name: &'static str, summary: &'static str, formula: &'static str, op: Binary) -> Row {
    let kinds = if let Binary::Float(_) = op { FLOATS } else { INTEGERS };
    let patterns: &[&str] = &["%lhs , %rhs {} : :lhs !as:lhs"];
    Row {
        page: page(Set::Arith, name, summary, formula, SOURCE, Syntax::Own(patterns, kinds)),
        meaning: Meaning::Binary(op),
    }
}

/// A type conversion.
const fn cast(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    kinds: Kinds,
    how: Conversion,
) -> Row {
    let patterns: &[&str] = &["%in {} : :in to !type"];
    let page = page(Set::Arith, name, summary, formula, SOURCE, Syntax::Own(patterns, kinds));
    Row { page, meaning: Meaning::Convert(how) }
}

/// The comparison of integers; s is signed, u unsigned.
const INTEGER_PREDICATE: AttributeSpec = AttributeSpec::words(
    "predicate",
    "arith.cmpi",
    &["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"],
    "The comparison, as a word before the operands; s: signed, u: unsigned.",
);
/// The comparison of floats; o (ordered) is false for NaN, u (unordered) true.
const FLOAT_PREDICATE: AttributeSpec = AttributeSpec::words(
    "predicate",
    "arith.cmpf",
    &["oeq", "one", "olt", "ole", "ogt", "oge", "ord", "ueq", "une", "ult", "ule", "ugt", "uge", "uno"],
    "The comparison, as a word before the operands; o: false for NaN, u: true for NaN.",
);

const fn compare(name: &'static str, summary: &'static str, kinds: Kinds, float: bool) -> Row {
    let patterns: &[&str] = &["$predicate , %lhs , %rhs {} : :lhs !i1"];
    let formula = "result = lhs predicate rhs";
    let attributes: &[AttributeSpec] = match float {
        true => &[FLOAT_PREDICATE],
        false => &[INTEGER_PREDICATE],
    };
    let page =
        page(Set::Arith, name, summary, formula, SOURCE, Syntax::Own(patterns, kinds)).with(attributes);
    Row { page, meaning: Meaning::Compare { float } }
}

const INTEGER: Kinds = &[("in", Kind::Integer)];
const FLOAT: Kinds = &[("in", Kind::Float)];

rows! {
    crate::op::END;
    ARITH_CONSTANT = Row {
        page: page(
            Set::Arith,
            "arith.constant",
            "A constant.",
            "result = value",
            SOURCE,
            Syntax::Code(&["#value !as:value"], &[]),
        )
        .with(&[AttributeSpec::new("value", AttributeKind::Constant, "The constant, in its place in the syntax.")]),
        meaning: Meaning::Constant,
    };
    ARITH_ADDI = binary("arith.addi", "The sum of two integers.", "result = lhs + rhs; it wraps", Binary::Add);
    ARITH_SUBI =
        binary("arith.subi", "The difference of two integers.", "result = lhs - rhs; it wraps", Binary::Sub);
    ARITH_MULI =
        binary("arith.muli", "The product of two integers.", "result = lhs * rhs; it wraps", Binary::Mul);
    ARITH_DIVSI = binary(
        "arith.divsi",
        "The quotient of two signed integers, rounded towards zero.",
        "result = trunc(lhs / rhs); a zero divisor stops the run",
        Binary::DivSigned
    );
    ARITH_DIVUI = binary(
        "arith.divui",
        "The quotient of two unsigned integers.",
        "result = floor(lhs / rhs); a zero divisor stops the run",
        Binary::DivUnsigned
    );
    ARITH_CEILDIVSI = binary(
        "arith.ceildivsi",
        "The quotient of two signed integers, rounded up.",
        "result = ceil(lhs / rhs); a zero divisor stops the run",
        Binary::CeilDivSigned
    );
    ARITH_FLOORDIVSI = binary(
        "arith.floordivsi",
        "The quotient of two signed integers, rounded down.",
        "result = floor(lhs / rhs); a zero divisor stops the run",
        Binary::FloorDivSigned
    );
    ARITH_REMSI = binary(
        "arith.remsi",
        "The remainder of two signed integers.",
        "result = lhs - trunc(lhs / rhs) * rhs; a zero divisor stops the run",
        Binary::RemSigned
    );
    ARITH_REMUI = binary(
        "arith.remui",
        "The remainder of two unsigned integers.",
        "result = lhs - floor(lhs / rhs) * rhs; a zero divisor stops the run",
        Binary::RemUnsigned
    );
    ARITH_MAXSI =
        binary("arith.maxsi", "The larger of two signed integers.", "result = max(lhs, rhs)", Binary::MaxSigned);
    ARITH_MINSI =
        binary("arith.minsi", "The smaller of two signed integers.", "result = min(lhs, rhs)", Binary::MinSigned);
    ARITH_MAXUI = binary(
        "arith.maxui",
        "The larger of two unsigned integers.",
        "result = max(lhs, rhs)",
        Binary::MaxUnsigned
    );
    ARITH_MINUI = binary(
        "arith.minui",
        "The smaller of two unsigned integers.",
        "result = min(lhs, rhs)",
        Binary::MinUnsigned
    );
    ARITH_ANDI = binary("arith.andi", "Bitwise and of two integers.", "result = lhs & rhs", Binary::And);
    ARITH_ORI = binary("arith.ori", "Bitwise or of two integers.", "result = lhs | rhs", Binary::Or);
    ARITH_XORI = binary("arith.xori", "Bitwise exclusive or of two integers.", "result = lhs ^ rhs", Binary::Xor);
    ARITH_SHLI = binary(
        "arith.shli",
        "An integer shifted to the left.",
        "result = lhs << rhs; 0 where rhs is the width or more",
        Binary::ShiftLeft
    );
    ARITH_SHRSI = binary(
        "arith.shrsi",
        "A signed integer shifted to the right.",
        "result = lhs >> rhs, filled with the sign",
        Binary::ShiftRightSigned
    );
    ARITH_SHRUI = binary(
        "arith.shrui",
        "An unsigned integer shifted to the right.",
        "result = lhs >> rhs, filled with zeros",
        Binary::ShiftRightUnsigned
    );
    ARITH_ADDF =
        binary("arith.addf", "The sum of two floats.", "result = lhs + rhs", Binary::Float(BinaryOp::Add));
    ARITH_SUBF =
        binary("arith.subf", "The difference of two floats.", "result = lhs - rhs", Binary::Float(BinaryOp::Sub));
    ARITH_MULF =
        binary("arith.mulf", "The product of two floats.", "result = lhs * rhs", Binary::Float(BinaryOp::Mul));
    ARITH_DIVF =
        binary("arith.divf", "The quotient of two floats.", "result = lhs / rhs", Binary::Float(BinaryOp::Div));
    ARITH_MAXIMUMF = binary(
        "arith.maximumf",
        "The larger of two floats.",
        "result = max(lhs, rhs); NaN propagates",
        Binary::Float(BinaryOp::Max)
    );
    ARITH_MINIMUMF = binary(
        "arith.minimumf",
        "The smaller of two floats.",
        "result = min(lhs, rhs); NaN propagates",
        Binary::Float(BinaryOp::Min)
    );
    ARITH_NEGF = Row {
        page: page(
            Set::Arith,
            "arith.negf",
            "A float with its sign inverted.",
            "result = -in",
            SOURCE,
            Syntax::Own(&["%in {} : :in !as:in"], FLOAT),
        ),
        meaning: Meaning::Negate,
    };
    ARITH_CMPI = compare(
        "arith.cmpi",
        "Compares two integers by a predicate: eq, ne, slt, sle, sgt, sge, ult, ule, ugt or uge.",
        INTEGERS,
        false
    );
    ARITH_CMPF = compare(
        "arith.cmpf",
        "Compares two floats by a predicate: o (false for NaN) or u (true for NaN) before eq, ne, lt, le, gt or ge; or ord, or \
         uno.",
        FLOATS,
        true
    );
    ARITH_SELECT = Row {
        page: page(
            Set::Arith,
            "arith.select",
            "One of two values, by a condition.",
            "result = condition ? then : else",
            SOURCE,
            Syntax::Own(
                &["%condition , %then , %else {} : :then !as:then"],
                &[("condition", Kind::Bool), ("then", Kind::Other), ("else", Kind::Other)],
            ),
        )
        .from(Origin::CHOSEN),
        meaning: Meaning::Select,
    };
    ARITH_INDEX_CAST = cast(
        "arith.index_cast",
        "An integer as index, or an index as integer.",
        "result = in, sign-extended or truncated",
        INTEGER,
        Conversion::Signed
    );
    ARITH_INDEX_CASTUI = cast(
        "arith.index_castui",
        "An unsigned integer as index, or an index as unsigned integer.",
        "result = in, zero-extended or truncated",
        INTEGER,
        Conversion::Unsigned
    );
    ARITH_EXTSI = cast(
        "arith.extsi",
        "A signed integer with more bits.",
        "result = in, extended with its sign",
        INTEGER,
        Conversion::Signed
    );
    ARITH_EXTUI = cast(
        "arith.extui",
        "An unsigned integer with more bits.",
        "result = in, extended with zeros",
        INTEGER,
        Conversion::Unsigned
    );
    ARITH_TRUNCI = cast(
        "arith.trunci",
        "An integer with fewer bits.",
        "result = the low bits of in",
        INTEGER,
        Conversion::Unsigned
    );
    ARITH_SITOFP = cast(
        "arith.sitofp",
        "A signed integer as float.",
        "result = in, rounded to nearest even",
        INTEGER,
        Conversion::SignedNumber
    );
    ARITH_UITOFP = cast(
        "arith.uitofp",
        "An unsigned integer as float.",
        "result = in, rounded to nearest even",
        INTEGER,
        Conversion::Number
    );
    ARITH_FPTOSI = cast(
        "arith.fptosi",
        "A float as signed integer.",
        "result = trunc(in), clamped to the range of the type; 0 for NaN",
        FLOAT,
        Conversion::SignedNumber
    );
    ARITH_FPTOUI = cast(
        "arith.fptoui",
        "A float as unsigned integer.",
        "result = trunc(in), clamped to the range of the type; 0 for NaN",
        FLOAT,
        Conversion::Number
    );
    ARITH_EXTF =
        cast("arith.extf", "A float in a wider format.", "result = in", FLOAT, Conversion::Number);
    ARITH_TRUNCF = cast(
        "arith.truncf",
        "A float in a narrower format.",
        "result = in, rounded to nearest even",
        FLOAT,
        Conversion::Number
    );
    ARITH_BITCAST = cast(
        "arith.bitcast",
        "The bits of a scalar as a scalar of another type of the same size.",
        "result has the bits of in",
        &[("in", Kind::Other)],
        Conversion::Bits
    );
    BUILTIN_UNREALIZED_CONVERSION_CAST = cast(
        "builtin.unrealized_conversion_cast",
        "An integer as a signed, unsigned or signless integer of the same size.",
        "result has the bits of in",
        INTEGER,
        Conversion::SameSize
    );
}
