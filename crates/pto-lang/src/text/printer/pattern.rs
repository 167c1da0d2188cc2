//! Prints operations whose syntax is a pattern.

use super::Printer;
use crate::ir::{Function, Operation};
use crate::text::pattern::Piece;
use crate::text::table;

/// The parts of an operation that a pattern has printed so far.
#[derive(Default)]
pub(super) struct Printed {
    results: usize,
    dictionary: bool,
}

impl<'a> Printer<'a> {
    /// Prints a pattern that follows a piece of the enclosing pattern.
    pub(super) fn pattern(
        &mut self,
        function: &'a Function,
        operation: &'a Operation,
        pattern: &[Piece],
        outside: Option<&Piece>,
        printed: &mut Printed,
    ) {
        for (index, piece) in pattern.iter().enumerate() {
            let (before, behind) = pattern.split_at(index);
            if *piece == Piece::Separator {
                let is_there = |part: &Piece| self.is_present(operation, std::slice::from_ref(part));
                if before.iter().any(is_there) && behind.get(1).is_some_and(is_there) {
                    self.out.push(',');
                }
                continue;
            }
            self.piece(function, operation, piece, printed, before.last().or(outside));
        }
    }

    fn piece(
        &mut self,
        function: &'a Function,
        operation: &'a Operation,
        piece: &Piece,
        printed: &mut Printed,
        before: Option<&Piece>,
    ) {
        let space = if self.out.ends_with(['(', '[', ' ']) { "" } else { " " };
        match *piece {
            Piece::Word(word) => self.out.push_str(&format!("{space}{word}")),
            Piece::Punct(character @ (',' | ')' | ']')) => self.out.push(character),
            Piece::Punct(character @ ('(' | '[')) => {
                let tight = !matches!(before, Some(Piece::Punct(_) | Piece::Attributes));
                self.out.push_str(if tight { "" } else { space });
                self.out.push(character);
            }
            Piece::Punct(character) => self.out.push_str(&format!("{space}{character}")),
            Piece::Arrow => self.out.push_str(&format!("{space}->")),
            Piece::Operand(role) | Piece::Operands(role) => {
                let operands: Vec<_> = operation.operands_in(role).collect();
                if !operands.is_empty() {
                    self.out.push_str(space);
                    self.names(function, &operands);
                }
            }
            Piece::TypeOf(role) | Piece::TypesOf(role) => {
                let operands: Vec<_> = operation.operands_in(role).collect();
                self.out.push_str(space);
                self.types_of(function, &operands);
            }
            Piece::ResultType => {
                self.out.push_str(space);
                if let Some(result) = operation.results.get(printed.results) {
                    self.ty(function.values[*result].ty);
                }
                printed.results += 1;
            }
            Piece::ResultTypes => {
                self.out.push_str(space);
                let types: Vec<_> =
                    operation.results.iter().map(|result| function.values[*result].ty).collect();
                match types.as_slice() {
                    [single] => self.ty(*single),
                    several => self.type_list(several),
                }
            }
            Piece::SameType(_) | Piece::FixedType(_) | Piece::OpenType => {}
            Piece::Attributes => {
                let named =
                    operation.attributes.iter().filter(|attribute| !self.has_own_place(operation, attribute));
                let rest: Vec<_> = named.cloned().collect();
                if !rest.is_empty() && !std::mem::replace(&mut printed.dictionary, true) {
                    self.out.push_str(space);
                    self.dictionary(&rest);
                }
            }
            Piece::Constant(name) | Piece::Bare(name) | Piece::Symbol(name) => {
                if let Some(value) = operation.attribute(name) {
                    self.out.push_str(space);
                    self.attribute(value);
                }
            }
            Piece::Optional(ref pieces) => {
                if self.is_present(operation, pieces) {
                    self.pattern(function, operation, pieces, before, printed);
                }
            }
            Piece::Printed(ref pieces) => self.pattern(function, operation, pieces, before, printed),
            Piece::Separator => {}
        }
    }

    /// Whether an optional part has anything to print.
    fn is_present(&self, operation: &Operation, pieces: &[Piece]) -> bool {
        pieces.iter().any(|piece| match piece {
            Piece::Operand(role) | Piece::Operands(role) | Piece::TypesOf(role) => {
                operation.operand(role).is_some()
            }
            Piece::Constant(name) | Piece::Bare(name) | Piece::Symbol(name) => {
                operation.attribute(name).is_some()
            }
            Piece::Optional(pieces) => self.is_present(operation, pieces),
            _ => false,
        })
    }

    /// Whether the pattern prints an attribute outside the dictionary.
    fn has_own_place(&self, operation: &Operation, attribute: &crate::ir::NamedAttribute) -> bool {
        fn places(pieces: &[Piece], wanted: &str) -> bool {
            pieces.iter().any(|piece| match piece {
                Piece::Constant(name) | Piece::Bare(name) | Piece::Symbol(name) => *name == wanted,
                Piece::Optional(pieces) => places(pieces, wanted),
                _ => false,
            })
        }
        table::patterns(&operation.name)
            .and_then(|patterns| patterns.get(operation.variant as usize))
            .is_some_and(|pattern| places(pattern, &attribute.name))
    }
}
