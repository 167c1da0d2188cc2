use crate::testing::operands;
use pto_kernels::Element;
use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::format::{get_element, set_element};
use pto_kernels::reduce::*;

/// Operands: ordinary numbers if `tame`, else special values among them.
fn values(element: Element, count: usize, tame: bool) -> Vec<u64> {
    let bits = operands(element, count * 4);
    if tame { bits.into_iter().skip(2).step_by(4).collect() } else { bits[..count].to_vec() }
}

#[test]
fn reductions_are_in_the_prescribed_order() {
    const COLS: usize = 70;
    // Two times more rows than any loop processes side by side, and a remainder.
    const ROWS: usize = 19;
    const DST: usize = COLS * ROWS * 8;
    for element in Element::ALL {
        for (op, tame) in ReduceOp::ALL.into_iter().flat_map(|op| [(op, true), (op, false)]) {
            let bits = values(element, COLS * ROWS, tame);
            let mut mem = vec![0u8; DST + element.bytes(COLS)];
            bits.iter().enumerate().for_each(|(i, &bits)| set_element(&mut mem, 0, i, element, bits));
            // A buffer that ends after `count` elements.
            let first = |mem: &[u8], count| mem[..element.bytes(count)].to_vec();
            for level in levels() {
                let (row, column) = with_level(level, || (row(op, element), column(op, element)));
                let (Some(row), Some(column)) = (row, column) else {
                    assert!(!element.is_integer() && element.bits() <= 8);
                    continue;
                };
                for count in [0, 1, 5, 16, 33, 490] {
                    let want = op.fold_row(element, &bits[..count]).unwrap();
                    let mut got = [0];
                    row(&first(&mem, count), 0, 0, count, &mut got);
                    assert_eq!(got, [want], "{level:?} {op:?} {element:?} {count}");
                }
                let mut got = [0; ROWS];
                let rows = first(&mem, (ROWS - 1) * COLS + COLS - 3);
                row(&rows, 0, COLS * element.bytes(1), COLS - 3, &mut got);
                for (r, got) in got.into_iter().enumerate() {
                    let want = op.fold_row(element, &bits[r * COLS..(r + 1) * COLS - 3]).unwrap();
                    assert_eq!(got, want, "{level:?} {op:?} {element:?} row {r}");
                }
                // Results of the previous level would hide elements that this one does not write.
                mem[DST..].fill(0xa5);
                column(&mut mem, DST, 0, COLS * element.bytes(1), ROWS, COLS);
                for c in 0..COLS {
                    let column: Vec<u64> = (0..ROWS).map(|r| bits[r * COLS + c]).collect();
                    let got = get_element(&mem, DST, c, element);
                    let want = op.fold_column(element, &column).unwrap();
                    assert_eq!(got, want, "{level:?} {op:?} {element:?} column {c}");
                }
            }
        }
    }
}

#[test]
fn extremes_are_found() {
    let set = |mem: &mut [u8], values: &[f32]| {
        for (i, value) in values.iter().enumerate() {
            mem[i * 4..i * 4 + 4].copy_from_slice(&value.to_le_bytes());
        }
    };
    let mut mem = vec![0u8; 64];
    for level in levels() {
        with_level(level, || {
            let max = row_arg(ReduceOp::Max, Element::F32).unwrap();
            let min = row_arg(ReduceOp::Min, Element::F32).unwrap();
            set(&mut mem, &[1.0, 3.0, -2.0, 3.0, -2.0, 0.0]);
            assert_eq!(max(&mem, 0, 6), (1, u64::from(3f32.to_bits())));
            assert_eq!(min(&mem, 0, 6), (2, u64::from((-2f32).to_bits())));
            set(&mut mem, &[1.0, f32::NAN, 5.0, -f32::NAN, 6.0, 0.0]);
            assert_eq!(max(&mem, 0, 6), (1, 0x7fc0_0000));
            // Rows 1, NaN, 5 and -NaN, 6, 0: a NaN wins over a number, the first NaN over later ones.
            let mut found = [9; 3];
            column_arg(ReduceOp::Max, Element::F32).unwrap()(&mem, 0, 12, 2, &mut found);
            assert_eq!(found, [1, 0, 0]);
            column_arg(ReduceOp::Min, Element::F32).unwrap()(&mem, 0, 12, 2, &mut found);
            assert_eq!(found, [1, 0, 1]);
        });
    }
}

#[test]
fn there_is_a_loop_for_every_format_that_has_the_reduction() {
    for (op, element) in ReduceOp::ALL.into_iter().flat_map(|op| Element::ALL.map(|element| (op, element))) {
        let has = op.applies_to(element);
        assert_eq!(row(op, element).is_some(), has, "{op:?} {element:?}");
        assert_eq!(column(op, element).is_some(), has, "{op:?} {element:?}");
    }
    for element in Element::ALL {
        assert_eq!(
            row_arg(ReduceOp::Max, element).is_some(),
            ReduceOp::Max.applies_to(element),
            "{element:?}"
        );
    }
}
