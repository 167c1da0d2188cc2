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

/// Several lists of rules as one.
///
/// # Panics
/// While compiling, if `N` is not the number of all rules.
pub const fn join<const N: usize>(lists: &[&[&'static Rule]]) -> [&'static Rule; N] {
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
