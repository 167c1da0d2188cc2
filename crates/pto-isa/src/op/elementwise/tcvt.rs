//! TCVT: converts elements to another format.

use super::family::SOURCES_TO_DST;
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::op::attribute::AttributeSpec;
use crate::op::common::{SAME_VALID, VEC, same_values, vec};
use crate::op::cost;
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A5_ONLY, PerProfile, Profile};
use crate::rule::Rule;
use pto_num::{Overflow, Rounding, convert_one, converts};
#[cfg(feature = "run")]
use {
    super::tcvt_special::Special,
    crate::exec::reference::Reference,
    crate::exec::runs::for_each_run,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::{Conversion, convert},
    pto_num::{get_value, set_value},
};

const SOURCE: &str = "docs/isa/tile/ops/elementwise-tile-tile/tcvt.md";

const PAIR: Rule = Rule::new("pair", "The profile converts between these two formats.", SOURCE)
    .because("The vector unit has no conversion between these two formats.")
    .instead("Convert in two steps by way of f32 or f16.");
const ODD: Rule =
    Rule::new("round-to-odd", "Rounding to odd goes from f32 to f16; on cpu also from f32 to bf16.", SOURCE)
        .because("The device rounds to odd for this pair of formats only.")
        .instead("Write another mode, such as RINT.");
const ELIDED: Rule = Rule::new(
    "saturation",
    "`sat_mode` is written if the default of the two formats differs from the assembler's default, OFF.",
    "docs/PTO_IR_manual.md, tcvt; docs/isa/tile/ops/elementwise-tile-tile/tcvt.md",
)
.because(
    "The assembler documents and emits OFF; devices and `pto run` follow the default of the two formats.",
)
.instead("Write `sat_mode` as ON, the behaviour of devices, or as OFF.")
.lint()
.frequent();

const NAN: Rule = Rule::new(
    "nan",
    "No NaN is converted to f8E4M3FN or f8E5M2 where the conversion saturates.",
    "provisional: goldens of the public assembler's templates; on no page",
)
.because("`pto run` converts NaN to 0; the result of a device is unknown.")
.instead("Replace NaN before the conversion, or write `sat_mode` as OFF.")
.lint()
.only(A5_ONLY);

/// The rounding modes of the manual.
const MODES: [&str; 7] = ["NONE", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD"];

/// Converts element by element.
pub(super) struct Tcvt {
    page: Page,
}

/// The attributes of both forms.
const MODES_ASKED: &[&str] = &["rmode", "sat_mode"];

pub(super) static TCVT: Tcvt = Tcvt {
    page: Page {
        name: "tcvt",
        aliases: &[],
        set: Set::Elementwise,
        summary: "Converts elements to another format, with a rounding mode and a saturation mode; extents of f4E2M1x2, f4E1M2x2 and i4x2 (`int4b_t`) count pairs of values.",
        formula: "dst[i, j] = convert(src[i, j]); on A5 with saturation, NaN of f32 becomes 0 in f8E4M3FN and f8E5M2, and hif8 \
                  keeps infinities (provisional)",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: Tile) outs(dst: Tile)).asking(MODES_ASKED),
            form!(ins(src: Tile, tmp: Tile) outs(dst: Tile)).asking(MODES_ASKED),
        ]),
        attributes: &[
            AttributeSpec::words("rmode", "round_mode", &MODES, "The rounding mode; a word may begin with `CAST_`.")
                .prefixed("CAST_")
                .or_word("RINT"),
            AttributeSpec::words(
                "sat_mode",
                "saturation_mode",
                &["ON", "OFF"],
                "Whether values out of range become the nearest value of the destination (ON), or wrap or become infinite \
                 (OFF).",
            )
            .also(&["satmode", "satMode"])
            .or_means(
                "ON, except OFF from f16 to ui8, i8 and i16, from f32 to i16, from i64 to i32 and from i32 to i16",
            ),
        ],
        rules: &[&VEC, &SAME_VALID, &PAIR, &ODD, &ELIDED, &NAN],
        effects: SOURCES_TO_DST,
        cost: cost::CONVERSION,
        pictures: super::pictures::TCVT,
        origin: Some(Origin::WRITTEN),
    },
};

fn is_pair(profile: Profile, from: Element, to: Element) -> bool {
    use Element::*;
    let a2a3: &[Element] = match from {
        F32 => &[F16, F32, Bf16, I16, I32, I64],
        F16 => &[F32, I32, I16, I8, U8, I4x2],
        Bf16 => &[F32, I32],
        I16 => &[F16, F32],
        I32 => &[F32, I16, I64, F16],
        I64 => &[F32, I32],
        U8 | I8 | I4x2 => &[F16],
        _ => &[],
    };
    let a5: &[Element] = match from {
        F32 => &[F32, F16, Bf16, I16, I32, I64, E4M3, E5M2, HiF8],
        F16 => &[F32, I32, I16, I8, U8, HiF8],
        Bf16 => &[F32, I32, F16, E2M1x2, E1M2x2],
        I16 => &[U8, F16, F32, U32, I32],
        I32 => &[F32, I16, U16, I64, U8],
        I64 => &[F32, I32],
        U8 => &[F16, U16],
        I8 => &[F16, I16, I32],
        U32 => &[U8, U16, I16],
        E4M3 | E5M2 | HiF8 => &[F32],
        E2M1x2 | E1M2x2 => &[Bf16],
        _ => &[],
    };
    let listed = PerProfile::new(&[][..], a2a3, a5).of(profile);
    listed.contains(&to) || !profile.is_device() && converts(from, to)
}

/// The rounding for the word of a mode; `None` for an unknown word.
fn rounding(word: &str, from: Element, to: Element) -> Option<Rounding> {
    Some(match word.strip_prefix("CAST_").unwrap_or(word) {
        "NONE" if from.is_float() && to.holds_integers() => Rounding::TowardZero,
        "NONE" | "RINT" => Rounding::NearestEven,
        "ROUND" => Rounding::NearestAway,
        "FLOOR" => Rounding::Floor,
        "CEIL" => Rounding::Ceil,
        "TRUNC" => Rounding::TowardZero,
        "ODD" => Rounding::Odd,
        _ => return None,
    })
}

/// The word of the rounding mode; empty if the attribute is not a word.
fn mode_word<'a>(site: &'a Site<'_>) -> &'a str {
    site.word_or_default("rmode").unwrap_or("")
}

/// Whether the saturation mode changes the result for any value of the source's format.
fn saturation_matters(from: Element, to: Element) -> bool {
    let ends = match (from.holds_integers(), to.holds_integers()) {
        (false, true) => return true,
        (true, true) => {
            let ((least, most), (low, high)) = (from.int_range(), to.int_range());
            return least < low || high < most;
        }
        (true, false) => {
            let (least, most) = from.int_range();
            [least, most].map(|end| from.encode_int(end, Overflow::Ieee))
        }
        (false, false) => [(f64::INFINITY, Overflow::Ieee), (f64::MAX, Overflow::Saturate)]
            .map(|(end, overflow)| from.encode(end, Rounding::NearestEven, overflow)),
    };
    let convert = |bits, saturate| convert_one(from, to, Rounding::NearestEven, saturate, bits);
    ends.into_iter().any(|bits| convert(bits, true) != convert(bits, false))
}

/// Whether out-of-range values are clamped by default.
fn saturates_by_default(from: Element, to: Element) -> bool {
    use Element::*;
    !matches!((from, to), (F16, U8 | I8 | I16) | (F32, I16) | (I64, I32) | (I32, I16))
}

fn saturation_word<'a>(site: &'a Site<'_>) -> Option<&'a str> {
    site.word("sat_mode")
}

fn settings(site: &Site<'_>, from: Element, to: Element) -> (Rounding, bool) {
    let rounding = rounding(mode_word(site), from, to).unwrap_or(Rounding::NearestEven);
    let saturate = match saturation_word(site) {
        Some(word) => word == "ON",
        None => saturates_by_default(from, to),
    };
    (rounding, saturate)
}

/// Converts one value.
fn one(from: Element, to: Element, rounding: Rounding, saturate: bool, bits: u64) -> u64 {
    if from == to && from != Element::F32 {
        return bits;
    }
    convert_one(from, to, rounding, saturate, bits).unwrap_or_default()
}

/// Converts, with a lint if a NaN becomes 0.
#[cfg(feature = "run")]
fn run_special(
    state: &mut State<'_>,
    special: Special,
    dst: &Tile,
    src: &Tile,
    kernel: &Conversion,
    name: &str,
) -> Result<(), Fault> {
    let [base] = state.unalias(dst, [src]);
    let live = state.live(dst);
    let memory = &mut *state.memory;
    let mut dropped = false;
    for_each_run([&dst.layout, &src.layout], live.size(), |[d, s], count| {
        let (to, from) = (live.address + d, base + src.ty.element.bytes(s));
        dropped |= special.run(kernel, memory, to, from, count);
        Ok(())
    })?;
    if dropped && state.lint.is_none() {
        let to = element_word(dst.ty.element);
        state.lint = Some((&NAN, format!("`%{name}` holds a NaN, which becomes 0 in {to}")));
    }
    Ok(())
}

impl Instruction for Tcvt {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn check(&self, check: &mut Check<'_>) {
        vec(check, "src");
        vec(check, "dst");
        same_values(check, "src", "dst");
        let (from, to) = (check.tile("src").element(), check.tile("dst").element());
        let profile = check.profile();
        check.require(&PAIR, "dst", is_pair(profile, from, to), |_| {
            let others: Vec<_> = Profile::ALL
                .iter()
                .filter(|other| is_pair(**other, from, to))
                .map(|other| other.word())
                .collect();
            let mut message =
                format!("{} does not convert {} to {}", profile.word(), element_word(from), element_word(to));
            if !others.is_empty() {
                message.push_str(&format!("; {} does", others.join(", ")));
            }
            message
        });
        let mode = rounding(mode_word(check.site), from, to);
        let odd_fits =
            from == Element::F32 && (to == Element::F16 || to == Element::Bf16 && !profile.is_device());
        check.require(&ODD, "src", mode != Some(Rounding::Odd) || odd_fits, |_| {
            format!("rounding to odd from {} to {}", element_word(from), element_word(to))
        });
        let saturation = saturation_word(check.site);
        let says = saturation.is_some() || !saturates_by_default(from, to) || !saturation_matters(from, to);
        check.judge(Severity::Lint, &ELIDED, "src", says, |_| {
            let (from, to) = (element_word(from), element_word(to));
            format!("{from} to {to} saturates without `sat_mode`, although the assembler documents OFF")
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Tcvt {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let (from, to) = (src.ty.element, dst.ty.element);
        let (rounding, saturate) = settings(reference.prepare().site, from, to);
        let special = Special::of(reference.prepare().profile(), from, to, saturate);
        let Size { rows, cols } = reference.valid_values(&dst);
        for (i, j) in (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))) {
            let bits = reference.get_value(&src, i, j);
            let plain = || one(from, to, rounding, saturate, bits);
            reference.set_value(&dst, i, j, special.map_or_else(plain, |special| special.one(bits)));
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let (from, to) = (src.ty.element, dst.ty.element);
        let (rounding, saturate) = settings(prepare.site, from, to);
        let kernel = convert(from, to, rounding, saturate).ok_or("there is no such conversion")?;
        if let Some(special) = Special::of(prepare.profile(), from, to, saturate) {
            let name = prepare.name("src").to_owned();
            return Ok(Box::new(move |state: &mut State<'_>| {
                run_special(state, special, &dst, &src, &kernel, &name)
            }));
        }
        if !from.is_packed() && !to.is_packed() {
            let [to_bytes, from_bytes] = [to, from].map(|element| element.bytes(1));
            return Ok(Box::new(move |state: &mut State<'_>| {
                let [base] = state.unalias(&dst, [&src]);
                let live = state.live(&dst);
                let (memory, layouts) = (&mut *state.memory, [&dst.layout, &src.layout]);
                for_each_run(layouts, live.size(), |[d, s], count| {
                    kernel.run(memory, live.address + d * to_bytes, base + s * from_bytes, count);
                    Ok(())
                })
            }));
        }
        Ok(pairs(dst, src, kernel, move |bits| one(from, to, rounding, saturate, bits)))
    }
}

/// Converts to or from pairs; runs are counted in values.
#[cfg(feature = "run")]
fn pairs(
    dst: Tile,
    src: Tile,
    kernel: Conversion,
    one: impl Fn(u64) -> u64 + Send + Sync + 'static,
) -> Box<dyn Execute> {
    let (from, to) = (src.ty.element, dst.ty.element);
    let layouts = [dst.layout.of_values(to), src.layout.of_values(from)];
    Box::new(move |state: &mut State<'_>| {
        let [base] = state.unalias(&dst, [&src]);
        let live = state.live(&dst);
        let (memory, size) = (&mut *state.memory, dst.values_in(live.size()));
        for_each_run(layouts.each_ref(), size, |[d, s], count| {
            // The kernels process whole bytes; runs shorter than a pair occur only when converting between
            // row-major and column-major.
            let whole = |element: Element, at: usize| at.is_multiple_of(element.values());
            if whole(to, d) && whole(from, s) && whole(to, count) && whole(from, count) {
                let [d, s] = [to.bytes(d / to.values()), from.bytes(s / from.values())];
                kernel.run(memory, live.address + d, base + s, count);
                return Ok(());
            }
            for at in 0..count {
                let bits = get_value(memory, base, s + at, from);
                set_value(memory, live.address, d + at, to, one(bits));
            }
            Ok(())
        })
    })
}
