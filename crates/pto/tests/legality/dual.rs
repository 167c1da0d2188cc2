//! Moves from an accumulator to both vector cores: bounds apply to the half that each core receives, not to the
//! whole source.

use super::*;

const HALVES: [&str; 2] = ["dual_mode_split_m", "dual_mode_split_n"];

/// The findings on a dual-mode move of a 32x64 accumulator to a vec tile of `rows` x `cols`, with optional
/// offsets.
fn moved(
    name: &str,
    mode: &str,
    [rows, cols]: [u32; 2],
    offsets: Option<[u32; 2]>,
    profile: Profile,
) -> Vec<String> {
    let acc = "!pto.tile_buf<acc, 32x64xf32, blayout=col_major, slayout=row_major, fractal=1024>";
    let vec = format!("!pto.tile_buf<vec, {rows}x{cols}xf32>");
    let (names, types) = if offsets.is_some() { (", %row, %col", ", index, index") } else { ("", "") };
    let [row, col] = offsets.unwrap_or_default();
    let body = format!(
        "  %row = arith.constant {row} : index
  %col = arith.constant {col} : index
  pto.{name} ins(%0{names} : {acc}{types}) outs(%1 : {vec}) {{accToVecMode = #pto.acc_to_vec_mode<{mode}>}}"
    );
    found(&function(&[acc, &vec], &body), profile)
}

#[test]
fn dual_modes_are_bounded_by_the_half_of_tmov() {
    for profile in [A5, Cpu] {
        for (mode, fits, small) in [(HALVES[0], [16, 64], [8, 64]), (HALVES[1], [32, 32], [32, 16])] {
            assert_eq!(moved("tmov", mode, fits, None, profile), NOTHING, "{mode} {profile:?}");
            let refused = ["error: tmov::room"];
            assert_eq!(moved("tmov", mode, small, None, profile), refused, "{mode} {profile:?}");
        }
    }
}

#[test]
fn dual_modes_are_bounded_by_the_half_of_tinsert() {
    for profile in [A5, Cpu] {
        for (mode, shape, beyond) in [(HALVES[0], [24, 96], [16, 32]), (HALVES[1], [40, 64], [8, 40])] {
            let of = |offsets| moved("tinsert", mode, shape, Some(offsets), profile);
            assert_eq!(of([8, 32]), NOTHING, "{mode} {profile:?}");
            assert_eq!(of(beyond), ["error: tinsert::bounds"], "{mode} {profile:?}");
        }
    }
}

/// The source's valid region is split, so it must be inside the source as well.
#[test]
fn dual_modes_are_bounded_by_the_half_of_textract() {
    for profile in [A5, Cpu] {
        for (mode, fits, small) in [(HALVES[0], [16, 64], [8, 64]), (HALVES[1], [32, 32], [32, 16])] {
            let of = |shape, offsets| moved("textract", mode, shape, Some(offsets), profile);
            assert_eq!(of(fits, [0, 0]), NOTHING, "{mode} {profile:?}");
            let refused = ["error: textract::window"];
            assert_eq!(of(small, [0, 0]), refused, "{mode} {profile:?}");
            assert_eq!(of(fits, [16, 0]), refused, "{mode} {profile:?}");
        }
    }
}
