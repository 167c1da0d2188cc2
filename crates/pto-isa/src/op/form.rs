//! The forms of an instruction: its operands, their order and their names.

use crate::tile::Location;
use crate::types::{Scalar, Type};

/// The kind of value of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A tile.
    Tile,
    /// A convolution tile.
    ConvTile,
    /// A tile in the fixpipe buffer; distinguished from other tiles only where a form requires it.
    Scaling,
    /// A scalar of any type.
    Scalar,
    /// A view of global memory.
    View,
    /// A pointer into global memory.
    Pointer,
    /// An integer or index.
    Integer,
    /// An index or integer that is a count or a number.
    Index,
    /// A truth value.
    Bool,
    /// A float.
    Float,
    /// A session, a context or an event of the DMA engine.
    Handle,
    /// Several tiles of one type.
    MultiTile,
    /// A struct.
    Struct,
    /// An array of events.
    Events,
    /// A tile, a convolution tile or a tensor view.
    TileOrView,
    /// A pointer or a view.
    PointerOrView,
    /// Anything else.
    Other,
}

impl Kind {
    /// The kind of values of a type.
    pub fn of(ty: &Type) -> Kind {
        match ty {
            Type::Tile(_) => Kind::Tile,
            Type::ConvTile(_) => Kind::ConvTile,
            Type::Scalar(_) => Kind::Scalar,
            Type::TensorView { .. } | Type::PartitionView { .. } | Type::MemRef { .. } => Kind::View,
            Type::Pointer { .. } => Kind::Pointer,
            _ => Kind::Other,
        }
    }

    /// Whether a value of a type can be used for an operand of this kind.
    pub fn fits(self, ty: &Type) -> bool {
        match (self, ty) {
            (Kind::Other, _) => true,
            (Kind::Integer | Kind::Index, Type::Scalar(scalar)) => scalar.is_integer(),
            (Kind::Bool, Type::Scalar(scalar)) => *scalar == Scalar::Bool,
            (Kind::Float, Type::Scalar(Scalar::Number(element))) => element.is_float(),
            (Kind::Handle, ty) => ty.is_handle(),
            (Kind::MultiTile, Type::MultiTile { .. }) | (Kind::Struct, Type::Struct(_)) => true,
            (Kind::Events, ty) => ty.events().is_some(),
            (Kind::PointerOrView, ty) => Kind::Pointer.fits(ty) || Kind::View.fits(ty),
            (Kind::TileOrView, Type::Tile(_) | Type::ConvTile(_) | Type::TensorView { .. }) => true,
            (Kind::Scaling, Type::Tile(tile)) => tile.location == Location::Scaling,
            _ => Kind::of(ty) == self,
        }
    }

    /// The word for messages and the manual.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Tile => "tile",
            Kind::ConvTile => "convolution tile",
            Kind::Scaling => "scaling tile",
            Kind::Scalar => "scalar",
            Kind::View => "view",
            Kind::Pointer => "pointer",
            Kind::Integer => "integer",
            Kind::Index => "index",
            Kind::Bool => "i1",
            Kind::Float => "float",
            Kind::Handle => "handle",
            Kind::MultiTile => "multi tile",
            Kind::Struct => "struct",
            Kind::Events => "array of events",
            Kind::TileOrView => "tile or view",
            Kind::PointerOrView => "pointer or view",
            Kind::Other => "value",
        }
    }

    /// The phrase for messages, with its article: `a tile`.
    pub fn phrase(self) -> &'static str {
        match self {
            Kind::Tile => "a tile",
            Kind::ConvTile => "a convolution tile",
            Kind::Scaling => "a scaling tile",
            Kind::Scalar => "a scalar",
            Kind::View => "a tensor view",
            Kind::Pointer => "a pointer",
            Kind::Integer => "an integer",
            Kind::Index => "an index or integer",
            Kind::Bool => "an i1",
            Kind::Float => "a float",
            Kind::Handle => "a session, a context or an event",
            Kind::MultiTile => "a multi tile",
            Kind::Struct => "a struct",
            Kind::Events => "an array of events",
            Kind::TileOrView => "a tile or a tensor view",
            Kind::PointerOrView => "a pointer or a tensor view",
            Kind::Other => "a value",
        }
    }
}

/// A named operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// Name of the role: `src0`, `dst`, ...
    pub name: &'static str,
    /// The kind of value.
    pub kind: Kind,
    /// The keyword before the operand inside `ins(...)`, such as `fp`.
    pub keyword: Option<&'static str>,
}

/// One way to call an instruction in destination-passing spelling.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The operands in `ins(...)`; operands with keywords are last.
    pub ins: &'static [Role],
    /// The operands in `outs(...)`.
    pub outs: &'static [Role],
    /// Name of the form among those of its instruction, if the operands do not distinguish it.
    pub name: Option<&'static str>,
    /// Keys of the attributes that select the computation of this form.
    pub asks: &'static [&'static str],
}

impl Form {
    /// The form with this name.
    pub(crate) const fn named(self, name: &'static str) -> Form {
        Form { name: Some(name), ..self }
    }

    /// The form with these attributes, by key.
    pub(crate) const fn asking(self, asks: &'static [&'static str]) -> Form {
        Form { asks, ..self }
    }

    /// All roles in the order in which they are written.
    pub fn roles(&self) -> impl Iterator<Item = &'static Role> + use<> {
        self.ins.iter().chain(self.outs)
    }

    /// `ins(src0: tile, src1: tile) outs(dst: tile)`.
    pub fn describe(&self) -> String {
        let list = |roles: &[Role]| {
            let mut text = String::new();
            for role in roles {
                match role.keyword {
                    Some(keyword) => text.push_str(&format!(" {keyword} ")),
                    None if text.is_empty() => {}
                    None => text.push_str(", "),
                }
                text.push_str(&format!("{}: {}", role.name, role.kind.word()));
            }
            text
        };
        format!("ins({}) outs({})", list(self.ins), list(self.outs))
    }
}

/// Builds a [`Form`] from its spelling: `form!(ins(src: Tile, row: Scalar, fp => fp: Tile) outs(dst: Tile))`.
macro_rules! form {
    (@role $name:ident : $kind:ident) => {
        $crate::op::form::Role {
            name: stringify!($name), kind: $crate::op::form::Kind::$kind, keyword: None,
        }
    };
    (@role $keyword:ident => $name:ident : $kind:ident) => {
        $crate::op::form::Role {
            name: stringify!($name),
            kind: $crate::op::form::Kind::$kind,
            keyword: Some(stringify!($keyword)),
        }
    };
    (ins($($a:ident $(=> $an:ident)? : $ak:ident),*) outs($($b:ident : $bk:ident),*)) => {
        $crate::op::form::Form {
            ins: &[$($crate::op::form::form!(@role $a $(=> $an)? : $ak)),*],
            outs: &[$($crate::op::form::form!(@role $b : $bk)),*],
            name: None,
            asks: &[],
        }
    };
}
pub(crate) use form;

/// Notation of an operation in text.
#[derive(Clone, Copy, Debug)]
pub enum Syntax {
    /// `pto.op ins(...) outs(...) {...}` in any of these forms.
    Destination(&'static [Form]),
    /// The operation's own patterns, in the language of `text::pattern`; the printer uses the first.
    Own(&'static [&'static str], Kinds),
    /// Syntax with its own code in parser and printer; the patterns document it and name the operands.
    Code(&'static [&'static str], Kinds),
}

/// Kinds of operands, by role.
pub type Kinds = &'static [(&'static str, Kind)];

impl Syntax {
    /// The kinds of the operands, by role; empty for `ins(...) outs(...)`.
    pub fn kinds(&self) -> Kinds {
        match self {
            Syntax::Destination(_) => &[],
            Syntax::Own(_, kinds) | Syntax::Code(_, kinds) => kinds,
        }
    }
}
