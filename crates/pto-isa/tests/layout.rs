//! Tests of `pto_isa::layout`.

use pto_isa::element::Element;
use pto_isa::layout::*;
use pto_isa::matrix::Position;
use pto_isa::tile::{BLayout, Location, SLayout, TileType};

fn layout(element: Element, rows: u32, cols: u32, name: LayoutName, fractal: u32) -> Layout {
    let (blayout, slayout) = match name {
        LayoutName::Nd => (BLayout::RowMajor, SLayout::NoneBox),
        LayoutName::Dn => (BLayout::ColMajor, SLayout::NoneBox),
        LayoutName::Nz => (BLayout::ColMajor, SLayout::RowMajor),
        LayoutName::Zn => (BLayout::RowMajor, SLayout::ColMajor),
        LayoutName::Zz => (BLayout::RowMajor, SLayout::RowMajor),
        LayoutName::Nn => (BLayout::ColMajor, SLayout::ColMajor),
    };
    let location = Location::Mat;
    Layout::of(&TileType { location, blayout, slayout, fractal, ..TileType::vec(element, rows, cols) })
}

/// `place` inverts `offset` for every element.
#[test]
fn places_are_the_inverse_of_offsets() {
    use LayoutName::{Dn, Nd, Nn, Nz, Zn, Zz};
    for name in [Nd, Dn, Nz, Zn, Zz, Nn] {
        let layout = layout(Element::F16, 48, 32, name, 512);
        for (row, col) in (0..48).flat_map(|row| (0..32).map(move |col| (row, col))) {
            assert_eq!(layout.place(layout.offset(row, col)), Position { row, col }, "{name:?}");
        }
    }
}

/// The stride from `step_down` equals the differences of offsets.
#[test]
fn steps_down_are_differences_of_offsets() {
    use LayoutName::{Dn, Nd, Nn, Nz, Zn, Zz};
    for name in [Nd, Dn, Nz, Zn, Zz, Nn] {
        let layout = layout(Element::F16, 48, 32, name, 512);
        let steps: Vec<usize> =
            (1..48).map(|row| layout.offset(row, 5).abs_diff(layout.offset(row - 1, 5))).collect();
        let same = steps.iter().all(|step| *step == steps[0]);
        assert_eq!(layout.step_down(), same.then_some(steps[0]), "{name:?}");
    }
}

/// The worked examples of the layout pages: (format, shape, layout, fractal, element, offset).
#[test]
fn worked_examples() {
    use Element::*;
    use LayoutName::*;
    let examples = [
        (F16, (16, 32), Nd, 512, (3, 5), 101),
        (F16, (16, 32), Dn, 512, (3, 5), 83),
        (F16, (32, 32), Nz, 512, (17, 20), 788),
        (F16, (32, 32), Zn, 512, (17, 20), 833),
        (F16, (32, 32), Zz, 512, (17, 20), 788),
        (F16, (48, 32), Zz, 512, (17, 20), 788),
        (F16, (48, 32), Nz, 512, (17, 20), 1044),
        (F16, (32, 32), Nn, 512, (17, 20), 833),
        (F16, (48, 32), Nn, 512, (17, 20), 1089),
        (F32, (32, 32), Nz, 512, (17, 20), 652),
        (F32, (32, 32), Zn, 512, (17, 20), 673),
        (I8, (64, 64), Nz, 512, (17, 40), 2600),
        (I8, (64, 64), Zn, 512, (40, 17), 2600),
        (F32, (32, 32), Nz, 1024, (17, 20), 788),
        (I32, (32, 32), Nz, 1024, (17, 20), 788),
        (E8M0, (32, 8), Zz, 32, (17, 5), 195),
        (E8M0, (8, 32), Nn, 32, (5, 17), 195),
        (E2M1x2, (32, 64), Nz, 512, (17, 40), 1576),
        (F16, (17, 32), Nz, 512, (3, 20), 324),
    ];
    for (element, (rows, cols), name, fractal, (row, col), expected) in examples {
        let layout = layout(element, rows, cols, name, fractal);
        assert_eq!(layout.offset(row, col), expected, "{element:?} {rows}x{cols} {name:?} ({row},{col})");
    }
}

/// The worked example of pairs, counted in values: value 1128 is the low half of byte 564.
#[test]
fn values_of_pairs_follow_each_other() {
    let pairs = layout(Element::E2M1x2, 32, 32, LayoutName::Nz, 512);
    assert_eq!(pairs.offset(17, 20), 564);
    assert_eq!(pairs.of_values(Element::E2M1x2).offset(17, 40), 1128);
    let columns = layout(Element::E2M1x2, 32, 64, LayoutName::Zn, 512);
    let values = columns.of_values(Element::E2M1x2);
    assert_eq!((values.rows, values.cols, values.box_rows, values.box_cols), (64, 64, 64, 16));
    assert_eq!(values.offset(41, 17), 2 * columns.offset(20, 17) + 1);
}

#[test]
fn placements_agree_with_offsets() {
    use LayoutName::*;
    for name in [Nd, Dn, Nz, Zn, Zz, Nn] {
        let layout = layout(Element::F16, 48, 64, name, 512);
        let placement = layout.placement(0);
        for row in 0..48 {
            for col in 0..64 {
                assert_eq!(placement.index(row, col), layout.offset(row, col), "{name:?} ({row},{col})");
            }
        }
    }
}
