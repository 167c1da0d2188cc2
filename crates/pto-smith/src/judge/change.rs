//! Changes of synchronization: one operation dropped, moved, swapped, duplicated, or altered.

use super::facts::{Change, Pipe, Wanted};
use super::program::{Act, CoreProgram, Source, Statement};
use crate::Rng;

/// Pipes for replacements.
const PIPES: [Pipe; 7] = [Pipe::S, Pipe::Mte2, Pipe::Mte3, Pipe::Mte1, Pipe::M, Pipe::V, Pipe::Fix];

/// Changes one synchronization operation; returns a description, or `None` if the program has none.
pub fn change(source: &mut Source, rng: &mut Rng) -> Option<String> {
    let firsts = source.first_lines();
    let mut places = Vec::new();
    for (part, CoreProgram { body, .. }) in source.parts.iter().enumerate() {
        places.extend((0..body.len()).filter(|at| body[*at].orders()).map(|at| (part, at)));
    }
    if places.is_empty() {
        return None;
    }
    let (part, at) = *rng.pick(&places);
    let line = firsts[part] + at;
    let body = &mut source.parts[part].body;
    let what = match rng.below(10) {
        0..4 => {
            body.remove(at);
            "dropped".to_owned()
        }
        4 => {
            let to = rng.below(body.len());
            let statement = body.remove(at);
            body.insert(to, statement);
            format!("moved to line {}", firsts[part] + to)
        }
        5 if at + 1 < body.len() && is_movable(&body[at + 1]) => {
            body.swap(at, at + 1);
            "swapped with the next".to_owned()
        }
        5 => return None,
        6 => {
            let statement = body[at].clone();
            body.insert(at, statement);
            "done twice".to_owned()
        }
        _ => reworded(&mut body[at].act, rng)?,
    };
    Some(format!("line {line} {what}"))
}

fn is_movable(statement: &Statement) -> bool {
    !matches!(statement.act, Act::Repeat(_) | Act::End)
}

/// Replaces an id or a pipe of an operation.
fn reworded(act: &mut Act, rng: &mut Rng) -> Option<String> {
    let (id, pipe) = (rng.below(8) as u32, *rng.pick(&PIPES));
    let changes_id = rng.chance(50);
    let value = rng.below(4) as i64;
    match act {
        Act::Set(flag) | Act::Wait(flag) if changes_id => flag.id = id,
        Act::Set(flag) | Act::Wait(flag) if rng.chance(50) => flag.from = pipe,
        Act::Set(flag) | Act::Wait(flag) => flag.to = pipe,
        Act::Take(_, number) | Act::Give(_, number) if changes_id => *number = id,
        Act::Raise(_, _, number) | Act::Await(_, _, number) if changes_id => *number = id,
        Act::Raise(_, of, _) | Act::Await(_, of, _) => *of = pipe,
        Act::Take(of, _) | Act::Give(of, _) if pipe != Pipe::S => *of = pipe,
        Act::Barrier(of) => *of = pipe,
        Act::BarrierAll => *act = Act::Barrier(pipe),
        Act::Notify(_, change) if changes_id => *change = Change::Set(value),
        Act::Notify(_, change) => *change = Change::Add(value),
        Act::See(_, wanted) if changes_id => *wanted = Wanted::Exactly(value),
        Act::See(_, wanted) => *wanted = Wanted::AtLeast(value),
        _ => return None,
    }
    Some(format!("is now {act:?}"))
}
