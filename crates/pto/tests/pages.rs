//! The forms of the manual's pages can be converted into each other without loss.

use pto::text::{PrintedSpelling, Style, print};
use std::path::Path;

fn convert(text: &str, form: PrintedSpelling) -> String {
    let parsed = pto::parse(text).unwrap_or_else(|findings| panic!("{text}\n{findings:?}"));
    print(&parsed.module, &Style { spelling: form, compact: true, source: None, ..Style::default() })
}

#[test]
fn destination_to_ssa_to_assembly_and_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rules");
    let mut seen = 0;
    for page in ["page_tconcat", "page_tinsert", "page_tmov", "page_trowexpandadd"] {
        let path = folder.join(page).with_extension("pto");
        let text = std::fs::read_to_string(&path).expect("the page's programs");
        let first = convert(&text, PrintedSpelling::Destination);
        let mut last = first.clone();
        for form in [
            PrintedSpelling::Ssa,
            PrintedSpelling::Destination,
            PrintedSpelling::Assembly,
            PrintedSpelling::Ssa,
            PrintedSpelling::Destination,
        ] {
            last = convert(&last, form);
        }
        assert_eq!(first, last, "{page}");
        assert!(!first.contains("tmov.m2l") && !first.contains("@tile("), "{page}: canonical names");
        seen += 1;
    }
    assert_eq!(seen, 4);
}

#[test]
fn an_address_is_kept_in_every_spelling() {
    let text = "func.func @f(%a: !pto.tile<16x16xf32>) {\n  tassign %d, @tile(0x40)\n  \
                %d = tadd %a, %a : !pto.tile<16x16xf32>, !pto.tile<16x16xf32> -> !pto.tile<16x16xf32>\n  return\n}\n";
    for form in [PrintedSpelling::Destination, PrintedSpelling::Ssa, PrintedSpelling::Assembly] {
        let printed = convert(text, form);
        assert!(printed.contains("pto.alloc_tile addr = %c64_i64"), "{printed}");
    }
}

/// The instruction of a function in its destination-passing spelling, with one name for each operand of the pages.
fn instruction(page: &str, function: &str) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rules").join(page).with_extension("pto");
    let text = std::fs::read_to_string(path).expect("the page's programs");
    let printed = convert(&text, PrintedSpelling::Destination);
    let body = printed.split(&format!("@{function}(")).nth(1).expect("the function");
    let line = body.lines().find(|line| line.contains(") outs(")).expect("an instruction");
    let names = [("%r0", "%idxrow"), ("%r1", "%idxcol")];
    names.into_iter().fold(line.trim().to_owned(), |line, (from, to)| line.replace(from, to))
}

/// Assembly, SSA and destination passing of a page are one instruction on the same operands.
#[test]
fn each_spelling_of_a_page_means_the_same() {
    let pages: [(&str, &[&str]); 4] = [
        ("page_tconcat", &["manual_mode", "ssa"]),
        ("page_tinsert", &["dps", "ssa", "assembly"]),
        ("page_tmov", &["dps", "ssa", "ssa_in_parentheses"]),
        ("page_trowexpandadd", &["dps", "ssa", "ssa_in_parentheses", "assembly"]),
    ];
    for (page, functions) in pages {
        let meanings: Vec<_> = functions.iter().map(|function| instruction(page, function)).collect();
        assert!(meanings.iter().all(|line| *line == meanings[0]), "{page}: {meanings:#?}");
        assert!(meanings[0].ends_with(')'), "{}", meanings[0]);
    }
    let moves = ["mat : ", "mat : ", "row : ", "parameters : ", "acc : ", "v0 : "];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rules/page_tmov.pto");
    let text = std::fs::read_to_string(path).expect("the page's programs");
    let printed = convert(&text, PrintedSpelling::Destination);
    let lines: Vec<_> = printed.lines().filter(|line| line.contains(") outs(")).take(6).collect();
    let locations = ["<left,", "<right,", "<bias,", "<scaling,", "<vec,", "<vec,"];
    for ((line, source), location) in lines.iter().zip(moves).zip(locations) {
        let (ins, outs) = line.split_once(" outs(").expect("operands");
        assert!(ins.contains(&format!("pto.tmov ins(%{source}")) && outs.contains(location), "{line}");
    }
}
