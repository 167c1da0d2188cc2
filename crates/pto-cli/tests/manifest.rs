//! The manifest of the corpus is well formed: every key is known and every reference exists.

mod reference;

use serde_json::Value;

#[test]
fn every_entry_of_the_manifest_is_understood() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus.json");
    let text = std::fs::read_to_string(path).expect("tests/corpus.json");
    let manifest: Value = serde_json::from_str(&text).expect("JSON");
    let entries = manifest.as_array().expect("an array");
    let known = ["file", "entry", "blocks", "inputs", "reference", "reference_inputs", "large", "note"];
    for entry in entries {
        let entry = entry.as_object().expect("an object");
        let file = entry["file"].as_str().expect("a file");
        for key in entry.keys() {
            assert!(known.contains(&key.as_str()), "{file}: `{key}`");
        }
        if let Some(name) = entry.get("reference") {
            let name = name.as_str().expect("a name");
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
