//! Single elements and valid regions.

use super::{Error, Kernel, Target, id};
use crate::intrinsics::dtype::DType;
use crate::intrinsics::kernel::{Number, ScalarOr};
use crate::intrinsics::tile::AnyTile;
use crate::intrinsics::{Event, Index, Scalar};
use crate::ir::{Scalar as ScalarType, Type};

impl<P: Target> Kernel<P> {
    /// Sets the valid region of a tile whose type leaves it open.
    ///
    /// # Errors
    /// If the region is larger than the tile, or fixed by its type.
    pub fn set_validshape(
        &mut self,
        tile: impl AnyTile,
        rows: impl Into<Index>,
        cols: impl Into<Index>,
    ) -> Result<(), Error> {
        let tile = id(tile);
        let operands =
            [("tile", tile), ("rows", self.index_id(rows.into())?), ("cols", self.index_id(cols.into())?)];
        self.recorder.operation("pto.set_validshape", &operands, &[], Vec::new())?;
        self.recorder.region_was_set(tile);
        Ok(())
    }

    /// The valid rows and columns of a tile.
    ///
    /// # Errors
    /// If the tile belongs to another kernel.
    pub fn get_validshape(&mut self, tile: impl AnyTile) -> Result<(Index, Index), Error> {
        let ty = self.recorder.intern(Type::Scalar(ScalarType::Index));
        let results = [("rows", ty), ("cols", ty)];
        let (_, made) =
            self.recorder.operation("pto.get_validshape", &[("tile", id(tile))], &results, Vec::new())?;
        Ok((Index(Number::Value(made[0])), Index(Number::Value(made[1]))))
    }

    /// Reads one element of a tile, counted in memory order.
    ///
    /// # Errors
    /// If the index lies outside the tile.
    pub fn tgetval<S: AnyTile>(
        &mut self,
        src: S,
        index: impl Into<Index>,
    ) -> Result<Scalar<S::DType>, Error> {
        let ty = self.recorder.intern(Type::Scalar(ScalarType::Number(S::DType::ELEMENT)));
        let operands = [("src", id(src)), ("index", self.index_id(index.into())?)];
        let (_, made) = self.recorder.operation("pto.tgetval", &operands, &[("element", ty)], Vec::new())?;
        Ok(Scalar::of(made[0]))
    }

    /// Writes one element of a tile, counted in memory order.
    ///
    /// # Errors
    /// If the index lies outside the tile.
    pub fn tsetval<D: AnyTile>(
        &mut self,
        dst: D,
        index: impl Into<Index>,
        value: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let (index, value) = (self.index_id(index.into())?, self.scalar_id(value.into())?);
        self.record("pto.tsetval", &[index, value], &[id(dst)])
    }

    /// Prints a tile when the kernel runs.
    ///
    /// # Errors
    /// If the tile belongs to another kernel.
    pub fn tprint(&mut self, src: impl AnyTile) -> Result<Event, Error> {
        self.record("pto.tprint", &[id(src)], &[])
    }
}
