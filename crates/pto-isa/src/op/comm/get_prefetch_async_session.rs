//! GET_PREFETCH_ASYNC_SESSION: returns the session of a prefetch context.

use super::collective::page;
#[cfg(feature = "run")]
use super::dma::handle;
use crate::op::form::{Kind, Syntax};
use crate::op::scalar_unit::ScalarInstruction;

pub(super) static GET_PREFETCH_ASYNC_SESSION: ScalarInstruction = ScalarInstruction {
    page: page(
        "get_prefetch_async_session",
        "Returns the session of a prefetch context, to wait for its events.",
        "result = the session of the context",
        "docs/isa/TPREFETCH_ASYNC.md",
        Syntax::Own(&["%context {} : :context -> !type"], &[("context", Kind::Handle)]),
        &[],
    ),
    check: |_| {},
    #[cfg(feature = "run")]
    prepare: |prepare| handle(prepare, 1),
};
