//! Synchronization removed from correct programs: every change is reported, or changes no result under any schedule;
//! and the page with these numbers is right.

use crate::support;

use pto_smith::generate::generate;
use pto_smith::sync::{same_under_every_schedule, table, with_barriers};
use pto_smith::{Rng, synchronized};
use std::path::Path;

#[test]
fn no_mutation_of_synchronization_is_missed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/race-checking.md")).expect("the page");
    // The public corpus is not part of the repository: without it, its rows are not checked.
    let table = table(&root.join("tests/races"), &root.join("../shared/corpus"));
    let (mut mutations, mut caught, mut lacking) = (0, 0, Vec::new());
    for (label, tally) in &table {
        assert_eq!(tally.missed, Vec::<String>::new(), "{label}");
        let row = format!("| {label} | {} | {} | {} | 0 |", tally.mutations, tally.caught, tally.redundant);
        lacking.extend((!page.contains(&row)).then_some(row));
        mutations += tally.mutations;
        caught += tally.caught;
    }
    assert!(lacking.is_empty(), "docs/race-checking.md lacks:\n{}", lacking.join("\n"));
    assert!(mutations >= 400 && caught >= 380, "{caught} of {mutations}");
}

/// Programs of all instructions, with a barrier after each, compute equal bytes under every schedule, without findings
/// of the watchers.
#[test]
fn programs_without_hazards_compute_the_same_under_every_schedule() {
    for (label, text) in synchronized().expect("our own programs are legal") {
        same_under_every_schedule(&text, 7).unwrap_or_else(|message| panic!("{label}: {message}"));
    }
    support::each_seed(150, |seed| {
        let mut rng = Rng::new(seed ^ 0x5eed);
        let text = generate(&mut rng).text;
        // If both kinds of cores run the whole function, they conflict in global memory.
        if text.contains("pto.tpush") {
            return;
        }
        let text = with_barriers(&text);
        support::judged(seed, &text, |text| same_under_every_schedule(text, seed));
    });
}
