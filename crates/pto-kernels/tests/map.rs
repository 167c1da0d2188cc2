use crate::testing::operands;
use pto_kernels::Element;
use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::format::{get_element, set_element};
use pto_kernels::map::*;

const COUNT: usize = 301;

/// A buffer with operands of `element` at byte 0 and, in another order, at byte `stride`.
fn buffer(element: Element) -> (Vec<u8>, usize) {
    let stride = COUNT * 8;
    let mut mem = vec![0; stride * 3];
    let bits = operands(element, COUNT * 2);
    for i in 0..COUNT {
        set_element(&mut mem, 0, i, element, bits[i]);
        set_element(&mut mem, stride, i, element, bits[(i * 7 + i / 16) % bits.len()]);
    }
    (mem, stride)
}

#[test]
fn kernels_of_one_source_agree_with_apply() {
    for element in Element::ALL {
        let (mem, stride) = buffer(element);
        for op in UnaryOp::ALL {
            assert_eq!(unary(op, element).is_some(), op.applies_to(element), "{op:?} {element:?}");
            for level in levels().filter(|_| op.applies_to(element)) {
                let kernel = with_level(level, || unary(op, element).unwrap());
                for (dst, count) in [(2 * stride, COUNT), (0, COUNT), (2 * stride, 3)] {
                    let mut out = mem.clone();
                    kernel(&mut out, dst, 0, count);
                    for i in 0..count {
                        let a = get_element(&mem, 0, i, element);
                        let (got, want) = (get_element(&out, dst, i, element), op.apply(element, a).unwrap());
                        assert_eq!(got, want, "{level:?} {op:?} {element:?} {a:x}");
                    }
                    let end = dst + element.bytes(count);
                    assert_eq!(out[end..], mem[end..], "writes nothing after its range");
                    let mut tight = mem[..end].to_vec();
                    kernel(&mut tight, dst, 0, count);
                    assert_eq!(tight, out[..end], "needs nothing after its range");
                }
            }
        }
    }
}

#[test]
fn kernels_of_two_sources_agree_with_apply() {
    for element in Element::ALL {
        let (mem, stride) = buffer(element);
        for op in BinaryOp::ALL {
            assert_eq!(binary(op, element).is_some(), op.applies_to(element), "{op:?} {element:?}");
            for level in levels().filter(|_| op.applies_to(element)) {
                let kernel = with_level(level, || binary(op, element).unwrap());
                for (dst, count) in [(2 * stride, COUNT), (0, COUNT), (stride, COUNT), (2 * stride, 5)] {
                    let mut out = mem.clone();
                    kernel(&mut out, dst, 0, stride, count);
                    for i in 0..count {
                        let (a, b) =
                            (get_element(&mem, 0, i, element), get_element(&mem, stride, i, element));
                        let (got, want) =
                            (get_element(&out, dst, i, element), op.apply(element, a, b).unwrap());
                        assert_eq!(got, want, "{level:?} {op:?} {element:?} {a:x} {b:x}");
                    }
                    let end = dst + element.bytes(count);
                    assert_eq!(out[end..], mem[end..], "writes nothing after its range");
                    let last = end.max(stride + element.bytes(count));
                    let mut tight = mem[..last].to_vec();
                    kernel(&mut tight, dst, 0, stride, count);
                    assert_eq!(tight, out[..last], "needs nothing after its range");
                }
            }
        }
    }
}

#[test]
fn kernels_with_a_scalar_agree_with_apply() {
    for element in Element::ALL {
        let (mem, stride) = buffer(element);
        for op in BinaryOp::ALL.into_iter().filter(|op| op.applies_to(element)) {
            // An operation that commutes, or has a kernel for its first operand.
            use BinaryOp::{Add, And, Div, ExpDif, Max, Min, Mul, Or, Sub, Xor};
            let has_left = matches!(op, Add | Mul | Max | Min | And | Or | Xor | Sub | Div | ExpDif);
            assert_eq!(scalar_binary(op, element).is_some(), has_left, "{op:?} {element:?}");
            for level in levels() {
                let (right, left) =
                    with_level(level, || (binary_scalar(op, element).unwrap(), scalar_binary(op, element)));
                for s in operands(element, 40) {
                    let check = |kernel: ScalarFn, apply: &dyn Fn(u64) -> Option<u64>| {
                        let mut out = mem.clone();
                        kernel(&mut out, &Rows::one(stride, 0, 70), &[s]);
                        for i in 0..70 {
                            let a = get_element(&mem, 0, i, element);
                            let (got, want) = (get_element(&out, stride, i, element), apply(a).unwrap());
                            assert_eq!(got, want, "{level:?} {op:?} {element:?} {a:x} {s:x}");
                        }
                    };
                    check(right, &|a| op.apply(element, a, s));
                    if let Some(left) = left {
                        check(left, &|a| op.apply(element, s, a));
                    }
                }
            }
        }
    }
}

#[test]
fn each_row_has_its_scalar() {
    let element = Element::F32;
    let (mem, stride) = buffer(element);
    let rows = Rows { dst: stride, src: 0, dst_stride: 128, src_stride: 64, count: 9 };
    let scalars = [1.5f32, -2.0, 0.25].map(|scalar| u64::from(scalar.to_bits()));
    for level in levels() {
        let mut out = mem.clone();
        with_level(level, || scalar_binary(BinaryOp::Sub, element).unwrap())(&mut out, &rows, &scalars);
        for (row, scalar) in scalars.into_iter().enumerate() {
            for i in 0..rows.count {
                let a = get_element(&mem, row * rows.src_stride, i, element);
                let want = BinaryOp::Sub.apply(element, scalar, a).unwrap();
                assert_eq!(
                    get_element(&out, rows.dst + row * rows.dst_stride, i, element),
                    want,
                    "{level:?}"
                );
            }
        }
    }
}

/// Asserts that `got` is within 0.52 units in the last place of f32 of `want`.
fn within_one_ulp(name: &str, x: f32, got: f32, want: f64) {
    if want.is_nan() || got.is_nan() {
        assert!(want.is_nan() && got.is_nan(), "{name}({x:e}) = {got:e}, not {want:e}");
        return;
    }
    let nearest = want as f32;
    if nearest.is_infinite() || want == 0.0 {
        assert_eq!(got, nearest, "{name}({x:e})");
        return;
    }
    let exponent = ((nearest.to_bits() >> 23 & 0xff).max(1)) as i32 - 127;
    let ulp = pto_num::power_of_two(exponent - 23);
    let error = (f64::from(got) - want).abs() / ulp;
    assert!(error <= 0.52, "{name}({x:e}) = {got:e}, not {want:e}: {error} ulp");
}

/// Arguments of elementary functions: all f16, f32 spread over all of them, and those near the ends and near 1.
fn arguments() -> impl Iterator<Item = f32> {
    let halves = (0..=u16::MAX).map(|bits| Element::F16.decode(u64::from(bits)) as f32);
    let dense = (0..=u32::MAX).step_by(6007).map(f32::from_bits);
    let limits =
        (0..4000).flat_map(|i| [-103.98 + i as f32 * 1e-5, 88.72 + i as f32 * 1e-6, -87.4 + i as f32 * 1e-4]);
    let near_one = (0..4000).map(|i| f32::from_bits(0x3f80_0000 - 2000 + i));
    halves.chain(dense).chain(limits).chain(near_one)
}

/// The vector path, its remainder and the scalar formula give equal bits.
#[test]
fn elementary_functions_have_the_same_bits_at_every_level() {
    let arguments: Vec<f32> = arguments().collect();
    let (bytes, count) = (4 * arguments.len(), arguments.len());
    let mut mem: Vec<u8> = arguments.iter().flat_map(|x| x.to_le_bytes()).collect();
    mem.resize(2 * bytes, 0);
    for op in [UnaryOp::Exp, UnaryOp::Log, UnaryOp::Rsqrt] {
        for level in levels() {
            // Ranges with remainders of each length.
            for (start, length) in [(0, count), (0, 8), (8, 13), (21, 7), (count - 27, 27)] {
                let kernel = with_level(level, || unary(op, Element::F32)).expect("f32 has it");
                kernel(&mut mem, bytes + 4 * start, 4 * start, length);
                let results = mem[bytes..].as_chunks::<4>().0;
                for (x, result) in arguments.iter().zip(results).skip(start).take(length) {
                    let want = op.apply(Element::F32, u64::from(x.to_bits()));
                    let got = u64::from(u32::from_le_bytes(*result));
                    assert_eq!(Some(got), want, "{op:?} of {x:e} at {level:?}");
                }
            }
        }
    }
}

/// The bits of a function of an f32.
fn bits_of_f32(op: UnaryOp, x: f32) -> u64 {
    op.apply(Element::F32, u64::from(x.to_bits())).expect("f32 has it")
}

fn of_f32(op: UnaryOp, x: f32) -> f32 {
    f32::from_bits(bits_of_f32(op, x) as u32)
}

fn pow(x: f32, y: f32) -> f32 {
    let [x, y] = [x, y].map(|value| u64::from(value.to_bits()));
    f32::from_bits(BinaryOp::Pow.apply(Element::F32, x, y).expect("f32 has it") as u32)
}

#[test]
fn elementary_functions_are_within_one_ulp() {
    for x in arguments() {
        let wide = f64::from(x);
        within_one_ulp("exp", x, of_f32(UnaryOp::Exp, x), wide.exp());
        within_one_ulp("log", x, of_f32(UnaryOp::Log, x), wide.ln());
        within_one_ulp("rsqrt", x, of_f32(UnaryOp::Rsqrt, x), 1.0 / wide.sqrt());
        for y in
            [0.5, -1.5, 2.0, 3.0, -7.0, 0.1, 17.25, 1e-3, 0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN]
        {
            within_one_ulp("pow", x, pow(x, y), wide.powf(f64::from(y)));
            within_one_ulp("pow, from", x, pow(y, x), f64::from(y).powf(wide));
        }
    }
}

#[test]
fn special_values() {
    assert_eq!(bits_of_f32(UnaryOp::Abs, -0.0), 0);
    assert_eq!(bits_of_f32(UnaryOp::Relu, -0.0), 0);
    assert_eq!(bits_of_f32(UnaryOp::Relu, -f32::NAN), 0x7fc0_0000);
    assert_eq!(bits_of_f32(UnaryOp::Exp, 0.0), 0x3f80_0000);
    assert_eq!(bits_of_f32(UnaryOp::Rsqrt, -0.0), 0xff80_0000);
    assert_eq!(pow(-2.0, 3.0), -8.0);
    assert_eq!(pow(-0.0, -3.0), f32::NEG_INFINITY);
    assert_eq!(pow(-1.0, f32::INFINITY), 1.0);
    assert_eq!(BinaryOp::Rem.apply(Element::I8, 0xf9, 3), Some(2));
    assert_eq!(BinaryOp::Fmod.apply(Element::I8, 0xf9, 3), Some(0xff));
    assert_eq!(BinaryOp::Shr.apply(Element::I8, 0x80, 100), Some(0xff));
    assert_eq!(BinaryOp::Shr.apply(Element::U8, 0x80, 100), Some(0));
}

#[test]
fn zeros_are_found() {
    let mut mem = vec![1u8; 1000];
    mem[302..304].fill(0);
    for level in levels() {
        with_level(level, || {
            assert_eq!(find_zero(Element::I16)(&mem, 2, 400), Some(150));
            assert_eq!(find_zero(Element::U8)(&mem, 2, 400), Some(300));
            assert_eq!(find_zero(Element::I64)(&mem, 0, 100), None);
        });
    }
}

#[test]
fn what_is_not_in_the_buffer_is_not_touched() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    const LEN: usize = 1024;
    let refused = |body: &dyn Fn(&mut [u8])| {
        let mut mem = [1; LEN];
        catch_unwind(AssertUnwindSafe(|| body(&mut mem))).is_err()
    };
    for level in levels() {
        let (add, neg, adds) = with_level(level, || {
            (
                binary(BinaryOp::Add, Element::F32).unwrap(),
                unary(UnaryOp::Neg, Element::F32).unwrap(),
                binary_scalar(BinaryOp::Add, Element::F32).unwrap(),
            )
        });
        // One element too many at each offset, an offset beyond the end, and a byte length that overflows.
        for count in [1, 7, 8, 32, 33, 64] {
            let bytes = 4 * count;
            assert!(!refused(&|mem| add(mem, LEN - bytes, 0, 0, count)), "{level:?} {count}");
            for places in [
                [LEN - bytes + 4, 0, 0],
                [0, LEN - bytes + 4, 0],
                [0, 0, LEN - bytes + 4],
                [usize::MAX - 3, 0, 0],
            ] {
                let [dst, a, b] = places;
                assert!(refused(&|mem| add(mem, dst, a, b, count)), "{level:?} {count} {places:?}");
                if b == 0 {
                    assert!(refused(&|mem| neg(mem, dst, a, count)), "{level:?} {count} {places:?}");
                    assert!(
                        refused(&|mem| adds(mem, &Rows::one(dst, a, count), &[0])),
                        "{level:?} {count} {places:?}"
                    );
                }
            }
        }
        for count in [usize::MAX, usize::MAX / 4 + 2] {
            assert!(
                refused(&|mem| add(mem, 0, 0, 0, count)) && refused(&|mem| neg(mem, 0, 0, count)),
                "{level:?}"
            );
            assert!(refused(&|mem| adds(mem, &Rows::one(0, 0, count), &[0])), "{level:?}");
        }
    }
}
