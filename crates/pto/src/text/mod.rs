//! The text of programs: lexer, parser, printer.
//!
//! The dialect of the public assembler is the main spelling; the SSA and assembly spellings of the manual
//! are read and printed beside it. `print(parse(text))` is canonical, and printing it again changes nothing.

mod conv_body;
mod cursor;
pub(crate) mod nearest;
mod parser;
mod pattern;
pub(crate) mod printer;
mod table;
mod tile_body;

pub use nearest::nearest;
pub use printer::{PrintedSpelling, Style, print};

use crate::diag::{Diagnostic, Severity};
use crate::ir::{Module, OperationName};
use crate::isa::registry::Op;
use crate::isa::tile::TileType;

/// What was read, with the lints about how it was spelled.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The module.
    pub module: Module,
    /// Lints only.
    pub lints: Vec<Diagnostic>,
}

/// Reads a program as far as it can be read: the module holds what parsed, the findings what did not.
pub fn parse_partial(source: &str) -> (Module, Vec<Diagnostic>) {
    parser::parse_module(source)
}

/// Reads a program.
///
/// # Errors
/// Every error that the text holds, and the lints, in source order.
pub fn parse(source: &str) -> Result<Parsed, Vec<Diagnostic>> {
    let (module, mut diagnostics) = parser::parse_module(source);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map_or(0, |label| label.span.start));
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(diagnostics);
    }
    Ok(Parsed { module, lints: diagnostics })
}

/// Reads a tile type in any spelling, also only the text between its brackets (`vec, 16x32xf32`). Of a type of
/// several tiles, the one that all are. Lints say how it was spelled.
///
/// # Errors
/// What cannot be read, or a type that is no tile type.
pub fn parse_tile_type(source: &str) -> Result<(TileType, Vec<Diagnostic>), Vec<Diagnostic>> {
    parser::parse_tile_type(source)
}

/// A tile type as canonical text: `!pto.tile_buf<vec, 16x32xf32>` if `compact`, else with every parameter.
pub fn tile_type_text(tile: &TileType, compact: bool) -> String {
    let body = if compact { tile_body::write_compact(tile) } else { tile_body::write_keyed(tile) };
    format!("!pto.tile_buf<{body}>")
}

/// For each way to write an operation with a syntax of its own, the single operands that it cannot leave out.
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

/// The known operation whose name is nearest to a mistyped one.
pub(crate) fn nearest_operation(name: &str) -> Option<&'static str> {
    let others = Op::all().filter(|op| op.instruction().is_none()).flat_map(Op::names);
    let instructions = Op::all().filter(|op| op.instruction().is_some()).map(Op::name);
    nearest(name, others.chain(instructions))
}
