//! Operations whose syntax is a pattern.

use super::operation::{Target, push_attribute};
use super::words::Place;
use super::{Failed, Parse, Parser};
use crate::ir::{Attribute, EnumSpelling, OperandGroup, Operation, TypeId};
use crate::text::cursor::Token;
use crate::text::pattern::Piece;
use pto_isa::diag::Diagnostic;
use pto_isa::op::attribute::AttributeKind;

impl<'a> Parser<'a> {
    pub(super) fn parse_patterns(
        &mut self,
        patterns: &'static [Vec<Piece>],
        operation: Operation,
        start: usize,
        targets: &[Target<'a>],
    ) -> Parse<()> {
        let mut furthest: Option<(u32, Vec<Diagnostic>)> = None;
        for (variant, pattern) in patterns.iter().enumerate() {
            let attempt = self.attempt(|parser| {
                let mut operation = Operation { variant: variant as u8, ..operation.clone() };
                let types = parser.parse_pattern(pattern, &mut operation)?;
                parser.at_end_of_operation()?;
                Ok((operation, types))
            });
            match attempt {
                Ok((operation, types)) => return self.finish(operation, start, targets, &types),
                Err(found) => {
                    let reach =
                        found.last().and_then(|d| d.primary.as_ref()).map_or(0, |label| label.span.start);
                    if furthest.as_ref().is_none_or(|(best, _)| reach > *best) {
                        furthest = Some((reach, found));
                    }
                }
            }
        }
        for diagnostic in furthest.map(|(_, found)| found).unwrap_or_default() {
            self.report(diagnostic);
        }
        Err(Failed)
    }

    /// Fails unless an operation may end here: detects that a shorter pattern matched the beginning of a longer
    /// one.
    fn at_end_of_operation(&mut self) -> Parse<()> {
        let here = self.cursor.start();
        let between = &self.cursor.source()[self.cursor.previous_end().min(here)..here];
        let ends = match self.token() {
            Token::End | Token::Block(_) | Token::Punct('}') | Token::Word("loc") | Token::Value(_) => true,
            Token::Text(_) | Token::Word(_) => true,
            _ => between.contains('\n') && !matches!(self.token(), Token::Punct(_) | Token::Arrow),
        };
        if ends { Ok(()) } else { self.unexpected("the end of the operation") }
    }

    /// Parses a pattern; returns the types of the results.
    fn parse_pattern(&mut self, pattern: &[Piece], operation: &mut Operation) -> Parse<Vec<TypeId>> {
        let mut results = Vec::new();
        self.mistyped = None;
        for piece in pattern {
            self.parse_piece(piece, operation, &mut results)?;
        }
        Ok(results)
    }

    /// Reports that a word of an enumeration is expected, and lists the words.
    fn unnamed<T>(&mut self, operation: &Operation, name: &str) -> Parse<T> {
        let error = self.expected(&format!("a {name}"));
        let spec = operation.op().and_then(|op| op.page().attribute(name));
        self.fail(match spec.map(|spec| spec.kind) {
            Some(AttributeKind::Words(_, words)) => {
                error.with_help(format!("a {name} is one of {}", words.join(", ")))
            }
            _ => error,
        })
    }

    fn parse_piece(
        &mut self,
        piece: &Piece,
        operation: &mut Operation,
        results: &mut Vec<TypeId>,
    ) -> Parse<()> {
        let start = self.cursor.start();
        match *piece {
            Piece::Word(word) => self.expect_word(word)?,
            Piece::Punct(character) => self.expect(character)?,
            Piece::Arrow => self.expect_arrow()?,
            Piece::Operand(role) => {
                let operand = self.operand(role, OperandGroup::In)?;
                operation.operands.push(operand);
            }
            Piece::Operands(role) => {
                while let Token::Value(_) | Token::Integer(_) | Token::Float(_) = self.token() {
                    let operand = self.operand(role, OperandGroup::In)?;
                    operation.operands.push(operand);
                    if !self.at(',') || !self.next_is_value() {
                        break;
                    }
                    self.advance();
                }
            }
            Piece::TypeOf(role) => self.parse_operand_types(operation, role, 1)?,
            Piece::TypesOf(role) => {
                let count = operation.operands_in(role).count();
                self.parse_operand_types(operation, role, count)?;
            }
            Piece::ResultType => {
                results.push(self.parse_type()?);
                operation.type_span = self.since(start);
            }
            Piece::ResultTypes => *results = self.parse_type_or_list()?,
            Piece::SameType(role) => {
                let value = operation.operand(role).map(|operand| operand.value);
                // If the written type is another, the result has that one: the mistake is reported once.
                let written = self.mistyped.filter(|(known, _)| Some(*known) == value);
                let own = |value| written.map_or_else(|| self.type_of(value), |(_, ty)| ty);
                results.push(value.map_or(self.poison, own));
            }
            Piece::OpenType => results.push(self.poison),
            Piece::FixedType(scalar) => results.push(self.module.types.scalar(scalar)),
            Piece::Attributes => self.parse_optional_attributes(&mut operation.attributes)?,
            Piece::Constant(name) => {
                let Some(value) = self.parse_value_of(name, Place::Syntax)? else { return Err(Failed) };
                push_attribute(operation, name, value, self.since(start));
            }
            Piece::Bare(name) => {
                let word = match self.token() {
                    Token::Word(word) => word,
                    Token::Text(word) | Token::Hash(word) => {
                        let error = self.expected(&format!("a {name} such as `{word}`"));
                        self.report(error.with_help(format!("write `{word}`")).with_edit(self.span(), word));
                        word
                    }
                    _ => return self.unnamed(operation, name),
                };
                self.advance();
                let spelling = EnumSpelling::Bare;
                let value = Attribute::Enum { name: String::new(), value: word.into(), spelling };
                push_attribute(operation, name, value, self.since(start));
            }
            Piece::Symbol(name) => {
                let Token::Symbol(symbol) = self.token() else {
                    return self.unexpected("a name such as `@f`");
                };
                self.advance();
                push_attribute(operation, name, Attribute::Symbol(symbol.to_owned()), self.since(start));
            }
            Piece::Separator => {
                if self.at(',') {
                    self.advance();
                }
            }
            Piece::Optional(ref pieces) | Piece::Printed(ref pieces) => {
                if pieces.first().is_some_and(|first| self.starts(first)) {
                    for piece in pieces {
                        self.parse_piece(piece, operation, results)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn next_is_value(&mut self) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.advance(&mut self.comments);
        matches!(ahead.token(), Token::Value(_) | Token::Integer(_) | Token::Float(_))
    }

    fn starts(&mut self, piece: &Piece) -> bool {
        match piece {
            Piece::Word(word) => self.at_word(word),
            Piece::Punct(character) => self.at(*character),
            Piece::Arrow => self.token() == Token::Arrow,
            // An operand at the start of the next line is the result of the next operation.
            Piece::Operand(_) | Piece::Operands(_) => {
                let here = self.cursor.start();
                let between = &self.cursor.source()[self.cursor.previous_end().min(here)..here];
                matches!(self.token(), Token::Value(_)) && !between.contains('\n')
            }
            Piece::Constant(_) => matches!(self.token(), Token::Hash(_) | Token::Punct('<' | '[')),
            _ => true,
        }
    }

    /// Parses the comma-separated types of the operands in a role, and compares them with the values' types.
    fn parse_operand_types(&mut self, operation: &Operation, role: &str, count: usize) -> Parse<()> {
        let operands: Vec<_> = operation.operands_in(role).take(count).cloned().collect();
        for (index, operand) in operands.iter().enumerate() {
            self.expect_next_type(&operands, index)?;
            let start = self.cursor.start();
            let ty = self.parse_type()?;
            let span = self.since(start);
            self.agree(operand.value, ty, span);
        }
        Ok(())
    }
}
