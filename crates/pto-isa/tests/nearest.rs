//! Tests of `pto_isa::diag::nearest`.

use pto_isa::diag::nearest::{distance, nearest};

#[test]
fn a_distance_within_the_limit_is_exact() {
    let words = ["tadd", "tdad", "tadds", "addt", "tmul", "trowexpandadd", "trowexpnadd", "t", "tttt"];
    for a in words.map(str::as_bytes) {
        for b in words.map(str::as_bytes) {
            let exact = distance(a, b, usize::MAX / 2);
            for most in 0..12 {
                let found = distance(a, b, most);
                assert!(found == exact || (found > most && exact > most), "{a:?} {b:?} {most}");
            }
        }
    }
}

#[test]
fn a_slip_is_recognised_and_a_stranger_is_not() {
    let names = ["tadd", "tadds", "tconcat"];
    assert_eq!(nearest("tcocnat", names.into_iter()), Some("tconcat"));
    assert_eq!(nearest("tad", names.into_iter()), Some("tadd"));
    assert_eq!(nearest("matmul", names.into_iter()), None);
    assert_eq!(nearest("tmlus", ["tmul", "tmuls"].into_iter()), Some("tmuls"), "an exchange is a slip");
    assert_eq!(nearest("taddd", ["tadds", "tadd"].into_iter()), Some("tadd"), "so is a doubled letter");
}
