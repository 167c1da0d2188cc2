//! Several ranks in one launch: signals, transfers, collectives, and ranks that wait for each other.

use crate::support::launch::{self, program};
use pto::intrinsics::{A5, Comparison, Kernel, Notify, ReduceOp, Run, Tile, layout::Nd, loc};
use pto::sim::{Options, Outcome, Schedule, Value};

type Stage = Tile<loc::Vec, f32, 2, 16, Nd>;

fn words(outcome: &Outcome, buffer: usize) -> Vec<i32> {
    launch::words(&outcome.buffers[buffer].bytes)
}

/// Each rank adds its number to the value from the previous rank, and sends the sum on; rank 0 starts.
const RING: &str = "
func.func @ring(%inbox: !pto.ptr<i32>, %signal: !pto.ptr<i32>, %next_inbox: !pto.ptr<i32>,
                %next_signal: !pto.ptr<i32>, %rank: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %at = arith.index_cast %rank : i32 to index
  %own = pto.make_tensor_view %signal, shape = [%c1], strides = [%c1] : !pto.tensor_view<1xi32>
  %next = pto.make_tensor_view %next_signal, shape = [%c1], strides = [%c1] : !pto.tensor_view<1xi32>
  %later = arith.cmpi ne, %at, %c0 : index
  scf.if %later {
    pto.comm.twait(%own, %one : !pto.tensor_view<1xi32>, i32) {cmp = #pto<wait_cmp ge>}
  }
  %got = pto.load_scalar %inbox[%c0] : !pto.ptr<i32> -> i32
  %sum = arith.addi %got, %rank : i32
  pto.store_scalar %sum, %next_inbox[%c0] : !pto.ptr<i32>, i32
  pto.comm.tnotify(%next, %one : !pto.tensor_view<1xi32>, i32) {notifyOp = #pto<notify_op atomic_add>}
  return
}";

fn ring(ranks: u32, numbers: &[u64]) -> Result<Outcome, Vec<pto::diag::Diagnostic>> {
    let cell = || Value::buffer(vec![0; 4]);
    let of_rank = |rank: u32| {
        let next = (rank + 1) % ranks;
        vec![
            cell(),
            cell(),
            Value::Peer { rank: next, argument: 0, offset: 0 },
            Value::Peer { rank: next, argument: 1, offset: 0 },
            Value::Scalar(numbers[rank as usize]),
        ]
    };
    program(RING, None).launch_ranks((0..ranks).map(of_rank).collect(), &Options::default(), &mut [])
}

#[test]
fn a_rank_waits_for_the_one_before_it() {
    let outcome = ring(4, &[0, 1, 2, 3]).expect("the ring closes");
    let inboxes: Vec<i32> = (0..4).map(|rank| words(&outcome, rank * 2)[0]).collect();
    assert_eq!(inboxes, [6, 0, 1, 3]);
}

#[test]
fn ranks_that_wait_for_each_other_are_named() {
    let findings = ring(3, &[1, 2, 3]).expect_err("nobody begins");
    assert_eq!(findings[0].rule, "cores::deadlock");
    assert!(findings[0].message.starts_with("blocks wait for each other: the core of rank 0 waits"));
    let notes = findings[0].notes.join("\n");
    let line = "the core of rank 2 waits in `comm.twait` for a signal of `%own` >= 1, which is 0";
    assert!(notes.contains(line), "{notes}");
}

#[test]
fn what_belongs_to_no_rank_is_out_of_bounds() {
    let cell = || Value::buffer(vec![0; 4]);
    for peer in
        [Value::Peer { rank: 1, argument: 0, offset: 0 }, Value::Peer { rank: 0, argument: 4, offset: 0 }]
    {
        let values =
            vec![cell(), cell(), peer, Value::Peer { rank: 0, argument: 1, offset: 0 }, Value::Scalar(0)];
        let findings =
            program(RING, None).launch(values, &Options::default(), &mut []).expect_err("no such buffer");
        assert_eq!(findings[0].rule, "store_scalar::out-of-bounds");
    }
}

#[test]
fn more_ranks_than_there_are_and_other_buffers_are_refused() {
    let values = |count: usize| vec![Value::buffer(vec![0; 4]); count];
    let launch =
        |ranks| program(RING, None).launch_ranks(ranks, &Options::default(), &mut []).expect_err("refused");
    assert!(launch(vec![values(5); 65])[0].message.contains("1 to 64 ranks, not 65"));
    assert!(launch(vec![])[0].message.contains("1 to 64 ranks, not 0"));
    let mixed = vec![values(5), vec![Value::Scalar(0); 5]];
    assert!(launch(mixed)[0].message.contains("the same buffers"));
}

/// Adding the distance of two ranks to a pointer gives the same argument of the other rank.
#[test]
fn windows_are_symmetric() {
    let text = "
func.func @far(%mine: !pto.ptr<i32>, %context: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %base = pto.load_scalar %context[%c0] : !pto.ptr<i64> -> i64
  %other = pto.load_scalar %context[%c1] : !pto.ptr<i64> -> i64
  %bytes = arith.subi %other, %base : i64
  %distance = arith.index_cast %bytes : i64 to index
  %elements = arith.divsi %distance, %c4 : index
  %theirs = pto.addptr %mine, %elements : !pto.ptr<i32> -> !pto.ptr<i32>
  pto.store_scalar %seven, %theirs[%c1] : !pto.ptr<i32>, i32
  return
}";
    let context = |own: u32, other: u32| {
        let words = [pto::sim::rank_base(own), pto::sim::rank_base(other)];
        Value::buffer(words.into_iter().flat_map(u64::to_le_bytes).collect())
    };
    let mine = || Value::buffer(vec![0; 8]);
    let launch = |other| {
        let ranks = vec![vec![mine(), context(0, other)], vec![mine(), context(1, 0)]];
        program(text, None).launch_ranks(ranks, &Options::default(), &mut [])
    };
    let outcome = launch(1).expect("both are reached");
    assert_eq!((words(&outcome, 0), words(&outcome, 2)), (vec![0, 7], vec![0, 7]));
    let findings = launch(2).expect_err("there is no rank 2");
    assert_eq!(findings[0].rule, "store_scalar::out-of-bounds");
}

#[test]
fn collectives_from_rust() {
    let mut k = Kernel::<A5>::new("collect");
    let mine = k.tensor::<f32>("mine", &[4.into(), 16.into()]).expect("a tensor");
    let others = ["a", "b"].map(|name| k.tensor::<f32>(name, &[4.into(), 16.into()]).expect("a tensor"));
    let all = k.tensor::<f32>("all", &[8.into(), 16.into()]).expect("a tensor");
    let sum = k.tensor::<f32>("sum", &[4.into(), 16.into()]).expect("a tensor");
    let signal = k.tensor::<i32>("signal", &[1.into()]).expect("a tensor");
    let (stage, acc) = (k.tile::<Stage>("stage").expect("a tile"), k.tile::<Stage>("acc").expect("a tile"));
    let group = [(&others[0]).into(), (&others[1]).into()];
    k.comm_tgather(&group, &all, &[stage], 0).expect("legal");
    k.comm_treduce(&group, &sum, (acc, &[stage]), ReduceOp::Max, 1).expect("legal");
    k.comm_tput(&mine, &others[1], &[stage, acc], true).expect("legal");
    k.comm_tnotify(&signal, 3, Notify::Add).expect("legal");
    k.comm_twait(&signal, 3, Comparison::Ge).expect("legal");
    let built = k.build().expect("a kernel");
    let numbers = |rank: u32| (0..64).map(|at| (at * (1 - 2 * rank as i32)) as f32).collect::<Vec<f32>>();
    let run = |rank: u32| -> Result<Run<'_>, pto::intrinsics::Error> {
        built
            .run()
            .input(&mine, &numbers(rank))?
            .peer(&others[0], 0, &mine)?
            .peer(&others[1], 1, &mine)?
            .zeros(&all)?
            .zeros(&sum)?
            .zeros(&signal)
    };
    let runs = vec![run(0).expect("arguments"), run(1).expect("arguments")];
    let results = Run::launch_ranks(runs).expect("both ranks end");
    let first = results[0].get(&all).expect("a tensor");
    assert_eq!(first, [numbers(0), numbers(1)].concat());
    assert_eq!(results[0].get(&sum).expect("a tensor"), numbers(0));
    // Rank 0 added the numbers of rank 1 to its own, which gives zeros; then rank 1 doubles its own.
    assert_eq!(results[0].get(&mine).expect("a tensor"), vec![0.0; 64]);
    let doubled: Vec<f32> = numbers(1).iter().map(|number| number * 2.0).collect();
    assert_eq!(results[1].get(&mine).expect("a tensor"), doubled);
    assert_eq!(results[1].get(&signal).expect("a tensor"), [3]);
}

/// Tests two signals alternately until one of them is set, and returns its number; stops after `%most` iterations.
const POLL: &str = "
func.func @poll(%first: !pto.ptr<i32>, %second: !pto.ptr<i32>, %found: !pto.ptr<i32>, %step: i32, %most: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = pto.make_tensor_view %first, shape = [%c1], strides = [%c1] : !pto.tensor_view<1xi32>
  %b = pto.make_tensor_view %second, shape = [%c1], strides = [%c1] : !pto.tensor_view<1xi32>
  %last:2 = scf.while (%which = %zero, %round = %zero) : (i32, i32) -> (i32, i32) {
    %none = arith.cmpi eq, %which, %zero : i32
    %early = arith.cmpi ult, %round, %most : i32
    %again = arith.andi %none, %early : i1
    scf.condition(%again) %which, %round : i32, i32
  } do {
  ^bb0(%before: i32, %done: i32):
    %is_a = pto.comm.ttest(%a, %one : !pto.tensor_view<1xi32>, i32) {cmp = #pto<wait_cmp eq>} -> i1
    %is_b = pto.comm.ttest(%b, %one : !pto.tensor_view<1xi32>, i32) {cmp = #pto<wait_cmp eq>} -> i1
    %of_b = arith.select %is_b, %two, %zero : i32
    %now = arith.select %is_a, %one, %of_b : i32
    %next = arith.addi %done, %step : i32
    scf.yield %now, %next : i32, i32
  }
  pto.store_scalar %last#0, %found[%c0] : !pto.ptr<i32>, i32
  return
}";

fn poll(second: i32, step: u64, schedule: Schedule) -> Result<Outcome, Vec<pto::diag::Diagnostic>> {
    let cell = |word: i32| Value::buffer(word.to_le_bytes().to_vec());
    let values = vec![cell(0), cell(second), cell(7), Value::Scalar(step), Value::Scalar(1000)];
    program(POLL, None).launch(values, &Options::default().schedule(schedule), &mut [])
}

#[test]
fn a_poll_of_signals_that_nobody_sets_is_a_deadlock() {
    for schedule in [Schedule::Program, Schedule::Eager, Schedule::Lazy, Schedule::Random] {
        let found = poll(1, 0, schedule).expect("the second signal is set");
        assert_eq!(words(&found, 2), [2]);
        let counted = poll(0, 1, schedule).expect("a loop that counts its rounds ends");
        assert_eq!(words(&counted, 2), [0]);
        let findings = poll(0, 0, schedule).expect_err("nobody sets a signal");
        assert_eq!(findings[0].rule, "cores::deadlock");
        let message = &findings[0].message;
        assert!(message.contains("the core repeats `comm.ttest`, whose signals nobody changes"), "{message}");
    }
}

/// Each rank sends the other a signal by a pipe, and polls for the other's signal without waiting for that pipe.
const EXCHANGE: &str = "
func.func @exchange(%ones: !pto.ptr<i32>, %signal: !pto.ptr<i32>, %theirs: !pto.ptr<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %start = arith.constant false
  %true = arith.constant true
  %a = pto.make_tensor_view %ones, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xi32>
  %s = pto.make_tensor_view %signal, shape = [%c8], strides = [%c1] : !pto.tensor_view<8xi32>
  %t = pto.make_tensor_view %theirs, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xi32>
  %tile = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>
  pto.tload ins(%a : !pto.tensor_view<1x8xi32>) outs(%tile : !pto.tile_buf<vec, 1x8xi32>)
  pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.tstore ins(%tile : !pto.tile_buf<vec, 1x8xi32>) outs(%t : !pto.tensor_view<1x8xi32>)
  %found = scf.while (%before = %start) : (i1) -> i1 {
    %is = pto.comm.ttest(%s, %one : !pto.tensor_view<8xi32>, i32) {cmp = #pto<wait_cmp eq>} -> i1
    %again = arith.xori %is, %true : i1
    scf.condition(%again) %is : i1
  } do {
  ^bb0(%last: i1):
    scf.yield %last : i1
  }
  return
}";

#[test]
fn pipes_go_on_while_all_ranks_poll() {
    let signals = |word: i32| Value::buffer([word; 8].into_iter().flat_map(i32::to_le_bytes).collect());
    for schedule in [Schedule::Program, Schedule::Eager, Schedule::Lazy, Schedule::Random] {
        let of_rank =
            |rank: u32| vec![signals(1), signals(0), Value::Peer { rank: 1 - rank, argument: 1, offset: 0 }];
        let options = Options::default().schedule(schedule);
        let outcome = program(EXCHANGE, None)
            .launch_ranks((0..2).map(of_rank).collect(), &options, &mut [])
            .unwrap_or_else(|findings| panic!("{schedule:?}: {findings:?}"));
        assert_eq!((words(&outcome, 1), words(&outcome, 3)), (vec![1; 8], vec![1; 8]), "{schedule:?}");
    }
}

/// Each rank counts its iterations in a tile, sends the count to the other, and ends when the other has sent at least
/// five.
const ROUNDS: &str = "
func.func @rounds(%signal: !pto.ptr<i32>, %theirs: !pto.ptr<i32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %start = arith.constant false
  %true = arith.constant true
  %s = pto.make_tensor_view %signal, shape = [%c8], strides = [%c1] : !pto.tensor_view<8xi32>
  %t = pto.make_tensor_view %theirs, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xi32>
  %tile = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>
  pto.texpands ins(%zero : i32) outs(%tile : !pto.tile_buf<vec, 1x8xi32>)
  %found = scf.while (%before = %start) : (i1) -> i1 {
    pto.tadds ins(%tile, %one : !pto.tile_buf<vec, 1x8xi32>, i32) outs(%tile : !pto.tile_buf<vec, 1x8xi32>)
    pto.tstore ins(%tile : !pto.tile_buf<vec, 1x8xi32>) outs(%t : !pto.tensor_view<1x8xi32>)
    %is = pto.comm.ttest(%s, %five : !pto.tensor_view<8xi32>, i32) {cmp = #pto<wait_cmp ge>} -> i1
    %again = arith.xori %is, %true : i1
    scf.condition(%again) %is : i1
  } do {
  ^bb0(%last: i1):
    scf.yield %last : i1
  }
  return
}";

/// The registers of the cores are the same after each round: only memory differs.
#[test]
fn a_poll_beside_instructions_is_not_in_vain() {
    for by_formula in [false, true] {
        let signals = || Value::buffer(vec![0; 32]);
        let of_rank = |rank: u32| vec![signals(), Value::Peer { rank: 1 - rank, argument: 0, offset: 0 }];
        let options = Options::default().by_formula(by_formula);
        let outcome = program(ROUNDS, None)
            .launch_ranks((0..2).map(of_rank).collect(), &options, &mut [])
            .unwrap_or_else(|findings| panic!("by formula: {by_formula}: {findings:?}"));
        assert!(words(&outcome, 0).iter().chain(&words(&outcome, 1)).all(|rounds| *rounds >= 5));
    }
}
