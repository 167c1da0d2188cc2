//! Facts about the operands of a use. Before a run, facts that are determined at run time are `None`.

use super::super::view_layout::{GlobalLayout, ViewLayout};
use crate::conv::ConvTileType;
use crate::diag::Span;
use crate::element::Element;
use crate::layout::Layout;
use crate::tile::{Location, TileType};
use crate::types::Scalar;

/// Facts about a tile operand. Before a run, facts that are determined at run time are `None`.
#[derive(Clone, Debug)]
pub struct TileFact {
    /// Type of the tile.
    pub ty: TileType,
    /// Valid rows.
    pub rows: Option<u32>,
    /// Valid columns.
    pub cols: Option<u32>,
    /// Byte offset in the buffer; `None` if unknown, or if the tile is placed automatically.
    pub address: Option<u64>,
    /// Declared rows and columns of the tile that owns the storage: the tile itself, or the tile of which it is a
    /// part.
    pub storage: (u32, u32),
}

impl TileFact {
    /// The layout of the tile's elements.
    pub fn layout(&self) -> Layout {
        Layout::of(&TileType { rows: self.storage.0, cols: self.storage.1, ..self.ty })
    }

    /// The number format.
    pub fn element(&self) -> Element {
        self.ty.element
    }

    /// Whether both tiles have known addresses in the same buffer and share bytes.
    pub fn shares_bytes(&self, other: &TileFact) -> bool {
        let end = |tile: &TileFact, start: u64| start + tile.ty.bytes() as u64;
        let overlap = |(a, b): (u64, u64)| a < end(other, b) && b < end(self, a);
        self.ty.buffer() == other.ty.buffer() && self.address.zip(other.address).is_some_and(overlap)
    }

    /// The location.
    pub fn location(&self) -> Location {
        self.ty.location
    }

    /// Valid rows and columns in values; a pair element holds two values.
    pub fn values(&self) -> [Option<u32>; 2] {
        let [down, along] = self.layout().values(self.element()).map(|count| count as u32);
        let times = |extent: Option<u32>, count: u32| extent.map(|extent| extent.saturating_mul(count));
        [times(self.rows, down), times(self.cols, along)]
    }

    /// The valid region as text, rows x columns, such as `4x?`.
    pub fn valid_text(&self) -> String {
        let text = |extent: Option<u32>| extent.map_or("?".to_owned(), |value| value.to_string());
        format!("{}x{}", text(self.rows), text(self.cols))
    }
}

/// Facts about a view operand.
#[derive(Clone, Debug)]
pub struct ViewFact {
    /// The number format.
    pub element: Element,
    /// Extents, outermost first.
    pub shape: Vec<Option<u64>>,
    /// The layout that the program declares.
    pub layout: ViewLayout,
    /// Strides in elements, outermost first; unknown ones are `None`, and the list may be empty.
    pub strides: Vec<Option<i64>>,
    /// Whether the view's type states every extent.
    pub is_static: bool,
}

impl ViewFact {
    /// Extents and strides in five dimensions, as far as they are known; missing outer dimensions have extent 1. All
    /// facts are unknown for a view of more than five dimensions.
    pub(crate) fn in_five(&self) -> ([Option<u64>; 5], [Option<i64>; 5]) {
        let Some(inner) = 5usize.checked_sub(self.shape.len()) else { return ([None; 5], [None; 5]) };
        let (mut shape, mut strides) = ([Some(1); 5], [Some(0); 5]);
        shape[inner..].copy_from_slice(&self.shape);
        strides[inner..].fill(None);
        if self.strides.len() == self.shape.len() {
            strides[inner..].copy_from_slice(&self.strides);
        }
        (shape, strides)
    }

    /// Rows and columns of the matrix of the view, as far as they are known; `None` for views of more than five
    /// dimensions.
    pub fn matrix(&self, layout: GlobalLayout) -> Option<(Option<u64>, Option<u64>)> {
        let (rank, (shape, _)) = (self.shape.len(), self.in_five());
        if rank > 5 {
            return None;
        }
        let times = |factors: &[Option<u64>]| {
            factors.iter().try_fold(1u64, |product, factor| product.checked_mul((*factor)?))
        };
        let boxes = matches!(layout, GlobalLayout::MxAZz | GlobalLayout::MxBNn);
        // A view of scales with fewer dimensions and no declared layout is a plain matrix.
        let layout = if boxes && rank < 5 && self.layout.0.is_none() { GlobalLayout::Nd } else { layout };
        let shape = layout.in_pairs(shape);
        layout.matrix(shape, |extent| extent.is_some_and(|extent| extent != 1), times)
    }
}

/// Facts about an operand.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Fact {
    /// A tile.
    Tile(TileFact),
    /// A convolution tile; its type contains all facts.
    ConvTile(ConvTileType),
    /// A view of global memory.
    View(ViewFact),
    /// A scalar: its type, and its value if it is a known integer.
    Scalar(Scalar, Option<i64>),
    /// A pointer: its element format, and its address space as written.
    Pointer(Scalar, Option<String>),
    /// Any other value.
    Other,
}

/// An operand with its role.
#[derive(Clone, Debug)]
pub struct OperandFact<'a> {
    /// The role.
    pub role: &'static str,
    /// The value's name without `%`.
    pub name: &'a str,
    /// The source location of the use.
    pub span: Span,
    /// The source location of the value's definition.
    pub defined: Span,
    /// The facts about the operand.
    pub fact: Fact,
}
