//! Labels of the definitions of the operands that a finding names.

use super::site::{Fact, OperandFact};
use crate::diag::{Diagnostic, Label, Span};
use crate::element::element_word;

/// Labels the definition of each tile and view that the message names, with its shape or its element type.
pub(super) fn definitions(operands: &[OperandFact<'_>], mut finding: Diagnostic) -> Diagnostic {
    let known =
        operands.iter().filter(|operand| operand.role != "result" && operand.defined != Span::default());
    for operand in known {
        let is_named = finding.message.contains(&format!("`%{}`", operand.name));
        if let Some(text) = in_words(operand).filter(|_| is_named) {
            let label = Label { span: operand.defined, message: text };
            // An operand may be used twice.
            if !finding.secondary.contains(&label) {
                finding.secondary.push(label);
            }
        }
    }
    finding
}

/// Label with the definition of an operand: `%a` is 8x64xf16 vec.
fn in_words(operand: &OperandFact<'_>) -> Option<String> {
    match &operand.fact {
        Fact::Tile(tile) => Some(format!("`%{}` is {}", operand.name, tile.ty.brief())),
        Fact::View(view) => Some(format!("`%{}` holds {}", operand.name, element_word(view.element))),
        _ => None,
    }
}
