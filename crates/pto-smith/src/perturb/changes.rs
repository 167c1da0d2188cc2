//! Types and attributes with one change, each with a description of it.

use pto::ir::{Attribute, EnumSpelling};
use pto::isa::conv::{ConvLayout, ConvTileType};
use pto::isa::element::Element;
use pto::isa::op::attribute::{AttributeKind, AttributeSpec};
use pto::isa::tile::{BLayout, CompactMode, Location, Pad, SLayout, TileType};

/// The words of an attribute.
pub(super) fn words(spec: &AttributeSpec) -> &'static [&'static str] {
    match spec.kind {
        AttributeKind::Words(_, words) => words,
        _ => &[],
    }
}

/// Values with which an attribute is added: its words, or a number and a truth value, and one that it refuses.
pub(super) fn values(spec: &AttributeSpec) -> Vec<Attribute> {
    let word = |name: &str, value: &str| Attribute::Enum {
        name: name.into(),
        value: value.into(),
        spelling: EnumSpelling::Dotted,
    };
    let mut values = match spec.kind {
        AttributeKind::Words(name, words) => words.iter().map(|one| word(name, one)).collect(),
        AttributeKind::Integer | AttributeKind::Number => vec![Attribute::Integer(1, None)],
        AttributeKind::Bool => vec![Attribute::Bool(true)],
        AttributeKind::Integers => vec![Attribute::Array(vec![Attribute::Integer(1, None); 2])],
        _ => Vec::new(),
    };
    values.push(word("nonsense", "nonsense"));
    values
}

/// Extents and element types of a view with one change, and its description.
pub(super) fn views(shape: &[Option<u64>], element: Element) -> Vec<(String, Vec<Option<u64>>, Element)> {
    let mut all = Vec::new();
    for at in 0..shape.len() {
        let mut larger = shape.to_vec();
        larger[at] = larger[at].map(|extent| extent + 1);
        all.push((format!("extent {at} larger"), larger, element));
        let mut single = shape.to_vec();
        single[at] = single[at].map(|_| 1);
        all.push((format!("extent {at} -> 1"), single, element));
    }
    if shape.len() < 5 {
        let deeper = std::iter::once(Some(2)).chain(shape.iter().copied()).collect();
        all.push(("with one more dimension".to_owned(), deeper, element));
    }
    let others = [Element::F32, Element::I32, Element::F16, Element::I8];
    for other in others.into_iter().filter(|other| *other != element) {
        all.push((format!("of {other:?}"), shape.to_vec(), other));
    }
    all
}

/// A convolution tile type with one change, and its description.
pub(super) fn conv_tiles(tile: &ConvTileType) -> Vec<(String, ConvTileType)> {
    let mut all = Vec::new();
    for element in Element::ALL {
        let word = pto::isa::element::element_word(element);
        all.push((format!("element -> {word}"), ConvTileType { element, ..*tile }));
    }
    for location in Location::ALL {
        all.push((format!("location -> {}", location.word()), ConvTileType { location, ..*tile }));
    }
    for layout in ConvLayout::ALL {
        all.push((format!("layout -> {}", layout.word()), ConvTileType { layout, ..*tile }));
    }
    for at in 0..tile.layout.rank() {
        for extent in [1, tile.extents[at] + 1, 2 * tile.extents[at]] {
            let mut changed = *tile;
            changed.extents[at] = extent;
            all.push((format!("extent {at} -> {extent}"), changed));
        }
    }
    all.retain(|(_, changed)| changed != tile);
    all
}

/// The tile with the change from `old` to `new`, if it equals `old` in the changed property.
pub(super) fn follow(old: &TileType, new: &TileType, tile: &TileType) -> Option<TileType> {
    let mut like = *tile;
    let mut agrees = true;
    macro_rules! follow {
        ($($field:ident),*) => {$(
            if old.$field != new.$field {
                agrees &= tile.$field == old.$field;
                like.$field = new.$field;
            }
        )*};
    }
    follow!(location, element, rows, cols, valid_rows, valid_cols, blayout, slayout, fractal, pad, compact);
    agrees.then_some(like)
}

/// A number, or a list of numbers, with one changed.
pub(super) fn numbers(attribute: &Attribute) -> Vec<(String, Attribute)> {
    let others =
        |known: i128| [-1, 0, 2, known + 1, 100, 70_000].into_iter().filter(move |other| *other != known);
    match attribute {
        Attribute::Integer(known, ty) => {
            others(*known).map(|other| (format!("-> {other}"), Attribute::Integer(other, *ty))).collect()
        }
        Attribute::Array(list) => {
            let mut all = Vec::new();
            for (at, member) in list.iter().enumerate() {
                for (change, changed) in numbers(member) {
                    let mut list = list.clone();
                    list[at] = changed;
                    all.push((format!("{at} {change}"), Attribute::Array(list)));
                }
            }
            all
        }
        _ => Vec::new(),
    }
}

/// A tile type with one change, and its description.
pub(super) fn tiles(tile: &TileType) -> Vec<(String, TileType)> {
    let mut all = Vec::new();
    let mut push = |change: String, changed: TileType| {
        if changed != *tile {
            all.push((change, changed));
        }
    };
    for element in Element::ALL {
        let word = pto::isa::element::element_word;
        push(format!("element {} -> {}", word(tile.element), word(element)), TileType { element, ..*tile });
    }
    for location in Location::ALL {
        let change = format!("location {} -> {}", tile.location.word(), location.word());
        push(change, TileType { location, ..*tile });
    }
    for blayout in [BLayout::RowMajor, BLayout::ColMajor] {
        for slayout in [SLayout::NoneBox, SLayout::RowMajor, SLayout::ColMajor] {
            let changed = TileType { blayout, slayout, ..*tile };
            let change = format!("layout {} -> {}", tile.layout().name.word(), changed.layout().name.word());
            push(change, changed);
        }
    }
    for fractal in [32, 512, 1024] {
        push(format!("fractal {} -> {fractal}", tile.fractal), TileType { fractal, ..*tile });
    }
    for pad in [Pad::NULL, Pad::ZERO, Pad::MIN] {
        push(format!("pad {} -> {}", tile.pad.0, pad.0), TileType { pad, ..*tile });
    }
    for compact in CompactMode::ALL {
        push(format!("compact {:?} -> {compact:?}", tile.compact), TileType { compact, ..*tile });
    }
    extents(tile, &mut push);
    all
}

/// Other declared extents with the same valid region, and other valid regions.
fn extents(tile: &TileType, push: &mut impl FnMut(String, TileType)) {
    let others = |extent: u32| {
        let list = [
            1,
            extent / 2,
            extent.saturating_sub(1),
            extent + 1,
            extent + 16,
            extent * 2,
            1024,
            4096,
            70_000,
        ];
        list.into_iter().filter(move |other| *other != extent && *other > 0)
    };
    for rows in others(tile.rows) {
        let full = tile.valid_rows == Some(tile.rows);
        let valid_rows = tile.valid_rows.map(|valid| if full { rows } else { valid.min(rows) });
        push(format!("rows {} -> {rows}", tile.rows), TileType { rows, valid_rows, ..*tile });
        if full && rows > tile.rows {
            let change = format!("rows {} -> {rows}, as many valid", tile.rows);
            push(change, TileType { rows, ..*tile });
        }
    }
    for cols in others(tile.cols) {
        let full = tile.valid_cols == Some(tile.cols);
        let valid_cols = tile.valid_cols.map(|valid| if full { cols } else { valid.min(cols) });
        push(format!("columns {} -> {cols}", tile.cols), TileType { cols, valid_cols, ..*tile });
        if full && cols > tile.cols {
            let change = format!("columns {} -> {cols}, as many valid", tile.cols);
            push(change, TileType { cols, ..*tile });
        }
    }
    for valid in [0, 1, 8, 15, tile.rows / 2, tile.rows.saturating_sub(1)] {
        let valid_rows = Some(valid.min(tile.rows));
        push(format!("valid rows -> {valid}"), TileType { valid_rows, ..*tile });
    }
    for valid in [0, 1, 8, 15, tile.cols / 2, tile.cols.saturating_sub(1)] {
        let valid_cols = Some(valid.min(tile.cols));
        push(format!("valid columns -> {valid}"), TileType { valid_cols, ..*tile });
    }
}
