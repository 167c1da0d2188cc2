//! `pto run --all`: the programs that it finds, their inputs, and its results.

use crate::support::command;
use crate::support::folder::Folder;
use serde_json::{Value as Json, json};

impl Folder {
    /// The exit status and the output of `pto run --all` on this folder.
    fn sweep(&self, flags: &[&str]) -> (i32, String) {
        let folder = self.path("");
        let mut words = vec!["run", "--all", &folder];
        words.extend(flags);
        let output = command(&words);
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code().expect("a status"), text)
    }
}

/// Adds one to the first `n` of 16 elements, from element `at` of a table.
const ADD: &str = "
func.func @add(%x: !pto.ptr<f32>, %at: !pto.ptr<i32>, %y: !pto.ptr<f32>, %n: index, %one: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %first = pto.load_scalar %at[%c0] : !pto.ptr<i32> -> i32
  %from = arith.index_cast %first : i32 to index
  %xs = pto.make_tensor_view %x, shape = [%c1, %c32], strides = [%c32, %c1] : !pto.tensor_view<1x32xf32>
  %ys = pto.make_tensor_view %y, shape = [%c1, %c16], strides = [%c16, %c1] : !pto.tensor_view<1x16xf32>
  %in = pto.partition_view %xs, offsets = [%c0, %from], sizes = [%c1, %n] : !pto.tensor_view<1x32xf32> -> !pto.partition_tensor_view<1x?xf32>
  %out = pto.partition_view %ys, offsets = [%c0, %c0], sizes = [%c1, %n] : !pto.tensor_view<1x16xf32> -> !pto.partition_tensor_view<1x?xf32>
  %tile = pto.alloc_tile valid_col = %n : !pto.tile_buf<vec, 1x16xf32, valid=1x?>
  pto.tload ins(%in : !pto.partition_tensor_view<1x?xf32>) outs(%tile : !pto.tile_buf<vec, 1x16xf32, valid=1x?>)
  pto.tadds ins(%tile, %one : !pto.tile_buf<vec, 1x16xf32, valid=1x?>, f32) outs(%tile : !pto.tile_buf<vec, 1x16xf32, valid=1x?>)
  pto.tstore ins(%tile : !pto.tile_buf<vec, 1x16xf32, valid=1x?>) outs(%out : !pto.partition_tensor_view<1x?xf32>)
  return
}
";

/// Breaks `alloc_tile::valid-region` before it runs.
const WRONG: &str = "func.func @wrong() {
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32, valid=1x17>
  return
}
";

#[test]
fn all_examples_run() {
    let output = command(&["run", "--all", "examples", "--quiet"]);
    let text = String::from_utf8_lossy(&output.stdout);
    // Six kernels with data, seven of the layer, seventeen that are timed, ten steps of the tutorial, five by hand, and three twins
    // of kernels in C++.
    let shown = pto_cli::programs::examples().count() + pto_cli::programs::language_examples().count();
    let programs = shown + 6 + 7 + 17 + 10 + 5 + 3;
    // The first step of the tutorial has no instruction yet.
    let sum = format!("{programs} ok (1 without a tile instruction that ran), 0 rejected, 0 failed in ");
    assert!(output.status.success() && text.starts_with(&sum) && text.lines().count() == 1, "{text}");
}

#[test]
fn a_program_of_which_nothing_is_said_runs_with_values_of_our_choice() {
    let folder = Folder::new();
    folder.write("inner/add.pto", ADD);
    folder.write("both.pto", &(ADD.to_owned() + &ADD.replace("@add", "@more")));
    let (status, text) = folder.sweep(&["--json"]);
    let report: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!((status, &report["ok"], &report["failed"]), (0, &json!(2), &json!(0)), "{text}");
    let [both, add] = report["files"].as_array().expect("files").as_slice() else { panic!("{text}") };
    assert_eq!(
        (&add["file"], &add["launches"], &add["never_ran"]),
        (&json!("inner/add.pto"), &json!(1), &json!([]))
    );
    assert_eq!(
        (&both["launches"], &both["instructions"]),
        (&json!(2), &json!(8)),
        "each kernel of a file: {text}"
    );
}

#[test]
fn a_manifest_says_what_programs_run_with() {
    let folder = Folder::new();
    folder.write("add.pto", ADD);
    let inputs =
        json!({ "x": "arange", "at": { "dtype": "i32", "values": [17], "repeat": 2 }, "n": 15, "one": 0.5 });
    let entry = |n: u32| {
        let mut entry = json!({ "file": "add.pto", "entry": "add", "blocks": 2, "inputs": inputs });
        entry["inputs"]["n"] = json!(n);
        entry
    };
    folder.write("manifest.json", json!([entry(15), entry(1)]).to_string());
    let (status, text) = folder.sweep(&[]);
    assert!(status == 0 && text.contains("ok ") && text.contains("1 ok, 0 rejected, 0 failed"), "{text}");
    folder.write("other.json", json!([entry(16)]).to_string());
    let other = folder.path("other.json");
    let (status, text) = folder.sweep(&["--manifest", &other]);
    assert!(
        status == 1 && text.contains("failed") && text.contains("add.pto:14  tload::out-of-bounds: "),
        "{text}"
    );
    folder.write("other.json", json!([{ "file": "absent.pto" }]).to_string());
    let (status, text) = folder.sweep(&["--manifest", &other]);
    assert!(status == 2 && text.contains("absent.pto") && text.contains("relative to the folder"), "{text}");
}

#[test]
fn what_is_rejected_is_wrong_unless_the_manifest_says_so() {
    let folder = Folder::new();
    folder.write("wrong.pto", WRONG);
    folder.write("add.pto", ADD);
    let (status, text) = folder.sweep(&[]);
    assert!(status == 1 && text.contains("wrong.pto:2  alloc_tile::valid-region: "), "{text}");
    assert!(text.contains("1 ok, 1 rejected, 0 failed"), "{text}");
    let far = ADD.replace("valid_col = %n", "valid_col = %far");
    folder.write("wrong.pto", far.replace("  %tile =", "  %far = arith.addi %n, %c32 : index\n  %tile ="));
    let (status, text) = folder.sweep(&[]);
    assert!(status == 1 && text.contains("failed") && text.contains("wrong.pto:14  alloc_tile::"), "{text}");
    assert!(text.contains("1 of the failed programs ran with default inputs"), "{text}");
    folder.write("wrong.pto", WRONG);
    let rejected =
        |file: &str, rule: &str, n: u32| json!({ "file": file, "rejected": [rule], "inputs": { "n": n } });
    let [before, during] = [("wrong.pto", 0), ("add.pto", 17)];
    let wrong = json!({ "file": before.0, "rejected": ["alloc_tile::valid-region"] });
    let manifest = json!([wrong, rejected(during.0, "alloc_tile::valid-region", during.1)]);
    folder.write("manifest.json", manifest.to_string());
    let (status, text) = folder.sweep(&["-q"]);
    assert_eq!((status, text.lines().count()), (0, 1), "{text}");
    assert!(text.starts_with("0 ok, 2 rejected (2 as the manifest says), 0 failed"), "{text}");
    let manifest = json!([wrong, rejected(during.0, "tadds::types", 16)]);
    folder.write("manifest.json", manifest.to_string());
    let (status, text) = folder.sweep(&[]);
    assert!(
        status == 1 && text.contains("the manifest says that it is rejected by tadds::types: it runs"),
        "{text}"
    );
}

#[test]
fn what_watchers_find_is_a_failure() {
    let folder = Folder::new();
    folder.write("add.pto", ADD);
    folder.write(
        "manifest.json",
        json!([{ "file": "add.pto", "inputs": { "at": "zeros", "n": 4 } }]).to_string(),
    );
    assert_eq!(folder.sweep(&[]).0, 0);
    let (status, text) = folder.sweep(&["--watch", "init"]);
    assert!(status == 1 && text.contains("add.pto:14  init::unwritten: "), "{text}");
    let known =
        json!([{ "file": "add.pto", "inputs": { "at": "zeros", "n": 4 }, "watched": ["init::unwritten"] }]);
    folder.write("manifest.json", known.to_string());
    assert_eq!(folder.sweep(&["--watch", "init"]).0, 0, "the manifest says that this is right");
}

#[test]
fn a_folder_without_programs_is_no_success() {
    let folder = Folder::new();
    let (status, text) = folder.sweep(&[]);
    assert!(status == 2 && text.contains("there is no .pto file below it"), "{text}");
}
