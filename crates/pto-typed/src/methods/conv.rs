//! Convolution tiles: unfolding a feature map, and its layouts.

use super::{Error, Event, Kernel, Target, id};
use crate::conv::{ConvTile, Convolution, map};
use crate::dtype::DType;
use crate::tile::{AnyTile, loc};
use crate::{Index, View};
use pto_isa::conv::{ConvTileType, MAX_CONV_RANK};
use pto_isa::registry::Op;
use pto_isa::rules;
use pto_lang::build::Call;
use pto_lang::ir::Type;

impl<P: Target> Kernel<P> {
    /// A convolution tile of these extents, outermost first, placed automatically.
    ///
    /// # Errors
    /// If there are not as many extents as the layout has, or the profile has no such tile.
    pub fn conv_tile<L, T, M>(&mut self, name: &str, extents: &[u32]) -> Result<ConvTile<L, T, M>, Error>
    where
        L: loc::Location,
        T: DType,
        M: map::Map,
    {
        let rank = M::LAYOUT.rank();
        if extents.len() != rank {
            let message = format!("{} has {rank} extents, not {}", M::LAYOUT.word(), extents.len());
            return Err(Error::own(&rules::kernel::CONV_TILE_EXTENTS, message));
        }
        let mut all = [1; MAX_CONV_RANK];
        all[..rank].copy_from_slice(extents);
        let (location, layout, element) = (L::LOCATION, M::LAYOUT, T::ELEMENT);
        let ty = Type::ConvTile(ConvTileType { location, layout, element, extents: all });
        let ty = self.recorder.intern(ty);
        let (_, made) = self.recorder.operation(Op::ALLOC_TILE, &[], &[(name, ty)], Vec::new())?;
        Ok(ConvTile::of(made[0]))
    }

    /// Binds the address of a convolution tile, in bytes, before its first use.
    ///
    /// # Errors
    /// If the tile is used already, or does not fit its buffer there.
    pub fn assign_conv<L, T, M>(&mut self, tile: ConvTile<L, T, M>, address: u64) -> Result<(), Error> {
        self.recorder.assign(tile.id, address)
    }

    /// Loads a view of the same dimensions.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tload_conv<L, T, M>(
        &mut self,
        dst: ConvTile<L, T, M>,
        src: impl Into<View<T>>,
    ) -> Result<Event, Error> {
        self.record(Op::TLOAD, &[src.into().id], &[dst.id])
    }

    /// Writes the register with feature map and padding.
    ///
    /// # Errors
    /// If a number does not fit its field.
    pub fn setfmatrix<L, T, M>(
        &mut self,
        src: ConvTile<L, T, M>,
        convolution: Convolution,
    ) -> Result<Event, Error> {
        self.set_up(Op::SETFMATRIX, src, convolution)
    }

    /// Writes the register of repeats.
    ///
    /// # Errors
    /// If a number does not fit its field.
    pub fn set_img2col_rpt<L, T, M>(
        &mut self,
        src: ConvTile<L, T, M>,
        convolution: Convolution,
    ) -> Result<Event, Error> {
        self.set_up(Op::SET_IMG2COL_RPT, src, convolution)
    }

    /// Writes the register of the value outside the feature map.
    ///
    /// # Errors
    /// If a number does not fit its field.
    pub fn set_img2col_padding<L, T, M>(
        &mut self,
        src: ConvTile<L, T, M>,
        convolution: Convolution,
    ) -> Result<Event, Error> {
        self.set_up(Op::SET_IMG2COL_PADDING, src, convolution)
    }

    fn set_up<L, T, M>(
        &mut self,
        op: Op,
        src: ConvTile<L, T, M>,
        convolution: Convolution,
    ) -> Result<Event, Error> {
        let attributes = convolution.attributes();
        self.recorder.issue(Call { ins: &[src.id], attributes, ..Call::of(op) })
    }

    /// Unfolds a feature map from row and column on: TIMG2COL(dst, src, posM, posK).
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn timg2col<D, T, M>(
        &mut self,
        dst: D,
        src: ConvTile<loc::Mat, T, M>,
        (row, col): (impl Into<Index>, impl Into<Index>),
        convolution: Convolution,
    ) -> Result<Event, Error>
    where
        T: DType,
        M: map::Map,
        D: AnyTile<Location = loc::Left, DType = T>,
    {
        let (row, col) = (self.index_id(row.into())?, self.index_id(col.into())?);
        self.recorder.issue(Call {
            op: Op::TIMG2COL,
            ins: &[src.id, row, col],
            outs: &[id(dst)],
            attributes: convolution.attributes(),
            keyword: None,
        })
    }

    /// Converts a convolution tile to another layout.
    ///
    /// # Errors
    /// If the profile has no conversion between the two layouts.
    pub fn ttrans_conv<L, T, M, N>(
        &mut self,
        dst: ConvTile<L, T, N>,
        src: ConvTile<L, T, M>,
    ) -> Result<Event, Error>
    where
        T: DType,
    {
        self.record(Op::TTRANS, &[src.id], &[dst.id])
    }
}
