//! TGETVAL: reads one element of a tile.

use super::support::page;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Kind, Syntax};
use crate::op::picture::{Cells, Paint, Panel, Patch, Picture, arrow};
use crate::op::scalar_unit::ScalarInstruction;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::state::{Fault, State},
    pto_num::get_element,
};

const SOURCE: &str = "docs/PTO_IR_manual.md of the public assembler, pto.tgetval";
pub(super) const RANGE: Rule = Rule::new(
    "range",
    "The index counts elements from the tile's start and stays inside its declared shape.",
    SOURCE,
)
.because("Elements outside of the declared shape are bytes of other tiles.")
.instead("Pass an index below rows times columns of the declared shape.");

/// Element 10 of a tile with rows of 8 elements: row 1, column 2.
const PICTURE: Picture = Picture::tiles(
    "index = 10: elements are counted in the order of memory, here row by row",
    &[
        Panel::source(
            "src",
            (2, 8),
            &[Patch::new((1, 2), (1, 1), Paint::First, "element 10").with(Cells::Words(&["10"]))],
        )
        .in_part()
        .numbered(),
        Panel::destination("result", (1, 1), &[Patch::new((0, 0), (1, 1), Paint::First, "")]),
    ],
    &[arrow((0, 0), (1, 0))],
);

pub(super) static TGETVAL: ScalarInstruction = ScalarInstruction {
    page: page(
        "tgetval",
        "Reads one element of a tile by its offset in memory order.",
        "result = src[index], elements counted from the start of the tile",
        SOURCE,
        Syntax::Own(
            &["ins ( %src , %index : :src , :index ) outs : !type"],
            &[("src", Kind::Tile), ("index", Kind::Index)],
        ),
        &[&RANGE],
    )
    .touching(&[Effect::reads("src").of(Extent::Element("index"))])
    .pictured(&[PICTURE]),
    check: |check| in_range(check, "src"),
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let (src, index) = (prepare.tile("src")?, prepare.scalar("index")?.0);
        let (result, _) = prepare.scalar("result")?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let index = state.scalars[index];
            if index >= src.ty.elements() as u64 {
                return Err(Fault::Rule);
            }
            let address = state.live(&src).address;
            state.scalars[result] = get_element(state.memory, address, index as usize, src.ty.element);
            Ok(())
        }))
    },
};

/// Checks that the index is inside the tile.
pub(super) fn in_range(check: &mut crate::op::site::Check<'_>, role: &str) {
    let index = check.site.scalar("index").and_then(|(_, value)| value);
    let count = check.tile(role).ty.elements() as i64;
    let inside = index.is_none_or(|index| (0..count).contains(&index));
    check.require(&RANGE, "index", inside, |check| {
        format!("index {} lies outside {}, which has {count} elements", index.unwrap_or(0), check.name(role))
    });
}
