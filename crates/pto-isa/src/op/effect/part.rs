//! Parts of tiles that extents name, and their bytes.
//!
//! A run has every number, an analysis only some. Both evaluate a part here, so the bytes that an analysis assumes
//! contain those of every run: an unknown number counts as the largest possible one.

use super::{Count, Extent, Measure, Side};
use crate::layout::Layout;
use crate::matrix::{Position, Size};
use crate::op::site::{Fact, Site};
use crate::strided_range::{Collector, StridedRange, of_window};
use crate::tile::TileType;

/// The part of a tile that an extent names. `T` names tiles and `S` scalars: operands of a use, or slots of a program.
#[derive(Clone, Copy, Debug)]
pub enum TilePart<T, S> {
    /// Rows x columns; scalars give the first row and column, or they are 0.
    Window(Measure<T>, Measure<T>, [Option<S>; 2]),
    /// One bit per valid element of another tile; each row starts at a new byte.
    Bits(T),
    /// The first elements in memory order.
    Leading(Measure<T>),
    /// The element whose index a scalar gives.
    Element(S),
    /// The whole storage.
    Whole,
    /// This number of bytes after the storage.
    Behind(u32),
}

impl TilePart<usize, usize> {
    /// The part of a tile, the operand of a site with this number; `None` if the extent names no part of a tile, or an operand
    /// that the use lacks.
    pub fn of(extent: Extent, site: &Site<'_>, own: usize) -> Option<Self> {
        let Fact::Tile(_) = site.operands[own].fact else { return None };
        let named = |role: &str| site.operands.iter().position(|operand| operand.role == role);
        let rows = |count: Count| count.measure(site, own, true);
        let cols = |count: Count| count.measure(site, own, false);
        Some(match extent {
            Extent::Rect(down, along) => TilePart::Window(rows(down)?, cols(along)?, [None; 2]),
            Extent::Window(down, along, start) => {
                TilePart::Window(rows(down)?, cols(along)?, start.map(named))
            }
            // Operands that may be views may be tiles.
            Extent::View => TilePart::Window(rows(Count::Valid)?, cols(Count::Valid)?, [None; 2]),
            Extent::Bits(role) => TilePart::Bits(named(role)?),
            Extent::Leading(count) => TilePart::Leading(rows(count)?),
            Extent::Element(role) => TilePart::Element(named(role)?),
            Extent::Storage => TilePart::Whole,
            Extent::Behind(bytes) => TilePart::Behind(bytes),
            // A device moves nothing beyond the declared shape.
            Extent::Moved(_) => TilePart::Window(rows(Count::Declared)?, cols(Count::Declared)?, [None; 2]),
            Extent::Flat | Extent::Covered(_) | Extent::Pointed(_) => return None,
        })
    }

    /// The part with other names of tiles and scalars; `None` if a tile, or an index, has none.
    pub fn renamed<T, S>(
        self,
        tile: impl Fn(usize) -> Option<T>,
        scalar: impl Fn(usize) -> Option<S>,
    ) -> Option<TilePart<T, S>> {
        Some(match self {
            TilePart::Window(rows, cols, start) => {
                let start = start.map(|operand| operand.and_then(&scalar));
                TilePart::Window(rows.renamed(&tile)?, cols.renamed(&tile)?, start)
            }
            TilePart::Bits(other) => TilePart::Bits(tile(other)?),
            TilePart::Leading(count) => TilePart::Leading(count.renamed(&tile)?),
            TilePart::Element(index) => TilePart::Element(scalar(index)?),
            TilePart::Whole => TilePart::Whole,
            TilePart::Behind(bytes) => TilePart::Behind(bytes),
        })
    }
}

impl<T: Copy, S: Copy> TilePart<T, S> {
    /// The ranges of the part of a tile at an address, given valid rows and columns of tiles, and scalars, as far as they are known.
    pub fn ranges(
        self,
        ty: &TileType,
        layout: &Layout,
        address: u64,
        side: impl Fn(Side<T>) -> Option<u32>,
        scalar: impl Fn(S) -> Option<usize>,
        push: &mut impl FnMut(StridedRange),
    ) {
        let whole = StridedRange::bytes(address, ty.bytes() as u64);
        match self {
            TilePart::Window(rows, cols, [row, col]) => {
                let first = |start: Option<S>| start.map_or(Some(0), &scalar);
                let start = first(row).zip(first(col)).map(|(row, col)| Position { row, col });
                let number = |measure: Measure<T>| measure.evaluate(&side).filter(|_| start.is_some());
                let [down, along] = ty.stored();
                let (rows, cols) = (number(rows).unwrap_or(down), number(cols).unwrap_or(along));
                let size = Size { rows: rows as usize, cols: cols as usize };
                of_window(ty, layout, address, start.unwrap_or_default(), size, push);
            }
            TilePart::Bits(other) => {
                let Some((rows, cols)) = side(Side::Rows(other)).zip(side(Side::Cols(other))) else {
                    return push(whole);
                };
                let second = layout.offset(usize::from(ty.rows > 1), 0);
                let (pitch, length) = (ty.element.bytes(second) as u64, u64::from(cols).div_ceil(8));
                let mut runs = Collector::new(push);
                (0..u64::from(rows)).for_each(|row| runs.add(address + row * pitch, length));
                runs.finish();
            }
            TilePart::Leading(count) => {
                let count = count.evaluate(&side).map_or(ty.elements(), |count| count as usize);
                push(StridedRange::bytes(address, ty.element.bytes(count.min(ty.elements())) as u64));
            }
            TilePart::Element(index) => match scalar(index) {
                Some(index) => {
                    let before = ty.element.bytes(index.min(ty.elements())) as u64;
                    push(StridedRange::bytes(address + before, ty.element.bytes(1) as u64));
                }
                None => push(whole),
            },
            TilePart::Whole => push(whole),
            TilePart::Behind(bytes) => {
                push(StridedRange::bytes(address + ty.bytes() as u64, u64::from(bytes)));
            }
        }
    }
}
