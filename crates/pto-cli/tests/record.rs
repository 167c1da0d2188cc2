//! `pto record`: the recorded cases, which `pto test` runs.

use crate::support::folder::Folder;
use std::fs;

/// y[i] += x[i] * a on 8x8 in each block, and z = y of the blocks.
const KERNEL: &str = r#"module attributes {pto.target_arch = "a5"} {
func.func @other(%x: !pto.ptr<f32>) {
  return
}
func.func @axpy(%x: !pto.ptr<f32>, %a: f32, %y: !pto.ptr<f32>, %z: !pto.ptr<f32>, %rows: index, %__pypto_spmd_block_idx: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %block = arith.index_cast %__pypto_spmd_block_idx : i32 to index
  %row = arith.muli %block, %c8 : index
  %xv = pto.make_tensor_view %x, shape = [%rows, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x8xf32>
  %yv = pto.make_tensor_view %y, shape = [%rows, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x8xf32>
  %zv = pto.make_tensor_view %z, shape = [%rows, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x8xf32>
  %xp = pto.partition_view %xv, offsets = [%row, %c0], sizes = [%c8, %c8] : !pto.tensor_view<?x8xf32> -> !pto.partition_tensor_view<8x8xf32>
  %yp = pto.partition_view %yv, offsets = [%row, %c0], sizes = [%c8, %c8] : !pto.tensor_view<?x8xf32> -> !pto.partition_tensor_view<8x8xf32>
  %zp = pto.partition_view %zv, offsets = [%row, %c0], sizes = [%c8, %c8] : !pto.tensor_view<?x8xf32> -> !pto.partition_tensor_view<8x8xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  %u = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%xp : !pto.partition_tensor_view<8x8xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
  pto.tload ins(%yp : !pto.partition_tensor_view<8x8xf32>) outs(%u : !pto.tile_buf<vec, 8x8xf32>)
  pto.tmuls ins(%t, %a : !pto.tile_buf<vec, 8x8xf32>, f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
  pto.tadd ins(%t, %u : !pto.tile_buf<vec, 8x8xf32>, !pto.tile_buf<vec, 8x8xf32>) outs(%u : !pto.tile_buf<vec, 8x8xf32>)
  pto.tstore ins(%u : !pto.tile_buf<vec, 8x8xf32>) outs(%yp : !pto.partition_tensor_view<8x8xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 8x8xf32>) outs(%zp : !pto.partition_tensor_view<8x8xf32>)
  return
}
}
"#;

/// A folder with `k.pto`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("k.pto", KERNEL);
    folder
}

const RECORD: &str =
    "record k.pto --entry axpy --blocks 3 -i x=randn -i y=arange -i a=0.1 -i rows=24 -s case";

#[test]
fn a_recorded_case_passes_and_fails_when_the_program_changes() {
    let folder = folder();
    let (status, out, err) = folder.pto(RECORD);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
    assert_eq!(out, "recorded case: x in 24x8 of f32, y inout 24x8 of f32, z out 24x8 of f32\n");
    let case: serde_json::Value = serde_json::from_str(&folder.read("case/case.json")).expect("JSON");
    let roles: Vec<_> =
        case["args"].as_array().expect("a list").iter().map(|arg| arg["role"].clone()).collect();
    assert_eq!(roles, ["in", "scalar", "inout", "out", "scalar", "launch"]);
    assert_eq!(case["args"][1]["bits"], "0x3dcccccd");
    assert_eq!(
        (&case["entry"], &case["blocks"], &case["profile"]),
        (&"axpy".into(), &3.into(), &"a5".into())
    );
    let (status, out, err) = folder.pto("test case");
    assert_eq!((status, out.as_str()), (Some(0), "recorded: 1 of 1 passed\n1 passed, 0 failed\n"), "{err}");
    // The runs of a folder take the arguments of the case, too.
    let (status, out, err) = folder.pto("run --all case");
    assert_eq!(status, Some(0), "{out}{err}");
    let changed = folder.read("case/kernel.pto").replace("pto.tadd ins", "pto.tsub ins");
    fs::write(folder.0.join("case/kernel.pto"), changed).expect("a file");
    let (status, out, _) = folder.pto("test case");
    assert!(
        status == Some(1)
            && out.contains("y: ")
            && out.contains("written last by `pto.tstore` at case/kernel.pto:23, block 0"),
        "{out}"
    );
}

#[test]
fn tolerances_are_those_of_the_flags() {
    let folder = folder();
    for (flags, tolerance) in [
        ("", serde_json::json!({"kind": "exact"})),
        ("--ulp 3", serde_json::json!({"kind": "ulp", "max": 3})),
        ("--atol 0.5 --rtol 1e-3", serde_json::json!({"kind": "close", "atol": 0.5, "rtol": 1e-3})),
    ] {
        let (status, _, err) = folder.pto(&format!("{RECORD} --force -q --note remark {flags}"));
        assert_eq!(status, Some(0), "{err}");
        let case: serde_json::Value = serde_json::from_str(&folder.read("case/case.json")).expect("JSON");
        assert_eq!((&case["tolerance"], &case["note"]), (&tolerance, &"remark".into()));
        assert_eq!(folder.pto("test case").0, Some(0));
    }
    assert_eq!(folder.pto(&format!("{RECORD} --force --ulp 1 --atol 1")).0, Some(2));
}

#[test]
fn a_folder_that_is_not_empty_is_kept() {
    let folder = folder();
    fs::create_dir(folder.0.join("case")).expect("a folder");
    assert_eq!(folder.pto(RECORD).0, Some(0), "an empty folder is taken");
    fs::write(folder.0.join("case/kernel.pto"), "mine").expect("a file");
    let (status, out, err) = folder.pto(RECORD);
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(err.contains("case: the folder is not empty") && err.contains("--force"), "{err}");
    assert_eq!(folder.read("case/kernel.pto"), "mine");
    assert_eq!(folder.pto(&format!("{RECORD} --force")).0, Some(0));
    assert_eq!(folder.read("case/kernel.pto"), KERNEL);
    let (status, _, err) = folder.pto(&RECORD.replace("-s case", "-s k.pto"));
    assert!(status == Some(2) && err.contains("k.pto"), "{err}");
}

#[test]
fn what_is_wrong_is_not_recorded() {
    let folder = folder();
    for (flags, status, message) in [
        (RECORD.replace(" -i a=0.1", ""), 2, "argument `a` of type f32 is missing"),
        (RECORD.replace("rows=24", "rows=16"), 1, "partition_view"),
        (RECORD.replace("--entry axpy", "--entry axpi"), 1, "axpi"),
        (RECORD.replace("-i x=randn", "-i x=@0:y"), 2, "argument `x` is no buffer of its own"),
        (format!("{RECORD} --max-steps 3"), 1, "steps"),
    ] {
        let (code, out, err) = folder.pto(&flags);
        assert!(code == Some(status) && out.is_empty() && err.contains(message), "{flags}: {code:?} {err}");
        assert!(!folder.0.join("case").exists(), "{flags}");
    }
}

/// A file in a folder may be a link to a file elsewhere: `--force` replaces the link.
#[cfg(unix)]
#[test]
fn links_in_a_folder_are_replaced() {
    let folder = folder();
    folder.write("mine", "mine");
    fs::create_dir_all(folder.0.join("case")).expect("a folder");
    for (name, to) in [("kernel.pto", "../mine"), ("case.json", "../none"), ("arg0.npy", "/dev/null")] {
        std::os::unix::fs::symlink(to, folder.0.join("case").join(name)).expect("a link");
    }
    let (status, _, err) = folder.pto(&format!("{RECORD} --force"));
    assert_eq!(status, Some(0), "{err}");
    assert_eq!(folder.read("mine"), "mine");
    assert!(!folder.0.join("none").exists());
    for file in fs::read_dir(folder.0.join("case")).expect("a folder").flatten() {
        assert!(file.file_type().expect("a type").is_file(), "{:?} is a file", file.file_name());
    }
    assert_eq!(folder.pto("test case").0, Some(0));
}

#[test]
fn the_examples_are_a_suite_that_passes() {
    let folder = Folder::new();
    let (status, out, err) = folder.pto("record --examples --save suite");
    assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
    let index: serde_json::Value = serde_json::from_str(&folder.read("suite/index.json")).expect("JSON");
    let cases = index["cases"].as_array().expect("a list");
    assert!(cases.len() > 350, "{} cases", cases.len());
    let tinsert = cases.iter().find(|case| case["folder"] == "a5/tinsert").expect("the case");
    assert!(tinsert["source"].as_str().is_some_and(|page| page.ends_with(".md")), "{tinsert}");
    let case: serde_json::Value =
        serde_json::from_str(&folder.read("suite/a5/tinsert/case.json")).expect("JSON");
    assert_eq!((&case["op"], &case["source"]), (&tinsert["op"], &tinsert["source"]));
    let (status, out, err) = folder.pto("test suite --quiet");
    assert_eq!(status, Some(0), "{out}{err}");
    assert!(out.ends_with(&format!("{} passed, 0 failed\n", cases.len())), "{out}");
}
