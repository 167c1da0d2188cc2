//! TGET: reads data of another rank, through a staging tile.

use super::collective::{Move, page};
use super::staging::{CHUNK, LAYOUT, SHAPE, STAGING, TYPE};
use super::tput::copies;
#[cfg(feature = "run")]
use super::tput::copy;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Kind, Syntax};

pub(super) static COMM_TGET: Move = Move {
    page: page(
        "comm.tget",
        "Reads data of another rank into local memory, through one or two staging tiles.",
        "dst[...] = src[...]; the staging tiles then hold their last chunks",
        "docs/isa/comm/TGET.md",
        Syntax::Own(
            &["( %dst , %src , buf ( %buffers* ) : :dst , :src , :buffers* ) {}"],
            &[("dst", Kind::View), ("src", Kind::View), ("buffers", Kind::Tile)],
        ),
        &[&TYPE, &SHAPE, &LAYOUT, &STAGING, &CHUNK],
    )
    .touching(&[
        Effect::reads("src").of(Extent::View),
        Effect::destroys("buffers"),
        Effect::writes("dst").of(Extent::View),
    ]),
    #[cfg(feature = "run")]
    staging: "buffers",
    check: copies,
    #[cfg(feature = "run")]
    run: |state, transfer| {
        let (dst, src) = (transfer.tensor(state, "dst", 0)?, transfer.tensor(state, "src", 0)?);
        copy(state, transfer, &dst, &src)
    },
};
