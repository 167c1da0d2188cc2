//! `pto explain` knows every id that a diagnostic can carry.

mod support;

use pto::isa::rules;
use pto_cli::explain::{find, json, list, list_json, text};
use support::command;

fn stdout(words: &[&str]) -> String {
    String::from_utf8(command(words).stdout).expect("text")
}

#[test]
fn every_id_is_explained_in_any_case() {
    for id in rules::all() {
        let name = id.to_string();
        let topic = find(&name.to_uppercase()).unwrap_or_else(|error| panic!("{error}"));
        let (said, rule) = (text(topic), id.rule);
        for part in [&name, rule.statement, rule.reason, rule.remedy, rule.source] {
            assert!(said.contains(part), "{name}: {part}\n{said}");
        }
        let value = json(topic);
        assert_eq!((value["name"].as_str(), value["kind"].as_str()), (Some(name.as_str()), Some("rule")));
        assert_eq!(value["severities"].as_object().map(|map| map.len()), Some(rule.profiles.len()), "{name}");
    }
}

#[test]
fn a_race_is_explained_with_a_program_that_has_it_and_its_repair() {
    let said = stdout(&["explain", "race::read-after-write"]);
    assert!(said.contains("severity error on cpu, a2a3, a5\n"), "{said}");
    let (kept, broken) = said.split_once("broken, for ").expect("a broken program");
    assert!(kept.contains("kept, for ") && kept.contains("@fixed"), "{said}");
    assert!(broken.contains("// error: race::read-after-write"), "{said}");
}

#[test]
fn severities_are_told_by_profile() {
    assert!(stdout(&["explain", "alloc_tile::left-layout"]).contains("severity lint on a2a3, a5\n"));
    assert!(stdout(&["explain", "operands"]).contains("severity error on cpu, a2a3, a5\n"));
}

#[test]
fn other_names_of_an_instruction_and_groups_of_rules_are_known() {
    assert!(stdout(&["explain", "TMOV.m2l::room"]).starts_with("tmov::room: "));
    assert!(stdout(&["explain", "PTO.tadd::same-type"]).starts_with("tadd::same-type: "));
    let group = stdout(&["explain", "race"]);
    assert!(
        group.contains("race::read-after-write (error on cpu, a2a3, a5)") && group.contains("race::no-sync")
    );
}

#[test]
fn lists_hold_the_rules_that_belong_to_no_instruction() {
    let (text, entries) = (list(), list_json());
    let entries = entries.as_array().expect("entries");
    for id in rules::all() {
        let listed = id.rule.group.is_some();
        let name = id.to_string();
        assert_eq!(text.lines().any(|line| line.split(' ').next() == Some(name.as_str())), listed, "{name}");
        assert_eq!(entries.iter().any(|entry| entry["name"] == *name), listed, "{name}");
    }
}

#[test]
fn an_unknown_id_is_answered_with_the_nearest() {
    let output = command(&["explain", "sync::redundnat"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("did you mean `sync::redundant`?"), "{said}");
}
