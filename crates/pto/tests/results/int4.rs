//! Tiles of i4x2 (`int4b_t`), two 4-bit integers per byte: conversions from and to f16 on A2/A3.

use super::programs::{self, Tile, run};
use pto::Profile::{A2A3, A5, Cpu};
use pto_num::{Element, Overflow, Rounding};

const PAIR: &str = "!pto.i4x2";

fn halves(values: &[f64]) -> Vec<u8> {
    let bits = |value: &f64| Element::F16.encode(*value, Rounding::NearestEven, Overflow::Ieee) as u16;
    values.iter().flat_map(|value| bits(value).to_le_bytes()).collect()
}

/// Packs numbers from -8 to 7 into bytes, the first of two in the low half.
fn packed(numbers: &[i8]) -> Vec<u8> {
    numbers.chunks(2).map(|pair| (pair[0] & 15 | pair[1] << 4) as u8).collect()
}

/// Multiples of 1/8 from -16 to 16, for which all rounding modes differ.
fn eighths() -> Vec<f64> {
    (0..256).map(|at| f64::from(at - 128) / 8.0).collect()
}

/// The integer result of a rounding mode.
type Round = fn(f64) -> f64;

#[test]
fn tcvt_f16_to_s4_rounds_in_every_mode_and_clamps() {
    let modes: [(&str, Round); 6] = [
        ("", f64::round_ties_even),
        ("RINT", f64::round_ties_even),
        ("ROUND", f64::round),
        ("FLOOR", f64::floor),
        ("CEIL", f64::ceil),
        ("TRUNC", f64::trunc),
    ];
    let tiles = [Tile::new("a", "f16", 4, 64), Tile::new("d", PAIR, 4, 32)];
    let values = eighths();
    for (word, round) in modes {
        let mode =
            if word.is_empty() { String::new() } else { format!(" {{rmode = #pto<round_mode {word}>}}") };
        let lines = format!("pto.tcvt ins(%a : !a) outs(%d : !d){mode}");
        let expected: Vec<i8> = values.iter().map(|value| round(*value).clamp(-8.0, 7.0) as i8).collect();
        for profile in [A2A3, Cpu] {
            let out = run(profile, &tiles, &lines, vec![halves(&values), vec![0; 128]]);
            assert_eq!(out[1], packed(&expected), "{word} {profile:?}");
        }
    }
}

#[test]
fn tcvt_f16_to_s4_without_saturation_keeps_the_low_bits() {
    let tiles = [Tile::new("a", "f16", 1, 64), Tile::new("d", PAIR, 1, 32)];
    let mut values = vec![0.0; 64];
    values[..6].copy_from_slice(&[8.0, 300.0, -9.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
    let lines = "pto.tcvt ins(%a : !a) outs(%d : !d) {sat_mode = #pto<saturation_mode OFF>}";
    let out = run(Cpu, &tiles, lines, vec![halves(&values), vec![0; 32]]);
    assert_eq!(out[1][..3], packed(&[-8, 12, 7, 0, -1, 0]));
}

#[test]
fn tcvt_s4_to_f16_is_exact() {
    let numbers: Vec<i8> = (0..256).map(|at| (at * 7 % 16 - 8) as i8).collect();
    let values: Vec<f64> = numbers.iter().map(|number| f64::from(*number)).collect();
    let tiles = [Tile::new("s", PAIR, 4, 32), Tile::new("d", "f16", 4, 64)];
    let lines = "pto.tcvt ins(%s : !s) outs(%d : !d)";
    for profile in [A2A3, Cpu] {
        let out = run(profile, &tiles, lines, vec![packed(&numbers), vec![0; 512]]);
        assert_eq!(out[1], halves(&values), "{profile:?}");
    }
}

#[test]
fn tcvt_on_a5_has_no_s4() {
    let tiles = [Tile::new("a", "f16", 1, 64), Tile::new("d", PAIR, 1, 32)];
    let source = programs::source(&tiles, "pto.tcvt ins(%a : !a) outs(%d : !d)");
    let module = pto::parse(&source).expect("a program").module;
    let findings = pto::check(module, Some(A5)).expect_err("no such conversion");
    assert!(findings.iter().any(|finding| finding.rule == "tcvt::pair" && finding.message.contains("a2a3")));
}
