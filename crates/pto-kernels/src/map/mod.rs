//! Elementwise operations on one source, on two sources, or on a source and a scalar.

mod arithmetic;
mod elementary;
mod fused;
mod kernel;
mod reference;
pub(crate) mod remainder;

use crate::Element;
use crate::dispatch::{Features, Plain, multiversion};
use crate::number::{Bf16, F16, F32, Number};
use kernel::{Binary, BinaryBody, ScalarBody, ScalarLeft, ScalarRight, Unary};
use kernel::{select_binary, select_scalar, select_unary};
use remainder::{Remainder, ScalarRemainder};

pub(crate) use arithmetic::Arithmetic;
pub use fused::{FusedFn, multiply_add, multiply_add_one};
pub use pto_num::{BinaryOp, UnaryOp};
pub use reference::{BinaryFormula, UnaryFormula};

/// A kernel of one source: buffer, byte offsets of destination and source, elements.
pub type UnaryFn = fn(&mut [u8], usize, usize, usize);

/// A kernel of two sources: buffer, byte offsets of destination and sources, elements.
pub type BinaryFn = fn(&mut [u8], usize, usize, usize, usize);
/// A kernel of rows, each with its own scalar: buffer, the rows, and the scalar bits for each row.
pub type ScalarFn = fn(&mut [u8], &Rows, &[u64]);

/// Rows of consecutive elements.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// Byte where the first row of the destination begins.
    pub dst: usize,
    /// Byte where the first row of the source begins.
    pub src: usize,
    /// Bytes from one row of the destination to the next.
    pub dst_stride: usize,
    /// Bytes from one row of the source to the next.
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

/// Operand kinds of a binary operation: two rows, or a scalar on one side. Selects the loop.
trait OperandKinds {
    type Kernel;
    /// The loop, if the operation has this form; for the portable level only if `scalar_code`: nothing in it vectorizes.
    fn select<N: Number<Value: Arithmetic>, const OP: usize>(scalar_code: bool) -> Option<Self::Kernel>;
    /// The loop of a remainder of floats, if the operation has this form.
    fn remainder<N: Number<Value = f32>, const OP: usize>() -> Option<Self::Kernel>;
}

struct Both;
struct Right;
struct Left;

impl OperandKinds for Both {
    type Kernel = BinaryFn;
    fn select<N: Number<Value: Arithmetic>, const OP: usize>(scalar_code: bool) -> Option<BinaryFn> {
        Some(if scalar_code {
            <Binary<N, OP> as BinaryBody>::run::<Plain>
        } else {
            select_binary::<Binary<N, OP>>()
        })
    }

    fn remainder<N: Number<Value = f32>, const OP: usize>() -> Option<BinaryFn> {
        Some(select_binary::<Remainder<N, OP>>())
    }
}

impl OperandKinds for Right {
    type Kernel = ScalarFn;
    fn select<N: Number<Value: Arithmetic>, const OP: usize>(scalar_code: bool) -> Option<ScalarFn> {
        Some(if scalar_code {
            <ScalarRight<N, OP> as ScalarBody>::run::<Plain>
        } else {
            select_scalar::<ScalarRight<N, OP>>()
        })
    }

    fn remainder<N: Number<Value = f32>, const OP: usize>() -> Option<ScalarFn> {
        Some(select_scalar::<ScalarRemainder<N, OP>>())
    }
}

/// Operations without an instruction of this form are not compiled; commutative ones use [`Right`].
impl OperandKinds for Left {
    type Kernel = ScalarFn;
    fn select<N: Number<Value: Arithmetic>, const OP: usize>(scalar_code: bool) -> Option<ScalarFn> {
        if const { !matches!(BinaryOp::ALL[OP], BinaryOp::Sub | BinaryOp::Div | BinaryOp::ExpDif) } {
            None
        } else if scalar_code {
            Some(<ScalarLeft<N, OP> as ScalarBody>::run::<Plain>)
        } else {
            Some(select_scalar::<ScalarLeft<N, OP>>())
        }
    }

    fn remainder<N: Number<Value = f32>, const OP: usize>() -> Option<ScalarFn> {
        None
    }
}

macro_rules! select_op {
    ($op:expr, $form:ty, $number:ty, $($name:ident $scalar_code:expr),*) => {
        match $op {
            $(BinaryOp::$name => <$form>::select::<$number, { BinaryOp::$name as usize }>($scalar_code),)*
            _ => None,
        }
    };
}

/// Integer operations that depend on signedness.
fn signed_op<N: Number<Value: Arithmetic>, F: OperandKinds>(op: BinaryOp) -> Option<F::Kernel> {
    select_op!(op, F, N, Max false, Min false, Shr false, Div true, Rem true, Fmod true, Prelu false, Pow false)
}

/// Integer operations that do not depend on signedness, compiled for unsigned integers of every width.
fn common_op<N: Number<Value: Arithmetic>, F: OperandKinds>(op: BinaryOp) -> Option<F::Kernel> {
    select_op!(op, F, N, Add false, Sub false, Mul false, And false, Or false, Xor false, Shl false)
}

/// Operations of 64-bit integers in addition to [`signed_op`] and [`common_op`].
fn wide_op<N: Number<Value: Arithmetic>, F: OperandKinds>(op: BinaryOp) -> Option<F::Kernel> {
    select_op!(op, F, N, ShlModulo false, ShrModulo false)
}

fn float_op<N: Number<Value = f32>, F: OperandKinds>(op: BinaryOp) -> Option<F::Kernel> {
    match op {
        BinaryOp::Rem => F::remainder::<N, { BinaryOp::Rem as usize }>(),
        BinaryOp::Fmod => F::remainder::<N, { BinaryOp::Fmod as usize }>(),
        _ => {
            select_op!(op, F, N, Add false, Sub false, Mul false, Div false, Max false, Min false, Pow false,
            ExpDif false, Prelu false)
        }
    }
}

fn operands<F: OperandKinds>(op: BinaryOp, element: Element) -> Option<F::Kernel> {
    match element {
        Element::I8 => signed_op::<i8, F>(op).or_else(|| common_op::<u8, F>(op)),
        Element::I16 => signed_op::<i16, F>(op).or_else(|| common_op::<u16, F>(op)),
        Element::I32 => signed_op::<i32, F>(op).or_else(|| common_op::<u32, F>(op)),
        Element::I64 => {
            signed_op::<i64, F>(op).or_else(|| common_op::<u64, F>(op)).or_else(|| wide_op::<i64, F>(op))
        }
        Element::U8 => signed_op::<u8, F>(op).or_else(|| common_op::<u8, F>(op)),
        Element::U16 => signed_op::<u16, F>(op).or_else(|| common_op::<u16, F>(op)),
        Element::U32 => signed_op::<u32, F>(op).or_else(|| common_op::<u32, F>(op)),
        Element::U64 => {
            signed_op::<u64, F>(op).or_else(|| common_op::<u64, F>(op)).or_else(|| wide_op::<u64, F>(op))
        }
        Element::F16 => float_op::<F16, F>(op),
        Element::Bf16 => float_op::<Bf16, F>(op),
        Element::F32 => float_op::<F32, F>(op),
        _ => None,
    }
}

/// `dst[i] = a[i] op b[i]`; `None` if the format does not have the operation.
pub fn binary(op: BinaryOp, element: Element) -> Option<BinaryFn> {
    operands::<Both>(op, element)
}

/// `dst[i] = a[i] op scalar` in each row; scalars are the bits of an element.
pub fn binary_scalar(op: BinaryOp, element: Element) -> Option<ScalarFn> {
    operands::<Right>(op, element)
}

/// `dst[i] = scalar op a[i]` in each row; scalars are the bits of an element. `None` also for operations that no
/// instruction has with a scalar on the left: the non-commutative ones, except `Sub`, `Div` and `ExpDif`.
pub fn scalar_binary(op: BinaryOp, element: Element) -> Option<ScalarFn> {
    if commutes(op) { binary_scalar(op, element) } else { operands::<Left>(op, element) }
}

/// Whether the operation is commutative in every format.
const fn commutes(op: BinaryOp) -> bool {
    use BinaryOp::{Add, And, Max, Min, Mul, Or, Xor};
    matches!(op, Add | Mul | Max | Min | And | Or | Xor)
}

macro_rules! select_unary_op {
    ($op:expr, $number:ty, $($name:ident),*) => {
        match $op {
            $(UnaryOp::$name => select_unary::<Unary<$number, { UnaryOp::$name as usize }>>(),)*
            _ => return None,
        }
    };
}

/// The loops of unary operations that signed numbers have.
fn signed_unary<N: Number<Value: Arithmetic>>(op: UnaryOp) -> Option<UnaryFn> {
    Some(select_unary_op!(op, N, Abs, Recip, Relu))
}

/// The loops of unary operations that all integers have.
fn common_unary<N: Number<Value: Arithmetic>>(op: UnaryOp) -> Option<UnaryFn> {
    Some(select_unary_op!(op, N, Neg, Not))
}

fn float_unary<N: Number<Value: Arithmetic>>(op: UnaryOp) -> Option<UnaryFn> {
    Some(select_unary_op!(op, N, Abs, Neg, Exp, Log, Sqrt, Rsqrt, Recip, Relu))
}

/// `dst[i] = op(src[i])`; `None` if the format does not have the operation.
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

/// Finds the first zero divisor: the index of the first of `count` elements at byte `offset` whose bits are all zero.
pub fn find_zero(element: Element) -> fn(&[u8], usize, usize) -> Option<usize> {
    match element.bits() {
        16 => select_find::<FindZero<2>>(),
        32 => select_find::<FindZero<4>>(),
        64 => select_find::<FindZero<8>>(),
        _ => select_find::<FindZero<1>>(),
    }
}
