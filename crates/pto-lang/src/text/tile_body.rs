//! The parameters of a tile type, in every spelling that files use.
//!
//! Keyed: `loc=vec, dtype=f32, rows=16, cols=32, v_row=16, v_col=32, blayout=row_major, slayout=none_box,
//! fractal=512, pad=0`, optionally followed by `compact=1`. Compact: `vec, 16x32xf32, valid=?x?,
//! blayout=col_major`, with the defaults row_major, none_box, 512 and null. Tiles of the SSA and assembly
//! spellings: `16x32xf32`, `f32, 16, 32`, `loc=vec, f32, 16, 16, RowMajor, NoneBox, None, Zero`.

use pto_isa::diag::nearest;
use pto_isa::element::{Element, element_from_word};
use pto_isa::tile::{BLayout, CompactMode, Location, Pad, SLayout, TileType};
use std::ops::Range;

/// A parsed tile type, and whether its spelling is outdated.
pub struct TileBody {
    /// The type.
    pub tile: TileType,
    /// Whether rows and columns follow the element type, as in an old spelling.
    pub old_order: bool,
    /// The word of its element type, if it is one of another language.
    pub(super) foreign_element: Option<String>,
}

/// The element type of a word of another language.
pub(super) fn foreign_element(word: &str) -> Option<Element> {
    element_from_word(pto_isa::foreign::scalar(word)?)
}

const KEYED_ORDER: [&str; 11] =
    ["loc", "dtype", "rows", "cols", "v_row", "v_col", "blayout", "slayout", "fractal", "pad", "compact"];

#[derive(Default)]
struct Fields {
    location: Option<Location>,
    element: Option<Element>,
    rows: Option<u32>,
    cols: Option<u32>,
    valid: [Option<Option<u32>>; 2],
    blayout: Option<BLayout>,
    slayout: Option<SLayout>,
    fractal: Option<u32>,
    pad: Option<Pad>,
    compact: Option<CompactMode>,
    order: Vec<usize>,
    foreign_element: Option<String>,
}

/// Parses the text between the brackets of a tile type.
pub fn parse_tile_body(body: &str) -> Result<TileBody, String> {
    let mut fields = Fields::default();
    for (index, part) in body.split(',').enumerate() {
        let part = part.trim();
        if part == "..." {
            return Err("`...` elides parameters that cannot be inferred: write them out".into());
        }
        match part.split_once('=') {
            Some((key, value)) => fields.keyed(key.trim(), value.trim())?,
            None => fields.positional(index, part)?,
        }
    }
    fields.finish()
}

/// Words of the parameters; an unknown word may be a misspelling of one.
const WORDS: [&str; 26] = [
    "loc",
    "dtype",
    "rows",
    "cols",
    "v_row",
    "v_col",
    "valid",
    "blayout",
    "slayout",
    "fractal",
    "pad",
    "compact",
    "vec",
    "mat",
    "left",
    "right",
    "acc",
    "bias",
    "scaling",
    "row_major",
    "col_major",
    "none_box",
    "null",
    "zero",
    "max",
    "min",
];

/// A correction of one unknown word that makes the body legal: the byte range in the body, and the replacement.
/// `None` for bodies longer than any legal one.
pub(super) fn correction(body: &str) -> Option<(Range<usize>, &'static str)> {
    const LONGEST: usize = 512;
    if body.len() > LONGEST {
        return None;
    }
    let mut start = 0;
    for part in body.split_inclusive([',', '=']) {
        let word = part.trim_end_matches([',', '=']).trim();
        let at = start + (part.len() - part.trim_start().len());
        start += part.len();
        let range = at..at + word.len();
        let Some(close) = nearest(word, WORDS.into_iter()).filter(|close| *close != word) else { continue };
        let corrected = format!("{}{close}{}", &body[..range.start], &body[range.end..]);
        if parse_tile_body(&corrected).is_ok() {
            return Some((range, close));
        }
    }
    None
}

/// The message on a word of a tile type that is none of its parameters.
fn unknown(index: usize, word: &str) -> String {
    if let Some(meant) = pto_isa::foreign::location(word) {
        return format!("`{word}` is not a location of a tile: write `{meant}`");
    }
    let (extents, element) = word.rsplit_once('x').unwrap_or(("", word));
    if element_from_word(element).is_some() && !extents.is_empty() {
        let counted: Vec<&str> = extents.split('x').collect();
        match counted[..] {
            [cols] if cols.parse::<u32>().is_ok() => {
                return format!("a tile has rows and columns: write `1x{cols}x{element}` for one row");
            }
            [rows, cols] if [rows, cols].contains(&"?") => {
                return format!(
                    "the extents of a tile are numbers: write the largest in place of `?`, and `valid={rows}x{cols}` after the shape"
                );
            }
            [_, _, _, ..] => {
                return format!("`{word}` has {} extents: a tile has rows and columns only", counted.len());
            }
            _ => {}
        }
    }
    format!("`{word}` (parameter {} of a tile type) is not understood", index + 1)
}

impl Fields {
    /// The element type of a word; records one of another language.
    fn element(&mut self, word: &str) -> Option<Element> {
        element_from_word(word).or_else(|| {
            let element = foreign_element(word)?;
            self.foreign_element = Some(word.to_owned());
            Some(element)
        })
    }

    fn keyed(&mut self, key: &str, value: &str) -> Result<(), String> {
        let bad = || format!("`{value}` is not a value for `{key}`, which is {}", values(key));
        match key {
            "loc" => self.location = Some(Location::from_word(value).ok_or_else(bad)?),
            "dtype" => self.element = Some(self.element(value).ok_or_else(bad)?),
            "rows" => self.rows = Some(value.parse().map_err(|_| bad())?),
            "cols" => self.cols = Some(value.parse().map_err(|_| bad())?),
            "v_row" => self.valid[0] = Some(extent(value).ok_or_else(bad)?),
            "v_col" => self.valid[1] = Some(extent(value).ok_or_else(bad)?),
            "valid" => {
                let (rows, cols) = value.split_once('x').ok_or_else(bad)?;
                self.valid = [Some(extent(rows).ok_or_else(bad)?), Some(extent(cols).ok_or_else(bad)?)];
            }
            "blayout" => self.blayout = Some(blayout(value).ok_or_else(bad)?),
            "slayout" => self.slayout = Some(slayout(value).ok_or_else(bad)?),
            "fractal" => self.fractal = Some(value.parse().map_err(|_| bad())?),
            "pad" => self.pad = Some(pad(value).ok_or_else(bad)?),
            "compact" => self.compact = Some(compact(value).ok_or_else(bad)?),
            _ => return Err(format!("unknown parameter `{key}` of a tile type")),
        }
        self.order.extend(KEYED_ORDER.iter().position(|known| *known == key));
        Ok(())
    }

    fn positional(&mut self, index: usize, word: &str) -> Result<(), String> {
        let word = word
            .strip_prefix("#pto.")
            .map_or(word, |rest| rest.split_once('<').map_or(rest, |(_, value)| value.trim_end_matches('>')));
        if let Some(location) = Location::from_word(word) {
            self.location = Some(location);
        } else if let Some(element) = self.element(word) {
            self.element = Some(element);
        } else if let Some((rows, cols, element)) = self.shape(word) {
            (self.rows, self.cols, self.element) = (Some(rows), Some(cols), Some(element));
        } else if let Ok(number) = word.parse::<u32>() {
            match (self.rows, self.cols, self.fractal) {
                (None, ..) => self.rows = Some(number),
                (_, None, _) => self.cols = Some(number),
                (_, _, None) => self.fractal = Some(number),
                _ => return Err(format!("`{word}` is one number too many for a tile type")),
            }
        } else if let (None, Some(order)) = (self.blayout, blayout(word)) {
            self.blayout = Some(order);
        } else if let (None, Some(order)) = (self.slayout, slayout(word)) {
            self.slayout = Some(order);
        } else if let Some(value) = pad(word) {
            self.pad = Some(value);
        } else if word != "None" {
            return Err(unknown(index, word));
        }
        Ok(())
    }

    /// Parses `16x32xf32`.
    fn shape(&mut self, word: &str) -> Option<(u32, u32, Element)> {
        let (rows, rest) = word.split_once('x')?;
        let (cols, element) = rest.split_once('x')?;
        let (rows, cols) = (rows.trim().parse().ok()?, cols.trim().parse().ok()?);
        Some((rows, cols, self.element(element.trim())?))
    }

    fn finish(self) -> Result<TileBody, String> {
        let missing = |what: &str| format!("a tile type needs {what}");
        let element = self.element.ok_or_else(|| missing("an element type"))?;
        let rows = self.rows.ok_or_else(|| missing("its rows"))?;
        let cols = self.cols.ok_or_else(|| missing("its columns"))?;
        if rows == 0 || cols == 0 {
            return Err(format!("a tile of {rows}x{cols} elements holds nothing"));
        }
        let tile = TileType {
            location: self.location.unwrap_or(Location::Vec),
            element,
            rows,
            cols,
            valid_rows: self.valid[0].unwrap_or(Some(rows)),
            valid_cols: self.valid[1].unwrap_or(Some(cols)),
            blayout: self.blayout.unwrap_or(BLayout::RowMajor),
            slayout: self.slayout.unwrap_or(SLayout::NoneBox),
            fractal: self.fractal.unwrap_or(512),
            pad: self.pad.unwrap_or(Pad::NULL),
            compact: self.compact.unwrap_or(CompactMode::Null),
        };
        let old_order = !self.order.is_sorted();
        Ok(TileBody { tile, old_order, foreign_element: self.foreign_element })
    }
}

/// The values of a parameter, for messages.
fn values(key: &str) -> &'static str {
    match key {
        "loc" => "vec, mat, left, right, acc, bias or scaling",
        "dtype" => "an element type such as f16",
        "valid" => "the valid rows and columns such as 16x32 or ?x?",
        "v_row" | "v_col" => "a number or ?",
        "blayout" => "row_major or col_major",
        "slayout" => "none_box, row_major or col_major",
        "pad" => "null, zero, max, min or a number",
        "compact" => "a number, or null, normal, row_plus_one or row_aligned_padding",
        _ => "a number",
    }
}

fn extent(word: &str) -> Option<Option<u32>> {
    match word.trim() {
        "?" | "-1" => Some(None),
        number => Some(Some(number.parse().ok()?)),
    }
}

fn blayout(word: &str) -> Option<BLayout> {
    Some(match word {
        "row_major" | "RowMajor" => BLayout::RowMajor,
        "col_major" | "ColMajor" => BLayout::ColMajor,
        _ => return None,
    })
}

fn slayout(word: &str) -> Option<SLayout> {
    Some(match word {
        "none_box" | "NoneBox" => SLayout::NoneBox,
        "row_major" | "RowMajor" => SLayout::RowMajor,
        "col_major" | "ColMajor" => SLayout::ColMajor,
        _ => return None,
    })
}

fn pad(word: &str) -> Option<Pad> {
    Some(match word {
        "null" | "Null" => Pad::NULL,
        "zero" | "Zero" => Pad::ZERO,
        "max" | "Max" => Pad::MAX,
        "min" | "Min" => Pad::MIN,
        _ => match word.strip_prefix("0x") {
            Some(hex) => Pad(u64::from_str_radix(hex, 16).ok()?),
            None => Pad(word.parse().ok()?),
        },
    })
}

fn compact(word: &str) -> Option<CompactMode> {
    if let Ok(number) = word.parse::<usize>() {
        return CompactMode::ALL.get(number).copied();
    }
    Some(match word {
        "null" => CompactMode::Null,
        "normal" => CompactMode::Normal,
        "row_plus_one" => CompactMode::RowPlusOne,
        "row_aligned_padding" => CompactMode::RowAlignedPadding,
        _ => return None,
    })
}
