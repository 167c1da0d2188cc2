//! Tests of `pto_isa::op::cost`.

use pto_isa::op::cost::*;

#[test]
fn repeats_are_those_of_rows_unless_rows_are_contiguous() {
    let tile = Extents { rows: 4, row_bytes: 320, columns: 80, contiguous: true, fractals: 0 };
    assert_eq!((tile.count(Count::Repeats), tile.count(Count::Ragged)), (5.0, 0.0));
    let part = Extents { contiguous: false, ..tile };
    assert_eq!((part.count(Count::Repeats), part.count(Count::Ragged)), (8.0, 1.0));
    assert_eq!((part.count(Count::FurtherRepeats), part.count(Count::RowsApart)), (4.0, 4.0));
}
