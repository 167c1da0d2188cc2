//! Errors on names of values: names that nothing defines, and names that are defined twice.

use super::Parser;
use crate::ir::ValueId;
use pto_isa::diag::{Diagnostic, Span, nearest, suggest};
use pto_isa::rules;

impl Parser<'_> {
    /// Reports second definitions of a name; and, unless the function could not be parsed, names without a definition.
    pub(super) fn report_names(&mut self, whole: bool) {
        let scope = self.scope();
        let mut redefined = std::mem::take(&mut scope.redefined);
        let forward = std::mem::take(&mut scope.forward);
        let undefined: Vec<(ValueId, Span)> = if whole { forward.undefined().collect() } else { Vec::new() };
        for (value, span) in &undefined {
            if self.stop {
                // No further errors are reported, so the search for similar names would be wasted.
                break;
            }
            if !self.explain_redefinition(&mut redefined, *value, *span) {
                self.report_undefined(*value, *span, &undefined);
            }
        }
        for (_, finding) in redefined {
            self.report(finding);
        }
    }

    /// Explains an undefined name by the only second definition with a similar name: they are one mistake.
    fn explain_redefinition(
        &mut self,
        redefined: &mut [(ValueId, Diagnostic)],
        value: ValueId,
        span: Span,
    ) -> bool {
        let name = self.name_of(value);
        let is_near = |(other, _): &&mut (ValueId, Diagnostic)| {
            nearest(name, std::iter::once(self.name_of(*other))).is_some()
        };
        let mut near = redefined.iter_mut().filter(is_near);
        let (Some((_, finding)), None) = (near.next(), near.next()) else { return false };
        let Some(at) = finding.primary.as_ref().map(|label| label.span).filter(|_| finding.edits.is_empty())
        else {
            return false;
        };
        finding
            .secondary
            .push(pto_isa::diag::Label { span, message: format!("`%{name}` is used, but not defined") });
        finding.help.push(format!("define `%{name}` here"));
        *finding = finding.clone().with_edit(at, format!("%{name}"));
        true
    }

    fn report_undefined(&mut self, value: ValueId, span: Span, undefined: &[(ValueId, Span)]) {
        let shown = format!("%{}", self.name_of(value));
        let error =
            Diagnostic::error(&rules::names::UNDEFINED_VALUE, format!("`{shown}` is not defined")).at(span);
        let values = &self.scope().function.values;
        let is_defined =
            |id: ValueId| undefined.binary_search_by_key(&id.index(), |(value, _)| value.index()).is_err();
        let known: Vec<_> = values.iter().filter(|(id, _)| is_defined(*id)).map(|(_, value)| value).collect();
        let elsewhere = known.iter().find(|known| known.name == shown[1..]).map(|known| known.span);
        if let Some(elsewhere) = elsewhere {
            let label = format!("`{shown}` is defined here, in a region that the use is not in");
            return self.report(error.with_label(elsewhere, label).with_help(format!(
                "a value exists up to the `}}` of its region: define `{shown}` before the region, or let the region return it \
                 with `scf.yield`"
            )));
        }
        let known: Vec<String> = known.iter().map(|value| format!("%{}", value.name)).collect();
        // The span of a packed value also contains its index.
        let whole = (span.end - span.start) as usize == shown.len();
        let known = known.iter().map(String::as_str);
        let mut error = suggest(error, whole.then_some(span), &shown, known);
        if let Some((function, other)) =
            self.value_of_other_function(&shown[1..]).filter(|_| error.help.is_empty())
        {
            error = error.with_label(other, format!("`{shown}` is a value of `@{function}`"));
            error = error
                .with_help(format!("a function knows its own values only: pass `{shown}` as an argument"));
        }
        self.report(error);
    }

    /// The first function before this one that has a value of this name, and where it is defined.
    fn value_of_other_function(&self, name: &str) -> Option<(&str, Span)> {
        let functions = self.module.functions.iter().map(|(_, function)| function);
        functions
            .filter_map(|function| {
                let (_, value) = function.values.iter().find(|(_, value)| value.name == name)?;
                Some((function.name.as_str(), value.span))
            })
            .next()
    }
}
