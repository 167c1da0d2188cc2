//! TPUT: writes local data to another rank, through a staging tile.

use super::collective::{Move, adds, page};
use super::staging::{CHUNK, LAYOUT, SHAPE, STAGING, TYPE, agree, check, five, shape_text, views};
#[cfg(feature = "run")]
use crate::exec::state::{Fault, State};
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Kind, Syntax};
use crate::op::memory::ATOMIC_TYPE;
use crate::op::site::Check;
use crate::rule::Rule;
use pto_num::BinaryOp;

const SOURCE: &str = "docs/isa/comm/TPUT.md";

const ATOMIC: Rule = Rule::new(
    "atomic",
    "The atomic mode is none or add; add takes only formats with atomic addition.",
    SOURCE,
)
.because("The remote store adds in these formats only.")
.instead("Leave the mode out, or use a tensor in a format with atomic addition.");

pub(super) static COMM_TPUT: Move = Move {
    page: page(
        "comm.tput",
        "Writes local data to the memory of another rank, through one or two staging tiles.",
        "dst[...] = src[...], or dst[...] + src[...] with atomic add; the staging tiles then hold their last chunks",
        SOURCE,
        Syntax::Own(
            &["( %dst , %src , buf ( %buffers* ) : :dst , :src , :buffers* ) {}"],
            &[("dst", Kind::View), ("src", Kind::View), ("buffers", Kind::Tile)],
        ),
        &[&TYPE, &SHAPE, &LAYOUT, &STAGING, &CHUNK, &ATOMIC],
    )
    .with(&[ATOMIC_TYPE])
    .touching(&[Effect::reads("src").of(Extent::View), Effect::destroys("buffers"), Effect::writes("dst").of(Extent::View)]),
    #[cfg(feature = "run")]
    staging: "buffers",
    check: |check| {
        copies(check);
        let element = views(check, "dst").first().map(|view| view.element);
        let adds = !adds(check.site) || element.is_none_or(|element| BinaryOp::Add.applies_to(element));
        check.require(&ATOMIC, "dst", adds, |check| {
            format!("the elements of {} cannot be added", check.name("dst"))
        });
    },
    #[cfg(feature = "run")]
    run: |state, transfer| {
        let (dst, src) = (transfer.tensor(state, "dst", 0)?, transfer.tensor(state, "src", 0)?);
        copy(state, transfer, &dst, &src)
    },
};

/// Checks the rules of a copy from `src` to `dst`.
pub(super) fn copies(on: &mut Check<'_>) {
    check(on, &["dst", "src"], &["buffers"], "src");
    let shape = |role| views(on, role).first().and_then(|view| five(view));
    if let Some((dst, src)) = shape("dst").zip(shape("src")) {
        on.require(&SHAPE, "src", agree(&dst, &src), |check| {
            let (to, from) = (check.name("dst"), check.name("src"));
            format!("{to} is {}, {from} is {}", shape_text(&dst), shape_text(&src))
        });
    }
}

/// Copies a tensor to another one of the same shape, chunk by chunk.
#[cfg(feature = "run")]
pub(super) fn copy(
    state: &mut State<'_>,
    transfer: &super::collective::Transfer,
    dst: &super::tensor::Tensor,
    src: &super::tensor::Tensor,
) -> Result<(), Fault> {
    if dst.shape != src.shape {
        return Err(Fault::Rule);
    }
    for (chunk, tile) in transfer.staging.chunks(state, src)? {
        transfer.staging.load(state, src, &chunk, &tile);
        transfer.staging.store(state, dst, &chunk, 0, &tile, transfer.add);
    }
    Ok(())
}
