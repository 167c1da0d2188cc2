//! The text of programs: lexer, parser, printer.
//!
//! The dialect of the public assembler is the main spelling; the SSA and assembly spellings of the manual
//! are read and printed beside it. `print(parse(text))` is canonical, and printing it again changes nothing.

mod conv_body;
mod cursor;
mod nearest;
mod parser;
mod pattern;
pub(crate) mod printer;
mod table;
mod tile_body;

pub(crate) use nearest::nearest;
pub use printer::{Form, Style, print};

use crate::diag::{Diagnostic, Severity};
use crate::ir::Module;

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

/// Whether an operation of this name can be read and printed.
pub(crate) fn is_spelled(name: &str) -> bool {
    table::patterns(name).is_some()
        || table::KNOWN_DESTINATION.contains(&name.strip_prefix("pto.").unwrap_or(""))
}

/// The names of operations with a syntax of their own.
pub(crate) fn spelled() -> impl Iterator<Item = &'static str> {
    table::names()
}

/// Mnemonics of the dialect's destination-passing instructions, whether they run or not.
pub(crate) fn known_destinations() -> impl Iterator<Item = &'static str> {
    table::KNOWN_DESTINATION.iter().copied()
}
