//! TRESHAPE in the spellings of other instructions, in addition to its own `%d = pto.treshape %s : T -> U`:
//! `treshape %s : T -> U`, `pto.treshape %s : (T) -> U`, `... into %t`, and `pto.treshape ins(%s : T) outs(%t :
//! U)`. With an existing destination, that tile aliases the bytes of the source from then on.

use super::operation::{Target, new_operation};
use super::{Failed, Parse, Parser};
use crate::ir::{OperandGroup, Operation, TypeId};
use pto_isa::diag::Span;
use pto_isa::registry::Op;

/// The pattern index of an operation with a destination: none, so that it is printed with `ins` and `outs`.
const NO_PATTERN: u8 = u8::MAX;

impl<'a> Parser<'a> {
    /// Parses TRESHAPE in a spelling other than its own; returns whether it was one.
    pub(super) fn parse_reshape(
        &mut self,
        name: &str,
        name_span: Span,
        start: usize,
        targets: &[Target<'a>],
    ) -> Parse<bool> {
        if Op::find_spelling(name) != Some(Op::TRESHAPE) {
            return Ok(false);
        }
        let full = format!("pto.{}", name.strip_prefix("pto.").unwrap_or(name));
        let mut operation = new_operation(full.as_str(), name_span);
        if self.at_word("ins") {
            operation.variant = NO_PATTERN;
            self.parse_destination(&mut operation)?;
            name_operands(&mut operation);
            self.finish(operation, start, targets, &[])?;
            return Ok(true);
        }
        match self.attempt(|parser| parser.parse_reshape_line(operation.clone())) {
            Ok((operation, result)) => {
                // A destination without a written result needs no second name.
                let named = operation.variant != NO_PATTERN || !targets.is_empty();
                let results = if named { vec![result] } else { Vec::new() };
                self.finish(operation, start, targets, &results)?;
                Ok(true)
            }
            // The operation's own pattern reports the error.
            Err(_) if name.starts_with("pto.") => Ok(false),
            Err(found) => {
                found.into_iter().for_each(|diagnostic| self.report(diagnostic));
                Err(Failed)
            }
        }
    }

    /// Parses `%s, %rows, %cols {...} : T -> U into %t`; returns the type of the result.
    fn parse_reshape_line(&mut self, mut operation: Operation) -> Parse<(Operation, TypeId)> {
        loop {
            let source = self.operand("ins", OperandGroup::In)?;
            operation.operands.push(source);
            if !self.eat(',') {
                break;
            }
        }
        self.parse_optional_attributes(&mut operation.attributes)?;
        self.expect(':')?;
        let types = self.eliding(|parser| {
            Ok(if parser.at('(') { parser.parse_type_list()? } else { vec![parser.parse_type()?] })
        })?;
        for (operand, ty) in operation.operands.iter().zip(types) {
            self.agree(operand.value, ty, operand.span);
        }
        self.expect_arrow()?;
        let start = self.cursor.start();
        let result = self.parse_type()?;
        operation.type_span = self.since(start);
        if self.eat_word("into") {
            let destination = self.operand("outs", OperandGroup::Out)?;
            self.agree(destination.value, result, destination.span);
            operation.operands.push(destination);
            operation.variant = NO_PATTERN;
        }
        name_operands(&mut operation);
        Ok((operation, result))
    }
}

/// Assigns roles to operands by position.
fn name_operands(operation: &mut Operation) {
    const SOURCES: [&str; 3] = ["src", "rows", "cols"];
    let sources = operation.operands.iter_mut().filter(|operand| operand.group != OperandGroup::Out);
    sources.zip(SOURCES).for_each(|(operand, role)| operand.role = role);
    let destination = operation.operands.iter_mut().find(|operand| operand.group == OperandGroup::Out);
    destination.into_iter().for_each(|operand| operand.role = "dst");
}
