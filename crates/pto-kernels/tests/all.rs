//! The tests of the kernels, in one program: the crate is compiled once, without tests inside it.

mod affine;
mod convert;
mod count;
mod dispatch;
mod format;
mod fused;
mod inner;
mod interleave;
mod layout;
mod map;
mod mask;
mod matmul;
mod mx;
mod peak;
mod quant;
mod reduce;
mod sort;
mod streams;
mod testing;
