//! Construction of programs from Rust, operation by operation.
//!
//! [`Builder`] appends operations of the registry to a function, with operands, results and attributes, and checks
//! the rules of each. `pto::intrinsics` is a typed API on top of it, in which the compiler checks the types of
//! tiles.
//!
//! ```
//! use pto::build::Builder;
//! use pto::ir::Type;
//! use pto::isa::{Op, Profile};
//!
//! let tile = Type::Tile(pto::text::parse_tile_type("!pto.tile_buf<vec, 16x16xf32>").expect("a tile type").0);
//! let mut builder = Builder::new("double", Profile::default());
//! let tile = builder.intern(tile);
//! let (_, made) = builder.operation(Op::ALLOC_TILE, &[], &[("x", tile)], Vec::new())?;
//! builder.instruction(Op::TADD, &[made[0], made[0]], &[made[0]], Vec::new())?;
//! let text = pto::text::print(&builder.finish(), &pto::text::Style::default());
//! assert!(text.contains("pto.tadd ins(%x, %x"));
//! # Ok::<(), pto::build::Error>(())
//! ```

mod append;
mod builder;
mod error;

pub use builder::Builder;
pub use error::Error;

use crate::ir::{Attribute, BlockId, EnumSpelling, NamedAttribute, ValueId};
use pto_isa::registry::Op;

/// A value of a function under construction. It belongs to the builder that created it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id {
    /// The number of the builder.
    pub builder: u32,
    /// The value in its function.
    pub value: ValueId,
}

/// An operation with a region that is open: see [`Builder::begin`].
#[derive(Clone, Debug)]
pub struct Begun {
    op: Op,
    block: BlockId,
    operands: Vec<(&'static str, Id)>,
}

/// A use of an instruction with `ins(...) outs(...)`.
pub struct Call<'a> {
    /// The instruction.
    pub op: Op,
    /// The operands in `ins(...)`.
    pub ins: &'a [Id],
    /// An operand after a keyword of `ins`.
    pub keyword: Option<(&'static str, Id)>,
    /// The operands in `outs(...)`.
    pub outs: &'a [Id],
    /// The attributes.
    pub attributes: Vec<NamedAttribute>,
}

impl Call<'_> {
    /// A use without operands and attributes.
    pub fn of(op: Op) -> Self {
        Call { op, ins: &[], keyword: None, outs: &[], attributes: Vec::new() }
    }
}

/// An enumeration attribute, `#pto.name<value>`.
pub fn word(key: &str, name: &str, value: &str, spelling: EnumSpelling) -> NamedAttribute {
    let value = Attribute::Enum { name: name.into(), value: value.into(), spelling };
    NamedAttribute::new(key, value)
}
