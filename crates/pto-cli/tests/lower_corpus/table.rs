//! The table at the end of `docs/lowering.md`: the cost of each lowered program of the corpus, beside the public
//! assembler's.

use super::measure::{Counts, Measured, peaks_of};
use pto::passes::BufferPlan;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- table: begin -->\n";
const END: &str = "<!-- table: end -->\n";

/// The program lowered here, and as the public assembler printed it.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) ours: Measured,
    pub(crate) theirs: Option<String>,
    /// The microseconds of both, if they are launched.
    pub(crate) times: Option<[f64; 2]>,
}

/// The highest peak of each buffer over all functions; nothing for buffers in which no tile is.
fn peaks(plans: &[BufferPlan]) -> String {
    let mut peaks: BTreeMap<&str, u64> = BTreeMap::new();
    for plan in plans {
        let peak = peaks.entry(plan.buffer.word()).or_default();
        *peak = plan.peak.max(*peak);
    }
    let cells: Vec<String> = peaks.iter().map(|(buffer, peak)| format!("{buffer} {peak}")).collect();
    if cells.is_empty() { "none".to_owned() } else { cells.join(", ") }
}

/// The table as Markdown.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text =
        "| program | us | peaks in bytes | pairs | barriers | assembler: us | peaks | pairs | barriers |\n\
                    |---|---|---|---|---|---|---|---|---|\n"
            .to_owned();
    for Row { name, ours, theirs, times } in rows {
        let [own_time, other_time] = match times {
            Some(times) => times.map(|time| format!("{time:.2}")),
            None => [String::new(), String::new()],
        };
        let own = Counts::of(&ours.text);
        let other = match theirs {
            Some(theirs) => {
                let counts = Counts::of(theirs);
                let plans = peaks_of(theirs, None);
                let peaks = plans.map_or("not legal".to_owned(), |plans| peaks(&plans));
                format!("{peaks} | {} | {}", counts.pairs, counts.barriers)
            }
            None => "| |".to_owned(),
        };
        let peaks = peaks(&ours.lowered.buffers);
        let (pairs, barriers) = (own.pairs, own.barriers);
        text.push_str(&format!(
            "| {name} | {own_time} | {peaks} | {pairs} | {barriers} | {other_time} | {other} |\n"
        ));
    }
    text
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lowering.md")
}

/// Compares the table of the page, or writes it if `BLESS` is set.
pub(crate) fn same_or_bless(table: &str) {
    let stored = std::fs::read_to_string(page()).expect("docs/lowering.md");
    let (before, rest) = stored.split_once(BEGIN).expect("the begin of the table");
    let (_, after) = rest.split_once(END).expect("the end of the table");
    let wanted = format!("{before}{BEGIN}{table}{END}{after}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(page(), wanted).expect("written");
        return;
    }
    assert!(
        stored == wanted,
        "the table of docs/lowering.md is stale: `BLESS=1 PTO_LOWERED=1 cargo test --release -p pto-cli --test all lower_corpus::` writes it anew"
    );
}
