//! Adds missing synchronization to a program, one race at a time, until the model finds none.

use super::facts::{Change, Facts, Flag, Pipe, Wanted};
use super::program::{Act, Core, Reach, Source, Statement};
use super::verdict::{Race, Verdict, judge};
use super::watchers::SIGNALLING;
use crate::Rng;

/// Most repairs of one program.
const MOST: usize = 60;

/// Most attempts at one race.
const TRIES: usize = 6;

/// Orders the races that the model finds, if the program has means to.
pub(super) fn repair(source: &mut Source, rng: &mut Rng) {
    for _ in 0..MOST {
        let facts = source.write().facts;
        let verdict = judge(&facts);
        let Some(race) = verdict.certain.first() else { return };
        let better = (0..TRIES).find_map(|attempt| {
            let mut changed = source.clone();
            order(&mut changed, race, &facts, attempt, rng)?;
            is_better(&judge(&changed.write().facts), &verdict).then_some(changed)
        });
        match better {
            Some(changed) => *source = changed,
            None => return,
        }
    }
}

fn is_better(after: &Verdict, before: &Verdict) -> bool {
    after.certain.len() < before.certain.len() && after.misuse.is_empty() && !after.stuck
}

/// A statement that only orders others.
fn ordering(act: Act) -> Statement {
    Statement { text: String::new(), act }
}

/// Orders the two instructions of a race. The last attempts use means that always work.
fn order(source: &mut Source, race: &Race, facts: &Facts, attempt: usize, rng: &mut Rng) -> Option<()> {
    let firsts = source.first_lines();
    let place = |line: usize| {
        let part = firsts.iter().rposition(|first| *first <= line)?;
        Some((part, line - firsts[part]))
    };
    let ((part, first), (other, second)) = (place(race.lines.0)?, place(race.lines.1)?);
    let (from, to) = race.pipes;
    let mut put = |part: usize, at: usize, act: Act| source.parts[part].body.insert(at, ordering(act));
    let block = |strand: usize| facts.blocks.iter().position(|block| block.contains(&strand));
    if race.strands.0 == race.strands.1 {
        for (at, act) in within(first, second, from, to, facts.overlaps, attempt, rng) {
            put(part, at, act);
        }
    } else if block(race.strands.0) == block(race.strands.1) {
        if part == other {
            return None;
        }
        let id = rng.below(8) as u32;
        let reaches = |core: Core| match (facts.overlaps, core) {
            (true, _) => vec![Reach::Block],
            (false, Core::Cube) => vec![Reach::One(0), Reach::One(1)],
            (false, Core::Vector) => vec![Reach::One(0)],
        };
        let core = source.parts[part].core;
        let (raise, wait) = (reaches(core), reaches(source.parts[other].core));
        let signal = |pipe| if SIGNALLING.contains(&pipe) { pipe } else { Pipe::Mte2 };
        let mut put = |part: usize, at: usize, act: Act| source.parts[part].body.insert(at, ordering(act));
        raise.into_iter().for_each(|reach| put(part, first + 1, Act::Raise(reach, signal(from), id)));
        wait.into_iter().for_each(|reach| put(other, second, Act::Await(reach, signal(to), id)));
    } else if source.ranks > 1 {
        let cell = rng.below(4) as u64;
        put(part, second, Act::See(cell, Wanted::AtLeast(1)));
        put(part, first + 1, Act::Notify(cell, Change::Add(1)));
    } else {
        let id = rng.below(8) as u32;
        put(part, second, Act::Await(Reach::Blocks, to, id));
        put(part, first + 1, Act::Raise(Reach::Blocks, from, id));
    }
    Some(())
}

/// Orders two statements of one strand: statements and their positions, the last position first.
fn within(
    first: usize,
    second: usize,
    from: Pipe,
    to: Pipe,
    overlaps: bool,
    attempt: usize,
    rng: &mut Rng,
) -> Vec<(usize, Act)> {
    if attempt + 1 == TRIES || rng.chance(5) {
        return vec![(second, Act::BarrierAll)];
    }
    if from == to {
        return vec![(second, Act::Barrier(from))];
    }
    let id = rng.below(8) as u32;
    let no_scalar = from != Pipe::S && to != Pipe::S;
    if !overlaps && no_scalar && rng.chance(25) {
        return vec![
            (second + 1, Act::Give(to, id)),
            (second, Act::Take(to, id)),
            (first + 1, Act::Give(from, id)),
            (first, Act::Take(from, id)),
        ];
    }
    let flag = Flag { from, to, id };
    let set = if rng.chance(70) { first + 1 } else { second };
    vec![(second, Act::Wait(flag)), (set, Act::Set(flag))]
}
