//! MAKE_PREFETCH_ASYNC_CONTEXT: creates a context for prefetches by the DMA engine.

use super::collective::page;
#[cfg(feature = "run")]
use super::dma::handle;
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};
use crate::op::scalar_unit::ScalarInstruction;

pub(super) static MAKE_PREFETCH_ASYNC_CONTEXT: ScalarInstruction = ScalarInstruction {
    page: page(
        "make_prefetch_async_context",
        "Creates a context for prefetches by the DMA engine.",
        "the DMA engine uses the workspace, which holds no data of the program",
        "docs/isa/TPREFETCH_ASYNC.md",
        Syntax::Own(&["( %workspace : :workspace ) {} -> !type"], &[("workspace", Kind::Pointer)]),
        &[],
    )
    .touching(&[Effect::names("workspace")]),
    check: |_| {},
    #[cfg(feature = "run")]
    prepare: |prepare| handle(prepare, 1),
};
