//! Attributes of instructions with their words, for replacing and adding them.

/// Attributes of instructions with their words; an empty list if the value is not a word.
pub(crate) const ATTRIBUTES: &[(&str, &[&str])] = &[
    ("reluPreMode", &["no_relu", "normal_relu"]),
    ("accToVecMode", &["single_mode_vec0", "single_mode_vec1", "dual_mode_split_m", "dual_mode_split_n"]),
    ("tinsertMode", &["split2", "split4"]),
    ("grpAxis", &["axis0", "axis1"]),
    ("cmpMode", &["eq", "ne", "lt", "le", "gt", "ge"]),
    ("rmode", &["RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD"]),
    ("satmode", &["ON", "OFF"]),
    ("atomicType", &["atomic_none", "atomic_add"]),
    ("coalesce", &["row", "elem"]),
    ("scatterAtomicOp", &["none", "add", "max", "min"]),
    ("scatterConflict", &["last", "default"]),
    ("descending", &[]),
    ("offset", &[]),
    ("exhausted", &[]),
    ("mode", &["CAST_ROUND", "CAST_TRUNC"]),
    ("local_slot_num", &[]),
];

/// Attributes in the syntax of an instruction, which are replaced, but not added.
const NAMED: &[(&str, &[&str])] = &[
    ("src", &["PIPE_V", "PIPE_MTE2"]),
    ("dst", &["PIPE_V", "PIPE_MTE2"]),
    ("op", &["TVEC", "TLOAD"]),
    ("mode", &["hard", "soft"]),
    ("pipe", &["PIPE_M", "PIPE_ALL"]),
    ("location", &["acc", "mat"]),
];

/// The words of an attribute, and one invalid word.
pub(crate) fn words(name: &str) -> impl Iterator<Item = &'static str> {
    let known = ATTRIBUTES.iter().chain(NAMED).filter(move |(known, _)| *known == name);
    known.flat_map(|(_, list)| list.iter().copied()).chain(["nonsense"])
}
