//! `pto shim` with stand-ins for the assembler: one that copies, one that drops a flag, and others.
#![cfg(unix)]

use crate::support::compared::PROGRAM;
use crate::support::folder::{Folder, parts};
use crate::support::schema;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Finds the input and the output among its arguments, and passes the program on through a filter.
const COPY: &str = r#"#!/bin/sh
echo "ptoas 0.63"
echo "root ${PTOAS_ROOT:-none}" >&2
while [ $# -gt 0 ]; do
  case "$1" in
    -o) out=$2; shift ;;
    --fail) exit 7 ;;
    --kill) kill -9 $$ ;;
    -*) ;;
    *) in=$1 ;;
  esac
  shift
done
[ -n "$out" ] && FILTER < "$in" > "$out"
exit 0
"#;

impl Folder {
    /// A folder with `a.pto` and a stand-in for the assembler.
    fn of_assembler(filter: &str) -> Folder {
        let folder = Folder::new();
        folder.write("a.pto", PROGRAM);
        fs::create_dir_all(folder.0.join("it's real/bin")).expect("a folder");
        folder.script("it's real/bin/ptoas", &COPY.replace("FILTER", filter));
        folder
    }

    /// Makes the folder `shim`, and returns the value for PTOAS_ROOT.
    fn shim(&self, more: &[&str]) -> String {
        let (status, out, err) = parts(&self.run(&[&["shim", "shim", "--real", "it's real"], more].concat()));
        assert_eq!((status, err.as_str()), (Some(0), ""));
        out.strip_suffix('\n').expect("a line").to_owned()
    }

    /// Calls the assembler as tools do: the first executable file below PTOAS_ROOT.
    fn call(&self, root: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
        let places = ["ptoas", "ptoas.sh", "bin/ptoas"].map(|place| PathBuf::from(root).join(place));
        let found = places.iter().find(|place| place.is_file()).expect("an assembler");
        let mut command = Command::new(found);
        parts(
            &command.env("PTOAS_ROOT", root).current_dir(&self.0).args(arguments).output().expect("it runs"),
        )
    }

    fn report(&self, file: &str) -> Value {
        let text = self.read(&format!("{file}.pto-report.json"));
        let report = serde_json::from_str(&text).expect("JSON");
        let all = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.schema.json"));
        let all: Value = serde_json::from_str(&all.expect("a file")).expect("JSON");
        assert_eq!(schema::check(&all["commands"]["shim"], &report, &all), Ok(()));
        report
    }
}

#[test]
fn an_assembler_that_copies_is_clean() {
    let folder = Folder::of_assembler("cat");
    let root = folder.shim(&["--fail-on", "error"]);
    assert_eq!(PathBuf::from(&root), folder.0.join("shim"));
    let (status, out, err) = folder.call(&root, &["a.pto", "-o", "b.pto", "--emit-pto-ir", "--pto-arch=a5"]);
    // The shim adds nothing to the output of the real assembler, which runs with its own PTOAS_ROOT.
    let real = folder.0.join("it's real");
    assert_eq!((status, out.as_str(), err), (Some(0), "ptoas 0.63\n", format!("root {}\n", real.display())));
    assert_eq!(folder.read("b.pto"), PROGRAM);
    let report = folder.report("b.pto");
    assert_eq!((&report["status"], &report["failed"]), (&0.into(), &false.into()));
    assert_eq!(
        (&report["input"]["file"], &report["input"]["verdict"]),
        (&"a.pto".into(), &"clean".into()),
        "{report}"
    );
    assert_eq!((&report["output"]["file"], &report["output"]["verdict"]), (&"b.pto".into(), &"clean".into()));
    assert_eq!(report["arguments"][4], "--pto-arch=a5");
    let text = folder.read("b.pto.pto-report.txt");
    assert_eq!(
        text,
        "a.pto: 0 errors, 0 findings in all\nb.pto: 0 errors, 0 findings in all\naccepted as the lowered form of its source\n"
    );
    assert_eq!(report["verified"]["verdict"], "accepted");
}

#[test]
fn an_assembler_that_drops_a_flag_is_found() {
    let folder = Folder::of_assembler("grep -v 'wait_flag.*PIPE_MTE2'");
    let root = folder.shim(&[]);
    let flags = ["a.pto", "-o", "b.pto", "--emit-pto-ir"];
    assert_eq!(folder.call(&root, &flags).0, Some(0), "by default the status is that of the assembler");
    let report = folder.report("b.pto");
    assert_eq!(
        (&report["input"]["verdict"], &report["output"]["verdict"]),
        (&"clean".into(), &"error".into()),
        "{report}"
    );
    let rules: Vec<_> = report["output"]["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|finding| finding["rule"].clone())
        .collect();
    assert!(rules.contains(&"race::read-after-write".into()), "{rules:?}");
    assert_eq!(report["failed"], false);
    let root = folder.shim(&["--fail-on", "error"]);
    let (status, out, err) = folder.call(&root, &flags);
    assert_eq!((status, out.as_str()), (Some(1), "ptoas 0.63\n"));
    assert!(err.contains("error[race::read-after-write]") && err.contains("b.pto:"), "{err}");
    assert!(err.ends_with("error: `pto shim` fails this call (--fail-on)\n"), "{err}");
    assert_eq!(folder.report("b.pto")["failed"], true);
    // Without watchers nothing is found: the program is legal.
    let root = folder.shim(&["--fail-on", "error", "--watch", "none"]);
    assert_eq!(folder.call(&root, &flags).0, Some(0));
    assert_eq!(folder.report("b.pto")["output"]["verdict"], "clean");
    // A program whose run is stopped is not judged.
    let root = folder.shim(&["--fail-on", "warning", "--max-steps", "3"]);
    assert_eq!(folder.call(&root, &flags).0, Some(0));
    let report = folder.report("b.pto");
    assert_eq!(report["output"]["verdict"], "unjudged");
    assert!(
        report["output"]["unjudged"].as_str().is_some_and(|why| why.contains("no end after 3 steps")),
        "{report}"
    );
}

#[test]
fn a_result_in_another_language_is_judged_by_its_input() {
    let folder = Folder::of_assembler("sed 's,^,// ,'");
    let root = folder.shim(&["--fail-on", "warning"]);
    assert_eq!(folder.call(&root, &["a.pto", "-o", "k.cpp"]).0, Some(0));
    let report = folder.report("k.cpp");
    assert_eq!((&report["input"]["verdict"], &report["output"]), (&"clean".into(), &Value::Null), "{report}");
    // A flag that is missing in the input; a later tool inserts it if the assembler is asked to.
    fs::write(
        folder.0.join("a.pto"),
        PROGRAM.replace("pto.wait_flag[<PIPE_MTE2>", "// pto.wait_flag[<PIPE_MTE2>"),
    )
    .expect("a file");
    let (status, _, err) = folder.call(&root, &["a.pto", "-o", "k.cpp"]);
    assert!(status == Some(1) && err.contains("race::read-after-write"), "{err}");
    let (_, _, err) = folder.call(&root, &["a.pto", "-o", "k.cpp", "--enable-insert-sync"]);
    assert!(!err.contains("race::read-after-write"), "{err}");
    // An illegal program, and one that cannot be read.
    fs::write(folder.0.join("a.pto"), PROGRAM.replace("pto.tadd ins(%a, %b", "pto.tadd ins(%a, %nothing"))
        .expect("a file");
    let (status, _, err) = folder.call(&root, &["a.pto", "-o", "k.cpp"]);
    assert!(status == Some(1) && err.contains("%nothing"), "{err}");
    fs::write(folder.0.join("a.pto"), [0xff, 0xfe]).expect("a file");
    assert_eq!(folder.call(&root, &["a.pto", "-o", "k.cpp"]).0, Some(0));
    assert!(
        folder.report("k.cpp")["input"]["unjudged"]
            .as_str()
            .is_some_and(|why| why.contains("not a text file"))
    );
}

/// Divides by a number in memory.
const DIVIDE: &str = "func.func @k(%n: !pto.ptr<i32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %d = pto.load_scalar %n[%c0] : !pto.ptr<i32> -> i32
  %q = arith.divsi %one, %d : i32
  pto.store_scalar %q, %n[%c0] : !pto.ptr<i32>, i32
  return
}
";

#[test]
fn a_run_that_stops_on_a_guess_is_no_error() {
    let folder = Folder::of_assembler("cat");
    let root = folder.shim(&["--fail-on", "warning"]);
    let judged = |text: &str| {
        fs::write(folder.0.join("a.pto"), text).expect("a file");
        let (status, _, _) = folder.call(&root, &["a.pto", "-o", "b.pto"]);
        let report = folder.report("b.pto");
        (status, report["input"]["verdict"].as_str().unwrap_or_default().to_owned(), report)
    };
    let (status, verdict, report) = judged(DIVIDE);
    assert_eq!((status, verdict.as_str()), (Some(0), "unjudged"), "{report}");
    let why = report["input"]["unjudged"].as_str().unwrap_or_default();
    assert!(why.starts_with("its run on guessed inputs stops: division-by-zero: "), "{why}");
    let (status, verdict, report) = judged(&format!("// run: -i n=ones:1\n{DIVIDE}"));
    assert_eq!((status, verdict.as_str()), (Some(0), "clean"), "{report}");
    let (status, verdict, report) = judged(&format!("// run: -i n=zeros:1\n{DIVIDE}"));
    assert_eq!((status, verdict.as_str()), (Some(1), "error"), "{report}");
}

#[test]
fn the_status_is_that_of_the_real_assembler() {
    let folder = Folder::of_assembler("cat");
    let root = folder.shim(&["--fail-on", "warning"]);
    let (status, out, _) = folder.call(&root, &["--version"]);
    assert_eq!((status, out.as_str()), (Some(0), "ptoas 0.63\n"));
    assert!(!folder.0.join("a.pto.pto-report.json").exists(), "there is nothing to report");
    assert_eq!(folder.call(&root, &["a.pto", "--fail", "-o", "b.pto"]).0, Some(7));
    assert_eq!(folder.report("b.pto")["status"], 7);
    assert_eq!(folder.call(&root, &["a.pto", "--kill"]).0, Some(128 + 9));
    assert_eq!(folder.report("a.pto")["status"], Value::Null);
    fs::remove_file(folder.0.join("it's real/bin/ptoas")).expect("a file");
    let (status, out, err) = folder.call(&root, &["a.pto"]);
    assert_eq!((status, out.as_str()), (Some(127), ""));
    assert!(err.contains("cannot run ") && err.contains("it's real/bin/ptoas"), "{err}");
}

#[test]
fn no_assembler_is_written_over() {
    let folder = Folder::of_assembler("cat");
    let refused = |flags: &[&str], expected: &str| {
        let (status, out, err) = parts(&folder.run(flags));
        assert_eq!((status, out.as_str()), (Some(2), ""), "{flags:?}");
        assert!(err.contains(expected), "{expected}: {err}");
    };
    refused(&["shim", "it's real", "--real", "it's real"], "was not written by `pto shim`");
    assert!(fs::read_to_string(folder.0.join("it's real/bin/ptoas")).expect("a file").contains("0.63"));
    refused(&["shim", "shim", "--real", "nowhere"], "there is no assembler that can be run");
    refused(&["shim", "shim", "--real", "a.pto"], "there is no assembler that can be run");
    folder.shim(&[]);
    folder.shim(&[]);
    refused(&["shim", "other", "--real", "shim"], "the assembler of a shim itself");
    refused(&["shim", "shim", "--real", "it's real", "--fail-on", "maybe"], "maybe");
}
