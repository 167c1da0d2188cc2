//! `pto diff` and `pto diff-log` on programs with a change each.

use crate::support::compared::{PROGRAM, folder};
use crate::support::folder::Folder;
use std::fs;
use std::path::PathBuf;

const LOAD_X: &str = "      pto.tload ins(%xp : !p) outs(%a : !t)\n";
const LOAD_Y: &str = "      pto.tload ins(%yp : !p) outs(%b : !t)\n";
const ADD: &str = "      pto.tadd ins(%a, %b : !t, !t) outs(%sum : !t)\n";
const SCALE: &str = "      pto.tmuls ins(%sum, %two : !t, f32) outs(%out : !t)\n";
const SET: &str = "      pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\n";

/// Entries of one block: ten in each of two rounds.
const ENTRIES: usize = 20;

/// Comparisons of `a.pto` and `b.pto`.
impl Folder {
    /// Writes `b.pto`: the program with a part replaced.
    fn changed(from: &str, to: &str) -> Folder {
        assert!(PROGRAM.contains(from), "{from}");
        let folder = folder();
        folder.write("b.pto", PROGRAM.replace(from, to));
        folder
    }

    /// Compares `a.pto` and `b.pto` on random inputs.
    fn diff(&self, flags: &str) -> (Option<i32>, String) {
        let (status, text, errors) = self.pto(&format!("diff a.pto b.pto -i x=randn -i y=randn {flags}"));
        assert_eq!(errors, "", "{text}");
        (status, text)
    }

    /// Compares the logs of both programs.
    fn diff_log(&self, flags: &str) -> (Option<i32>, String) {
        for name in ["a", "b"] {
            let run = format!("run {name}.pto -q -i x=randn -i y=randn --log {name}.log {flags}");
            assert_eq!(self.pto(&run).0, Some(0));
        }
        let (status, text, errors) = self.pto("diff-log a.log b.log");
        assert_eq!(errors, "", "{text}");
        (status, text)
    }

    fn same(&self, blocks: usize) {
        let flags = format!("--blocks {blocks}");
        let (status, text) = self.diff(&flags);
        let entries = ENTRIES * blocks;
        let line = format!("no value differs: {entries} entries are aligned, all of both programs\n");
        assert!(text.starts_with(&line), "{text}");
        assert!(text.contains("z: all 256 values agree"), "{text}");
        assert_eq!(status, Some(0));
        assert_eq!(self.diff_log(&flags), (Some(0), format!("the same {entries} entries\n")));
    }
}

/// The line of a part of the program.
fn line_of(part: &str) -> usize {
    PROGRAM[..PROGRAM.find(part).expect("a part")].lines().count() + 1
}

#[test]
fn a_log_has_tiles_addresses_flags_and_waits() {
    let folder = folder();
    assert_eq!(folder.pto("run a.pto -q -i x=ones -i y=ones --log a.log").0, Some(0));
    let log = fs::read_to_string(folder.0.join("a.log")).expect("a log");
    let lines: Vec<_> = log.lines().collect();
    let (load, set, add) = (line_of(LOAD_Y), line_of(SET), line_of(ADD));
    assert_eq!(lines[0], "# pto log 2");
    assert!(lines[2].starts_with(&format!(
        "1 rank 0 block 0 core 0 MTE2 tload at {load}:7 | reads %yp gm:y[0x0..0x100] | writes %b ub[0x100..0x200] 256 bytes "
    )));
    assert_eq!(lines[3], format!("2 rank 0 block 0 core 0 MTE2 set_flag at {set}:7 | set MTE2 V event 0"));
    assert!(lines[4].ends_with("| wait MTE2 V event 0"));
    let reads =
        "| reads %a ub[0x0..0x100] | reads %b ub[0x100..0x200] | writes %sum ub[0x200..0x300] 256 bytes ";
    assert!(
        lines[5].starts_with(&format!("4 rank 0 block 0 core 0 V tadd at {add}:7 {reads}")),
        "{}",
        lines[5]
    );
    assert!(lines[10].ends_with(" | barrier ALL"), "{}", lines[10]);
    assert_eq!(lines.last(), Some(&"# end 20"));
}

#[test]
fn a_comment_is_no_difference() {
    Folder::changed(ADD, &format!("      // a comment\n\n{ADD}")).same(1);
}

#[test]
fn swapped_independent_loads_are_no_difference() {
    let folder = Folder::changed(&format!("{LOAD_X}{LOAD_Y}"), &format!("{LOAD_Y}{LOAD_X}"));
    folder.same(1);
    folder.same(2);
}

/// Pipes that run independently change the order of entries, in both programs alike.
#[test]
fn schedules_are_those_of_a_run() {
    let folder = Folder::changed(&format!("{LOAD_X}{LOAD_Y}"), &format!("{LOAD_Y}{LOAD_X}"));
    for schedule in ["lazy", "eager", "random --schedule-seed 3", "adversarial"] {
        let (status, text) = folder.diff(&format!("--blocks 2 --schedule {schedule}"));
        assert!(
            text.starts_with("no value differs: 40 entries are aligned, all of both"),
            "{schedule}: {text}"
        );
        assert_eq!(status, Some(0));
    }
}

/// Names of tiles do not matter as long as the addresses are the same, nor do addresses if the names are.
#[test]
fn renamed_and_moved_tiles_are_no_difference() {
    let folder = folder();
    folder.write("b.pto", PROGRAM.replace("%sum", "%total"));
    folder.same(1);
    folder.write("b.pto", PROGRAM.replace("%as = arith.constant 512", "%as = arith.constant 4096"));
    let (status, text) = folder.diff("");
    assert!(text.contains("\n4 aligned entries are at other addresses\n"), "{text}");
    assert_eq!(status, Some(0));
    let (status, text) = folder.diff_log("");
    assert_eq!(text, "the same 20 entries\n4 of the aligned entries are at other addresses\n");
    assert_eq!(status, Some(0));
}

#[test]
fn a_missing_flag_is_named() {
    let folder = Folder::changed(SET, "");
    let (status, text) = folder.diff("--blocks 2 --schedule program");
    // Nothing sets the flag that a wait waits for, but in program order the run goes on.
    assert!(
        text.starts_with(
            "no value differs: 36 entries are aligned, of 40 and 36\n4 only in a.pto:\n4 times, first\n"
        ),
        "{text}"
    );
    let line = line_of(SET);
    let named = format!("- a.pto:{line}:7 `set_flag` on MTE2: set MTE2 V event 0, block 0, core 0\n");
    assert!(text.contains(&named), "{text}");
    assert_eq!(status, Some(1));
    let (status, text) = folder.diff_log("");
    assert!(
        text.contains("2 only in a.log:\n2 times, first\n- 2 rank 0 block 0 core 0 MTE2 set_flag at "),
        "{text}"
    );
    assert_eq!(status, Some(1));
}

#[test]
fn added_synchronization_is_named() {
    let folder = Folder::changed(SCALE, &format!("      pto.barrier <PIPE_V>\n{SCALE}"));
    let (status, text) = folder.diff("");
    let line = line_of(SCALE);
    assert!(text.contains("2 only in b.pto:\n2 times, first\n"), "{text}");
    assert!(
        text.contains(&format!("+ b.pto:{line}:7 `barrier` on V: barrier V, block 0, core 0\n")),
        "{text}"
    );
    assert_eq!(status, Some(1));
}

/// A load that has moved past the flag that makes it visible.
#[test]
fn a_dependent_swap_is_named() {
    let folder = Folder::changed(&format!("{LOAD_Y}{SET}"), &format!("{SET}{LOAD_Y}"));
    let (status, text) = folder.diff("");
    assert!(text.contains("2 on the other side of an entry that depends on them:\n"), "{text}");
    assert_eq!(status, Some(1));
}

#[test]
fn a_changed_constant_names_instruction_tile_element_and_values() {
    let folder = Folder::changed("2.0 : f32", "3.0 : f32");
    let (status, text, _) = folder.pto("diff a.pto b.pto -i x=arange -i y=ones --blocks 2");
    let line = line_of(SCALE);
    let wanted = format!(
        "first difference: `tmuls` writes %out; element [0, 0] is 2.0 in a.pto, 3.0 in b.pto, 4194304 ulp apart\n  \
         a.pto:{line}:7, block 0, core 0, execution 1\n  b.pto:{line}:7, block 0, core 0, execution 1\n  \
         64 of 64 values of %out differ there (f32, tolerance: exact)\n\
         z: 256 of 256 values differ (32x8 of f32, tolerance: exact)\n  \
         first at [0, 0]: 2.0 in a.pto, 3.0 in b.pto\n"
    );
    assert!(text.starts_with(&wanted), "{text}");
    assert_eq!(status, Some(1));
    let (status, text) = folder.diff_log("");
    assert!(
        text.starts_with(
            "4 of 20 aligned entries wrote other values, first\n- 5 rank 0 block 0 core 0 V tmuls"
        ),
        "{text}"
    );
    assert_eq!(status, Some(1));
}

/// The second block's second round differs first.
#[test]
fn the_execution_in_a_loop_is_named() {
    let folder = folder();
    let first = ["%last = arith.cmpi eq, %row, %c24 : index", "%s = arith.select %last, %three, %two : f32"];
    let scale = SCALE.replace("%two", "%s");
    let program = PROGRAM
        .replace(
            "    %two =",
            "    %three = arith.constant 3.0 : f32\n    %c24 = arith.constant 24 : index\n    %two =",
        )
        .replace(SCALE, &format!("      {}\n      {}\n{scale}", first[0], first[1]));
    folder.write("b.pto", program);
    let (status, text, _) = folder.pto("diff a.pto b.pto -i x=arange -i y=zeros --blocks 2");
    let line = line_of(SCALE);
    assert!(
        text.starts_with(
            "first difference: `tmuls` writes %out; element [0, 0] is 384.0 in a.pto, 576.0 in b.pto"
        ),
        "{text}"
    );
    assert!(text.contains(&format!("  a.pto:{line}:7, block 1, core 0, execution 2\n")), "{text}");
    assert!(text.contains(&format!("  b.pto:{}:7, block 1, core 0, execution 2\n", line + 4)), "{text}");
    assert!(text.contains("z: 64 of 256 values differ"), "{text}");
    assert_eq!(status, Some(1));
}

#[test]
fn a_tolerance_hides_small_differences() {
    let folder = Folder::changed("2.0 : f32", "2.000001 : f32");
    assert_eq!(folder.diff("").0, Some(1));
    assert_eq!(folder.diff("--rtol 1e-8").0, Some(1));
    for flags in ["--rtol 1e-6", "--atol 1e-4", "--ulp 16"] {
        let (status, text) = folder.diff(flags);
        assert!(
            text.starts_with("no value differs by more than the tolerance: 20 entries are aligned"),
            "{text}"
        );
        assert_eq!(status, Some(0), "{text}");
    }
}

/// With a tolerance, a small difference is passed over and a later large one is named.
#[test]
fn the_first_difference_beyond_the_tolerance_is_named() {
    let folder = folder();
    let program = PROGRAM.replace("2.0 : f32", "2.000001 : f32").replace(
        "      pto.tstore ins(%out",
        "      pto.tadds ins(%out, %two : !t, f32) outs(%out : !t)\n      pto.tstore ins(%out",
    );
    let base = program.replace("tadds ins(%out, %two", "tsubs ins(%out, %two");
    folder.write("a.pto", base.replace("2.000001", "2.0"));
    folder.write("b.pto", program);
    let (status, text) = folder.diff("--rtol 1e-4");
    assert!(
        text.starts_with("first difference: `tsubs` and `tadds` write %out; element [0, 0] is "),
        "{text}"
    );
    assert!(text.contains("2 other operations with the same destinations:"), "{text}");
    assert_eq!(status, Some(1));
    let (_, text) = folder.diff("");
    assert!(text.starts_with("first difference: `tmuls` writes %out; "), "{text}");
}

#[test]
fn json_has_the_same_facts() {
    let folder = Folder::changed("2.0 : f32", "3.0 : f32");
    let (status, text, _) = folder.pto("diff a.pto b.pto -i x=arange -i y=ones --json");
    assert_eq!(status, Some(1));
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let first = &report["first"];
    assert_eq!((first["row"].as_u64(), first["column"].as_u64()), (Some(0), Some(0)));
    assert_eq!((first["a"]["value"].as_f64(), first["b"]["value"].as_f64()), (Some(2.0), Some(3.0)));
    assert_eq!(first["a"]["destination"], "out");
    assert_eq!(first["a"]["line"], line_of(SCALE));
    assert_eq!(report["differs"], true);
    assert_eq!(report["only_a"]["count"], 0);
    assert_eq!(report["outputs"][0]["differing"], 128);
    folder.diff_log("");
    let (_, text, _) = folder.pto("diff-log a.log b.log --json");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&report["aligned"], &report["values_differ"]), (&20.into(), &4.into()));
    assert!(report["first"]["b"].as_str().is_some_and(|line| line.contains("tmuls")));
}

#[test]
fn unequal_signatures_and_wrong_programs_are_errors() {
    let folder = Folder::changed("%z: !pto.ptr<f32>", "%z: !pto.ptr<f32>, %n: i32");
    let (status, _, errors) = folder.pto("diff a.pto b.pto");
    assert!(errors.contains("argument 3 is no such argument in a.pto, and `%n: i32` in b.pto"), "{errors}");
    assert_eq!(status, Some(2));
    folder.write("b.pto", PROGRAM.replace("pto.tadd ", "pto.tadx "));
    let (status, text, errors) = folder.pto("diff a.pto b.pto");
    assert!(errors.contains("--> b.pto:") && text.is_empty(), "{errors}");
    assert_eq!(status, Some(1));
    assert_eq!(folder.pto("diff a.pto none.pto").0, Some(2));
    assert_eq!(folder.pto("diff - -").0, Some(2));
    assert_eq!(folder.pto("diff a.pto a.pto -i w=ones").0, Some(2));
    assert_eq!(folder.pto("diff a.pto a.pto --atol -1").0, Some(2));
}

/// Streams of a cube core and two vector cores, with a queue between them.
#[test]
fn cores_and_queues_are_compared_by_core() {
    let folder = folder();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/instructions/tpop.pto");
    let text = fs::read_to_string(root).expect("the example");
    folder.write("a.pto", &text);
    folder.write("b.pto", format!("// moved down\n{text}"));
    let (status, text, errors) = folder.pto("diff a.pto b.pto -i x=arange --target a5");
    assert_eq!((status, errors.as_str()), (Some(0), ""), "{text}");
    assert_eq!(folder.pto("run a.pto -q -i x=arange --target a5 --log a.log").0, Some(0));
    let log = fs::read_to_string(folder.0.join("a.log")).expect("a log");
    for part in ["cube 0 ", "vector 1 ", "| push queue ", "| pop queue ", " tpop at ", " tpush at "] {
        assert!(log.contains(part), "{part}: {log}");
    }
}

/// The memory of both logs is bounded. Omitted entries are counted, and outputs are still compared.
#[test]
fn long_runs_are_compared_at_their_beginnings() {
    let folder = Folder::new();
    let text = |rounds: u32, last: &str| {
        format!(
            "func.func @k() attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {rounds} : index
  scf.for %i = %c0 to %n step %c1 {{
    pto.barrier <PIPE_V>
  }}
  {last}
  return
}}
"
        )
    };
    folder.write("a.pto", text((1 << 20) + 5, "pto.barrier <PIPE_MTE2>"));
    folder.write("b.pto", text((1 << 20) + 5, "pto.barrier <PIPE_MTE3>"));
    let (status, out, err) = folder.pto("diff a.pto b.pto");
    assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
    assert_eq!(
        out,
        "no value differs: 1048576 entries are aligned, of the first 1048576 and 1048576
only the first 1048576 entries of a.pto are compared, the 6 after them are not
only the first 1048576 entries of b.pto are compared, the 6 after them are not
"
    );
}
