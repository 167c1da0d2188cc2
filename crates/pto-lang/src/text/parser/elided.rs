//! Types as on the manual's pages: element types as words of C++, and types that a line in a short spelling elides as
//! `!pto.tile<...>`.

use super::{Parse, Parser};
use crate::ir::{Operand, Type, TypeId};
use crate::text::tile_body::foreign_element;
use pto_isa::diag::{Diagnostic, Severity, Span};
use pto_isa::element::{Element, element_word};
use pto_isa::op::Set;
use pto_isa::registry::Op;
use pto_isa::rules;
use pto_isa::tile::TileType;

impl Parser<'_> {
    /// Calls `read` with `...` allowed as the type of a value whose type is known.
    pub(super) fn eliding<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let before = std::mem::replace(&mut self.may_elide, true);
        let result = read(self);
        self.may_elide = before;
        result
    }

    /// The element type of a word of another language; reports a lint.
    pub(super) fn foreign_word(&mut self, word: &str, span: Span) -> Option<Element> {
        let element = foreign_element(word)?;
        let meant = element_word(element);
        let message =
            format!("`{word}` is a word of another language; the dialect calls this element type `{meant}`");
        let mut lint = Diagnostic::new(Severity::Lint, &rules::text::MANUAL_TYPE, message).at(span);
        if let Some(at) = self.cursor.source()[span.start as usize..span.end as usize].rfind(word) {
            let start = span.start + at as u32;
            let word = Span::new(start, start + word.len() as u32);
            lint = lint.with_help(format!("write `{meant}`")).with_edit(word, meant);
        }
        self.report(lint);
        Some(element)
    }

    /// Replaces each type of a new tile written as `...` by the type that the sources imply; reports an error if they
    /// imply none.
    pub(super) fn write_out(&mut self, results: &mut [TypeId], name: &str, sources: &[Operand]) -> Parse<()> {
        let poison = self.poison;
        for ty in results.iter_mut().filter(|ty| **ty == poison) {
            let tiles =
                sources.iter().filter_map(|source| match &self.module.types[self.type_of(source.value)] {
                    Type::Tile(tile) => Some(*tile),
                    _ => None,
                });
            let Some(tile) = implied(name, &tiles.collect::<Vec<_>>()) else {
                let message = "the type elided as `...` cannot be inferred from the sources: write it out";
                return self.syntax(self.span(), message);
            };
            *ty = self.module.types.intern(Type::Tile(tile));
        }
        Ok(())
    }
}

/// The type of a new tile if the sources determine it: the type of a copy's source, of the full-sized operand, or
/// of both sources concatenated.
fn implied(name: &str, tiles: &[TileType]) -> Option<TileType> {
    let op = Op::find_spelling(name)?;
    let first = *tiles.first()?;
    let wider = |a: TileType, b: TileType| if b.cols > a.cols { b } else { a };
    if op == Op::TCONCAT {
        let second = tiles.get(1)?;
        let sum = |a: Option<u32>, b: Option<u32>| a?.checked_add(b?);
        let cols = first.cols.checked_add(second.cols)?;
        let valid_cols = sum(first.valid_cols, second.valid_cols);
        return Some(TileType { cols, valid_cols, ..first });
    }
    if op == Op::TMOV && !name.contains("m2") && !name.contains("a2") {
        return Some(first);
    }
    match op.page().set {
        _ if op == Op::TINSERT || op == Op::TEXTRACT => Some(first),
        Set::Elementwise | Set::TileScalar => Some(first),
        Set::Expand if tiles.len() > 1 => tiles.iter().copied().reduce(wider),
        _ => None,
    }
}
