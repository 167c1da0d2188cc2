//! The findings of the launches of a sequence.

use super::words::Finding;
use pto_isa::diag::{Diagnostic, Span};

/// Findings of launches with the numbers of their kernels, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Findings(Vec<(usize, Diagnostic)>);

impl Findings {
    /// Adds the findings of a launch, with a note that names the launch. Launches are often repeated: a finding with the
    /// rule and the place of a known finding of the kernel is left out.
    pub fn add(&mut self, kernel: usize, launch: &str, findings: Vec<Diagnostic>) {
        let place = |finding: &Diagnostic| finding.primary.as_ref().map(|label| label.span);
        for finding in findings {
            let is_known = |known: &Diagnostic| known.rule == finding.rule && place(known) == place(&finding);
            if !self.of(kernel).any(is_known) {
                self.push(kernel, finding.with_note(format!("in launch `{launch}`")));
            }
        }
    }

    /// Adds a finding as it is.
    pub fn push(&mut self, kernel: usize, finding: Diagnostic) {
        self.0.push((kernel, finding));
    }

    /// The findings in a kernel.
    pub fn of(&self, kernel: usize) -> impl Iterator<Item = &Diagnostic> {
        self.iter().filter(move |(number, _)| *number == kernel).map(|(_, finding)| finding)
    }

    /// All findings, with the numbers of their kernels.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Diagnostic)> {
        self.0.iter().map(|(kernel, finding)| (*kernel, finding))
    }
}

impl Finding {
    /// The finding as one of the kernel of [`Finding::launch`], with a note about the other launch. `place` gives a location in
    /// the text of a kernel as `file:line`.
    pub fn noted(self, place: impl FnOnce(usize, Span) -> String) -> Diagnostic {
        let Some((other, what)) = self.other else { return self.diagnostic };
        let place = other.span.map_or(String::new(), |span| format!(": {}", place(other.kernel, span)));
        self.diagnostic.with_note(format!("`{}` {what}{place}", other.launch))
    }
}
