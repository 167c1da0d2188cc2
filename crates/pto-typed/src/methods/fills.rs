//! Moves and fills with a value for the rest of the destination, and TRESHAPE into a tile that exists.

use super::{Error, Event, Kernel, Target, id};
use crate::Index;
use crate::dtype::DType;
use crate::target::{Extracts, Inserts, Moves};
use crate::tile::AnyTile;
use crate::value::ScalarOr;
use pto_isa::registry::Op;

impl<P: Target> Kernel<P> {
    /// Copies a tile and fills the rest of the destination with a value.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tmov_fill<D, S>(
        &mut self,
        dst: D,
        src: S,
        fill: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error>
    where
        D: AnyTile,
        S: AnyTile<DType = D::DType>,
        P: Moves<S::Location, D::Location>,
    {
        let fill = self.scalar_id(fill.into())?;
        self.record(Op::TMOV_FP, &[id(src), fill], &[id(dst)])
    }

    /// Extracts, and fills the rest of the destination with a value: `TEXTRACT_FP(dst, src, indexRow, indexCol, fill)`.
    ///
    /// ```
    /// # use pto::intrinsics::*;
    /// # fn main() -> Result<(), Error> {
    /// let mut k = Kernel::<Cpu>::new("corner");
    /// let x = k.tensor::<f32>("x", &[4.into(), 8.into()])?;
    /// let y = k.tensor::<f32>("y", &[4.into(), 8.into()])?;
    /// let all: Tile<loc::Vec, f32, 4, 8> = k.tile("all")?;
    /// let corner: Tile<loc::Vec, f32, 4, 8, layout::Nd, Part<1, 2>> = k.tile("corner")?;
    /// let whole: Tile<loc::Vec, f32, 4, 8> = k.treshape("whole", corner)?;
    /// let loaded = k.tload(all, &x)?;
    /// let cut = k.after([loaded])?.textract_fill(corner, all, (0, 0), -1.0)?;
    /// k.after([cut])?.tstore(&y, whole)?;
    /// let ones = [1.0; 32];
    /// let results = k.build()?.run().input(&x, &ones)?.zeros(&y)?.launch()?;
    /// assert_eq!(results.get(&y)?[..3], [1.0, 1.0, -1.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn textract_fill<D: AnyTile, S>(
        &mut self,
        dst: D,
        src: S,
        (row, col): (impl Into<Index>, impl Into<Index>),
        fill: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error>
    where
        S: AnyTile<DType = D::DType>,
        P: Extracts<S::Location, D::Location>,
    {
        let (row, col) = (self.index_id(row.into())?, self.index_id(col.into())?);
        let fill = self.scalar_id(fill.into())?;
        self.record(Op::TEXTRACT_FP, &[id(src), row, col, fill], &[id(dst)])
    }

    /// Inserts with a fill value, which changes nothing outside the window:
    /// `TINSERT_FP(dst, src, indexRow, indexCol, fill)`.
    ///
    /// ```
    /// # use pto::intrinsics::*;
    /// # fn main() -> Result<(), Error> {
    /// let mut k = Kernel::<A5>::new("corner");
    /// let small: Tile<loc::Vec, f32, 4, 8> = k.tile("small")?;
    /// let large: Tile<loc::Vec, f32, 16, 16> = k.tile("large")?;
    /// k.tinsert_fill(large, small, (4, 8), 0.0)?;
    /// assert!(k.to_text()?.contains("pto.tinsert_fp ins(%small"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tinsert_fill<D: AnyTile, S>(
        &mut self,
        dst: D,
        src: S,
        (row, col): (impl Into<Index>, impl Into<Index>),
        fill: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error>
    where
        S: AnyTile<DType = D::DType>,
        P: Inserts<S::Location, D::Location>,
    {
        let (row, col) = (self.index_id(row.into())?, self.index_id(col.into())?);
        let fill = self.scalar_id(fill.into())?;
        self.record(Op::TINSERT_FP, &[id(src), row, col, fill], &[id(dst)])
    }

    /// Has a tile that exists name the bytes of another one from here on: `TRESHAPE(dst, src)`.
    ///
    /// ```
    /// # use pto::intrinsics::*;
    /// # fn main() -> Result<(), Error> {
    /// let mut k = Kernel::<A5>::new("flat");
    /// let square: Tile<loc::Vec, f32, 16, 16> = k.tile("square")?;
    /// let flat: Tile<loc::Vec, f32, 1, 256> = k.tile("flat")?;
    /// k.treshape_into(flat, square)?;
    /// assert!(k.to_text()?.contains("pto.treshape ins(%square"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If a rule of the instruction forbids these types.
    pub fn treshape_into<D, S>(&mut self, dst: D, src: S) -> Result<(), Error>
    where
        D: AnyTile<Location = S::Location>,
        S: AnyTile,
    {
        let operands = [("src", id(src)), ("dst", id(dst))];
        let (operation, _) = self.recorder.operation(Op::TRESHAPE, &operands, &[], Vec::new())?;
        // The second way to write it names its destination.
        self.recorder.spell(operation, 1);
        Ok(())
    }

    /// Fills with this value instead of the destination's padding value.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tfillpad_with<D: AnyTile>(
        &mut self,
        dst: D,
        src: impl AnyTile<DType = D::DType>,
        fill: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error>
    where
        D::DType: DType,
    {
        let fill = self.scalar_id(fill.into())?;
        self.record(Op::TFILLPAD, &[id(src), fill], &[id(dst)])
    }

    /// Fills the rest of the declared area of a tile with this value: `TFILLPAD_INPLACE(dst, fill)`.
    ///
    /// ```
    /// # use pto::intrinsics::*;
    /// # fn main() -> Result<(), Error> {
    /// let mut k = Kernel::<A5>::new("edge");
    /// let part: Tile<loc::Vec, f32, 16, 16, layout::Nd, Part<12, 10>> = k.tile("part")?;
    /// k.tfillpad_inplace_with(part, part, -1.0)?;
    /// assert!(k.to_text()?.contains("pto.tfillpad_inplace ins(%part, %cf32"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tfillpad_inplace_with<D: AnyTile>(
        &mut self,
        dst: D,
        src: impl AnyTile<DType = D::DType>,
        fill: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let fill = self.scalar_id(fill.into())?;
        self.record(Op::TFILLPAD_INPLACE, &[id(src), fill], &[id(dst)])
    }

    /// Copies into a larger tile and fills the rest with this value: `TFILLPAD_EXPAND(dst, fill)`.
    ///
    /// ```
    /// # use pto::intrinsics::*;
    /// # fn main() -> Result<(), Error> {
    /// let mut k = Kernel::<A5>::new("grown");
    /// let small: Tile<loc::Vec, f32, 8, 8> = k.tile("small")?;
    /// let large: Tile<loc::Vec, f32, 16, 16> = k.tile("large")?;
    /// k.tfillpad_expand_with(large, small, 0.5)?;
    /// assert!(k.to_text()?.contains("pto.tfillpad_expand ins(%small, %cf32"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tfillpad_expand_with<D: AnyTile>(
        &mut self,
        dst: D,
        src: impl AnyTile<DType = D::DType>,
        fill: impl Into<ScalarOr<D::DType>>,
    ) -> Result<Event, Error> {
        let fill = self.scalar_id(fill.into())?;
        self.record(Op::TFILLPAD_EXPAND, &[id(src), fill], &[id(dst)])
    }
}
