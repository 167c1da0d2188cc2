//! Operations element by element: one or two sources, or a source and a scalar.

mod arithmetic;
mod elementary;
mod fused;
mod kernel;
mod reference;
mod remainder;

use crate::Element;
use crate::dispatch::{Features, Plain, multiversion};
use crate::number::{Bf16, F16, F32, Number};
use kernel::{Binary, BinaryBody, Line, Source, Unary, Walk, select_binary, select_unary};
use remainder::Remainder;

pub(crate) use arithmetic::Arithmetic;
pub use fused::{FusedFn, multiply_add, multiply_add_one};
pub use pto_num::{BinaryOp, UnaryOp};
pub use reference::{BinaryFormula, UnaryFormula};

/// A kernel of one source: buffer, bytes of destination and source, elements.
pub type UnaryFn = fn(&mut [u8], usize, usize, usize);

/// A loop over two sources in the buffer.
#[derive(Clone, Copy, Debug)]
pub struct BinaryLoop(WalkFn);

/// A loop over a source in the buffer and a scalar for each row.
#[derive(Clone, Copy, Debug)]
pub struct ScalarLoop {
    walk: WalkFn,
    scalar_is_left: bool,
}

type WalkFn = fn(&mut [u8], &Walk<'_>);

impl BinaryLoop {
    /// `dst[i] = a[i] op b[i]` of `count` elements. The operands are bytes of the buffer; the destination may coincide
    /// with a source.
    ///
    /// # Panics
    /// If an operand is not in the buffer.
    #[inline]
    pub fn run(self, mem: &mut [u8], dst: usize, a: usize, b: usize, count: usize) {
        let line = |at| Line { at, stride: 0 };
        let (a, b) = (Source::Rows(line(a)), Source::Rows(line(b)));
        (self.0)(mem, &Walk { rows: 1, count, dst: line(dst), a, b });
    }
}

impl ScalarLoop {
    /// Combines each row of the source with its scalar, given as the bits of an element.
    ///
    /// # Panics
    /// If a row is not in the buffer.
    #[inline]
    pub fn run(self, mem: &mut [u8], rows: &Rows, scalars: &[u64]) {
        let dst = Line { at: rows.dst, stride: rows.dst_stride };
        let source = Source::Rows(Line { at: rows.src, stride: rows.src_stride });
        let scalar = Source::Scalars(scalars);
        let (a, b) = if self.scalar_is_left { (scalar, source) } else { (source, scalar) };
        (self.walk)(mem, &Walk { rows: scalars.len(), count: rows.count, dst, a, b });
    }
}

/// Rows of consecutive elements.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// Byte where the first row of the destination begins.
    pub dst: usize,
    /// Byte where the first row of the source begins.
    pub src: usize,
    /// Bytes from a row of the destination to the next.
    pub dst_stride: usize,
    /// Bytes from a row of the source to the next.
    pub src_stride: usize,
    /// Elements of a row.
    pub count: usize,
}

impl Rows {
    /// A single row.
    pub const fn one(dst: usize, src: usize, count: usize) -> Rows {
        Rows { dst, src, dst_stride: 0, src_stride: 0, count }
    }
}

macro_rules! select_op {
    ($op:expr, $number:ty, $($name:ident $scalar_code:expr),*) => {
        match $op {
            $(BinaryOp::$name => Some(select_walk::<$number, { BinaryOp::$name as usize }>($scalar_code)),)*
            _ => None,
        }
    };
}

/// The loop of an operation; at the portable level if nothing in it vectorizes.
fn select_walk<N: Number<Value: Arithmetic>, const OP: usize>(scalar_code: bool) -> WalkFn {
    if scalar_code { <Binary<N, OP> as BinaryBody>::run::<Plain> } else { select_binary::<Binary<N, OP>>() }
}

/// What depends on the sign of an integer.
fn signed_op<N: Number<Value: Arithmetic>>(op: BinaryOp) -> Option<WalkFn> {
    select_op!(op, N, Max false, Min false, Shr false, Div true, Rem true, Fmod true, Prelu false, Pow false)
}

/// What does not, for every width; unsigned integers otherwise.
fn common_op<N: Number<Value: Arithmetic>>(op: BinaryOp) -> Option<WalkFn> {
    select_op!(op, N, Add false, Sub false, Mul false, And false, Or false, Xor false, Shl false)
}

/// What 64-bit integers have beyond [`signed_op`] and [`common_op`].
fn wide_op<N: Number<Value: Arithmetic>>(op: BinaryOp) -> Option<WalkFn> {
    select_op!(op, N, ShlModulo false, ShrModulo false)
}

fn float_op<N: Number<Value = f32>>(op: BinaryOp) -> Option<WalkFn> {
    match op {
        BinaryOp::Rem => Some(select_binary::<Remainder<N, { BinaryOp::Rem as usize }>>()),
        BinaryOp::Fmod => Some(select_binary::<Remainder<N, { BinaryOp::Fmod as usize }>>()),
        _ => {
            select_op!(op, N, Add false, Sub false, Mul false, Div false, Max false, Min false, Pow false,
            ExpDif false, Prelu false)
        }
    }
}

fn walk(op: BinaryOp, element: Element) -> Option<WalkFn> {
    match element {
        Element::I8 => signed_op::<i8>(op).or_else(|| common_op::<u8>(op)),
        Element::I16 => signed_op::<i16>(op).or_else(|| common_op::<u16>(op)),
        Element::I32 => signed_op::<i32>(op).or_else(|| common_op::<u32>(op)),
        Element::I64 => signed_op::<i64>(op).or_else(|| common_op::<u64>(op)).or_else(|| wide_op::<i64>(op)),
        Element::U8 => signed_op::<u8>(op).or_else(|| common_op::<u8>(op)),
        Element::U16 => signed_op::<u16>(op).or_else(|| common_op::<u16>(op)),
        Element::U32 => signed_op::<u32>(op).or_else(|| common_op::<u32>(op)),
        Element::U64 => signed_op::<u64>(op).or_else(|| common_op::<u64>(op)).or_else(|| wide_op::<u64>(op)),
        Element::F16 => float_op::<F16>(op),
        Element::Bf16 => float_op::<Bf16>(op),
        Element::F32 => float_op::<F32>(op),
        _ => None,
    }
}

/// `dst[i] = a[i] op b[i]`; `None` where the format has no such arithmetic.
pub fn binary(op: BinaryOp, element: Element) -> Option<BinaryLoop> {
    walk(op, element).map(BinaryLoop)
}

/// `dst[i] = a[i] op scalar` in each row; scalars are given as the bits of an element.
pub fn binary_scalar(op: BinaryOp, element: Element) -> Option<ScalarLoop> {
    Some(ScalarLoop { walk: walk(op, element)?, scalar_is_left: false })
}

/// `dst[i] = scalar op a[i]` in each row; scalars are given as the bits of an element.
pub fn scalar_binary(op: BinaryOp, element: Element) -> Option<ScalarLoop> {
    Some(ScalarLoop { walk: walk(op, element)?, scalar_is_left: true })
}

macro_rules! select_unary_op {
    ($op:expr, $number:ty, $($name:ident),*) => {
        match $op {
            $(UnaryOp::$name => select_unary::<Unary<$number, { UnaryOp::$name as usize }>>(),)*
            _ => return None,
        }
    };
}

/// The loops of operations on one source that signed numbers have.
fn signed_unary<N: Number<Value: Arithmetic>>(op: UnaryOp) -> Option<UnaryFn> {
    Some(select_unary_op!(op, N, Abs, Recip, Relu))
}

/// The loops of operations on one source that all integers have.
fn common_unary<N: Number<Value: Arithmetic>>(op: UnaryOp) -> Option<UnaryFn> {
    Some(select_unary_op!(op, N, Neg, Not))
}

fn float_unary<N: Number<Value: Arithmetic>>(op: UnaryOp) -> Option<UnaryFn> {
    Some(select_unary_op!(op, N, Abs, Neg, Exp, Log, Sqrt, Rsqrt, Recip, Relu))
}

/// `dst[i] = op(src[i])`; `None` where the format has no such arithmetic.
pub fn unary(op: UnaryOp, element: Element) -> Option<UnaryFn> {
    match element {
        Element::I8 => signed_unary::<i8>(op).or_else(|| common_unary::<u8>(op)),
        Element::I16 => signed_unary::<i16>(op).or_else(|| common_unary::<u16>(op)),
        Element::I32 => signed_unary::<i32>(op).or_else(|| common_unary::<u32>(op)),
        Element::I64 => signed_unary::<i64>(op).or_else(|| common_unary::<u64>(op)),
        Element::U8 => signed_unary::<u8>(op).or_else(|| common_unary::<u8>(op)),
        Element::U16 => signed_unary::<u16>(op).or_else(|| common_unary::<u16>(op)),
        Element::U32 => signed_unary::<u32>(op).or_else(|| common_unary::<u32>(op)),
        Element::U64 => signed_unary::<u64>(op).or_else(|| common_unary::<u64>(op)),
        Element::F16 => float_unary::<F16>(op),
        Element::Bf16 => float_unary::<Bf16>(op),
        Element::F32 => float_unary::<F32>(op),
        _ => None,
    }
}

multiversion!(FindBody, select_find, fn(mem: &[u8], offset: usize, count: usize) -> Option<usize>);

struct FindZero<const BYTES: usize>;

impl<const BYTES: usize> FindBody for FindZero<BYTES> {
    #[inline(always)]
    fn run<F: Features>(mem: &[u8], offset: usize, count: usize) -> Option<usize> {
        let (elements, _) = mem[offset..offset + count * BYTES].as_chunks::<BYTES>();
        let is_zero = |element: &[u8; BYTES]| *element == [0; BYTES];
        let mut blocks = elements.chunks(64);
        let mut passed = 0;
        blocks.find_map(|block| {
            let any = block.iter().fold(false, |any, element| any | is_zero(element));
            let first = any.then(|| block.iter().position(is_zero).map(|at| passed + at)).flatten();
            passed += block.len();
            first
        })
    }
}

/// Finds the first of `count` elements at byte `offset` whose bits are all zero: a zero divisor.
pub fn find_zero(element: Element) -> fn(&[u8], usize, usize) -> Option<usize> {
    match element.bits() {
        16 => select_find::<FindZero<2>>(),
        32 => select_find::<FindZero<4>>(),
        64 => select_find::<FindZero<8>>(),
        _ => select_find::<FindZero<1>>(),
    }
}

#[cfg(test)]
mod tests;
