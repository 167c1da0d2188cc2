//! The calls of the pages, as methods of the Rust API.

use pto::intrinsics::*;

type F<const R: usize, const C: usize> = Tile<loc::Vec, f32, R, C>;
type Boxes<L> = Tile<L, f16, 16, 32, layout::Nz>;

/// Each method records the instruction of its name.
fn records(names: &[&str], text: &str) {
    for name in names {
        assert!(text.contains(&format!("pto.{name} ")), "{name} in\n{text}");
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
    let flat: F<8, 32> = k.treshape("flat", a)?;
    k.tfillpad_with(a, b, -1.0)?;
    k.tmov(flat, flat)?;
    let names = [
        "tconcat",
        "tmov",
        "tmov_fp",
        "ttrans",
        "tinsert",
        "textract",
        "trowexpandadd",
        "treshape",
        "tfillpad",
    ];
    records(&names, &k.to_text()?);
    assert_eq!(k.to_text()?.matches("pto.tconcat ").count(), 3);
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
    let fp: Tile<loc::Scaling, u64, 1, 32> = k.tile("fp")?;
    for quant in [Quant::scale(0.5, true), Quant::vector(fp)] {
        k.tmov_with(bytes, acc, Fixpipe { quant, ..Fixpipe::default() })?;
        k.tinsert_with(bytes, acc, (0, 0), Fixpipe { quant, ..Fixpipe::default() })?;
    }
    records(&["tinsert", "tmov", "textract", "tinsert_fp"], &k.to_text()?);
    Ok(())
}
