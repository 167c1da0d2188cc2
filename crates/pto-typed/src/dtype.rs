//! Element types as Rust types.

use pto_isa::element::Element;

pub use half::{bf16, f16};

mod sealed {
    pub trait Sealed {}
}

/// An element type, with the Rust type that holds one unit of its storage.
///
/// Source: `docs/isa/state-and-types/type-system.md`.
#[diagnostic::on_unimplemented(message = "`{Self}` is no element type of the tile ISA")]
pub trait DType: sealed::Sealed + Copy + Default + std::fmt::Debug + 'static {
    /// The format.
    const ELEMENT: Element;
    /// Numbers in one value of this type: 2 for the 4-bit formats, else 1. Extents and offsets count numbers.
    const PER_VALUE: usize = Self::ELEMENT.values();

    /// Appends the little-endian bytes of the value.
    fn put(self, bytes: &mut Vec<u8>);

    /// The value of exactly as many little-endian bytes as it has.
    fn get(bytes: &[u8]) -> Self;
}

/// An integer that indexes, counts or masks.
#[diagnostic::on_unimplemented(message = "`{Self}` is no integer of 8, 16 or 32 bits")]
pub trait Integer: DType {}

/// An element type of 8 to 32 bits that most instructions take: an integer, `f16`, `bf16`, `f32`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is none of the integers of 8, 16 or 32 bits, `f16`, `bf16` and `f32`"
)]
pub trait Common: DType {}

macro_rules! number {
    ($($ty:ty: $element:ident),* $(,)?) => {$(
        impl sealed::Sealed for $ty {}
        impl DType for $ty {
            const ELEMENT: Element = Element::$element;

            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn get(bytes: &[u8]) -> Self {
                let mut own = Self::default().to_le_bytes();
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }
        }
    )*};
}

number!(
    i8: I8, i16: I16, i32: I32, i64: I64, u8: U8, u16: U16, u32: U32, u64: U64,
    f16: F16, bf16: Bf16, f32: F32,
);

macro_rules! bits {
    ($($(#[$doc:meta])* $name:ident: $element:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub u8);

        impl sealed::Sealed for $name {}
        impl DType for $name {
            const ELEMENT: Element = Element::$element;

            fn put(self, bytes: &mut Vec<u8>) {
                bytes.push(self.0);
            }

            fn get(bytes: &[u8]) -> Self {
                $name(bytes.first().copied().unwrap_or_default())
            }
        }
    )*};
}

bits!(
    /// The bit pattern of a HiFloat8.
    HiF8: HiF8;
    /// The bit pattern of a float with 4 exponent and 3 mantissa bits.
    E4M3: E4M3;
    /// The bit pattern of a float with 5 exponent and 2 mantissa bits.
    E5M2: E5M2;
    /// The bit pattern of a power of two: an MX scale.
    E8M0: E8M0;
    /// Two 4-bit floats with 2 exponent bits; the first is the low nibble. Extents and offsets count single numbers.
    E2M1x2: E2M1x2;
    /// Two 4-bit floats with 1 exponent bit; the first is the low nibble. Extents and offsets count single numbers.
    E1M2x2: E1M2x2;
    /// Two 4-bit integers from -8 to 7; the first is the low nibble. Extents and offsets count single numbers.
    I4x2: I4x2;
);

macro_rules! marks {
    ($($trait:ident, $list:ident: $($ty:ty),*;)*) => {
        $($(impl $trait for $ty {})*)*

        $(
            /// The element types of the trait.
            pub const $list: &[Element] = &[$(<$ty as DType>::ELEMENT),*];
        )*
    };
}

marks!(
    Integer, INTEGER: i8, i16, i32, u8, u16, u32;
    Common, COMMON: i8, i16, i32, u8, u16, u32, f16, bf16, f32;
);

/// Values as the bytes of global memory.
pub(super) fn to_bytes<T: DType>(values: &[T]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(std::mem::size_of_val(values));
    values.iter().for_each(|value| value.put(&mut bytes));
    bytes
}

/// The bytes of global memory as values.
pub(super) fn from_bytes<T: DType>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(std::mem::size_of::<T>()).map(T::get).collect()
}
