//! The strided ranges of views of global memory.

use pto_isa::element::Element;
use pto_isa::exec::state::View;
use pto_isa::strided_range::StridedRange;
use pto_isa::types::MAX_RANK;

/// Maximum number of ranges per view; a view with more is approximated by all bytes from its first to its last.
const MOST: u64 = 4096;

/// The ranges of a view in its buffer; its first element is at byte `start`.
pub fn of_view(view: &View, element: Element, start: u64, push: &mut impl FnMut(StridedRange)) {
    let bytes = |elements: u64| element.bytes(elements as usize) as u64;
    let rank = usize::from(view.rank).min(MAX_RANK);
    let mut dimensions: Vec<(u64, u64)> = (0..rank)
        .map(|at| (view.shape[at], view.strides[at].unsigned_abs()))
        .filter(|(extent, _)| *extent != 1)
        .collect();
    if dimensions.iter().any(|(extent, _)| *extent == 0) {
        return;
    }
    dimensions.sort_by_key(|(_, stride)| *stride);
    // Dimensions that extend the contiguous run.
    let mut run = 1;
    while let Some((extent, stride)) = dimensions.first().copied() {
        if stride > run {
            break;
        }
        run = run.max((extent - 1).saturating_mul(stride).saturating_add(run));
        dimensions.remove(0);
    }
    if dimensions.is_empty() {
        return push(StridedRange::bytes(start, bytes(run)));
    }
    let (count, stride) = dimensions.remove(0);
    let outer = dimensions.iter().fold(1u64, |all, (extent, _)| all.saturating_mul(*extent));
    if outer > MOST {
        let last = dimensions.iter().map(|(extent, stride)| (extent - 1).saturating_mul(*stride));
        let last: u64 = last.fold(0, u64::saturating_add);
        let end = last.saturating_add((count - 1).saturating_mul(stride)).saturating_add(run);
        return push(StridedRange::bytes(start, bytes(end)));
    }
    for index in 0..outer {
        let mut rest = index;
        let mut at = 0u64;
        for (extent, stride) in &dimensions {
            at = at.saturating_add(rest % extent * stride);
            rest /= extent;
        }
        push(StridedRange::new(start + bytes(at), bytes(run), count, bytes(stride)));
    }
}
