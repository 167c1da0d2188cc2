//! Layout and rearrangement.

use super::{Error, Event, Kernel, Target, VecTile, id};
use crate::Index;
use crate::fixpipe::{Fixpipe, Quant, Split};
use crate::target::{Extracts, Inserts, Moves};
use crate::tile::{AnyTile, TileId, layout, loc, type_of};
use pto_isa::element::Element;
use pto_isa::registry::Op;
use pto_isa::tile::Pad;
use pto_lang::build::{Call, Id, word};
use pto_lang::ir::{EnumSpelling, Scalar as ScalarType, Type};

impl<P: Target> Kernel<P> {
    /// Copies a tile: `TMOV(dst, src)`.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tmov<D: AnyTile, S: AnyTile>(&mut self, dst: D, src: S) -> Result<Event, Error>
    where
        P: Moves<S::Location, D::Location>,
    {
        self.record(Op::TMOV, &[id(src)], &[id(dst)])
    }

    /// Copies an accumulator with relu, a mode or quantization: `TMOV<mode, relu>(dst, src, ...)`.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tmov_with<D: AnyTile, S>(&mut self, dst: D, src: S, fixpipe: Fixpipe) -> Result<Event, Error>
    where
        S: AnyTile<Location = loc::Acc>,
        P: Moves<S::Location, D::Location>,
    {
        let attributes = fixpipe.attributes();
        // A parameter follows the source, with its own type.
        let parameter = self.quantization(fixpipe.quant)?.map(|(_, id)| id);
        let ins: Vec<Id> = [id(src)].into_iter().chain(parameter).collect();
        self.recorder.issue(Call { op: Op::TMOV, ins: &ins, outs: &[id(dst)], attributes, keyword: None })
    }

    /// Reorders 8-bit scales into rows of 16x2 boxes: `TMOV(dst, src, tmp)`.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tmov_zz<D, S, T>(&mut self, dst: D, src: S, tmp: T) -> Result<Event, Error>
    where
        D: VecTile<DType = S::DType>,
        S: VecTile,
        T: VecTile,
    {
        self.record(Op::TMOV, &[id(src), id(tmp)], &[id(dst)])
    }

    /// Quantizes with a parameter for each column: `TMOV_FP(dst, src, fp)`.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tmov_fp<D, S, F>(&mut self, dst: D, src: S, fp: F) -> Result<Event, Error>
    where
        D: AnyTile,
        S: AnyTile<Location = loc::Acc>,
        F: AnyTile<Location = loc::Scaling, DType = u64>,
        P: Moves<S::Location, D::Location>,
    {
        self.record(Op::TMOV_FP, &[id(src), id(fp)], &[id(dst)])
    }

    /// `dst[row + i, col + j] = src[i, j]`: TINSERT(dst, src, indexRow, indexCol).
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tinsert<D: AnyTile, S: AnyTile>(
        &mut self,
        dst: D,
        src: S,
        row: impl Into<Index>,
        col: impl Into<Index>,
    ) -> Result<Event, Error>
    where
        P: Inserts<S::Location, D::Location>,
    {
        let [row, col] = self.place_ids::<D>(row.into(), col.into())?;
        self.record(Op::TINSERT, &[id(src), row, col], &[id(dst)])
    }

    /// Inserts an accumulator with relu, a mode or quantization: `TINSERT<mode, relu>(dst, src, ..., indexRow, indexCol)`
    /// and TINSERT_FP.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tinsert_with<D: AnyTile, S>(
        &mut self,
        dst: D,
        src: S,
        (row, col): (impl Into<Index>, impl Into<Index>),
        fixpipe: Fixpipe,
    ) -> Result<Event, Error>
    where
        S: AnyTile<Location = loc::Acc>,
        P: Inserts<S::Location, D::Location>,
    {
        let at = self.place_ids::<D>(row.into(), col.into())?;
        self.at_offset(Op::TINSERT, Op::TINSERT_FP, (id(dst), id(src)), at, fixpipe)
    }

    /// Inserts boxes from UB into L1 in two or four transfers: `TINSERT<SPLIT2>(dst, src, indexRow, indexCol)`.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tinsert_split<D, S>(
        &mut self,
        dst: D,
        src: S,
        (row, col): (impl Into<Index>, impl Into<Index>),
        split: Split,
    ) -> Result<Event, Error>
    where
        D: AnyTile<Location = loc::Mat, DType = S::DType, Layout = layout::Nz>,
        S: VecTile<Layout = layout::Nz>,
        P: Inserts<loc::Vec, loc::Mat>,
    {
        let [row, col] = self.place_ids::<D>(row.into(), col.into())?;
        let split = if split == Split::Split2 { "split2" } else { "split4" };
        self.recorder.issue(Call {
            op: Op::TINSERT,
            ins: &[id(src), row, col],
            outs: &[id(dst)],
            attributes: vec![word("tinsertMode", "tinsert_mode", split, EnumSpelling::Dotted)],
            keyword: None,
        })
    }

    /// `dst[i, j] = src[row + i, col + j]`: TEXTRACT(dst, src, indexRow, indexCol).
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn textract<D: AnyTile, S: AnyTile>(
        &mut self,
        dst: D,
        src: S,
        row: impl Into<Index>,
        col: impl Into<Index>,
    ) -> Result<Event, Error>
    where
        P: Extracts<S::Location, D::Location>,
    {
        let [row, col] = self.place_ids::<S>(row.into(), col.into())?;
        self.record(Op::TEXTRACT, &[id(src), row, col], &[id(dst)])
    }

    /// Extracts two windows of one source: `TEXTRACT(dst0, dst1, src, row0, col0, row1, col1)`.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn textract_two<D, E, S>(
        &mut self,
        (dst0, dst1): (D, E),
        src: S,
        (row0, col0): (impl Into<Index>, impl Into<Index>),
        (row1, col1): (impl Into<Index>, impl Into<Index>),
    ) -> Result<Event, Error>
    where
        D: VecTile<DType = S::DType, Layout = layout::Nz>,
        E: VecTile<DType = S::DType, Layout = layout::Nz>,
        S: VecTile<Layout = layout::Nd>,
    {
        let first = self.place_ids::<S>(row0.into(), col0.into())?;
        let second = self.place_ids::<S>(row1.into(), col1.into())?;
        let ins = [&[id(src)], &first[..], &second[..]].concat();
        self.record(Op::TEXTRACT, &ins, &[id(dst0), id(dst1)])
    }

    /// Extracts from an accumulator with relu, a mode or quantization.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn textract_with<D: AnyTile, S>(
        &mut self,
        dst: D,
        src: S,
        (row, col): (impl Into<Index>, impl Into<Index>),
        fixpipe: Fixpipe,
    ) -> Result<Event, Error>
    where
        S: AnyTile<Location = loc::Acc>,
        P: Extracts<S::Location, D::Location>,
    {
        let at = self.place_ids::<S>(row.into(), col.into())?;
        self.at_offset(Op::TEXTRACT, Op::TEXTRACT_FP, (id(dst), id(src)), at, fixpipe)
    }

    /// A move at an offset out of an accumulator.
    fn at_offset(
        &mut self,
        plain: Op,
        by_column: Op,
        (dst, src): (Id, Id),
        [row, col]: [Id; 2],
        fixpipe: Fixpipe,
    ) -> Result<Event, Error> {
        let attributes = fixpipe.attributes();
        let (op, ins, keyword) = match self.quantization(fixpipe.quant)? {
            Some(("fp", fp)) => (by_column, vec![src, fp, row, col], None),
            // TEXTRACT has the parameter among its operands.
            Some((_, q)) if plain == Op::TEXTRACT => (plain, vec![src, row, col, q], None),
            keyword => (plain, vec![src, row, col], keyword),
        };
        self.recorder.issue(Call { op, ins: &ins, keyword, outs: &[dst], attributes })
    }

    /// The operand that determines the quantization, with its keyword.
    pub(super) fn quantization(&mut self, quant: Quant) -> Result<Option<(&'static str, Id)>, Error> {
        Ok(match quant {
            Quant::None => None,
            Quant::Scalar(bits) => {
                let ty = ScalarType::Number(Element::I64);
                Some(("pre_quant", self.recorder.integer(ty, i128::from(bits as i64))))
            }
            Quant::Argument(scalar) => {
                self.recorder.own(scalar.id)?;
                Some(("pre_quant", scalar.id))
            }
            Quant::Vector(tile) => Some(("fp", tile.0)),
        })
    }

    /// Names the bytes of a tile as a tile of another shape or element type: TRESHAPE.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these types.
    pub fn treshape<D, S>(&mut self, name: &str, src: S) -> Result<D, Error>
    where
        D: AnyTile<Location = S::Location>,
        S: AnyTile,
    {
        let ty = self.recorder.intern(Type::Tile(type_of::<D>(P::PROFILE, Pad::NULL)));
        let operands = [("src", id(src))];
        let (_, made) = self.recorder.operation(Op::TRESHAPE, &operands, &[(name, ty)], Vec::new())?;
        Ok(D::with(TileId(made[0])))
    }

    /// Copies the valid region and fills the rest of the declared area with the destination's padding value:
    /// `TFILLPAD(dst, src)`.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tfillpad<D: AnyTile, S: AnyTile>(&mut self, dst: D, src: S) -> Result<Event, Error> {
        self.record(Op::TFILLPAD, &[id(src)], &[id(dst)])
    }

    /// Fills the rest of the declared area of a tile: `TFILLPAD_INPLACE(dst, src)`, both being one tile's storage.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tfillpad_inplace<D: AnyTile, S: AnyTile>(&mut self, dst: D, src: S) -> Result<Event, Error> {
        self.record(Op::TFILLPAD_INPLACE, &[id(src)], &[id(dst)])
    }

    /// Copies a tile into a larger one and fills the rest with the destination's pad value: TFILLPAD_EXPAND(dst,
    /// src).
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tfillpad_expand<D: AnyTile, S: AnyTile>(&mut self, dst: D, src: S) -> Result<Event, Error> {
        self.record(Op::TFILLPAD_EXPAND, &[id(src)], &[id(dst)])
    }

    /// Parts the columns of one tile among two destinations.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tdeinterleave_one<S: VecTile>(
        &mut self,
        dst0: impl VecTile<DType = S::DType>,
        dst1: impl VecTile<DType = S::DType>,
        src: S,
    ) -> Result<Event, Error> {
        self.record(Op::TDEINTERLEAVE, &[id(src)], &[id(dst0), id(dst1)])
    }
}
