//! Levels: the findings that a user hides, shows as warnings or treats as errors, by rule.
//!
//! A level comes from a flag, a configuration, or a comment of the program. A finding that makes a program illegal,
//! or stops its run, is an error at every level.

use super::comments::{self, Allowed};
use super::{Diagnostic, Severity};
use crate::rule::RuleId;
use crate::rules;
use crate::watcher::Watcher;

impl RuleId {
    /// Whether the rule belongs to a watcher: its findings do not stop a run.
    pub fn is_of_watcher(&self) -> bool {
        Watcher::of_word(self.owner).is_some()
    }
}

/// The word for all findings that are not errors. Denied, it leaves out lints that many public kernels have
/// ([`Rule::frequent`](crate::rule::Rule::frequent)): they are denied by their own names.
pub const WARNINGS: &str = "warnings";

/// Treatment of the findings of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Hidden.
    Allow,
    /// Shown; the program passes.
    Warn,
    /// An error.
    Deny,
}

impl Level {
    /// All levels.
    pub const ALL: [Level; 3] = [Level::Allow, Level::Warn, Level::Deny];

    /// The word in flags and configurations.
    pub fn word(self) -> &'static str {
        match self {
            Level::Allow => "allow",
            Level::Warn => "warn",
            Level::Deny => "deny",
        }
    }
}

/// Rules that a word names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    /// All rules, as far as their findings are not errors.
    Warnings,
    /// The rules of an owner, such as `race`.
    Owner(&'static str),
    /// One rule.
    One(RuleId),
}

impl Rules {
    /// The rules with a name: an id such as `sync::redundant`, an owner such as `race`, or [`WARNINGS`].
    fn find(name: &str) -> Option<Rules> {
        if name == WARNINGS {
            return Some(Rules::Warnings);
        }
        let owner = || {
            let name = rules::renamed(name).unwrap_or(name);
            rules::all().map(|id| id.owner).find(|owner| !owner.is_empty() && *owner == name)
        };
        rules::find(name).map(Rules::One).or_else(|| owner().map(Rules::Owner))
    }

    /// Specificity of the rules for a finding; `None` if the finding belongs to none of them.
    fn closeness(&self, finding: &Diagnostic) -> Option<u8> {
        match self {
            Rules::Warnings => (finding.severity != Severity::Error).then_some(0),
            Rules::Owner(owner) => (finding.rule.owner == *owner).then_some(1),
            Rules::One(id) => (finding.rule == *id).then_some(2),
        }
    }

    /// Whether all findings of the rules are errors that make a program illegal or stop its run.
    fn are_legality(&self) -> bool {
        match self {
            Rules::Warnings => false,
            Rules::Owner(owner) => rules::all().filter(|id| id.owner == *owner).all(is_legality),
            Rules::One(id) => is_legality(*id),
        }
    }
}

/// Whether every violation of a rule makes a program illegal or stops its run.
fn is_legality(id: RuleId) -> bool {
    let only_errors = id.rule.weights.iter().all(|(severity, _)| *severity == Severity::Error);
    only_errors && !id.is_of_watcher()
}

/// Reason why a word sets no level.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LevelError {
    /// No rule has the name; the nearest name, if one is near.
    Unknown(Option<String>),
    /// The name is that of rules of legality, whose findings are always errors.
    Legality,
}

/// Levels of rules. The default shows every finding unchanged.
///
/// The narrowest name that fits a finding decides: an id, then an owner, then [`WARNINGS`]; of equal names, the one
/// set last.
///
/// ```
/// use pto::diag::{Diagnostic, Level, Levels, Severity};
/// use pto::isa::rules::sync;
///
/// let lint = || vec![Diagnostic::new(Severity::Lint, &sync::REDUNDANT, "it orders nothing")];
/// let mut levels = Levels::default();
/// levels.set("sync", Level::Allow).unwrap();
/// assert!(levels.apply(lint(), "").findings.is_empty());
/// levels.set("sync::redundant", Level::Deny).unwrap();
/// assert_eq!(levels.apply(lint(), "").findings[0].severity, Severity::Error);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    set: Vec<(Rules, Level)>,
}

/// Findings at their levels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leveled {
    /// The shown findings.
    pub findings: Vec<Diagnostic>,
    /// Number of findings that are hidden.
    pub allowed: usize,
}

impl Levels {
    /// Sets the level of the rules that `name` names: an id, an owner of rules, or [`WARNINGS`].
    ///
    /// # Errors
    /// A name of no rule, and a level below error for rules of legality.
    pub fn set(&mut self, name: &str, level: Level) -> Result<(), LevelError> {
        let rules = Rules::find(name).ok_or_else(|| LevelError::Unknown(comments::near(name)))?;
        if level != Level::Deny && rules.are_legality() {
            return Err(LevelError::Legality);
        }
        self.set.push((rules, level));
        Ok(())
    }

    /// Adds the levels of `later`, which decide where both name the same.
    pub fn extend(&mut self, later: &Levels) {
        self.set.extend_from_slice(&later.set);
    }

    /// The level of a finding by its rule; `None` if no name fits it.
    fn of(&self, finding: &Diagnostic) -> Option<Level> {
        let is_meant = |rules: &Rules, level: Level| {
            !(*rules == Rules::Warnings && level == Level::Deny && finding.rule.rule.frequent)
        };
        let set = self.set.iter().filter(|(rules, level)| is_meant(rules, *level));
        let fitting = set.filter_map(|(rules, level)| Some((rules.closeness(finding)?, *level)));
        // Of equal keys, the last one wins.
        fitting.max_by_key(|(closeness, _)| *closeness).map(|(_, level)| level)
    }

    /// The findings in a text at their levels. Comments of the text, such as `// pto: allow(sync::redundant)` at the end
    /// of a line or on a line before it, hide findings of that line.
    ///
    /// Apply it to all findings of one text at once.
    pub fn apply(&self, findings: Vec<Diagnostic>, text: &str) -> Leveled {
        let allowed = Allowed::of(text);
        let mut leveled = Leveled::default();
        for mut finding in findings {
            let lowers = finding.severity != Severity::Error || finding.rule.is_of_watcher();
            let level = match allowed.hides(&finding) {
                true => Some(Level::Allow),
                false => self.of(&finding),
            };
            match level {
                Some(Level::Allow) if lowers => {
                    leveled.allowed += 1;
                    continue;
                }
                Some(Level::Warn) if finding.severity == Severity::Error && lowers => {
                    finding.severity = Severity::Lint;
                }
                Some(Level::Deny) if finding.severity != Severity::Error => {
                    finding.severity = Severity::Error;
                    finding.notes.push(format!("the level of `{}` is `deny`", finding.rule));
                }
                _ => {}
            }
            leveled.findings.push(finding);
        }
        leveled
    }
}
