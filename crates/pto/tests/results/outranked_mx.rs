//! Results of quantization with MX scales where a device's golden or a header outranks the page.

use super::outranked::launch_of;
use super::*;

/// A kernel of TQUANT.MX on a source with these valid columns of 16, 32 declared ones, whose tiles are stored.
fn quantized(source: &str, valid: &str, dst_at: &str) -> String {
    format!(
        "!s = !pto.tile_buf<vec, 16x64x{source}>
!p = !pto.tile_buf<vec, 16x64x{source}, valid={valid}>
!q = !pto.tile_buf<vec, 16x64xi8, valid={valid}>
!e = !pto.tile_buf<vec, 1x32xui8>
!m = !pto.tile_buf<vec, 1x32x{source}>
!c = !pto.tile_buf<vec, 1x128x{source}, valid=1x32>
!v = !pto.tensor_view<16x64x{source}>
!w = !pto.tensor_view<16x64xi8>
!qw = !pto.tile_buf<vec, 16x64xi8>
func.func @f(%x: !pto.ptr<{source}>, %y: !pto.ptr<i8>) {{
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0 : i64
  %a8 = arith.constant 8192 : i64
  %a10 = arith.constant 10240 : i64
  %a12 = arith.constant 12288 : i64
  %a14 = arith.constant 14336 : i64
  %xv = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !v
  %yv = pto.make_tensor_view %y, shape = [%c16, %c64], strides = [%c64, %c1] : !w
  %s = pto.alloc_tile addr = %z : !s
  %p = pto.alloc_tile addr = %z : !p
  %q = pto.alloc_tile addr = {dst_at} : !q
  %qw = pto.alloc_tile addr = {dst_at} : !qw
  %e = pto.alloc_tile addr = %a10 : !e
  %m = pto.alloc_tile addr = %a12 : !m
  %c = pto.alloc_tile addr = %a14 : !c
  pto.tload ins(%xv : !v) outs(%s : !s)
  pto.tquant.mx ins(%p : !p) outs(%q, %e, %m, %c : !q, !e, !m, !c) {{quant_type = #pto<quant_type MXFP8>}}
  pto.tstore ins(%qw : !qw) outs(%yv : !w)
  STORE
  return
}}
"
    )
}

// 13.2: `tquant.mx` f32 -> fp8 in place
#[test]
fn quantization_of_f32_to_8_bits_may_be_in_place() {
    let x: Vec<f32> = (0..1024).map(|at| (at % 37) as f32 - 11.0).collect();
    let run = |at: &str| {
        let text = quantized("f32", "16x64", at).replace("  STORE\n", "");
        launch_of(&text, A5, vec![floats(&x), vec![0; 1024]]).remove(1)
    };
    assert_eq!(run("%z"), run("%a8"));
    let other = quantized("f32", "16x64", "%z").replace("addr = %a10", "addr = %z").replace("  STORE\n", "");
    assert!(pto::check(pto::parse(&other).expect("text").module, Some(A5)).is_err());
    let half = quantized("f16", "16x64", "%z").replace("  STORE\n", "");
    let found = pto::check(pto::parse(&half).expect("text").module, Some(A5)).expect_err("16 bits");
    assert!(found.iter().any(|finding| finding.rule == "tquant.mx::apart"), "{found:?}");
    // `tquant` to INT8 at the address of its source.
    let tiles = ["a", "r", "d"].map(|name| Tile::new(name, if name == "d" { "i8" } else { "f32" }, 8, 32));
    let text = programs::source(
        &tiles,
        "pto.tquant ins(%a, %r8 : !a, !r8) outs(%d : !d) {quant_type = #pto<quant_type INT8_SYM>}",
    )
    .replace(
        "  %a = pto.alloc_tile",
        "  %z = arith.constant 0 : i64\n  %r8 = pto.alloc_tile : !r8\n  %a = pto.alloc_tile addr = %z",
    )
    .replace("  %d = pto.alloc_tile", "  %d = pto.alloc_tile addr = %z")
    .replace("func.func", "!r8 = !pto.tile_buf<vec, 8x1xf32, blayout=col_major>\nfunc.func");
    for profile in [A2A3, A5, Cpu] {
        checked(&text, Some(profile));
    }
}

// 13.2: `tquant.mx`, f16 and bf16 source with vc < C, a5
#[test]
fn columns_of_a_16_bit_source_that_are_not_valid_become_zero() {
    for source in ["f16", "bf16"] {
        let text = |valid: &str, dst: &str| {
            quantized(source, valid, "%a8")
                .replace(&format!("16x64xi8, valid={valid}"), &format!("16x64xi8, valid={dst}"))
                .replace("  STORE", "  pto.tstore ins(%s : !s) outs(%xv : !v)")
        };
        let x: Vec<u8> = [0, 0x3c].repeat(1024);
        for dst in ["16x40", "16x64"] {
            let out = launch_of(&text("16x40", dst), A5, vec![x.clone(), vec![7; 1024]]);
            let row = &bits16(&out[0])[64..128];
            assert_eq!((row[39], &row[40..]), (0x3c00, &[0; 24][..]), "{source} {dst}");
            if dst == "16x64" {
                assert_eq!(out[1][40..64], [0; 24]);
                assert_ne!(out[1][39], 0);
            }
        }
        let whole = launch_of(&text("16x64", "16x64"), A5, vec![x.clone(), vec![7; 1024]]);
        assert_eq!(whole[0], x);
        let short = text("16x10", "16x10");
        assert!(pto::check(pto::parse(&short).expect("text").module, Some(A5)).is_err());
    }
}
