//! Tests of `pto_isa::exec::runs`.

use pto_isa::element::Element;
use pto_isa::exec::runs::*;
use pto_isa::layout::Layout;
use pto_isa::matrix::Size;
use pto_isa::tile::{BLayout, SLayout, TileType};

/// Every element of the region is visited once, at its offset in each tile.
#[test]
fn runs_cover_every_element_once() {
    let orders = [
        (BLayout::RowMajor, SLayout::NoneBox),
        (BLayout::ColMajor, SLayout::NoneBox),
        (BLayout::ColMajor, SLayout::RowMajor),
        (BLayout::RowMajor, SLayout::ColMajor),
    ];
    for first in orders {
        for second in orders {
            for (rows, cols) in [(32, 32), (17, 32), (32, 9), (5, 7), (1, 32), (32, 1)] {
                let layout = |(blayout, slayout)| {
                    Layout::of(&TileType { blayout, slayout, ..TileType::vec(Element::F16, 32, 32) })
                };
                let (a, b) = (layout(first), layout(second));
                let mut seen = vec![0; 32 * 32];
                let done = for_each_run([&a, &b], Size { rows, cols }, |[x, y], length| {
                    for step in 0..length {
                        let place = (0..32 * 32).find(|p| b.offset(p / 32, p % 32) == y + step);
                        let place = place.ok_or(())?;
                        if a.offset(place / 32, place % 32) != x + step {
                            return Err(());
                        }
                        seen[place] += 1;
                    }
                    Ok(())
                });
                assert_eq!(done, Ok(()), "{first:?} {second:?} {rows}x{cols}");
                for (place, count) in seen.iter().enumerate() {
                    let inside = place / 32 < rows && place % 32 < cols;
                    assert_eq!(*count, inside as i32, "{first:?} {second:?} {rows}x{cols} at {place}");
                }
            }
        }
    }
}
