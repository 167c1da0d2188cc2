//! `pto_cli::called`: a command called in this process returns the output of the command.

use crate::support::folder::Folder;
use pto_cli::called::{Called, call};
use serde_json::Value;

const SOFTMAX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/row_softmax/kernel.pto");
const MISTAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/mistakes/missing_flag.pto");

fn called(words: &str) -> Called {
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    call(&words, Vec::new()).expect("a result").0
}

/// Compares a call with the command, without and with `--json`. `json`: whether the command has that flag.
pub(crate) fn compare(folder: &Folder, words: &str, json: bool) {
    let called = called(words);
    let (_, out, err) = folder.pto(words);
    assert_eq!((&called.text, &called.notes), (&out, &err), "{words}");
    assert!(!out.is_empty() || !err.is_empty(), "{words}");
    if json {
        let (_, printed, _) = folder.pto(&format!("{words} --json"));
        assert_eq!(called.json.as_ref(), Some(&printed), "{words}");
        serde_json::from_str::<Value>(&printed).expect("JSON");
    } else {
        assert_eq!(called.json, None, "{words}");
    }
}

#[test]
fn calls_return_what_commands_print() {
    let folder = Folder::new();
    let launch = format!("{SOFTMAX} -i x=randn:20x90");
    compare(&folder, &format!("time {launch}"), true);
    compare(&folder, &format!("time {SOFTMAX} {SOFTMAX} -i x=randn:20x90"), true);
    compare(&folder, &format!("map {launch}"), true);
    compare(&folder, &format!("diff {SOFTMAX} {SOFTMAX} -i x=randn:20x90"), true);
    compare(&folder, &format!("inspect {SOFTMAX}"), true);
    compare(&folder, &format!("inspect {MISTAKE}"), true);
    for words in ["explain tadd", "explain race::read-after-write", "explain MTE2"] {
        compare(&folder, words, true);
    }
    compare(&folder, &format!("time {MISTAKE} --watch all"), true);
}

#[test]
fn calls_write_what_commands_write() {
    let folder = Folder::new();
    let page = folder.0.join("page.html").display().to_string();
    compare(&folder, &format!("report {SOFTMAX} -i x=randn:20x90 -o {page}"), false);
    let by_command = folder.read("page.html");
    folder.write("page.html", "");
    called(&format!("report {SOFTMAX} -i x=randn:20x90 -o {page}"));
    assert_eq!(folder.read("page.html"), by_command);
    let case = folder.0.join("case").display().to_string();
    compare(&folder, &format!("record {SOFTMAX} -i x=randn:20x90 --save {case} --force"), false);
    assert!(folder.read("case/case.json").contains("\"x\""));
}

#[test]
fn a_shrunk_program_is_the_text() {
    let folder = Folder::new();
    let words = format!("shrink {MISTAKE} --rule race::read-after-write --watch race -q");
    let called = called(&words);
    assert_eq!(called.text, folder.pto(&words).1);
    let json: Value = serde_json::from_str(&called.json.expect("JSON")).expect("JSON");
    assert_eq!(json["program"], called.text);
}
