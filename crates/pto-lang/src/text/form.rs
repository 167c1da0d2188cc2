//! The forms of operations in program text, which `explain` prints and syntax errors show.
//!
//! A form names each operand by its role and writes the required attributes. Its types are those of a simple program;
//! a tile type is written as an alias, whose definition is one of [`ALIASES`]. `<type>` is a placeholder for a type
//! that depends on the program.

use super::table;
use crate::ir::OperationName;
use pto_isa::op::Page;
use pto_isa::op::attribute::{AttributeKind, AttributeSpec, DefaultValue};
use pto_isa::op::form::{Form, Kind, Role, Syntax};
use pto_isa::registry::Op;

/// The aliases in forms, and the types that they name.
pub const ALIASES: [(&str, &str); 6] = [
    ("!part", "!pto.partition_tensor_view<16x64xf32>"),
    ("!tile", "!pto.tile_buf<vec, 16x64xf32>"),
    ("!scaling", "!pto.tile_buf<scaling, 1x64xf32>"),
    ("!tiles", "!pto.multi_tile_buf<vec, 16x64xf32, count=2>"),
    ("!conv_tile", "!pto.conv_tile<mat, NC1HWC0, 1x2x16x16x16xf16>"),
    ("!view", "!pto.tensor_view<16x64xf32>"),
];

/// The types of results that operations of a simple program have.
const RESULTS: [(Op, &str); 6] = [
    (Op::ALLOC_TILE, "!tile"),
    (Op::ALLOC_MULTI_TILE, "!tiles"),
    (Op::DECLARE_TILE, "!tile"),
    (Op::MULTI_TILE_GET, "!tile"),
    (Op::MAKE_TENSOR_VIEW, "!view"),
    (Op::PARTITION_VIEW, "!part"),
];

/// The type of a value of a kind; `None` for kinds such as [`Kind::Other`] that have no usual type.
pub fn type_of_kind(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Tile | Kind::TileOrView => "!tile",
        Kind::ConvTile => "!conv_tile",
        Kind::Scaling => "!scaling",
        Kind::Scalar | Kind::Float => "f32",
        Kind::View => "!view",
        Kind::Pointer | Kind::PointerOrView => "!pto.ptr<f32>",
        Kind::Integer => "i32",
        Kind::Index => "index",
        Kind::Bool => "i1",
        Kind::Handle => "!pto.async_session",
        Kind::MultiTile => "!tiles",
        Kind::Struct => "!pto.struct<i32, f32>",
        Kind::Events => "!pto.eventid_array<4>",
        _ => return None,
    })
}

/// Every form of an operation, the usual one first.
pub fn forms(op: Op) -> Vec<String> {
    match op.page().syntax {
        Syntax::Destination(forms) => forms.iter().map(|form| destination(op, form)).collect(),
        Syntax::Own(patterns, _) | Syntax::Code(patterns, _) => {
            patterns.iter().map(|pattern| of_pattern(op, pattern)).collect()
        }
    }
}

/// The definitions of the aliases in a form: `!tile = !pto.tile_buf<vec, 16x64xf32>`.
pub fn definitions(form: &str) -> impl Iterator<Item = String> + '_ {
    let has = |alias: &str| {
        let after =
            |at: usize| form[at + alias.len()..].starts_with(|c: char| !c.is_alphanumeric() && c != '_');
        form.match_indices(alias).any(|(at, _)| after(at) || form.len() == at + alias.len())
    };
    ALIASES.iter().filter(move |(alias, _)| has(alias)).map(|(alias, ty)| format!("{alias} = {ty}"))
}

/// An attribute with an example value: `rmode = #pto<round_mode RINT>`, or `src <PIPE_V>` if the attribute has its
/// own position in the syntax and needs no key.
pub fn attribute(page: &Page, spec: &AttributeSpec) -> String {
    let patterns = match page.syntax {
        Syntax::Destination(_) => &[][..],
        Syntax::Own(patterns, _) | Syntax::Code(patterns, _) => patterns,
    };
    let sigil = |word: &str| {
        word.strip_prefix(['#', '$']).filter(|name| *name == spec.name).map(|_| word.starts_with('$'))
    };
    match patterns.iter().flat_map(|pattern| pattern.split_whitespace()).find_map(sigil) {
        Some(bare) => format!("{} {}", spec.name, placed(page, spec.name, bare, &[])),
        None => spec.example(),
    }
}

/// `pto.tadd ins(%src0, %src1 : !tile, !tile) outs(%dst : !tile)`.
fn destination(op: Op, form: &Form) -> String {
    let name = OperationName::from(op);
    let needed = |spec: &&AttributeSpec| {
        form.asks.contains(&spec.name) || form.asks.is_empty() && spec.default == DefaultValue::Required
    };
    let (inner, outer): (Vec<_>, Vec<_>) = op
        .page()
        .attributes
        .iter()
        .filter(needed)
        .partition(|spec| table::is_inner(&name, spec.name) || table::ALL_INNER.contains(&op));
    let plain: Vec<&Role> = form.ins.iter().filter(|role| role.keyword.is_none()).collect();
    let mut ins = if table::APART.contains(&op) {
        plain.iter().map(|role| typed(&[role], "")).collect::<Vec<_>>().join(", ")
    } else {
        typed(&plain, &dictionary(&inner))
    };
    for role in form.ins.iter().filter(|role| role.keyword.is_some()) {
        ins += &format!(" {} {}", role.keyword.unwrap_or_default(), typed(&[role], ""));
    }
    let outs = typed(&form.outs.iter().collect::<Vec<_>>(), "");
    format!("{} ins({ins}) outs({outs}){}", op.name(), dictionary(&outer))
}

/// `%a, %b {...} : T, T`.
fn typed(roles: &[&Role], attributes: &str) -> String {
    let names: Vec<_> = roles.iter().map(|role| format!("%{}", role.name)).collect();
    let types: Vec<_> = roles.iter().map(|role| type_of_kind(role.kind).unwrap_or("<type>")).collect();
    match roles {
        [] => String::new(),
        _ => format!("{}{attributes} : {}", names.join(", "), types.join(", ")),
    }
}

/// ` {key = value, ...}` after a blank; empty without attributes.
fn dictionary(attributes: &[&AttributeSpec]) -> String {
    let list: Vec<_> = attributes.iter().map(|spec| spec.example()).collect();
    if list.is_empty() { String::new() } else { format!(" {{{}}}", list.join(", ")) }
}

/// A pattern of a page and its result, with an example for each attribute that has its own position in the pattern.
fn of_pattern(op: Op, pattern: &str) -> String {
    let page = op.page();
    let mut words: Vec<String> = Vec::new();
    let mut results = 0;
    // Attributes are implied, unless they are required or all there is.
    let alone = !pattern.contains(['%', '#', '$', '&', '<']);
    let mut attributes = own_attributes(page, pattern, alone);
    for word in pattern.split_whitespace() {
        let (sigil, rest) = word.split_at(1);
        match (sigil, rest.trim_end_matches('*')) {
            ("[", "?" | "+") | ("?", "]") => {}
            (",", "?") => words.push(",".to_owned()),
            ("{", "}") => words.extend(std::mem::take(&mut attributes)),
            (":", role) if !role.is_empty() => words.push(type_of_role(page, role)),
            ("!", "type" | "types") => {
                results += 1;
                let known = RESULTS.iter().find(|(known, _)| *known == op).map(|(_, ty)| *ty);
                words.push(known.unwrap_or("<type>").to_owned());
            }
            // The result type follows from the operation or its operands, and is not written.
            ("!", rest) if !rest.starts_with("pto.") => results += 1,
            ("#" | "$", name) => {
                let value = placed(page, name, sigil == "$", &words);
                words.push(value);
            }
            ("&", name) => words.push(format!("@{name}")),
            // A list in brackets has an element for each of two dimensions.
            ("%", role) if rest.ends_with('*') && words.last().is_some_and(|word| word == "[") => {
                words.push(format!("%{role}0, %{role}1"));
            }
            _ => words.push(word.trim_end_matches('*').to_owned()),
        }
    }
    let result = match results {
        0 => String::new(),
        1 => "%result = ".to_owned(),
        _ => (0..results).map(|at| format!("%result{at}")).collect::<Vec<_>>().join(", ") + " = ",
    };
    format!("{result}{}", joined(op.name(), &words))
}

/// The dictionary of attributes without a position of their own in a pattern: the required ones, or all of them if
/// `all`. `None` if there are no such attributes.
fn own_attributes(page: &Page, pattern: &str, all: bool) -> Option<String> {
    let is_placed = |spec: &&AttributeSpec| {
        pattern
            .split_whitespace()
            .any(|word| word.get(1..) == Some(spec.name) && word.starts_with(['#', '$', '&']))
    };
    let needed = |spec: &&AttributeSpec| all || spec.default == DefaultValue::Required;
    let listed: Vec<_> = page.attributes.iter().filter(|spec| needed(spec) && !is_placed(spec)).collect();
    let text = dictionary(&listed);
    (!text.is_empty()).then(|| text.trim_start().to_owned())
}

/// The type of an operand as its kind has it, in a pattern.
fn type_of_role(page: &Page, role: &str) -> String {
    let kinds = page.syntax.kinds();
    let kind = kinds.iter().find(|(known, _)| *known == role).map_or(Kind::Other, |(_, kind)| *kind);
    type_of_kind(kind).map_or_else(|| format!("<{role}>"), str::to_owned)
}

/// An example value for an attribute with its own position: a word is written `<word>`, or without brackets if it is
/// `bare`. The word is not one of `others` if the attribute has another one, since the two pipes of a flag differ.
fn placed(page: &Page, name: &str, bare: bool, others: &[String]) -> String {
    let Some(spec) = page.attribute(name) else { return format!("<{name}>") };
    if let AttributeKind::Words(_, words @ [first, ..]) = spec.kind {
        let written = |word: &&str| if bare { (*word).to_owned() } else { format!("<{word}>") };
        let unused = words.iter().map(written).find(|word| !others.contains(word));
        return unused.unwrap_or_else(|| written(first));
    }
    let example = spec.example();
    example.split_once(" = ").map_or(example.clone(), |(_, value)| value.to_owned())
}

/// A name and words, with the blanks that a program has between them.
fn joined(name: &str, words: &[String]) -> String {
    let mut text = name.to_owned();
    let mut open = false;
    for word in words {
        let tight = open || word.starts_with([',', ')', ']']) || (word == "[" && !text.ends_with('='));
        let is_call = word == "(" && text.len() == name.len();
        if !(tight || is_call) {
            text.push(' ');
        }
        text.push_str(word);
        open = word.ends_with(['(', '[']);
    }
    text
}
