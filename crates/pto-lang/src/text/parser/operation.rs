//! Operations: results, name, then the syntax of that name.

use super::{Parse, Parser};
use crate::ir::{
    Attribute, NamedAttribute, OperandGroup, Operation, OperationId, OperationName, Spelling, TypeId,
};
use crate::text::cursor::Token;
use crate::text::table;
use pto_isa::diag::Span;
use pto_isa::registry::Op;

/// A result as written: its name and the number of values that it packs.
pub(super) struct Target<'a> {
    pub(super) name: &'a str,
    pub(super) pack: Option<usize>,
    pub(super) span: Span,
}

/// Maximum number of values per name.
const MAX_PACK: usize = 64;

impl<'a> Parser<'a> {
    /// Parses one operation, and appends it to the current block; after an error, skips to the next operation.
    pub(super) fn parse_statement(&mut self) {
        let start = self.cursor.start();
        let outer = (std::mem::replace(&mut self.statement, start), self.named.take());
        self.shown = self.diagnostics.len();
        let mut targets = Vec::new();
        if self.parse_targets_and_operation(start, &mut targets).is_err() && !self.stop {
            // Defines the results anyway, so that their uses are not reported too.
            for target in &targets {
                self.define_poison(target);
            }
            if self.cursor.start() == start {
                self.advance();
            }
            self.show_form();
            self.parse_regions_of_failed();
            self.skip_to_statement();
        } else {
            self.show_form();
        }
        (self.statement, self.named) = outer;
    }

    fn define_poison(&mut self, target: &Target<'a>) {
        let poison = self.poison;
        for index in 0..target.pack.unwrap_or(1) as u32 {
            let name = (target.name, index);
            let scope = self.scope();
            if !scope.names.contains_key(&name) || scope.forward.has(name) {
                self.define_as(name, target.name.to_owned(), poison, target.span);
            }
        }
    }

    fn parse_targets_and_operation(&mut self, start: usize, targets: &mut Vec<Target<'a>>) -> Parse<()> {
        while let Token::Value(name) = self.token() {
            let span = self.span();
            self.advance();
            let mut pack = None;
            if self.eat(':') {
                let Token::Integer(count) = self.token() else {
                    return self.unexpected("a count of results");
                };
                pack = count.parse().ok().filter(|count| (1..=MAX_PACK).contains(count));
                if pack.is_none() {
                    return self.syntax(self.span(), format!("a name packs 1 to {MAX_PACK} results"));
                }
                self.advance();
            }
            targets.push(Target { name, pack, span });
            if !self.eat(',') {
                self.expect('=')?;
                break;
            }
        }
        let name_span = self.span();
        match self.token() {
            Token::Punct(';' | '/') if targets.is_empty() && self.skip_foreign() => Ok(()),
            Token::Word(word) => {
                self.advance();
                self.parse_named_operation(word, name_span, start, targets)
            }
            Token::Text(name) => {
                self.advance();
                self.parse_generic(name, name_span, start, targets)
            }
            _ => self.unexpected("an operation such as `pto.tadd`"),
        }
    }

    fn parse_named_operation(
        &mut self,
        name: &'a str,
        name_span: Span,
        start: usize,
        targets: &[Target<'a>],
    ) -> Parse<()> {
        self.named = Op::find_spelling(name);
        if targets.is_empty() && self.parse_assign(name)? {
            return Ok(());
        }
        let mut operation = new_operation(name, name_span);
        if self.parse_control(&mut operation, start, targets)? {
            return Ok(());
        }
        if self.parse_reshape(name, name_span, start, targets)? {
            return Ok(());
        }
        let patterns = table::patterns(&operation.name);
        if self.at_word("ins") && patterns.is_none() {
            self.parse_destination(&mut operation)?;
            return self.finish(operation, start, targets, &[]);
        }
        if let Some(patterns) = patterns {
            return self.parse_patterns(patterns, operation, start, targets);
        }
        if self.parse_short(name, &mut operation, start, targets)? {
            return Ok(());
        }
        self.unknown_operation(name, name_span)
    }

    /// Parses `"pto.op"(%a, %b) <{...}> ({...}) {...} : (T, T) -> T`.
    fn parse_generic(
        &mut self,
        name: &'a str,
        name_span: Span,
        start: usize,
        targets: &[Target<'a>],
    ) -> Parse<()> {
        let mut operation = new_operation(name, name_span);
        operation.spelling = Spelling::Generic;
        self.expect('(')?;
        let mut operands = Vec::new();
        self.list(')', |parser| {
            operands.push(parser.operand("", OperandGroup::In)?);
            Ok(())
        })?;
        if self.at('<') {
            self.advance();
            self.expect('{')?;
            self.parse_attributes_to('}', &mut operation.attributes)?;
            self.expect('>')?;
        }
        if self.eat('(') {
            let mut regions = Vec::new();
            self.list(')', |parser| {
                regions.push(parser.parse_region(None)?);
                Ok(())
            })?;
            operation.regions = regions;
        }
        self.parse_optional_attributes(&mut operation.attributes)?;
        self.expect(':')?;
        let types = self.parse_type_list()?;
        self.expect_arrow()?;
        let results = self.parse_type_or_list()?;
        if types.len() != operands.len() {
            let message = format!("{} operands, but {} types", operands.len(), types.len());
            return self.syntax(name_span, message);
        }
        for (operand, ty) in operands.iter().zip(&types) {
            self.agree(operand.value, *ty, operand.span);
        }
        operation.operands = operands;
        self.bind_generic(&mut operation)?;
        self.finish(operation, start, targets, &results)
    }

    /// Adds a finished operation to the block and defines its results.
    pub(super) fn finish(
        &mut self,
        mut operation: Operation,
        start: usize,
        targets: &[Target<'a>],
        types: &[TypeId],
    ) -> Parse<()> {
        operation.location = self.parse_optional_location()?;
        operation.span = self.since(start);
        self.modernize(&mut operation, targets);
        let names: usize = targets.iter().map(|target| target.pack.unwrap_or(1)).sum();
        if names != types.len() && (names != 0 || types.is_empty()) {
            let message = format!(
                "`{}` has {} result{}, but {names} {} named",
                operation.name,
                types.len(),
                if types.len() == 1 { "" } else { "s" },
                if names == 1 { "is" } else { "are" },
            );
            return self.syntax(operation.name_span, message);
        }
        if names == 0 {
            // Results without a name get one, so that they can be printed.
            for (index, &ty) in types.iter().enumerate() {
                let name = format!("unnamed_{}_{index}", operation.span.start);
                let span = operation.name_span;
                let value = self.scope().function.values.push(crate::ir::Value { name, ty, span });
                operation.results.push(value);
            }
        }
        let mut types = types.iter();
        for target in targets {
            for index in 0..target.pack.unwrap_or(1) {
                let ty = types.next().copied().unwrap_or(self.poison);
                let value = match target.pack {
                    None => self.define(target.name, ty, target.span),
                    Some(_) => self.define_packed(target, index, ty),
                };
                operation.results.push(value);
            }
        }
        self.fix_result_types(&mut operation);
        for (value, written, used) in std::mem::take(&mut self.scope().written_before) {
            self.agree(value, written, used);
        }
        self.push_operation(operation);
        Ok(())
    }

    pub(super) fn push_operation(&mut self, operation: Operation) -> OperationId {
        let scope = self.scope();
        let id = scope.function.operations.push(operation);
        scope.block.push(id);
        id
    }

    /// Defines one result of a pack: `%a#0`, for which `%a` is an alias, `%a#1`, ...
    pub(super) fn define_packed(
        &mut self,
        target: &Target<'a>,
        index: usize,
        ty: TypeId,
    ) -> crate::ir::ValueId {
        let shown = format!("{}#{index}", target.name);
        self.define_as((target.name, index as u32), shown, ty, target.span)
    }
}

pub(super) fn new_operation(name: impl Into<OperationName>, name_span: Span) -> Operation {
    Operation {
        name: name.into(),
        operands: Vec::new(),
        results: Vec::new(),
        attributes: Vec::new(),
        inner_attributes: 0,
        regions: Vec::new(),
        successors: Vec::new(),
        spelling: Spelling::Standard,
        variant: 0,
        span: name_span,
        name_span,
        type_span: Span::default(),
        location: None,
    }
}

pub(super) fn push_attribute(operation: &mut Operation, name: &str, value: Attribute, span: Span) {
    operation.attributes.push(NamedAttribute::new(name, value).at(span));
}
