//! The Rust API records the same programs as text, and the same machine checks and runs them.

mod events;
mod fills;
mod refused;
mod unchanged;

use expect_test::expect;
use pto::Profile;
use pto::intrinsics::*;

type Ff<const R: usize, const C: usize> = Tile<loc::Vec, f32, R, C>;

fn ints(count: i32) -> Vec<f32> {
    (0..count).map(|i| i as f32).collect()
}

#[test]
fn a_kernel_prints_itself_as_text_that_is_canonical_and_legal() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("scale rows");
    let x = k.tensor::<f32>("x", &[32.into(), 64.into()])?;
    let y = k.tensor::<f32>("y", &[32.into(), 64.into()])?;
    let (block, _) = k.block()?;
    let row = k.mul(block, 16)?;
    let (from, to) = (
        k.window(&x, &[row, 0.into()], &[16.into(), 64.into()])?,
        k.window(&y, &[row, 0.into()], &[16.into(), 64.into()])?,
    );
    let a: Ff<16, 64> = k.tile("a")?;
    let loaded = k.tload(a, from)?;
    let scaled = k.after([loaded])?.tmuls(a, a, 2.5)?;
    k.after([scaled])?.tstore(to, a)?;
    let text = k.to_text()?;
    expect![[r#"
        module attributes {pto.target_arch = "a5"} {
          func.func @scale_rows(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
            %c32 = arith.constant 32 : index
            %c64 = arith.constant 64 : index
            %c1 = arith.constant 1 : index
            %c0 = arith.constant 0 : index
            %c16 = arith.constant 16 : index
            %cf32_40200000 = arith.constant 2.5 : f32
            %x_view = pto.make_tensor_view %x, shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64xf32>
            %x_part = pto.partition_view %x_view, offsets = [%c0, %c0], sizes = [%c32, %c64] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<32x64xf32>
            %y_view = pto.make_tensor_view %y, shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64xf32>
            %y_part = pto.partition_view %y_view, offsets = [%c0, %c0], sizes = [%c32, %c64] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<32x64xf32>
            %block = pto.get_block_idx
            %block_2 = arith.index_cast %block : i64 to index
            %blocks = pto.get_block_num
            %blocks_2 = arith.index_cast %blocks : i64 to index
            %n = arith.muli %block_2, %c16 : index
            %x_part_2 = pto.partition_view %x_part, offsets = [%n, %c0], sizes = [%c16, %c64] : !pto.partition_tensor_view<32x64xf32> -> !pto.partition_tensor_view<16x64xf32>
            %y_part_2 = pto.partition_view %y_part, offsets = [%n, %c0], sizes = [%c16, %c64] : !pto.partition_tensor_view<32x64xf32> -> !pto.partition_tensor_view<16x64xf32>
            %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
            pto.tload ins(%x_part_2 : !pto.partition_tensor_view<16x64xf32>) outs(%a : !pto.tile_buf<vec, 16x64xf32>)
            pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
            pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
            pto.tmuls ins(%a, %cf32_40200000 : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>)
            pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
            pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
            pto.tstore ins(%a : !pto.tile_buf<vec, 16x64xf32>) outs(%y_part_2 : !pto.partition_tensor_view<16x64xf32>)
            return
          }
        }
    "#]]
    .assert_eq(&text);
    let again = pto::parse(&text).expect("its own text is read").module;
    let style = pto::text::Style {
        spelling: pto::text::PrintedSpelling::Destination,
        compact: true,
        ..Default::default()
    };
    assert_eq!(pto::text::print(&again, &style), text);

    let values = ints(2048);
    let results = k.build()?.run().input(&x, &values)?.zeros(&y)?.blocks(2).launch()?;
    let wanted: Vec<f32> = values.iter().map(|value| value * 2.5).collect();
    assert_eq!(results.get(&y)?, wanted);
    Ok(())
}

#[test]
fn a_dual_mode_gives_each_vector_core_its_half() -> Result<(), Error> {
    for (mode, half) in [(AccToVecMode::DualModeSplitM, 0), (AccToVecMode::DualModeSplitN, 1)] {
        let mut k = Kernel::<A5>::new("halves");
        let x = k.tensor::<f32>("x", &[32.into(), 32.into()])?;
        let eye = k.tensor::<f32>("eye", &[32.into(), 32.into()])?;
        let y = k.tensor::<f32>("y", &[2.into(), 32.into(), 32.into()])?;
        let acc: TileAcc<f32, 32, 32> = k.tile("acc")?;
        let vec: Ff<32, 32> = k.tile("vec")?;
        let (m0, m1): (Tile<loc::Mat, f32, 32, 32, layout::Nz>, Tile<loc::Mat, f32, 32, 32, layout::Nz>) =
            (k.tile("m0")?, k.tile("m1")?);
        let left: TileLeft<f32, 32, 32> = k.tile("left")?;
        let right: TileRight<f32, 32, 32> = k.tile("right")?;
        k.section(Section::Cube, |k| {
            let loaded = [k.tload(m0, &x)?, k.tload(m1, &eye)?];
            let moved = [k.after(loaded)?.tmov(left, m0)?, k.tmov(right, m1)?];
            let product = k.after(moved)?.tmatmul(acc, left, right)?;
            let fixpipe = Fixpipe { mode: Some(mode), ..Fixpipe::default() };
            k.after([product])?.tinsert_with(vec, acc, (0, 0), fixpipe)?;
            Ok(())
        })?;
        k.section(Section::Vector, |k| {
            let core = k.subblock()?;
            let to = k.window(&y, &[core, 0.into(), 0.into()], &[1.into(), 32.into(), 32.into()])?;
            k.tstore(to, vec)?;
            Ok(())
        })?;
        let values = ints(1024);
        let unit: Vec<f32> = (0..1024).map(|i| if i % 33 == 0 { 1.0 } else { 0.0 }).collect();
        let results = k.build()?.run().input(&x, &values)?.input(&eye, &unit)?.zeros(&y)?.launch()?;
        let out = results.get(&y)?;
        for core in 0..2 {
            for i in 0..32 {
                for j in 0..32 {
                    let inside = [i, j][half] < 16;
                    let source = if half == 0 { (i + 16 * core) * 32 + j } else { i * 32 + j + 16 * core };
                    let wanted = if inside { values[source] } else { 0.0 };
                    assert_eq!(out[(core * 32 + i) * 32 + j], wanted, "core {core} ({i}, {j})");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn errors_have_the_names_of_the_rules_and_leave_the_kernel_as_it_was() -> Result<(), Error> {
    let mut k = Kernel::<A2A3>::new("k");
    let a: Ff<16, 16> = k.tile("a")?;
    let wide: Ff<16, 32> = k.tile("wide")?;
    let bytes: Tile<loc::Vec, u8, 16, 32> = k.tile("bytes")?;
    let before = k.to_text()?;
    assert_eq!(k.tadd(wide, a, wide).unwrap_err().rule(), "tadd::valid-region");
    assert_eq!(k.tadd(bytes, bytes, bytes).unwrap_err().rule(), "tadd::element-type");
    assert_eq!(k.tinsert(a, wide, 0, 8).unwrap_err().rule(), "tinsert::bounds");
    let error = k.tmov(wide, a).unwrap_err();
    assert_eq!(error.rule(), "tmov::shape");
    let notes = &error.findings()[0].notes;
    assert!(notes.contains(&"legal on cpu, a5".to_owned()), "{notes:?}");
    let error = k.trowexpandadd(a, a, a).unwrap_err();
    assert_eq!(error.rule(), "trowexpandadd::expanded-operand");
    assert!(error.to_string().contains("`%a`"), "{error}");
    assert_eq!(k.to_text()?, before);
    Ok(())
}

#[test]
fn tiles_that_a_profile_cannot_place_are_refused() -> Result<(), Error> {
    let mut k = Kernel::<A2A3>::new("k");
    let error = k.tile::<Ff<512, 128>>("large").unwrap_err();
    assert_eq!(error.rule(), "alloc_tile::capacity");
    let a: Ff<16, 16> = k.tile("a")?;
    assert_eq!(k.assign(a, 192 * 1024).unwrap_err().rule(), "alloc_tile::capacity");
    k.assign(a, 0x40)?;
    k.assign(a, 0x80)?;
    k.tadd(a, a, a)?;
    assert_eq!(k.assign(a, 0).unwrap_err().rule(), "assign::late");
    assert!(k.to_text()?.contains("%a = pto.alloc_tile addr = %c128_i64 :"), "{}", k.to_text()?);
    let error = k.make::<Ff<16, 16>>("b", Make::default().valid(8, 16)).unwrap_err();
    assert_eq!(error.rule(), "alloc_tile::valid-operand");
    Ok(())
}

#[test]
fn values_of_another_kernel_are_refused() -> Result<(), Error> {
    let (mut k, mut other) = (Kernel::<A5>::new("k"), Kernel::<A5>::new("other"));
    let a: Ff<16, 16> = k.tile("a")?;
    let b: Ff<16, 16> = other.tile("b")?;
    assert_eq!(k.tadd(a, a, b).unwrap_err().rule(), "kernel::foreign-value");
    let event = other.tadd(b, b, b)?;
    assert_eq!(k.after([event]).unwrap_err().rule(), "kernel::foreign-value");
    let x = other.tensor::<f32>("x", &[8.into()])?;
    assert_eq!(k.build()?.run().zeros(&x).unwrap_err().rule(), "kernel::foreign-value");
    Ok(())
}

#[test]
fn run_time_rules_stop_the_run_with_their_name_and_place() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    let row = k.index("row");
    let (a, b): (Ff<16, 16>, Ff<8, 16>) = (k.tile("a")?, k.tile("b")?);
    k.tinsert(a, b, row, 0)?;
    let built = k.build()?;
    built.run().index(row, 8)?.launch()?;
    let error = built.run().index(row, 9)?.launch().unwrap_err();
    assert_eq!(error.rule(), "tinsert::bounds");
    let span = error.findings()[0].primary.as_ref().expect("a place in the kernel's text").span;
    assert_eq!(&built.text()[span.start as usize..span.end as usize], "%row");
    assert_eq!(built.run().launch().unwrap_err().rule(), "arguments");
    Ok(())
}

#[test]
fn quantized_moves_have_one_parameter_or_one_for_each_column() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    let acc: TileAcc<f32, 16, 32> = k.tile("acc")?;
    let mat: Tile<loc::Mat, i8, 16, 32, layout::Nz> = k.tile("mat")?;
    let fp: Tile<loc::Scaling, u64, 1, 32> = k.tile("fp")?;
    let scale = k.scalar::<u64>("scale");
    let quant = |quant| Fixpipe { quant, relu: ReluPreMode::NormalRelu, ..Fixpipe::default() };
    for way in [Quant::scale(0.5, true), Quant::Argument(scale), Quant::vector(fp)] {
        k.tmov_with(mat, acc, quant(way))?;
        k.tinsert_with(mat, acc, (0, 0), quant(way))?;
        k.textract_with(mat, acc, (0, 0), quant(way))?;
    }
    k.build()?;
    Ok(())
}

#[test]
fn sets_inside_a_loop_are_not_known_behind_it() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    let n = k.index("n");
    let a: Tile<loc::Vec, f32, 16, 16, layout::Nd, Dynamic> = k.tile("a")?;
    let b: Ff<16, 16> = k.tile("b")?;
    k.repeat([0.into(), n, 1.into()], |k, _| k.set_validshape(a, 8, 8))?;
    k.tadd(b, a, b)?;
    let built = k.build()?;
    built.run().index(n, 0)?.launch()?;
    assert_eq!(built.run().index(n, 1)?.launch().unwrap_err().rule(), "tadd::valid-region");
    Ok(())
}

#[test]
fn every_float_constant_arrives_with_its_bits() -> Result<(), Error> {
    let values = [0.1f32, -0.0, 1e-45, 3.4e38, f32::INFINITY, f32::NEG_INFINITY, 16777216.0, 1e20];
    let mut k = Kernel::<Cpu>::new("k");
    let y = k.tensor::<f32>("y", &[8.into()])?;
    let a: Ff<1, 8> = k.tile("a")?;
    for (at, value) in values.into_iter().enumerate() {
        k.tsetval(a, at, value)?;
    }
    k.tstore(&y, a)?;
    let out = k.build()?.run().zeros(&y)?.launch()?.get(&y)?;
    let bits = |list: &[f32]| list.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&out), bits(&values));
    assert_eq!(<A5 as Target>::PROFILE, Profile::A5);
    Ok(())
}

#[test]
fn parts_of_tiles_and_single_elements() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    let x = k.tensor::<f32>("x", &[16.into(), 16.into()])?;
    let a: Ff<16, 16> = k.tile("a")?;
    k.tload(a, &x)?;
    let part: Ff<4, 8> = k.subview("part", a, 8, 8)?;
    let scale = k.load_scalar(&x, 3)?;
    k.tmuls(part, part, scale)?;
    assert_eq!(k.subview::<Ff<4, 8>, _>("late", a, 13, 8).unwrap_err().rule(), "subview::window");
    let corner = k.tgetval(a, 255)?;
    k.tstore(&x, a)?;
    k.store_scalar(corner, &x, 0)?;
    let out = k.build()?.run().input(&x, &ints(256))?.launch()?.get(&x)?;
    assert_eq!(
        [out[0], out[8 * 16 + 7], out[8 * 16 + 8], out[11 * 16 + 15], out[12 * 16 + 8]],
        [255.0, 135.0, 408.0, 573.0, 200.0]
    );
    Ok(())
}

#[test]
fn modes_pairs_of_destinations_and_sums_that_narrow() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    let x = k.tensor::<f32>("x", &[8.into(), 16.into()])?;
    let (a, b, c): (Ff<8, 16>, Ff<8, 16>, Ff<8, 16>) = (k.tile("a")?, k.tile("b")?, k.tile("c")?);
    let half: Tile<loc::Vec, f16, 8, 16> = k.tile("half")?;
    let whole: Tile<loc::Vec, i32, 8, 16> = k.tile("whole")?;
    k.settf32mode(true, RoundMode::Round)?;
    k.sethf32mode(false, RoundMode::Rint)?;
    k.tprefetch(b, &x)?;
    k.tinterleave(b, c, a, a)?;
    k.tdeinterleave(a, c, b, c)?;
    k.tmuladddst(a, b, c)?;
    k.taddreluconv(half, a, b)?;
    k.tsubreluconv(half, a, b)?;
    k.tadddeqrelu(half, whole, whole, 0.5, whole)?;
    let text = k.to_text()?;
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| line.contains("mode")).collect();
    assert_eq!(lines[0], "pto.settf32mode ins({enable = true, mode = #pto<round_mode CAST_ROUND>}) outs()");
    assert_eq!(lines[1], "pto.sethf32mode ins({enable = false, mode = #pto<round_mode CAST_RINT>}) outs()");
    k.build().map(|_| ())
}

#[test]
fn fp4_counts_numbers_here_and_pairs_in_text() -> Result<(), Error> {
    type Wide = Tile<loc::Vec, bf16, 16, 64>;
    type Packed = Tile<loc::Vec, E2M1x2, 16, 64>;
    let mut k = Kernel::<A5>::new("k");
    let x = k.tensor::<bf16>("x", &[16.into(), 64.into()])?;
    let y = k.tensor::<E2M1x2>("y", &[16.into(), 64.into()])?;
    let (a, b): (Wide, Packed) = (k.tile("a")?, k.tile("b")?);
    let loaded = k.tload(a, &x)?;
    let done = k.after([loaded])?.tcvt(b, a, None, None)?;
    k.after([done])?.tstore(&y, b)?;
    let built = k.build()?;
    assert!(built.text().contains("16x32x!pto.f4E2M1x2"), "{}", built.text());
    let ones = vec![bf16::from_f32(1.0); 16 * 64];
    let results = built.run().input(&x, &ones)?.zeros(&y)?.launch()?;
    assert_eq!(results.get(&y)?, vec![E2M1x2(0x22); 16 * 32]);
    Ok(())
}
