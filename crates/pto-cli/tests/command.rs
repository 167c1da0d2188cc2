//! Exit statuses, files and messages of the command.

use crate::support::folder::{Folder, err, out};
use crate::support::{command as pto, root};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn pto_with_stdin(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pto"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that refuses its arguments may end before it reads, which closes the pipe.
    if let Err(error) = child.stdin.take().expect("stdin").write_all(input.as_bytes()) {
        assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe, "{error}");
    }
    child.wait_with_output().expect("the command ends")
}

const VECTOR_ADD: &str = "examples/vector_add/kernel.pto";
const X: &str = "x=examples/vector_add/arg0.npy";
const Y: &str = "y=examples/vector_add/arg1.npy";

/// The arguments after `run` of every command on an example in a page.
fn runs_shown(page: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(page).expect("a page").replace("\\\n", " ");
    let commands = text.lines().filter(|line| line.starts_with("pto run ") || line.starts_with("cargo run "));
    let commands = commands.map(|line| line.split(" #").next().unwrap_or_default());
    let words =
        commands.map(|line| line.split_whitespace().skip_while(|word| *word != "--" && *word != "pto"));
    let words = words.map(|words| words.skip(1).map(str::to_owned).collect::<Vec<_>>());
    words.filter(|words| words.iter().any(|word| word.contains("examples/"))).collect()
}

#[test]
fn the_commands_that_the_pages_show_end_well() {
    let folders = std::fs::read_dir(root().join("examples")).expect("examples").flatten();
    // Tools leave hidden folders.
    let shown = folders.filter(|folder| !folder.file_name().to_string_lossy().starts_with('.'));
    let mut pages: Vec<_> = shown.map(|folder| folder.path().join("README.md")).collect();
    pages.retain(|page| page.is_file());
    assert!(pages.len() >= 6);
    pages.push(root().join("README.md"));
    for page in pages {
        let runs = runs_shown(&page);
        assert!(!runs.is_empty(), "{} shows no run", page.display());
        for run in runs {
            let words: Vec<_> = run.iter().map(String::as_str).collect();
            let output = pto(&words);
            assert!(output.status.success(), "{words:?}\n{}{}", out(&output), err(&output));
        }
    }
}

#[test]
fn a_legal_program_is_fine_and_a_broken_one_is_wrong() {
    assert_eq!(pto(&["check", VECTOR_ADD]).status.code(), Some(0));
    let output = pto_with_stdin(&["check", "-"], "func.func @k() { pto.tadd\n}");
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("<stdin>:1:26"), "{}", err(&output));
    assert_eq!(pto(&["check"]).status.code(), Some(2));
    assert_eq!(pto(&["frobnicate"]).status.code(), Some(2));
}

#[test]
fn one_run_reports_errors_of_reading_and_of_rules() {
    let text = "func.func @k() {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x17xf32>
  %b = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
  pto.tadd ins(%a, %missing : !pto.tile_buf<vec, 16x17xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%b : !pto.tile_buf<vec, 16x16xf32>)
  pto.tconcat ins(%b, %b : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%b : !pto.tile_buf<vec, 16x16xf32>)
  return
}
";
    let output = pto_with_stdin(&["check", "-", "--json"], text);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rules: Vec<_> = report["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|finding| finding["rule"].clone())
        .collect();
    // The rules of `tadd` are not checked on a tile that is itself illegal.
    assert_eq!(rules, ["alloc_tile::alignment", "undefined-value", "tconcat::valid-cols"]);
}

#[test]
fn a_run_compares_and_says_who_wrote_the_first_difference() {
    let base = ["run", VECTOR_ADD, "-i", X, "-i", Y, "-i", "length=1000"];
    let right = pto(&[&base[..], &["--expect", "sum=examples/vector_add/expect2.npy"]].concat());
    assert_eq!(right.status.code(), Some(0), "{}", err(&right));
    let wrong = pto(&[&base[..], &["--expect", "sum=examples/vector_add/arg0.npy"]].concat());
    assert_eq!(wrong.status.code(), Some(1));
    let report = out(&wrong);
    assert!(report.contains("1000 of 1000 values differ"), "{report}");
    assert!(
        report.contains("first at [0, 0]") && report.contains("worst at") && report.contains("ulp"),
        "{report}"
    );
    assert!(report.contains("`pto.tstore` at examples/vector_add/kernel.pto:"), "{report}");
}

#[test]
fn arguments_go_by_name_or_number_and_come_from_stdin_programs() {
    let text = std::fs::read_to_string(root().join(VECTOR_ADD)).expect("the example");
    let args = ["run", "-", "-i", "0=arange", "-i", "y=ones", "-i", "3=3"];
    let output = pto_with_stdin(&args, &text);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(out(&output), "sum = [[1.0 2.0 3.0]]\n");
}

#[test]
fn missing_extra_and_unfit_arguments_are_named() {
    // Wrong usage exits with 2, as does a file that cannot be read; data that contradicts the program exits with 1.
    for (status, extra, words) in [
        (2, vec!["-i", X, "-i", Y], "argument `length` of type index is missing"),
        (2, vec!["-i", X, "-i", Y, "-i", "length=5", "-i", "z=1"], "no argument `z`"),
        (2, vec!["-i", "x=3", "-i", Y, "-i", "length=5"], "`x` is a buffer, not a number"),
        (2, vec!["-i", X, "-i", Y, "-i", "length=1.5"], "length"),
        (2, vec!["-i", "x=nowhere.npy", "-i", Y, "-i", "length=5"], "nowhere.npy"),
        (1, vec!["-i", X, "-i", Y, "-i", "length=1200"], "which holds 4000 bytes"),
        (1, vec!["-i", X, "-i", Y, "-i", "length=-1"], "stride -1"),
        (2, vec!["-i", X, "-i", X, "-i", Y, "-i", "length=5"], "given twice"),
    ] {
        let output = pto(&[&["run", VECTOR_ADD][..], &extra].concat());
        assert_eq!(output.status.code(), Some(status), "{extra:?}");
        assert!(err(&output).contains(words), "{extra:?}: {}", err(&output));
    }
}

#[test]
fn an_output_file_is_replaced_only_by_a_run_that_succeeds() {
    let folder = Folder::new();
    let file = folder.write("sum.npy", b"precious");
    let output = format!("sum={file}");
    let failing = pto(&["run", VECTOR_ADD, "-i", X, "-i", Y, "-i", "length=1200", "-o", &output]);
    assert_eq!(failing.status.code(), Some(1));
    assert_eq!(std::fs::read(&file).expect("still there"), b"precious");
    let fine = pto(&["run", VECTOR_ADD, "-i", X, "-i", Y, "-i", "length=1000", "-o", &output]);
    assert_eq!(fine.status.code(), Some(0), "{}", err(&fine));
    let want = std::fs::read(root().join("examples/vector_add/expect2.npy")).expect("the expectation");
    let got = std::fs::read(&file).expect("the output");
    assert_eq!(got[got.len() - 4000..], want[want.len() - 4000..]);
    assert_eq!(std::fs::read_dir(&folder.0).expect("the folder").count(), 1, "nothing is left aside");
}

#[test]
fn a_dump_shows_the_valid_region_each_time_that_its_line_runs() {
    let text = std::fs::read_to_string(root().join(VECTOR_ADD)).expect("the example");
    let line = text.lines().position(|line| line.contains("outs(%a")).expect("a load") + 1;
    let dump = format!("%a@{line}");
    let output =
        pto(&["run", VECTOR_ADD, "-i", "x=arange", "-i", "y=ones", "-i", "length=3", "--dump", &dump]);
    assert!(
        out(&output).starts_with("%a: 1x256xf32 vec, valid 1x3\n  [0.0, 1.0, 2.0]\n"),
        "{}",
        out(&output)
    );
    let nowhere = pto(&["run", VECTOR_ADD, "-i", "length=3", "--dump", "%a@9999"]);
    assert!(err(&nowhere).contains("no line 9999"), "{}", err(&nowhere));
}

#[test]
fn formatting_is_a_fixpoint_and_check_says_so() {
    let folder = Folder::new();
    let text = "// RUN: something %s\nmodule {\n func.func @k() {\n // why\n %c = arith.constant 1 : index // one\n\n\n return\n }\n}\n";
    let path = folder.write("kernel.pto", text);
    assert_eq!(pto(&["fmt", "--check", &path]).status.code(), Some(1));
    assert_eq!(pto(&["fmt", &path, "-o", &path]).status.code(), Some(0));
    assert_eq!(pto(&["fmt", "--check", &path]).status.code(), Some(0));
    assert_eq!(
        folder.read("kernel.pto"),
        "// RUN: something %s\nmodule {\n  func.func @k() {\n    // why\n    %c = arith.constant 1 : index // one\n\n    return\n  }\n}\n"
    );
}

#[test]
fn lowering_prints_a_program_that_computes_the_same() {
    let text = "func.func @f(%p: !pto.ptr<f32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = arith.constant 1.5 : f32
  // Six.
  %six = arith.muli %c2, %c3 : index
  pto.store_scalar %x, %p[%six] : !pto.ptr<f32>, f32
  return
}
";
    let lowered = pto_with_stdin(&["lower", "--canonicalize", "-"], text);
    assert!(lowered.status.success(), "{}", err(&lowered));
    assert!(err(&lowered).contains("1 operation folded, 2 unused operations erased"), "{}", err(&lowered));
    assert!(out(&lowered).contains("// Six.\n  %six = arith.constant 6 : index"), "{}", out(&lowered));
    let run = |text: &str| out(&pto_with_stdin(&["run", "-"], text));
    assert_eq!(run(text), run(&out(&lowered)));
    let again = pto_with_stdin(&["lower", "--canonicalize", "-"], &out(&lowered));
    assert!(err(&again).contains("nothing to simplify"), "{}", err(&again));
    assert_eq!(out(&again), out(&lowered));

    // A program that is not legal is not rewritten.
    let broken = pto_with_stdin(&["lower", "--canonicalize", "-"], &text.replace("%six]", "%seven]"));
    assert_eq!(broken.status.code(), Some(1), "{}", err(&broken));

    // Without a pass, tiles are placed and synchronized; there are none.
    let lowered = pto_with_stdin(&["lower", "-"], text);
    assert!(lowered.status.success(), "{}", err(&lowered));
    assert_eq!(run(text), run(&out(&lowered)));
}

#[test]
fn constants_that_show_an_error_are_told() {
    // The extent is unknown before a run, unless it is folded.
    let text = "!t = !pto.tile_buf<vec, 8x16xf32>
!d = !pto.tile_buf<vec, 8x16xf32, valid=?x16>
func.func @f() {
  %c2 = arith.constant 2 : index
  %c4 = arith.addi %c2, %c2 : index
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile valid_row = %c4 : !d
  pto.texp ins(%a : !t) outs(%b : !d)
  return
}
";
    assert!(pto_with_stdin(&["check", "-"], text).status.success());
    let lowered = pto_with_stdin(&["lower", "--canonicalize", "-"], text);
    assert_eq!(lowered.status.code(), Some(1), "{}", err(&lowered));
    assert!(err(&lowered).contains("texp::valid-region"), "{}", err(&lowered));
    assert_eq!(out(&lowered), "");
}

#[test]
fn recorded_cases_are_counted_and_failures_shown() {
    let all = pto(&["test", "examples"]);
    assert_eq!(all.status.code(), Some(0), "{}", out(&all));
    assert!(out(&all).ends_with("6 passed, 0 failed\n"), "{}", out(&all));
    let folder = Folder::new();
    for entry in std::fs::read_dir(root().join("examples/vector_add")).expect("the example").flatten() {
        std::fs::copy(entry.path(), folder.0.join(entry.file_name())).expect("copied");
    }
    std::fs::copy(folder.path("arg0.npy"), folder.path("expect2.npy")).expect("copied");
    let broken = pto(&["test", &folder.path("")]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(out(&broken).contains("values differ") && out(&broken).ends_with("0 passed, 1 failed\n"));
}

#[test]
fn times_are_of_launches() {
    let output = pto(&[
        "run",
        VECTOR_ADD,
        "-i",
        "x=rand",
        "-i",
        "y=rand",
        "-i",
        "length=300",
        "--repeat",
        "3",
        "--time",
        "-q",
    ]);
    assert!(out(&output).starts_with("launches 3, min "), "{}", out(&output));
}

#[test]
fn results_are_also_json() {
    let output = pto(&["run", VECTOR_ADD, "-i", "x=arange", "-i", "y=ones", "-i", "length=2", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["outputs"][0]["name"], "sum");
    assert_eq!(report["outputs"][0]["shape"], serde_json::json!([1, 2]));
    assert_eq!(report["outputs"][0]["values"], serde_json::json!([1.0, 2.0]));
}

#[test]
fn what_watchers_find_is_also_sarif() {
    let buggy = ["run", "tests/races/ptoas_844_reused_address.pto", "--entry", "buggy", "-i", "x=rand"];
    let output = pto(&[&buggy[..], &["-i", "y=rand", "--watch", "race", "--format", "sarif"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let results = report["runs"][0]["results"].as_array().expect("results");
    let rules: Vec<_> = results.iter().map(|result| result["ruleId"].as_str().expect("a rule")).collect();
    assert_eq!(rules, ["race::write-after-read"]);
}

/// A run without findings reports the number of items that the watchers examined.
#[test]
fn a_clean_watched_run_says_what_was_looked_at() {
    let fixed = ["run", "tests/races/ptoas_283_fixpipe.pto", "--entry", "fixed", "-i", "x=rand"];
    let output = pto(&[&fixed[..], &["--watch", "race,sync"]].concat());
    let line = "nothing found: race: 5 pairs ordered; sync: 3 waits; all 5 instructions ran";
    let without_target = format!("{line}; for cpu, since neither the program nor --target names a device\n");
    assert!(output.status.success() && err(&output) == without_target, "{}", err(&output));
    let output = pto(&[&fixed[..], &["--watch", "race,sync", "--target", "a5"]].concat());
    assert!(output.status.success() && err(&output) == format!("{line}\n"), "{}", err(&output));
    let output = pto(&[&fixed[..], &["--watch", "all", "--sync", "inserted", "--json"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let expected = serde_json::json!({
        "pairs_ordered": 0, "chained": null, "waits": 3, "reads": 5, "accesses": 11, "instructions": 5, "never_ran": 0,
        "assumed": "order within a core assumed, flags are inserted later",
    });
    assert_eq!(report["watched"], expected);
    let bare = pto(&[&fixed[..], &["--json"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&bare.stdout).expect("JSON");
    assert_eq!(report["watched"], serde_json::Value::Null);
}

#[test]
fn what_a_run_meets_is_said_like_other_findings() {
    let program = "func.func @k(%out: !pto.ptr<i32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 4 : i32
  %a = pto.alloc_tile : !pto.tile_buf<vec, 1x16xi32>
  %i = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32, valid=1x1>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 1x32xi32>
  pto.texpands ins(%v : i32) outs(%a : !pto.tile_buf<vec, 1x16xi32>)
  pto.texpands ins(%v : i32) outs(%i : !pto.tile_buf<vec, 1x8xi32, valid=1x1>)
  %d2 = pto.tconcat %a, %a, %i, %i : (!pto.tile_buf<vec, 1x16xi32>, !pto.tile_buf<vec, 1x16xi32>, \
!pto.tile_buf<vec, 1x8xi32, valid=1x1>, !pto.tile_buf<vec, 1x8xi32, valid=1x1>) -> !pto.tile_buf<vec, 1x32xi32> into %d
  %c3 = arith.constant 3 : index
  %x = pto.tgetval ins(%d, %c3 : !pto.tile_buf<vec, 1x32xi32>, index) outs : i32
  pto.store_scalar %x, %out[%c0] : !pto.ptr<i32>, i32
  return
}
";
    for (flags, value, lints) in [
        (&[][..], "0", 1),
        (&["--tconcat-index", "bytes"], "0", 0),
        (&["--tconcat-index", "columns"], "4", 0),
    ] {
        let output = pto_with_stdin(&[&["run", "-"], flags].concat(), program);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        let found = err(&output).matches("lint[tconcat::index-reading]").count();
        assert_eq!(found, lints, "{}", err(&output));
        assert!(out(&output).contains(&format!("[{value}]")), "{}", out(&output));
    }
}

/// 13.8: `fmt --keyed` is the way back from the compact form.
#[test]
fn keyed_types_come_back_from_compact_ones() {
    let keyed = "func.func @f(%a: !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=8, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>) {\n  return\n}\n";
    let folder = Folder::new();
    let compact = out(&pto(&["fmt", "--compact", &folder.write("keyed.pto", keyed)]));
    assert!(compact.contains("!pto.tile_buf<vec, 8x16xf32, valid=8x?>"), "{compact}");
    assert_eq!(out(&pto(&["fmt", "--keyed", &folder.write("compact.pto", &compact)])), keyed);
}
