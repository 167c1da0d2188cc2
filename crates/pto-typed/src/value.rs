//! Values of a kernel in addition to tiles: numbers, scalars, tensors.

use super::dtype::DType;
use pto_isa::element::Element;
use pto_lang::build::Id;
use std::marker::PhantomData;

/// A whole number of a kernel: known now, or a value of the running program.
#[derive(Clone, Copy, Debug)]
pub struct Index(pub(super) Number);

#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Known(i64),
    Value(Id),
}

macro_rules! index_from {
    ($($ty:ty),*) => {$(
        impl From<$ty> for Index {
            fn from(value: $ty) -> Index {
                Index(Number::Known(i64::from(value)))
            }
        }
    )*};
}

index_from!(i32, i64, u8, u16, u32);

impl From<usize> for Index {
    /// Numbers beyond 63 bits become the largest of 63 bits, which no program reaches.
    fn from(value: usize) -> Index {
        Index(Number::Known(i64::try_from(value).unwrap_or(i64::MAX)))
    }
}

/// A scalar value of a kernel, such as an argument.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<T> {
    pub(super) id: Id,
    pub(super) marker: PhantomData<fn() -> T>,
}

impl<T> Scalar<T> {
    pub(super) fn of(id: Id) -> Scalar<T> {
        Scalar { id, marker: PhantomData }
    }
}

/// A tensor in global memory that the kernel takes as an argument.
#[derive(Clone, Debug)]
pub struct Tensor<T> {
    /// The argument.
    pub(super) pointer: Id,
    /// The view of the whole tensor.
    pub(super) whole: Id,
    pub(super) shape: Vec<Index>,
    pub(super) marker: PhantomData<fn() -> T>,
}

/// A part of a [`Tensor`], or all of it, for TLOAD and TSTORE.
#[derive(Clone, Copy, Debug)]
pub struct View<T> {
    pub(super) id: Id,
    pub(super) marker: PhantomData<fn() -> T>,
}

impl<T> From<&Tensor<T>> for View<T> {
    fn from(tensor: &Tensor<T>) -> View<T> {
        View { id: tensor.whole, marker: PhantomData }
    }
}

/// A scalar operand: a constant, or an argument.
#[derive(Clone, Copy, Debug)]
pub enum ScalarOr<T> {
    /// Known now.
    Known(T),
    /// Given when the kernel runs.
    Argument(Scalar<T>),
}

impl<T: DType> From<T> for ScalarOr<T> {
    fn from(value: T) -> Self {
        ScalarOr::Known(value)
    }
}

impl<T> From<Scalar<T>> for ScalarOr<T> {
    fn from(scalar: Scalar<T>) -> Self {
        ScalarOr::Argument(scalar)
    }
}

/// A float constant as text, in decimal where that is exact and by its bits elsewhere, and a name for it.
pub(super) fn float_text(element: Element, bits: u64) -> (String, String) {
    use half::{bf16, f16};
    let value = match element {
        Element::F32 => f32::from_bits(bits as u32),
        Element::F16 => f16::from_bits(bits as u16).to_f32(),
        Element::Bf16 => bf16::from_bits(bits as u16).to_f32(),
        _ => f32::NAN,
    };
    let label = format!("{:?}_{bits:x}", element).to_lowercase();
    if !value.is_finite() {
        return (format!("0x{bits:0width$X}", width = element.bits().div_ceil(4) as usize), label);
    }
    let text = format!("{value:?}");
    let text = match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    };
    (text, label)
}

/// Extents as a type has them.
pub(super) fn extents(shape: &[Index]) -> Vec<Option<u64>> {
    let known = |index: &Index| match index.0 {
        Number::Known(value) => u64::try_from(value).ok(),
        Number::Value(_) => None,
    };
    shape.iter().map(known).collect()
}
