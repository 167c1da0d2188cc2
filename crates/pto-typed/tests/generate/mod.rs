//! The methods in `generated.rs`, written from the registry: one for each form of an instruction whose operands are tiles,
//! views and scalars.
//!
//! A method requires of its parameters what the instruction's own rules require on some device. The rules are run on
//! the legal uses that [`legal_sites`] finds, and on each of them with one operand changed. Operands whose element
//! types are equal in every legal use share a type parameter; a location, a layout or an element type that every
//! legal use has is a bound.
//!
//! `BLESS=1 cargo test -p pto-typed generated` writes the file anew; format it afterwards.

mod uses;

use pto_isa::element::Element;
use pto_isa::layout::LayoutName;
use pto_isa::op::Page;
use pto_isa::op::attribute::{AttributeKind, AttributeSpec, DefaultValue};
use pto_isa::op::form::{Form, Kind, Role, Syntax};
use pto_isa::registry::Op;
use pto_isa::tile::Location;
use pto_lang::check::probe::legal_sites;
use pto_typed::tables::{COMMON, INTEGER};
use std::collections::HashSet;
use std::fmt::Write;
use uses::{Parameter, Typed, Uses, parameters, uses};

/// Instructions with handwritten methods. Most of these methods take or return more than operands: a value, a handle,
/// the parameters of the fixpipe. For others, such as TQUANT, no use with tiles of one size is legal, so the rules
/// cannot be run.
const BY_HAND: [Op; 31] = [
    Op::TLOAD,
    Op::TPREFETCH,
    Op::TSTORE,
    Op::TSTORE_FP,
    Op::TMOV,
    Op::TMOV_FP,
    Op::TINSERT,
    Op::TINSERT_FP,
    Op::TEXTRACT,
    Op::TEXTRACT_FP,
    Op::TFILLPAD,
    Op::TFILLPAD_EXPAND,
    Op::TFILLPAD_INPLACE,
    Op::TRESHAPE,
    Op::MGATHER,
    Op::TTRI,
    Op::TRANDOM,
    Op::THISTOGRAM,
    Op::TMRGSORT,
    Op::TSORT32,
    Op::TQUANT,
    Op::TQUANT_MX,
    Op::TDEQUANT,
    Op::TPRINT,
    Op::TSETVAL,
    Op::SET_QUANT_SCALAR,
    Op::SET_QUANT_VECTOR,
    Op::TASSIGN,
    Op::TGET_SCALE_ADDR,
    Op::TIMG2COL,
    Op::SUBVIEW,
];

/// Methods by hand of instructions whose other forms have generated ones: no use with tiles of one size is legal.
const METHODS_BY_HAND: [&str; 1] = ["tdeinterleave_one"];

/// The Rust type of an element.
fn rust(element: Element) -> String {
    let name = format!("{element:?}");
    let own = ["HiF8", "E4M3", "E5M2", "E8M0", "E2M1x2", "E1M2x2", "I4x2"].contains(&name.as_str());
    if own { name } else { name.to_lowercase() }
}

/// The narrowest trait of the element types that a parameter can have, if there is one.
fn bound(elements: &[Element]) -> Option<&'static str> {
    let within = |list: &[Element]| elements.iter().all(|element| list.contains(element));
    if within(INTEGER) { Some("Integer") } else { within(COMMON).then_some("Common") }
}

/// `cmpMode` as `cmp_mode`.
fn snake(key: &str) -> String {
    let mut text = String::new();
    for letter in key.chars() {
        if letter.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// The type of a parameter for an attribute, and the expression of the attribute with its value in `it`.
fn attribute(spec: &AttributeSpec) -> (&'static str, String) {
    let key = spec.name;
    let words = |ty, name: &str| (ty, format!("word({key:?}, {name:?}, it.word(), EnumSpelling::Spaced)"));
    match spec.kind {
        AttributeKind::Words(name @ "cmp", _) => words("Comparison", name),
        AttributeKind::Words(name @ "round_mode", _) => words("RoundMode", name),
        AttributeKind::Words(name @ "saturation_mode", _) => words("Saturation", name),
        AttributeKind::Words(name @ "mask_pattern", _) => words("MaskPattern", name),
        AttributeKind::Words(name @ "coalesce", _) => words("Coalesce", name),
        AttributeKind::Words(name @ "scatter_oob", _) => words("Beyond", name),
        AttributeKind::Words(name @ "scatter_atomic_op", _) => words("Atomic", name),
        AttributeKind::Words(name @ "scatter_conflict", _) => words("Conflict", name),
        AttributeKind::Strings(_) if key == "axis" => {
            ("Axis", format!("NamedAttribute::new({key:?}, Attribute::String(it.word().to_owned()))"))
        }
        AttributeKind::Integer => {
            ("i32", format!("NamedAttribute::new({key:?}, Attribute::Integer(it.into(), None))"))
        }
        AttributeKind::Bool => ("bool", format!("NamedAttribute::new({key:?}, Attribute::Bool(it))")),
        _ => panic!("`{key}` has no Rust type"),
    }
}

/// Name of a form's method: that of the instruction, and the difference of the form from the first one.
fn name(page: &Page, forms: &[Form], form: &Form) -> String {
    let base = page.name.replace('.', "_");
    if let Some(own) = form.name {
        return format!("{base}_{own}");
    }
    let names = |form: &Form| form.roles().map(|role| role.name).collect::<Vec<_>>();
    let (first, own) = (names(&forms[0]), names(form));
    let more: Vec<&str> = own.iter().filter(|role| !first.contains(role)).copied().collect();
    let less: Vec<&str> = first.iter().filter(|role| !own.contains(role)).copied().collect();
    let with = more.iter().map(|role| format!("_{role}")).collect::<String>();
    let without = if less.is_empty() { String::new() } else { format!("_without_{}", less.join("_")) };
    base + &with + &without
}

/// Type parameters of a method, and the type of each of its parameters.
fn types(parameters: &[Parameter]) -> (Vec<String>, Vec<String>, Vec<String>) {
    let (mut generics, mut conditions, mut types) = (Vec::new(), Vec::new(), Vec::new());
    let mut letters: Vec<char> = "TUWXYZ".chars().rev().collect();
    let mut letter =
        |parameter: &Parameter| match parameter.name.trim_end_matches(|end: char| end.is_ascii_digit()) {
            "dst" => 'D',
            "src" | "left" => 'S',
            "idx" => 'I',
            "mask" => 'M',
            "value" => 'V',
            _ => letters.pop().expect("a letter"),
        };
    let shared = |at: usize| parameters.iter().any(|other| other.typed == Typed::As(at));
    // Names come first: a scalar can follow a tile that is declared after it.
    let named: Vec<Option<char>> = (0..parameters.len())
        .map(|at| {
            let parameter = &parameters[at];
            let free = parameter.typed == Typed::Free;
            let bounded =
                parameter.is_tile() && parameter.name != "tmp" && bound(&parameter.elements).is_some();
            (free && (shared(at) || bounded || !parameter.is_tile())).then(|| letter(parameter))
        })
        .collect();
    let element = |at: usize| match (parameters[at].is_tile(), named[at]) {
        (true, Some(letter)) => format!("{letter}::DType"),
        (_, letter) => letter.map(String::from).unwrap_or_default(),
    };
    for (at, parameter) in parameters.iter().enumerate() {
        let own = match parameter.typed {
            Typed::Fixed(element) => Some(rust(element)),
            Typed::As(other) => Some(element(other)),
            Typed::Free | Typed::Index => None,
        };
        let ty = if parameter.is_tile() {
            tile(parameter, own)
        } else if parameter.typed == Typed::Index {
            "Into<Index>".to_owned()
        } else {
            let wrapper = if parameter.kind == Kind::View { "View" } else { "ScalarOr" };
            format!("Into<{wrapper}<{}>>", own.unwrap_or_else(|| element(at)))
        };
        match named[at] {
            Some(letter) if parameter.is_tile() => {
                generics.push(format!("{letter}: {ty}"));
                conditions
                    .extend(bound(&parameter.elements).map(|bound| format!("{letter}::DType: {bound}")));
                types.push(letter.to_string());
            }
            Some(letter) => {
                generics.push(format!("{letter}: {}", bound(&parameter.elements).unwrap_or("crate::DType")));
                types.push(format!("impl {ty}"));
            }
            None => types.push(format!("impl {ty}")),
        }
    }
    (generics, conditions, types)
}

/// The trait of a tile parameter, with this element type.
fn tile(parameter: &Parameter, element: Option<String>) -> String {
    let mut bounds = Vec::new();
    let base = match (parameter.location, parameter.layout, parameter.fractal) {
        (Some(Location::Scaling), Some(LayoutName::Zz), Some(32)) => return "LeftScale".to_owned(),
        (Some(Location::Scaling), Some(LayoutName::Nn), Some(32)) => return "RightScale".to_owned(),
        (Some(Location::Vec), ..) => "VecTile",
        (Some(location), ..) => {
            bounds.push(format!("Location = loc::{location:?}"));
            "AnyTile"
        }
        _ => "AnyTile",
    };
    bounds.extend(element.map(|element| format!("DType = {element}")));
    if let (Some(Location::Vec), Some(layout)) = (parameter.location, parameter.layout) {
        bounds.push(format!("Layout = layout::{layout:?}"));
    }
    if bounds.is_empty() { base.to_owned() } else { format!("{base}<{}>", bounds.join(", ")) }
}

/// One method, as Rust.
fn method(op: Op, forms: &[Form], form: &'static Form, uses: &Uses) -> String {
    let page = op.page();
    let parameters = parameters(form, uses);
    let (generics, conditions, types) = types(&parameters);
    let asked =
        form.asks.iter().map(|key| page.attributes.iter().find(|spec| spec.name == *key).expect("listed"));
    let asked: Vec<&AttributeSpec> = asked.collect();

    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "    {line}").expect("text grows");
    line(format!("/// {}", page.summary));
    line("///".to_owned());
    line(format!("/// `{}`", page.formula.split_whitespace().collect::<Vec<_>>().join(" ")));
    line("///".to_owned());
    line(format!("/// Written `{op} {}`.", form.describe()));
    line("///".to_owned());
    line("/// # Errors".to_owned());
    line(format!("/// If a rule of `{}` forbids these operands.", page.name));
    let generic = if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(", ")) };
    line(format!("pub fn {}{generic}(", name(page, forms, form)));
    line("&mut self,".to_owned());
    for (parameter, ty) in parameters.iter().zip(&types) {
        line(format!("{}: {ty},", parameter.name));
    }
    for spec in &asked {
        let (ty, _) = attribute(spec);
        let optional = spec.default != DefaultValue::Required;
        let ty = if optional { format!("impl Into<Option<{ty}>>") } else { ty.to_owned() };
        line(format!("{}: {ty},", snake(spec.name)));
    }
    let condition =
        if conditions.is_empty() { String::new() } else { format!("where {},", conditions.join(", ")) };
    line(format!(") -> Result<Event, Error> {condition} {{"));
    for parameter in &parameters {
        let name = parameter.name;
        match parameter.kind {
            _ if parameter.is_tile() => {}
            Kind::View => line(format!("let {name} = {name}.into().id;")),
            _ if parameter.typed == Typed::Index => {
                line(format!("let {name} = self.index_id({name}.into())?;"))
            }
            _ => line(format!("let {name} = self.scalar_id({name}.into())?;")),
        }
    }
    let value = |role: &Role| match role.kind {
        Kind::Tile | Kind::Scaling => format!("id({})", role.name),
        _ => role.name.to_owned(),
    };
    let list = |roles: &[Role]| roles.iter().map(value).collect::<Vec<_>>().join(", ");
    let constant = op.name().trim_start_matches("pto.").replace('.', "_").to_uppercase();
    let (ins, outs) = (list(form.ins), list(form.outs));
    if asked.is_empty() {
        line(format!("self.record(Op::{constant}, &[{ins}], &[{outs}])"));
    } else {
        let attributes = asked.iter().map(|spec| {
            let (_, made) = attribute(spec);
            let key = snake(spec.name);
            let given = match spec.default {
                DefaultValue::Required => format!("Some({key})"),
                _ => format!("{key}.into()"),
            };
            format!("{given}.map(|it| {made})")
        });
        let attributes = attributes.collect::<Vec<_>>().join(", ");
        line(format!("let attributes = [{attributes}].into_iter().flatten().collect();"));
        line("self.recorder.issue(Call {".to_owned());
        line(format!("ins: &[{ins}], outs: &[{outs}], attributes, ..Call::of(Op::{constant}) }})"));
    }
    line("}".to_owned());
    text
}

/// The file.
fn generated() -> String {
    let mut methods = String::new();
    for op in Op::all().filter(|op| !BY_HAND.contains(op) && op.page().set.has_formulas()) {
        let (Some(instruction), Syntax::Destination(forms)) = (op.instruction(), op.page().syntax) else {
            continue;
        };
        for (form, sites) in legal_sites(instruction) {
            if METHODS_BY_HAND.contains(&name(op.page(), forms, form).as_str()) {
                continue;
            }
            let uses = uses(form, sites);
            assert!(!uses.is_empty(), "no use of {op} {} was found to be legal", form.describe());
            methods.push('\n');
            methods.push_str(&method(op, forms, form, &uses));
        }
    }
    let methods = format!("impl<P: Target> Kernel<P> {{{methods}}}\n");
    let head = "//! Methods of instructions, written by `generate` from the registry; not for editing.";
    format!("{head}\n\n{}\n{methods}", imports(&methods))
}

/// The names that a method may use, with their paths.
const NAMES: [(&str, &[&str]); 8] = [
    (
        "super::words",
        &[
            "Atomic",
            "Axis",
            "Beyond",
            "Coalesce",
            "Comparison",
            "Conflict",
            "MaskPattern",
            "RoundMode",
            "Saturation",
        ],
    ),
    ("super", &["Error", "Event", "Kernel", "LeftScale", "RightScale", "Target", "VecTile", "id"]),
    (
        "crate::dtype",
        &["Common", "E1M2x2", "E2M1x2", "E4M3", "E5M2", "E8M0", "HiF8", "I4x2", "Integer", "bf16", "f16"],
    ),
    ("crate::tile", &["AnyTile", "layout", "loc"]),
    ("crate", &["Index", "ScalarOr", "View"]),
    ("pto_isa::registry", &["Op"]),
    ("pto_lang::build", &["Call", "word"]),
    ("pto_lang::ir", &["Attribute", "EnumSpelling", "NamedAttribute"]),
];

/// The imports of the names that the methods use.
fn imports(methods: &str) -> String {
    let code = methods.lines().filter(|line| !line.trim_start().starts_with("///"));
    let words: HashSet<&str> =
        code.flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_')).collect();
    let mut text = String::new();
    for (path, names) in NAMES {
        let named: Vec<&str> = names.iter().filter(|name| words.contains(*name)).copied().collect();
        match named.as_slice() {
            [] => {}
            [one] => writeln!(text, "use {path}::{one};").expect("text grows"),
            many => writeln!(text, "use {path}::{{{}}};", many.join(", ")).expect("text grows"),
        }
    }
    text
}

/// The file without whitespace and commas, which formatting changes.
fn squeezed(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace() && *letter != ',').collect()
}

#[test]
fn generated_methods_are_those_of_the_registry() {
    let text = generated();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/methods/generated.rs");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &text).expect("the file can be written");
        return;
    }
    let there = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        squeezed(&there) == squeezed(&text),
        "run `BLESS=1 cargo test -p pto-typed generated`, then format"
    );
}
