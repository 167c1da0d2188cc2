//! The calls of the pages, as methods of the Rust API.

use pto::intrinsics::*;

type F<const R: usize, const C: usize> = Tile<loc::Vec, f32, R, C>;
type Boxes<L> = Tile<L, f16, 16, 32, layout::Nz>;

/// Each call records an instruction: the lines of the text that are instructions on tiles, in order, each with the
/// parts that are expected of it.
#[track_caller]
fn records(expected: &[&[&str]], text: &str) {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| line.contains(") outs(") || line.contains("treshape"))
        .collect();
    assert_eq!(lines.len(), expected.len(), "{text}");
    for (line, parts) in lines.iter().zip(expected) {
        assert!(parts.iter().all(|part| line.contains(part)), "{parts:?} of {line}");
    }
}

#[test]
fn calls_on_vec_tiles() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("calls");
    let (a, b): (F<16, 16>, F<16, 16>) = (k.tile("a")?, k.tile("b")?);
    let wide: F<16, 32> = k.tile("wide")?;
    let index: Tile<loc::Vec, i32, 16, 8, layout::Nd, Part<16, 1>> = k.tile("index")?;
    let count: Tile<loc::Vec, i32, 16, 8, layout::Nd, Part<16, 1>> = k.tile("count")?;
    let column: Tile<loc::Vec, f32, 16, 1, layout::Dn> = k.tile("column")?;
    let tmp: F<2, 64> = k.tile("tmp")?;
    k.tconcat(wide, a, b)?;
    k.tconcat_indexed(wide, a, b, index, index)?;
    k.tconcat_counted(wide, count, a, b, index, index)?;
    k.tmov(a, b)?;
    k.tmov_fill(a, b, 0.0)?;
    k.ttrans(a, b)?;
    k.tinsert(wide, a, 0, 8)?;
    k.textract(a, wide, 0, 8)?;
    k.trowexpandadd(a, b, column)?;
    k.trowexpandadd_tmp(a, b, column, tmp)?;
    let _flat: F<8, 32> = k.treshape("flat", a)?;
    k.tfillpad_with(a, b, -1.0)?;
    records(
        &[
            &["pto.tconcat ins(%a, %b : ", " outs(%wide : "],
            &["pto.tconcat ins(%a, %b, %index, %index : ", " outs(%wide : "],
            &["pto.tconcat ins(%a, %b, %index, %index : ", " outs(%wide, %count : "],
            &["pto.tmov ins(%b : ", " outs(%a : "],
            &["pto.tmov_fp ins(%b, %cf32_0 : ", " outs(%a : "],
            &["pto.ttrans ins(%b : ", " outs(%a : "],
            &["pto.tinsert ins(%a, %c0, %c8 : ", " outs(%wide : "],
            &["pto.textract ins(%wide, %c0, %c8 : ", " outs(%a : "],
            &["pto.trowexpandadd ins(%b, %column : ", " outs(%a : "],
            &["pto.trowexpandadd ins(%b, %column, %tmp : ", " outs(%a : "],
            &["%flat = pto.treshape %a : "],
            &["pto.tfillpad ins(%b, %cf32_", " outs(%a : "],
        ],
        &k.to_text()?,
    );
    Ok(())
}

#[test]
fn calls_between_buffers() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("calls");
    let (src, dst): (Boxes<loc::Vec>, Boxes<loc::Mat>) = (k.tile("src")?, k.tile("dst")?);
    k.tinsert(dst, src, 0, 0)?;
    k.tinsert_split(dst, src, (0, 0), Split::Split2)?;
    k.tinsert_split(dst, src, (0, 0), Split::Split4)?;
    let acc: TileAcc<f32, 16, 32> = k.tile("acc")?;
    let out: F<16, 32> = k.tile("out")?;
    let half: F<8, 32> = k.tile("half")?;
    let relu = Fixpipe { relu: ReluPreMode::NormalRelu, ..Fixpipe::default() };
    k.tmov_with(out, acc, relu)?;
    k.tinsert_with(out, acc, (0, 0), relu)?;
    k.textract_with(out, acc, (0, 0), relu)?;
    let both = Fixpipe { mode: Some(AccToVecMode::DualModeSplitM), ..Fixpipe::default() };
    k.tmov_with(half, acc, both)?;
    k.tinsert_with(half, acc, (0, 0), both)?;
    let bytes: Tile<loc::Mat, i8, 16, 32, layout::Nz> = k.tile("bytes")?;
    let in_ub: Tile<loc::Vec, i8, 16, 32> = k.tile("in_ub")?;
    let fp: Tile<loc::Scaling, u64, 1, 32> = k.tile("fp")?;
    for quant in [Quant::scale(0.5, true), Quant::vector(fp)] {
        k.tmov_with(bytes, acc, Fixpipe { quant, ..Fixpipe::default() })?;
        k.tinsert_with(bytes, acc, (0, 0), Fixpipe { quant, ..Fixpipe::default() })?;
        let one = Fixpipe { quant, mode: Some(AccToVecMode::SingleModeVec1), ..Fixpipe::default() };
        k.tmov_with(in_ub, acc, one)?;
        k.tinsert_with(in_ub, acc, (0, 0), one)?;
    }
    let (relu, dual) = ("{reluPreMode = #pto<relu_pre_mode normal_relu>}", "<dual_mode_split_m>");
    let (scalar, second) = ("_i64 : i64)", "<single_mode_vec1>");
    records(
        &[
            &["pto.tinsert ins(%src, %c0, %c0 : ", " outs(%dst : "],
            &["pto.tinsert ins(%src, %c0, %c0 : ", " outs(%dst : ", "#pto.tinsert_mode<split2>"],
            &["pto.tinsert ins(%src, %c0, %c0 : ", " outs(%dst : ", "#pto.tinsert_mode<split4>"],
            &["pto.tmov ins(%acc : ", " outs(%out : ", relu],
            &["pto.tinsert ins(%acc, %c0, %c0 : ", " outs(%out : ", relu],
            &["pto.textract ins(%acc, %c0, %c0 : ", " outs(%out : ", relu],
            &["pto.tmov ins(%acc : ", " outs(%half : ", dual],
            &["pto.tinsert ins(%acc, %c0, %c0 : ", " outs(%half : ", dual],
            &["pto.tmov ins(%acc : ", scalar, " outs(%bytes : "],
            &["pto.tinsert ins(%acc, %c0, %c0 : ", " pre_quant %", scalar, " outs(%bytes : "],
            &["pto.tmov ins(%acc : ", scalar, " outs(%in_ub : ", second],
            &["pto.tinsert ins(%acc, %c0, %c0 : ", " pre_quant %", scalar, " outs(%in_ub : ", second],
            &["pto.tmov ins(%acc : ", ", %fp : ", " outs(%bytes : "],
            &["pto.tinsert_fp ins(%acc, %fp, %c0, %c0 : ", " outs(%bytes : "],
            &["pto.tmov ins(%acc : ", ", %fp : ", " outs(%in_ub : ", second],
            &["pto.tinsert_fp ins(%acc, %fp, %c0, %c0 : ", " outs(%in_ub : ", second],
        ],
        &k.to_text()?,
    );
    Ok(())
}

/// Each call waits for the load that it is given, and the store waits for the event of the call.
#[test]
fn calls_take_events_and_return_one() -> Result<(), Error> {
    type Call = fn(&mut Kernel<A5>, Event) -> Result<Event, Error>;
    let calls: [(&str, Call); 4] = [
        ("tconcat", |k, loaded| {
            let (part, whole): (F<16, 16>, F<16, 32>) = (k.tile("part")?, k.tile("whole")?);
            k.after([loaded])?.tconcat(whole, part, part)
        }),
        ("tinsert", |k, loaded| {
            let (part, whole): (F<16, 16>, F<16, 32>) = (k.tile("part")?, k.tile("whole")?);
            k.after([loaded])?.tinsert(whole, part, 0, 0)
        }),
        ("tmov", |k, loaded| {
            let (from, to): (F<16, 16>, F<16, 16>) = (k.tile("from")?, k.tile("to")?);
            k.after([loaded])?.tmov(to, from)
        }),
        ("trowexpandadd", |k, loaded| {
            let (full, column): (F<16, 16>, Tile<loc::Vec, f32, 16, 1, layout::Dn>) =
                (k.tile("full")?, k.tile("column")?);
            k.after([loaded])?.trowexpandadd(full, full, column)
        }),
    ];
    for (name, call) in calls {
        let mut k = Kernel::<A5>::new("calls");
        let x = k.tensor::<f32>("x", &[16.into(), 16.into()])?;
        let tile: F<16, 16> = k.tile("x_tile")?;
        let loaded = k.tload(tile, &x)?;
        let done = call(&mut k, loaded)?;
        k.after([done])?.tstore(&x, tile)?;
        let text = k.to_text()?;
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} in\n{text}"));
        let order = [
            at("pto.wait_flag[<PIPE_MTE2>, <PIPE_V>"),
            at(&format!("pto.{name} ")),
            at("pto.set_flag[<PIPE_V>, <PIPE_MTE3>"),
            at("pto.tstore "),
        ];
        assert!(order.is_sorted(), "{name} in\n{text}");
    }
    Ok(())
}
