//! GET_VALIDSHAPE: reads the valid region of a tile.

use super::support::page;
#[cfg(feature = "run")]
use crate::exec::state::State;
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};
use crate::op::scalar_unit::ScalarInstruction;

pub(super) static GET_VALIDSHAPE: ScalarInstruction = ScalarInstruction {
    page: page(
        "get_validshape",
        "Reads the numbers of valid rows and columns of a tile.",
        "rows, cols = valid region of tile",
        "docs/PTO_IR_manual.md of the public assembler, pto.get_validshape",
        Syntax::Own(
            &["%tile {} : :tile -> !types", "%tile {} : :tile !index !index"],
            &[("tile", Kind::Tile)],
        ),
        &[],
    )
    .touching(&[Effect::names("tile")]),
    check: |_| {},
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let tile = prepare.tile("tile")?;
        let results = prepare.scalars("result");
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.tiles[tile.slot as usize];
            for (slot, value) in results.iter().zip([live.rows, live.cols]) {
                state.scalars[*slot] = u64::from(value);
            }
            Ok(())
        }))
    },
};
