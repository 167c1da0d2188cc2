//! Legality of moves between tiles, of scales and of weights: one test for each row, named after it.

use super::operands::tile;
use super::*;

const NZ: &str = ", blayout=col_major, slayout=row_major";

// 13.3: Layout matrix
#[test]
fn types_of_the_matrix_alone_are_extensions_wherever_elements_are_copied() {
    let extension = |finding: &str| vec![format!("extension: {finding}")];
    let at = |location: &str, shape: &str, element: &str, layout: &str| {
        format!("!pto.tile_buf<{location}, {shape}x{element}{layout}>")
    };
    let insert = |element: &str, name: &str| {
        let tile = at("vec", "32x64", element, "");
        using(name, &[&tile, "index", "index", &tile])
    };
    for element in ["ui8", "i16", "ui16", "ui32", "i64", "ui64"] {
        for name in ["tinsert", "textract"] {
            let rule = format!("{name}::vec-element-type");
            assert_eq!(found(&insert(element, name), A5), extension(&rule), "{name} {element}");
        }
    }
    for (profile, elements) in
        [(A2A3, &["ui8", "i16", "ui16", "i32", "ui32"][..]), (A5, &["i32", "ui8", "i64"])]
    {
        for element in elements {
            let from = at("mat", "64x64", element, NZ);
            let right = at("right", "64x64", element, ", slayout=col_major");
            let text = using("textract", &[&from, "index", "index", &right]);
            assert_eq!(found(&text, profile), extension("textract::mat-element-type"), "{element}");
        }
    }
    for element in ["ui8", "i16", "ui16", "i32", "ui32", "i64"] {
        let right = at("right", "64x64", element, ", slayout=col_major");
        let text = using("tmov", &[&at("mat", "64x64", element, NZ), &right]);
        assert_eq!(found(&text, A5), extension("tmov::operand-type"), "{element}");
    }
    for element in ["ui8", "i16", "ui16", "i32", "ui32", "i64"] {
        let c0 = match element {
            "ui8" => 32,
            "i16" | "ui16" => 16,
            "i64" => 4,
            _ => 8,
        };
        let map = format!("!pto.conv_tile<mat, NC1HWC0, 1x1x4x4x{c0}x{element}>");
        let left = at("left", &format!("16x{c0}"), element, ", slayout=row_major");
        let text = function(&[&map, &left], &format!("  pto.timg2col ins(%0 : {map}) outs(%1 : {left})"));
        assert_eq!(found(&text, A2A3), extension("timg2col::element-type"), "{element}");
    }
}

// 13.3: `tmov` vec -> mat, a5
#[test]
fn a_move_from_vec_to_mat_is_checked_by_the_rules_of_all_moves() {
    let judge = |shape: &str, element: &str, layouts: [&str; 2]| {
        let [src, dst] = [("vec", layouts[0]), ("mat", layouts[1])]
            .map(|(location, layout)| format!("!pto.tile_buf<{location}, {shape}x{element}{layout}>"));
        found(&using("tmov", &[&src, &dst]), A5)
    };
    for element in ["i8", "!pto.hif8", "f8E5M2", "f8E4M3FN", "f16", "bf16", "f32", "f4E2M1x2", "f4E1M2x2"] {
        assert_eq!(judge("32x64", element, [NZ, NZ]), NOTHING, "{element}");
    }
    for element in ["!pto.f8E8M0", "i32", "ui8", "i64"] {
        assert_eq!(judge("32x64", element, [NZ, NZ]), ["extension: tmov::operand-type"], "{element}");
    }
    assert_eq!(judge("32x32", "f16", ["", ""]), NOTHING);
    assert_eq!(judge("32x32", "f16", ["", NZ]), ["lint: tmov::raw-copy"]);
    let columns = judge("32x32", "f16", [", blayout=col_major", NZ]);
    assert_eq!(columns, ["error: tmov::operand-layout", "lint: tmov::raw-copy"]);
    let nothing = judge("32x32", "f16", [", slayout=col_major", ", slayout=col_major"]);
    assert_eq!(nothing, ["lint: tmov::raw-copy"]);
}

#[test]
fn a_move_from_vec_to_mat_copies_bytes() {
    let program = |vec: &str, mat: &str| {
        format!(
            "!s = !pto.tile_buf<vec, {vec}>
!m = !pto.tile_buf<mat, {mat}>
!l = !pto.tile_buf<left, 16x16xf32, blayout=col_major, slayout=row_major>
!r = !pto.tile_buf<right, 16x16xf32, slayout=col_major>
!i = !pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>
!a = !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>
!v = !pto.tensor_view<16x16xf32>
func.func @f(%x: !pto.ptr<f32>, %one: !pto.ptr<f32>, %y: !pto.ptr<f32>) {{
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %xv = pto.make_tensor_view %x, shape = [%c16, %c16], strides = [%c16, %c1] : !v
  %ov = pto.make_tensor_view %one, shape = [%c16, %c16], strides = [%c16, %c1] : !v
  %yv = pto.make_tensor_view %y, shape = [%c16, %c16], strides = [%c16, %c1] : !v
  %s = pto.alloc_tile : !s
  %m = pto.alloc_tile : !m
  %i = pto.alloc_tile : !i
  %l = pto.alloc_tile : !l
  %r = pto.alloc_tile : !r
  %a = pto.alloc_tile : !a
  pto.tload ins(%xv : !v) outs(%s : !s)
  pto.tmov ins(%s : !s) outs(%m : !m)
  pto.tload ins(%ov : !v) outs(%i : !i)
  pto.tmov ins(%m : !m) outs(%l : !l)
  pto.tmov ins(%i : !i) outs(%r : !r)
  pto.tmatmul ins(%l, %r : !l, !r) outs(%a : !a)
  pto.tstore ins(%a : !a) outs(%yv : !v)
  return
}}
"
        )
    };
    // The second argument is the unit matrix, so the result equals the contents of the mat tile.
    let values = [launch::buffer((0..256).map(|at| at as f32)), launch::unit(16), launch::buffer([0.0; 256])];
    let moved = |profile: Profile| {
        let text = program("16x16xf32", "16x16xf32, blayout=col_major, slayout=row_major");
        launch::floats(&launch::both_ways(&launch::program(&text, Some(profile)), &values, 2))
    };
    assert_eq!(moved(Cpu)[16..19], [16.0, 17.0, 18.0]);
    // Byte k of the rows becomes byte k of the boxes: the second row of a box is the second half of the first row.
    let raw = moved(A5);
    assert_eq!(raw[..9], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 128.0]);
    assert_eq!(raw[16..18], [8.0, 9.0]);
}

// 13.3: `tmov` vec ND -> vec NZ, ND -> ZN, a5
#[test]
fn moves_that_change_the_layout_have_types_and_whole_boxes() {
    let judge = |element: &str, src: &str, dst: &str, layout: &str| {
        let [src, dst] = [(src, ""), (dst, layout)]
            .map(|(shape, layout)| format!("!pto.tile_buf<vec, {}{layout}>", shape.replace("T", element)));
        found(&using("tmov", &[&src, &dst]), A5)
    };
    let zn = ", slayout=col_major";
    for element in ["f16", "bf16", "f32", "i32", "i8", "ui8", "f8E4M3FN", "f8E5M2", "!pto.hif8", "f4E2M1x2"] {
        assert_eq!(judge(element, "64x64xT", "64x64xT", NZ), NOTHING, "{element}");
        assert_eq!(judge(element, "64x64xT", "64x64xT", zn), NOTHING, "{element}");
    }
    for element in ["i16", "ui16", "ui32", "i64"] {
        let found = judge(element, "64x64xT", "64x64xT", NZ);
        assert_eq!(found, ["extension: tmov::vec-element-type"], "{element}");
    }
    let refused = ["error: tmov::vec-element-type"];
    assert_eq!(judge("!pto.f8E8M0", "64x64xT", "64x64xT", NZ), refused);
    let boxes = ["error: tmov::whole-boxes"];
    assert_eq!(judge("f16", "8x32xT", "16x32xT, valid=8x32", zn), boxes);
    assert_eq!(judge("f16", "16x32xT, valid=16x16", "16x32xT, valid=16x20", zn), boxes);
}

// 13.3: `tmov` X -> ZZ
#[test]
fn scales_for_zz_order_are_a_compact_prefix_of_the_source() {
    let zz = |src: &str, tmp: &str, dst: &str, more: &str| {
        let [src, tmp] = [src, tmp].map(|shape| tile(&shape.replace('T', "ui8")));
        let dst = tile(&format!("{}, slayout=row_major, fractal=32", dst.replace('T', "ui8")));
        let text = using("tmov", &[&src, &tmp, &dst]);
        found(&text.replace("\n  return", &format!("{more}\n  return")), A5)
    };
    let (tmp, dst, plain) = ("1x96xT", "16x4xT", "");
    assert_eq!(zz("1x64xT", tmp, dst, plain), NOTHING);
    // More elements than the destination has are ignored.
    assert_eq!(zz("1x256xT", "1x128xT", "32x8xT, valid=31x8", plain), NOTHING);
    for source in ["16x32xT, valid=16x4", "1x64xT, valid=1x32"] {
        assert_eq!(zz(source, tmp, dst, plain)[0], "error: tmov::zz-source", "{source}");
    }
    assert_eq!(zz("2x32xT", tmp, dst, plain), ["lint: tmov::zz-pitch"]);
    assert_eq!(zz("1x64xT", tmp, "16x6xT, valid=16x4", plain), ["lint: tmov::zz-pitch"]);
    assert_eq!(zz("1x96xT, valid=1x80", tmp, "20x4xT", plain), ["error: tmov::zz-room"]);
    assert_eq!(zz("1x96xT, valid=1x80", tmp, "32x4xT, valid=20x4", plain), ["error: tmov::zz-room"]);
    assert_eq!(zz("1x64xT", "1x32xT", dst, plain), ["error: tmov::zz-workspace"]);
    let relu = " {reluPreMode = #pto<relu_pre_mode normal_relu>}";
    assert!(zz("1x64xT", tmp, dst, relu).contains(&"error: tmov::zz-plain".to_owned()));
    let axis0 = " {grpAxis = #pto.mx_group_axis<axis0>}";
    assert_eq!(zz("2x32xT", "1x32xT", "32x2xT", axis0), NOTHING);
    for source in ["2x32xT, valid=2x8", "2x64xT, valid=2x32", "3x32xT"] {
        let found = zz(source, "1x32xT", "32x2xT", axis0);
        assert!(found.contains(&"error: tmov::zz-source".to_owned()), "{source}: {found:?}");
    }
    let bytes =
        using("tmov", &[&tile("1x64xi8"), &tile("1x96xi8"), &tile("16x4xi8, slayout=row_major, fractal=32")]);
    assert!(found(&bytes, A5).contains(&"error: tmov::workspace".to_owned()));
}

// 13.3: `tquant.mx`; flat scaling smaller than its stores
#[test]
fn the_tiles_of_tquant_mx_have_the_strides_that_the_device_uses() {
    let judge = |element: &str, tiles: [&str; 5], attributes: &str| {
        let types = tiles.map(|ty| tile(&ty.replace('T', element)));
        let [src, dst, exp, max, scaling] = &types;
        let body = format!(
            "  pto.tquant.mx ins(%0 : {src}) outs(%1, %2, %3, %4 : {dst}, {exp}, {max}, {scaling}) {{quant_type = #pto<quant_type {attributes}}}"
        );
        found(&function(&[src, dst, exp, max, scaling], &body), A5)
    };
    let fp8 = "MXFP8>";
    let flat = ["16x128xT", "16x128xi8", "1x64xui8", "1x64xT", "1x128xT, valid=1x64"];
    assert_eq!(judge("f32", flat, fp8), NOTHING);
    let rows = ["16x256xT", "16x256xi8", "16x32xui8, valid=16x8", "16x8xT", "16x8xT"];
    assert_eq!(judge("f32", rows, fp8), NOTHING);
    let strides = ["error: tquant.mx::strides"];
    assert_eq!(
        judge("f32", ["16x160xT, valid=16x128", "16x160xi8, valid=16x128", flat[2], flat[3], flat[4]], fp8),
        strides
    );
    assert_eq!(judge("f32", [flat[0], "16x160xi8, valid=16x128", flat[2], flat[3], flat[4]], fp8), strides);
    for (max, scaling) in [("16x16xT, valid=16x8", rows[4]), (rows[3], "16x16xT, valid=16x8")] {
        assert_eq!(judge("f32", [rows[0], rows[1], rows[2], max, scaling], fp8), strides);
    }
    let pairs = ["16x128xT", "16x96xf4E2M1x2, valid=16x64", "1x64xui8", "1x64xT", "1x128xT, valid=1x64"];
    assert_eq!(judge("bf16", pairs, "MXFP4_E2M1>"), strides);
    let lint = ["lint: tquant.mx::narrow-source"];
    assert_eq!(
        judge(
            "bf16",
            [flat[0], flat[1], flat[2], flat[3], "1x128xT, valid=1x64"],
            "MXFP8>, quantScaleAlg = #pto<quant_scale_alg nv>"
        ),
        lint
    );
    let down = "MXFP8>, grpAxis = #pto.mx_group_axis<axis0>";
    assert_eq!(judge("f32", ["64x32xT", "64x32xi8", "2x32xui8", "2x32xT", "2x32xT"], down), NOTHING);
    let woven = format!("{down}, interleave = true");
    let form = ["error: tquant.mx::form"];
    assert_eq!(judge("bf16", ["64x32xT", "64x32xi8", "1x64xui8", "2x32xT", "2x32xT"], &woven), NOTHING);
    assert_eq!(judge("f32", ["64x32xT", "64x32xi8", "1x64xui8", "2x32xT", "2x32xT"], &woven), form);
    let taller = ["96x32xT, valid=64x32", "96x32xi8, valid=64x32", "1x64xui8", "2x32xT", "2x32xT"];
    assert_eq!(judge("bf16", taller, &woven), form);
    assert_eq!(
        judge("f32", [flat[0], flat[1], flat[2], flat[3], "1x64xT"], fp8),
        ["lint: tquant.mx::flat-scaling"]
    );
}

// 13.3: FP4 factors by rows
#[test]
fn extents_of_pairs_in_different_directions_are_compared_in_values() {
    let moved = |src: &str, dst: &str| found(&using("tmov", &[src, dst]), A5);
    let mat = |shape: &str, layout: &str| format!("!pto.tile_buf<mat, {shape}xf4E2M1x2{layout}>");
    let (zn, left) =
        (", slayout=col_major", "!pto.tile_buf<left, 64x32xf4E2M1x2, blayout=col_major, slayout=row_major>");
    let right = "!pto.tile_buf<right, 32x64xf4E2M1x2, slayout=col_major>";
    assert_eq!(moved(&mat("64x32", NZ), right), NOTHING);
    assert_eq!(moved(&mat("32x64", zn), right), NOTHING);
    assert_eq!(moved(&mat("32x64", NZ), right), ["error: tmov::shape"]);
    assert_eq!(moved(&mat("32x64", zn), left), NOTHING);
    assert_eq!(moved(&mat("64x32", NZ), left), NOTHING);
}

// 13.3: FRACTAL_Z convolution tiles (mat) -> right, a2a3 and a5
#[test]
fn weights_go_to_right_tiles_in_boxes() {
    let right = |shape: &str| format!("!pto.tile_buf<right, {shape}, slayout=col_major>");
    let weights = |shape: &str| format!("!pto.conv_tile<mat, FRACTAL_Z, {shape}>");
    let extract = |w: &str, r: &str, [k, n]: [u32; 2]| {
        let body = format!(
            "  %k = arith.constant {k} : index
  %n = arith.constant {n} : index
  pto.textract ins(%0, %k, %n : {w}, index, index) outs(%1 : {r})"
        );
        function(&[w, r], &body)
    };
    let moved = |w: &str, r: &str| using("tmov", &[w, r]);
    let (four, five) = (weights("9x2x16x16xf16"), weights("1x3x3x32x16xf16"));
    for profile in Profile::ALL {
        for w in [&four, &five] {
            assert_eq!(found(&extract(w, &right("32x16xf16"), [16, 16]), profile), NOTHING);
            assert_eq!(
                found(&extract(w, &right("32x16xf16"), [8, 16]), profile),
                ["error: textract::weights-window"]
            );
            assert_eq!(
                found(&extract(w, &right("32x16xf16"), [16, 32]), profile),
                ["error: textract::weights-window"]
            );
        }
        assert_eq!(found(&moved(&five, &right("144x32xf16")), profile), NOTHING);
        assert_eq!(found(&moved(&four, &right("144x32xf16")), profile), ["error: tmov::weights"]);
        let solid = four.replace("FRACTAL_Z", "FRACTAL_Z_3D");
        assert_eq!(found(&extract(&solid, &right("32x16xf16"), [0, 0]), profile), NOTHING);
        assert_eq!(found(&moved(&solid, &right("144x32xf16")), profile), ["error: tmov::weights"]);
    }
    for (element, c0) in [("ui8", 32), ("i16", 16), ("ui16", 16), ("i32", 8), ("ui32", 8)] {
        let text = extract(
            &weights(&format!("2x1x16x{c0}x{element}")),
            &right(&format!("{c0}x16x{element}")),
            [0, 0],
        );
        assert_eq!(found(&text, A5), NOTHING, "{element}");
        assert_eq!(found(&text, A2A3), ["error: textract::weights-type"], "{element}");
    }
}
