//! Tests of the results of the kernels, in one program. A few tests are in `src`: those of choices and parts that do
//! not show in results. They compile all kernels a second time, optimized, so only `.ci/asan` and `cargo test -p
//! pto-kernels --lib` run them.

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
