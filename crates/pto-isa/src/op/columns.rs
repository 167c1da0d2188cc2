//! Column-major tiles with a single column, as operands of instructions that otherwise require row-major tiles.
//!
//! Such a column has the memory layout of a row, so an instruction could accept it. The headers of most
//! instructions assert row-major tiles; the table lists the instructions whose header on A2/A3 or A5 does not.
//! Instructions that are not in the table reject such a column on both.

use super::common::ROW_MAJOR;
use super::site::Check;
use crate::diag::Severity;
use crate::profile::PerProfile;
use crate::tile::{BLayout, SLayout, TileType};

/// Whether an instruction accepts a column-major column.
#[derive(Clone, Copy)]
enum Column {
    /// The header asserts row-major tiles.
    Refused,
    /// The page requires row-major tiles, the header does not.
    Extension,
    /// Neither page nor header requires row-major tiles, or the header has a path for columns.
    Taken,
}

use Column::{Extension, Refused, Taken};

/// Page name, on A2/A3, on A5. Source: `static_assert`s in `include/pto/npu/{a2a3,a5}/T*.hpp`; `docs/isa/T*.md`.
const TABLE: &[(&str, Column, Column)] = &[
    ("tadds", Extension, Extension),
    ("taddsc", Extension, Extension),
    ("tands", Refused, Refused),
    ("taxpy", Taken, Taken),
    ("tci", Taken, Taken),
    ("tcmp", Extension, Refused),
    ("tcmps", Extension, Extension),
    ("tdivs", Extension, Extension),
    ("texpands", Taken, Refused),
    ("tfmods", Refused, Extension),
    ("tgatherb", Refused, Extension),
    ("tlrelu", Extension, Extension),
    ("tmaxs", Extension, Extension),
    ("tmins", Taken, Taken),
    ("tmuls", Extension, Extension),
    ("tneg", Taken, Taken),
    ("tpartadd", Refused, Extension),
    ("tpartargmax", Taken, Taken),
    ("tpartargmin", Taken, Taken),
    ("tpartmax", Refused, Extension),
    ("tpartmin", Refused, Extension),
    ("tpartmul", Refused, Extension),
    ("trecip", Extension, Extension),
    ("trems", Refused, Extension),
    ("tscatter", Taken, Taken),
    ("tshls", Taken, Taken),
    ("tshrs", Taken, Taken),
    ("tsubs", Taken, Taken),
    ("tsubsc", Extension, Extension),
    ("ttri", Refused, Extension),
];

/// Whether a tile is a single column, stored column-major.
pub(super) fn is_column(ty: &TileType) -> bool {
    ty.cols == 1 && (ty.blayout, ty.slayout) == (BLayout::ColMajor, SLayout::NoneBox)
}

/// Checks whether the instruction accepts a column-major column in a role.
pub(super) fn check(check: &mut Check<'_>, role: &str) {
    let name = check.site.instruction.page().name;
    let row = TABLE.iter().find(|(page, ..)| *page == name);
    let (a2a3, a5) = row.map_or((Refused, Refused), |(_, a2a3, a5)| (*a2a3, *a5));
    let weight = match PerProfile::new(Taken, a2a3, a5).of(check.profile()) {
        Refused => Severity::Error,
        Extension => Severity::Extension,
        Taken => return,
    };
    check.judge(weight, &ROW_MAJOR, role, false, |check| {
        let (tile, profile) = (check.name(role), check.profile().word());
        let who = if weight == Severity::Error { "header" } else { "page" };
        format!("{tile} is a column stored in columns, and the {who} of `{name}` on {profile} asks for rows")
    });
    check.help(|check| as_a_row(check, role));
}

/// The help for a column where rows are asked for: its bytes under the name of a row, since a row-major tile of one column
/// has rows of fewer than 32 bytes.
fn as_a_row(check: &Check<'_>, role: &str) -> String {
    let (tile, name) = (check.tile(role), check.name(role));
    let column = tile.ty;
    let open = column.valid_rows.is_none();
    let row = TileType {
        rows: 1,
        cols: column.rows,
        valid_rows: if open { None } else { column.valid_cols },
        valid_cols: column.valid_rows,
        blayout: BLayout::RowMajor,
        ..column
    };
    let [from, to] = [column, row].map(|ty| ty.text(true));
    let valid = match open {
        true => " give it its valid columns with `pto.set_validshape %row, %c1, %rows : <type>`, and",
        false => " and",
    };
    let name = name.trim_matches('`');
    format!(
        "name the bytes of the column as a row, `%row = pto.treshape {name} : {from} -> {to}`,{valid} compute on that row; \
         see `pto explain alias`"
    )
}
