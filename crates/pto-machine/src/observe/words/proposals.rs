//! Proposals of findings about synchronization: changes of the program that may remove a finding.
//!
//! Only a run of the changed program shows which of them does: a flag may order two accesses and be set twice in
//! another iteration. So these are candidates, the most likely first.

mod draft;
mod flags;
mod ordering;

use super::operation_at;
use crate::observe::sync::{Misuse, Subject};
use crate::sim::Program;
use crate::sim::event::Place;
use draft::{Draft, Drafts, barrier, id_at, set, wait};
use ordering::Pair;
use pto_isa::diag::{Edit, Proposal};
use pto_isa::pipe::Pipe;
use pto_isa::registry::Op;
use pto_lang::ir::Spelling;

/// Maximum number of proposals of one finding.
const MOST: usize = 12;

/// Whether an operation is inside a loop of its function.
pub(in crate::observe) fn in_loop(program: &Program, place: Place) -> bool {
    let Some(drafts) = Drafts::of(program, place) else { return false };
    id_at(drafts.function, place).is_some_and(|id| drafts.loops_around(id).next().is_some())
}

/// Changes that order two accesses of a core. In two functions their place is uncertain: then text without edits.
pub(super) fn ordering(program: &Program, places: [Place; 2], pipes: [Pipe; 2]) -> Vec<Proposal> {
    let drafts = Drafts::of(program, places[0]).filter(|_| places[0].function == places[1].function);
    let pair = drafts.as_ref().and_then(|drafts| Pair::of(drafts, places, pipes));
    let proposals = pair.map(|pair| limited(pair.proposals())).unwrap_or_default();
    match proposals.is_empty() {
        true => in_general(program, places[0], pipes),
        false => proposals,
    }
}

/// A flag or a barrier between two accesses wherever they are, in words without edits.
pub(super) fn in_general(program: &Program, place: Place, [from, to]: [Pipe; 2]) -> Vec<Proposal> {
    let Some(drafts) = Drafts::of(program, place) else { return Vec::new() };
    let help = match drafts.free_flag(from, to) {
        _ if from == to => format!("put `{}` between them", barrier(from)),
        Some(key) => {
            format!("put `{}` after the first and `{}` before the second", set(key), wait(key))
        }
        None => {
            format!("put `{}` between them: the program uses all events of these pipes", barrier(Pipe::All))
        }
    };
    vec![Proposal { help, edits: Vec::new(), last_resort: false }]
}

/// Changes that end a misuse of a flag or a token within a core; none for objects that several cores share.
pub(super) fn misuse(program: &Program, place: Place, misuse: Misuse, subject: Subject) -> Vec<Proposal> {
    let drafts = |drafts: &Drafts<'_>| {
        let at = id_at(drafts.function, place)?;
        let other = |other: Place| {
            (other.function == place.function).then(|| id_at(drafts.function, other)).flatten()
        };
        Some(match (misuse, subject) {
            (Misuse::NeverSet, Subject::Flag(key)) => drafts.never_set(at, key),
            (Misuse::LeftSet, Subject::Flag(key)) => drafts.left_set(at, key),
            (Misuse::SetTwice(before), Subject::Flag(key)) => drafts.set_twice(at, other(before)?, key),
            (Misuse::SetEarly(_), Subject::Flag(key)) => drafts.set_twice(at, at, key),
            (Misuse::LeftTaken, _) => drafts.not_released(at),
            (Misuse::TakenTwice(before), _) => drafts.not_released(other(before)?),
            (Misuse::NotHeld, _) => drafts.not_held(at),
            _ => Vec::new(),
        })
    };
    let found = Drafts::of(program, place).and_then(|all| drafts(&all)).unwrap_or_default();
    limited(found.into_iter().map(Proposal::from).collect())
}

/// The proposals without repetitions, at most [`MOST`].
fn limited(all: Vec<Proposal>) -> Vec<Proposal> {
    let mut kept: Vec<Proposal> = Vec::new();
    for proposal in all {
        if kept.len() < MOST && kept.iter().all(|known| known.edits != proposal.edits) {
            kept.push(proposal);
        }
    }
    kept
}

/// The removal of a barrier, or of a wait and the set of its flag if these two are the only uses of the flag and in
/// one block. Otherwise text without edits.
pub(super) fn deletion(program: &Program, at: Place, help: String) -> Vec<Proposal> {
    let edits = deleted(program, at).map(|draft| Proposal::from(draft).edits);
    vec![Proposal { help, edits: edits.unwrap_or_default(), last_resort: false }]
}

fn deleted(program: &Program, at: Place) -> Option<Draft> {
    let drafts = Drafts::of(program, at)?;
    let id = id_at(drafts.function, at)?;
    if drafts.operation(id).is(Op::BARRIER) {
        return Some(Draft::default().without(&drafts, id));
    }
    let (.., key) = drafts.flags.iter().find(|(own, sets, _)| *own == id && !sets)?;
    let mut uses = drafts.flags.iter().filter(|(.., other)| other == key);
    let (a, b) = (uses.next()?, uses.next()?);
    let block = |id| drafts.flow.place(id).map(|(block, _)| block);
    let is_pair = uses.next().is_none() && a.1 && !b.1 && block(a.0) == block(b.0) && !drafts.computes_events;
    is_pair.then(|| Draft::default().without(&drafts, a.0).without(&drafts, b.0))
}

/// A barrier of one pipe instead of one of all pipes.
pub(super) fn narrowed(program: &Program, at: Place, pipe: Pipe) -> Option<Proposal> {
    let (_, operation) = operation_at(program, at)?;
    let plain = operation.is(Op::BARRIER)
        && operation.spelling == Spelling::Standard
        && operation.attributes.len() == 1
        && operation.location.is_none();
    let replacement = format!("{} <PIPE_{}>", operation.name, pipe.word());
    let help = format!("write `{replacement}` instead");
    let edits = vec![Edit { span: operation.span, replacement }];
    plain.then_some(Proposal { help, edits, last_resort: false })
}
