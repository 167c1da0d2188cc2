//! Types.

use super::type_text::{address_space, matching_bracket, shape_and_word, split_top};
use super::{Parse, Parser};
use crate::ir::{Scalar, Type, TypeId};
use crate::text::conv_body;
use crate::text::cursor::Token;
use crate::text::tile_body::parse_tile_body;
use pto_isa::diag::Span;
use pto_isa::element::{element_from_word, spells_signed};
use pto_isa::rules;
use pto_isa::tile::TileType;

/// Types of the dialect without computation.
const OPAQUE: [&str; 11] = [
    "pto.pipe",
    "pto.async_event",
    "pto.async_session",
    "pto.prefetch_async_context",
    "pto.eventid_array",
    "pto.event",
    "pto.vreg",
    "pto.mask",
    "pto.align",
    "pto.memref",
    "pto.sync_event",
];

impl<'a> Parser<'a> {
    /// Parses a type.
    pub(super) fn parse_type(&mut self) -> Parse<TypeId> {
        self.nested(Self::parse_type_inner)
    }

    fn parse_type_inner(&mut self) -> Parse<TypeId> {
        let start = self.cursor.start();
        match self.token() {
            Token::Word(word) => self.parse_builtin_type(word, start),
            Token::Bang(name) => self.parse_dialect_type(name, start),
            Token::Punct('<') => self.parse_elided_type(start),
            Token::Punct('(') => {
                let inputs = self.parse_type_list()?;
                self.expect_arrow()?;
                let results = self.parse_type_or_list()?;
                let parts: Vec<_> = inputs.iter().chain(&results).copied().collect();
                self.made_of(&parts, Type::Function { inputs, results }, start)
            }
            _ => self.unexpected("a type"),
        }
    }

    /// Parses `(T, T)`.
    pub(super) fn parse_type_list(&mut self) -> Parse<Vec<TypeId>> {
        self.expect('(')?;
        let mut types = Vec::new();
        self.list(')', |parser| {
            types.push(parser.parse_type()?);
            Ok(())
        })?;
        Ok(types)
    }

    /// Parses `T`, or `(T, T)`.
    pub(super) fn parse_type_or_list(&mut self) -> Parse<Vec<TypeId>> {
        if self.at('(') { self.parse_type_list() } else { Ok(vec![self.parse_type()?]) }
    }

    fn parse_builtin_type(&mut self, word: &'a str, start: usize) -> Parse<TypeId> {
        let span = self.span();
        if let Some(scalar) = scalar_word(word) {
            self.advance();
            return Ok(self.spelled(Type::Scalar(scalar), word));
        }
        match word {
            "memref" => {
                self.advance();
                let body = self.bracketed()?;
                self.memref(body, self.since(start))
            }
            "vector" | "tensor" => {
                self.advance();
                self.bracketed()?;
                Ok(self.opaque(start))
            }
            "none" | "f64" | "tf32" => {
                self.advance();
                Ok(self.opaque(start))
            }
            _ => match self.foreign_word(word, span) {
                Some(element) => {
                    self.advance();
                    Ok(self.module.types.scalar(Scalar::Number(element)))
                }
                None => self.unknown_type(word, span),
            },
        }
    }

    /// The handle of a type, whose elements are signed if `text` spells them so.
    fn spelled(&mut self, ty: Type, text: &str) -> TypeId {
        self.module.types.intern_spelled(ty, spells_signed(text))
    }

    fn opaque(&mut self, start: usize) -> TypeId {
        let text = &self.cursor.source()[start..self.cursor.previous_end()];
        let squeezed = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.module.types.intern(Type::Opaque(squeezed))
    }

    /// The text between the current `<` and the matching `>`; advances past both.
    fn bracketed(&mut self) -> Parse<&'a str> {
        if !self.at('<') {
            return self.unexpected("`<`");
        }
        let (source, open) = (self.cursor.source(), self.cursor.start());
        match matching_bracket(source, open) {
            Some(close) => {
                self.jump(close + 1);
                Ok(&source[open + 1..close])
            }
            None => {
                let span = self.span();
                self.syntax(span, "this `<` is not closed")
            }
        }
    }

    fn parse_dialect_type(&mut self, name: &'a str, start: usize) -> Parse<TypeId> {
        let span = self.span();
        self.advance();
        let Some(kind) = name.strip_prefix("pto.") else {
            return match self.type_aliases.get(name) {
                Some(&ty) => Ok(ty),
                None => self.unknown_type(&format!("!{name}"), span),
            };
        };
        if let Some(element) = element_from_word(kind).filter(|_| !self.at('<')) {
            return Ok(self.spelled(Type::Scalar(Scalar::Number(element)), kind));
        }
        match kind {
            "tile_buf" | "tile" | "multi_tile_buf" => self.parse_tile_type(kind, start),
            "conv_tile" => {
                let body = self.bracketed()?;
                self.conv_tile(body, self.since(start))
            }
            "ptr" => self.parse_pointer(),
            "tensor_view" | "partition_tensor_view" | "tile_view" => {
                let body = self.bracketed()?;
                self.view(kind, body, self.since(start))
            }
            "local_array" => {
                let body = self.bracketed()?;
                let span = self.since(start);
                match shape_and_word(body) {
                    Some((shape, word)) => {
                        let sizes: Option<Vec<u64>> = shape.into_iter().collect();
                        match (sizes, scalar_word(word)) {
                            (Some(shape), Some(element)) => {
                                Ok(self.spelled(Type::LocalArray { shape, element }, body))
                            }
                            _ => self.syntax(span, "a local array is spelled like `!pto.local_array<4xi32>`"),
                        }
                    }
                    None => self.syntax(span, "a local array is spelled like `!pto.local_array<4xi32>`"),
                }
            }
            "struct" => {
                self.expect('<')?;
                let mut fields = Vec::new();
                self.list('>', |parser| {
                    fields.push(parser.parse_type()?);
                    Ok(())
                })?;
                self.made_of(&fields.clone(), Type::Struct(fields), start)
            }
            _ if OPAQUE.contains(&name) => {
                if self.at('<') {
                    self.bracketed()?;
                }
                Ok(self.opaque(start))
            }
            _ => self.unknown_type(&format!("!{name}"), span),
        }
    }

    fn parse_tile_type(&mut self, kind: &'a str, start: usize) -> Parse<TypeId> {
        let body = self.bracketed()?;
        let end = self.cursor.previous_end();
        let text = &self.cursor.source()[start..end];
        if let Some(&known) = self.tile_types.get(text) {
            return Ok(known);
        }
        let span = Span::new(start as u32, end as u32);
        if self.may_elide && body.trim() == "..." && kind != "multi_tile_buf" {
            let message = "`...` is not written out: the tile's own type is meant";
            self.lint(&rules::text::MANUAL_TYPE, span, message);
            return Ok(self.poison);
        }
        let ty = if kind == "multi_tile_buf" {
            let Some((tile, count)) = body.rsplit_once(',') else {
                return self.syntax(span, "a multi-tile type ends in `count=N`");
            };
            let count = count.trim().strip_prefix("count=").and_then(|count| count.trim().parse().ok());
            let Some(count) = count.filter(|count| (1..=1024).contains(count)) else {
                return self.syntax(span, "a multi-tile type ends in `count=N`, N from 1 to 1024");
            };
            let tile = tile.trim();
            let tile =
                tile.strip_prefix("!pto.tile_buf<").and_then(|rest| rest.strip_suffix('>')).unwrap_or(tile);
            Type::MultiTile { tile: self.tile_body(tile, span)?, count }
        } else {
            Type::Tile(self.tile_body(body, span)?)
        };
        let id = self.spelled(ty, body);
        self.tile_types.insert(text, id);
        Ok(id)
    }

    fn tile_body(&mut self, body: &str, span: Span) -> Parse<TileType> {
        match parse_tile_body(body) {
            Ok(body) => {
                if body.old_order {
                    let message = "the parameters of this tile type are in an old order";
                    self.lint(&rules::text::OLD_SYNTAX, span, message);
                }
                if let Some(written) = body.foreign_element {
                    self.foreign_word(&written, span);
                }
                Ok(body.tile)
            }
            Err(message) => self.unread_tile_body(body, span, message),
        }
    }

    /// Parses the whole text as a tile type, or as the text between its brackets.
    pub(super) fn parse_only_tile(&mut self) -> Parse<TileType> {
        let source = self.cursor.source();
        let whole = Span::new(0, source.len() as u32);
        if !source.trim_start().starts_with(['!', '<']) && !source.trim_start().starts_with("memref") {
            return self.tile_body(source.trim(), whole);
        }
        let id = self.parse_type()?;
        if self.token() != Token::End {
            return self.unexpected("nothing after the type");
        }
        match &self.module.types[id] {
            Type::Tile(tile) | Type::MultiTile { tile, .. } => Ok(*tile),
            _ => self.fail(
                pto_isa::diag::Diagnostic::error(&rules::text::TILE_TYPE, "this is not a tile type")
                    .at(whole),
            ),
        }
    }

    /// Parses `<...>` of a tile or a pointer, whose kind is implied.
    fn parse_elided_type(&mut self, start: usize) -> Parse<TypeId> {
        let rest = self.cursor.source()[start + 1..].trim_start();
        if rest.starts_with("loc") {
            let span = self.span();
            self.lint(
                &rules::text::OLD_SYNTAX,
                span,
                "`<loc=...>` without `!pto.tile_buf` is an old spelling",
            );
            return self.parse_tile_type("tile_buf", start);
        }
        self.parse_pointer()
    }

    fn parse_pointer(&mut self) -> Parse<TypeId> {
        let start = self.cursor.start();
        let body = self.bracketed()?;
        let (word, space) = match body.split_once(',') {
            Some((word, space)) => (word.trim(), Some(space.trim())),
            None => (body.trim(), None),
        };
        let space = space.map(|space| address_space(space).to_owned());
        let span = self.since(start);
        match scalar_word(word).or_else(|| self.foreign_word(word, span).map(Scalar::Number)) {
            Some(element) => Ok(self.spelled(Type::Pointer { element, space }, word)),
            None => self.unknown_type(word, span),
        }
    }

    fn view(&mut self, kind: &str, body: &str, span: Span) -> Parse<TypeId> {
        // Some files write blanks around each `x`.
        let body: String = body.split_whitespace().collect();
        let read = shape_and_word(&body).and_then(|(shape, word)| {
            Some((shape, element_from_word(word).or_else(|| self.foreign_word(word, span))?))
        });
        let Some((shape, element)) = read else {
            return self.syntax(span, format!("a view is spelled like `!pto.{kind}<16x?xf32>`"));
        };
        if shape.is_empty() || shape.len() > 5 {
            return self.syntax(span, "a view has one to five dimensions");
        }
        if kind == "tile_view" {
            self.lint(&rules::text::OLD_SYNTAX, span, "`!pto.tile_view` is now `!pto.partition_tensor_view`");
        }
        let ty = match kind {
            "tensor_view" => Type::TensorView { shape, element },
            _ => Type::PartitionView { shape, element },
        };
        Ok(self.spelled(ty, &body))
    }

    fn conv_tile(&mut self, body: &str, span: Span) -> Parse<TypeId> {
        let read = conv_body::parameters(body).and_then(|[location, layout, shape]| {
            let read =
                shape_and_word(shape).and_then(|(shape, word)| Some((shape, element_from_word(word)?)));
            let (shape, element) =
                read.ok_or_else(|| format!("`{shape}` is not a shape such as `1x2x16x16x16xf16`"))?;
            conv_body::conv_tile(location, layout, &shape, element)
        });
        match read {
            Ok(tile) => Ok(self.spelled(Type::ConvTile(tile), body)),
            Err(message) => {
                self.fail(pto_isa::diag::Diagnostic::error(&rules::text::TILE_TYPE, message).at(span))
            }
        }
    }

    fn memref(&mut self, body: &str, span: Span) -> Parse<TypeId> {
        let mut parts = split_top(body).into_iter();
        let read = shape_and_word(parts.next().unwrap_or(""));
        let Some((shape, element)) = read.and_then(|(shape, word)| Some((shape, element_from_word(word)?)))
        else {
            return self.syntax(span, "a memref is spelled like `memref<16x32xf32, #pto.address_space<gm>>`");
        };
        let (mut strides, mut space) = (None, None);
        for part in parts {
            let part = part.trim();
            if part.starts_with("strided") {
                strides = Some(part.split_whitespace().collect::<String>());
            } else {
                space = Some(address_space(part).to_owned());
            }
        }
        Ok(self.spelled(Type::MemRef { shape, element, strides, space }, body))
    }
}

pub(super) fn scalar_word(word: &str) -> Option<Scalar> {
    match word {
        "index" => Some(Scalar::Index),
        "i1" => Some(Scalar::Bool),
        _ => element_from_word(word).map(Scalar::Number),
    }
}
