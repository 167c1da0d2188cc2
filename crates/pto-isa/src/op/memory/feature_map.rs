//! Feature maps in global memory to which devices store accumulators: rows of the accumulator are points, its columns channels.
//!
//! The device steps from point to point by one distance, and from channel to channel by another. A view in NHWC, NCHW or NCDHW is
//! therefore a matrix in ND or DN, if its strides leave no gap between the points ([`obstacle`]); of the planes of NCDHW only the
//! first is written. A2/A3 stores to channels in blocks, NC1HWC0 and NDC1HWC0, where a view is a matrix in NZ: a box of all points for each block.

use crate::op::site::{Check, GlobalLayout, ViewFact};
use crate::profile::{A2A3_ONLY, CPU_AND_A5, Profile};
use crate::rule::Rule;
use crate::tile::{Location, TileType};

const SOURCE: &str = "docs/isa/tile/ops/memory-and-data-movement/tstore.md; include/pto/npu/a5/TStore.hpp, TStoreAccNHWC, TStoreAccNCHW, TStoreAccNCDHW; kernels/manual/a2a3/conv2d_forward";

pub(super) const PLACE: Rule = Rule::new(
    "convolution-view",
    "A view in a layout of convolutions is loaded into convolution tiles only. Accumulators are stored to NHWC, NCHW and \
     NCDHW on A5, to NC1HWC0 and NDC1HWC0 on A2/A3, without parameters for each column.",
    SOURCE,
)
.because("The device has no path between this layout and another tile.")
.instead("Leave the layout out, or use a tile that the statement names.");
pub(super) const POINTS: Rule = Rule::new(
    "feature-map",
    "In the view of a stored feature map all points have the same distance: each row begins where the previous one ends. In \
     NHWC so does each image; other layouts store one image.",
    SOURCE,
)
.because("The device steps from point to point by one stride and ignores the others.")
.instead("Store each image, or each row, to a view of its own.");

/// Profiles that store accumulators to feature maps without blocks of channels.
const STORES: &[Profile] = CPU_AND_A5;
/// Profiles that store accumulators to feature maps with blocks of channels.
const STORES_BLOCKS: &[Profile] = A2A3_ONLY;

/// Extents of a view, as far as they are known.
pub(super) type Extents = [Option<u64>; 5];
/// Strides of a view in elements, as far as they are known.
pub(super) type Strides = [Option<i64>; 5];

/// Number of points of these dimensions, if all are known.
pub(super) fn points(extents: &[Option<u64>]) -> Option<u64> {
    extents.iter().try_fold(1u64, |product, extent| Some(product.saturating_mul((*extent)?)))
}

/// A feature map as a matrix of points and channels: its layout, extents and strides. Other views stay unchanged.
pub(super) fn as_matrix(
    layout: GlobalLayout,
    shape: Extents,
    strides: Strides,
) -> (GlobalLayout, Extents, Strides) {
    let (one, none) = (Some(1), Some(0));
    let [s0, s1, s2, s3, s4] = shape;
    let channels = |count: Option<u64>, step: Option<i64>| {
        (GlobalLayout::Dn, [one, one, one, points(&[s3, s4]), count], [none, none, none, Some(1), step])
    };
    match layout {
        GlobalLayout::Nhwc => {
            let shape = [one, one, one, points(&[s0, s1, s2, s3]), s4];
            (GlobalLayout::Nd, shape, [none, none, none, strides[3], Some(1)])
        }
        GlobalLayout::Nchw => channels(s2, strides[2]),
        GlobalLayout::Ncdhw => channels(s1, strides[1]),
        GlobalLayout::Nc1hwc0 | GlobalLayout::Ndc1hwc0 => {
            let (points, [_, block, _, point, _]) = (points(&[s2, s3]), strides);
            (
                GlobalLayout::Nz,
                [one, s1, one, points, s4],
                [none, block, times(points, point), point, Some(1)],
            )
        }
        _ => (layout, shape, strides),
    }
}

/// Distance of `extent` steps of `stride`.
fn times(extent: Option<u64>, stride: Option<i64>) -> Option<i64> {
    stride?.checked_mul(i64::try_from(extent?).ok()?)
}

/// Reason why the points of a feature map are not equally spaced, as far as that is known.
pub(super) fn obstacle(layout: GlobalLayout, shape: Extents, strides: Strides) -> Option<String> {
    let [s0, s1, s2, s3, s4] = shape;
    let [_, t1, t2, t3, t4] = strides;
    let many = |extent: Option<u64>| extent.is_some_and(|extent| extent > 1);
    let images = if layout == GlobalLayout::Nchw { s1 } else { s0 };
    if many(images.max(s0)) {
        let count = images.max(s0).unwrap_or_default();
        return Some(format!("the view has {count} images, and the device stores one"));
    }
    let steps = match layout {
        GlobalLayout::Nhwc => [(s4, t4, Some(1)), (s2, t2, times(s3, t3)), (s1, t1, times(s2, t2))],
        GlobalLayout::Nc1hwc0 | GlobalLayout::Ndc1hwc0 => {
            [(s4, t4, Some(1)), (s3, t3, times(s4, Some(1))), (s2, t2, times(s3, t3))]
        }
        _ => [(s4, t4, Some(1)), (s3, t3, times(s4, Some(1))), (None, None, None)],
    };
    steps.into_iter().filter(|(extent, ..)| many(*extent)).find_map(|(_, stride, wanted)| {
        let (stride, wanted) = (stride?, wanted?);
        (stride != wanted)
            .then(|| format!("a stride of the view is {stride}, and the device steps by {wanted}"))
    })
}

/// Checks a view that is loaded into a plain tile; false if it is refused.
pub(super) fn check_load(check: &mut Check<'_>) -> bool {
    let layout = check.site.view("src").and_then(|view| view.layout.0);
    let plain = layout.is_none_or(|layout| !layout.is_of_convolutions());
    check.require(&PLACE, "src", plain, |check| refused(check, "src", "dst", layout))
}

/// Checks a view in a layout of convolutions to which a tile is stored; false if it is refused.
pub(super) fn check_store(
    check: &mut Check<'_>,
    view: &ViewFact,
    tile: &TileType,
    layout: GlobalLayout,
) -> bool {
    let stores = match layout {
        GlobalLayout::Nhwc | GlobalLayout::Nchw | GlobalLayout::Ncdhw => STORES,
        GlobalLayout::Nc1hwc0 | GlobalLayout::Ndc1hwc0 if check.site.tile("fp").is_none() => STORES_BLOCKS,
        _ => &[],
    };
    let has = tile.location == Location::Acc && stores.contains(&check.profile());
    if !check.require(&PLACE, "dst", has, |check| refused(check, "dst", "src", Some(layout))) {
        return false;
    }
    let (shape, strides) = view.in_five();
    let why = obstacle(layout, shape, strides);
    check.require(&POINTS, "dst", why.is_none(), |_| why.unwrap_or_default())
}

fn refused(check: &Check<'_>, view: &str, tile: &str, layout: Option<GlobalLayout>) -> String {
    let (word, location) = (layout.map_or("", GlobalLayout::word), check.tile(tile).location().word());
    format!("{} is {word}, {} is a {location} tile", check.name(view), check.name(tile))
}
