//! Compares the exponential, the logarithm and the reciprocal square root of every f32 at every level of this host with
//! the portable ones, and those with the host's functions of f64: `cargo run --release -p pto-kernels --example
//! every_f32`. Takes some minutes. An optional argument is a part of a function name, such as `exp`.
#![allow(clippy::print_stdout)]

use pto_kernels::Element;
use pto_kernels::dispatch::{Level, levels, with_level};
use pto_kernels::map::{UnaryOp, unary};

/// Arguments in one buffer.
const COUNT: usize = 1 << 16;

/// A function of f64.
type Function = fn(f64) -> f64;

fn main() {
    let mut mem = vec![0u8; COUNT * 12];
    let filter = std::env::args().nth(1).unwrap_or_default();
    let ops: [(UnaryOp, Function); 3] =
        [(UnaryOp::Exp, f64::exp), (UnaryOp::Log, f64::ln), (UnaryOp::Rsqrt, |x| 1.0 / x.sqrt())];
    for (op, wide) in ops {
        if !format!("{op:?}").to_lowercase().contains(&filter) {
            continue;
        }
        let kernel = |level| with_level(level, || unary(op, Element::F32)).expect("f32 has it");
        let portable = kernel(Level::Portable);
        let mut worst = (0.0, 0.0);
        for high in 0..1u32 << 16 {
            arguments(&mut mem, high);
            portable(&mut mem, COUNT * 4, 0, COUNT);
            let (xs, ys) = mem[..COUNT * 8].split_at(COUNT * 4);
            for (x, y) in xs.as_chunks::<4>().0.iter().zip(ys.as_chunks::<4>().0) {
                let (x, y) = (f32::from_le_bytes(*x), f32::from_le_bytes(*y));
                let error = units(y, wide(f64::from(x)));
                if error > worst.0 {
                    worst = (error, x);
                }
            }
        }
        println!("{op:?}: at most {:.4} units of the last place from f64, of {:e}", worst.0, worst.1);
        for level in levels().filter(|level| *level != Level::Portable) {
            let other = kernel(level);
            let mut differ = 0u64;
            for high in 0..1u32 << 16 {
                arguments(&mut mem, high);
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

/// Writes the arguments whose upper 16 bits are `high`.
fn arguments(mem: &mut [u8], high: u32) {
    for (low, word) in mem.as_chunks_mut::<4>().0[..COUNT].iter_mut().enumerate() {
        *word = (high << 16 | low as u32).to_le_bytes();
    }
}

/// Distance of a result from the true value in units in the last place of the nearest f32; 0 if both are NaN or
/// infinite in f32.
fn units(result: f32, truth: f64) -> f64 {
    let nearest = truth as f32;
    if nearest.is_nan() || nearest.is_infinite() {
        let same = if nearest.is_nan() { result.is_nan() } else { result == nearest };
        return if same { 0.0 } else { f64::INFINITY };
    }
    let exponent = (nearest.to_bits() >> 23 & 0xff).max(1) as i32;
    (f64::from(result) - truth).abs() / 2f64.powi(exponent - 150)
}
