//! Single elements, valid regions and parts of tiles.

use super::{Error, Kernel, Target, id};
use crate::dtype::DType;
use crate::tile::{AnyTile, TileId, per_element, type_of};
use crate::value::{Number, ScalarOr};
use crate::{Event, Index, Scalar, Tensor};
use pto_isa::registry::Op;
use pto_isa::tile::Pad;
use pto_lang::ir::{Attribute, NamedAttribute, Scalar as ScalarType, Type};

impl<P: Target> Kernel<P> {
    /// Sets the valid region of a tile whose type leaves it open.
    ///
    /// # Errors
    /// If the region is larger than the tile, or fixed by its type.
    pub fn set_validshape<T: AnyTile>(
        &mut self,
        tile: T,
        rows: impl Into<Index>,
        cols: impl Into<Index>,
    ) -> Result<(), Error> {
        let tile = id(tile);
        let [rows, cols] = self.place_ids::<T>(rows.into(), cols.into())?;
        let operands = [("tile", tile), ("rows", rows), ("cols", cols)];
        self.recorder.operation(Op::SET_VALIDSHAPE, &operands, &[], Vec::new())?;
        self.recorder.region_was_set(tile);
        Ok(())
    }

    /// The valid rows and columns of a tile.
    ///
    /// # Errors
    /// If the tile belongs to another kernel.
    pub fn get_validshape<T: AnyTile>(&mut self, tile: T) -> Result<(Index, Index), Error> {
        let ty = self.recorder.intern(Type::Scalar(ScalarType::Index));
        let results = [("rows", ty), ("cols", ty)];
        let (_, made) =
            self.recorder.operation(Op::GET_VALIDSHAPE, &[("tile", id(tile))], &results, Vec::new())?;
        let mut extent = |at: usize| {
            let (count, per) = (Index(Number::Value(made[at])), per_element::<T>()[at]);
            if per == 1 { Ok(count) } else { self.mul(count, per) }
        };
        Ok((extent(0)?, extent(1)?))
    }

    /// Reads one element of a tile, counted in memory order; a pair of 4-bit numbers is one.
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
        let (_, made) = self.recorder.operation(Op::TGETVAL, &operands, &[("element", ty)], Vec::new())?;
        Ok(Scalar::of(made[0]))
    }

    /// Writes one element of a tile, counted in memory order; a pair of 4-bit numbers is one.
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
        self.record(Op::TSETVAL, &[index, value], &[id(dst)])
    }

    /// Prints a tile when the kernel runs.
    ///
    /// # Errors
    /// If the tile belongs to another kernel.
    pub fn tprint(&mut self, src: impl AnyTile) -> Result<Event, Error> {
        self.record(Op::TPRINT, &[id(src)], &[])
    }

    /// Names the part of a tile that starts at (row, col) and has the declared shape of the result; no element moves.
    ///
    /// # Errors
    /// If the part reaches outside the tile.
    pub fn subview<D, S>(
        &mut self,
        name: &str,
        source: S,
        row: impl Into<Index>,
        col: impl Into<Index>,
    ) -> Result<D, Error>
    where
        D: AnyTile<Location = S::Location, DType = S::DType, Layout = S::Layout>,
        S: AnyTile,
    {
        let ty = type_of::<D>(P::PROFILE, Pad::NULL);
        let sizes = [ty.rows, ty.cols].map(|size| Attribute::Integer(size.into(), None));
        let sizes = NamedAttribute::new("sizes", Attribute::Array(sizes.to_vec()));
        let ty = self.recorder.intern(Type::Tile(ty));
        let [row, col] = self.place_ids::<S>(row.into(), col.into())?;
        let operands = [("source", id(source)), ("offsets", row), ("offsets", col)];
        let (_, made) = self.recorder.operation(Op::SUBVIEW, &operands, &[(name, ty)], vec![sizes])?;
        Ok(D::with(TileId(made[0])))
    }

    /// Reads one element of a tensor, counted in rows from its start; a pair of 4-bit numbers is one.
    ///
    /// # Errors
    /// If the tensor belongs to another kernel.
    pub fn load_scalar<T: DType>(
        &mut self,
        tensor: &Tensor<T>,
        offset: impl Into<Index>,
    ) -> Result<Scalar<T>, Error> {
        let ty = self.recorder.intern(Type::Scalar(ScalarType::Number(T::ELEMENT)));
        let operands = [("pointer", tensor.pointer), ("offset", self.index_id(offset.into())?)];
        let (_, made) =
            self.recorder.operation(Op::LOAD_SCALAR, &operands, &[("element", ty)], Vec::new())?;
        Ok(Scalar::of(made[0]))
    }

    /// Writes one element of a tensor, counted in rows from its start; a pair of 4-bit numbers is one.
    ///
    /// # Errors
    /// If the tensor belongs to another kernel.
    pub fn store_scalar<T: DType>(
        &mut self,
        value: impl Into<ScalarOr<T>>,
        tensor: &Tensor<T>,
        offset: impl Into<Index>,
    ) -> Result<(), Error> {
        let (value, offset) = (self.scalar_id(value.into())?, self.index_id(offset.into())?);
        let operands = [("value", value), ("pointer", tensor.pointer), ("offset", offset)];
        self.recorder.operation(Op::STORE_SCALAR, &operands, &[], Vec::new())?;
        Ok(())
    }
}
