//! `pto map`: its tables, its JSON and its pictures.

use crate::support::{Drawn, command, drawn};
use serde_json::Value as Json;

/// The fill of conflicts.
const RED: &str = "#ff6b6b";

/// A program without conflicts, and its inputs.
const FINE: [&str; 3] = ["examples/vector_add/kernel.pto", "-i", "length=1000"];

fn run(flags: &[&str]) -> (Option<i32>, String, String) {
    let output = command(&[&["map"], flags].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn picture(name: &str, flags: &[&str]) -> Vec<Drawn> {
    let path = std::env::temp_dir().join(format!("pto-map-{}-{name}.svg", std::process::id()));
    let path = path.display().to_string();
    run(&[flags, &["--svg", &path]].concat());
    let svg = std::fs::read_to_string(&path).expect("a picture");
    std::fs::remove_file(&path).expect("it is removed");
    drawn(&svg)
}

fn fills(shapes: &[Drawn], color: &str) -> usize {
    shapes.iter().filter(|shape| matches!(shape, Drawn::Rect { fill, .. } if fill == color)).count()
}

#[test]
fn a_lowered_program_has_addresses_values_and_a_peak() {
    let flags = [&FINE[..], &["--json"]].concat();
    let (status, out, _) = run(&flags);
    assert_eq!(status, Some(0), "{out}");
    let map: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!(map["conflicts"], serde_json::json!([]));
    let total = map["microseconds"].as_f64().expect("a number");
    for buffer in map["buffers"].as_array().expect("buffers") {
        let number = |key: &str| buffer[key].as_u64().expect("a number");
        assert!(number("live_peak") <= number("allocated") && number("peak") <= number("capacity"));
        for tile in buffer["tiles"].as_array().expect("tiles") {
            for value in tile["values"].as_array().expect("values") {
                let at = |key: &str| value[key].as_f64().expect("a time");
                assert!(at("start") <= at("end") && at("end") <= total * 1.000_001, "{tile}");
            }
        }
    }
}

#[test]
fn padding_that_a_move_takes_along_is_no_value() {
    let file = |name: &str| format!("examples/flash_attention/{name}");
    let [q, k, v] = [("q", 0), ("k", 1), ("v", 2)]
        .map(|(name, number)| format!("{name}={}", file(&format!("arg{number}.npy"))));
    // In the last iteration, a move to L0B also copies bytes that another tile left in the same place.
    let (status, out, _) = run(&[&file("kernel.pto"), "-i", &q, "-i", &k, "-i", &v, "--json"]);
    assert_eq!(status, Some(0), "{out}");
    let map: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!(map["conflicts"], serde_json::json!([]));
}

/// A sum that a loop carries under two names at one address, as front ends emit it.
const CARRIED: &str = r#"!t = !pto.tile_buf<vec, 8x64xf32>
module attributes {pto.target_arch = "a5"} {
  func.func @sum(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %a0 = arith.constant 0 : i64
    %a1 = arith.constant 2048 : i64
    %zero = arith.constant 0.0 : f32
    %vx = pto.make_tensor_view %x, shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64xf32>
    %vy = pto.make_tensor_view %y, shape = [%c8, %c64], strides = [%c64, %c1] : !pto.tensor_view<8x64xf32>
    %acc = pto.alloc_tile addr = %a0 : !t
    pto.texpands ins(%zero : f32) outs(%acc : !t)
    scf.for %i = %c0 to %c32 step %c8 {
      %p = pto.partition_view %vx, offsets = [%i, %c0], sizes = [%c8, %c64] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<8x64xf32>
      %new = pto.alloc_tile addr = %a1 : !t
      pto.tload ins(%p : !pto.partition_tensor_view<8x64xf32>) outs(%new : !t)
      %next = pto.alloc_tile addr = %a0 : !t
      pto.tadd ins(%acc, %new : !t, !t) outs(%next : !t)
    }
    pto.tstore ins(%acc : !t) outs(%vy : !pto.tensor_view<8x64xf32>)
    return
  }
}
"#;

/// 13.7 maps, pages.
#[test]
fn two_names_of_a_carried_value_are_one_tile() {
    let path = std::env::temp_dir().join(format!("pto-map-carried-{}.pto", std::process::id()));
    std::fs::write(&path, CARRIED).expect("a file");
    let (status, out, errors) = run(&[&path.display().to_string(), "-i", "x=randn"]);
    std::fs::remove_file(&path).expect("it is removed");
    assert_eq!(status, Some(0), "{errors}");
    assert!(!out.contains("conflicts") && !out.contains("-0.0 %") && !out.contains("%next"), "{out}");
    assert!(out.contains("%acc 8x64xf32 vec at line 14"), "{out}");
}

#[test]
fn a_tile_that_is_overwritten_before_it_is_read_is_red() {
    let inputs = ["-i", "x=rand", "-i", "y=randn"];
    let flags = [&["tests/races/ptoas_844_reused_live_range.pto", "--entry", "buggy"], &inputs[..]].concat();
    let (status, out, errors) = run(&flags);
    assert_eq!(status, Some(1));
    assert!(out.contains("4096 bytes of several tiles, 0 never accessed"), "{out}");
    assert!(
        out.contains("conflicts\nmem::clobbered: %") && errors.contains("mem::clobbered"),
        "{out}{errors}"
    );
    let shapes = picture("clobbered", &flags);
    assert!(fills(&shapes, RED) > 0);
    assert_eq!(fills(&picture("fine", &FINE), RED), 0);
}

#[test]
fn a_block_that_did_not_run_is_misuse() {
    let (status, out, errors) = run(&[&FINE[..], &["--block", "7"]].concat());
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(errors.contains("the launch has no block 7 of rank 0"), "{errors}");
}
