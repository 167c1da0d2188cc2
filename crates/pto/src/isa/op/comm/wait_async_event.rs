//! WAIT_ASYNC_EVENT: waits for the end of a transfer.

use super::collective::page;
use super::dma::is_over;
use crate::isa::op::form::{Kind, Syntax};
use crate::isa::op::scalar_unit::ScalarInstruction;

pub(super) static COMM_WAIT_ASYNC_EVENT: ScalarInstruction = ScalarInstruction {
    page: page(
        "comm.wait_async_event",
        "Waits until the transfer of an event, and all those of its session before it, have been made.",
        "result = true; false for an event of no transfer",
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
