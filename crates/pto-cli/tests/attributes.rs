//! The pages of instructions state the defaults of attributes: an example computes the same bits with a default written
//! out.

use crate::support::command;
use pto::Profile;
use pto::ir::{Module, NamedAttribute};
use pto::isa::Op;
use pto::text::{Style, print};
use pto_cli::programs::{Example, examples};
use std::path::Path;

/// Two modules: every operation that has a default for the attribute `name` omits it, or has `written` instead. All
/// operations are changed, since the two ends of a queue must agree.
fn with_defaults(module: &Module, name: &str, written: bool) -> Module {
    let mut module = module.clone();
    let functions: Vec<_> = module.functions.iter().map(|(id, _)| id).collect();
    for function in functions {
        let operations = &mut module.functions[function].operations;
        let ids: Vec<_> = operations.iter().map(|(id, _)| id).collect();
        for id in ids {
            let operation = &mut operations[id];
            let spec = operation.op().and_then(|op| op.page().attribute(name));
            let Some((spec, value)) = spec.and_then(|spec| Some((spec, spec.written_default()?))) else {
                continue;
            };
            let is_it = |attribute: &NamedAttribute| {
                attribute.name == spec.name || spec.aliases.contains(&attribute.name.as_str())
            };
            let inside = operation.attributes[..operation.inner_attributes].iter();
            operation.inner_attributes -= inside.filter(|attribute| is_it(attribute)).count();
            operation.attributes.retain(|attribute| !is_it(attribute));
            operation.attributes.extend(written.then_some(value));
        }
    }
    module
}

/// The output of `pto run` for a module with the flags of an example.
fn printed(example: &Example, profile: Profile, module: &Module) -> Result<String, String> {
    let text = print(module, &Style::default());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("default.pto");
    std::fs::write(&path, &text).expect("written");
    let file = path.to_string_lossy();
    let mut words = vec!["run", &file, "--target", profile.word()];
    words.extend(&example.flags);
    let output = command(&words);
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.success() { Ok(out) } else { Err(format!("{err}\n{text}")) }
}

#[test]
fn a_default_is_what_holds_where_an_attribute_is_elided() {
    let mut compared = 0;
    for example in examples() {
        let op = Op::find_spelling(example.name).expect("an instruction");
        let module = pto::parse(example.text).expect("a program").module;
        for spec in op.page().attributes {
            if spec.default_value().is_none() {
                continue;
            }
            let [elided, written] = [false, true].map(|written| with_defaults(&module, spec.name, written));
            for profile in &example.profiles {
                let [elided, written] = [&elided, &written].map(|module| printed(&example, *profile, module));
                let place = format!("{op}, `{}` for {}", spec.name, profile.word());
                assert!(elided.is_ok(), "{place}: {elided:?}");
                assert_eq!(elided, written, "{place}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}
