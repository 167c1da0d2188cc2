//! The watchers of a launch as one observer, and their findings.

use crate::observe::conflict;
use crate::observe::coverage::Examined;
use crate::observe::memory::init::Init;
use crate::observe::watchers;
use crate::sim::event::Event;
use crate::sim::{Needs, Observe, Options, Outcome, Printed, Program};
use pto_isa::diag::{Diagnostic, Severity};
use pto_isa::profile::Profile;
use pto_isa::rule::RuleId;
use pto_isa::rules::{self, mem, values};
use pto_isa::watcher::Watchers;
use pto_isa::written::Written;

/// The watchers of a launch, and their assumptions.
#[derive(Clone, Copy, Debug)]
pub struct WatchOptions {
    /// The watchers.
    pub watchers: Watchers,
    /// Whether, on A2/A3, an instruction of V that reads exactly the result of an elementwise one is ordered after it
    /// without a barrier.
    pub assume_v_chains: bool,
    /// Maximum number of reported findings.
    pub max_reports: usize,
    /// Whether a program without addresses and flags is judged as written: no assembler inserts synchronization.
    pub as_written: bool,
}

impl Default for WatchOptions {
    fn default() -> Self {
        WatchOptions { watchers: Watchers::NONE, assume_v_chains: false, max_reports: 20, as_written: false }
    }
}

impl From<Watchers> for WatchOptions {
    fn from(watchers: Watchers) -> Self {
        WatchOptions { watchers, ..WatchOptions::default() }
    }
}

/// Findings of watchers in a launch.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Errors first, then lints.
    pub findings: Vec<Diagnostic>,
    /// Coverage of the watchers.
    pub examined: Examined,
    /// Conflicts, for the timeline.
    pub conflicts: Vec<conflict::Found>,
}

impl Watched {
    /// All findings of a launch: extensions and lints of the run, then those of its watchers.
    pub fn after(&self, outcome: &Outcome) -> Vec<Diagnostic> {
        let lints = outcome.warnings.iter().filter(|lint| !is_found(lint, &self.findings));
        lints.chain(&self.findings).cloned().collect()
    }
}

/// Whether one of the findings of a run is about the same partition beyond its view as a lint.
pub fn is_found(lint: &Diagnostic, findings: &[Diagnostic]) -> bool {
    let is_same = |finding: &Diagnostic| {
        let known = [&mem::BEYOND_VIEW, &values::PARTITION_BEYOND].map(RuleId::from).contains(&finding.rule);
        let spans = finding.primary.as_ref().zip(lint.primary.as_ref());
        known
            && spans.is_some_and(|(run, check)| {
                run.span.start <= check.span.start && check.span.end <= run.span.end
            })
    };
    lint.rule == RuleId::from(&values::PARTITION_BEYOND) && findings.iter().any(is_same)
}

/// One watcher.
pub(in crate::observe) trait Watching: Observe + Send {
    /// Adds the watcher's findings. `names`: names of the buffers.
    fn report(&mut self, program: &Program, names: &[String], watched: &mut Watched);

    /// Whether the watcher has found an error so far.
    fn has_found(&self) -> bool;
}

/// The watchers of a launch.
pub struct Watch {
    list: Vec<Box<dyn Watching>>,
    needs: Needs,
    most: usize,
    watched: Watched,
}

impl Watch {
    /// The watchers of a launch of a program with these options.
    pub fn new(program: &Program, watch: &WatchOptions, options: &Options) -> Watch {
        Watch::starting_with(program, watch, options, Init::default())
    }

    /// The watchers of a launch in a sequence. `known`: for each buffer, in the order of the arguments, the bytes
    /// that earlier launches have written; `None` for buffers without unwritten bytes.
    pub fn in_sequence(
        program: &Program,
        watch: &WatchOptions,
        options: &Options,
        known: impl Iterator<Item = Option<Written>>,
    ) -> Watch {
        let known = known.enumerate().filter_map(|(buffer, written)| Some((buffer as u32, written?)));
        Watch::starting_with(program, watch, options, Init::starting_with(known))
    }

    /// The watchers of a live launch. Its program grows while it runs, so nothing is assumed about the program as a
    /// whole: its flags are those that it sets, unless `options` state that synchronization is inserted later.
    pub fn live(profile: Profile, watch: &WatchOptions, options: &Options) -> Watch {
        let watch = WatchOptions { as_written: true, assume_v_chains: false, ..*watch };
        Watch::new(&Program::growing(profile, Vec::new()), &watch, options)
    }

    fn starting_with(program: &Program, watch: &WatchOptions, options: &Options, initial: Init) -> Watch {
        let mut watched = Watched::default();
        let list = watchers(program, watch, options, initial, &mut watched.examined);
        let needs = list.iter().map(|one| one.needs()).fold(Needs::NONE, Needs::or);
        Watch { list, needs, most: watch.max_reports, watched }
    }

    /// Whether one of the watchers has found an error so far.
    pub fn has_found(&self) -> bool {
        self.list.iter().any(|one| one.has_found())
    }

    /// The findings of the watchers.
    pub fn into_watched(self) -> Watched {
        self.watched
    }

    /// The outcome of a launch and the findings of the watchers.
    ///
    /// # Errors
    /// If the run stopped: the reason, then the earlier findings of the watchers.
    pub fn result(
        self,
        launched: Result<Outcome, Vec<Diagnostic>>,
    ) -> Result<(Outcome, Watched), Vec<Diagnostic>> {
        match launched {
            Ok(outcome) => Ok((outcome, self.watched)),
            Err(stopped) => Err([stopped, self.watched.findings].concat()),
        }
    }
}

impl Observe for Watch {
    fn needs(&self) -> Needs {
        self.needs
    }

    fn see(&mut self, program: &Program, event: &Event<'_>, printed: &mut Vec<Printed>) {
        self.list.iter_mut().for_each(|one| one.see(program, event, printed));
    }

    fn finish(&mut self, program: &Program, names: &[String]) {
        self.list.iter_mut().for_each(|one| one.report(program, names, &mut self.watched));
        let findings = std::mem::take(&mut self.watched.findings);
        let (wrong, lints): (Vec<_>, Vec<_>) =
            findings.into_iter().partition(|finding| finding.severity == Severity::Error);
        self.watched.findings = limited([wrong, lints].concat(), self.most);
    }
}

/// The findings without the errors of watchers beyond `most`, whose number is the last error.
pub fn limited(findings: Vec<Diagnostic>, most: usize) -> Vec<Diagnostic> {
    let is_counted =
        |finding: &Diagnostic| finding.severity == Severity::Error && finding.rule.is_of_watcher();
    let beyond = findings.iter().filter(|finding| is_counted(finding)).count().saturating_sub(most);
    let mut kept: Vec<Diagnostic> = Vec::new();
    let (mut counted, mut is_told) = (0, beyond == 0);
    for finding in findings {
        counted += usize::from(is_counted(&finding));
        if !is_counted(&finding) || counted <= most {
            kept.push(finding);
        } else if !is_told {
            is_told = true;
            let message = format!("{beyond} more findings are not shown");
            kept.push(Diagnostic::new(Severity::Error, &rules::run::MORE, message));
        }
    }
    kept
}

/// Runs a program under watchers.
///
/// # Errors
/// Findings that stopped the run, then the earlier findings of the watchers.
pub fn watch(
    program: &Program,
    ranks: Vec<Vec<crate::sim::Value>>,
    options: &Options,
    watch: &WatchOptions,
) -> Result<(Outcome, Watched), Vec<Diagnostic>> {
    let mut watchers = Watch::new(program, watch, options);
    let launched = program.launch_ranks(ranks, options, &mut [&mut watchers]);
    watchers.result(launched)
}
