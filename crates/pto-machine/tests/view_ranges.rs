//! Tests of `pto_machine::sim::view_ranges`.

use pto_isa::Element;
use pto_isa::exec::state::View;
use pto_isa::strided_range::StridedRange;
use pto_machine::sim::view_ranges::*;

#[test]
fn views_are_runs() {
    let view = |shape: &[u64], strides: &[i64]| {
        let mut view = View { rank: shape.len() as u8, ..View::default() };
        view.shape[..shape.len()].copy_from_slice(shape);
        view.strides[..strides.len()].copy_from_slice(strides);
        let mut ranges = Vec::new();
        of_view(&view, Element::F32, 100, &mut |range| ranges.push(range));
        ranges
    };
    assert_eq!(view(&[4, 8], &[8, 1]), [StridedRange::bytes(100, 128)]);
    assert_eq!(view(&[4, 8], &[16, 1]), [StridedRange::new(100, 32, 4, 64)]);
    assert_eq!(view(&[8, 4], &[1, 16]), [StridedRange::new(100, 32, 4, 64)]);
    let three = view(&[2, 4, 8], &[100, 16, 1]);
    assert_eq!(three, [StridedRange::new(100, 32, 4, 64), StridedRange::new(500, 32, 4, 64)]);
    assert_eq!(view(&[0, 8], &[16, 1]), []);
}
