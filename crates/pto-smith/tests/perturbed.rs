//! Each rule broken separately: the legal programs of `tests/rules` with one change.

#[path = "../../pto/tests/rules/profiles.rs"]
mod profiles;

use profiles::{Part, parts};
use pto::diag::{Diagnostic, Severity};
use pto::isa::Profile;
use pto_smith::{Perturbed, alone, perturb};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const NO_START: &str = "a profile that has the rule has no legal program to start from";

const ON_THE_VIEW: &str = "a view's layout is said where the view is made, not where it is used";
const WHILE_READING: &str = "it is about a spelling, and found while the text is read";
const VIEW_STAYS: &str = "a view is changed to other views only";
const NAME_STAYS: &str = "names are not changed";
const NO_OPERAND: &str = "no operand is added to a syntax of its own";
const NO_OTHER: &str = "no operation is added";

/// Rules of errors that no single change of a legal program breaks first, with the reason.
const OUT_OF_REACH: &[(&str, &str)] = &[
    ("aic_initialize_pipe::flags", NO_OTHER),
    ("aic_initialize_pipe::one-queue", NO_OTHER),
    ("aic_initialize_pipe::slot-tensor", NO_OPERAND),
    ("aiv_initialize_pipe::flags", NO_OTHER),
    ("aiv_initialize_pipe::slot-tensor", NO_OPERAND),
    ("cmo.cacheinvalid::space", "the address space of a pointer is not changed"),
    ("comm.tbroadcast::layout", ON_THE_VIEW),
    ("comm.tgather::layout", ON_THE_VIEW),
    ("comm.tget::layout", ON_THE_VIEW),
    ("comm.tput::atomic", "views of one type: another element type of one of them breaks same-type first"),
    ("comm.tput::layout", ON_THE_VIEW),
    ("comm.treduce::layout", ON_THE_VIEW),
    ("comm.tscatter::layout", ON_THE_VIEW),
    ("import_reserved_buffer::unique", NAME_STAYS),
    (
        "mgather::l1-location",
        "vec tiles are in rows, mat tiles in boxes: a change of the location breaks the layout first",
    ),
    ("reserve_buffer::unique", NAME_STAYS),
    ("talloc::entry", VIEW_STAYS),
    ("talloc_to_aic::entry", VIEW_STAYS),
    ("talloc_to_aiv::entry", VIEW_STAYS),
    ("tassign::target", WHILE_READING),
    ("tassign::twice", WHILE_READING),
    ("tdeinterleave::profile", NO_START),
    ("tfree_from_aic::entry", VIEW_STAYS),
    ("tfree_from_aiv::entry", VIEW_STAYS),
    ("tget_scale_addr::profile", NO_START),
    ("thistogram::profile", NO_START),
    ("timg2col::element-type", "the matrix holds what the map holds: a change of one breaks same-type first"),
    ("tinterleave::profile", NO_START),
    (
        "tload::conv-element-type",
        "the tile holds what the view holds: a change of one breaks another rule first",
    ),
    ("tload::profile-type", "a change of one type does not make view and tile floats of 8 bits"),
    ("tmov::zz-apart", "a change of one type does not make two tiles one"),
    ("tpartargmax::valid-region", "values have indices: a change of one breaks index-region first"),
    ("tpartargmin::valid-region", "values have indices: a change of one breaks index-region first"),
    ("tprint::view-layout", "no view of the programs has a layout of scales"),
    ("tquant.mx::apart", "a change of one type does not make two tiles one"),
    ("tquant.mx::profile", NO_START),
    ("trandom::profile", NO_START),
    ("tsels::element-type", "the programs are for A2/A3, where other elements break element-size first"),
    ("tstore::conv-store", NO_START),
    ("tstore::profile-type", "a change of one type does not make view and tile floats of 8 bits"),
    ("ttrans::conv-points", "the points are those of both tiles: a change of one breaks conv-shape first"),
];

/// The programs, separated by profile.
fn files() -> Vec<Part> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rules");
    let entries = std::fs::read_dir(folder).expect("the programs of the rules");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| parts(&std::fs::read_to_string(path).expect("a program"))).collect()
}

fn errors(module: &pto::ir::Module, target: Option<Profile>) -> Vec<Diagnostic> {
    let mut findings = pto::check(module.clone(), target).err().unwrap_or_default();
    findings.retain(|finding| finding.severity == Severity::Error);
    // Tile types of arguments have findings of their own, which are skipped here.
    let of_type = |finding: &Diagnostic| finding.rule.owner == "alloc_tile";
    if !findings.iter().all(of_type) {
        findings.retain(|finding| !of_type(finding));
    }
    findings
}

/// Calls `see` with every changed program and its errors.
fn each(mut see: impl FnMut(&Perturbed, &[Diagnostic])) -> usize {
    let mut count = 0;
    for Part { text, target } in files() {
        let (module, _) = pto::text::parse_partial(&text);
        for single in alone(&module).into_iter().filter(|single| errors(single, target).is_empty()) {
            for perturbed in perturb(&single) {
                see(&perturbed, &errors(&perturbed.module, target));
                count += 1;
            }
        }
    }
    count
}

/// Rules that a program of `tests/rules` breaks before it runs: neither lints nor rules of the machine.
fn broken_by_hand() -> BTreeSet<String> {
    let mut rules = BTreeSet::new();
    for Part { text, .. } in files() {
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let Some((_, list)) = line.rsplit_once("// ") else { continue };
            rules.extend(
                list.split("; ")
                    .filter_map(|finding| finding.trim().strip_prefix("error: "))
                    .map(str::to_owned),
            );
        }
    }
    rules.retain(|rule| {
        let (mnemonic, _) = rule.split_once("::").unwrap_or_default();
        pto::isa::Op::find_spelling(mnemonic)
            .is_some_and(|op| op.instruction().is_some() && op.page().name == mnemonic)
    });
    rules
}

/// The rule without the instruction's name, and the name without `_fp`: forms with `_fp` share their rules.
fn shared(rule: &str) -> String {
    let (mnemonic, name) = rule.split_once("::").unwrap_or((rule, ""));
    format!("{}::{name}", mnemonic.trim_end_matches("_fp").trim_end_matches("idx"))
}

#[test]
fn every_rule_is_the_first_that_some_single_change_breaks() {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let count = each(|_, found| {
        if let Some(leading) = found.first() {
            *first.entry(shared(&leading.rule.to_string())).or_default() += 1;
        }
    });
    assert!(count > 50_000, "{count} programs");
    let missing: Vec<_> =
        broken_by_hand().into_iter().filter(|rule| !first.contains_key(&shared(rule))).collect();
    let known: Vec<_> = OUT_OF_REACH.iter().map(|(rule, _)| (*rule).to_owned()).collect();
    assert_eq!(missing, known);
}

#[test]
fn what_is_wrong_is_underlined_and_said_with_names_and_numbers() {
    each(|perturbed, found| {
        for finding in found {
            let place =
                finding.primary.as_ref().unwrap_or_else(|| panic!("{perturbed:?}: {finding:?} has no place"));
            assert!(place.span.end > place.span.start, "{finding:?}");
            assert!(!finding.message.is_empty());
            // A finding of an instruction's rule notes the requirement and its source.
            let of_rule = !finding.rule.owner.is_empty() && finding.rule.owner != "alloc_tile";
            assert!(!of_rule || finding.notes.iter().any(|note| note.ends_with(')')), "{finding:?}");
        }
    });
}

/// Where the operation of a finding starts in the text.
fn start(module: &pto::ir::Module, finding: &Diagnostic) -> Option<u32> {
    let at = finding.primary.as_ref()?.span.start;
    let operations =
        module.functions.iter().flat_map(|(_, function)| function.operations.iter().map(|(_, one)| one.span));
    operations.filter(|span| (span.start..span.end).contains(&at)).map(|span| span.start).max()
}

/// Rules that one change breaks besides the first, by pairs of rules of one instruction.
#[test]
fn a_change_of_place_breaks_one_rule_of_a_move() {
    each(|perturbed, found| {
        let moves = ["tmov", "tinsert", "textract"];
        let Some(leading) = found.first().filter(|leading| leading.rule.rule.name == "location-pair") else {
            return;
        };
        if moves.contains(&perturbed.instruction.as_str()) {
            // The change of a value may break a rule of another move, too.
            let here = start(&perturbed.module, leading);
            let of_move = found[1..].iter().filter(|finding| {
                finding.rule.owner == leading.rule.owner && start(&perturbed.module, finding) == here
            });
            let others: Vec<_> = of_move.map(|finding| finding.rule).collect();
            assert!(others.iter().all(|rule| *rule == leading.rule), "{}: {others:?}", perturbed.change);
        }
    });
}
