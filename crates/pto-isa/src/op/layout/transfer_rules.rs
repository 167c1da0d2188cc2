//! Rules and messages shared by moves between tiles.

use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::op::common::{self, Types, words};
use crate::op::site::{Check, Fact, TileFact};
use crate::profile::{A2A3_ONLY, CPU_AND_A2A3, CPU_ONLY, NPU, PerProfile, Profile};
use crate::rule::{ERROR_OR_NPU_EXTENSION, Rule};
use crate::tile::Location;
use Element::{Bf16, E1M2x2, E2M1x2, E4M3, E5M2, E8M0, F16, F32, HiF8, I8, I16, I32, I64, U8, U16, U32, U64};

pub(super) const LISTED: Rule = Rule::new(
    "vec-element-type",
    "Vec tiles are moved with the element types that the profile lists.",
    "seed TINSERT, Vec to Vec and Vec to Mat; docs/isa/TEXTRACT.md, Vec to Vec",
)
.because("The device has no encoding of the move for this element type.")
.instead("Use an element type that the message lists, or reinterpret the tile with TRESHAPE.")
.weighing(ERROR_OR_NPU_EXTENSION)
.only(NPU);
pub(super) const FILL: Rule = Rule::new(
    "fill-value",
    "A fill value is a scalar of the destination's element type.",
    "seed Layout And Rearrangement: FP variants require a valid fill value",
)
.because("The value is stored without conversion.")
.instead("Pass a scalar of the destination's element type.");

pub(super) const PROFILE_TYPE: Rule = Rule::new(
    "profile-type",
    "Floats of 8 and 4 bits are for A5.",
    "seed Layout And Rearrangement, Type Support by Target Profile",
)
.because("A2/A3 has no such formats.")
.instead("Use i8 or f16, or compile for a5.")
.weighing(&[(Severity::Error, A2A3_ONLY), (Severity::Extension, CPU_ONLY)])
.only(CPU_AND_A2A3);

/// The rules in this file that every moving instruction has.
pub(super) const RULES: &[&Rule] = &[&PROFILE_TYPE, &common::SAME_TYPE];

/// Element types of moves between vec tiles and from vec to mat.
pub(super) const VEC_TYPES: Types = Types {
    a2a3: &[I8, U8, I16, U16, F16, Bf16, F32, I32, U32],
    a5: &[F16, Bf16, F32, I32, I8, HiF8, E4M3, E5M2, E8M0, E2M1x2, E1M2x2],
    a2a3_header: MATRIX,
    a5_header: MATRIX_A5,
};

/// The types of the matrix of the seed's page on A2/A3. Those that an instruction's own page lacks are extensions.
pub(super) const MATRIX: &[Element] = &[F32, F16, Bf16, I8, U8, I16, U16, I32, U32, I64, U64];
/// The types of this matrix on A5.
pub(super) const MATRIX_A5: &[Element] = &[F32, F16, Bf16, I8, U8, I16, U16, I32, U32, I64, U64, E4M3, E5M2];

/// Whether the matrix of the seed's page has a type on a device.
pub(super) fn in_matrix(profile: Profile, element: Element) -> bool {
    PerProfile::new(&[][..], MATRIX, MATRIX_A5).of(profile).contains(&element)
}

/// Checks the element type of a copied operand. `list`: types on the page of the instruction. A type outside it is an
/// extension if the matrix of the seed's page has it, else an error.
pub(super) fn copied_type(check: &mut Check<'_>, rule: &'static Rule, element: Element, list: &[Element]) {
    let severity = match in_matrix(check.profile(), element) {
        true => Severity::Extension,
        false => Severity::Error,
    };
    check.judge(severity, rule, "src", list.contains(&element), |check| {
        let (name, word, profile) = (check.name("src"), element_word(element), check.profile().word());
        format!("{name} holds {word}; {profile} has {}", words(list))
    });
}

/// Units of the offsets of a move: multiples of `row` rows and `col` columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Units {
    pub(super) row: usize,
    pub(super) col: usize,
}

impl Units {
    /// Any offset.
    pub(super) const ANY: Units = Units { row: 1, col: 1 };
}

/// Formats that the seed's table lacks on a profile; the simulator supports E4M3 and E5M2 although the table lacks
/// them.
const MISSING: PerProfile<&[Element]> =
    PerProfile::new(&[E4M3, E5M2], &[HiF8, E4M3, E5M2, E8M0, E2M1x2, E1M2x2], &[]);

/// Checks that the profile has the element types of the tiles; reports the first that it lacks.
pub(super) fn profile_types(check: &mut Check<'_>) -> bool {
    let small = |element: Element| MISSING.of(check.profile()).contains(&element);
    let first = check.site.operands.iter().find_map(|operand| match &operand.fact {
        Fact::Tile(tile) if small(tile.element()) => Some((operand.role, tile.element())),
        _ => None,
    });
    let Some((role, element)) = first else { return true };
    let severity = if check.profile().is_device() { Severity::Error } else { Severity::Extension };
    check.judge(severity, &PROFILE_TYPE, role, false, |check| {
        let (name, word, profile) = (check.name(role), element_word(element), check.profile().word());
        format!("{name} holds {word}, which {profile} has not: a5 has it")
    })
}

/// Checks that source and destination have one element type.
pub(super) fn same_type(check: &mut Check<'_>) {
    common::same_type(check, "src", "dst");
}

/// Checks that the profile lists the element type for moves of vec tiles.
pub(super) fn listed(check: &mut Check<'_>) {
    let list = PerProfile::a2a3_or(VEC_TYPES.a2a3, VEC_TYPES.a5).of(check.profile());
    copied_type(check, &LISTED, check.tile("src").element(), list);
}

/// Checks that the window of `extents` at `row` and `col` is inside `limits`, the extents of the tile in `role`.
pub(super) fn window(
    check: &mut Check<'_>,
    rule: &'static Rule,
    role: &str,
    extents: [Option<u32>; 2],
    limits: [u32; 2],
) {
    window_at(check, rule, role, ["row", "col"], extents, limits);
}

/// Checks that a window is inside its tile; the roles of its offsets are given.
pub(super) fn window_at(
    check: &mut Check<'_>,
    rule: &'static Rule,
    role: &str,
    offsets: [&str; 2],
    extents: [Option<u32>; 2],
    limits: [u32; 2],
) {
    for (at, offset_role) in offsets.into_iter().enumerate() {
        let offset = check.site.scalar(offset_role).and_then(|(_, value)| value);
        let start = offset.unwrap_or(0);
        let end = start.saturating_add(i64::from(extents[at].unwrap_or(0)));
        let inside = start >= 0 && end <= i64::from(limits[at]);
        check.require(rule, offset_role, inside, |check| {
            let unit = if at == 0 { "rows" } else { "columns" };
            let count = extents[at].map_or("?".into(), |extent| extent.to_string());
            format!(
                "{count} {unit} from {start} on reach outside {}, which has {}",
                check.name(role),
                limits[at]
            )
        });
    }
}

/// Checks that `row` and `col` are multiples of the units; negative ones are outside any window.
pub(super) fn aligned(check: &mut Check<'_>, rule: &'static Rule, units: Units) {
    for (role, unit) in [("row", units.row), ("col", units.col)] {
        let offset = check.site.scalar(role).and_then(|(_, value)| value);
        let fits = offset.is_none_or(|offset| offset < 0 || offset % unit as i64 == 0);
        check.require(rule, role, fits, |_| format!("{} is not a multiple of {unit}", offset.unwrap_or(0)));
    }
}

/// Checks that the optional fill value fits the destination.
pub(super) fn fill(check: &mut Check<'_>) {
    let Some((ty, _)) = check.site.scalar("fill") else { return };
    let element = check.tile("dst").element();
    check.require(&FILL, "fill", ty.element() == element && !element.is_packed(), |check| {
        format!(
            "{} is {}, but {} holds {}",
            check.name("fill"),
            ty.word(),
            check.name("dst"),
            element_word(element)
        )
    });
}

/// A message that a profile does not move between two locations, with the profiles that do.
pub(super) fn pair_message(
    verb: &str,
    profile: Profile,
    from: Location,
    to: Location,
    fits: fn(Profile, Location, Location) -> bool,
) -> String {
    let others: Vec<_> =
        Profile::ALL.into_iter().filter(|other| fits(*other, from, to)).map(Profile::word).collect();
    let others = others.join(", ");
    format!("{} does not {verb} from {} to {}; {others} does", profile.word(), from.word(), to.word())
}

/// Whether a tile is row-major without boxes and has a single row, like the operand of a matrix-vector product.
pub(super) fn is_vector_row(tile: &TileFact) -> bool {
    tile.ty.rows == 1 && tile.ty.blayout == crate::tile::BLayout::RowMajor
}
