//! Types of values. Each distinct type of a module is stored once, in its [`TypeTable`].

use crate::arena::{Arena, Handle};
use crate::conv::ConvTileType;
use crate::element::{Element, element_word};
use crate::registry::Op;
use crate::tile::TileType;
use std::collections::{HashMap, HashSet};

/// Maximum number of dimensions of a view.
pub const MAX_RANK: usize = 5;

/// The type of a scalar value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `index`, 64 bits.
    Index,
    /// `i1`.
    Bool,
    /// A number format.
    Number(Element),
}

impl Scalar {
    /// The word in program text.
    pub fn word(self) -> &'static str {
        match self {
            Scalar::Index => "index",
            Scalar::Bool => "i1",
            Scalar::Number(element) => element_word(element),
        }
    }

    /// Whether values are integers of some width.
    pub fn is_integer(self) -> bool {
        match self {
            Scalar::Index | Scalar::Bool => true,
            Scalar::Number(element) => element.is_integer(),
        }
    }

    /// The operation of `arith` that converts a value to another type; integers keep their sign. `None` if there is none,
    /// or more than one is needed.
    pub fn conversion(self, to: Scalar) -> Option<&'static str> {
        let wider = to.bits() > self.bits();
        let op = match (self.is_integer(), to.is_integer()) {
            _ if self == to => return None,
            (true, true) if self == Scalar::Index || to == Scalar::Index => Op::ARITH_INDEX_CAST,
            (true, true) if to.bits() == self.bits() => return None,
            (true, true) if self == Scalar::Bool => Op::ARITH_EXTUI,
            (true, true) => [Op::ARITH_TRUNCI, Op::ARITH_EXTSI][usize::from(wider)],
            // An index has no width: it becomes an integer first.
            (true, false) | (false, true) if self == Scalar::Index || to == Scalar::Index => return None,
            (true, false) => Op::ARITH_SITOFP,
            (false, true) => Op::ARITH_FPTOSI,
            (false, false) if to.bits() == self.bits() => return None,
            (false, false) => [Op::ARITH_TRUNCF, Op::ARITH_EXTF][usize::from(wider)],
        };
        Some(op.name())
    }

    /// The help for a value of this type where another is meant; empty if no single operation converts it.
    pub fn converted(self, name: &str, to: Scalar) -> Option<String> {
        let (op, from, to) = (self.conversion(to)?, self.word(), to.word());
        Some(format!("convert it before: `%{name}_{to} = {op} %{name} : {from} to {to}`"))
    }

    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Index => 64,
            Scalar::Bool => 1,
            Scalar::Number(element) => element.bits(),
        }
    }

    /// The number format of such values in memory; `i1` takes a byte.
    pub fn element(self) -> Element {
        match self {
            Scalar::Index => Element::I64,
            Scalar::Bool => Element::U8,
            Scalar::Number(element) => element,
        }
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A scalar.
    Scalar(Scalar),
    /// `!pto.ptr<element, space>`: a pointer into global memory, or into the named on-chip buffer.
    Pointer {
        /// The type of the elements that it points to.
        element: Scalar,
        /// Address space as written: `gm`, `vec`, ...; `None` is global memory.
        space: Option<String>,
    },
    /// `!pto.tensor_view<...>`: a view of global memory; `None` extents are given at run time.
    TensorView {
        /// Extents, outermost first.
        shape: Vec<Option<u64>>,
        /// Format of the elements.
        element: Element,
    },
    /// `!pto.partition_tensor_view<...>`: a window of a tensor view.
    PartitionView {
        /// Extents, outermost first.
        shape: Vec<Option<u64>>,
        /// Format of the elements.
        element: Element,
    },
    /// `!pto.tile_buf<...>`.
    Tile(TileType),
    /// `!pto.conv_tile<...>`: a feature map or a filter of a convolution.
    ConvTile(ConvTileType),
    /// `!pto.multi_tile_buf<..., count=N>`: several tiles of one type.
    MultiTile {
        /// Type of each tile.
        tile: TileType,
        /// Number of tiles.
        count: u32,
    },
    /// `memref<...>`.
    MemRef {
        /// Extents, outermost first.
        shape: Vec<Option<u64>>,
        /// Format of the elements.
        element: Element,
        /// Strides and offset as written, without blanks, such as `strided<[64,1],offset:?>`.
        strides: Option<String>,
        /// Address space as written; `None` is global memory.
        space: Option<String>,
    },
    /// `!pto.local_array<2x4xf32>`: an array of scalars of the scalar unit.
    LocalArray {
        /// Extents, outermost first.
        shape: Vec<u64>,
        /// Type of the elements.
        element: Scalar,
    },
    /// `!pto.struct<...>`.
    Struct(Vec<TypeId>),
    /// `(inputs) -> results`.
    Function {
        /// Types of arguments.
        inputs: Vec<TypeId>,
        /// Types of results.
        results: Vec<TypeId>,
    },
    /// A type without computation, such as `!pto.pipe` or `vector<4xi16>`, as written.
    Opaque(String),
}

impl Type {
    /// The format of its elements, or of the scalar; `None` for types that are made of others or of nothing.
    pub fn element(&self) -> Option<Element> {
        match self {
            Type::Scalar(Scalar::Number(element)) => Some(*element),
            Type::Scalar(_) => None,
            Type::Pointer { element, .. } | Type::LocalArray { element, .. } => match element {
                Scalar::Number(element) => Some(*element),
                Scalar::Index | Scalar::Bool => None,
            },
            Type::TensorView { element, .. }
            | Type::PartitionView { element, .. }
            | Type::MemRef { element, .. } => Some(*element),
            Type::Tile(tile) | Type::MultiTile { tile, .. } => Some(tile.element),
            Type::ConvTile(tile) => Some(tile.element),
            Type::Struct(_) | Type::Function { .. } | Type::Opaque(_) => None,
        }
    }

    /// Whether it is a handle that the program only passes to the DMA engine: a session, a context or an event.
    pub fn is_handle(&self) -> bool {
        const HANDLES: [&str; 3] = ["!pto.async_session", "!pto.async_event", "!pto.prefetch_async_context"];
        matches!(self, Type::Opaque(text) if HANDLES.contains(&text.as_str()))
    }

    /// Whether values refer to memory: tiles, views and pointers.
    pub fn is_reference(&self) -> bool {
        matches!(
            self,
            Type::Pointer { .. }
                | Type::TensorView { .. }
                | Type::PartitionView { .. }
                | Type::MemRef { .. }
                | Type::Tile(_)
                | Type::ConvTile(_)
                | Type::MultiTile { .. }
        )
    }

    /// The length of an array of events; `None` for other types.
    pub fn events(&self) -> Option<u64> {
        let Type::Opaque(text) = self else { return None };
        let inside = text.strip_prefix("!pto.eventid_array<")?.strip_suffix('>')?;
        inside.trim().parse().ok().filter(|count| *count > 0)
    }
}

/// The handle of a type.
pub type TypeId = Handle<Type>;

/// The spelling of the type of a definition that could not be parsed.
const UNKNOWN: &str = "<unknown>";

/// The distinct types of a module.
///
/// Integers `siN` and `iN` compute alike, so that one [`Type`] describes both; as types of MLIR they differ, so that each has a handle
/// of its own: values agree in their types if they agree in their handles.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    types: Arena<Type>,
    known: HashMap<(Type, bool), TypeId>,
    /// The types whose elements are spelled `siN`.
    signed: HashSet<TypeId>,
}

impl TypeTable {
    /// The handle of a type; stores the type if it is new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        self.intern_spelled(ty, false)
    }

    /// The handle of a type, whose elements are spelled `siN` if `signed`.
    pub fn intern_spelled(&mut self, ty: Type, signed: bool) -> TypeId {
        let key = (ty, signed);
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let id = self.types.push(key.0.clone());
        if signed {
            self.signed.insert(id);
        }
        self.known.insert(key, id);
        id
    }

    /// The handle of a type whose elements are spelled as those of `like`.
    pub fn intern_like(&mut self, ty: Type, like: TypeId) -> TypeId {
        self.intern_spelled(ty, self.is_signed(like))
    }

    /// Whether the elements of a type are spelled `siN`.
    pub fn is_signed(&self, id: TypeId) -> bool {
        self.signed.contains(&id)
    }

    /// The type of values whose definition could not be parsed.
    pub fn unknown(&mut self) -> TypeId {
        self.intern(Type::Opaque(UNKNOWN.into()))
    }

    /// Whether a type is that of a value whose definition could not be parsed.
    pub fn is_unknown(&self, id: TypeId) -> bool {
        matches!(&self[id], Type::Opaque(text) if text == UNKNOWN)
    }

    /// Every type, each after its component types.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter()
    }

    /// The handle of a scalar type.
    pub fn scalar(&mut self, scalar: Scalar) -> TypeId {
        self.intern(Type::Scalar(scalar))
    }
}

impl std::ops::Index<TypeId> for TypeTable {
    type Output = Type;

    fn index(&self, id: TypeId) -> &Type {
        &self.types[id]
    }
}
