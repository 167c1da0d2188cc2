//! Comparison of an argument with its expected values, and the instruction that wrote the first wrong one.

use crate::render::SourceText;
use crate::report::{self, Compared};
use pto::data::{Array, Comparison, DataError, Expected, Tolerance, compare_expected};
use pto::diag::Diagnostic;
use pto::isa::rules::run::MISMATCH;
use pto::launch::Launch;
use pto::observe::{Tracer, Writer, Writes};

/// Lookup of the last write of a byte of a buffer.
#[derive(Clone, Copy)]
pub(super) enum LastWrite<'a> {
    /// Nowhere.
    Unknown,
    /// In another run of the launch.
    Again(&'a Launch<'a>),
    /// Among the writes of the launch, of a kernel that cannot run again.
    Kept(&'a Writes),
}

impl<'a> LastWrite<'a> {
    /// In another run of a launch, if there is one.
    pub(super) fn of(again: Option<&'a Launch<'a>>) -> LastWrite<'a> {
        again.map_or(LastWrite::Unknown, LastWrite::Again)
    }

    /// The last write of a byte; `None` if it cannot be found, `None` within if no tile instruction wrote the byte.
    fn find(self, buffer: usize, byte: u64) -> Option<Option<Writer>> {
        match self {
            LastWrite::Unknown => None,
            LastWrite::Again(Launch { program, ranks, options, .. }) => {
                let mut tracer = Tracer::new(buffer, byte);
                program.launch_ranks(ranks.clone(), options, &mut [&mut tracer]).ok()?;
                Some(tracer.into_writer())
            }
            LastWrite::Kept(writes) => writes.last(buffer, byte).map(Option::<&Writer>::cloned),
        }
    }
}

/// A comparison of an argument.
pub(super) struct Expectation {
    name: String,
    got: Array,
    want: Expected,
    comparison: Comparison,
    /// The last writer of the first mismatch, if there is a mismatch whose writer was searched. `None` within: no tile
    /// instruction wrote it.
    writer: Option<Option<Writer>>,
}

impl Expectation {
    /// Compares an argument. `buffer` is its number among the buffers of the launch, for the writer of the first mismatch.
    ///
    /// # Errors
    /// Arrays of another format or number of values.
    pub(super) fn of(
        name: &str,
        got: Array,
        want: impl Into<Expected>,
        tolerance: &Tolerance,
        buffer: usize,
        last: LastWrite<'_>,
    ) -> Result<Expectation, DataError> {
        let bits = u64::from(got.element().value_bits());
        Expectation::at(name, got, want, tolerance, buffer, &|position| position as u64 * bits / 8, last)
    }

    /// Compares an argument whose values are at other places of the buffer: `byte` has the place of each.
    ///
    /// # Errors
    /// Arrays of another format or number of values.
    pub(super) fn at(
        name: &str,
        got: Array,
        want: impl Into<Expected>,
        tolerance: &Tolerance,
        buffer: usize,
        byte: &dyn Fn(usize) -> u64,
        last: LastWrite<'_>,
    ) -> Result<Expectation, DataError> {
        let want = want.into();
        let comparison = compare_expected(&got, &want, tolerance)
            .map_err(|error| DataError::new(format!("argument `{name}`: {error}")))?;
        let writer = comparison.first.as_ref().and_then(|first| last.find(buffer, byte(first.position)));
        Ok(Expectation { name: name.to_owned(), got, want, comparison, writer })
    }

    pub(super) fn passed(&self) -> bool {
        self.comparison.passed()
    }

    /// The result, and for a mismatch the writer.
    pub(super) fn text(&self, source: &SourceText<'_>) -> String {
        let mut text = format!("{}: {}\n", self.name, self.comparison);
        match &self.writer {
            Some(Some(Writer { name, span, block, .. })) => {
                let (file, line) = (source.name_of(Some(*span)), source.position(span.start as usize).line);
                text += &format!(
                    "  the first one was written last by `{name}` at {file}:{line}, block {block}\n"
                );
            }
            Some(None) => text += "  no tile instruction wrote the first one\n",
            None => {}
        }
        text
    }

    /// The finding for a mismatch, at the instruction that wrote the value.
    pub(super) fn finding(&self) -> Option<Diagnostic> {
        let Comparison { mismatches, total, .. } = self.comparison;
        if self.passed() {
            return None;
        }
        let message = format!("`{}`: {mismatches} of {total} values are not the expected ones", self.name);
        let mut finding = Diagnostic::error(&MISMATCH, message);
        // The first line contains the number of values that differ.
        for line in self.comparison.to_string().lines().skip(1) {
            finding = finding.with_note(line.trim());
        }
        finding = finding.with_note(format!("tolerance: {}", self.comparison.tolerance));
        Some(match &self.writer {
            Some(Some(writer)) => {
                finding.at_with(writer.span, format!("block {} wrote the first of them here", writer.block))
            }
            Some(None) => finding.with_note("no tile instruction wrote the first of them"),
            None => finding,
        })
    }

    /// The comparison in a report.
    pub(super) fn report(&self, source: &SourceText<'_>) -> Compared {
        let writer = self.writer.as_ref().and_then(Option::as_ref).map(|writer| report::Writer {
            instruction: writer.name.clone(),
            line: source.position(writer.span.start as usize).line,
            rank: writer.rank,
            block: writer.block,
        });
        Compared::of(&self.name, &self.comparison, &self.got, self.want.array(), writer)
    }
}
