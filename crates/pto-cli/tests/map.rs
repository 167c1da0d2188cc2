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
    // In the last round a move to L0B takes along what another tile left in the same bytes.
    let (status, out, _) = run(&[&file("kernel.pto"), "-i", &q, "-i", &k, "-i", &v, "--json"]);
    assert_eq!(status, Some(0), "{out}");
    let map: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!(map["conflicts"], serde_json::json!([]));
}

#[test]
fn a_tile_that_is_overwritten_before_it_is_read_is_red() {
    let flags = ["tests/races/ptoas_844_reused_live_range.pto", "--entry", "buggy"];
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
