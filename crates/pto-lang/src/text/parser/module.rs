//! Modules, functions, regions and blocks.

use super::braces::is_operation;
use super::forward::Forward;
use super::{BlockNames, Failed, Parse, Parser, Scope};
use crate::ir::{
    Arena, Argument, Attribute, Block, BlockId, Function, Item, ModuleItem, NamedAttribute, Region, RegionId,
    TypeAlias, TypeId,
};
use crate::text::cursor::Token;
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::rules;
use std::collections::HashMap;
use std::sync::Arc;

impl<'a> Parser<'a> {
    /// Parses one member of a module, and appends it to `items`.
    pub(super) fn parse_item_inner(
        &mut self,
        items: &mut Vec<Item>,
        outer: &Arc<[NamedAttribute]>,
    ) -> Parse<()> {
        match self.token() {
            Token::Word("module" | "builtin.module") => {
                let module = self.nested(|parser| parser.parse_module_item(outer))?;
                items.push(Item::Module(module));
            }
            Token::Word("func.func" | "func") => {
                let (name, function) = self.parse_function(outer)?;
                let id = self.module.functions.push(function);
                self.function_names.entry((Arc::as_ptr(outer), name)).or_insert(id);
                items.push(Item::Function(id));
            }
            Token::Bang(name) => {
                let start = self.cursor.start();
                self.advance();
                // A wrong definition is one error: uses of its name are not reported.
                self.type_aliases.insert(name, self.poison);
                self.expect('=')?;
                let ty = self.parse_type()?;
                self.type_aliases.insert(name, ty);
                self.note_alias(name, ty, start);
            }
            Token::Hash(name) => self.parse_attribute_alias(name)?,
            Token::Punct('}') => {
                // A superfluous brace has closed the function before the operations that follow.
                if !std::mem::take(&mut self.closed_early) {
                    return self.syntax(self.span(), "this `}` closes nothing");
                }
                self.advance();
            }
            Token::Word(word) if self.deep_brace.is_some() && is_operation(word) => {
                return self.after_brace();
            }
            Token::Value(_) if self.deep_brace.is_some() => return self.after_brace(),
            _ => return self.unexpected_word("`module` or `func.func`", &["module", "func.func"]),
        }
        Ok(())
    }

    /// Adds an alias to the module. A second definition of a name replaces the first, since the printed text has one
    /// place for both.
    fn note_alias(&mut self, name: &'a str, ty: TypeId, start: usize) {
        let span = self.since(start);
        let aliases = &mut self.module.type_aliases;
        match self.alias_numbers.get(name) {
            Some(&number) => {
                aliases[number] = TypeAlias { span: Span::default(), ty, ..aliases[number].clone() }
            }
            None => {
                self.alias_numbers.insert(name, aliases.len());
                aliases.push(TypeAlias { name: name.to_owned(), ty, span });
            }
        }
    }

    fn parse_attribute_alias(&mut self, name: &'a str) -> Parse<()> {
        let start = self.cursor.start();
        self.advance();
        self.expect('=')?;
        if self.at_word("loc") {
            self.parse_optional_location()?;
            let text = self.cursor.source()[start..self.cursor.previous_end()].to_owned();
            self.module.location_aliases.push(text);
            return Ok(());
        }
        self.attribute_aliases.insert(name, (Attribute::Unit, 0));
        let attribute = self.parse_attribute()?;
        let size = attribute.size();
        self.attribute_aliases.insert(name, (attribute, size));
        Ok(())
    }

    fn parse_module_item(&mut self, outer: &Arc<[NamedAttribute]>) -> Parse<ModuleItem> {
        let start = self.cursor.start();
        self.advance();
        let name = match self.token() {
            Token::Symbol(name) => {
                self.advance();
                Some(name.to_owned())
            }
            _ => None,
        };
        let mut attributes = Vec::new();
        if self.eat_word("attributes") {
            self.expect('{')?;
            self.parse_attributes_to('}', &mut attributes)?;
        }
        let open = self.span();
        self.expect('{')?;
        let inherited: Arc<[NamedAttribute]> = outer.iter().chain(&attributes).cloned().collect();
        let mut items = Vec::new();
        while !self.at('}') && self.token() != Token::End && !self.stop {
            self.parse_item(&mut items, &inherited);
        }
        self.close(open);
        let location = self.parse_optional_location()?;
        Ok(ModuleItem { name, attributes, items, span: self.since(start), location })
    }

    fn parse_function(&mut self, outer: &Arc<[NamedAttribute]>) -> Parse<(&'a str, Function)> {
        let start = self.cursor.start();
        self.deep_brace = None;
        self.advance();
        let visibility = match self.token() {
            Token::Word(word @ ("private" | "public" | "nested")) => {
                self.advance();
                Some(word.to_owned())
            }
            _ => None,
        };
        let name_span = self.span();
        let Token::Symbol(name) = self.token() else {
            return self.unexpected("the function's name, `@name`");
        };
        self.advance();
        let known = self.function_names.get(&(Arc::as_ptr(outer), name));
        if let Some(known) = known.map(|known| &self.module.functions[*known]) {
            let first = known.name_span;
            let message = format!("function `@{name}` is defined twice");
            let diagnostic = Diagnostic::error(&rules::names::REDEFINED_FUNCTION, message).at(name_span);
            self.report(diagnostic.with_label(first, "first defined here"));
        }
        self.function = Some(Scope {
            function: Function {
                name: name.to_owned(),
                visibility,
                arguments: Vec::new(),
                results: Vec::new(),
                attributes: Vec::new(),
                body: None,
                values: Arena::default(),
                operations: Arena::default(),
                blocks: Arena::default(),
                regions: Arena::default(),
                comments: Vec::new(),
                span: name_span,
                name_span,
                location: None,
                module_attributes: outer.clone(),
            },
            names: HashMap::new(),
            shadowed: vec![Vec::new()],
            forward: Forward::default(),
            constants: HashMap::new(),
            block: Vec::new(),
            block_names: vec![BlockNames::default()],
            assigns: Vec::new(),
            bound: Vec::new(),
            unbound: Vec::new(),
            written_before: Vec::new(),
            redefined: Vec::new(),
        });
        let read = self.parse_signature_and_body();
        if read.is_ok() {
            self.bind_assigns();
        }
        self.report_names(read.is_ok());
        let span = self.since(start);
        let mut function = self.function.take().map(|scope| scope.function).ok_or(Failed)?;
        read?;
        function.span = span;
        Ok((name, function))
    }

    fn parse_signature_and_body(&mut self) -> Parse<()> {
        self.parse_arguments()?;
        if self.token() == Token::Arrow {
            self.advance();
            if self.at('(') {
                self.advance();
                let mut results = Vec::new();
                self.list(')', |parser| {
                    results.push(parser.parse_type()?);
                    let mut ignored = Vec::new();
                    parser.parse_optional_attributes(&mut ignored)
                })?;
                self.scope().function.results = results;
            } else {
                let result = self.parse_type()?;
                self.scope().function.results = vec![result];
            }
        }
        let mut attributes = Vec::new();
        if self.eat_word("attributes") {
            self.expect('{')?;
            self.parse_attributes_to('}', &mut attributes)?;
        }
        self.scope().function.attributes = attributes;
        if self.at('{') {
            let body = self.parse_region(None)?;
            self.scope().function.body = Some(body);
        }
        let location = self.parse_optional_location()?;
        self.scope().function.location = location;
        Ok(())
    }

    /// Reports an argument without a type.
    fn untyped_argument<T>(&mut self, name: &str) -> Parse<T> {
        let error = self.expected("`:` and the type of the argument");
        self.fail(error.with_help(format!(
            "give it a type: `%{name}: f32` for a number, `%{name}: index` for a size, `%{name}: !pto.ptr<f32>` for an array"
        )))
    }

    fn parse_arguments(&mut self) -> Parse<()> {
        self.expect('(')?;
        self.list(')', |parser| {
            let span = parser.span();
            let (name, ty) = match parser.token() {
                Token::Value(name) => {
                    parser.advance();
                    if matches!(parser.token(), Token::Punct(',' | ')')) {
                        return parser.untyped_argument(name);
                    }
                    parser.expect(':')?;
                    (name, parser.parse_type()?)
                }
                // A declaration may omit argument names.
                _ => ("", parser.parse_type()?),
            };
            let mut attributes = Vec::new();
            parser.parse_optional_attributes(&mut attributes)?;
            parser.parse_optional_location()?;
            let value = parser.define(name, ty, span);
            parser.scope().function.arguments.push(Argument { value, attributes });
            Ok(())
        })
    }

    /// Parses `{ ... }`. `arguments` become arguments of the first block.
    pub(super) fn parse_region(
        &mut self,
        arguments: Option<Vec<(&'a str, crate::ir::TypeId, Span)>>,
    ) -> Parse<RegionId> {
        self.nested(|parser| {
            let open = parser.span();
            parser.expect_region()?;
            parser.show_form();
            parser.enter_region();
            let outer = std::mem::take(&mut parser.scope().block);
            let mut first = Block { span: open, ..Block::default() };
            for (name, ty, span) in arguments.into_iter().flatten() {
                let value = parser.define(name, ty, span);
                first.arguments.push(value);
            }
            let first = parser.scope().function.blocks.push(first);
            let region = parser.parse_blocks(first);
            parser.close(open);
            parser.leave_region();
            parser.scope().block = outer;
            Ok(parser.scope().function.regions.push(region))
        })
    }

    fn parse_blocks(&mut self, first: BlockId) -> Region {
        let mut region = Region { blocks: vec![first] };
        let mut current = first;
        loop {
            while !matches!(self.token(), Token::End | Token::Punct('}') | Token::Block(_)) && !self.stop {
                self.parse_statement();
            }
            let operations = std::mem::take(&mut self.scope().block);
            let empty_entry = current == first
                && operations.is_empty()
                && region.blocks.len() == 1
                && self.scope().function.blocks[first].arguments.is_empty();
            self.scope().function.blocks[current].operations = operations;
            let Token::Block(name) = self.token() else { return region };
            if self.stop {
                return region;
            }
            match self.parse_block_header(name) {
                Ok(block) => {
                    // The first header of a region names its entry block.
                    if empty_entry {
                        region.blocks.clear();
                    }
                    region.blocks.push(block);
                    current = block;
                }
                Err(Failed) => self.skip_to_statement(),
            }
        }
    }

    /// Parses `^name(%a: T, ...):`.
    fn parse_block_header(&mut self, name: &'a str) -> Parse<BlockId> {
        let span = self.span();
        self.advance();
        let block = self.block_named(name, span, true);
        if self.eat('(') {
            let mut arguments = Vec::new();
            self.list(')', |parser| {
                let span = parser.span();
                let Token::Value(name) = parser.token() else { return parser.unexpected("a value") };
                parser.advance();
                parser.expect(':')?;
                let ty = parser.parse_type()?;
                parser.parse_optional_location()?;
                arguments.push(parser.define(name, ty, span));
                Ok(())
            })?;
            self.scope().function.blocks[block].arguments = arguments;
        }
        self.expect(':')?;
        Ok(block)
    }

    /// The block with a name in the innermost region; created at the first mention.
    pub(super) fn block_named(&mut self, name: &'a str, span: Span, define: bool) -> BlockId {
        let scope = self.scope();
        let known = scope
            .block_names
            .last()
            .and_then(|names| names.places.get(name).map(|at| (*at, names.blocks[*at])));
        match known {
            Some((_, (_, block, true))) if define => {
                let first = scope.function.blocks[block].span;
                let message = format!("block `^{name}` is defined twice");
                let diagnostic = Diagnostic::error(&rules::names::REDEFINED_BLOCK, message).at(span);
                self.report(diagnostic.with_label(first, "first defined here"));
                self.scope().function.blocks.push(Block { name: name.to_owned(), span, ..Block::default() })
            }
            Some((at, (_, block, _))) => {
                if define {
                    scope.function.blocks[block].span = span;
                    if let Some(names) = scope.block_names.last_mut() {
                        names.blocks[at].2 = true;
                    }
                }
                block
            }
            None => {
                let block = Block { name: name.to_owned(), span, ..Block::default() };
                let block = scope.function.blocks.push(block);
                if let Some(names) = scope.block_names.last_mut() {
                    names.places.insert(name, names.blocks.len());
                    names.blocks.push((name, block, define));
                }
                block
            }
        }
    }
}
