//! `pto shrink`: the smallest program with a finding, or with a status of a command; wrong input.

use crate::support::command;
use crate::support::folder::{Folder, err, out};
use serde_json::Value as Json;

/// The kernel with a race that is shrunk, relative to the root of the repository.
const ATTENTION: &str = "crates/pto-cli/tests/shrink/attention.pto";

/// A small program with a loop, and a barrier in it.
const LOOP: &str = "func.func @main(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
  scf.for %i = %c0 to %n step %c1 {
    pto.texpands ins(%x : f32) outs(%t : !pto.tile_buf<vec, 8x16xf32>)
    pto.barrier <PIPE_V>
  }
  return
}
";

/// The result of a search that succeeds.
fn shrunk(args: &[&str]) -> String {
    let output = command(&[&["shrink"], args].concat());
    assert!(output.status.success(), "{args:?}: {}", err(&output));
    out(&output)
}

#[test]
fn a_race_in_a_long_kernel_becomes_a_few_lines() {
    let folder = Folder::new();
    let small = folder.path("small.pto");
    let args =
        ["shrink", ATTENTION, "--rule", "race::read-after-write", "--watch", "race", "-o", &small, "--json"];
    let output = command(&args);
    assert!(output.status.success(), "{}", err(&output));
    let report: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    let lines = |key: &str| report[key]["lines"].as_u64().expect("a number");
    assert!(lines("from") > 130 && lines("to") < 15, "{report}");
    assert_eq!((&report["end"], &report["mode"]), (&"minimal".into(), &"program".into()));
    // The file is the program of the report, and it still has the finding.
    let text = std::fs::read_to_string(&small).expect("the file");
    assert_eq!(report["program"], text);
    let run = command(&["run", &small, "--watch", "race"]);
    assert!(err(&run).contains("race::read-after-write"), "{text}{}", err(&run));
}

#[test]
fn a_command_is_a_condition() {
    let folder = Folder::new();
    let source = folder.write("loop.pto", LOOP);
    let script = "grep -q pto.barrier $0 && grep -q return $0";
    let barrier = "func.func @main() {\n  pto.barrier <PIPE_V>\n  return\n}\n";
    assert_eq!(shrunk(&[&source, "--", "sh", "-c", script, "{}"]), barrier);
    // The candidate's path is appended if no word names it.
    assert!(shrunk(&[&source, "--", "grep", "-q", "pto.texpands"]).contains("pto.texpands"));
}

#[test]
fn another_status_is_a_condition() {
    let folder = Folder::new();
    let source = folder.write("loop.pto", LOOP);
    let script = "grep -q pto.texpands $0 && exit 7; exit 0";
    let text = shrunk(&[&source, "--status", "7", "--", "sh", "-c", script, "{}"]);
    assert!(text.contains("pto.texpands") && !text.contains("scf.for"), "{text}");
    // With status 0 everything without the word is kept, which the source is not.
    let output = command(&["shrink", &source, "--", "sh", "-c", script, "{}"]);
    assert!(!output.status.success() && err(&output).contains("ends with status 7"), "{}", err(&output));
}

#[test]
fn what_is_no_program_is_shrunk_by_lines() {
    let folder = Folder::new();
    let source = folder.write("broken.pto", "func.func @main( {\n  one\n  two three\n  four\n");
    let output = command(&["shrink", &source, "--", "grep", "-q", "three"]);
    assert_eq!(out(&output).trim(), "three", "{}", err(&output));
    assert!(err(&output).contains("as text"), "{}", err(&output));
    // A finding of the parser is a rule as any other.
    let text = shrunk(&[&source, "--rule", "syntax"]);
    assert!(text.lines().count() < 4, "{text}");
}

#[test]
fn wrong_input_is_explained() {
    let folder = Folder::new();
    let source = folder.write("loop.pto", LOOP);
    let missing = folder.path("missing.pto");
    let cases: [(&[&str], &str); 8] = [
        (&[&source], "--rule"),
        (&[&missing, "--rule", "race::read-after-write"], "cannot read the file"),
        (&[&source, "--rule", "race::read-after-wrote"], "did you mean `race::read-after-write`"),
        (&[&source, "--rule", "race"], "names several rules"),
        (&[&source, "--rule", "race::read-after-write"], "the condition does not hold to begin with"),
        (
            &[&source, "--rule", "race::read-after-write", "-i", "x=1.0", "-i", "n=1"],
            "`--watch race` finds it",
        ),
        (&[&source, "--", "false"], "ends with status 1"),
        (&[&source, "--", "pto-that-is-not-there"], "cannot start the condition"),
    ];
    for (args, message) in cases {
        let output = command(&[&["shrink"], args].concat());
        assert!(!output.status.success() && err(&output).contains(message), "{args:?}: {}", err(&output));
        assert!(out(&output).is_empty(), "{args:?}: {}", out(&output));
    }
}

#[test]
fn a_command_that_hangs_ends() {
    let folder = Folder::new();
    let source = folder.write("loop.pto", LOOP);
    let output = command(&["shrink", &source, "--timeout", "0.2", "--", "sh", "-c", "sleep 60", "{}"]);
    assert!(err(&output).contains("takes longer than 0.2 s"), "{}", err(&output));
}
