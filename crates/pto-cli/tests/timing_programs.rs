//! The programs of `examples/timing` at small sizes: their results are right, and no watcher finds an error.

use crate::support::command;
use crate::support::folder::Folder;
use pto_num::random;
use std::path::Path;

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/timing").join(name).display().to_string()
}

impl Folder {
    /// An input of a program: an argument, and a file with its bytes.
    fn input(&self, argument: &str, bytes: &[u8]) -> String {
        format!("{argument}={}", self.write(&format!("{argument}.bin"), bytes))
    }

    /// The bytes of an argument after a run of a program with all watchers.
    fn ran(&self, file: &str, blocks: u32, inputs: &[String], argument: &str) -> Vec<u8> {
        let [bytes] = self.ran_for(file, blocks, inputs, [argument]);
        bytes
    }

    /// The bytes of several arguments after such a run.
    fn ran_for<const N: usize>(
        &self,
        file: &str,
        blocks: u32,
        inputs: &[String],
        arguments: [&str; N],
    ) -> [Vec<u8>; N] {
        let blocks = blocks.to_string();
        let outputs = arguments.map(|argument| self.path(&format!("out-{argument}.npy")));
        let assigned: Vec<String> =
            arguments.iter().zip(&outputs).map(|(argument, output)| format!("{argument}={output}")).collect();
        let mut words = vec!["run", file, "--watch", "all", "--blocks", &blocks];
        words.extend(assigned.iter().flat_map(|output| ["-o", output.as_str()]));
        words.extend(inputs.iter().flat_map(|input| ["-i", input.as_str()]));
        let done = command(&words);
        assert!(done.status.success(), "{file}: {}", String::from_utf8_lossy(&done.stderr));
        outputs.map(|output| {
            let bytes = std::fs::read(&output).expect("the output");
            let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
            bytes[10 + header..].to_vec()
        })
    }
}

/// Numbers below `below` in an order without pattern.
fn numbers(mut seed: u64, count: usize, below: u32) -> Vec<u32> {
    (0..count).map(|_| (random::next(&mut seed) % u64::from(below)) as u32).collect()
}

/// Distance of the rows, and of the elements of convolutions, that are compared.
const SAMPLE: usize = 13;

/// Every [`SAMPLE`]th row.
fn sample<T: Copy>(values: &[T], width: usize) -> Vec<T> {
    values.chunks(width).step_by(SAMPLE).flatten().copied().collect()
}

/// The product of `a` by rows and `b` by columns.
fn product(a: &[f64], b: &[f64], depth: usize) -> Vec<f64> {
    let rows = a.chunks(depth);
    rows.flat_map(|row| b.chunks(depth).map(|column| row.iter().zip(column).map(|(x, y)| x * y).sum()))
        .collect()
}

/// The values of fp8 numbers with 5 bits of exponent.
fn e5m2(bits: u32) -> f64 {
    let sign = if bits & 0x80 == 0 { 1.0 } else { -1.0 };
    let exponent = ((bits >> 2) & 31) as i32;
    sign * (1.0 + f64::from(bits & 3) / 4.0) * f64::from(exponent - 15).exp2()
}

/// The values of fp4 numbers.
fn e2m1(bits: u32) -> f64 {
    let value = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0][(bits & 7) as usize];
    if bits & 8 == 0 { value } else { -value }
}

/// Compares numbers in `bf16`, whose last bit may be rounded.
fn assert_bf16(bytes: &[u8], want: &[f64]) {
    assert_eq!(bytes.len(), 2 * want.len());
    for (at, (pair, want)) in bytes.chunks(2).zip(want).enumerate() {
        let got = f64::from(f32::from_bits(u32::from(u16::from_le_bytes([pair[0], pair[1]])) << 16));
        assert!((got - want).abs() <= want.abs() / 256.0 + 1e-6, "element {at}: {got}, not {want}");
    }
}

/// Sizes of a product with MX scales, and the part of a core.
struct Sizes {
    m: usize,
    k: usize,
    n: usize,
    part: [usize; 2],
    blocks: u32,
}

/// Runs a product with MX scales: `values` decodes an element, `pack` writes elements as bytes.
fn mx(name: &str, sizes: &Sizes, codes: [Vec<u32>; 2], value: fn(u32) -> f64, pack: fn(&[u32]) -> Vec<u8>) {
    let Sizes { m, k, n, part, blocks } = *sizes;
    let folder = Folder::new();
    let scales = [numbers(3, m * k / 32, 4), numbers(4, n * k / 32, 4)];
    let scale = |exponent: u32| f64::from(exponent as i32 - 1).exp2();
    let [a, b] = [0, 1].map(|of| {
        let elements = codes[of].iter().enumerate();
        elements.map(|(at, code)| value(*code) * scale(scales[of][at / 32])).collect::<Vec<f64>>()
    });
    let bytes = |exponents: &[u32]| exponents.iter().map(|at| (126 + at) as u8).collect::<Vec<u8>>();
    let mut inputs = vec![
        folder.input("a", &pack(&codes[0])),
        folder.input("b", &pack(&codes[1])),
        folder.input("a_scale", &bytes(&scales[0])),
        folder.input("b_scale", &bytes(&scales[1])),
    ];
    let numbers = [("m", m), ("k", k), ("n", n), ("core_rows", part[0]), ("core_columns", part[1])];
    inputs.extend(numbers.map(|(name, number)| format!("{name}={number}")));
    let bytes = folder.ran(&example(name), blocks, &inputs, "c");
    assert_eq!(bytes.len(), 2 * m * n);
    assert_bf16(&sample(&bytes, 2 * n), &product(&sample(&a, k), &b, k));
}

#[test]
fn products_with_mx_scales_of_fp8_are_right() {
    let codes = |seed, count| {
        // Magnitudes from 1/2 to 7.
        numbers(seed, count, 32)
            .into_iter()
            .map(|of| ((of & 16) << 3) | ((14 << 2) + (of & 15)))
            .collect::<Vec<u32>>()
    };
    // One and a half groups of scales.
    let sizes = Sizes { m: 128, k: 6144, n: 512, part: [128, 512], blocks: 1 };
    let pack = |codes: &[u32]| codes.iter().map(|code| *code as u8).collect();
    mx("mx_fp8.pto", &sizes, [codes(1, 128 * 6144), codes(2, 512 * 6144)], e5m2, pack);
}

#[test]
fn products_with_mx_scales_of_fp4_are_right_at_edges() {
    let sizes = Sizes { m: 296, k: 3072, n: 356, part: [256, 512], blocks: 2 };
    let pack = |codes: &[u32]| codes.chunks(2).map(|pair| (pair[0] | pair[1] << 4) as u8).collect();
    let codes = [numbers(1, 296 * 3072, 16), numbers(2, 356 * 3072, 16)];
    mx("mx_fp4.pto", &sizes, codes, e2m1, pack);
}

/// Bytes of numbers that f16 represents, all of them normal or zero.
fn f16(values: &[f64]) -> Vec<u8> {
    let bits = |value: f64| {
        let bits = value.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32 - 1023 + 15;
        let magnitude = if value == 0.0 { 0 } else { (exponent as u16) << 10 | (bits >> 42) as u16 & 0x3ff };
        (bits >> 63 << 15) as u16 | magnitude
    };
    values.iter().flat_map(|value| bits(*value).to_le_bytes()).collect()
}

fn eighths(seed: u64, count: usize) -> Vec<f64> {
    numbers(seed, count, 33).into_iter().map(|of| (f64::from(of) - 16.0) / 8.0).collect()
}

/// softmax(q k^T / sqrt(128)) v.
fn attention(q: &[f64], k: &[f64], v: &[f64]) -> Vec<f64> {
    let scores = product(q, k, 128);
    let rows = scores.chunks(k.len() / 128);
    let attended = rows.flat_map(|scores| {
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = scores.iter().map(|score| ((score - most) / 128f64.sqrt()).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let column =
            |at: usize| weights.iter().zip(v.chunks(128)).map(|(weight, row)| weight * row[at]).sum::<f64>();
        (0..128).map(|at| column(at) / sum).collect::<Vec<f64>>()
    });
    attended.collect()
}

/// An example as `pto lower` lowers it.
fn lowered(folder: &Folder, name: &str) -> String {
    let (file, lowered) = (example(name), folder.path(name));
    let done = command(&["lower", &file, "-o", &lowered]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    lowered
}

/// Runs attention on two blocks. A program without flags is lowered first. `combine`: whether a second program combines
/// the results of two parts of the keys.
fn attends(name: &str, keys: usize, tile: usize, numbers: &[&str], combine: bool) {
    let folder = Folder::new();
    let (q, k, v) = (eighths(1, 256 * 128), eighths(2, keys * 128), eighths(3, keys * 128));
    let file = lowered(&folder, name);
    let mut inputs =
        vec![folder.input("q", &f16(&q)), folder.input("k", &f16(&k)), folder.input("v", &f16(&v))];
    let slots = 2 * 8 * 128;
    inputs.push(format!("score_ring=zeros:{}", slots * tile));
    inputs.push(format!("weight_ring=zeros:{}", slots * tile));
    inputs.push(format!("product_ring=zeros:{}", slots * 128));
    inputs.extend(numbers.iter().map(ToString::to_string));
    inputs.push(format!("keys={keys}"));
    let bytes = if combine {
        let [o, most, sum] = folder.ran_for(&file, 2, &inputs, ["o", "most_out", "sum_out"]);
        let parts = [("parts", o), ("most_in", most), ("sum_in", sum)];
        let mut states = parts.map(|(name, bytes)| folder.input(name, &bytes)).to_vec();
        states.push("rows=256".to_owned());
        folder.ran(&lowered(&folder, "attention_combine.pto"), 2, &states, "o")
    } else {
        folder.ran(&file, 2, &inputs, "o")
    };
    let want = attention(&sample(&q, 128), &k, &v);
    let bytes = sample(&bytes, 4 * 128);
    assert_eq!(bytes.len(), 4 * want.len());
    for (at, (bytes, want)) in bytes.chunks(4).zip(want).enumerate() {
        let got = f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        assert!((got - want).abs() < 2e-3, "element {at}: {got}, not {want}");
    }
}

#[test]
fn attention_with_flags_is_right() {
    attends("attention_flags.pto", 1536, 256, &["rings=2"], false);
}

#[test]
fn attention_without_flags_is_right() {
    attends("attention_256.pto", 1536, 256, &["rows=256"], false);
    // The others take minutes without optimization; `.ci/run` runs them with it.
    if !cfg!(debug_assertions) {
        attends("attention_512.pto", 2560, 512, &["rows=256"], false);
        attends("attention_split.pto", 2048, 256, &["rows=256"], true);
    }
}

#[test]
fn products_of_matrices_are_right() {
    // One core has the first quarter of the rows and the first sixth of the columns.
    let (n, folder) = (1536, Folder::new());
    let (a, b) = (eighths(1, n * n), eighths(2, n * n));
    let inputs = [folder.input("a", &f16(&a)), folder.input("b", &f16(&b)), format!("n={n}")];
    let bytes = folder.ran(&example("gemm.pto"), 1, &inputs, "c");
    let want = product(&a[..2 * n], &b[..256 * n], n);
    for (at, want) in want.iter().enumerate() {
        let first = 4 * (at / 256 * n + at % 256);
        let got = f32::from_le_bytes([bytes[first], bytes[first + 1], bytes[first + 2], bytes[first + 3]]);
        assert_eq!(f64::from(got), *want, "element {at}");
    }
}

/// The first `kept` numbers of rows of 1024 out of 1280.
fn firsts(name: &str, kept: usize, bytes_of: fn(&[f64]) -> Vec<u8>) {
    let (rows, folder) = (8, Folder::new());
    let x: Vec<f64> = numbers(1, rows * 1280, 1 << 11).into_iter().map(f64::from).collect();
    let mut inputs = vec![folder.input("x", &bytes_of(&x)), "indices_in=arange".to_owned()];
    inputs.extend(["rows=8".to_owned(), "rows_per_core=4".to_owned()]);
    let bytes = folder.ran(&example(name), 2, &inputs, "y");
    let want = x.chunks(1280).flat_map(|row| {
        let mut sorted = row[..1024].to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        sorted[..kept].to_vec()
    });
    assert!(bytes == bytes_of(&want.collect::<Vec<f64>>()), "{name}");
}

#[test]
fn the_first_numbers_of_rows_are_right() {
    firsts("topk.pto", 1000, |values| {
        values.iter().flat_map(|value| (*value as f32).to_le_bytes()).collect()
    });
    firsts("topk_f16.pto", 1008, f16);
}

/// An element of a convolution by its definition: of the first map of `x`, in groups of 16 channels, with `n` results, at padded
/// edges.
fn convolution(x: &[f64], w: &[f64], [groups, high, width, n]: [usize; 4], at: usize) -> f64 {
    let (block, point, lane) = (at / (16 * high * width), at / 16 % (high * width), at % 16);
    let taps = (0..groups * 9).map(|tap| (tap / 9, tap / 3 % 3, tap % 3));
    let products = taps.map(|(group, row, column)| {
        let (from_row, from_column) = (point / width + row, point % width + column);
        if !(1..=high).contains(&from_row) || !(1..=width).contains(&from_column) {
            return 0.0;
        }
        let from = ((group * high + from_row - 1) * width + from_column - 1) * 16;
        let weights = (((group * 3 + row) * 3 + column) * n / 16 + block) * 256 + 16 * lane;
        (0..16).map(|channel| x[from + channel] * w[weights + channel]).sum()
    });
    products.sum()
}

fn convolves(name: &str, [groups, high, width]: [usize; 3]) {
    let (n, folder) = (1536, Folder::new());
    let whole =
        |seed, count| numbers(seed, count, 5).into_iter().map(|of| f64::from(of) - 2.0).collect::<Vec<_>>();
    let (x, w) = (whole(1, 4 * groups * high * width * 16), whole(2, groups * 9 * n * 16));
    let mut inputs = vec![folder.input("x", &f16(&x)), folder.input("w", &f16(&w))];
    inputs.extend([format!("groups={groups}"), format!("n={n}")]);
    if width != 48 {
        inputs.push(format!("high={high}"));
    }
    let bytes = folder.ran(&example(name), 1, &inputs, "y");
    // The first core has a sixth of the results of the first map.
    let elements = (0..256 * high * width).step_by(SAMPLE);
    let want: Vec<f64> = elements.map(|at| convolution(&x, &w, [groups, high, width, n], at)).collect();
    assert!(sample(&bytes[..2 * 256 * high * width], 2) == f16(&want), "{name}");
}

#[test]
fn convolutions_are_right() {
    convolves("conv_48.pto", [2, 8, 48]);
    convolves("conv_64.pto", [2, 8, 64]);
    convolves("conv_96.pto", [2, 8, 96]);
    convolves("conv_128.pto", [2, 5, 128]);
}
