//! Summary of a watched run: the number of items that the watchers examined. It shows how much a run without findings
//! proves.

use crate::printer::print_err;
use crate::report::Watched;
use pto::Program;
use pto::check::names_target;
use pto::observe::Examined;
use pto::sim::Outcome;

/// Coverage of the watchers of a run, and the instructions that never ran and so were not examined.
pub(super) struct Seen {
    examined: Examined,
    /// Number of tile instructions that never ran, and of all.
    never: (usize, usize),
    /// Whether instructions are known only when they run.
    is_live: bool,
    /// Whether nothing names a target, so that the run was one for `cpu`.
    is_for_no_device: bool,
}

impl Seen {
    pub(super) fn of(program: &Program, outcome: &Outcome, examined: &Examined) -> Seen {
        let is_for_no_device = !program.profile().is_device() && !names_target(program.module());
        let never = outcome.never_ran(program);
        Seen { examined: examined.clone(), never, is_live: false, is_for_no_device }
    }

    /// Summary of a compiled kernel; only the calls that it made are known.
    pub(super) fn of_calls(outcome: &Outcome, examined: &Examined) -> Seen {
        let ran = outcome.executed.iter().flatten().filter(|count| **count > 0).count();
        Seen { examined: examined.clone(), never: (0, ran), is_live: true, is_for_no_device: false }
    }

    /// Prints one line: `race: 214 pairs ordered; 3 of 17 instructions never ran`.
    pub(super) fn print(&self) {
        let (never, all) = self.never;
        let mut parts = self.examined.parts();
        parts.push(match never {
            _ if self.is_live => format!("{all} calls ran"),
            0 => format!("all {all} instructions ran"),
            _ => format!("{never} of {all} instructions never ran"),
        });
        if self.is_for_no_device {
            parts.push("for cpu, since neither the program nor --target names a device".to_owned());
        }
        print_err!("nothing found: {}", parts.join("; "));
    }

    pub(super) fn report(&self) -> Watched {
        let Examined { ordered, chained, assumed, waits, reads, places } = self.examined.clone();
        let (never_ran, instructions) = self.never;
        let assumed = assumed.map(|assumed| assumed.to_string());
        Watched {
            pairs_ordered: ordered,
            chained,
            assumed,
            waits,
            reads,
            accesses: places,
            instructions,
            never_ran,
        }
    }
}
