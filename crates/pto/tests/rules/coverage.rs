//! Whether every rule is shown by a program that keeps it and one that breaks it.

use super::file::{accepted, expectations};
use std::collections::BTreeSet;

/// Rules that no instruction's page lists: of tiles, of structure, of the machine.
const OTHER_RULES: &[&str] = &[
    "alloc_multi_tile::compact",
    "alloc_multi_tile::count",
    "alloc_tile::acc-fractal",
    "alloc_tile::address",
    "alloc_tile::alignment",
    "alloc_tile::boxes",
    "alloc_tile::capacity",
    "alloc_tile::fractal",
    "alloc_tile::left-layout",
    "alloc_tile::total-capacity",
    "alloc_tile::valid-operand",
    "alloc_tile::valid-region",
    "arity",
    "call-depth",
    "declare::address",
    "declare_global::extent",
    "declare_struct::escape",
    "declare_struct::field",
    "division-by-zero",
    "dominance",
    "event-id",
    "inttoptr::address",
    "inttoptr::use",
    "loop-step",
    "make_tensor_view::extent",
    "max-steps",
    "multi_tile_get::index",
    "multi_tile_get::type",
    "operand-type",
    "operands",
    "partition_view::extent",
    "partition_view::rank",
    "redefined-block",
    "redefined-function",
    "redefined-value",
    "set_ctrl::bit",
    "struct::path",
    "struct::type",
    "tassign::target",
    "tassign::twice",
    "terminator",
    "type-mismatch",
    "undefined-block",
    "undefined-value",
    "unknown-function",
    "unknown-operation",
    "unknown-target",
    "unknown-type",
    "unsupported",
];

/// Finds rules without an accepted or without a rejected program, and annotations that name no rule.
pub(super) fn check(texts: &[String]) -> Result<(), String> {
    let mut rules: BTreeSet<String> = OTHER_RULES.iter().map(|rule| (*rule).to_owned()).collect();
    for instruction in pto::isa::op::all() {
        let page = instruction.page();
        rules.extend(page.rules.iter().map(|rule| format!("{}::{}", page.name, rule.name)));
    }
    let kept: BTreeSet<String> = texts.iter().flat_map(|text| accepted(text)).map(|(_, name)| name).collect();
    let broken: BTreeSet<String> = texts
        .iter()
        .flat_map(|text| expectations(text).into_values().flatten())
        .filter_map(|finding| Some(finding.split_once(": ")?.1.to_owned()))
        .collect();
    let mut report = String::new();
    for rule in &rules {
        let missing = match (kept.contains(rule), broken.contains(rule)) {
            (true, true) => None,
            (true, false) => Some("no program breaks it"),
            (false, true) => Some("no program is named as keeping it"),
            (false, false) => Some("no program is about it"),
        };
        if let Some(missing) = missing {
            report.push_str(&format!("{rule}: {missing}\n"));
        }
    }
    for name in kept.iter().filter(|name| !rules.contains(*name)) {
        report.push_str(&format!("`// accepts: {name}` names no rule\n"));
    }
    for text in texts {
        report.push_str(&misplaced(text));
    }
    if report.is_empty() { Ok(()) } else { Err(report) }
}

/// `// accepts:` above functions in which an error is expected after all.
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
