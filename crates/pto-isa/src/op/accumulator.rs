//! Rules of moves and stores from an accumulator: formats, quantization operands, relu.
//!
//! Elements are cast without a quantization operand, quantized with one parameter for all columns with `q`, or
//! with one parameter per column with the scaling tile `fp`.

use super::common::words;
use super::fixpipe::has_relu;
use super::site::{Check, Fact, Site};
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::profile::{A5_ONLY, NPU, PerProfile, Profile};
use crate::rule::{ERROR_OR_A5_EXTENSION, Rule};
use crate::tile::Location;
use pto_num::{Parameter, UnaryOp, quantizes};

const SOURCE: &str =
    "seeds TINSERT and TMOV, implementation checks; docs/isa/TINSERT.md, TMOV.md, TEXTRACT.md, tstore.md";

pub(super) const CAST: Rule = Rule::new(
    "element-type",
    "Source and destination have one element type. Without quantization an f32 accumulator also goes to f16 and bf16; on \
     A2/A3 a mat tile takes only these two.",
    SOURCE,
)
.because("Without a quantization parameter the fixpipe converts to these formats only.")
.instead("Declare the destination with a type that the message lists, or add a quantization operand.");
pub(super) const QUANT_TYPE: Rule =
    Rule::new("quant-type", "The profile quantizes between these two element types.", SOURCE)
        .because("The fixpipe has one mode per pair of formats, and none for this pair.")
        .instead("Use a pair that the message lists, or move without quantization and convert with TCVT.")
        .weighing(ERROR_OR_A5_EXTENSION);
pub(super) const QUANT_SOURCE: Rule =
    Rule::new("quant-source", "Only elements of an accumulator are quantized.", SOURCE)
        .because("The fixpipe applies scale and offset, and only accumulators pass through it.")
        .instead("Remove the quantization operand, or quantize a vec tile with TQUANT.");
pub(super) const FP_LOCATION: Rule = Rule::new(
    "fp-location",
    "The tile of quantization parameters is a scaling tile in the fixpipe buffer.",
    "seeds TINSERT and TMOV: FpTileData::Loc == TileType::Scaling",
)
.because("The fixpipe reads its parameters from its own buffer.")
.instead("Declare the tile with `loc=scaling` and move the parameters there with TMOV first.");
pub(super) const FP_TYPE: Rule = Rule::new(
    "fp-type",
    "Quantization parameters are 64-bit integers.",
    "docs/isa/TMOV.md, Mat to Scaling; docs/isa/TMOV_FP.md",
)
.because(
    "Each parameter is a 64-bit word that packs scale, offset and sign bit; the device reads 8 bytes as one parameter, \
     whatever the type.",
)
.instead("Declare the tile of parameters as ui64.")
.lint();
pub(super) const FP_COLUMNS: Rule = Rule::new(
    "fp-columns",
    "The scaling tile has a parameter for every column that is moved.",
    "docs/isa/TMOV_FP.md, TINSERT_FP.md, TEXTRACT_FP.md",
)
.because("The columns without a parameter would be scaled by undefined bytes of the buffer.")
.instead("Declare the scaling tile with at least as many columns as are moved.");
pub(super) const QUANT_SIGN: Rule = Rule::new(
    "quant-sign",
    "For 8-bit results, bit 46 of the parameter is set if and only if the destination's element type is signed.",
    "docs/isa/cube/fixpipe-model.md",
)
.because("With the wrong bit, results are clamped to the range of the other signedness.")
.instead("Set bit 46 for a signed destination and clear it for an unsigned one.")
.lint();
pub(super) const QUANT_SCALE: Rule = Rule::new(
    "quant-scale",
    "The scale has at most ten bits after the leading one: the fixpipe drops the others.",
    "docs/isa/cube/fixpipe-model.md",
)
.because("The last bits of the result differ from those of a product with the full scale.")
.instead("Round the scale to eleven significant bits.")
.lint();
pub(super) const RELU_SOURCE: Rule = Rule::new(
    "relu-source",
    "Relu applies only to elements of an accumulator.",
    "seeds TINSERT and TMOV, overloads with reluMode",
)
.because("Only the fixpipe applies relu during a move, and only accumulators pass it.")
.instead("Remove the mode, and apply TRELU to the vec tile.")
.only(NPU);
pub(super) const RELU_TYPE: Rule = Rule::new(
    "relu-type",
    "Relu is defined for the destination's element type.",
    "docs/isa/cube/fixpipe-model.md",
)
.because("The fixpipe has no relu for results of this format.")
.instead("Move without relu, or to an integer format, f16, bf16 or f32.");

/// Rules of every use with a scaling tile `fp`.
pub(super) const COLUMN_RULES: &[&Rule] =
    &[&QUANT_TYPE, &QUANT_SOURCE, &FP_LOCATION, &FP_TYPE, &FP_COLUMNS, &RELU_SOURCE];
/// Additional rules of instructions that also have a form without quantization.
pub(super) const CAST_RULES: &[&Rule] = &[&CAST, &RELU_TYPE];
/// Additional rules of instructions that also have the form with one scalar parameter `q`.
pub(super) const SCALAR_RULES: &[&Rule] = &[&QUANT_SIGN, &QUANT_SCALE];

/// How the fixpipe converts elements of an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PreQuant {
    /// Cast, or copied if both formats are equal.
    Cast,
    /// Quantized by one parameter.
    Scalar,
    /// Quantized with one parameter per column.
    Vector,
}

/// How a use quantizes. A tile is a quantization parameter only if it is a scaling tile or has the role `fp`.
pub(super) fn pre_quant_of(site: &Site<'_>) -> PreQuant {
    match (site.operand("q"), site.operand("fp").map(|operand| &operand.fact)) {
        (Some(_), _) => PreQuant::Scalar,
        (None, Some(Fact::Tile(_))) => PreQuant::Vector,
        _ => PreQuant::Cast,
    }
}

use Element::{Bf16, E4M3, F16, F32, HiF8, I8, I16, I32, U8};

/// Allowed destination formats: for f32 accumulators, then for i32 accumulators.
type Targets = (&'static [Element], &'static [Element]);

/// Allowed destination formats, by kind of quantization.
#[derive(Clone, Copy)]
struct Table {
    cast: Targets,
    scalar: Targets,
    vector: Targets,
}

const A5_QUANT: Targets = (&[I8, U8, HiF8, F16, Bf16, E4M3], &[I8, U8, F16, Bf16]);
const A5_STORE: Targets = (&[I8, U8, F16, Bf16, HiF8, E4M3, F32], &[I8, U8, F16, Bf16]);
const A2A3_STORE: Targets = (&[I8, U8], &[I8, U8, F16]);
const A2A3_MOVE: &[Element] = &[I8, U8, F16, I16];
const CAST_ALL: Targets = (&[F16, Bf16, F32], &[I32]);

/// Formats of moves to mat and vec tiles.
const MOVES: PerProfile<Table> = PerProfile::a2a3_or(
    Table { cast: (&[F16, Bf16], &[]), scalar: (&[I8], A2A3_MOVE), vector: (&[I8, U8], A2A3_MOVE) },
    Table { cast: CAST_ALL, scalar: A5_QUANT, vector: A5_QUANT },
);

/// Formats of stores to global memory.
const STORES: PerProfile<Table> = PerProfile::a2a3_or(
    Table { cast: CAST_ALL, scalar: A2A3_STORE, vector: A2A3_STORE },
    Table { cast: CAST_ALL, scalar: A5_STORE, vector: A5_STORE },
);

/// Profiles whose header quantizes f32 to f32.
const F32_TO_F32: &[Profile] = A5_ONLY;

impl Table {
    fn targets(&self, quant: PreQuant, from: Element) -> &'static [Element] {
        let (float, integer) = match quant {
            PreQuant::Cast => self.cast,
            PreQuant::Scalar => self.scalar,
            PreQuant::Vector => self.vector,
        };
        match from {
            F32 => float,
            I32 => integer,
            _ => &[],
        }
    }
}

/// Whether a conversion is legal on a profile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Yes,
    /// Only the header accepts it; the seed page does not.
    Extension,
    No,
}

fn verdict(profile: Profile, store: bool, quant: PreQuant, from: Element, to: Element) -> Verdict {
    let table = if store { STORES } else { MOVES }.of(profile);
    if table.targets(quant, from).contains(&to)
        || !profile.is_device() && quant != PreQuant::Cast && quantizes(from, to)
    {
        return Verdict::Yes;
    }
    let header = F32_TO_F32.contains(&profile) && quant != PreQuant::Cast && (from, to) == (F32, F32);
    if header { Verdict::Extension } else { Verdict::No }
}

/// Checks the formats of a move or store from the accumulator `src` to `to` in role `role`. Returns whether the
/// conversion is legal.
pub(super) fn formats(check: &mut Check<'_>, role: &str, to: Element, store: bool) -> bool {
    let (from, quant, profile) = (check.tile("src").element(), pre_quant_of(check.site), check.profile());
    let rule = if quant == PreQuant::Cast { &CAST } else { &QUANT_TYPE };
    let verdict = verdict(profile, store, quant, from, to);
    let severity = if verdict == Verdict::Extension { Severity::Extension } else { Severity::Error };
    check.judge(severity, rule, role, verdict == Verdict::Yes, |check| {
        let table = if store { STORES } else { MOVES }.of(profile);
        let how = match quant {
            PreQuant::Cast => "without quantization",
            PreQuant::Scalar => "with one parameter",
            PreQuant::Vector => "with a scaling tile",
        };
        let list = words(table.targets(quant, from));
        let list = if list.is_empty() { "nothing".to_owned() } else { list };
        let mut message = format!(
            "{} holds {}, {} {}: {how}, {} goes to {list} on {}",
            check.name("src"),
            element_word(from),
            check.name(role),
            element_word(to),
            element_word(from),
            profile.word()
        );
        let others = Profile::ALL
            .into_iter()
            .filter(|other| self::verdict(*other, store, quant, from, to) == Verdict::Yes);
        let others: Vec<_> = others.filter(|other| *other != profile).map(Profile::word).collect();
        if !others.is_empty() {
            message.push_str(&format!(" ({} has it)", others.join(", ")));
        }
        message
    })
}

/// Checks the quantization operands of a use; `end` is one past the last used column of the scaling tile.
pub(super) fn quantization(check: &mut Check<'_>, to: Element, end: Option<u32>) {
    let quant = pre_quant_of(check.site);
    if quant == PreQuant::Cast {
        return;
    }
    let role = if quant == PreQuant::Scalar { "q" } else { "fp" };
    let location = check.tile("src").location();
    check.require(&QUANT_SOURCE, role, location == Location::Acc, |check| {
        format!("{} is a {} tile; only an acc tile is quantized", check.name("src"), location.word())
    });
    if quant == PreQuant::Scalar {
        return parameter(check, to);
    }
    let fp = check.tile("fp");
    let own = fp.ty.buffer() == crate::memory::Buffer::Fixpipe;
    check.require(&FP_LOCATION, "fp", own, |check| {
        format!("{} is a {} tile in {}", check.name("fp"), fp.location().word(), fp.ty.buffer().word())
    });
    let words = matches!(fp.element(), Element::U64 | Element::I64);
    check.judge(Severity::Lint, &FP_TYPE, "fp", words, |check| {
        format!("{} holds {}, not ui64", check.name("fp"), element_word(fp.element()))
    });
    let have = if words { fp.cols.unwrap_or(fp.ty.cols) } else { (fp.ty.bytes() / 8) as u32 };
    check.require(&FP_COLUMNS, "fp", end.is_none_or(|end| end <= have), |check| {
        format!(
            "{} has {have} parameters, but column {} is used",
            check.name("fp"),
            end.unwrap_or(0).saturating_sub(1)
        )
    });
}

/// Lints on the value of the parameter `q`, if it is known.
fn parameter(check: &mut Check<'_>, to: Element) {
    let Some((_, Some(bits))) = check.site.scalar("q") else { return };
    let bits = bits as u64;
    let signed = Parameter::scalar(bits).signed;
    let agrees = !matches!(to, I8 | U8) || signed == (to == I8);
    check.judge(Severity::Lint, &QUANT_SIGN, "q", agrees, |_| {
        let (range, word) = if signed { ("-128..127", "set") } else { ("0..255", "clear") };
        format!(
            "bit 46 is {word}, so results are clamped to {range}, but the destination holds {}",
            element_word(to)
        )
    });
    let short = to == I16 || Parameter::is_short(bits);
    check.judge(Severity::Lint, &QUANT_SCALE, "q", short, |_| {
        format!("the scale {:?} has bits that the fixpipe drops", Parameter::scalar(bits).scale)
    });
}

/// Checks relu for a destination of element type `to`.
pub(super) fn relu(check: &mut Check<'_>, to: Element) {
    if !has_relu(check.site) {
        return;
    }
    let (location, from) = (check.tile("src").location(), check.tile("src").element());
    let acc = location == Location::Acc;
    let leaves = check.require(&RELU_SOURCE, "src", acc, |check| {
        format!("{} is a {} tile, not an acc tile", check.name("src"), location.word())
    });
    let quant = pre_quant_of(check.site);
    // A conversion that is illegal anyway is reported by another rule.
    if !leaves || acc && verdict(check.profile(), true, quant, from, to) == Verdict::No {
        return;
    }
    let defined = quant != PreQuant::Cast || UnaryOp::Relu.applies_to(to);
    check.require(&RELU_TYPE, "dst", defined, |_| format!("there is no relu of {}", element_word(to)));
}
