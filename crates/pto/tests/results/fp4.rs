//! Tiles of f4E2M1x2 count pairs of values: in types, regions, offsets and views.

use super::programs::{self, Tile, floats, launch, run};
use pto::Profile::A5;
use pto_num::Element;

const PAIR: &str = "!pto.f4E2M1x2";

/// 4-bit codes in an irregular order.
fn codes(count: usize) -> Vec<u8> {
    (0..count).map(|i| (i * 7 + i / 16 * 3 + i / 64) as u8 % 16).collect()
}

/// Packs codes into bytes, the first of two in the low half.
fn packed(codes: &[u8]) -> Vec<u8> {
    codes.chunks(2).map(|pair| pair[0] | pair[1] << 4).collect()
}

fn value(code: u8) -> f32 {
    Element::E2M1x2.decode(u64::from(code)) as f32
}

/// The values of codes as bytes of bf16, which represents them exactly.
fn bf16(codes: &[u8]) -> Vec<u8> {
    codes.iter().flat_map(|code| ((value(*code).to_bits() >> 16) as u16).to_le_bytes()).collect()
}

#[test]
fn bf16_16x64_becomes_16x32_and_comes_back() {
    let codes = codes(16 * 64);
    let tiles =
        [Tile::new("a", "bf16", 16, 64), Tile::new("d", PAIR, 16, 32), Tile::new("b", "bf16", 16, 64)];
    let lines = "pto.tcvt ins(%a : !a) outs(%d : !d)\n  pto.tcvt ins(%d : !d) outs(%b : !b)";
    let out = run(A5, &tiles, lines, vec![bf16(&codes), vec![0; 512], vec![0; 2048]]);
    assert_eq!(out[1], packed(&codes));
    assert_eq!(out[2], out[0]);
}

#[test]
fn a_dynamic_region_counts_pairs() {
    let codes = codes(8 * 64);
    let tiles = [Tile::new("a", "bf16", 8, 64), Tile::new("d", PAIR, 8, 32)];
    let lines = "%c8 = arith.constant 8 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %x = pto.alloc_tile valid_row = %c8 valid_col = %c10 : !pto.tile_buf<vec, 8x64xbf16, valid=?x?>
  %y = pto.alloc_tile valid_row = %c8 valid_col = %c5 : !pto.tile_buf<vec, 8x32x!pto.f4E2M1x2, valid=?x?>
  %from = pto.make_tensor_view %a_at, shape = [%c8, %c10], strides = [%a_cols, %one] : !pto.tensor_view<8x10xbf16>
  %to = pto.make_tensor_view %d_at, shape = [%c8, %c5], strides = [%d_cols, %one] : !pto.tensor_view<8x5x!pto.f4E2M1x2>
  pto.tload ins(%from : !pto.tensor_view<8x10xbf16>) outs(%x : !pto.tile_buf<vec, 8x64xbf16, valid=?x?>)
  pto.tcvt ins(%x : !pto.tile_buf<vec, 8x64xbf16, valid=?x?>) outs(%y : !pto.tile_buf<vec, 8x32x!pto.f4E2M1x2, valid=?x?>)
  pto.tstore ins(%y : !pto.tile_buf<vec, 8x32x!pto.f4E2M1x2, valid=?x?>) outs(%to : !pto.tensor_view<8x5x!pto.f4E2M1x2>)
  pto.tload ins(%d_view : !pto.tensor_view<8x32x!pto.f4E2M1x2>) outs(%d : !d)";
    let out = run(A5, &tiles, lines, vec![bf16(&codes), vec![0xee; 256]]);
    for (row, bytes) in out[1].chunks(32).enumerate() {
        assert_eq!(bytes[..5], packed(&codes[row * 64..row * 64 + 10]), "row {row}");
        assert_eq!(bytes[5..], [0xee; 27], "row {row}");
    }
}

#[test]
fn offsets_count_pairs() {
    let bytes: Vec<u8> = (0..8 * 64).map(|i| (i * 5 + i / 64) as u8).collect();
    let tiles = [
        Tile::new("s", PAIR, 8, 64),
        Tile::new("d", PAIR, 8, 32),
        Tile::new("e", PAIR, 8, 64),
        Tile::new("p", PAIR, 8, 32),
    ];
    let lines = "%c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c16 = arith.constant 16 : index
  %part = pto.subview %s[%c0, %c32] sizes [8, 32] : !s -> !d
  pto.tmov ins(%part : !d) outs(%p : !p)
  pto.textract ins(%s, %c0, %c32 : !s, index, index) outs(%d : !d)
  pto.tinsert ins(%d, %c0, %c32 : !d, index, index) outs(%e : !e)";
    let out = run(A5, &tiles, lines, vec![bytes.clone(), vec![0; 256], vec![0; 512], vec![0; 256]]);
    for row in 0..8 {
        let right = &bytes[row * 64 + 32..row * 64 + 64];
        assert_eq!(&out[1][row * 32..][..32], right, "textract, row {row}");
        assert_eq!(&out[3][row * 32..][..32], right, "subview, row {row}");
        assert_eq!(&out[2][row * 64 + 32..][..32], right, "tinsert, row {row}");
        assert_eq!(out[2][row * 64..][..32], [0; 32], "before the insertion, row {row}");
    }
}

#[test]
fn quantization_writes_pairs() {
    let mut codes = codes(16 * 64);
    // The largest value of each group is 6, so its scale is 1.
    codes.chunks_mut(32).for_each(|group| group[9] = 7);
    let tiles = [
        Tile::new("a", "bf16", 16, 64),
        Tile::new("d", PAIR, 16, 32),
        Tile::new("x", "ui8", 16, 32),
        Tile::new("m", "bf16", 16, 16),
        Tile::new("n", "bf16", 16, 16),
    ];
    let small = "!pto.tile_buf<vec, 1x32xbf16>";
    let exponents = "!pto.tile_buf<vec, 16x32xui8, valid=16x2>";
    let lines = format!(
        "%ex = pto.alloc_tile : {exponents}
  %gr = pto.alloc_tile : {small}
  %sc = pto.alloc_tile : {small}
  pto.tquant.mx ins(%a : !a) outs(%d, %ex, %gr, %sc : !d, {exponents}, {small}, {small}) {{quant_type = #pto<quant_type MXFP4_E2M1>}}"
    );
    let zeros = [512, 512, 512, 512].map(|bytes| vec![0; bytes]);
    let out = run(A5, &tiles, &lines, [vec![bf16(&codes)], zeros.to_vec()].concat());
    assert_eq!(out[1], packed(&codes));
}

#[test]
fn products_have_two_values_a_pair_along_k() {
    // Left: 16x64 values in row-major pairs; right: 64x32 in column-major pairs; the second group of the left
    // factor has scale 2.
    let (left, right) = (codes(16 * 64), codes(32 * 64).into_iter().rev().collect::<Vec<_>>());
    let scales: Vec<u8> = (0..32).map(|i| 127 + i % 2).collect();
    let buffers = vec![packed(&left), packed(&right), scales, vec![127; 64], vec![0; 16 * 32 * 4]];
    let out = launch(PRODUCT, Some(A5), buffers);
    let sum = |i: usize, j: usize| -> f32 {
        let term = |k: usize| value(left[i * 64 + k]) * value(right[j * 64 + k]) * (1 + k / 32) as f32;
        (0..64).map(term).sum()
    };
    let want: Vec<f32> = (0..16 * 32).map(|at| sum(at / 32, at % 32)).collect();
    assert_eq!(out[4], floats(&want));
}

#[test]
fn sixty_four_columns_do_not_become_sixty_four_pairs() {
    let tiles = [Tile::new("a", "bf16", 16, 64), Tile::new("d", PAIR, 16, 64)];
    let source = programs::source(&tiles, "pto.tcvt ins(%a : !a) outs(%d : !d)");
    let module = pto::parse(&source).expect("a program").module;
    let found = pto::check(module, Some(A5)).expect_err("extents that count values");
    assert!(found.iter().any(|finding| finding.rule == "tcvt::valid-region"), "{found:?}");
    let told = found
        .iter()
        .any(|finding| finding.message.contains("extents of !pto.f4E2M1x2 count pairs of values"));
    assert!(told, "{found:?}");
}

// 13.3: FP4 factors by rows
#[test]
fn a_right_factor_that_is_packed_along_its_rows_is_packed_down_its_columns() {
    let (left, right) = (codes(16 * 64), codes(32 * 64).into_iter().rev().collect::<Vec<_>>());
    // This factor by rows: value (k, n) is value k of column n.
    let by_rows: Vec<u8> = (0..64 * 32).map(|at| right[at % 32 * 64 + at / 32]).collect();
    let scales: Vec<u8> = (0..32).map(|i| 127 + i % 2).collect();
    let turned = PRODUCT
        .replace(
            "!rm = !pto.tile_buf<mat, 32x32x!pto.f4E2M1x2, blayout=row_major, slayout=col_major>",
            "!rm = !pto.tile_buf<mat, 64x32x!pto.f4E2M1x2, valid=64x16, blayout=col_major, slayout=row_major>",
        )
        .replace("!rv = !pto.tensor_view<32x32x!pto.f4E2M1x2>", "!rv = !pto.tensor_view<64x16x!pto.f4E2M1x2>")
        .replace(
            "%b, shape = [%c32, %c32], strides = [%c1, %c32] {layout = #pto.layout<dn>}",
            "%b, shape = [%c64, %c16], strides = [%c16, %c1]",
        )
        .replace("  %c32 = arith", "  %c0 = arith.constant 0 : index\n  %c64 = arith.constant 64 : index\n  %c32 = arith")
        .replace("pto.tmov ins(%rm : !rm) outs(%r : !r)", "pto.textract ins(%rm, %c0, %c0 : !rm, index, index) outs(%r : !r)");
    let buffers = |right: &[u8]| {
        vec![packed(&left), packed(right), scales.clone(), vec![127; 64], vec![0; 16 * 32 * 4]]
    };
    let want = launch(PRODUCT, Some(A5), buffers(&right)).remove(4);
    for by_formula in [false, true] {
        let options = pto::sim::Options::default().by_formula(by_formula);
        let out = programs::launch_with(&turned, Some(A5), buffers(&by_rows), &options);
        assert_eq!(out[4], want);
    }
}

const PRODUCT: &str = r#"
!lm = !pto.tile_buf<mat, 16x32x!pto.f4E2M1x2, blayout=col_major, slayout=row_major>
!rm = !pto.tile_buf<mat, 32x32x!pto.f4E2M1x2, blayout=row_major, slayout=col_major>
!l = !pto.tile_buf<left, 16x32x!pto.f4E2M1x2, blayout=col_major, slayout=row_major>
!r = !pto.tile_buf<right, 32x32x!pto.f4E2M1x2, blayout=row_major, slayout=col_major>
!xm = !pto.tile_buf<mat, 16x2x!pto.f8E8M0, blayout=row_major, slayout=row_major, fractal=32>
!ym = !pto.tile_buf<mat, 2x32x!pto.f8E8M0, blayout=col_major, slayout=col_major, fractal=32>
!x = !pto.tile_buf<scaling, 16x2x!pto.f8E8M0, blayout=row_major, slayout=row_major, fractal=32>
!y = !pto.tile_buf<scaling, 2x32x!pto.f8E8M0, blayout=col_major, slayout=col_major, fractal=32>
!c = !pto.tile_buf<acc, 16x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
!lv = !pto.tensor_view<16x32x!pto.f4E2M1x2>
!rv = !pto.tensor_view<32x32x!pto.f4E2M1x2>
!xv = !pto.tensor_view<1x1x1x16x2x!pto.f8E8M0>
!yv = !pto.tensor_view<1x2x1x16x2x!pto.f8E8M0>
!cv = !pto.tensor_view<16x32xf32>
func.func @k(%a: !pto.ptr<!pto.f4E2M1x2>, %b: !pto.ptr<!pto.f4E2M1x2>, %s: !pto.ptr<!pto.f8E8M0>, %t: !pto.ptr<!pto.f8E8M0>, %o: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %av = pto.make_tensor_view %a, shape = [%c16, %c32], strides = [%c32, %c1] : !lv
  %bv = pto.make_tensor_view %b, shape = [%c32, %c32], strides = [%c1, %c32] {layout = #pto.layout<dn>} : !rv
  %sv = pto.make_tensor_view %s, shape = [%c1, %c1, %c1, %c16, %c2], strides = [%c32, %c32, %c32, %c2, %c1] {layout = #pto.layout<mx_a_zz>} : !xv
  %tv = pto.make_tensor_view %t, shape = [%c1, %c2, %c1, %c16, %c2], strides = [%c32, %c32, %c32, %c2, %c1] {layout = #pto.layout<mx_b_nn>} : !yv
  %ov = pto.make_tensor_view %o, shape = [%c16, %c32], strides = [%c32, %c1] : !cv
  %lm = pto.alloc_tile : !lm
  %rm = pto.alloc_tile : !rm
  %xm = pto.alloc_tile : !xm
  %ym = pto.alloc_tile : !ym
  %l = pto.alloc_tile : !l
  %r = pto.alloc_tile : !r
  %x = pto.alloc_tile : !x
  %y = pto.alloc_tile : !y
  %c = pto.alloc_tile : !c
  pto.tload ins(%av : !lv) outs(%lm : !lm)
  pto.tload ins(%bv : !rv) outs(%rm : !rm)
  pto.tload ins(%sv : !xv) outs(%xm : !xm)
  pto.tload ins(%tv : !yv) outs(%ym : !ym)
  pto.tmov ins(%lm : !lm) outs(%l : !l)
  pto.tmov ins(%rm : !rm) outs(%r : !r)
  pto.tmov ins(%xm : !xm) outs(%x : !x)
  pto.tmov ins(%ym : !ym) outs(%y : !y)
  pto.tmatmul.mx ins(%l, %x, %r, %y : !l, !x, !r, !y) outs(%c : !c)
  pto.tstore ins(%c : !c) outs(%ov : !cv)
  return
}
"#;
