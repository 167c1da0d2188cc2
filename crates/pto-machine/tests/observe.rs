//! The stream of events of a run.

use pto_machine::sim::event::{Event, What};
use pto_machine::sim::{Needs, Observe, Options, Printed, Program, Schedule, Value};

/// Prints a line for each event, except the events with which every run begins and ends.
struct Teller;

impl Observe for Teller {
    fn needs(&self) -> Needs {
        Needs::ACCESSES.or(Needs::ENDS)
    }

    fn see(&mut self, program: &Program, event: &Event<'_>, printed: &mut Vec<Printed>) {
        let name = pto_machine::observe::words::name_of(program, event.at);
        let line = match &event.what {
            What::Issue(work) => format!("issue {name} {}", bytes(work.touched)),
            What::Begin => format!("begin {name}"),
            What::End(work) => format!("end {name} {}", bytes(work.touched)),
            What::Set(key) => format!("set {}", key.id),
            What::Wait(key) => format!("wait {}", key.id),
            What::Notify { .. } => "notify".to_owned(),
            What::BlockBegins => format!("block of rank {}", event.core.rank),
            _ => return,
        };
        printed.push(line);
    }
}

/// The numbers of bytes that are read and written, as text.
fn bytes(touched: &[pto_machine::sim::event::Touched]) -> String {
    let sum = |changes: bool| -> u64 {
        let of = touched.iter().filter(|touched| touched.touch.access.changes() == changes);
        of.flat_map(|touched| touched.range.runs()).map(|(_, length)| length).sum()
    };
    format!("reads {} writes {}", sum(false), sum(true))
}

fn told(text: &str, ranks: Vec<Vec<Value>>, schedule: Schedule) -> Vec<String> {
    let parsed = pto_lang::parse(text).expect("a program");
    let checked = pto_lang::check(parsed.module, None).expect("a legal program");
    let program = Program::decode(&checked, None).expect("a program that runs");
    let options = Options::default().schedule(schedule);
    program.launch_ranks(ranks, &options, &mut [&mut Teller]).expect("a run").printed
}

const COPY: &str = "
!tile = !pto.tile_buf<vec, 8x8xf32>
module attributes {pto.target_arch = \"a3\"} {
func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a0 = arith.constant 0 : i64
  %xv = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %yv = pto.make_tensor_view %y, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %a = pto.alloc_tile addr = %a0 : !tile
  pto.tload ins(%xv : !pto.tensor_view<8x8xf32>) outs(%a : !tile)
  pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID3>]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID3>]
  pto.tstore ins(%a : !tile) outs(%yv : !pto.tensor_view<8x8xf32>)
  return
}
}";

fn of_copy(schedule: Schedule) -> Vec<String> {
    let buffer = || Value::buffer(vec![1; 256]);
    told(COPY, vec![vec![buffer(), buffer()]], schedule)
}

#[test]
fn an_instruction_is_issued_begins_and_ends() {
    let expected = [
        "block of rank 0",
        "issue tload reads 256 writes 256",
        "begin tload",
        "end tload reads 256 writes 256",
        "set 3",
        "wait 3",
        "issue tstore reads 256 writes 256",
        "begin tstore",
        "end tstore reads 256 writes 256",
    ];
    assert_eq!(of_copy(Schedule::Program), expected);
}

/// Under a schedule, instructions are issued in program order and begin when the schedule decides.
#[test]
fn pipes_of_their_own_begin_later() {
    let expected = [
        "block of rank 0",
        "issue tload reads 256 writes 256",
        "set 3",
        "wait 3",
        "issue tstore reads 256 writes 256",
        "begin tload",
        "end tload reads 256 writes 256",
        "begin tstore",
        "end tstore reads 256 writes 256",
    ];
    assert_eq!(of_copy(Schedule::Lazy), expected);
}

/// An instruction that waits for all pipes first runs the issued ones; each is reported with its own bytes.
#[test]
fn what_had_to_be_done_first_is_told_apart() {
    let read = COPY.replace(
        "  pto.tstore ins(%a : !tile) outs(%yv : !pto.tensor_view<8x8xf32>)\n",
        "  pto.tprint ins(%a : !tile)\n",
    );
    let buffer = || Value::buffer(vec![1; 256]);
    let told = told(&read, vec![vec![buffer(), buffer()]], Schedule::Lazy);
    let ends: Vec<_> = told.iter().filter(|line| line.starts_with("end")).collect();
    assert_eq!(ends, ["end tload reads 256 writes 256", "end tprint reads 256 writes 0"]);
}

/// An instruction that waits for another rank is issued and begins once; it ends after the signal that it waited for.
#[test]
fn an_instruction_that_waits_begins_once() {
    let text = "
func.func @k(%signal: !pto.ptr<i32>, %other: !pto.ptr<i32>, %rank: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %at = arith.index_cast %rank : i32 to index
  %own = pto.make_tensor_view %signal, shape = [%c1], strides = [%c1] : !pto.tensor_view<1xi32>
  %theirs = pto.make_tensor_view %other, shape = [%c1], strides = [%c1] : !pto.tensor_view<1xi32>
  %first = arith.cmpi eq, %at, %c0 : index
  scf.if %first {
    pto.comm.twait(%own, %one : !pto.tensor_view<1xi32>, i32) {cmp = #pto<wait_cmp ge>}
  } else {
    pto.comm.tnotify(%theirs, %one : !pto.tensor_view<1xi32>, i32) {notifyOp = #pto<notify_op atomic_add>}
  }
  return
}";
    let rank = |rank: u32| {
        let signal = Value::buffer(vec![0; 4]);
        vec![signal, Value::Peer { rank: 1 - rank, argument: 0, offset: 0 }, Value::Scalar(u64::from(rank))]
    };
    let told = told(text, vec![rank(0), rank(1)], Schedule::Program);
    let expected = [
        "block of rank 0",
        "issue comm.twait reads 4 writes 0",
        "begin comm.twait",
        "block of rank 1",
        "issue comm.tnotify reads 4 writes 0",
        "begin comm.tnotify",
        "end comm.tnotify reads 4 writes 0",
        "end comm.twait reads 4 writes 0",
    ];
    assert_eq!(told, expected);
}
