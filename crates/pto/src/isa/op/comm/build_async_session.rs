//! BUILD_ASYNC_SESSION: creates a session for asynchronous transfers by the DMA engine.

use super::collective::page;
#[cfg(feature = "run")]
use super::dma::handle;
use crate::isa::op::attribute::AttributeSpec;
use crate::isa::op::effect::Effect;
use crate::isa::op::form::{Kind, Syntax};
use crate::isa::op::scalar_unit::ScalarInstruction;
use crate::isa::rule::Rule;
use crate::isa::tile::Location;

const SOURCE: &str = "docs/isa/comm/TPUT_ASYNC.md, scratchTile Type and Size Constraints";

/// The default of the DMA engine's settings, as a phrase.
const ENGINE: &str = "what the engine has by default";

const SCRATCH: Rule = Rule::new("scratch", "The scratch tile is a vec tile of 8 bytes or more.", SOURCE)
    .because("The DMA engine keeps its own data of 8 bytes there.")
    .instead("Declare a vec tile of at least 8 bytes.");

pub(super) static COMM_BUILD_ASYNC_SESSION: ScalarInstruction = ScalarInstruction {
    page: page(
        "comm.build_async_session",
        "Makes the session that transfers by the DMA engine belong to.",
        "the scratch tile and the workspace are the engine's; neither holds data of the program",
        "docs/isa/comm/TPUT_ASYNC.md, AsyncSession Construction",
        Syntax::Own(
            &["( %scratch , %workspace : :scratch , :workspace ) {} -> !type"],
            &[("scratch", Kind::Tile), ("workspace", Kind::Pointer)],
        ),
        &[&SCRATCH],
    )
    .with(&[
        AttributeSpec::integer("sync_id", "The event that the engine sets; nothing here needs it.")
            .or_means(ENGINE),
        AttributeSpec::integer(
            "block_bytes",
            "Bytes that the engine moves at a time; nothing here needs it.",
        )
        .or_means(ENGINE),
        AttributeSpec::integer("comm_block_offset", "Where the engine begins; nothing here needs it.")
            .or_means(ENGINE),
        AttributeSpec::integer("queue_num", "How many queues the engine uses; nothing here needs it.")
            .or_means(ENGINE),
        AttributeSpec::integer(
            "channel_group_idx",
            "The channels that the engine uses; nothing here needs it.",
        )
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
