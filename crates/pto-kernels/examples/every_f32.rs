//! Compares the exponential, the logarithm and the reciprocal square root of every f32 at every level of this host with
//! the portable ones: `cargo run --release -p pto-kernels --example every_f32`. Takes some minutes.
#![allow(clippy::print_stdout)]

use pto_kernels::Element;
use pto_kernels::dispatch::{Level, levels, with_level};
use pto_kernels::map::{UnaryOp, unary};

/// Arguments in one buffer.
const COUNT: usize = 1 << 16;

fn main() {
    let mut mem = vec![0u8; COUNT * 12];
    for op in [UnaryOp::Exp, UnaryOp::Log, UnaryOp::Rsqrt] {
        let kernel = |level| with_level(level, || unary(op, Element::F32)).expect("f32 has it");
        let portable = kernel(Level::Portable);
        for level in levels().filter(|level| *level != Level::Portable) {
            let other = kernel(level);
            let mut differ = 0u64;
            for high in 0..1u32 << 16 {
                for (low, word) in mem.as_chunks_mut::<4>().0[..COUNT].iter_mut().enumerate() {
                    *word = (high << 16 | low as u32).to_le_bytes();
                }
                portable(&mut mem, COUNT * 4, 0, COUNT);
                other(&mut mem, COUNT * 8, 0, COUNT);
                let (results, others) = mem[COUNT * 4..].split_at(COUNT * 4);
                differ += results.chunks_exact(4).zip(others.chunks_exact(4)).filter(|(a, b)| a != b).count()
                    as u64;
            }
            println!("{op:?} at {level:?}: {differ} of 2^32 differ from the portable result");
        }
    }
}
