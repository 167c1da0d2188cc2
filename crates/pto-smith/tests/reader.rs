//! A second reader reads all that `fmt` and `lower` print: programs of the repository, the public corpus, generated programs.

use crate::support::{each_seed, files, folder, judged};
use pto::passes::{LowerOptions, lower};
use pto::text::{PrintedSpelling, Style, TypeAliases, print};
use pto_smith::generate::{computing, generate, generate_with};
use pto_smith::reader::{EXTENSIONS, FORMS, is_known, read};
use pto_smith::{Rng, automatic};
use std::collections::BTreeSet;
use std::path::Path;

type Extensions = BTreeSet<&'static str>;

/// The texts that `fmt` and `lower` print of a program.
fn printed(text: &str) -> Vec<(&'static str, String)> {
    let Ok(parsed) = pto::parse(text) else { return Vec::new() };
    let style = Style { spelling: PrintedSpelling::Destination, source: Some(text), ..Style::default() };
    let introduced = Style { aliases: TypeAliases::Introduced, ..style };
    let styles = [
        ("fmt", introduced),
        ("fmt --expand", style),
        ("fmt --compact", Style { compact: true, ..introduced }),
    ];
    let mut texts: Vec<_> =
        styles.iter().map(|(name, style)| (*name, print(&parsed.module, style))).collect();
    if let Ok(checked) = pto::check(parsed.module, None)
        && let Ok(lowered) = lower(&checked, &LowerOptions::default())
    {
        texts.push(("lower", print(&lowered.module, &Style { aliases: TypeAliases::Kept, ..style })));
    }
    texts
}

/// Reads all that is printed of a program.
fn read_back(text: &str) -> Result<Extensions, String> {
    let mut extensions = Extensions::new();
    for (name, printed) in printed(text) {
        extensions.extend(read(&printed).map_err(|message| format!("{name}: {message}"))?);
    }
    Ok(extensions)
}

fn read_file(path: &Path) -> Extensions {
    let text = std::fs::read_to_string(path).expect("a program");
    read_back(&text).unwrap_or_else(|message| {
        panic!("{}: {message}; what it reads is in `src/reader/table.rs` and `attributes.rs`", path.display())
    })
}

/// Each program of the corpus, and none needs more than the assembler's dialect.
#[test]
#[allow(clippy::print_stderr)]
fn the_corpus_is_read() {
    let paths = files(&folder("../../../shared/corpus"));
    if paths.is_empty() {
        eprintln!("no corpus beside the checkout: the test did not run");
    }
    for path in paths {
        let extensions = read_file(&path);
        assert!(extensions.is_empty(), "{}: {extensions:?}", path.display());
    }
}

/// Reads the legal programs of the repository, and programs of each generated instruction. The listed extensions are
/// exactly those that the assembler's dialect lacks.
#[test]
fn programs_of_the_repository_are_read() {
    let mut extensions = Extensions::new();
    let mut count = 0;
    for path in ["../../examples", "../../tests"].iter().flat_map(|path| files(&folder(path))) {
        let text = std::fs::read_to_string(&path).expect("a program");
        if pto::parse(&text).is_ok_and(|parsed| pto::check(parsed.module, None).is_ok()) {
            extensions.extend(read_file(&path));
            count += 1;
        }
    }
    assert!(count > 400, "only {count} programs are legal");
    for instruction in computing() {
        let name = instruction.page().name;
        for seed in 0..8 {
            let program = generate_with(&mut Rng::new(seed), name);
            extensions.extend(judged(seed, &program.text, read_back));
        }
    }
    let forms = FORMS.iter().flat_map(|(_, names)| names.split(' '));
    let listed: Extensions = EXTENSIONS.iter().copied().chain(forms).collect();
    let unused: Vec<_> = listed.difference(&extensions).collect();
    assert!(unused.is_empty(), "no program has {unused:?}");
    for name in EXTENSIONS {
        assert!(!is_known(name), "{name} is an operation of the assembler's dialect");
    }
}

#[test]
fn generated_programs_are_read() {
    each_seed(150, |seed| {
        judged(seed, &generate(&mut Rng::new(seed)).text, read_back);
        judged(seed, &automatic(&mut Rng::new(seed)).text, read_back);
    });
}

/// The reader shares no code with the parser and the printer that it judges.
#[test]
fn the_reader_is_independent() {
    for file in files_of_the_reader() {
        let text = std::fs::read_to_string(&file).expect("a source file");
        for other in ["pto::", "pto_lang", "pto_isa", "crate::"] {
            assert!(!text.contains(&format!("use {other}")), "{} uses {other}", file.display());
        }
    }
}

fn files_of_the_reader() -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder("src/reader")).expect("the reader's folder");
    let files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    assert!(files.len() >= 3);
    files
}

const TILE: &str = "!t = !pto.tile_buf<vec, 16x16xf32>\n";

/// A function with tiles `%a` and `%b`, a pointer `%p` and numbers.
fn function(body: &str) -> String {
    format!(
        "{TILE}func.func private @g()\nfunc.func @f(%p: !pto.ptr<f32>, %n: i32, %i: index) {{\n  %a = pto.alloc_tile : !t\n  \
         %b = pto.alloc_tile : !t\n  {body}\n  return\n}}\n"
    )
}

/// Texts that are read, and texts that are refused: rows for former errors of printing, and the lexical rules of MLIR.
#[test]
fn wrong_texts_are_refused() {
    let queue = "pto.aic_initialize_pipe {id = 0, dir_mask = 1, slot_size = 1024}";
    let segments = "operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>";
    let inserted = ": (!t, index, index, !t) -> ()";
    let rows = [
        // 13.8: aic_/aiv_initialize_pipe
        (
            format!("{queue} (gm_slot_buffer = %p : !pto.ptr<f32>, c2v_consumer_buf = %n : i32)"),
            format!("{queue} (gm_slot_buffer = %p : !pto.ptr<f32> c2v_consumer_buf = %n : i32)"),
        ),
        (
            format!("{queue} (c2v_consumer_buf = %n : i32)"),
            "pto.aic_initialize_pipe (c2v_consumer_buf = %n : i32) {dir_mask = 1, slot_size = 1024}"
                .to_owned(),
        ),
        // 13.8: func.call
        ("func.call @g() : () -> ()".to_owned(), "func.call @g()".to_owned()),
        // 13.8: tcolsum
        (
            "pto.tcolsum ins(%a, %b {isBinary = true} : !t, !t) outs(%a : !t)".to_owned(),
            "pto.tcolsum ins(%a, %b : !t, !t) outs(%a : !t) {isBinary = true}".to_owned(),
        ),
        (
            "pto.tcolsum ins(%a : !t) outs(%b : !t)".to_owned(),
            "pto.tcolsum ins(%a {isBinary = true} : !t) outs(%b : !t)".to_owned(),
        ),
        // 13.8: generic form
        (
            "pto.tmov ins(%a : !t) outs(%b : !t)".to_owned(),
            "pto.tmov ins(%a : !t, : ) outs(%b : !t)".to_owned(),
        ),
        (
            format!("\"pto.tinsert\"(%a, %i, %i, %b) <{{{segments}}}> {inserted}"),
            format!("\"pto.tinsert\"(%a, %i, %i, %b) {inserted}"),
        ),
        (
            "pto.tmov ins(%a : !t, %n : i32) outs(%b : !t)".to_owned(),
            "pto.tmov ins(%a, %n : !t, i32) outs(%b : !t)".to_owned(),
        ),
        // 13.8: siN, uiN, iN
        (
            "pto.tcvt ins(%n : i32) outs(%b : !t)".to_owned(),
            "pto.tcvt ins(%n : si32) outs(%b : !t)".to_owned(),
        ),
        // Dictionaries, numbers of operands and of results, words.
        (
            "pto.tcmps ins(%a, %n {cmpMode = #pto<cmp eq>} : !t, i32) outs(%b : !t)".to_owned(),
            "pto.tcmps ins(%a, %n : !t, i32) outs(%b : !t) {cmpMode = #pto<cmp eq>}".to_owned(),
        ),
        (
            "pto.tadd ins(%a, %a : !t, !t) outs(%b : !t)".to_owned(),
            "pto.tadd ins(%a, %a : !t) outs(%b : !t)".to_owned(),
        ),
        ("%c = pto.get_block_idx".to_owned(), "%c, %d = pto.get_block_idx".to_owned()),
        (
            "pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]".to_owned(),
            "pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID9>]".to_owned(),
        ),
        (
            "%k = scf.index_switch %i -> i32\ndefault {\n scf.yield %n : i32\n }".to_owned(),
            "%k = scf.index_switch %i -> (i32)\ndefault {\n scf.yield %n : i32\n }".to_owned(),
        ),
        // MLIR: numbers, definitions, names.
        ("%c = arith.constant 1.0 : f32".to_owned(), "%c = arith.constant 1 : f32".to_owned()),
        ("%c = arith.constant 1.0e5 : f32".to_owned(), "%c = arith.constant 1e5 : f32".to_owned()),
        ("%c = arith.addi %n, %n : i32".to_owned(), "%n = arith.addi %n, %n : i32".to_owned()),
        ("%c = arith.addi %n, %n : i32".to_owned(), "%c = arith.addi %n, %m : i32".to_owned()),
        ("%c = arith.addi %n, %n : i32".to_owned(), "%0c = arith.addi %n, %n : i32".to_owned()),
    ];
    for (right, wrong) in rows {
        read(&function(&right)).unwrap_or_else(|message| panic!("{message}"));
        assert!(read(&function(&wrong)).is_err(), "{wrong}");
    }
}
