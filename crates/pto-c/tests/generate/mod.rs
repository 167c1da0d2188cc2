//! Generates two headers from the registry. `intrinsics.hpp` has an intrinsic for each form whose operands are tiles and numbers; `ops.hpp` has
//! the enumeration `Op`, by which events name instructions.
//!
//! `BLESS=1 cargo test -p pto-c generated` writes them anew.

mod names;
mod signature;
mod valid;

pub(crate) use valid::kernel;

use pto_isa::op::attribute::AttributeKind;
use pto_isa::op::form::{Role, Syntax};
use pto_isa::registry::Op;
use signature::{Signature, Variant, signatures};
use std::fmt::Write;
use std::path::PathBuf;

/// The greatest number of columns of a line.
const WIDTH: usize = 120;

/// The folder of the headers.
fn headers() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../cpp/include/pto"))
}

/// All signatures, in the order of the registry.
fn all() -> Vec<Signature> {
    let forms = |op: Op| match op.page().syntax {
        Syntax::Destination(forms) => forms,
        _ => &[],
    };
    Op::all().flat_map(|op| signatures(op, forms(op))).collect()
}

/// `left_scale` as `LeftScaleTile`.
fn tile_type(role: &Role) -> String {
    let words = role.name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
    words.collect::<String>() + "Tile"
}

/// A list in parentheses or angle brackets, on as many lines as it needs, aligned after its beginning.
fn wrapped(begin: &str, items: &[String], end: &str) -> String {
    let indent = begin.len();
    let mut text = begin.to_owned();
    let mut column = indent;
    for (at, item) in items.iter().enumerate() {
        let last = at + 1 == items.len();
        let length = item.len() + if last { end.len() } else { 1 };
        if at > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if at > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(item);
        if !last {
            text.push(',');
        }
        column += length;
    }
    text + end
}

/// Type of a scalar operand: the element type of the source, or else of the destination.
fn scalar_type(signature: &Signature, role: &Role) -> String {
    if signature.name == "TADDDEQRELU" {
        return "float".to_owned();
    }
    let tiles = || signature.operands.iter().filter(|role| !Signature::is_scalar(role));
    let source =
        tiles().find(|tile| role.kind == pto_isa::op::form::Kind::Scalar && tile.name.starts_with("src"));
    let tile = source.or_else(|| tiles().next()).expect("a tile");
    format!("typename {}::DType", tile_type(tile))
}

/// The C++ enumeration of the algorithms of a function.
fn algorithm(name: &str) -> String {
    let word = name.trim_end_matches("_precision");
    word[..1].to_uppercase() + &word[1..] + "Algorithm"
}

/// One function.
fn function(signature: &Signature, is_overloaded: bool) -> String {
    let Signature { operands, variant, choice, .. } = signature;
    let tiles: Vec<&Role> = operands.iter().filter(|role| !Signature::is_scalar(role)).copied().collect();
    // The accumulator operand has the type of the destination.
    let type_of = |role: &Role| if role.name == "acc" { "DstTile".to_owned() } else { tile_type(role) };

    let mut generics = match variant {
        Variant::Plain => Vec::new(),
        Variant::Precision(name) => vec![format!("auto Precision = {}::DEFAULT", algorithm(name))],
        Variant::Unknown(name) => vec![format!("auto Precision = {name}::DEFAULT")],
        Variant::Phase => vec!["AccPhase Phase".to_owned()],
    };
    for role in &tiles {
        let generic = format!("typename {}", type_of(role));
        if !generics.contains(&generic) {
            generics.push(generic);
        }
    }
    generics.push("typename... WaitEvents".to_owned());

    let mut parameters: Vec<String> = operands
        .iter()
        .map(|role| match Signature::is_scalar(role) {
            true => format!("{} {}", scalar_type(signature, role), role.name),
            false => format!("{} &{}", type_of(role), role.name),
        })
        .collect();
    let (chosen, choices, value) = match choice.map(|spec| spec.kind) {
        Some(AttributeKind::Words(..)) => (Some("CmpMode cmpMode"), "detail::CmpModes", "cmpMode"),
        Some(_) => (Some("bool isBinary"), "detail::Choice<false, true>", "isBinary"),
        None => (None, "", ""),
    };
    parameters.extend(chosen.map(str::to_owned));
    parameters.push("WaitEvents &...events".to_owned());

    let result = if is_overloaded {
        let types: Vec<String> = tiles.iter().map(|role| type_of(role)).collect();
        format!("detail::RecordIf<detail::are_tiles_v<{}>, WaitEvents...>", types.join(", "))
    } else {
        "detail::Record<WaitEvents...>".to_owned()
    };

    let texts: Vec<String> = operands
        .iter()
        .map(|role| match Signature::is_scalar(role) {
            true => scalar_type(signature, role),
            false => type_of(role),
        })
        .collect();
    let arguments: Vec<&str> = operands.iter().map(|role| role.name).collect();
    let count = operands.len();

    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("text grows");
    line(format!("/// {}", signature.op.page().summary));
    line(wrapped("template <", &generics, ">"));
    let head = format!("PTO_INST {result} {}(", signature.name);
    if head.len() + parameters.join(", ").len() + 3 > WIDTH && is_overloaded {
        line(format!("PTO_INST {result}"));
        line(wrapped(&format!("{}(", signature.name), &parameters, ") {"));
    } else {
        line(wrapped(&head, &parameters, ") {"));
    }
    let texts = texts.join(", ");
    // `begin(pattern, count)end`, on one line if it fits.
    let mut made = |begin: String, precision: bool, end: &str, indent: usize| {
        let rest = format!("\"{}\", {count}){end}", signature.pattern(precision));
        if begin.len() + rest.len() <= WIDTH {
            line(begin + &rest);
        } else {
            line(begin);
            line(" ".repeat(indent) + &rest);
        }
    };
    let called = match (chosen, variant) {
        (Some(_), _) => {
            made(format!("    static constexpr detail::Forms<{choices}, {texts}> forms("), false, ";", 8);
            format!("forms[{value}]")
        }
        (None, Variant::Precision(name)) => {
            made(format!("    static constexpr pto_form standard = detail::form<{texts}>("), false, ";", 8);
            let texts = format!("{texts}, detail::Word<Precision>");
            made(format!("    static constexpr pto_form chosen = detail::form<{texts}>("), true, ";", 8);
            format!("Precision == {}::DEFAULT ? standard : chosen", algorithm(name))
        }
        (None, Variant::Phase) => {
            let texts = format!("{texts}, detail::Word<Phase>");
            made(format!("    static constexpr pto_form form = detail::form<{texts}>("), false, ";", 8);
            "form".to_owned()
        }
        (None, Variant::Plain | Variant::Unknown(_)) => {
            made(format!("    static constexpr pto_form form = detail::form<{texts}>("), false, ";", 8);
            "form".to_owned()
        }
    };
    line("    detail::wait(events...);".to_owned());
    line(format!("    detail::call({called}, {});", arguments.join(", ")));
    line("    return {};".to_owned());
    line("}".to_owned());
    text
}

/// The header with the intrinsics.
fn intrinsics() -> String {
    let all = all();
    let mut text = String::from(
        "// Intrinsics whose operands are tiles and numbers, written from the registry of instructions; not for editing.\n\
         //\n\
         // Operands of C++ are destinations, then sources. Each function calls one form of an instruction.\n\
         #ifndef PTO_INTRINSICS_HPP\n#define PTO_INTRINSICS_HPP\n\n\
         #include \"pto/call.hpp\"\n#include \"pto/event.hpp\"\n#include \"pto/tile.hpp\"\n\nnamespace pto {\n\n",
    );
    for signature in &all {
        let is_overloaded = all.iter().filter(|other| other.name == signature.name).count() > 1;
        text.push_str(&function(signature, is_overloaded));
        text.push('\n');
    }
    text + "} // namespace pto\n\n#endif\n"
}

/// Compares a header with its generated text, or writes it.
fn compare(name: &str, text: &str) {
    let path = headers().join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, text).expect("the header can be written");
        return;
    }
    let there = std::fs::read_to_string(path).unwrap_or_default();
    assert!(there == text, "run `BLESS=1 cargo test -p pto-c generated`: {name} is not that of the registry");
}

#[test]
fn generated_intrinsics_are_those_of_the_registry() {
    compare("intrinsics.hpp", &intrinsics());
}

#[test]
fn generated_names_of_instructions_are_those_of_the_registry() {
    compare("ops.hpp", &names::names());
}
