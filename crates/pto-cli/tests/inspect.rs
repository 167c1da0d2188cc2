//! `pto inspect`.

use crate::support::command as pto;
use expect_test::expect;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A file with this text in a folder of the test.
fn file(test: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inspect").join(test);
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("kernel.pto");
    std::fs::write(&path, text).expect("written");
    path
}

/// Rows of a matrix with a dynamic number of rows and row stride, each block its own 16, doubled in place.
const ROWS: &str = r#"!tile = !pto.tile_buf<vec, 16x64xf32, valid=?x64>
module attributes {pto.target_arch = "a5"} {
  func.func @double(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %rows: i32, %skip: index, %factor: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %n = arith.index_cast %rows : i32 to index
    %from = pto.addptr %x, %skip : !pto.ptr<f32> -> !pto.ptr<f32>
    %xv = pto.make_tensor_view %from, shape = [%n, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x64xf32>
    %yv = pto.make_tensor_view %y, shape = [%n, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x64xf32>
    %block = pto.get_block_idx : i64
    %index = arith.index_cast %block : i64 to index
    %first = arith.muli %index, %c16 : index
    %left = arith.subi %n, %first : index
    %count = arith.minsi %left, %c16 : index
    %a0 = arith.constant 0 : i64
    %t = pto.alloc_tile addr = %a0 valid_row = %count : !tile
    %xp = pto.partition_view %xv, offsets = [%first, %c0], sizes = [%count, %c64] : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<?x64xf32>
    %yp = pto.partition_view %yv, offsets = [%first, %c0], sizes = [%count, %c64] : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<?x64xf32>
    pto.tload ins(%xp : !pto.partition_tensor_view<?x64xf32>) outs(%t : !tile)
    pto.set_flag[#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_V>, #pto.event<EVENT_ID0>]
    pto.wait_flag[#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_V>, #pto.event<EVENT_ID0>]
    pto.tmuls ins(%t, %factor : !tile, f32) outs(%t : !tile)
    pto.barrier #pto.pipe<PIPE_ALL>
    pto.tstore ins(%t : !tile) outs(%yp : !pto.partition_tensor_view<?x64xf32>)
    return
  }
}
"#;

#[test]
fn a_kernel_is_described_by_its_scalars() {
    let path = file("text", ROWS);
    let output = pto(&["inspect", path.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).replace(path.to_str().expect("a path"), "kernel.pto");
    expect![[r#"
        kernel.pto: kernel @double for a5

        arguments
          0  x       f32[rows, 64]  in   view %xv from element skip, strides [64, 1] (line 10)
          1  y       f32[rows, 64]  out  view %yv, strides [64, 1] (line 11)
          2  rows    i32                 extent 0 of %xv (line 10)
                                         extent 0 of %yv (line 11)
                                         valid region of %t (line 18)
                                         size 0 of %xp (line 19)
                                         and 1 more
          3  skip    index               offset 0 of %from (line 9)
          4  factor  f32                 operand of tmuls (line 24)

        blocks
          the work depends on the index of the block: `--blocks N` launches N

        tiles
          %t  16x64xf32 vec  4096 bytes  UB 0x0  line 18

        instructions by pipe
          MTE2 1, MTE3 1, V 1

        synchronization
          MTE2 to V    1 set, 1 waited for, events 0
          barrier ALL  1

        watchers
          race  all accesses, within a core by the flags and barriers of the program
          sync  flags, tokens and barriers: missing sets, sets twice, left set, redundant
          init  reads of bytes that nothing has written
          mem   stores, slots, views, and tiles that overwrite each other at their addresses
    "#]]
    .assert_eq(&text);
}

#[test]
fn json_has_what_the_text_has() {
    let path = file("json", ROWS);
    let output = pto(&["inspect", "--json", path.to_str().expect("a path")]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let kernel = &json["kernels"][0];
    assert_eq!(kernel["entry"], "double");
    assert_eq!(kernel["arguments"][0]["direction"], "in");
    assert_eq!(kernel["arguments"][0]["views"][0]["offset"], "skip");
    assert_eq!(kernel["arguments"][1]["direction"], "out");
    assert_eq!(kernel["arguments"][1]["views"][0]["shape"], serde_json::json!(["rows", "64"]));
    assert_eq!(kernel["arguments"][2]["uses"][0]["role"], "extent");
    assert_eq!(kernel["tiles"][0]["bytes"], 4096);
    assert_eq!(kernel["flags"][0]["from"], "MTE2");
    assert_eq!(kernel["reads_blocks"], true);
}

#[test]
fn a_guessed_manifest_runs() {
    let path = file("manifest", ROWS);
    let folder = path.parent().expect("a folder");
    let manifest = folder.join("manifest.json");
    let [folder, manifest] = [folder, &manifest].map(|path| path.to_str().expect("a path"));
    assert_eq!(pto(&["inspect", folder, "--manifest", "-o", manifest]).status.code(), Some(0));
    let json: Value = serde_json::from_slice(&std::fs::read(manifest).expect("written")).expect("JSON");
    let inputs = &json[0]["inputs"];
    assert_eq!((&inputs["rows"], &inputs["skip"], &inputs["x"]), (&1024.into(), &0.into(), &"rand".into()));
    let run = pto(&["run", "--all", folder, "--manifest", manifest]);
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success() && text.contains("1 ok, 0 rejected, 0 failed"), "{text}");
    // Without a manifest the guesses are the same.
    std::fs::remove_file(manifest).expect("removed");
    let run = pto(&["run", "--all", folder]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
fn every_example_is_described() {
    let output = pto(&["inspect", "examples", "--manifest"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(json.as_array().expect("an array").len() > 200);
}

#[test]
fn what_cannot_be_described_is_said() {
    let broken = file("broken", "func.func @f() {\n  pto.nothing\n  return\n}\n");
    let broken = broken.to_str().expect("a path");
    let output = pto(&["inspect", broken]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("pto.nothing"));
    let json: Value = serde_json::from_slice(&pto(&["inspect", broken, "--json"]).stdout).expect("JSON");
    assert!(json["diagnostics"][0]["message"].is_string(), "{json}");
    let kernel = file("entry", ROWS);
    let output = pto(&["inspect", kernel.to_str().expect("a path"), "--entry", "halve"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("double"),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(pto(&["inspect", "examples"]).status.code(), Some(2));
}
