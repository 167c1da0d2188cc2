//! Tiles as values: allocation, declaration, and selection of one of several.

use super::pictures::{ONE_OF_SEVERAL, VALID};
use super::{MANUAL, Row, page, rows};
use crate::meaning::Meaning;
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax, form};
use crate::op::origin::Origin;
use crate::op::{Page, Set};

/// The syntax of an allocation of one tile or several.
const ALLOC: Syntax = Syntax::Own(
    &["[? addr = %addr ?] [? valid_row = %valid_row ?] [? valid_col = %valid_col ?] {} : !type"],
    &[("addr", Kind::Integer), ("valid_row", Kind::Index), ("valid_col", Kind::Index)],
);
const EXTENT: Syntax = Syntax::Own(&["%tile {} : :tile -> !type"], &[("tile", Kind::Tile)]);

const fn row(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    syntax: Syntax,
    meaning: Meaning,
) -> Row {
    Row { page: page(Set::Value, name, summary, formula, MANUAL, syntax), meaning }
}

rows! {
    super::control::END;
    ALLOC_TILE = row(
        "alloc_tile",
        "Makes a tile in an on-chip buffer, at a given or a chosen byte address.",
        "result is at addr; valid_row and valid_col give its valid region where the type has `?`",
        ALLOC,
        Meaning::AllocTile
    )
    .from(Origin::Makes)
    .pictured(VALID);
    ALLOC_MULTI_TILE = row(
        "alloc_multi_tile",
        "Makes several tiles of one type, one after the other, from a given or a chosen byte address on.",
        "tile k of result is at addr + k * the bytes of a tile",
        ALLOC,
        Meaning::AllocTile
    )
    .from(Origin::Makes);
    MULTI_TILE_GET = row(
        "multi_tile_get",
        "Names one of several tiles by its index.",
        "result is tile index of source",
        Syntax::Own(
            &["%source [ %index ] {} : :source -> !type"],
            &[("source", Kind::MultiTile), ("index", Kind::Index)],
        ),
        Meaning::MultiTileGet
    )
    .from(Origin::Names(&["source"]))
    .touching(&[Effect::names("source")])
    .pictured(ONE_OF_SEVERAL);
    DECLARE_TILE = row(
        "declare_tile",
        "Makes a tile whose address is given later, by tassign or by a queue.",
        "result has no address yet",
        Syntax::Own(&["{} -> !type"], &[]),
        Meaning::DeclareTile
    )
    .from(Origin::Makes);
    TILE_VALID_ROWS = row(
        "tile_valid_rows",
        "The valid rows of a tile.",
        "result = rows of the valid region of tile",
        EXTENT,
        Meaning::TileExtent { cols: false }
    )
    .touching(&[Effect::names("tile")]);
    TILE_VALID_COLS = row(
        "tile_valid_cols",
        "The valid columns of a tile.",
        "result = columns of the valid region of tile",
        EXTENT,
        Meaning::TileExtent { cols: true }
    )
    .touching(&[Effect::names("tile")]);
    TADDSCRELU = Row {
        page: Page::of(
            Set::TileScalar,
            "taddscrelu",
            "Adds a tile, a scalar and a tile and replaces negative sums by zero.",
            "dst[i, j] = max(src0[i, j] + scalar + src1[i, j], 0)",
            MANUAL,
            Syntax::Destination(&[form!(ins(src0: Tile, scalar: Scalar, src1: Tile) outs(dst: Tile))]),
            &[],
        )
        .touching(&[Effect::reads("src0"), Effect::reads("src1"), Effect::writes("dst")]),
        meaning: Meaning::NotRun,
    };
}
