//! Counts with the tiles of one use in place of roles, and their values: exact numbers in a run, known or unknown numbers
//! before it.

use super::Count;
use crate::op::site::{Fact, Site, TileFact};

/// The valid rows or columns of a tile, which `T` names: an operand of a use, or a slot of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side<T> {
    /// Valid rows of the tile.
    Rows(T),
    /// Valid columns of the tile.
    Cols(T),
}

/// A number of rows, columns or elements, as a function of valid regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure<T> {
    /// A constant.
    Fixed(u32),
    /// The extent of a side.
    Of(Side<T>),
    /// Half of the extent of a side, rounded up.
    Half(Side<T>),
    /// The extent of a side, rounded up to a multiple of this number.
    RoundedUp(Side<T>, u32),
    /// The sum of two sides.
    Sum(Side<T>, Side<T>),
    /// The smaller of two sides.
    Least(Side<T>, Side<T>),
}

/// A kind of number that a measure can have.
pub trait Number: Sized {
    /// A known number.
    fn exactly(number: u32) -> Self;
    /// The operation on two numbers.
    fn with(self, other: Self, operation: impl Fn(u32, u32) -> u32) -> Self;
}

/// A number of a run.
impl Number for u32 {
    fn exactly(number: u32) -> u32 {
        number
    }

    fn with(self, other: u32, operation: impl Fn(u32, u32) -> u32) -> u32 {
        operation(self, other)
    }
}

/// A number before a run; `None` if it is determined at run time.
impl Number for Option<u32> {
    fn exactly(number: u32) -> Option<u32> {
        Some(number)
    }

    fn with(self, other: Option<u32>, operation: impl Fn(u32, u32) -> u32) -> Option<u32> {
        self.zip(other).map(|(a, b)| operation(a, b))
    }
}

impl<T: Copy> Measure<T> {
    /// Evaluates the measure; `side` gives the extent of a side.
    pub fn evaluate<N: Number>(self, side: impl Fn(Side<T>) -> N) -> N {
        match self {
            Measure::Fixed(number) => N::exactly(number),
            Measure::Of(one) => side(one),
            Measure::Half(one) => side(one).with(N::exactly(2), |number, two| number / two),
            Measure::RoundedUp(one, unit) => side(one).with(N::exactly(unit), u32::next_multiple_of),
            Measure::Sum(a, b) => side(a).with(side(b), u32::saturating_add),
            Measure::Least(a, b) => side(a).with(side(b), u32::min),
        }
    }
}

impl Measure<usize> {
    /// The measure with other names of tiles, such as slots of operands; `None` if one has no other name.
    pub fn renamed<T>(self, name: impl Fn(usize) -> Option<T>) -> Option<Measure<T>> {
        let side = |side| match side {
            Side::Rows(tile) => name(tile).map(Side::Rows),
            Side::Cols(tile) => name(tile).map(Side::Cols),
        };
        Some(match self {
            Measure::Fixed(number) => Measure::Fixed(number),
            Measure::Of(one) => Measure::Of(side(one)?),
            Measure::Half(one) => Measure::Half(side(one)?),
            Measure::RoundedUp(one, unit) => Measure::RoundedUp(side(one)?, unit),
            Measure::Sum(a, b) => Measure::Sum(side(a)?, side(b)?),
            Measure::Least(a, b) => Measure::Least(side(a)?, side(b)?),
        })
    }

    /// The number at a site; `None` if it is determined at run time.
    pub fn known(self, site: &Site<'_>) -> Option<u32> {
        self.evaluate(|side| match side {
            Side::Rows(operand) => tile(site, operand)?.rows,
            Side::Cols(operand) => tile(site, operand)?.cols,
        })
    }
}

impl Count {
    /// The count of rows, or of columns, of an operand of a site; `None` if the use lacks a tile that the count names.
    pub fn measure(self, site: &Site<'_>, own: usize, rows: bool) -> Option<Measure<usize>> {
        let named = |role: &str| site.operands.iter().position(|operand| operand.role == role);
        let rows_of = |role| named(role).map(Side::Rows);
        let cols_of = |role| named(role).map(Side::Cols);
        let valid = if rows { Side::Rows(own) } else { Side::Cols(own) };
        let stored = |tile: &TileFact, rows: bool| Measure::Fixed(tile.ty.stored()[usize::from(!rows)]);
        Some(match self {
            Count::Valid => Measure::Of(valid),
            Count::Declared => stored(tile(site, own)?, rows),
            Count::Fixed(number) => Measure::Fixed(number),
            Count::Rows(role) => Measure::Of(rows_of(role)?),
            Count::Cols(role) => Measure::Of(cols_of(role)?),
            Count::HalfRows(role) => Measure::Half(rows_of(role)?),
            Count::HalfCols(role) => Measure::Half(cols_of(role)?),
            Count::DeclaredRows(role) => stored(site.tile(role)?, true),
            Count::DeclaredCols(role) => stored(site.tile(role)?, false),
            Count::RoundedUp(unit) => Measure::RoundedUp(valid, unit),
            Count::RoundedRows(role, unit) => Measure::RoundedUp(rows_of(role)?, unit),
            Count::Blocks(role, unit) | Count::RoundedCols(role, unit) => {
                Measure::RoundedUp(cols_of(role)?, unit)
            }
            Count::ColsOfBoth(a, b) => Measure::Sum(cols_of(a)?, cols_of(b)?),
            Count::SharedRows(role) => Measure::Least(valid, rows_of(role)?),
            Count::SharedCols(role) => Measure::Least(valid, cols_of(role)?),
        })
    }
}

fn tile<'a>(site: &'a Site<'_>, operand: usize) -> Option<&'a TileFact> {
    match &site.operands[operand].fact {
        Fact::Tile(tile) => Some(tile),
        _ => None,
    }
}
