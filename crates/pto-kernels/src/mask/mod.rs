//! Comparisons that write masks, and selections by masks.
//!
//! A mask has one bit for each element of a row, least significant first; each row starts at a byte.

mod kernel;

use crate::Element;
use crate::number::{Bf16, F16, F32};
use crate::reduce::ReduceOp;
use kernel::{Compare, Select, Wins, select_bits, select_choice};
pub use pto_num::Relation;

/// Encoding of a relation for the comparison loops.
trait Answers {
    /// The result bits for a less than, equal to and greater than b, and 1 if they are inverted afterwards.
    fn answers(self) -> ([u8; 3], u8);
}

impl Answers for Relation {
    fn answers(self) -> ([u8; 3], u8) {
        match self {
            Relation::Eq => ([0, 1, 0], 0),
            Relation::Ne => ([0, 1, 0], 1),
            Relation::Lt => ([1, 0, 0], 0),
            Relation::Le => ([1, 1, 0], 0),
            Relation::Gt => ([0, 0, 1], 0),
            Relation::Ge => ([0, 1, 1], 0),
        }
    }
}

/// Whether the first of two elements, given as bits, is the extreme; of two equal ones it is. A NaN wins.
pub fn first_wins(op: ReduceOp, element: Element, a: u64, b: u64) -> bool {
    let order = if element.is_integer() {
        element.decode_int(a).cmp(&element.decode_int(b))
    } else {
        let (a, b) = (element.decode(a), element.decode(b));
        if a.is_nan() || b.is_nan() {
            return a.is_nan();
        }
        a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal)
    };
    if op == ReduceOp::Max { order.is_ge() } else { order.is_le() }
}

/// Rows of elements or of mask bits, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// Byte offset of the first row.
    pub start: usize,
    /// Bytes from one row to the next.
    pub stride: usize,
}

impl Lines {
    /// A single row.
    pub const fn one(start: usize) -> Lines {
        Lines { start, stride: 0 }
    }

    fn row(self, row: usize) -> usize {
        self.start + row * self.stride
    }
}

/// The second operand.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// One element for each of the first operand.
    Lines(Lines),
    /// The bits of one element for all.
    Scalar(u64),
}

type BitsFn = fn(&Bits, &mut [u8], Lines, Lines, &Operand, [usize; 2]);

/// A predicate on pairs of elements, chosen once, that writes one mask bit per pair.
#[derive(Clone, Copy, Debug)]
pub struct Bits {
    /// See [`Answers::answers`].
    answers: [u8; 3],
    opposite: u8,
    /// XORed with keys before they are compared.
    flip: i64,
    run: BitsFn,
}

impl Bits {
    /// Writes the bits of `size[1]` pairs in each of `size[0]` rows. Unused bits of the last byte of a row are zero.
    ///
    /// The mask is disjoint from the sources.
    #[inline]
    pub fn run(&self, mem: &mut [u8], mask: Lines, a: Lines, b: &Operand, size: [usize; 2]) {
        (self.run)(self, mem, mask, a, b, size);
    }
}

/// The comparison of elements by a relation; `None` for formats without a loop.
pub fn compare(relation: Relation, element: Element) -> Option<Bits> {
    let run = match element {
        Element::I8 | Element::U8 => select_bits::<Compare<i8>>(),
        Element::I16 | Element::U16 => select_bits::<Compare<i16>>(),
        Element::I32 | Element::U32 => select_bits::<Compare<i32>>(),
        Element::I64 | Element::U64 => select_bits::<Compare<i64>>(),
        Element::F16 => select_bits::<Compare<F16>>(),
        Element::Bf16 => select_bits::<Compare<Bf16>>(),
        Element::F32 => select_bits::<Compare<F32>>(),
        _ => return None,
    };
    let (answers, opposite) = relation.answers();
    // With the sign bit inverted, unsigned integers have the order of signed ones.
    let flip = if element.is_unsigned_integer() { -1 << (element.bits() - 1) } else { 0 };
    Some(Bits { answers, opposite, flip, run })
}

/// The test whether the first of two elements is the extreme, as in [`first_wins`]; `None` for formats without a loop.
pub fn wins(op: ReduceOp, element: Element) -> Option<Bits> {
    let order = if op == ReduceOp::Max { Relation::Ge } else { Relation::Le };
    let run = match element {
        Element::F16 => select_bits::<Wins<F16>>(),
        Element::Bf16 => select_bits::<Wins<Bf16>>(),
        Element::F32 => select_bits::<Wins<F32>>(),
        _ => return compare(order, element),
    };
    let flip = if op == ReduceOp::Max { 0 } else { -1 };
    Some(Bits { answers: [0; 3], opposite: 0, flip, run })
}

/// Selects elements of `a` where the mask bit is set, else of `b`: buffer, destination, mask, sources, rows and
/// columns.
///
/// The destination may coincide with a source, and is disjoint from the mask.
pub type ChoiceFn = fn(&mut [u8], Lines, Lines, Lines, &Operand, [usize; 2]);

/// The loop that selects elements of `bits` bits; `None` for elements of less than a byte.
pub fn choice(bits: u32) -> Option<ChoiceFn> {
    Some(match bits {
        8 => select_choice::<Select<u8>>(),
        16 => select_choice::<Select<u16>>(),
        32 => select_choice::<Select<u32>>(),
        64 => select_choice::<Select<u64>>(),
        _ => return None,
    })
}
