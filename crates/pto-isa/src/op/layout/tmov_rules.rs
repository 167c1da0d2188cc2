//! Rules of TMOV only.

use super::raw_copy;
use super::repack;
use super::textract_rules::VECTOR_ROW;
use super::transfer_rules::{self as transfer, LISTED};
use super::zz_rules::AXIS;
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::layout::{LayoutName, c0};
use crate::memory::Buffer;
use crate::op::site::{Check, TileFact};
use crate::profile::{A2A3_ONLY, A5_ONLY, CPU_AND_A5, NPU, PerProfile, Profile};
use crate::rule::{ERROR_OR_EXTENSION, ERROR_OR_NPU_EXTENSION, Rule};
use crate::tile::{BLayout, Location};
use Element::{Bf16, E1M2x2, E2M1x2, E4M3, E5M2, E8M0, F16, F32, HiF8, I8, I32, I64, U8, U64};

const SEED: &str = "seed TMOV";

pub(super) const PAIR: Rule =
    Rule::new("location-pair", "The profile moves between these two locations.", SEED)
        .because("The device has no data path between these two buffers.")
        .instead("Move to a location that the profile has, or go by way of a third tile.");
const SPELLING: Rule = Rule::new(
    "spelling",
    "A spelling with locations names those of the tiles: m mat, l left, r right, b bias, s scaling, a acc, v vec.",
    "seed TMOV, Assembly Syntax",
)
.because("The name of the instruction contradicts the tiles.")
.instead("Write `pto.tmov`, or the spelling for these locations.");
const SHAPE: Rule = Rule::new(
    "shape",
    "On A2/A3, and from a mat tile, source and destination have the same declared rows and columns, in values if the tiles \
     pack pairs in different directions.",
    "seed TMOV, A2A3 implementation checks; include/pto/npu/a5/TMov.hpp",
)
.because("The device moves one declared shape and reads it from both tiles.")
.instead("Declare both tiles with the same rows and columns, or use TEXTRACT or TINSERT.")
.only(NPU);
const ROOM: Rule = Rule::new("room", "The moved elements fit the declared shape of the destination.", SEED)
    .because("Elements beyond the destination would overwrite other tiles.")
    .instead("Declare the destination at least as large as what is moved.");
const BIAS_TYPE: Rule = Rule::new(
    "bias-type",
    "A bias is i32 moved from i32, or f32 moved from f32 or f16; on A5 also from bf16.",
    "seed TMOV, Mat to Bias",
)
.because("The path into the bias buffer converts between these formats only.")
.instead("Declare the bias tile as i32 or f32, with a source of a type in the statement.");
const BIAS_ROW: Rule = Rule::new("bias-row", "The source of a bias has one row.", "seed TMOV, Mat to Bias")
    .because("The bias buffer has one row.")
    .instead("Declare the source with one row.")
    .only(NPU);
const BIAS_BYTES: Rule = Rule::new(
    "bias-alignment",
    "A bias row, of the source on A2/A3 and of the destination on A5, takes a multiple of 64 bytes.",
    "seed TMOV, Mat to Bias",
)
.because("The bias buffer is written in units of 64 bytes.")
.instead("Pad the declared row to a multiple of 64 bytes.")
.only(NPU);
const BIAS_CAPACITY: Rule =
    Rule::new("bias-capacity", "A bias row takes at most 4096 bytes.", "seed TMOV, Mat to Bias")
        .because("The bias buffer has 4096 bytes.")
        .instead("Split the product along N.")
        .only(A5_ONLY);
const SCALING_TYPE: Rule = Rule::new(
    "scaling-type",
    "Quantization parameters are ui64 in the source and in the destination.",
    "seed TMOV, Mat to Scaling; docs/isa/TMOV.md also has i64",
)
.because("Each parameter is a 64-bit word that packs scale, offset and sign bit.")
.instead("Declare both tiles as ui64.")
.weighing(ERROR_OR_EXTENSION)
.only(NPU);
const SCALING_ROW: Rule = Rule::new(
    "scaling-row",
    "The source of quantization parameters has one row.",
    "seed TMOV, Mat to Scaling",
)
.because("The fixpipe buffer has one row.")
.instead("Declare the source with one row.")
.only(NPU);
const SCALING_BYTES: Rule = Rule::new(
    "scaling-alignment",
    "A row of quantization parameters, of the source on A2/A3 and of the destination on A5, takes a multiple of 128 bytes.",
    "seed TMOV, Mat to Scaling",
)
.because("The fixpipe buffer is written in units of 128 bytes.")
.instead("Pad the declared row to a multiple of 128 bytes, which are 16 parameters.")
.only(NPU);
const SCALING_CAPACITY: Rule = Rule::new(
    "scaling-capacity",
    "Quantization parameters take at most 4096 bytes.",
    "seed TMOV, Mat to Scaling",
)
.because("A transfer into the fixpipe buffer has at most 4096 bytes.")
.instead("Move at most 512 parameters at a time.")
.only(A5_ONLY);
const MX_TYPE: Rule = Rule::new("mx-type", "MX scales are f8E8M0.", "seed TMOV, CommonCheckMX")
    .because("The matrix unit reads MX scales as powers of two of 8 bits.")
    .instead("Declare both tiles as f8E8M0.")
    .only(A5_ONLY);
const MX_LAYOUT: Rule = Rule::new(
    "mx-layout",
    "MX scales of a left operand are ZZ, of a right one NN, in both tiles.",
    "docs/isa/TMOV.md",
)
.because("The matrix unit reads scales in the order of their factor.")
.instead("Declare ZZ tiles for the left factor and NN tiles for the right one.")
.only(A5_ONLY);
const OPERAND_TYPE: Rule = Rule::new(
    "operand-type",
    "A5 moves this element type to left and right tiles, and from vec to mat tiles.",
    "seed TMOV, CommonCheck",
)
.because("The device has no encoding of the move for other element types.")
.instead("Use an element type that the message lists.")
.weighing(ERROR_OR_NPU_EXTENSION)
.only(A5_ONLY);
const OPERAND_LAYOUT: Rule = Rule::new(
    "operand-layout",
    "The source of a move to a left or right tile, or from vec to mat, is ZN, NZ or row-major.",
    "seed TMOV, CommonCheck",
)
.because("The device reads these orders only.")
.instead("Load the mat tile as NZ or ZN.")
.only(A5_ONLY);
const VEC_LAYOUT: Rule = Rule::new(
    "vec-layout",
    "Vec tiles keep their layout; A5 also moves ND to NZ and ND to ZN.",
    "docs/isa/TMOV.md, ND to NZ and ND to ZN",
)
.because("The vector unit has these rearrangements only.")
.instead("Use a pair of layouts in the statement, or TTRANS.")
.only(NPU);
const WHOLE_BOXES: Rule = Rule::new(
    "whole-boxes",
    "From ND to ZN, the declared source and the valid destination consist of whole boxes: rows of 32 bytes of elements, 16 columns.",
    "docs/isa/TMOV.md, ND to ZN; include/pto/npu/a5/TMov.hpp",
)
.because("The device gathers whole boxes.")
.instead("Pad rows and columns to whole boxes.")
.only(A5_ONLY);

/// Rules of TMOV that TMOV_FP lacks, because it has neither split spellings nor a workspace, and copies no bytes as they are.
pub(super) const PLAIN_RULES: &[&Rule] =
    &[&SPELLING, &raw_copy::RAW_COPY, &raw_copy::RAW_ROWS, &raw_copy::RAW_ROOM];
/// Rules of TMOV and TMOV_FP.
pub(super) const RULES: &[&Rule] = &[
    &PAIR,
    &SHAPE,
    &ROOM,
    &BIAS_TYPE,
    &BIAS_ROW,
    &BIAS_BYTES,
    &BIAS_CAPACITY,
    &SCALING_TYPE,
    &SCALING_ROW,
    &SCALING_BYTES,
    &SCALING_CAPACITY,
    &MX_TYPE,
    &MX_LAYOUT,
    &OPERAND_TYPE,
    &OPERAND_LAYOUT,
    &VEC_LAYOUT,
    &WHOLE_BOXES,
    &LISTED,
    &AXIS,
    &VECTOR_ROW,
];

/// Whether the profile moves between two tiles.
pub(super) fn pair_fits(profile: Profile, src: &TileFact, dst: &TileFact) -> bool {
    use Location::{Acc, Bias, Left, Mat, Right, Scaling, Vec};
    let (from, to) = (src.location(), dst.location());
    let mx = to == Scaling && dst.ty.buffer() != Buffer::Fixpipe;
    let a2a3 = matches!((from, to), (Mat, Left | Right | Bias | Scaling) | (Vec, Vec) | (Acc, Mat)) && !mx;
    let a5 = a2a3 || (from, mx) == (Mat, true) || matches!((from, to), (Vec, Mat) | (Acc, Vec));
    PerProfile::new(true, a2a3, a5).of(profile)
}

/// Profiles on which every move requires equal declared shapes.
const SAME_SHAPE: &[Profile] = A2A3_ONLY;
/// Profiles on which the source determines the size of a row of parameters; on others the destination does.
const ROW_OF_SOURCE: &[Profile] = A2A3_ONLY;
/// Profiles that convert bf16 biases.
const BF16_BIAS: &[Profile] = CPU_AND_A5;
/// Profiles that change the layout of vec tiles in a move.
const RELAYS: &[Profile] = A5_ONLY;

/// A message with the profiles that move between two tiles between which `profile` does not.
pub(super) fn pair_message(profile: Profile, src: &TileFact, dst: &TileFact) -> String {
    let others = Profile::ALL.into_iter().filter(|other| pair_fits(*other, src, dst)).map(Profile::word);
    let others: Vec<_> = others.collect();
    let (from, to) = (src.location().word(), dst.location().word());
    format!("{} does not move from {from} to {to}; {} does", profile.word(), others.join(", "))
}

/// Checks that the split spelling matches the locations.
pub(super) fn spelling(check: &mut Check<'_>) {
    let spelling = check.site.spelling;
    let Some(letters) = spelling.rsplit_once("tmov.").map(|(_, letters)| letters) else { return };
    let (from, to) = match letters {
        "m2l" => (Location::Mat, Location::Left),
        "m2r" => (Location::Mat, Location::Right),
        "m2b" => (Location::Mat, Location::Bias),
        "m2s" => (Location::Mat, Location::Scaling),
        "a2v" => (Location::Acc, Location::Vec),
        "v2v" => (Location::Vec, Location::Vec),
        _ => return,
    };
    for (role, wanted) in [("src", from), ("dst", to)] {
        let have = check.tile(role).location();
        check.require(&SPELLING, role, have == wanted, |check| {
            format!(
                "`tmov.{letters}` has a {} tile here, but {} is a {} tile",
                wanted.word(),
                check.name(role),
                have.word()
            )
        });
    }
}

fn declared(check: &Check<'_>, src: &TileFact, dst: &TileFact) -> String {
    let (a, b) = (&src.ty, &dst.ty);
    format!(
        "{} is declared {}x{}, {} {}x{}",
        check.name("src"),
        a.rows,
        a.cols,
        check.name("dst"),
        b.rows,
        b.cols
    )
}

/// Checks that declared shapes are equal if the profile requires it.
pub(super) fn shape(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    let wanted = match repack::turns_pairs(check.site) {
        true => repack::in_source(src, dst, [Some(dst.ty.rows), Some(dst.ty.cols)]),
        false => [Some(dst.ty.rows), Some(dst.ty.cols)],
    };
    let same = [Some(src.ty.rows), Some(src.ty.cols)] == wanted;
    let strict = SAME_SHAPE.contains(&check.profile()) || src.location() == Location::Mat;
    check.require(&SHAPE, "dst", same || !strict, |check| declared(check, src, dst));
}

/// Checks that the destination is large enough for the moved part.
pub(super) fn room(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    let bounded =
        matches!((src.location(), dst.location()), (Location::Vec, Location::Vec) | (Location::Mat, _));
    let (rows, cols) = super::moving::Receivers::of(check.site).share_known(src.rows, src.cols);
    let fits = |have: u32, need: Option<u32>| need.is_none_or(|need| need <= have);
    check.require(&ROOM, "dst", bounded || fits(dst.ty.rows, rows) && fits(dst.ty.cols, cols), |check| {
        let (from, to) = (check.name("src"), check.name("dst"));
        format!(
            "{from} has {} valid elements, {to} room for {}x{}",
            src.valid_text(),
            dst.ty.rows,
            dst.ty.cols
        )
    });
}

fn row_bytes(tile: &TileFact) -> usize {
    tile.element().bytes(tile.ty.cols as usize)
}

/// Checks that the tile is one row whose size is a multiple of `unit` bytes and at most 4096 bytes.
fn line(check: &mut Check<'_>, src: &TileFact, dst: &TileFact, unit: usize, rules: [&'static Rule; 3]) {
    let [row, bytes_rule, capacity] = rules;
    check.require(row, "src", src.ty.rows == 1, |check| {
        format!("{} has {} rows", check.name("src"), src.ty.rows)
    });
    let (role, tile) = if ROW_OF_SOURCE.contains(&check.profile()) { ("src", src) } else { ("dst", dst) };
    let bytes = row_bytes(tile);
    check.require(bytes_rule, role, bytes.is_multiple_of(unit), |check| {
        format!("a row of {} takes {bytes} bytes, which is not a multiple of {unit}", check.name(role))
    });
    let bytes = row_bytes(dst);
    check.require(capacity, "dst", bytes <= 4096, |check| {
        format!("a row of {} takes {bytes} bytes", check.name("dst"))
    });
}

/// Checks moves from Mat to Bias.
pub(super) fn bias(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    let (from, to) = (src.element(), dst.element());
    let bf16 = BF16_BIAS.contains(&check.profile()) && (from, to) == (Bf16, F32);
    let fits = bf16 || matches!((from, to), (I32, I32) | (F32, F32) | (F16, F32));
    check.require(&BIAS_TYPE, "dst", fits, |check| {
        let (a, b) = (element_word(from), element_word(to));
        format!("{} holds {a}, {} {b}", check.name("src"), check.name("dst"))
    });
    line(check, src, dst, 64, [&BIAS_ROW, &BIAS_BYTES, &BIAS_CAPACITY]);
}

/// Checks moves from Mat to the fixpipe buffer, and to the buffers of MX scales.
pub(super) fn scaling(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    transfer::same_type(check);
    let wanted = match dst.ty.buffer() {
        Buffer::ScaleLeft => LayoutName::Zz,
        Buffer::ScaleRight => LayoutName::Nn,
        _ => {
            let element = src.element();
            // The later page and the headers list i64.
            let severity = if element == I64 { Severity::Extension } else { Severity::Error };
            check.judge(severity, &SCALING_TYPE, "src", element == U64, |check| {
                format!("{} holds {}", check.name("src"), element_word(element))
            });
            return line(check, src, dst, 128, [&SCALING_ROW, &SCALING_BYTES, &SCALING_CAPACITY]);
        }
    };
    check.require(&MX_TYPE, "src", src.element() == E8M0, |check| {
        format!("{} holds {}", check.name("src"), element_word(src.element()))
    });
    let name = src.layout().name;
    check.require(&MX_LAYOUT, "src", name == wanted, |check| {
        format!("{} is {}, not {}", check.name("src"), name.word(), wanted.word())
    });
}

/// Element types of moves from Mat to Left and Right, and from Vec to Mat.
const COMMON: &[Element] = &[I8, HiF8, E5M2, E4M3, F16, Bf16, F32, E2M1x2, E1M2x2];
/// Element types of moves between Vec tiles that change the layout.
const RELAID: &[Element] = &[F16, Bf16, F32, I32, I8, U8, E4M3, E5M2, HiF8, E2M1x2, E1M2x2];

/// Checks element type and layout of the source.
fn common_check(check: &mut Check<'_>, src: &TileFact) {
    transfer::copied_type(check, &OPERAND_TYPE, src.element(), COMMON);
    let name = src.layout().name;
    let fits = name == LayoutName::Nz || src.ty.blayout == BLayout::RowMajor;
    check.require(&OPERAND_LAYOUT, "src", fits, |check| format!("{} is {}", check.name("src"), name.word()));
}

/// Checks moves from Mat to Left and Right.
pub(super) fn operand(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    transfer::same_type(check);
    common_check(check, src);
    let row = dst.location() == Location::Left && transfer::is_vector_row(src) && !src.ty.is_boxed();
    let bytes = row_bytes(dst);
    check.require(&VECTOR_ROW, "dst", !row || bytes.is_multiple_of(512), |check| {
        format!("a row of {} takes {bytes} bytes", check.name("dst"))
    });
}

/// Checks moves from Vec to Mat, of which A5 copies bytes without rearranging them.
pub(super) fn vec_to_mat(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    transfer::same_type(check);
    let scales = src.element() == E8M0;
    check.judge(Severity::Extension, &OPERAND_TYPE, "src", !scales, |check| {
        format!("{} holds f8E8M0, which the page of `tmov` does not list", check.name("src"))
    });
    if !scales {
        common_check(check, src);
    }
    raw_copy::check(check, src, dst);
}

/// Checks moves from Vec to Vec.
pub(super) fn vec(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    transfer::same_type(check);
    let (from, to) = (src.layout().name, dst.layout().name);
    // For a single row or column, ND and DN are the same.
    let thin = matches!((from, to), (LayoutName::Nd, LayoutName::Dn) | (LayoutName::Dn, LayoutName::Nd))
        && (src.ty.rows == 1 || src.ty.cols == 1);
    let relaid = from == LayoutName::Nd && matches!(to, LayoutName::Nz | LayoutName::Zn);
    let fits = from == to || thin || RELAYS.contains(&check.profile()) && relaid;
    check.require(&VEC_LAYOUT, "dst", fits, |check| {
        format!(
            "{} is {} ({}), {} is {}",
            check.name("src"),
            from.word(),
            src.valid_text(),
            check.name("dst"),
            to.word()
        )
    });
    if !relaid || !fits {
        return;
    }
    transfer::copied_type(check, &LISTED, src.element(), RELAID);
    let multiple = |extent: u32, unit: u32| extent.is_multiple_of(unit);
    let wide = c0(src.element());
    let declared = multiple(src.ty.rows, wide) && multiple(src.ty.cols, 16);
    let valid =
        dst.rows.is_none_or(|rows| multiple(rows, wide)) && dst.cols.is_none_or(|cols| multiple(cols, 16));
    check.require(&WHOLE_BOXES, "dst", to != LayoutName::Zn || declared && valid, |check| {
        format!(
            "{} is declared {}x{}, {} has {} valid elements: rows must be multiples of {wide}, columns of 16",
            check.name("src"),
            src.ty.rows,
            src.ty.cols,
            check.name("dst"),
            dst.valid_text()
        )
    });
}
