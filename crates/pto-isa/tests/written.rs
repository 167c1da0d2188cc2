//! Tests of `pto_isa::written`.

use pto_isa::strided_range::StridedRange;
use pto_isa::written::*;

#[test]
fn bytes_are_marked_one_by_one() {
    let mut written = Written::default();
    written.mark(&StridedRange::bytes(3, 70));
    written.mark(&StridedRange::bytes(128, 64));
    assert_eq!(written.missing(&StridedRange::bytes(3, 70)), None);
    assert_eq!(written.missing(&StridedRange::bytes(2, 4)), Some(2));
    assert_eq!(written.missing(&StridedRange::bytes(60, 20)), Some(73));
    assert_eq!(written.missing(&StridedRange::bytes(128, 64)), None);
    assert_eq!(written.missing(&StridedRange::bytes(150, 60)), Some(192));
    assert_eq!(written.missing(&StridedRange::bytes(9000, 0)), None);
    written.clear(&StridedRange::bytes(62, 4));
    assert_eq!(written.missing(&StridedRange::bytes(3, 70)), Some(62));
    assert_eq!(written.missing(&StridedRange::bytes(66, 7)), None);
    written.clear(&StridedRange::bytes(9000, 8));
    assert_eq!(written.meets(&StridedRange::bytes(60, 8)), Some(60));
    assert_eq!(written.meets(&StridedRange::bytes(62, 4)), None);
}

#[test]
fn words_are_kept_from_the_first_one_on() {
    let mut written = Written::default();
    written.mark(&StridedRange::bytes(6400, 8));
    written.mark(&StridedRange::bytes(640, 8));
    assert_eq!(written.span(), 640..640 + 91 * 64);
    assert_eq!(written.missing(&StridedRange::bytes(640, 9)), Some(648));
    assert_eq!(written.missing(&StridedRange::bytes(0, 9)), Some(0));
    let mut common = Written::default();
    common.mark_common(&StridedRange::bytes(644, 6000), &written);
    assert_eq!(common.meets(&StridedRange::bytes(0, 9000)), Some(644));
    assert_eq!(common.missing(&StridedRange::bytes(6400, 9)), Some(6408));
}

#[test]
fn runs_of_bytes_are_found_in_order() {
    let mut written = Written::default();
    written.mark(&StridedRange::bytes(3, 70));
    written.mark(&StridedRange::bytes(127, 2));
    let runs = |start: u64, length: u64| {
        let mut runs = Vec::new();
        let range = StridedRange::bytes(start, length);
        let end = find_run(
            &range,
            |word| written.word(word),
            |start, length| {
                runs.push((start, length));
                (start == 127).then_some(())
            },
        );
        (runs, end.is_some())
    };
    assert_eq!(runs(0, 64), (vec![(3, 61)], false));
    assert_eq!(runs(5, 300), (vec![(5, 59), (64, 9), (127, 1)], true));
    assert_eq!(runs(128, 72), (vec![(128, 1)], false));
}
