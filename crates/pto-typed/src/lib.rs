//! The instructions as a Rust API: typed tiles and a method for each instruction, based on the checker and the
//! machine of text programs.
//!
//! A [`Kernel`] is a program under construction for one profile. Its methods are the manual's intrinsics:
//! `TCONCAT(dst, src0, src1)` is `kernel.tconcat(dst, src0, src1)?`. Each checks the instruction's rules and appends
//! it; a violation is an [`Error`] that has the rule's name and leaves the kernel unchanged. A finished kernel prints
//! itself as `.pto` text ([`Kernel::to_text`]) and runs on arrays ([`Kernel::build`]).
//!
//! # Tiles
//!
//! [`Tile`]`<location, element type, rows, columns, layout, valid region>` is a handle whose type has all facts known
//! when the program is compiled. Locations are in [`loc`], layouts in [`layout`] under the manual's names. A valid
//! region is [`Full`], [`Part`]`<rows, columns>`, or [`Dynamic`]: given when the tile is made ([`Make::valid`]) or
//! later ([`Kernel::set_validshape`]). A tile is placed automatically, or where [`Kernel::assign`] puts it.
//!
//! The pages' examples read like this. Concatenation, placed automatically:
//!
//! ```
//! use pto::intrinsics::{A5, Dynamic, Kernel, Make, Tile, layout::Nd, loc};
//!
//! type TileT = Tile<loc::Vec, f32, 16, 32, Nd, Dynamic>;
//!
//! let mut k = Kernel::<A5>::new("example_auto");
//! let src0: TileT = k.make("src0", Make::default().valid(16, 16))?;
//! let src1: TileT = k.make("src1", Make::default().valid(16, 16))?;
//! let dst: TileT = k.make("dst", Make::default().valid(16, 32))?;
//! k.tconcat(dst, src0, src1)?;
//! k.build()?;
//! # Ok::<(), pto::intrinsics::Error>(())
//! ```
//!
//! Tiles with addresses, and with valid regions that are set later:
//!
//! ```
//! use pto::intrinsics::{A5, Dynamic, Kernel, Tile, f16, layout::Nd, loc};
//!
//! type TileT = Tile<loc::Vec, f16, 16, 64, Nd, Dynamic>;
//!
//! let mut k = Kernel::<A5>::new("example_manual");
//! let src0: TileT = k.tile("src0")?;
//! let src1: TileT = k.tile("src1")?;
//! let dst: TileT = k.tile("dst")?;
//! k.assign(src0, 0x1000)?;
//! k.assign(src1, 0x2000)?;
//! k.assign(dst, 0x3000)?;
//! k.set_validshape(src0, 16, 32)?;
//! k.set_validshape(src1, 16, 32)?;
//! k.tconcat(dst, src0, src1)?;
//! k.build()?;
//! # Ok::<(), pto::intrinsics::Error>(())
//! ```
//!
//! With index tiles, which are row-major and 32 bytes wide:
//!
//! ```
//! use pto::intrinsics::{A5, Dynamic, Kernel, Make, Part, Tile, layout::Nd, loc};
//!
//! type TileT = Tile<loc::Vec, f32, 16, 64, Nd, Dynamic>;
//! type IdxTileT = Tile<loc::Vec, i32, 16, 8, Nd, Part<16, 1>>;
//!
//! let mut k = Kernel::<A5>::new("example_indexed");
//! let src0: TileT = k.make("src0", Make::default().valid(16, 32))?;
//! let src1: TileT = k.make("src1", Make::default().valid(16, 32))?;
//! let dst: TileT = k.make("dst", Make::default().valid(16, 64))?;
//! let (idx0, idx1): (IdxTileT, IdxTileT) = (k.tile("idx0")?, k.tile("idx1")?);
//! k.tconcat_indexed(dst, src0, src1, idx0, idx1)?;
//! k.build()?;
//! # Ok::<(), pto::intrinsics::Error>(())
//! ```
//!
//! Insertion of boxes from the unified buffer into L1, placed automatically and by hand:
//!
//! ```
//! use pto::intrinsics::{A5, Dynamic, Kernel, Tile, f16, layout::Nz, loc};
//!
//! type SrcT = Tile<loc::Vec, f16, 16, 32, Nz>;
//! type DstT = Tile<loc::Mat, f16, 16, 32, Nz, Dynamic>;
//!
//! for manual in [false, true] {
//!     let mut k = Kernel::<A5>::new("example");
//!     let src: SrcT = k.tile("src")?;
//!     let dst: DstT = k.tile("dst")?;
//!     if manual {
//!         k.assign(src, 0x0)?;
//!         k.assign(dst, 0x0)?;
//!     }
//!     k.tinsert(dst, src, 0, 0)?;
//!     k.build()?;
//! }
//! # Ok::<(), pto::intrinsics::Error>(())
//! ```
//!
//! Moves, within the unified buffer and from L1 to the left operand:
//!
//! ```
//! use pto::intrinsics::{A5, Kernel, Tile, TileLeft, layout::Zn, loc};
//!
//! type TileT = Tile<loc::Vec, f32, 16, 16>;
//! type MatT = Tile<loc::Mat, f32, 16, 16, Zn>;
//!
//! let mut k = Kernel::<A5>::new("example");
//! let (src, dst): (TileT, TileT) = (k.tile("src")?, k.tile("dst")?);
//! k.tmov(dst, src)?;
//! let mat: MatT = k.tile("mat")?;
//! let left: TileLeft<f32, 16, 16> = k.tile("left")?;
//! k.assign(mat, 0x1000)?;
//! k.assign(left, 0x2000)?;
//! k.tmov(left, mat)?;
//! k.build()?;
//! # Ok::<(), pto::intrinsics::Error>(())
//! ```
//!
//! # Arrays
//!
//! Tensors in global memory are arguments; TLOAD and TSTORE go between them and tiles. A row-wise broadcast add, run:
//!
//! ```
//! use pto::intrinsics::{A5, Kernel, Tile, layout::Dn, loc};
//!
//! type SrcT = Tile<loc::Vec, f32, 16, 16>;
//! type RowVecT = Tile<loc::Vec, f32, 16, 1, Dn>;
//!
//! let mut k = Kernel::<A5>::new("add_to_rows");
//! let x = k.tensor::<f32>("x", &[16.into(), 16.into()])?;
//! let s = k.tensor::<f32>("s", &[16.into(), 1.into()])?;
//! let y = k.tensor::<f32>("y", &[16.into(), 16.into()])?;
//! let (src0, dst): (SrcT, SrcT) = (k.tile("src0")?, k.tile("dst")?);
//! let src1: RowVecT = k.tile("src1")?;
//! k.assign(src0, 0x1000)?;
//! k.assign(dst, 0x2000)?;
//! k.assign(src1, 0x3000)?;
//! let loaded = [k.tload(src0, &x)?, k.tload(src1, &s)?];
//! let added = k.after(loaded)?.trowexpandadd(dst, src0, src1)?;
//! k.after([added])?.tstore(&y, dst)?;
//!
//! let xs: Vec<f32> = (0..256).map(|i| i as f32).collect();
//! let ss: Vec<f32> = (0..16).map(|i| 1000.0 * i as f32).collect();
//! let results = k.build()?.run().input(&x, &xs)?.input(&s, &ss)?.zeros(&y)?.launch()?;
//! assert_eq!(results.get(&y)?[17], 1017.0);
//! # Ok::<(), pto::intrinsics::Error>(())
//! ```
//!
//! # Events
//!
//! An instruction returns its [`Event`]; [`Kernel::after`] makes the next instruction wait for some. In the kernel's
//! text they are `set_flag`, `wait_flag` and `barrier`; no two flags in flight share an identifier.
//!
//! # What does not compile
//!
//! Tiles that no profile has, such as one whose rows are no multiple of 32 bytes:
//!
//! ```compile_fail
//! # use pto::intrinsics::{A5, Kernel, Tile, loc};
//! let mut k = Kernel::<A5>::new("k");
//! let idx: Tile<loc::Vec, i32, 16, 1> = k.tile("idx").unwrap();
//! ```
//!
//! Valid regions that are larger than their tile:
//!
//! ```compile_fail
//! # use pto::intrinsics::{A5, Kernel, Part, Tile, layout::Nd, loc};
//! let mut k = Kernel::<A5>::new("k");
//! let tile: Tile<loc::Vec, f32, 16, 16, Nd, Part<17, 16>> = k.tile("tile").unwrap();
//! ```
//!
//! Element types that must agree and do not:
//!
//! ```compile_fail
//! # use pto::intrinsics::{A5, Kernel, Tile, f16, loc};
//! # let mut k = Kernel::<A5>::new("k");
//! # let a: Tile<loc::Vec, f32, 16, 16> = k.tile("a").unwrap();
//! # let b: Tile<loc::Vec, f16, 16, 16> = k.tile("b").unwrap();
//! k.tadd(a, a, b);
//! ```
//!
//! Element types and layouts that an instruction takes on no device:
//!
//! ```compile_fail
//! # use pto::intrinsics::{A5, Kernel, Tile, loc};
//! # let mut k = Kernel::<A5>::new("k");
//! # let a: Tile<loc::Vec, f32, 16, 16> = k.tile("a").unwrap();
//! k.tand(a, a, a);
//! ```
//!
//! ```compile_fail
//! # use pto::intrinsics::{A5, Kernel, Tile, layout::Dn, loc};
//! # let mut k = Kernel::<A5>::new("k");
//! # let a: Tile<loc::Vec, f32, 16, 16, Dn> = k.tile("a").unwrap();
//! # let dst: Tile<loc::Vec, f32, 16, 32, Dn> = k.tile("dst").unwrap();
//! k.tconcat(dst, a, a);
//! ```
//!
//! Moves that the profile does not have, such as one from an accumulator to the unified buffer on A2/A3:
//!
//! ```compile_fail
//! # use pto::intrinsics::{A2A3, Kernel, Tile, TileAcc, loc};
//! # let mut k = Kernel::<A2A3>::new("k");
//! # let acc: TileAcc<f32, 16, 16> = k.tile("acc").unwrap();
//! # let vec: Tile<loc::Vec, f32, 16, 16> = k.tile("vec").unwrap();
//! k.tmov(vec, acc);
//! ```
//!
//! Operands of a product in the wrong place:
//!
//! ```compile_fail
//! # use pto::intrinsics::{A5, Kernel, TileAcc, TileLeft, TileRight};
//! # let mut k = Kernel::<A5>::new("k");
//! # let acc: TileAcc<f32, 16, 16> = k.tile("acc").unwrap();
//! # let left: TileLeft<f32, 16, 16> = k.tile("left").unwrap();
//! # let right: TileRight<f32, 16, 16> = k.tile("right").unwrap();
//! k.tmatmul(acc, right, left);
//! ```
//!
//! Everything else that is illegal is an error with the name of its rule:
//!
//! ```
//! # use pto::intrinsics::{A5, Kernel, Tile, loc};
//! # let mut k = Kernel::<A5>::new("k");
//! # let a: Tile<loc::Vec, f32, 16, 16> = k.tile("a")?;
//! # let dst: Tile<loc::Vec, f32, 16, 40> = k.tile("dst")?;
//! let error = k.tconcat(dst, a, a).unwrap_err();
//! assert_eq!(error.rule(), "tconcat::valid-cols");
//! # Ok::<(), pto::intrinsics::Error>(())
//! ```

mod conv;
mod dtype;
mod event;
mod finish;
mod fixpipe;
mod kernel;
mod launch;
mod make;
mod methods;
mod pairs;
mod recorder;
mod target;
mod tile;
mod value;

pub use conv::{ConvTile, Convolution, FmatrixMode, map};
pub use dtype::{Common, DType, E1M2x2, E2M1x2, E4M3, E5M2, E8M0, HiF8, I4x2, Integer, bf16, f16};
pub use event::Event;
pub use fixpipe::{AccToVecMode, Fixpipe, Quant, ReluPreMode, Split};
pub use kernel::{Kernel, Section};
pub use launch::{Built, Results, Run};
pub use make::Make;
pub use methods::{AsyncEvent, AsyncSession, Notify, PrefetchContext, ReduceOp};
pub use methods::{Atomic, Axis, Beyond, Coalesce, Conflict, MaskPattern, Triangle};
pub use methods::{Comparison, RoundMode, Saturation, VecTile};
pub use methods::{GroupAxis, LeftScale, MxFormat, RightScale, ScaleAlgorithm};
pub use pto_lang::build::Error;
pub use target::{A2A3, A5, Cpu, Extracts, Inserts, Moves, Target};
pub use tile::{
    AnyTile, DYNAMIC, Dynamic, Full, Part, Tile, TileAcc, TileLeft, TileLeftScale, TileRight, TileRightScale,
    Valid, layout, loc,
};
/// The tables from which the traits are made, which tests compare with the rules.
#[doc(hidden)]
pub mod tables {
    pub use crate::dtype::{COMMON, INTEGER};
    pub use crate::target::{EXTRACTS, INSERTS, MOVES};
}

pub use value::{Index, Scalar, ScalarOr, Tensor, View};
