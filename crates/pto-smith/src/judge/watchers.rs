//! The findings of the toolchain's watchers, in the form of the comparison.

use super::facts::{Pipe, What};
use super::program::Source;
use super::written::Written;
use pto::diag::{Diagnostic, Severity};
use pto::observe::{WatchOptions, Watcher, Watchers};
use pto::sim::{Options, Program, Value};

/// A finding: its rule, its line, and the line of the earlier instruction, if any.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The rule.
    pub rule: String,
    /// Line of the finding, from 0.
    pub line: usize,
    /// The line of the earlier instruction.
    pub earlier: Option<usize>,
}

/// Result of a watched program.
#[derive(Clone, Debug)]
pub enum Watching {
    /// Not legal: there is nothing to judge.
    Refused(String),
    /// Ended normally, or when its strands waited for each other.
    Ran {
        /// The findings of the watchers.
        findings: Vec<Finding>,
        /// Whether strands wait for each other.
        stuck: bool,
    },
    /// Stopped for another reason: the rule and the message.
    Stopped(String),
}

/// Bytes of a buffer: 64 rows of 16 elements of f32.
const BYTES: usize = 64 * 16 * 4;

/// Runs a program with the watchers of races and of synchronization.
pub fn watch(source: &Source, written: &Written) -> Watching {
    let first = |findings: &[Diagnostic]| {
        findings.first().map_or(String::new(), |finding| format!("{}: {}", finding.rule, finding.message))
    };
    let program = pto::parse(&written.text)
        .and_then(|parsed| pto::check(parsed.module, Some(source.profile)))
        .and_then(|checked| Program::decode(&checked, None));
    let program = match program {
        Ok(program) => program,
        Err(findings) => return Watching::Refused(first(&findings)),
    };
    let (found, stuck) = match launch(source, &program) {
        Ok(findings) => (findings, false),
        Err(findings) if findings.first().is_some_and(|finding| finding.rule == "cores::deadlock") => {
            (findings[1..].to_vec(), true)
        }
        Err(findings) => return Watching::Stopped(first(&findings)),
    };
    let line = |start: u32| written.text[..start as usize].matches('\n').count();
    let errors = found.iter().filter(|finding| finding.severity == Severity::Error);
    let findings = errors.map(|finding| Finding {
        rule: finding.rule.to_string(),
        line: finding.primary.as_ref().map_or(0, |label| line(label.span.start)),
        earlier: finding.secondary.first().map(|label| line(label.span.start)),
    });
    Watching::Ran { findings: findings.collect(), stuck }
}

/// The findings of the watchers.
///
/// # Errors
/// Findings that stop the run, then those of the watchers before it.
fn launch(source: &Source, program: &Program) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let watchers = Watchers::of(&[Watcher::Race, Watcher::Sync]);
    let watch = WatchOptions { max_reports: usize::MAX, ..watchers.into() };
    let options = Options::default().blocks(source.blocks as u32).threads(1).max_steps(1 << 20);
    let buffer = || Value::buffer(vec![0; BYTES]);
    let of_rank = |rank: usize| {
        let next = ((rank + 1) % source.ranks) as u32;
        let mut values = vec![buffer(), buffer(), buffer()];
        if source.ranks > 1 {
            let peer = |argument| Value::Peer { rank: next, argument, offset: 0 };
            values.extend([buffer(), peer(0), peer(3)]);
        }
        values
    };
    let ranks = (0..source.ranks).map(of_rank).collect();
    pto::observe::watch(program, ranks, &options, &watch).map(|(_, watched)| watched.findings)
}

/// Whether a program has a flag, a barrier or a token within a core; without any, all its races are reported as one
/// finding.
pub(super) fn orders_within(written: &Written) -> bool {
    let within = |what: &What| {
        let named = matches!(what, What::Set(_) | What::Wait(_) | What::Take(..) | What::Give(..));
        named || matches!(what, What::Barrier(_) | What::BarrierAll)
    };
    written.facts.strands.iter().flatten().any(|fact| within(&fact.what))
}

/// The pipes that can signal other cores.
pub(super) const SIGNALLING: [Pipe; 5] = [Pipe::Fix, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::V];
