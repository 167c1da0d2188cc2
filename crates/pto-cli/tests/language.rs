//! The words of the language: every word in the parser, the tables and the pages is explained; every program of the
//! reference is legal and runs.

use crate::support::command;
use clap::Parser;
use pto::Profile;
use pto::isa::language::{chapter_of, chapters, words};
use pto::isa::op::attribute::{AttributeKind, AttributeSpec};
use pto::isa::op::form::Syntax;
use pto::isa::{
    BLayout, Buffer, ConvLayout, Element, LayoutName, Location, Op, SLayout, element::element_word,
};
use pto_cli::explain::{Topic, find, text};
use pto_cli::programs::{language_examples, named, using};
use std::path::Path;

/// Words in the source of the parser that programs do not contain: parts of messages, and roles of operands.
const INTERNAL: [&str; 35] = [
    "#pto.",
    "!pto.",
    "_t",
    "are",
    "argument",
    "condition",
    "header",
    "in",
    "init",
    "is",
    "lower",
    "m2",
    "name",
    "si",
    "open",
    "pto",
    "pto.",
    "row",
    "run",
    "s",
    "source",
    "type",
    "types",
    "upper",
    "value",
    "view",
    "x",
    "PIPE_",
    "EVENT_ID",
    "indices",
    "operands",
    "result",
    "src",
    "dst",
    "id",
];

fn explained(word: &str) -> bool {
    find(word).is_ok() && find(&word.to_uppercase()).is_ok()
}

/// The string literals of a source file, up to its tests, that are words.
fn literals(source: &str) -> Vec<&str> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let quoted = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
    let is_word = |text: &&str| {
        let bare = text.trim_start_matches(['!', '#']);
        bare.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && bare.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))
    };
    quoted.filter(is_word).collect()
}

#[test]
fn every_word_in_the_source_of_the_parser_is_explained() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let of_text = ["tile_body.rs", "table.rs"].map(|file| crates.join("pto-lang/src/text").join(file));
    let of_types = ["element.rs", "conv.rs", "pipe.rs"].map(|file| crates.join("pto-isa/src").join(file));
    let mut files: Vec<_> = of_text.into_iter().chain(of_types).collect();
    let parser = std::fs::read_dir(crates.join("pto-lang/src/text/parser")).expect("the parser");
    files.extend(parser.flatten().map(|entry| entry.path()));
    let (mut seen, mut unknown) = (0, Vec::new());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source file");
        for word in literals(&text).into_iter().filter(|word| !INTERNAL.contains(word)) {
            seen += 1;
            if !explained(word) {
                unknown.push(format!("{word} in {}", file.display()));
            }
        }
    }
    assert!(unknown.is_empty(), "no entry in `language`: {unknown:#?}");
    assert!(seen > 200, "{seen} words");
}

#[test]
fn every_word_of_the_tables_is_explained() {
    let mut list: Vec<&str> = Vec::new();
    list.extend(Location::ALL.map(Location::word));
    list.extend(Buffer::ALL.map(Buffer::word));
    list.extend(ConvLayout::ALL.map(ConvLayout::word));
    list.extend(Element::ALL.map(element_word));
    list.extend([BLayout::RowMajor, BLayout::ColMajor].map(BLayout::word));
    list.extend([SLayout::NoneBox, SLayout::RowMajor, SLayout::ColMajor].map(SLayout::word));
    let layouts =
        [LayoutName::Nd, LayoutName::Dn, LayoutName::Nz, LayoutName::Zn, LayoutName::Zz, LayoutName::Nn];
    list.extend(layouts.map(LayoutName::word));
    for profile in Profile::ALL {
        list.extend([profile.word].iter().chain(profile.aliases).chain(profile.device_names));
    }
    for word in list {
        assert!(explained(word), "{word}");
    }
    for number in 0..pto::isa::pipe::EVENT_IDS {
        assert!(explained(&format!("EVENT_ID{number}")));
    }
    for pipe in ["S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX", "ALL"] {
        assert!(pto::isa::Pipe::from_word(&format!("PIPE_{pipe}")).is_some());
        assert!(explained(pipe) && explained(&format!("PIPE_{pipe}")), "{pipe}");
    }
}

/// The keys, the enumeration and the words of an attribute.
fn words_of(spec: &AttributeSpec) -> Vec<&'static str> {
    let (name, list) = match spec.kind {
        AttributeKind::Words(name, words) => (Some(name), words),
        AttributeKind::Strings(words) => (None, words),
        AttributeKind::Fields(name, _) => (Some(name), [].as_slice()),
        _ => (None, [].as_slice()),
    };
    [spec.name].iter().chain(spec.aliases).copied().chain(name).chain(list.iter().copied()).collect()
}

/// The literal words of a syntax pattern.
fn keywords(pattern: &'static str) -> impl Iterator<Item = &'static str> {
    // Brackets mark optional words, which are keywords too. Words in angle brackets name placeholders, which the filter leaves out.
    let words = pattern.split_whitespace().map(|word| word.trim_matches(['[', ']', '(', ')', '{', '}']));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()) && *word != "x")
}

#[test]
fn every_attribute_and_keyword_of_the_pages_is_explained() {
    let mut unknown = Vec::new();
    for op in Op::all() {
        let page = op.page();
        let mut list: Vec<_> = page.attributes.iter().flat_map(words_of).collect();
        match page.syntax {
            Syntax::Destination(forms) => {
                list.extend(forms.iter().flat_map(|form| form.roles()).filter_map(|role| role.keyword));
            }
            Syntax::Own(patterns, _) | Syntax::Code(patterns, _) => {
                list.extend(patterns.iter().flat_map(|pattern| keywords(pattern)));
            }
        }
        list.retain(|word| !explained(word));
        unknown.extend(list.into_iter().map(|word| format!("{word} of {op}")));
    }
    assert!(unknown.is_empty(), "no entry in `language`: {unknown:#?}");
}

#[test]
fn words_have_one_entry_each_with_known_relations_and_a_program() {
    let is = |name: &str, word: &str| matches!(find(&name.to_uppercase()), Ok(Topic::Word(known)) if known.name == word);
    let names = words().flat_map(|word| word.names().map(move |name| (name, word.name)));
    let others: Vec<_> = names.filter(|(name, word)| !is(name, word)).collect();
    assert!(others.is_empty(), "names of something else: {others:?}");
    let see = words().flat_map(|word| word.see.iter().map(move |name| (name, word.name)));
    let unknown: Vec<_> = see.filter(|(name, _)| find(name).is_err()).collect();
    assert!(unknown.is_empty(), "unknown relations: {unknown:?}");
    for word in words() {
        assert!(word.summary.ends_with('.') && !word.summary.contains(". "), "{}", word.name);
        assert!(word.example.is_empty() || named(word.example).is_some(), "{}: {}", word.name, word.example);
        let said = text(find(word.name).expect("a word"));
        assert!(said.starts_with(&format!("{}: {}\n", word.name, word.summary)), "{said}");
    }
    let titles: Vec<_> = chapters().iter().map(|chapter| chapter.name).collect();
    assert!(
        titles.len() > 8
            && titles.iter().all(|title| titles.iter().filter(|known| *known == title).count() == 1)
    );
}

#[test]
fn every_operation_that_runs_has_a_program_and_every_program_a_reader() {
    for op in Op::all().filter(|op| op.meaning().runs() && *op != Op::SUBSET) {
        assert!(using(op).is_some(), "no example uses {op}");
        assert!(
            op.instruction().is_none() || op.page().set.has_formulas() || chapter_of(op).is_some(),
            "{op}"
        );
    }
    for example in language_examples() {
        let by_word = words().any(|word| word.example == example.name);
        let by_operation = Op::all().any(|op| using(op).is_some_and(|found| found.name == example.name));
        assert!(by_word || by_operation, "no entry shows {}", example.file());
    }
}

/// Whether a line on stderr only names the source of arguments, or reports that watchers found nothing.
fn is_no_finding(line: &str) -> bool {
    ["nothing found", "arguments from", "not given"].iter().any(|words| line.contains(words))
}

#[test]
fn every_program_is_legal_and_computes_the_same_on_each_profile() {
    for example in language_examples() {
        assert!(example.text.starts_with("// ") && example.text.lines().count() <= 90, "{}", example.name);
        assert!(example.profiles.contains(&Profile::Cpu) && example.profiles.len() > 1, "{}", example.name);
        let mut printed = Vec::new();
        for profile in &example.profiles {
            let parsed =
                pto::parse(example.text).unwrap_or_else(|found| panic!("{}: {found:?}", example.name));
            let checked = pto::check(parsed.module, Some(*profile));
            let checked = checked.unwrap_or_else(|found| panic!("{} {profile:?}: {found:?}", example.name));
            assert!(parsed.lints.is_empty() && checked.warnings().is_empty(), "{} {profile:?}", example.name);
            let file = example.file();
            let mut line = vec!["run", &file, "--target", profile.word];
            line.extend(&example.flags);
            let output = command(&line);
            let err = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && err.lines().all(is_no_finding), "{line:?}\n{err}");
            printed.push(output.stdout);
        }
        let something = |out: &Vec<u8>| out.iter().any(|byte| (b'1'..=b'9').contains(byte));
        assert!(printed.iter().all(something), "{}", example.name);
        assert!(printed.windows(2).all(|pair| pair[0] == pair[1]), "{}: profiles differ", example.name);
    }
}

fn stdout(line: &[&str]) -> String {
    String::from_utf8(command(line).stdout).expect("text")
}

#[test]
fn words_are_explained_in_any_case_with_and_without_sigils() {
    for spelling in ["Valid_Row", "valid_row", "VALID_ROW"] {
        assert!(stdout(&["explain", spelling]).starts_with("valid_row: "), "{spelling}");
    }
    assert!(stdout(&["explain", "!pto.tile_buf<vec, 16x32xf32>"]).starts_with("tile_buf: "));
    assert!(stdout(&["explain", "%__pypto_spmd_block_idx"]).starts_with("__pypto_spmd_block_idx: "));
    assert!(stdout(&["explain", "PIPE_MTE2"]).starts_with("MTE2: "));
    assert!(
        stdout(&["explain", "!pto.pipe"]).starts_with("!pto.pipe: ")
            && stdout(&["explain", "pipe"]).starts_with("pipe: ")
    );
    assert!(stdout(&["explain", "VALID_REGION"]).starts_with("valid region: "));
    assert!(stdout(&["explain", "TADD"]).starts_with("tadd: "));
    let said = stdout(&["explain", "rint"]);
    assert!(said.starts_with("RINT: ") && said.contains("rmode = ") && said.contains("tcvt"), "{said}");
    let said = stdout(&["explain", "race"]);
    assert!(said.contains("rules\n  race::"), "{said}");
    assert!(
        stdout(&["explain", "get_block_idx"])
            .contains("explain get_block_idx --example | pto run - --blocks")
    );
    assert!(pto::parse(&stdout(&["explain", "scf.for", "--example"])).is_ok());
}

/// Searches in the words of newcomers, and the first result.
#[test]
fn searches_by_what_users_call_it_find_the_page() {
    const ASKED: [(&str, &str); 20] = [
        ("slice", "partition_view"),
        ("subtensor", "partition_view"),
        ("tail", "valid region"),
        ("ragged", "valid region"),
        ("broadcast row", "tcolexpand"),
        ("broadcast a row", "tcolexpand"),
        ("multiply each row by a vector", "tcolexpandmul"),
        ("mean", "trowsum"),
        ("square", "tmul"),
        ("reinterpret", "treshape"),
        ("convert column to row", "treshape"),
        ("Convert a column into a row", "treshape"),
        ("int to float", "arith.sitofp"),
        ("double buffer", "alloc_multi_tile"),
        ("rmsnorm", "kernel example"),
        ("example", "kernel example"),
        ("number of rows as argument", "valid_row"),
        ("first program", "kernel example"),
        // A phrase of the table does not match as part of another query.
        ("square root", "tsqrt"),
        ("row sum", "trowsum"),
    ];
    for (query, wanted) in ASKED {
        let found = stdout(&["explain", "--search", query]);
        assert!(found.starts_with(&format!("{wanted:<24} ")), "{query}: {found}");
    }
}

#[test]
fn every_page_that_a_synonym_means_exists() {
    for name in pto_cli::explain::synonyms() {
        assert!(find(name).is_ok(), "{name}");
        let said = stdout(&["explain", "--search", name]);
        assert!(said.lines().any(|line| line.starts_with(&format!("{name:<24} "))), "{name}: {said}");
    }
}

/// Symptoms in the words of users: a symptom comes first in the results, with a command that the command line accepts.
#[test]
fn symptoms_lead_to_commands() {
    let words = [
        ("hang", "pto run "),
        ("deadlock", "pto run "),
        ("507015", "pto run "),
        ("507018", "pto run "),
        ("UB overflow", "pto lower "),
        ("flaky", "pto run "),
        ("NaN tail", "pto run "),
        ("stale", "pto run "),
        ("slower than by hand", "pto time "),
        ("which commit", "pto diff "),
        ("which kernel", "pto replay "),
        ("compare with torch", "pto run "),
    ];
    for (query, wanted) in words {
        let found = stdout(&["explain", "--search", query]);
        let mut lines = found.lines();
        let (symptom, command) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default().trim());
        assert!(symptom.contains(" symptom "), "{query}: {found}");
        assert!(command.starts_with(wanted), "{query}: {found}");
        let parsed = pto_cli::args::Cli::try_parse_from(command.split_whitespace());
        assert!(parsed.is_ok(), "{command}: {parsed:?}");
    }
}

/// A search finds commands, too.
#[test]
fn searches_find_commands() {
    let found = stdout(&["explain", "--search", "smallest program"]);
    assert!(found.contains("pto shrink"), "{found}");
}

#[test]
fn searches_rank_names_first() {
    let first = |query: &str| stdout(&["explain", "--search", query]).split(' ').next().map(str::to_owned);
    assert_eq!(first("row sum").as_deref(), Some("trowsum"));
    assert_eq!(first("multiplies columns").as_deref(), Some("tcolexpandmul"));
    assert!(first("block index").is_some_and(|name| name.ends_with("block_idx")));
    assert_eq!(first("matrix unit").as_deref(), Some("M"));
    assert_eq!(first("unified buffers").as_deref(), Some("vec"));
    let found = stdout(&["explain", "--search", "part of a view", "--json"]);
    assert!(found.contains("\"partition_view\"") && found.contains("\"kind\": \"operation\""), "{found}");
    let nothing = command(&["explain", "--search", "qqq"]);
    assert_eq!(nothing.status.code(), Some(2));
    let both = command(&["explain", "tadd", "--search", "row"]);
    assert_eq!(both.status.code(), Some(2));
}
