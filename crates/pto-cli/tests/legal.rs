//! The table of legal operands agrees with the checker on programs.

use crate::support;

use pto::Profile;
use pto::check::probe::{OperandStorage, Variant, Verdict, probe};
use pto::diag::Severity;
use pto::isa::Element;
use pto::isa::Op;
use pto::isa::element::element_word;
use pto::isa::op::all;
use pto::isa::op::form::{Kind, Role};
use pto_cli::legal;

/// The type of an operand in a storage.
fn spelled(storage: OperandStorage, element: Element) -> String {
    match storage {
        OperandStorage::Tile { .. } => storage.ty(element).text(true),
        OperandStorage::View(_) => format!("!pto.partition_tensor_view<?x?x?x?x?x{}>", element_word(element)),
    }
}

/// A program with one use of a form, its tiles in these storages.
fn program(name: &str, variant: &Variant, storages: &[OperandStorage], elements: &[Element]) -> String {
    let mut sources = 0;
    let mut ty = |role: &Role| match (role.name, role.kind) {
        ("src" | "src0" | "src1", Kind::Tile | Kind::View) => {
            sources += 1;
            spelled(storages[sources - 1], elements[0])
        }
        ("dst", _) => spelled(*storages.last().expect("a storage"), *elements.last().expect("a type")),
        ("row" | "col", _) => "index".to_owned(),
        ("q", _) => "i64".to_owned(),
        ("fp", _) => "!pto.tile_buf<scaling, 1x512xui64, valid=?x?>".to_owned(),
        _ => spelled(storages[0], elements[0]),
    };
    let types: Vec<_> = variant.form.roles().map(|role| (role, ty(role))).collect();
    let arguments: Vec<_> = types.iter().map(|(role, ty)| format!("%{}: {ty}", role.name)).collect();
    let list = |roles: &[Role]| {
        let plain = types.iter().filter(|(role, _)| roles.contains(role) && role.keyword.is_none());
        let (names, words): (Vec<_>, Vec<_>) =
            plain.map(|(role, ty)| (format!("%{}", role.name), ty.clone())).unzip();
        let keyed = types.iter().filter_map(|(role, ty)| {
            let keyword = role.keyword.filter(|_| roles.contains(role))?;
            Some(format!(" {keyword} %{} : {ty}", role.name))
        });
        format!("{} : {}{}", names.join(", "), words.join(", "), keyed.collect::<String>())
    };
    let (ins, outs) = (list(variant.form.ins), list(variant.form.outs));
    format!(
        "func.func @use({}) {{\n  pto.{name} ins({ins}) outs({outs})\n  return\n}}\n",
        arguments.join(", ")
    )
}

fn judged(text: &str, profile: Profile) -> Verdict {
    let parsed = pto::parse(text).unwrap_or_else(|findings| panic!("{text}\n{findings:?}"));
    let findings = match pto::check(parsed.module, Some(profile)) {
        Ok(checked) => checked.warnings().to_vec(),
        Err(findings) => findings,
    };
    // The table is about the instruction; the types of its tiles have rules of their own.
    let of_instruction = findings.iter().filter(|finding| finding.rule.owner != "alloc_tile");
    match of_instruction.map(|finding| finding.severity).min() {
        Some(Severity::Error) => Verdict::No,
        Some(Severity::Extension) => Verdict::Extension,
        _ => Verdict::Yes,
    }
}

#[test]
fn programs_are_judged_as_the_table_says() {
    let mut checked = 0;
    for (name, stride) in [
        ("tmov", 131),
        ("tinsert", 137),
        ("textract", 139),
        ("tpack", 401),
        ("tfillpad", 149),
        ("tadd", 31),
        ("tcvt", 151),
    ] {
        let instruction = Op::find_spelling(name).and_then(Op::instruction).expect("an instruction");
        for variant in probe(instruction) {
            // The workspace of a move has a storage of its own.
            if variant.form.roles().any(|role| matches!(role.name, "tmp" | "fill")) {
                continue;
            }
            let takes = variant.cases.iter().flat_map(|case| case.takes.iter().map(move |take| (case, take)));
            for (case, take) in takes.step_by(stride) {
                let text = program(name, variant, &case.storages, &take.elements);
                for (at, profile) in Profile::ALL.into_iter().enumerate() {
                    assert_eq!(judged(&text, profile), take.verdicts[at], "{profile:?}\n{text}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 500, "{checked}");
}

#[test]
fn what_is_not_listed_is_refused() {
    let instruction = Op::TMOV.instruction().expect("tmov");
    let variant = &probe(instruction)[0];
    let storages = &variant.cases.iter().map(|case| case.storages.clone()).collect::<Vec<_>>();
    for storages in storages.iter().step_by(17) {
        for elements in
            [[Element::F32, Element::I8], [Element::I32, Element::F16], [Element::F16, Element::I16]]
        {
            let case = variant.cases.iter().find(|case| case.storages == *storages).expect("a case");
            let take = case.takes.iter().find(|take| take.elements == elements);
            let text = program("tmov", variant, storages, &elements);
            for (at, profile) in Profile::ALL.into_iter().enumerate() {
                let expected = take.map_or(Verdict::No, |take| take.verdicts[at]);
                assert_eq!(judged(&text, profile), expected, "{profile:?}\n{text}");
            }
        }
    }
}

#[test]
fn the_table_has_the_pairs_of_the_manual() {
    let text = legal::text(Op::TMOV.instruction().expect("tmov"));
    let block = |title: &str, storages: &str| {
        let part = &text[text.find(title).expect("a form")..];
        let from = part.find(storages).unwrap_or_else(|| panic!("no {storages} in\n{part}"));
        part[from..]
            .lines()
            .skip(1)
            .take_while(|line| line.starts_with("    "))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let plain = block("legal,", "  acc NZ -> mat NZ\n");
    assert!(
        plain.contains("a2a3           f32 -> f16 bf16\n") || plain.ends_with("f32 -> f16 bf16"),
        "{plain}"
    );
    let scalar = block("legal with q", "  acc NZ -> mat NZ\n");
    assert!(scalar.contains("a2a3           i32 -> i8 i16 ui8 f16; f32 -> i8\n"), "{scalar}");
    let vector = block("legal with fp", "  acc NZ -> mat NZ\n");
    assert!(vector.contains("a2a3           i32 -> i8 i16 ui8 f16; f32 -> i8 ui8\n"), "{vector}");
    assert!(vector.contains("f32*"), "{vector}");
    let bias = block("legal,", "bias ND of one row\n");
    assert!(bias.contains("a2a3           i32 f32; f16 -> f32"), "{bias}");
}

#[test]
fn lists_of_instructions_agree_with_what_is_found() {
    for instruction in all() {
        for (at, profile) in Profile::ALL.into_iter().enumerate().skip(1) {
            let listed = instruction.element_types(profile);
            // Forms that only have convolution tiles are not probed.
            let (false, Some(variant)) = (listed.is_empty(), probe(instruction).first()) else {
                continue;
            };
            let takes = variant.cases.iter().flat_map(|case| &case.takes);
            let found: Vec<_> =
                takes.filter(|take| take.verdicts[at] == Verdict::Yes).map(|take| take.elements[0]).collect();
            for element in Element::ALL {
                let name = instruction.page().name;
                assert_eq!(
                    found.contains(&element),
                    listed.contains(&element),
                    "{name} {profile:?} {element:?}"
                );
            }
        }
    }
}

#[test]
fn the_table_is_there_for_programs() {
    let output = support::command(&["explain", "tinsert", "--json"]);
    let page: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let groups = page["legal"][0]["groups"].as_array().expect("groups");
    let extension = groups.iter().any(|group| group["profiles"]["a2a3"][0]["extension"] == true);
    assert!(extension && page["rules"].as_array().is_some_and(|rules| rules.len() > 20), "{page:#}");
    let list: serde_json::Value =
        serde_json::from_slice(&support::command(&["explain", "--list", "--json"]).stdout).expect("JSON");
    let entries = list["entries"].as_array().expect("entries");
    assert_eq!(entries.iter().filter(|entry| entry["kind"] == "instruction").count(), all().count());
}

/// Every form that a legal program uses for a profile has a table that is not empty for it. Convolution tiles in memory are
/// not probed.
#[test]
fn no_instruction_with_a_legal_program_has_an_empty_table() {
    let mut checked = 0;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/instructions");
    let files = std::fs::read_dir(folder).expect("the examples");
    for file in files
        .map(|file| file.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|it| it == "pto"))
    {
        let text = std::fs::read_to_string(&file).expect("an example");
        let parsed = pto::parse(&text).expect("an example is read");
        for profile in Profile::ALL {
            let Ok(legal) = pto::check(parsed.module.clone(), Some(profile)) else { continue };
            let functions = legal.module().functions.iter();
            for (_, operation) in functions.flat_map(|(_, function)| function.operations.iter()) {
                let Some(instruction) = operation.instruction() else { continue };
                let tables = probe(instruction);
                let roles: Vec<_> = operation.operands.iter().map(|operand| operand.role).collect();
                let Some(variant) = tables
                    .iter()
                    .find(|variant| variant.form.roles().map(|role| role.name).eq(roles.iter().copied()))
                else {
                    continue;
                };
                let takes = variant.cases.iter().flat_map(|case| &case.takes);
                let legal = takes.into_iter().any(|take| take.verdicts[profile as usize] != Verdict::No);
                assert!(
                    legal,
                    "{}: the table of `{}` is empty on {}",
                    file.display(),
                    operation.name,
                    profile.word()
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 500, "{checked}");
}
