//! Prints the speed of the kernels on this machine: `cargo bench -p pto-bench --bench kernels`.
//!
//! An argument limits it to the cases whose names contain it, as in `-- matmul`.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use pto_kernels::layout::{Placement, copy_matrix};
use pto_kernels::map::{self, BinaryOp, UnaryOp};
use pto_kernels::matmul::{Init, MatMul, Scratch, matmul};
use pto_kernels::peak::{multiply_adds, multiply_adds_from_l1};
use pto_kernels::{Element, Level, ReduceOp, Rounding, convert, dispatch, reduce};

/// Seconds of one call, the minimum over many short batches, which excludes disturbances by other processes.
fn seconds(mut body: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        let mut calls = 0u32;
        while start.elapsed().as_secs_f64() < 0.0002 {
            for _ in 0..8 {
                body();
            }
            calls += 8;
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(calls));
    }
    best
}

fn per_second(name: &str, unit: &str, amount: f64, body: impl FnMut()) {
    // Cargo adds flags of its own, which start with `--`.
    let part = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    if part.is_none_or(|part| name.contains(&part)) {
        let seconds = seconds(body);
        let (rate, time) = (amount / seconds * 1e-9, seconds * 1e9);
        println!("{:?} {name}: {rate:.2} G{unit}/s, {time:.0} ns", dispatch::level());
    }
}

fn maps() {
    const COUNT: usize = 4096;
    let mut mem = vec![0u8; COUNT * 12];
    for (i, word) in mem.chunks_exact_mut(4).enumerate() {
        word.copy_from_slice(&(i as f32 % 17.0 + 0.5).to_le_bytes());
    }
    let ops = [
        (BinaryOp::Add, Element::F32),
        (BinaryOp::Add, Element::F16),
        (BinaryOp::Add, Element::I32),
        (BinaryOp::Add, Element::I8),
        (BinaryOp::Max, Element::F32),
        (BinaryOp::Div, Element::F32),
        (BinaryOp::Shl, Element::I16),
        (BinaryOp::Pow, Element::F32),
        (BinaryOp::Add, Element::Bf16),
    ];
    for (op, element) in ops {
        let kernel = map::binary(op, element).unwrap();
        let name = format!("{op:?} {element:?}");
        per_second(&name, " elements", COUNT as f64, || {
            kernel(black_box(&mut mem), COUNT * 8, 0, COUNT * 4, COUNT)
        });
    }
    let add = map::binary(BinaryOp::Add, Element::F32).unwrap();
    per_second("Add F32 16x16", " elements", 256.0, || {
        add(black_box(&mut mem), COUNT * 8, 0, COUNT * 4, 256)
    });
    per_second("Add F32 in place", " elements", COUNT as f64, || {
        add(black_box(&mut mem), 0, 0, COUNT * 4, COUNT)
    });
    per_second("Add F32, 8 columns", " elements", 8.0, || add(black_box(&mut mem), 0, 0, COUNT * 4, 8));
    for op in [UnaryOp::Exp, UnaryOp::Log, UnaryOp::Sqrt, UnaryOp::Rsqrt, UnaryOp::Relu] {
        let kernel = map::unary(op, Element::F32).unwrap();
        per_second(&format!("{op:?} F32"), " elements", COUNT as f64, || {
            kernel(black_box(&mut mem), COUNT * 8, 0, COUNT)
        });
    }
}

/// A buffer, and the offset in it of `bytes` bytes aligned to a cache line, as the memory of a block is.
fn aligned(bytes: usize) -> (Vec<u8>, usize) {
    let mem = vec![1; bytes + 64];
    let start = mem.as_ptr().align_offset(64);
    (mem, start)
}

/// Copies between all pairs of ND, NZ, ZN and ZZ, 128 x 128 elements: both tiles are in L2. Boxes have 16 rows or
/// columns and 32 bytes the other way.
fn layouts() {
    const SIDE: usize = 128;
    let boxed = |offset, ir: usize, ic: usize, [row_of_boxes, col_of_boxes, row, col]: [usize; 4]| {
        Placement { offset, box_rows: ir, box_cols: ic, row_of_boxes, col_of_boxes, row, col }
    };
    for bits in [8, 16, 32] {
        let c0 = 256 / bits as usize;
        let bytes = SIDE * SIDE * bits as usize / 8;
        let (mut mem, start) = aligned(bytes * 2);
        let of = |offset| {
            let offset = start + offset;
            [
                ("ND", Placement::rows(offset, SIDE)),
                ("NZ", boxed(offset, 16, c0, [16 * c0, SIDE * c0, c0, 1])),
                ("ZN", boxed(offset, c0, 16, [SIDE * c0, 16 * c0, 1, c0])),
                ("ZZ", boxed(offset, 16, c0, [SIDE * 16, 16 * c0, c0, 1])),
            ]
        };
        for ((from, src), (to, dst)) in of(0).into_iter().flat_map(|src| of(bytes).map(|dst| (src, dst))) {
            per_second(&format!("{from} to {to}, {bits} bits"), "B", bytes as f64, || {
                copy_matrix(black_box(&mut mem), &dst, &src, SIDE, SIDE, bits);
            });
        }
    }
}

/// Transposes of a matrix in L1.
fn transposes() {
    const SIDE: usize = 64;
    for bits in [8, 16, 32, 64] {
        let bytes = SIDE * SIDE * bits as usize / 8;
        let (mut mem, start) = aligned(bytes * 2);
        per_second(&format!("transpose, {bits} bits"), "B", bytes as f64, || {
            let (to, from) = (Placement::rows(start + bytes, SIDE), Placement::columns(start, SIDE));
            copy_matrix(black_box(&mut mem), &to, &from, SIDE, SIDE, bits);
        });
    }
}

/// The peaks of multiplications: in registers, and with the loads of a product.
fn peaks() {
    const ROUNDS: usize = 10_000;
    let registers = ("matmul peak", multiply_adds as fn(usize) -> usize);
    for (name, run) in [registers, ("matmul peak from L1", multiply_adds_from_l1)] {
        per_second(name, " multiply-adds", run(ROUNDS) as f64, || {
            black_box(run(ROUNDS));
        });
    }
}

fn products() {
    const SIZES: [[usize; 3]; 6] = [[16; 3], [32, 16, 32], [16, 64, 256], [64; 3], [128; 3], [256; 3]];
    let mut scratch = Scratch::default();
    for element in [Element::F32, Element::F16, Element::Bf16, Element::E4M3, Element::I8] {
        for [m, k, n] in SIZES {
            let c0 = 32 / element.bytes(1);
            let mut mem = vec![0u8; (m * k + k * n + m * n) * 4];
            let boxed = |offset, ir: usize, ic: usize, row_of_boxes, col_of_boxes, row, col| Placement {
                offset,
                box_rows: ir,
                box_cols: ic,
                row_of_boxes,
                col_of_boxes,
                row,
                col,
            };
            let [b, c] = [m * k * 4, (m * k + k * n) * 4];
            let plain = MatMul {
                m,
                k,
                n,
                a: Placement::rows(0, k),
                b: Placement::rows(b, n),
                c: Placement::rows(c, n),
                init: Init::Zero,
            };
            let fractal = MatMul {
                a: boxed(0, 16, c0, 16 * c0, m * c0, c0, 1),
                b: boxed(b, c0, 16, n * c0, 16 * c0, 1, c0),
                c: boxed(c, 16, 16, 256, m * 16, 16, 1),
                init: Init::Accumulate,
                ..plain
            };
            let kernel = matmul(element, element).unwrap();
            let steps = (m * k * n) as f64;
            for (name, product) in [("ND", plain), ("fractal", fractal)] {
                per_second(
                    &format!("matmul {element:?} {m}x{k}x{n} {name}"),
                    " multiply-adds",
                    steps,
                    || {
                        kernel(black_box(&mut mem), &product, &mut scratch);
                    },
                );
            }
        }
    }
}

fn conversions() {
    use Element::{Bf16, E4M3, F16, F32, HiF8, I8, I16, I32};
    const COUNT: usize = 4096;
    const COLS: usize = 128;
    let mut mem = vec![0u8; COUNT * 8];
    for (i, word) in mem.chunks_exact_mut(4).enumerate() {
        word.copy_from_slice(&(i as f32 % 17.0 + 0.3).to_le_bytes());
    }
    let pairs = [
        (F32, F16),
        (F16, F32),
        (F32, Bf16),
        (Bf16, F32),
        (F16, Bf16),
        (Bf16, F16),
        (F32, I32),
        (I32, F32),
        (F16, I8),
        (I16, I32),
        (I8, F16),
        (F32, E4M3),
        (F32, HiF8),
        (E4M3, F32),
    ];
    for (from, to) in pairs {
        for (saturate, word) in [(false, ""), (true, ", clamped")] {
            let conversion = convert(from, to, Rounding::NearestEven, saturate).unwrap();
            per_second(&format!("convert {from:?} to {to:?}{word}"), " elements", COUNT as f64, || {
                conversion.run(black_box(&mut mem), COUNT * 4, 0, COUNT);
            });
        }
    }
    for element in [F32, F16, I32] {
        let row = reduce::row(ReduceOp::Sum, element).unwrap();
        per_second(&format!("row sum {element:?}"), " elements", COUNT as f64, || {
            row(black_box(&mem), 0, COLS * element.bytes(1), COLS, black_box(&mut [0; COUNT / COLS]));
        });
        let column = reduce::column(ReduceOp::Max, element).unwrap();
        per_second(&format!("column max {element:?}"), " elements", COUNT as f64, || {
            column(black_box(&mut mem), COUNT * 4, 0, 64 * element.bytes(1), 64, 64);
        });
    }
}

fn main() {
    for level in dispatch::levels().filter(|&level| level > Level::Portable) {
        dispatch::with_level(level, || {
            conversions();
            peaks();
            products();
            layouts();
            transposes();
            maps();
        });
    }
}
