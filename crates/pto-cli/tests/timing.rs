//! `pto time`: its tables, traces and device files; and the table of `docs/timing.md`, which sets predictions beside published
//! times.
//!
//! Most points take seconds even with optimization: they run only if `PTO_TIMING` is set. `BLESS=1` then rewrites the
//! table.

mod trace;

use crate::support::folder::Folder;
use crate::support::{command, root};
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write;

fn example(name: &str) -> String {
    root().join("examples").join(name).display().to_string()
}

/// Report of `pto time --json` on a program.
fn timed(file: &str, flags: &[&str]) -> Json {
    let output = command(&[&["time", file, "--json"], flags].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&text).expect("JSON")
}

fn scratch(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("pto-timing-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    path.display().to_string()
}

fn error(flags: &[&str]) -> String {
    let output =
        command(&[&["time", &example("timing/unroll.pto"), "-i", "x=rand", "-i", "z=rand"], flags].concat());
    assert_eq!(output.status.code(), Some(2), "{flags:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_barrier_of_all_pipes_in_each_round_costs_several_times_as_much() {
    let inputs = ["-i", "x=rand", "-i", "z=rand"];
    let cycles = |name: &str| timed(&example(name), &inputs)["program"]["cycles"].as_f64().expect("a number");
    let (fast, slow) = (cycles("timing/unroll.pto"), cycles("timing/software_pipeline.pto"));
    assert!((2.0..5.0).contains(&(slow / fast)), "{fast} and {slow} cycles");
}

#[test]
fn the_tables_name_lines_and_say_what_was_lowered() {
    let file = example("timing/unroll.pto");
    let output = command(&["time", &file, "-i", "x=rand", "-i", "z=rand"]);
    let text = String::from_utf8_lossy(&output.stdout);
    for part in [
        "us on 910B2",
        "as `pto lower` lowers it",
        "critical path",
        "tload at line",
        "perfect overlap",
        "GB/s",
        "waits at inserted wait_flag MTE2 -> V at line",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let report = timed(&file, &["-i", "x=rand", "-i", "z=rand"]);
    let program = &report["program"];
    let sum = |key: &str| -> f64 {
        program[key].as_array().into_iter().flatten().filter_map(|part| part["cycles"].as_f64()).sum()
    };
    assert!((sum("path") - program["cycles"].as_f64().expect("a number")).abs() < 1e-6);
    assert_eq!(program["lowered"], true);
    let held_by = &program["stalls"][0]["held_by"];
    assert_eq!(
        (&held_by["operation"], &held_by["inserted"]),
        (&"wait_flag".into(), &true.into()),
        "{held_by}"
    );
    // 64 rows of 4 KB are loaded twice and stored once.
    assert_eq!(program["bytes"], 3 * 64 * 4096);
}

#[test]
fn two_programs_are_compared_by_line() {
    let files = [example("timing/unroll.pto"), example("timing/software_pipeline.pto")];
    let output = command(&["time", &files[0], &files[1], "-i", "x=rand", "-i", "z=rand"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("times as long") && text.contains("pto.tload"),
        "{text}"
    );
    let same = command(&["time", &files[0], &files[0], "-i", "x=rand", "-i", "z=rand"]);
    assert!(String::from_utf8_lossy(&same.stdout).contains("no line takes another time"));
    let short = command(&["time", &files[0], &files[1], "-i", "x=rand", "-i", "z=rand", "--top", "0"]);
    assert!(!String::from_utf8_lossy(&short.stdout).contains("before"));
}

#[test]
fn operations_and_tiles_are_at_the_line_of_their_author() {
    let text = std::fs::read_to_string(example("vector_add/kernel.pto")).expect("the example");
    let located = |line: &str| match line.trim_start().split(' ').next() {
        Some("pto.tadd") => format!("{line} loc(\"model.py\":14:4)\n"),
        Some("%c") => format!("{line} loc(\"model.py\":9:4)\n"),
        _ => format!("{line}\n"),
    };
    let file = scratch("authored", &text.lines().map(located).collect::<String>());
    let out = |words: &[&str]| {
        let output = command(&[words, &[&file, "-i", "length=1000"][..]].concat());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let time = out(&["time"]);
    assert!(time.contains("tadd at model.py:14 (line ") && time.contains("tload at line "), "{time}");
    let map = out(&["map"]);
    assert!(map.contains(" at model.py:9 (line "), "{map}");
    let report = timed(&file, &["-i", "length=1000"]);
    let lines = report["program"]["lines"].as_array().expect("lines");
    let add = lines.iter().find(|line| line["operation"] == "tadd").expect("the operation");
    assert_eq!((&add["origin"]["file"], &add["origin"]["line"]), (&"model.py".into(), &14.into()));
}

#[test]
fn devices_are_named_or_described() {
    assert!(error(&["--device", "910B5"]).contains("did you mean"));
    let slow = scratch("slow.toml", "base = \"910B2\"\nname = \"slow\"\nclock = 0.9\n");
    let report = timed(&example("timing/unroll.pto"), &["-i", "x=rand", "-i", "z=rand", "--device", &slow]);
    assert_eq!((&report["program"]["device"], &report["program"]["clock"]), (&"slow".into(), &0.9.into()));
    for (name, text, part) in [
        ("a.toml", "base = \"910B2\"\nclock = -1\n", "`clock` is -1"),
        ("b.toml", "base = \"910B2\"\nclok = 1\n", "unknown field `clok`"),
        ("c.toml", "base = \"nothing\"\n", "no device is named `nothing`"),
        ("d.toml", "clock = 1\n", "missing field `base`"),
        ("e.toml", "base = \"910B2\"\n[paths.\"GM -> L9\"]\nrate = 1\n", "has no path `GM -> L9`"),
        ("f.toml", "base = \"910B2\"\n[paths.\"GM -> UB\"]\nodd = 1\n", "has no `odd`"),
        ("g.toml", "base = \"910B2\"\n[paths.\"GM -> UB\"]\nrate = 0\n", "`rate` is 0"),
        ("h.toml", "base = \"910B2\"\nmemory = nan\n", "`memory` is NaN"),
        ("i.toml", "base = \"910B2\"\nmemory = 1e300\n", "`memory` is 1e300, which is not between"),
    ] {
        let file = scratch(name, text);
        let message = error(&["--device", &file]);
        let _ = std::fs::remove_file(&file);
        assert!(message.contains(part), "{name}: {message}");
    }
    let _ = std::fs::remove_file(slow);
}

#[test]
fn a_run_with_an_error_is_timed_until_then() {
    let text = std::fs::read_to_string(example("timing/vector_add.pto")).expect("a program");
    let file = scratch("beyond.pto", &text.replace("%z_all, offsets = [%at]", "%z_all, offsets = [%n]"));
    let flags = ["-i", "n=81920", "-i", "tiles_per_core=4", "-i", "x=zeros", "-i", "y=zeros"];
    let output = command(&[&["time", &file], flags.as_slice()].concat());
    let _ = std::fs::remove_file(&file);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{out}{err}");
    assert!(
        out.contains("an error stopped the run: what was issued before it is timed")
            && err.contains("error["),
        "{out}{err}"
    );
}

/// A published time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Point {
    group: String,
    name: String,
    file: String,
    flags: Vec<String>,
    published: f64,
    /// The predicted time of the published source itself, where it is in C++.
    original: Option<f64>,
    busy: BTreeMap<String, f64>,
    source: String,
    #[serde(default)]
    last: bool,
    /// The launch after the first one, whose time is added.
    second: Option<Launch>,
}

/// A program and its flags.
#[derive(Deserialize)]
struct Launch {
    file: String,
    flags: Vec<String>,
}

#[derive(Deserialize)]
struct Points {
    point: Vec<Point>,
}

/// The busy share of a pipe in percent: that of the busiest core, averaged over the blocks.
fn busy(report: &Json, pipe: &str) -> f64 {
    let program = &report["program"];
    let cycles = program["cycles"].as_f64().expect("a number");
    let pipes = program["pipes"].as_array().into_iter().flatten();
    let shares: Vec<f64> = pipes
        .filter(|of| of["pipe"] == pipe)
        .map(|of| 100.0 * of["busy"].as_f64().expect("a number") / cycles)
        .collect();
    shares.iter().sum::<f64>() / shares.len().max(1) as f64
}

/// The median and the largest of some numbers.
fn spread(mut numbers: Vec<f64>) -> (f64, f64) {
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    let median = if numbers.len().is_multiple_of(2) {
        (numbers[half - 1] + numbers[half]) / 2.0
    } else {
        numbers[half]
    };
    (median, numbers[numbers.len() - 1])
}

const BEGIN: &str = "<!-- predictions begin -->\n";
const END: &str = "<!-- predictions end -->\n";

#[test]
fn the_table_of_predictions_is_that_of_the_model() {
    if std::env::var_os("PTO_TIMING").is_none() {
        return;
    }
    let text = std::fs::read_to_string(example("timing/points.toml")).expect("points");
    let points: Points = toml::from_str(&text).expect("TOML");
    let mut table = String::from(
        "| kernel | predicted us | of its source us | published us | error | busy, predicted / published % | source |\n|---|---|---|---|---|---|---|\n",
    );
    let (mut errors, mut kept): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut groups: Vec<(String, Vec<f64>)> = Vec::new();
    for point in points.point {
        let Point { group, name, file, flags, published, original, busy: shares, source, last, second } =
            point;
        let time = |file: &str, flags: &[String]| {
            let words: Vec<&str> = flags.iter().map(String::as_str).collect();
            timed(&example(&format!("timing/{file}")), &words)
        };
        let micros = |report: &Json| report["program"]["microseconds"].as_f64().expect("a number");
        let report = time(&file, &flags);
        let predicted =
            micros(&report) + second.map_or(0.0, |launch| micros(&time(&launch.file, &launch.flags)));
        let error = 100.0 * (predicted - published) / published;
        errors.push(error.abs());
        let mark = if last { " *" } else { "" };
        kept.extend(last.then_some(error.abs()));
        match groups.last_mut().filter(|(last, _)| *last == group) {
            Some((_, errors)) => errors.push(error.abs()),
            None => groups.push((group.clone(), vec![error.abs()])),
        }
        let shares: Vec<String> = shares
            .iter()
            .map(|(pipe, known)| format!("{pipe} {:.1} / {known}", busy(&report, pipe)))
            .collect();
        let original = original.map_or_else(String::new, |original| format!("{original:.1}"));
        let _ = writeln!(
            table,
            "| {group}, {name}{mark} | {predicted:.1} | {original} | {published} | {error:+.0} % | {} | {source} |",
            shares.join(", ")
        );
    }
    table.push_str("\n| group | points | median error | worst |\n|---|---|---|---|\n");
    groups.push(("all".to_owned(), errors));
    groups.push(("kept until the end (*)".to_owned(), kept));
    for (group, errors) in groups {
        let (count, (median, worst)) = (errors.len(), spread(errors));
        let _ = writeln!(table, "| {group} | {count} | {median:.0} % | {worst:.0} % |");
    }
    let path = root().join("docs/timing.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(BEGIN).expect("the mark before the table");
    let (_, after) = rest.split_once(END).expect("the mark after the table");
    let fresh = format!("{before}{BEGIN}{table}{END}{after}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &fresh).expect("the page is written");
    }
    let written = std::fs::read_to_string(&path).expect("the page");
    assert!(written == fresh, "docs/timing.md is stale: PTO_TIMING=1 BLESS=1 writes the table");
}

#[test]
fn a_sequence_is_timed_end_to_end() {
    let file = example("decode_layer/layer.toml");
    let lengths = format!("lengths={}", example("decode_layer/lengths.npy"));
    let report = timed(&file, &["--sequence", "-i", &lengths, "--device", "910B2", "--top", "3"]);
    let number = |value: &Json| value.as_f64().expect("a number");
    let kernels = report["kernels"].as_array().expect("kernels");
    let launches: f64 = kernels.iter().map(|kernel| number(&kernel["launches"])).sum();
    assert_eq!(launches, number(&report["launches"]));
    let sum: f64 = kernels.iter().map(|kernel| number(&kernel["microseconds"])).sum();
    let (all, longest) = (number(&report["microseconds"]), number(&report["longest"][0]["microseconds"]));
    // Some launches run beside each other.
    assert!(longest < all && all < sum, "{longest} {all} {sum}");
    assert_eq!(report["longest"].as_array().map(Vec::len), Some(3));
    let output = command(&["time", &file, "--sequence", "--blocks", "2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--blocks"));
}

/// The report of a wait whose flag is never set names the wait as the program writes it, with its line.
#[test]
fn a_wait_without_end_is_named() {
    let folder = Folder::new();
    folder.write(
        "k.pto",
        "func.func @f() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.barrier <PIPE_ALL>
  return
}
",
    );
    let (status, _, err) = folder.pto("time k.pto --target a5");
    assert_eq!(status, Some(1), "{err}");
    let expected = "error[cores::deadlock]: block 0 waits without end: `wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]` has no set_flag that comes before it\n --> k.pto:2:3";
    assert!(err.contains(expected), "{err}");
}
