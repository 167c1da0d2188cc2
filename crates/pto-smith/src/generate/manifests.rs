//! Files beside programs: the `case.json` of a recorded case, and the manifest of a folder; valid ones, and corrupted
//! ones.

use crate::Rng;
use std::fmt;

/// A JSON value before printing.
#[derive(Clone, Debug)]
enum Json {
    /// A single token, possibly an invalid one.
    Token(String),
    List(Vec<Json>),
    /// Keys may occur twice.
    Object(Vec<(String, Json)>),
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Token(token) => f.write_str(token),
            Json::List(items) => {
                let items: Vec<String> = items.iter().map(Json::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Json::Object(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{}: {value}", quoted(key))).collect();
                write!(f, "{{{}}}", entries.join(",\n "))
            }
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn text(text: &str) -> Json {
    Json::Token(quoted(text))
}

fn number(number: impl fmt::Display) -> Json {
    Json::Token(number.to_string())
}

fn object(entries: Vec<(&str, Json)>) -> Json {
    Json::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// A `case.json`; about one of three is valid.
pub fn case(rng: &mut Rng) -> String {
    let whole = case_of(rng);
    spoiled(whole, rng)
}

/// A manifest; about one of three is valid.
pub fn manifest(rng: &mut Rng) -> String {
    let entries = (0..rng.below(5)).map(|_| entry(rng)).collect();
    spoiled(Json::List(entries), rng)
}

const TYPES: &[&str] =
    &["f32", "f16", "bf16", "i8", "ui8", "i32", "i64", "f8E4M3FN", "f4E2M1x2", "hif8", "i1"];

fn case_of(rng: &mut Rng) -> Json {
    let arguments = (0..rng.below(4)).map(|at| argument(at, rng)).collect();
    let mut entries = vec![("args", Json::List(arguments))];
    for (key, value) in [
        ("op", text(rng.word(&["tadd", "", "no such thing"]))),
        ("family", text("elementwise")),
        ("profile", text(rng.word(&["cpu", "a2", "a3", "a2a3", "a5"]))),
        ("tolerance", tolerance(rng)),
        ("nan", text(rng.word(&["exact", "any NaN payload matches"]))),
        ("source", text("page")),
        ("oracles", Json::List(vec![text("numpy"); rng.below(3)])),
        ("note", text("\u{e9}\\n")),
    ] {
        if rng.chance(60) {
            entries.push((key, value));
        }
    }
    object(entries)
}

fn tolerance(rng: &mut Rng) -> Json {
    let kind = rng.word(&["exact", "ulp", "close"]);
    let mut entries = vec![("kind", text(kind))];
    match kind {
        "ulp" => entries.push(("max", number(rng.below(9)))),
        "close" => entries.extend([("atol", number("1e-3")), ("rtol", number(0))]),
        _ => {}
    }
    object(entries)
}

fn argument(at: usize, rng: &mut Rng) -> Json {
    let role = rng.word(&["in", "out", "inout", "scalar"]);
    let mut entries =
        vec![("name", text(&format!("arg{at}"))), ("dtype", text(rng.word(TYPES))), ("role", text(role))];
    if role == "scalar" {
        entries.push((rng.word(&["value", "bits"]), scalar(rng)));
    } else {
        entries.push(("shape", Json::List((0..rng.below(4)).map(|_| number(rng.below(64))).collect())));
    }
    if role != "out" {
        entries.push(("file", text(&format!("arg{at}.npy"))));
    }
    if role.ends_with("out") {
        entries.push(("expect", text(&format!("out{at}.npy"))));
    }
    if role == "scalar" {
        entries.retain(|(key, _)| *key != "file");
    }
    object(entries)
}

fn scalar(rng: &mut Rng) -> Json {
    let token = rng.word(&["0", "-1", "1.5", "true", "\"0x3f800000\"", "\"-inf\"", "\"nan\"", "255"]);
    number(token)
}

fn entry(rng: &mut Rng) -> Json {
    let mut entries = vec![("file", text(rng.word(&["kernel.pto", "a/b.pto", "../other.pto"])))];
    for (key, value) in [
        ("entry", text("kernel")),
        ("blocks", number(rng.between(1, 40))),
        ("ranks", number(rng.between(1, 8))),
        ("max_steps", number(1u64 << rng.between(0, 63))),
        ("seed", number(rng.bits())),
        ("inputs", inputs(rng)),
        ("rejected", Json::List(vec![text("tadd::type"); rng.between(1, 2)])),
        ("note", text("a remark")),
        ("reference", text("matmul")),
        ("large", Json::Token("true".to_owned())),
    ] {
        if rng.chance(35) {
            entries.push((key, value));
        }
    }
    object(entries)
}

fn inputs(rng: &mut Rng) -> Json {
    let keys = ["arg0", "x", "2", "x@1", "@", ""];
    let given = |rng: &mut Rng| match rng.below(4) {
        0 => text(rng.word(&["randn", "rand", "zeros", "ones", "arange", "data.npy", "0x10", "-1.5", ""])),
        1 => scalar(rng),
        _ => {
            let values = (0..rng.below(5)).map(|_| scalar(rng)).collect();
            let mut entries = vec![("dtype", text(rng.word(TYPES))), ("values", Json::List(values))];
            if rng.chance(50) {
                entries.push(("repeat", number(rng.below(1000))));
            }
            object(entries)
        }
    };
    Json::Object((0..rng.below(4)).map(|_| (rng.word(&keys).to_string(), given(rng))).collect())
}

/// The text of a value, unchanged or with a few changes.
fn spoiled(mut whole: Json, rng: &mut Rng) -> String {
    if rng.chance(65) {
        for _ in 0..rng.between(1, 3) {
            spoil(&mut whole, rng);
        }
    }
    let mut text = whole.to_string();
    if rng.chance(8) {
        let cut = rng.below(text.len() + 1);
        let cut = (0..=cut).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(cut);
    }
    text
}

/// Tokens that are invalid in most positions. None is a size that would make a reader allocate much.
const ODD: &[&str] = &[
    "null",
    "true",
    "-1",
    "0",
    "1.5",
    "1e999",
    "-0",
    "18446744073709551615",
    "99999999999999999999999",
    "\"\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"%x\"",
    "[]",
    "{}",
    "nan",
    "'x'",
    ",",
    "",
];

/// Makes one random change inside a value.
fn spoil(json: &mut Json, rng: &mut Rng) {
    match json {
        Json::List(items) if !items.is_empty() && rng.chance(75) => {
            let at = rng.below(items.len());
            spoil(&mut items[at], rng);
        }
        Json::Object(entries) if !entries.is_empty() && rng.chance(85) => spoil_entry(entries, rng),
        Json::List(items) if rng.chance(30) => {
            let more = items.first().cloned().unwrap_or(Json::Token("1".to_owned()));
            items.extend(vec![more; *rng.pick(&[1, 70])]);
        }
        other if rng.chance(15) => {
            let depth = *rng.pick(&[3, 120, 5000]);
            *other = Json::Token("[".repeat(depth) + &"]".repeat(depth));
        }
        other => *other = Json::Token(rng.word(ODD).to_string()),
    }
}

fn spoil_entry(entries: &mut Vec<(String, Json)>, rng: &mut Rng) {
    let at = rng.below(entries.len());
    match rng.below(8) {
        0 => drop(entries.remove(at)),
        1 => entries.push(entries[at].clone()),
        2 => entries[at].0.push('s'),
        3 => entries[at].0 = "nobody".to_owned(),
        _ => spoil(&mut entries[at].1, rng),
    }
}
