//! Rules of TQUANT.MX on the shapes of its tiles and their overlap.

use super::mx_groups::Plan;
use super::tquant_mx::OUTS;
use crate::diag::Severity;
use crate::element::Element;
use crate::op::common::{agree, same_values};
use crate::op::site::{Check, Site, TileFact};
use crate::profile::A5_ONLY;
use crate::rule::Rule;
use pto_num::ScaleRule;

pub(super) const GROUPS: Rule = Rule::new(
    "groups",
    "Along axis0 the source has a multiple of 32 rows, of 64 with interleave; along axis1 a multiple of 32 columns. With \
     exponents in one row, the last group of a 16-bit source may be partial if the declared columns complete it.",
    "docs/isa/TQUANT.md, Constraints",
)
.because("A group of 32 elements shares an exponent; a partial one would include undefined elements.")
.instead("Pad the valid region to a multiple of the number in the message.");
pub(super) const REGION: Rule = Rule::new(
    "group-region",
    "Along axis0 exponents, greatest values and scalings have one valid element for each group; interleaved exponents have \
     half the rows and twice the columns. Along axis1 they have at least one for each group, exponents in one row or in the \
     source's rows.",
    "docs/isa/TQUANT_DN.md, DN Output Shapes",
)
.because("Each group has one exponent, one greatest value and one scaling.")
.instead("Give the tiles a valid element for each group that the message counts; along axis1 the tiles may have more.");
pub(super) const ZZ: Rule = Rule::new(
    "zz-room",
    "Exponents in ZZ order need axis1, a multiple of 16 rows and an even number of groups in each row, and have a byte for \
     each group.",
    "docs/isa/TQUANT.md, Constraints",
)
.because("The ZZ order stores boxes of 16 rows and pairs of groups.")
.instead("Pad to a multiple of 16 rows and an even number of groups in each row, and declare a byte for each group.");
pub(super) const COLUMNS: Rule = Rule::new(
    "columns",
    "Along axis0 exponents, greatest values and scalings declare the source's columns. Interleaved exponents declare a row \
     for each 64 rows of the source, and twice its columns, rounded up to a multiple of 32.",
    PHYSICAL,
)
.because("The device steps through all of these tiles by the source's declared columns.")
.instead("Declare the tile as the message requires, with a smaller valid region if there are fewer groups.")
.only(A5_ONLY);
pub(super) const CAPACITY: Rule = Rule::new(
    "flat-scaling",
    "Along axis1 with exponents in one row, the scaling tile has room for the vectors that the device stores: at least 256 \
     bytes, or 512 if the device unrolls its loop.",
    PHYSICAL,
)
.because("The device stores whole vectors of scalings, and overwrites the bytes after a smaller tile.")
.instead("Declare the scaling tile with the bytes in the message, or leave the bytes after it unused.")
.weighing(&[(Severity::Error, A5_ONLY), (Severity::Lint, A5_ONLY)])
.only(A5_ONLY);
pub(super) const STRIDE: Rule = Rule::new(
    "strides",
    "The destination declares the source's columns, or half of them if its elements are pairs. With exponents in one row the \
     source has no padding; along axis1 greatest values and scalings lie without gaps.",
    PHYSICAL,
)
.because("The device steps through all tiles by the declared columns of the source.")
.instead("Declare the tile with the columns in the message.")
.only(A5_ONLY);
pub(super) const FORM: Rule = Rule::new(
    "form",
    "Valid regions are static. An interleaved source is not f32 and declares a multiple of 64 rows. From f16 to FP4 along \
     axis0, half of the source's declared columns is a multiple of 32.",
    PHYSICAL,
)
.because("The device has no code for other shapes.")
.instead("Declare the tiles as the message says.")
.only(A5_ONLY);
pub(super) const NARROW: Rule = Rule::new(
    "narrow-source",
    "Along axis1, a source of 16 bits has exponents in one row and follows the OCP rule.",
    "PTO_IR_manual, pto.tquant.mx",
)
.because("The assembler refuses other forms, although page and header have them.")
.instead("Use exponents in one row and the OCP rule, or an f32 source.")
.lint()
.only(A5_ONLY);
pub(super) const OUTPUTS: Rule = Rule::new(
    "apart",
    "Source and outputs do not overlap; only the 8-bit result of an f32 source may begin where the source \
     begins.",
    PHYSICAL,
)
.because("The device writes each output while it still reads the others.")
.instead("Give each of the tiles bytes of its own.")
.only(A5_ONLY);

const PHYSICAL: &str = "include/pto/npu/a5/TQuant.hpp; PTO_IR_manual, pto.tquant.mx";

/// The groups of a source with these valid rows and columns, and the bytes that the device stores for their scalings if exponents are
/// one row.
fn stored_scalings(src: &TileFact, rows: u32, cols: u32) -> (u64, u64) {
    let groups = u64::from(rows) * u64::from(cols.div_ceil(32));
    let declared = u64::from(src.ty.cols);
    let (all, moved) = (u64::from(src.ty.rows) * declared, u64::from(rows) * declared);
    let unrolled = all > 1024 && all % 256 == 0 && moved % 256 == 0;
    let need = match (src.element() == Element::F32, unrolled) {
        (true, true) => ((2 * groups).next_multiple_of(64) * 4).max(512),
        (true, false) => groups.next_multiple_of(64) * 4,
        (false, _) => groups.next_multiple_of(128) * 2,
    };
    (groups, need)
}

/// Number of bytes after a scaling tile at a known address that the device overwrites; 0 if the tile holds everything
/// stored.
pub(super) fn overwritten(site: &Site<'_>, plan: Plan) -> u32 {
    let tiles = site.tile("src").zip(site.tile("exp")).zip(site.tile("scaling"));
    let Some(((src, exp), scaling)) = tiles.filter(|_| site.profile.is_device() && !plan.down) else {
        return 0;
    };
    let Some((rows, cols)) = src.rows.zip(src.cols).filter(|_| exp.ty.rows == 1 && scaling.address.is_some())
    else {
        return 0;
    };
    let more = stored_scalings(src, rows, cols).1.saturating_sub(scaling.ty.bytes() as u64);
    u32::try_from(more).unwrap_or(u32::MAX)
}

/// Checks declared columns along axis0, and the capacity of scalings of exponents that are one row.
fn shapes(check: &mut Check<'_>, plan: Plan) {
    let (src, exp) = (check.tile("src"), check.tile("exp"));
    if plan.down {
        for role in ["exp", "max", "scaling"] {
            let ty = check.tile(role).ty;
            let (rows, cols) = match role {
                "exp" if plan.interleave => (src.ty.rows / 64, (2 * src.ty.cols).next_multiple_of(32)),
                _ => (ty.rows, src.ty.cols),
            };
            check.require(&COLUMNS, role, (ty.rows, ty.cols) == (rows, cols), |check| {
                format!("{} is declared {}x{}, not {rows}x{cols}", check.name(role), ty.rows, ty.cols)
            });
        }
    } else if exp.ty.rows == 1
        && let Some((rows, cols)) = src.rows.zip(src.cols)
    {
        let (groups, need) = stored_scalings(src, rows, cols);
        let scaling = check.tile("scaling");
        let have = scaling.ty.bytes() as u64;
        let capacity = check.profile().capacity(scaling.ty.buffer());
        let beyond = scaling.address.is_some_and(|address| address + need > capacity);
        let severity = if beyond { Severity::Error } else { Severity::Lint };
        check.judge(severity, &CAPACITY, "scaling", have >= need, |check| {
            format!("{} has {have} bytes, {groups} groups in one row need {need}", check.name("scaling"))
        });
    }
}

/// Checks the declared columns against the device's assumptions.
fn strides(check: &mut Check<'_>, plan: Plan) {
    let (src, dst, exp) = (check.tile("src"), check.tile("dst"), check.tile("exp"));
    let pack = if plan.mx.target == Element::E4M3 { 1 } else { 2 };
    let flat = !plan.down && exp.ty.rows == 1;
    let wide = src.ty.cols;
    let even = wide.is_multiple_of(pack);
    if !plan.down || pack == 2 {
        check.require(&STRIDE, "dst", even && dst.ty.cols == wide / pack, |check| {
            let (have, name) = (dst.ty.cols, check.name("dst"));
            format!(
                "{name} is declared with {have} columns, {} with {wide}: {} are needed",
                check.name("src"),
                wide / pack
            )
        });
    }
    let whole = src.cols.is_none_or(|cols| cols == wide || is_padded(check.site, plan, cols));
    check.require(&STRIDE, "src", !flat || whole, |check| {
        format!(
            "{} is declared with {wide} columns and has {} valid elements",
            check.name("src"),
            src.valid_text()
        )
    });
    for role in ["max", "scaling"].into_iter().filter(|_| !plan.down) {
        let tile = check.tile(role);
        let compact = tile.ty.rows == 1 || agree(tile.cols, Some(tile.ty.cols));
        check.require(&STRIDE, role, compact, |check| {
            let have = tile.valid_text();
            format!(
                "{} is declared with {} columns and has {have} valid elements",
                check.name(role),
                tile.ty.cols
            )
        });
    }
}

/// Checks which forms the device has.
fn form(check: &mut Check<'_>, plan: Plan) {
    let src = check.tile("src");
    for role in ["src", "dst", "exp", "max", "scaling"] {
        let ty = check.tile(role).ty;
        let fixed = ty.valid_rows.is_some() && ty.valid_cols.is_some();
        check.require(&FORM, role, fixed, |check| {
            format!("the type of {} leaves its valid region open", check.name(role))
        });
    }
    let interleaved = plan.mx.source != Element::F32 && src.ty.rows.is_multiple_of(64);
    check.require(&FORM, "src", !plan.interleave || interleaved, |check| {
        format!("{} is {}, to interleave", check.name("src"), src.ty.brief())
    });
    let narrow = plan.mx.target != Element::E4M3 && plan.mx.source == Element::F16;
    check.require(&FORM, "src", !plan.down || !narrow || (src.ty.cols / 2).is_multiple_of(32), |check| {
        format!(
            "{} is declared with {} columns: half of them are no multiple of 32",
            check.name("src"),
            src.ty.cols
        )
    });
    let flat = check.tile("exp").ty.rows == 1;
    let refused = !plan.down && plan.mx.source != Element::F32 && (!flat || plan.mx.rule == ScaleRule::Nv);
    check.judge(Severity::Lint, &NARROW, "src", !refused, |check| {
        let what = if flat { "the NV rule" } else { "exponents in rows" };
        format!("{} holds 16 bits, with {what}", check.name("src"))
    });
}

/// Checks that no two tiles overlap.
fn apart(check: &mut Check<'_>, plan: Plan) {
    let roles = std::iter::once("src").chain(OUTS);
    let there: Vec<_> = roles.filter(|role| check.site.tile(role).is_some()).collect();
    for (at, a) in there.iter().enumerate() {
        for b in &there[at + 1..] {
            let (one, other) = (check.tile(a), check.tile(b));
            let narrows = plan.mx.source == Element::F32 && plan.mx.target == Element::E4M3;
            let in_place = narrows && (*a, *b) == ("src", "dst") && one.address == other.address;
            let apart = in_place || check.name(a) != check.name(b) && !one.shares_bytes(other);
            check.require(&OUTPUTS, b, apart, |check| {
                format!("{} and {} have bytes in common", check.name(a), check.name(b))
            });
        }
    }
}

/// Whether the last group of each row is filled up with zeros: of a 16-bit source whose declared columns are the valid ones, rounded up
/// to groups, with exponents in one row.
fn is_padded(site: &Site<'_>, plan: Plan, cols: u32) -> bool {
    let (Some(src), Some(exp)) = (site.tile("src"), site.tile("exp")) else { return false };
    let flat = !plan.down && exp.ty.rows == 1;
    flat && plan.mx.source != Element::F32 && src.ty.cols == cols.next_multiple_of(32)
}

/// Checks that the destination has the valid region of the source, or all columns of a source that is filled up with zeros.
pub(super) fn destination(check: &mut Check<'_>, plan: Option<Plan>) {
    let (src, dst) = (check.tile("src"), check.tile("dst"));
    let [rows, cols] = dst.values();
    let filled = plan.zip(src.cols).is_some_and(|(plan, valid)| is_padded(check.site, plan, valid));
    if filled && agree(rows, src.rows) && agree(cols, Some(src.ty.cols)) {
        return;
    }
    same_values(check, "src", "dst");
}

/// Checks groups, regions and shapes.
pub(super) fn check(check: &mut Check<'_>, plan: Plan) {
    let src = check.tile("src");
    let (along, unit) = match (plan.down, plan.interleave) {
        (true, true) => (src.rows, 64),
        (true, false) => (src.rows, 32),
        _ => (src.cols, 32),
    };
    let padded = along.is_some_and(|extent| is_padded(check.site, plan, extent));
    let whole = along.is_none_or(|extent| extent % unit == 0);
    check.require(&GROUPS, "src", whole || padded, |check| {
        format!(
            "{} has {} valid elements, groups end at multiples of {unit}",
            check.name("src"),
            src.valid_text()
        )
    });
    let groups = |extent: Option<u32>| extent.map(|extent| extent.div_ceil(32));
    for role in ["exp", "max", "scaling"] {
        let tile = check.tile(role);
        let halved = plan.interleave && role == "exp";
        let (rows, cols) = match (plan.down, halved) {
            (true, true) => {
                (src.rows.map(|rows| rows.div_ceil(64)), src.cols.map(|cols| cols.saturating_mul(2)))
            }
            (true, false) => (groups(src.rows), src.cols),
            _ if tile.ty.rows == 1 => {
                let all = src.rows.zip(groups(src.cols)).map(|(rows, groups)| rows.saturating_mul(groups));
                (Some(1), all)
            }
            _ => (src.rows, groups(src.cols)),
        };
        // Along axis1, exponents may have more elements than there are groups, and the others hold them one after the other.
        let least =
            |have: Option<u32>, need: Option<u32>| have.zip(need).is_none_or(|(have, need)| have >= need);
        let product = |a: Option<u32>, b: Option<u32>| Some(u64::from(a?) * u64::from(b?));
        let fits = match (plan.down, role) {
            (true, _) => agree(tile.rows, rows) && agree(tile.cols, cols),
            (false, "exp") => least(tile.rows, rows) && least(tile.cols, cols),
            _ => {
                let (have, need) = (product(tile.rows, tile.cols), product(rows, cols));
                have.zip(need).is_none_or(|(have, need)| have >= need)
            }
        };
        check.require(&REGION, role, fits, |check| {
            let text = |extent: Option<u32>| extent.map_or("?".to_owned(), |extent| extent.to_string());
            let have = tile.valid_text();
            format!(
                "{} has {have} valid elements, there are {}x{} groups",
                check.name(role),
                text(rows),
                text(cols)
            )
        });
    }
    shapes(check, plan);
    strides(check, plan);
    form(check, plan);
    apart(check, plan);
    let Some(tile) = check.site.tile("exp_zz") else { return };
    let (rows, cols) = (src.rows, groups(src.cols));
    let need = rows.zip(cols).map(|(rows, cols)| u64::from(rows) * u64::from(cols));
    let fits = !plan.down
        && rows.is_none_or(|rows| rows % 16 == 0)
        && cols.is_none_or(|cols| cols % 2 == 0)
        && need.is_none_or(|need| need <= tile.ty.bytes() as u64);
    check.require(&ZZ, "exp_zz", fits && tile.element().value_bits() == 8, |check| {
        let have = tile.ty.bytes();
        format!(
            "{} has {have} bytes, {} {} valid elements",
            check.name("exp_zz"),
            check.name("src"),
            src.valid_text()
        )
    });
}
