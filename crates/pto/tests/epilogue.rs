//! Accumulators that are quantized on their way into a queue to the vector cores.

use crate::support::launch::{checked, module, program};
use pto::diag::Diagnostic;
use pto::isa::memory::Buffer;
use pto::observe::{Watcher, Watchers, watch};
use pto::passes::{LowerOptions, lower};
use pto::sim::{Options, Program, Value};

/// A kernel whose cube core pushes the product of `a` (16x32, i8) and `b` (32x32, i8). `cube` contains the setter
/// and the pushes, with `%scale` (f32) and `%fp` (1x32, parameters from the argument `fp`). The vector core stores
/// `pops` entries of type `to`, contiguously.
fn kernel(quant: &str, relu: &str, cube: &str, to: &str, pops: usize) -> String {
    let epilogue = format!("#pto.acc_push_epilogue<layout = nz2nd, quant = {quant}, relu = {relu}>");
    let open = format!(
        "{{id = 3, dir_mask = 1, slot_size = 2048, slot_num = 8, nosplit = true, acc_push_epilogue = {epilogue}}}"
    );
    let arguments = format!(
        "%a: !pto.ptr<i8>, %b: !pto.ptr<i8>, %fp_in: !pto.ptr<ui64>, %scale: f32, %out: !pto.ptr<{to}>"
    );
    let pop: String = (0..pops)
        .map(|at| {
            format!(
                "  %r{at} = arith.constant {at} : index
  %part{at} = pto.partition_view %ov, offsets = [%r{at}, %c0, %c0], sizes = [%c1, %c16, %c32] : !pto.tensor_view<?x?x?x{to}> -> !pto.partition_tensor_view<1x16x32x{to}>
  %t{at} = pto.tpop_from_aic {{id = 3, split = 0}} -> !pto.tile_buf<vec, 16x32x{to}>
  pto.tstore ins(%t{at} : !pto.tile_buf<vec, 16x32x{to}>) outs(%part{at} : !pto.partition_tensor_view<1x16x32x{to}>)
  pto.tfree_from_aic {{id = 3, split = 0}}
"
            )
        })
        .collect();
    format!(
        "!a = !pto.tile_buf<mat, 16x32xi8, blayout=col_major, slayout=row_major>
!b = !pto.tile_buf<mat, 32x32xi8, blayout=col_major, slayout=row_major>
!left = !pto.tile_buf<left, 16x32xi8, blayout=col_major, slayout=row_major>
!right = !pto.tile_buf<right, 32x32xi8, slayout=col_major>
!acc = !pto.tile_buf<acc, 16x32xi32, blayout=col_major, slayout=row_major, fractal=1024>
!fp_mat = !pto.tile_buf<mat, 1x32xui64>
!fp = !pto.tile_buf<scaling, 1x32xui64>
module attributes {{pto.target_arch = \"a5\"}} {{
func.func @k_aic({arguments}) attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %slots = pto.import_reserved_buffer {{name = \"slots\", peer_func = @k_aiv}} -> i32
  pto.aic_initialize_pipe {open} (c2v_consumer_buf = %slots : i32)
  %av = pto.make_tensor_view %a, shape = [%c16, %c32], strides = [%c32, %c1] : !pto.tensor_view<16x32xi8>
  %bv = pto.make_tensor_view %b, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<32x32xi8>
  %fpv = pto.make_tensor_view %fp_in, shape = [%c1, %c32], strides = [%c32, %c1] : !pto.tensor_view<1x32xui64>
  %am = pto.alloc_tile : !a
  %bm = pto.alloc_tile : !b
  %fpm = pto.alloc_tile : !fp_mat
  pto.tload ins(%av : !pto.tensor_view<16x32xi8>) outs(%am : !a)
  pto.tload ins(%bv : !pto.tensor_view<32x32xi8>) outs(%bm : !b)
  pto.tload ins(%fpv : !pto.tensor_view<1x32xui64>) outs(%fpm : !fp_mat)
  %l = pto.alloc_tile : !left
  %r = pto.alloc_tile : !right
  %fp = pto.alloc_tile : !fp
  pto.tmov ins(%am : !a) outs(%l : !left)
  pto.tmov ins(%bm : !b) outs(%r : !right)
  pto.tmov ins(%fpm : !fp_mat) outs(%fp : !fp)
  %acc = pto.alloc_tile : !acc
  pto.tmatmul ins(%l, %r : !left, !right) outs(%acc : !acc)
{cube}
  return
}}
func.func @k_aiv({arguments}) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant {pops} : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c512 = arith.constant 512 : index
  %slots = pto.reserve_buffer {{name = \"slots\", size = 16384, location = #pto.address_space<vec>, auto = true}} -> i32
  pto.aiv_initialize_pipe {open} (c2v_consumer_buf = %slots : i32)
  %ov = pto.make_tensor_view %out, shape = [%c3, %c16, %c32], strides = [%c512, %c32, %c1] : !pto.tensor_view<?x?x?x{to}>
{pop}  return
}}
}}
"
    )
}

const PUSH: &str = "  pto.tpush_to_aiv(%acc : !acc) {id = 3, split = 0}\n";
const SCALAR: &str = "  pto.set_quant_scalar(%scale : f32) {id = 3}\n";
const VECTOR: &str = "  pto.set_quant_vector(%fp : !fp) {id = 3}\n";

/// The resulting elements of rows 0 and 1, for a product of `row` ones and twos.
fn run(source: &str, parameters: [u64; 32], scale: f32, bytes: usize) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let program = Program::decode(&pto::check(module(source), None)?, None)?;
    let buffer = |bytes: Vec<u8>| Value::buffer(bytes);
    // Row i of the product is 32 (i - 8) in every column.
    let a = (0..16i8).flat_map(|i| [(i - 8) as u8; 32]).collect();
    let words = parameters.iter().flat_map(|word| word.to_le_bytes()).collect();
    let scalar = Value::Scalar(u64::from(scale.to_bits()));
    let values = vec![buffer(a), buffer(vec![1; 1024]), buffer(words), scalar, buffer(vec![0; bytes])];
    Ok(program.launch(values, &Options::default(), &mut [])?.buffers[3].bytes.to_vec())
}

fn rows_of_f32(bytes: &[u8], element: pto::isa::Element) -> Vec<f64> {
    (0..bytes.len() / element.bytes(1))
        .map(|at| element.decode(pto_num::get_element(bytes, 0, at, element)))
        .collect()
}

use pto::isa::Element;

#[test]
fn one_scale_quantizes_every_column() {
    let source = kernel("deqf16_scalar", "no_relu", &[SCALAR, PUSH].concat(), "f16", 1);
    let out = run(&source, [0; 32], 0.25, 1024).unwrap_or_else(|findings| panic!("{findings:#?}"));
    let out = rows_of_f32(&out, Element::F16);
    assert!(out.iter().enumerate().all(|(at, value)| *value == 8.0 * ((at / 32) as f64 - 8.0)), "{out:?}");
}

#[test]
fn each_column_has_its_parameter_and_relu_comes_last() {
    let source =
        kernel("deqf16_vec", "normal_relu", &[VECTOR, PUSH].concat(), "f16", 1).replace("\"a5\"", "\"a3\"");
    let parameters = std::array::from_fn(|col| u64::from((col as f32).to_bits()));
    let out = run(&source, parameters, 0.0, 1024).unwrap_or_else(|findings| panic!("{findings:#?}"));
    for (at, value) in rows_of_f32(&out, Element::F16).into_iter().enumerate() {
        let (row, col) = ((at / 32) as f64, (at % 32) as f64);
        assert_eq!(value, (32.0 * (row - 8.0) * col).max(0.0), "({row}, {col})");
    }
}

#[test]
fn the_sign_of_eight_bits_is_that_of_the_tile_that_is_popped() {
    let signed = kernel("req8_scalar", "no_relu", &[SCALAR, PUSH].concat(), "si8", 1);
    let out = run(&signed, [0; 32], 1.0, 512).unwrap_or_else(|findings| panic!("{findings:#?}"));
    assert_eq!((out[0] as i8, out[15 * 32] as i8), (-128, 127));
    let unsigned = kernel("req8_scalar", "no_relu", &[SCALAR, PUSH].concat(), "ui8", 1);
    let out = run(&unsigned, [0; 32], 1.0, 512).unwrap_or_else(|findings| panic!("{findings:#?}"));
    assert_eq!((out[0], out[15 * 32]), (0, 224));
}

#[test]
fn parameters_stay_until_others_are_set_and_are_read_when_an_entry_is_pushed() {
    let other = "  %two = arith.constant 2.0 : f32\n  pto.set_quant_scalar(%two : f32) {id = 3}\n";
    let source = kernel("deqf16_scalar", "no_relu", &[SCALAR, PUSH, PUSH, other, PUSH].concat(), "f16", 3);
    let out = run(&source, [0; 32], 1.0, 3072).unwrap_or_else(|findings| panic!("{findings:#?}"));
    let out = rows_of_f32(&out, Element::F16);
    assert_eq!([out[0], out[512], out[1024]], [-256.0, -256.0, -512.0]);
    // Moving another tile over a tile reuses the same address in the fixpipe buffer.
    let moved = "  pto.tload ins(%av : !pto.tensor_view<16x32xi8>) outs(%am : !a)\n  pto.tmov ins(%zm : !fp_mat) outs(%fp : !fp)\n";
    let zeros = "  %zm = pto.alloc_tile : !fp_mat\n";
    let cube = [zeros, VECTOR, PUSH, moved, PUSH].concat();
    let source = kernel("deqf16_vec", "no_relu", &cube, "f16", 2).replace("\"a5\"", "\"a3\"");
    let ones = [u64::from(1f32.to_bits()); 32];
    let out = run(&source, ones, 0.0, 2048).unwrap_or_else(|findings| panic!("{findings:#?}"));
    let out = rows_of_f32(&out, Element::F16);
    assert_eq!([out[0], out[512]], [-256.0, 0.0]);
}

/// Two tiles of parameters, of which the first is needed again after the second was written.
const TWICE: &str = "  %zeros = pto.alloc_tile : !fp_mat
  %other = pto.alloc_tile : !fp
  pto.tmov ins(%zeros : !fp_mat) outs(%other : !fp)
  pto.set_quant_vector(%other : !fp) {id = 3}
";

#[test]
fn a_push_reads_the_parameters_of_its_queue() {
    let cube = [VECTOR, PUSH, TWICE, PUSH, VECTOR, PUSH].concat();
    let source = kernel("deqf16_vec", "no_relu", &cube, "f16", 3).replace("\"a5\"", "\"a3\"");
    let checked = checked(&source, None);
    // Liveness includes the read of a push: the second tile is not placed over the first one.
    let lowered = lower(&checked, &LowerOptions::default()).expect("tiles that fit");
    let plan = lowered.buffers.iter().find(|plan| plan.buffer == Buffer::Fixpipe).expect("the plan of FB");
    let addresses: Vec<u64> = plan.places.iter().map(|place| place.address).collect();
    assert_eq!(addresses, [0, 256]);
    // The watcher detects the read of a push: if the second tile is over the first one, the push reads the second.
    let over = source
        .replace("alloc_tile : !fp\n", "alloc_tile addr = %zero : !fp\n")
        .replace("  %slots", "  %zero = arith.constant 0 : i64\n  %slots");
    assert_eq!(over.matches("addr = %zero").count(), 2);
    let program = program(&over, None);
    let values = vec![
        Value::buffer(vec![0; 512]),
        Value::buffer(vec![0; 1024]),
        Value::buffer(vec![1; 256]),
        Value::Scalar(0),
        Value::buffer(vec![0; 3072]),
    ];
    let mem = Watchers::of(&[Watcher::Mem]).into();
    let watched = watch(&program, vec![values], &Options::default(), &mem);
    let found = watched.unwrap_or_else(|found| panic!("{found:#?}")).1.findings;
    let [finding] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!(finding.rule, "mem::clobbered");
    assert!(finding.message.contains("%fp"), "{}", finding.message);
}

#[test]
fn entries_that_are_not_quantized_need_no_parameters() {
    let source = kernel("no_convert", "normal_relu", PUSH, "i32", 1);
    let out = run(&source, [0; 32], 0.0, 2048).unwrap_or_else(|findings| panic!("{findings:#?}"));
    let out = rows_of_f32(&out, Element::I32);
    assert_eq!([out[0], out[9 * 32]], [0.0, 32.0]);
}

#[test]
fn what_is_wrong_has_a_name() {
    let both = [SCALAR, PUSH].concat();
    let nested = format!("  %no = arith.constant false\n  scf.if %no {{\n{SCALAR}  }}\n{PUSH}");
    let good = kernel("deqf16_scalar", "no_relu", &both, "f16", 1);
    let elsewhere =
        kernel("no_convert", "normal_relu", "  func.call @pushes(%acc) : (!acc) -> ()\n", "i32", 1).replace(
            "func.func @k_aiv",
            &format!("func.func private @pushes(%acc: !acc) {{\n{PUSH}  return\n}}\nfunc.func @k_aiv"),
        );
    let cases = [
        (elsewhere, "queue::agreement"),
        (kernel("deqf16", "no_relu", &both, "f16", 1), "queue::epilogue"),
        (kernel("deqf16_scalar", "some_relu", &both, "f16", 1), "queue::epilogue"),
        (good.replace("nz2nd", "nz2zz"), "queue::epilogue"),
        (good.replace("nosplit = true", "nosplit = false"), "queue::epilogue"),
        (good.replace("dir_mask = 1", "dir_mask = 3"), "queue::epilogue"),
        (
            good.replace("deqf16_scalar", "qs322bf16_pre_scalar").replace("\"a5\"", "\"a3\""),
            "queue::epilogue",
        ),
        (good.replace("nz2nd", "nz2dn"), "queue::epilogue-layout"),
        (good.replacen("nz2nd, quant", "nz2dn, quant", 1), "queue::agreement"),
        (kernel("qf322f16_pre_scalar", "no_relu", &both, "f16", 1), "queue::epilogue-type"),
        (kernel("deqf16_scalar", "no_relu", &both, "i8", 1), "queue::epilogue-type"),
        (kernel("no_convert", "no_relu", PUSH, "f32", 1), "queue::epilogue-type"),
        (kernel("no_convert", "no_relu", PUSH, "i32", 0), "queue::epilogue-type"),
        (kernel("deqf16_scalar", "no_relu", PUSH, "f16", 1), "queue::quantization"),
        (kernel("deqf16_vec", "no_relu", &both, "f16", 1), "queue::quantization"),
        (good.replace("%scale : f32) {id = 3}", "%scale : f32) {id = 4}"), "queue::quantization"),
        (kernel("deqf16_scalar", "no_relu", &nested, "f16", 1), "queue::quantization"),
        (
            kernel("deqf16_vec", "no_relu", &[VECTOR, PUSH].concat(), "f16", 1)
                .replace("\"a5\"", "\"a3\"")
                .replace("1x32xui64>\n!fp", "1x32xui64, valid=1x16>\n!fp")
                .replace("<scaling, 1x32xui64>", "<scaling, 1x32xui64, valid=1x16>")
                .replace(
                    "[%c1, %c32], strides = [%c32, %c1] : !pto.tensor_view<1x32",
                    "[%c1, %c16], strides = [%c32, %c1] : !pto.tensor_view<1x16",
                )
                .replace("tensor_view<1x32xui64>", "tensor_view<1x16xui64>"),
            "queue::quantization",
        ),
        (good.replacen("split = 0}", "split = 1}", 1), "queue::split"),
    ];
    for (source, rule) in cases {
        let findings = run(&source, [0; 32], 1.0, 2048).expect_err(rule);
        assert!(findings.iter().any(|finding| finding.rule == rule), "{rule}: {findings:#?}");
        assert!(findings.iter().all(|finding| finding.primary.is_some()), "{findings:#?}");
    }
}
