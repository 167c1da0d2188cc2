//! A rule: statement, reason, remedy, source, and severity of a violation.
//!
//! Every id that a diagnostic can carry is a [`RuleId`]: a rule and its owner, an instruction or the group of the rule.
//! Rules of instructions are in the instructions' files, all others in [`crate::rules`].

use crate::profile::{A5_ONLY, NPU, Profile};
use std::fmt;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// An illegal program or illegal data.
    Error,
    /// An error of the check in a program that runs all the same, without the rules of its target.
    Refused,
    /// A use that is legal only by a source newer than the instruction's own page; `--strict` makes it an error.
    Extension,
    /// A legal use that depends on undefined or device-specific behaviour, or has an outdated spelling.
    Lint,
}

impl Severity {
    /// The word in messages.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Refused => "refused",
            Severity::Extension => "extension",
            Severity::Lint => "lint",
        }
    }
}

/// A severity and the profiles on which a violation can have it.
pub type Weight = (Severity, &'static [Profile]);

/// An error, or an extension if only a source newer than the page allows the use.
pub const ERROR_OR_EXTENSION: &[Weight] =
    &[(Severity::Error, &Profile::ALL), (Severity::Extension, &Profile::ALL)];

/// An error, or an extension on a device if only its header or only its pages allow the use.
pub const ERROR_OR_NPU_EXTENSION: &[Weight] = &[(Severity::Error, &Profile::ALL), (Severity::Extension, NPU)];

/// An error, or an extension on A5 if only its header allows the use.
pub const ERROR_OR_A5_EXTENSION: &[Weight] =
    &[(Severity::Error, &Profile::ALL), (Severity::Extension, A5_ONLY)];

/// An error, or a lint on a device that accepts the use.
pub const ERROR_OR_NPU_LINT: &[Weight] = &[(Severity::Error, &Profile::ALL), (Severity::Lint, NPU)];

/// One rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The owner of a rule outside the instructions, such as `race` in `race::read-after-write`; empty for an id
    /// without owner such as `syntax`. `None` for a rule of instructions, which the instruction owns.
    pub group: Option<&'static str>,
    /// The name after the owner, such as `valid-cols` in `tconcat::valid-cols`.
    pub name: &'static str,
    /// The requirement, in one sentence.
    pub statement: &'static str,
    /// The reason: the consequence of a violation.
    pub reason: &'static str,
    /// The legal alternative.
    pub remedy: &'static str,
    /// The source page of the rule.
    pub source: &'static str,
    /// The profiles that have the rule.
    pub profiles: &'static [Profile],
    /// Severities of a violation; several for one profile if the severity depends on the use.
    pub weights: &'static [Weight],
    /// Whether more than a tenth of the public kernels violate the rule, although they are legal. Such a rule gives
    /// one finding per program, and the level of all warnings does not make it an error.
    pub frequent: bool,
}

impl Rule {
    /// The requirement and its source, as the note of a finding.
    pub fn note(&self) -> String {
        format!("{} ({})", self.statement, self.source)
    }

    /// A rule of instructions, an error on every profile.
    pub const fn new(name: &'static str, statement: &'static str, source: &'static str) -> Rule {
        Rule {
            group: None,
            name,
            statement,
            reason: "",
            remedy: "",
            source,
            profiles: &Profile::ALL,
            weights: &[(Severity::Error, &Profile::ALL)],
            frequent: false,
        }
    }

    /// A rule outside the instructions. Its id is `group::name`, or the name alone if the group is empty.
    pub const fn of(
        group: &'static str,
        name: &'static str,
        statement: &'static str,
        source: &'static str,
    ) -> Rule {
        Rule { group: Some(group), ..Rule::new(name, statement, source) }
    }

    /// Adds the reason.
    pub const fn because(self, reason: &'static str) -> Rule {
        Rule { reason, ..self }
    }

    /// Adds the remedy.
    pub const fn instead(self, remedy: &'static str) -> Rule {
        Rule { remedy, ..self }
    }

    /// Restricts the rule to profiles.
    pub const fn only(self, profiles: &'static [Profile]) -> Rule {
        Rule { profiles, ..self }
    }

    /// Makes a violation a lint on every profile.
    pub const fn lint(self) -> Rule {
        self.weighing(&[(Severity::Lint, &Profile::ALL)])
    }

    /// Makes a violation an extension on every profile.
    pub const fn extension(self) -> Rule {
        self.weighing(&[(Severity::Extension, &Profile::ALL)])
    }

    /// Sets the severities of a violation.
    pub const fn weighing(self, weights: &'static [Weight]) -> Rule {
        Rule { weights, ..self }
    }

    /// Marks a lint that many public kernels have.
    pub const fn frequent(self) -> Rule {
        Rule { frequent: true, ..self }
    }

    /// The severities of a violation on a profile; none if the profile lacks the rule.
    pub fn severities(&self, profile: Profile) -> impl Iterator<Item = Severity> {
        let has_rule = self.profiles.contains(&profile);
        let weights =
            self.weights.iter().filter(move |(_, profiles)| has_rule && profiles.contains(&profile));
        weights.map(|(severity, _)| *severity)
    }

    /// The id of the rule for an instruction whose page has the name `owner`.
    pub const fn owned_by(&'static self, owner: &'static str) -> RuleId {
        RuleId { owner, rule: self }
    }
}

/// The id of a diagnostic: a rule and its owner. Displayed as `owner::name`, or as the name alone if the owner is empty.
#[derive(Clone, Copy, Debug)]
pub struct RuleId {
    /// The page name of an instruction, or the rule's group.
    pub owner: &'static str,
    /// The rule.
    pub rule: &'static Rule,
}

impl From<&'static Rule> for RuleId {
    /// The id of a rule outside the instructions.
    fn from(rule: &'static Rule) -> RuleId {
        debug_assert!(rule.group.is_some(), "`{}` is a rule of instructions: its id names one", rule.name);
        RuleId { owner: rule.group.unwrap_or_default(), rule }
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner {
            "" => f.write_str(self.rule.name),
            owner => write!(f, "{owner}::{}", self.rule.name),
        }
    }
}

impl PartialEq for RuleId {
    fn eq(&self, other: &RuleId) -> bool {
        (self.owner, self.rule.name) == (other.owner, other.rule.name)
    }
}

impl Eq for RuleId {}

impl PartialEq<str> for RuleId {
    fn eq(&self, id: &str) -> bool {
        match id.split_once("::") {
            Some((owner, name)) => (owner, name) == (self.owner, self.rule.name),
            None => self.owner.is_empty() && id == self.rule.name,
        }
    }
}

impl PartialEq<&str> for RuleId {
    fn eq(&self, id: &&str) -> bool {
        *self == **id
    }
}

/// Concatenates lists of rules at compile time: `join!(COMMON, &[&OWN])` is a constant slice.
macro_rules! join {
    ($($list:expr),+ $(,)?) => {{
        const LISTS: &[&[&$crate::rule::Rule]] = &[$($list),+];
        const ALL: [&$crate::rule::Rule; $crate::rule::count(LISTS)] =
            $crate::rule::joined(LISTS);
        &ALL
    }};
}
pub(crate) use join;

/// The total number of rules in several lists.
pub(crate) const fn count(lists: &[&[&'static Rule]]) -> usize {
    let (mut list, mut count) = (0, 0);
    while list < lists.len() {
        count += lists[list].len();
        list += 1;
    }
    count
}

/// Concatenates several lists to one array of `N` rules; [`join!`] computes `N`.
///
/// # Panics
/// At compile time, if `N` is not the total number of rules.
pub(crate) const fn joined<const N: usize>(lists: &[&[&'static Rule]]) -> [&'static Rule; N] {
    let mut all = [lists[0][0]; N];
    let (mut list, mut count) = (0, 0);
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            all[count] = lists[list][at];
            (at, count) = (at + 1, count + 1);
        }
        list += 1;
    }
    assert!(count == N);
    all
}
