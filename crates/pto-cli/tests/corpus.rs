//! Every kernel of the manifest runs to its end on the public corpus, each tile instruction at least once except for
//! the number that the manifest states; kernels with an independent f64 reference are compared with it.
//!
//! The corpus is not part of this repository: without it the test prints a note and passes. Kernels with buffers of
//! hundreds of megabytes run only if `PTO_CORPUS_LARGE` is set.

#![allow(clippy::print_stderr)]

use crate::reference;

use pto::data::{Failure, position, to_array};
use pto::diag::Diagnostic;
use pto::launch::Spec;
use pto::sim::{ArgumentKind, Outcome, Signature, Value};
use pto::{Checked, Program};
use pto_cli::files::Disk;
use pto_cli::manifest::{self, Entry};
use reference::Input;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus")
}

fn manifest() -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus.json");
    manifest::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

/// A finished run: the program, the original inputs, and the outcome.
struct Run {
    signature: Signature,
    inputs: Vec<Value>,
    outcome: Outcome,
    /// Tile instructions of the entry function and their execution counts.
    executed: Vec<(String, u64)>,
}

fn checked(file: &str, text: &str) -> Result<Checked, Vec<Diagnostic>> {
    let parsed = pto::parse(text).unwrap_or_else(|findings| panic!("{file}: {findings:#?}"));
    pto::check(parsed.module, None)
}

fn text_of(file: &str) -> String {
    std::fs::read_to_string(corpus().join(file)).expect("a program")
}

/// Runs an entry of the manifest with this text instead of the file's.
fn run(entry: &Entry, text: &str) -> Run {
    let file = entry.file.as_str();
    let checked = checked(file, text).unwrap_or_else(|findings| panic!("{file}: {findings:#?}"));
    let program =
        Program::decode(&checked, entry.entry.as_deref()).unwrap_or_else(|f| panic!("{file}: {f:#?}"));
    let signature = Signature::of(program.module(), program.entry()).expect("a signature");
    let launch = entry.spec(&Spec::default()).prepare(&program, &Disk);
    let launch = launch.unwrap_or_else(|failure| panic!("{file}: {failure:?}"));
    // The reference gets the inputs from before the run: those that the manifest names, or all.
    let wanted = &entry.reference_inputs;
    let inputs = launch.ranks[0].iter().zip(&signature.arguments).map(|(value, argument)| match value {
        Value::Buffer { .. } if entry.reference.as_deref().is_none() => Value::Launch,
        Value::Buffer { .. } if !wanted.is_empty() && !wanted.contains(&argument.name) => Value::Launch,
        other => other.clone(),
    });
    let inputs = inputs.collect();
    let outcome = launch.run(&mut []).unwrap_or_else(|f| panic!("{file}: {f:#?}")).outcome;
    let function = &program.module().functions[program.entry()];
    let executed = function
        .operations
        .iter()
        .filter(|(_, operation)| {
            let instruction = operation.instruction();
            instruction.is_some_and(|instruction| instruction.page().set.has_formulas())
        })
        .map(|(id, operation)| {
            let line = text[..operation.span.start as usize].matches('\n').count() + 1;
            (format!("{file}:{line} {}", operation.name), outcome.executed[0][id.index()])
        })
        .collect();
    Run { signature, inputs, outcome, executed }
}

/// Runs the canonicalized program: every buffer must have the same bytes.
fn same_canonicalized(entry: &Entry, text: &str, run_before: &Run) {
    let mut module = pto::parse(text).expect("a program").module;
    pto::passes::canonicalize(&mut module);
    let canonical = pto::text::print(&module, &pto::text::Style::default());
    let after = run(entry, &canonical);
    let buffers = run_before.outcome.buffers.iter().zip(&after.outcome.buffers);
    let differs = buffers.enumerate().find(|(_, (a, b))| a.bytes != b.bytes);
    assert!(
        differs.is_none(),
        "{}: buffer {:?} differs when canonicalized",
        entry.file,
        differs.map(|(at, _)| at)
    );
}

/// Compares the outputs of a run with its reference.
fn compare(entry: &Entry, run: &Run) {
    let Some(name) = entry.reference.as_deref() else { return };
    let file = entry.file.as_str();
    let compute = reference::find(name).expect("a reference");
    let wanted = &entry.reference_inputs;
    let mut names = Vec::new();
    let mut values = Vec::new();
    for (argument, value) in run.signature.arguments.iter().zip(&run.inputs) {
        if !wanted.is_empty() && !wanted.contains(&argument.name) {
            continue;
        }
        let decoded = match (argument.kind, value) {
            (ArgumentKind::Buffer(element), Value::Buffer { bytes }) => {
                let array = to_array(element, bytes.clone(), None).expect("an array");
                (0..array.values()).map(|at| array.value_as_f64(at)).collect()
            }
            (ArgumentKind::Scalar(ty), Value::Scalar(bits)) => vec![ty.element().decode(*bits)],
            _ => continue,
        };
        names.push(argument.name.clone());
        values.push(decoded);
    }
    let inputs: Vec<Input<'_>> = names
        .iter()
        .zip(&values)
        .map(|(name, values)| Input { name: name.as_str(), values: values.as_slice() })
        .collect();
    for expected in compute(&inputs) {
        let at =
            position(&run.signature, expected.argument).unwrap_or_else(|error| panic!("{file}: {error}"));
        let before = &run.signature.arguments[..at];
        let buffer =
            before.iter().filter(|argument| matches!(argument.kind, ArgumentKind::Buffer(_))).count();
        let ArgumentKind::Buffer(element) = run.signature.arguments[at].kind else {
            panic!("{file}: no buffer")
        };
        let bytes = &run.outcome.buffers[buffer].bytes;
        let mut worst = (0.0f64, 0usize, 0.0, 0.0);
        for (index, want) in expected.values.iter().enumerate() {
            let got = element.decode(pto_num::get_element(bytes, 0, expected.start + index, element));
            let error = if got == *want { 0.0 } else { (got - want).abs() };
            let allowed = expected.atol + expected.rtol * want.abs();
            let excess = if error <= allowed { 0.0 } else { error / allowed };
            if excess > worst.0 || excess.is_nan() {
                worst = (if excess.is_nan() { f64::INFINITY } else { excess }, index, got, *want);
            }
        }
        let (excess, index, got, want) = worst;
        assert!(
            excess <= 1.0,
            "{file}: `{}` element {}: got {got}, want {want} ({excess} times the tolerance)",
            expected.argument,
            expected.start + index
        );
    }
}

#[test]
fn every_kernel_of_the_manifest_runs_and_agrees_with_its_reference() {
    if !corpus().is_dir() {
        eprintln!("no corpus beside the checkout: nothing to run");
        return;
    }
    let large = std::env::var_os("PTO_CORPUS_LARGE").is_some();
    let mut executed: BTreeMap<(String, String), u64> = BTreeMap::new();
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    let mut skipped: Vec<String> = Vec::new();
    for entry in manifest().into_iter().filter(|entry| entry.rejected.is_empty()) {
        let file = entry.file.clone();
        if entry.large && !large {
            skipped.push(file);
            continue;
        }
        let start = std::time::Instant::now();
        let text = text_of(&file);
        let run = run(&entry, &text);
        if large && !entry.large {
            same_canonicalized(&entry, &text, &run);
        }
        for (place, count) in &run.executed {
            *executed.entry((file.clone(), place.clone())).or_default() += count;
        }
        *expected.entry(file.clone()).or_default() += entry.never_ran;
        compare(&entry, &run);
        eprintln!("{file}: {} instructions, {:?}", run.outcome.instructions, start.elapsed());
    }
    for (file, expected) in expected {
        let of_file = executed.iter().filter(|((known, _), count)| *known == file && **count == 0);
        let never: Vec<_> = of_file.map(|((_, place), _)| place).collect();
        assert_eq!(never.len() as u64, expected, "these instructions never ran: {never:#?}");
    }
    eprintln!("{} large kernels need PTO_CORPUS_LARGE", skipped.len());
}

/// The table of `docs/corpus.md`: files, with the rules that they break.
fn listed_in_page() -> BTreeMap<String, Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/corpus.md");
    let page = std::fs::read_to_string(path).expect("docs/corpus.md");
    let quoted =
        |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let mut cells = row.split('|').skip(1);
        let (file, names) = (cells.next().map(quoted), cells.next().map(quoted));
        (file.expect("a file").remove(0), names.expect("names"))
    })
    .collect()
}

#[test]
fn the_page_of_the_corpus_and_the_manifest_list_what_is_rejected() {
    if !corpus().is_dir() {
        eprintln!("the public corpus is not here: docs/corpus.md is not compared with it");
        return;
    }
    let mut files = Vec::new();
    let mut folders = vec![corpus()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "pto" => files.push(path),
                _ => {}
            }
        }
    }
    let mut names: Vec<_> = files
        .iter()
        .map(|path| path.strip_prefix(corpus()).expect("a file of the corpus").to_string_lossy().into_owned())
        .collect();
    names.sort();
    let entries = manifest();
    let mut known: Vec<_> = entries.iter().map(|entry| entry.file.clone()).collect();
    known.sort();
    known.dedup();
    assert_eq!(known, names, "the manifest has every file of the corpus");
    let (mut found, mut legal) = (BTreeMap::new(), 0);
    for file in names {
        let findings = match checked(&file, &text_of(&file)) {
            Ok(checked) => {
                legal += 1;
                let entry = entries.iter().find(|entry| entry.file == file && !entry.rejected.is_empty());
                let Some(entry) = entry else { continue };
                stopped(entry, &checked)
            }
            Err(findings) => findings,
        };
        let errors = findings.iter().filter(|finding| finding.severity == pto::diag::Severity::Error);
        let mut rules: Vec<String> = errors.map(|finding| finding.rule.to_string()).collect();
        rules.sort();
        rules.dedup();
        found.insert(file, rules);
    }
    let rejected = entries.into_iter().filter(|entry| !entry.rejected.is_empty());
    assert_eq!(found, rejected.map(|entry| (entry.file, entry.rejected)).collect());
    assert_eq!(found, listed_in_page());
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/corpus.md"));
    let count = format!("{} public programs that the tests read, {legal} are legal", files.len());
    assert!(page.is_ok_and(|page| page.contains(&count)), "docs/corpus.md does not say: {count}");
}

/// The diagnostics that stop a legal program.
fn stopped(entry: &Entry, checked: &Checked) -> Vec<Diagnostic> {
    let program = Program::decode(checked, entry.entry.as_deref()).expect("a program");
    match entry.spec(&Spec::default()).prepare(&program, &Disk) {
        Ok(launch) => launch.run(&mut []).err().expect("the manifest says that it is rejected"),
        Err(Failure::Program(findings)) => findings,
        Err(Failure::Data(error)) => panic!("{}: {error}", entry.file),
    }
}
