//! Levels of rules: by flags, in a settings file, and by comments in a program.

use crate::support::command as pto;
use crate::support::folder::{Folder, err};

/// A program with a lint of the check, and a wait that orders nothing.
const LINTED: &str = "\
module attributes {pto.target_arch = \"a2a3\"} {
  func.func @k() {
    pto.barrier <PIPE_V>
    pto.barrier <PIPE_V>
    return
  }
}
";

#[test]
fn flags_set_levels_of_rules() {
    let folder = Folder::new();
    let file = folder.write("k.pto", "// run:\nfunc.func @k() {\n  pto.tnop\n  return\n}\n");
    let lint = folder.write("lint.pto", "func.func @k(%a: !pto.tile<16x32xhalf>) {\n  return\n}\n");
    let check = |file: &str, flags: &[&str]| {
        let output = pto(&[&["check", file][..], flags].concat());
        (output.status.code(), err(&output))
    };
    let (status, text) = check(&lint, &[]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("lint[manual-type]"), "{text}");
    let (status, text) = check(&lint, &["--deny", "warnings"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("error[manual-type]") && text.contains("is `deny`"), "{text}");
    let (status, text) = check(&lint, &["--deny", "warnings", "--allow", "manual-type"]);
    assert_eq!((status, text.contains("manual-type")), (Some(0), false), "{text}");
    let (status, text) = check(&lint, &["--allow", "manual-typ"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("did you mean `manual-type`?"), "{text}");
    let (status, text) = check(&lint, &["--allow", "unknown-operation"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("is not legal"), "{text}");
    // An illegal program stays illegal under every level.
    let (status, text) = check(&file, &["--allow", "warnings"]);
    assert_eq!(status, Some(1), "{text}");
}

#[test]
fn findings_of_watchers_have_levels() {
    let folder = Folder::new();
    let file = folder.write("k.pto", LINTED);
    let run = |flags: &[&str]| {
        let output = pto(&[&["run", &file, "--watch", "sync"][..], flags].concat());
        (output.status.code(), err(&output))
    };
    let (status, text) = run(&[]);
    assert!(status == Some(0) && text.contains("lint[sync::"), "{text}");
    let (status, text) = run(&["--deny", "sync"]);
    assert!(status == Some(1) && text.contains("error[sync::"), "{text}");
    let (status, text) = run(&["--allow", "sync"]);
    assert!(status == Some(0) && !text.contains("[sync::"), "{text}");
    let race = "tests/mistakes/missing_flag.pto";
    let watched = ["run", race, "-i", "x=arange", "--watch", "race"];
    let output = pto(&watched);
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    let output = pto(&[&watched[..], &["--warn", "race"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(err(&output).contains("lint[race::"), "{}", err(&output));
}

#[test]
fn a_settings_file_counts_for_its_folder_and_flags_decide() {
    let folder = Folder::new();
    let lint = "func.func @k(%a: !pto.tile<16x32xhalf>) {\n  return\n}\n";
    folder.write("pto.toml", "[rules]\nwarnings = \"deny\"\n");
    folder.write("inner/pto.toml", "target = \"a5\"\n[rules]\nmanual-type = \"allow\"\n");
    let (outer, inner) = (folder.write("k.pto", lint), folder.write("inner/deep/k.pto", lint));
    let check = |args: &[&str]| pto(&[&["check"][..], args].concat());
    assert_eq!(check(&[&outer]).status.code(), Some(1));
    assert_eq!(check(&[&inner]).status.code(), Some(0));
    assert_eq!(check(&[&outer, "--warn", "warnings"]).status.code(), Some(0));
    assert_eq!(check(&[&inner, "--deny", "manual-type"]).status.code(), Some(1));
    // The usual target counts for modules that name none.
    let capacity = "func.func @k() {\n  %t = pto.alloc_tile : !pto.tile_buf<vec, 1024x56xf32>\n  return\n}\n";
    let big = folder.write("inner/big.pto", capacity);
    assert_eq!(check(&[&big]).status.code(), Some(0), "{}", err(&check(&[&big])));
    assert_eq!(check(&[&big, "--target", "a2a3"]).status.code(), Some(1));
    for (text, word) in [
        ("tagret = \"a5\"", "unknown field `tagret`"),
        ("target = \"a7\"", "must be a2a3, a5 or cpu"),
        ("[rules]\nracee = \"deny\"", "did you mean `race`?"),
        ("[rules]\nrace = \"forbid\"", "unknown variant `forbid`"),
        ("[rules", "TOML parse error"),
    ] {
        folder.write("pto.toml", text);
        let output = check(&[&outer]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(err(&output).contains(word) && err(&output).contains("pto.toml"), "{}", err(&output));
    }
}

#[test]
fn a_comment_hides_findings_of_its_line() {
    let folder = Folder::new();
    let text = |mark: &str| LINTED.replacen("    pto.barrier", &format!("    {mark}\n    pto.barrier"), 2);
    let run = |mark: &str| {
        let file = folder.write("k.pto", text(mark));
        let output = pto(&["run", &file, "--watch", "sync", "--deny", "sync"]);
        (output.status.code(), err(&output))
    };
    let (status, found) = run("// no remark");
    assert_eq!(status, Some(1), "{found}");
    let rules: Vec<&str> =
        found.lines().filter_map(|line| line.strip_prefix("error[")?.split(']').next()).collect();
    let (status, found) = run(&format!("// pto: allow({})", rules.join(", ")));
    assert_eq!(status, Some(0), "{found}");
}
