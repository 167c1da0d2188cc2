//! Tests of `pto_isa::op::effect::measure`.

use pto_isa::op::effect::measure::*;

/// Three valid rows, and an unknown number of valid columns.
fn of(measure: Measure<usize>) -> Option<u32> {
    measure.evaluate(|side| match side {
        Side::Rows(_) => Some(3),
        Side::Cols(_) => None,
    })
}

#[test]
fn a_number_is_known_if_its_sides_are() {
    let (rows, cols) = (Side::Rows(0), Side::Cols(0));
    assert_eq!(of(Measure::RoundedUp(rows, 8)), Some(8));
    assert_eq!(of(Measure::Half(rows)), Some(1));
    assert_eq!(of(Measure::Least(rows, cols)), None);
    assert_eq!(Measure::Sum(rows, cols).evaluate(|_| u32::MAX), u32::MAX);
}
