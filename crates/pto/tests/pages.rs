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
