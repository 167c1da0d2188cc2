//! Regions of memory: equal runs of bytes at equal distances.

use crate::isa::element::Element;
use crate::isa::layout::{Layout, LayoutName};
use crate::isa::op::state::{MAX_RANK, View};

/// `count` runs of `run` bytes, `stride` bytes apart, from byte `start` on. Runs do not overlap each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) struct Region {
    pub(super) start: u64,
    pub(super) run: u64,
    pub(super) count: u64,
    pub(super) stride: u64,
}

/// Most regions that one view is taken apart into; a view of more is taken as everything between its ends.
const MOST: u64 = 64;

impl Region {
    /// Consecutive bytes.
    pub(super) fn bytes(start: u64, length: u64) -> Region {
        Region { start, run: length, count: 1, stride: length.max(1) }
    }

    fn new(start: u64, run: u64, count: u64, stride: u64) -> Region {
        if count <= 1 || run == stride {
            return Region::bytes(start, run * count.max(1));
        }
        Region { start, run, count, stride }
    }

    /// The byte behind the last one.
    pub(super) fn end(&self) -> u64 {
        self.start + (self.count - 1) * self.stride + self.run
    }

    /// The first byte that two regions have in common.
    pub(super) fn common(&self, other: &Region) -> Option<u64> {
        if self.start >= other.end() || other.start >= self.end() || self.run == 0 || other.run == 0 {
            return None;
        }
        // One run after the other of the region that has fewer, against the other one by arithmetic.
        let (few, many) = if self.count <= other.count { (self, other) } else { (other, self) };
        (0..few.count).find_map(|at| many.meets(few.start + at * few.stride, few.run))
    }

    /// The first byte in common with consecutive bytes.
    fn meets(&self, start: u64, length: u64) -> Option<u64> {
        let end = start + length;
        if start >= self.end() || end <= self.start {
            return None;
        }
        let first = start.saturating_sub(self.start) / self.stride;
        let candidates = [first, first + 1].into_iter().filter(|at| *at < self.count);
        let common = candidates.filter_map(|at| {
            let run = self.start + at * self.stride;
            let low = run.max(start);
            (low < (run + self.run).min(end)).then_some(low)
        });
        common.min()
    }

    /// Whether every byte of another region is one of this.
    pub(super) fn covers(&self, other: &Region) -> bool {
        if self == other {
            return true;
        }
        if self.count == 1 {
            return self.start <= other.start && other.end() <= self.end();
        }
        let inside = |start: u64, length: u64| {
            let Some(offset) = start.checked_sub(self.start) else { return false };
            let (at, within) = (offset / self.stride, offset % self.stride);
            at < self.count && within + length <= self.run
        };
        (0..other.count).all(|at| inside(other.start + at * other.stride, other.run))
    }

    /// Each run: first byte and length.
    pub(super) fn runs(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        let Region { start, run, count, stride } = *self;
        (0..count).map(move |at| (start + at * stride, run))
    }
}

/// The region of the first `rows` x `cols` elements of a tile at an address.
pub(super) fn of_tile(layout: &Layout, element: Element, address: u64, rows: u64, cols: u64) -> Region {
    let bytes = |elements: u64| element.bytes(elements as usize) as u64;
    if rows == 0 || cols == 0 {
        return Region::bytes(address, 0);
    }
    let (all_rows, all_cols) = (layout.rows as u64, layout.cols as u64);
    let (box_rows, box_cols) = (layout.box_rows as u64, layout.box_cols as u64);
    match layout.name {
        LayoutName::Nd => Region::new(address, bytes(cols), rows, bytes(all_cols)),
        LayoutName::Dn => Region::new(address, bytes(rows), cols, bytes(all_rows)),
        // Columns of boxes, each of all rows.
        LayoutName::Nz => {
            Region::new(address, bytes(rows * box_cols), cols.div_ceil(box_cols), bytes(all_rows * box_cols))
        }
        // Rows of boxes, each of all columns.
        LayoutName::Zn => {
            Region::new(address, bytes(cols * box_rows), rows.div_ceil(box_rows), bytes(all_cols * box_rows))
        }
        LayoutName::Zz | LayoutName::Nn => {
            let last = layout.offset(rows as usize - 1, cols as usize - 1) as u64 + 1;
            Region::bytes(address, bytes(last))
        }
    }
}

/// The regions of a view in its buffer, whose first element is at byte `start` there.
pub(super) fn of_view(view: &View, element: Element, start: u64, push: &mut impl FnMut(Region)) {
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
    // Dimensions that continue the run.
    let mut run = 1;
    while let Some((extent, stride)) = dimensions.first().copied() {
        if stride > run {
            break;
        }
        run = run.max((extent - 1).saturating_mul(stride).saturating_add(run));
        dimensions.remove(0);
    }
    if dimensions.is_empty() {
        return push(Region::bytes(start, bytes(run)));
    }
    let (count, stride) = dimensions.remove(0);
    let outer = dimensions.iter().fold(1u64, |all, (extent, _)| all.saturating_mul(*extent));
    if outer > MOST {
        let last = dimensions.iter().map(|(extent, stride)| (extent - 1).saturating_mul(*stride));
        let last: u64 = last.fold(0, u64::saturating_add);
        let end = last.saturating_add((count - 1).saturating_mul(stride)).saturating_add(run);
        return push(Region::bytes(start, bytes(end)));
    }
    for index in 0..outer {
        let mut rest = index;
        let mut at = 0u64;
        for (extent, stride) in &dimensions {
            at = at.saturating_add(rest % extent * stride);
            rest /= extent;
        }
        push(Region::new(start + bytes(at), bytes(run), count, bytes(stride)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(region: &Region) -> Vec<u64> {
        region.runs().flat_map(|(start, length)| start..start + length).collect()
    }

    /// All pairs of small regions, against their bytes one by one.
    #[test]
    fn common_bytes_and_cover_are_those_of_the_sets() {
        let mut all = vec![Region::bytes(3, 0)];
        for start in 0..5 {
            for run in 1..4 {
                for count in 1..4 {
                    for stride in run..6 {
                        all.push(Region::new(start, run, count, stride));
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

    #[test]
    fn views_are_runs() {
        let view = |shape: &[u64], strides: &[i64]| {
            let mut view = View { rank: shape.len() as u8, ..View::default() };
            view.shape[..shape.len()].copy_from_slice(shape);
            view.strides[..strides.len()].copy_from_slice(strides);
            let mut regions = Vec::new();
            of_view(&view, Element::F32, 100, &mut |region| regions.push(region));
            regions
        };
        assert_eq!(view(&[4, 8], &[8, 1]), [Region::bytes(100, 128)]);
        assert_eq!(view(&[4, 8], &[16, 1]), [Region::new(100, 32, 4, 64)]);
        assert_eq!(view(&[8, 4], &[1, 16]), [Region::new(100, 32, 4, 64)]);
        let three = view(&[2, 4, 8], &[100, 16, 1]);
        assert_eq!(three, [Region::new(100, 32, 4, 64), Region::new(500, 32, 4, 64)]);
        assert_eq!(view(&[0, 8], &[16, 1]), []);
    }
}
