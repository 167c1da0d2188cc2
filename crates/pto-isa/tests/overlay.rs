//! Copy-on-write memory: `pto_isa::exec::overlay`.

use pto_isa::exec::overlay::*;
use pto_kernels::Placement;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

const SIZE: usize = 3 * PAGE + 100;

fn overlay() -> Overlay {
    Overlay::new(Arc::new((0..SIZE).map(|at| at as u8).collect::<Vec<_>>().into()))
}

fn bytes_of(area: &Area) -> BTreeSet<usize> {
    let mut bytes = BTreeSet::new();
    area.runs(|run| bytes.extend(run));
    bytes
}

#[test]
fn runs_are_the_bytes_of_all_elements() {
    let boxed = |row, col| Placement {
        offset: 7,
        box_rows: 4,
        box_cols: 3,
        row_of_boxes: 40,
        col_of_boxes: 200,
        row,
        col,
    };
    let strided = |row, col| Placement::strided(5, row, col);
    let placements = [boxed(3, 1), boxed(1, 4), boxed(5, 1), boxed(9, 2), strided(6, 1), strided(1, 9)];
    for placement in
        placements.into_iter().chain([strided(7, 1), strided(40, 3), strided(0, 1), strided(0, 0)])
    {
        for bits in [4, 8, 16, 32] {
            let area = Area { placement, rows: 9, cols: 7, bits };
            let mut wanted = BTreeSet::new();
            for (i, j) in (0..9).flat_map(|i| (0..7).map(move |j| (i, j))) {
                let first = placement.index(i, j) * bits as usize;
                wanted
                    .extend((first / 8..(first + bits as usize).div_ceil(8)).map(|at| placement.offset + at));
            }
            assert_eq!(bytes_of(&area), wanted, "{area:?}");
        }
    }
    assert!(bytes_of(&Area { placement: boxed(3, 1), rows: 0, cols: 7, bits: 32 }).is_empty());
}

#[test]
fn a_row_of_rows_is_one_run() {
    let mut runs = Vec::new();
    Area { placement: Placement::rows(8, 16), rows: 4, cols: 16, bits: 32 }.runs(|run| runs.push(run));
    assert_eq!(runs.iter().filter(|run| !run.is_empty()).collect::<Vec<_>>(), [&(8..264)]);
}

#[test]
fn a_page_that_is_written_whole_is_whole() {
    let mut overlay = overlay();
    for range in [PAGE..3 * PAGE, 3 * PAGE..SIZE, 5..PAGE] {
        overlay.write(&Area::bytes(range.clone()))[range].fill(0xee);
    }
    let seen = overlay.read(&Area::bytes(0..SIZE));
    assert_eq!((&seen[..5], seen[5..].iter().all(|byte| *byte == 0xee)), (&[0, 1, 2, 3, 4][..], true));
}

#[test]
fn what_is_written_is_seen_by_its_writer_and_copied_alone() {
    let mut overlay = overlay();
    for range in [10..20, PAGE - 3..PAGE + 70, SIZE - 1..SIZE] {
        overlay.write(&Area::bytes(range.clone()))[range.clone()].fill(0xee);
        let seen =
            overlay.read(&Area::bytes(range.start - 1..range.end))[range.start - 1..range.end].to_vec();
        assert_eq!(seen[0], (range.start - 1) as u8);
        assert!(seen[1..].iter().all(|byte| *byte == 0xee));
    }
    let mut merged = vec![1; SIZE];
    put_together(&[overlay.into_written()], &mut merged);
    let written: Vec<usize> = (0..SIZE).filter(|at| merged[*at] == 0xee).collect();
    let wanted: Vec<usize> = (10..20).chain(PAGE - 3..PAGE + 70).chain([SIZE - 1]).collect();
    assert_eq!(written, wanted);
    assert_eq!(merged.iter().filter(|byte| **byte == 1).count(), SIZE - wanted.len());
}

#[test]
fn what_several_have_written_is_put_together_in_parts() {
    const LARGE: usize = 3 * WORTH_A_THREAD + 77;
    let shared = Arc::new(vec![1; LARGE].into());
    let mut overlays: Vec<Overlay> = (0..4).map(|_| Overlay::new(Arc::clone(&shared))).collect();
    let (mut wanted, mut start) = (vec![1; LARGE], 0);
    for (turn, size) in [1, 63, 64, 65, 4096, 100_000, 31].into_iter().cycle().enumerate() {
        let range = start..(start + size).min(LARGE);
        // The last overlay writes nothing, and no overlay writes some of the bytes.
        if let Some(overlay) = overlays[..3].get_mut(turn % 5) {
            overlay.write(&Area::bytes(range.clone()))[range.clone()].fill(turn as u8);
            wanted[range.clone()].fill(turn as u8);
        }
        start = range.end;
        if start == LARGE {
            break;
        }
    }
    let mut merged = vec![1; LARGE];
    let all: Vec<Written> = overlays.into_iter().map(Overlay::into_written).collect();
    put_together(&all, &mut merged);
    assert!(merged == wanted);
}

/// Whether two footprints conflict after each run has written and read some bytes.
fn meet(
    a: (Option<Range<usize>>, Option<Range<usize>>),
    b: (Option<Range<usize>>, Option<Range<usize>>),
) -> bool {
    let touch = |(read, written): (Option<Range<usize>>, Option<Range<usize>>)| {
        let mut overlay = overlay();
        if let Some(range) = written {
            overlay.write(&Area::bytes(range));
        }
        if let Some(range) = read {
            overlay.read(&Area::bytes(range));
        }
        overlay.footprint().clone()
    };
    let (a, b) = (touch(a), touch(b));
    assert_eq!(a.meets(&b), b.meets(&a));
    a.meets(&b)
}

#[test]
fn footprints_meet_where_one_writes() {
    assert!(!meet((Some(0..SIZE), None), (Some(0..SIZE), None)), "both only read");
    assert!(!meet((None, Some(0..65)), (None, Some(65..200))), "side by side");
    assert!(meet((None, Some(0..66)), (None, Some(65..200))), "one byte twice");
    assert!(meet((Some(64..65), None), (None, Some(64..65))), "read and written");
    assert!(meet((Some(64..65), None), (None, Some(95..96))), "the same granule");
    assert!(!meet((Some(64..65), None), (None, Some(96..97))), "the next granule");
    assert!(!meet((Some(0..32), Some(0..32)), (Some(32..64), Some(32..64))), "each its own");
    assert!(!meet((Some(4..8), Some(0..16)), (None, Some(16..32))), "reads of own writes do not count");
    assert!(meet((Some(4..17), Some(0..16)), (None, Some(16..32))), "reads beyond own writes do");
}

#[test]
fn half_a_byte_that_is_written_is_read() {
    let mut overlay = overlay();
    overlay.write(&Area::element(64, 1, 4));
    let mut other = self::overlay();
    other.write(&Area::bytes(90..91));
    assert!(overlay.footprint().meets(other.footprint()));
}
