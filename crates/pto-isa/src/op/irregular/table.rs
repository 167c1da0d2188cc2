//! Tables in global memory, from which MGATHER loads and to which MSCATTER stores rows or elements by index.

use super::index::word_of;
use crate::op::attribute::AttributeSpec;
use crate::op::effect::{Effect, Extent, Target};
use crate::op::site::{GlobalLayout, Site, TileFact};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, CPU_AND_A5, Profile};
#[cfg(feature = "run")]
use {
    super::index::Named,
    crate::element::Element,
    crate::exec::overlay::Area,
    crate::exec::state::{Fault, Prepare, State, Tile},
    crate::matrix::Position,
    crate::op::memory::window::Window,
    crate::profile::A5_ONLY,
    crate::rule::Rule,
    pto_kernels::Placement,
    pto_num::get_element,
    std::ops::Range,
};

/// The attribute that selects whether indices select rows or elements.
pub(super) const COALESCE: AttributeSpec = AttributeSpec::words(
    "coalesce",
    "coalesce",
    &["row", "elem"],
    "Whether an index names a row of the table or a single element.",
);

/// Profiles on which the scalar unit iterates over the indices of vec tiles.
pub(super) const WALKING: &[Profile] = A2A3_ONLY;

/// Profiles on which the vector unit processes whole index tiles.
pub(super) const WHOLE: &[Profile] = CPU_AND_A5;

/// Profiles on which the rows of a table must be contiguous.
#[cfg(feature = "run")]
const PACKED_ROWS: &[Profile] = A5_ONLY;

/// The flags of an instruction whose scalar unit iterates over the indices and moves the elements itself. Source:
/// `docs/isa/MGATHER.md` and `docs/isa/MSCATTER.md`, Pipe / Synchronisation Model.
const BY_ELEMENT: Effect = Effect::orders(
    &[(Pipe::Vector, Pipe::Scalar), (Pipe::Mte3, Pipe::Scalar), (Pipe::Mte2, Pipe::Scalar)],
    &[(Pipe::Scalar, Pipe::Vector), (Pipe::Scalar, Pipe::Mte2), (Pipe::Scalar, Pipe::Mte3)],
)
.on(WALKING);

/// The pipe of a transfer between a table and the vec tile in role `data`: V on profiles that process whole index
/// tiles; else `rows` for rows and the scalar unit for elements.
pub(super) fn walking_pipe(site: &Site<'_>, data: &str, rows: Pipe) -> Pipe {
    match Coalesce::of(site, data) {
        _ if !WALKING.contains(&site.profile) => Pipe::Vector,
        Some(Coalesce::Elem) => Pipe::Scalar,
        _ => rows,
    }
}

/// The effects of a transfer between a table and a vec tile; `effects` are the page's, which assume rows.
pub(super) fn walking_effects(site: &Site<'_>, data: &str, effects: Vec<Effect>) -> Vec<Effect> {
    let by_element = Coalesce::of(site, data) == Some(Coalesce::Elem);
    let walking = |effect: Effect| match effect.target {
        Target::Pipes(_) if by_element => BY_ELEMENT,
        _ => effect,
    };
    effects.into_iter().map(walking).collect()
}

/// The object that an index selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coalesce {
    /// A row of the table.
    Row,
    /// An element of the table.
    Elem,
}

impl Coalesce {
    /// The mode of a use. Without the attribute the index tile decides: rows, unless its type is only legal for
    /// elements.
    pub(super) fn of(site: &Site<'_>, data: &str) -> Option<Coalesce> {
        match word_of(site, COALESCE.name).ok()? {
            Some("row") => return Some(Coalesce::Row),
            Some("elem") => return Some(Coalesce::Elem),
            Some(_) => return None,
            None => {}
        }
        let extents = |tile: &TileFact| {
            (tile.ty.valid_rows.unwrap_or(tile.ty.rows), tile.ty.valid_cols.unwrap_or(tile.ty.cols))
        };
        let (Some(data), Some(idx)) = (site.tile(data), site.tile("idx")) else { return Some(Coalesce::Row) };
        let ((rows, cols), idx) = (extents(data), extents(idx));
        let names_rows = idx == (1, rows) || idx == (rows, 1);
        Some(if !names_rows && idx == (rows, cols) { Coalesce::Elem } else { Coalesce::Row })
    }
}

/// The treatment of an index outside the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    /// An error.
    Undefined,
    /// Clamped to the last row or element.
    Clamp,
    /// Taken modulo the number of rows or elements.
    Wrap,
    /// Dropped: reads zero, writes nothing.
    Drop,
}

impl Beyond {
    /// The mode that an attribute names; `drop` is the word for [`Beyond::Drop`].
    pub(super) fn of(site: &Site<'_>, attribute: &str, drop: &str) -> Option<Beyond> {
        match word_of(site, attribute).ok()? {
            Some("undefined") => Some(Beyond::Undefined),
            Some("clamp") => Some(Beyond::Clamp),
            Some("wrap") => Some(Beyond::Wrap),
            Some(word) if word == drop => Some(Beyond::Drop),
            _ => None,
        }
    }

    /// Resolves an index among `capacity` rows or elements: one of them, `None` if it is dropped, or an error.
    fn apply(self, index: u64, capacity: u64) -> Result<Option<u64>, ()> {
        match self {
            _ if index < capacity => Ok(Some(index)),
            Beyond::Drop => Ok(None),
            Beyond::Clamp if capacity > 0 => Ok(Some(capacity - 1)),
            Beyond::Wrap if capacity > 0 => Ok(Some(index % capacity)),
            _ => Err(()),
        }
    }
}

/// The table of a use, and its indices.
#[cfg(feature = "run")]
pub(super) struct Table {
    slot: usize,
    pub(super) element: Element,
    layout: GlobalLayout,
    pub(super) coalesce: Coalesce,
    pub(super) beyond: Beyond,
    /// Whether rows must be contiguous, regardless of the view's strides.
    packed: bool,
    name: String,
    indices: Indices,
    /// The rule on index bounds, and the rule on gaps between rows.
    rules: [&'static Rule; 2],
}

/// The location of the indices.
#[cfg(feature = "run")]
struct Indices {
    from: From,
    name: String,
}

#[cfg(feature = "run")]
enum From {
    Tile(Tile),
    View(usize, Element),
}

/// The declared layout of a table; ND by default.
pub(super) fn table_layout(site: &Site<'_>, table: &str) -> GlobalLayout {
    site.view(table).and_then(|view| view.layout.0).unwrap_or(GlobalLayout::Nd)
}

/// The bytes of a table that may be accessed: rows follow the view, elements are counted contiguously from its
/// first one.
pub(super) fn table_extent(site: &Site<'_>, [table, data]: [&str; 2]) -> Extent {
    let by_element = Coalesce::of(site, data) == Some(Coalesce::Elem);
    if by_element && table_layout(site, table) != GlobalLayout::Nz { Extent::Flat } else { Extent::View }
}

#[cfg(feature = "run")]
impl Table {
    /// The table in role `table`; `data` is the role of the tile to or from which rows or elements are moved.
    pub(super) fn of(
        prepare: &Prepare<'_>,
        [table, data]: [&str; 2],
        beyond: Option<Beyond>,
        rules: [&'static Rule; 2],
    ) -> Result<Table, String> {
        let (slot, element) = prepare.view(table)?;
        let from = match prepare.tile_if("idx") {
            Some(tile) => From::Tile(tile),
            None => {
                let (slot, element) = prepare.view("idx")?;
                From::View(slot, element)
            }
        };
        let indices = Indices { from, name: prepare.name("idx").to_owned() };
        Ok(Table {
            slot,
            element,
            layout: table_layout(prepare.site, table),
            coalesce: Coalesce::of(prepare.site, data).ok_or("there is no such `coalesce` mode")?,
            beyond: beyond.ok_or("there is no such mode for indices beyond the table")?,
            packed: PACKED_ROWS.contains(&prepare.profile()),
            name: prepare.name(table).to_owned(),
            indices,
            rules,
        })
    }

    /// The table with its current address, shape and strides. Indices that overlap the tiles in `written` are
    /// copied first.
    ///
    /// # Errors
    /// If the table is outside its buffer, or its rows are not contiguous as required.
    pub(super) fn open<'t>(
        &'t self,
        state: &mut State<'_>,
        written: &[Range<usize>],
    ) -> Result<Open<'t>, Fault> {
        let window = Window::of(&state.views[self.slot], self.layout);
        let (buffer, start) = window.locate(state.global, self.element, &self.name)?;
        let (rows, cols) = window.extent();
        let capacity = match self.coalesce {
            Coalesce::Row => rows,
            Coalesce::Elem => rows.saturating_mul(cols),
        };
        let gaps = self.layout == GlobalLayout::Nd && rows > 1 && !is_packed(&window, rows, cols);
        if gaps && self.packed && self.coalesce == Coalesce::Row {
            let message = format!("the rows of `%{}` do not follow one another without gaps", self.name);
            return Err(Fault::Broken(self.rules[1], message));
        }
        if gaps && self.coalesce == Coalesce::Elem && state.lint.is_none() {
            let name = &self.name;
            let message =
                format!("the rows of `%{name}` are not contiguous: elements between them are counted too");
            state.lint = Some((self.rules[1], message));
        }
        let indices = self.indices.open(state, written)?;
        let size = state.global.buffer(buffer).size();
        Ok(Open { table: self, window, buffer, start: start as usize, cols, capacity, indices, size })
    }
}

/// A row of a tile at a byte address, as a matrix.
#[cfg(feature = "run")]
pub(super) fn row_of(tile: &Tile, address: usize, row: usize) -> Placement {
    let offset = address + tile.ty.element.bytes(tile.layout.offset(row, 0));
    Placement { offset, box_rows: usize::MAX, row_of_boxes: 0, ..tile.layout.placement(address) }
}

/// Whether all elements of a row-major view are contiguous.
#[cfg(feature = "run")]
fn is_packed(window: &Window, rows: u64, cols: u64) -> bool {
    cols > 0 && window.offset(rows - 1, cols - 1) == (rows - 1).saturating_mul(cols).saturating_add(cols - 1)
}

/// Indices of a running instruction.
#[cfg(feature = "run")]
enum OpenIndices {
    Tile { tile: Tile, address: usize, rows: usize },
    View { window: Window, buffer: usize, start: usize, element: Element },
}

#[cfg(feature = "run")]
impl Indices {
    fn open(&self, state: &mut State<'_>, written: &[Range<usize>]) -> Result<OpenIndices, Fault> {
        match &self.from {
            From::Tile(tile) => {
                let (live, mut free) = (state.live(tile), state.spare.start);
                let address = state.kept(live.address, tile.bytes(), written, &mut free);
                Ok(OpenIndices::Tile { tile: *tile, address, rows: live.rows as usize })
            }
            From::View(slot, element) => {
                let window = Window::rows(&state.views[*slot]);
                let (buffer, start) = window.locate(state.global, *element, &self.name)?;
                Ok(OpenIndices::View { window, buffer, start: start as usize, element: *element })
            }
        }
    }
}

#[cfg(feature = "run")]
impl OpenIndices {
    /// Reads the index of an element or of a row; row indices are a single row or column.
    fn read(&self, state: &mut State<'_>, coalesce: Coalesce, at: Position) -> Result<i128, Fault> {
        let line = |is_row: bool| match coalesce {
            Coalesce::Elem => (at.row, at.col),
            Coalesce::Row if is_row => (0, at.row),
            Coalesce::Row => (at.row, 0),
        };
        match self {
            OpenIndices::Tile { tile, address, rows } => {
                let (i, j) = line(*rows == 1);
                let bits = get_element(state.memory, *address, tile.layout.offset(i, j), tile.ty.element);
                Ok(tile.ty.element.decode_int(bits))
            }
            OpenIndices::View { window, buffer, start, element } => {
                let (rows, cols) = window.extent();
                let (i, j) = line(rows == 1);
                if i as u64 >= rows || j as u64 >= cols {
                    return Err(Fault::Rule);
                }
                let offset = window.offset(i as u64, j as u64) as usize;
                let bits = state.global.reading(*buffer).get(*start, offset, *element);
                Ok(element.decode_int(bits))
            }
        }
    }
}

/// A table of a running instruction.
#[cfg(feature = "run")]
pub(super) struct Open<'t> {
    table: &'t Table,
    window: Window,
    pub(super) buffer: usize,
    pub(super) start: usize,
    cols: u64,
    capacity: u64,
    indices: OpenIndices,
    size: usize,
}

#[cfg(feature = "run")]
impl Open<'_> {
    /// The row (`Row`) or element (`Elem`) of the table that the index for (`row`, `col`) of the tile selects;
    /// `None` if the index is dropped. Indices are read as unsigned, so negative ones are outside the table.
    ///
    /// # Errors
    /// If the index is outside the table and the mode does not define the result.
    pub(super) fn named(&self, state: &mut State<'_>, row: usize, col: usize) -> Result<Option<u64>, Fault> {
        let by_row = self.table.coalesce == Coalesce::Row;
        let at = Position { row, col: if by_row { 0 } else { col } };
        let value = self.indices.read(state, self.table.coalesce, at)?;
        self.table.beyond.apply(u64::from(value as u32), self.capacity).map_err(|()| {
            let has = format!("{} {}", self.capacity, if by_row { "rows" } else { "elements" });
            let name = &self.table.indices.name;
            Named { name, value, at }.fault(self.table.rules[0], &self.table.name, &has)
        })
    }

    /// The first `cols` elements of the selected row, if their stride is constant.
    pub(super) fn row(&self, index: u64, cols: usize) -> Option<Area> {
        let (element, [.., step]) = (self.table.element, self.window.dimensions().strides);
        let by_row = self.table.coalesce == Coalesce::Row && self.table.layout == GlobalLayout::Nd;
        if !by_row || cols as u64 > self.cols {
            return None;
        }
        let offset = self.start + element.bytes(self.window.offset(index, 0) as usize);
        let placement = Placement::strided(offset, 0, usize::try_from(step).ok()?);
        Some(Area { placement, rows: 1, cols, bits: element.bits() })
    }

    /// The offset of the selected element, or of an element of the selected row, in elements from the table's
    /// start.
    ///
    /// # Errors
    /// If the element is outside the buffer.
    pub(super) fn place(&self, index: u64, col: usize) -> Result<usize, Fault> {
        let offset = match (self.table.coalesce, self.table.layout) {
            (Coalesce::Row, _) if col as u64 >= self.cols => return Err(Fault::Rule),
            (Coalesce::Row, _) => self.window.offset(index, col as u64),
            (Coalesce::Elem, GlobalLayout::Nz) => self.window.offset(index / self.cols, index % self.cols),
            // Elements are counted contiguously from the table's start, regardless of strides.
            (Coalesce::Elem, _) => index,
        } as usize;
        let end = self.table.element.bytes(offset.saturating_add(1)).saturating_add(self.start);
        if end > self.size {
            let message = format!("element {offset} of `%{}` is outside its buffer", self.table.name);
            return Err(Fault::OutOfBounds(message));
        }
        Ok(offset)
    }
}
