//! Programs that no device runs, or that devices run differently than the text suggests.

use super::*;

fn has(text: &str, profile: Profile, finding: &str) {
    let found = found(text, profile);
    assert!(found.iter().any(|one| one == finding), "{profile:?}: {finding} is not among {found:?}");
}

fn lacks(text: &str, profile: Profile, finding: &str) {
    let found = found(text, profile);
    assert!(found.iter().all(|one| one != finding), "{profile:?}: {finding} is among {found:?}");
}

#[test]
fn a_column_stored_in_columns_is_refused_where_the_header_asserts_rows() {
    let text = program("single_column_col_major.pto");
    assert_eq!(found(&text, Cpu), NOTHING);
    for profile in [A2A3, A5] {
        assert_eq!(found(&text, profile), ["error: tadd::row-major", "extension: tmuls::row-major"]);
    }
}

#[test]
fn columns_are_refused_by_selections_and_comparisons_as_header_or_page_says() {
    let (column, mask) = ("!pto.tile_buf<vec, 16x1xf16, blayout=col_major>", "!pto.tile_buf<vec, 16x32xui8>");
    let uses = [
        (using("tsel", &[mask, column, column, column]), "tsel", ["error", "error"]),
        (using("tsels", &[mask, column, "f16", column]), "tsels", ["error", "error"]),
        (using("tcmp", &[column, column, mask]), "tcmp", ["extension", "error"]),
        (using("tcmps", &[column, "f16", mask]), "tcmps", ["extension", "extension"]),
    ];
    for (text, name, levels) in uses {
        assert_eq!(found(&text, Cpu), NOTHING, "{name}");
        for (profile, level) in [A2A3, A5].into_iter().zip(levels) {
            assert_eq!(found(&text, profile), [format!("{level}: {name}::row-major")], "{profile:?}");
        }
        let rows = text.replace("16x1xf16, blayout=col_major", "16x16xf16, valid=16x1");
        for profile in Profile::ALL {
            assert_eq!(found(&rows, profile), NOTHING, "{name} in rows, {profile:?}");
        }
    }
}

#[test]
fn columns_are_refused_by_tconcat() {
    for name in ["tconcat_column.pto", "tconcat_index_column.pto"] {
        for profile in [A2A3, A5] {
            has(&program(name), profile, "error: tconcat::row-major");
        }
        lacks(&program(name), Cpu, "error: tconcat::row-major");
    }
}

#[test]
fn a_workspace_that_all_sources_refuse_is_an_error_and_other_sizes_are_lints() {
    let text = program("trem_small_tmp.pto");
    has(&text, A2A3, "error: trem::tmp-room");
    lacks(&text, A5, "error: trem::tmp-room");
    let two_rows = text.replace("1x8xf32", "2x64xf32");
    assert_eq!(found(&two_rows, A2A3), ["lint: trem::tmp-room"]);
    assert_eq!(found(&text.replace("1x8xf32", "2x72xf32"), A2A3), NOTHING);
    has(&text.replace("1x8xf32", "2x80xf16"), A2A3, "error: trem::tmp-type");
}

// 13.3: `tcolsum` binary with workspace, a5 too
#[test]
fn the_workspace_of_a_binary_tcolsum_has_a_line_for_each_pair_of_rows() {
    let (src, dst) = ("!pto.tile_buf<vec, 16x64xf32>", "!pto.tile_buf<vec, 1x64xf32>");
    let sum = |tmp: &str, binary: bool, profile: Profile| {
        let tmp = format!("!pto.tile_buf<vec, {tmp}>");
        let text = using("tcolsum", &[src, &tmp, dst]);
        let outs = format!("outs(%2 : {dst})");
        found(&text.replace(&outs, &format!("{outs} {{isBinary = {binary}}}")), profile)
    };
    for profile in [A2A3, A5] {
        assert_eq!(sum("8x64xf32", true, profile), NOTHING);
        assert_eq!(sum("1x64xf32", true, profile), ["error: tcolsum::tmp-room"]);
        assert_eq!(sum("8x56xf32", true, profile), ["error: tcolsum::tmp-room"]);
        assert_eq!(sum("8x64xf16", true, profile), ["error: tcolsum::tmp-type"]);
        assert_eq!(sum("1x8xf32", false, profile), NOTHING);
    }
    assert_eq!(sum("1x8xf32", true, Cpu), NOTHING);
    assert_eq!(sum("1x16xf16", false, A5), NOTHING);
}

// 13.3: workspaces that a page measures by valid extents, a2a3
#[test]
fn the_workspaces_of_trems_and_tprelu_are_measured_by_valid_extents() {
    let trems = |tmp: &str, profile: Profile| {
        let (tile, tmp) = ("!pto.tile_buf<vec, 4x64xf32>", format!("!pto.tile_buf<vec, {tmp}>"));
        found(&using("trems", &[tile, "f32", &tmp, tile]), profile)
    };
    assert_eq!(trems("4x64xf32", A2A3), NOTHING);
    assert_eq!(trems("4x64xf32, valid=1x64", A2A3), NOTHING);
    assert_eq!(trems("4x64xf32, valid=1x63", A2A3), ["error: trems::tmp-room"]);
    assert_eq!(trems("4x64xf32, valid=1x63", A5), NOTHING);
    assert_eq!(trems("64x16xf32, blayout=col_major", A5), ["error: trems::row-major"]);
    let tprelu = |tmp: &str, profile: Profile| {
        let (tile, tmp) = ("!pto.tile_buf<vec, 4x512xf32>", format!("!pto.tile_buf<vec, {tmp}>"));
        found(&using("tprelu", &[tile, tile, &tmp, tile]), profile)
    };
    assert_eq!(tprelu("5x64xui8, valid=1x64", A2A3), NOTHING);
    assert_eq!(tprelu("4x64xui8", A2A3), ["error: tprelu::tmp-room"]);
    assert_eq!(tprelu("5x64xui8, valid=5x63", A2A3), ["error: tprelu::tmp-room"]);
    assert_eq!(tprelu("5x16xf32", A2A3), ["error: tprelu::tmp-type"]);
    assert_eq!(tprelu("1x16xf32", A5), NOTHING);
}

#[test]
fn the_workspace_of_row_places_holds_pairs_for_each_part_of_a_row() {
    let places = |name: &str, cols: u32, tmp: &str| {
        let (src, tmp) = (format!("!pto.tile_buf<vec, 16x{cols}xf32>"), format!("!pto.tile_buf<vec, {tmp}>"));
        found(&using(name, &[&src, &tmp, "!pto.tile_buf<vec, 16x8xi32, valid=16x1>"]), A2A3)
    };
    for name in ["trowargmax", "trowargmin"] {
        let room = format!("{name}::tmp-room");
        assert_eq!(places(name, 64, "16x8xf32"), NOTHING);
        assert_eq!(places(name, 64, "8x8xf32"), [format!("lint: {room}")]);
        assert_eq!(places(name, 128, "16x16xf32"), NOTHING);
        assert_eq!(places(name, 128, "16x8xf32"), [format!("error: {room}")]);
        assert_eq!(places(name, 128, "8x16xf32"), [format!("error: {room}")]);
    }
}

#[test]
fn the_workspace_of_column_places_is_judged_by_three_sources() {
    let places = |name: &str, element: &str, cols: u32| {
        let [src, tmp] = [("16x128", element), (&format!("1x{cols}"), element)]
            .map(|(shape, element)| format!("!pto.tile_buf<vec, {shape}x{element}>"));
        found(&using(name, &[&src, &tmp, "!pto.tile_buf<vec, 1x128xi32>"]), A2A3)
    };
    for name in ["tcolargmax", "tcolargmin"] {
        let room = format!("{name}::tmp-room");
        assert_eq!(places(name, "f32", 128), NOTHING);
        assert_eq!(places(name, "f32", 64), [format!("lint: {room}")]);
        assert_eq!(places(name, "f32", 8), [format!("error: {room}")]);
        assert_eq!(places(name, "f16", 384), NOTHING);
        assert_eq!(places(name, "f16", 32), [format!("lint: {room}")]);
        assert_eq!(places(name, "f16", 16), [format!("error: {room}")]);
    }
}

#[test]
fn the_parameters_of_tquant_are_operands_of_a_row_expansion_on_a2a3() {
    let quantize = |scale: &str, tmp: bool| {
        let (src, dst) = ("!pto.tile_buf<vec, 32x32xf32>", "!pto.tile_buf<vec, 32x32xi8>");
        let scale = format!("!pto.tile_buf<vec, {scale}>");
        let (names, types) = if tmp { (", %3", format!(", {src}")) } else { ("", String::new()) };
        let body = format!(
            "  pto.tquant ins(%0, %1 : {src}, {scale}) outs(%2{names} : {dst}{types}) {{quant_type = #pto<quant_type INT8_SYM>}}"
        );
        function(&[src, &scale, dst, src], &body)
    };
    let refused = ["error: tquant::expanded-operand"];
    for tmp in [false, true] {
        let (full, column) = (quantize("32x32xf32", tmp), quantize("32x1xf32, blayout=col_major", tmp));
        assert_eq!(found(&full, A2A3), refused);
        assert_eq!(found(&column, A2A3), NOTHING);
        for profile in [Cpu, A5] {
            assert_eq!(found(&full, profile), NOTHING);
        }
    }
    assert_eq!(found(&quantize("32x8xf32", false), A2A3), NOTHING);
    assert_eq!(found(&quantize("32x8xf32", true), A2A3), refused);
}

// 13.3: in place
#[test]
fn one_tile_is_never_apart_from_itself() {
    let automatic = program("inplace_tands.pto");
    let manual = automatic
        .replace(" %a = pto.alloc_tile :", " %z = arith.constant 0 : i64\n %a = pto.alloc_tile addr = %z :");
    for text in [&automatic, &manual] {
        for profile in [A2A3, A5] {
            assert_eq!(found(text, profile), ["error: tands::apart"]);
            assert_eq!(found(&text.replace("tands", "tors"), profile), ["error: tors::apart"]);
        }
        assert_eq!(found(text, Cpu), NOTHING);
    }
    let tile = "!pto.tile_buf<vec, 16x64xi16>";
    let txor = |sources: &str| {
        let body = format!("  pto.txor ins({sources} : {tile}, {tile}, {tile}) outs(%0 : {tile})");
        function(&[tile; 4], &body)
    };
    for sources in ["%0, %1, %2", "%1, %0, %2", "%1, %2, %0", "%1, %2, %2"] {
        assert_eq!(found(&txor(sources), A2A3), ["error: txor::apart"], "{sources}");
        assert_eq!(found(&txor(sources), A5), NOTHING, "{sources}");
    }
    assert_eq!(found(&txor("%1, %1, %2"), A2A3), NOTHING);
}

/// 13.3 tmp of `trowexpand*` over the destination, A2/A3.
#[test]
fn the_workspace_of_a_row_expansion_is_apart_from_its_operands_and_in_ub() {
    for name in ["rowexpand_tmp_over_source.pto", "rowexpand_tmp_over_destination.pto"] {
        has(&program(name), A2A3, "error: trowexpandadd::apart");
        lacks(&program(name), A5, "error: trowexpandadd::apart");
    }
    has(&program("rowexpand_tmp_in_mat.pto"), A2A3, "error: trowexpandadd::tmp-location");
}

// 13.3: `partition_view` beyond its view
#[test]
fn a_part_beyond_its_view_is_a_lint_before_the_run_and_in_every_run() {
    for name in ["partition_beyond_view.pto", "partition_beyond_view_rows.pto"] {
        assert_eq!(found(&program(name), A5), ["lint: partition_view::beyond"]);
    }
    let text = "!v = !pto.tensor_view<20x20xf32>
!t = !pto.tile_buf<vec, 8x16xf32>
func.func @f(%x: !pto.ptr<f32>, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %v = pto.make_tensor_view %x, shape = [%c20, %c20], strides = [%c20, %c1] : !v
  %p = pto.partition_view %v, offsets = [%c0, %at], sizes = [%c8, %c16] : !v -> !pto.partition_tensor_view<8x16xf32>
  %t = pto.alloc_tile : !t
  pto.tload ins(%p : !pto.partition_tensor_view<8x16xf32>) outs(%t : !t)
  return
}
";
    for profile in Profile::ALL {
        assert_eq!(found(text, profile), NOTHING);
        for (at, wanted) in [(4, vec![]), (5, vec!["lint: partition_view::beyond".to_owned()])] {
            assert_eq!(run(text, profile, &[at], &Options::default()).expect("a run").1, wanted);
        }
    }
    let beyond = text.replace("offsets = [%c0, %at]", "offsets = [%c16, %at]");
    assert_eq!(
        run(&beyond, A5, &[4], &Options::default()).expect_err("no bytes"),
        ["error: tload::out-of-bounds"]
    );
}

#[test]
fn known_valid_rows_beyond_the_tile_are_found_before_the_run() {
    has(&program("valid_row_beyond_rows.pto"), A5, "error: alloc_tile::valid-region");
}

#[test]
fn loops_that_stand_still_and_recursion_are_found_before_the_run() {
    let still =
        function(&["index"], "  %z = arith.constant 0 : index\n  scf.for %i = %z to %0 step %z {\n  }");
    assert_eq!(found(&still, Cpu), ["error: loop-step"]);
    let again = function(&["index"], "  func.call @f(%0) : (index) -> ()");
    assert_eq!(found(&again, Cpu), ["lint: call-depth"]);
}

#[test]
fn constants_fit_their_types() {
    for (constant, finding) in [
        ("256 : i8", "error: constant"),
        ("-129 : i8", "error: constant"),
        ("4294967296 : i32", "error: constant"),
        ("1 : f32", "error: constant"),
    ] {
        assert_eq!(found(&function(&[], &format!("  %a = arith.constant {constant}")), Cpu), [finding]);
    }
    for constant in ["255 : i8", "-128 : i8", "1.0 : f32", "0x3F800000 : f32"] {
        assert_eq!(found(&function(&[], &format!("  %a = arith.constant {constant}")), Cpu), NOTHING);
    }
}

#[test]
fn offsets_are_integers_and_a_quantization_parameter_is_a_word() {
    let (src, dst) = (vec("f32"), vec("f32"));
    let insert = |ty: &str| found(&using("tinsert", &[&src, ty, ty, &dst]), A5);
    assert_eq!(insert("f32"), ["error: operand-type"]);
    assert_eq!(insert("index"), NOTHING);
    let acc = "!pto.tile_buf<acc, 16x32xf32, blayout=col_major, slayout=row_major, fractal=1024>";
    let mat = "!pto.tile_buf<mat, 16x32xi8, blayout=col_major, slayout=row_major>";
    let quantize = |ty: &str| {
        let body = format!(
            "  %z = arith.constant 0 : index\n  pto.tinsert ins(%0, %z, %z : {acc}, index, index pre_quant %1 : {ty}) outs(%2 : {mat})"
        );
        found(&function(&[acc, ty, mat], &body), A5)
    };
    assert!(quantize("f32").contains(&"error: operand-type".to_owned()), "{:?}", quantize("f32"));
}

#[test]
fn addresses_of_the_short_spellings_are_checked_like_those_of_allocations() {
    for profile in [A2A3, A5] {
        has(&program("tassign_beyond_buffer.pto"), profile, "error: alloc_tile::capacity");
    }
    has(&program("tassign_reserved_window.pto"), A2A3, "error: trowexpandadd::reserved-window");
    lacks(&program("tassign_reserved_window.pto"), A5, "error: trowexpandadd::reserved-window");
}

#[test]
fn ub_beyond_the_compilers_budget_is_a_lint_on_a5_and_an_error_beyond_192_kb_on_a2a3() {
    let at = |address: u32| {
        let tile = vec("f32");
        function(
            &[],
            &format!("  %z = arith.constant {address} : i64\n  %t = pto.alloc_tile addr = %z : {tile}"),
        )
    };
    assert_eq!(found(&at(248 * 1024 - 4096), A5), NOTHING);
    assert_eq!(found(&at(248 * 1024), A5), ["lint: alloc_tile::capacity"]);
    assert_eq!(found(&at(256 * 1024), A5), ["error: alloc_tile::capacity"]);
    assert_eq!(found(&at(192 * 1024), A2A3), ["error: alloc_tile::capacity"]);
}

// 13.3: both sources of `trowexpand*` have dst's valid region
#[test]
fn two_sources_of_the_destinations_region_are_an_extension_in_both_modes() {
    let extension = ["extension: trowexpandadd::both-match"];
    let mode_1 = program("rowexpand_both_match.pto");
    let full = |shape: &str| {
        let tile = format!("!pto.tile_buf<vec, {shape}>");
        using("trowexpandadd", &[&tile, &tile, &tile])
    };
    assert_eq!(found(&mode_1, Cpu), NOTHING);
    assert_eq!(found(&full("16x8xf32"), Cpu), NOTHING);
    for profile in [A2A3, A5] {
        assert_eq!(found(&mode_1, profile), extension);
        assert_eq!(found(&full("16x8xf32"), profile), extension);
        assert_eq!(found(&full("16x16xf32"), profile), ["error: trowexpandadd::expanded-operand"]);
    }
}

#[test]
fn a_source_and_a_destination_that_overlap_in_part_are_a_lint() {
    for name in ["rowexpand_overlap.pto", "tconcat_overlap.pto"] {
        for profile in Profile::ALL {
            has(&program(name), profile, "lint: overlap");
        }
    }
}

#[test]
fn an_attribute_that_an_instruction_lacks_is_named_with_the_nearest_one() {
    let (src, dst) = (vec("f16"), vec("f32"));
    let text =
        using("tcvt", &[&src, &dst]).replace("\n  return", " {rmod = #pto<round_mode FLOOR>}\n  return");
    assert_eq!(found(&text, Cpu), ["error: unknown-attribute"]);
    let findings = pto::check(pto::parse(&text).expect("text").module, None).expect_err("an error");
    assert_eq!(findings[0].help, ["did you mean `rmode`?"]);
    assert_eq!(found(&text.replace("rmod ", "my.rmod "), Cpu), NOTHING);
}

#[test]
fn rows_that_a_split_moves_beyond_the_destination_are_a_lint_on_a5() {
    let insert = |valid: u32| {
        let src =
            format!("!pto.tile_buf<vec, 16x64xf16, valid={valid}x64, blayout=col_major, slayout=row_major>");
        let dst = "!pto.tile_buf<mat, 16x64xf16, blayout=col_major, slayout=row_major>";
        let body = format!(
            "  %z = arith.constant 0 : index\n  %one = arith.constant 1 : index\n  pto.tinsert ins(%0, %one, %z : {src}, index, index) outs(%1 : {dst}) {{tinsertMode = #pto.tinsert_mode<split2>}}"
        );
        found(&function(&[&src, dst], &body), A5)
    };
    assert_eq!(insert(15), ["lint: tinsert::physical-overflow"]);
    assert!(insert(16).contains(&"error: tinsert::bounds".to_owned()));
}

#[test]
fn a_product_adds_to_an_accumulator_of_its_own_format() {
    let left = "!pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major, fractal=512>";
    let right = "!pto.tile_buf<right, 16x16xf16, slayout=col_major, fractal=512>";
    let acc = |element: &str| {
        format!("!pto.tile_buf<acc, 16x16x{element}, blayout=col_major, slayout=row_major, fractal=1024>")
    };
    let program = |initial: &str| using("tmatmul.acc", &[initial, left, right, &acc("f32")]);
    for profile in Profile::ALL {
        for rule in ["locations", "element-type"] {
            lacks(&program(&acc("f32")), profile, &format!("error: tmatmul.acc::{rule}"));
        }
        has(&program("!pto.tile_buf<vec, 16x16xf32>"), profile, "error: tmatmul.acc::locations");
        has(&program(&acc("i32")), profile, "error: tmatmul.acc::element-type");
    }
}
