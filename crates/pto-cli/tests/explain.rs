//! `pto explain` explains every rule id of a diagnostic.

use crate::support::command;
use crate::support::folder::Folder;
use pto::isa::{Op, rules};
use pto::text::form;
use pto_cli::explain::{Topic, find, json, list, list_json, text};

fn stdout(words: &[&str]) -> String {
    String::from_utf8(command(words).stdout).expect("text")
}

#[test]
fn every_id_is_explained_in_any_case() {
    for id in rules::all() {
        let name = id.to_string();
        let topic = find(&name.to_uppercase()).unwrap_or_else(|error| panic!("{error}"));
        let (said, rule) = (text(topic), id.rule);
        for part in [&name, rule.statement, rule.reason, rule.remedy, rule.source] {
            assert!(said.contains(part), "{name}: {part}\n{said}");
        }
        let value = json(topic);
        assert_eq!((value["name"].as_str(), value["kind"].as_str()), (Some(name.as_str()), Some("rule")));
        assert_eq!(value["severities"].as_object().map(|map| map.len()), Some(rule.profiles.len()), "{name}");
    }
}

#[test]
fn a_race_is_explained_with_a_program_that_has_it_and_its_repair() {
    let said = stdout(&["explain", "race::read-after-write"]);
    assert!(said.contains("severity error on cpu, a2a3, a5\n"), "{said}");
    let (kept, broken) = said.split_once("broken, for ").expect("a broken program");
    assert!(kept.contains("kept, for ") && kept.contains("@fixed"), "{said}");
    assert!(broken.contains("// error: race::read-after-write"), "{said}");
}

#[test]
fn severities_are_told_by_profile() {
    assert!(stdout(&["explain", "alloc_tile::left-layout"]).contains("severity lint on a2a3, a5; frequent"));
    assert!(stdout(&["explain", "operands"]).contains("severity error on cpu, a2a3, a5\n"));
}

#[test]
fn other_names_of_an_instruction_and_groups_of_rules_are_known() {
    assert!(stdout(&["explain", "TMOV.m2l::room"]).starts_with("tmov::room: "));
    assert!(stdout(&["explain", "PTO.tadd::same-type"]).starts_with("tadd::same-type: "));
    let group = stdout(&["explain", "race"]);
    assert!(
        group.contains("race::read-after-write (error on cpu, a2a3, a5)") && group.contains("race::no-sync")
    );
}

/// Syntax, meaning, attributes with their defaults and effects of every operation, by its full name and by its aliases.
#[test]
fn every_operation_is_explained_in_any_case() {
    for op in Op::all() {
        let page = op.page();
        for name in op.names() {
            let page_of = |topic| match topic {
                Topic::Instruction(instruction) => Some(instruction.page().name),
                Topic::Operation(op) => Some(op.page().name),
                Topic::Rule(_) | Topic::Group(_) | Topic::Word(_) | Topic::Attribute(_) => None,
            };
            assert_eq!(find(&name.to_uppercase()).ok().and_then(page_of), Some(page.name), "{name}");
        }
        let said = text(find(op.name()).unwrap_or_else(|error| panic!("{op}: {error}")));
        assert!(said.starts_with(&format!("{}: {}\n", page.name, page.summary)), "{said}");
        assert!(said.contains(page.formula) && said.contains(op.name()), "{said}");
        for spec in page.attributes {
            let line = format!(
                "{}: {} ({})\n",
                form::attribute(page, spec),
                spec.kind.describe(),
                spec.describe_default()
            );
            assert!(said.contains(&line) && said.contains(spec.summary), "{said}");
        }
        for effect in page.own_effects() {
            assert!(said.contains(&effect.describe()), "{said}");
        }
        assert_eq!(said.contains("does not run yet"), !op.meaning().runs(), "{said}");
    }
}

#[test]
fn what_is_no_instruction_is_explained_too() {
    let said = stdout(&["explain", "SCF.For"]);
    assert!(said.contains("scf.for %i = %lower to %upper step %step"), "{said}");
    assert!(said.contains("operands lower: index, upper: index, step: index, init: value"), "{said}");
    let said = stdout(&["explain", "arith.cmpi"]);
    assert!(said.contains("%result = arith.cmpi eq, %lhs, %rhs : i32\n"), "{said}");
    let said = stdout(&["explain", "pto.alloc_tile"]);
    assert!(said.contains("alloc_tile::left-layout"), "{said}");
    let said = stdout(&["explain", "ttri"]);
    assert!(
        said.contains("upperOrLower = 0 : i32: integer (default 0)") && said.contains("writes `dst`"),
        "{said}"
    );
    let value = json(find("tcmp").expect("an instruction"));
    let attribute = &value["attributes"][0];
    assert_eq!((&attribute["name"], &attribute["default"]), (&"cmpMode".into(), &"eq".into()));
    assert_eq!(
        (&value["effects"][0]["access"], &value["effects"][0]["operand"]),
        (&"reads".into(), &"src0".into())
    );
}

#[test]
fn an_instruction_with_many_cases_begins_with_the_plain_one() {
    let usual = |name: &str| {
        let said = text(find(name).expect("an instruction"));
        said.lines().find_map(|line| line.strip_prefix("usual    ")).map(str::to_owned)
    };
    assert_eq!(usual("tload").as_deref(), Some("ND view -> vec ND, both of f32, on cpu, a2a3, a5"));
    assert_eq!(usual("tstore").as_deref(), Some("vec ND -> ND view, both of f32, on cpu, a2a3, a5"));
    assert_eq!(usual("tadd"), None);
}

/// Summary, forms and example come first, in this order.
#[test]
fn the_example_comes_third() {
    let said = stdout(&["explain", "tload"]);
    let place = |part: &str| said.find(part).unwrap_or_else(|| panic!("{part}\n{said}"));
    let places =
        ["tload: ", "\n  pto.tload ins(", "\nexample, for ", "\nusual    ", "\nset      ", "\nrules\n"]
            .map(place);
    assert!(places.is_sorted(), "{said}");
    let said = stdout(&["explain", "scf.for"]);
    let places = ["\n  scf.for %i", "\nexample: ", "\noperands lower"].map(|part| said.find(part));
    assert!(places.is_sorted() && places[0].is_some(), "{said}");
}

#[test]
fn costs_are_printed_on_request_only() {
    for (name, part) in [("tadd", "  a5: start 55.1, then "), ("tload", "    GM -> UB: start ")] {
        let (page, cost) = (stdout(&["explain", name]), stdout(&["explain", name, "--cost"]));
        assert!(page.contains(&format!("\ncosts    `pto explain {name} --cost`\n")), "{page}");
        assert!(!page.contains(part) && cost.contains(part), "{page}{cost}");
        assert!(cost.starts_with(&format!("{name}: ")) && !cost.contains("\nrules\n"), "{cost}");
        let json = stdout(&["explain", name, "--json"]);
        assert!(json.contains("\"cost\""), "{json}");
        assert_eq!(json, stdout(&["explain", name, "--json", "--cost"]));
    }
    assert!(!stdout(&["explain", "tassign"]).contains("\ncosts "));
    assert!(stdout(&["explain", "tassign", "--cost"]).contains("takes no cycles of a pipe"));
    let output = command(&["explain", "scf.for", "--cost"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("`scf.for` belongs to no instruction"), "{said}");
}

#[test]
fn lists_hold_every_operation() {
    let (text, list) = (list(), list_json());
    for op in Op::all() {
        let (name, runs) = (op.page().name, op.meaning().runs());
        let line = text.lines().find(|line| line.split(' ').next() == Some(name));
        assert_eq!(line.map(|line| !line.contains("does not run yet")), Some(runs), "{name}");
        let entries = list["entries"].as_array().expect("entries");
        let entry = entries.iter().find(|entry| entry["name"] == name).expect("an entry");
        assert_eq!(entry["runs"], runs, "{name}");
    }
}

#[test]
fn lists_hold_the_rules_that_belong_to_no_instruction() {
    let (text, list) = (list(), list_json());
    let entries = list["entries"].as_array().expect("entries");
    for id in rules::all() {
        let listed = id.rule.group.is_some();
        let name = id.to_string();
        assert_eq!(text.lines().any(|line| line.split(' ').next() == Some(name.as_str())), listed, "{name}");
        assert_eq!(entries.iter().any(|entry| entry["name"] == *name), listed, "{name}");
    }
}

#[test]
fn an_unknown_id_is_answered_with_the_nearest() {
    let output = command(&["explain", "sync::redundnat"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("did you mean `sync::redundant`?"), "{said}");
}

/// A construct that only one profile accepts is an extension: a note on that profile, an error with `--strict`, and
/// illegal on another.
#[test]
fn an_extension_is_an_error_with_strict() {
    let folder = Folder::new();
    let program = |element: &str| {
        let (full, column) = (
            format!("!pto.tile_buf<vec, 32x32x{element}>"),
            format!("!pto.tile_buf<vec, 32x1x{element}, blayout=col_major>"),
        );
        format!(
            "func.func @f(%a: {full}, %e: {column}, %d: {full}) {{\n  \
             pto.trowexpandadd ins(%a, %e : {full}, {column}) outs(%d : {full})\n  return\n}}\n"
        )
    };
    let both = "func.func @f(%a: !pto.tile_buf<vec, 16x8xf32>, %d: !pto.tile_buf<vec, 16x8xf32>) {\n  \
                pto.trowexpandadd ins(%a, %a : !pto.tile_buf<vec, 16x8xf32>, !pto.tile_buf<vec, 16x8xf32>) \
                outs(%d : !pto.tile_buf<vec, 16x8xf32>)\n  return\n}\n";
    let (f32, ui32) = (folder.write("f32.pto", program("f32")), folder.write("ui32.pto", program("ui32")));
    let both = folder.write("both.pto", both);
    let accepted = |file: &str, target: &str, more: &[&str]| {
        command(&[&["check", file, "--target", target], more].concat()).status.success()
    };
    for target in ["cpu", "a2a3", "a5"] {
        assert!(accepted(&f32, target, &["--strict"]), "f32 on {target}");
    }
    assert!(accepted(&ui32, "a5", &["--strict"]) && !accepted(&ui32, "a2a3", &[]));
    for target in ["a2a3", "a5"] {
        assert!(accepted(&both, target, &[]) && !accepted(&both, target, &["--strict"]), "{target}");
    }
}
