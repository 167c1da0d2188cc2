//! Transfers between global memory and tiles.

mod conv;
mod few_rows;
mod loading;
mod scales;
mod tload;
mod tprefetch;
mod tstore;
pub(crate) mod window;

use super::attribute::AttributeSpec;
use super::tables::list;

/// The attribute that declares the layout of a view.
pub(in crate::isa) const VIEW_LAYOUT: AttributeSpec = AttributeSpec::words(
    "layout",
    "layout",
    &["nd", "dn", "nz", "mx_a_zz", "mx_a_nd", "mx_a_dn", "mx_b_nn", "mx_b_nd", "mx_b_dn"],
    "How the elements of the view lie in global memory, in place of what its definition says; in small letters or capitals.",
)
.or_means("what the definition of the view says");

pub(super) use tstore::ATOMIC_TYPE;

list!(
    super::expand::END;
    tload::TLOAD,
    tprefetch::TPREFETCH,
    tstore::TSTORE,
    tstore::TSTORE_FP,
);
