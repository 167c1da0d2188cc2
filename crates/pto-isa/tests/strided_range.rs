//! Tests of `pto_isa::strided_range`.

use pto_isa::element::Element;
use pto_isa::layout::{Layout, LayoutName};
use pto_isa::matrix::{Position, Size};
use pto_isa::strided_range::*;

fn listed(range: &StridedRange) -> Vec<u64> {
    range.runs().flat_map(|(start, length)| start..start + length).collect()
}

/// Compares all pairs of small ranges with the sets of their bytes.
#[test]
fn common_bytes_and_cover_are_those_of_the_sets() {
    let mut all = vec![StridedRange::bytes(3, 0)];
    for start in 0..5 {
        for run in 1..4 {
            for count in 1..4 {
                for stride in run..6 {
                    all.push(StridedRange::new(start, run, count, stride));
                }
            }
        }
    }
    for a in &all {
        let of_a = listed(a);
        for b in &all {
            let of_b = listed(b);
            let common = of_a.iter().filter(|byte| of_b.contains(byte)).min().copied();
            let found = a.common(b);
            assert_eq!(found.is_some(), common.is_some(), "{a:?} {b:?}");
            assert!(found.is_none_or(|byte| of_a.contains(&byte) && of_b.contains(&byte)));
            if b.run > 0 && a.run > 0 && a.count > 1 {
                assert!(!a.covers(b) || of_b.iter().all(|byte| of_a.contains(byte)), "{a:?} {b:?}");
            }
        }
    }
}

/// Compares windows of tiles of all layouts with the offsets of their elements.
#[test]
fn tiles_are_the_bytes_of_their_elements() {
    use LayoutName::{Dn, Nd, Nn, Nz, Zn, Zz};
    for name in [Nd, Dn, Nz, Zn, Zz, Nn] {
        let (box_rows, box_cols) = if matches!(name, Nd | Dn) { (1, 1) } else { (4, 2) };
        let layout = Layout { name, rows: 12, cols: 8, box_rows, box_cols };
        for (row, col) in [(0, 0), (4, 2), (3, 1), (9, 5)] {
            for (rows, cols) in [(1, 1), (3, 3), (12 - row, 8 - col), (2, 0)] {
                let (mut found, mut wanted) = (Vec::new(), Vec::new());
                let (start, size) = (Position { row, col }, Size { rows, cols });
                of_tile(&layout, Element::I16, 100, start, size, &mut |range| {
                    found.extend(listed(&range));
                });
                for (i, j) in (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))) {
                    let at = 100 + 2 * layout.offset(row + i, col + j) as u64;
                    wanted.extend([at, at + 1]);
                }
                found.sort_unstable();
                wanted.sort_unstable();
                assert_eq!(found, wanted, "{name:?} ({row}, {col}) {rows}x{cols}");
            }
        }
    }
}

#[test]
fn runs_are_collected_into_regions() {
    let mut found = Vec::new();
    let mut push = |range| found.push(range);
    let mut collector = Collector::new(&mut push);
    for (start, length) in [(0, 4), (4, 4), (16, 8), (32, 8), (41, 8), (49, 2)] {
        collector.add(start, length);
    }
    collector.finish();
    assert_eq!(found, [StridedRange::new(0, 8, 3, 16), StridedRange::bytes(41, 10)]);
}
