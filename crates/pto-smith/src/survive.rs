//! Oracle for arbitrary text: the toolchain returns a result for any input.

use pto::check::{check, check_partial, tile_type};
use pto::ir::{FunctionId, Module};
use pto::isa::Profile;
use pto::sim::{ArgumentKind, Options, Program, Signature, Value, measure};
use pto::text::{PrintedSpelling, Style, TypeAliases, parse, parse_partial, print};

/// The last stage that a text passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Survival {
    /// Not parsed.
    #[default]
    Unreadable,
    /// Parsed, but no profile accepts it.
    Illegal,
    /// Legal for a profile, but its functions cannot be launched or stop with a diagnostic.
    Stopped,
    /// Some function ran to its end.
    Ran,
}

/// Most steps of a launch: enough for every path of a small program, and few enough to end an endless loop soon.
const MAX_STEPS: u64 = 20_000;

/// Launches with larger buffers in total, in bytes, are skipped.
const MAX_BUFFERS: u64 = 16 << 20;

const FORMS: [PrintedSpelling; 4] = [
    PrintedSpelling::AsWritten,
    PrintedSpelling::Destination,
    PrintedSpelling::Ssa,
    PrintedSpelling::Assembly,
];

/// Runs the whole toolchain on a text: parsing, printing in every form and parsing that again, checking for every
/// profile, decoding, measuring, running on zeros.
///
/// A panic is a failure of the toolchain and is not caught here.
///
/// # Errors
/// The violated property, such as a printed program that does not parse.
pub fn survive(text: &str) -> Result<Survival, String> {
    types_alone(text);
    let Ok(parsed) = parse(text) else {
        // The parsed part is checked too, as a tool that reports all errors at once does.
        let (module, _) = parse_partial(text);
        Profile::ALL.into_iter().for_each(|profile| drop(check_partial(&module, Some(profile))));
        return Ok(Survival::Unreadable);
    };
    for form in FORMS {
        for compact in [false, true] {
            for source in [None, Some(text)] {
                for aliases in [TypeAliases::Expanded, TypeAliases::Introduced] {
                    fixpoint(&parsed.module, &Style { spelling: form, compact, source, aliases })?;
                }
            }
        }
    }
    let mut best = Survival::Illegal;
    for profile in Profile::ALL {
        if let Ok(checked) = check(parsed.module.clone(), Some(profile)) {
            best = best.max(Survival::Stopped);
            for (id, function) in parsed.module.functions.iter() {
                let Ok(program) = Program::decode(&checked, Some(&function.name)) else { continue };
                if run(&parsed.module, id, &program) {
                    best = Survival::Ran;
                }
            }
        }
    }
    Ok(best)
}

/// Parses each tile type of the text separately, and checks it for every profile.
fn types_alone(text: &str) {
    for (start, _) in text.match_indices("!pto.t").take(64) {
        let rest = &text[start..];
        let piece = rest.split_inclusive('>').next().unwrap_or(rest);
        if let Ok((tile, _)) = pto::text::parse_tile_type(piece) {
            Profile::ALL.into_iter().for_each(|profile| drop(tile_type(&tile, profile)));
        }
    }
}

/// Printed text must parse, and print as the same text again.
fn fixpoint(module: &Module, style: &Style<'_>) -> Result<(), String> {
    let Style { spelling: form, compact, .. } = *style;
    let once = print(module, style);
    let again = match parse(&once) {
        Ok(parsed) => print(&parsed.module, &Style { source: style.source.map(|_| once.as_str()), ..*style }),
        Err(findings) => {
            let first = findings.first().map(|finding| finding.message.clone()).unwrap_or_default();
            return Err(format!(
                "printed as {form:?}, compact {compact}, it does not read ({first}):\n{once}"
            ));
        }
    };
    if once == again {
        return Ok(());
    }
    let differs = once.lines().zip(again.lines()).find(|(a, b)| a != b).unwrap_or_default();
    Err(format!(
        "printed as {form:?}, compact {compact}, it prints differently again:\n{}\n{}",
        differs.0, differs.1
    ))
}

/// Runs a function on zeros; returns whether it ended normally.
fn run(module: &Module, id: FunctionId, program: &Program) -> bool {
    let Ok(signature) = Signature::of(module, id) else { return false };
    let options = Options::default().max_steps(MAX_STEPS).blocks(2);
    let values = |sizes: &dyn Fn(usize) -> usize| -> Vec<Value> {
        let value = |(index, kind): (usize, ArgumentKind)| match kind {
            ArgumentKind::Buffer(_) => Value::buffer(vec![0; sizes(index)]),
            ArgumentKind::Scalar(_) => Value::Scalar(1),
            ArgumentKind::Launch => Value::Launch,
        };
        signature.arguments.iter().map(|argument| argument.kind).enumerate().map(value).collect()
    };
    let Ok(sizes) = measure(program, values(&|_| 0), &options) else { return false };
    let total = sizes.iter().flatten().fold(0u64, |total, size| total.saturating_add(*size));
    if total > MAX_BUFFERS {
        return false;
    }
    program.launch(values(&|index| sizes[index].unwrap_or(0) as usize), &options, &mut []).is_ok()
}
