//! Coverage of rules: every rule has a program that satisfies it and one that violates it.

use super::file::{accepted, expectations};
use pto::isa::rule::RuleId;
use pto::isa::rules::{self, run};
use std::collections::BTreeSet;
use std::path::Path;

/// A Rust test for an id that no program file can show: the id, the file relative to `crates`, the name of the
/// test.
type Shown = (&'static str, &'static str, &'static str);

/// Ids of launches, of the Rust API, and of runs under another schedule.
const BY_TESTS: &[Shown] = &[
    ("arguments", "pto-smith/tests/bad_input.rs", "missing_argument"),
    ("assign::late", "pto/tests/intrinsics.rs", "tiles_that_a_profile_cannot_place_are_refused"),
    (
        "assign::target",
        "pto/tests/intrinsics/refused.rs",
        "the_address_of_a_part_of_a_tile_is_that_of_the_tile",
    ),
    ("conv_tile::extents", "pto/tests/intrinsics/refused.rs", "extents_that_fit_nothing_are_refused"),
    ("entry", "pto-smith/tests/bad_input.rs", "missing_entry"),
    (
        "event::cores",
        "pto/tests/intrinsics/events.rs",
        "more_events_than_identifiers_and_events_between_cores_are_errors",
    ),
    (
        "event::identifiers",
        "pto/tests/intrinsics/events.rs",
        "more_events_than_identifiers_and_events_between_cores_are_errors",
    ),
    (
        "event::scope",
        "pto/tests/intrinsics/refused.rs",
        "an_event_without_a_later_instruction_in_its_block_is_refused",
    ),
    ("expect::mismatch", "pto-cli/tests/formats.rs", "a_wrong_result_is_a_finding_in_every_format"),
    ("kernel::arguments", "pto/tests/queues_on_chip.rs", "what_is_wrong_with_a_queue_has_a_name"),
    ("kernel::depth", "pto/tests/intrinsics/refused.rs", "loops_nest_as_deep_as_text_can"),
    ("kernel::foreign-value", "pto/tests/intrinsics.rs", "values_of_another_kernel_are_refused"),
    ("kernel::pairs", "pto/tests/intrinsics/refused.rs", "half_a_pair_is_refused"),
    ("kernel::signature", "pto/tests/intrinsics/refused.rs", "a_constant_is_no_argument"),
    ("launch::excess", "pto-cli/tests/formats.rs", "mistakes_in_data_are_findings"),
    ("launch::live", "pto/tests/live.rs", "misuse_is_a_finding"),
    ("launch::input", "pto-cli/tests/formats.rs", "mistakes_in_data_are_findings"),
    ("launch::shape", "pto-cli/tests/formats.rs", "mistakes_in_data_are_findings"),
    ("launch::unwritten", "pto-cli/tests/formats.rs", "mistakes_in_data_are_findings"),
    ("max-seconds", "pto/tests/observing.rs", "a_launch_ends_with_its_time"),
    ("place::capacity", "pto/tests/lowering.rs", "a_full_buffer_names_what_is_alive"),
    ("place::computed", "pto/tests/lowering.rs", "nothing_is_placed_beside_a_computed_address"),
    (
        "sequence::conflict",
        "pto-cli/tests/sequences.rs",
        "launches_without_order_that_write_the_same_bytes_conflict",
    ),
    ("sequence::unread", "pto-cli/tests/sequences.rs", "a_buffer_that_is_written_in_vain_is_a_lint"),
    ("stopped", "pto/tests/observing.rs", "a_launch_is_stopped_by_another_thread_or_by_its_question"),
    ("sync::deadlock", "pto/tests/races.rs", "pipes_that_wait_for_each_other_stop_every_other_schedule"),
    ("sync::event-in-use", "pto/tests/watchers.rs", "event_0_in_flight"),
    ("sync::left-taken", "pto/tests/watchers.rs", "token_hang"),
    ("tensor::extents", "pto/tests/intrinsics/refused.rs", "extents_that_fit_nothing_are_refused"),
    ("verify::bits", "pto-cli/tests/verify.rs", "other_values_are_found_though_nothing_races"),
    ("verify::coverage", "pto-cli/tests/verify_verdicts.rs", "what_did_not_run_is_unknown_with_its_lines"),
    (
        "verify::not-lowered",
        "pto-cli/tests/verify_verdicts.rs",
        "what_another_tool_must_lower_is_not_accepted",
    ),
    ("verify::signature", "pto-cli/tests/verify.rs", "other_arguments_are_no_lowered_form"),
    ("verify::unknown", "pto-cli/tests/verify.rs", "a_source_that_does_not_run_leaves_the_question_open"),
    ("watch::more", "pto/tests/races.rs", "findings_beyond_those_asked_for_are_counted"),
];

/// Finds rules without an accepted or without a rejected program, and annotations with unknown rules. `texts` are
/// the programs of rules, `races` those of races, in which the function `@fixed` satisfies the rules that the
/// others violate.
pub(super) fn check(texts: &[String], races: &[String]) -> Result<(), String> {
    let ids: BTreeSet<String> = rules::all().map(|id| id.to_string()).collect();
    let mut kept: BTreeSet<String> =
        texts.iter().flat_map(|text| accepted(text)).map(|(_, name)| name).collect();
    let mut broken: BTreeSet<String> = texts.iter().flat_map(|text| expected(text)).collect();
    for text in races {
        if text.contains("func.func @fixed") {
            kept.extend(expected(text));
        }
        broken.extend(expected(text));
    }
    let mut report = String::new();
    for id in rules::all().filter(|id| !is_shared(id)).map(|id| id.to_string()) {
        let test = BY_TESTS.iter().find(|(shown, ..)| *shown == id);
        let missing = match (kept.contains(&id), broken.contains(&id), test) {
            (true, true, None) => continue,
            (false, false, Some(test)) => match missing_test(test) {
                None => continue,
                Some(missing) => missing,
            },
            (_, _, Some(_)) => "programs show it as well as a test".to_owned(),
            (true, false, None) => "no program breaks it".to_owned(),
            (false, true, None) => "no program is named as keeping it".to_owned(),
            (false, false, None) => "no program is about it".to_owned(),
        };
        report.push_str(&format!("{id}: {missing}\n"));
    }
    for name in kept.iter().chain(&broken).filter(|name| !ids.contains(*name)) {
        report.push_str(&format!("`{name}` is no rule\n"));
    }
    for (name, ..) in BY_TESTS.iter().filter(|(name, ..)| !ids.contains(*name)) {
        report.push_str(&format!("`{name}` has a test, but is no rule\n"));
    }
    for text in texts {
        report.push_str(&misplaced(text));
    }
    if report.is_empty() { Ok(()) } else { Err(report) }
}

/// The rules whose violation a file expects.
fn expected(text: &str) -> impl Iterator<Item = String> {
    let findings = expectations(text).into_values().flatten();
    findings.filter_map(|finding| Some(finding.split_once(": ")?.1.to_owned()))
}

/// Whether an id is of a rule that many instructions share and that is not on their pages. Accesses outside a
/// buffer are shown for some instructions. `run` has no program: it reports that an instruction failed although
/// its rules passed, so a program that shows it is a defect.
fn is_shared(id: &RuleId) -> bool {
    [&run::OUT_OF_BOUNDS, &run::RUN].contains(&id.rule)
}

/// The error in a test entry: the file lacks the test, or the test does not contain the id.
fn missing_test((id, file, test): &Shown) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let Ok(text) = std::fs::read_to_string(path) else { return Some(format!("there is no file {file}")) };
    let Some((_, rest)) = text.split_once(&format!("fn {test}(")) else {
        return Some(format!("{file} has no test `{test}`"));
    };
    let body = rest.split("\n#[test]").next().unwrap_or_default();
    (!body.contains(&format!("\"{id}\""))).then(|| format!("`{test}` does not expect it"))
}

/// `// accepts:` above functions in which an error is expected.
fn misplaced(text: &str) -> String {
    let expected = expectations(text);
    let mut report = String::new();
    for (line, name) in accepted(text) {
        let body = text.lines().enumerate().skip(line + 1);
        let end =
            body.clone().find(|(_, text)| text.starts_with('}')).map_or(usize::MAX, |(number, _)| number);
        for (number, findings) in expected.range(line..end) {
            if findings.iter().any(|finding| finding.contains("error: ")) {
                report.push_str(&format!(
                    "line {} says accepts {name}, but line {} is wrong\n",
                    line + 1,
                    number + 1
                ));
            }
        }
    }
    report
}
