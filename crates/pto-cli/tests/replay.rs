//! `pto replay`: dumps of the example layer with one kernel altered, and dumps that are damaged.

use crate::support::folder::Folder;
use crate::support::schema;
use pto_cli::commands::Status;
use serde_json::{Value, json};
use std::fs;

const LAYER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/decode_layer");

impl Folder {
    /// A folder with the example layer in `layer`.
    fn of_layer() -> Folder {
        let folder = Folder::new();
        fs::create_dir_all(folder.0.join("layer")).expect("a folder");
        for file in fs::read_dir(LAYER).expect("the example").flatten() {
            fs::copy(file.path(), folder.0.join("layer").join(file.file_name())).expect("a copy");
        }
        folder
    }

    /// Dumps the layer, with a kernel in which `from` is replaced.
    fn dump_altered(&self, kernel: &str, from: &str, to: &str) {
        let original = self.read(&format!("layer/{kernel}.pto"));
        assert!(original.contains(from), "{kernel} has {from}");
        self.write(&format!("layer/{kernel}.pto"), original.replacen(from, to, 1));
        self.dump();
        self.write(&format!("layer/{kernel}.pto"), original);
    }

    fn dump(&self) {
        let names =
            "x lengths cos sin k_cache v_cache norm_attention norm_mlp wq wk wv wo w_gate w_up w_down";
        let inputs: Vec<String> =
            names.split(' ').map(|name| format!("-i {name}=layer/{name}.npy")).collect();
        let flags = format!("run --sequence layer/layer.toml -q --dump-args dump {}", inputs.join(" "));
        let (status, out, err) = self.pto(&flags);
        assert_eq!((status, out.as_str(), err.as_str()), (Some(0), "", ""));
    }

    fn manifest(&self) -> Value {
        serde_json::from_str(&self.read("dump/args_dump/args_dump.json")).expect("JSON")
    }

    /// Changes the records of a dump.
    fn change(&self, change: impl FnOnce(&mut Vec<Value>)) {
        let mut manifest = self.manifest();
        change(manifest["args"].as_array_mut().expect("records"));
        self.write("dump/args_dump/args_dump.json", manifest.to_string());
    }

    /// The report of a replay.
    fn replayed(&self, flags: &str) -> (Option<i32>, Value) {
        let (status, out, err) = self.pto(&format!("replay dump --kernels layer --json {flags}"));
        let report = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
        let all = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.schema.json"))
            .expect("a file");
        let all: Value = serde_json::from_str(&all).expect("JSON");
        assert_eq!(schema::check(&all["commands"]["replay"], &report, &all), Ok(()));
        (status, report)
    }
}

/// The first record of a task, by its number.
fn record(records: &mut [Value], task: usize, number: usize) -> &mut Value {
    let id = format!("{task:#018x}");
    records
        .iter_mut()
        .find(|record| record["task_id"] == id && record["arg_index"] == number)
        .expect("a record")
}

#[test]
fn a_dump_of_the_same_kernels_is_the_same() {
    let folder = Folder::of_layer();
    folder.dump();
    let (status, out, err) = folder.pto("replay dump --kernels layer");
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert_eq!(out, "24 tasks: 24 the same, 0 different, 0 not replayed\n");
    let manifest = folder.manifest();
    let count = |stage: &str| {
        manifest["args"].as_array().expect("records").iter().filter(|record| record["stage"] == stage).count()
    };
    assert_eq!(manifest["before_dispatch"], count("before_dispatch"));
    assert_eq!(manifest["after_completion"], count("after_completion"));
    let (status, report) = folder.replayed("");
    assert_eq!((status, &report["same"], &report["first"]), (Some(0), &json!(24), &Value::Null));
    // Rows of the cache that the step does not write do not count as differences.
    assert_eq!(report["tasks"][6]["unwritten"], json!([{"name": "cache", "count": 1152}]));
}

#[test]
fn the_altered_kernel_is_named_and_saved() {
    // An altered kernel of each kind, and the number of its tasks.
    for (kernel, from, to, first, tasks) in [
        ("rope", "pto.tadd ins", "pto.tsub ins", 4, 6),
        ("gate", "pto.tmul ins", "pto.tadd ins", 0x15, 1),
        ("add", "pto.tadd ins", "pto.tsub ins", 0x11, 2),
        ("rms_norm", "pto.tmul ins", "pto.tadd ins", 0, 2),
    ] {
        let folder = Folder::of_layer();
        folder.dump_altered(kernel, from, to);
        let (status, out, err) = folder.pto("replay dump --kernels layer --save wrong");
        let name = format!("task {first:#018x} (layer/{kernel}.pto, ");
        assert_eq!((status, err.as_str()), (Some(1), ""), "{out}");
        assert!(out.contains(&format!("first difference: {name}")), "{kernel}: {out}");
        assert!(
            out.contains(&format!("{} the same, {tasks} different, 0 not replayed", 24 - tasks)),
            "{out}"
        );
        for part in ["first at [", "the first one was written last by `pto.tstore", "layer/"] {
            assert!(out.contains(part), "{part}: {out}");
        }
        assert!(kernel == "rms_norm" || out.contains("worst at ["), "{out}");
        // The case expects the recorded outputs: this kernel fails it, the altered one passes.
        assert_eq!(folder.pto("test wrong").0, Some(1));
        let altered = folder.read("wrong/kernel.pto").replacen(from, to, 1);
        folder.write("wrong/kernel.pto", altered);
        let (status, out, err) = folder.pto("test wrong");
        assert_eq!(status, Some(0), "{out}{err}");
        assert_eq!(
            folder.pto("replay dump --kernels layer --save wrong").0,
            Some(2),
            "the folder is not empty"
        );
    }
}

#[test]
fn tolerances_and_formats() {
    let folder = Folder::of_layer();
    folder.dump_altered("add", "pto.tadd ins", "pto.tsub ins");
    let (status, report) = folder.replayed("");
    assert_eq!(
        (status, &report["differ"], &report["first"]),
        (Some(1), &json!(2), &json!("0x0000000000000011"))
    );
    let task = &report["tasks"][0x11];
    assert_eq!((&task["status"], &task["compared"][0]["passed"]), (&json!("differs"), &json!(false)));
    assert!(task["compared"][0]["writer"]["instruction"] == "pto.tstore", "{task}");
    assert_eq!(folder.replayed("--atol 100").0, Some(0));
    assert_eq!(
        folder.replayed("--task 0x0000000000000010,0x0000000000000011").1["tasks"].as_array().map(Vec::len),
        Some(2)
    );
    let (status, out, _) = folder.pto("replay dump --kernels layer --format junit");
    assert_eq!(
        (status, out.matches("<testcase").count(), out.matches("<failure").count()),
        (Some(1), 24, 2),
        "{out}"
    );
    let (_, out, _) = folder.pto("replay dump --kernels layer --format github");
    assert_eq!(out.matches("::error file=layer/add.pto").count(), 2, "{out}");
    let (_, out, _) = folder.pto("replay dump --kernels layer --format sarif");
    let sarif: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "expect::mismatch");
}

#[test]
fn damaged_records_stop_only_their_task() {
    let folder = Folder::of_layer();
    folder.dump();
    let length = fs::metadata(folder.0.join("dump/args_dump/args.bin")).expect("a file").len();
    folder.change(|records| {
        record(records, 0, 0)["dtype"] = json!("float99");
        record(records, 1, 0)["strides"] = json!([u64::MAX / 2, u64::MAX / 2]);
        record(records, 2, 0)["bin_offset"] = json!(length);
        record(records, 3, 1)["bin_size"] = json!(16);
        record(records, 4, 1)["truncated"] = json!(true);
        record(records, 5, 0)["func_id"] = json!([77]);
        let copy = record(records, 6, 0).clone();
        records.push(copy);
        record(records, 7, 1)["shape"] = json!([1u64 << 40, 1u64 << 40]);
        let of = record(records, 8, 0)["bin_offset"].clone();
        record(records, 9, 0)["bin_offset"] = of;
        record(records, 10, 0)["arg_index"] = json!("first");
        record(records, 11, 0)["strides"] = json!([1, 1, 1]);
        record(records, 12, 0)["dtype"] = json!("int64");
        records.retain(|record| record["task_id"] != format!("{:#018x}", 13) || record["kind"] != "scalar");
        records.iter_mut().filter(|record| record["task_id"] == format!("{:#018x}", 14)).for_each(|record| {
            record["func_id"] = json!([-1]);
        });
    });
    let (status, report) = folder.replayed("");
    assert_eq!(status, Some(1));
    let tasks = report["tasks"].as_array().expect("tasks");
    let error = |at: usize| tasks[at]["error"].as_str().unwrap_or_default().to_owned();
    for (at, expected) in [
        (0, "args_dump.json: argument 0 (before the task): the dtype `float99` is not known"),
        (1, "leave its contents"),
        (2, "args.bin: argument 0 (before the task): its "),
        (2, "end after the"),
        (3, "16 bytes are dumped, but"),
        (4, "only the start of its contents was dumped"),
        (5, "it is of the functions"),
        (6, "argument 0 (before the task): it is recorded twice"),
        (7, "is too large"),
        (8, "overlap those of argument 0 of task 0x0000000000000009"),
        (9, "overlap those of argument 0 of task 0x0000000000000008"),
        (10, "the task has 1 tensors, but `@append` takes 2"),
        (11, "3 strides for "),
        (13, "the task has 0 scalars, but `@rope` takes 2"),
        (14, "the dump does not say which function the task runs"),
    ] {
        assert!(error(at).contains(expected), "task {at}: {}", error(at));
        assert_eq!(tasks[at]["status"], "failed");
    }
    assert!(error(12).contains("bytes are dumped") || error(12).contains("it holds i64"), "{}", error(12));
    assert_eq!(report["problems"].as_array().map(Vec::len), Some(1), "{}", report["problems"]);
    assert!(report["problems"][0].as_str().is_some_and(|text| text.contains("task \"0x000000000000000a\"")));
    assert_eq!((&report["same"], &report["failed"]), (&json!(9), &json!(15)), "the others still run");
}

#[test]
fn damaged_dumps_are_refused() {
    let folder = Folder::of_layer();
    folder.dump();
    let whole = folder.read("dump/args_dump/args_dump.json");
    let refused = |text: &str, expected: &str| {
        folder.write("dump/args_dump/args_dump.json", text);
        let (status, out, err) = folder.pto("replay dump --kernels layer");
        assert!(status.is_some_and(|status| status > 0) && out.is_empty(), "{expected}: {out}");
        assert!(err.contains(expected), "{expected}: {err}");
    };
    refused(&whole[..whole.len() / 2], "the file ends too early");
    refused("[]", "this is no dump of arguments");
    refused(r#"{"bin_file": "args.bin", "args": []}"#, "the dump has no tasks");
    refused(&whole.replace("\"args.bin\"", "null"), "it has no contents");
    refused(&whole.replace("\"args.bin\"", "\"../args.bin\""), "must be a file beside it");
    refused(&whole.replace("\"args.bin\"", "\"other.bin\""), "other.bin: cannot read the file");
    refused(&whole.replace("little_endian", "big_endian"), "`big_endian` cannot be read");
    folder.write("dump/args_dump/args_dump.json", &whole);
    for (flags, expected) in [
        ("replay nowhere --kernels layer", "there is no args_dump.json"),
        ("replay dump --kernels nowhere", "cannot read the folder"),
        ("replay dump --kernels layer --map x=rope.pto", "is no number of a function"),
        ("replay dump --kernels layer --map 1=none.pto", "there is no file none.pto"),
        ("replay dump --kernels layer --task 0x01", "the dump has no task `0x01`"),
        ("replay dump --kernels layer --blocks 0", "a launch has at least one block"),
    ] {
        let (status, _, err) = folder.pto(flags);
        assert!(status == Some(2) && err.contains(expected), "{flags}: {status:?} {err}");
    }
    // The contents end early: the tasks before that still run.
    let contents = fs::read(folder.0.join("dump/args_dump/args.bin")).expect("a file");
    folder.write("dump/args_dump/args.bin", &contents[..contents.len() / 2]);
    let (_, report) = folder.replayed("");
    let (same, failed) =
        (report["same"].as_u64().expect("a number"), report["failed"].as_u64().expect("a number"));
    assert!(same > 5 && failed > 5 && same + failed == 24, "{same} {failed}");
}

#[test]
fn kernels_are_found_by_name() {
    let folder = Folder::of_layer();
    folder.dump();
    let outcome = |flags: &str| {
        let (_, report) = folder.replayed(flags);
        (
            report["same"].as_u64().expect("a number"),
            report["tasks"][0]["error"].as_str().unwrap_or("").to_owned(),
        )
    };
    assert_eq!(outcome("").0, 24);
    fs::remove_file(folder.0.join("dump/name_map.json")).expect("a file");
    let (same, error) = outcome("");
    assert!(
        same == 0 && error.contains("nothing names function 0") && error.contains("--map 0=FILE"),
        "{error}"
    );
    // By flags; a function that no flag names is not found.
    assert_eq!(outcome("--map 0=rms_norm.pto").0, 2);
    assert_eq!(outcome("--map 0=layer/rms_norm.pto@rms_norm --map 5=add.pto").0, 4);
    // By the configuration that the compiler writes beside its kernels.
    let rows: Vec<String> = ["rms_norm", "project", "rope", "append", "attention", "add", "gate"]
        .iter()
        .enumerate()
        .map(|(id, name)| {
            format!("\t{{\"func_id\": {id}, \"source\": str(_ROOT_DIR / \"kernels\" / \"{name}.cpp\")}},\n")
        })
        .collect();
    folder
        .write("kernel_config.py", format!("raise SystemExit('not run')\nKERNELS = [\n{}]\n", rows.concat()));
    assert_eq!(outcome("").0, 24);
    fs::rename(folder.0.join("layer/rope.pto"), folder.0.join("layer/ropes.pto")).expect("a file");
    let (_, report) = folder.replayed("");
    assert_eq!((&report["same"], &report["failed"]), (&json!(24), &json!(0)), "by the name of the function");
    folder.write("layer/other/rope.pto", folder.read("layer/ropes.pto"));
    folder.write("layer/more/rope.pto", folder.read("layer/ropes.pto"));
    let (_, report) = folder.replayed("");
    assert!(
        report["tasks"][4]["error"].as_str().is_some_and(|error| error.contains("may be in")),
        "{report}"
    );
}

/// y = x * factor on 2x8; consecutive rows start `stride` elements from each other.
const SCALE: &str = r#"func.func @scale(%factor: f32, %x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %stride: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %xv = pto.make_tensor_view %x, shape = [%c2, %c8], strides = [%stride, %c1] : !pto.tensor_view<2x8xf32>
  %yv = pto.make_tensor_view %y, shape = [%c2, %c8], strides = [%stride, %c1] : !pto.tensor_view<2x8xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
  pto.tload ins(%xv : !pto.tensor_view<2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)
  pto.tmuls ins(%t, %factor : !pto.tile_buf<vec, 2x8xf32>, f32) outs(%t : !pto.tile_buf<vec, 2x8xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 2x8xf32>) outs(%yv : !pto.tensor_view<2x8xf32>)
  return
}
"#;

/// A dump of `scale` whose tensors have strides. `factor` is the record of the scalar.
fn strided(folder: &Folder, factor: (&str, Value)) {
    let values =
        |scale: f32| (0..16).flat_map(move |at| (at as f32 * scale).to_le_bytes()).collect::<Vec<u8>>();
    folder.write("args_dump.json", json!({"bin_file": "args.bin", "args": [
        {"task_id": 7, "func_id": 3, "arg_index": 0, "role": "input", "stage": "before_dispatch", "dtype": "float32",
         "shape": [2, 8], "strides": [20, 1], "bin_offset": 0, "bin_size": 64},
        {"task_id": 7, "func_id": 3, "arg_index": 1, "role": "output", "stage": "after_completion", "dtype": "float32",
         "shape": [2, 8], "strides": [20, 1], "bin_offset": 64, "bin_size": 64},
        {"task_id": 7, "func_id": 3, "arg_index": 3, "kind": "scalar", "role": "input", "stage": "before_dispatch",
         "dtype": "uint64", "value": 20},
        {"task_id": 7, "func_id": 3, "arg_index": 2, "kind": "scalar", "role": "input", "stage": "before_dispatch",
         "dtype": factor.0, "value": factor.1},
    ]}).to_string());
    folder.write("args.bin", [values(1.0), values(2.5)].concat());
    folder.write("scale/scale.pto", SCALE);
}

#[test]
fn strides_are_those_that_the_task_saw_and_scalars_keep_their_bits() {
    let folder = Folder::of_layer();
    for (dtype, value, same) in [
        ("float32", json!(2.5), true),
        // A scalar that was widened to its bits.
        ("uint64", json!(2.5f32.to_bits()), true),
        ("float32", json!(3.0), false),
        ("float32", json!("$Inf"), false),
    ] {
        strided(&folder, (dtype, value.clone()));
        let (status, out, err) = folder.pto("replay . --kernels scale --save case --force");
        assert_eq!(status, Some(i32::from(!same)), "{dtype} {value}: {out}{err}");
        if !same {
            assert!(out.contains("first difference: task 7 (scale/scale.pto, 1 block)"), "{out}");
            assert!(out.contains("written last by `pto.tstore` at scale/scale.pto:10, block 0"), "{out}");
            let (status, tested, _) = folder.pto("test case");
            assert!(status == Some(1) && tested.contains(" of 28 values differ (28 of f32"), "{tested}");
        }
    }
    strided(&folder, ("float16", json!("x")));
    assert!(folder.pto("replay . --kernels scale").1.contains("the value \"x\" of float16 is no f32"));
    // A kernel that writes nothing differs, although all that it does not write is left out elsewhere.
    strided(&folder, ("float32", json!(2.5)));
    folder.write("scale/scale.pto", SCALE.replace("  pto.tstore", "  // pto.tstore"));
    let (status, out, _) = folder.pto("replay . --kernels scale");
    assert!(status == Some(1) && out.contains("no tile instruction wrote the first one"), "{out}");
    // A program that is not legal is a finding.
    folder.write("scale/scale.pto", SCALE.replace("vec, 2x8xf32>, f32)", "vec, 2x8xf32>, f16)"));
    let (status, out, _) = folder.pto("replay . --kernels scale");
    assert!(status == Some(1) && out.contains("FAILED  task 7") && out.contains("error["), "{out}");
}

#[test]
fn a_call_returns_what_the_command_prints() {
    let folder = Folder::of_layer();
    folder.dump();
    let (dump, kernels) = (folder.0.join("dump"), folder.0.join("layer"));
    let words = format!("replay {} --kernels {} --verbose", dump.display(), kernels.display());
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let (called, status) = pto_cli::called::call(&words, Vec::new()).expect("a result");
    assert_eq!((folder.pto(&words.join(" ")).1, Status::Fine), (called.text, status));
    let report: Value = serde_json::from_str(&called.json.expect("JSON")).expect("JSON");
    assert_eq!(report["differ"], 0);
}
