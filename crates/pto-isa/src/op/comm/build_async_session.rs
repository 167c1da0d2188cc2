//! BUILD_ASYNC_SESSION: creates a session for asynchronous transfers by the DMA engine.

use super::collective::page;
#[cfg(feature = "run")]
use super::dma::handle;
use crate::op::attribute::AttributeSpec;
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};
use crate::op::scalar_unit::ScalarInstruction;
use crate::rule::Rule;
use crate::tile::Location;

const SOURCE: &str = "docs/isa/comm/TPUT_ASYNC.md, scratchTile Type and Size Constraints";

/// The default of the DMA engine's settings, as a phrase.
const ENGINE: &str = "the default of the DMA engine";

const SCRATCH: Rule = Rule::new("scratch", "The scratch tile is a vec tile of 8 bytes or more.", SOURCE)
    .because("The DMA engine keeps its own data of 8 bytes there.")
    .instead("Declare a vec tile of at least 8 bytes.");

pub(super) static COMM_BUILD_ASYNC_SESSION: ScalarInstruction = ScalarInstruction {
    page: page(
        "comm.build_async_session",
        "Creates an asynchronous session for DMA transfers.",
        "the DMA engine uses the scratch tile and the workspace; neither holds data of the program",
        "docs/isa/comm/TPUT_ASYNC.md, AsyncSession Construction",
        Syntax::Own(
            &["( %scratch , %workspace : :scratch , :workspace ) {} -> !type"],
            &[("scratch", Kind::Tile), ("workspace", Kind::Pointer)],
        ),
        &[&SCRATCH],
    )
    .with(&[
        AttributeSpec::integer("sync_id", "The event that the engine sets; ignored here.").or_means(ENGINE),
        AttributeSpec::integer("block_bytes", "Bytes that the engine moves per step; ignored here.")
            .or_means(ENGINE),
        AttributeSpec::integer("comm_block_offset", "The start offset of the engine; ignored here.")
            .or_means(ENGINE),
        AttributeSpec::integer("queue_num", "The number of queues that the engine uses; ignored here.")
            .or_means(ENGINE),
        AttributeSpec::integer("channel_group_idx", "The channels that the engine uses; ignored here.")
            .or_means(ENGINE),
    ])
    .touching(&[Effect::names("scratch"), Effect::names("workspace")]),
    check: |check| {
        let scratch = check.tile("scratch");
        let fits = scratch.location() == Location::Vec && scratch.ty.bytes() >= 8;
        check.require(&SCRATCH, "scratch", fits, |check| {
            format!("{} is {}", check.name("scratch"), scratch.ty.brief())
        });
    },
    #[cfg(feature = "run")]
    prepare: |prepare| handle(prepare, 1),
};
