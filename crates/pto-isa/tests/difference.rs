//! Tests of `pto_isa::difference`.

use pto_isa::difference::difference;
use pto_isa::element::Element;
use pto_isa::tile::BLayout;
use pto_isa::tile::TileType;
use pto_isa::types::Type;

#[test]
fn only_the_fields_that_differ_are_named() {
    let tile = TileType::vec(Element::F32, 16, 64);
    let of = |other: TileType| difference(&Type::Tile(tile), &Type::Tile(other));
    assert_eq!(of(tile), None);
    assert_eq!(of(TileType { valid_cols: None, ..tile }).as_deref(), Some("valid columns (`64` and `?`)"));
    let half = TileType { blayout: BLayout::ColMajor, ..TileType::vec(Element::F16, 16, 32) };
    let names =
        "element type (`f32` and `f16`), columns (`64` and `32`), blayout (`row_major` and `col_major`)";
    assert_eq!(of(half).as_deref(), Some(names));
    let view = |extent| Type::TensorView { shape: vec![Some(16), extent], element: Element::F32 };
    assert_eq!(difference(&view(None), &view(Some(64))).as_deref(), Some("shape (`16x?` and `16x64`)"));
    assert_eq!(difference(&view(None), &Type::Tile(tile)), None);
}
