//! The registry: one page for each operation, and no other list of names.

use crate::support::{source, sources};
use pto::ir::rewrite::Point;
use pto::ir::{Operation, Type};
use pto::isa::Op;
use pto::isa::op::form::Syntax;
use pto::isa::op::origin::{Origin, Passing, Source};
use std::collections::{BTreeSet, HashSet};

/// Files in which operations are named: their pages, the registry, and the words of the language, which refer to related
/// operations (a test of the command looks all of them up).
const REGISTRY: [&str; 4] = ["op", "dialect", "language", "registry.rs"];

/// Maximum number of string literals elsewhere that are an operation's name.
const MOST: usize = 40;

/// The string literals of a source text, with unresolved escapes; comments and tests, which end a file, are
/// skipped.
fn literals(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    for line in text.lines().map(str::trim_start).filter(|line| !line.starts_with("//")) {
        let mut quotes = line.match_indices('"').map(|(at, _)| at).filter(|at| !line[..*at].ends_with('\\'));
        while let (Some(start), Some(end)) = (quotes.next(), quotes.next()) {
            found.push(&line[start + 1..end]);
        }
    }
    found
}

/// Every full name and alias, and for `pto` operations also the name without the dialect. Names of other dialects
/// without the dialect, such as `select` or `if`, are words of any program.
fn names() -> HashSet<&'static str> {
    let names = Op::all().flat_map(Op::names);
    names.flat_map(|name| [Some(name), name.strip_prefix("pto.")]).flatten().collect()
}

#[test]
fn operations_are_named_by_the_registry_alone() {
    let mut files = sources();
    files.retain(|file| !REGISTRY.iter().any(|own| file.starts_with(source("pto-isa").join(own))));
    files.retain(|file| !file.ends_with("tests.rs"));
    let names = names();
    let mut found = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        let named = literals(&text).into_iter().filter(|literal| names.contains(literal));
        found.extend(named.map(|name| format!("{}: {name}", file.display())));
    }
    found.sort();
    assert!(found.len() <= MOST, "{} literals name operations:\n{}", found.len(), found.join("\n"));
}

/// Maximum number of mentions of a profile's name outside `profile.rs` and the table of devices, whose rows name the
/// profile of their programs: the documentation of the library, the
/// probe, and an example in the documentation of lowering. Unit tests name the profile that they try.
const MOST_PROFILES: usize = 6;

#[test]
fn profiles_are_asked_for_capabilities_and_not_for_their_names() {
    let mut files = sources();
    let tables = ["profile.rs", "device/known.rs"].map(|table| source("pto-isa").join(table));
    files.retain(|file| !tables.contains(file) && !file.ends_with("tests.rs"));
    let mut found = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        for name in ["Cpu", "A2A3", "A5"].map(|name| format!("Profile::{name}")) {
            found.extend(text.matches(&name).map(|name| format!("{}: {name}", file.display())));
        }
    }
    found.sort();
    assert!(found.len() <= MOST_PROFILES, "{} mentions of profiles:\n{}", found.len(), found.join("\n"));
}

#[test]
fn every_operation_has_a_page() {
    for op in Op::all() {
        let page = op.page();
        assert!(page.summary.ends_with('.'), "{op}: {}", page.summary);
        assert!(!page.formula.is_empty() && !page.source.is_empty(), "{op}");
        let written = match page.syntax {
            Syntax::Destination(forms) => !forms.is_empty(),
            Syntax::Own(lines, _) | Syntax::Code(lines, _) => !lines.is_empty(),
        };
        assert!(written, "{op} has no syntax");
        assert_eq!(Op::find(op.name()), Some(op));
    }
}

/// The roles in a line of syntax: `%lhs`, `%offsets*`.
fn roles(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split_whitespace().filter_map(|word| word.strip_prefix('%'));
    words.map(|role| role.trim_end_matches(['*', ')']))
}

#[test]
fn every_operand_has_a_kind() {
    // A loop's bound values are not its operands.
    let bound = ["i", "x"];
    for op in Op::all() {
        let page = op.page();
        let (Syntax::Own(lines, kinds) | Syntax::Code(lines, kinds)) = page.syntax else { continue };
        let written: BTreeSet<&str> = lines.iter().flat_map(|line| roles(line)).collect();
        for role in &written {
            let known = kinds.iter().any(|(name, _)| name == role) || bound.contains(role);
            assert!(known, "{op}: no kind for %{role}");
        }
        for (role, _) in kinds {
            assert!(written.contains(role), "{op}: no operand is %{role}");
        }
    }
}

/// The lists generate the constants; each has the name of its operation.
#[test]
fn constants_name_their_operations() {
    let shown = [
        (Op::TADD, "pto.tadd"),
        (Op::TXORS, "pto.txors"),
        (Op::TROWSUM, "pto.trowsum"),
        (Op::TROWEXPANDSUB, "pto.trowexpandsub"),
        (Op::TLOAD, "pto.tload"),
        (Op::TSTORE_FP, "pto.tstore_fp"),
        (Op::SETFMATRIX, "pto.setfmatrix"),
        (Op::TEXTRACT_FP, "pto.textract_fp"),
        (Op::TTRANS, "pto.ttrans"),
        (Op::TTRI, "pto.ttri"),
        (Op::TSETVAL, "pto.tsetval"),
        (Op::TMATMUL_MX_BIAS, "pto.tmatmul.mx.bias"),
        (Op::COMM_TGATHER, "pto.comm.tgather"),
        (Op::SET_FLAG, "pto.set_flag"),
        (Op::TPUSH_TO_AIV, "pto.tpush_to_aiv"),
        (Op::ARITH_CONSTANT, "arith.constant"),
        (Op::SCF_FOR, "scf.for"),
        (Op::FUNC_RETURN, "func.return"),
        (Op::ALLOC_TILE, "pto.alloc_tile"),
        (Op::MEMREF_MEMORY_SPACE_CAST, "memref.memory_space_cast"),
    ];
    for (op, name) in shown {
        assert_eq!(op.name(), name);
    }
    let names: HashSet<&str> = Op::all().flat_map(Op::names).collect();
    assert_eq!(names.len(), Op::all().map(|op| op.names().count()).sum::<usize>(), "a name is used twice");
}

/// A function with a value of each kind of reference, to which operations are added.
const REFERENCES: &str = "
func.func @f(%pointer: !pto.ptr<f32>) {
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %tile = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  %view = pto.make_tensor_view %pointer, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  return
}";

/// Whether the checker rejects an operation because of the type of its result, which is that of a value of `REFERENCES`.
fn result_is_rejected(op: Op, like: &str) -> bool {
    let mut module = pto::parse(REFERENCES).expect("well-formed text").module;
    let (id, function) = module.functions.iter().next().expect("a function");
    let (_, value) = function.values.iter().find(|(_, value)| value.name == like).expect("a value");
    let (ty, entry) = (value.ty, function.regions[function.body.expect("a body")].blocks[0]);
    assert!(!matches!(module.types[ty], Type::Scalar(_)));
    module.rewrite(id, |rewriter| {
        let operation = Operation::new(op, Vec::new());
        rewriter.insert(Point::Start(entry), operation, &[("x", ty)]).expect("a place for the operation");
    });
    let Err(findings) = pto::check(module, None) else { return false };
    // Either by the check of all operations without an origin, or because the operation has results of one type alone.
    let start = format!("`{op}` makes ");
    findings.iter().any(|finding| finding.message.starts_with(&start))
}

/// Storage, liveness and watchers follow the origins on the pages: a result that refers to memory without one would be an alias
/// that they do not see.
#[test]
fn every_result_that_may_refer_to_memory_has_an_origin() {
    for op in Op::all() {
        let known = op.page().origin.is_some();
        for like in ["tile", "view", "pointer"] {
            assert!(known || result_is_rejected(op, like), "{op} with a result of the type of a {like}");
        }
    }
}

#[test]
fn origins_are_operands_of_their_operations() {
    for op in Op::all() {
        let page = op.page();
        let roles: Vec<&str> = match page.origin {
            Some(Origin::Names(roles)) => roles.to_vec(),
            Some(Origin::PassesOn(Passing::Within(links))) => links
                .iter()
                .filter_map(|link| if let Source::Role(role) = link.from { Some(role) } else { None })
                .collect(),
            _ => Vec::new(),
        };
        roles.iter().for_each(|role| assert!(page.has_role(role), "{op}: {role}"));
    }
}

#[test]
fn what_devices_do_otherwise_is_a_sentence_with_a_rule_that_exists() {
    use pto::isa::op::otherwise::Here;
    let mut count = 0;
    for instruction in pto::isa::op::all() {
        for one in instruction.otherwise() {
            count += 1;
            let name = instruction.page().name;
            assert!(
                one.what.ends_with('.') && !one.on.is_empty() && !one.source.is_empty(),
                "{name}: {one:?}"
            );
            if let Here::Reported(rule) = one.here {
                assert!(pto::isa::rules::find(rule).is_some(), "{name}: {rule}");
            }
        }
    }
    assert!(count > 20, "{count}");
}
