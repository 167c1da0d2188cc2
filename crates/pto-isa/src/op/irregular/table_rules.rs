//! Rules shared by MGATHER and MSCATTER.

use super::index::is_word;
use super::table::{Coalesce, table_layout};
use crate::element::Element::{Bf16, E4M3, E5M2, F16, F32, HiF8, I8, I16, I32, U8, U16, U32};
use crate::element::{Element, element_word};
use crate::layout::LayoutName;
use crate::op::common::{NUMBERS, Types, agree, element_type, valid_regions, vec};
use crate::op::site::{Check, GlobalLayout};
use crate::profile::{A2A3_ONLY, A5_ONLY, CPU_AND_A5, NPU, Profile};
use crate::rule::{Rule, Severity};

const PAGES: &str = "docs/isa/MGATHER.md, docs/isa/MSCATTER.md";

pub(super) const ELEMENT: Rule =
    Rule::new("element-type", "The profile has the instruction for the element type.", PAGES)
        .because("The device has no transfer of single elements in this format.")
        .instead("Use an element type that the message lists.");
pub(super) const SAME_TYPE: Rule =
    Rule::new("same-type", "Table and tile have one element type; in the simulator one element size.", PAGES)
        .because("Elements are copied as bytes, without conversion.")
        .instead("Declare table and tile with one element type.");
pub(super) const LOCATION: Rule = Rule::new("location", "The tiles are vector tiles.", PAGES)
    .because("Single elements and rows are transferred to and from UB only.")
    .instead("Use vec tiles.")
    .only(NPU);
pub(super) const LAYOUTS: Rule = Rule::new(
    "layout-pair",
    "Tables are ND with tiles in rows; on A2/A3 also NZ with NZ tiles, on A5 also ND with tiles in columns.",
    "docs/isa/MGATHER.md, Layout Support",
)
.because("The device computes addresses for these pairs of layouts only.")
.instead("Declare the layouts of table and tile as one of the pairs in the statement.");
pub(super) const NZ_SHAPE: Rule = Rule::new(
    "nz-shape",
    "An NZ table has boxes of 16 rows of 32 bytes.",
    "docs/isa/MGATHER.md, Tile Constraints (A2/A3)",
)
.because("The device reads whole boxes of 512 bytes.")
.instead("Give the view 16 rows of 32 bytes in its last two dimensions.");
pub(super) const WIDTH: Rule = Rule::new(
    "row-width",
    "For an access by rows, the table has at least the valid columns of the tile; for a vec tile on A5, exactly these.",
    "docs/isa/MGATHER.md, Tile Constraints (A5)",
)
.because("A row is transferred as one piece, so a part of it would remain or be missing.")
.instead("Give the table the valid columns of the tile.");
pub(super) const PACKED: Rule = Rule::new(
    "packed-table",
    "The rows of the table follow one another without gaps in an access by rows on A5, and in an access to single elements.",
    "docs/isa/MGATHER.md, Tile Constraints (A5)",
)
.because("The device computes addresses from extents alone and ignores strides.")
.instead("Give the view strides without gaps, or copy the table first.")
.weighing(&[(Severity::Error, A5_ONLY), (Severity::Lint, &Profile::ALL)]);
pub(super) const INDEX_TYPE: Rule = Rule::new("index-type", "Indices are integers of 32 bits.", PAGES)
    .because("The device reads each index as a word of 32 bits.")
    .instead("Declare the index tile as i32 or ui32.");
pub(super) const INDEX_LAYOUT: Rule = Rule::new(
    "index-layout",
    "Index tiles have no boxes; on A2/A3 they are in rows; on A5 a single column of row indices is in columns.",
    "docs/isa/MGATHER.md, Layout Support",
)
.because("The device reads indices at consecutive addresses.")
.instead("Declare the index tile with the layout in the statement.")
.only(NPU);
pub(super) const INDEX_SHAPE: Rule = Rule::new(
    "index-shape",
    "There is an index for each element of the tile's valid region; in an access by rows, one row of indices, on A5 also one \
     column.",
    "docs/isa/MGATHER.md, Mode Resolution",
)
.because("An element or row without an index has no place in the table.")
.instead("Give the index tile one index per element, or one row with an index per row.");
pub(super) const INDEX_RANGE: Rule = Rule::new(
    "index-range",
    "An index selects a row or an element of the table, unless a mode defines indices outside the table; it is read as unsigned.",
    PAGES,
)
.because("A device accesses memory outside of the table.")
.instead("Keep indices below the table's size, or write a mode such as clamp.");
/// The rules of both instructions.
pub(super) const RULES: &[&Rule] = &[
    &ELEMENT,
    &SAME_TYPE,
    &LOCATION,
    &LAYOUTS,
    &NZ_SHAPE,
    &WIDTH,
    &PACKED,
    &INDEX_TYPE,
    &INDEX_LAYOUT,
    &INDEX_SHAPE,
    &INDEX_RANGE,
];

pub(super) const TYPES: Types = Types {
    a2a3: NUMBERS,
    a5: &[I8, U8, I16, U16, I32, U32, F16, Bf16, F32, HiF8, E4M3, E5M2],
    a2a3_header: &[],
    a5_header: &[],
};

/// Profiles that transfer between an ND table and a DN tile.
const DN_TILES: &[Profile] = A5_ONLY;
/// Profiles that support NZ tables.
const NZ_TABLES: &[Profile] = A2A3_ONLY;
/// Profiles on which a table must have exactly the valid columns of a vec tile.
const SAME_WIDTH: &[Profile] = A5_ONLY;
/// Profiles on which a column of indices is a DN tile.
const DN_INDICES: &[Profile] = A5_ONLY;
/// Profiles that accept a column of row indices.
const INDICES_DOWN: &[Profile] = CPU_AND_A5;

/// Checks the table and its tile; `mat`: the tile is in L1.
pub(super) fn check_table(check: &mut Check<'_>, table: &str, data: &str, mat: bool) {
    if !mat {
        vec(check, data);
    }
    element_type(check, data, &TYPES, &|element| !element.is_packed());
    let tile = check.tile(data);
    let Some(view) = check.site.view(table).cloned() else { return };
    let (have, want) = (view.element, tile.element());
    let same = have == want || !check.profile().is_device() && have.bits() == want.bits();
    check.require(&SAME_TYPE, table, same, |check| {
        let (have, want) = (element_word(have), element_word(want));
        format!("{} holds {have}, but {} holds {want}", check.name(table), check.name(data))
    });
    let (layout, name) = (table_layout(check.site, table), tile.ty.layout().name);
    let profile = check.profile();
    let pair = match (layout, name) {
        (GlobalLayout::Dn, _) => false,
        _ if !profile.is_device() => true,
        (GlobalLayout::Nd, _) if mat => name == LayoutName::Nz && tile.ty.fractal == 512,
        (GlobalLayout::Nd, LayoutName::Nd) => true,
        (GlobalLayout::Nd, LayoutName::Dn) => DN_TILES.contains(&profile),
        (GlobalLayout::Nz, LayoutName::Nz) => NZ_TABLES.contains(&profile) && !mat && tile.ty.fractal == 512,
        _ => false,
    };
    check.require(&LAYOUTS, table, pair, |check| {
        let (from, to) = (layout.word(), name.word());
        format!("{} is {from}, {} is {to}", check.name(table), check.name(data))
    });
    if layout == GlobalLayout::Nz {
        let inner = (view.shape.len() >= 2).then(|| &view.shape[view.shape.len() - 2..]);
        let wide = u64::from(256 / have.bits());
        let fits = inner.is_some_and(|inner| {
            inner[0].is_none_or(|rows| rows == 16) && inner[1].is_none_or(|cols| cols == wide)
        });
        check.require(&NZ_SHAPE, table, fits, |check| {
            format!("the last two extents of {} are not 16 and {wide}", check.name(table))
        });
    }
    let Some((_, cols)) = view.matrix(layout) else { return };
    if Coalesce::of(check.site, data) != Some(Coalesce::Row) {
        return;
    }
    let exact = SAME_WIDTH.contains(&profile) && !mat;
    let fits = cols
        .zip(tile.cols)
        .is_none_or(|(have, need)| if exact { have == u64::from(need) } else { have >= u64::from(need) });
    check.require(&WIDTH, table, fits, |check| {
        let cols = cols.unwrap_or(0);
        let (table, data) = (check.name(table), check.name(data));
        format!("{table} has {cols} columns, {data} has {} valid elements", tile.valid_text())
    });
}

/// Checks a tile of indices.
pub(super) fn check_indices(check: &mut Check<'_>, data: &str) {
    vec(check, "idx");
    let (idx, tile) = (check.tile("idx"), check.tile(data));
    index_type(check, idx.element());
    let Some(coalesce) = Coalesce::of(check.site, data) else { return };
    let (profile, layout) = (check.profile(), idx.ty.layout().name);
    let column = layout == LayoutName::Dn;
    let line = coalesce == Coalesce::Row;
    let in_column = line && idx.cols == Some(1) && idx.rows.is_some_and(|rows| rows > 1);
    let placed = match layout {
        LayoutName::Nd => !DN_INDICES.contains(&profile) || !in_column || idx.ty.cols == 1,
        LayoutName::Dn => DN_INDICES.contains(&profile) || idx.ty.rows == 1 && idx.ty.cols == 1,
        _ => false,
    };
    check.require(&INDEX_LAYOUT, "idx", placed, |check| {
        format!("{} is {} on {}", check.name("idx"), layout.word(), profile.word())
    });
    let row = agree(idx.rows, Some(1)) && agree(idx.cols, tile.rows);
    let down = agree(idx.cols, Some(1)) && agree(idx.rows, tile.rows);
    let fits = match coalesce {
        Coalesce::Elem => agree(idx.rows, tile.rows) && agree(idx.cols, tile.cols),
        Coalesce::Row if column => down || row,
        Coalesce::Row => row || down && INDICES_DOWN.contains(&profile),
    };
    check.require(&INDEX_SHAPE, "idx", fits, |check| {
        let words = if line { "by rows" } else { "by elements" };
        format!("{}, {words}", valid_regions(check, "idx", data))
    });
}

/// Checks that indices have 32 bits.
pub(super) fn index_type(check: &mut Check<'_>, element: Element) {
    check.require(&INDEX_TYPE, "idx", is_word(element), |check| {
        format!("{} holds {}", check.name("idx"), element_word(element))
    });
}
