//! Types that are written where a value is used.

use super::Parser;
use crate::ir::{Type, TypeId, Value, ValueId};
use pto_isa::diag::{Diagnostic, Span};
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
        let message = format!(
            "`%{}` has type `{}`, but `{}` is written here",
            self.name_of(value),
            crate::text::printer::type_text(&self.module.types, actual),
            crate::text::printer::type_text(&self.module.types, written),
        );
        let defined = self.scope().function.values[value].span;
        let help = match (&self.module.types[actual], &self.module.types[written]) {
            (Type::Scalar(from), Type::Scalar(to)) => from.converted(self.name_of(value), *to),
            _ => None,
        };
        let error = Diagnostic::error(&rules::text::TYPE_MISMATCH, message).at(span);
        let error = error.with_label(defined, "defined here");
        self.report(match help {
            Some(help) => error.with_help(help),
            None => error,
        });
    }
}
