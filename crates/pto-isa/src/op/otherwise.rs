//! Differences of devices from the formulas of pages, as data on the pages.
//!
//! A formula states the logical result, by the valid regions and the strides of views. This list states where a
//! device differs, and the behaviour of a run for that device. `pto explain NAME` prints the list, and
//! `docs/contract.md` collects it.

use crate::profile::Profile;
use std::borrow::Cow;

/// The answer of a run to a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Here {
    /// The run gives the device's result, bit for bit.
    SameBits,
    /// The logical result; a finding of this rule names the difference.
    Reported(&'static str),
    /// The device leaves undefined bytes; the run has some contents there, and a watcher reports their use.
    Undefined,
    /// The device may do several things, of which the run does one.
    OneOfSeveral,
}

impl Here {
    /// All categories, in the order of the contract; the empty rule is a placeholder.
    pub const ALL: [Here; 4] = [Here::SameBits, Here::Reported(""), Here::Undefined, Here::OneOfSeveral];

    /// The name of the category.
    pub fn word(self) -> &'static str {
        match self {
            Here::SameBits => "same bits",
            Here::Reported(_) => "differs by decision",
            Here::Undefined => "undefined on the device",
            Here::OneOfSeveral => "not modelled",
        }
    }
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Otherwise {
    /// The devices.
    pub on: &'static [Profile],
    /// The behaviour of the device, as a sentence.
    pub what: Cow<'static, str>,
    /// The answer of a run.
    pub here: Here,
    /// Source of the statement.
    pub source: &'static str,
}

impl Otherwise {
    /// A difference, as a constant of a page.
    pub(super) const fn of(
        on: &'static [Profile],
        what: &'static str,
        here: Here,
        source: &'static str,
    ) -> Otherwise {
        Otherwise { on, what: Cow::Borrowed(what), here, source }
    }

    /// A difference.
    pub(super) fn new(
        on: &'static [Profile],
        what: impl Into<Cow<'static, str>>,
        here: Here,
        source: &'static str,
    ) -> Otherwise {
        Otherwise { on, what: what.into(), here, source }
    }
}
