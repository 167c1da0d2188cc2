use crate::testing::{operands, random};
use pto_kernels::Element;
use pto_kernels::ReduceOp;
use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::format::{get_element, set_element};
use pto_kernels::mask::*;

const ROWS: usize = 3;
const COUNTS: [usize; 5] = [1, 7, 64, 65, 203];
/// Elements from one row to the next.
const STRIDE: usize = 210;
/// Bytes of a source with the widest elements.
const ROOM: usize = ROWS * STRIDE * 8;
/// Bytes from one row of a mask to the next.
const MASK_STRIDE: usize = 29;

/// A buffer with two sources at bytes 0 and `ROOM` and random bytes after them; and the elements of the sources.
fn buffer(element: Element) -> (Vec<u8>, [Vec<u64>; 2]) {
    let count = ROWS * STRIDE;
    let first = operands(element, count);
    let mut state = 3;
    // Every fourth element of the second is equal to that of the first.
    let second: Vec<u64> = (0..count)
        .map(|i| if i % 4 == 1 { first[i] } else { first[random(&mut state) as usize % count] })
        .collect();
    let mut mem: Vec<u8> = (0..4 * ROOM).map(|_| random(&mut state) as u8).collect();
    for i in 0..count {
        set_element(&mut mem, 0, i, element, first[i]);
        set_element(&mut mem, ROOM, i, element, second[i]);
    }
    (mem, [first, second])
}

fn lines(start: usize, element: Element) -> Lines {
    Lines { start, stride: element.bytes(STRIDE) }
}

/// Compares the bits of a predicate with its definition.
fn check(element: Element, question: impl Fn() -> Option<Bits>, want: impl Fn(u64, u64) -> bool, what: &str) {
    let (mem, [first, second]) = buffer(element);
    let mask = Lines { start: 2 * ROOM, stride: MASK_STRIDE };
    for level in levels() {
        let Some(bits) = with_level(level, &question) else { return };
        for (count, scalar) in COUNTS.into_iter().flat_map(|count| [(count, false), (count, true)]) {
            let one = second[count];
            let operand = if scalar { Operand::Scalar(one) } else { Operand::Lines(lines(ROOM, element)) };
            let mut out = mem.clone();
            bits.run(&mut out, mask, lines(0, element), &operand, [ROWS, count]);
            let mut expected = mem.clone();
            for row in 0..ROWS {
                let start = 2 * ROOM + row * MASK_STRIDE;
                expected[start..start + count.div_ceil(8)].fill(0);
                for i in 0..count {
                    let (a, b) = (first[row * STRIDE + i], second[row * STRIDE + i]);
                    let holds = want(a, if scalar { one } else { b });
                    expected[start + i / 8] |= u8::from(holds) << (i % 8);
                }
            }
            assert!(out == expected, "{level:?} {what} {element:?} {count} {scalar}");
        }
    }
}

#[test]
fn comparisons_agree_with_the_definition() {
    for element in Element::ALL {
        for relation in Relation::ALL {
            let want = |a, b| relation.holds(element, a, b);
            check(element, || compare(relation, element), want, &format!("{relation:?}"));
        }
    }
}

#[test]
fn extremes_agree_with_the_definition() {
    for element in Element::ALL {
        for op in [ReduceOp::Max, ReduceOp::Min] {
            check(element, || wins(op, element), |a, b| first_wins(op, element, a, b), &format!("{op:?}"));
        }
    }
}

#[test]
fn small_formats_have_no_loop() {
    for element in Element::ALL {
        let wide = element.is_integer() || element.bits() >= 16;
        assert_eq!(compare(Relation::Eq, element).is_some(), wide, "{element:?}");
        assert_eq!(wins(ReduceOp::Max, element).is_some(), wide, "{element:?}");
        assert_eq!(choice(element.bits()).is_some(), element.bits() >= 8, "{element:?}");
    }
}

#[test]
fn selections_take_what_the_mask_says() {
    for element in [Element::U8, Element::F16, Element::F32, Element::I64] {
        let (mem, [first, second]) = buffer(element);
        let mask = Lines { start: 2 * ROOM, stride: MASK_STRIDE };
        for (level, dst) in levels().flat_map(|level| [0, ROOM, 3 * ROOM].map(|dst| (level, dst))) {
            let run = with_level(level, || choice(element.bits()).unwrap());
            for (count, scalar) in COUNTS.into_iter().flat_map(|count| [(count, false), (count, true)]) {
                let one = second[count];
                let operand =
                    if scalar { Operand::Scalar(one) } else { Operand::Lines(lines(ROOM, element)) };
                let mut out = mem.clone();
                run(&mut out, lines(dst, element), mask, lines(0, element), &operand, [ROWS, count]);
                let mut expected = mem.clone();
                for (row, i) in (0..ROWS).flat_map(|row| (0..count).map(move |i| (row, i))) {
                    let taken = mem[2 * ROOM + row * MASK_STRIDE + i / 8] >> (i % 8) & 1 != 0;
                    let other = if scalar { one } else { second[row * STRIDE + i] };
                    let value = if taken { first[row * STRIDE + i] } else { other };
                    set_element(&mut expected, dst, row * STRIDE + i, element, value);
                }
                assert!(out == expected, "{level:?} {element:?} {dst} {count} {scalar}");
                assert_eq!(get_element(&out, dst, 0, element), get_element(&expected, dst, 0, element));
            }
        }
    }
}
