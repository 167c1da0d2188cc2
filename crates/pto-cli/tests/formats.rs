//! Formats for CI, and the schema of JSON reports.

use crate::support::folder::{Folder, err, out};
use crate::support::{command as pto, root, schema};
use serde_json::{Value, json};
use std::process::Output;

const ADD: &str = "examples/vector_add/kernel.pto";

fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}\n{}{}", out(output), err(output)))
}

/// The flags of a run of vector_add whose result is compared with its first input, which it is not.
fn wrong<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let run = ["run", ADD, "-i", "x=examples/vector_add/arg0.npy", "-i", "y=examples/vector_add/arg1.npy"];
    let rest = ["-i", "length=1000", "--expect", "sum=examples/vector_add/arg0.npy"];
    [&run[..], &rest, more].concat()
}

#[test]
fn a_wrong_result_is_a_finding_in_every_format() {
    let rule = "expect::mismatch";
    let sarif = pto(&wrong(&["--format", "sarif"]));
    assert_eq!(sarif.status.code(), Some(1), "{}", err(&sarif));
    let sarif = json_of(&sarif);
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "expect::mismatch");
    let region = &result["locations"][0]["physicalLocation"]["region"];
    let line = region["startLine"].as_u64().expect("the line of the store") as usize;
    let text = std::fs::read_to_string(root().join(ADD)).expect("the example");
    assert!(text.lines().nth(line - 1).expect("the line").contains("tstore"), "{result:#}");
    let github = out(&pto(&wrong(&["--format", "github"])));
    assert!(github.starts_with(&format!("::error file={ADD},line={line},")), "{github}");
    let junit = out(&pto(&wrong(&["--format", "junit"])));
    assert!(junit.contains(&format!("<failure type=\"{rule}\" message=\"`sum`: ")), "{junit}");
    let report = json_of(&pto(&wrong(&["--json"])));
    let compared = &report["expect"][0];
    assert_eq!((&compared["passed"], &compared["writer"]["line"]), (&json!(false), &json!(line)));
    for field in ["got", "want", "absolute_error"] {
        assert!(compared["first"][field].is_number(), "{compared:#}");
    }
    assert!(compared["first"]["index"][0].is_u64(), "{compared:#}");
}

/// Mistakes in the data of a launch are findings with an id and a line, which levels of rules concern.
#[test]
fn mistakes_in_data_are_findings() {
    let run = |program: &str, shape: &[usize], output: bool, more: &[&str]| {
        let folder = Folder::new();
        let array = folder.path("x.npy");
        std::fs::write(&array, npy(shape)).expect("a temporary file");
        let (program, x) = (format!("tests/mistakes/{program}.pto"), format!("x={array}"));
        let y = format!("y={}", folder.path("y.npy"));
        let output: &[&str] = if output { &["-o", &y] } else { &[] };
        let output = pto(&[&["run", &program, "-i", &x, "--json"], output, more].concat());
        let report = json_of(&output);
        let ids = report["diagnostics"].as_array().expect("a list").iter().map(|finding| {
            assert!(finding["line"].as_u64().is_some_and(|line| line > 5), "{finding:#}");
            finding["rule"].as_str().expect("an id").to_owned()
        });
        (output.status.code(), ids.collect::<Vec<String>>())
    };
    let factor = ["-i", "factor=2"];
    assert_eq!(run("float64_array", &[40, 64], true, &factor), (Some(0), vec![]));
    let status = |status: i32, id: &str| (Some(status), vec![id.to_owned()]);
    assert_eq!(run("float64_array", &[40, 64], false, &[]), status(2, "launch::input"));
    assert_eq!(run("float64_array", &[48, 64], false, &factor), status(0, "launch::excess"));
    assert_eq!(run("float64_array", &[64, 40], false, &factor), status(0, "launch::shape"));
    assert_eq!(run("result_never_stored", &[40, 64], true, &factor), status(0, "launch::unwritten"));
    let denied = [&factor[..], &["--deny", "launch"]].concat();
    assert_eq!(run("float64_array", &[48, 64], false, &denied), status(1, "launch::excess"));
    let hidden = [&factor[..], &["--allow", "launch::excess"]].concat();
    assert_eq!(run("float64_array", &[48, 64], false, &hidden), (Some(0), vec![]));
    // A view that transposes its array by strides.
    let arrays = ["q=0", "k=1", "v=2"].map(|input| {
        let (name, number) = input.split_once('=').expect("a name");
        format!("{name}=examples/flash_attention/arg{number}.npy")
    });
    let inputs: Vec<&str> = arrays.iter().flat_map(|input| ["-i", input.as_str()]).collect();
    let output = pto(&[&["run", "examples/flash_attention/kernel.pto", "--json"], &inputs[..]].concat());
    assert_eq!(json_of(&output)["diagnostics"], json!([]));
}

/// A `.npy` file of f32 ones.
fn npy(shape: &[usize]) -> Vec<u8> {
    let header =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", shape[0], shape[1]);
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend((0..shape[0] * shape[1]).flat_map(|_| 1f32.to_le_bytes()));
    bytes
}

#[test]
fn a_case_that_fails_is_a_finding_in_every_format() {
    let folder = Folder::new();
    for name in ["kernel.pto", "case.json", "arg0.npy", "arg1.npy"] {
        let from = root().join("examples/vector_add").join(name);
        if from.is_file() {
            std::fs::copy(from, folder.0.join(name)).expect("a copy");
        }
    }
    let case = folder.read("case.json");
    let case: Value = serde_json::from_str(&case).expect("JSON");
    let expected = case["args"].as_array().expect("arguments").iter().find_map(|arg| arg["expect"].as_str());
    let expected = expected.expect("an expectation");
    std::fs::copy(root().join("examples/vector_add/arg0.npy"), folder.0.join(expected)).expect("a copy");
    let sarif = json_of(&pto(&["test", &folder.path(""), "--format", "sarif"]));
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "expect::mismatch");
    let report = json_of(&pto(&["test", &folder.path(""), "--json"]));
    assert_eq!(report["cases"][0]["diagnostics"][0]["rule"], "expect::mismatch");
    let verbose = out(&pto(&["test", &folder.path(""), "examples/row_softmax", "--verbose"]));
    assert!(
        verbose.contains("ms ") && verbose.contains("\nok  ") && verbose.contains("the slowest:"),
        "{verbose}"
    );
    let junit = out(&pto(&["test", &folder.path(""), "--format", "junit"]));
    assert!(junit.contains("tests=\"1\" failures=\"1\" errors=\"0\""), "{junit}");
}

#[test]
fn a_folder_is_checked_with_a_sum_by_rule() {
    let folder = Folder::new();
    folder.write("good.pto", "func.func @k() {\n  return\n}\n");
    folder.write("a/bad.pto", "func.func @k() {\n  pto.tad\n  return\n}\n");
    folder.write("b/bad.pto", "func.func @k() {\n  pto.tad\n  pto.tsup\n  return\n}\n");
    let output = pto(&["check", &folder.path("")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(out(&output), "3 programs: 1 legal, 2 not\n      3 unknown-operation in 2 programs\n");
    let empty = Folder::new();
    assert_eq!(pto(&["check", &empty.path("")]).status.code(), Some(2));
    let sum = out(&pto(&["run", "--all", &folder.path("")]));
    assert!(sum.contains("1 ok") && sum.contains("      3 unknown-operation in 2 programs\n"), "{sum}");
    let sarif = json_of(&pto(&["run", "--all", &folder.path(""), "--format", "sarif"]));
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(3));
    let github = out(&pto(&["run", "--all", &folder.path(""), "--format", "github"]));
    assert_eq!(github.lines().filter(|line| line.starts_with("::error file=")).count(), 3, "{github}");
    let junit = out(&pto(&["check", &folder.path(""), "--format", "junit"]));
    assert!(junit.contains("tests=\"3\" failures=\"2\" errors=\"0\""), "{junit}");
}

#[test]
fn a_baseline_leaves_out_its_findings_wherever_their_lines_are_now() {
    let folder = Folder::new();
    let bad = "func.func @k() {\n  pto.tad\n  return\n}\n";
    let file = folder.write("bad.pto", bad);
    let baseline = folder.path("baseline.json");
    let check = |flags: &[&str]| pto(&[&["check", &file][..], flags].concat());
    std::fs::write(&baseline, check(&["--json"]).stdout).expect("a temporary file");
    folder.write("bad.pto", format!("// A line above it.\n{bad}"));
    let known = check(&["--baseline", &baseline]);
    assert_eq!(known.status.code(), Some(0), "{}", err(&known));
    assert!(err(&known).contains("bad.pto: no new error, 1 finding of the baseline"), "{}", err(&known));
    let report = json_of(&check(&["--baseline", &baseline, "--json"]));
    assert_eq!((&report["known"], &report["diagnostics"]), (&json!(1), &json!([])));
    // A second error of the same kind is new, in this program as in another one.
    folder.write("bad.pto", bad.replace("pto.tad", "pto.tad\n  pto.tad"));
    let more = check(&["--baseline", &baseline]);
    assert_eq!((more.status.code(), err(&more).matches("error[").count()), (Some(1), 1), "{}", err(&more));
    folder.write("bad.pto", bad);
    folder.write("other.pto", bad);
    let sum = pto(&["check", &folder.path(""), "--baseline", &baseline]);
    assert!(out(&sum).starts_with("2 programs: 0 legal, 2 not"), "{}", out(&sum));
    for (contents, said) in [("[]", "not a report of `pto check --json`"), ("", "not a report")] {
        std::fs::write(&baseline, contents).expect("a temporary file");
        let output = check(&["--baseline", &baseline]);
        assert!(output.status.code() == Some(2) && err(&output).contains(said), "{}", err(&output));
    }
}

/// A program that A2/A3 refuses: its tile is larger than the unified buffer.
const REFUSED: &str = "module attributes {pto.target_arch = \"a3\"} {
func.func @k(%x: !pto.ptr<f32>) {
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1024x56xf32>
  %c0 = arith.constant 0 : index
  %v = arith.constant 2.0 : f32
  pto.texpands ins(%v : f32) outs(%t : !pto.tile_buf<vec, 1024x56xf32>)
  pto.store_scalar %v, %x[%c0] : !pto.ptr<f32>, f32
  return
}
}
";

#[test]
fn a_refused_program_runs_if_asked_and_every_output_says_so() {
    let folder = Folder::new();
    let file = folder.write("k.pto", REFUSED);
    let run = |flags: &[&str]| pto(&[&["run", &file, "-i", "x=zeros:4"][..], flags].concat());
    assert_eq!(run(&[]).status.code(), Some(1));
    let ran = run(&["--run-refused"]);
    assert_eq!(ran.status.code(), Some(0), "{}", err(&ran));
    assert!(
        err(&ran).contains("refused[alloc_tile::capacity]") && out(&ran).contains("x ="),
        "{}",
        err(&ran)
    );
    let report = json_of(&run(&["--run-refused", "--json"]));
    assert_eq!(report["diagnostics"][0]["severity"], "refused");
    let github = out(&run(&["--run-refused", "--format", "github"]));
    assert!(github.starts_with("::warning file="), "{github}");
    let sarif = json_of(&run(&["--run-refused", "--format", "sarif"]));
    assert_eq!(sarif["runs"][0]["results"][0]["level"], "warning");
    let all = pto(&["run", "--all", &folder.path(""), "--run-refused"]);
    assert!(all.status.success() && out(&all).contains("(refused; ran as cpu)"), "{}", out(&all));
    let sequence =
        "results = [\"x\"]\n[buffers]\nx = \"f32[4]\"\n[[step]]\nkernel = \"k.pto\"\narguments = [\"x\"]\n";
    folder.write("s.toml", sequence);
    let sequence = pto(&["run", "--sequence", &folder.path("s.toml"), "--run-refused"]);
    assert!(sequence.status.success(), "{}", err(&sequence));
    assert!(err(&sequence).contains("refused[alloc_tile::capacity]"), "{}", err(&sequence));
    // A program that no profile accepts does not run.
    folder.write("k.pto", REFUSED.replace("pto.texpands", "pto.texpandz"));
    assert_eq!(run(&["--run-refused"]).status.code(), Some(1));
}

#[test]
fn an_error_in_data_is_in_the_formats_of_ci() {
    let output = pto(&["check", "no/such.pto", "--format", "sarif"]);
    assert_eq!(output.status.code(), Some(2));
    let invocation = &json_of(&output)["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], json!(false));
    let output = pto(&["run", ADD, "-i", "x=no.npy", "--format", "github"]);
    assert_ne!(output.status.code(), Some(0));
    assert!(out(&output).starts_with(&format!("::error file={ADD},line=")), "{}", out(&output));
    let output = pto(&["run", ADD, "-i", "x=arange", "--format", "junit"]);
    assert!(out(&output).contains("<failure type=\"launch::input\""), "{}", out(&output));
}

#[test]
fn reports_obey_their_schema() {
    let all: Value = serde_json::from_str(
        &std::fs::read_to_string(root().join("docs/json.schema.json")).expect("the schema"),
    )
    .expect("JSON");
    let holds = |command: &str, output: &Output| {
        let report = json_of(output);
        if let Err(error) = schema::check(&all["commands"][command], &report, &all) {
            panic!("{command}: {error}\n{report:#}");
        }
    };
    holds("check", &pto(&["check", "tests/mistakes", "--json"]));
    holds("run", &pto(&wrong(&["--json", "--time", "--watch", "all"])));
    holds("run", &pto(&["run", "tests/mistakes/misspelt_operation.pto", "--json"]));
    holds("run --all", &pto(&["run", "--all", "tests/mistakes", "--json"]));
    holds("test", &pto(&["test", "examples", "--json"]));
    let scaled = |name: &str, factor: &str| {
        let path = std::env::temp_dir().join(format!("pto-formats-{}-{name}.pto", std::process::id()));
        let text = std::fs::read_to_string(root().join(ADD)).expect("the example");
        std::fs::write(&path, text.replace("pto.tadd ins(", factor)).expect("a temporary file");
        path.to_string_lossy().into_owned()
    };
    let (add, subtract) = (scaled("a", "pto.tadd ins("), scaled("b", "pto.tsub ins("));
    holds("diff", &pto(&["diff", &add, &subtract, "-i", "length=1000", "--json"]));
    let logs = [&add, &subtract].map(|program| {
        let log = program.replace(".pto", ".log");
        let output = pto(&["run", program, "-q", "-i", "length=1000", "--log", &log]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        log
    });
    holds("diff-log", &pto(&["diff-log", &logs[0], &logs[1], "--json"]));
    holds("bench", &pto(&["bench", ADD, "--json", "--repeat", "1", "--parts"]));
    // The schema checker rejects wrong reports.
    let mut report = json_of(&pto(&wrong(&["--json"])));
    report["expect"][0]["first"]["got"] = json!("1.5");
    assert!(schema::check(&all["commands"]["run"], &report, &all).is_err());
    report["expect"][0]["first"]["got"] = json!("nan");
    assert_eq!(schema::check(&all["commands"]["run"], &report, &all), Ok(()));
    report["expect"][0].as_object_mut().expect("an object").remove("total");
    assert!(schema::check(&all["commands"]["run"], &report, &all).is_err());
}

#[test]
fn numbers_are_numbers_and_nan_is_counted() {
    let output = pto(&["run", "tests/mistakes/missing_flag.pto", "-i", "x=arange", "--json"]);
    let report = json_of(&output);
    let output = &report["outputs"][0];
    let values = output["values"].as_array().expect("values");
    // The program takes the exponential of numbers up to 1023.
    let words = values.iter().filter(|value| *value == "inf").count();
    assert!(words > 0 && values.iter().all(|value| value.is_number() || value == "inf"), "{output:#}");
    assert_eq!(
        (&output["infinite"], &output["nan"], &output["min"]),
        (&json!(words), &json!(0), &json!(1.0))
    );
}

#[test]
fn measurements_are_saved_and_compared() {
    let folder = Folder::new();
    let file = folder.0.join("before.json").to_string_lossy().into_owned();
    let bench = |flags: &[&str]| pto(&[&["bench", ADD, "--repeat", "1"][..], flags].concat());
    assert!(bench(&["--save", &file]).status.success());
    let text = out(&bench(&["--compare", &file]));
    assert!(text.contains("to saved") && text.contains("geometric mean"), "{text}");
    std::fs::write(&file, "{\"figures\": [{\"name\": \"a\", \"best_ns\": 0, \"median_ns\": 1}]}")
        .expect("a file");
    let output = bench(&["--compare", &file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("has no positive time"), "{}", err(&output));
}
