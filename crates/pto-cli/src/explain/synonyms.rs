//! Words of users that no page contains, and the pages that they look for.

/// A phrase, with the names of the pages that answer it, best first. Small words between its words do not count.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("slice", &["partition_view", "subview"]),
    ("subtensor", &["partition_view", "subview"]),
    ("part of array", &["partition_view", "make_tensor_view"]),
    ("tail", &["valid region", "valid_row", "partition_view"]),
    ("ragged", &["valid region", "valid_row", "partition_view"]),
    ("remainder rows", &["valid region", "valid_row", "partition_view"]),
    ("number of rows as argument", &["valid_row", "make_tensor_view", "alloc_tile"]),
    ("dynamic shape", &["valid_row", "make_tensor_view", "valid region"]),
    ("view with dynamic shape", &["make_tensor_view", "partition_view", "valid_row"]),
    ("broadcast row", &["tcolexpand", "tcolexpandmul", "tcolexpandadd"]),
    ("multiply row by vector", &["tcolexpandmul", "trowexpandmul"]),
    ("broadcast column", &["trowexpand", "trowexpandmul", "trowexpandadd"]),
    ("mean", &["trowsum", "tcolsum", "tmuls"]),
    ("average", &["trowsum", "tcolsum", "tmuls"]),
    ("square", &["tmul", "tpows"]),
    ("reinterpret", &["treshape", "alias"]),
    ("convert column to row", &["treshape", "alias", "ttrans"]),
    ("column as row", &["treshape", "alias", "ttrans"]),
    ("int to float", &["arith.sitofp", "tcvt"]),
    ("float to int", &["arith.fptosi", "tcvt"]),
    ("i64 to index", &["arith.index_cast"]),
    ("inf", &["arith.constant"]),
    ("infinity", &["arith.constant"]),
    ("nan", &["arith.constant"]),
    ("double buffer", &["alloc_multi_tile", "multi_tile_get", "flag"]),
    ("double buffering", &["alloc_multi_tile", "multi_tile_get", "flag"]),
    ("ping pong", &["alloc_multi_tile", "multi_tile_get", "flag"]),
    ("rmsnorm", &["kernel example", "trowsum", "trsqrt", "trowexpandmul", "tcolexpandmul"]),
    ("layernorm", &["kernel example", "trowsum", "trsqrt", "trowexpandsub", "tcolexpandmul"]),
    ("softmax", &["kernel example", "trowmax", "trowexpandsub", "texp", "trowexpanddiv"]),
    ("gemm", &["tmatmul", "kernel example"]),
    ("example", &["kernel example"]),
    ("first program", &["kernel example", "func.func", "module"]),
    ("skeleton", &["kernel example", "func.func", "module"]),
    ("tutorial", &["kernel example"]),
    ("hang", &["cores::deadlock", "sync::deadlock", "sync::never-set"]),
    ("hangs", &["cores::deadlock", "sync::deadlock", "sync::never-set"]),
    ("stuck", &["cores::deadlock", "sync::deadlock", "sync::never-set"]),
    ("timeout", &["cores::deadlock", "sync::deadlock", "sync::never-set"]),
    // Errors of the public runtime: a core that does not end, and an exception of the processor that waits for it.
    ("507014", &["cores::deadlock", "sync::deadlock"]),
    ("507018", &["cores::deadlock", "sync::deadlock", "sync::never-set"]),
];

/// Words that a phrase need not have.
const SMALL: [&str; 12] = ["a", "an", "the", "of", "to", "as", "by", "in", "into", "with", "each", "and"];

/// Names of the pages that a query means; empty if the table has no such phrase.
pub(super) fn meant(query: &str) -> &'static [&'static str] {
    SYNONYMS.iter().find(|(phrase, _)| is_same(phrase, query)).map_or(&[], |(_, names)| names)
}

/// Whether two texts have the same words, except small ones.
pub(super) fn is_same(phrase: &str, query: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        super::search::words(text).filter(|word| !SMALL.contains(&word.as_str())).collect()
    };
    parts(phrase) == parts(query)
}

/// Every name in the table.
pub fn synonyms() -> impl Iterator<Item = &'static str> {
    SYNONYMS.iter().flat_map(|(_, names)| names.iter().copied())
}
