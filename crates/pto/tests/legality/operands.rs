//! Legality by operand and by path: one test for each row, named after it.

use super::*;

/// The findings for a2a3, a5 and cpu.
fn verdicts(text: &str) -> [Vec<String>; 3] {
    [A2A3, A5, Cpu].map(|profile| found(text, profile))
}

fn tile(shape: &str) -> String {
    format!("!pto.tile_buf<vec, {shape}>")
}

// 13.3: `tcmp` source types
#[test]
fn comparisons_have_the_source_types_of_their_pages() {
    let mask = tile("16x64xui8");
    let judge = |element: &str, with_tile: bool| {
        let source = tile(&format!("16x64x{element}"));
        let second = if with_tile { &source } else { element };
        let name = if with_tile { "tcmp" } else { "tcmps" };
        let text = using(name, &[&source, second, &mask])
            .replace("\n  return", " {cmpMode = #pto<cmp eq>}\n  return");
        [A2A3, A5].map(|profile| found(&text, profile).is_empty())
    };
    for element in ["i32", "f16", "f32"] {
        assert_eq!([judge(element, true), judge(element, false)], [[true; 2]; 2], "{element}");
    }
    for element in ["i16", "ui16"] {
        assert_eq!([judge(element, true), judge(element, false)], [[false, true], [true; 2]], "{element}");
    }
    for element in ["i8", "ui8", "ui32", "i64", "ui64", "bf16"] {
        assert_eq!([judge(element, true), judge(element, false)], [[false, true]; 2], "{element}");
    }
    let small = using("tcmp", &[&tile("16x64xf8E4M3FN"), &tile("16x64xf8E4M3FN"), &mask]);
    let refused = vec!["error: tcmp::element-type".to_owned()];
    assert_eq!(verdicts(&small), [refused.clone(), refused, vec![]]);
}

// 13.3: `tcmp`, `tcmps` mask tile
#[test]
fn the_mask_of_a_comparison_is_measured_by_its_bits_and_rows() {
    let mask = |name: &str, mask: &str| {
        let second = if name == "tcmp" { tile("8x64xf32") } else { "f32".to_owned() };
        verdicts(&using(name, &[&tile("8x64xf32"), &second, &tile(mask)]))
    };
    let no = Vec::<String>::new;
    for name in ["tcmp", "tcmps"] {
        let extension = vec![format!("extension: {name}::mask-type")];
        let rows = vec![format!("error: {name}::mask-rows")];
        for element in ["ui8", "i8"] {
            assert_eq!(mask(name, &format!("8x32x{element}, valid=8x3")), [no(), no(), no()]);
        }
        assert_eq!(mask(name, "8x8xui32, valid=8x2"), [extension.clone(), no(), no()]);
        assert_eq!(mask(name, "8x16xui16"), [extension.clone(), extension.clone(), no()]);
        assert_eq!(mask(name, "8x32xui8, valid=4x8")[0], rows);
        let on_a5 = if name == "tcmp" { no() } else { rows };
        assert_eq!(mask(name, "8x32xui8, valid=4x8")[1], on_a5);
        assert!(mask(name, "4x32xui8").iter().all(|found| found.contains(&format!("error: {name}::mask"))));
    }
}

// 13.3: `tcmps` with a tile as second source
#[test]
fn tcmps_compares_with_the_first_element_of_a_tile() {
    let text = |element: &str| {
        using(
            "tcmps",
            &[&tile(&format!("8x64x{element}")), &tile(&format!("1x32x{element}")), &tile("8x32xui8")],
        )
    };
    assert_eq!(verdicts(&text("f32")), [NOTHING; 3]);
    assert_eq!(found(&text("i64"), A5), ["error: tcmps::element-type"]);
    let program = "!a = !pto.tile_buf<vec, 2x16xf32>
!m = !pto.tile_buf<vec, 2x32xui8>
!r = !pto.tile_buf<vec, 2x32xf32>
!v = !pto.tensor_view<2x16xf32>
!w = !pto.tensor_view<2x32xui8>
func.func @f(%x: !pto.ptr<f32>, %y: !pto.ptr<ui8>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %xv = pto.make_tensor_view %x, shape = [%c2, %c16], strides = [%c16, %c1] : !v
  %yv = pto.make_tensor_view %y, shape = [%c2, %c32], strides = [%c32, %c1] : !w
  %a = pto.alloc_tile : !a
  %t = pto.alloc_tile : !a
  %m = pto.alloc_tile : !m
  pto.tload ins(%xv : !v) outs(%a : !a)
  pto.tload ins(%xv : !v) outs(%t : !a)
  pto.tmuls ins(%t, %s : !a, f32) outs(%t : !a)
  pto.tcmps ins(%a, %t {cmpMode = #pto<cmp gt>} : !a, !a) outs(%m : !m)
  pto.tstore ins(%m : !m) outs(%yv : !w)
  return
}
";
    let program =
        program.replace("  %a = pto.alloc_tile", "  %s = arith.constant 4.0 : f32\n  %a = pto.alloc_tile");
    for profile in [A2A3, A5, Cpu] {
        for by_formula in [false, true] {
            let options = Options::default().by_formula(by_formula);
            let (buffers, _) = run(&program, profile, &[], &options).expect("a comparison");
            // The elements are 1, 2, 3 and so on; four times the first one is 4.
            let rows = [0, 8].map(|word| buffers[1][word].to_bits() & 0xffff);
            assert_eq!(rows, [0xfff0, 0xffff], "{profile:?}");
        }
    }
}

fn arg(name: &str, source: &str, value: Option<&str>, index: &str) -> [Vec<String>; 3] {
    let (src, tmp) = (tile(&format!("16x32x{source}")), tile(&format!("16x512x{source}")));
    let shape = |element: &str| {
        if name.starts_with("tcol") {
            format!("1x64x{element}, valid=1x32")
        } else {
            format!("16x32x{element}, valid=16x1")
        }
    };
    let (index, value) = (tile(&shape(index)), value.map(|element| tile(&shape(element))));
    let text = match value {
        None => using(name, &[&src, &tmp, &index]),
        Some(value) => function(
            &[&src, &tmp, &value, &index],
            &format!("  pto.{name} ins(%0, %1 : {src}, {tmp}) outs(%2, %3 : {value}, {index})"),
        ),
    };
    verdicts(&text)
}

// 13.3: index of `trowargmax/min`, `tcolargmax/min`, index only; value and index
#[test]
fn indices_of_extremes_have_the_types_of_pages_and_headers() {
    let legal = Vec::<String>::new();
    for name in ["tcolargmax", "tcolargmin", "trowargmax", "trowargmin"] {
        let refused = vec![format!("error: {name}::index-type")];
        for index in ["i32", "ui32"] {
            for value in [None, Some("f32")] {
                assert_eq!(arg(name, "f32", value, index), [(); 3].map(|()| legal.clone()), "{name} {index}");
            }
        }
        for index in ["ui16", "i16"] {
            assert_eq!(arg(name, "f16", None, index), [(); 3].map(|()| refused.clone()), "{name} {index}");
            assert_eq!(
                arg(name, "f32", Some("f32"), index),
                [(); 3].map(|()| refused.clone()),
                "{name} {index}"
            );
            let extension = vec![format!("extension: {name}::index-type")];
            let wanted = if name.starts_with("tcol") { legal.clone() } else { extension };
            assert_eq!(
                arg(name, "f16", Some("f16"), index),
                [wanted.clone(), wanted, legal.clone()],
                "{name} {index}"
            );
        }
        let wanted = if name.starts_with("tcol") { refused } else { legal.clone() };
        assert_eq!(arg(name, "f16", Some("f16"), "i32"), [(); 3].map(|()| wanted.clone()), "{name}");
    }
    let refused = vec!["error: tcolargmax::element-type".to_owned()];
    assert_eq!(arg("tcolargmax", "i8", Some("i8"), "i32")[1], refused);
    assert_eq!(arg("tcolargmax", "i8", None, "i32")[1], legal);
}

// 13.3: their layouts, a2a3 and a5
#[test]
fn sources_and_outputs_of_extremes_have_the_layouts_of_pages() {
    let judge = |name: &str, source: &str, dst: &str| {
        found(&using(name, &[&tile(&format!("32x32xf32{source}")), &tile("32x32xf32"), &tile(dst)]), A5)
    };
    let (row, column) = ("1x32xi32", "32x1xi32, blayout=col_major");
    let boxes = ", blayout=col_major, slayout=row_major";
    assert!(judge("tcolargmax", ", blayout=col_major", row).is_empty());
    assert_eq!(judge("tcolargmax", boxes, row), ["error: tcolargmax::source-layout"]);
    assert_eq!(judge("trowargmax", ", blayout=col_major", column), ["error: trowargmax::source-layout"]);
    assert!(judge("trowargmax", "", column).is_empty());
    assert!(judge("trowargmax", "", "32x8xi32, valid=32x1").is_empty());
    assert_eq!(judge("trowargmax", "", "32x8xi32"), ["error: trowargmax::destination-layout"]);
    assert_eq!(
        judge("tcolargmax", "", "8x32xi32, valid=1x32, blayout=col_major"),
        ["error: tcolargmax::destination-layout"]
    );
}

// 13.3: `trowexpand*` with a workspace in mode 2
#[test]
fn a_workspace_of_a_row_expansion_in_mode_2_is_ignored_on_a5() {
    let [full, block, tmp] = ["4x16xf32", "4x8xf32", "4x64xf32"].map(tile);
    let [a2a3, a5, cpu] = verdicts(&using("trowexpandadd", &[&full, &block, &tmp, &full]));
    assert_eq!((a2a3, a5, cpu), (vec!["error: trowexpandadd::tmp-mode-1".to_owned()], vec![], vec![]));
}

// 13.3: one-row destination of `tgather` (mask, index)
#[test]
fn one_row_of_gathered_elements_is_continuous_and_measured_by_its_declared_columns() {
    let mask = |src: &str, dst: &str| {
        verdicts(
            &using("tgather", &[&tile(src), &tile(dst)])
                .replace("\n  return", " {maskPattern = #pto.mask_pattern<P0101>}\n  return"),
        )
    };
    assert_eq!(mask("1x2048xf32, valid=1x1000", "1x1024xf32, valid=1x500"), [NOTHING; 3]);
    assert_eq!(mask("1x2048xf32", "1x1024xf32, valid=1x512"), [NOTHING; 3]);
    let refused = mask("1x2048xf32", "1x512xf32");
    assert!(refused.iter().all(|found| *found == ["error: tgather::mask-extent"]), "{refused:?}");
    let rows = mask("2x2048xf32", "2x1024xf32, valid=2x512");
    assert_eq!(rows[0], ["error: tgather::continuous"]);
    let index = |dst: &str, idx: &str| {
        let (tmp, idx) = (tile(idx), tile(idx));
        found(&using("tgather", &[&tile("1x64xf32"), &idx, &tmp, &tile(dst)]), A2A3)
    };
    assert_eq!(index("1x64xf32, valid=1x40", "1x64xi32, valid=1x40"), NOTHING);
}

// 13.3: `tprint`
#[test]
fn tprint_takes_the_types_and_locations_of_its_page() {
    let print = |ty: &str| {
        verdicts(&function(&[ty], &format!("  pto.tprint ins(%0 : {ty}) outs()"))).map(|found| found.len())
    };
    for element in ["f32", "f16", "i8", "ui8", "i16", "ui16", "i32", "ui32"] {
        assert_eq!(print(&vec(element)), [0; 3], "{element}");
    }
    for element in ["i64", "bf16", "f8E4M3FN"] {
        assert_eq!(print(&vec(element)), [1, 1, 0], "{element}");
        assert_eq!(print(&format!("!pto.tensor_view<4x4x{element}>")), [1, 1, 0], "{element}");
    }
    let mat = "!pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>";
    assert_eq!(print(mat), [1, 1, 0]);
    let view = "!pto.tensor_view<16x16xf16>";
    let through = function(&[mat, view], &format!("  pto.tprint ins(%0, %1 : {mat}, {view}) outs()"));
    assert_eq!(verdicts(&through), [NOTHING; 3]);
}

// 13.3: scaling tile of another type than ui64, i64 as `fp`
#[test]
fn parameters_are_words_of_64_bits_whatever_the_type_of_their_tile() {
    let program = |fp: &str| {
        format!(
            "!p = !pto.tile_buf<scaling, {fp}>
!m = !pto.tile_buf<mat, {fp}>
!a = !pto.tile_buf<acc, 16x16xi32, blayout=col_major, slayout=row_major, fractal=1024>
!o = !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>
func.func @f(%a: !a, %p: !p, %o: !o) {{
  pto.tmov ins(%a, %p : !a, !p) outs(%o : !o)
  return
}}
"
        )
    };
    for profile in [A2A3, A5] {
        assert_eq!(found(&program("1x16xui64"), profile), NOTHING);
        assert_eq!(found(&program("1x32xf32"), profile), ["lint: tmov::fp-type"]);
        assert_eq!(found(&program("1x16xf32"), profile), ["error: tmov::fp-columns", "lint: tmov::fp-type"]);
    }
}

// 13.3: `subview`; `set_validshape` of a subview
#[test]
fn open_extents_of_a_part_are_given_where_it_is_made() {
    let part = |valid: &str, ty: &str| {
        let whole = tile("16x16xf32");
        let body = format!(
            "  %z = arith.constant 0 : index
  %s = pto.subview %0[%z, %z] sizes [8, 16]{valid} : {whole} -> !pto.tile_buf<vec, 8x16xf32{ty}>"
        );
        found(&function(&[&whole, "index"], &body), Cpu)
    };
    assert_eq!(part(" valid [%1, %1]", ", valid=?x?"), NOTHING);
    assert_eq!(part("", ""), NOTHING);
    for open in ["?x?", "?x16", "8x?"] {
        assert_eq!(part("", &format!(", valid={open}")), ["error: subview::open-valid"], "{open}");
    }
    let set = |body: &str| {
        let whole = tile("16x16xf32, valid=?x?");
        let body =
            format!("  %z = arith.constant 0 : index\n{body}\n  pto.set_validshape %s, %1, %1 : {whole}");
        found(&function(&[&whole, "index"], &body.replace("WHOLE", &whole)), Cpu)
    };
    let cut = "  %s = pto.subview %0[%z, %z] sizes [16, 16] valid [%1, %1] : WHOLE -> WHOLE";
    assert_eq!(set(cut), ["lint: set_validshape::subview"]);
    assert_eq!(set("  %s = pto.treshape %0 : WHOLE -> WHOLE"), NOTHING);
}

// 13.3: narrow tiles
#[test]
fn a_column_is_proposed_only_where_the_tile_is_one() {
    let help = |shape: &str| {
        let text = function(&[], &format!("  %t = pto.alloc_tile : {}", tile(shape)));
        let findings = pto::check(pto::parse(&text).expect("text").module, None).expect_err("too narrow");
        findings[0].help[0].clone()
    };
    assert!(help("1x1xf32").contains("declare `1x8xf32`, and `valid=1x1`"), "{}", help("1x1xf32"));
    assert!(help("1x4xf16").contains("declare `1x16xf16`, and `valid=1x4`"), "{}", help("1x4xf16"));
    assert!(help("16x1xf32").contains("blayout=col_major"), "{}", help("16x1xf32"));
}

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
    // The second argument is the unit matrix, so the result is what the mat tile holds.
    let moved = |text: &str, by_formula: bool, profile: Profile| {
        let parsed = pto::parse(text).expect("text");
        let checked = pto::check(parsed.module, Some(profile)).unwrap_or_else(|found| panic!("{found:?}"));
        let program = Program::decode(&checked, None).expect("a program");
        let numbers: Vec<f32> = (0..256).map(|at| at as f32).collect();
        let unit: Vec<f32> = (0..256).map(|at| if at % 17 == 0 { 1.0 } else { 0.0 }).collect();
        let values = [numbers, unit, vec![0.0; 256]].map(|list| {
            Value::buffer(list.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>())
        });
        let options = Options::default().by_formula(by_formula);
        let outcome = program.launch(values.to_vec(), &options, &mut []).expect("a run");
        launch::floats(&outcome.buffers[2].bytes)
    };
    for by_formula in [false, true] {
        let text = program("16x16xf32", "16x16xf32, blayout=col_major, slayout=row_major");
        let logical = moved(&text, by_formula, Cpu);
        assert_eq!(logical[16..19], [16.0, 17.0, 18.0]);
        // Byte k of the rows becomes byte k of the boxes: the second row of a box is the second half of the first row.
        let raw = moved(&text, by_formula, A5);
        assert_eq!(raw[..9], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 128.0]);
        assert_eq!(raw[16..18], [8.0, 9.0]);
    }
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
