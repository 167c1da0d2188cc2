//! Shapes, layouts and masks that devices accept.

use super::*;

/// Asserts that a program is legal on a profile, or legal as an extension of `rule`.
fn takes(text: &str, profile: Profile, rule: Option<&str>) {
    let expected: Vec<String> = rule.map(|rule| format!("extension: {rule}")).into_iter().collect();
    assert_eq!(found(text, profile), expected, "{profile:?}\n{text}");
}

#[test]
fn a_bias_may_have_more_columns_than_the_result() {
    takes(&program("bias.pto"), A5, None);
}

#[test]
fn the_scales_of_a_vector_are_one_line() {
    takes(&program("gemv_scale.pto"), A5, None);
}

#[test]
fn masks_of_tsels_are_packed_bits_in_integers_of_8_16_and_32_bits() {
    let data = vec("f32");
    for mask in ["16x32xi8", "16x32xui8", "16x16xi16", "16x8xi32", "16x8xui32"] {
        let mask = format!("!pto.tile_buf<vec, {mask}>");
        for profile in Profile::ALL {
            takes(&using("tsels", &[&mask, &data, "f32", &data]), profile, None);
        }
    }
    let long = "!pto.tile_buf<vec, 16x4xi64>";
    assert_eq!(found(&using("tsels", &[long, &data, "f32", &data]), A5), ["error: tsels::mask"]);
}

#[test]
fn wide_masks_select_as_bytes_do() {
    let text = "!t = !pto.tile_buf<vec, 2x40xf32>
!m = !pto.tile_buf<vec, 2x8xi32>
func.func @f(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c40 = arith.constant 40 : index
  %bits = arith.constant 5 : i32
  %zero = arith.constant 0.0 : f32
  %xv = pto.make_tensor_view %x, shape = [%c2, %c40], strides = [%c40, %c1] : !pto.tensor_view<2x40xf32>
  %yv = pto.make_tensor_view %y, shape = [%c2, %c40], strides = [%c40, %c1] : !pto.tensor_view<2x40xf32>
  %t = pto.alloc_tile : !t
  %m = pto.alloc_tile : !m
  pto.tload ins(%xv : !pto.tensor_view<2x40xf32>) outs(%t : !t)
  pto.texpands ins(%bits : i32) outs(%m : !m)
  pto.tsels ins(%m, %t, %zero : !m, !t, f32) outs(%t : !t)
  pto.tstore ins(%t : !t) outs(%yv : !pto.tensor_view<2x40xf32>)
  return
}
";
    for by_formula in [false, true] {
        let (buffers, _) = run(text, Cpu, &[], &Options::default().by_formula(by_formula)).expect("a run");
        let kept: Vec<_> = (0..80).filter(|at| buffers[1][*at] != 0.0).collect();
        assert_eq!(kept, [0, 2, 32, 34, 40, 42, 72, 74]);
    }
}

#[test]
fn an_nz_tile_of_any_valid_region_is_inserted_at_a_box_on_a2a3() {
    takes(&program("tinsert_nz.pto"), A2A3, Some("tinsert::location-pair"));
    let odd = program("tinsert_nz.pto").replace("arith.constant 0 : index", "arith.constant 8 : index");
    let found = found(&odd, A2A3);
    assert!(found.contains(&"error: tinsert::alignment".to_owned()), "{found:?}");
    let single = odd.replace("valid=16x22", "valid=1x1");
    takes(&single, A2A3, Some("tinsert::location-pair"));
}

#[test]
fn a_compact_tile_receives_the_boxes_of_its_valid_region() {
    let text = program("textract_compact.pto");
    takes_with_lints(&text, A5, &[]);
    let whole = text.replace(", compact=1", "");
    assert!(found(&whole, A5).contains(&"error: textract::window".to_owned()));
}

fn takes_with_lints(text: &str, profile: Profile, lints: &[&str]) {
    let found = found(text, profile);
    assert!(found.iter().all(|finding| finding.starts_with("lint")), "{found:?}");
    lints.iter().for_each(|lint| assert!(found.iter().any(|finding| finding == lint), "{found:?}"));
}

#[test]
fn mat_tiles_of_4_bits_are_padded_on_a5() {
    takes(&program("tfillpad_fp4.pto"), A5, None);
}

#[test]
fn a_scalar_stands_for_the_pad_attribute_of_a_mat_tile() {
    for profile in Profile::ALL {
        takes(&program("fill_matfill.pto"), profile, None);
    }
}

#[test]
fn the_mask_form_of_tgather_takes_64_bits_and_short_rows_on_a5() {
    let rules = ["extension: tgather::continuous", "extension: tgather::element-type"];
    assert_eq!(found(&program("tgather_cont.pto"), A5), rules);
}

#[test]
fn a_declared_shape_neither_square_nor_transposed_is_an_extension_of_ttrans() {
    let transpose = |src: &str, dst: &str| {
        let [src, dst] = [src, dst].map(|tile| format!("!pto.tile_buf<vec, {tile}>"));
        using("ttrans", &[&src, &dst])
    };
    let wider = transpose("16x32xf32, valid=8x16", "16x64xf32, valid=16x8");
    for profile in [A2A3, A5] {
        takes(&wider, profile, Some("ttrans::declared-shape"));
    }
    takes(&wider, Cpu, None);
    let named = [
        transpose("16x32xf32, valid=8x16", "32x16xf32, valid=16x8"),
        transpose("16x32xf32, valid=8x16", "64x64xf32, valid=16x8"),
        transpose("16x32xf32, valid=16x16", "16x64xf32, valid=16x16"),
    ];
    for text in named {
        for profile in Profile::ALL {
            takes(&text, profile, None);
        }
    }
}

#[test]
fn bytes_of_any_format_are_transposed_on_a5() {
    for element in ["f8E4M3FN", "f8E5M2", "!pto.hif8", "!pto.f8E8M0"] {
        let tile = format!("!pto.tile_buf<vec, 32x32x{element}>");
        takes(&using("ttrans", &[&tile, &tile]), A5, Some("ttrans::element-type"));
    }
}

#[test]
fn a_view_narrower_than_the_valid_region_is_loaded_by_the_tile() {
    let text = program("narrow_view.pto");
    let launch = |by_formula, count: u16| {
        let checked = pto::check(pto::parse(&text).expect("a module").module, Some(A2A3)).expect("no errors");
        let program = Program::decode(&checked, None).expect("a program");
        let bytes = (1..=count).flat_map(|number| f32::from(number).to_le_bytes()).collect();
        let values = vec![Value::buffer(bytes), Value::buffer(vec![0; 64])];
        program.launch(values, &Options::default().by_formula(by_formula), &mut [])
    };
    // Rows of 8 elements, with the gap of the view between them: its stride of 10 less its 3 columns.
    let rows: Vec<u8> = (1..=8).chain(16..=23).flat_map(|number| (number as f32).to_le_bytes()).collect();
    assert_eq!(found(&text, A2A3), ["lint: tload::extent"]);
    for by_formula in [false, true] {
        assert_eq!(launch(by_formula, 23).expect("a run").buffers[1].bytes, rows);
        let beyond = launch(by_formula, 22).expect_err("a finding");
        assert_eq!(words(&beyond), ["error: tload::out-of-bounds"]);
    }
    // A5 compiles no load of static extents that differ, and the logical load of cpu has no elements to fill the tile.
    for profile in [A5, Cpu] {
        assert_eq!(found(&text, profile), ["error: tload::extent"]);
    }
}

#[test]
fn scales_in_one_row_go_to_zz_order_with_the_rows_of_the_destination() {
    let in_rows = program("zz_scales.pto");
    let flat = in_rows
        .replace("!s = !pto.tile_buf<vec, 16x32xui8>", "!s = !pto.tile_buf<vec, 1x512xui8>")
        .replace("!v = !pto.tensor_view<16x32xui8>", "!v = !pto.tensor_view<1x512xui8>")
        .replace(
            "%x, shape = [%c16, %c32], strides = [%c32, %c1]",
            "%x, shape = [%c1, %c512], strides = [%c512, %c1]",
        );
    for by_formula in [false, true] {
        let options = Options::default().by_formula(by_formula);
        let [rows, one] = [&in_rows, &flat].map(|text| run(text, Cpu, &[], &options).expect("a run").0);
        let bits = |buffer: &[f32]| buffer.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&rows[1]), bits(&one[1]));
        assert_ne!(bits(&rows[1]), bits(&rows[0]));
    }
}

#[test]
fn tiles_of_a_move_to_zz_do_not_overlap() {
    let boxes = "!pto.tile_buf<vec, 16x32xui8, slayout=row_major>";
    let moved = |addresses: [u32; 3]| {
        let [src, tmp, dst] = addresses;
        format!(
            "!s = !pto.tile_buf<vec, 16x32xui8>
func.func @f() {{
  %a = arith.constant {src} : i64
  %b = arith.constant {tmp} : i64
  %c = arith.constant {dst} : i64
  %s = pto.alloc_tile addr = %a : !s
  %t = pto.alloc_tile addr = %b : !s
  %d = pto.alloc_tile addr = %c : {boxes}
  pto.tmov ins(%s, %t : !s, !s) outs(%d : {boxes})
  return
}}
"
        )
    };
    assert_eq!(found(&moved([0, 512, 1024]), A5), NOTHING);
    for addresses in [[0, 512, 256], [0, 256, 1024], [0, 512, 992]] {
        let found = found(&moved(addresses), A5);
        assert!(found.contains(&"error: tmov::zz-apart".to_owned()), "{addresses:?}: {found:?}");
    }
}

/// `m`x`k` by `k`x16 in f32, with a left tile declared as 256x256: four times the size of L0A.
fn product_of_a_large_declared_tile(m: u32, k: u32, compact: &str) -> String {
    let left = format!(
        "!pto.tile_buf<left, 256x256xf32, valid={m}x{k}, blayout=col_major, slayout=row_major{compact}>"
    );
    let mat = "!pto.tile_buf<mat, 48x80xf32, blayout=col_major, slayout=row_major>";
    let right =
        format!("!pto.tile_buf<right, 80x16xf32, valid={k}x16, blayout=row_major, slayout=col_major>");
    let acc = format!(
        "!pto.tile_buf<acc, 48x16xf32, valid={m}x16, blayout=col_major, slayout=row_major, fractal=1024>"
    );
    format!(
        "!left = {left}
!right = {right}
!acc = {acc}
func.func @f(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %c: !pto.ptr<f32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %c80 = arith.constant 80 : index
  %m = arith.constant {m} : index
  %av = pto.make_tensor_view %a, shape = [%c48, %c80], strides = [%c80, %c1] : !pto.tensor_view<48x80xf32>
  %bv = pto.make_tensor_view %b, shape = [%c80, %c16], strides = [%c16, %c1] : !pto.tensor_view<80x16xf32>
  %cv = pto.make_tensor_view %c, shape = [%m, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x16xf32>
  %am = pto.alloc_tile : {mat}
  %bm = pto.alloc_tile : !pto.tile_buf<mat, 80x16xf32, blayout=col_major, slayout=row_major>
  %l = pto.alloc_tile : !left
  %r = pto.alloc_tile : !right
  %d = pto.alloc_tile : !acc
  pto.tload ins(%av : !pto.tensor_view<48x80xf32>) outs(%am : {mat})
  pto.tload ins(%bv : !pto.tensor_view<80x16xf32>) outs(%bm : !pto.tile_buf<mat, 80x16xf32, blayout=col_major, slayout=row_major>)
  pto.textract ins(%am, %c0, %c0 : {mat}, index, index) outs(%l : !left)
  pto.textract ins(%bm, %c0, %c0 : !pto.tile_buf<mat, 80x16xf32, blayout=col_major, slayout=row_major>, index, index) outs(%r : !right)
  pto.tmatmul ins(%l, %r : !left, !right) outs(%d : !acc)
  pto.tstore ins(%d : !acc) outs(%cv : !pto.tensor_view<?x16xf32>)
  return
}}
"
    )
}

#[test]
fn capacity_counts_the_boxes_of_a_compact_tile() {
    let (m, k) = (40, 70);
    let whole = product_of_a_large_declared_tile(m, k, "");
    assert!(found(&whole, A5).contains(&"error: alloc_tile::capacity".to_owned()));
    let text = product_of_a_large_declared_tile(m, k, ", compact=1");
    takes_with_lints(&text, A5, &[]);
    let one = |row: u32, col: u32| -> f32 {
        // Summed in ascending order, as products are; the arguments count from 1.
        (0..k).fold(0.0, |sum, at| ((row * 80 + at + 1) as f32).mul_add((at * 16 + col + 1) as f32, sum))
    };
    let expected: Vec<f32> =
        (0..m).flat_map(|row| (0..16).map(move |col| (row, col))).map(|(row, col)| one(row, col)).collect();
    for by_formula in [false, true] {
        let (buffers, findings) =
            run(&text, A5, &[], &Options::default().by_formula(by_formula)).expect("a run");
        assert!(findings.iter().all(|finding| finding.starts_with("lint")), "{findings:?}");
        assert_eq!(buffers[2], expected, "by_formula = {by_formula}");
    }
    // A compact tile stores nothing after its boxes, so a part of it must be inside them.
    let part = "  %c0_ = arith.constant 48 : index
  %part = pto.subview %l[%c0_, %c0] sizes [16, 8] : !left -> !pto.tile_buf<left, 16x8xf32, blayout=col_major, slayout=row_major>
  return";
    assert!(found(&text.replace("  return", part), A5).contains(&"error: subview::window".to_owned()));
    let inside = part.replace("constant 48", "constant 32");
    takes_with_lints(&text.replace("  return", &inside), A5, &[]);
    // A valid region as large as the declared shape does not fit the buffer.
    let full = product_of_a_large_declared_tile(256, 256, ", compact=1");
    assert!(found(&full, A5).contains(&"error: alloc_tile::capacity".to_owned()));
}
