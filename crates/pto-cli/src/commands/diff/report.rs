//! The report of `pto diff`, as text and as JSON.

use super::outputs::OutputPair;
use super::summary::{Change, Summary, more};
use super::values::Difference;
use super::{Ran, Text};
use crate::array::shape_text;
use crate::compare::{Comparison, Mismatch, Tolerance};
use crate::dtype;
use pto::log::{Core, Entry, Log, Position};
use serde_json::{Value as Json, json};

/// What the comparison of two programs has found.
pub(super) struct Report<'a> {
    pub(super) a: &'a Ran<'a>,
    pub(super) b: &'a Ran<'a>,
    pub(super) summary: &'a Summary,
    pub(super) first: Option<Difference>,
    pub(super) outputs: Vec<OutputPair>,
    pub(super) tolerance: Tolerance,
}

/// The number of entries of a core, up to one, that an operation of the program made.
fn execution(log: &Log, entry: &Entry<'_>) -> usize {
    let numbers = log.streams().remove(&entry.core).unwrap_or_default();
    let before = numbers.into_iter().take_while(|number| *number as u64 <= entry.sequence);
    before.filter_map(|number| log.get(number)).filter(|other| other.span == entry.span).count()
}

/// `a.pto:12:3`.
fn place(text: &Text, position: Position) -> String {
    format!("{}:{}:{}", text.name, position.line, position.column)
}

/// `block 3, vector 1`; ranks are named if they are several.
fn core_text(core: Core, ranks: usize) -> String {
    let rank = if ranks > 1 { format!("rank {}, ", core.rank) } else { String::new() };
    format!("{rank}block {}, {} {}", core.block, core.kind.word(), core.vector_core)
}

impl Difference {
    /// `[3, 5]`, or `[5]` without rows.
    fn index(&self) -> String {
        let (row, column) = self.place;
        if self.has_rows { format!("[{row}, {column}]") } else { format!("[{column}]") }
    }
}

impl<'a> Report<'a> {
    /// Whether anything differs.
    pub(super) fn differs(&self) -> bool {
        self.first.is_some()
            || self.summary.has_changes()
            || self.outputs.iter().any(|output| !output.comparison.passed())
    }

    fn names(&self) -> (&str, &str) {
        (&self.a.subject.text.name, &self.b.subject.text.name)
    }

    /// An entry of one of the programs.
    fn entry(ran: &'a Ran<'a>, number: u64) -> Option<Entry<'a>> {
        ran.outcome.log.get(number as usize)
    }

    pub(super) fn to_text(&self) -> String {
        let mut text = match &self.first {
            Some(found) => self.difference(found),
            None => self.agreement(),
        };
        let (a, b) = self.names();
        let Summary { counts, elsewhere, .. } = self.summary;
        for ((heading, count), shown) in Summary::headings(a, b).iter().zip(counts).zip(self.summary.shown())
        {
            let shown = &shown;
            if *count > 0 {
                text.push_str(&format!("{count} {heading}:\n"));
                let lines = shown.iter().map(|group| group.times() + &self.change(group.first));
                text.extend(lines.chain([more(shown, *count)]));
            }
        }
        if *elsewhere > 0 {
            text.push_str(&format!("{elsewhere} aligned entries are at other addresses\n"));
        }
        for output in &self.outputs {
            text.push_str(&format!("{}: {}\n", output.name, self.output(&output.comparison)));
        }
        text
    }

    fn agreement(&self) -> String {
        let Summary { pairs, .. } = self.summary;
        let (a, b) = (self.a.outcome.log.len(), self.b.outcome.log.len());
        let what = if self.tolerance.is_exact() { "" } else { " by more than the tolerance" };
        if self.summary.has_changes() {
            return format!("no value differs{what}: {pairs} entries are aligned, of {a} and {b}\n");
        }
        format!("no value differs{what}: {pairs} entries are aligned, all of both programs\n")
    }

    /// The first difference, with both positions.
    fn difference(&self, found: &Difference) -> String {
        let (a, b) = self.names();
        let one = Report::entry(self.a, found.entries.0);
        let other = Report::entry(self.b, found.entries.1);
        let operation =
            |entry: &Option<Entry<'_>>| entry.as_ref().map_or("?".to_owned(), |it| it.name.to_owned());
        let (first, second) = (operation(&one), operation(&other));
        let by = match first == second {
            true => format!("`{first}` writes"),
            false => format!("`{first}` and `{second}` write"),
        };
        let tile = match &found.names {
            (x, y) if x == y => format!("%{x}"),
            (x, y) => format!("%{x} and %{y}"),
        };
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "not written".to_owned());
        let ulp = found.ulp.map_or(String::new(), |ulp| match found.formats.0 {
            word if is_integer(word) => format!(", off by {ulp}"),
            _ => format!(", {ulp} ulp apart"),
        });
        let formats = match found.formats {
            (x, y) if x == y => x.to_owned(),
            (x, y) => format!("{x} and {y}"),
        };
        let mut text = format!(
            "first difference: {by} {tile}; element {} is {} in {a}, {} in {b}{ulp}\n",
            found.index(),
            value(&found.values.0),
            value(&found.values.1),
        );
        for (ran, entry) in [(self.a, &one), (self.b, &other)] {
            if let Some(entry) = entry {
                text.push_str(&format!("  {}\n", self.position(ran, entry)));
            }
        }
        text.push_str(&format!(
            "  {} of {} values of {tile} differ there ({formats}, tolerance: {})\n",
            found.differing, found.total, self.tolerance
        ));
        text
    }

    /// `a.pto:12:3, block 0, core 0, execution 2`.
    fn position(&self, ran: &Ran<'_>, entry: &Entry<'_>) -> String {
        let at = place(&ran.subject.text, entry.position);
        let core = core_text(entry.core, ran.ranks.len());
        format!("{at}, {core}, execution {}", execution(&ran.outcome.log, entry))
    }

    /// A line for each entry of a change.
    fn change(&self, change: Change) -> String {
        let (a, b) = change.entries();
        let line = |sign: char, ran: &'a Ran<'a>, number: Option<u64>| {
            let entry = number.and_then(|number| Report::entry(ran, number));
            entry.map_or(String::new(), |entry| {
                let at = place(&ran.subject.text, entry.position);
                let core = core_text(entry.core, ran.ranks.len());
                format!("{sign} {at} `{}` on {}{}, {core}\n", entry.name, entry.pipe.word(), effect(&entry))
            })
        };
        line('-', self.a, a) + &line('+', self.b, b)
    }

    fn output(&self, comparison: &Comparison) -> String {
        let kind = format!(
            "{} of {}, tolerance: {}",
            shape_text(&comparison.shape),
            dtype::word(comparison.element),
            comparison.tolerance
        );
        let (Some(first), Some(worst)) = (&comparison.first, &comparison.worst) else {
            return format!("all {} values agree ({kind})", comparison.total);
        };
        let (a, b) = self.names();
        let one = |mismatch: &Mismatch| {
            format!("{}: {} in {a}, {} in {b}", mismatch.index, mismatch.want, mismatch.got)
        };
        let mut text = format!(
            "{} of {} values differ ({kind})\n  first at {}",
            comparison.mismatches,
            comparison.total,
            one(first)
        );
        if worst.position != first.position {
            text.push_str(&format!("\n  worst at {}", one(worst)));
        }
        text
    }

    pub(super) fn to_json(&self) -> Json {
        let Summary { pairs, elsewhere, counts, .. } = self.summary;
        let (a, b) = self.names();
        let mut report = json!({
            "a": a,
            "b": b,
            "differs": self.differs(),
            "tolerance": { "atol": self.tolerance.atol, "rtol": self.tolerance.rtol, "ulp": self.tolerance.ulp },
            "entries": { "a": self.a.outcome.log.len(), "b": self.b.outcome.log.len() },
            "aligned": pairs,
            "at_other_addresses": elsewhere,
            "first": self.first.as_ref().map(|found| self.difference_to_json(found)),
            "outputs": self.outputs.iter().map(output_to_json).collect::<Vec<_>>(),
        });
        for ((word, count), shown) in Summary::WORDS.iter().zip(counts).zip(self.summary.shown()) {
            let shown = shown.iter().map(|group| {
                let (a, b) = group.first.entries();
                let entry = |ran, number: Option<u64>| Some(entry_to_json(&Report::entry(ran, number?)?));
                json!({ "count": group.count, "a": entry(self.a, a), "b": entry(self.b, b) })
            });
            report[*word] = json!({ "count": count, "places": shown.collect::<Vec<_>>() });
        }
        report
    }

    fn difference_to_json(&self, found: &Difference) -> Json {
        let side = |ran: &'a Ran<'a>, number, name: &str, format: &str, value: &Option<String>| {
            let entry = Report::entry(ran, number)?;
            let mut side = entry_to_json(&entry);
            side["execution"] = execution(&ran.outcome.log, &entry).into();
            side["destination"] = name.into();
            side["dtype"] = format.into();
            side["value"] = value.clone().into();
            Some(side)
        };
        let (row, column) = found.place;
        json!({
            "row": found.has_rows.then_some(row),
            "column": column,
            "ulp": found.ulp,
            "differing": found.differing,
            "total": found.total,
            "a": side(self.a, found.entries.0, &found.names.0, found.formats.0, &found.values.0),
            "b": side(self.b, found.entries.1, &found.names.1, found.formats.1, &found.values.1),
        })
    }
}

/// Whether a word is that of an integer format.
fn is_integer(word: &str) -> bool {
    word.starts_with(['i', 'u'])
}

/// What an entry does, in few words: its synchronization, or its destinations.
fn effect(entry: &Entry<'_>) -> String {
    if !entry.is_instruction() {
        return format!(": {}", entry.action);
    }
    let written = entry.operands.iter().filter(|operand| operand.usage.changes());
    let names: Vec<_> = written.map(|operand| format!("%{} {}", operand.name, operand.area)).collect();
    if names.is_empty() { String::new() } else { format!(" writes {}", names.join(", ")) }
}

fn entry_to_json(entry: &Entry<'_>) -> Json {
    json!({
        "line": entry.position.line,
        "column": entry.position.column,
        "rank": entry.core.rank,
        "block": entry.core.block,
        "core": entry.core.kind.word(),
        "vector_core": entry.core.vector_core,
        "pipe": entry.pipe.word(),
        "operation": entry.name,
        "effect": effect(entry).trim_start_matches([':', ' ']),
        "log": entry.to_string(),
    })
}

fn output_to_json(output: &OutputPair) -> Json {
    let Comparison { mismatches, total, first, worst, shape, .. } = &output.comparison;
    let one = |mismatch: &Option<Mismatch>| {
        let mismatch = mismatch.as_ref()?;
        Some(json!({ "index": mismatch.index, "a": mismatch.want, "b": mismatch.got }))
    };
    json!({
        "name": output.name,
        "dtype": dtype::word(output.comparison.element),
        "shape": shape,
        "differing": mismatches,
        "total": total,
        "first": one(first),
        "worst": one(worst),
    })
}
