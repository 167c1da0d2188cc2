//! `pto verify`: accepted and rejected lowerings, with the reasons.

use crate::support::command;
use crate::support::folder::{Folder, err, out};
use serde_json::Value as Json;
use std::path::Path;

/// Rows are loaded, changed and stored, a part at a time; the last part may be shorter.
const SOURCE: &str = r#"module attributes {pto.target_arch = "a3"} {
  func.func @main(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %vx = pto.make_tensor_view %x, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
    %vy = pto.make_tensor_view %y, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
    scf.for %i = %c0 to %n step %c64 {
      %left = arith.subi %n, %i : index
      %cols = arith.minsi %left, %c64 : index
      %t = pto.alloc_tile valid_row = %c1 valid_col = %cols : !pto.tile_buf<vec, 1x64xf32, valid=?x?>
      %u = pto.alloc_tile valid_row = %c1 valid_col = %cols : !pto.tile_buf<vec, 1x64xf32, valid=?x?>
      %px = pto.partition_view %vx, offsets = [%c0, %i], sizes = [%c1, %cols] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x?xf32>
      %py = pto.partition_view %vy, offsets = [%c0, %i], sizes = [%c1, %cols] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x?xf32>
      pto.tload ins(%px : !pto.partition_tensor_view<1x?xf32>) outs(%t : !pto.tile_buf<vec, 1x64xf32, valid=?x?>)
      pto.tadds ins(%t, %one : !pto.tile_buf<vec, 1x64xf32, valid=?x?>, f32) outs(%u : !pto.tile_buf<vec, 1x64xf32, valid=?x?>)
      pto.tstore ins(%u : !pto.tile_buf<vec, 1x64xf32, valid=?x?>) outs(%py : !pto.partition_tensor_view<1x?xf32>)
    }
    return
  }
}
"#;

/// Files of the source and of the result of `pto lower` for it.
fn pair() -> (Folder, String, String, String) {
    let folder = Folder::new();
    let source = folder.write("source.pto", SOURCE);
    let lowered = command(&["lower", &source]);
    assert!(lowered.status.success(), "{}", err(&lowered));
    let text = out(&lowered);
    let path = folder.write("lowered.pto", &text);
    (folder, source, path, text)
}

fn report(source: &str, lowered: &str) -> Json {
    let output = command(&["verify", source, lowered, "--json"]);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", err(&output)))
}

fn verdict<'j>(report: &'j Json, property: &str) -> &'j Json {
    let properties = report["kernels"][0]["properties"].as_array().expect("properties");
    properties.iter().find(|one| one["property"] == property).expect("the property")
}

#[test]
fn what_lower_makes_is_accepted() {
    let (_folder, source, lowered, _) = pair();
    let output = command(&["verify", &source, &lowered]);
    let text = out(&output);
    assert!(output.status.success() && text.ends_with("accepted\n"), "{text}{}", err(&output));
    assert!(text.contains("signature  holds") && text.contains("silent     holds"), "{text}");
    let report = report(&source, &lowered);
    assert_eq!(report["accepted"], true);
    // Trip counts of 0, 1, 2, 3 and more are reached, and rests.
    assert!(report["kernels"][0]["compared"].as_u64() >= Some(8), "{report}");
}

/// Tiles that an operation passes on, in a kernel that finally stores `%s`. A tile that is alive only under another name
/// keeps its bytes, and pipes that use it by that name wait for the pipes that wrote it.
const PASSING: [(&str, &str); 7] = [
    ("select", "%s = arith.select %flag, %a, %b : !t"),
    ("if", "%s = scf.if %flag -> (!t) {\n scf.yield %a : !t\n } else {\n scf.yield %b : !t\n }"),
    (
        "loop",
        "%s, %other = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (!t, !t) {\n scf.yield %q, %p : !t, !t\n }",
    ),
    (
        "region",
        "%s = scf.execute_region -> (!t) {\n %e = arith.select %flag, %b, %a : !t\n scf.yield %e : !t\n }",
    ),
    ("branch", "cf.cond_br %flag, ^bb1(%a : !t), ^bb1(%b : !t)\n^bb1(%s: !t):"),
    ("call", "%d = func.call @make(%one) : (f32) -> !t\n%s = arith.select %flag, %d, %b : !t"),
    ("reshape", "%s = pto.alloc_tile : !t\npto.treshape ins(%a : !t) outs(%s : !t)"),
];

#[test]
fn tiles_that_an_operation_passes_on_keep_their_bytes() {
    for (name, passes) in PASSING {
        for (way, by) in [
            ("loaded", "pto.tload ins(%px : !p) outs(%a : !t)\n pto.tload ins(%px2 : !p) outs(%b : !t)"),
            (
                "computed",
                "pto.texpands ins(%one : f32) outs(%a : !t)\n pto.tload ins(%px : !p) outs(%b : !t)\n \
                 pto.tadds ins(%b, %one : !t, f32) outs(%b : !t)",
            ),
        ] {
            let source = format!(
                "!t = !pto.tile_buf<vec, 8x16xf32>\n!v = !pto.tensor_view<16x16xf32>\n\
                 !p = !pto.partition_tensor_view<8x16xf32>\n\
                 module attributes {{pto.target_arch = \"a3\"}} {{\n\
                 func.func @make(%value: f32) -> !t {{\n%made = pto.alloc_tile : !t\n\
                 pto.texpands ins(%value : f32) outs(%made : !t)\nreturn %made : !t\n}}\n\
                 func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %flag: i1, %n: index) {{\n\
                 %c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n\
                 %c16 = arith.constant 16 : index\n%one = arith.constant 1.0 : f32\n\
                 %xv = pto.make_tensor_view %x, shape = [%c16, %c16], strides = [%c16, %c1] : !v\n\
                 %yv = pto.make_tensor_view %y, shape = [%c16, %c16], strides = [%c16, %c1] : !v\n\
                 %px = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c8, %c16] : !v -> !p\n\
                 %px2 = pto.partition_view %xv, offsets = [%c8, %c0], sizes = [%c8, %c16] : !v -> !p\n\
                 %py = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c8, %c16] : !v -> !p\n\
                 %py2 = pto.partition_view %yv, offsets = [%c8, %c0], sizes = [%c8, %c16] : !v -> !p\n\
                 %a = pto.alloc_tile : !t\n%b = pto.alloc_tile : !t\n{by}\n{passes}\n\
                 %c = pto.alloc_tile : !t\npto.tload ins(%px2 : !p) outs(%c : !t)\n\
                 pto.tadds ins(%c, %one : !t, f32) outs(%c : !t)\npto.tstore ins(%c : !t) outs(%py : !p)\n\
                 pto.tstore ins(%s : !t) outs(%py2 : !p)\nreturn\n}}\n}}\n"
            );
            let folder = Folder::new();
            let path = folder.write("source.pto", &source);
            let lowered = command(&["lower", &path]);
            assert!(lowered.status.success(), "{}", err(&lowered));
            let to = folder.write("lowered.pto", out(&lowered));
            let output = command(&["verify", &path, &to]);
            assert!(out(&output).ends_with("accepted\n"), "{name} {way}: {}{}", out(&output), out(&lowered));
        }
    }
}

/// A loop that yields a tile of its body keeps one place for it, however many buffers its other tiles could have.
#[test]
fn a_tile_that_leaves_its_round_is_not_repeated() {
    let source = r#"!t = !pto.tile_buf<vec, 8x16xf32>
!v = !pto.tensor_view<64x16xf32>
!p = !pto.partition_tensor_view<8x16xf32>
module attributes {pto.target_arch = "a5"} {
  func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %vx = pto.make_tensor_view %x, shape = [%c64, %c16], strides = [%c16, %c1] : !v
    %vy = pto.make_tensor_view %y, shape = [%c64, %c16], strides = [%c16, %c1] : !v
    %first = pto.alloc_tile : !t
    %last, %before = scf.for %i = %c0 to %c64 step %c8 iter_args(%u = %first, %w = %first) -> (!t, !t) {
      %px = pto.partition_view %vx, offsets = [%i, %c0], sizes = [%c8, %c16] : !v -> !p
      %s = pto.alloc_tile : !t
      pto.tload ins(%px : !p) outs(%s : !t)
      %t = pto.alloc_tile : !t
      pto.tadds ins(%s, %one : !t, f32) outs(%t : !t)
      scf.yield %t, %u : !t, !t
    }
    %py = pto.partition_view %vy, offsets = [%c0, %c0], sizes = [%c8, %c16] : !v -> !p
    pto.tstore ins(%before : !t) outs(%py : !p)
    return
  }
}
"#;
    let folder = Folder::new();
    let path = folder.write("source.pto", source);
    let lowered = command(&["lower", &path, "--place", "--sync", "flags", "--multi-buffer", "2"]);
    let to = folder.write("lowered.pto", out(&lowered));
    let output = command(&["verify", &path, &to]);
    assert!(out(&output).ends_with("accepted\n"), "{}{}", out(&output), out(&lowered));
}

#[test]
fn a_missing_flag_is_found_with_the_smallest_launch() {
    let (folder, source, _, text) = pair();
    let is_flag = |line: &&str| line.contains("PIPE_MTE2>, <PIPE_V>");
    assert_eq!(text.lines().filter(is_flag).count(), 2);
    let broken: String = text.lines().filter(|line| !is_flag(line)).map(|line| format!("{line}\n")).collect();
    let broken = folder.write("broken.pto", &broken);
    let report = report(&source, &broken);
    assert_eq!(report["accepted"], false);
    assert_eq!(report["diagnostics"][0]["rule"], "race::read-after-write");
    assert_eq!(verdict(&report, "silent")["verdict"], "fails");
    // Lazily, the load has not run when the sum reads its tile.
    let bits = verdict(&report, "bits");
    assert_eq!(bits["verdict"], "fails", "{report}");
    assert!(bits["launch"].as_str().is_some_and(|launch| launch.starts_with("n = 1, 1 block")), "{bits}");
    assert!(bits["difference"]["argument"] == "y" && bits["difference"]["element"] == 0, "{bits}");
}

#[test]
fn a_flag_that_only_later_rounds_need_is_found() {
    let (folder, source, _, text) = pair();
    let is_flag = |line: &&str| line.contains("PIPE_V>, <PIPE_MTE2>");
    let broken: String = text.lines().filter(|line| !is_flag(line)).map(|line| format!("{line}\n")).collect();
    let broken = folder.write("broken.pto", &broken);
    let report = report(&source, &broken);
    let silent = verdict(&report, "silent");
    assert_eq!(silent["verdict"], "fails");
    // With a single iteration, the results are right. Two iterations need more than 64 columns.
    let launch = silent["launch"].as_str().expect("a launch");
    let columns: u32 = launch.split(" = ").nth(1).and_then(|n| n.split(',').next()?.parse().ok()).expect("n");
    assert!(columns > 64 && columns <= 128, "{launch}");
}

#[test]
fn other_values_are_found_though_nothing_races() {
    let (folder, source, _, text) = pair();
    let other = folder.write("other.pto", text.replace("1.0 : f32", "2.0 : f32"));
    let report = report(&source, &other);
    assert_eq!(verdict(&report, "silent")["verdict"], "holds");
    let bits = verdict(&report, "bits");
    assert_eq!(
        (&bits["verdict"], &report["diagnostics"][0]["rule"]),
        (&"fails".into(), &"verify::bits".into())
    );
    let sarif = command(&["verify", &source, &other, "--format", "sarif"]);
    assert!(out(&sarif).contains("verify::bits") && sarif.status.code() == Some(1));
}

#[test]
fn another_plan_of_memory_that_overwrites_is_found() {
    let (folder, source, _, text) = pair();
    let overlapping = text.replace("arith.constant 256 : i64", "arith.constant 128 : i64");
    assert_ne!(overlapping, text);
    let overlapping = folder.write("overlapping.pto", &overlapping);
    assert_eq!(command(&["verify", &source, &overlapping]).status.code(), Some(1));
}

#[test]
fn other_arguments_are_no_lowered_form() {
    let (folder, source, _, text) = pair();
    let other = folder.write("other.pto", text.replace("%n: index)", "%n: index, %m: index)"));
    let report = report(&source, &other);
    assert_eq!(report["diagnostics"][0]["rule"], "verify::signature");
}

#[test]
fn a_command_lowers() {
    let (_folder, source, _, _) = pair();
    let by = format!("{} lower {{in}} -o {{out}}", env!("CARGO_BIN_EXE_pto"));
    let output = command(&["verify", &source, "--by", &by]);
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    // A command that changes nothing leaves a program without addresses and synchronization: legal, but not lowered.
    assert_eq!(command(&["verify", &source, "--by", "cp {in} {out}"]).status.code(), Some(3));
    for (by, message) in [
        ("false {in}", "`false` failed"),
        ("pto-that-is-not-there {in}", "cannot be started"),
        ("true", "does not name {in}"),
        ("true '{in}", "a quote is not closed"),
        ("true {in} {out}", "cannot read the file"),
    ] {
        let output = command(&["verify", &source, "--by", by]);
        assert!(!output.status.success() && err(&output).contains(message), "{by}: {}", err(&output));
    }
}

/// Two tools on a folder of two programs: one that is right, one that loses a flag.
#[test]
fn a_table_compares_what_tools_make_of_a_folder() {
    let folder = Folder::new();
    let (first, _) = (folder.write("kernels/a.pto", SOURCE), folder.write("kernels/in/b.pto", SOURCE));
    folder.write("kernels/illegal.pto", "func.func @f() { pto.no_such_thing return }");
    let pto = env!("CARGO_BIN_EXE_pto");
    let tool = folder.write("tool.sh", format!("{pto} lower $1 | grep -v 'PIPE_MTE2>, <PIPE_V>' > $2\n"));
    let right = format!("{pto} lower {{in}} -o {{out}}");
    let wrong = format!("sh {tool} {{in}} {{out}}");
    let kernels = folder.path("kernels");
    let run = |by: &[&str], format: &str| {
        let by = by.iter().flat_map(|by| ["--by", by]);
        let words: Vec<&str> =
            ["verify", "--all", &kernels, "--format", format].into_iter().chain(by).collect();
        command(&words)
    };
    let output = run(&[&right, &right], "text");
    assert_eq!((output.status.code(), err(&output).as_str()), (Some(0), ""), "{}", out(&output));
    let text = out(&output);
    assert!(
        text.contains("a.pto     accepted") && text.contains("in/b.pto") && text.contains(" us  1.00x"),
        "{text}"
    );
    assert!(text.ends_with("2: 2 accepted, 0 rejected, 0 unknown, 0 failed\n"), "{text}");
    let output = run(&[&right, &wrong], "json");
    assert_eq!(output.status.code(), Some(1));
    let report: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["programs"].as_array().map(Vec::len), Some(2));
    let results = &report["programs"][0]["results"];
    assert_eq!((&results[0]["verdict"], &results[1]["verdict"]), (&"accepted".into(), &"rejected".into()));
    assert!(results[0]["microseconds"].as_f64().is_some_and(|time| time > 0.0), "{report}");
    assert!(
        results[1]["message"].as_str().is_some_and(|it| it.starts_with("race::read-after-write")),
        "{report}"
    );
    let output = run(&[&right, "false {in}"], "junit");
    let text = out(&output);
    assert!(
        output.status.code() == Some(1) && text.contains("tests=\"4\"") && text.contains("`false` failed"),
        "{text}"
    );
    // Several tools are for a folder, and a folder needs one.
    for words in [vec!["verify", &first, "--by", &right, "--by", &right], vec!["verify", "--all", &kernels]] {
        assert_eq!(command(&words).status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn a_source_that_is_lowered_wrongly_is_shrunk() {
    let (folder, source, _, _) = pair();
    let small = folder.path("small.pto");
    // A tool that forgets the flags between loads and computations.
    let tool = folder.write(
        "tool.sh",
        format!("{} lower $1 | grep -v 'PIPE_MTE2>, <PIPE_V>' > $2\n", env!("CARGO_BIN_EXE_pto")),
    );
    let by = format!("sh {tool} {{in}} {{out}}");
    let output = command(&["verify", &source, "--by", &by, "--shrink", &small]);
    assert_eq!(output.status.code(), Some(1), "{}{}", out(&output), err(&output));
    assert!(
        out(&output).ends_with("rejected\n") && err(&output).contains("fails `silent`"),
        "{}",
        err(&output)
    );
    let text = std::fs::read_to_string(&small).expect("the smallest source");
    assert!(text.lines().count() < 16 && text.contains("pto.tload"), "{text}");
    // The smallest source fails in the same way.
    let again = command(&["verify", &small, "--by", &by, "--json"]);
    let report: Json = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!(report["diagnostics"][0]["rule"], "race::read-after-write", "{text}");
    // Nothing to shrink, and nothing to shrink with.
    let right = format!("{} lower {{in}} -o {{out}}", env!("CARGO_BIN_EXE_pto"));
    let none = folder.path("none.pto");
    let output = command(&["verify", &source, "--by", &right, "--shrink", &none]);
    assert!(output.status.success() && err(&output).contains("nothing is shrunk"), "{}", err(&output));
    assert!(!Path::new(&none).exists());
    let output = command(&["verify", &source, &source, "--shrink", &none]);
    assert!(output.status.code() == Some(2) && err(&output).contains("--shrink"), "{}", err(&output));
}

#[test]
fn a_command_that_hangs_is_ended() {
    let (_folder, source, _, _) = pair();
    let output = command(&["verify", &source, "--by", "sh -c 'sleep 60; cat {in}'", "--timeout", "0.2"]);
    assert!(!output.status.success() && err(&output).contains("takes longer than 0.2 s"), "{}", err(&output));
}

#[test]
fn a_source_that_does_not_run_leaves_the_question_open() {
    let folder = Folder::new();
    let text = SOURCE.replace(
        "%one = arith.constant 1.0 : f32",
        "%one = arith.constant 1.0 : f32\n    %z = arith.divsi %n, %c0 : index",
    );
    let source = folder.write("source.pto", &text);
    let report = report(&source, &source);
    assert_eq!(report["diagnostics"][0]["rule"], "verify::unknown");
    assert_eq!(report["accepted"], false);
}
