//! Types that are written where a value is used.

use super::Parser;
use crate::ir::{Type, TypeId, Value, ValueId};
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::difference::difference;
use pto_isa::rules;

impl Parser<'_> {
    /// Compares a type written at a use with the value's type.
    pub(super) fn agree(&mut self, value: ValueId, written: TypeId, span: Span) {
        let actual = self.type_of(value);
        if actual == self.poison && written != self.poison {
            // The value is not yet defined: its definition must agree with this type.
            if let Some(span) = self.scope().forward.first_use(value) {
                let name = self.name_of(value).to_owned();
                self.scope().function.values[value] = Value { name, ty: written, span };
            }
            return;
        }
        if actual == written || actual == self.poison || written == self.poison {
            return;
        }
        if let (Type::TensorView { shape, element }, Type::TensorView { shape: old, element: same }) =
            (&self.module.types[actual], &self.module.types[written])
            && element == same
            && old.as_slice() == [Some(shape.len() as u64)]
        {
            return;
        }
        self.mistyped = Some((value, written));
        let name = self.name_of(value);
        let (of_value, of_text) = (&self.module.types[actual], &self.module.types[written]);
        let text = |ty: TypeId| crate::text::printer::type_text(&self.module.types, ty);
        let fields = difference(of_value, of_text);
        let message = match &fields {
            Some(fields) => {
                format!("the type of `%{name}` and the one that is written here differ in {fields}")
            }
            None => format!("`%{name}` has type `{}`, but `{}` is written here", text(actual), text(written)),
        };
        let help = match (of_value, of_text) {
            (Type::Scalar(from), Type::Scalar(to)) => from.converted(name, *to),
            _ => None,
        };
        let notes = fields.map(|_| format!("`%{name}` has type `{}`", self.type_name(actual)));
        let defined = self.function.as_ref().map_or(span, |scope| scope.function.values[value].span);
        let mut error = Diagnostic::error(&rules::text::TYPE_MISMATCH, message).at(span);
        error = error.with_label(defined, "defined here");
        error.notes.extend(notes);
        self.report(match help {
            Some(help) => error.with_help(help),
            None => error,
        });
    }
}
