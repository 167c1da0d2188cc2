//! Programs that grow by parts: functions that are parsed and checked one at a time, when a launch reaches their
//! calls.
//!
//! A part is parsed with the types of the program so far, so that handles of types are those of the program. Its text is
//! appended to that of the program; only spans have to move.

use super::{Function, FunctionId, Item, Module, Operand};
use pto_isa::diag::Span;

impl Module {
    /// Adds the functions of a part, which was parsed with the types of this module ([`parse_with`](crate::text::parse_with))
    /// from text that begins at byte `offset` of the program's. Returns the first one.
    pub fn add_part(&mut self, part: Module, offset: u32) -> Option<FunctionId> {
        self.types = part.types;
        let mut first = None;
        for (_, function) in part.functions.iter() {
            let id = self.functions.push(moved(function.clone(), offset));
            self.items.push(Item::Function(id));
            first = first.or(Some(id));
        }
        first
    }
}

/// A function whose text begins `by` bytes later.
fn moved(mut function: Function, by: u32) -> Function {
    shift(by, [&mut function.span, &mut function.name_span]);
    for argument in &mut function.arguments {
        shift(by, argument.attributes.iter_mut().map(|attribute| &mut attribute.span));
    }
    shift(by, function.attributes.iter_mut().map(|attribute| &mut attribute.span));
    shift(by, function.values.iter_mut().map(|value| &mut value.span));
    shift(by, function.blocks.iter_mut().map(|block| &mut block.span));
    shift(by, function.comments.iter_mut().map(|placed| &mut placed.comment.span));
    for operation in function.operations.iter_mut() {
        shift(by, [&mut operation.span, &mut operation.name_span, &mut operation.type_span]);
        shift(by, operation.attributes.iter_mut().map(|attribute| &mut attribute.span));
        let passed = operation.successors.iter_mut().flat_map(|successor| &mut successor.arguments);
        let operands = operation.operands.iter_mut().chain(passed);
        shift(by, operands.map(|Operand { span, .. }| span));
    }
    function
}

/// Moves spans by `by` bytes, except empty spans at offset 0, which mean that there is no place in the text.
fn shift<'s>(by: u32, spans: impl IntoIterator<Item = &'s mut Span>) {
    for span in spans.into_iter().filter(|span| **span != Span::default()) {
        *span = Span::new(span.start + by, span.end + by);
    }
}
