//! Scalar arithmetic of the scalar unit: `arith` on bits.
//!
//! Integers are stored zero-extended to 64 bits, floats as the bits of their format. Integers wrap.

use crate::attribute::Attribute;
use crate::meaning::{Binary, Conversion};
use crate::types::Scalar;
use pto_num::{BinaryOp, Element, Overflow, Rounding};

impl Binary {
    /// Whether the operation is a division or a remainder of integers.
    pub fn divides(self) -> bool {
        use Binary::{CeilDivSigned, DivSigned, DivUnsigned, FloorDivSigned, RemSigned, RemUnsigned};
        matches!(self, CeilDivSigned | DivSigned | DivUnsigned | FloorDivSigned | RemSigned | RemUnsigned)
    }

    /// Whether the operation is a minimum or a maximum of integers.
    pub fn limits(self) -> bool {
        use Binary::{MaxSigned, MaxUnsigned, MinSigned, MinUnsigned};
        matches!(self, MaxSigned | MaxUnsigned | MinSigned | MinUnsigned)
    }

    /// The result; `None` for a division by zero.
    #[inline]
    pub fn apply(self, width: Width, a: u64, b: u64) -> Option<u64> {
        use Binary::*;
        let (x, y) = (width.signed(a), width.signed(b));
        let result = match self {
            Add => a.wrapping_add(b),
            Sub => a.wrapping_sub(b),
            Mul => a.wrapping_mul(b),
            MaxSigned => x.max(y) as u64,
            MinSigned => x.min(y) as u64,
            MaxUnsigned => a.max(b),
            MinUnsigned => a.min(b),
            And => a & b,
            Or => a | b,
            Xor => a ^ b,
            ShiftLeft => a.checked_shl(b.min(64) as u32).unwrap_or(0),
            ShiftRightSigned => (x >> b.min(63)) as u64,
            ShiftRightUnsigned => a.checked_shr(b.min(64) as u32).unwrap_or(0),
            _ if b == 0 => return None,
            DivSigned => x.wrapping_div(y) as u64,
            DivUnsigned => a / b,
            RemSigned => x.wrapping_rem(y) as u64,
            RemUnsigned => a % b,
            FloorDivSigned => floor_div(x, y) as u64,
            CeilDivSigned => floor_div(x.wrapping_neg(), y).wrapping_neg() as u64,
            Float(_) => 0,
        };
        Some(width.cut(result))
    }
}

/// The quotient rounded towards negative infinity.
fn floor_div(x: i64, y: i64) -> i64 {
    let quotient = x.wrapping_div(y);
    if x.wrapping_rem(y) != 0 && (x < 0) != (y < 0) { quotient - 1 } else { quotient }
}

/// Width of an integer in bits, 1 to 64. Stored as the mask of its sign bit, so that truncation needs no variable
/// shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    sign: u64,
}

impl Width {
    /// The width of this number of bits, 1 to 64.
    pub const fn of(bits: u32) -> Width {
        Width { sign: 1 << (bits - 1) }
    }

    /// Truncates a value to the width.
    #[inline]
    pub fn cut(self, value: u64) -> u64 {
        value & (self.sign | (self.sign - 1))
    }

    /// Truncates a value to the width and sign-extends it.
    #[inline]
    pub fn signed(self, value: u64) -> i64 {
        (self.cut(value) ^ self.sign).wrapping_sub(self.sign) as i64
    }
}

/// A comparison of two scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Equal bits.
    Equal,
    /// Different bits.
    NotEqual,
    /// Less.
    Less {
        /// Whether the values are signed.
        signed: bool,
    },
    /// Less or equal.
    LessOrEqual {
        /// Whether the values are signed.
        signed: bool,
    },
    /// Greater.
    Greater {
        /// Whether the values are signed.
        signed: bool,
    },
    /// Greater or equal.
    GreaterOrEqual {
        /// Whether the values are signed.
        signed: bool,
    },
}

impl Compare {
    /// The comparison for a predicate such as `slt`, or `olt` or `ult` for floats.
    pub fn from_word(word: &str) -> Option<Compare> {
        use Compare::*;
        Some(match word {
            "eq" => Equal,
            "ne" => NotEqual,
            "slt" => Less { signed: true },
            "sle" => LessOrEqual { signed: true },
            "sgt" => Greater { signed: true },
            "sge" => GreaterOrEqual { signed: true },
            "ult" => Less { signed: false },
            "ule" => LessOrEqual { signed: false },
            "ugt" => Greater { signed: false },
            "uge" => GreaterOrEqual { signed: false },
            _ => return None,
        })
    }

    /// Whether two values of a width compare so.
    #[inline]
    pub fn apply(self, width: Width, a: u64, b: u64) -> bool {
        use Compare::*;
        let (x, y) = (width.signed(a), width.signed(b));
        match self {
            Equal => a == b,
            NotEqual => a != b,
            Less { signed: true } => x < y,
            LessOrEqual { signed: true } => x <= y,
            Greater { signed: true } => x > y,
            GreaterOrEqual { signed: true } => x >= y,
            Less { signed: false } => a < b,
            LessOrEqual { signed: false } => a <= b,
            Greater { signed: false } => a > b,
            GreaterOrEqual { signed: false } => a >= b,
        }
    }
}

/// Compares floats by a predicate such as `olt`; unordered predicates hold for NaN.
pub fn compare_floats(predicate: &str, a: f64, b: f64) -> Option<bool> {
    let (unordered, word) = match predicate {
        "ord" => return Some(!a.is_nan() && !b.is_nan()),
        "uno" => return Some(a.is_nan() || b.is_nan()),
        _ => match predicate.split_at_checked(1)? {
            ("u", word) => (true, word),
            ("o", word) => (false, word),
            _ => return None,
        },
    };
    if a.is_nan() || b.is_nan() {
        return Some(unordered);
    }
    Some(match word {
        "eq" => a == b,
        "ne" => a != b,
        "lt" => a < b,
        "le" => a <= b,
        "gt" => a > b,
        "ge" => a >= b,
        _ => return None,
    })
}

/// A type conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    /// Sign-extends and truncates an integer.
    Signed {
        /// The width of the value.
        from: Width,
        /// The width of the result.
        to: Width,
    },
    /// Zero-extends and truncates an integer.
    Unsigned {
        /// The width of the result.
        to: Width,
    },
    /// Between floats, or between an integer and a float.
    Number {
        /// The type of the value.
        from: Scalar,
        /// The type of the result.
        to: Scalar,
        /// Whether the integer is signed.
        signed: bool,
    },
}

impl Cast {
    /// The cast between two types; `None` if there is none.
    pub fn of(conversion: Conversion, from: Scalar, to: Scalar) -> Option<Cast> {
        let unsigned = Cast::Unsigned { to: Width::of(to.bits()) };
        Some(match conversion {
            Conversion::Signed => Cast::Signed { from: Width::of(from.bits()), to: Width::of(to.bits()) },
            Conversion::Unsigned | Conversion::Bits => unsigned,
            Conversion::SignedNumber => Cast::Number { from, to, signed: true },
            Conversion::Number => Cast::Number { from, to, signed: false },
            Conversion::SameSize => {
                // Public files use this cast between integers that differ only in signedness.
                let same = from.is_integer() && to.is_integer() && from.bits() == to.bits();
                return same.then_some(unsigned);
            }
        })
    }

    /// The converted bits.
    pub fn apply(self, value: u64) -> u64 {
        match self {
            Cast::Signed { from, to } => to.cut(from.signed(value) as u64),
            Cast::Unsigned { to } => to.cut(value),
            Cast::Number { from, to, signed } => {
                let number = match (from.is_integer(), signed) {
                    (true, true) => Width::of(from.bits()).signed(value) as f64,
                    (true, false) => value as f64,
                    (false, _) => from.element().decode(value),
                };
                if !to.is_integer() {
                    return to.element().encode(number, Rounding::NearestEven, Overflow::Ieee);
                }
                if number.is_nan() {
                    return 0;
                }
                let whole = number.trunc() as i128;
                let limit = 1i128 << (to.bits() - signed as u32);
                let least = if signed { -limit } else { 0 };
                Width::of(to.bits()).cut(whole.clamp(least, limit - 1) as u64)
            }
        }
    }
}

/// A float operation on the bits of a format.
pub fn float_binary(op: BinaryOp, element: Element, a: u64, b: u64) -> u64 {
    op.exact(element, a, b).unwrap_or_default()
}

/// The bits of a constant of a type; `None` for constants that cannot run.
pub fn constant_bits(value: &Attribute, ty: Scalar) -> Option<u64> {
    match value {
        // A float written in hexadecimal is a bit pattern; the checker ensures that integers fit.
        Attribute::Integer(value, _) => Some(Width::of(ty.bits()).cut(*value as u64)),
        Attribute::Bool(value) => Some(u64::from(*value)),
        Attribute::Float(text, _) if !ty.is_integer() => Some(float_bits(text, ty.element())),
        Attribute::Opaque(text) => dense(text),
        _ => None,
    }
}

/// The bits of a float constant: parsed as f64, and for narrower formats rounded once.
fn float_bits(text: &str, element: Element) -> u64 {
    if element == Element::F32 {
        return text.parse::<f32>().map_or(0, |value| u64::from(value.to_bits()));
    }
    text.parse::<f64>().map_or(0, |value| element.encode(value, Rounding::NearestEven, Overflow::Ieee))
}

/// Four 16-bit integers, written as `dense<N> : vector<4xi16>` or `dense<[N, N, N, N]> : vector<4xi16>`; the first
/// is the lowest.
fn dense(text: &str) -> Option<u64> {
    let inside = text.strip_prefix("dense<")?.strip_suffix("> : vector<4xi16>")?.trim();
    let list = inside.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(inside);
    let numbers: Option<Vec<i16>> = list.split(',').map(|number| number.trim().parse().ok()).collect();
    let numbers = numbers.filter(|numbers| matches!(numbers.len(), 1 | 4))?;
    let number = |at: usize| u64::from(numbers[at % numbers.len()] as u16) << (16 * at);
    Some((0..4).map(number).sum())
}
