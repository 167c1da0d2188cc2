//! Names of other languages: operations as NumPy, C++ and Ascend C call them, element types as NumPy and C++ do, and
//! buffers as C++ and Ascend C do.
//!
//! Parser, checker and `explain` look up unknown names here.

use crate::diag::{Diagnostic, Span, suggest};
use crate::registry::Op;

/// Names of other languages in small letters, and the operations that do the same, best first. Names that differ from an
/// operation in capitals, in the `t` at the beginning or in the dialect before the dot need no row.
pub const OPERATIONS: &[(&[&str], &[Op])] = &[
    (&["absolute", "fabs"], &[Op::TABS]),
    (&["subtract"], &[Op::TSUB]),
    (&["multiply", "mult"], &[Op::TMUL]),
    (&["divide", "true_divide"], &[Op::TDIV]),
    (&["negative", "negate"], &[Op::TNEG]),
    (&["reciprocal"], &[Op::TRECIP]),
    (&["maximum"], &[Op::TMAX, Op::TMAXS]),
    (&["minimum"], &[Op::TMIN, Op::TMINS]),
    (&["clip", "clamp"], &[Op::TMAXS, Op::TMINS]),
    (&["max", "amax"], &[Op::TMAX, Op::TROWMAX, Op::TCOLMAX]),
    (&["min", "amin"], &[Op::TMIN, Op::TROWMIN, Op::TCOLMIN]),
    (&["sum", "reduce_sum", "reducesum"], &[Op::TROWSUM, Op::TCOLSUM]),
    (&["prod", "reduce_prod"], &[Op::TROWPROD, Op::TCOLPROD]),
    (&["reduce_max", "reducemax"], &[Op::TROWMAX, Op::TCOLMAX]),
    (&["reduce_min", "reducemin"], &[Op::TROWMIN, Op::TCOLMIN]),
    (&["argmax"], &[Op::TROWARGMAX, Op::TCOLARGMAX]),
    (&["argmin"], &[Op::TROWARGMIN, Op::TCOLARGMIN]),
    (&["dot", "mm", "gemm", "mmad", "matrix_multiply"], &[Op::TMATMUL]),
    (&["where", "select"], &[Op::TSEL, Op::TSELS]),
    (&["astype", "cast", "convert"], &[Op::TCVT]),
    (&["transpose", "permute"], &[Op::TTRANS]),
    (&["concatenate", "hstack", "cat"], &[Op::TCONCAT]),
    (&["full", "fill", "full_like", "zeros", "zeros_like", "ones", "duplicate"], &[Op::TEXPANDS]),
    (&["arange", "iota"], &[Op::TCI]),
    (&["sort", "argsort"], &[Op::TSORT32]),
    (&["power"], &[Op::TPOW, Op::TPOWS]),
    (&["mod", "remainder"], &[Op::TREM, Op::TFMOD]),
    (&["leaky_relu", "leakyrelu"], &[Op::TLRELU]),
    (&["bitwise_and", "logical_and"], &[Op::TAND, Op::TANDS]),
    (&["bitwise_or", "logical_or"], &[Op::TOR, Op::TORS]),
    (&["bitwise_xor", "logical_xor"], &[Op::TXOR, Op::TXORS]),
    (&["bitwise_not", "logical_not", "invert"], &[Op::TNOT]),
    (&["left_shift"], &[Op::TSHL, Op::TSHLS]),
    (&["right_shift"], &[Op::TSHR, Op::TSHRS]),
    (
        &["equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "compare"],
        &[Op::TCMP, Op::TCMPS],
    ),
    (&["take"], &[Op::TGATHER]),
    (&["put"], &[Op::TSCATTER]),
    (&["datacopy", "copy"], &[Op::TLOAD, Op::TSTORE, Op::TMOV]),
    (&["broadcast", "broadcast_to", "expand"], &[Op::TROWEXPAND, Op::TCOLEXPAND, Op::TEXPANDS]),
    (&["slice"], &[Op::PARTITION_VIEW, Op::SUBVIEW]),
    (&["empty", "alloc"], &[Op::ALLOC_TILE]),
    (&["printf"], &[Op::TPRINT]),
    (&["setflag"], &[Op::SET_FLAG]),
    (&["waitflag"], &[Op::WAIT_FLAG]),
    (&["pipebarrier", "pipe_barrier"], &[Op::BARRIER]),
    (&["fixpipe"], &[Op::TSTORE, Op::TMOV]),
    (&["program_id", "block_idx", "getblockidx"], &[Op::GET_BLOCK_IDX]),
    (&["num_programs", "block_num", "getblocknum"], &[Op::GET_BLOCK_NUM]),
    (&["range"], &[Op::SCF_FOR]),
];

/// Words of other languages for element types, and the words of the dialect.
pub const ELEMENTS: &[(&[&str], &str)] = &[
    (&["half", "float16", "fp16"], "f16"),
    (&["bfloat16", "bfloat"], "bf16"),
    (&["float", "float32", "fp32", "single"], "f32"),
    (&["int8", "char"], "i8"),
    (&["uint8", "u8"], "ui8"),
    (&["int16", "short"], "i16"),
    (&["uint16", "u16"], "ui16"),
    (&["int32", "int"], "i32"),
    (&["uint32", "u32", "unsigned"], "ui32"),
    (&["int64", "long"], "i64"),
    (&["uint64", "u64"], "ui64"),
    (&["size"], "index"),
    (&["bool"], "i1"),
    (&["hifloat8"], "!pto.hif8"),
    (&["float8_e4m3", "float8_e4m3fn", "fp8_e4m3"], "f8E4M3FN"),
    (&["float8_e5m2", "fp8_e5m2"], "f8E5M2"),
    (&["float8_e8m0"], "!pto.f8E8M0"),
    (&["float4_e2m1x2"], "!pto.f4E2M1x2"),
    (&["float4_e1m2x2"], "!pto.f4E1M2x2"),
    (&["int4b"], "!pto.i4x2"),
];

/// Names of buffers in C++ and Ascend C, and the dialect's words for tiles in them.
pub const BUFFERS: [(&[&str], &str); 7] = [
    (&["ub", "vecin", "vecout", "veccalc"], "vec"),
    (&["l1", "cbuf", "a1", "b1"], "mat"),
    (&["l0a", "ca", "a2"], "left"),
    (&["l0b", "cb", "b2"], "right"),
    (&["l0c", "cc", "co1"], "acc"),
    (&["bt", "c2"], "bias"),
    (&["fb", "fbuf"], "scaling"),
];

/// Prefixes that the same names have in other places.
const MODULES: [&str; 6] = ["pto.", "np.", "numpy.", "jnp.", "torch.", "tl."];

/// The word of the dialect for a scalar type that another language calls `word`, such as `f32` for `float32` and `i8` for
/// `int8_t`.
pub fn scalar(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let word = word.strip_suffix("_t").unwrap_or(&word);
    ELEMENTS.iter().find(|(words, _)| words.contains(&word)).map(|(_, meant)| *meant)
}

/// The word of the dialect for tiles in a buffer that another language calls `word`: `vec` for `UB`.
pub fn location(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    BUFFERS.iter().find(|(words, _)| words.contains(&word.as_str())).map(|(_, meant)| *meant)
}

/// Full names of the operations that another language calls `name`, best first: `pto.tadds` for `TADDS`,
/// `pto.trowsum` and `pto.tcolsum` for `sum`, `arith.addi` for `addi`. Empty for a name that no table lists.
pub fn operations(name: &str) -> Vec<&'static str> {
    let lower = name.to_ascii_lowercase();
    let word = MODULES.iter().find_map(|module| lower.strip_prefix(module)).unwrap_or(&lower);
    if let Some(op) = Op::find_spelling(word) {
        return vec![op.name()];
    }
    let listed =
        |word: &str| OPERATIONS.iter().find(|(words, _)| words.contains(&word)).map(|(_, meant)| *meant);
    if let Some(meant) = listed(word).or_else(|| listed(word.strip_prefix('t')?)) {
        return meant.iter().map(|op| op.name()).collect();
    }
    if let Some(op) =
        Op::find_spelling(&format!("t{word}")).or_else(|| Op::find_spelling(word.strip_prefix('t')?))
    {
        return vec![op.name()];
    }
    if let Some(op) = Op::find_spelling(&format!("comm.{word}")) {
        return vec![op.name()];
    }
    let of_dialect = |op: &Op| op.name().split_once('.').is_some_and(|(_, rest)| rest == word);
    Op::all().filter(of_dialect).map(Op::name).collect()
}

/// The names of all operations, without the other mnemonics of instructions.
fn names() -> impl Iterator<Item = &'static str> {
    let others = Op::all().filter(|op| op.instruction().is_none()).flat_map(Op::names);
    let instructions = Op::all().filter(|op| op.instruction().is_some()).map(Op::name);
    others.chain(instructions)
}

/// Adds to a finding on an unknown operation, whose name is written at `span`, the operations that may be meant; and the
/// replacement of the name, if there is only one.
pub fn suggest_operation(finding: Diagnostic, span: Span, name: &str) -> Diagnostic {
    match operations(name).as_slice() {
        [] => {
            // A name without its dialect is compared with those of the dialect `pto`.
            let full = if name.contains('.') { name.to_owned() } else { format!("pto.{name}") };
            suggest(finding, Some(span), &full, names())
        }
        [only] => finding.with_help(format!("did you mean `{only}`?")).with_edit(span, *only),
        several => several.iter().fold(finding, |finding, name| {
            let summary = Op::find(name).map_or("", |op| op.page().summary);
            finding.with_help(format!("`{name}`: {summary}"))
        }),
    }
}
