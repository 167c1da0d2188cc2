//! `pto verify --all`: verifies the lowering of every program below a folder by several tools.

use super::super::{Status, Text, check_text, programs_below, read_text};
use super::{by, judge};
use crate::args::VerifyArgs;
use crate::files::Disk;
use crate::judged::Judged;
use crate::printer::{self, Reported, print_out};
use crate::progress::Progress;
use crate::report::{self, VerifiedBy, VerifiedProgram, VerifyAllReport};
use crate::settings::{Configured, Settings};
use pto::data::DataError;
use pto::diag::Diagnostic;
use pto::lowering::{LoweringOptions, Timer};
use pto::prove::Verdict;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Result of one tool on one program.
struct Made {
    judged: Judged,
    /// `None` if the tool failed.
    verdict: Option<Verdict>,
    microseconds: Option<f64>,
    /// The error or the unknown fact, as a sentence.
    message: Option<String>,
}

/// A program, and the result of each tool.
struct Program {
    name: String,
    made: Vec<Made>,
}

pub(super) fn run(args: &VerifyArgs, configured: &Configured) -> Result<Status, DataError> {
    let start = Instant::now();
    let files = programs_below(&args.source)?;
    if files.is_empty() {
        let folder = args.source.display();
        return Err(DataError::misuse(format!("{folder}: there is no .pto file below it")));
    }
    let progress = Progress::new(files.len(), "programs");
    let mut programs = Vec::new();
    for name in files {
        let path = args.source.join(&name);
        let settings = configured.of_program(&path)?;
        let source = read_text(&path)?;
        // No tool can lower a program that the check rejects.
        if let Ok((checked, _)) = check_text(&source.text, &settings) {
            let mut options = LoweringOptions::default();
            options.blocks = args.blocks;
            let timer = Timer::of(&checked, &options, &Disk);
            let made = args.by.iter().map(|command| one(args, command, &source, &settings, timer.as_ref()));
            programs.push(Program { name, made: made.collect::<Result<_, _>>()? });
        }
        progress.step();
    }
    drop(progress);
    let verdicts = || programs.iter().flat_map(|program| &program.made).map(|made| made.verdict);
    let status = match () {
        () if verdicts().any(|verdict| matches!(verdict, None | Some(Verdict::Rejected))) => Status::Wrong,
        () if verdicts().any(|verdict| verdict == Some(Verdict::Unknown)) => Status::Unknown,
        () => Status::Fine,
    };
    let table = Table { commands: &args.by, programs, time: start.elapsed() };
    printer::print(table, "verify", args.format.chosen());
    Ok(status)
}

/// Result of a tool on a program.
fn one(
    args: &VerifyArgs,
    command: &str,
    source: &Text,
    settings: &Settings,
    timer: Option<&Timer>,
) -> Result<Made, DataError> {
    let start = Instant::now();
    let named = Judged { name: source.name.clone(), file: source.name.clone(), ..Judged::default() };
    let lowered = match by::lower(command, source, args.timeout) {
        Ok(lowered) => lowered,
        Err(error) if error.misuse => return Err(error),
        Err(error) => {
            let judged = Judged { error: Some(error.to_string()), time: start.elapsed(), ..named };
            return Ok(Made { judged, verdict: None, microseconds: None, message: Some(error.to_string()) });
        }
    };
    let Some(found) = judge(args, &source.text, &lowered, settings)? else {
        return Err(DataError::new(format!("{}: the program is not legal", source.name)));
    };
    let sentence = |finding: &Diagnostic| format!("{}: {}", finding.rule, finding.message);
    let message = found.findings.first().map(sentence).filter(|_| found.verdict != Verdict::Accepted);
    let judged = Judged {
        text: lowered.text.clone(),
        passed: found.verdict == Verdict::Accepted,
        findings: found.findings,
        time: start.elapsed(),
        ..named
    };
    let microseconds = timer.and_then(|timer| time(timer, &lowered, settings));
    Ok(Made { judged, verdict: Some(found.verdict), microseconds, message })
}

/// The time of a lowered program on the usual device.
fn time(timer: &Timer, lowered: &Text, settings: &Settings) -> Option<f64> {
    let (lowered, _) = check_text(&lowered.text, settings).ok()?;
    timer.microseconds(lowered.module())
}

/// All programs and tools.
struct Table<'a> {
    commands: &'a [String],
    programs: Vec<Program>,
    time: Duration,
}

impl Made {
    fn word(&self) -> &'static str {
        self.verdict.map_or("failed", Verdict::word)
    }

    /// `accepted 3.94 us`.
    fn cell(&self) -> String {
        match self.microseconds {
            Some(time) => format!("{} {time:.2} us", self.word()),
            None => self.word().to_owned(),
        }
    }
}

impl Program {
    /// Difference between the tools: the ratio of the times of last and first, or the error.
    fn difference(&self) -> String {
        let wrong = self.made.iter().enumerate().filter_map(|(number, made)| {
            let message = made.message.as_ref()?;
            Some(format!("{}: {message}", number + 1))
        });
        let wrong: Vec<String> = wrong.collect();
        let times = self.made.first().zip(self.made.last());
        let times = times.and_then(|(first, last)| Some((first.microseconds?, last.microseconds?)));
        match times {
            _ if !wrong.is_empty() => wrong.join("; "),
            Some((first, last)) if self.made.len() > 1 && first > 0.0 => format!("{:.2}x", last / first),
            _ => String::new(),
        }
    }
}

impl Reported for Table<'_> {
    fn print_text(&self) {
        let mut text = String::new();
        for (number, command) in self.commands.iter().enumerate() {
            text += &format!("{}: {command}\n", number + 1);
        }
        let widest = |cells: &mut dyn Iterator<Item = usize>| cells.max().unwrap_or(0);
        let name = widest(&mut self.programs.iter().map(|program| program.name.len()));
        let cells = self.programs.iter().flat_map(|program| &program.made).map(|made| made.cell().len());
        let cell = widest(&mut { cells });
        text.push('\n');
        for program in &self.programs {
            let cells: Vec<String> =
                program.made.iter().map(|made| format!("{:cell$}", made.cell())).collect();
            let line = format!("{:name$}  {}  {}", program.name, cells.join("  "), program.difference());
            text += line.trim_end();
            text.push('\n');
        }
        for number in 0..self.commands.len() {
            let count =
                |word: &str| self.programs.iter().filter(|one| one.made[number].word() == word).count();
            let counts =
                ["accepted", "rejected", "unknown", "failed"].map(|word| format!("{} {word}", count(word)));
            text += &format!("{}: {}\n", number + 1, counts.join(", "));
        }
        print_out(&text);
    }

    fn json(&self) -> impl Serialize {
        let by = |made: &Made| VerifiedBy {
            verdict: made.word(),
            microseconds: made.microseconds,
            message: made.message.clone(),
            diagnostics: report::findings(&made.judged.findings, &made.judged.source()),
        };
        let program = |program: &Program| VerifiedProgram {
            file: program.name.clone(),
            results: program.made.iter().map(by).collect(),
        };
        VerifyAllReport {
            commands: self.commands.to_vec(),
            programs: self.programs.iter().map(program).collect(),
            seconds: self.time.as_secs_f64(),
        }
    }

    fn into_judged(self) -> Vec<Judged> {
        let count = self.commands.len();
        let named = |(number, made): (usize, Made)| match count {
            1 => made.judged,
            _ => Judged { name: format!("{} by {}", made.judged.name, number + 1), ..made.judged },
        };
        self.programs
            .into_iter()
            .flat_map(|program| program.made.into_iter().enumerate().map(named))
            .collect()
    }
}
