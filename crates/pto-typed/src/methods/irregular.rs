//! Gathers from memory, and triangles.

use super::words::{Beyond, Coalesce};
use super::{Error, Event, Kernel, Target, VecTile, id};
use crate::dtype::DType;
use crate::tile::{AnyTile, loc};
use crate::{ScalarOr, View};
use pto_isa::registry::Op;
use pto_lang::build::{Call, Id, word};
use pto_lang::ir::{Attribute, EnumSpelling, NamedAttribute};

/// Which side of the diagonal TTRI fills with ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triangle {
    /// On it and below.
    Lower,
    /// On it and above.
    Upper,
}

impl<P: Target> Kernel<P> {
    fn issue_with(
        &mut self,
        op: Op,
        ins: &[Id],
        outs: &[Id],
        attributes: Vec<NamedAttribute>,
    ) -> Result<Event, Error> {
        self.recorder.issue(Call { ins, outs, attributes, ..Call::of(op) })
    }

    /// Ones on one side of the diagonal, which starts in column `diagonal`, and zeros on the other.
    ///
    /// # Errors
    /// If a rule of the instruction forbids this tile.
    pub fn ttri(
        &mut self,
        dst: impl VecTile,
        diagonal: impl Into<ScalarOr<i32>>,
        triangle: Triangle,
    ) -> Result<Event, Error> {
        let diagonal = self.scalar_id(diagonal.into())?;
        let side = Attribute::Integer(i128::from(triangle == Triangle::Upper), None);
        self.issue_with(Op::TTRI, &[diagonal], &[id(dst)], vec![NamedAttribute::new("upperOrLower", side)])
    }

    /// Gathers rows or elements of a table by the indices in a tile.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn mgather<D: VecTile>(
        &mut self,
        dst: D,
        table: impl Into<View<D::DType>>,
        idx: impl VecTile,
        coalesce: Coalesce,
        beyond: Beyond,
    ) -> Result<Event, Error> {
        let ins = [table.into().id, id(idx)];
        self.issue_with(Op::MGATHER, &ins, &[id(dst)], gather_modes(coalesce, beyond))
    }

    /// Gathers rows of a table into L1 by the indices in a view.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn mgather_rows_to_l1<D, I: DType>(
        &mut self,
        dst: D,
        table: impl Into<View<D::DType>>,
        idx: impl Into<View<I>>,
        beyond: Beyond,
    ) -> Result<Event, Error>
    where
        D: AnyTile<Location = loc::Mat>,
    {
        let ins = [table.into().id, idx.into().id];
        self.issue_with(Op::MGATHER, &ins, &[id(dst)], gather_modes(Coalesce::Row, beyond))
    }

    /// Gathers elements of a table into L1 by the indices in a view, by way of a scratch view as large as the tile.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn mgather_elements_to_l1<D, I: DType>(
        &mut self,
        dst: D,
        table: impl Into<View<D::DType>>,
        idx: impl Into<View<I>>,
        scratch: impl Into<View<D::DType>>,
        beyond: Beyond,
    ) -> Result<Event, Error>
    where
        D: AnyTile<Location = loc::Mat>,
    {
        let ins = [table.into().id, idx.into().id, scratch.into().id];
        self.issue_with(Op::MGATHER, &ins, &[id(dst)], gather_modes(Coalesce::Elem, beyond))
    }
}

fn gather_modes(coalesce: Coalesce, beyond: Beyond) -> Vec<NamedAttribute> {
    let mode = |key, name, value| word(key, name, value, EnumSpelling::Spaced);
    vec![mode("coalesce", "coalesce", coalesce.word()), mode("gatherOob", "gather_oob", beyond.word())]
}
