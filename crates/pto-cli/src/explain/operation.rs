//! An operation that is not an instruction, and the parts that instructions share: syntax, attributes, effects.

use super::{indent, rule};
use crate::programs::{self, Example};
use pto::isa::Op;
use pto::isa::op::Page;
use pto::isa::op::attribute::{AttributeKind, AttributeSpec, Constant, DefaultValue};
use pto::isa::op::effect::Effect;
use pto::isa::op::form::{Form, Kind, Role, Syntax};
use pto::isa::rule::RuleId;
use pto::isa::rules;
use pto::text::form;
use serde_json::{Value, json};
use std::fmt::Write;

/// Note on operations that are only read and printed.
pub(super) const NOT_RUN: &str = "does not run yet: read and printed";

/// The operations that are not instructions.
pub(super) fn operations() -> impl Iterator<Item = Op> {
    Op::all().filter(|op| op.instruction().is_none())
}

/// The operation of a page.
fn operation(page: &Page) -> Option<Op> {
    Op::find_spelling(page.name)
}

/// Every form of an operation.
pub(super) fn spellings(page: &Page) -> Vec<String> {
    operation(page).map(form::forms).unwrap_or_default()
}

/// The kinds of the operands that the syntax does not imply, such as `lower: index, step: index`.
fn kinds(page: &Page) -> String {
    let mut kinds = page.syntax.kinds().to_vec();
    if let Syntax::Destination(forms) = page.syntax {
        // The kind of a role of type tile or view follows from its type in a form.
        let is_shown = |role: &&Role| matches!(role.kind, Kind::Tile | Kind::View);
        let roles = forms.iter().flat_map(Form::roles).filter(|role| !is_shown(role));
        kinds = roles.map(|role| (role.name, role.kind)).collect();
    }
    let mut listed: Vec<String> = Vec::new();
    for (role, kind) in kinds {
        let text = format!("{role}: {}", kind.word());
        if !listed.contains(&text) {
            listed.push(text);
        }
    }
    listed.join(", ")
}

/// The spellings of an operation and its other names.
pub(super) fn syntax(page: &Page) -> String {
    let mut text = String::new();
    let spellings = spellings(page);
    for spelling in &spellings {
        let _ = writeln!(text, "  {spelling}");
    }
    let aliases = form::definitions(&spellings.join("\n")).collect::<Vec<_>>();
    if !aliases.is_empty() {
        let _ = writeln!(text, "  for example with {}", aliases.join(", "));
    }
    if !page.aliases.is_empty() {
        let _ = writeln!(text, "  also spelled {}", page.aliases.join(", "));
    }
    text
}

/// The kinds of the operands of an operation, if its syntax does not imply them; else empty.
pub(super) fn operands(page: &Page) -> String {
    let kinds = kinds(page);
    if kinds.is_empty() { kinds } else { format!("\noperands {kinds}\n") }
}

/// Adds an example after the command that runs it.
pub(super) fn push_example(text: &mut String, page: &Page, heading: &str, example: &Example) {
    let _ = writeln!(text, "\n{heading}: {}\n", example.command(page.name));
    indent(text, example.text.lines());
}

/// Attributes with kinds and defaults, then effects; empty if there are none.
pub(super) fn attributes_and_effects(page: &Page) -> String {
    let mut text = String::new();
    if !page.attributes.is_empty() {
        text.push_str("attributes\n");
    }
    for spec in page.attributes {
        let _ = writeln!(text, "  {}\n    {}", value(page, spec), spec.summary);
        if !spec.aliases.is_empty() {
            let _ = writeln!(text, "    Also spelled {}.", spec.aliases.join(", "));
        }
    }
    for (at, effect) in page.own_effects().enumerate() {
        if at == 0 {
            text.push_str(if text.is_empty() { "effects\n" } else { "\neffects\n" });
        }
        let _ = writeln!(text, "  {}", effect.describe());
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// An attribute as it is written, its values and its default: `rmode = #pto<round_mode RINT>: NONE, RINT, ... (default RINT)`.
pub(super) fn value(page: &Page, spec: &AttributeSpec) -> String {
    format!("{}: {} ({})", form::attribute(page, spec), spec.kind.describe(), spec.describe_default())
}

/// The ids of the rules that an operation owns.
fn ids(page: &Page) -> impl Iterator<Item = RuleId> {
    rules::all().filter(|id| id.owner == page.name)
}

/// The page of an operation as text: summary, forms and example first.
pub(super) fn text(op: Op) -> String {
    let page = op.page();
    let mut text = format!("{}: {}\n\n  {}\n\n{}", page.name, page.summary, page.formula, syntax(page));
    if let Some(example) = programs::using(op) {
        push_example(&mut text, page, "example", &example);
    }
    text.push_str(&operands(page));
    let _ = writeln!(text, "\nset      {}\nsource   {}", page.set.word(), page.source);
    if !op.meaning().runs() {
        let _ = writeln!(text, "\n{NOT_RUN}");
    }
    let more = attributes_and_effects(page);
    if !more.is_empty() {
        let _ = write!(text, "\n{}", more.trim_end_matches('\n'));
        text.push('\n');
    }
    for (at, id) in ids(page).enumerate() {
        if at == 0 {
            text.push_str("\nrules\n");
        }
        text.push_str(&rule::line(id));
    }
    text
}

/// The page of an operation as JSON.
pub(super) fn json(op: Op) -> Value {
    let page = op.page();
    json!({
        "name": page.name,
        "kind": "operation",
        "aliases": page.aliases,
        "set": page.set.word(),
        "summary": page.summary,
        "formula": page.formula,
        "spellings": spellings(page),
        "operands": operands_json(page),
        "attributes": attributes_json(page),
        "effects": effects_json(page),
        "source": page.source,
        "runs": op.meaning().runs(),
        "rules": ids(page).map(rule::json).collect::<Vec<Value>>(),
        "has_picture": !page.pictures.is_empty(),
        "example": programs::using(op).map(|example| {
            json!({"file": example.file(), "text": example.text, "run": example.flags})
        }),
    })
}

/// The kinds of operands by role, if the spellings do not imply them.
pub(super) fn operands_json(page: &Page) -> Value {
    page.syntax.kinds().iter().map(|(role, kind)| json!({"role": role, "kind": kind.word()})).collect()
}

/// Attributes as JSON: `default` is a value that can be written, `absent` else describes the effect of absence.
pub(super) fn attributes_json(page: &Page) -> Value {
    page.attributes.iter().map(attribute_json).collect()
}

fn attribute_json(spec: &AttributeSpec) -> Value {
    let words = match spec.kind {
        AttributeKind::Words(_, words) | AttributeKind::Strings(words) => Some(words),
        _ => None,
    };
    let enumeration = match spec.kind {
        AttributeKind::Words(name, _) | AttributeKind::Fields(name, _) => Some(name),
        _ => None,
    };
    let default = spec.default_value().map(|value| match value {
        Constant::Word(word) => json!(word),
        Constant::Integer(number) => json!(number),
        Constant::Bool(value) => json!(value),
        Constant::Integers(list) => json!(list),
    });
    let absent = match spec.default {
        DefaultValue::Means(phrase) => Some(phrase),
        DefaultValue::Required | DefaultValue::Value(_) => None,
    };
    json!({
        "name": spec.name,
        "aliases": spec.aliases,
        "kind": spec.kind.word(),
        "enumeration": enumeration,
        "words": words,
        "required": spec.default == DefaultValue::Required,
        "default": default,
        "absent": absent,
        "summary": spec.summary,
    })
}

/// Effects as JSON, each as a sentence and in its parts.
pub(super) fn effects_json(page: &Page) -> Value {
    let effect = |effect: &Effect| {
        json!({
            "text": effect.describe(),
            "access": effect.access.word(),
            "operand": effect.role(),
            "pipe": effect.pipe.map(|pipe| pipe.word()),
            "profiles": effect.profiles.iter().map(|profile| profile.word()).collect::<Vec<_>>(),
        })
    };
    page.own_effects().map(effect).collect()
}

/// An attribute as a table cell.
fn cell(page: &Page, spec: &AttributeSpec) -> String {
    let (kind, default) = (spec.kind.describe(), spec.describe_default());
    format!("`{}`: {kind} ({default})", form::attribute(page, spec))
}

/// `docs/operations.md`: the operations that are not instructions, by set.
pub fn operations_page() -> String {
    let mut text = String::from(
        "# Operations\n\nGenerated from the operations' own pages; `BLESS=1 cargo test -p pto-cli --test all docs::` writes it \
         anew. These are the operations that are no instructions: scalars, control flow, tiles and views as values, the \
         launch. [instructions.md](instructions.md) has the instructions; `pto explain NAME` says more of either.\n",
    );
    let mut set = None;
    let mut list: Vec<Op> = operations().collect();
    // Operations of an instruction set, which do not run, come last.
    list.sort_by_key(|op| (op.page().set.has_formulas(), op.page().set));
    for op in list {
        let page = op.page();
        if set != Some(page.set) {
            set = Some(page.set);
            let _ = write!(
                text,
                "\n## {}\n\n| operation | syntax | operands | meaning | attributes |\n|---|---|---|---|---|\n",
                page.set.word()
            );
        }
        let escaped = |text: String| text.replace('|', "\\|");
        let spelled: Vec<_> = spellings(page).into_iter().map(|spelling| format!("`{spelling}`")).collect();
        let attributes: Vec<_> = page.attributes.iter().map(|spec| cell(page, spec)).collect();
        let runs = if op.meaning().runs() { String::new() } else { format!(" ({NOT_RUN})") };
        let cells =
            [spelled.join("<br>"), kinds(page), format!("{}{runs}", page.formula), attributes.join("<br>")];
        let _ = writeln!(text, "| `{}` | {} |", op.name(), cells.map(escaped).join(" | "));
    }
    text
}
