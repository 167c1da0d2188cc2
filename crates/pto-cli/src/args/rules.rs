//! The flags that set the levels of rules.

use clap::Args;

/// Levels of rules.
#[derive(Clone, Debug, Default, Args)]
pub struct RuleArgs {
    /// Hide findings of a rule: an id such as `sync::redundant`, an owner of rules such as `sync`, or `warnings` for
    /// all that is no error. The narrowest name decides. Errors of a check cannot be hidden.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// Show findings of a rule as warnings, with which a program passes.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub warn: Vec<String>,
    /// Treat findings of a rule as errors. `warnings` leaves out the rules that many public kernels break: `pto explain RULE` says so.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub deny: Vec<String>,
    /// Show the warnings of the check, which `pto check` shows; else a command that runs a program prints their number.
    #[arg(long)]
    pub show_warnings: bool,
}
