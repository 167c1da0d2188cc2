//! Transfers between global memory and tiles.

mod conv;
mod feature_map;
mod few_rows;
mod loading;
pub mod moved;
mod paths;
mod pictures;
mod scales;
#[cfg(feature = "run")]
mod storing;
mod tload;
mod tprefetch;
mod tstore;
pub mod window;

use super::attribute::AttributeSpec;
use super::tables::list;

/// The attribute that declares the layout of a view.
pub(crate) const VIEW_LAYOUT: AttributeSpec = AttributeSpec::words(
    "layout",
    "layout",
    &[
        "nd",
        "dn",
        "nz",
        "mx_a_zz",
        "mx_a_nd",
        "mx_a_dn",
        "mx_b_nn",
        "mx_b_nd",
        "mx_b_dn",
        "nhwc",
        "nchw",
        "ncdhw",
        "nc1hwc0",
        "ndc1hwc0",
        "fractal_z",
        "fractal_z_3d",
    ],
    "The layout of the view in global memory, which replaces the layout in its definition; lower or upper case.",
)
.any_case()
.or_means("the layout in the definition of the view");

pub(super) use tstore::ATOMIC_TYPE;

list!(
    super::expand::END;
    tload::TLOAD,
    tprefetch::TPREFETCH,
    tstore::TSTORE,
    tstore::TSTORE_FP,
);
