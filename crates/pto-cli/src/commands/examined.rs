//! Summary of a watched run: what the watchers examined. A run without findings is judged by it.

use pto::Program;
use pto::sim::{Examined, Outcome};
use serde_json::{Value as Json, json};

/// What the watchers of a run examined, and the instructions that never ran, which nothing examined.
pub(super) struct Seen {
    examined: Examined,
    /// Number of tile instructions that never ran, and of all.
    never: (usize, usize),
}

impl Seen {
    pub(super) fn of(program: &Program, outcome: &Outcome) -> Seen {
        Seen { examined: outcome.examined.clone(), never: outcome.never_ran(program) }
    }

    /// One line: `race: 214 pairs ordered; 3 of 17 instructions never ran`.
    pub(super) fn line(&self) -> String {
        let (never, all) = self.never;
        let mut parts = self.examined.parts();
        parts.push(match never {
            0 => format!("all {all} instructions ran"),
            _ => format!("{never} of {all} instructions never ran"),
        });
        format!("nothing found: {}\n", parts.join("; "))
    }

    pub(super) fn to_json(&self) -> Json {
        let Examined { ordered, chained, assumed, waits, reads, places } = &self.examined;
        json!({
            "pairs_ordered": ordered,
            "chained": chained,
            "assumed": assumed.map(|assumed| assumed.to_string()),
            "waits": waits,
            "reads": reads,
            "accesses": places,
            "instructions": self.never.1,
            "never_ran": self.never.0,
        })
    }
}
