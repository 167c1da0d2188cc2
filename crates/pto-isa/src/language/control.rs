//! Scalars, structs and arrays, control flow, sections.

use super::{Chapter, word};
use crate::op::Set;
use crate::registry::Op;

pub(super) const CHAPTER: Chapter = Chapter {
    name: "control",
    title: "Scalars and control flow",
    intro: &[
        "The scalar unit of each core runs `arith`, loops and branches. Its values are `index`, integers, floats and \
         truth values; integers wrap. Loops and choices are the operations of `scf`, whose regions yield values; `cf` \
         branches between blocks of operations.",
        "A section runs its region on one kind of core only: `section.cube` on the cube core, `section.vector` on each \
         vector core of the block.",
    ],
    words: &[
        word("iter_args", "The values that a loop carries from one iteration to the next.")
            .spelled(&[
                "%sum = scf.for %i = %lower to %upper step %step iter_args(%x = %init) -> (<type>) { <operations> }",
            ])
            .shown("loops")
            .see(&["scf.for", "scf.yield"]),
        word("step", "The positive increment of a loop; `to` comes before the limit of the loop, which is exclusive.")
            .or(&["to"])
            .spelled(&["scf.for %i = %lower to %upper step %step { <operations> }"])
            .shown("loops")
            .see(&["scf.for"]),
        word("else", "The region that runs if the condition does not hold.")
            .spelled(&["scf.if %condition { <operations> } else { <operations> }"])
            .shown("branches")
            .see(&["scf.if"]),
        word("do", "The second region of a loop, which runs while the condition of the first region holds.")
            .spelled(&["scf.while (%x = %init) : (<type>) -> <type> { <operations> } do { <operations> }"])
            .shown("loops")
            .see(&["scf.while", "scf.condition"]),
        word("case", "The region of one number; `default` is the region of all other numbers.")
            .or(&["default"])
            .spelled(&["scf.index_switch %i case 0 { <operations> } default { <operations> }"])
            .shown("branches")
            .see(&["scf.index_switch"]),
        word("region", "Operations between braces that belong to another operation; they can use the values defined around the \
                        region.")
            .more("A part of a tile is a window or a valid region.")
            .shown("loops")
            .see(&["scf.for", "section.cube"]),
        word("basic block", "Operations with a label and arguments, the target of branches.")
            .or(&["label"])
            .spelled(&["^name(%x: <type>):"])
            .shown("branches")
            .see(&["cf.br", "cf.cond_br"]),
        word("section", "A region that one kind of core runs.")
            .spelled(&["pto.section.vector { <operations> }"])
            .shown("sections")
            .see(&["section.cube", "section.vector", "core"]),
    ],
    sets: &[Set::Arith, Set::Control],
    operations: &[
        Op::DECLARE_LOCAL_ARRAY,
        Op::LOCAL_ARRAY_GET,
        Op::LOCAL_ARRAY_SET,
        Op::DECLARE_STRUCT,
        Op::STRUCT_GET,
        Op::STRUCT_SET,
    ],
};
