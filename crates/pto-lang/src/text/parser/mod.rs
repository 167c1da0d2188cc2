//! A recursive-descent parser with error recovery, from text to module.
//!
//! Operands get their roles here, and types written at a use are compared with the definition's, so that later
//! stages only need the types of values. The nesting depth and the number of errors are limited.

mod assign;
mod attributes;
mod braces;
mod control;
mod destination;
mod elided;
mod expected;
pub mod forward;
mod misspelt;
mod module;
mod nesting;
mod operation;
mod pattern;
mod recover;
mod repair;
mod reshape;
mod short;
mod shown;
mod special;
mod type_text;
mod types;
mod undefined;
mod unwritten;
mod words;
mod written;

use super::cursor::{Comments, Cursor, Token};
use crate::ir::{
    Attribute, Function, Item, Module, Operand, OperandGroup, OperationId, TypeId, TypeTable, Value, ValueId,
};
use forward::Forward;
use pto_isa::diag::{Diagnostic, Severity, Span};
use pto_isa::registry::Op;
use pto_isa::rule::Rule;
use pto_isa::rules;
use pto_isa::tile::TileType;
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum nesting depth of regions, types and attributes together.
const MAX_DEPTH: u32 = 200;
/// Number of errors after which parsing stops.
const MAX_ERRORS: usize = 100;

/// Maximum length of a text parsed as a single tile type, in bytes.
const MAX_TYPE: usize = 4096;

/// Parsing failed here; the diagnostic has been recorded.
pub(super) struct Failed;

pub(super) type Parse<T> = Result<T, Failed>;

/// Parses a source text. The diagnostics contain errors and lints; the module contains the parsed parts, and `types` before its
/// own types.
pub(super) fn parse_module(source: &str, types: TypeTable) -> (Module, Vec<Diagnostic>) {
    if source.len() > u32::MAX as usize / 2 {
        let message = "the file is larger than 2 GiB";
        return (Module::default(), vec![Diagnostic::error(&rules::text::SYNTAX, message)]);
    }
    let mut parser = Parser::with_types(source, types);
    parser.parse_file();
    let Parser { mut module, diagnostics, comments, .. } = parser;
    module.comments = comments.into_list();
    crate::ir::comments::place(&mut module);
    (module, diagnostics)
}

/// Parses a text that is a single tile type.
pub(super) fn parse_tile_type(source: &str) -> Result<(TileType, Vec<Diagnostic>), Vec<Diagnostic>> {
    if source.len() > MAX_TYPE {
        let message = format!("a tile type is no longer than {MAX_TYPE} bytes");
        return Err(vec![Diagnostic::error(&rules::text::TILE_TYPE, message)]);
    }
    let mut parser = Parser::new(source);
    let tile = parser.parse_only_tile();
    let findings = parser.diagnostics;
    match tile {
        Ok(tile) if findings.iter().all(|finding| finding.severity != Severity::Error) => {
            Ok((tile, findings))
        }
        _ => Err(findings),
    }
}

pub(super) struct Parser<'a> {
    cursor: Cursor<'a>,
    comments: Comments,
    diagnostics: Vec<Diagnostic>,
    module: Module,
    type_aliases: HashMap<&'a str, TypeId>,
    /// Numbers of the type aliases in the module.
    alias_numbers: HashMap<&'a str, usize>,
    /// Nesting depth of each composite type, and the number of its component types.
    nested_types: HashMap<TypeId, (u32, u32)>,
    /// Each alias with the size of its attribute in bytes.
    attribute_aliases: HashMap<&'a str, (Attribute, usize)>,
    /// Total size of the attributes that uses of aliases expanded to, in bytes.
    aliased: usize,
    /// Cache of tile types by their text, which repeats on almost every line.
    tile_types: HashMap<&'a str, TypeId>,
    /// The first function of each name in each nested module, to report a second definition. The key of a module is the address of the
    /// attributes that its functions share.
    function_names: HashMap<(*const [crate::ir::NamedAttribute], &'a str), crate::ir::FunctionId>,
    function: Option<Scope<'a>>,
    depth: u32,
    /// The type of values whose definition could not be parsed; it is compatible with every type.
    poison: TypeId,
    /// Whether `!pto.tile<...>` is allowed here, because the type is known.
    may_elide: bool,
    stop: bool,
    /// Start of the statement or item being parsed.
    statement: usize,
    /// The operation of the statement being parsed, once its name is known.
    named: Option<Op>,
    /// The number of diagnostics to which `show_form` has added the form of their operation, where they show one.
    shown: usize,
    /// The first `{` whose `}` is indented less than the line of the `{`. If a `}` is missing, it is probably that of this `{`.
    open_brace: Option<Span>,
    /// The last `}` that is indented more than the line of its `{`. If there is a `}` too many, it is probably this one.
    deep_brace: Option<Span>,
    /// Whether a brace too many was reported, whose partner is still to come.
    closed_early: bool,
    /// The words that the grammar allows at one position, as far as they were tried.
    tried: expected::Tried,
    /// The last operand with a written type that is not its own, and that type.
    mistyped: Option<(ValueId, TypeId)>,
}

/// A value's name, and its index if one definition packs several results.
type Name<'a> = (&'a str, u32);

/// Blocks of a region in the order of their first mention, and whether each is defined; their indices by name.
#[derive(Default)]
struct BlockNames<'a> {
    blocks: Vec<(&'a str, crate::ir::BlockId, bool)>,
    places: HashMap<&'a str, usize>,
}

/// The function being parsed.
struct Scope<'a> {
    function: Function,
    names: HashMap<Name<'a>, ValueId>,
    /// Per open region, the names that it defined and their previous values, which are restored at its end.
    shadowed: Vec<Vec<(Name<'a>, Option<ValueId>)>>,
    /// Uses before the definition.
    forward: Forward<'a>,
    /// Values of non-negative integer constants, from which elided types are inferred.
    constants: HashMap<ValueId, u64>,
    /// Operations of the block being parsed.
    block: Vec<OperationId>,
    /// Names of the blocks of each open region.
    block_names: Vec<BlockNames<'a>>,
    /// Address assignments in open regions (`assigns`) and in closed ones, resolved (`bound`) or not (`unbound`).
    assigns: Vec<assign::Assign<'a>>,
    bound: Vec<assign::Bound>,
    unbound: Vec<(String, Span)>,
    /// Newly defined values, with the types that earlier uses wrote.
    written_before: Vec<(ValueId, TypeId, Span)>,
    /// Second definitions of a name: the values, and the errors.
    redefined: Vec<(ValueId, Diagnostic)>,
}

impl<'a> Parser<'a> {
    fn new(source: &'a str) -> Self {
        Parser::with_types(source, TypeTable::default())
    }

    fn with_types(source: &'a str, types: TypeTable) -> Self {
        let mut comments = Comments::default();
        let cursor = Cursor::new(source, &mut comments);
        let mut module = Module { types, ..Module::default() };
        let poison = module.types.unknown();
        Parser {
            cursor,
            comments,
            diagnostics: Vec::new(),
            module,
            type_aliases: HashMap::new(),
            alias_numbers: HashMap::new(),
            nested_types: HashMap::new(),
            attribute_aliases: HashMap::new(),
            aliased: 0,
            tile_types: HashMap::new(),
            function: None,
            depth: 0,
            poison,
            function_names: HashMap::new(),
            may_elide: false,
            stop: false,
            statement: 0,
            named: None,
            shown: 0,
            open_brace: None,
            deep_brace: None,
            closed_early: false,
            tried: expected::Tried::default(),
            mistyped: None,
        }
    }

    // ---- tokens

    fn token(&self) -> Token<'a> {
        self.cursor.token()
    }

    fn span(&self) -> Span {
        self.cursor.span()
    }

    fn advance(&mut self) {
        self.cursor.advance(&mut self.comments);
    }

    fn jump(&mut self, at: usize) {
        self.cursor.jump(at, &mut self.comments);
    }

    /// The span from byte `start` to the end of the previous token.
    fn since(&self, start: usize) -> Span {
        Span::new(start as u32, self.cursor.previous_end().max(start) as u32)
    }

    fn at(&self, character: char) -> bool {
        self.token() == Token::Punct(character)
    }

    // ---- diagnostics

    fn report(&mut self, diagnostic: Diagnostic) {
        let errors = self.diagnostics.iter().filter(|known| known.severity == Severity::Error).count();
        if diagnostic.severity == Severity::Error && errors >= MAX_ERRORS {
            if !self.stop {
                let message = format!("more than {MAX_ERRORS} errors: the rest of the file was not read");
                self.diagnostics.push(Diagnostic::error(&rules::text::SYNTAX, message).at(self.span()));
            }
            self.stop = true;
            return;
        }
        self.diagnostics.push(diagnostic);
    }

    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parse<T> {
        self.report(diagnostic);
        Err(Failed)
    }

    fn syntax<T>(&mut self, span: Span, message: impl Into<String>) -> Parse<T> {
        self.fail(Diagnostic::error(&rules::text::SYNTAX, message).at(span))
    }

    fn lint(&mut self, rule: &'static Rule, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(Severity::Lint, rule, message).at(span));
    }

    /// Runs `body` one nesting level deeper; fails if that exceeds the limit.
    fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            self.stop = true;
            let span = self.span();
            return self.syntax(span, format!("nested more than {MAX_DEPTH} deep"));
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    /// Runs `body`; on failure backtracks, and returns its diagnostics instead of recording them.
    fn attempt<T>(&mut self, body: impl FnOnce(&mut Self) -> Parse<T>) -> Result<T, Vec<Diagnostic>> {
        let (cursor, reported) = (self.cursor.clone(), self.diagnostics.len());
        body(self).map_err(|Failed| {
            self.cursor = cursor;
            self.diagnostics.split_off(reported)
        })
    }

    // ---- values

    fn scope(&mut self) -> &mut Scope<'a> {
        self.function.as_mut().expect("operations are only read inside a function")
    }

    fn type_of(&self, value: ValueId) -> TypeId {
        self.function.as_ref().map_or(self.poison, |scope| scope.function.values[value].ty)
    }

    fn name_of(&self, value: ValueId) -> &str {
        self.function.as_ref().map_or("", |scope| scope.function.values[value].name.as_str())
    }

    /// Defines a value under a name; a second definition of the name in the same region is an error.
    fn define(&mut self, name: &'a str, ty: TypeId, span: Span) -> ValueId {
        self.define_as((name, 0), name.to_owned(), ty, span)
    }

    fn define_as(&mut self, name: Name<'a>, shown: String, ty: TypeId, span: Span) -> ValueId {
        let scope = self.scope();
        let depth = scope.shadowed.len();
        if let Some((value, used)) = scope.forward.take(name, depth) {
            let written = scope.function.values[value].ty;
            scope.function.values[value] = Value { name: shown, ty, span };
            scope.written_before.push((value, written, used));
            return value;
        }
        let known = scope.names.get(&name).copied();
        let message = format!("`%{shown}` is defined twice");
        let value = scope.function.values.push(Value { name: shown, ty, span });
        scope.names.insert(name, value);
        if let Some(frame) = scope.shadowed.last_mut() {
            frame.push((name, known));
        }
        if let Some(known) = known {
            let first = scope.function.values[known].span;
            let diagnostic = Diagnostic::error(&rules::names::REDEFINED_VALUE, message);
            let diagnostic = diagnostic.at(span).with_label(first, "first defined here");
            scope.redefined.push((value, diagnostic));
        }
        value
    }

    /// The value of a name used at `span`. An undefined name is recorded, since it may be defined later.
    fn use_value(&mut self, shown: &'a str, span: Span) -> ValueId {
        let poison = self.poison;
        let name = match shown.split_once('#') {
            Some((base, index)) => (base, index.parse().unwrap_or(u32::MAX)),
            None => (shown, 0),
        };
        let scope = self.scope();
        if let Some(&value) = scope.names.get(&name) {
            return value;
        }
        let depth = scope.shadowed.len();
        let value = scope.function.values.push(Value { name: shown.to_owned(), ty: poison, span });
        scope.forward.add(name, value, span, depth);
        scope.names.insert(name, value);
        value
    }

    fn operand(&mut self, role: &'static str, group: OperandGroup) -> Parse<Operand> {
        let Token::Value(name) = self.token() else { return self.no_value() };
        let span = self.span();
        self.advance();
        Ok(Operand { value: self.use_value(name, span), role, group, span })
    }

    fn enter_region(&mut self) {
        let scope = self.scope();
        scope.shadowed.push(Vec::new());
        scope.block_names.push(BlockNames::default());
    }

    /// Ends a region: removes its names, and reports blocks that were used but not defined.
    fn leave_region(&mut self) {
        self.resolve_assigns();
        let scope = self.scope();
        let depth = scope.shadowed.len();
        for (name, before) in scope.shadowed.pop().unwrap_or_default().into_iter().rev() {
            match before {
                Some(value) => scope.names.insert(name, value),
                None => scope.names.remove(&name),
            };
        }
        scope.forward.close_to(depth - 1);
        let blocks = scope.block_names.pop().unwrap_or_default().blocks;
        let missing = blocks.into_iter().filter(|(_, _, defined)| !defined);
        let missing: Vec<_> =
            missing.map(|(name, block, _)| (name, scope.function.blocks[block].span)).collect();
        for (name, span) in missing {
            self.report(
                Diagnostic::error(&rules::names::UNDEFINED_BLOCK, format!("block `^{name}` is not defined"))
                    .at(span),
            );
        }
    }

    fn parse_file(&mut self) {
        let mut items = Vec::new();
        while self.token() != Token::End && !self.stop {
            self.parse_item(&mut items, &Arc::default());
        }
        self.module.items = items;
    }

    fn parse_item(&mut self, items: &mut Vec<Item>, outer: &Arc<[crate::ir::NamedAttribute]>) {
        let before = self.cursor.start();
        self.statement = before;
        if self.parse_item_inner(items, outer).is_err() && !self.stop {
            if self.cursor.start() == before {
                self.advance();
            }
            self.skip_to_item();
        }
    }
}
