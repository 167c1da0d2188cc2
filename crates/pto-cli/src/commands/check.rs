//! `pto check`.

use super::baseline::Baseline;
use super::{Status, Text, programs_below, read_text};
use crate::args::{CheckArgs, Format};
use crate::fix;
use crate::judged::{Judged, by_rule};
use crate::output::{Output, write_all};
use crate::printer;
use crate::printer::{is_for_ci, plural, print_diagnostics, print_err, print_out};
use crate::progress::Progress;
use crate::render;
use crate::settings::{Configured, Settings};
use pto::data::DataError;
use pto::diag::{Diagnostic, Severity};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Maximum number of rules that a sum lists.
const MOST_RULES: usize = 10;

pub(super) fn run(args: &CheckArgs) -> Result<Status, DataError> {
    if args.fix && args.files.iter().any(|path| path == Path::new("-")) {
        let error = DataError::misuse("`--fix` changes files, and stdin is none");
        return Err(error.with_help("write the program to a file first"));
    }
    let configured = Configured::of(&args.profile, &args.rules)?;
    let (files, has_folder) = files(&args.files)?;
    let mut baseline = args.baseline.as_deref().map(Baseline::read).transpose()?;
    let progress = Progress::new(files.len(), "programs");
    let (mut status, mut all) = (Status::Fine, Sum::default());
    let mut judged = Vec::new();
    for path in &files {
        let mut one = judge(args, &configured, path);
        if let Some(baseline) = &mut baseline {
            baseline.apply(&mut one);
        }
        progress.aside(|| print(args, &one, has_folder));
        status = status.max(one.status());
        all.add(&one);
        if args.format.chosen() != Format::Text {
            judged.push(one);
        }
        progress.step();
    }
    drop(progress);
    printer::print(judged, "check", args.format.chosen());
    if args.format.chosen() == Format::Text && has_folder {
        print_out(&all.text());
    }
    Ok(status)
}

/// The programs that paths name, and whether one of the paths is a folder, whose programs are all below it.
fn files(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, bool), DataError> {
    let (mut files, mut has_folder) = (Vec::new(), false);
    for path in paths {
        if path.is_dir() {
            has_folder = true;
            let below = programs_below(path)?;
            if below.is_empty() {
                return Err(DataError::misuse(format!("{}: there is no .pto file below it", path.display())));
            }
            files.extend(below.iter().map(|name| path.join(name)));
        } else {
            files.push(path.clone());
        }
    }
    Ok((files, has_folder))
}

fn judge(args: &CheckArgs, configured: &Configured, path: &Path) -> Judged {
    let start = Instant::now();
    let name = path.display().to_string();
    let mut judged = Judged { file: name.clone(), name, ..Judged::default() };
    let read = configured.of_program(path).and_then(|settings| {
        let text = read_text(path)?;
        let text = if args.fix { fixed(&settings, path, text)? } else { text };
        Ok((text, settings))
    });
    match read {
        Ok((text, settings)) => {
            (judged.passed, judged.findings) = find(&text.text, &settings);
            (judged.name, judged.file, judged.text) = (text.name.clone(), text.name, text.text);
        }
        Err(error) => (judged.error, judged.is_misuse) = (Some(error.to_string()), error.misuse),
    }
    judged.time = start.elapsed();
    judged
}

/// Whether a text is a legal program, and the findings.
fn find(text: &str, settings: &Settings) -> (bool, Vec<Diagnostic>) {
    match super::check_text(text, settings) {
        Ok((_, findings)) => (true, findings),
        Err(findings) => (false, findings),
    }
}

/// Prints a verdict. An error in data is printed in every format: most formats have no field for it.
fn print(args: &CheckArgs, one: &Judged, has_folder: bool) {
    if let Some(error) = &one.error {
        if !is_for_ci(args.format.chosen()) {
            print_err!("error: {error}");
        }
        return;
    }
    if args.format.chosen() == Format::Text {
        let text = Text { name: one.file.clone(), text: one.text.clone() };
        print_diagnostics(&one.findings, &text);
        summarize(one, args.quiet || has_folder);
    }
}

/// Applies the edits of the findings to a file, and prints them. Returns the new text.
fn fixed(settings: &Settings, path: &Path, text: Text) -> Result<Text, DataError> {
    let fixed = fix::fix(&text.name, &text.text, |text| find(text, settings).1);
    if fixed.changes.is_empty() {
        return Ok(text);
    }
    write_all(&[Output::new(path, fixed.text.as_bytes())])?;
    for change in &fixed.changes {
        print_err!("{change}");
    }
    Ok(Text { text: fixed.text, ..text })
}

/// Prints the verdict on one program in a line.
fn summarize(one: &Judged, quiet: bool) {
    let findings = render::for_reading(&one.findings);
    let mut errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let first = errors.next().map(|finding| finding.rule);
    let errors = usize::from(first.is_some()) + errors.count();
    let warnings = findings.len() - errors;
    if let Some(rule) = first {
        print_err!("{}: {}; `pto explain {rule}` says more", one.file, plural(errors, "error"));
    } else if !quiet {
        let verdict = if one.is_legal() { "legal" } else { "no new error" };
        let mut tail =
            if warnings > 0 { format!(", {}", plural(warnings, "warning")) } else { String::new() };
        if !one.known.is_empty() {
            tail += &format!(", {} of the baseline", plural(one.known.len(), "finding"));
        }
        print_err!("{}: {verdict}{tail}", one.file);
    }
}

/// The sum over all programs.
#[derive(Default)]
struct Sum {
    programs: usize,
    legal: usize,
    /// Legal programs with warnings.
    warned: usize,
    unread: usize,
    /// Findings that are not reported, since the baseline has them.
    known: usize,
    findings: Vec<Vec<Diagnostic>>,
}

impl Sum {
    fn add(&mut self, one: &Judged) {
        self.programs += 1;
        self.unread += usize::from(one.error.is_some());
        self.known += one.known.len();
        self.legal += usize::from(one.is_legal());
        self.warned += usize::from(one.is_legal() && !one.findings.is_empty());
        if !one.findings.is_empty() {
            self.findings.push(one.findings.clone());
        }
    }

    fn text(&self) -> String {
        let illegal = self.programs - self.legal - self.unread;
        let mut text = format!("{}: {} legal", plural(self.programs, "program"), self.legal);
        if self.warned > 0 {
            text += &format!(" ({} with warnings)", self.warned);
        }
        text += &format!(", {illegal} not");
        if self.unread > 0 {
            text += &format!(", {} not read", self.unread);
        }
        if self.known > 0 {
            text += &format!("; {} of the baseline", plural(self.known, "finding"));
        }
        text.push('\n');
        text + &rules_text(&by_rule(self.findings.iter().map(Vec::as_slice)))
    }
}

/// A line for each of the commonest rules.
pub(super) fn rules_text(rules: &[(String, usize, usize)]) -> String {
    let mut text = String::new();
    for (rule, found, programs) in rules.iter().take(MOST_RULES) {
        text += &format!("{found:>7} {rule} in {}\n", plural(*programs, "program"));
    }
    if rules.len() > MOST_RULES {
        text += &format!("        and {} more\n", plural(rules.len() - MOST_RULES, "rule"));
    }
    text
}
