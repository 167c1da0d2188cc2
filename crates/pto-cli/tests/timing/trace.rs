//! `pto time --trace`: the format of traces, and their instructions, waits and counters.

use super::{command, example};
use crate::support::folder::Folder;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The documented format: an object with `traceEvents`; complete events have `ts` and `dur`, arrows come in pairs with one id, rows
/// have names.
#[test]
fn traces_have_the_documented_format() {
    let path = std::env::temp_dir().join(format!("pto-trace-{}.json", std::process::id()));
    let file = path.display().to_string();
    let kernel = example("instructions/tpush_to_aiv.pto");
    let text = std::fs::read_to_string(&kernel).expect("a program");
    let run = text.lines().find_map(|line| line.strip_prefix("// run: ")).expect("flags");
    let words: Vec<&str> = ["time", &kernel, "--target", "a2a3", "--trace", &file]
        .into_iter()
        .chain(run.split_whitespace())
        .collect();
    let output = command(&words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let trace: Json = serde_json::from_slice(&std::fs::read(&path).expect("a trace")).expect("JSON");
    let _ = std::fs::remove_file(&path);
    assert_eq!(trace["displayTimeUnit"], "ns");
    let events = trace["traceEvents"].as_array().expect("events");
    let of = |kind: &str| events.iter().filter(move |event| event["ph"] == kind).collect::<Vec<_>>();
    let number = |event: &Json, key: &str| event[key].as_f64().unwrap_or(f64::NAN);
    let mut ends: BTreeMap<(u64, u64), f64> = BTreeMap::new();
    for event in of("X") {
        assert!(number(event, "ts") >= 0.0 && number(event, "dur") >= 0.0, "{event}");
        assert!(event["args"]["line"].as_u64().is_some_and(|line| line > 0), "{event}");
        // Instructions of one pipe do not overlap.
        let row = (event["pid"].as_u64().expect("a number"), event["tid"].as_u64().expect("a number"));
        let end = ends.entry(row).or_insert(0.0);
        assert!(number(event, "ts") + 1e-9 >= *end, "{event}");
        *end = number(event, "ts") + number(event, "dur");
    }
    let named: Vec<_> = of("M").into_iter().filter(|event| event["name"] == "thread_name").collect();
    assert_eq!(named.len(), ends.len());
    let ids =
        |kind| of(kind).into_iter().map(|event| event["id"].as_u64().expect("an id")).collect::<Vec<_>>();
    assert!(!ids("s").is_empty() && ids("s") == ids("f"));
    let queues: Vec<_> = of("C").into_iter().filter(|event| event["cat"] == "queue").collect();
    assert!(queues.iter().all(|event| event["args"]["entries"].as_i64().is_some_and(|entries| entries >= 0)));
    assert!(!queues.is_empty(), "the queues of the kernel are counters");
}

/// The events of a trace.
fn trace_events(name: &str, flags: &[&str]) -> Vec<Json> {
    let folder = Folder::new();
    let file = folder.path("trace.json");
    let output = command(&[&["time", name, "--trace", &file], flags].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut trace: Json = serde_json::from_str(&folder.read("trace.json")).expect("JSON");
    serde_json::from_value(trace["traceEvents"].take()).expect("events")
}

#[test]
fn instructions_of_a_trace_name_their_tiles() {
    let events =
        trace_events("examples/row_softmax/kernel.pto", &["-i", "x=randn:20x90", "-i", "y=zeros:20x90"]);
    let works: Vec<&Json> = events.iter().filter(|event| event["cat"] == "instruction").collect();
    let first = |name: &str| works.iter().find(|event| event["name"] == name).expect("an instruction");
    let tiles = |event: &Json| (event["args"]["reads"].clone(), event["args"]["writes"].clone());
    assert_eq!(tiles(first("tload")), (json!([]), json!(["%values"])));
    assert_eq!(tiles(first("tstore")), (json!(["%values"]), json!([])));
    for event in works {
        let number = |key: &str| event["args"][key].as_f64().expect("a number");
        let duration = event["dur"].as_f64().expect("a number");
        assert!((number("completion") - duration - number("latency")).abs() < 1e-9, "{event}");
    }
}

#[test]
fn waits_of_a_trace_are_events_before_their_instructions() {
    let events = trace_events("examples/timing/unroll.pto", &["-i", "x=rand", "-i", "z=rand"]);
    let end =
        |event: &Json| event["ts"].as_f64().expect("a time") + event["dur"].as_f64().expect("a duration");
    let mut waits = 0;
    for (index, event) in events.iter().enumerate().filter(|(_, event)| event["cat"] == "wait") {
        let next = &events[index + 1];
        assert_eq!((&event["args"]["waiting"], &event["tid"]), (&next["name"], &next["tid"]));
        assert!((end(event) - next["ts"].as_f64().expect("a time")).abs() < 1e-9, "{event}");
        waits += usize::from(event["name"] == "wait_flag");
    }
    assert!(waits > 0, "the program waits for flags");
}

#[test]
fn live_bytes_of_a_trace_are_counters() {
    let memories = ["UB of vector core 0", "L1", "L0A", "L0B", "L0C"].map(str::to_owned);
    live_bytes_are_counters("examples/flash_attention/kernel.pto", &[], &memories);
    // The tiles of this program have no addresses: their types name the memory.
    let flags = ["-i", "n=512", "-i", "a=randn", "-i", "b=randn", "--blocks", "1", "--device", "A3"];
    let memories = ["L1", "L0A", "L0B", "L0C"].map(|memory| format!("{memory}, tiles without addresses"));
    live_bytes_are_counters("examples/timing/gemm.pto", &flags, &memories);
}

/// Asserts that the trace of a program has a counter for the live bytes of each memory, which ends at 0.
fn live_bytes_are_counters(program: &str, flags: &[&str], memories: &[String]) {
    let events = trace_events(program, flags);
    let counters: Vec<&Json> = events.iter().filter(|event| event["cat"] == "memory").collect();
    for memory in memories {
        let name = format!("live bytes of {memory}");
        let bytes: Vec<u64> = counters
            .iter()
            .filter(|event| event["ph"] == "C" && event["name"] == name.as_str())
            .map(|event| event["args"]["bytes"].as_u64().expect("a number"))
            .collect();
        assert!(bytes.iter().any(|bytes| *bytes > 0) && bytes.last() == Some(&0), "{memory}: {bytes:?}");
        assert!(bytes.windows(2).all(|pair| pair[0] != pair[1]), "{memory}: {bytes:?}");
    }
}

#[test]
fn a_trace_is_cut_at_its_limit_and_says_so() {
    let path = std::env::temp_dir().join(format!("pto-cut-{}.json", std::process::id()));
    let file = path.display().to_string();
    let kernel = example("timing/unroll.pto");
    let output =
        command(&["time", &kernel, "-i", "x=rand", "-i", "z=rand", "--trace", &file, "--trace-limit", "5"]);
    assert!(output.status.success());
    let trace: Json = serde_json::from_slice(&std::fs::read(&path).expect("a trace")).expect("JSON");
    let _ = std::fs::remove_file(&path);
    assert_eq!(trace["otherData"]["incomplete"], true);
    let events = trace["traceEvents"].as_array().expect("events");
    assert_eq!(events.iter().filter(|event| event["cat"] == "instruction").count(), 5);
}
