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
