//! One file: its annotations, and its findings.

use super::profiles::{Part, parts};
use pto::diag::{Diagnostic, Severity};
use pto::sim::{ArgumentKind, Options, Program, Signature, Value, measure};
use std::collections::{BTreeMap, BTreeSet};

/// Findings by line, counted from 0, each as its annotation, such as `error: tadd::same-type`.
pub(super) type Findings = BTreeMap<usize, BTreeSet<String>>;

/// Prefixes of annotations, most severe first.
const LEVELS: [&str; 4] = ["error: ", "extension: ", "lint: ", "run-error: "];

/// Number of steps after which a run counts as endless.
const MAX_STEPS: u64 = 10_000;

/// The annotation at the end of a line, without the `//`, and where it starts.
fn annotation(line: &str) -> Option<(usize, &str)> {
    let at = line.rfind("// ")?;
    let text = &line[at + 3..];
    let is_code = !line.trim_start().starts_with("//");
    (is_code && LEVELS.iter().any(|level| text.starts_with(level))).then_some((at, text))
}

/// The expectations of a file.
pub(super) fn expectations(text: &str) -> Findings {
    let mut expected = Findings::new();
    for (number, line) in text.lines().enumerate() {
        let Some((_, list)) = annotation(line) else { continue };
        expected.entry(number).or_default().extend(list.split("; ").map(|finding| finding.trim().to_owned()));
    }
    expected
}

/// The ids after `// accepts: ` above a function, each with its line number.
pub(super) fn accepted(text: &str) -> Vec<(usize, String)> {
    let mut names = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(list) = line.trim_start().strip_prefix("// accepts: ") {
            names.extend(list.split(", ").map(|name| (number, name.trim().to_owned())));
        }
    }
    names
}

/// All findings in a file: of its functions for each profile, which share only the file's types.
pub(super) fn judge(text: &str) -> Findings {
    let mut findings = Findings::new();
    for part in parts(text) {
        for (line, found) in judge_part(&part) {
            findings.entry(line).or_default().extend(found);
        }
    }
    findings
}

/// All findings for one profile: of parsing and checking and, without errors, of runs of each function that takes
/// only buffers and scalars, on zeros.
fn judge_part(Part { target, text }: &Part) -> Findings {
    let mut findings = Findings::new();
    let mut note = |list: &[Diagnostic], level: Option<&str>| {
        for finding in list {
            let start = finding.primary.as_ref().map_or(0, |label| label.span.start as usize);
            let line = text[..start.min(text.len())].matches('\n').count();
            let level = level.unwrap_or(finding.severity.word());
            findings.entry(line).or_default().insert(format!("{level}: {}", finding.rule));
        }
    };
    let parsed = match pto::parse(text) {
        Ok(parsed) => parsed,
        Err(list) => {
            note(&list, None);
            return findings;
        }
    };
    note(&parsed.lints, None);
    let module = parsed.module.clone();
    let checked = match pto::check(parsed.module, *target) {
        Ok(checked) => checked,
        Err(list) => {
            note(&list, None);
            return findings;
        }
    };
    note(checked.warnings(), None);
    for (id, function) in module.functions.iter() {
        let Ok(signature) = Signature::of(&module, id) else { continue };
        let run =
            Program::decode(&checked, Some(&function.name)).and_then(|program| run(&program, &signature));
        if let Ok(warnings) = &run {
            note(warnings, None);
        }
        if let Err(list) = run {
            let errors: Vec<_> = list.into_iter().filter(|one| one.severity == Severity::Error).collect();
            note(&errors, Some("run-error"));
        }
    }
    findings
}

/// Runs a function on zeros, and returns its warnings. Buffers named `short...` have four bytes, others the
/// required size.
fn run(program: &Program, signature: &Signature) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let options = Options::default().max_steps(MAX_STEPS);
    let values = |sizes: &[Option<u64>]| -> Vec<Value> {
        let arguments = signature.arguments.iter().enumerate();
        let value = |(index, argument): (usize, &pto::sim::Argument)| match argument.kind {
            ArgumentKind::Buffer(_) => {
                let needed = sizes.get(index).copied().flatten().unwrap_or(0) as usize;
                Value::buffer(vec![0; if argument.name.starts_with("short") { 4 } else { needed }])
            }
            ArgumentKind::Scalar(_) => Value::Scalar(0),
            ArgumentKind::Launch => Value::Launch,
        };
        arguments.map(value).collect()
    };
    let sizes = measure(program, values(&[]), &options)?;
    program.launch(values(&sizes), &options, &mut []).map(|outcome| outcome.warnings)
}

/// The file with annotations for its current findings.
pub(super) fn bless(text: &str, found: &Findings) -> String {
    let mut out = String::new();
    for (number, line) in text.lines().enumerate() {
        let code = annotation(line).map_or(line, |(at, _)| line[..at].trim_end());
        out.push_str(code);
        if let Some(list) = found.get(&number) {
            out.push_str("  // ");
            out.push_str(&list.iter().cloned().collect::<Vec<_>>().join("; "));
        }
        out.push('\n');
    }
    out
}

/// Checks that every expected finding is reported on its line, and no other.
pub(super) fn compare(text: &str, found: &Findings) -> Result<(), String> {
    let expected = expectations(text);
    let none = BTreeSet::new();
    let mut report = String::new();
    for number in expected.keys().chain(found.keys()).collect::<BTreeSet<_>>() {
        let (expected, found) = (expected.get(number).unwrap_or(&none), found.get(number).unwrap_or(&none));
        for missing in expected.difference(found) {
            report.push_str(&format!("line {}: `{missing}` is expected, but not found\n", number + 1));
        }
        for surplus in found.difference(expected) {
            report.push_str(&format!("line {}: `{surplus}` is found, but not expected\n", number + 1));
        }
    }
    if report.is_empty() { Ok(()) } else { Err(report) }
}
