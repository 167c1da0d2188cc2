use super::*;
use pto::isa::Element;

fn parse(text: &str) -> Result<Case, String> {
    Case::parse(Path::new("cases/one"), text.as_bytes())
}

const GOOD: &str = r#"{"op": "tadds", "family": "elementwise", "profile": "a3", "args": [
    {"name": "arg0", "dtype": "f16", "shape": [13, 29], "role": "in", "file": "arg0.npy"},
    {"name": "%s", "dtype": "f32", "shape": [], "role": "scalar", "value": "nan", "bits": "0x7fc00000"},
    {"name": "n", "dtype": "i8", "role": "scalar", "value": 200},
    {"name": "arg2", "dtype": "!pto.f8E8M0", "shape": [4], "role": "inout", "file": "a.npy", "expect": "b.npy"}],
    "tolerance": {"kind": "ulp", "max": 2}, "nan": "any NaN payload matches", "oracles": ["numpy"]}"#;

#[test]
fn a_case_is_read() {
    let case = parse(GOOD).unwrap();
    assert_eq!(
        (case.op.as_str(), case.family.as_str(), case.profile),
        ("tadds", "elementwise", Some(Profile::A2A3))
    );
    assert_eq!(case.tolerance.ulp, 2);
    assert_eq!(case.program, Path::new("cases/one/kernel.pto"));
    assert_eq!(case.args[0].role, Role::In("cases/one/arg0.npy".into()));
    assert_eq!((case.args[1].name.as_str(), &case.args[1].role), ("s", &Role::Scalar(0x7fc0_0000)));
    assert_eq!(case.args[2].role, Role::Scalar(200));
    assert_eq!(case.args[3].dtype, Dtype::Number(Element::E8M0));
}

#[test]
fn only_the_arguments_are_needed() {
    let case = parse(r#"{"args": []}"#).unwrap();
    assert_eq!((case.op.as_str(), case.family.as_str(), case.profile), ("one", "other", None));
    assert!(case.tolerance.is_exact());
}

#[test]
fn errors_name_the_key() {
    for (change, to, expected) in [
        ("\"args\"", "\"arg\"", "`arg` is not a key; did you mean `args`?"),
        ("\"f16\"", "\"f64\"", "`args[0].dtype`: no type is named `f64`"),
        ("[13, 29]", "[-1]", "`args[0].shape[0]`: invalid value: integer `-1`, expected a whole number"),
        ("\"file\": \"arg0.npy\"", "\"bits\": 1", "`args[0].file` is missing"),
        ("\"file\": \"arg0.npy\"", "\"x\": 1", "`args[0].x` is not a key"),
        (
            "\"role\": \"in\"",
            "\"role\": \"input\"",
            "`args[0].role` is `input`, but must be one of `in`, `out`, `inout`, `scalar`, `launch`",
        ),
        ("0x7fc00000", "0x7fc000000", "`args[1].bits`: `0x7fc000000` is not a value of type f32"),
        ("200", "256", "`args[2].value`: 256 is out of range for i8"),
        (
            "\"max\": 2",
            "\"max\": -2",
            "`tolerance.max`: invalid value: integer `-2`, expected a whole number",
        ),
        ("\"ulp\"", "\"ulps\"", "`tolerance.kind` is `ulps`, but must be one of `exact`, `ulp`, `close`"),
        ("\"a3\"", "\"a4\"", "`profile`: it is `a4`, but must be cpu"),
        ("any NaN payload matches", "maybe", "`nan` is `maybe`"),
        ("\"tadds\"", "3", "`op`: invalid type: integer `3`, expected a string"),
        ("\"tadds\",", "\"tadds\"", "line 1: this is not JSON"),
    ] {
        let error = parse(&GOOD.replacen(change, to, 1)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    assert!(parse("[]").unwrap_err().contains("expected an object"));
    assert!(parse(&"[".repeat(100_000)).is_err());
    let nested = format!("{{\"args\": [], \"tolerance\": {}", "{\"kind\": ".repeat(100_000));
    assert!(parse(&nested).is_err());
}

#[test]
fn cases_are_found_sorted_and_once() {
    let top = std::env::temp_dir().join(format!("pto-cli-cases-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&top);
    for case in ["b/two", "a/one"] {
        std::fs::create_dir_all(top.join(case)).unwrap();
        std::fs::write(top.join(case).join("case.json"), "{}").unwrap();
    }
    std::fs::create_dir_all(top.join("c")).unwrap();
    std::fs::write(top.join("c/kernel.pto"), "").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&top, top.join("a/loop")).unwrap();
    let paths = [top.clone(), top.join("a/one/case.json")];
    let found = find(&paths).unwrap();
    assert_eq!(found.len(), 2);
    assert!(found[0].ends_with("one") && found[1].ends_with("two"), "{found:?}");
    assert!(find(&[top.join("c/kernel.pto")]).unwrap_err().message.contains("not a recorded case"));
    assert!(find(&[top.join("nowhere")]).unwrap_err().message.contains("nowhere: cannot read it"));
    assert!(
        Case::read(&top.join("a/one")).unwrap_err().message.contains("case.json: line 1: `args` is missing")
    );
    std::fs::remove_dir_all(&top).unwrap();
}

/// Every recorded case and all its arrays, if the recorded cases are present.
#[test]
fn the_recorded_cases_are_read() {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    if !vectors.is_dir() {
        return;
    }
    let found = find(&[vectors]).unwrap();
    assert!(found.len() >= 801);
    for folder in found {
        let case = Case::read(&folder).unwrap();
        for arg in &case.args {
            let files = match &arg.role {
                Role::In(file) => vec![file],
                Role::Out(expect) => vec![expect],
                Role::InOut { file, expect } => vec![file, expect],
                Role::Scalar(_) | Role::Launch => vec![],
            };
            for file in files {
                assert_eq!(
                    pto::data::npy::read(file, arg.dtype.storage(), &crate::files::Disk).unwrap().shape(),
                    arg.shape,
                    "{file:?}"
                );
            }
        }
    }
}

#[test]
fn the_documents_have_every_key() {
    let known = |text: &str| {
        let error = serde_json::from_str::<written::Case>(text).err().expect("an unknown key").to_string();
        let list = error
            .split_once("expected ")
            .expect("a list of keys")
            .1
            .rsplit_once(" at line")
            .expect("a line")
            .0;
        let mut keys: Vec<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        keys.sort();
        keys
    };
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cases.md")).unwrap();
    let listed = |section: &str| {
        let (_, after) = page.split_once(&format!("\n## {section}\n")).expect(section);
        let rows = after.split("\n## ").next().unwrap_or_default().lines();
        let mut keys: Vec<String> =
            rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned())).collect();
        keys.sort();
        keys
    };
    assert_eq!(listed("Keys of `case.json`"), known(r#"{"?": 0}"#));
    assert_eq!(listed("Keys of an argument"), known(r#"{"args": [{"?": 0}]}"#));
    assert_eq!(listed("Roles"), known(r#"{"args": [{"name": "x", "dtype": "f32", "role": "?"}]}"#));
    assert_eq!(listed("Keys of `tolerance`"), known(r#"{"tolerance": {"?": 0}}"#));
}
