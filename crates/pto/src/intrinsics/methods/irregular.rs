//! Gather and scatter, sequences, triangles, tiles of different valid regions.

use super::{Error, Event, Kernel, Target, VecTile, id, vec_methods};
use crate::build::Id;
use crate::build::{Call, word};
use crate::intrinsics::dtype::{DType, Integer};
use crate::intrinsics::tile::{AnyTile, loc};
use crate::intrinsics::{ScalarOr, View};
use crate::ir::{Attribute, EnumSpelling, NamedAttribute};
use crate::isa::registry::Op;

/// Declares an enumeration whose values are words of the text.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $value:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of])* $value,)*
        }

        impl $name {
            fn word(self) -> &'static str {
                match self {
                    $($name::$value => $word,)*
                }
            }
        }
    };
}

words!(
    /// Which elements a mask pattern selects of each two or four.
    MaskPattern {
        /// The first of two.
        P0101 = "P0101",
        /// The second of two.
        P1010 = "P1010",
        /// The first of four.
        P0001 = "P0001",
        /// The second of four.
        P0010 = "P0010",
        /// The third of four.
        P0100 = "P0100",
        /// The fourth of four.
        P1000 = "P1000",
        /// All.
        P1111 = "P1111",
    }
);
words!(
    /// Along which direction a mask pattern selects.
    Axis {
        /// Columns of each row.
        Row = "row",
        /// Whole rows.
        Col = "col",
    }
);
words!(
    /// Which elements TGATHER finds.
    Order {
        /// Those that equal the threshold.
        Equal = "eq",
        /// Those that are greater.
        Greater = "gt",
    }
);
words!(
    /// What an index of MGATHER and MSCATTER names.
    Coalesce {
        /// A row of the table.
        Row = "row",
        /// An element of the table.
        Elem = "elem",
    }
);
words!(
    /// What an index beyond the table means.
    Beyond {
        /// The program is wrong.
        Undefined = "undefined",
        /// The last row or element.
        Clamp = "clamp",
        /// It counts on from the start.
        Wrap = "wrap",
        /// Nothing: a gather reads zero.
        Zero = "zero",
        /// Nothing: a scatter leaves it out.
        Skip = "skip",
    }
);
words!(
    /// What MSCATTER computes with what is there.
    Atomic {
        /// Nothing: it is overwritten.
        None = "none",
        /// The sum.
        Add = "add",
        /// The larger.
        Max = "max",
        /// The smaller.
        Min = "min",
    }
);
words!(
    /// Which of several writers to one place wins on A5.
    Conflict {
        /// The last.
        Last = "last",
        /// Any.
        Default = "default",
    }
);

/// Which side of the diagonal TTRI fills with ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triangle {
    /// On it and below.
    Lower,
    /// On it and above.
    Upper,
}

vec_methods!(
    /// `dst = src0 + src1` where both are valid, else the one that is.
    tpartadd = TPARTADD (src0, src1);
    /// `dst = src0 * src1` where both are valid, else the one that is.
    tpartmul = TPARTMUL (src0, src1);
    /// `dst = max(src0, src1)` where both are valid, else the one that is.
    tpartmax = TPARTMAX (src0, src1);
    /// `dst = min(src0, src1)` where both are valid, else the one that is.
    tpartmin = TPARTMIN (src0, src1);
    /// Gathers blocks of 32 bytes by their byte offsets.
    tgatherb = TGATHERB (src, offsets: any);
    /// `dst[i, j]` is element `idx[i, j]` of `src`, counted row by row; `tmp` is a workspace.
    tgather = TGATHER (src, idx: any, tmp: any);
    /// Element `[i, j]` of `dst` is element `idx[i, j]` of `src`, without the workspace that A5 does not need.
    tgather_a5 = TGATHER (src, idx: any);
    /// Element `idx[i, j]` of `dst`, counted in memory, is `src[i, j]`; all else is zero.
    tscatter = TSCATTER (src, idx: any);
);

/// Methods of the extremes with indices.
macro_rules! part_arg_methods {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => {
        impl<P: Target> Kernel<P> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// If a rule of the instruction forbids these tiles.
                pub fn $name<D: VecTile, I: VecTile>(
                    &mut self,
                    (dst, idx): (D, I),
                    (src0, idx0): (impl VecTile<DType = D::DType>, impl VecTile<DType = I::DType>),
                    (src1, idx1): (impl VecTile<DType = D::DType>, impl VecTile<DType = I::DType>),
                ) -> Result<Event, Error>
                where
                    I::DType: Integer,
                {
                    let ins = [id(src0), id(src1), id(idx0), id(idx1)];
                    self.record(Op::$op, &ins, &[id(dst), id(idx)])
                }
            )*
        }
    };
}

part_arg_methods!(
    /// The larger of two values with its index, each pair being (values, indices).
    tpartargmax = TPARTARGMAX;
    /// The smaller of two values with its index, each pair being (values, indices).
    tpartargmin = TPARTARGMIN;
);

/// An attribute that is a word of an enumeration.
fn mode(key: &str, name: &str, value: &str) -> NamedAttribute {
    word(key, name, value, EnumSpelling::Spaced)
}

fn plain(key: &str, value: Attribute) -> NamedAttribute {
    NamedAttribute::new(key, value)
}

/// A pattern, and the axis that goes with it.
fn selection(pattern: MaskPattern, axis: Axis) -> Vec<NamedAttribute> {
    let pattern = word("maskPattern", "mask_pattern", pattern.word(), EnumSpelling::Dotted);
    vec![pattern, plain("axis", Attribute::String(axis.word().into()))]
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

    /// Gathers what a pattern selects.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tgather_mask(
        &mut self,
        dst: impl VecTile,
        src: impl VecTile,
        pattern: MaskPattern,
        axis: Axis,
    ) -> Result<Event, Error> {
        self.issue_with(Op::TGATHER, &[id(src)], &[id(dst)], selection(pattern, axis))
    }

    /// Row i of `dst` becomes the ascending indices, plus `offset`, of the elements in row i of `src` that compare with
    /// `k`, and `count` their number.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tgather_compare<D, S>(
        &mut self,
        (dst, count): (D, impl VecTile),
        src: S,
        k: impl Into<ScalarOr<S::DType>>,
        tmp: impl VecTile,
        order: Order,
        offset: i32,
    ) -> Result<Event, Error>
    where
        D: VecTile,
        D::DType: Integer,
        S: VecTile,
    {
        let k = self.scalar_id(k.into())?;
        let offset = plain("offset", Attribute::Integer(i128::from(offset), None));
        let attributes = vec![mode("cmpMode", "cmp", order.word()), offset];
        self.issue_with(Op::TGATHER, &[id(src), k, id(tmp)], &[id(dst), id(count)], attributes)
    }

    /// Puts elements apart from each other as a pattern says, with zeros between.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these tiles.
    pub fn tscatter_mask<D: VecTile>(
        &mut self,
        dst: D,
        src: impl VecTile<DType = D::DType>,
        pattern: MaskPattern,
        axis: Axis,
    ) -> Result<Event, Error> {
        self.issue_with(Op::TSCATTER, &[id(src)], &[id(dst)], selection(pattern, axis))
    }

    /// Fills the first row with consecutive numbers from `start` on, downwards if `descending`; floats are for `a2a3` and `cpu`.
    ///
    /// # Errors
    /// If a rule of the instruction forbids this tile.
    pub fn tci<D: VecTile>(
        &mut self,
        dst: D,
        start: impl Into<ScalarOr<D::DType>>,
        descending: bool,
    ) -> Result<Event, Error> {
        let start = self.scalar_id(start.into())?;
        let attributes = vec![plain("descending", Attribute::Bool(descending))];
        self.issue_with(Op::TCI, &[start], &[id(dst)], attributes)
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
        self.issue_with(Op::TTRI, &[diagonal], &[id(dst)], vec![plain("upperOrLower", side)])
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

    /// Scatters rows or elements to the places of a table that the indices in a tile name. `conflict` is for A5.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn mscatter<S: VecTile>(
        &mut self,
        table: impl Into<View<S::DType>>,
        src: S,
        idx: impl VecTile,
        (coalesce, beyond): (Coalesce, Beyond),
        atomic: Atomic,
        conflict: Option<Conflict>,
    ) -> Result<Event, Error> {
        let mut attributes = vec![
            mode("coalesce", "coalesce", coalesce.word()),
            mode("scatterAtomicOp", "scatter_atomic_op", atomic.word()),
            mode("scatterOob", "scatter_oob", beyond.word()),
        ];
        attributes
            .extend(conflict.map(|conflict| mode("scatterConflict", "scatter_conflict", conflict.word())));
        self.issue_with(Op::MSCATTER, &[id(src), id(idx)], &[table.into().id], attributes)
    }
}

fn gather_modes(coalesce: Coalesce, beyond: Beyond) -> Vec<NamedAttribute> {
    let coalesce = mode("coalesce", "coalesce", coalesce.word());
    vec![coalesce, mode("gatherOob", "gather_oob", beyond.word())]
}
