//! The syntax of every operation that is neither destination-passing nor a region operation.

use super::pattern::{Piece, compile};
use crate::isa::op::form::Syntax;
use std::collections::HashMap;
use std::sync::OnceLock;

const BINARY: &[&str] = &["%lhs , %rhs {} : :lhs !as:lhs"];
const CAST: &[&str] = &["%in {} : :in to !type"];
const COMPARE: &[&str] = &["$predicate , %lhs , %rhs {} : :lhs !i1"];
const NULLARY_I64: &[&str] = &["{} !i64", "{} : !type"];
/// Name and patterns; of several patterns the first that fits is taken, and the first is printed.
const TABLE: &[(&[&str], &[&str])] = &[
    (
        &[
            "arith.addi",
            "arith.subi",
            "arith.muli",
            "arith.divsi",
            "arith.divui",
            "arith.ceildivsi",
            "arith.floordivsi",
            "arith.remsi",
            "arith.remui",
            "arith.maxsi",
            "arith.minsi",
            "arith.maxui",
            "arith.minui",
            "arith.andi",
            "arith.ori",
            "arith.xori",
            "arith.shli",
            "arith.shrsi",
            "arith.shrui",
            "arith.addf",
            "arith.subf",
            "arith.mulf",
            "arith.divf",
            "arith.maximumf",
            "arith.minimumf",
        ],
        BINARY,
    ),
    (
        &[
            "arith.index_cast",
            "arith.index_castui",
            "arith.extsi",
            "arith.extui",
            "arith.trunci",
            "arith.sitofp",
            "arith.uitofp",
            "arith.fptosi",
            "arith.fptoui",
            "arith.extf",
            "arith.truncf",
            "arith.bitcast",
            "builtin.unrealized_conversion_cast",
        ],
        CAST,
    ),
    (&["arith.cmpi", "arith.cmpf"], COMPARE),
    (&["arith.negf"], &["%in {} : :in !as:in"]),
    (&["arith.select"], &["%condition , %then , %else {} : :then !as:then"]),
    (&["func.call", "call"], &["&callee ( %arguments* ) {} [? : ( :arguments* ) -> !types ?]"]),
    (&["return", "func.return"], &["{} [? %values* : :values* ?]"]),
    (&["scf.yield", "pto.yield"], &["{} [? %values* : :values* ?]", "( %values* ) : ( :values* ) -> !types"]),
    (&["scf.condition"], &["( %condition ) [? %values* : :values* ?]"]),
    (&["memref.alloc"], &["( ) {} : !type"]),
    (&["memref.dealloc"], &["%memref : :memref"]),
    (&["memref.cast", "memref.memory_space_cast"], &["%source {} : :source to !type"]),
    (
        &["pto.alloc_tile"],
        &["[? addr = %addr ?] [? valid_row = %valid_row ?] [? valid_col = %valid_col ?] {} : !type"],
    ),
    (
        &["pto.alloc_multi_tile"],
        &["[? addr = %addr ?] [? valid_row = %valid_row ?] [? valid_col = %valid_col ?] {} : !type"],
    ),
    (&["pto.multi_tile_get"], &["%source [ %index ] {} : :source -> !type"]),
    (
        &[
            "pto.declare_tile",
            "pto.declare_local_array",
            "pto.declare_struct",
            "pto.declare_global",
            "pto.declare_eventid_array",
        ],
        &["{} -> !type"],
    ),
    (&["pto.make_tensor_view"], &["%source , shape = [ %shape* ] , strides = [ %strides* ] {} : !type"]),
    (
        &["pto.partition_view"],
        &[
            "%source , offsets = [ %offsets* ] , sizes = [ %sizes* ] {} : :source -> !type",
            "%source , offsets = [ %offsets* ] , sizes = [ %sizes* ] {} : :source !open",
        ],
    ),
    (
        &["pto.subset"],
        &[
            "%source [ %offsets* ] sizes #sizes {} : :source -> !type",
            "%source [ %offsets* ] sizes #sizes {} : :source !open",
        ],
    ),
    (&["pto.addptr"], &["%pointer , %offset {} : :pointer -> !type"]),
    (&["pto.inttoptr", "pto.ptrtoint"], &["%in {} : :in -> !type"]),
    (&["pto.tile_valid_rows", "pto.tile_valid_cols"], &["%tile {} : :tile -> !type"]),
    (&["pto.local_array_get"], &["%array [ %indices* ] {} : :array -> !type"]),
    (&["pto.local_array_set"], &["%array [ %indices* ] , %value {} : :array , :value"]),
    (&["pto.struct_get"], &["%struct #path {} : :struct -> !type"]),
    (&["pto.struct_set"], &["%struct #path , %value {} : :struct , :value"]),
    (&["pto.get_tensor_view_dim", "pto.get_tensor_view_stride"], &["%view , %index {} : :view -> !type"]),
    (
        &["pto.get_block_idx", "pto.get_block_num", "pto.get_subblock_idx", "pto.get_subblock_num"],
        NULLARY_I64,
    ),
    (&["pto.set_ffts"], &["%address {} : :address"]),
    (&["pto.set_ctrl"], &["%value : :value"]),
    (&["pto.get_ctrl"], &[": !type"]),
    (&["pto.eventid_array_get"], &["%array [ %index ] {} : :array !index"]),
    (&["pto.eventid_array_set"], &["%array [ %index ] , %value {} : :array"]),
];

/// The patterns of an operation that has its own syntax, or `None`.
pub(crate) fn patterns(name: &str) -> Option<&'static [Vec<Piece>]> {
    static PATTERNS: OnceLock<HashMap<String, Vec<Vec<Piece>>>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        let listed = TABLE.iter().flat_map(|(names, texts)| names.iter().map(move |name| (*name, *texts)));
        let own = crate::isa::op::all().flat_map(|instruction| {
            let page = instruction.page();
            let texts = match page.syntax {
                Syntax::Own(texts) => texts,
                Syntax::Destination(_) => &[],
            };
            let names = std::iter::once(&page.name).chain(page.aliases).filter(move |_| !texts.is_empty());
            names.map(move |name| (format!("pto.{name}"), texts))
        });
        let all = listed.map(|(name, texts)| (name.to_owned(), texts)).chain(own);
        all.map(|(name, texts)| (name, texts.iter().map(|text| compile(text)).collect())).collect()
    });
    patterns.get(name).map(Vec::as_slice)
}

/// Attributes that the assembler calls otherwise where it writes the generic form, and their names here.
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

/// Operations that the parser reads by code of their own.
const CONTROL: &[&str] = &[
    "arith.constant",
    "scf.for",
    "scf.if",
    "scf.while",
    "scf.yield",
    "scf.condition",
    "scf.execute_region",
    "scf.index_switch",
    "cf.br",
    "cf.cond_br",
    "func.call",
    "func.return",
];

/// Every name that has its own syntax, in table order.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|(names, _)| names.iter().copied()).chain(CONTROL.iter().copied())
}

/// The syntax of a destination-passing instruction, if the name is one that runs.
pub(crate) fn forms(name: &str) -> Option<&'static [crate::isa::op::form::Form]> {
    match crate::isa::op::find(name)?.page().syntax {
        Syntax::Destination(forms) => Some(forms),
        Syntax::Own(_) => None,
    }
}

/// The name that is printed: of a destination-passing instruction its own, whichever spelling was read.
pub(crate) fn canonical(name: &str) -> &str {
    use crate::isa::op;
    let Some(instruction) = op::find(name).filter(|instruction| !instruction.page().aliases.is_empty())
    else {
        return name;
    };
    let own = instruction.page().name;
    let spelled = matches!(instruction.page().syntax, Syntax::Destination(_));
    let full = op::names().find(|full| full.strip_prefix("pto.") == Some(own));
    full.filter(|_| spelled).unwrap_or(name)
}
/// Attributes that stand inside `ins(...)`.
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
];

/// The attribute that is written as a string behind the types of `ins(...)`.
pub(crate) const AXIS: &str = "axis";

/// Whether an operation has an attribute inside `ins(...)`.
pub(crate) fn is_inner(name: &str, attribute: &str) -> bool {
    // TGATHER's comparison stands behind its destinations.
    INNER_ATTRIBUTES.contains(&attribute) && (name, attribute) != ("pto.tgather", "cmpMode")
}

/// Instructions that write each operand of `ins(...)` with its own type.
pub(crate) const APART: &[&str] = &["pto.tmov", "pto.tstore"];

/// Mnemonics of the destination-passing instructions of the dialect, whether they run or not.
pub(crate) const KNOWN_DESTINATION: &[&str] = &[
    "mgather",
    "mscatter",
    "setfmatrix",
    "tabs",
    "tadd",
    "taddc",
    "tadddeqrelu",
    "taddrelu",
    "taddreluconv",
    "tadds",
    "taddsc",
    "taddscrelu",
    "tand",
    "tands",
    "taxpy",
    "tci",
    "tcmp",
    "tcmps",
    "tcolargmax",
    "tcolargmin",
    "tcolexpand",
    "tcolexpandadd",
    "tcolexpanddiv",
    "tcolexpandexpdif",
    "tcolexpandmax",
    "tcolexpandmin",
    "tcolexpandmul",
    "tcolexpandsub",
    "tcolmax",
    "tcolmin",
    "tcolprod",
    "tcolsum",
    "tconcat",
    "tconcatidx",
    "tcvt",
    "tdeinterleave",
    "tdequant",
    "tdiv",
    "tdivs",
    "texp",
    "texpands",
    "textract",
    "textract_fp",
    "tfillpad",
    "tfillpad_expand",
    "tfillpad_inplace",
    "tfmod",
    "tfmods",
    "tfusedmuladd",
    "tfusedmuladdrelu",
    "tgather",
    "tgatherb",
    "tgemv",
    "tgemv.acc",
    "tgemv.bias",
    "tgemv.mx",
    "tgemv.mx.acc",
    "tgemv.mx.bias",
    "tget_scale_addr",
    "tgetval",
    "thistogram",
    "timg2col",
    "tinsert",
    "tinsert_fp",
    "tinterleave",
    "tload",
    "tlog",
    "tlrelu",
    "tmatmul",
    "tmatmul.acc",
    "tmatmul.bias",
    "tmatmul.mx",
    "tmatmul.mx.acc",
    "tmatmul.mx.bias",
    "tmax",
    "tmaxs",
    "tmin",
    "tmins",
    "tmov",
    "tmov.fp",
    "tmov_fp",
    "tmrgsort",
    "tmul",
    "tmuladddst",
    "tmuls",
    "tneg",
    "tnot",
    "tor",
    "tors",
    "tpack",
    "tpairreducesum",
    "tpartadd",
    "tpartargmax",
    "tpartargmin",
    "tpartmax",
    "tpartmin",
    "tpartmul",
    "tpow",
    "tpows",
    "tprefetch",
    "tprelu",
    "tprint",
    "tquant",
    "tquant.mx",
    "trandom",
    "trecip",
    "trelu",
    "trem",
    "trems",
    "trowargmax",
    "trowargmin",
    "trowexpand",
    "trowexpandadd",
    "trowexpanddiv",
    "trowexpandexpdif",
    "trowexpandmax",
    "trowexpandmin",
    "trowexpandmul",
    "trowexpandsub",
    "trowmax",
    "trowmin",
    "trowprod",
    "trowsum",
    "trsqrt",
    "tscatter",
    "tsel",
    "tsels",
    "tsetval",
    "tshl",
    "tshls",
    "tshr",
    "tshrs",
    "tsort32",
    "tsqrt",
    "tstore",
    "tstore_fp",
    "tsub",
    "tsubc",
    "tsubrelu",
    "tsubs",
    "tsubsc",
    "tsync",
    "ttrans",
    "ttri",
    "txor",
    "txors",
];
