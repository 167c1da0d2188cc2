//! Cores in messages, and the help for races between them.

use crate::observe::race::findings::Race;
use crate::sim::code::CoreKind;
use crate::sim::event::CoreId;
use crate::sim::live::OUTSIDE;

/// A core as text; `all` are the cores of the launch. If a program runs as a whole on several vector cores of a
/// block, the text contains the number of the vector core.
pub(in crate::observe) fn core_in_words(core: CoreId, all: &[CoreId]) -> String {
    let CoreId { rank, block, kind, vector_core } = core;
    let several = kind == CoreKind::Whole && all.iter().any(|core| core.vector_core > 0);
    let name = if several { CoreKind::Vector(vector_core).name() } else { kind.name() };
    match rank {
        OUTSIDE => format!("{name} of block {block} of no launch"),
        _ => format!("{name} of block {block} of rank {rank}"),
    }
}

/// The help for a race between two cores: parts of their own, if both run the same instruction.
pub(in crate::observe) fn remedy(race: &Race, [a, b]: [CoreId; 2]) -> String {
    let waits = "let one core wait for the other: by a flag between cores, a queue, `syncall` or a signal";
    if race.first.origin.at != race.second.origin.at || a.rank != b.rank {
        return waits.to_owned();
    }
    let (who, index) = match a.block == b.block {
        true => ("both vector cores of the block run", "get_subblock_idx"),
        false => ("every block runs", "get_block_idx"),
    };
    format!("{who} this instruction: split the rows by `pto.{index}`, so that each has its own")
}
