//! Comparisons into masks, and selections by them.
//!
//! A mask has one bit for each element of a row, least significant first; each row starts at a byte of its own.

mod kernel;

use crate::Element;
use crate::number::{Bf16, F16, F32};
use crate::reduce::ReduceOp;
use kernel::{Compare, Select, Wins, select_bits, select_choice};
pub use pto_num::Relation;

/// What loops over pairs of elements ask of a relation.
trait Answers {
    /// The answers where a is less, equal and greater, and the one that is turned into its opposite if set.
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

/// Whether the first of two elements, given as bits, is the extreme: the definition. Of equal ones it is the second, -0 is
/// less than +0, and a NaN is taken before anything else.
pub fn first_wins(op: ReduceOp, element: Element, a: u64, b: u64) -> bool {
    let order = if element.is_integer() {
        element.decode_int(a).cmp(&element.decode_int(b))
    } else {
        let (a, b) = (element.decode(a), element.decode(b));
        if a.is_nan() || b.is_nan() {
            return a.is_nan();
        }
        a.total_cmp(&b)
    };
    if op == ReduceOp::Max { order.is_gt() } else { order.is_lt() }
}

/// Where rows are.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// Byte where the first row begins.
    pub start: usize,
    /// Bytes from a row to the next.
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

/// A second operand.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// One element for each of the first.
    Lines(Lines),
    /// The bits of one element for all.
    Scalar(u64),
}

type BitsFn = fn(&Bits, &mut [u8], Lines, Lines, &Operand, [usize; 2]);

/// A question asked of pairs of elements, chosen once: a bit for each answer.
#[derive(Clone, Copy, Debug)]
pub struct Bits {
    /// See [`Relation::answers`].
    answers: [u8; 3],
    opposite: u8,
    /// What is exclusive-ored with keys before they are compared.
    flip: i64,
    run: BitsFn,
}

impl Bits {
    /// Asks `size[1]` pairs in each of `size[0]` rows. Bits of the last byte of a row that belong to no pair are zero.
    ///
    /// The mask is disjoint from the sources.
    #[inline]
    pub fn run(&self, mem: &mut [u8], mask: Lines, a: Lines, b: &Operand, size: [usize; 2]) {
        (self.run)(self, mem, mask, a, b, size);
    }
}

/// Whether elements stand in a relation; `None` for formats that there is no loop for.
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
    // With the first bit turned, unsigned integers are in the order of signed ones.
    let flip = if element.is_unsigned_integer() { -1 << (element.bits() - 1) } else { 0 };
    Some(Bits { answers, opposite, flip, run })
}

/// Whether the first of two elements is the extreme, as [`first_wins`] says; `None` as for [`compare`].
pub fn wins(op: ReduceOp, element: Element) -> Option<Bits> {
    let order = if op == ReduceOp::Max { Relation::Gt } else { Relation::Lt };
    let run = match element {
        Element::F16 => select_bits::<Wins<F16>>(),
        Element::Bf16 => select_bits::<Wins<Bf16>>(),
        Element::F32 => select_bits::<Wins<F32>>(),
        _ => return compare(order, element),
    };
    let flip = if op == ReduceOp::Max { 0 } else { -1 };
    Some(Bits { answers: [0; 3], opposite: 0, flip, run })
}

/// Takes elements of `a` where the mask has a bit, else of `b`: buffer, destination, mask, sources, rows and columns.
///
/// The destination may coincide with a source, and is disjoint from the mask.
pub type ChoiceFn = fn(&mut [u8], Lines, Lines, Lines, &Operand, [usize; 2]);

/// The loop that selects elements of so many bits; `None` for those that share bytes.
pub fn choice(bits: u32) -> Option<ChoiceFn> {
    Some(match bits {
        8 => select_choice::<Select<u8>>(),
        16 => select_choice::<Select<u16>>(),
        32 => select_choice::<Select<u32>>(),
        64 => select_choice::<Select<u64>>(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
