//! State of the machine, as instructions access it.

pub use super::fault::Fault;
use super::global::Global;
pub use super::prepare::Prepare;
use super::registers::Registers;
use crate::conv::ConvTileType;
use crate::element::Element;
use crate::layout::Layout;
use crate::matrix::Size;
use crate::memory::Buffer;
use crate::rule::Rule;
use crate::tile::TileType;
use crate::types::MAX_RANK;
use pto_kernels::{
    Placement, get_element, get_elements, get_value, matmul::Scratch, set_element, set_elements,
};
use pto_num::Indices;
use std::ops::Range;

/// A tile operand: its type, known when the program is decoded, and the index of its state.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    /// Index into [`State::tiles`].
    pub slot: u32,
    /// Type of the tile.
    pub ty: TileType,
    /// Layout of the tile: that of its type, or that of the tile of which it is a part.
    pub layout: Layout,
    /// Size in bytes from the first element to the end of the last; cached because every execution needs it.
    bytes: usize,
}

impl Tile {
    /// A tile whose state is at an index of [`State::tiles`].
    pub fn new(slot: u32, ty: TileType, layout: Layout) -> Tile {
        let bytes = ty.bytes_in(&layout);
        Tile { slot, ty, layout, bytes }
    }

    /// Declared rows.
    pub fn rows(&self) -> usize {
        self.ty.rows as usize
    }

    /// Declared columns.
    pub fn cols(&self) -> usize {
        self.ty.cols as usize
    }

    /// Declared rows and columns.
    pub fn size(&self) -> Size {
        Size { rows: self.rows(), cols: self.cols() }
    }

    /// The size in values of a region; a pair element holds two values.
    pub fn values_in(&self, region: Size) -> Size {
        let [down, along] = self.layout.values(self.ty.element);
        Size { rows: region.rows * down, cols: region.cols * along }
    }

    /// Size in bytes from the first element to the end of the last.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// A convolution tile operand.
#[derive(Clone, Copy, Debug)]
pub struct ConvTile {
    /// Index into [`State::tiles`].
    pub slot: u32,
    /// Type of the tile.
    pub ty: ConvTileType,
}

/// The state of a tile: its address and valid region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// Byte offset in the block's memory, for vector core 0.
    pub address: usize,
    /// Valid rows.
    pub rows: u32,
    /// Valid columns.
    pub cols: u32,
}

impl Live {
    /// Valid rows and columns.
    #[inline]
    pub fn size(&self) -> Size {
        Size { rows: self.rows as usize, cols: self.cols as usize }
    }
}

/// The state of a view of global memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Address of element (0, ...).
    pub address: u64,
    /// Number of dimensions.
    pub rank: u8,
    /// Extents, outermost first; those of unused dimensions are 1.
    pub shape: [u64; MAX_RANK],
    /// Strides in elements.
    pub strides: [i64; MAX_RANK],
}

impl View {
    /// Whether another view has the same extents and strides.
    #[cfg(feature = "run")]
    pub fn is_like(&self, other: &View) -> bool {
        let rank = usize::from(self.rank);
        let dimensions = |view: &View, at: usize| (view.shape[at], view.strides[at]);
        self.rank == other.rank && (0..rank).all(|at| dimensions(self, at) == dimensions(other, at))
    }
}

/// The unit of the indices of TCONCAT. The page specifies columns; devices, and results recorded on them, use
/// bytes of index elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexUnit {
    /// An index is a number of columns times the size of an index element.
    #[default]
    Bytes,
    /// An index is a number of columns.
    Columns,
}

/// Behaviour of integer division by zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DivisionByZero {
    /// Stops the run.
    #[default]
    Stop,
    /// The quotient or remainder is zero, as on devices.
    Zero,
}

/// The state that an instruction may access.
pub struct State<'a> {
    /// All on-chip buffers of the block.
    pub memory: &'a mut [u8],
    /// Tiles of the function.
    pub tiles: &'a mut [Live],
    /// Views of the function.
    pub views: &'a [View],
    /// Scalars of the function, as bits.
    pub scalars: &'a mut [u64],
    /// Global memory.
    pub global: &'a mut Global,
    /// Address of each buffer in `memory`, for vector core 0.
    pub buffers: &'a [usize; 9],
    /// Offset in bytes from an address in UB of vector core 0 to the same address of the running vector core.
    pub vector_offset: usize,
    /// Offset in bytes from an address in UB of vector core 0 to the same address of vector core 1.
    pub vector_stride: usize,
    /// Scratch memory for packing operands.
    pub scratch: &'a mut Scratch,
    /// Spare memory: bytes of `memory` that hold no tile, for copies of sources that alias the destination.
    pub spare: Range<usize>,
    /// The unit of the indices of TCONCAT, if the user sets it.
    pub index_unit: Option<IndexUnit>,
    /// Behaviour of integer division by zero.
    pub division_by_zero: DivisionByZero,
    /// Registers that instructions write for later ones.
    pub registers: &'a mut Registers,
    /// Output of print instructions.
    pub printed: &'a mut Vec<String>,
    /// A rule whose violation is a lint because the result depends on the target, with a message; at most one per
    /// execution.
    pub lint: Option<(&'static Rule, String)>,
    /// Set by a test of signals that fails: other cores run before the next instruction, since only they can change them.
    pub polls: &'a mut bool,
}

impl State<'_> {
    /// The state of a tile.
    #[inline]
    pub fn live(&self, tile: &Tile) -> Live {
        let Live { address, rows, cols } = self.tiles[tile.slot as usize];
        let offset = if tile.ty.buffer() == Buffer::Ub { self.vector_offset } else { 0 };
        Live { address: address + offset, rows, cols }
    }

    /// Byte offset of a convolution tile in the block's memory.
    pub fn live_conv(&self, tile: &ConvTile) -> usize {
        let address = self.tiles[tile.slot as usize].address;
        if tile.ty.buffer() == Buffer::Ub { address + self.vector_offset } else { address }
    }

    /// Reads the bits of the first column of a tile at byte `address`, from row `row`. Not inlined: a caller that
    /// shares its registers spends 8 ns more on saving them.
    #[inline(never)]
    pub(crate) fn first_column(&self, tile: &Tile, address: usize, row: usize, values: &mut [u64]) {
        let element = tile.ty.element;
        if let Some(step) = tile.layout.step_down() {
            return get_elements(self.memory, address, Indices { first: row * step, step }, element, values);
        }
        for (i, value) in values.iter_mut().enumerate() {
            *value = get_element(self.memory, address, tile.layout.offset(row + i, 0), element);
        }
    }

    /// Writes `values` to the first column of a tile, from row `row` (inverse of [`State::first_column`]).
    #[inline(never)]
    pub(crate) fn set_first_column(&mut self, tile: &Tile, address: usize, row: usize, values: &[u64]) {
        let element = tile.ty.element;
        if let Some(step) = tile.layout.step_down() {
            return set_elements(self.memory, address, Indices { first: row * step, step }, element, values);
        }
        for (i, value) in values.iter().enumerate() {
            set_element(self.memory, address, tile.layout.offset(row + i, 0), element, *value);
        }
    }

    /// The placement of a tile at its current address.
    pub fn placement(&self, tile: &Tile) -> Placement {
        tile.layout.placement(self.live(tile).address)
    }
}

/// The valid region of a tile as rows of numbers in the style of `numpy`; a pair prints as two numbers.
pub fn describe(memory: &[u8], live: Live, tile: &Tile, name: &str) -> String {
    let mut text = format!("%{name}: {}, valid {}x{}", tile.ty.brief(), live.rows, live.cols);
    let layout = tile.layout.of_values(tile.ty.element);
    let Size { rows, cols } = tile.values_in(live.size());
    for row in 0..rows {
        text.push_str("\n  [");
        for col in 0..cols {
            let bits = get_value(memory, live.address, layout.offset(row, col), tile.ty.element);
            let separator = if col == 0 { "" } else { ", " };
            text.push_str(separator);
            text.push_str(&number_text(tile.ty.element, bits));
        }
        text.push(']');
    }
    text
}

/// The shortest text of a number that parses to the same value.
pub(crate) fn number_text(element: Element, bits: u64) -> String {
    if element.holds_integers() {
        return element.decode_int(bits).to_string();
    }
    let value = element.decode(bits);
    if element == Element::F32 { format!("{:?}", value as f32) } else { format!("{value:?}") }
}

/// One use of an instruction, ready to run.
pub trait Execute: Send + Sync {
    /// Executes the use.
    ///
    /// # Errors
    /// A [`Fault`]; the destination is then undefined.
    fn execute(&self, state: &mut State<'_>) -> Result<(), Fault>;
}

impl<F: Fn(&mut State<'_>) -> Result<(), Fault> + Send + Sync> Execute for F {
    fn execute(&self, state: &mut State<'_>) -> Result<(), Fault> {
        self(state)
    }
}

/// The index of an operand's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Index into [`State::tiles`].
    Tile(u32),
    /// Index into [`State::views`].
    View(u32),
    /// Index into [`State::scalars`].
    Scalar(u32),
    /// Index into the local arrays.
    Array(u32),
    /// No state.
    None,
}
