//! Tests of the report of `pto bench`. No test judges a measured time.

use crate::support::command;
use crate::support::folder::{err, out};
use serde_json::Value;

fn bench(args: &[&str]) -> String {
    let output = command(&[&["bench"], args].concat());
    assert!(output.status.success(), "{}", err(&output));
    out(&output)
}

fn names(json: &str) -> Vec<String> {
    let all: Value = serde_json::from_str(json).expect("JSON");
    let number = |object: &Value, key: &str| object[key].as_f64().expect("a number");
    let name = |object: &Value| {
        assert!(number(object, "best_ns") <= number(object, "median_ns"), "{object}");
        object["name"].as_str().expect("a name").to_owned()
    };
    all["figures"].as_array().expect("an array").iter().map(name).collect()
}

/// The fixed names of the comparison with other simulators.
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

#[test]
fn the_table_the_peaks_and_nearly_all_instructions_are_timed() {
    let names = names(&bench(&["--json", "--repeat", "1"]));
    for name in TABLE {
        assert_eq!(names.iter().filter(|found| *found == name).count(), 1, "{name}");
    }
    assert!(names.iter().any(|name| name.starts_with("peak fma")), "{names:?}");
    // Instructions that wait for another core cannot be repeated.
    let examples = pto_cli::programs::examples().map(|example| example.name);
    let timed = |example: &str| names.iter().any(|name| name.split(' ').next() == Some(example));
    let alone: Vec<&str> = examples.filter(|example| !timed(example)).collect();
    let waits = ["pipe", "reserve", "talloc", "tfree", "tpop", "tpush", "wait"];
    assert!(alone.iter().all(|name| waits.iter().any(|part| name.contains(part))), "{alone:?}");
}

#[test]
fn products_are_compared_with_what_the_core_does_meanwhile() {
    let all: Value =
        serde_json::from_str(&bench(&["--json", "--repeat", "3", "--filter", "tmatmul f32 64x64x64"]))
            .expect("JSON");
    let share = all["figures"][0]["of_peak"].as_f64().expect("a share");
    assert!(share > 0.0 && share < 2.0, "{all}");
    let text = bench(&["--repeat", "1", "--filter", "f32 64x64"]);
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).expect("a line").trim_end();
    assert!(line("tmatmul f32 64x64x64 ").ends_with('%'), "{text}");
    assert!(!line("ttrans f32 64x64 ").ends_with('%'), "{text}");
}

#[test]
fn a_filter_leaves_what_has_its_text() {
    assert_eq!(
        names(&bench(&["--json", "--repeat", "1", "--filter", "tadd f32 64x128"])),
        ["tadd f32 64x128"]
    );
    let text = bench(&["--repeat", "1", "--filter", "ttrans f32 64x64"]);
    assert!(text.lines().any(|line| line.starts_with("ttrans f32 64x64 ")), "{text}");
}

#[test]
fn whole_kernels_are_timed() {
    let found = names(&bench(&["examples", "--json", "--repeat", "1", "--filter", "kernel.pto"]));
    assert!(found.iter().any(|name| name == "row_softmax/kernel.pto"), "{found:?}");
    assert_eq!(names(&bench(&["examples/vector_add/kernel.pto", "--json", "--repeat", "1"])).len(), 1);
}

#[test]
fn a_kernel_stands_beside_its_instructions() {
    let text = bench(&["examples/row_softmax/kernel.pto", "--json", "--repeat", "1", "--parts"]);
    let all: Value = serde_json::from_str(&text).expect("JSON");
    let parts = &all["figures"][0]["parts"];
    let instructions = parts["instructions"].as_array().expect("an array");
    let of = |name: &str| instructions.iter().find(|one| one["name"] == name);
    for name in ["tload", "trowmax", "trowsum", "tstore"] {
        assert!(of(name).is_some_and(|one| one["count"].as_u64() > Some(0)), "{name}: {text}");
    }
    let sum: f64 = instructions.iter().filter_map(|one| one["ns"].as_f64()).sum();
    let said = parts["sum_ns"].as_f64().expect("a number");
    assert!((sum - said).abs() <= 1e-6 * sum.abs(), "{text}");
}
