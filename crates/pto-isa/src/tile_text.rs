//! The text of tile types, as programs and messages spell them. `text/tile_body.rs` of `pto-lang` reads it.

use super::element::element_word;
use super::tile::{BLayout, CompactMode, Pad, SLayout, TileType};

fn write_extent(extent: Option<u32>) -> String {
    extent.map_or("?".to_owned(), |value| value.to_string())
}

fn write_pad(pad: Pad) -> String {
    if pad.0 >> 32 == 0 { pad.0.to_string() } else { format!("0x{:X}", pad.0) }
}

impl TileType {
    /// The canonical text of the type: `!pto.tile_buf<vec, 16x32xf32>` if `compact`, else with every parameter.
    pub fn text(&self, compact: bool) -> String {
        let body = if compact { self.compact_body() } else { self.keyed() };
        format!("!pto.tile_buf<{body}>")
    }

    /// The keyed parameters of the type.
    pub fn keyed(&self) -> String {
        let mut text = format!(
            "loc={}, dtype={}, rows={}, cols={}, v_row={}, v_col={}, blayout={}, slayout={}, fractal={}, pad={}",
            self.location.word(),
            element_word(self.element),
            self.rows,
            self.cols,
            write_extent(self.valid_rows),
            write_extent(self.valid_cols),
            self.blayout.word(),
            self.slayout.word(),
            self.fractal,
            write_pad(self.pad),
        );
        if self.compact != CompactMode::Null {
            text.push_str(&format!(", compact={}", self.compact as u32));
        }
        text
    }

    /// The compact parameters of the type; defaults are omitted.
    pub fn compact_body(&self) -> String {
        let mut text =
            format!("{}, {}x{}x{}", self.location.word(), self.rows, self.cols, element_word(self.element));
        if (self.valid_rows, self.valid_cols) != (Some(self.rows), Some(self.cols)) {
            let (rows, cols) = (write_extent(self.valid_rows), write_extent(self.valid_cols));
            text.push_str(&format!(", valid={rows}x{cols}"));
        }
        if self.blayout != BLayout::RowMajor {
            text.push_str(&format!(", blayout={}", self.blayout.word()));
        }
        if self.slayout != SLayout::NoneBox {
            text.push_str(&format!(", slayout={}", self.slayout.word()));
        }
        if self.fractal != 512 {
            text.push_str(&format!(", fractal={}", self.fractal));
        }
        if self.pad != Pad::NULL {
            text.push_str(&format!(", pad={}", write_pad(self.pad)));
        }
        if self.compact != CompactMode::Null {
            text.push_str(&format!(", compact={}", self.compact as u32));
        }
        text
    }
}
