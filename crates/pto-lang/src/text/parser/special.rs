//! Infinities and NaN: the grammar writes them as the bits of the float, programs of other languages as words.

use super::{Parse, Parser};
use crate::ir::{Attribute, Scalar, Type};
use crate::text::cursor::Token;
use pto_isa::Element;
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::rules;

/// Whether a word is an infinity or NaN in other languages.
pub(super) fn is_special(word: &str) -> bool {
    value_of(word).is_some()
}

fn value_of(word: &str) -> Option<f64> {
    match word.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => Some(f64::INFINITY),
        "nan" => Some(f64::NAN),
        _ => None,
    }
}

impl Parser<'_> {
    /// Reports letters at the end of a number, as in `1.0f`, and skips them.
    pub(super) fn skip_suffix(&mut self) {
        let Token::Word(word) = self.token() else { return };
        if self.cursor.start() == self.cursor.previous_end() {
            let span = self.span();
            let error =
                Diagnostic::error(&rules::text::SYNTAX, format!("`{word}` is no part of a number")).at(span);
            let help = "a number has no suffix: its type follows after `:`, as in `1.0 : f32`";
            self.report(error.with_help(help).with_edit(span, ""));
            self.advance();
        }
    }

    /// Parses the current word and an optional type, and reports how the float is written. `sign` is the span of the word
    /// or of the sign before it.
    pub(super) fn parse_special(&mut self, sign: Span, negative: bool) -> Parse<Attribute> {
        let span = sign.to(self.span());
        let text = &self.cursor.source()[self.cursor.start()..span.end as usize];
        let value = value_of(text).map_or(f64::NAN, |value| if negative { -value } else { value });
        self.advance();
        let ty = match self.eat(':') {
            true => self.parse_type()?,
            false => self.module.types.scalar(Scalar::Number(Element::F32)),
        };
        let span = self.since(span.start as usize);
        let element = match self.module.types[ty] {
            Type::Scalar(Scalar::Number(element)) => Some(element),
            _ => None,
        };
        let Some((element, bits)) = element.and_then(|element| Some((element, bits_of(element, value)?)))
        else {
            let message =
                format!("`{}` has no such value", crate::text::printer::type_text(&self.module.types, ty));
            return self.fail(Diagnostic::error(&rules::values::CONSTANT, message).at(span));
        };
        let digits = element.bits() as usize / 4;
        let word = Scalar::Number(element).word();
        let written = format!("0x{bits:0digits$X} : {word}");
        let message = "an infinity or NaN is written as its bits";
        let error = Diagnostic::error(&rules::text::SYNTAX, message).at(span);
        self.report(error.with_help(format!("write `{written}`")).with_edit(span, written));
        Ok(Attribute::Integer(bits.into(), Some(ty)))
    }
}

/// The bits of an infinity or NaN in a format; `None` if the format does not have the value.
fn bits_of(element: Element, value: f64) -> Option<u64> {
    if !element.is_float() {
        return None;
    }
    let bits = element.encode(value, pto_num::Rounding::NearestEven, pto_num::Overflow::Ieee);
    let back = element.decode(bits);
    (back == value || back.is_nan() && value.is_nan()).then_some(bits)
}
