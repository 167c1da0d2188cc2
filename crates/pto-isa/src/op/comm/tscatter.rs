//! TSCATTER between ranks: copies to each rank its rows of the root's tensor.

use super::collective::{
    BEYOND, GROUP, Move, ROOT, ROOT_ATTRIBUTE, ROWS, SYNTAX, check_group, check_rows, page,
};
#[cfg(feature = "run")]
use super::staging::Chunk;
use super::staging::{CHUNK, LAYOUT, STAGING, TYPE};
use crate::op::effect::{Effect, Extent};

pub(super) static COMM_TSCATTER: Move = Move {
    page: page(
        "comm.tscatter",
        "Writes to every rank of a group its rows of a tensor of the calling rank.",
        "group[r][.., i, j] = tensor[.., r * H + i, j], where each rank has H rows; the staging tiles then hold their last chunks",
        "docs/isa/comm/TSCATTER.md",
        SYNTAX,
        &[&TYPE, &LAYOUT, &STAGING, &CHUNK, &GROUP, &ROOT, &ROWS],
    )
    .with(&[ROOT_ATTRIBUTE])
    .touching(&[
        Effect::reads("tensor").of(Extent::View).loosely(BEYOND),
        Effect::destroys("receive"),
        Effect::writes("group").of(Extent::View),
    ]),
    #[cfg(feature = "run")]
    staging: "receive",
    check: |check| {
        let ranks = check_group(check, &["receive"]);
        check_rows(check, ranks);
    },
    #[cfg(feature = "run")]
    run: |state, transfer| {
        let (src, group) = (transfer.tensor(state, "tensor", 0)?, transfer.group(state)?);
        let rows = transfer.rows(&src, &group)?;
        for (rank, member) in group.iter().enumerate() {
            for (chunk, tile) in transfer.staging.chunks(state, member)? {
                let from = Chunk { row: chunk.row + rank * rows, ..chunk };
                transfer.staging.load(state, &src, &from, &tile);
                transfer.staging.store(state, member, &chunk, 0, &tile, false);
            }
        }
        Ok(())
    },
};
