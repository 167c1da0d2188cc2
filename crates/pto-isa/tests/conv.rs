//! Tests of `pto_isa::conv`.

use pto_isa::conv::*;
use pto_isa::element::Element;
use pto_isa::memory::Buffer;
use pto_isa::tile::Location;

#[test]
fn huge_tiles_have_a_size() {
    let extents = [u32::MAX; MAX_CONV_RANK];
    let tile = ConvTileType {
        location: Location::Mat,
        layout: ConvLayout::Gnc1hwc0,
        element: Element::F32,
        extents,
    };
    assert_eq!((tile.elements(), tile.buffer()), (u64::MAX, Buffer::L1));
    assert!(tile.bytes() > 1 << 50);
}
