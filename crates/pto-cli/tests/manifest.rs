//! The manifest of the corpus is well formed: every key is known and every reference exists.

use crate::reference;

#[test]
fn every_entry_of_the_manifest_is_understood() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus.json");
    let entries =
        pto_cli::manifest::read(std::path::Path::new(path)).unwrap_or_else(|error| panic!("{error}"));
    for entry in &entries {
        let file = &entry.file;
        if let Some(name) = &entry.reference {
            assert!(reference::find(name).is_some(), "{file}: no reference `{name}`");
        }
    }
    assert!(!entries.is_empty());
}

#[test]
fn a_reference_gives_as_many_values_as_its_argument_has() {
    let ones = vec![1.0; 32 * 32];
    let inputs = ["q", "kt", "v"].map(|name| reference::Input { name, values: &ones });
    for expected in reference::find("attention").expect("attention")(&inputs) {
        assert_eq!((expected.start, expected.values.len()), (0, 1024), "{}", expected.argument);
        assert!(expected.atol + expected.rtol < 1e-3 && expected.values.iter().all(|v| v.is_finite()));
    }
}
