//! Rules and lists that many instructions share.

use super::attribute::AttributeSpec;
use super::columns;
use super::site::Check;
use crate::diag::Severity;
use crate::element::Element::{Bf16, F16, F32, I8, I16, I32, U8, U16, U32};
use crate::element::{Element, element_word};
use crate::profile::{NPU, PerProfile, Profile};
use crate::registry::Op;
use crate::rule::{ERROR_OR_NPU_EXTENSION, Rule};
use crate::tile::{BLayout, Location, SLayout};

/// Integers and floats of 8, 16 and 32 bits, except 8-bit floats.
pub(in crate::op) const NUMBERS: &[Element] = &[I8, U8, I16, U16, I32, U32, F16, Bf16, F32];

/// Element types that an instruction accepts, by profile; `cpu` accepts every type for which the formula is
/// defined.
#[derive(Clone, Copy, Debug)]
pub(in crate::op) struct Types {
    /// On A2/A3.
    pub a2a3: &'static [Element],
    /// On A5.
    pub a5: &'static [Element],
    /// Extensions on A2/A3, as far as the list above lacks them: types that only the header or only the pages accept.
    pub a2a3_header: &'static [Element],
    /// Extensions on A5, likewise.
    pub a5_header: &'static [Element],
}

impl Types {
    /// The element types of a device; empty for `cpu`.
    pub(in crate::op) fn of(&self, profile: Profile) -> &'static [Element] {
        PerProfile::new(&[][..], self.a2a3, self.a5).of(profile)
    }

    /// The extension types of a device.
    fn extensions(&self, profile: Profile) -> &'static [Element] {
        PerProfile::new(&[][..], self.a2a3_header, self.a5_header).of(profile)
    }
}

/// The attribute that selects the precision of an elementary function; each function has its own enumeration. It
/// does not change results here: `docs/numerics.md` states their accuracy.
pub(in crate::op) const fn precision(enumeration: &'static str) -> AttributeSpec {
    AttributeSpec::words(
        "precisionType",
        enumeration,
        &["default", "high_precision"],
        "Asks the device for its more exact algorithm; no result here depends on it.",
    )
    .or_means("the algorithm that the device has by default")
}

pub(super) const SAME_TYPE: Rule =
    Rule::new("same-type", "Sources and destination have one element type.", "docs/isa/tile/ops")
        .because("The vector unit processes all operands in one format; other bits would be misread.")
        .instead("Convert one operand with TCVT, or declare all tiles with one element type.");

pub(super) const SAME_VALID: Rule = Rule::new(
    "valid-region",
    "Sources have the valid region of the destination.",
    "docs/isa/tile/ops, Target-Profile Restrictions",
)
.because("Elements outside of a source's valid region are undefined and would enter the result.")
.instead("Give the tiles equal valid regions, with `valid=` in the type or `pto.set_validshape`.");

pub(super) const VEC: Rule =
    Rule::new("location", "The tiles are vector tiles.", "docs/isa/tile/ops, Target-Profile Restrictions")
        .because("The vector unit reads and writes UB only.")
        .instead("Use vec tiles, and move data from other buffers with TMOV or TEXTRACT.")
        .only(NPU);

pub(super) const ROW_MAJOR: Rule = Rule::new(
    "row-major",
    "The tiles are row-major without boxes; some instructions also accept a single column in a column-major tile.",
    "docs/isa/tile/ops, Target-Profile Restrictions",
)
.because("The vector unit steps through rows at a constant stride, which column-major and boxed tiles lack.")
.instead("Declare `blayout=row_major, slayout=none_box`, and convert with TMOV or TTRANS.")
.weighing(&[(Severity::Error, NPU), (Severity::Extension, NPU)])
.only(NPU);

pub(super) const ELEMENT: Rule =
    Rule::new("element-type", "The profile has the instruction for the element type.", "docs/isa/tile/ops")
        .because(
            "The device has no encoding of the instruction for this format, or the formula is not defined.",
        )
        .instead("Convert with TCVT to an element type that the message lists.")
        .weighing(ERROR_OR_NPU_EXTENSION);

/// Rules that [`elementwise`] checks.
pub(super) const ELEMENTWISE: &[&Rule] = &[&SAME_TYPE, &SAME_VALID, &VEC, &ROW_MAJOR, &ELEMENT];

/// Checks the rules of an elementwise instruction: each source against `dst`.
pub(super) fn elementwise(
    check: &mut Check<'_>,
    sources: &[&str],
    types: &Types,
    defined: &dyn Fn(Element) -> bool,
) {
    for source in sources {
        same_type(check, source, "dst");
        same_valid(check, source, "dst");
        vec_row_major(check, source);
    }
    vec_row_major(check, "dst");
    element_type(check, "dst", types, defined);
}

/// Checks that two tiles have the same element type.
pub(super) fn same_type(check: &mut Check<'_>, role: &str, other: &str) {
    let (a, b) = (check.tile(role).element(), check.tile(other).element());
    check.require(&SAME_TYPE, role, a == b, |check| {
        let (a, b) = (element_word(a), element_word(b));
        format!("{} holds {a}, but {} holds {b}", check.name(role), check.name(other))
    });
}

/// Checks that two tiles have the same valid region, as far as it is known.
pub(super) fn same_valid(check: &mut Check<'_>, role: &str, other: &str) {
    let (a, b) = (check.tile(role), check.tile(other));
    let same = agree(a.rows, b.rows) && agree(a.cols, b.cols);
    let holds = check.require(&SAME_VALID, role, same, |check| {
        let (a, b) = (a.valid_text(), b.valid_text());
        format!("{} has {a} valid elements, but {} has {b}", check.name(role), check.name(other))
    });
    if !holds && let Some(op) = broadcast(check, role, other) {
        check.help(|check| {
            format!("`{}` repeats {} over the tile: {}", op.name(), check.name(role), op.page().summary)
        });
    }
}

/// The instruction that repeats a single row or column over the tile, in place of one that takes two equal regions.
fn broadcast(check: &Check<'_>, role: &str, other: &str) -> Option<Op> {
    let (a, b) = (check.tile(role), check.tile(other));
    let way = match (a.rows?, a.cols?, b.rows?, b.cols?) {
        (1, cols, rows, all) if cols == all && rows > 1 => "col",
        (rows, 1, all, cols) if rows == all && cols > 1 => "row",
        _ => return None,
    };
    let word = check.site.instruction.page().name.strip_prefix('t')?;
    Op::find_spelling(&format!("t{way}expand{word}"))
}

/// Checks that two tiles have the same valid region counted in values (pair elements hold two), as far as it is
/// known.
pub(super) fn same_values(check: &mut Check<'_>, role: &str, other: &str) {
    let (a, b) = (check.tile(role), check.tile(other));
    let ([rows, cols], [other_rows, other_cols]) = (a.values(), b.values());
    let same = agree(rows, other_rows) && agree(cols, other_cols);
    check.require(&SAME_VALID, role, same, |check| {
        let regions = format!(
            "{} has {} valid elements, but {} has {}",
            check.name(role),
            a.valid_text(),
            check.name(other),
            b.valid_text()
        );
        regions + &pairs_note(&[a.element(), b.element()])
    });
}

/// A note on how extents are counted if some of these formats are pairs; else empty.
pub(super) fn pairs_note(elements: &[Element]) -> String {
    let pair = elements.iter().find(|element| element.is_packed());
    pair.map_or(String::new(), |pair| format!("; extents of {} count pairs of values", element_word(*pair)))
}

/// A sentence that states the valid regions of two operands.
pub(super) fn valid_regions(check: &Check<'_>, role: &str, other: &str) -> String {
    let (a, b) = (check.tile(role).valid_text(), check.tile(other).valid_text());
    format!("{} has {a} valid elements, {} {b}", check.name(role), check.name(other))
}

/// Whether two extents may be equal: they are, or one is unknown.
pub(super) fn agree(a: Option<u32>, b: Option<u32>) -> bool {
    a.is_none() || b.is_none() || a == b
}

/// Checks that a tile is a row-major vec tile without boxes.
pub(super) fn vec_row_major(check: &mut Check<'_>, role: &str) {
    vec(check, role);
    // The layout of a tile elsewhere follows from its location.
    if check.tile(role).location() != Location::Vec && VEC.profiles.contains(&check.profile()) {
        return;
    }
    let ty = check.tile(role).ty;
    if columns::is_column(&ty) {
        return columns::check(check, role);
    }
    let plain = (ty.blayout, ty.slayout) == (BLayout::RowMajor, SLayout::NoneBox);
    check.require(&ROW_MAJOR, role, plain, |check| {
        format!(
            "{} is {} with {}: give it `blayout=row_major, slayout=none_box`",
            check.name(role),
            ty.blayout.word(),
            ty.slayout.word()
        )
    });
}

/// Checks that a tile is a vec tile.
pub(super) fn vec(check: &mut Check<'_>, role: &str) {
    let location = check.tile(role).location();
    check.require(&VEC, role, location == Location::Vec, |check| {
        format!("{} is {} tile, not a vec tile", check.name(role), location.with_article())
    });
}

/// Checks that the profile supports the element type of a tile.
pub(super) fn element_type(
    check: &mut Check<'_>,
    role: &str,
    types: &Types,
    defined: &dyn Fn(Element) -> bool,
) {
    let element = check.tile(role).element();
    let profile = check.profile();
    let accepted = if profile.is_device() { types.of(profile).contains(&element) } else { defined(element) };
    if types.extensions(profile).contains(&element) && !types.of(profile).contains(&element) {
        check.judge(Severity::Extension, &ELEMENT, role, false, |check| {
            let name = check.site.instruction.page().name;
            let (element, profile) = (element_word(element), check.profile().word());
            format!("`{name}` on {element}: only one of header and pages takes it on {profile}")
        });
        return;
    }
    check.require(&ELEMENT, role, accepted, |check| {
        let name = check.site.instruction.page().name;
        let list = if profile.is_device() {
            words(types.of(profile))
        } else {
            let defined: Vec<_> = Element::ALL.into_iter().filter(|e| defined(*e)).collect();
            words(&defined)
        };
        let profile = check.profile().word();
        let mut message = match list.as_str() {
            "" => format!("{profile} has no `{name}`"),
            list => format!("`{name}` has no {} on {profile}; it has {list}", element_word(element)),
        };
        let elsewhere = NPU.iter().filter(|device| types.of(**device).contains(&element));
        let elsewhere: Vec<_> = elsewhere.map(|device| device.word()).collect();
        if !elsewhere.is_empty() {
            message.push_str(&format!(" ({} has it)", elsewhere.join(", ")));
        }
        message
    });
}

/// Formats as a comma-separated list of words.
pub(super) fn words(elements: &[Element]) -> String {
    elements.iter().map(|element| element_word(*element)).collect::<Vec<_>>().join(", ")
}
