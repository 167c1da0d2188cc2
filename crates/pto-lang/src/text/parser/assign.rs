//! `pto.tassign %tile, @tile(0x1000)`: the manual's syntax to assign an address to a tile, before or after the
//! definition of the tile. It becomes the address operand of the tile's allocation.

use super::operation::{new_operation, push_attribute};
use super::{Parse, Parser};
use crate::ir::{Attribute, Operand, OperandGroup, OperationId, Scalar, Value, ValueId};
use crate::text::cursor::Token;
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::element::Element;
use pto_isa::registry::Op;
use pto_isa::rules;
use std::collections::{HashMap, HashSet};

/// An address assignment as written; the name is resolved at the end of its region.
pub(super) struct Assign<'a> {
    name: &'a str,
    address: i64,
    span: Span,
    depth: usize,
}

/// An address assignment whose tile is resolved.
pub(super) struct Bound {
    tile: ValueId,
    address: i64,
    span: Span,
}

impl<'a> Parser<'a> {
    /// Parses an address assignment, unless the line is the operation of the same name; returns whether it was
    /// one.
    pub(super) fn parse_assign(&mut self, name: &str) -> Parse<bool> {
        if Op::find_spelling(name) != Some(Op::TASSIGN) {
            return Ok(false);
        }
        let Token::Value(tile) = self.token() else { return Ok(false) };
        let span = self.span();
        let mut ahead = self.cursor.clone();
        ahead.advance(&mut self.comments);
        ahead.advance(&mut self.comments);
        if ahead.token() != Token::Symbol("tile") {
            return Ok(false);
        }
        self.advance();
        self.expect(',')?;
        self.advance();
        self.expect('(')?;
        let at = self.span();
        let address = match self.parse_attribute()? {
            Attribute::Integer(address, _) => i64::try_from(address).ok().filter(|address| *address >= 0),
            _ => None,
        };
        let Some(address) = address else {
            return self.syntax(at, "an address is a number of bytes, such as 0x1000");
        };
        self.expect(')')?;
        let scope = self.scope();
        let depth = scope.shadowed.len();
        scope.assigns.push(Assign { name: tile, address, span, depth });
        Ok(true)
    }

    /// Resolves the tile names of assignments at the end of a region.
    pub(super) fn resolve_assigns(&mut self) {
        let scope = self.scope();
        let depth = scope.shadowed.len();
        while let Some(assign) = scope.assigns.pop_if(|assign| assign.depth >= depth) {
            let known = scope.names.get(&(assign.name, 0)).copied();
            match known.filter(|value| scope.forward.first_use(*value).is_none()) {
                Some(tile) => {
                    scope.bound.push(Bound { tile, address: assign.address, span: assign.span });
                }
                None => scope.unbound.push((assign.name.to_owned(), assign.span)),
            }
        }
    }

    /// Adds the assigned addresses to the allocations of the function.
    pub(super) fn bind_assigns(&mut self) {
        let scope = self.scope();
        let (mut bound, unbound) = (std::mem::take(&mut scope.bound), std::mem::take(&mut scope.unbound));
        for (name, span) in unbound {
            let message = format!("`%{name}` is not defined in this region");
            self.report(Diagnostic::error(&rules::names::UNDEFINED_VALUE, message).at(span));
        }
        if bound.is_empty() {
            return;
        }
        bound.sort_by_key(|bound| bound.span.start);
        let operations = self.scope().function.operations.iter();
        let allocations: HashMap<ValueId, OperationId> = operations
            .filter(|(_, operation)| operation.is(Op::ALLOC_TILE))
            .filter_map(|(id, operation)| Some((*operation.results.first()?, id)))
            .collect();
        let mut constants = Constants::new(self);
        for Bound { tile, address, span } in bound {
            let name = self.name_of(tile).to_owned();
            let Some(&alloc) = allocations.get(&tile) else {
                let message = format!("`%{name}` is not a tile that this function allocates");
                self.report(Diagnostic::error(&rules::names::TASSIGN_TARGET, message).at(span));
                continue;
            };
            if self.scope().function.operations[alloc].operand("addr").is_some() {
                let message = format!("`%{name}` has an address already");
                self.report(Diagnostic::error(&rules::names::TASSIGN_TWICE, message).at(span));
                continue;
            }
            let value = constants.get(self, address);
            let operand = Operand { value, role: "addr", group: OperandGroup::In, span };
            self.scope().function.operations[alloc].operands.insert(0, operand);
        }
        constants.put(self);
    }
}

/// The constants for addresses, which are added at the start of the function.
struct Constants {
    values: HashMap<i64, ValueId>,
    operations: Vec<OperationId>,
    taken: HashSet<String>,
}

impl Constants {
    fn new(parser: &mut Parser<'_>) -> Constants {
        let values = parser.scope().function.values.iter();
        let taken = values.map(|(_, value)| value.name.clone()).collect();
        Constants { values: HashMap::new(), operations: Vec::new(), taken }
    }

    fn get(&mut self, parser: &mut Parser<'_>, address: i64) -> ValueId {
        if let Some(&value) = self.values.get(&address) {
            return value;
        }
        let mut name = format!("c{address}_i64");
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        let ty = parser.module.types.scalar(Scalar::Number(Element::I64));
        let function = &mut parser.scope().function;
        let span = function.name_span;
        let value = function.values.push(Value { name, ty, span });
        let mut operation = new_operation(Op::ARITH_CONSTANT, span);
        operation.results.push(value);
        let number = Attribute::Integer(i128::from(address), Some(ty));
        push_attribute(&mut operation, "value", number, Span::default());
        self.operations.push(function.operations.push(operation));
        self.values.insert(address, value);
        value
    }

    /// Inserts the constants at the start of the function's first block.
    fn put(self, parser: &mut Parser<'_>) {
        let function = &mut parser.scope().function;
        let Some(body) = function.body else { return };
        let Some(&first) = function.regions[body].blocks.first() else { return };
        function.blocks[first].operations.splice(0..0, self.operations);
    }
}
