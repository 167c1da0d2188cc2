//! TEST_ASYNC_EVENT: whether a transfer has been made.

use super::collective::page;
use super::dma::is_over;
use crate::isa::op::form::{Kind, Syntax};
use crate::isa::op::scalar_unit::ScalarInstruction;

pub(super) static COMM_TEST_ASYNC_EVENT: ScalarInstruction = ScalarInstruction {
    page: page(
        "comm.test_async_event",
        "Says whether the transfer of an event has been made, without waiting.",
        "result = whether it has been made",
        "docs/isa/comm/TPUT_ASYNC.md, Completion Semantics",
        Syntax::Own(
            &["( %event , %session : :event , :session ) {} -> !type"],
            &[("event", Kind::Handle), ("session", Kind::Handle)],
        ),
        &[],
    ),
    check: |_| {},
    prepare: is_over,
};
