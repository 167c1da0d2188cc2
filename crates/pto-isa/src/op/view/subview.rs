//! SUBVIEW: creates an alias of a part of a tile.

use super::support::page;
use crate::attribute::Attribute;
#[cfg(feature = "run")]
use crate::exec::state::{Fault, State};
use crate::op::attribute::{AttributeKind, AttributeSpec};
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};
use crate::op::origin::Origin;
use crate::op::picture::{Paint, Panel, Patch, Picture, Span, arrow};
use crate::op::scalar_unit::ScalarInstruction;
use crate::op::site::{Check, Fact};
use crate::rule::Rule;
use crate::tile::TileType;

const SOURCE: &str = "docs/isa/tile/ops/sync-and-config/subview.md";
const SAME: Rule =
    Rule::new("same-kind", "The part has the location, element type and layout of its tile.", SOURCE)
        .because("The part is a view of the same bytes.")
        .instead("Declare the result with the tile's location, element type and layout.");
const WINDOW: Rule = Rule::new(
    "window",
    "The part lies inside the declared shape of its tile; in a compact tile, inside the \
     boxes of the valid region.",
    SOURCE,
)
.because("Elements outside of the tile are bytes of other tiles.")
.instead("Choose offsets and sizes that end within the tile.");
const SIZES: Rule = Rule::new("sizes", "The sizes are the declared rows and columns of the result.", SOURCE)
    .because("Two different sizes contradict each other.")
    .instead("Write the sizes of the result's type.");
const BOX: Rule = Rule::new("box", "In a tile with boxes a window starts at a box.", SOURCE)
    .because("No layout describes a window that starts within a box.")
    .instead("Round offsets to multiples of the box.");
const VALID: Rule = Rule::new(
    "valid",
    "Valid rows and columns in operands are within the sizes, and equal those of the result's type where the type has any.",
    "docs/PTO_IR_manual.md of the public assembler, pto.subview",
)
.because("Two valid regions contradict each other.")
.instead("Write the same numbers in the result's type, or `?` there.");

const OPEN: Rule = Rule::new(
    "open-valid",
    "A subview whose type leaves a valid extent open (`?`) has a `valid` operand, with both extents.",
    "docs/PTO_IR_manual.md of the public assembler, pto.subview",
)
.because("The assembler derives the other valid extents from the type, and finds none there.")
.instead("Write `valid [%rows, %cols]`, or the extents in the result's type.");

const PICTURE: Picture = Picture::tiles(
    "offsets [2, 3], sizes [3, 5]: the part starts at row 2 and column 3",
    &[
        Panel::source("source", (6, 10), &[Patch::new((2, 3), (3, 5), Paint::First, "sizes")])
            .in_part()
            .measured(&[Span::Rows(0, 2, "row"), Span::Columns(0, 3, "col")]),
        Panel::destination("result", (3, 5), &[Patch::new((0, 0), (3, 5), Paint::First, "sizes")]),
    ],
    &[arrow((0, 0), (1, 0))]).noted("No element moves: the part has the address of its first element and the strides of the \
                                     tile. Its valid region is its share of the tile's valid region, unless the program states \
                                     one.");

pub(super) static SUBVIEW: ScalarInstruction = ScalarInstruction {
    page: page(
        "subview",
        "Names a part of a tile; no element moves.",
        "result[i, j] is source[row + i, col + j]",
        SOURCE,
        Syntax::Own(
            &[
                "%source [ %offsets* ] sizes #sizes [? valid [ %valid* ] ?] {} : :source -> !type",
                "%source , offsets = [ %offsets* ] , sizes = #sizes {} : :source -> !type",
            ],
            &[("source", Kind::Other), ("offsets", Kind::Other), ("valid", Kind::Other)],
        ),
        &[&SAME, &WINDOW, &SIZES, &VALID, &OPEN, &BOX],
    )
    .with(&[AttributeSpec::new("sizes", AttributeKind::Integers, "Declared rows and columns of the part.")])
    .touching(&[Effect::names("source")])
    .from(Origin::Names(&["source"]))
    .pictured(&[PICTURE]),
    check: rules,
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let (source, result) = (prepare.tile("source")?, prepare.tile("result")?);
        let offsets = prepare.scalars("offsets");
        let &[row, col] = offsets.as_slice() else { return Err("a part of a tile has two offsets".into()) };
        let valid = prepare.scalars("valid");
        Ok(Box::new(move |state: &mut State<'_>| {
            let (row, col) = (state.scalars[row], state.scalars[col]);
            let inside = |start: u64, extent: usize, limit: usize| {
                usize::try_from(start)
                    .is_ok_and(|start| start.checked_add(extent).is_some_and(|end| end <= limit))
            };
            let [rows, cols] = source.ty.stored().map(|extent| extent as usize);
            if !inside(row, result.rows(), rows) || !inside(col, result.cols(), cols) {
                return Err(Fault::Rule);
            }
            let (row, col) = (row as usize, col as usize);
            if row % source.layout.box_rows != 0 || col % source.layout.box_cols != 0 {
                return Err(Fault::Rule);
            }
            let mut live = state.tiles[source.slot as usize];
            // An extent comes from the operand, else from the result's type, else from the rest of the source's
            // valid region.
            let extent = |at: usize, fixed: Option<u32>, declared: u32, rest: u32| match valid.get(at) {
                Some(slot) => state.scalars[*slot].min(u64::from(declared)) as u32,
                None => fixed.unwrap_or(rest.min(declared)),
            };
            let rest = |valid: u32, start: usize| valid.saturating_sub(start as u32);
            let rows = extent(0, result.ty.valid_rows, result.ty.rows, rest(live.rows, row));
            let cols = extent(1, result.ty.valid_cols, result.ty.cols, rest(live.cols, col));
            live.address += source.ty.element.bytes(source.layout.offset(row, col));
            (live.rows, live.cols) = (rows, cols);
            state.tiles[result.slot as usize] = live;
            Ok(())
        }))
    },
};

fn rules(check: &mut Check<'_>) {
    let (Some(source), Some(result)) = (check.site.tile("source"), check.site.tile("result")) else { return };
    let (a, b) = (source.ty, result.ty);
    let same = (a.location, a.element, a.blayout, a.slayout) == (b.location, b.element, b.blayout, b.slayout);
    check.require(&SAME, "source", same, |check| {
        format!("{} is {}, its part {}", check.name("source"), a.brief(), b.brief())
    });
    let sizes: Vec<i128> = match check.site.attribute("sizes") {
        Some(Attribute::Array(list)) => list.iter().filter_map(Attribute::as_integer).collect(),
        _ => Vec::new(),
    };
    let declared = [i128::from(b.rows), i128::from(b.cols)];
    check.require(&SIZES, "source", sizes == declared, |_| {
        format!("sizes {sizes:?}, but the result is declared {}x{}", b.rows, b.cols)
    });
    check_valid(check, b);
    let offsets: Vec<_> =
        check.site.operands.iter().filter(|operand| operand.role == "offsets").cloned().collect();
    let layout = source.layout();
    let [rows, cols] = a.stored();
    let limits = [(rows, b.rows, layout.box_rows), (cols, b.cols, layout.box_cols)];
    for (operand, (limit, extent, unit)) in offsets.iter().zip(limits) {
        let Fact::Scalar(_, Some(offset)) = operand.fact else { continue };
        let inside = offset >= 0 && offset.saturating_add(i64::from(extent)) <= i64::from(limit);
        check.require(&WINDOW, "offsets", inside, |check| {
            format!("{extent} from {offset} on reach outside {}, which has {limit}", check.name("source"))
        });
        check.require(&BOX, "offsets", offset % unit as i64 == 0, |_| {
            format!("offset {offset} is not a multiple of the box's {unit}")
        });
    }
}

/// Checks the written valid region against the result's type.
fn check_valid(check: &mut Check<'_>, result: TileType) {
    let valid: Vec<_> =
        check.site.operands.iter().filter(|operand| operand.role == "valid").cloned().collect();
    let extents = [("rows", result.valid_rows, result.rows), ("columns", result.valid_cols, result.cols)];
    let fixed = result.valid_rows.is_some() && result.valid_cols.is_some();
    check.require(&OPEN, "source", valid.len() == 2 || valid.is_empty() && fixed, |_| match valid.len() {
        0 => "the result's type has `?` in its valid region, and no `valid` operand gives it".to_owned(),
        count => format!("`valid` has {count} extents, not 2"),
    });
    for (operand, (what, declared, size)) in valid.iter().zip(extents) {
        let Fact::Scalar(_, Some(valid)) = operand.fact else { continue };
        let fits = match declared {
            Some(declared) => valid == i64::from(declared),
            None => (0..=i64::from(size)).contains(&valid),
        };
        check.require(&VALID, "valid", fits, |_| match declared {
            Some(declared) => format!("{valid} valid {what}, but the result's type has {declared}"),
            None => format!("{valid} valid {what}, but the part has {size}"),
        });
    }
}
