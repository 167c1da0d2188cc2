//! `pto run --sequence`: the example layer, findings across launches, and mistakes in files of sequences.

use crate::support::command;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Output;

const LAYER: &str = "examples/decode_layer";

/// The flags that give the example its inputs.
fn inputs() -> Vec<String> {
    let names = "x lengths cos sin k_cache v_cache norm_attention norm_mlp wq wk wv wo w_gate w_up w_down";
    names.split(' ').flat_map(|name| ["-i".to_owned(), format!("{name}={LAYER}/{name}.npy")]).collect()
}

fn run(file: &str, more: &[&str]) -> Output {
    let inputs = inputs();
    let mut all = vec!["run", "--sequence", file];
    all.extend(inputs.iter().map(String::as_str));
    all.extend(more);
    command(&all)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file of the temporary folder.
fn written(name: &str, contents: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).expect("a writable folder");
    path
}

/// The example's sequence with a change, as a file elsewhere.
fn changed(name: &str, from: &str, to: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(LAYER);
    let layer = std::fs::read_to_string(root.join("layer.toml")).expect("the example");
    assert!(layer.contains(from), "{from}");
    let mut layer = layer.replace(from, to);
    for kernel in ["rms_norm", "project", "rope", "append", "attention", "gate", "add"] {
        let path = format!("\"{}\"", root.join(format!("{kernel}.pto")).display());
        layer = layer.replace(&format!("\"{kernel}.pto\""), &path);
    }
    written(name, &layer)
}

#[test]
fn the_example_layer_computes_what_numpy_computes() {
    let expect: Vec<String> =
        ["y", "k_cache", "v_cache"].map(|name| format!("{name}={LAYER}/expect_{name}.npy")).to_vec();
    let more = [
        "--expect", &expect[0], "--expect", &expect[1], "--expect", &expect[2], "--atol", "2e-3", "--rtol",
        "2e-3",
    ];
    let ran = run("examples/decode_layer/layer.toml", &more);
    let (out, err) = (text(&ran.stdout), text(&ran.stderr));
    assert!(ran.status.success() && err.is_empty(), "{out}{err}");
    assert_eq!(out.matches("values match").count(), 3, "{out}");
    let watched = run("examples/decode_layer/layer.toml", &["--watch", "all", "-q"]);
    assert_eq!(text(&watched.stderr), "no findings in 24 launches of 7 kernels\n");
    assert!(watched.status.success());
}

#[test]
fn a_report_has_results_kernels_and_findings() {
    let ran = run("examples/decode_layer/layer.toml", &["--json"]);
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert_eq!(report["diagnostics"].as_array().map(Vec::len), Some(0));
    let kernels = report["kernels"].as_array().expect("kernels");
    let launches: u64 = kernels.iter().filter_map(|kernel| kernel["launches"].as_u64()).sum();
    assert_eq!((kernels.len(), launches), (7, 24));
    assert_eq!(report["outputs"][0]["shape"], serde_json::json!([3, 128]));
}

#[test]
fn launches_without_order_that_write_the_same_bytes_conflict() {
    let file = changed("conflict.toml", "attended[b * hidden..(b + 1) * hidden]", "attended[0..hidden]");
    let ran = run(&file.display().to_string(), &["--watch", "race", "-q"]);
    let err = text(&ran.stderr);
    assert_eq!(ran.status.code(), Some(1), "{err}");
    for part in [
        "error[sequence::conflict]: nothing orders launch `attention (b = 0)`, which writes element [0, 0] of `attended`, \
         and launch `attention (b = 1)`, which writes it",
        "attention.pto:130:5",
        "2 launches of this group conflict so",
        "`attention (b = 0)` writes it here: ",
    ] {
        assert!(err.contains(part), "{part}\n{err}");
    }
    // In order, the same launches do not conflict; reads of rows that no launch writes are still found.
    let alone = format!("repeat = \"b = 0..batch\"\n{}", "parallel = true\n");
    let path = file.display().to_string();
    let ordered =
        std::fs::read_to_string(&path).expect("the file").replace(&alone, "repeat = \"b = 0..batch\"\n");
    let ordered = written("ordered.toml", &ordered).display().to_string();
    let err = text(&run(&ordered, &["--watch", "race,init", "-q"]).stderr);
    assert!(!err.contains("sequence::conflict"), "{err}");
    assert!(
        err.contains("error[init::unwritten]: `tload` reads `%x_part`, but nothing has written row 1"),
        "{err}"
    );
    assert!(err.contains("in launch `project out`") && err.contains("an earlier launch"), "{err}");
}

#[test]
fn a_read_and_a_write_without_order_conflict() {
    // The value projection reads the output of the key projection.
    let from = "\"normed\", \"wv\", \"v\", \"batch\"";
    let text_of_k = "k = \"f32[batch, kv]\"";
    let root = changed("read.toml", text_of_k, "k = \"f32[batch, kv]\"\nfirst = \"f16[batch, hidden]\"");
    let layer = std::fs::read_to_string(&root).expect("the file");
    let layer = layer.replace(from, "\"first\", \"wv\", \"v\", \"batch\"");
    let norm = layer.lines().find(|line| line.contains("rms_norm.pto")).expect("the norm").to_owned();
    let kernel = norm.trim_start_matches("kernel = ");
    let more = format!(
        "  {{ kernel = {kernel}, name = \"again\", arguments = [\"x\", \"norm_attention\", \"first\", \"batch\"] }},\n]"
    );
    let end = layer.find("\n]\n").expect("the group's end");
    let layer = format!("{}\n{more}\n{}", &layer[..end], &layer[end + 3..]);
    let path = written("read.toml", &layer).display().to_string();
    let err = text(&run(&path, &["--watch", "race", "-q"]).stderr);
    assert!(
        err.contains(
            "`project v`, which reads element [0, 0] of `first`, and launch `again`, which writes it"
        ),
        "{err}"
    );
}

#[test]
fn a_buffer_that_is_written_in_vain_is_a_lint() {
    let file = changed("vain.toml", "[\"gate\", \"up\", \"gated\"", "[\"gate\", \"gate\", \"gated\"");
    let path = file.display().to_string();
    let ran = run(&path, &["--watch", "race", "-q"]);
    let err = text(&ran.stderr);
    assert!(
        ran.status.success() && err.contains("lint[sequence::unread]: launch `project up` writes `up`"),
        "{err}"
    );
    let saved = Path::new(env!("CARGO_TARGET_TMPDIR")).join("up.npy").display().to_string();
    let err = text(&run(&path, &["--watch", "race", "-q", "-o", &format!("up={saved}")]).stderr);
    assert!(!err.contains("sequence::unread"), "what is saved is read: {err}");
    assert!(std::fs::metadata(saved).is_ok_and(|file| file.len() > 3 * 192 * 4));
}

/// A sequence of one step that launches the sum of the example.
fn small(step: &str) -> String {
    let add = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(LAYER).join("add.pto");
    let mut file = String::from(
        "[scalars]\nn = 4\n[buffers]\nx = \"f32[n, 128]\"\nh = \"f16[n, 128]\"\ni = \"i32[n]\"\n",
    );
    let _ = write!(file, "[[step]]\n{}", step.replace("ADD", &format!("\"{}\"", add.display())));
    file
}

#[test]
fn mistakes_in_a_sequence_are_named() {
    let cases = [
        (
            "kernel = ADD\narguments = [\"x\", \"x\", \"x\"]",
            "step 1: 3 arguments are given, not 4",
            "`@add` takes x, y, z, rows",
        ),
        (
            "kernel = ADD\narguments = [\"x\", \"x\", \"h\", 4]",
            "step 1: argument `z`: it takes f32, but `h` holds f16",
            "",
        ),
        (
            "kernel = ADD\narguments = [\"x\", \"x\", \"xx\", 4]",
            "argument `z`: there is no buffer `xx`",
            "did you mean `x`?",
        ),
        (
            "kernel = ADD\narguments = [\"x\", \"x\", \"x[128]\", 4]",
            "expected `..`, found `]`",
            "name[first..end]",
        ),
        ("kernel = ADD\narguments = [\"x\", \"x\", \"x\", \"m\"]", "step 1: `m` is no scalar", ""),
        (
            "kernel = ADD\narguments = [\"x\", \"x\", \"x\", 0.5]",
            "argument `rows`: `0.5` is not a value of type index",
            "",
        ),
        (
            "kernel = ADD\narguments = { x = \"x\", y = \"x\", w = \"x\" }",
            "there is no argument `w`",
            "takes x, y, z, rows",
        ),
        ("kernel = ADD\narguments = { x = \"x\", y = \"x\", z = \"x\" }", "argument `rows` is missing", ""),
        (
            "kernel = ADD\nblocks = \"n - 4\"\narguments = [\"x\", \"x\", \"x\", 4]",
            "step 1: 0 is no number of blocks",
            "",
        ),
        ("kernel = ADD\narguments = [\"x\", \"x\", \"x[256..]\", 4]", "2 of", ""),
        (
            "kernel = ADD\narguments = [\"x\", \"x\", \"x[0..513]\", 4]",
            "argument `z`: `x` has 512 elements, no part 0..513",
            "",
        ),
        (
            "kernel = ADD\narguments = [\"x\", \"x\", \"x\", \"i[4]\"]",
            "`i` of shape 4 has no element [4]",
            "",
        ),
        ("kernel = ADD\narguments = [\"x\", \"x\", \"x\", \"x[0]\"]", "`x` holds f32, not integers", ""),
        ("kernel = \"none.pto\"", "none.pto: cannot read the file", ""),
        ("repeat = \"b = 0..4\"", "step 1: neither a launch nor a group", "a launch has a `kernel`"),
        ("repeat = \"n = 0..4\"\nstep = [{ kernel = ADD }]", "the name `n` is given twice", ""),
        (
            "repeat = \"b = 0..4 step 0\"\nstep = [{ kernel = ADD, arguments = [\"x\", \"x\", \"x\", 4] }]",
            "a step of 0 never ends",
            "",
        ),
        (
            "repeat = \"b = 0..9999999\"\nstep = [{ repeat = \"c = 0..0\", step = [{ kernel = ADD, arguments = [\"x\", \"x\", \"x\", 4] }] }]",
            "more than 1000000 launches",
            "",
        ),
        ("kernal = ADD", "unknown field `kernal`", "docs/sequences.md"),
        ("kernel = ADD\nblocks = \"\"\narguments = [\"x\", \"x\", \"x\", 4]", "blocks: ", ""),
        ("kernel = ADD\nparallel = true\narguments = [\"x\", \"x\", \"x\", 4]", "belong to groups", ""),
        ("blocks = 2\nstep = [{ kernel = ADD }]", "belong to launches", ""),
    ];
    for (number, (step, message, help)) in cases.into_iter().enumerate() {
        let file = written(&format!("mistake{number}.toml"), &small(step));
        let ran = command(&["run", "--sequence", &file.display().to_string()]);
        let err = text(&ran.stderr);
        assert!(!ran.status.success() && !err.contains("panicked"), "{step}\n{err}");
        if message != "2 of" {
            assert!(err.contains(message) && err.contains(help), "{step}\n{err}");
        }
    }
}

#[test]
fn a_part_ends_where_the_sequence_says() {
    let file = written("part.toml", &small("kernel = ADD\narguments = [\"x\", \"x\", \"x[256..]\", 4]"));
    let err = text(&command(&["run", "--sequence", &file.display().to_string()]).stderr);
    // The three arguments are one buffer, and the part of the last begins at row 2: four rows end two rows too late.
    assert!(err.contains("%z") && err.contains("add"), "{err}");
}

#[test]
fn one_buffer_may_be_argument_more_than_once() {
    let file = format!(
        "results = [\"x\"]\n{}",
        small(
            "repeat = \"b = 0..3\"\nstep = [{ kernel = ADD, arguments = [\"x[128..]\", \"x\", \"x\", 2] }]"
        )
    );
    let file = written("alias.toml", &file);
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("alias.npy").display().to_string();
    let ran = command(&[
        "run",
        "--sequence",
        &file.display().to_string(),
        "-i",
        "x=ones",
        "-o",
        &format!("x={out}"),
    ]);
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    let bytes = std::fs::read(out).expect("the result");
    let values: Vec<f32> = bytes[bytes.len() - 4 * 512..]
        .chunks_exact(4)
        .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        .collect();
    // Rows 0 and 1 become the sums of rows 1 + 0 and 2 + 1, three times.
    let rows: Vec<f32> = values.chunks(128).map(|row| row[0]).collect();
    let mut want = [1.0f32; 4];
    for _ in 0..3 {
        (want[0], want[1]) = (want[1] + want[0], want[2] + want[1]);
    }
    assert_eq!(rows, want);
}
