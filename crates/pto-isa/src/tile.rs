//! Tile types: location, element type, shape and layout.
//!
//! Source: `docs/isa/state-and-types/` and `docs/isa/programming-model/` of the public manual.

use super::element::{Element, element_word};
use super::layout::{Layout, LayoutName};
use super::memory::Buffer;

/// The kind of tile; it determines the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Location {
    /// Vector tile in the unified buffer (UB).
    Vec,
    /// Matrix tile in L1.
    Mat,
    /// Left operand of a matrix product, in L0A.
    Left,
    /// Right operand of a matrix product, in L0B.
    Right,
    /// Accumulator of a matrix product, in L0C.
    Acc,
    /// Bias row, in the bias table (BT).
    Bias,
    /// Quantization parameters in the fixpipe buffer (FB), or MX scales in the buffers next to L0A and L0B.
    Scaling,
}

impl Location {
    /// Every location, in declaration order.
    pub const ALL: [Location; 7] = [
        Location::Vec,
        Location::Mat,
        Location::Left,
        Location::Right,
        Location::Acc,
        Location::Bias,
        Location::Scaling,
    ];

    /// The word for messages, with its article: `an acc`.
    pub fn with_article(self) -> &'static str {
        match self {
            Location::Vec => "a vec",
            Location::Mat => "a mat",
            Location::Left => "a left",
            Location::Right => "a right",
            Location::Acc => "an acc",
            Location::Bias => "a bias",
            Location::Scaling => "a scaling",
        }
    }

    /// The word in `loc=...`.
    pub fn word(self) -> &'static str {
        match self {
            Location::Vec => "vec",
            Location::Mat => "mat",
            Location::Left => "left",
            Location::Right => "right",
            Location::Acc => "acc",
            Location::Bias => "bias",
            Location::Scaling => "scaling",
        }
    }

    /// The location with a word.
    pub fn from_word(word: &str) -> Option<Location> {
        Location::ALL.into_iter().find(|location| location.word() == word)
    }
}

/// Order of the boxes of a tile, or of its elements if it has no boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BLayout {
    /// Row-major.
    RowMajor,
    /// Column-major.
    ColMajor,
}

impl BLayout {
    /// The word in `blayout=...`.
    pub fn word(self) -> &'static str {
        match self {
            BLayout::RowMajor => "row_major",
            BLayout::ColMajor => "col_major",
        }
    }
}

/// Order of the elements inside a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SLayout {
    /// No boxes.
    NoneBox,
    /// Row-major within the box.
    RowMajor,
    /// Column-major within the box.
    ColMajor,
}

impl SLayout {
    /// The word in `slayout=...`.
    pub fn word(self) -> &'static str {
        match self {
            SLayout::NoneBox => "none_box",
            SLayout::RowMajor => "row_major",
            SLayout::ColMajor => "col_major",
        }
    }
}

/// Storage of a tile whose valid region is smaller than its declared shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompactMode {
    /// As declared.
    Null,
    /// Moves round the valid region up to whole boxes.
    Normal,
    /// The number of rows is a multiple of the box plus one, to avoid bank conflicts.
    RowPlusOne,
    /// Rows between the valid region and the end of its last box are padding.
    RowAlignedPadding,
}

impl CompactMode {
    /// Every mode, indexed by its number in files.
    pub const ALL: [CompactMode; 4] =
        [CompactMode::Null, CompactMode::Normal, CompactMode::RowPlusOne, CompactMode::RowAlignedPadding];
}

/// The padding value of elements outside the valid region, as the 64-bit number in files: 0 null, 1 zero, 2 max, 3
/// min; from 2^32 a custom value whose low 32 bits are the bit pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pad(pub u64);

impl Pad {
    /// No padding.
    pub const NULL: Pad = Pad(0);
    /// Zero.
    pub const ZERO: Pad = Pad(1);
    /// The largest value of the element type.
    pub const MAX: Pad = Pad(2);
    /// The smallest value of the element type.
    pub const MIN: Pad = Pad(3);

    /// Whether a custom value fits the width of a format; a negative integer may be sign-extended to 32 bits.
    pub fn fits(self, element: Element) -> bool {
        let value = self.0 as u32;
        let (bits, custom) = (element.bits().min(32), self.0 >> 32 != 0);
        let above = u64::from(value) >> bits;
        let sign = value as i32 >> (bits - 1);
        !custom || above == 0 || !element.is_float() && sign == -1
    }

    /// The bit pattern of the padding for a format. Null pads with zero; 64-bit integers and 8- and 4-bit floats
    /// always pad with zero bits.
    pub fn bits(self, element: Element) -> u64 {
        let custom = self.0 >> 32 != 0;
        if custom {
            return self.0 & 0xffff_ffff & (u64::MAX >> (64 - element.bits().min(32)));
        }
        let (min, max) = match element {
            Element::F32 => (0xff80_0000, 0x7f80_0000),
            Element::F16 => (0xfc00, 0x7c00),
            Element::Bf16 => (0xff80, 0x7f80),
            Element::I32 => (0x8000_0000, 0x7fff_ffff),
            Element::U32 => (0, 0xffff_ffff),
            Element::I16 => (0x8000, 0x7fff),
            Element::U16 => (0, 0xffff),
            Element::I8 => (0x80, 0x7f),
            Element::U8 => (0, 0xff),
            _ => (0, 0),
        };
        match self {
            Pad::MAX => max,
            Pad::MIN => min,
            _ => 0,
        }
    }
}

/// The type of a tile. Shapes are rows x columns in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileType {
    /// Kind of tile.
    pub location: Location,
    /// Number format.
    pub element: Element,
    /// Declared rows.
    pub rows: u32,
    /// Declared columns.
    pub cols: u32,
    /// Valid rows; `None` if they are given at run time.
    pub valid_rows: Option<u32>,
    /// Valid columns; `None` if they are given at run time.
    pub valid_cols: Option<u32>,
    /// Order of boxes.
    pub blayout: BLayout,
    /// Order of elements inside a box.
    pub slayout: SLayout,
    /// Bytes of one box: 512, 1024 or 32.
    pub fractal: u32,
    /// Padding value.
    pub pad: Pad,
    /// Compact mode.
    pub compact: CompactMode,
}

impl TileType {
    /// A row-major vec tile (ND), fully valid.
    pub const fn vec(element: Element, rows: u32, cols: u32) -> TileType {
        TileType {
            location: Location::Vec,
            element,
            rows,
            cols,
            valid_rows: Some(rows),
            valid_cols: Some(cols),
            blayout: BLayout::RowMajor,
            slayout: SLayout::NoneBox,
            fractal: 512,
            pad: Pad::NULL,
            compact: CompactMode::Null,
        }
    }

    /// Number of declared elements.
    pub fn elements(&self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// Bytes from the first stored element to the end of the last. In ZN and ZZ, a partial last row of boxes
    /// counts as a full one.
    #[inline]
    pub fn bytes(&self) -> usize {
        if !self.is_boxed() {
            return self.element.bytes(self.rows as usize * self.cols as usize);
        }
        let layout = self.layout();
        let rows = match layout.name {
            LayoutName::Zn | LayoutName::Zz => layout.rows.next_multiple_of(layout.box_rows),
            _ => layout.rows,
        };
        self.element.bytes(rows * layout.cols)
    }

    /// Bytes from the first element to the end of the last one, in a layout that may belong to a larger tile.
    pub fn bytes_in(&self, layout: &Layout) -> usize {
        if *layout == self.layout() {
            self.bytes()
        } else {
            self.element.bytes(layout.offset(self.rows as usize - 1, self.cols as usize - 1) + 1)
        }
    }

    /// The buffer of tiles of this type. `scaling` tiles have three buffers, selected by the layout.
    pub fn buffer(&self) -> Buffer {
        match (self.location, self.fractal, self.blayout, self.slayout) {
            (Location::Vec, ..) => Buffer::Ub,
            (Location::Mat, ..) => Buffer::L1,
            (Location::Left, ..) => Buffer::L0a,
            (Location::Right, ..) => Buffer::L0b,
            (Location::Acc, ..) => Buffer::L0c,
            (Location::Bias, ..) => Buffer::BiasTable,
            (Location::Scaling, 32, BLayout::RowMajor, SLayout::RowMajor) => Buffer::ScaleLeft,
            (Location::Scaling, 32, BLayout::ColMajor, SLayout::ColMajor) => Buffer::ScaleRight,
            (Location::Scaling, ..) => Buffer::Fixpipe,
        }
    }

    /// The layout of its elements.
    pub fn layout(&self) -> Layout {
        Layout::of(self)
    }

    /// Whether its layout has boxes.
    pub fn is_boxed(&self) -> bool {
        self.slayout != SLayout::NoneBox
    }

    /// Stored rows and columns: the declared ones, or for a compact tile the boxes with valid elements, if fewer.
    pub fn stored(&self) -> [u32; 2] {
        let Layout { rows, cols, .. } = self.layout();
        [self.rows.min(rows as u32), self.cols.min(cols as u32)]
    }

    /// Whether the tile stores only the boxes of its valid region: an operand of a product with `compact=1`.
    pub fn is_compact(&self) -> bool {
        self.compact == CompactMode::Normal && matches!(self.location, Location::Left | Location::Right)
    }

    /// Shape, element type and location for messages, such as `16x32xf32 vec`.
    pub fn brief(&self) -> String {
        format!("{}x{}x{} {}", self.rows, self.cols, element_word(self.element), self.location.word())
    }
}

/// The numbers of rows and columns that hold data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ValidRegion {
    /// Valid rows.
    pub rows: u32,
    /// Valid columns.
    pub cols: u32,
}
