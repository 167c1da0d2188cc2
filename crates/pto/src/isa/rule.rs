//! A rule: statement, reason, remedy, source, and severity of a breach.
//!
//! Every id that a diagnostic can carry is a [`RuleId`]: a rule and its owner, an instruction or the group of the rule.
//! Rules of instructions are in the instructions' files, all others in [`crate::isa::rules`].

use crate::isa::profile::{A5_ONLY, NPU, Profile};
use std::fmt;

/// How much a diagnostic weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The program or its data is wrong.
    Error,
    /// Legal only by a source newer than the instruction's own page; `--strict` makes it an error.
    Extension,
    /// Legal, but depends on something undefined or different on hardware, or spelled in an old way.
    Lint,
}

impl Severity {
    /// The word by which users know the level.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Extension => "extension",
            Severity::Lint => "lint",
        }
    }
}

/// A severity and the profiles on which a breach can have it.
pub type Weight = (Severity, &'static [Profile]);

/// An error, or an extension where only a source newer than the page allows the use.
pub const ERROR_OR_EXTENSION: &[Weight] =
    &[(Severity::Error, &Profile::ALL), (Severity::Extension, &Profile::ALL)];

/// An error, or an extension on a device where only one of its header and its pages allows the use.
pub const ERROR_OR_NPU_EXTENSION: &[Weight] = &[(Severity::Error, &Profile::ALL), (Severity::Extension, NPU)];

/// An error, or an extension on A5 where only its header allows the use.
pub const ERROR_OR_A5_EXTENSION: &[Weight] =
    &[(Severity::Error, &Profile::ALL), (Severity::Extension, A5_ONLY)];

/// An error, or a lint on a device, which takes the use as it is.
pub const ERROR_OR_NPU_LINT: &[Weight] = &[(Severity::Error, &Profile::ALL), (Severity::Lint, NPU)];

/// One rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The owner of a rule outside the instructions, as `race` in `race::read-after-write`; empty for a bare name such as
    /// `syntax`. `None` for a rule of instructions, whose owner is the instruction.
    pub group: Option<&'static str>,
    /// The name after the owner's, as in `tconcat::valid-cols`.
    pub name: &'static str,
    /// What must hold, in one sentence.
    pub statement: &'static str,
    /// Why it must hold: what goes wrong otherwise.
    pub reason: &'static str,
    /// What to write instead.
    pub remedy: &'static str,
    /// The page that says so.
    pub source: &'static str,
    /// The profiles that have the rule.
    pub profiles: &'static [Profile],
    /// Severities of a breach. Several for one profile where it depends on the use.
    pub weights: &'static [Weight],
}

impl Rule {
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

    /// Restricts the rule to these profiles.
    pub const fn only(self, profiles: &'static [Profile]) -> Rule {
        Rule { profiles, ..self }
    }

    /// Makes a breach a lint on every profile.
    pub const fn lint(self) -> Rule {
        self.weighing(&[(Severity::Lint, &Profile::ALL)])
    }

    /// Makes a breach an extension on every profile.
    pub const fn extension(self) -> Rule {
        self.weighing(&[(Severity::Extension, &Profile::ALL)])
    }

    /// Sets the severities of a breach.
    pub const fn weighing(self, weights: &'static [Weight]) -> Rule {
        Rule { weights, ..self }
    }

    /// The severities that a breach can have on a profile, none where the profile lacks the rule.
    pub fn severities(&self, profile: Profile) -> impl Iterator<Item = Severity> {
        let has_rule = self.profiles.contains(&profile);
        let weights =
            self.weights.iter().filter(move |(_, profiles)| has_rule && profiles.contains(&profile));
        weights.map(|(severity, _)| *severity)
    }

    /// The id of the rule as one of an instruction's, whose page has this name.
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

/// Several lists of rules as one: `join!(COMMON, &[&OWN])` is a constant slice.
macro_rules! join {
    ($($list:expr),+ $(,)?) => {{
        const LISTS: &[&[&$crate::isa::rule::Rule]] = &[$($list),+];
        const ALL: [&$crate::isa::rule::Rule; $crate::isa::rule::count(LISTS)] =
            $crate::isa::rule::joined(LISTS);
        &ALL
    }};
}
pub(crate) use join;

/// The number of rules in several lists.
pub(crate) const fn count(lists: &[&[&'static Rule]]) -> usize {
    let (mut list, mut count) = (0, 0);
    while list < lists.len() {
        count += lists[list].len();
        list += 1;
    }
    count
}

/// Several lists of `N` rules as one array; [`join!`] counts them.
///
/// # Panics
/// While compiling, if `N` is not the number of all rules.
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
