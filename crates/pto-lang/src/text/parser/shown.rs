//! The form of an operation, as part of the errors inside it.

use super::Parser;
use crate::text::form;
use pto_isa::diag::Diagnostic;
use pto_isa::rule::RuleId;
use pto_isa::rules;

/// Most forms in one error.
const MOST_FORMS: usize = 2;

impl Parser<'_> {
    /// Adds the form of the current operation to its syntax errors, which are those since the last call. To be called before
    /// the operations of a region are parsed, which have forms of their own, and at the end.
    pub(super) fn show_form(&mut self) {
        let from = self.shown.min(self.diagnostics.len());
        self.shown = self.diagnostics.len();
        let Some(op) = self.named else { return };
        let is_syntax = |finding: &&mut Diagnostic| finding.rule == RuleId::from(&rules::text::SYNTAX);
        let mut wrong = self.diagnostics[from..].iter_mut().filter(is_syntax).peekable();
        if wrong.peek().is_none() {
            return;
        }
        let forms = form::forms(op);
        // The program has its own alias of some names.
        let aliases = &self.type_aliases;
        let is_unknown = |definition: &String| {
            let name = definition.trim_start_matches('!').split(' ').next().unwrap_or_default();
            !aliases.contains_key(name)
        };
        let help = |most: usize| {
            let shown = &forms[..forms.len().min(most)];
            let mut help: Vec<String> = shown.iter().map(|form| format!("its form is `{form}`")).collect();
            let aliases: Vec<String> = form::definitions(&shown.join(" ")).filter(is_unknown).collect();
            if let (Some(last), false) = (help.last_mut(), aliases.is_empty()) {
                last.push_str(&format!(", for example with `{}`", aliases.join("`, `")));
            }
            help
        };
        for finding in wrong {
            // Where an edit corrects the text, one form shows where it belongs.
            if !finding.edits.is_empty() {
                finding.help.extend(help(1));
                continue;
            }
            finding.help.extend(help(MOST_FORMS));
            if forms.len() > MOST_FORMS {
                finding.help.push(format!("`pto explain {}` shows all its forms", op.page().name));
            }
        }
    }
}
