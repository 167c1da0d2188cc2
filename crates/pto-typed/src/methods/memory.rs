//! Between global memory and tiles.

use super::{Error, Event, Kernel, Target, id};
use crate::View;
use crate::dtype::DType;
use crate::fixpipe::{Fixpipe, Quant};
use crate::tile::{AnyTile, loc};
use pto_isa::registry::Op;
use pto_lang::build::Call;

impl<P: Target> Kernel<P> {
    /// Loads a view into a tile of the same element type.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tload<D: AnyTile>(&mut self, dst: D, src: impl Into<View<D::DType>>) -> Result<Event, Error> {
        self.record(Op::TLOAD, &[src.into().id], &[id(dst)])
    }

    /// Loads the common extent of a view and a tile of the same element type ahead of its use. This is a hint: on a
    /// device the contents of the tile are unspecified afterwards.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tprefetch<D: AnyTile>(&mut self, dst: D, src: impl Into<View<D::DType>>) -> Result<Event, Error> {
        self.record(Op::TPREFETCH, &[src.into().id], &[id(dst)])
    }

    /// Stores a tile into a view of the same element type.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tstore<S: AnyTile>(&mut self, dst: impl Into<View<S::DType>>, src: S) -> Result<Event, Error> {
        self.record(Op::TSTORE, &[id(src)], &[dst.into().id])
    }

    /// Stores an accumulator into a view of another element type: cast, quantized or with relu.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tstore_with<T: DType, S>(
        &mut self,
        dst: impl Into<View<T>>,
        src: S,
        fixpipe: Fixpipe,
    ) -> Result<Event, Error>
    where
        S: AnyTile<Location = loc::Acc>,
    {
        let keyword = self.quantization(fixpipe.quant)?;
        let op = match fixpipe.quant {
            Quant::Vector(_) => Op::TSTORE_FP,
            _ => Op::TSTORE,
        };
        self.recorder.issue(Call {
            op,
            ins: &[id(src)],
            keyword,
            outs: &[dst.into().id],
            attributes: fixpipe.attributes(),
        })
    }
}
