//! Every kernel of the manifest runs to its end on the public corpus, each tile instruction at least once,
//! and what it computes is compared with an independent reference in f64.
//!
//! The corpus is not part of this repository: where it is absent the test says so and passes. Kernels with
//! buffers of hundreds of megabytes run where `PTO_CORPUS_LARGE` is set.

#![allow(clippy::print_stderr)]

mod reference;

use pto::Program;
use pto::sim::{ArgumentKind, Options, Outcome, Signature, Value};
use pto_cli::Array;
use pto_cli::commands::launch::{self, Given, gather, place, position, to_array};
use pto_cli::source::Source;
use reference::Input;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus")
}

fn manifest() -> Vec<Json> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus.json");
    let text = std::fs::read_to_string(path).expect("tests/corpus.json");
    match serde_json::from_str(&text).expect("JSON") {
        Json::Array(entries) => entries,
        _ => panic!("the manifest is an array"),
    }
}

/// What a run left: the program, the inputs as they were, and the outcome.
struct Run {
    signature: Signature,
    inputs: Vec<Value>,
    outcome: Outcome,
    /// Tile instructions of the entry function and how often each ran.
    executed: Vec<(String, u64)>,
}

fn inputs_of(entry: &Json, signature: &Signature) -> Vec<launch::Input> {
    let Some(inputs) = entry["inputs"].as_object() else { return Vec::new() };
    let one = |(name, source): (&String, &Json)| {
        let (argument, rank) =
            place(signature, name, ranks_of(entry)).unwrap_or_else(|error| panic!("{error}"));
        let given = match source {
            Json::String(text) => {
                Given::Source(Source::parse(text).unwrap_or_else(|error| panic!("{error}")))
            }
            other => Given::Array(listed(other)),
        };
        launch::Input { argument, rank, given }
    };
    inputs.iter().map(one).collect()
}

fn ranks_of(entry: &Json) -> u32 {
    entry["ranks"].as_u64().unwrap_or(1) as u32
}

/// `{"dtype": "i32", "values": [...]}`.
fn listed(source: &Json) -> Array {
    let element = pto_cli::dtype::element(source["dtype"].as_str().expect("a dtype")).expect("a known dtype");
    let values = source["values"].as_array().expect("values");
    let mut bytes = vec![0; element.bytes(values.len())];
    for (at, value) in values.iter().enumerate() {
        let number = value.as_f64().expect("a number");
        let bits = if element.is_integer() {
            number as i64 as u64
        } else {
            element.encode(number, pto_kernels::Rounding::NearestEven, pto_kernels::Overflow::Ieee)
        };
        pto_kernels::set_element(&mut bytes, 0, at, element, bits);
    }
    Array::new(element, vec![values.len()], bytes).expect("an array")
}

fn run(entry: &Json) -> Run {
    let file = entry["file"].as_str().expect("a file");
    let text = std::fs::read_to_string(corpus().join(file)).expect("a program");
    let parsed = pto::parse(&text).unwrap_or_else(|findings| panic!("{file}: {findings:#?}"));
    let checked = pto::check(parsed.module, None).unwrap_or_else(|findings| panic!("{file}: {findings:#?}"));
    let program =
        Program::decode(&checked, entry["entry"].as_str()).unwrap_or_else(|f| panic!("{file}: {f:#?}"));
    let signature = Signature::of(program.module(), program.entry()).expect("a signature");
    let blocks = entry["blocks"].as_u64().unwrap_or(1) as u32;
    let options = Options { blocks, ..Options::default() };
    let inputs = inputs_of(entry, &signature);
    let arguments = gather(&program, &inputs, 1, ranks_of(entry), &options)
        .unwrap_or_else(|failure| panic!("{file}: {failure:?}"));
    let large = entry["large"].as_bool().unwrap_or(false);
    // Large inputs are not kept whole: the reference reads those that it names.
    let wanted = wanted_inputs(entry);
    let inputs = arguments.ranks[0].iter().zip(&signature.arguments).map(|(value, argument)| match value {
        Value::Buffer { .. } if large && !wanted.is_empty() && !wanted.contains(&argument.name) => {
            Value::Launch
        }
        other => other.clone(),
    });
    let inputs = inputs.collect();
    let outcome =
        program.launch_ranks(arguments.ranks, &options).unwrap_or_else(|f| panic!("{file}: {f:#?}"));
    let function = &program.module().functions[program.entry()];
    let executed = function
        .operations
        .iter()
        .filter(|(_, operation)| {
            let instruction = pto::isa::op::find(&operation.name);
            instruction.is_some_and(|instruction| instruction.page().set.has_formulas())
        })
        .map(|(id, operation)| {
            let line = text[..operation.span.start as usize].matches('\n').count() + 1;
            (format!("{file}:{line} {}", operation.name), outcome.executed[id.index()])
        })
        .collect();
    Run { signature, inputs, outcome, executed }
}

fn wanted_inputs(entry: &Json) -> Vec<String> {
    let names = entry["reference_inputs"].as_array().map(Vec::as_slice).unwrap_or_default();
    names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// Compares the outputs of a run with its reference.
fn compare(entry: &Json, run: &Run) {
    let Some(name) = entry["reference"].as_str() else { return };
    let file = entry["file"].as_str().expect("a file");
    let compute = reference::find(name).expect("a reference");
    let wanted = wanted_inputs(entry);
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
            let got = element.decode(pto_kernels::get_element(bytes, 0, expected.start + index, element));
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
    let mut executed: BTreeMap<String, u64> = BTreeMap::new();
    let mut skipped: Vec<String> = Vec::new();
    for entry in manifest() {
        let file = entry["file"].as_str().expect("a file").to_owned();
        if entry["large"].as_bool().unwrap_or(false) && !large {
            skipped.push(file);
            continue;
        }
        let start = std::time::Instant::now();
        let run = run(&entry);
        for (place, count) in &run.executed {
            *executed.entry(place.clone()).or_default() += count;
        }
        compare(&entry, &run);
        eprintln!("{file}: {} instructions, {:?}", run.outcome.instructions, start.elapsed());
    }
    let never: Vec<_> = executed.iter().filter(|(_, count)| **count == 0).map(|(place, _)| place).collect();
    assert!(never.is_empty(), "these instructions never ran: {never:#?}");
    eprintln!("{} large kernels need PTO_CORPUS_LARGE", skipped.len());
}

/// What `docs/corpus.md` lists: files, with the rules that they break or the operations that do not run.
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
fn the_page_of_the_corpus_lists_what_is_not_legal() {
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
    let mut found = BTreeMap::new();
    for path in &files {
        let text = std::fs::read_to_string(path).expect("a program");
        let Ok(parsed) = pto::parse(&text) else { panic!("{} is not read", path.display()) };
        let Err(findings) = pto::check(parsed.module, None) else { continue };
        let name_of = |finding: &pto::diag::Diagnostic| match &*finding.rule {
            "unsupported" => finding.message.split('`').nth(1).unwrap_or_default().to_owned(),
            rule => rule.to_owned(),
        };
        let errors = findings.iter().filter(|finding| finding.severity == pto::diag::Severity::Error);
        let mut names: Vec<String> = errors.map(name_of).collect();
        names.sort();
        names.dedup();
        let file = path.strip_prefix(corpus()).expect("a file of the corpus");
        found.insert(file.to_string_lossy().into_owned(), names);
    }
    assert_eq!(found, listed_in_page());
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/corpus.md"));
    let count = format!(
        "{} public programs that the tests read, {} are legal",
        files.len(),
        files.len() - found.len()
    );
    assert!(page.is_ok_and(|page| page.contains(&count)), "docs/corpus.md does not say: {count}");
}
