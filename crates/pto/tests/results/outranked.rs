//! Results where a device's golden or a header outranks the page.

use super::*;
use pto::observe::{Watcher, Watchers};
use pto::sim::Value;

fn each(expected: impl Fn(Profile, bool)) {
    for profile in [A2A3, A5, Cpu] {
        for by_formula in [false, true] {
            expected(profile, by_formula);
        }
    }
}

/// Runs lines on tiles, by the formula or not, and returns the buffers.
fn compute(
    (profile, by_formula): (Profile, bool),
    tiles: &[Tile],
    lines: &str,
    buffers: Vec<Vec<u8>>,
) -> Vec<Vec<u8>> {
    let options = Options::default().by_formula(by_formula);
    programs::launch_with(&programs::source(tiles, lines), Some(profile), buffers, &options)
}

// 13.2: `trem`, `trems`, i64 and ui64, a5
#[test]
fn remainders_of_64_bits_truncate_on_a5() {
    let tiles = ["a", "b", "d"].map(|name| Tile::new(name, "i64", 1, 4));
    let buffers = || vec![i64s(&[-7, 7, -6, 5]), i64s(&[3, -3, 3, -4]), vec![0; 32]];
    for (profile, wanted) in [(A5, [-1, 1, 0, 1]), (Cpu, [2, -2, 0, -3])] {
        for by_formula in [false, true] {
            let lines = "pto.trem ins(%a, %b : !a, !b) outs(%d : !d)";
            assert_eq!(compute((profile, by_formula), &tiles, lines, buffers())[2], i64s(&wanted));
            let lines = "%s = arith.constant 3 : i64\n  pto.trems ins(%a, %s : !a, i64) outs(%d : !d)";
            let wanted = if profile == A5 { [-1, 1, 0, 2] } else { [2, 1, 0, 2] };
            assert_eq!(compute((profile, by_formula), &tiles, lines, buffers())[2], i64s(&wanted));
        }
    }
    let tiles = ["a", "b", "d"].map(|name| Tile::new(name, "i32", 1, 8));
    let lines = "pto.trem ins(%a, %b : !a, !b) outs(%d : !d)";
    let buffers = vec![i32s(&[-7; 8]), i32s(&[3; 8]), vec![0; 32]];
    assert_eq!(compute((A5, false), &tiles, lines, buffers)[2], i32s(&[2; 8]));
}

// 13.2: `trem`, `trems` of floats, all profiles
#[test]
fn a_float_remainder_of_zero_is_positive() {
    each(|profile, by_formula| {
        let plain = ["a", "b", "d"].map(|name| Tile::new(name, "f32", 1, 8));
        let tiles = plain.into_iter().chain([Tile::new("t", "f32", 2, 16)]).collect::<Vec<_>>();
        let a = [-6.0, 6.0, -0.0, 0.0, -7.0, 7.0, -6.0, 6.0];
        let b = [3.0, -3.0, 3.0, -3.0, 3.0, -3.0, -3.0, 3.0];
        let buffers = || vec![floats(&a), floats(&b), vec![0; 32], vec![0; 128]];
        let wanted = floats(&[0.0, 0.0, 0.0, 0.0, 2.0, -2.0, 0.0, 0.0]);
        let lines = "pto.trem ins(%a, %b, %t : !a, !b, !t) outs(%d : !d)";
        let out = compute((profile, by_formula), &tiles, lines, buffers());
        assert_eq!(out[2], wanted, "{profile:?}");
        let lines = "%s = arith.constant -3.0 : f32\n  pto.trems ins(%a, %s, %t : !a, f32, !t) outs(%d : !d)";
        let out = compute((profile, by_formula), &tiles, lines, buffers());
        assert_eq!(out[2][..8], [0; 8], "{profile:?}");
    });
}

// 13.2: `trem` on i32, a2a3
#[test]
fn remainders_of_i32_overwrite_their_sources_on_a2a3() {
    let tiles = ["a", "b", "t", "d"].map(|name| Tile::new(name, "i32", 2, 16));
    let lines = "pto.trem ins(%a, %b, %t : !a, !b, !t) outs(%d : !d)";
    let text = programs::source(&tiles, lines);
    let large = 16_777_217;
    let buffers = || vec![i32s(&[large; 32]), i32s(&[10; 32]), vec![0; 128], vec![0; 128]];
    for by_formula in [false, true] {
        let out = compute((A2A3, by_formula), &tiles, lines, buffers());
        assert_eq!((&out[0], &out[3]), (&i32s(&[16_777_216; 32]), &i32s(&[7; 32])));
        for profile in [A5, Cpu] {
            let out = compute((profile, by_formula), &tiles, lines, buffers());
            assert_eq!((&out[0], &out[3]), (&i32s(&[large; 32]), &i32s(&[7; 32])), "{profile:?}");
        }
    }
    let found = |profile: Profile, dividend: i32| -> Vec<String> {
        let mut buffers = buffers();
        buffers[0] = i32s(&[dividend; 32]);
        let values = buffers.into_iter().map(Value::buffer).collect();
        let options = Options::default();
        let outcome = program(&text, Some(profile)).launch(values, &options, &mut []).expect("a run");
        outcome.warnings.iter().map(|finding| finding.rule.to_string()).collect()
    };
    assert_eq!(found(A2A3, large), ["trem::range"]);
    assert!(found(A2A3, -16_777_216).is_empty());
    assert!(found(A5, large).is_empty());
    // The store reads bits of f32 that no instruction wrote as values.
    let watched =
        |profile| launch::rules(&launch::watch_text(&text, Some(profile), Watchers::of(&[Watcher::Init])));
    assert!(watched(A2A3).iter().any(|rule| rule.starts_with("init::")), "{:?}", watched(A2A3));
    assert_eq!(watched(A5), Vec::<String>::new());
}

// 13.2: `tpartargmax`, `tpartargmin`, equal elements, all profiles
#[test]
fn of_two_equal_extremes_the_first_source_is_taken() {
    each(|profile, by_formula| {
        for (name, element) in [("tpartargmax", "f32"), ("tpartargmin", "f32"), ("tpartargmax", "i32")] {
            if profile == A5 && element == "i32" {
                continue;
            }
            let value = |name| Tile::new(name, element, 1, 8);
            let index = |name| Tile::new(name, "ui32", 1, 8);
            let tiles = [value("a"), value("b"), index("i"), index("j"), value("d"), index("k")];
            let lines = format!("pto.{name} ins(%a, %b, %i, %j : !a, !b, !i, !j) outs(%d, %k : !d, !k)");
            let (zeros, minus) = (floats(&[0.0; 8]), floats(&[-0.0; 8]));
            let second = if element == "f32" { minus } else { zeros.clone() };
            let buffers = vec![zeros, second, i32s(&[1; 8]), i32s(&[2; 8]), vec![0; 32], vec![0; 32]];
            let out = compute((profile, by_formula), &tiles, &lines, buffers);
            assert_eq!((&out[4], &out[5]), (&vec![0; 32], &i32s(&[1; 8])), "{name} {profile:?}");
        }
    });
}

// 13.2: `tinterleave`, odd vc = n
#[test]
fn an_odd_stream_is_interleaved_in_pairs() {
    let text = "!t = !pto.tile_buf<vec, 1x8xf32, valid=1x3>
!v = !pto.tensor_view<1x3xf32>
func.func @f(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %c: !pto.ptr<f32>, %d: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %av = pto.make_tensor_view %a, shape = [%c1, %c3], strides = [%c3, %c1] : !v
  %bv = pto.make_tensor_view %b, shape = [%c1, %c3], strides = [%c3, %c1] : !v
  %cv = pto.make_tensor_view %c, shape = [%c1, %c3], strides = [%c3, %c1] : !v
  %dv = pto.make_tensor_view %d, shape = [%c1, %c3], strides = [%c3, %c1] : !v
  %ta = pto.alloc_tile : !t
  %tb = pto.alloc_tile : !t
  %tc = pto.alloc_tile : !t
  %td = pto.alloc_tile : !t
  pto.tload ins(%av : !v) outs(%ta : !t)
  pto.tload ins(%bv : !v) outs(%tb : !t)
  pto.tload ins(%cv : !v) outs(%tc : !t)
  pto.tload ins(%dv : !v) outs(%td : !t)
  pto.tinterleave ins(%ta, %tb : !t, !t) outs(%tc, %td : !t, !t)
  pto.tstore ins(%tc : !t) outs(%cv : !v)
  pto.tstore ins(%td : !t) outs(%dv : !v)
  return
}
";
    let line = |first: f32, n: usize| (0..n).map(|at| first + at as f32).collect::<Vec<f32>>();
    let run = |n: usize, profile: Profile, by_formula: bool| {
        let declared = n.next_multiple_of(8);
        let text = text
            .replace("1x8xf32, valid=1x3", &format!("1x{declared}xf32, valid=1x{n}"))
            .replace("1x3xf32", &format!("1x{n}xf32"))
            .replace("arith.constant 3", &format!("arith.constant {n}"));
        let buffers = [line(0.0, n), line(1000.0, n), vec![-1.0; n], vec![-2.0; n]];
        let buffers = buffers.iter().map(|list| floats(list)).collect();
        let options = Options::default().by_formula(by_formula);
        let out = programs::launch_with(&text, Some(profile), buffers, &options);
        [launch::floats(&out[2]), launch::floats(&out[3])]
    };
    for by_formula in [false, true] {
        for profile in [A5, Cpu] {
            let [first, second] = run(3, profile, by_formula);
            assert_eq!((first, second), (vec![0.0, 1000.0, 1.0], vec![1.0, 1001.0, 2.0]), "{profile:?}");
        }
        let [first, second] = run(129, A5, by_formula);
        assert_eq!((first[127], first[128], second[128]), (1063.0, -1.0, -2.0));
        let [first, second] = run(129, Cpu, by_formula);
        assert_eq!((first[128], second[128]), (64.0, 128.0));
    }
    let found = |profile| -> Vec<String> {
        checked(text, Some(profile)).warnings().iter().map(|finding| finding.to_string()).collect()
    };
    assert!(found(A5)[0].contains("tinterleave::even-columns"), "{:?}", found(A5));
    assert!(found(Cpu).is_empty());
}

// 13.2: `tgather` mask form, 64-bit elements, a5
#[test]
fn rows_of_64_bits_are_gathered_to_a_share_of_each_row() {
    let tiles = [Tile::new("a", "i64", 2, 8), Tile::new("d", "i64", 2, 8)];
    let lines = "pto.tgather ins(%a, {maskPattern = #pto.mask_pattern<P0101>} : !a) outs(%d : !d)";
    for by_formula in [false, true] {
        let a: Vec<i64> = (0..16).collect();
        let buffers = || vec![i64s(&a), i64s(&[-1; 16])];
        let out = compute((A5, by_formula), &tiles, lines, buffers());
        assert_eq!(out[1], i64s(&[0, 2, 4, 6, 8, 10, 12, 14, -1, -1, -1, -1, -1, -1, -1, -1]));
        let out = compute((Cpu, by_formula), &tiles, lines, buffers());
        assert_eq!(out[1], i64s(&[0, 2, 4, 6, -1, -1, -1, -1, 8, 10, 12, 14, -1, -1, -1, -1]));
    }
}

// 13.2: `settf32mode`, a5
#[test]
fn products_on_a5_round_their_factors_to_ten_bits_in_both_modes() {
    let text = |mode: &str| {
        format!(
            "func.func @f() {{\n  pto.settf32mode {{enable = true, mode = #pto<round_mode {mode}>}}\n  return\n}}\n"
        )
    };
    for mode in ["RINT", "ROUND"] {
        assert!(checked(&text(mode), Some(A5)).warnings().is_empty(), "{mode}");
    }
    assert!(pto::check(pto::parse(&text("FLOOR")).expect("text").module, Some(A5)).is_err());
}

// 13.2: TCONCAT with counts, dst has rows but no valid column
#[test]
fn the_counts_of_a_concatenation_without_columns_are_written() {
    let text = "!s = !pto.tile_buf<vec, 8x8xf32>
!i = !pto.tile_buf<vec, 8x8xi32, valid=8x1>
!d = !pto.tile_buf<vec, 8x16xf32, valid=8x0>
func.func @f(%y: !pto.ptr<i32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %seven = arith.constant 7 : i32
  %zero = arith.constant 0.0 : f32
  %yv = pto.make_tensor_view %y, shape = [%c8, %c1], strides = [%c1, %c1] : !pto.tensor_view<8x1xi32>
  %s = pto.alloc_tile : !s
  %i = pto.alloc_tile : !i
  %n = pto.alloc_tile : !i
  %d = pto.alloc_tile : !d
  pto.texpands ins(%zero : f32) outs(%s : !s)
  pto.texpands ins(%seven : i32) outs(%i : !i)
  pto.texpands ins(%seven : i32) outs(%n : !i)
  pto.tconcat ins(%s, %s, %i, %i : !s, !s, !i, !i) outs(%d, %n : !d, !i)
  pto.tstore ins(%n : !i) outs(%yv : !pto.tensor_view<8x1xi32>)
  return
}
";
    for profile in [A2A3, A5] {
        assert_eq!(launch_of(text, profile, vec![i32s(&[9; 8])])[0], i32s(&[0; 8]), "{profile:?}");
    }
}

pub(super) fn launch_of(text: &str, profile: Profile, buffers: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let slow = Options::default().by_formula(true);
    let formula = programs::launch_with(text, Some(profile), buffers.clone(), &slow);
    let fast = programs::launch_with(text, Some(profile), buffers, &Options::default());
    assert_eq!(formula, fast, "{profile:?}\n{text}");
    fast
}

// 13.2: `tinsert` vec -> vec in NZ, a5; the same, column offset no multiple of c0
#[test]
fn inserts_into_boxes_write_whole_blocks_on_a5() {
    let text = "!n = !pto.tile_buf<vec, 16x16xf32>
!s = !pto.tile_buf<vec, 16x16xf32, valid=3x5, blayout=col_major, slayout=row_major>
!z = !pto.tile_buf<vec, 16x16xf32, blayout=col_major, slayout=row_major>
!v = !pto.tensor_view<16x16xf32>
func.func @f(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %col = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i64
  %to = arith.constant 4096 : i64
  %xv = pto.make_tensor_view %x, shape = [%c16, %c16], strides = [%c16, %c1] : !v
  %yv = pto.make_tensor_view %y, shape = [%c16, %c16], strides = [%c16, %c1] : !v
  %n = pto.alloc_tile addr = %z : !n
  %s = pto.alloc_tile addr = %z : !s
  %m = pto.alloc_tile addr = %to : !n
  %d = pto.alloc_tile addr = %to : !z
  pto.tload ins(%xv : !v) outs(%n : !n)
  pto.tload ins(%yv : !v) outs(%m : !n)
  pto.tinsert ins(%s, %c1, %col : !s, index, index) outs(%d : !z)
  pto.tstore ins(%m : !n) outs(%yv : !v)
  return
}
";
    let x: Vec<f32> = (0..256).map(|at| at as f32).collect();
    // Bytes lie in boxes: block column c of row r begins at element c * 128 + r * 8.
    let moved = |wide: usize| -> Vec<f32> {
        let mut y = vec![-1.0; 256];
        for row in 0..3 {
            for col in 0..wide {
                y[128 + (row + 1) * 8 + col] = (row * 8 + col) as f32;
            }
        }
        y
    };
    for (profile, wide) in [(A5, 8), (Cpu, 5)] {
        let out = launch_of(text, profile, vec![floats(&x), floats(&[-1.0; 256])]);
        assert_eq!(launch::floats(&out[1]), moved(wide), "{profile:?}");
    }
    let aside = text.replace("constant 8 : index", "constant 5 : index");
    let found = pto::check(pto::parse(&aside).expect("text").module, Some(A5)).expect_err("inside a block");
    assert_eq!(found[0].rule, "tinsert::alignment");
    checked(&aside, Some(Cpu));
}

#[test]
fn a_split_insert_moves_whole_boxes_of_rows() {
    let text = "!s = !pto.tile_buf<vec, 16x32xf16, valid=5x20, blayout=col_major, slayout=row_major>
!d = !pto.tile_buf<mat, 32x64xf16, blayout=col_major, slayout=row_major>
module attributes {pto.target_arch = \"a5\"} {
  func.func @f() {
    %c0 = arith.constant 0 : index
    %s = pto.alloc_tile : !s
    %d = pto.alloc_tile : !d
    pto.tinsert ins(%s, %c0, %c0 : !s, index, index) outs(%d : !d)
    pto.tinsert ins(%s, %c0, %c0 : !s, index, index) outs(%d : !d) {tinsertMode = #pto.tinsert_mode<split2>}
    return
  }
}
";
    let log = launch::log_text(text);
    let bytes: Vec<u64> = log.entries().map(|entry| entry.bytes()).collect();
    assert_eq!((bytes[0], bytes[1..].iter().sum::<u64>()), (320, 1024));
}

// 13.3: FRACTAL_Z convolution tiles (mat) -> right: r[i][j] = w[(k+i)/C0][..][n+j][(k+i) mod C0]
#[test]
fn weights_are_the_right_factor_of_a_product() {
    let text = "!w = !pto.conv_tile<mat, FRACTAL_Z, 4x2x16x8xf32>
!b = !pto.tile_buf<mat, 1x1024xf32>
!i = !pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>
!l = !pto.tile_buf<left, 16x16xf32, blayout=col_major, slayout=row_major>
!r = !pto.tile_buf<right, 16x16xf32, slayout=col_major>
!a = !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>
!v = !pto.tensor_view<16x16xf32>
!f = !pto.tensor_view<1x1024xf32>
func.func @f(%x: !pto.ptr<f32>, %one: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %z = arith.constant 0 : i64
  %at = arith.constant 8192 : i64
  %xv = pto.make_tensor_view %x, shape = [%c1, %c1024], strides = [%c1024, %c1] : !f
  %ov = pto.make_tensor_view %one, shape = [%c16, %c16], strides = [%c16, %c1] : !v
  %yv = pto.make_tensor_view %y, shape = [%c16, %c16], strides = [%c16, %c1] : !v
  %b = pto.alloc_tile addr = %z : !b
  %w = pto.alloc_tile addr = %z : !w
  %i = pto.alloc_tile addr = %at : !i
  %l = pto.alloc_tile : !l
  %r = pto.alloc_tile : !r
  %a = pto.alloc_tile : !a
  pto.tload ins(%xv : !f) outs(%b : !b)
  pto.tload ins(%ov : !v) outs(%i : !i)
  pto.tmov ins(%i : !i) outs(%l : !l)
  pto.textract ins(%w, %c8, %c16 : !w, index, index) outs(%r : !r)
  pto.tmatmul ins(%l, %r : !l, !r) outs(%a : !a)
  pto.tstore ins(%a : !a) outs(%yv : !v)
  return
}
";
    let x: Vec<f32> = (0..1024).map(|at| at as f32).collect();
    let unit: Vec<f32> = (0..256).map(|at| if at % 17 == 0 { 1.0 } else { 0.0 }).collect();
    // Element (block, n, c) of the weights is number (block * 32 + n) * 8 + c.
    let number = |i: usize, j: usize| (((8 + i) / 8 * 32 + 16 + j) * 8 + (8 + i) % 8) as f32;
    let want: Vec<f32> = (0..256).map(|at| number(at / 16, at % 16)).collect();
    for profile in [A5, Cpu] {
        let out = launch_of(text, profile, vec![floats(&x), floats(&unit), vec![0; 1024]]);
        assert_eq!(launch::floats(&out[2]), want, "{profile:?}");
    }
}
