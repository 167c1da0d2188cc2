//! The tests of what the kernels compute, in one program. Few stand in `src`, those of choices and parts that results do not show:
//! they compile all kernels a second time, optimized, so only `.ci/asan` runs them, and `cargo test -p pto-kernels --lib`.

mod affine;
mod convert;
mod count;
mod dispatch;
mod format;
mod fused;
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
