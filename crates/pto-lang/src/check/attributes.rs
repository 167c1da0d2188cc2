//! Attributes of operations, modules and functions: their keys, and the kinds and words of their values.
//!
//! [`AttributeSpec::judge`](pto_isa::op::attribute::AttributeSpec::judge) judges values. MLIR keeps attributes that
//! are unknown to an operation, so an unknown key is a lint, unless it is near a key that is absent.

use crate::ir::{Attribute, Item, Module, ModuleItem, NamedAttribute, Operation};
use crate::text::misplaced;
use pto_isa::diag::{Diagnostic, Severity, Span, suggest};
use pto_isa::op::Page;
use pto_isa::op::attribute::structural::{DEVICE_SPEC, TARGET_ARCH, find, misspelt};
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use pto_isa::rules;

/// Attribute keys that the generic form adds to any operation.
const GENERIC: [&str; 2] = ["operandSegmentSizes", "resultSegmentSizes"];

/// Checks the attributes of an operation; returns false if one of them is wrong.
pub(super) fn check(operation: &Operation, findings: &mut Vec<Diagnostic>) -> bool {
    let Some(page) = operation.op().map(Op::page) else { return true };
    let before = findings.len();
    for attribute in &operation.attributes {
        let name = attribute.name.as_str();
        match page.attribute(name) {
            Some(spec) => findings.extend(spec.judge(operation.name.as_str(), attribute).map(|finding| {
                let at = if finding.primary.is_some() { finding } else { finding.at(operation.name_span) };
                at.with_label(operation.name_span, "")
            })),
            None if name.contains('.') || GENERIC.contains(&name) => {}
            None => findings.push(unknown(page, operation, attribute)),
        }
    }
    if findings.len() == before {
        findings.extend(misplaced(operation).map(|finding| finding.at(operation.name_span)));
    }
    !findings[before..].iter().any(|finding| finding.severity == Severity::Error)
}

/// The finding about an attribute that the page of its operation does not list.
fn unknown(page: &Page, operation: &Operation, attribute: &NamedAttribute) -> Diagnostic {
    let name = attribute.name.as_str();
    let given = |name: &str| operation.attributes.iter().any(|known| known.name == name);
    let absent = page.attributes.iter().filter(|spec| !spec.names().any(given));
    let message = format!("`{}` has no attribute `{name}`", operation.name);
    let span = if attribute.span == Span::default() { operation.name_span } else { attribute.span };
    // The span begins with the name, unless that is quoted.
    let end = span.start + name.len() as u32;
    let word = (!attribute.quoted && span == attribute.span && end <= span.end).then_some(end);
    let error = Diagnostic::error(&rules::attributes::UNKNOWN, message.clone()).at(span);
    let word = word.map(|end| Span::new(span.start, end));
    let suggested = suggest(error, word, name, absent.flat_map(|spec| spec.names()));
    if !suggested.help.is_empty() {
        return suggested;
    }
    let message = format!("{message}: it is kept, and has no effect");
    Diagnostic::new(Severity::Lint, &rules::attributes::UNKNOWN, message).at(span)
}

/// Checks the attributes of all modules and functions, and the target that they name unless `target` overrides it.
pub(super) fn check_structural(module: &Module, target: Option<Profile>, findings: &mut Vec<Diagnostic>) {
    for (_, function) in module.functions.iter() {
        check_list("func.func", &function.attributes, function.name_span, target, findings);
    }
    let mut items: Vec<&Item> = module.items.iter().collect();
    while let Some(item) = items.pop() {
        if let Item::Module(ModuleItem { attributes, items: inner, span, .. }) = item {
            let start = Span::new(span.start, span.start);
            check_list("module", attributes, start, target, findings);
            items.extend(inner);
        }
    }
}

fn check_list(
    owner: &str,
    attributes: &[NamedAttribute],
    otherwise: Span,
    target: Option<Profile>,
    findings: &mut Vec<Diagnostic>,
) {
    for attribute in attributes {
        let span = if attribute.span == Span::default() { otherwise } else { attribute.span };
        let finding = match find(&attribute.name) {
            Some(spec) => spec.judge(owner, attribute),
            None => misspelt(&attribute.name).map(|near| {
                let message = format!("`{}` is not an attribute of a `{owner}`", attribute.name);
                Diagnostic::error(&rules::attributes::UNKNOWN, message)
                    .with_help(format!("did you mean `{near}`?"))
            }),
        };
        let finding = finding.or_else(|| if target.is_none() { unknown_target(attribute) } else { None });
        findings.extend(finding.map(|finding| finding.at(span)));
    }
}

/// The error for a target or a device that does not exist.
fn unknown_target(attribute: &NamedAttribute) -> Option<Diagnostic> {
    let Attribute::String(word) = &attribute.value else { return None };
    let (message, help) = match attribute.name.as_str() {
        TARGET_ARCH if Profile::from_word(word).is_none() => {
            (format!("unknown target `{word}`"), "targets are \"a2a3\", \"a2\", \"a3\", \"a5\" and \"cpu\"")
        }
        DEVICE_SPEC if Profile::from_device(word).is_none() => (
            format!("unknown device `{word}`"),
            "the names of devices begin with `Ascend910` (a2a3), `Ascend910_95` or `Ascend950` (a5)",
        ),
        _ => return None,
    };
    Some(Diagnostic::error(&rules::structure::UNKNOWN_TARGET, message).with_help(help))
}
