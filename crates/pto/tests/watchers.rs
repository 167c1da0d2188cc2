//! Findings of observers on small programs in `tests/watchers`; each test is named after the property that it shows.

mod memory;

use crate::support::launch;
use pto::diag::Diagnostic;
use pto::observe::{WatchOptions, Watcher, Watchers, watch};

use launch::{found, log_text, rules, run_text, text, watch_text};
use pto::isa::Profile;
use pto::sim::{Options, Schedule, Value};

const RACE: Watchers = Watchers::of(&[Watcher::Race, Watcher::Sync]);

fn watched(text: &str, profile: Option<Profile>) -> Vec<Diagnostic> {
    watch_text(text, profile, RACE)
}

fn rules_of(name: &str) -> Vec<String> {
    rules(&watched(&text(&format!("watchers/{name}.pto")), None))
}

/// A flag set by the cube core is not a flag for which a vector core waits.
#[test]
fn flag_across_cores() {
    let rules = rules_of("flag_across_cores");
    for rule in ["race::read-after-write", "sync::left-set", "sync::never-set"] {
        assert!(rules.iter().any(|found| found == rule), "{rule}: {rules:?}");
    }
}

/// A barrier of the cube core does not order a vector core.
#[test]
fn barrier_across_cores() {
    assert_eq!(rules_of("barrier_across_cores"), ["race::read-after-write"]);
}

/// Synchronization that is inserted later is within each core: it does not order accesses of different cores.
#[test]
fn nosync_across_cores() {
    let found = found(&watched(&text("watchers/nosync_across_cores.pto"), None));
    let [(rule, note)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(rule, "race::read-after-write");
    // Memory shared by blocks and cores is described by argument, row and column.
    assert!(note.contains("both access row 0, column 0 of `%z`"), "{note}");
}

/// An in-place read does not replace an older read: the instruction's write must also be ordered after the older
/// one.
#[test]
fn inplace_war() {
    assert_eq!(rules_of("inplace_war"), ["race::write-after-read"]);
    assert_eq!(rules_of("not_inplace_war"), ["race::write-after-read"]);
    let ordered = text("watchers/inplace_war.pto")
        .replace("outs(%b : !t)\n", "outs(%b : !t)\n  pto.barrier <PIPE_V>\n");
    assert_eq!(found(&watched(&ordered, None)), []);
}

/// A flag must not be set again before the wait for its previous set has ended, even if program order avoids it.
#[test]
fn set_twice_async() {
    assert_eq!(rules_of("set_twice_async"), ["sync::set-twice"]);
    // With a flag in the opposite direction, the wait happens before the next set.
    let wait = "  pto.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]\n";
    let back = wait.replace("wait_flag[<PIPE_MTE3>, <PIPE_MTE2>", "set_flag[<PIPE_MTE2>, <PIPE_MTE3>")
        + &wait.replace("<PIPE_MTE3>, <PIPE_MTE2>", "<PIPE_MTE2>, <PIPE_MTE3>");
    let known = text("watchers/set_twice_async.pto").replacen(wait, &format!("{wait}{back}"), 1);
    assert_eq!(found(&watched(&known, None)), []);
}

/// `tsync` with values orders later instructions after the instructions that define them, also under schedules
/// with independent pipes.
#[test]
fn tsync_values() {
    let text = text("watchers/tsync_values.pto");
    let without: String =
        text.lines().filter(|line| !line.contains("tsync ins(%b")).flat_map(|line| [line, "\n"]).collect();
    for profile in Profile::ALL {
        assert_eq!(found(&watched(&text, Some(profile))), []);
        assert_eq!(rules(&watched(&without, Some(profile))), ["race::read-after-write"]);
        let bytes = |schedule| {
            let options = Options::default().schedule(schedule);
            run_text(&text, Some(profile), &options).buffers.pop().map(|buffer| buffer.bytes)
        };
        let expected = bytes(Schedule::Program);
        for schedule in [Schedule::Eager, Schedule::Lazy, Schedule::Random, Schedule::Adversarial] {
            assert_eq!(bytes(schedule), expected, "{schedule:?}");
        }
    }
}

/// An unreleased token blocks the next pipe that acquires it; a pipe that acquires it twice blocks itself.
#[test]
fn token_hang() {
    assert_eq!(rules_of("token_hang"), ["sync::left-taken"]);
    let token = |steps: &[&str]| {
        let steps: String =
            steps.iter().map(|step| format!("  pto.{step}_buf[#pto.pipe_event_type<TVEC>, 0]\n")).collect();
        let head = "module attributes {pto.target_arch = \"a5\"} {\n\
                    func.func @f() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {\n";
        rules(&watched(&format!("{head}{steps}  return\n}}\n}}"), None))
    };
    assert_eq!(token(&["get", "rls", "get", "rls"]), Vec::<String>::new());
    assert_eq!(token(&["get", "get", "rls"]), ["sync::left-taken"]);
}

fn watched_for(watchers: Watchers, name: &str, profile: Profile) -> Vec<String> {
    let text = text(&format!("watchers/{name}.pto"));
    rules(&watch_text(&text, Some(profile), watchers))
}

/// A5 neither writes nor reads the workspace of a row expansion.
#[test]
fn rowexpand_tmp_a5() {
    assert_eq!(watched_for(RACE, "rowexpand_tmp_a5_race", Profile::A5), [""; 0]);
    let init = Watchers::of(&[Watcher::Init]);
    assert_eq!(watched_for(init, "rowexpand_tmp_a5_init", Profile::A5), ["init::unwritten"]);
}

/// A fill writes its bytes, both for `init` and for races.
#[test]
fn fill_writes() {
    let init = Watchers::of(&[Watcher::Init]);
    assert_eq!(watched_for(init, "fill_init", Profile::Cpu), [""; 0]);
    let found = found(&watched(&text("watchers/fill_race3.pto"), None));
    assert_eq!(found.len(), 1);
    let findings = watched(&text("watchers/fill_race3.pto"), None);
    assert!(findings[0].message.contains("2 pairs of instructions"), "{:?}", findings[0]);
}

/// A read of a buffer without contents is reported once; a buffer given as zeros counts as written.
#[test]
fn init_guess_ints() {
    let program = launch::program(&text("watchers/init_guess_ints.pto"), None);
    let run = |blank| {
        let init = Watchers::of(&[Watcher::Init]).into();
        let buffer = || Value::buffer(vec![0; 16]);
        let options = Options::default().blank(blank);
        watch(&program, vec![vec![buffer(), buffer()]], &options, &init).expect("a run").1.findings
    };
    assert!(run(vec![(0, 1)]).is_empty());
    let findings = run(vec![(0, 0), (0, 1)]);
    let messages: Vec<_> = findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, ["`load_scalar` reads `%n`, but argument `%n` was not given"]);
}

/// If an instruction sets and waits for a flag internally, the program must not have that flag set meanwhile.
#[test]
fn event_0_in_flight() {
    let errors = |text: &str, profile| rules(&watched(text, Some(profile)));
    let program = text("watchers/event_in_use.pto");
    assert_eq!(errors(&program, Profile::A2A3), ["sync::event-in-use"]);
    assert_eq!(errors(&program.replace("EVENT_ID0", "EVENT_ID1"), Profile::A2A3), [""; 0]);
    assert_eq!(errors(&program, Profile::A5), [""; 0]);
    // TEXTRACT with two windows does so if a window is not aligned to 32 bytes.
    let extract = |col: &str| {
        let offsets =
            format!("  %c0 = arith.constant 0 : index\n  %col = arith.constant {col} : index\n  %one = ");
        let boxes = "!nz = !pto.tile_buf<vec, 16x8xf32, blayout=col_major, slayout=row_major>\nmodule attr";
        let text = program.replace("  %one = ", &offsets).replace("module attr", boxes);
        let to = "%t = pto.alloc_tile addr = %a1 : !nz\n  %b = pto.alloc_tile addr = %a2 : !nz";
        let from = "%t = pto.alloc_tile addr = %a1 : !tile\n  %b = pto.alloc_tile addr = %a2 : !tile";
        let moved = "textract ins(%a, %c0, %c0, %c0, %col : !tile, index, index, index, index) outs(%t, %b : !nz, !nz)";
        let text =
            text.replace(from, to).replace("ttrans ins(%a, %t : !tile, !tile) outs(%b : !tile)", moved);
        errors(&text, Profile::A2A3)
    };
    assert_eq!((extract("4"), extract("8")), (vec!["sync::event-in-use".to_owned()], Vec::new()));
    // Shifts do so for integers, their only element types; row sums of floats do not.
    let shift = program.replace("ttrans ins(%a, %t : !tile, !tile)", "trowsum ins(%a, %t : !tile, !tile)");
    let shift =
        shift.replace("%b = pto.alloc_tile addr = %a2 : !tile", "%b = pto.alloc_tile addr = %a2 : !col");
    let sums = shift
        .replace("outs(%b : !tile)", "outs(%b : !col)")
        .replace("module attr", "!col = !pto.tile_buf<vec, 16x1xf32, blayout=col_major>\nmodule attr");
    assert_eq!(errors(&sums, Profile::A2A3), [""; 0]);
    let integers = sums.replace("xf32", "xi32").replace("1.0 : f32", "1 : i32").replace(": f32)", ": i32)");
    assert_eq!(errors(&integers, Profile::A2A3), ["sync::event-in-use"]);
}

/// A flag for other cores without a wait is still set when the next kernel starts.
#[test]
fn left_cross() {
    assert_eq!(rules_of("left_cross"), ["sync::left-set"]);
}

/// A run that stops early does not report flags whose waits come later as left set.
#[test]
fn left_stuck() {
    let program = launch::program(&text("watchers/left_stuck.pto"), None);
    let found = watch(&program, vec![Vec::new()], &Options::default(), &RACE.into());
    let rules: Vec<String> =
        found.expect_err("nobody goes on").into_iter().map(|finding| finding.rule.to_string()).collect();
    assert_eq!(rules, ["cores::deadlock"]);
}

/// A race with one reader does not hide a race with a reader on another pipe; a second read of the same pipe is
/// implied by its first.
#[test]
fn two_readers() {
    assert_eq!(rules_of("two_readers"), ["race::read-after-write"; 2]);
    let text = text("watchers/two_readers.pto");
    let store = "  pto.tstore ins(%a : !t) outs(%yv : !v)\n";
    let twice = text.replace(store, &store.repeat(2));
    let found: Vec<String> = found(&watched(&twice, None))
        .into_iter()
        .map(|(rule, _)| rule)
        .filter(|rule| rule.contains("read-after-write"))
        .collect();
    assert_eq!(found, ["race::read-after-write"; 2]);
}

/// A read that is older than a write does not replace it.
#[test]
fn old_reader() {
    assert_eq!(rules_of("old_reader"), ["race::write-after-read", "race::write-after-write"]);
}

/// The public assembler omits barriers of V on A2/A3 if the bytes that an instruction reads are exactly those that an
/// elementwise one has written; an option enables this assumption.
#[test]
fn v_chains() {
    let found = |second: &str, assume: bool| {
        let text = format!(
            "!t = !pto.tile_buf<vec, 4x64xf32>\n!h = !pto.tile_buf<vec, 2x64xf32>\n\
             func.func @f() attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{\n\
             %a0 = arith.constant 0 : i64\n%a1 = arith.constant 1024 : i64\n%a = pto.alloc_tile addr = %a0 : !t\n\
             %part = pto.alloc_tile addr = %a0 : !h\n%b = pto.alloc_tile addr = %a1 : !t\n\
             %half = pto.alloc_tile addr = %a1 : !h\n\
             pto.tadd ins(%b, %b : !t, !t) outs(%a : !t)\n{second}\npto.barrier <PIPE_ALL>\nreturn\n}}"
        );
        let watch = WatchOptions { assume_v_chains: assume, ..RACE.into() };
        rules(&watch_text(&text, Some(Profile::A2A3), watch))
    };
    let next = "pto.tmul ins(%a, %b : !t, !t) outs(%a : !t)";
    assert_eq!(found(next, false), ["race::read-after-write"]);
    assert_eq!(found(next, true), [""; 0]);
    // Reading only a part is not a chain, nor is a tile that is only written.
    let part = "pto.texp ins(%part : !h) outs(%half : !h)";
    assert_eq!(found(part, true), ["race::write-after-read", "race::read-after-write"]);
    assert_eq!(found("pto.tadd ins(%b, %b : !t, !t) outs(%a : !t)", true), ["race::write-after-write"]);
}

/// A split insertion is two or four transfers, each with its own line in the log.
#[test]
fn insert_sp() {
    let four = text("watchers/insert_sp.pto");
    let lines = |text: &str| {
        let log = log_text(text);
        log.entries().filter(|entry| entry.name == "tinsert").map(|entry| entry.bytes()).collect::<Vec<_>>()
    };
    assert_eq!(lines(&four), [512; 4]);
    assert_eq!(lines(&four.replace("split4", "split2")), [1024; 2]);
    assert_eq!(lines(&four.replace(" {tinsertMode = #pto.tinsert_mode<split4>}", "")), [2048]);
}

/// Seven columns of boxes, 512 bytes each: the last transfer takes all remaining columns.
#[test]
fn insert_sp_takes_the_rest() {
    let seven = text("watchers/insert_sp.pto")
        .replace("16x64xf16", "16x112xf16")
        .replace("%vc = arith.constant 64", "%vc = arith.constant 112")
        .replace("%xc = arith.constant 64", "%xc = arith.constant 112")
        .replace("%x1 = arith.constant 4", "%x1 = arith.constant 7")
        .replace("%xb = arith.constant 1024", "%xb = arith.constant 1792")
        .replace("1x4x1x16x16", "1x7x1x16x16");
    let lines = |text: &str| {
        let log = log_text(text);
        log.entries().filter(|entry| entry.name == "tinsert").map(|entry| entry.bytes()).collect::<Vec<_>>()
    };
    assert_eq!(lines(&seven), [512, 512, 512, 2048]);
    assert_eq!(lines(&seven.replace("split4", "split2")), [1536, 2048]);
}

/// 13.7 proposals: no flag from a pipe to itself, and no change of a wait that orders something; on A2/A3 a barrier orders V.
#[test]
fn a_wait_for_another_pipe_stays_as_it_is() {
    let text = "!t = !pto.tile_buf<vec, 8x64xf32>\n!v = !pto.tensor_view<8x64xf32>\n\
        func.func @f(%x: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {\n\
        %c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n%c64 = arith.constant 64 : index\n\
        %a0 = arith.constant 0 : i64\n%a1 = arith.constant 2048 : i64\n%a2 = arith.constant 4096 : i64\n\
        %v = pto.make_tensor_view %x, shape = [%c8, %c64], strides = [%c64, %c1] : !v\n\
        %a = pto.alloc_tile addr = %a0 : !t\n%b = pto.alloc_tile addr = %a1 : !t\n%c = pto.alloc_tile addr = %a2 : !t\n\
        pto.tload ins(%v : !v) outs(%a : !t)\npto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\n\
        pto.tload ins(%v : !v) outs(%b : !t)\npto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\n\
        pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\npto.tadd ins(%a, %a : !t, !t) outs(%c : !t)\n\
        pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\npto.tadd ins(%c, %b : !t, !t) outs(%c : !t)\nreturn\n}";
    let findings = watched(text, Some(Profile::A2A3));
    let race = findings.iter().find(|found| found.rule == "race::read-after-write").expect("a race");
    let help = race.help.join(" ");
    assert!(help.contains("barrier <PIPE_V>") && !help.contains("in this wait"), "{help}");
    let changes = race.proposals.iter().flat_map(|proposal| &proposal.edits);
    let mut waits = changes.filter(|edit| edit.replacement.contains("wait_flag"));
    assert!(waits.next().is_none(), "{:?}", race.proposals);
}

/// 13.7: a barrier directly before a signal is never superfluous, since older compilers drain only after the signal.
#[test]
fn a_barrier_before_a_signal_is_needed() {
    let found = |signal: &str| {
        let text = format!(
            "!t = !pto.tile_buf<vec, 8x16xf32>\n!v = !pto.tensor_view<8x16xf32>\n!s = !pto.tensor_view<1xi32>\n\
             func.func @f(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %signal: !pto.ptr<i32>) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{\n\
             %c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n%c16 = arith.constant 16 : index\n\
             %a0 = arith.constant 0 : i64\n%one = arith.constant 1 : i32\n\
             %xv = pto.make_tensor_view %x, shape = [%c8, %c16], strides = [%c16, %c1] : !v\n\
             %yv = pto.make_tensor_view %y, shape = [%c8, %c16], strides = [%c16, %c1] : !v\n\
             %sv = pto.make_tensor_view %signal, shape = [%c1], strides = [%c1] : !s\n%a = pto.alloc_tile addr = %a0 : !t\n\
             pto.tload ins(%xv : !v) outs(%a : !t)\npto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]\n\
             pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]\npto.tstore ins(%a : !t) outs(%yv : !v)\n\
             pto.barrier <PIPE_ALL>\n{signal}return\n}}"
        );
        watched(&text, Some(Profile::A2A3))
    };
    let superfluous = |findings: &[Diagnostic]| {
        let rules = ["sync::unneeded", "sync::redundant", "sync::wide"];
        findings.iter().any(|found| rules.iter().any(|rule| found.rule == *rule))
    };
    assert!(superfluous(&found("pto.barrier <PIPE_ALL>\n")));
    let signal = "pto.comm.tnotify(%sv, %one : !s, i32) {notifyOp = #pto<notify_op set>}\n";
    assert!(!superfluous(&found(signal)), "{:?}", found(signal));
}
