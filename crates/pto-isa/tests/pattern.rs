//! Tests of `pto_isa::op::irregular::pattern`.

use pto_isa::op::irregular::pattern::*;

/// The count of selected elements equals the number of their positions before the end.
#[test]
fn counts_are_the_places_before_the_end() {
    for (word, pattern) in WORDS {
        for extent in 0..20 {
            let places = (0..20).map(|index| pattern.place(index)).filter(|place| *place < extent);
            assert_eq!(pattern.count(extent), places.count(), "{word} of {extent}");
        }
    }
}
