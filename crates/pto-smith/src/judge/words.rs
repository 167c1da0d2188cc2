//! The text of synchronization statements.

use super::facts::{Change, Pipe, Wanted};
use super::program::{Act, Core, CoreProgram, Reach, Statement};

/// The line of a statement.
pub(super) fn words(part: &CoreProgram, statement: &Statement) -> String {
    let flag = |name: &str, from: Pipe, to: Pipe, id: u32| {
        format!("pto.{name}[<PIPE_{}>, <PIPE_{}>, <EVENT_ID{id}>]", from.word(), to.word())
    };
    match &statement.act {
        Act::Work(..) | Act::Use(..) | Act::Push(..) | Act::Pop(_) | Act::Free => statement.text.clone(),
        Act::Repeat(times) => format!("    scf.for %i = %c0 to %c{times} step %c1 {{"),
        Act::End => "    }".to_owned(),
        Act::Set(of) => flag("set_flag", of.from, of.to, of.id),
        Act::Wait(of) => flag("wait_flag", of.from, of.to, of.id),
        Act::Barrier(pipe) => format!("pto.barrier <PIPE_{}>", pipe.word()),
        Act::BarrierAll => "pto.barrier <PIPE_ALL>".to_owned(),
        Act::Take(pipe, token) => format!("pto.get_buf[#pto.pipe_event_type<{}>, {token}]", class(*pipe)),
        Act::Give(pipe, token) => format!("pto.rls_buf[#pto.pipe_event_type<{}>, {token}]", class(*pipe)),
        Act::Raise(reach, pipe, id) => between(part, *reach, true, *pipe, *id),
        Act::Await(reach, pipe, id) => between(part, *reach, false, *pipe, *id),
        Act::CoreBarrier => {
            let who = if part.core == Core::Cube { "aic_only" } else { "aiv_only" };
            format!("pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<{who}>")
        }
        Act::Notify(cell, change) => {
            let (value, how) = match change {
                Change::Add(value) => (value, "atomic_add"),
                Change::Set(value) => (value, "set"),
            };
            format!(
                "pto.comm.tnotify(%next{cell}, %v{value} : !signal, i32) {{notifyOp = #pto<notify_op {how}>}}"
            )
        }
        Act::See(cell, wanted) => {
            let (value, how) = match wanted {
                Wanted::AtLeast(value) => (value, "ge"),
                Wanted::Exactly(value) => (value, "eq"),
            };
            format!("pto.comm.twait(%own{cell}, %v{value} : !signal, i32) {{cmp = #pto<wait_cmp {how}>}}")
        }
    }
}

/// An instruction class of a pipe.
fn class(pipe: Pipe) -> &'static str {
    match pipe {
        Pipe::Mte2 => "TLOAD",
        Pipe::Mte3 => "TSTORE_VEC",
        Pipe::Fix => "TSTORE_ACC",
        Pipe::Mte1 => "TMOV_M2L",
        Pipe::M => "TMATMUL",
        Pipe::V | Pipe::S => "TVEC",
    }
}

fn between(part: &CoreProgram, reach: Reach, sets: bool, pipe: Pipe, id: u32) -> String {
    let (verb, pipe) = (if sets { "set" } else { "wait" }, pipe.word());
    match reach {
        Reach::Blocks => format!("pto.{verb}_cross_block <PIPE_{pipe}>, {id}"),
        Reach::Block => format!("pto.sync.{verb} <PIPE_{pipe}>, {id}"),
        // The cube core numbers the flags of the second vector core from 16.
        Reach::One(core) => {
            let id = if part.core == Core::Cube { id + 16 * core as u32 } else { id };
            format!("pto.{verb}_intra_block <PIPE_{pipe}>, {id}")
        }
    }
}
