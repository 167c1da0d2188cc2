//! Operations with regions or successors: `scf`, `cf`, sections, and constants.

use super::operation::{Target, new_operation, push_attribute};
use super::{Parse, Parser};
use crate::ir::{Attribute, Operand, OperandGroup, Operation, Scalar, Successor, TypeId};
use crate::text::cursor::Token;
use pto_isa::diag::Span;
use pto_isa::registry::Op;

impl<'a> Parser<'a> {
    /// Parses the operation if it is listed below; returns whether it was.
    pub(super) fn parse_control(
        &mut self,
        operation: &mut Operation,
        start: usize,
        targets: &[Target<'a>],
    ) -> Parse<bool> {
        let Some(op) = operation.op() else { return Ok(false) };
        let mut operation =
            std::mem::replace(operation, new_operation(operation.name.clone(), operation.name_span));
        let results = match op {
            Op::ARITH_CONSTANT => self.parse_constant(&mut operation)?,
            Op::SCF_FOR => self.parse_for(&mut operation)?,
            Op::SCF_IF => self.parse_if(&mut operation)?,
            Op::SCF_WHILE => self.parse_while(&mut operation)?,
            Op::SCF_EXECUTE_REGION => {
                let results = self.parse_optional_results()?;
                let region = self.parse_region(None)?;
                operation.regions.push(region);
                results
            }
            Op::SCF_INDEX_SWITCH => self.parse_index_switch(&mut operation)?,
            Op::SECTION_CUBE | Op::SECTION_VECTOR | Op::FUSION_REGION => {
                self.parse_optional_attributes_before_region(&mut operation)?;
                let results = self.parse_optional_results()?;
                let region = self.parse_region(None)?;
                operation.regions.push(region);
                results
            }
            Op::CF_BR => {
                let successor = self.parse_successor()?;
                operation.successors.push(successor);
                Vec::new()
            }
            Op::CF_COND_BR => {
                let condition = self.operand("condition", OperandGroup::In)?;
                operation.operands.push(condition);
                for _ in 0..2 {
                    self.expect(',')?;
                    let successor = self.parse_successor()?;
                    operation.successors.push(successor);
                }
                Vec::new()
            }
            _ => return Ok(false),
        };
        self.parse_trailing_attributes(&mut operation)?;
        self.finish(operation, start, targets, &results)?;
        Ok(true)
    }

    fn parse_trailing_attributes(&mut self, operation: &mut Operation) -> Parse<()> {
        let mut attributes = std::mem::take(&mut operation.attributes);
        let read = self.parse_optional_attributes(&mut attributes);
        operation.attributes = attributes;
        read
    }

    /// Parses an attribute dictionary, which is distinguished from a region by the tokens after its brace.
    fn parse_optional_attributes_before_region(&mut self, operation: &mut Operation) -> Parse<()> {
        let mut ahead = self.cursor.clone();
        ahead.advance(&mut self.comments);
        let key = matches!(ahead.token(), Token::Word(word) if !word.contains('.')) && self.at('{');
        ahead.advance(&mut self.comments);
        if key && matches!(ahead.token(), Token::Punct('=' | ',' | '}')) {
            return self.parse_trailing_attributes(operation);
        }
        Ok(())
    }

    fn parse_optional_results(&mut self) -> Parse<Vec<TypeId>> {
        if self.token() != Token::Arrow {
            return Ok(Vec::new());
        }
        self.advance();
        self.parse_type_or_list()
    }

    fn parse_constant(&mut self, operation: &mut Operation) -> Parse<Vec<TypeId>> {
        self.parse_trailing_attributes(operation)?;
        let at = self.span();
        let value = self.parse_attribute()?;
        if !matches!(
            value,
            Attribute::Bool(_) | Attribute::Integer(..) | Attribute::Float(..) | Attribute::Opaque(_)
        ) {
            return self.syntax(at, "a constant has a value, such as `1 : index`");
        }
        let ty = self.constant_type(&value);
        push_attribute(operation, "value", value, self.since(at.start as usize));
        Ok(vec![ty])
    }

    /// Parses `%i = %a to %b step %c iter_args(%x = %y) -> (T) { ... }`.
    fn parse_for(&mut self, operation: &mut Operation) -> Parse<Vec<TypeId>> {
        let Token::Value(induction) = self.token() else { return self.unexpected("the loop's variable") };
        let induction_span = self.span();
        self.advance();
        for (before, role) in [("=", "lower"), ("to", "upper"), ("step", "step")] {
            if before == "=" && self.token() == Token::Word("in") {
                let (error, span) = (self.expected("`=`"), self.span());
                self.report(error.with_help("write `=`").with_edit(span, "="));
                self.advance();
            } else if before == "=" {
                self.expect('=')?;
            } else {
                self.expect_word(before)?;
            }
            let bound = self.operand(role, OperandGroup::In)?;
            operation.operands.push(bound);
        }
        let carried = if self.eat_word("iter_args") { self.parse_bindings()? } else { Vec::new() };
        let results = self.parse_optional_results()?;
        let mut induction_type = self.type_of(operation.operands[0].value);
        if induction_type == self.poison && !self.at(':') {
            // The bound is defined later in the text: without a type the loop counts in `index`.
            induction_type = self.module.types.scalar(Scalar::Index);
            let lower = &operation.operands[0];
            let (value, span) = (lower.value, lower.span);
            self.agree(value, induction_type, span);
        }
        if self.eat(':') {
            induction_type = self.parse_type()?;
        }
        let mut arguments = vec![(induction, induction_type, induction_span)];
        self.bind_carried(operation, carried, &results, &mut arguments)?;
        let body = self.parse_region(Some(arguments))?;
        operation.regions.push(body);
        Ok(results)
    }

    /// Parses `(%x = %y, ...)`.
    fn parse_bindings(&mut self) -> Parse<Vec<(&'a str, Span, Operand)>> {
        self.expect('(')?;
        let mut bindings = Vec::new();
        self.list(')', |parser| {
            let Token::Value(name) = parser.token() else { return parser.unexpected("a value") };
            let span = parser.span();
            parser.advance();
            parser.expect('=')?;
            bindings.push((name, span, parser.operand("init", OperandGroup::In)?));
            Ok(())
        })?;
        Ok(bindings)
    }

    fn bind_carried(
        &mut self,
        operation: &mut Operation,
        carried: Vec<(&'a str, Span, Operand)>,
        types: &[TypeId],
        arguments: &mut Vec<(&'a str, TypeId, Span)>,
    ) -> Parse<()> {
        if carried.len() != types.len() {
            let message =
                format!("{} values are carried, but {} types are given", carried.len(), types.len());
            return self.syntax(operation.name_span, message);
        }
        for ((name, span, operand), &ty) in carried.into_iter().zip(types) {
            self.agree(operand.value, ty, operand.span);
            arguments.push((name, ty, span));
            operation.operands.push(operand);
        }
        Ok(())
    }

    /// Parses `%c -> (T) { ... } else { ... }`.
    fn parse_if(&mut self, operation: &mut Operation) -> Parse<Vec<TypeId>> {
        let condition = self.operand("condition", OperandGroup::In)?;
        operation.operands.push(condition);
        if let Token::Punct('<' | '>' | '=' | '!') = self.token() {
            let error = self.expected("`{`");
            let help = "compare before, and write the result here: `%less = arith.cmpi slt, %a, %b : index`";
            return self.fail(error.with_help(help));
        }
        let results = self.parse_optional_results()?;
        let then = self.parse_region(None)?;
        operation.regions.push(then);
        if self.eat_word("else") {
            let otherwise = self.parse_region(None)?;
            operation.regions.push(otherwise);
        }
        Ok(results)
    }

    /// Parses `(%x = %y) : (T) -> T { ... } do { ^bb0(%z: T): ... }`.
    fn parse_while(&mut self, operation: &mut Operation) -> Parse<Vec<TypeId>> {
        let carried = if self.at('(') { self.parse_bindings()? } else { Vec::new() };
        self.expect(':')?;
        let inputs = self.parse_type_list()?;
        self.expect_arrow()?;
        let results = self.parse_type_or_list()?;
        let mut arguments = Vec::new();
        self.bind_carried(operation, carried, &inputs, &mut arguments)?;
        let before = self.parse_region(Some(arguments))?;
        self.expect_word("do")?;
        let after = self.parse_region(None)?;
        operation.regions.extend([before, after]);
        Ok(results)
    }

    /// Parses `%i -> T case 0 { ... } default { ... }`.
    fn parse_index_switch(&mut self, operation: &mut Operation) -> Parse<Vec<TypeId>> {
        let index = self.operand("index", OperandGroup::In)?;
        operation.operands.push(index);
        let mut attributes = std::mem::take(&mut operation.attributes);
        self.parse_optional_attributes(&mut attributes)?;
        operation.attributes = attributes;
        let mut results = self.parse_optional_results()?;
        while !results.is_empty() && self.eat(',') {
            results.push(self.parse_type()?);
        }
        let mut cases = Vec::new();
        while self.eat_word("case") {
            let case = self.parse_attribute()?;
            if case.as_integer().is_none() {
                return self.syntax(self.span(), "a case is an integer");
            }
            cases.push(case);
            let region = self.parse_region(None)?;
            operation.regions.push(region);
        }
        self.expect_word("default")?;
        let region = self.parse_region(None)?;
        operation.regions.push(region);
        push_attribute(operation, "cases", Attribute::Array(cases), Span::default());
        Ok(results)
    }

    /// Parses `^bb1(%a, %b : T, T)`.
    fn parse_successor(&mut self) -> Parse<Successor> {
        let span = self.span();
        let Token::Block(name) = self.token() else { return self.unexpected("a block such as `^bb1`") };
        self.advance();
        let block = self.block_named(name, span, false);
        let mut arguments = Vec::new();
        if self.eat('(') {
            loop {
                arguments.push(self.operand("argument", OperandGroup::In)?);
                if !self.eat(',') {
                    break;
                }
            }
            self.expect(':')?;
            for (index, argument) in arguments.iter().enumerate() {
                if index > 0 {
                    self.expect(',')?;
                }
                let start = self.cursor.start();
                let ty = self.parse_type()?;
                let span = self.since(start);
                self.agree(argument.value, ty, span);
            }
            self.expect(')')?;
        }
        Ok(Successor { block, arguments })
    }
}
