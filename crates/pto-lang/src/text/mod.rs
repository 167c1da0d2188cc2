//! The text of programs: lexer, parser, printer.
//!
//! The dialect of the public assembler is the main spelling; the SSA and assembly spellings of the manual are also
//! parsed and printed. `print(parse(text))` is canonical: parsing and printing it again changes nothing.

mod alias_labels;
mod conv_body;
pub mod cursor;
pub mod form;
mod generic;
pub mod parser;
mod pattern;
pub(crate) mod printer;
mod table;
pub mod tile_body;

pub use alias_labels::label_aliases;
pub use printer::{PrintedSpelling, Style, TypeAliases, print};
pub use pto_isa::diag::nearest;

use crate::ir::{Module, OperationName, TypeTable};
use pto_isa::diag::{Diagnostic, Severity, misread_comments};
use pto_isa::tile::TileType;

/// A parsed module, with lints on its spelling.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The module.
    pub module: Module,
    /// Findings; they are all lints.
    pub lints: Vec<Diagnostic>,
}

/// Parses as much of a program as possible: returns the module of the legal parts, and all findings.
pub fn parse_partial(source: &str) -> (Module, Vec<Diagnostic>) {
    parse_partial_with(source, TypeTable::default())
}

fn parse_partial_with(source: &str, types: TypeTable) -> (Module, Vec<Diagnostic>) {
    let (module, mut findings) = parser::parse_module(source, types);
    findings.extend(misread_comments(source));
    (module, findings)
}

/// Parses a program.
///
/// # Errors
/// All errors in the text, and the lints, in source order.
pub fn parse(source: &str) -> Result<Parsed, Vec<Diagnostic>> {
    parse_with(source, TypeTable::default())
}

/// Parses a part of a larger program: the handles of `types`, those of the program so far, stay valid in the module.
///
/// # Errors
/// As for [`parse`].
pub fn parse_with(source: &str, types: TypeTable) -> Result<Parsed, Vec<Diagnostic>> {
    let (module, mut diagnostics) = parse_partial_with(source, types);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map_or(0, |label| label.span.start));
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(diagnostics);
    }
    Ok(Parsed { module, lints: diagnostics })
}

/// Parses a tile type in any spelling, also without its brackets (`vec, 16x32xf32`). For a multi-tile type,
/// returns the type of its tiles. Lints are on the spelling.
///
/// # Errors
/// Syntax errors, or a type that is not a tile type.
pub fn parse_tile_type(source: &str) -> Result<(TileType, Vec<Diagnostic>), Vec<Diagnostic>> {
    parser::parse_tile_type(source)
}

/// Whether a program has a tile type in the compact form, `!pto.tile_buf<vec, 16x32xf32>`.
pub fn has_compact_types(source: &str) -> bool {
    source.match_indices("tile_buf<").any(|(at, opening)| {
        let body = source[at + opening.len()..].trim_start();
        !body.starts_with("loc") && !body.starts_with('!')
    })
}

/// For each syntax pattern of an operation, the single operands that are required.
pub(crate) fn required(name: &OperationName) -> impl Iterator<Item = Vec<&'static str>> {
    let patterns = table::patterns(name).into_iter().flatten();
    patterns.map(|pieces| {
        let role = |piece: &pattern::Piece| match piece {
            pattern::Piece::Operand(role) => Some(*role),
            _ => None,
        };
        pieces.iter().filter_map(role).collect()
    })
}

pub(crate) use table::misplaced;
