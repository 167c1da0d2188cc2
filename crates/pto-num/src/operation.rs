//! The numeric operations of instructions, by name, and the formats that have them.

use crate::Element;

/// Operations of one source.
///
/// Integers wrap. f16 and bf16 compute in f32 and round once. NaN results are canonical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOp {
    /// Magnitude; -0 gives +0.
    Abs,
    /// Negation; flips the sign of a zero.
    Neg,
    /// Complement of the bits; integers only.
    Not,
    /// e to the power of the element; floats only, like `Log`, `Sqrt` and `Rsqrt`.
    Exp,
    /// Natural logarithm.
    Log,
    /// Square root, correctly rounded.
    Sqrt,
    /// 1 / square root.
    Rsqrt,
    /// 1 / x, correctly rounded; integers truncate, and give 0 for x = 0.
    Recip,
    /// The larger of the element and +0; NaN for NaN.
    Relu,
}

impl UnaryOp {
    /// Every operation, in declaration order.
    pub const ALL: [UnaryOp; 9] = [
        UnaryOp::Abs,
        UnaryOp::Neg,
        UnaryOp::Not,
        UnaryOp::Exp,
        UnaryOp::Log,
        UnaryOp::Sqrt,
        UnaryOp::Rsqrt,
        UnaryOp::Recip,
        UnaryOp::Relu,
    ];

    /// Whether elements of this format have the operation.
    pub fn applies_to(self, element: Element) -> bool {
        match self {
            UnaryOp::Abs | UnaryOp::Neg | UnaryOp::Recip | UnaryOp::Relu => {
                element.is_integer() || is_computed_float(element)
            }
            UnaryOp::Not => element.is_integer(),
            _ => is_computed_float(element),
        }
    }
}

/// Operations of two sources. Integers wrap; f16 and bf16 compute in f32 and round once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    /// a + b.
    Add,
    /// a - b.
    Sub,
    /// a * b.
    Mul,
    /// a / b; integers truncate, and give 0 for b = 0.
    Div,
    /// IEEE 754-2019 maximum: NaN wins, -0 < +0.
    Max,
    /// IEEE 754-2019 minimum: NaN wins, -0 < +0.
    Min,
    /// Bitwise and; integers only.
    And,
    /// Bitwise or; integers only.
    Or,
    /// Bitwise exclusive or; integers only.
    Xor,
    /// a shifted left by b, taken as unsigned; 0 if b is the width or more. Integers only.
    Shl,
    /// a shifted right by b: signed integers fill with the sign bit, unsigned ones with 0. Integers only.
    Shr,
    /// Remainder with the sign of the divisor, a remainder of zero being +0; integers give 0 for b = 0.
    Rem,
    /// Remainder with the sign of the dividend; integers give 0 for b = 0.
    Fmod,
    /// a to the power of b, as IEEE 754 `pow`; integers wrap, and give 0 if the power is not an integer.
    Pow,
    /// e to the power of a - b, the difference rounded to f32; floats only.
    ExpDif,
    /// a where a >= 0, else a * b.
    Prelu,
    /// [`Shl`](BinaryOp::Shl) by b modulo 64; 64-bit integers only.
    ShlModulo,
    /// [`Shr`](BinaryOp::Shr) by b modulo 64; 64-bit integers only.
    ShrModulo,
}

impl BinaryOp {
    /// Every operation, in declaration order.
    pub const ALL: [BinaryOp; 18] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Max,
        BinaryOp::Min,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::Rem,
        BinaryOp::Fmod,
        BinaryOp::Pow,
        BinaryOp::ExpDif,
        BinaryOp::Prelu,
        BinaryOp::ShlModulo,
        BinaryOp::ShrModulo,
    ];

    /// Whether elements of this format have the operation.
    pub fn applies_to(self, element: Element) -> bool {
        use BinaryOp::{And, ExpDif, Or, Shl, ShlModulo, Shr, ShrModulo, Xor};
        match self {
            And | Or | Xor | Shl | Shr => element.is_integer(),
            ShlModulo | ShrModulo => element.is_integer() && element.bits() == 64,
            ExpDif => is_computed_float(element),
            _ => element.is_integer() || is_computed_float(element),
        }
    }
}

fn is_computed_float(element: Element) -> bool {
    matches!(element, Element::F16 | Element::Bf16 | Element::F32)
}

/// The operation that combines the elements of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReduceOp {
    /// The sum.
    Sum,
    /// The product.
    Prod,
    /// IEEE 754-2019 maximum.
    Max,
    /// IEEE 754-2019 minimum.
    Min,
}

impl ReduceOp {
    /// Every reduction, in declaration order.
    pub const ALL: [ReduceOp; 4] = [ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max, ReduceOp::Min];

    /// Whether elements of this format have the reduction: all but floats of 8 bits and less.
    pub fn applies_to(self, element: Element) -> bool {
        element.is_integer() || is_computed_float(element)
    }
}

/// Comparison of two elements. As in IEEE 754, NaN is unordered: neither equal, less nor greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// a = b.
    Eq,
    /// a is not equal to b.
    Ne,
    /// a < b.
    Lt,
    /// a <= b.
    Le,
    /// a > b.
    Gt,
    /// a >= b.
    Ge,
}

impl Relation {
    /// Every relation, in declaration order.
    pub const ALL: [Relation; 6] =
        [Relation::Eq, Relation::Ne, Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge];

    /// Whether the relation holds for two elements, given as bits.
    pub fn holds(self, element: Element, a: u64, b: u64) -> bool {
        let order = if element.is_integer() {
            Some(element.decode_int(a).cmp(&element.decode_int(b)))
        } else {
            element.decode(a).partial_cmp(&element.decode(b))
        };
        match self {
            Relation::Eq => order.is_some_and(|order| order.is_eq()),
            Relation::Ne => !order.is_some_and(|order| order.is_eq()),
            Relation::Lt => order.is_some_and(|order| order.is_lt()),
            Relation::Le => order.is_some_and(|order| order.is_le()),
            Relation::Gt => order.is_some_and(|order| order.is_gt()),
            Relation::Ge => order.is_some_and(|order| order.is_ge()),
        }
    }
}

/// Shorter mantissas to which f32 factors round, to nearest; the exponent keeps its 8 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tf32 {
    /// 10 bits of mantissa, ties to even.
    Ten,
    /// 11 bits of mantissa, ties to even.
    Eleven,
    /// 11 bits of mantissa, ties away from zero.
    ElevenAway,
}

/// Whether there is a conversion between two formats: between any two different ones, and f32 to f32, which rounds to
/// integral values.
pub fn converts(from: Element, to: Element) -> bool {
    from != to || from == Element::F32
}

/// The format of sums of products of two formats: f32 for equal f32, f16 or bf16 and for any two of E4M3, E5M2 and
/// HiF8, i32 for any two of i8 and u8.
pub fn sum_of_products(a: Element, b: Element) -> Option<Element> {
    use Element::{Bf16, E4M3, E5M2, F16, F32, HiF8, I8, I32, U8};
    let both = |formats: &[Element]| formats.contains(&a) && formats.contains(&b);
    if a == b && matches!(a, F32 | F16 | Bf16) || both(&[E4M3, E5M2, HiF8]) {
        return Some(F32);
    }
    both(&[I8, U8]).then_some(I32)
}
