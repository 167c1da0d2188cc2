//! SET_VALIDSHAPE: changes the valid region of a tile.

use super::support::page;
#[cfg(feature = "run")]
use crate::exec::state::{Fault, State};
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};
use crate::op::scalar_unit::ScalarInstruction;
use crate::rule::Rule;

const SOURCE: &str = "docs/isa/tile/ops/view-and-tile-buf/set-validshape.md";
const RANGE: Rule = Rule::new("range", "The valid region lies inside the declared shape.", SOURCE)
    .because("Elements outside of the declared shape are bytes of other tiles.")
    .instead("Limit the extents to the declared shape.");
const DYNAMIC: Rule =
    Rule::new("dynamic", "The tile's type leaves both extents of its valid region open (`?`).", SOURCE)
        .because("Extents in the type are constants of the compiled code.")
        .instead("Declare the tile with `valid=?x?`, even if one of the extents is constant.");

pub(super) static SET_VALIDSHAPE: ScalarInstruction = ScalarInstruction {
    page: page(
        "set_validshape",
        "Changes the numbers of valid rows and columns of a tile.",
        "valid region of tile = rows x cols",
        SOURCE,
        Syntax::Own(
            &["%tile , %rows , %cols {} : :tile"],
            &[("tile", Kind::Tile), ("rows", Kind::Index), ("cols", Kind::Index)],
        ),
        &[&RANGE, &DYNAMIC],
    )
    .touching(&[Effect::names("tile")]),
    check: |check| {
        let ty = check.tile("tile").ty;
        let dynamic = ty.valid_rows.is_none() && ty.valid_cols.is_none();
        check.require(&DYNAMIC, "tile", dynamic, |check| {
            let shown = |extent: Option<u32>| extent.map_or("?".to_owned(), |extent| extent.to_string());
            let (rows, cols) = (shown(ty.valid_rows), shown(ty.valid_cols));
            format!("the type of {} has `valid={rows}x{cols}`: both extents must be open", check.name("tile"))
        });
        for (role, limit) in [("rows", ty.rows), ("cols", ty.cols)] {
            let value = check.site.scalar(role).and_then(|(_, value)| value);
            let inside = value.is_none_or(|value| (0..=i64::from(limit)).contains(&value));
            check.require(&RANGE, role, inside, |check| {
                format!("{} valid {role}, but {} has {limit}", value.unwrap_or(0), check.name("tile"))
            });
        }
    },
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let tile = prepare.tile("tile")?;
        let (rows, cols) = (prepare.scalar("rows")?.0, prepare.scalar("cols")?.0);
        Ok(Box::new(move |state: &mut State<'_>| {
            let (rows, cols) = (state.scalars[rows], state.scalars[cols]);
            if rows > u64::from(tile.ty.rows) || cols > u64::from(tile.ty.cols) {
                return Err(Fault::Rule);
            }
            let live = &mut state.tiles[tile.slot as usize];
            (live.rows, live.cols) = (rows as u32, cols as u32);
            Ok(())
        }))
    },
};
