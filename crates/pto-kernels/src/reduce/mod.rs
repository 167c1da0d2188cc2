//! Reductions along rows and columns, in a prescribed order.
//!
//! - A row is accumulated in 16 lanes, element k in lane k mod 16, each lane ascending from the identity; then lanes
//!   are combined 8+8, 4+4, 2+2, 1+1. Floats accumulate in f32 and round once.
//! - A column is accumulated ascending from the identity, in f32 for every float, and rounds once.
//! - The identity is +0 for sums (a sum of only -0 is +0), 1 for products, the smallest value for a maximum, the
//!   largest for a minimum. Integers wrap. A NaN wins a maximum or minimum, -0 < +0.

mod arg;
mod reference;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::marker::PhantomData;

use crate::Element;
use crate::dispatch::{Features, Plain, multiversion};
use crate::map::{Arithmetic, BinaryOp};
use crate::number::{Bf16, F16, F32, Number};

pub use arg::{ColumnArgFn, RowArgFn, column_arg, row_arg};

pub use pto_num::ReduceOp;
pub use reference::Fold;

/// The combination and the identity of a reduction.
trait Steps {
    fn combine<V: Arithmetic>(self, a: V, b: V) -> V;
    fn identity<V: Limits>(self) -> V;
}

impl Steps for ReduceOp {
    #[inline(always)]
    fn combine<V: Arithmetic>(self, a: V, b: V) -> V {
        match self {
            ReduceOp::Sum => V::binary::<Plain>(BinaryOp::Add, a, b),
            ReduceOp::Prod => V::binary::<Plain>(BinaryOp::Mul, a, b),
            ReduceOp::Max => V::binary::<Plain>(BinaryOp::Max, a, b),
            ReduceOp::Min => V::binary::<Plain>(BinaryOp::Min, a, b),
        }
    }

    #[inline(always)]
    fn identity<V: Limits>(self) -> V {
        match self {
            ReduceOp::Sum => V::ZERO,
            ReduceOp::Prod => V::ONE,
            ReduceOp::Max => V::LEAST,
            ReduceOp::Min => V::GREATEST,
        }
    }
}

/// Values of reductions, with the constants of their identities.
pub(crate) trait Limits: Arithmetic {
    const ZERO: Self;
    const ONE: Self;
    const LEAST: Self;
    const GREATEST: Self;
}

impl Limits for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    const LEAST: f32 = f32::NEG_INFINITY;
    const GREATEST: f32 = f32::INFINITY;
}

macro_rules! integer_limits {
    ($($type:ty),*) => {$(
        impl Limits for $type {
            const ZERO: $type = 0;
            const ONE: $type = 1;
            const LEAST: $type = <$type>::MIN;
            const GREATEST: $type = <$type>::MAX;
        }
    )*};
}

integer_limits!(i8, i16, i32, i64, u8, u16, u32, u64);

multiversion!(
    RowBody,
    select_row,
    fn(mem: &[u8], src: usize, row_stride: usize, count: usize, results: &mut [u64])
);
multiversion!(
    ColumnBody,
    select_column,
    fn(mem: &mut [u8], dst: usize, src: usize, row_stride: usize, rows: usize, cols: usize)
);

const LANES: usize = 16;

/// Columns accumulated at once.
const CHUNK: usize = 64;

struct Reduce<N, const OP: usize>(PhantomData<N>);

/// The bits of a value as an element.
#[inline(always)]
fn bits_of<N: Number>(value: N::Value) -> u64 {
    let mut bytes = [0; 8];
    N::write(N::round(value), &mut bytes);
    u64::from_le_bytes(bytes)
}

/// Rows reduced side by side: each is one dependency chain, and a core overlaps several.
const ROWS: usize = 4;

impl<N: Number<Value: Limits>, const OP: usize> RowBody for Reduce<N, OP> {
    #[inline(always)]
    fn run<F: Features>(mem: &[u8], src: usize, row_stride: usize, count: usize, results: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if F::AVX2 && N::IS_F32 {
            // SAFETY: `AVX512` and `AVX2` are true only inside functions of a level that has them.
            return unsafe {
                if F::AVX512 && !x86::is_ordered(OP) {
                    x86::rows_wide::<OP>(mem, src, row_stride, count, results)
                } else {
                    x86::rows::<OP>(mem, src, row_stride, count, results)
                }
            };
        }
        let (groups, rest) = results.as_chunks_mut::<ROWS>();
        let done = groups.len() * ROWS;
        for (i, results) in groups.iter_mut().enumerate() {
            rows_side_by_side::<N, F, OP, ROWS>(mem, src + i * ROWS * row_stride, row_stride, count, results);
        }
        for (i, result) in rest.iter_mut().enumerate() {
            let result = std::array::from_mut(result);
            rows_side_by_side::<N, F, OP, 1>(mem, src + (done + i) * row_stride, row_stride, count, result);
        }
    }
}

#[inline(always)]
fn rows_side_by_side<N: Number<Value: Limits>, F: Features, const OP: usize, const R: usize>(
    mem: &[u8],
    src: usize,
    row_stride: usize,
    count: usize,
    results: &mut [u64; R],
) {
    let op = ReduceOp::ALL[OP];
    let rows: [&[u8]; R] =
        std::array::from_fn(|r| &mem[src + r * row_stride..src + r * row_stride + count * N::BYTES]);
    let mut lanes = [[op.identity::<N::Value>(); LANES]; R];
    let whole = count / LANES;
    for chunk in 0..whole {
        for r in 0..R {
            let mut values = [N::Value::default(); LANES];
            N::read_all::<F>(&rows[r][chunk * LANES * N::BYTES..(chunk + 1) * LANES * N::BYTES], &mut values);
            for i in 0..LANES {
                lanes[r][i] = op.combine(lanes[r][i], values[i]);
            }
        }
    }
    if !count.is_multiple_of(LANES) {
        for r in 0..R {
            // Padding with the identity changes no lane: no lane of a sum is -0, since sums start from +0.
            let mut values = [op.identity::<N::Value>(); LANES];
            N::read_all::<F>(&rows[r][whole * LANES * N::BYTES..], &mut values);
            for i in 0..LANES {
                lanes[r][i] = op.combine(lanes[r][i], values[i]);
            }
        }
    }
    fold::<_, OP, 8, R>(&mut lanes);
    fold::<_, OP, 4, R>(&mut lanes);
    fold::<_, OP, 2, R>(&mut lanes);
    fold::<_, OP, 1, R>(&mut lanes);
    for r in 0..R {
        results[r] = bits_of::<N>(lanes[r][0]);
    }
}

/// Combines each of the first `HALF` lanes with the lane `HALF` further.
#[inline(always)]
fn fold<V: Limits, const OP: usize, const HALF: usize, const R: usize>(lanes: &mut [[V; LANES]; R]) {
    for lanes in lanes {
        for i in 0..HALF {
            lanes[i] = ReduceOp::ALL[OP].combine(lanes[i], lanes[i + HALF]);
        }
    }
}

impl<N: Number<Value: Limits>, const OP: usize> ColumnBody for Reduce<N, OP> {
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], dst: usize, src: usize, row_stride: usize, rows: usize, cols: usize) {
        let op = ReduceOp::ALL[OP];
        for start in (0..cols).step_by(CHUNK) {
            let width = CHUNK.min(cols - start);
            let mut sums = [op.identity::<N::Value>(); CHUNK];
            for r in 0..rows {
                let at = src + r * row_stride + start * N::BYTES;
                let row = &mem[at..at + width * N::BYTES];
                for (sum, bytes) in sums.iter_mut().zip(row.chunks_exact(N::BYTES)) {
                    *sum = op.combine(*sum, N::read(bytes));
                }
            }
            let at = dst + start * N::BYTES;
            let out = &mut mem[at..at + width * N::BYTES];
            for (&sum, bytes) in sums.iter().zip(out.chunks_exact_mut(N::BYTES)) {
                N::write(N::round(sum), bytes);
            }
        }
    }
}

/// Axis of a reduction; selects its loop.
trait Axis {
    type Kernel;
    fn select<N: Number<Value: Limits>, const OP: usize>() -> Self::Kernel;
}

struct AlongRow;
struct AlongColumn;

impl Axis for AlongRow {
    type Kernel = RowFn;
    fn select<N: Number<Value: Limits>, const OP: usize>() -> RowFn {
        select_row::<Reduce<N, OP>>()
    }
}

impl Axis for AlongColumn {
    type Kernel = ColumnFn;
    fn select<N: Number<Value: Limits>, const OP: usize>() -> ColumnFn {
        select_column::<Reduce<N, OP>>()
    }
}

/// A reduction of rows: buffer, byte offset of the first element, bytes from row to row, elements of a row, and the
/// results as bits, one per row.
pub type RowFn = fn(&[u8], usize, usize, usize, &mut [u64]);
/// A reduction of columns: buffer, byte offsets of destination and source, bytes from row to row, rows, columns.
pub type ColumnFn = fn(&mut [u8], usize, usize, usize, usize, usize);

fn order<N: Number<Value: Limits>, A: Axis>(op: ReduceOp) -> A::Kernel {
    match op {
        ReduceOp::Min => A::select::<N, { ReduceOp::Min as usize }>(),
        _ => A::select::<N, { ReduceOp::Max as usize }>(),
    }
}

fn any<N: Number<Value: Limits>, A: Axis>(op: ReduceOp) -> A::Kernel {
    match op {
        ReduceOp::Sum => A::select::<N, { ReduceOp::Sum as usize }>(),
        ReduceOp::Prod => A::select::<N, { ReduceOp::Prod as usize }>(),
        _ => order::<N, A>(op),
    }
}

fn along<A: Axis>(op: ReduceOp, element: Element) -> Option<A::Kernel> {
    let ordered = matches!(op, ReduceOp::Max | ReduceOp::Min);
    Some(match element {
        // Sums and products wrap, so that signedness does not matter.
        Element::I8 if ordered => order::<i8, A>(op),
        Element::I16 if ordered => order::<i16, A>(op),
        Element::I32 if ordered => order::<i32, A>(op),
        Element::I64 if ordered => order::<i64, A>(op),
        Element::I8 | Element::U8 => any::<u8, A>(op),
        Element::I16 | Element::U16 => any::<u16, A>(op),
        Element::I32 | Element::U32 => any::<u32, A>(op),
        Element::I64 | Element::U64 => any::<u64, A>(op),
        Element::F16 => any::<F16, A>(op),
        Element::Bf16 => any::<Bf16, A>(op),
        Element::F32 => any::<F32, A>(op),
        _ => return None,
    })
}

/// The reduction of each row; `None` for floats of 8 bits and less.
pub fn row(op: ReduceOp, element: Element) -> Option<RowFn> {
    along::<AlongRow>(op, element)
}

/// The reduction of all rows to one row; `None` for floats of 8 bits and less.
///
/// The destination may coincide with a row of the source.
pub fn column(op: ReduceOp, element: Element) -> Option<ColumnFn> {
    along::<AlongColumn>(op, element)
}
