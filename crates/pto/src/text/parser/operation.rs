//! Operations: results, name, and then the syntax that the name asks for.

use super::{Failed, Parse, Parser};
use crate::diag::{Diagnostic, Span};
use crate::ir::{
    Attribute, EnumSpelling, NamedAttribute, Operation, OperationId, Place, Scalar, Spelling, Type, TypeId,
};
use crate::text::cursor::Token;
use crate::text::pattern::Piece;
use crate::text::table;

/// A result as written: its name and how many values it packs.
pub(super) struct Target<'a> {
    pub(super) name: &'a str,
    pub(super) pack: Option<usize>,
    pub(super) span: Span,
}

/// Most values that one name may pack.
const MAX_PACK: usize = 64;

impl<'a> Parser<'a> {
    /// One operation, appended to the block being read; after an error, on to the next one.
    pub(super) fn parse_statement(&mut self) {
        let start = self.cursor.start();
        let mut targets = Vec::new();
        if self.parse_targets_and_operation(start, &mut targets).is_err() && !self.stop {
            // Uses of what could not be defined must not be reported too.
            for target in &targets {
                self.define_poison(target);
            }
            if self.cursor.start() == start {
                self.advance();
            }
            self.skip_to_statement();
        }
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

    /// On to the next token that begins a line and looks like the start of an operation.
    pub(super) fn skip_to_statement(&mut self) {
        let mut depth = 0u32;
        loop {
            let source = self.cursor.source();
            let before = source[..self.cursor.start()].trim_end_matches([' ', '\t']);
            let line_start = before.is_empty() || before.ends_with('\n');
            match self.token() {
                Token::End => return,
                Token::Punct('}') if depth == 0 => return,
                Token::Punct('}') => depth -= 1,
                Token::Punct('{') => depth += 1,
                Token::Block(_) if line_start && depth == 0 => return,
                Token::Value(_) | Token::Text(_) if line_start && depth == 0 => return,
                Token::Word(word) if line_start && depth == 0 && begins_operation(word) => return,
                _ => {}
            }
            self.advance();
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
        let mut operation = new_operation(name, name_span);
        if self.parse_control(name, &mut operation, start, targets)? {
            return Ok(());
        }
        if self.at_word("ins") && table::patterns(name).is_none() {
            self.parse_destination(&mut operation)?;
            return self.finish(operation, start, targets, &[]);
        }
        if let Some(patterns) = table::patterns(name) {
            return self.parse_patterns(patterns, operation, start, targets);
        }
        if self.parse_short(name, &mut operation, start, targets)? {
            return Ok(());
        }
        self.unknown_operation(name, name_span)
    }

    pub(super) fn unknown_operation<T>(&mut self, name: &str, span: Span) -> Parse<T> {
        let shown: String = name.chars().take(60).collect();
        let mut diagnostic =
            Diagnostic::error("unknown-operation", format!("unknown operation `{shown}`")).at(span);
        let known = table::names().chain(crate::isa::op::names());
        if let Some(close) = crate::text::nearest::nearest(name, known) {
            diagnostic = diagnostic.with_help(format!("did you mean `{close}`?"));
        }
        self.fail(diagnostic)
    }

    fn parse_patterns(
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

    /// Whether an operation may end here: rules out that a shorter pattern took the beginning of a longer one.
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

    /// Reads what a pattern asks for; gives the types of the results.
    fn parse_pattern(&mut self, pattern: &[Piece], operation: &mut Operation) -> Parse<Vec<TypeId>> {
        let mut results = Vec::new();
        for piece in pattern {
            self.parse_piece(piece, operation, &mut results)?;
        }
        Ok(results)
    }

    fn parse_piece(
        &mut self,
        piece: &Piece,
        operation: &mut Operation,
        results: &mut Vec<TypeId>,
    ) -> Parse<()> {
        match *piece {
            Piece::Word(word) => self.expect_word(word)?,
            Piece::Punct(character) => self.expect(character)?,
            Piece::Arrow => self.expect_arrow()?,
            Piece::Operand(role) => {
                let operand = self.operand(role, Place::In)?;
                operation.operands.push(operand);
            }
            Piece::Operands(role) => {
                while let Token::Value(_) = self.token() {
                    let operand = self.operand(role, Place::In)?;
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
            Piece::ResultType => results.push(self.parse_type()?),
            Piece::ResultTypes => *results = self.parse_type_or_list()?,
            Piece::SameType(role) => {
                let value = operation.operand(role).map(|operand| operand.value);
                results.push(value.map_or(self.poison, |value| self.type_of(value)));
            }
            Piece::OpenType => results.push(self.poison),
            Piece::FixedType(scalar) => results.push(self.module.types.scalar(scalar)),
            Piece::Attributes => self.parse_optional_attributes(&mut operation.attributes)?,
            Piece::Constant(name) => {
                let value = self.parse_attribute()?;
                push_attribute(operation, name, value);
            }
            Piece::Bare(name) => {
                let Token::Word(word) = self.token() else { return self.unexpected(&format!("a {name}")) };
                self.advance();
                let spelling = EnumSpelling::Bare;
                push_attribute(
                    operation,
                    name,
                    Attribute::Enum { name: String::new(), value: word.into(), spelling },
                );
            }
            Piece::Symbol(name) => {
                let Token::Symbol(symbol) = self.token() else {
                    return self.unexpected("a name such as `@f`");
                };
                self.advance();
                push_attribute(operation, name, Attribute::Symbol(symbol.to_owned()));
            }
            Piece::Optional(ref pieces) => {
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
        matches!(ahead.token(), Token::Value(_))
    }

    fn starts(&self, piece: &Piece) -> bool {
        match piece {
            Piece::Word(word) => self.at_word(word),
            Piece::Punct(character) => self.at(*character),
            Piece::Arrow => self.token() == Token::Arrow,
            // An operand at the start of the next line is the next operation's result.
            Piece::Operand(_) | Piece::Operands(_) => {
                let here = self.cursor.start();
                let between = &self.cursor.source()[self.cursor.previous_end().min(here)..here];
                matches!(self.token(), Token::Value(_)) && !between.contains('\n')
            }
            Piece::Constant(_) => matches!(self.token(), Token::Hash(_) | Token::Punct('<' | '[')),
            _ => true,
        }
    }

    /// The types of the operands in a role, separated by commas, compared with the values' own.
    fn parse_operand_types(&mut self, operation: &Operation, role: &str, count: usize) -> Parse<()> {
        for (index, operand) in operation.operands_in(role).take(count).enumerate() {
            if index > 0 {
                self.expect(',')?;
            }
            let start = self.cursor.start();
            let ty = self.parse_type()?;
            let span = self.since(start);
            self.agree(operand.value, ty, span);
        }
        Ok(())
    }

    /// `"pto.op"(%a, %b) <{...}> ({...}) {...} : (T, T) -> T`.
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
            operands.push(parser.operand("", Place::In)?);
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
        self.bind_generic(&mut operation);
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
            // Results that nobody names have a name all the same, so that they can be printed.
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
        for (value, written, used) in std::mem::take(&mut self.written_before) {
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

    /// Defines one result of a pack: `%a#0`, which `%a` means too, `%a#1`, ...
    pub(super) fn define_packed(
        &mut self,
        target: &Target<'a>,
        index: usize,
        ty: TypeId,
    ) -> crate::ir::ValueId {
        let shown = format!("{}#{index}", target.name);
        self.define_as((target.name, index as u32), shown, ty, target.span)
    }

    /// Rewrites operations that are spelled otherwise today, with a lint.
    fn modernize(&mut self, operation: &mut Operation, targets: &[Target<'a>]) {
        if operation.name == "pto.subset" {
            self.lint("old-syntax", operation.name_span, "`pto.subset` is now `pto.subview`");
            operation.name = "pto.subview".into();
            operation.variant = 0;
        }
        if operation.name != "pto.subview" || operation.variant == 0 {
            return;
        }
        let source = operation.operand("source").map(|operand| self.type_of(operand.value));
        let of_tensor = source.is_some_and(|ty| matches!(self.module.types[ty], Type::TensorView { .. }));
        let Some(Attribute::Array(sizes)) = operation.attribute("sizes").cloned().filter(|_| of_tensor)
        else {
            return;
        };
        let message = "`pto.subview` of a tensor view is now `pto.partition_view`, with sizes as operands";
        self.lint("old-syntax", operation.name_span, message);
        let base = targets.first().map_or("view", |target| target.name);
        for (index, size) in sizes.iter().enumerate() {
            let Some(size) = size.as_integer() else { continue };
            let ty = self.module.types.scalar(Scalar::Index);
            let span = operation.name_span;
            let value = crate::ir::Value { name: format!("size{index}_of_{base}"), ty, span };
            let value = self.scope().function.values.push(value);
            let mut constant = new_operation("arith.constant", span);
            push_attribute(&mut constant, "value", Attribute::Integer(size, Some(ty)));
            constant.results.push(value);
            constant.span = Span::new(operation.span.start, operation.span.start);
            self.push_operation(constant);
            operation.operands.push(crate::ir::Operand { value, role: "sizes", place: Place::In, span });
        }
        operation.attributes.retain(|attribute| attribute.name != "sizes");
        operation.name = "pto.partition_view".into();
        operation.variant = 0;
    }

    /// Results whose type the old spellings leave open.
    fn fix_result_types(&mut self, operation: &mut Operation) {
        match operation.name.as_str() {
            "arith.constant" => {
                let value = operation.attribute("value").and_then(Attribute::as_integer);
                if let (Some(&result), Some(Ok(value))) =
                    (operation.results.first(), value.map(u64::try_from))
                {
                    self.scope().constants.insert(result, value);
                }
            }
            "pto.make_tensor_view" => self.fix_view_rank(operation),
            "pto.partition_view" if self.result_is_open(operation) => {
                let element = operation.operand("source").map(|operand| self.type_of(operand.value));
                let element = element.and_then(|ty| match &self.module.types[ty] {
                    Type::TensorView { element, .. } | Type::PartitionView { element, .. } => Some(*element),
                    _ => None,
                });
                if let (Some(element), Some(&result)) = (element, operation.results.first()) {
                    let sizes = operation.operands_in("sizes").map(|operand| operand.value);
                    let constants = &self.scope().constants;
                    let shape = sizes.map(|size| constants.get(&size).copied()).collect();
                    let ty = self.module.types.intern(Type::PartitionView { shape, element });
                    self.scope().function.values[result].ty = ty;
                } else {
                    let message =
                        "the type of the part does not follow from its source: write it behind `->`".into();
                    self.report_at("syntax", operation.name_span, message);
                }
            }
            _ => {}
        }
    }

    fn result_is_open(&self, operation: &Operation) -> bool {
        operation.results.first().is_some_and(|&result| self.type_of(result) == self.poison)
    }

    /// `!pto.tensor_view<2xf32>` with two extents: the number is a rank, as files wrote it once.
    fn fix_view_rank(&mut self, operation: &Operation) {
        let Some(&result) = operation.results.first() else { return };
        let rank = operation.operands_in("shape").count();
        let ty = self.type_of(result);
        if let Type::TensorView { shape, element } = &self.module.types[ty]
            && shape.len() == 1
            && rank > 1
            && shape[0] == Some(rank as u64)
        {
            let element = *element;
            let span = operation.span;
            let message = "a number in `!pto.tensor_view<...>` is an extent now, not a rank";
            self.lint("old-syntax", span, message);
            let ty = self.module.types.intern(Type::TensorView { shape: vec![None; rank], element });
            self.scope().function.values[result].ty = ty;
        }
    }

    /// The type that a constant's value carries.
    pub(super) fn constant_type(&mut self, value: &Attribute) -> TypeId {
        match value {
            Attribute::Integer(_, Some(ty)) | Attribute::Float(_, Some(ty)) => *ty,
            Attribute::Bool(_) => self.module.types.scalar(Scalar::Bool),
            Attribute::Integer(_, None) => self.module.types.scalar(Scalar::Number(crate::isa::Element::I64)),
            Attribute::Float(_, None) => self.module.types.scalar(Scalar::Number(crate::isa::Element::F32)),
            Attribute::Opaque(text) => match text.rsplit_once(" : ") {
                Some((_, ty)) => self.module.types.intern(Type::Opaque(ty.to_owned())),
                None => self.poison,
            },
            _ => self.poison,
        }
    }
}

fn begins_operation(word: &str) -> bool {
    word.contains('.') || matches!(word, "return" | "call" | "module")
}

pub(super) fn new_operation(name: &str, name_span: Span) -> Operation {
    Operation {
        name: name.to_owned(),
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
        location: None,
    }
}

pub(super) fn push_attribute(operation: &mut Operation, name: &str, value: Attribute) {
    operation.attributes.push(NamedAttribute { name: name.to_owned(), value, quoted: false });
}
