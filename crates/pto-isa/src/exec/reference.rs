//! Execution of an instruction by its formula: elements by row and column, sources with their contents before the
//! instruction.

use super::state::{DivisionByZero, Fault, Prepare, State, Tile, View};
use crate::element::Element;
use crate::matrix::{Position, Size};
use crate::types::Scalar;
use pto_num::{Overflow, Rounding, get_element, get_value, set_element, set_value};

/// One execution of an instruction by its formula. Slow by design: every access uses
/// [`crate::layout::Layout::offset`].
pub struct Reference<'a> {
    prepare: &'a Prepare<'a>,
    state: &'a mut State<'a>,
    before: Vec<u8>,
}

impl<'a> Reference<'a> {
    /// An execution of one use of an instruction.
    pub fn new(prepare: &'a Prepare<'a>, state: &'a mut State<'a>) -> Self {
        let before = state.memory.to_vec();
        Reference { prepare, state, before }
    }

    /// The use of the instruction.
    pub fn prepare(&self) -> &'a Prepare<'a> {
        self.prepare
    }

    /// The tile in a role.
    ///
    /// # Panics
    /// If the form has no such tile.
    pub fn tile(&self, role: &str) -> Tile {
        self.prepare.tile(role).expect("the instruction's form has this tile")
    }

    /// The tile in a role that some forms lack.
    pub fn tile_if(&self, role: &str) -> Option<Tile> {
        self.prepare.tile_if(role)
    }

    /// Valid rows and columns of a tile.
    pub fn valid(&self, tile: &Tile) -> Size {
        self.state.live(tile).size()
    }

    /// Valid rows and columns of a tile in values; a pair element holds two values.
    pub fn valid_values(&self, tile: &Tile) -> Size {
        tile.values_in(self.valid(tile))
    }

    /// The bits of a value before the instruction; row and column count values.
    pub fn get_value(&self, tile: &Tile, row: usize, col: usize) -> u64 {
        let (base, layout) = (self.state.live(tile).address, tile.layout.of_values(tile.ty.element));
        get_value(&self.before, base, layout.offset(row, col), tile.ty.element)
    }

    /// Writes the bits of a value; row and column count values.
    pub fn set_value(&mut self, tile: &Tile, row: usize, col: usize, bits: u64) {
        let (base, layout) = (self.state.live(tile).address, tile.layout.of_values(tile.ty.element));
        set_value(self.state.memory, base, layout.offset(row, col), tile.ty.element, bits);
    }

    /// The bits of an element before the instruction.
    pub fn get(&self, tile: &Tile, row: usize, col: usize) -> u64 {
        let base = self.state.live(tile).address;
        get_element(&self.before, base, tile.layout.offset(row, col), tile.ty.element)
    }

    /// The bits of element `index` of the elements from byte `start` of a tile, before the instruction.
    pub fn get_at_byte(&self, tile: &Tile, start: usize, index: usize) -> u64 {
        get_element(&self.before, self.state.live(tile).address + start, index, tile.ty.element)
    }

    /// Writes the bits of an element.
    pub fn set(&mut self, tile: &Tile, row: usize, col: usize, bits: u64) {
        let base = self.state.live(tile).address;
        set_element(self.state.memory, base, tile.layout.offset(row, col), tile.ty.element, bits);
    }

    /// Byte `at` of a tile before the instruction.
    pub fn byte(&self, tile: &Tile, at: usize) -> u8 {
        self.before[self.state.live(tile).address + at]
    }

    /// Writes byte `at` of a tile.
    pub fn set_byte(&mut self, tile: &Tile, at: usize, value: u8) {
        let start = self.state.live(tile).address;
        self.state.memory[start + at] = value;
    }

    /// Writes the bits of an element of a vec tile in vector core `core`, or in the running core.
    pub fn set_in(&mut self, core: Option<usize>, tile: &Tile, row: usize, col: usize, bits: u64) {
        let Some(core) = core else { return self.set(tile, row, col, bits) };
        let base = self.state.tiles[tile.slot as usize].address + core * self.state.vector_stride;
        set_element(self.state.memory, base, tile.layout.offset(row, col), tile.ty.element, bits);
    }

    /// The scalar in a role, as bits of an element type.
    pub fn scalar(&self, role: &str, element: Element) -> u64 {
        let (slot, ty) = self.prepare.scalar(role).expect("the instruction's form has this scalar");
        scalar_bits(self.state.scalars[slot], ty, element)
    }

    /// The integer scalar in a role.
    pub fn integer(&self, role: &str) -> i64 {
        let (slot, _) = self.prepare.scalar(role).expect("the instruction's form has this scalar");
        self.state.scalars[slot] as i64
    }

    /// The state of the view in a role, and its element type.
    pub fn view(&self, role: &str) -> (View, Element) {
        let (slot, element) = self.prepare.view(role).expect("the instruction's form has this view");
        (self.state.views[slot], element)
    }

    /// Checks the divisor of an integer division at an element.
    ///
    /// # Errors
    /// [`Fault::DivisionByZero`] if it is zero, unless the run defines division by zero.
    pub fn divisor(&self, divisor: u64, at: Position) -> Result<(), Fault> {
        if divisor != 0 || self.state.division_by_zero == DivisionByZero::Zero {
            return Ok(());
        }
        Err(Fault::DivisionByZero(at.row as u32, at.col as u32))
    }

    /// The state of the machine, for operands other than tiles.
    pub fn state(&mut self) -> &mut State<'a> {
        self.state
    }
}

/// A scalar's bits as bits of an element type: unchanged if the types agree, else converted.
pub(crate) fn scalar_bits(bits: u64, ty: Scalar, element: Element) -> u64 {
    let own = ty.element();
    if own == element || own.bits() == element.bits() && own.is_integer() == element.is_integer() {
        return bits & element.mask();
    }
    if own.is_integer() && element.is_integer() {
        return bits & element.mask();
    }
    if own.is_integer() {
        return element.encode(own.decode_int(bits) as f64, Rounding::NearestEven, Overflow::Ieee);
    }
    if element.is_integer() {
        return element.encode_int(own.decode(bits).trunc() as i128, Overflow::Saturate);
    }
    element.encode(own.decode(bits), Rounding::NearestEven, Overflow::Ieee)
}
