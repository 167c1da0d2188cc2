//! TBROADCAST: copies the root's tensor to all ranks.

use super::collective::{GROUP, Move, ROOT, ROOT_ATTRIBUTE, SYNTAX, check_group, check_same_shape, page};
use super::staging::{CHUNK, LAYOUT, SHAPE, STAGING, TYPE};
#[cfg(feature = "run")]
use crate::exec::state::Fault;
use crate::op::effect::{Effect, Extent};

pub(super) static COMM_TBROADCAST: Move = Move {
    page: page(
        "comm.tbroadcast",
        "Writes the data of the calling rank to every rank of a group.",
        "group[r][...] = tensor[...] for every rank r; the staging tiles then hold their last chunks",
        "docs/isa/comm/TBROADCAST.md",
        SYNTAX,
        &[&TYPE, &SHAPE, &LAYOUT, &STAGING, &CHUNK, &GROUP, &ROOT],
    )
    .with(&[ROOT_ATTRIBUTE])
    .touching(&[
        Effect::reads("tensor").of(Extent::View),
        Effect::destroys("receive"),
        Effect::writes("group").of(Extent::View),
    ]),
    #[cfg(feature = "run")]
    staging: "receive",
    check: |check| {
        check_group(check, &["receive"]);
        check_same_shape(check);
    },
    #[cfg(feature = "run")]
    run: |state, transfer| {
        let (src, group) = (transfer.tensor(state, "tensor", 0)?, transfer.group(state)?);
        if src.shape != group[0].shape {
            return Err(Fault::Rule);
        }
        for (chunk, tile) in transfer.staging.chunks(state, &src)? {
            transfer.staging.load(state, &src, &chunk, &tile);
            for member in &group {
                transfer.staging.store(state, member, &chunk, 0, &tile, false);
            }
        }
        Ok(())
    },
};
