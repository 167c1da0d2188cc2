//! Launches as other code sees them: stopped from outside, with contents of tiles, with poisoned memory, with elements in
//! findings.

use crate::support::launch::{floats, program};
use pto::data::Array;
use pto::isa::Element;
use pto::log::Recorder;
use pto::observe::{Dump, Snapshots, Watcher, Watchers, watch};
use pto::sequence::{Given, Launch, Part, Session};
use pto::sim::{Control, Observer, Options, Outcome, Schedule, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Each block loops `%n` times.
const LONG: &str = "func.func @long(%out: !pto.ptr<i32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i7 = arith.constant 7 : i32
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.addi %i7, %i7 : i32
  }
  return
}";

/// Doubles the first `%rows` rows of `%x`, two at a time, in a tile of four rows.
const DOUBLE: &str = "func.func @double(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %xs = pto.make_tensor_view %x, shape = [%rows, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x8xf32>
  %ys = pto.make_tensor_view %y, shape = [%rows, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x8xf32>
  scf.for %row = %c0 to %rows step %c2 {
    %from = pto.partition_view %xs, offsets = [%row, %c0], sizes = [%c2, %c8] : !pto.tensor_view<?x8xf32> -> !pto.partition_tensor_view<2x8xf32>
    %to = pto.partition_view %ys, offsets = [%row, %c0], sizes = [%c2, %c8] : !pto.tensor_view<?x8xf32> -> !pto.partition_tensor_view<2x8xf32>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32, valid=2x8>
    pto.tload ins(%from : !pto.partition_tensor_view<2x8xf32>) outs(%a : !pto.tile_buf<vec, 4x8xf32, valid=2x8>)
    pto.tadd ins(%a, %a : !pto.tile_buf<vec, 4x8xf32, valid=2x8>, !pto.tile_buf<vec, 4x8xf32, valid=2x8>) outs(%a : !pto.tile_buf<vec, 4x8xf32, valid=2x8>)
    pto.tstore ins(%a : !pto.tile_buf<vec, 4x8xf32, valid=2x8>) outs(%to : !pto.partition_tensor_view<2x8xf32>)
  }
  return
}";

fn double(rows: u64, options: &Options) -> Result<Outcome, Vec<pto::diag::Diagnostic>> {
    double_observed(rows, options, &mut [])
}

fn double_observed(
    rows: u64,
    options: &Options,
    observers: &mut [&mut dyn Observer],
) -> Result<Outcome, Vec<pto::diag::Diagnostic>> {
    let x = (0..32).flat_map(|number| (number as f32).to_le_bytes()).collect();
    let values = vec![Value::buffer(x), Value::buffer(vec![0; 128]), Value::Scalar(rows)];
    program(DOUBLE, None).launch(values, options, observers)
}

#[test]
fn a_launch_is_stopped_by_another_thread_or_by_its_question() {
    let program = program(LONG, None);
    let launch = |control: Arc<Control>, blocks: u32, threads: usize| {
        let values = vec![Value::buffer(vec![0; 32]), Value::Scalar(1 << 40)];
        let options = Options::default().blocks(blocks).threads(threads).control(Some(control));
        program.launch(values, &options, &mut []).expect_err("an endless loop")[0].rule.to_string()
    };
    for (blocks, threads) in [(1, 1), (4, 4)] {
        let control = Arc::new(Control::default());
        let stopper = Arc::clone(&control);
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            stopper.stop();
        });
        assert_eq!(launch(control, blocks, threads), "stopped");
        other.join().expect("a thread that stops a launch");
        let asked = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&asked);
        let caller = std::thread::current().id();
        let question = move || {
            assert_eq!(std::thread::current().id(), caller);
            count.fetch_add(1, Ordering::Relaxed) == 2
        };
        assert_eq!(launch(Arc::new(Control::asking(question)), blocks, threads), "stopped");
        assert_eq!(asked.load(Ordering::Relaxed), 3);
    }
}

#[test]
fn a_control_changes_no_result() {
    let control = Arc::new(Control::asking(|| false));
    let outcome = double(4, &Options::default().control(Some(Arc::clone(&control)))).expect("a run");
    let without = double(4, &Options::default()).expect("a run");
    assert_eq!(outcome.buffers[1].bytes, without.buffers[1].bytes);
    assert_eq!(control.ended_blocks(), 1);
}

#[test]
fn tiles_are_kept_after_an_operation() {
    let start = DOUBLE.find("pto.tadd").expect("an addition") as u32;
    let request = Dump { tile: "a".into(), from: start, to: start + 1 };
    for schedule in [Schedule::Program, Schedule::Lazy] {
        let mut snapshots = Snapshots::new(std::slice::from_ref(&request));
        let options = Options::default().schedule(schedule);
        double_observed(4, &options, &mut [&mut snapshots]).expect("a run");
        let kept = snapshots.into_snapshots();
        let [first, second] = &kept[..] else { panic!("{kept:?}") };
        assert_eq!((first.shape, second.shape), ([2, 8], [2, 8]));
        let wanted: Vec<f32> = (16..32).map(|number| 2.0 * number as f32).collect();
        assert_eq!(floats(&second.bytes), wanted);
        assert_eq!((first.request, first.rank, first.block, first.ty.as_str()), (0, 0, 0, "4x8xf32 vec"));
    }
}

#[test]
fn unwritten_memory_is_poisoned_on_request() {
    let load = DOUBLE.find("    pto.tload").expect("a load");
    let text = format!("{}    //{}", &DOUBLE[..load], &DOUBLE[load + 4..]);
    let run = |options: Options| {
        let values = vec![Value::buffer(vec![0; 128]), Value::buffer(vec![0; 128]), Value::Scalar(2)];
        let outcome =
            program(&text, None).launch(values, &options.blank(vec![(0, 1)]), &mut []).expect("a run");
        floats(&outcome.buffers[1].bytes)
    };
    assert_eq!(run(Options::default()), [0.0; 32]);
    let poisoned = run(Options::default().poison(true));
    assert!(poisoned.iter().all(|value| value.is_nan()), "tile and buffer: {poisoned:?}");
}

#[test]
fn findings_name_the_element() {
    let outside = &double(6, &Options::default()).expect_err("six rows of four")[0];
    assert_eq!(
        (outside.rule.to_string().as_str(), &outside.element),
        ("tload::out-of-bounds", &Some(vec![4, 0]))
    );
    let half = DOUBLE.replace(
        "%to = pto.partition_view %ys, offsets = [%row, %c0], sizes = [%c2",
        "%to = pto.partition_view %ys, offsets = [%c1, %c0], sizes = [%c2",
    );
    let values = |rows: usize| {
        vec![Value::buffer(vec![0; 32 * rows]), Value::buffer(vec![0; 64]), Value::Scalar(rows as u64)]
    };
    let beyond = &program(&half, None)
        .launch(values(2), &Options::default(), &mut [])
        .expect_err("rows 1 and 2 of two")[0];
    assert_eq!(beyond.element, Some(vec![2, 0]), "{beyond:?}");
    let load = DOUBLE.find("    pto.tload").expect("a load");
    let text = format!("{}    //{}", &DOUBLE[..load], &DOUBLE[load + 4..]);
    let init = Watchers::of(&[Watcher::Init]).into();
    let watched = watch(&program(&text, None), vec![values(2)], &Options::default(), &init);
    let (_, watched) = watched.expect("a run");
    let unwritten =
        watched.findings.iter().find(|finding| finding.rule == "init::unwritten").expect("a finding");
    assert_eq!(unwritten.element, Some(vec![0, 0]));
}

#[test]
fn launches_of_a_session_are_compared_in_memory_of_the_caller() {
    let text = "func.func @one(%x: !pto.ptr<i32>) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      pto.store_scalar %one, %x[%c0] : !pto.ptr<i32>, i32
      return
    }";
    let program = program(text, None);
    let watched = Watchers::of(&[Watcher::Race, Watcher::Init]).into();
    let mut session = Session::new(Options::default(), watched);
    let x = session.make_in("x", Array::zeros(Element::I32, vec![2, 2]).expect("an array"));
    session.begin_group();
    for first in [1, 1, 2] {
        let given = vec![Given::Part(Part { buffer: x, first, end: 4 })];
        session
            .launch(&Launch { name: "one".into(), program: &program, kernel: 0, blocks: 1, given })
            .expect("a launch");
        session.next_branch();
    }
    session.end_group();
    assert_eq!(session.array(x).full(), "[[0 1]\n [1 0]]");
    let conflicts = session.conflicts();
    assert_eq!(conflicts.len(), 1, "{conflicts:?}");
    let conflict = &conflicts[0].diagnostic;
    assert!(conflict.rule == "sequence::conflict" && conflict.element == Some(vec![0, 1]), "{conflict:?}");
    let unread = session.unread(&[]);
    assert!(unread.len() == 1 && unread[0].diagnostic.rule == "sequence::unread", "{unread:?}");
    assert!(session.unread(&[x]).is_empty());
}

/// A recorder keeps the log, its beginning, or nothing: then each entry is passed on as it would be kept.
#[test]
fn entries_of_a_log_are_kept_or_passed_on() {
    let log = |recorder: &mut Recorder<'_>| {
        double_observed(4, &Options::default(), &mut [recorder]).expect("a run");
    };
    let mut whole = Recorder::of_log();
    log(&mut whole);
    let lines: Vec<String> = whole.into_log().entries().map(|entry| entry.to_string()).collect();
    assert_eq!(lines.len(), 6, "{lines:#?}");
    let mut passed = Vec::new();
    log(&mut Recorder::passing_on(|entry| passed.push(entry.to_string())));
    assert_eq!(passed, lines);
    let mut first = Recorder::of_first(4);
    log(&mut first);
    let first = first.into_log();
    assert_eq!((first.len(), first.left_out()), (4, 2));
    assert!(first.entries().map(|entry| entry.to_string()).eq(lines[..4].iter().cloned()));
}

/// The error of a run that takes too long names its position and its progress, with any number of threads.
#[test]
fn a_launch_ends_with_its_time() {
    let program = program(LONG, None);
    for (blocks, threads) in [(1, 1), (4, 2)] {
        let values = vec![Value::buffer(vec![0; 32]), Value::Scalar(1 << 40)];
        let options = Options::default().blocks(blocks).threads(threads).max_seconds(Some(0.05));
        let found = program.launch(values, &options, &mut []).expect_err("it takes too long");
        assert_eq!(found[0].rule.to_string(), "max-seconds");
        assert!(found[0].message.starts_with("no end after 0.05 s: 0 tile instructions and "), "{found:#?}");
        let span = found[0].primary.as_ref().expect("a place").span;
        let line = LONG[..span.start as usize].lines().count();
        assert!((5..8).contains(&line), "line {line}: {found:#?}");
        assert!(found[0].notes.iter().any(|note| note.contains("in block")), "{found:#?}");
    }
    let values = vec![Value::buffer(vec![0; 32]), Value::Scalar(9)];
    program
        .launch(values, &Options::default().max_seconds(Some(1e300)), &mut [])
        .expect("no clock goes so far");
}

/// The simulator detects a loop whose state repeats within a second, for any length of an iteration, unless others may
/// change the memory that it reads.
#[test]
fn loops_that_repeat_their_state_are_found() {
    let rounds = |count: u64| {
        format!(
            "func.func @k(%x: !pto.ptr<i32>, %y: !pto.ptr<i32>) {{
  %yes = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {count} : index
  scf.while : () -> () {{
    scf.condition(%yes)
  }} do {{
    scf.for %i = %c0 to %n step %c1 {{
      %sum = arith.addi %i, %i : index
    }}
    scf.yield
  }}
  return
}}"
        )
    };
    for count in [0, 3, 1000, 20_000] {
        for (blocks, schedule) in [(1, Schedule::Program), (3, Schedule::Program), (1, Schedule::Lazy)] {
            let values = vec![Value::buffer(vec![0; 32]), Value::buffer(vec![0; 32])];
            let options = Options::default().blocks(blocks).schedule(schedule);
            let found = program(&rounds(count), None).launch(values, &options, &mut []).expect_err("endless");
            assert_eq!(found[0].rule.to_string(), "endless-loop", "{count} {schedule:?}");
            assert!(found[0].secondary.iter().any(|label| label.message == "in this loop"), "{found:#?}");
        }
    }
}

/// Block 0 polls a word until block 1 writes it: this loop ends, unless there is no block 1.
#[test]
fn a_loop_that_waits_for_another_block_ends_if_that_block_comes() {
    let text = "func.func @k(%x: !pto.ptr<i32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %block = pto.get_block_idx
  %none = arith.constant 0 : i64
  %first = arith.cmpi eq, %block, %none : i64
  scf.if %first {
    scf.while : () -> () {
      %word = pto.load_scalar %x[%c0] : !pto.ptr<i32> -> i32
      %again = arith.cmpi eq, %word, %zero : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
  } else {
    pto.store_scalar %seven, %x[%c0] : !pto.ptr<i32>, i32
  }
  return
}";
    let program = program(text, None);
    let run = |blocks, threads| {
        let options = Options::default().blocks(blocks).threads(threads);
        program.launch(vec![Value::buffer(vec![0; 32])], &options, &mut [])
    };
    for threads in [1, 2] {
        assert_eq!(run(2, threads).expect("both end").buffers[0].bytes[..4], [7, 0, 0, 0]);
        let found = run(1, threads).expect_err("nobody writes the word");
        assert_eq!(found[0].rule.to_string(), "endless-loop");
    }
}
