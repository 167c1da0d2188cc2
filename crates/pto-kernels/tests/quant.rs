use crate::testing::{operands, random};
use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::format::get_element;
use pto_kernels::quant::*;
use pto_kernels::{Element, set_element};

const SIGNED: u64 = 1 << 46;

fn parameter(scale: f32, offset: i32, rest: u64) -> u64 {
    u64::from(scale.to_bits()) | (offset as u64 & 0x1ff) << 37 | rest
}

#[test]
fn every_pair_is_the_quantization_of_one() {
    const COUNT: usize = 203;
    const DST: usize = COUNT * 4;
    const ROW: usize = DST * 2;
    let mut state = 7;
    let mut row = Vec::new();
    for i in 0..COUNT {
        let scale = [0.5, 1.0, 3.0, -0.25, 1e30, f32::NAN, f32::INFINITY, 1e-3][i % 8];
        row.push(parameter(scale, random(&mut state) as i32, random(&mut state) & (SIGNED | 15 << 32)));
    }
    for from in [Element::F32, Element::I32] {
        let bits = operands(from, COUNT);
        let mut mem = vec![0u8; ROW + COUNT * 8];
        for (i, &bits) in bits.iter().enumerate() {
            set_element(&mut mem, 0, i, from, bits);
        }
        set_row(&mut mem, ROW, row.iter().copied());
        for (to, relu, level) in Element::ALL
            .into_iter()
            .flat_map(|to| [false, true].map(|relu| (to, relu)))
            .flat_map(|(to, relu)| levels().map(move |level| (to, relu, level)))
        {
            let Some(chosen) = with_level(level, || quantization(from, to, relu)) else {
                assert!(!quantizes(from, to));
                continue;
            };
            let one = Parameter::scalar(row[3]);
            // Results of the previous level would hide elements that this one does not write.
            mem[DST..ROW].fill(0xa5);
            chosen.run(&mut mem, DST, 0, &Parameters::One(one), COUNT);
            for (i, &bits) in bits.iter().enumerate() {
                let want = quantize_one(from, to, relu, one, bits).unwrap();
                assert_eq!(
                    get_element(&mem, DST, i, to),
                    want,
                    "{level:?} {from:?} {bits:x} to {to:?} {relu}"
                );
            }
            for columns in [COUNT, COUNT / 7] {
                mem[DST..ROW].fill(0xa5);
                chosen.run(&mut mem, DST, 0, &Parameters::Row { at: ROW, columns }, COUNT);
                for (i, &bits) in bits.iter().enumerate() {
                    let own = Parameter::column(row[i % columns]);
                    let want = quantize_one(from, to, relu, own, bits).unwrap();
                    assert_eq!(
                        get_element(&mem, DST, i, to),
                        want,
                        "{level:?} {from:?} {bits:x} to {to:?} {relu}"
                    );
                }
            }
        }
    }
}

fn of_f32(to: Element, parameter: u64, value: f32) -> u64 {
    let bits = u64::from(value.to_bits());
    quantize_one(Element::F32, to, false, Parameter::scalar(parameter), bits).unwrap()
}

#[test]
fn order_of_the_steps() {
    use Element::{I8, U8};
    // Ties to even before the offset, not after.
    assert_eq!(of_f32(I8, parameter(0.5, 1, SIGNED), 5.0), 3);
    // 600 is clamped to 255 before -200 is added.
    assert_eq!(of_f32(U8, parameter(1.0, -200, 0), 600.0), 55);
    assert_eq!(of_f32(I8, parameter(1.0, 0, SIGNED), -300.0), 0x80);
    // The signedness of the parameter, not of the destination, decides the clamp.
    assert_eq!(of_f32(I8, parameter(1.0, 0, 0), -3.0), 0);
    assert_eq!(of_f32(U8, parameter(1.0, 0, 0), f32::NAN), 0);
}

#[test]
fn results_beyond_the_format() {
    use Element::{Bf16, E4M3, F16, HiF8, I16, I32};
    let one = parameter(1.0, 0, 0);
    assert_eq!(of_f32(F16, one, 1e6), 0x7bff);
    assert_eq!(of_f32(F16, one, f32::INFINITY), 0x7c00);
    assert_eq!(of_f32(Bf16, one, f32::MAX), 0x7f80);
    assert_eq!(of_f32(E4M3, one, 1e6), 0x7e);
    assert_eq!(of_f32(HiF8, one, 1.0625), 0x09);
    assert_eq!(of_f32(HiF8, one, 1e9), 0x6e);
    assert_eq!(
        [f32::INFINITY, f32::NEG_INFINITY, f32::NAN].map(|x| of_f32(HiF8, one, x)),
        [0x6f, 0xef, 0x80]
    );
    assert_eq!([f32::INFINITY, f32::NEG_INFINITY, f32::NAN].map(|x| of_f32(E4M3, one, x)), [0x7e, 0xfe, 0]);
    let of_i32 = |to, bits: u64, value: i32| {
        quantize_one(I32, to, false, Parameter::scalar(bits), value as u32 as u64).unwrap()
    };
    assert_eq!(of_i32(F16, u64::from(1e30f32.to_bits()), i32::MAX), 0x7bff);
    assert_eq!(of_i32(I16, 3 << 32, -1 << 30), 0x8000);
    assert_eq!(of_i32(I16, 3 << 32, -17), 0xfffe);
}

#[test]
fn a_column_drops_the_low_bits_of_its_scale() {
    assert_eq!(Parameter::column(0x3f80_1fff).scale, 1.0);
    assert!(Parameter::is_short(0x3f80_2000));
    assert!(!Parameter::is_short(0x3f80_0001));
}
