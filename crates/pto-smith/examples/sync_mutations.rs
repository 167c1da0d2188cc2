//! Prints the table of `docs/race-checking.md`: synchronization taken out of programs that are right, one operation at a
//! time, and how it turned out.

#![expect(clippy::print_stdout, reason = "the example prints a table")]

use std::path::Path;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let table = pto_smith::sync::table(&root.join("tests/races"), &root.join("../shared/corpus"));
    println!("| program | mutations | caught | redundant | missed |\n|---|---:|---:|---:|---:|");
    let mut all = [0; 4];
    for (label, tally) in &table {
        let counts = [tally.mutations, tally.caught, tally.redundant, tally.missed.len()];
        println!("| {label} | {} | {} | {} | {} |", counts[0], counts[1], counts[2], counts[3]);
        for missed in &tally.missed {
            println!("| | {missed} | | | |");
        }
        all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
    }
    println!(
        "| **{} programs** | **{}** | **{}** | **{}** | **{}** |",
        table.len(),
        all[0],
        all[1],
        all[2],
        all[3]
    );
}
