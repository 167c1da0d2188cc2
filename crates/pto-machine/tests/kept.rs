//! Tests of `pto_machine::observe::memory::kept`.

use pto_isa::strided_range::StridedRange;
use pto_isa::written::Written;
use pto_machine::observe::memory::kept::*;

fn all() -> StridedRange {
    StridedRange::bytes(0, 200)
}

/// Contents of bytes 100 to 163, overwritten in memory that holds `before`.
fn kept(before: &[u8; 200], keeps: bool) -> (Kept, Written) {
    let (mut kept, mut written) = (Kept::default(), Written::default());
    written.mark(&StridedRange::bytes(100, 64));
    kept.overwrite(&StridedRange::bytes(50, 100), &written, Some(before), keeps);
    let mut lost = Written::default();
    lost.mark(&StridedRange::bytes(100, 50));
    (kept, lost)
}

#[test]
fn equal_bytes_have_not_changed() {
    let before: [u8; 200] = std::array::from_fn(|at| at as u8);
    let (mut kept, lost) = kept(&before, true);
    let mut now = before;
    assert_eq!(kept.changed(&all(), &lost, &now), None);
    now[130] = 0;
    now[170] = 0;
    assert_eq!(kept.changed(&all(), &lost, &now), Some(130));
    assert_eq!(kept.changed(&StridedRange::bytes(131, 69), &lost, &now), None);
    // The contents before the first tile that overwrote them count.
    kept.overwrite(&all(), &lost, Some(&now), true);
    assert_eq!(kept.changed(&all(), &lost, &now), Some(130));
    assert_eq!(kept.changed(&all(), &lost, &before), None);
}

#[test]
fn undefined_and_unknown_bytes_count_as_changed() {
    let before = [7; 200];
    let (mut destroyed, lost) = kept(&before, false);
    assert_eq!(destroyed.changed(&all(), &lost, &before), Some(100));
    // Another tile writes the old contents afterwards.
    destroyed.overwrite(&StridedRange::bytes(0, 120), &lost, Some(&before), true);
    assert_eq!(destroyed.changed(&all(), &lost, &before), Some(120));
    let mut unknown = Kept::default();
    unknown.overwrite(&all(), &lost, None, true);
    assert_eq!(unknown.changed(&all(), &lost, &before), Some(100));
    unknown.forget(&StridedRange::bytes(100, 64));
    unknown.overwrite(&all(), &lost, Some(&before), true);
    assert_eq!(unknown.changed(&all(), &lost, &before), None);
}
