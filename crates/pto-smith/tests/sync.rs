//! Synchronization taken out of programs that are right: every change is reported, or makes no difference under any
//! schedule; and the page that publishes the numbers is true.

use pto_smith::sync::table;
use std::path::Path;

#[test]
fn no_mutation_of_synchronization_is_missed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/race-checking.md")).expect("the page");
    // The public corpus is not part of the repository: where it is absent, its rows are not looked at.
    let table = table(&root.join("tests/races"), &root.join("../shared/corpus"));
    let (mut mutations, mut caught) = (0, 0);
    for (label, tally) in &table {
        assert_eq!(tally.missed, Vec::<String>::new(), "{label}");
        let row = format!("| {label} | {} | {} | {} | 0 |", tally.mutations, tally.caught, tally.redundant);
        assert!(page.contains(&row), "docs/race-checking.md lacks: {row}");
        mutations += tally.mutations;
        caught += tally.caught;
    }
    assert!(mutations >= 400 && caught >= 380, "{caught} of {mutations}");
}
