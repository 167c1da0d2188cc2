//! Correctly synchronized programs with one synchronization operation removed or weakened. Either the watchers report the
//! mutation, or a lint of the original program reported the operation as redundant, and no schedule contradicts.

use crate::Rng;
use crate::same_bits::inputs;
use pto::Program;
use pto::diag::{Diagnostic, Severity, Span};
use pto::ir::{Attribute, FunctionId, Module, Operation, OperationId};
use pto::isa::{Op, Profile};
use pto::observe::{Watcher, Watchers, watch};
use pto::sim::{Options, Outcome, Schedule, Signature, Value};

/// A program with one change.
pub struct Mutation {
    /// Description of the change.
    pub change: String,
    /// The operation that was changed.
    pub operation: OperationId,
    /// For a narrowed barrier, the pipe that it still orders.
    pub narrowed: Option<&'static str>,
    /// The changed program.
    pub module: Module,
}

/// Result of a mutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Reported by the watchers or by the run itself; this rule first.
    Caught(String),
    /// Not reported, as a lint of the original program predicted, and every schedule computes the result of program
    /// order.
    Redundant,
    /// Not reported, but this schedule computes another result, or no lint predicted it.
    Missed(String),
}

/// Whether an operation is a synchronization operation that is mutated.
fn orders(operation: &Operation) -> bool {
    let between = [Op::SET_INTRA_BLOCK, Op::WAIT_INTRA_BLOCK, Op::SYNCALL];
    let within = operation.meaning().orders_pipes() && !operation.is(Op::TSYNC);
    within || operation.is_one_of(&between)
}

/// Every mutation of one synchronization operation of a function.
pub fn mutations(module: &Module, function: FunctionId) -> Vec<Mutation> {
    let mut all = Vec::new();
    for (id, operation) in module.functions[function].operations.iter() {
        if !orders(operation) {
            continue;
        }
        let name = operation.short_name().to_owned();
        let mut push = |what: &str, narrowed: Option<&'static str>, change: &dyn Fn(&mut Module)| {
            let mut changed = module.clone();
            change(&mut changed);
            let change = format!("{name} #{} {what}", id.index());
            all.push(Mutation { change, operation: id, narrowed, module: changed });
        };
        push("taken out", None, &|module| take_out(module, function, id));
        for (key, from, to) in [
            ("event", "EVENT_ID0", "EVENT_ID7"),
            ("event", "EVENT_ID1", "EVENT_ID6"),
            ("pipe", "PIPE_ALL", "PIPE_V"),
            ("pipe", "PIPE_ALL", "PIPE_MTE2"),
            ("dst", "PIPE_V", "PIPE_MTE3"),
            ("dst", "PIPE_MTE1", "PIPE_M"),
            ("src", "PIPE_MTE2", "PIPE_MTE3"),
        ] {
            let has = operation.word(key) == Some(from);
            if has {
                let narrowed = (from == "PIPE_ALL").then_some(to);
                push(&format!("{from} -> {to}"), narrowed, &|module| reword(module, function, id, key, to));
            }
        }
    }
    all
}

fn take_out(module: &mut Module, function: FunctionId, operation: OperationId) {
    let function = &mut module.functions[function];
    let blocks: Vec<_> = function.blocks.iter().map(|(id, _)| id).collect();
    for block in blocks {
        function.blocks[block].operations.retain(|id| *id != operation);
    }
}

fn reword(module: &mut Module, function: FunctionId, operation: OperationId, key: &str, word: &str) {
    let attributes = &mut module.functions[function].operations[operation].attributes;
    for attribute in attributes.iter_mut().filter(|attribute| attribute.name == key) {
        if let Attribute::Enum { value, .. } = &mut attribute.value {
            *value = word.to_owned();
        }
    }
}

/// A program for repeated runs on equal inputs.
struct Case {
    program: Program,
    values: Vec<Value>,
}

impl Case {
    /// All scalars are 1, or 0 if 1 leads to accesses outside of the buffers: they bound loops and choose branches.
    fn new(module: &Module, name: &str, profile: Option<Profile>, seed: u64) -> Result<Case, String> {
        let ones = Case::with(module, name, profile, seed, 1)?;
        match ones.run(&Options::default()) {
            Ok(_) => Ok(ones),
            Err(_) => Case::with(module, name, profile, seed, 0),
        }
    }

    fn with(
        module: &Module,
        name: &str,
        profile: Option<Profile>,
        seed: u64,
        number: u64,
    ) -> Result<Case, String> {
        let sentence = |findings: Vec<pto::diag::Diagnostic>| {
            findings.first().map_or(String::new(), |finding| finding.rule.to_string())
        };
        let checked = pto::check(module.clone(), profile).map_err(sentence)?;
        let program = Program::decode(&checked, Some(name)).map_err(sentence)?;
        let signature = Signature::of(program.module(), program.entry())?;
        let mut values = inputs(&program, &signature, &mut Rng::new(seed)).map_err(sentence)?;
        for value in &mut values {
            if let Value::Scalar(bits) = value {
                *bits = number;
            }
        }
        Ok(Case { program, values })
    }

    fn run(&self, options: &Options) -> Result<Outcome, String> {
        self.program.launch(self.values.clone(), options, &mut []).map_err(stopped)
    }

    /// Findings of watchers in program order.
    fn watched(&self, watchers: Watchers) -> Result<Vec<Diagnostic>, String> {
        let (ranks, options) = (vec![self.values.clone()], Options::default());
        let watched = watch(&self.program, ranks, &options, &watchers.into());
        watched.map(|(_, watched)| watched.findings).map_err(stopped)
    }
}

/// The rule that stopped a run.
fn stopped(findings: Vec<Diagnostic>) -> String {
    findings.first().map_or(String::new(), |finding| finding.rule.to_string())
}

/// The findings of the watchers in a function.
///
/// # Errors
/// If it does not run: the rule that stops it.
fn watched(module: &Module, name: &str, profile: Option<Profile>) -> Result<Vec<Diagnostic>, String> {
    let case = Case::new(module, name, profile, 1)?;
    case.watched(Watchers::USUAL)
}

fn first_error(findings: &[Diagnostic]) -> Option<String> {
    let error = findings.iter().find(|finding| finding.severity == Severity::Error);
    error.map(|finding| finding.rule.to_string())
}

/// Whether a lint of the original program predicts that a mutation changes nothing.
fn foretold(mutation: &Mutation, at: Span, lints: &[Diagnostic]) -> bool {
    let mut here = lints.iter().filter(|lint| lint.primary.as_ref().is_some_and(|label| label.span == at));
    here.any(|lint| match lint.rule.to_string().as_str() {
        "sync::redundant" | "sync::unneeded" => true,
        // The lint names each pipe whose barrier would suffice.
        "sync::wide" => mutation.narrowed.is_some_and(|pipe| lint.message.contains(&format!("<{pipe}>"))),
        _ => false,
    })
}

/// Judges a mutation of a function; `lints` are those of the original function.
fn judge(
    mutation: &Mutation,
    name: &str,
    profile: Option<Profile>,
    at: Span,
    lints: &[Diagnostic],
) -> Verdict {
    match watched(&mutation.module, name, profile).map(|findings| first_error(&findings)) {
        Err(rule) | Ok(Some(rule)) => return Verdict::Caught(rule),
        Ok(None) => {}
    }
    if !foretold(mutation, at, lints) {
        return Verdict::Missed("no lint says that nothing needs it".to_owned());
    }
    let Ok(case) = Case::new(&mutation.module, name, profile, 1) else {
        return Verdict::Caught("check".to_owned());
    };
    let bytes = |schedule: Schedule, seed: u64| {
        let outcome = case.run(&Options::default().schedule(schedule).seed(seed));
        outcome.map(|outcome| outcome.buffers.into_iter().map(|buffer| buffer.bytes).collect::<Vec<_>>())
    };
    let written = bytes(Schedule::Program, 0);
    let schedules =
        [(Schedule::Lazy, 1), (Schedule::Eager, 1), (Schedule::Random, 12), (Schedule::Adversarial, 12)];
    for (schedule, seeds) in schedules {
        for seed in 0..seeds {
            if bytes(schedule, seed) != written {
                return Verdict::Missed(format!("{schedule:?}, seed {seed}"));
            }
        }
    }
    Verdict::Redundant
}

/// Results of the mutations of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of mutations.
    pub mutations: usize,
    /// Number of reported mutations.
    pub caught: usize,
    /// Number of mutations of operations that a lint reports as redundant, without a changed result.
    pub redundant: usize,
    /// Mutations that change a result and are not reported, or that no lint predicted, with their effect.
    pub missed: Vec<String>,
}

/// Judges every mutation of a function. `None` if the original has errors or cannot be run.
pub fn tally(module: &Module, name: &str, profile: Option<Profile>) -> Option<Tally> {
    let lints = watched(module, name, profile).ok().filter(|findings| first_error(findings).is_none())?;
    let (id, _) = module.functions.iter().find(|(_, function)| function.name == name)?;
    let mut tally = Tally::default();
    for mutation in mutations(module, id) {
        tally.mutations += 1;
        let at = module.functions[id].operations[mutation.operation].span;
        match judge(&mutation, name, profile, at, &lints) {
            Verdict::Caught(_) => tally.caught += 1,
            Verdict::Redundant => tally.redundant += 1,
            Verdict::Missed(how) => tally.missed.push(format!("{}: {how}", mutation.change)),
        }
    }
    Some(tally)
}

/// The tallies of all programs with synchronization: our own, those of `tests/races`, and those of a folder.
pub fn table(races: &std::path::Path, others: &std::path::Path) -> Vec<(String, Tally)> {
    let mut all = Vec::new();
    let mut add = |label: String, text: &str, profile: Option<Profile>| {
        let Ok(parsed) = pto::parse(text) else { return };
        let names: Vec<String> =
            parsed.module.functions.iter().map(|(_, function)| function.name.clone()).collect();
        for name in names {
            if name.starts_with("buggy") {
                continue;
            }
            let found = tally(&parsed.module, &name, profile).filter(|tally| tally.mutations > 0);
            all.extend(found.map(|tally| (format!("{label} @{name}"), tally)));
        }
    };
    for (label, text) in crate::synchronized().unwrap_or_default() {
        add(label.to_owned(), &text, None);
    }
    for (folder, prefix) in [(races, "tests/races/"), (others, "corpus/")] {
        let mut files = Vec::new();
        collect(folder, &mut files);
        files.sort();
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let line = text.lines().find_map(|line| line.strip_prefix("// target: "));
            let profile = line.and_then(Profile::from_word);
            if prefix == "corpus/" && !text.lines().any(orders_line) {
                continue;
            }
            let inside = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
            add(format!("{prefix}{inside}"), &text, profile);
        }
    }
    all
}

fn orders_line(line: &str) -> bool {
    ["set_flag", "record_event", "pto.barrier", "get_buf"].iter().any(|name| line.contains(name))
}

fn collect(folder: &std::path::Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "pto") {
            files.push(path);
        }
    }
}

/// The text with a barrier of all pipes after every tile instruction, which makes it free of hazards.
pub fn with_barriers(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        out.push_str(line);
        out.push('\n');
        let code = line.trim_start();
        let issues =
            code.starts_with("pto.") && !code.starts_with("pto.set_") && !code.contains("pto.barrier");
        if issues || code.contains("= pto.tgetval") {
            out.push_str("pto.barrier <PIPE_ALL>\n");
        }
    }
    out
}

/// Runs a program without hazards under every schedule, and with watchers.
///
/// # Errors
/// The schedule that computes another result, or the findings of the watchers.
pub fn same_under_every_schedule(text: &str, seed: u64) -> Result<(), String> {
    let parsed = pto::parse(text).map_err(|findings| format!("{findings:?}"))?;
    let name = parsed.module.functions.iter().next().map(|(_, function)| function.name.clone());
    let name = name.unwrap_or_default();
    let Ok(case) = Case::new(&parsed.module, &name, None, seed) else { return Ok(()) };
    let run = |schedule: Schedule, seed: u64| {
        let outcome = case.run(&Options::default().schedule(schedule).seed(seed));
        outcome.map(|outcome| {
            let buffers = outcome.buffers.into_iter().map(|buffer| buffer.bytes).collect::<Vec<_>>();
            (buffers, outcome.instructions)
        })
    };
    let written = run(Schedule::Program, 0);
    let schedules =
        [(Schedule::Lazy, 1), (Schedule::Eager, 1), (Schedule::Random, 3), (Schedule::Adversarial, 3)];
    for (schedule, seeds) in schedules {
        for seed in 0..seeds {
            let other = run(schedule, seed);
            let differ = match (&written, &other) {
                (Ok(a), Ok(b)) => a != b,
                // A run that stops may have come to a different point in another schedule.
                (Err(_), Err(_)) => false,
                _ => true,
            };
            if differ {
                return Err(format!("{schedule:?} with seed {seed} computes something else"));
            }
        }
    }
    let found = case.watched(Watchers::of(&[Watcher::Race, Watcher::Sync])).unwrap_or_default();
    match found.into_iter().find(|finding| finding.severity == Severity::Error) {
        Some(finding) => Err(format!("a false alarm: {}: {}", finding.rule, finding.message)),
        None => Ok(()),
    }
}
