//! Facts of the launch, and the state of a core.

use super::{MANUAL, Row, page, rows};
use crate::meaning::{LaunchFact, Meaning};
use crate::op::Set;
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};

const fn row(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    syntax: Syntax,
    meaning: Meaning,
) -> Row {
    Row { page: page(Set::Launch, name, summary, formula, MANUAL, syntax), meaning }
}

const fn fact(name: &'static str, summary: &'static str, formula: &'static str, fact: LaunchFact) -> Row {
    row(name, summary, formula, Syntax::Own(&["{} !i64", "{} : !type"], &[]), Meaning::Launch(fact))
}

rows! {
    super::aggregates::END;
    GET_BLOCK_IDX = fact(
        "get_block_idx",
        "The number of the running block.",
        "result = 0 to get_block_num - 1",
        LaunchFact::BlockIndex
    );
    GET_BLOCK_NUM =
        fact("get_block_num", "The number of blocks of the launch.", "result = blocks", LaunchFact::BlockCount);
    GET_SUBBLOCK_IDX = fact(
        "get_subblock_idx",
        "The number of the running vector core in its block; a vector function that reads this number runs on both vector \
         cores.",
        "result = 0 or 1",
        LaunchFact::SubBlockIndex
    );
    GET_SUBBLOCK_NUM = fact(
        "get_subblock_num",
        "The number of vector cores of a block.",
        "result = vector cores of the block",
        LaunchFact::SubBlockCount
    );
    SET_FFTS = row(
        "set_ffts",
        "Sets the address of the flags between cores; it has no effect here.",
        "the flags between cores are at address",
        Syntax::Own(&["%address {} : :address"], &[("address", Kind::Pointer)]),
        Meaning::Fence
    )
    .touching(&[Effect::names("address")]);
    SET_CTRL = row(
        "set_ctrl",
        "Writes the control register of the core.",
        "control register = value",
        Syntax::Own(&["%value : :value"], &[("value", Kind::Integer)]),
        Meaning::WriteControl
    );
    GET_CTRL = row(
        "get_ctrl",
        "Reads the control register of the core.",
        "result = control register",
        Syntax::Own(&[": !type"], &[]),
        Meaning::ReadControl
    );
}
