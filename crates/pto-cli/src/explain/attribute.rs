//! Attributes of operations and the words of their enumerations, as text and as JSON, from the operations' pages.

use super::operation;
use pto::isa::Op;
use pto::isa::language::bare;
use pto::isa::op::attribute::{AttributeKind, AttributeSpec};
use serde_json::{Value, json};
use std::fmt::Write;

/// One attribute, and the operations that have it with the same kind, default and meaning.
pub(super) struct Found {
    pub(super) spec: &'static AttributeSpec,
    pub(super) operations: Vec<Op>,
}

/// Every distinct attribute, in the order of the operations.
pub(super) fn all() -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for op in Op::all() {
        for spec in op.page().attributes {
            match found.iter_mut().find(|known| known.spec == spec) {
                Some(known) => known.operations.push(op),
                None => found.push(Found { spec, operations: vec![op] }),
            }
        }
    }
    found
}

/// The name of the enumeration or the fields of an attribute.
fn enumeration(spec: &AttributeSpec) -> Option<&'static str> {
    match spec.kind {
        AttributeKind::Words(name, _) | AttributeKind::Fields(name, _) => Some(name),
        _ => None,
    }
}

/// The words of an enumeration.
pub(super) fn words(spec: &AttributeSpec) -> &'static [&'static str] {
    match spec.kind {
        AttributeKind::Words(_, words) | AttributeKind::Strings(words) => words,
        _ => &[],
    }
}

/// The keys of an attribute and the name of its enumeration.
pub(super) fn names(spec: &'static AttributeSpec) -> impl Iterator<Item = &'static str> {
    std::iter::once(spec.name).chain(spec.aliases.iter().copied()).chain(enumeration(spec))
}

/// The attributes with a key or the name of an enumeration; without one, those whose enumeration has the word.
pub(super) fn find(name: &str) -> Vec<Found> {
    let same = |known: &str| known.eq_ignore_ascii_case(bare(name));
    let (keys, others): (Vec<_>, Vec<_>) = all().into_iter().partition(|found| names(found.spec).any(same));
    if !keys.is_empty() {
        return keys;
    }
    others.into_iter().filter(|found| words(found.spec).iter().any(|word| same(word))).collect()
}

/// The operations of an attribute by short name; long lists end in their number.
fn operations(found: &Found) -> String {
    const MOST: usize = 12;
    let names: Vec<_> = found.operations.iter().take(MOST).map(|op| op.page().name).collect();
    let rest = found.operations.len().saturating_sub(MOST);
    if rest == 0 { names.join(", ") } else { format!("{}, and {rest} more", names.join(", ")) }
}

/// The attributes with a name; empty if there are none.
pub(super) fn text(name: &str) -> String {
    let mut text = String::new();
    for (at, found) in find(name).iter().enumerate() {
        let spec = found.spec;
        text.push_str(if at == 0 { "attribute\n" } else { "" });
        let page = found.operations[0].page();
        let _ = writeln!(text, "  {}", operation::value(page, spec));
        let _ = writeln!(text, "    {}\n    Of {}.", spec.summary, operations(found));
        let others: Vec<_> = names(spec).skip(1).collect();
        if !others.is_empty() {
            let _ = writeln!(text, "    Also named {}.", others.join(", "));
        }
    }
    text
}

/// [`text`] with a title.
pub(super) fn titled(name: &str) -> String {
    let is_key = find(name).iter().any(|found| names(found.spec).any(|known| known == name));
    let kind = if is_key { "an attribute of operations" } else { "a word of an attribute" };
    let operations = pto::isa::foreign::operations(name);
    let other = match operations.is_empty() {
        true => String::new(),
        false => format!("\nAs the name of an operation in other languages: {}.\n", operations.join(", ")),
    };
    format!("{name}: {kind}.\n\n{}{other}", text(name))
}

/// An attribute as JSON.
pub(super) fn json(found: &Found) -> Value {
    json!({
        "name": found.spec.name,
        "kind": "attribute",
        "aliases": names(found.spec).skip(1).collect::<Vec<_>>(),
        "value": found.spec.kind.word(),
        "words": words(found.spec),
        "default": found.spec.describe_default(),
        "summary": found.spec.summary,
        "operations": found.operations.iter().map(|op| op.name()).collect::<Vec<_>>(),
    })
}

/// `docs/language/attributes.md`: every attribute of an operation.
pub(super) fn page() -> String {
    let mut text = String::from(
        "# Attributes of operations\n\nGenerated from the operations' own pages; `BLESS=1 cargo test -p pto-cli --test all docs::` \
         writes it anew. An attribute is a key and a constant between braces, or at a position of its own. A word of an \
         enumeration is written `#pto<round_mode RINT>`, `#pto.round_mode<RINT>` or `<RINT>` where the name is implied. \
         Attributes of modules and functions are in [program.md](program.md).\n\n\
         | attribute | value | default | meaning | operations |\n|---|---|---|---|---|\n",
    );
    let mut list = all();
    list.sort_by_key(|found| found.spec.name.to_lowercase());
    for found in list {
        let spec = found.spec;
        let others: Vec<_> = names(spec).skip(1).map(|name| format!("<br>{name}")).collect();
        let operations: Vec<_> = found.operations.iter().map(|op| format!("`{}`", op.page().name)).collect();
        let cells = [
            format!("`{}`{}", spec.name, others.concat()),
            spec.kind.describe().replace('<', "\\<"),
            spec.describe_default(),
            spec.summary.to_owned(),
            operations.join(" "),
        ];
        let _ = writeln!(text, "| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | "));
    }
    text
}
