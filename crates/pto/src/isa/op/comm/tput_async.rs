//! TPUT_ASYNC: begins to write local data to another rank.

use super::collective::page;
use super::dma::{FLAT, SHAPE, TYPE, check_copy, copy};
use crate::isa::op::effect::{Effect, Extent};
use crate::isa::op::form::{Kind, Syntax};
use crate::isa::op::scalar_unit::ScalarInstruction;

pub(super) static COMM_TPUT_ASYNC: ScalarInstruction = ScalarInstruction {
    page: page(
        "comm.tput_async",
        "Begins to write local data to the memory of another rank; the event says when it is there.",
        "dst[i] = src[i] when the event has been waited for",
        "docs/isa/comm/TPUT_ASYNC.md",
        Syntax::Own(
            &["( %dst , %src , %session : :dst , :src , :session ) {} -> !type"],
            &[("dst", Kind::View), ("src", Kind::View), ("session", Kind::Handle)],
        ),
        &[&TYPE, &SHAPE, &FLAT],
    )
    .touching(&[Effect::reads("src").of(Extent::View), Effect::writes("dst").of(Extent::View)]),
    check: check_copy,
    prepare: copy,
};
