use super::*;
use crate::judged::Judged;
use crate::report;
use pto::Profile;
use pto::diag::{Diagnostic, Severity, Span};
use pto::isa::rule::Rule;
use serde_json::json;

static SAMPLE: Rule = Rule::of("a", "b", "A sample.", "here").weighing(&[
    (Severity::Error, &Profile::ALL),
    (Severity::Extension, &Profile::ALL),
    (Severity::Lint, &Profile::ALL),
]);
static COLS: Rule = Rule::of("tconcat", "valid-cols", "Columns add up.", "here");

const PROGRAM: &str = "func @k() {\n  %é = pto.tconcat %a, %b\n  return\n}\n";

fn sample() -> Diagnostic {
    Diagnostic::error(&COLS, "the tiles have 9 columns, but `%é` has 8")
        .at_with(Span::new(20, 31), "here")
        .with_label(Span::new(32, 34), "this has 5 columns")
        .with_note("columns add up")
        .with_help("make it wider")
        .with_edit(Span::new(36, 38), "%c")
}

fn judged(file: &str, text: &str, findings: Vec<Diagnostic>) -> Judged {
    Judged {
        name: file.to_owned(),
        file: file.to_owned(),
        text: text.to_owned(),
        findings,
        ..Judged::default()
    }
}

#[test]
fn text_has_all_parts() {
    let source = SourceText::new("k.pto", PROGRAM);
    assert_eq!(
        to_text(&[sample()], &source, false),
        "\
error[tconcat::valid-cols]: the tiles have 9 columns, but `%é` has 8
 --> k.pto:2:8
  |
2 |   %é = pto.tconcat %a, %b
  |        ^^^^^^^^^^^ -- this has 5 columns
  |        |
  |        here
  |
  = note: columns add up
  = help: make it wider

"
    );
    assert!(to_text(&[sample()], &source, true).contains("\x1b["));
    assert_eq!(to_text(&[], &source, false), "");
}

#[test]
fn severities_have_their_words() {
    let source = SourceText::new("k.pto", PROGRAM);
    for (severity, word) in [(Severity::Extension, "extension"), (Severity::Lint, "lint")] {
        let text = to_text(&[Diagnostic::new(severity, &SAMPLE, "m").at(Span::new(0, 4))], &source, false);
        assert!(text.starts_with(&format!("{word}[a::b]: m\n --> k.pto:1:1\n")), "{text}");
    }
    let whole = to_text(&[Diagnostic::error(&SAMPLE, "no entry")], &source, false);
    assert_eq!(whole, "error[a::b]: no entry\n--> k.pto\n\n");
}

#[test]
fn a_long_line_is_shown_in_a_window() {
    let line = format!("\n{}%x{}\n", "é".repeat(5000), "z".repeat(1_000_000));
    let source = SourceText::new("k.pto", &line);
    let diagnostic = Diagnostic::error(&SAMPLE, "m").at_with(Span::new(10_001, 10_003), "here");
    let text = to_text(std::slice::from_ref(&diagnostic), &source, false);
    assert!(text.contains("k.pto:2:5001") && text.contains("%x") && text.contains("here"), "{text}");
    assert!(text.contains("\n --> k.pto:2:5001\n  |\n2 | ...éé"), "{text}");
    assert!(text.len() < 2000, "{} bytes", text.len());
    let whole = to_text(&[Diagnostic::error(&SAMPLE, "m").at(Span::new(0, u32::MAX))], &source, false);
    assert!(whole.len() < 2000);
}

#[test]
fn far_and_many_places_do_not_flood() {
    let text = "line\n".repeat(100_000);
    let source = SourceText::new("k.pto", &text);
    let mut diagnostic = Diagnostic::error(&SAMPLE, "m".repeat(100_000)).at(Span::new(0, 500_000));
    for i in 0..1000 {
        diagnostic = diagnostic.with_label(Span::new(i * 500, i * 500 + 3), "x");
    }
    let shown = to_text(&[diagnostic], &source, false);
    assert!(shown.contains("and 992 more places"), "{shown}");
    assert!(shown.len() < 5000, "{} bytes", shown.len());
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let source = SourceText::new("k\x1b[2J.pto", "a\x1b[2Jb\tc\r\n\0");
    let diagnostic = Diagnostic::error(&SAMPLE, "m\x1b[2J")
        .at_with(Span::new(1, 3), "l\x1b[2J")
        .with_note("n\x1b[2J\nsecond line")
        .with_help("h\x07");
    let text = to_text(&[diagnostic], &source, false);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    assert!(text.contains("second line"));
}

#[test]
fn no_span_panics() {
    let texts = [
        "",
        "\n",
        "\r\n",
        "é",
        "a\r\nb\r",
        "日本語\n\t%x",
        "\u{202e}abc\n\n",
        "👩‍👩‍👧\ttab\u{0}",
        &"é\n".repeat(5),
        &"日".repeat(300),
    ];
    for text in texts {
        let source = SourceText::new("k", text);
        let most = (text.len() as u32 + 2).min(24);
        for start in (0..most).chain([u32::MAX]) {
            for end in (0..most).chain([text.len() as u32, u32::MAX]) {
                let diagnostic = [Diagnostic::error(&SAMPLE, "m")
                    .at(Span::new(start, end))
                    .with_label(Span::new(end, start), "x")];
                to_text(&diagnostic, &source, false);
                report::findings(&diagnostic, &source);
                let judged = [judged("k", text, diagnostic.to_vec())];
                to_sarif(&judged);
                to_github(&judged);
                to_junit("pto check", &judged);
            }
        }
    }
}

#[test]
fn json_has_every_field() {
    let source = SourceText::new("k.pto", PROGRAM);
    assert_eq!(
        json!(report::findings(&[sample(), Diagnostic::error(&SAMPLE, "m")], &source)),
        json!([
            {
                "rule": "tconcat::valid-cols", "severity": "error",
                "message": "the tiles have 9 columns, but `%é` has 8", "file": "k.pto",
                "line": 2, "column": 8, "end_line": 2, "end_column": 19, "label": "here",
                "labels": [{ "message": "this has 5 columns", "line": 2, "column": 20, "end_line": 2, "end_column": 22 }],
                "notes": ["columns add up"], "help": ["make it wider"],
                "edits": [{ "replacement": "%c", "line": 2, "column": 24, "end_line": 2, "end_column": 26 }],
            },
            {
                "rule": "a::b", "severity": "error", "message": "m", "file": "k.pto",
                "line": null, "column": null, "end_line": null, "end_column": null, "label": "",
                "labels": [], "notes": [], "help": [], "edits": [],
            },
        ])
    );
}

#[test]
fn sarif_has_rules_and_regions() {
    let diagnostics = vec![sample(), Diagnostic::new(Severity::Lint, &SAMPLE, "m")];
    let unread = Judged { error: Some("no file".to_owned()), ..judged("b.pto", "", Vec::new()) };
    let sarif = to_sarif(&[judged("my dir/k.pto", PROGRAM, diagnostics), unread]);
    let run = &sarif["runs"][0];
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(run["tool"]["driver"]["name"], "pto");
    let rules = &run["tool"]["driver"]["rules"];
    assert_eq!((&rules[0]["id"], &rules[1]["id"]), (&json!("a::b"), &json!("tconcat::valid-cols")));
    assert_eq!(rules[0]["shortDescription"]["text"], SAMPLE.statement);
    assert_eq!(rules[0]["help"]["text"], "`pto explain a::b` says more.");
    let invocation = &run["invocations"][0];
    assert_eq!((&invocation["executionSuccessful"], &invocation["exitCode"]), (&json!(false), &json!(1)));
    assert_eq!(invocation["toolExecutionNotifications"][0]["message"]["text"], "no file");
    let first = &run["results"][0];
    assert_eq!((&first["level"], &first["ruleIndex"]), (&json!("error"), &json!(1)));
    let place = &first["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "my%20dir/k.pto");
    assert_eq!(place["region"], json!({ "startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 19 }));
    assert_eq!(first["relatedLocations"][0]["message"]["text"], "this has 5 columns");
    assert!(
        first["message"]["text"].as_str().unwrap().ends_with("note: columns add up\nhelp: make it wider")
    );
    let fix = &first["fixes"][0];
    assert_eq!(fix["description"]["text"], "make it wider");
    let change = &fix["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["insertedContent"]["text"], "%c");
    assert_eq!(
        change["deletedRegion"],
        json!({ "startLine": 2, "startColumn": 24, "endLine": 2, "endColumn": 26 })
    );
    assert_eq!(run["results"][1]["level"], "note");
}

#[test]
fn rules_have_the_address_of_a_public_source() {
    let findings: Vec<_> = pto::isa::rules::all().map(|id| Diagnostic { rule: id, ..sample() }).collect();
    let sarif = to_sarif(&[judged("k.pto", PROGRAM, findings)]);
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules").clone();
    let address = |id: &str| {
        let rule = rules.iter().find(|rule| rule["id"] == id).expect("the rule");
        rule["helpUri"].as_str().map(str::to_owned)
    };
    let page = "https://github.com/hw-native-sys/pto-isa/blob/main/docs/isa/";
    assert!(
        address("tconcat::valid-cols").is_some_and(|at| at.starts_with(page)),
        "{:?}",
        address("tconcat::valid-cols")
    );
    assert_eq!(address("loop-step").as_deref(), Some("https://mlir.llvm.org/docs/Dialects"));
    // Our own page.
    assert_eq!(address("race::read-after-write"), None);
    for rule in rules {
        let at = rule["helpUri"].as_str().unwrap_or("https://");
        assert!(at.starts_with("https://") && !at.contains([' ', ',']), "{at}");
    }
}

#[test]
fn github_commands_escape_what_ends_them() {
    let finding = Diagnostic::error(&COLS, "100 %\nof a, b: c").at(Span::new(20, 31)).with_help("h");
    let unread = Judged { error: Some("no file".to_owned()), ..judged("b.pto", "", Vec::new()) };
    assert_eq!(
        to_github(&[judged("a,b:c.pto", PROGRAM, vec![finding]), unread]),
        "::error file=a%2Cb%3Ac.pto,line=2,endLine=2,col=8,endColumn=18,title=tconcat%3A%3Avalid-cols::100 %25%0Aof a, b: \
         c%0Ahelp: h\n::error file=b.pto::no file\n"
    );
}

#[test]
fn findings_of_the_same_cause_are_in_the_formats_of_ci() {
    let mut finding = Diagnostic::error(&COLS, "first").at(Span::new(20, 31)).with_help("h");
    finding.folded.push(Diagnostic::error(&SAMPLE, "second").at(Span::new(2, 3)));
    let all = [judged("k.pto", PROGRAM, vec![finding])];
    let github = to_github(&all);
    assert!(github.contains("::first%0Asame cause: a::b: second%0Ahelp: h\n"), "{github}");
    let related = &to_sarif(&all)["runs"][0]["results"][0]["relatedLocations"];
    assert_eq!(related[0]["message"]["text"], "a::b: second");
}

#[test]
fn junit_counts_failures_and_errors() {
    let lint = Diagnostic::new(Severity::Lint, &SAMPLE, "m");
    let all = [
        Judged { passed: true, ..judged("good.pto", PROGRAM, Vec::new()) },
        Judged { passed: true, ..judged("lint.pto", PROGRAM, vec![lint]) },
        judged("bad.pto", PROGRAM, vec![Diagnostic::error(&COLS, "a < \"b\" & \u{1}").at(Span::new(20, 31))]),
        Judged { error: Some("no file".to_owned()), ..judged("absent.pto", "", Vec::new()) },
    ];
    expect_test::expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="pto" tests="4" failures="1" errors="1" time="0.000000">
          <testsuite name="pto check" tests="4" failures="1" errors="1" time="0.000000">
            <testcase name="good.pto" classname="pto check" file="good.pto" time="0.000000"/>
            <testcase name="lint.pto" classname="pto check" file="lint.pto" time="0.000000">
              <system-out>lint[a::b]: m
        --&gt; lint.pto</system-out>
            </testcase>
            <testcase name="bad.pto" classname="pto check" file="bad.pto" time="0.000000">
              <failure type="tconcat::valid-cols" message="a &lt; &quot;b&quot; &amp; �">error[tconcat::valid-cols]: a &lt; &quot;b&quot; &amp; ␁
         --&gt; bad.pto:2:8
          |
        2 |   %é = pto.tconcat %a, %b
          |        ^^^^^^^^^^^</failure>
            </testcase>
            <testcase name="absent.pto" classname="pto check" file="absent.pto" time="0.000000">
              <error type="data" message="no file">no file</error>
            </testcase>
          </testsuite>
        </testsuites>
    "#]]
    .assert_eq(&to_junit("pto check", &all));
}
