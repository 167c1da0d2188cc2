//! Programs of the benchmarks run. No test judges a figure.
#![allow(missing_docs)]

use pto_bench::cases::cases;
use pto_bench::enlarged::enlarged;
use pto_cli::commands::Repeated;
use pto_cli::programs::examples;

/// Names with which figures were published.
const TABLE: [&str; 19] = [
    "tadd f32 64x128",
    "tmul f32 64x128",
    "texp f32 64x128",
    "tmov vec f32 64x128",
    "trowsum f32 64x128",
    "trowmax f32 64x128",
    "trowexpandadd f32 64x128",
    "trowexpandmul f32 64x128",
    "tcvt f32->f16 64x128",
    "tconcat f32 64x64+64x64",
    "ttrans f32 64x64",
    "tinsert vec->vec f16 32x64 ND",
    "tmov mat->left f32 128x128",
    "tmov mat->right f32 128x128",
    "tload ND->NZ f32 128x128",
    "tstore acc->ND f32 128x128",
    "tmatmul f32 32x16x32",
    "tmatmul f32 128x128x128",
    "tmatmul f16 128x128x128",
];

/// Runs an instruction of a program repeatedly, or says why it cannot be repeated.
fn repeat(text: &str, instruction: &str) -> Result<(), String> {
    Repeated::of(text, instruction)?.time(2).map(|_| ())
}

#[test]
fn instructions_of_the_table_can_be_repeated() {
    let cases = cases();
    for name in TABLE {
        assert_eq!(cases.iter().filter(|case| case.name == name).count(), 1, "{name}");
    }
    for case in cases {
        assert_eq!(repeat(&case.text, &case.instruction), Ok(()), "{}", case.name);
    }
}

#[test]
fn instructions_that_wait_for_another_core_are_the_only_ones_not_repeated() {
    let waits = ["pipe", "reserve", "talloc", "tfree", "tpop", "tpush", "wait"];
    let mut larger = 0;
    for example in examples() {
        match repeat(&enlarged(example.text), example.name) {
            Ok(()) => larger += 1,
            Err(_) => {
                let alone = repeat(example.text, example.name);
                let excused = waits.iter().any(|part| example.name.contains(part));
                assert!(alone.is_ok() || excused, "{}: {alone:?}", example.name);
            }
        }
    }
    assert!(larger > 50, "{larger} examples ran with larger tiles");
}

#[test]
fn shapes_and_indices_get_larger_and_nothing_else() {
    let text = "// 8x8\n!t = !pto.tile_buf<vec, 8x1xf32, valid=4x1, fractal=512>\n  %c8 = arith.constant 8 : index\n  \
                %c1 = arith.constant 1 : index\n  %s = arith.constant 8 : i32\n  pto.t ins(%a8x : !t)";
    let want = "// 8x8\n!t = !pto.tile_buf<vec, 64x1xf32, valid=32x1, fractal=512>\n  %c8 = arith.constant 64 : index\n  \
                %c1 = arith.constant 1 : index\n  %s = arith.constant 8 : i32\n  pto.t ins(%a8x : !t)\n";
    assert_eq!(enlarged(text), want);
}
