//! The fields in which two types differ, for messages about a type that is written where another one is expected.

use crate::element::element_word;
use crate::tile::{Pad, TileType};
use crate::types::Type;

/// A field of a type: its name, its value in one type, and its value in the other.
type Field = (&'static str, String, String);

/// The differences of two types of one kind as a phrase, such as "valid columns (`?` and `64`), blayout (`row_major` and
/// `col_major`)"; `None` if the types are equal, of different kinds, or too short to need it.
pub fn difference(a: &Type, b: &Type) -> Option<String> {
    let fields = match (a, b) {
        (Type::Tile(a), Type::Tile(b)) => tile(a, b),
        (Type::MultiTile { tile: a, count: m }, Type::MultiTile { tile: b, count: n }) => {
            tile(a, b).into_iter().chain([("count", m.to_string(), n.to_string())]).collect()
        }
        (Type::TensorView { shape: s, element: e }, Type::TensorView { shape: t, element: f })
        | (Type::PartitionView { shape: s, element: e }, Type::PartitionView { shape: t, element: f }) => {
            vec![
                ("shape", shape(s), shape(t)),
                ("element type", element_word(*e).into(), element_word(*f).into()),
            ]
        }
        _ => return None,
    };
    let fields: Vec<String> = fields
        .into_iter()
        .filter(|(_, a, b)| a != b)
        .map(|(name, a, b)| format!("{name} (`{a}` and `{b}`)"))
        .collect();
    (!fields.is_empty()).then(|| fields.join(", "))
}

fn shape(extents: &[Option<u64>]) -> String {
    extents
        .iter()
        .map(|extent| extent.map_or("?".to_owned(), |extent| extent.to_string()))
        .collect::<Vec<_>>()
        .join("x")
}

fn tile(a: &TileType, b: &TileType) -> Vec<Field> {
    let field = |name, of: &dyn Fn(&TileType) -> String| (name, of(a), of(b));
    let extent = |extent: Option<u32>| extent.map_or("?".to_owned(), |extent| extent.to_string());
    let mut fields = vec![
        field("location", &|tile| tile.location.word().to_owned()),
        field("element type", &|tile| element_word(tile.element).to_owned()),
        field("rows", &|tile| tile.rows.to_string()),
        field("columns", &|tile| tile.cols.to_string()),
    ];
    // A valid region that is the whole tile differs with its shape.
    let is_whole = |tile: &TileType| (tile.valid_rows, tile.valid_cols) == (Some(tile.rows), Some(tile.cols));
    if !(is_whole(a) && is_whole(b)) {
        fields.push(field("valid rows", &|tile| extent(tile.valid_rows)));
        fields.push(field("valid columns", &|tile| extent(tile.valid_cols)));
    }
    let pad = |pad: Pad| if pad.0 >> 32 == 0 { pad.0.to_string() } else { format!("{:#X}", pad.0) };
    fields.extend([
        field("blayout", &|tile| tile.blayout.word().to_owned()),
        field("slayout", &|tile| tile.slayout.word().to_owned()),
        field("fractal", &|tile| tile.fractal.to_string()),
        field("pad", &|tile| pad(tile.pad)),
        field("compact", &|tile| (tile.compact as u32).to_string()),
    ]);
    fields
}
