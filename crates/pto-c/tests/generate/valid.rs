//! Every generated pattern is an operation of the dialect: with the operands of legal uses it parses and checks.

use super::all;
use super::signature::{Signature, Variant};
use pto_isa::element::element_word;
use pto_isa::op::attribute::AttributeKind;
use pto_isa::op::form::Form;
use pto_isa::op::site::{Fact, Site};
use pto_isa::profile::Profile;
use pto_isa::tile::{BLayout, SLayout, TileType};
use pto_isa::types::Scalar;
use pto_lang::check::probe::legal_sites;

/// The spelling of a tile type, as the headers compose it. Extents are dynamic: the probe leaves them open.
fn tile_text(ty: &TileType) -> String {
    let mut text = format!(
        "!pto.tile_buf<{}, {}x{}x{}, valid=?x?",
        ty.location.word(),
        ty.rows,
        ty.cols,
        element_word(ty.element)
    );
    if ty.blayout == BLayout::ColMajor {
        text.push_str(", blayout=col_major");
    }
    match ty.slayout {
        SLayout::NoneBox => {}
        SLayout::RowMajor => text.push_str(", slayout=row_major"),
        SLayout::ColMajor => text.push_str(", slayout=col_major"),
    }
    if ty.fractal != 512 {
        text.push_str(&format!(", fractal={}", ty.fractal));
    }
    text + ", pad=1>"
}

/// The text of an operand's type.
fn operand_text(fact: &Fact) -> Option<String> {
    match fact {
        Fact::Tile(tile) => Some(tile_text(&tile.ty)),
        Fact::Scalar(Scalar::Number(element), _) => Some(element_word(*element).to_owned()),
        Fact::Scalar(Scalar::Index, _) => Some("index".to_owned()),
        _ => None,
    }
}

/// A function that consists of one operation: the pattern with these texts.
pub(crate) fn kernel(pattern: &str, texts: &[String], operands: usize) -> String {
    let mut operation = pattern.to_owned();
    // From the last, so that `@1` does not replace a part of `@10`.
    for (at, text) in texts.iter().enumerate().rev() {
        operation = operation.replace(&format!("@{at}"), text);
    }
    // An operand that the operation defines is not a parameter.
    let first = usize::from(pattern.starts_with("%0 ="));
    let parameters: Vec<String> = (first..operands).map(|at| format!("%{at}: {}", texts[at])).collect();
    format!("func.func @f({}) {{\n  {operation}\n  return\n}}\n", parameters.join(", "))
}

/// The words that the pattern may insert after the types.
fn words(signature: &Signature) -> Vec<Option<&'static str>> {
    match (signature.choice.map(|spec| spec.kind), signature.variant) {
        (Some(AttributeKind::Words(_, words)), _) => words.iter().map(|word| Some(*word)).collect(),
        (Some(_), _) => vec![Some("false"), Some("true")],
        (None, Variant::Precision(_)) => vec![None, Some("high_precision")],
        (None, Variant::Phase) => ["unspecified", "partial", "final"].map(Some).to_vec(),
        (None, Variant::Plain | Variant::Unknown(_)) => vec![None],
    }
}

/// Whether a profile accepts the operation; `Err` has the reasons of the last one.
fn accepted(text: &str) -> Result<(), String> {
    let mut reasons = String::new();
    for profile in Profile::ALL {
        let module = pto::parse(text).map_err(|errors| format!("{errors:?}"))?.module;
        match pto::check(module, Some(profile)) {
            Ok(_) => return Ok(()),
            Err(errors) => reasons = format!("{errors:?}"),
        }
    }
    Err(reasons)
}

fn uses(signature: &Signature) -> Vec<Site<'static>> {
    let instruction = signature.op.instruction().expect("an instruction");
    let sites = legal_sites(instruction);
    let same = |(form, _): &(&'static Form, Vec<Site<'static>>)| std::ptr::eq(*form, signature.form);
    sites.into_iter().filter(same).flat_map(|(_, sites)| sites).collect()
}

#[test]
fn patterns_are_operations_of_the_dialect() {
    let mut failures = Vec::new();
    for signature in all() {
        let uses = uses(&signature);
        if uses.is_empty() {
            failures.push(format!("no legal use of {} is known", signature.pattern(false)));
        }
        // A few uses of each form: they differ in types, which the pattern does not depend on.
        let step = uses.len().div_ceil(4).max(1);
        let mut reason = String::new();
        for word in words(&signature) {
            let pattern = signature.pattern(word == Some("high_precision"));
            let accepts = uses.iter().step_by(step).chain(&uses).any(|site| {
                let fact = |name: &str| site.operands.iter().find(|operand| operand.role == name);
                let texts = signature.operands.iter().map(|role| operand_text(&fact(role.name)?.fact));
                let Some(mut texts) = texts.collect::<Option<Vec<String>>>() else { return false };
                texts.extend(word.map(str::to_owned));
                let text = kernel(&pattern, &texts, signature.operands.len());
                accepted(&text).map_err(|why| reason = format!("{text}{why}")).is_ok()
            });
            if !accepts {
                failures.push(format!("{pattern} with {word:?}: {reason}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
