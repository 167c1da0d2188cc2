//! TGATHER between ranks: concatenates the tensors of all ranks along the rows.

use super::collective::{
    BEYOND, GROUP, Move, ROOT, ROOT_ATTRIBUTE, ROWS, SYNTAX, check_group, check_rows, page,
};
use super::staging::{CHUNK, LAYOUT, STAGING, TYPE};
use crate::op::effect::{Effect, Extent};

pub(super) static COMM_TGATHER: Move = Move {
    page: page(
        "comm.tgather",
        "Collects the rows of every rank of a group in the memory of the calling rank, in the order of the ranks.",
        "tensor[.., r * H + i, j] = group[r][.., i, j], where each rank has H rows; the staging tiles then hold their last chunks",
        "docs/isa/comm/TGATHER.md",
        SYNTAX,
        &[&TYPE, &LAYOUT, &STAGING, &CHUNK, &GROUP, &ROOT, &ROWS],
    )
    .with(&[ROOT_ATTRIBUTE])
    .touching(&[
        Effect::reads("group").of(Extent::View),
        Effect::destroys("receive"),
        Effect::writes_parts("tensor", BEYOND).of(Extent::View),
    ]),
    #[cfg(feature = "run")]
    staging: "receive",
    check: |check| {
        let ranks = check_group(check, &["receive"]);
        check_rows(check, ranks);
    },
    #[cfg(feature = "run")]
    run: |state, transfer| {
        let (dst, group) = (transfer.tensor(state, "tensor", 0)?, transfer.group(state)?);
        let rows = transfer.rows(&dst, &group)?;
        for (rank, member) in group.iter().enumerate() {
            for (chunk, tile) in transfer.staging.chunks(state, member)? {
                transfer.staging.load(state, member, &chunk, &tile);
                transfer.staging.store(state, &dst, &chunk, rank * rows, &tile, false);
            }
        }
        Ok(())
    },
};
