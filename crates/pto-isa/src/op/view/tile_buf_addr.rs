//! TILE_BUF_ADDR: a pointer to the elements of a tile.

use super::support::page;
use crate::element::element_word;
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};
use crate::op::origin::Origin;
use crate::op::scalar_unit::ScalarInstruction;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {crate::exec::global::chip_address, crate::exec::state::State};

const SOURCE: &str = "docs/isa/tile/ops/view-and-tile-buf/tile-buf-addr.md";
const POINTER: Rule =
    Rule::new("pointer", "The result is a pointer to the tile's elements in the tile's location.", SOURCE)
        .because("Loads and stores by the pointer use its element type and address space.")
        .instead("Write the result's type as a pointer with the tile's element type and location.");

pub(super) static TILE_BUF_ADDR: ScalarInstruction = ScalarInstruction {
    page: page(
        "tile_buf_addr",
        "Makes a pointer to the first element of a tile; no element moves.",
        "result[k] is element k of the tile in memory order",
        SOURCE,
        Syntax::Own(&["%in {} : :in -> !type"], &[("in", Kind::Tile)]),
        &[&POINTER],
    )
    .touching(&[Effect::names("in")])
    .from(Origin::Names(&["in"])),
    check: |check| {
        let ty = check.tile("in").ty;
        let pointer = check.site.pointer("result");
        // The address space is named by the location or by its buffer, such as `vec` or `ub`.
        let (location, buffer) = (ty.location.word(), ty.buffer().word().to_lowercase());
        let fits = pointer.is_some_and(|(element, space)| {
            element == ty.element && space.is_some_and(|space| space == location || space == buffer)
        });
        check.require(&POINTER, "in", fits, |check| {
            let (element, location) = (element_word(ty.element), ty.location.word());
            format!("a pointer to {} is a `!pto.ptr<{element}, {location}>`", check.name("in"))
        });
    },
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let (tile, result) = (prepare.tile("in")?, prepare.pointer("result")?);
        Ok(Box::new(move |state: &mut State<'_>| {
            state.scalars[result] = chip_address(state.live(&tile).address);
            Ok(())
        }))
    },
};
