//! Type Support by Target Profile, the matrix of the page Layout And Rearrangement: each of the page's 14 instructions
//! on each element type and profile.

use super::{ND, NZ, judged, tile};
use pto::Profile;
use pto::Profile::{A2A3, A5, Cpu};

/// Element types, and whether the simulator, A2/A3 and A5 have them: the matrix as it stands on the page.
const MATRIX: [(&[&str], [bool; 3]); 8] = [
    (&["f32"], [true; 3]),
    (&["f16"], [true; 3]),
    (&["bf16"], [true; 3]),
    (&["i8", "ui8"], [true; 3]),
    (&["i16", "ui16"], [true; 3]),
    (&["i32", "ui32"], [true; 3]),
    (&["i64", "ui64"], [true; 3]),
    (&["f8E4M3FN", "f8E5M2"], [false, false, true]),
];
const PROFILES: [Profile; 3] = [Cpu, A2A3, A5];

/// Types that the page of an instruction itself lists on A2/A3 and on A5, among those of the matrix.
struct Own(&'static str, &'static [&'static str], &'static [&'static str]);

const UP_TO_32: &[&str] = &["f32", "f16", "bf16", "i8", "ui8", "i16", "ui16", "i32", "ui32"];
const UP_TO_64: &[&str] = &["f32", "f16", "bf16", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"];
const EVERY: &[&str] =
    &["f32", "f16", "bf16", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64", "f8E4M3FN", "f8E5M2"];
const UP_TO_32_AND_FLOATS: &[&str] =
    &["f32", "f16", "bf16", "i8", "ui8", "i16", "ui16", "i32", "ui32", "f8E4M3FN", "f8E5M2"];
const WINDOWS: &[&str] = &["f32", "f16", "bf16", "i8", "i32", "f8E4M3FN", "f8E5M2"];
const FACTORS: &[&str] = &["f32", "f16", "bf16", "i8", "f8E4M3FN", "f8E5M2"];

/// The 14 instructions of the page.
const INSTRUCTIONS: [Own; 14] = [
    Own("tmov", UP_TO_64, EVERY),
    Own("tmov_fp", UP_TO_64, EVERY),
    Own("treshape", UP_TO_64, EVERY),
    Own("ttrans", UP_TO_32, UP_TO_32),
    Own("tconcat", UP_TO_32, UP_TO_32),
    Own("tpack", UP_TO_64, EVERY),
    Own("textract", UP_TO_32, WINDOWS),
    Own("textract_fp", UP_TO_32, WINDOWS),
    // 13.3: from vec to vec on A2/A3 all of it is an extension, since the page has accumulators alone.
    Own("tinsert", &[], WINDOWS),
    Own("tinsert_fp", &[], WINDOWS),
    Own("tfillpad", UP_TO_32, UP_TO_32_AND_FLOATS),
    Own("tfillpad_inplace", UP_TO_32, UP_TO_32_AND_FLOATS),
    Own("tfillpad_expand", UP_TO_32, UP_TO_32_AND_FLOATS),
    Own("timg2col", &["f32", "f16", "bf16", "i8"], UP_TO_32),
];

/// The names of these instructions.
pub(super) fn names() -> [&'static str; 14] {
    INSTRUCTIONS.map(|Own(name, ..)| name)
}

/// Other paths of these instructions that copy elements, on A5.
const PATHS_OF_A5: [Own; 4] = [
    Own("tmov vec to mat", &[], FACTORS),
    Own("tmov mat to left", &[], FACTORS),
    Own("textract mat to left", &[], FACTORS),
    Own("tinsert vec to mat", &[], WINDOWS),
];

/// The verdict on an instruction of the set on one element type.
fn verdict(op: &str, element: &str, profile: Profile) -> &'static str {
    let (src, wide) = (tile("vec", "32x32", element, ND), tile("vec", "32x64", element, ND));
    let filled = tile("vec", "32x32", element, ", pad=1");
    let (mut from, mut to) = (src.clone(), src.clone());
    let body = match op {
        "tmov" | "ttrans" | "tpack" => format!("pto.{op} ins(%s : {src}) outs(%d : {src})"),
        "tmov_fp" => format!("pto.tmov_fp ins(%s, %f : {src}, {element}) outs(%d : {src})"),
        "treshape" => format!("%n = pto.treshape %s : {src} -> {src}"),
        "tconcat" => {
            to = wide.clone();
            format!("pto.tconcat ins(%s, %s : {src}, {src}) outs(%d : {wide})")
        }
        "textract" | "tinsert" => {
            format!("pto.{op} ins(%s, %c0, %c0 : {src}, index, index) outs(%d : {src})")
        }
        "textract_fp" | "tinsert_fp" => {
            format!("pto.{op} ins(%s, %c0, %c0, %f : {src}, index, index, {element}) outs(%d : {src})")
        }
        "timg2col" => {
            let channels = 256 / bits(element);
            let blocks = if profile == A2A3 { "" } else { ", blayout=col_major" };
            from = format!("!pto.conv_tile<mat, NC1HWC0, 1x2x8x8x{channels}x{element}>");
            to = format!("!pto.tile_buf<left, 16x{}x{element}{blocks}, slayout=row_major>", 2 * channels);
            format!("pto.timg2col ins(%s : {from}) outs(%d : {to}) {{fmap = [8, 8]}}")
        }
        "tmov vec to mat" | "tinsert vec to mat" | "tmov mat to left" | "textract mat to left" => {
            let (name, ways) = op.split_once(' ').expect("a path");
            let (source, destination) = ways.split_once(" to ").expect("a path");
            (from, to) = (tile(source, "32x32", element, NZ), tile(destination, "32x32", element, NZ));
            let offsets = if name == "tmov" { ("", "") } else { (", %c0, %c0", ", index, index") };
            format!("pto.{name} ins(%s{} : {from}{}) outs(%d : {to})", offsets.0, offsets.1)
        }
        _ => {
            to = filled.clone();
            format!("pto.{op} ins(%s : {src}) outs(%d : {filled})")
        }
    };
    judged(&body, &[("s", &from), ("d", &to), ("f", element)], profile)
}

/// Bits of an element type, from its word.
fn bits(element: &str) -> u32 {
    let digits = element.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().expect("a number of bits")
}

/// The verdict that the matrix demands. If the matrix allows a type that the instruction's own page lacks, the use is an
/// extension.
fn wanted(Own(op, a2a3, a5): &Own, element: &str, profile: Profile, yes: bool) -> &'static str {
    let own = match profile {
        Cpu => true,
        A2A3 => a2a3.contains(&element),
        A5 => a5.contains(&element),
    };
    match (yes, own) {
        (true, true) => "legal",
        (true, false) => "extension",
        // The page forbids TIMG2COL of 8-bit floats. The simulator runs other instructions with the types of A5.
        (false, _) if profile == Cpu && *op != "timg2col" => "extension",
        (false, _) => "error",
    }
}

#[test]
fn each_of_the_14_instructions_takes_the_types_of_the_matrix() {
    for instruction in &INSTRUCTIONS {
        for (elements, columns) in MATRIX {
            for (profile, yes) in PROFILES.into_iter().zip(columns) {
                for element in elements {
                    let found = verdict(instruction.0, element, profile);
                    let wanted = wanted(instruction, element, profile, yes);
                    assert_eq!(found, wanted, "{} of {element} on {profile:?}", instruction.0);
                }
            }
        }
    }
}

// 13.3: Layout matrix, at every position that copies
#[test]
fn other_paths_that_copy_take_the_types_of_the_matrix_on_a5() {
    for path in &PATHS_OF_A5 {
        for (elements, [.., yes]) in MATRIX {
            for element in elements {
                let found = verdict(path.0, element, A5);
                assert_eq!(found, wanted(path, element, A5, yes), "{} of {element}", path.0);
            }
        }
    }
}
