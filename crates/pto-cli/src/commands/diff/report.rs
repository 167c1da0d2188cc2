//! The report of `pto diff`, as text and as data.

use super::outputs::OutputPair;
use super::summary::{Change, Summary, more};
use super::values::Difference;
use super::{Ran, Text};
use crate::report;
use pto::data::{Comparison, Mismatch, Tolerance, dtype, shape_text, value_text};
use pto::log::{Core, Entry, Log, Position};

/// Result of the comparison of two programs.
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

    /// Whether a run has entries that are not compared.
    fn is_cut(&self) -> bool {
        self.a.log.left_out() > 0 || self.b.log.left_out() > 0
    }

    fn names(&self) -> (&str, &str) {
        (&self.a.subject.text.name, &self.b.subject.text.name)
    }

    /// An entry of one of the programs.
    fn entry(ran: &'a Ran<'a>, number: u64) -> Option<Entry<'a>> {
        ran.log.get(number as usize)
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
        for ran in [self.a, self.b].into_iter().filter(|ran| ran.log.left_out() > 0) {
            let (kept, left_out) = (ran.log.len(), ran.log.left_out());
            let name = &ran.subject.text.name;
            text.push_str(&format!(
                "only the first {kept} entries of {name} are compared, the {left_out} after them are not\n"
            ));
        }
        text
    }

    fn agreement(&self) -> String {
        let Summary { pairs, .. } = self.summary;
        let (a, b) = (self.a.log.len(), self.b.log.len());
        let what = if self.tolerance.is_exact() { "" } else { " by more than the tolerance" };
        if self.summary.has_changes() {
            return format!("no value differs{what}: {pairs} entries are aligned, of {a} and {b}\n");
        }
        let of =
            if self.is_cut() { format!("of the first {a} and {b}") } else { "all of both programs".into() };
        format!("no value differs{what}: {pairs} entries are aligned, {of}\n")
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
        let value = |format, bits: Option<u64>| {
            bits.map_or_else(|| "not written".to_owned(), |bits| value_text(format, bits))
        };
        let ulp = found.ulp.map_or(String::new(), |ulp| match found.formats.0 {
            format if format.is_integer() => format!(", off by {ulp}"),
            _ => format!(", {ulp} ulp apart"),
        });
        let formats = match found.formats {
            (x, y) if x == y => dtype::word(x).to_owned(),
            (x, y) => format!("{} and {}", dtype::word(x), dtype::word(y)),
        };
        let mut text = format!(
            "first difference: {by} {tile}; element {} is {} in {a}, {} in {b}{ulp}\n",
            found.index(),
            value(found.formats.0, found.values.0),
            value(found.formats.1, found.values.1),
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
        let core = core_text(entry.core, ran.launch.ranks.len());
        format!("{at}, {core}, execution {}", execution(&ran.log, entry))
    }

    /// A line for each entry of a change.
    fn change(&self, change: Change) -> String {
        let (a, b) = change.entries();
        let line = |sign: char, ran: &'a Ran<'a>, number: Option<u64>| {
            let entry = number.and_then(|number| Report::entry(ran, number));
            entry.map_or(String::new(), |entry| {
                let at = place(&ran.subject.text, entry.position);
                let core = core_text(entry.core, ran.launch.ranks.len());
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

    /// The report as data.
    pub(super) fn of_both(&self) -> report::DiffReport {
        let (a, b) = self.names();
        report::DiffReport {
            a: a.to_owned(),
            b: b.to_owned(),
            differs: self.differs(),
            tolerance: self.tolerance.into(),
            alignment: self.summary.alignment(
                self.a.log.len() as u64,
                self.b.log.len() as u64,
                |number| Some(data_of(&Report::entry(self.a, number)?)),
                |number| Some(data_of(&Report::entry(self.b, number)?)),
            ),
            left_out: report::Sides { a: self.a.log.left_out(), b: self.b.log.left_out() },
            first: self.first.as_ref().map(|found| self.first_of_both(found)),
            outputs: self.outputs.iter().map(OutputPair::report).collect(),
        }
    }

    fn first_of_both(&self, found: &Difference) -> report::FirstDifference {
        let side = |ran: &'a Ran<'a>, number, name: &str, format, bits: Option<u64>| {
            let entry = Report::entry(ran, number)?;
            Some(report::Wrote {
                execution: execution(&ran.log, &entry),
                destination: name.to_owned(),
                dtype: dtype::word(format),
                value: bits.map(|bits| report::Number::of_bits(format, bits)),
                entry: data_of(&entry),
            })
        };
        let (row, column) = found.place;
        report::FirstDifference {
            row: found.has_rows.then_some(row),
            column,
            ulp: found.ulp,
            differing: found.differing,
            total: found.total,
            a: side(self.a, found.entries.0, &found.names.0, found.formats.0, found.values.0),
            b: side(self.b, found.entries.1, &found.names.1, found.formats.1, found.values.1),
        }
    }
}

/// Action of an entry in a few words: its synchronization, or its destinations.
fn effect(entry: &Entry<'_>) -> String {
    if !entry.is_instruction() {
        return format!(": {}", entry.action);
    }
    let written = entry.operands.iter().filter(|operand| operand.usage.changes());
    let names: Vec<_> = written.map(|operand| format!("%{} {}", operand.name, operand.area)).collect();
    if names.is_empty() { String::new() } else { format!(" writes {}", names.join(", ")) }
}

fn data_of(entry: &Entry<'_>) -> report::Entry {
    report::Entry {
        line: entry.position.line,
        column: entry.position.column,
        rank: entry.core.rank,
        block: entry.core.block,
        core: entry.core.kind.word(),
        vector_core: entry.core.vector_core,
        pipe: entry.pipe.word(),
        operation: entry.name.to_owned(),
        effect: effect(entry).trim_start_matches([':', ' ']).to_owned(),
        log: entry.to_string(),
    }
}
