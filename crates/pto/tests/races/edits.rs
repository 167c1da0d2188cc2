//! The edits of findings about synchronization repair the program.

use super::*;
use pto::diag::apply;
use std::collections::BTreeMap;

/// The number of findings per rule in a function of a text: errors, and findings of the rule `about` if it is a
/// lint.
fn counts(text: &str, name: &str, about: &str) -> BTreeMap<String, usize> {
    let programs = functions(text);
    let (_, program) = programs.iter().find(|(known, _)| known == name).expect("the function");
    let outcome = run(program, &options_of(text)).unwrap_or_else(|findings| panic!("{text}\n{findings:#?}"));
    let mut counts = BTreeMap::new();
    for finding in outcome.findings {
        let rule = finding.rule.to_string();
        if finding.severity == Severity::Error || rule == about {
            *counts.entry(rule).or_default() += 1;
        }
    }
    counts
}

#[test]
fn the_edits_of_a_finding_remove_it_and_bring_no_error() {
    let mut edited: BTreeMap<String, usize> = BTreeMap::new();
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("a program");
        for (name, program) in functions(&text) {
            let Ok(outcome) = run(&program, &options_of(&text)) else { continue };
            for finding in outcome.findings.iter().filter(|finding| !finding.edits.is_empty()) {
                let rule = finding.rule.to_string();
                let repaired = apply(&text, &finding.edits);
                let (before, after) = (counts(&text, &name, &rule), counts(&repaired, &name, &rule));
                let place = format!("{} @{name} {rule}: {before:?}, {after:?}\n{repaired}", path.display());
                assert!(after.get(&rule).unwrap_or(&0) < &before[&rule], "{place}");
                // Without its only barrier, a program reports a race by another rule.
                assert!(after.values().sum::<usize>() <= before.values().sum(), "{place}");
                *edited.entry(rule).or_default() += 1;
            }
        }
    }
    let kinds: Vec<&str> = edited.keys().map(String::as_str).collect();
    let wanted = [
        "race::read-after-write",
        "race::write-after-read",
        "race::write-after-write",
        "sync::redundant",
        "sync::unneeded",
        "sync::wide",
    ];
    assert_eq!(kinds, wanted, "{edited:?}");
}

#[test]
fn a_flag_is_set_after_the_first_access_and_waited_for_before_the_second() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/races/ptoas_844_reused_address.pto");
    let text = std::fs::read_to_string(path).expect("a program");
    let (_, program) = &functions(&text)[0];
    let outcome = run(program, &options_of(&text)).unwrap_or_else(|findings| panic!("{findings:#?}"));
    let repaired = apply(&text, &outcome.findings[0].edits);
    let wanted = "
  pto.texp ins(%t : !vec) outs(%u : !vec)  // first
  pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  pto.tload ins(%yv : !view) outs(%again : !vec)  // error: race::write-after-read
";
    assert!(repaired.contains(wanted), "{repaired}");
}
