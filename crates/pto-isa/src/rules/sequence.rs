//! Rules of sequences of launches.

use crate::profile::Profile;
use crate::rule::{Rule, Severity};

const SEQUENCES: &str = "docs/sequences.md";

family! {
    /// Launches without order that access the same bytes.
    CONFLICT = Rule::of("sequence", "conflict",
        "Launches of a parallel group do not write bytes that another branch of the group reads or writes.", SEQUENCES)
        .because("A device runs the branches at the same time, in any order.")
        .instead("Put the launches in order, or give each branch a buffer or a part of its own.");

    /// A buffer that is written in vain.
    UNREAD = Rule::of("sequence", "unread",
        "A buffer that a launch writes is a result, or another launch reads it.", SEQUENCES)
        .because("The work is in vain, or a later launch reads a wrong buffer.")
        .instead("Name the buffer among the results, give it to the launch that should read it, or leave out the launch.")
        .weighing(&[(Severity::Lint, &Profile::ALL)]);
}
