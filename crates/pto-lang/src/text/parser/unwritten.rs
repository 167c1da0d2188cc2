//! Errors where the text omits a required part of the grammar: the types of operands, the constant for a number, the
//! value for a part of a view.

use super::{Parse, Parser};
use crate::ir::{Operand, Type};
use crate::text::cursor::Token;
use pto_isa::diag::Span;

impl<'a> Parser<'a> {
    /// Expects the colon between operands and their types.
    pub(super) fn expect_types(&mut self, operands: &[Operand]) -> Parse<()> {
        match (self.token(), operands) {
            (Token::Punct(')'), [_, ..]) => self.untyped(operands),
            (Token::Punct('['), [.., last]) => self.no_part(last),
            (Token::Value(_), [_, ..]) => self.missing(',', "`,` or `:`"),
            _ => self.expect(':'),
        }
    }

    /// Reports a separator that is missing between two parts of a list; the fix adds it.
    pub(super) fn missing<T>(&mut self, separator: char, wanted: &str) -> Parse<T> {
        if self.is_on_next_line() {
            return self.unexpected(wanted);
        }
        let end = self.cursor.previous_end() as u32;
        let text = if separator == ',' { ",".to_owned() } else { format!(" {separator}") };
        let error = self.expected(wanted).with_help(format!("add the missing `{separator}`"));
        self.fail(error.with_edit(Span::new(end, end), text))
    }

    /// Reports operands without types; the fix adds them if all are known.
    fn untyped(&mut self, operands: &[Operand]) -> Parse<()> {
        let end = self.cursor.previous_end() as u32;
        let types: Option<Vec<String>> = operands.iter().map(|operand| self.type_in_words(operand)).collect();
        let names: Vec<String> =
            operands.iter().map(|operand| format!("`%{}`", self.name_of(operand.value))).collect();
        let noun = if names.len() == 1 { "type" } else { "types" };
        let error = self.expected(&format!("`:` and the {noun} of {}", names.join(", ")));
        self.fail(match types {
            Some(types) => {
                let missing = format!(" : {}", types.join(", "));
                error
                    .with_help(format!("write the {noun}: `{}`", missing.trim_start()))
                    .with_edit(Span::new(end, end), missing)
            }
            None => error.with_help("write the types: `: <type>`, one for each operand, separated by commas"),
        })
    }

    /// Reports offsets after an operand: a part of a tile or of a view is a value with a name.
    fn no_part(&mut self, operand: &Operand) -> Parse<()> {
        let name = self.name_of(operand.value);
        let ty = self.type_of(operand.value);
        let part = match self.module.types[ty] {
            Type::Tile(_) => {
                format!(
                    "%part = pto.subview %{name}[%row, %col] sizes [<rows>, <columns>] : <type> -> <type>"
                )
            }
            _ => format!(
                "%part = pto.partition_view %{name}, offsets = [%row, %col], sizes = [%rows, %cols] : <type> -> <type>"
            ),
        };
        let error = self.expected("`:`");
        self.fail(error.with_help(format!("name the part first, and write `%part` here: `{part}`")))
    }

    /// Reports that an operand is not a value; a number needs a constant.
    pub(super) fn no_value<T>(&mut self) -> Parse<T> {
        let wanted = "a value such as `%a`";
        let (text, ty) = match self.token() {
            Token::Integer(text) => (text, "index"),
            Token::Float(text) => (text, "f32"),
            Token::Word(word) if self.scope().names.contains_key(&(word, 0)) => {
                let (span, name) = (self.span(), format!("%{word}"));
                let error = self.expected(wanted).with_help(format!("write `{name}`")).with_edit(span, name);
                return self.fail(error);
            }
            _ => return self.unexpected(wanted),
        };
        let error = self.expected(wanted);
        let known = text.parse::<u64>().ok().and_then(|number| self.constant_named(number));
        let error = match known {
            Some(name) => {
                let name = format!("%{name}");
                let span = self.span();
                error.with_help(format!("write `{name}`, which has this value")).with_edit(span, name)
            }
            None => {
                let letters = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
                let name = format!("%c{}", text.chars().map(letters).collect::<String>());
                error.with_help(format!(
                    "define `{name} = arith.constant {text} : {ty}` before, and write `{name}` here"
                ))
            }
        };
        self.fail(error)
    }

    /// The first name in the alphabet that a constant index of a value has here.
    fn constant_named(&mut self, number: u64) -> Option<String> {
        let index = self.module.types.scalar(crate::ir::Scalar::Index);
        let scope = self.scope();
        let names = &scope.names;
        let visible = |value: crate::ir::ValueId| {
            let name = scope.function.values[value].name.as_str();
            names.get(&(name, 0)) == Some(&value)
        };
        let same = scope.constants.iter().filter(|(value, known)| {
            **known == number && scope.function.values[**value].ty == index && visible(**value)
        });
        same.map(|(value, _)| scope.function.values[*value].name.clone()).min()
    }
}
