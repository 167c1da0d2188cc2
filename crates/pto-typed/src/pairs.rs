//! Counts of 4-bit numbers as `.pto` text counts them: in pairs, where the numbers follow each other.

use super::dtype::DType;
use super::kernel::Kernel;
use super::target::Target;
use super::tile::{AnyTile, per_element};
use super::value::{Index, Number};
use crate::Error;
use pto_isa::registry::Op;
use pto_isa::rules;
use pto_lang::build::Id;

impl<P: Target> Kernel<P> {
    /// Extents or offsets of a tensor, where the numbers of the last one follow each other, as `.pto` text counts them.
    pub(super) fn packed<T: DType>(&mut self, list: &[Index]) -> Result<Vec<Index>, Error> {
        let mut list = list.to_vec();
        if let Some(last) = list.last_mut() {
            *last = self.in_elements(*last, T::PER_VALUE)?;
        }
        Ok(list)
    }

    /// A count of numbers as one of elements, of which each has `per` numbers.
    pub(super) fn in_elements(&mut self, count: Index, per: usize) -> Result<Index, Error> {
        if per == 1 {
            return Ok(count);
        }
        if let Number::Known(known) = count.0
            && known % per as i64 != 0
        {
            let message = format!("{known} is not a multiple of {per}: 4-bit numbers are counted in pairs");
            return Err(Error::own(&rules::kernel::PAIRS, message));
        }
        self.arithmetic(Op::ARITH_DIVSI, i64::checked_div, count, Index::from(per))
    }

    /// A row and a column of a tile as operands.
    pub(super) fn place_ids<T: AnyTile>(&mut self, row: Index, col: Index) -> Result<[Id; 2], Error> {
        let [down, along] = per_element::<T>();
        let (row, col) = (self.in_elements(row, down)?, self.in_elements(col, along)?);
        Ok([self.index_id(row)?, self.index_id(col)?])
    }
}
