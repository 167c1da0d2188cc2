//! Printing keeps comments, names, locations and the spelling of integer types, and printing a printed text again changes
//! nothing.
#![allow(clippy::print_stderr)]

use super::printed;
use pto::text::{PrintedSpelling, Style, parse, print};
use std::path::{Path, PathBuf};

#[test]
fn comments_names_locations_and_lit_lines_survive() {
    let source = "// RUN: ptoas %s | FileCheck %s

module {
  // what it is for
  func.func @k(%left: index) -> index {
    %sum = arith.addi %left, %left : index loc(\"a.py\":3:1) // doubled
    // nearly there

    return %sum : index
  }
}
// CHECK: done
";
    assert_eq!(printed(source, PrintedSpelling::Destination, false), source);
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "pto") {
            found.push(path);
        }
    }
}

/// Printing is idempotent in every form, and the printed text has the same meaning, for every available program.
#[test]
fn printing_is_a_fixpoint_on_every_program_at_hand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    files(&root.join("examples"), &mut found);
    assert!(found.len() >= 6);
    files(&root.join("../shared/corpus"), &mut found);
    if found.len() < 100 {
        eprintln!("no corpus beside the checkout: only the examples were printed");
    }
    for file in found {
        let source = std::fs::read_to_string(&file).expect("a program");
        for form in [
            PrintedSpelling::AsWritten,
            PrintedSpelling::Destination,
            PrintedSpelling::Ssa,
            PrintedSpelling::Assembly,
        ] {
            for compact in [false, true] {
                let once = printed(&source, form, compact);
                assert_eq!(printed(&once, form, compact), once, "{} {form:?}", file.display());
                let back = printed(&once, PrintedSpelling::Destination, compact);
                let direct = printed(&source, PrintedSpelling::Destination, compact);
                let lines = |text: &str| {
                    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>()
                };
                for (back, direct) in lines(&back).iter().zip(&lines(&direct)) {
                    assert_eq!(back, direct, "{} {form:?}", file.display());
                }
            }
        }
    }
}

/// 13.8: `siN`, `uiN` and `iN` are read, kept and printed as written, inside of other types, too, in every spelling.
#[test]
fn signed_integers_are_printed_as_written() {
    let text = "func.func @f(%p: !pto.ptr<si8>, %v: !pto.tensor_view<?x16xsi16>, %w: !pto.partition_tensor_view<4xi16>, %m: memref<4xsi8, #pto.address_space<gm>>, %s: si64, %u: ui8) {
  %t = pto.alloc_tile : !pto.tile_buf<vec, 16x32xsi8>
  %plain = pto.alloc_tile : !pto.tile_buf<vec, 16x32xi8>
  %r = pto.declare_struct -> !pto.struct<si32, ui16, !pto.ptr<si8>>
  %a = pto.declare_local_array -> !pto.local_array<4xsi32>
  return
}
";
    let types = [
        "!pto.ptr<si8>",
        "!pto.tensor_view<?x16xsi16>",
        "!pto.partition_tensor_view<4xi16>",
        "memref<4xsi8, ",
        "%s: si64",
        "%u: ui8",
        "!pto.struct<si32, ui16, !pto.ptr<si8>>",
        "!pto.local_array<4xsi32>",
    ];
    let module = parse(text).expect("a program").module;
    for compact in [false, true] {
        let style = Style { compact, ..Style::default() };
        let printed = print(&module, &style);
        for ty in types {
            assert!(printed.contains(ty), "{ty}: {printed}");
        }
        let tiles = if compact { ["16x32xsi8", "16x32xi8"] } else { ["dtype=si8", "dtype=i8"] };
        assert!(tiles.iter().all(|tile| printed.contains(tile)), "{printed}");
        let again = parse(&printed).expect("what is printed is read").module;
        assert_eq!(print(&again, &style), printed);
    }
}

/// A program with all that lines may end in: modules, attributes, regions, blocks, lists over several lines.
const LINES: &str = "!t = !pto.tile_buf<vec, 8x16xf32>
module attributes {pto.target_arch = \"a5\"} {
  func.func private @g(%x: index) -> index attributes {
    pto.kernel,
    tool.b = 2
  } {
    cf.br ^next(%x : index)
  ^next(%y: index):
    return %y : index
  }
  func.func @f(
    %a: !t,
    %n: index
  ) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      pto.tadd ins(%a, %a : !t, !t)
        outs(%a : !t) {
          tool.a = 1
        }
    }
    %s = scf.if %cond -> (index) {
      scf.yield %c0 : index
    } else {
      scf.yield %c1 : index
    }
    return
  }
}
";

/// 13.8: printing a printed text again changes nothing, wherever comments are.
#[test]
fn comments_everywhere_are_printed_alike_twice() {
    let program = LINES
        .replace("%cond", "%cmp")
        .replace("    %s = ", "    %cmp = arith.cmpi eq, %c0, %n : index\n    %s = ");
    // Comments are not part of types.
    let formatted = |text: &str| {
        let module = parse(text).ok()?.module;
        Some(print(&module, &Style { compact: true, source: Some(text), ..Style::default() }))
    };
    let mut read = 0;
    for (at, _) in program.match_indices([' ', '\n']) {
        let mut text = program.clone();
        text.insert_str(at, " // first\n // next\n");
        let Some(once) = formatted(&text) else { continue };
        assert!(once.contains("// first") && once.contains("// next"), "{text}");
        assert_eq!(formatted(&once).as_ref(), Some(&once), "{text}");
        read += 1;
    }
    assert!(read > 150, "{read}");
}
