//! Workspaces that A2/A3 uses: their element types and sizes, and operands that must not overlap.
//!
//! One row of a table for each instruction. Sources: `include/pto/npu/a2a3/T*.hpp`; `docs/isa/T*.md`, Temporary Space;
//! `PTO_IR_manual.md` of the public assembler.

use super::common::vec_row_major;
use super::effect::{Access, Effect};
use super::room::{self, COLUMN_PLACES, Extents, ROW_PLACES, Room};
use super::site::{Check, Fact, OperandFact, Site, TileFact};
use crate::diag::{Diagnostic, Severity};
use crate::element::{Element, element_word};
use crate::profile::{A2A3_ONLY, A5_ONLY, NPU, Profile};
use crate::rule::Rule;
use crate::rules::values::OVERLAP;
use crate::tile::{BLayout, Location, SLayout};

const SOURCE: &str = "docs/isa/T*.md, Temporary Space; include/pto/npu/a2a3/T*.hpp";

pub(super) const TMP_TYPE: Rule = Rule::new(
    "tmp-type",
    "The workspace is a vec tile in rows with the element type that the instruction keeps in it.",
    SOURCE,
)
.because("The device keeps intermediate elements there, and reads them back in that format.")
.instead("Declare the workspace as the message requires.")
.only(A2A3_ONLY);
pub(super) const TMP_ROOM: Rule = Rule::new(
    "tmp-room",
    "The workspace is large enough for the instruction's intermediate results; header, page and the assembler's manual may require different sizes.",
    SOURCE,
)
.because("The device writes beyond a smaller tile.")
.instead("Declare the largest of the sizes that the message names.")
.weighing(&[(Severity::Error, A2A3_ONLY), (Severity::Lint, A2A3_ONLY)])
.only(A2A3_ONLY);
pub(super) const APART: Rule = Rule::new(
    "apart",
    "A tile that the instruction writes before it has read all other tiles overlaps none of them.",
    "docs/isa/TANDS.md, TORS.md, TXOR.md, TXORS.md, TPRELU.md, TROWEXPAND*.md, manual mode",
)
.because("The device computes in several steps, the first of which overwrites what later ones read.")
.instead("Give each of the tiles bytes of its own.")
.only(NPU);

/// The contents of a workspace.
#[derive(Clone, Copy)]
enum Holds {
    /// Elements of the type of the tile in a role.
    Like(&'static str),
    /// Mask bits, in bytes.
    Bytes,
    /// Mask bits, in 32-bit words.
    Words,
}

/// Number of sources: header, page and assembler manual. A use that all of them reject is an error.
const SOURCES: usize = 3;

/// A page with a workspace on A2/A3.
struct Row {
    page: &'static str,
    holds: Holds,
    /// Whether a column-major column is accepted.
    column: bool,
    room: &'static [Room],
    /// Whether rows and columns are counted in the valid region of the workspace, not in its declared shape.
    by_valid: [bool; 2],
    /// Whether A5, which ignores the workspace, accepts only a vec tile in rows.
    rows_on_a5: bool,
}

const fn row(page: &'static str, holds: Holds, room: &'static [Room]) -> Row {
    Row { page, holds, column: false, room, by_valid: [false; 2], rows_on_a5: false }
}

const TABLE: &[Row] = &[
    row("tcolargmax", Holds::Like("src"), COLUMN_PLACES),
    row("tcolargmin", Holds::Like("src"), COLUMN_PLACES),
    row("tpow", Holds::Like("dst"), &[("header", room::LIKE_DST), ("page", room::LIKE_DST)]),
    row("tpows", Holds::Like("dst"), &[("header", room::LIKE_DST), ("page", room::LIKE_DST)]),
    Row {
        by_valid: [false, true],
        rows_on_a5: true,
        ..row(
            "tprelu",
            Holds::Bytes,
            &[("header", room::MASK_ROW), ("page", room::MASK_ROW), ("manual", room::MASK_ROW)],
        )
    },
    row(
        "trem",
        Holds::Like("dst"),
        &[("header", room::REMAINDERS), ("page", room::REMAINDERS), ("manual", room::TWO_ROWS)],
    ),
    Row {
        by_valid: [true; 2],
        rows_on_a5: true,
        ..row(
            "trems",
            Holds::Like("dst"),
            &[("header", room::ONE_ROW), ("page", room::ONE_ROW), ("manual", room::ONE_ROW)],
        )
    },
    Row { column: true, ..row("trowargmax", Holds::Like("src"), ROW_PLACES) },
    Row { column: true, ..row("trowargmin", Holds::Like("src"), ROW_PLACES) },
    row("trowmax", Holds::Like("src"), &[]),
    row("trowmin", Holds::Like("src"), &[]),
    row("trowprod", Holds::Like("src"), &[]),
    row("trowsum", Holds::Like("src"), &[]),
    row("tsel", Holds::Words, &[]),
    row(
        "txor",
        Holds::Like("dst"),
        &[("header", room::LIKE_DST), ("page", room::LIKE_DST), ("manual", room::LIKE_DST)],
    ),
    row("txors", Holds::Like("dst"), &[("page", room::LIKE_DST)]),
];

/// Pages, profiles, and pairs of roles that must not overlap.
type Disjoint = (&'static [&'static str], &'static [Profile], &'static [[&'static str; 2]]);

const DISJOINT: &[Disjoint] = &[
    (&["tands", "tors"], NPU, &[["src", "dst"]]),
    (&["txors"], A2A3_ONLY, &[["src", "dst"], ["tmp", "dst"], ["tmp", "src"]]),
    (&["txor", "tprelu"], A2A3_ONLY, WITH_TWO_SOURCES),
    (
        &[
            "trowexpandadd",
            "trowexpanddiv",
            "trowexpandexpdif",
            "trowexpandmax",
            "trowexpandmin",
            "trowexpandmul",
            "trowexpandsub",
        ],
        A2A3_ONLY,
        &[["tmp", "dst"], ["tmp", "src0"], ["tmp", "src1"]],
    ),
];
const WITH_TWO_SOURCES: &[[&str; 2]] =
    &[["src0", "dst"], ["src1", "dst"], ["tmp", "dst"], ["tmp", "src0"], ["tmp", "src1"]];

/// Checks the rules of workspaces and of overlapping operands, for pages in the tables.
pub(super) fn check(check: &mut Check<'_>) {
    // Most pages are in neither table, which takes less time to see than that they do not have the rules.
    let page = check.site.instruction.page();
    let pairs = DISJOINT.iter().filter(|(pages, ..)| pages.contains(&page.name));
    for (_, profiles, pairs) in pairs.filter(|_| page.rules.contains(&&APART)) {
        if profiles.contains(&check.profile()) {
            apart(check, pairs);
        }
    }
    let row = TABLE.iter().find(|row| row.page == page.name);
    if let (Some(row), Some(tmp)) = (row, check.site.tile("tmp"))
        && page.rules.contains(&&TMP_TYPE)
    {
        contents(check, tmp, row);
        if row.rows_on_a5 && A5_ONLY.contains(&check.profile()) {
            vec_row_major(check, "tmp");
        }
    }
}

fn contents(check: &mut Check<'_>, tmp: &TileFact, row: &Row) {
    let element = tmp.element();
    let (fits, want) = match row.holds {
        Holds::Like(role) => {
            let like = check.tile(role).element();
            // Integer powers are computed by the scalar unit and need no workspace.
            if like.is_integer() && matches!(row.page, "tpow" | "tpows") {
                return;
            }
            (element == like, element_word(like))
        }
        Holds::Bytes => (matches!(element, Element::I8 | Element::U8), "ui8"),
        Holds::Words => (matches!(element, Element::I32 | Element::U32), "ui32"),
    };
    let plain = tmp.location() == Location::Vec
        && tmp.ty.slayout == SLayout::NoneBox
        && (tmp.ty.blayout == BLayout::RowMajor || row.column);
    let typed = check.require(&TMP_TYPE, "tmp", fits && plain, |check| {
        format!(
            "{} is {} {}, not a vec tile of {want} in rows",
            check.name("tmp"),
            tmp.ty.brief(),
            tmp.ty.blayout.word()
        )
    });
    if typed {
        check_room(check, tmp, row);
    }
}

/// Checks the size: an error if all sources require more, a lint if some do.
fn check_room(check: &mut Check<'_>, tmp: &TileFact, row: &Row) {
    let Some(extents) = Extents::of(check.site) else { return };
    let [by_rows, by_cols] = row.by_valid;
    // Unknown valid extents are checked when the program runs.
    let have_rows = if by_rows { tmp.rows } else { Some(tmp.ty.rows) };
    let have_cols = if by_cols { tmp.cols } else { Some(tmp.ty.cols) };
    let is_short = |(_, need): &&Room| {
        let (tall, wide) = need(&extents);
        have_rows.is_some_and(|rows| rows < tall) || have_cols.is_some_and(|cols| cols < wide)
    };
    let refusing = row.room.iter().filter(is_short).count();
    let weight = if refusing == SOURCES { Severity::Error } else { Severity::Lint };
    check.judge(weight, &TMP_ROOM, "tmp", refusing == 0, |check| {
        let size = |(who, need): &Room| {
            let (tall, wide) = need(&extents);
            format!("{who} {tall}x{wide}")
        };
        let sizes: Vec<_> = row.room.iter().map(size).collect();
        let (name, sizes) = (check.name("tmp"), sizes.join(", "));
        let valid =
            if by_cols { format!(" with {} valid elements", tmp.valid_text()) } else { String::new() };
        format!("{name} is declared {}x{}{valid}; asked for is, by {sizes}", tmp.ty.rows, tmp.ty.cols)
    });
}

/// A lint if a written tile overlaps a read tile at a different address.
pub(super) fn overlap(site: &Site<'_>) -> Option<Diagnostic> {
    let placed = site
        .operands
        .iter()
        .filter(|operand| matches!(&operand.fact, Fact::Tile(tile) if tile.address.is_some()));
    if placed.count() < 2 || !site.instruction.page().set.has_formulas() {
        return None;
    }
    let effects = site.instruction.effects(site);
    let tiles = |access: &dyn Fn(Access) -> bool| -> Vec<&OperandFact<'_>> {
        let roles: Vec<_> =
            effects.iter().filter(|effect| access(effect.access)).filter_map(Effect::role).collect();
        site.operands.iter().filter(|operand| roles.contains(&operand.role)).collect()
    };
    let read = tiles(&|access| access == Access::Read);
    for written in tiles(&|access| matches!(access, Access::Write | Access::PartialWrite)) {
        let Fact::Tile(dst) = &written.fact else { continue };
        for source in &read {
            let Fact::Tile(src) = &source.fact else { continue };
            if src.address != dst.address && src.shares_bytes(dst) {
                let message = format!(
                    "`%{}` at byte {} and `%{}` at byte {} overlap in part",
                    source.name,
                    src.address.unwrap_or(0),
                    written.name,
                    dst.address.unwrap_or(0)
                );
                return Some(Diagnostic::new(Severity::Lint, &OVERLAP, message).at(site.span));
            }
        }
    }
    None
}

/// Checks that the tiles in each pair of roles do not overlap.
fn apart(check: &mut Check<'_>, pairs: &[[&str; 2]]) {
    for [a, b] in pairs.iter().copied() {
        let (Some(one), Some(other)) = (check.site.tile(a), check.site.tile(b)) else { continue };
        let name = |role: &str| check.site.operand(role).map(|operand| (operand.name, operand.defined));
        // One tile overlaps itself, with an address or without.
        let same = name(a) == name(b);
        let shared = same || one.shares_bytes(other);
        check.require(&APART, a, !shared, |check| {
            if same {
                return format!("{} is both `{a}` and `{b}`", check.name(a));
            }
            let end = |tile: &TileFact| tile.address.unwrap_or(0) + tile.ty.bytes() as u64;
            format!(
                "{} at bytes {} to {} overlaps {} at bytes {} to {}",
                check.name(a),
                one.address.unwrap_or(0),
                end(one),
                check.name(b),
                other.address.unwrap_or(0),
                end(other)
            )
        });
    }
}
