//! A rule of legality: a name, a statement, a source.

use crate::isa::profile::Profile;

/// One rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The name behind the instruction's, as in `tconcat::valid-cols`.
    pub name: &'static str,
    /// What must hold, in one sentence.
    pub statement: &'static str,
    /// The page that says so.
    pub source: &'static str,
    /// The profiles that have the rule.
    pub profiles: &'static [Profile],
}

impl Rule {
    /// A rule of every profile.
    pub const fn new(name: &'static str, statement: &'static str, source: &'static str) -> Rule {
        Rule { name, statement, source, profiles: &Profile::ALL }
    }

    /// The same, for these profiles only.
    pub const fn only(self, profiles: &'static [Profile]) -> Rule {
        Rule { profiles, ..self }
    }
}
