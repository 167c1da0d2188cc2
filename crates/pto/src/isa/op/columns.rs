//! A single column that is stored in columns, as an operand of an instruction on rows.
//!
//! It lies in memory as a row does, so an instruction could take it. Headers assert otherwise for most; this table names those
//! whose header on A2/A3 or A5 has no such assertion. An instruction that is not named refuses the tile on both.

use super::common::ROW_MAJOR;
use super::site::Check;
use crate::diag::Severity;
use crate::isa::profile::PerProfile;
use crate::isa::tile::{BLayout, SLayout, TileType};

/// What an instruction says to a column.
#[derive(Clone, Copy)]
enum Column {
    /// The header asserts tiles in rows.
    Refused,
    /// The page asks for tiles in rows, the header does not.
    Extension,
    /// Neither does, or the header has a path for it.
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

/// Whether a tile is a single column stored in columns.
pub(super) fn is_column(ty: &TileType) -> bool {
    ty.cols == 1 && (ty.blayout, ty.slayout) == (BLayout::ColMajor, SLayout::NoneBox)
}

/// The rule about such a tile in a role.
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
}
