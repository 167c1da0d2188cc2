//! Attributes: the pages list the keys that the code uses and that programs contain.

use crate::support::{files, sources};
use pto::ir::Operation;
use pto::isa::Op;
use pto::isa::op::attribute::{AttributeKind, Constant, DefaultValue};
use pto::isa::op::form::Syntax;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn pages_are_consistent() {
    for op in Op::all() {
        let mut seen = BTreeSet::new();
        for spec in op.page().attributes {
            for name in std::iter::once(&spec.name).chain(spec.aliases) {
                assert!(seen.insert(name), "{op} lists `{name}` twice");
                assert!(!name.contains('.'), "{op}: `{name}` is a key of somebody else");
            }
            let sentence = spec.summary.ends_with('.') && !spec.summary.contains(". ");
            assert!(sentence, "{op}: {}", spec.summary);
            let fits = match (spec.default, spec.kind) {
                (DefaultValue::Required, _) => true,
                (DefaultValue::Means(phrase), _) => !phrase.is_empty() && !phrase.ends_with('.'),
                (DefaultValue::Value(Constant::Word(word)), AttributeKind::Words(_, words))
                | (DefaultValue::Value(Constant::Word(word)), AttributeKind::Strings(words)) => {
                    words.contains(&word)
                }
                (DefaultValue::Value(value), kind) => matches!(
                    (value, kind),
                    (Constant::Integer(_), AttributeKind::Integer | AttributeKind::Number)
                        | (Constant::Bool(_), AttributeKind::Bool)
                        | (Constant::Integers(_), AttributeKind::Integers)
                ),
            };
            assert!(
                fits,
                "{op}: `{}` is {:?}, but {:?} where it is elided",
                spec.name, spec.kind, spec.default
            );
        }
    }
}

/// Attributes with their own position in the syntax are listed.
#[test]
fn attributes_of_the_syntax_are_listed() {
    for op in Op::all() {
        let Syntax::Own(lines, _) = op.page().syntax else { continue };
        let words = lines.iter().flat_map(|line| line.split_whitespace());
        for key in words.filter_map(|word| word.strip_prefix(['#', '$', '&'])) {
            assert!(op.page().attribute(key).is_some(), "{op} has a place for `{key}`");
        }
    }
}

/// Calls whose first literal argument is an attribute key of an operation.
const ASKING: [&str; 10] = [
    ".attribute(\"",
    ".listed_attribute(\"",
    ".word(\"",
    ".word_or_default(\"",
    ".integer(\"",
    ".integer_or_default(\"",
    ".integers(\"",
    ".symbol(\"",
    "number(operation, \"",
    "word_of(site, \"",
];

/// A method of the same name reads scalar operands in formulas.
const NO_OPERATION: &str = "reference.integer(\"";

/// Assertions check that an instruction's own code uses only keys of its own page. This test covers the remaining code,
/// which distinguishes operations by their meaning.
#[test]
fn every_key_that_the_code_asks_for_is_listed() {
    let listed = |key: &str| Op::all().any(|op| op.page().attribute(key).is_some());
    let mut asked = BTreeSet::new();
    for file in sources() {
        let text = std::fs::read_to_string(&file).expect("a source").replace(NO_OPERATION, "");
        for call in ASKING {
            for (at, _) in text.match_indices(call) {
                let key = text[at + call.len()..].split('"').next().unwrap_or_default().to_owned();
                assert!(listed(&key), "{} asks for `{key}`, which no page lists", file.display());
                asked.insert(key);
            }
        }
    }
    assert!(asked.len() > 30, "{asked:?}");
}

/// The line of text that contains an operation's name.
fn line<'t>(text: &'t str, operation: &Operation) -> &'t str {
    let at = (operation.name_span.start as usize).min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    text[start..].lines().next().unwrap_or_default()
}

/// Whether a finding is expected on a line.
fn is_wrong(line: &str) -> bool {
    ["// error", "lint: unknown-attribute"].iter().any(|mark| line.contains(mark))
}

/// Whether any operation may have this key: a key of another dialect, or of the generic form.
fn is_anybodys(key: &str) -> bool {
    key.contains('.') || key == "operandSegmentSizes"
}

#[test]
fn attributes_of_programs_are_listed() {
    let folders = ["examples", "tests/rules", "../shared/corpus"].map(|folder| root().join(folder));
    let mut seen = 0;
    for file in folders.iter().flat_map(|folder| files(folder, "pto")) {
        let text = std::fs::read_to_string(&file).expect("a program");
        // Programs with syntax errors are skipped.
        let Ok(parsed) = pto::parse(&text) else { continue };
        for (_, function) in parsed.module.functions.iter() {
            for (_, operation) in function.operations.iter() {
                let Some(op) = operation.op().filter(|_| !is_wrong(line(&text, operation))) else {
                    continue;
                };
                for attribute in &operation.attributes {
                    let key = attribute.name.as_str();
                    let known = is_anybodys(key) || op.page().attribute(key).is_some();
                    assert!(known, "{}: `{op}` has `{key}`, which its page does not list", file.display());
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 500, "{seen}");
}

/// 13.4: every attribute of words refuses integers, truth values, strings, unknown words and other enumerations, and
/// every other attribute refuses words.
#[test]
fn every_attribute_refuses_what_is_not_on_its_page() {
    use pto::ir::{Attribute, EnumSpelling, NamedAttribute};
    let word = |name: &str, value: &str| Attribute::Enum {
        name: name.to_owned(),
        value: value.to_owned(),
        spelling: EnumSpelling::Spaced,
    };
    let structural = pto::isa::op::attribute::structural::STRUCTURAL.iter();
    let specs = Op::all().flat_map(|op| op.page().attributes).chain(structural);
    for spec in specs.filter(|spec| spec.kind != AttributeKind::Constant) {
        let judge = |value| spec.judge("pto.op", &NamedAttribute::new(spec.name, value));
        let refused = |value: Attribute| {
            let finding = judge(value.clone()).unwrap_or_else(|| panic!("{} takes {value:?}", spec.name));
            finding.rule.to_string()
        };
        assert_eq!(refused(Attribute::Dictionary(Vec::new())), "attribute-kind");
        let AttributeKind::Words(name, words) = spec.kind else {
            assert!(refused(word("other", "zzz")).starts_with("attribute-"), "{}", spec.name);
            continue;
        };
        if !spec.spellings.numbered {
            assert_eq!(refused(Attribute::Integer(1, None)), "attribute-kind", "{}", spec.name);
        }
        assert_eq!(refused(Attribute::Bool(true)), "attribute-kind", "{}", spec.name);
        assert_eq!(refused(Attribute::String(words[0].to_owned())), "attribute-kind", "{}", spec.name);
        assert_eq!(refused(word(name, "zzz")), "attribute-word", "{}", spec.name);
        assert_eq!(refused(word("other", words[0])), "attribute-word", "{}", spec.name);
        for one in words {
            assert!(
                judge(word(name, one)).is_none() && judge(word("", one)).is_none(),
                "{}: {one}",
                spec.name
            );
        }
        for meaningless in spec.spellings.without_meaning {
            assert_eq!(refused(word(name, meaningless)), "attribute-word");
        }
    }
}

/// 13.4: a word without brackets is one error, whose help and edit show how it is written.
#[test]
fn a_bare_word_is_one_error() {
    for (key, word, shown) in [
        ("atomicType", "atomic_add", "#pto<atomic_type atomic_add>"),
        ("reluPreMode", "normal_relu", "#pto<relu_pre_mode normal_relu>"),
    ] {
        let text = format!(
            "func.func @f(%y: !pto.ptr<f32>) {{
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %v = pto.make_tensor_view %y, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tstore ins(%a : !pto.tile_buf<vec, 8x8xf32>) outs(%v : !pto.tensor_view<8x8xf32>) {{{key} = {word}}}
  return
}}
"
        );
        let Err(failed) = pto::parse(&text) else { panic!("`{word}` is read") };
        let [finding] = failed.as_slice() else { panic!("{failed:?}") };
        assert!(finding.help.iter().any(|help| help.contains(shown)), "{finding:?}");
        assert_eq!(finding.edits[0].replacement, shown);
    }
}
