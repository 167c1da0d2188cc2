//! Attribute dictionaries with values of all kinds, on operations that have such attributes and on others.

use crate::Rng;
use pto::isa::Op;
use pto::isa::op::attribute::{AttributeKind, AttributeSpec};

/// Most lines that get attributes.
const LINES: usize = 4;

/// A program with attributes added to some operations, or inserted before existing ones.
pub fn attributes(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let places: Vec<usize> = (0..lines.len()).filter(|at| operation(&lines[*at]).is_some()).collect();
    if places.is_empty() {
        return text.to_owned();
    }
    for _ in 0..rng.between(1, LINES) {
        let at = *rng.pick(&places);
        let list = dictionary(operation(&lines[at]), rng);
        lines[at] = with(&lines[at], &list, rng);
    }
    lines.join("\n") + "\n"
}

/// The operation of a line.
fn operation(line: &str) -> Option<Op> {
    let words = line.split([' ', '(', '{']).filter(|word| !word.is_empty());
    words.take(3).find_map(Op::find)
}

/// Entries of a dictionary, without its braces.
fn dictionary(operation: Option<Op>, rng: &mut Rng) -> String {
    let own: Vec<&AttributeSpec> = operation.map_or(Vec::new(), specs);
    let mut entries = Vec::new();
    for _ in 0..rng.between(1, 4) {
        let spec = match rng.below(10) {
            0..6 if !own.is_empty() => Some(*rng.pick(&own)),
            0..9 => any_spec(rng),
            _ => None,
        };
        let key = match spec {
            Some(spec) => key_of(spec, rng),
            None => rng.word(KEYS).to_owned(),
        };
        let value = match spec {
            Some(spec) if rng.chance(50) => fitting(spec.kind, rng),
            _ => Some(any(0, rng)),
        };
        entries.push(value.map_or(key.clone(), |value| format!("{key} = {value}")));
    }
    entries.join(", ")
}

fn specs(operation: Op) -> Vec<&'static AttributeSpec> {
    let page = operation.instruction().map(|instruction| instruction.page());
    page.map_or(Vec::new(), |page| page.attributes.iter().collect())
}

/// A random attribute of a random operation.
fn any_spec(rng: &mut Rng) -> Option<&'static AttributeSpec> {
    let all: Vec<_> = Op::all().flat_map(specs).collect();
    (!all.is_empty()).then(|| *rng.pick(&all))
}

/// Keys that no operation has, and invalid keys.
const KEYS: &[&str] =
    &["nobody", "pto.inferred_layout", "a.b.c", "\"quoted\"", "x86", "_", "value", "-", "pto."];

fn key_of(spec: &AttributeSpec, rng: &mut Rng) -> String {
    let name = if spec.aliases.is_empty() || rng.chance(80) { spec.name } else { rng.word(spec.aliases) };
    match rng.below(20) {
        0 => format!("\"{name}\""),
        1 => name.to_uppercase(),
        2 => name[..name.len() - 1].to_owned(),
        _ => name.to_owned(),
    }
}

/// A value of a kind; `None` for a key without a value.
fn fitting(kind: AttributeKind, rng: &mut Rng) -> Option<String> {
    Some(match kind {
        AttributeKind::Words(name, words) if !words.is_empty() => {
            let word = rng.word(words);
            match rng.below(4) {
                0 => format!("#pto<{name} {word}>"),
                1 => format!("#pto.{name}<{word}>"),
                2 => word.to_owned(),
                _ => format!("#pto<{name}  nonsense>"),
            }
        }
        AttributeKind::Strings(words) if !words.is_empty() => format!("\"{}\"", rng.word(words)),
        AttributeKind::Fields(name, fields) => format!("#pto.{name}<{fields}>"),
        AttributeKind::Integer | AttributeKind::Number | AttributeKind::Constant => integer(rng),
        AttributeKind::Bool => rng.word(&["true", "false"]).to_string(),
        AttributeKind::Symbol => "@f".to_owned(),
        AttributeKind::Integers => list(rng, integer),
        AttributeKind::Unit => return None,
        AttributeKind::Words(..) | AttributeKind::Strings(_) | AttributeKind::String => "\"word\"".to_owned(),
    })
}

/// Integers at and beyond the limits of types.
const INTEGERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "16",
    "255",
    "65536",
    "2147483648",
    "-2147483649",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0xff",
    "-0x1",
    "007",
];

fn integer(rng: &mut Rng) -> String {
    let number = rng.word(INTEGERS);
    match rng.below(4) {
        0 => {
            format!("{number} : {}", rng.word(&["i1", "i8", "i32", "i64", "index", "f32", "ui8", "nothing"]))
        }
        _ => number.to_owned(),
    }
}

fn list(rng: &mut Rng, one: impl Fn(&mut Rng) -> String) -> String {
    let items: Vec<String> = (0..rng.below(5)).map(|_| one(rng)).collect();
    format!("[{}]", items.join(", "))
}

/// Values of one token, or nearly.
const PLAIN: &[&str] = &[
    "true",
    "unit",
    "\"\"",
    "\"\\22\\0A\"",
    "\"\u{e9}\u{1f600}\"",
    "@f",
    "@a::@b",
    "f32",
    "!pto.ptr<f32>",
    "!pto.tile_buf<vec, 8x8xf32>",
    "tensor<?x4xf32>",
    "#pto<pipe PIPE_V>",
    "#pto.pipe<>",
    "#nobody.word<1, 2>",
    "#pto<",
    "1.0",
    "-0.0",
    "1e400",
    "1.5e-320 : f16",
    "0x7FC00000 : f32",
    "dense<0> : tensor<2xi32>",
    "array<i64: 1, -2>",
    "affine_map<(d0) -> (d0 + 1)>",
    "loc(unknown)",
    "%a",
    "",
];

/// Any value, with nested lists and dictionaries.
fn any(depth: usize, rng: &mut Rng) -> String {
    match rng.below(if depth < 3 { 10 } else { 7 }) {
        0..2 => integer(rng),
        2..7 => rng.word(PLAIN).to_owned(),
        7..9 => list(rng, |rng| any(depth + 1, rng)),
        _ => format!("{{a = {}, {}}}", any(depth + 1, rng), rng.word(KEYS)),
    }
}

/// A line with entries in its dictionary, in one before its types, or in one at its end.
fn with(line: &str, list: &str, rng: &mut Rng) -> String {
    let opens_region = line.trim_end().ends_with('{');
    let inside = line.find('{').filter(|_| !opens_region).map(|at| at + 1);
    let before_types = line.find(" : ");
    match (inside, before_types) {
        (Some(at), _) if rng.chance(70) => format!("{}{list}, {}", &line[..at], &line[at..]),
        (_, Some(at)) if rng.chance(30) => format!("{} {{{list}}}{}", &line[..at], &line[at..]),
        _ if opens_region => format!("{} attributes {{{list}}} {{", line.trim_end().trim_end_matches('{')),
        _ => format!("{line} {{{list}}}"),
    }
}
