//! Type aliases in printed programs: kept, introduced, expanded.

use crate::support::launch::module;
use pto::text::{PrintedSpelling, Style, TypeAliases, has_compact_types, parse, print};
use std::path::Path;

fn printed(source: &str, aliases: TypeAliases) -> String {
    let module = module(source);
    let compact = has_compact_types(source);
    print(&module, &Style { spelling: PrintedSpelling::Destination, compact, source: Some(source), aliases })
}

const SOURCE: &str = "\
// What the kernel does.
!row = !pto.tile_buf<vec, 1x16xf32> // a row
// Twice as long.
!pair = !pto.struct<!row, i32>

module {
  func.func @f(%p: !pto.ptr<f32>) {
    %a = pto.alloc_tile : !row
    %b = pto.alloc_tile : !pto.tile_buf<vec, 1x32xf32>
    // Halfway.
    %c = pto.alloc_tile : !pto.tile_buf<vec, 1x32xf32>
    %d = pto.alloc_tile : !pto.tile_buf<vec, 1x32xf32>
    pto.tadd ins(%b, %c : !pto.tile_buf<vec, 1x32xf32>, !pto.tile_buf<vec, 1x32xf32>) outs(%d : !pto.tile_buf<vec, 1x32xf32>)
    return
  }
}
";

#[test]
fn aliases_of_the_program_are_kept_with_their_comments() {
    assert_eq!(printed(SOURCE, TypeAliases::Kept), SOURCE);
    let expanded = printed(SOURCE, TypeAliases::Expanded);
    assert!(!expanded.contains("!row") && expanded.contains("// a row"), "{expanded}");
}

#[test]
fn long_types_that_are_used_twice_get_an_alias() {
    let text = printed(SOURCE, TypeAliases::Introduced);
    let expected = SOURCE
        .replace(": !pto.tile_buf<vec, 1x32xf32>", ": !vec_1x32xf32")
        .replace(", !pto.tile_buf<vec, 1x32xf32>)", ", !vec_1x32xf32)")
        .replace("\n\nmodule", "\n!vec_1x32xf32 = !pto.tile_buf<vec, 1x32xf32>\n\nmodule");
    assert_eq!(text, expected);
    assert_eq!(printed(&text, TypeAliases::Introduced), text);
}

#[test]
fn a_name_that_is_taken_gets_a_number() {
    let source = SOURCE.replace("!row", "!vec_1x32xf32");
    let text = printed(&source, TypeAliases::Introduced);
    assert!(text.contains("!vec_1x32xf32_2 = !pto.tile_buf<vec, 1x32xf32>\n"), "{text}");
    assert_eq!(printed(&text, TypeAliases::Introduced), text);
}

#[test]
fn a_second_definition_of_a_name_does_not_change_types() {
    let source = "!t = !pto.tile_buf<vec, 1x16xf32>
func.func @f() {
  %a = pto.alloc_tile : !t
  return
}
!t = !pto.tile_buf<vec, 1x32xf32>
func.func @g() {
  %a = pto.alloc_tile : !t
  return
}
";
    let text = printed(source, TypeAliases::Introduced);
    let types = |text: &str| printed(text, TypeAliases::Expanded);
    assert_eq!(types(&text), types(source));
    assert_eq!(printed(&text, TypeAliases::Introduced), text);
}

#[test]
fn no_program_of_the_repository_or_the_corpus_gets_longer_by_a_tenth() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pending = vec![root.join("examples"), root.join("../shared/corpus")];
    let mut count = 0;
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pto") {
                let source = std::fs::read_to_string(&path).expect("a program");
                if parse(&source).is_ok() {
                    count += 1;
                    let text = printed(&source, TypeAliases::Introduced);
                    let (before, after) = (source.len(), text.len());
                    assert!(after * 10 <= before * 11, "{}: {before} to {after} bytes", path.display());
                    assert_eq!(printed(&text, TypeAliases::Introduced), text, "{}", path.display());
                }
            }
        }
    }
    assert!(count > 200);
}
