//! Programs with addresses and complete synchronization, for both device profiles.

use pto::intrinsics::{A2A3, A5, Error, Kernel, Moves, Target, Tile, layout, loc};
use pto::intrinsics::{Event, layout::Dn};

const ROWS: usize = 16;
const COLS: usize = 64;

type Rows = Tile<loc::Vec, f32, ROWS, COLS>;
type Column = Tile<loc::Vec, f32, ROWS, 1, Dn>;

/// Name and text of every program.
///
/// # Errors
/// If a rule rejects one of them, which is a mistake in this file.
pub fn synchronized() -> Result<Vec<(&'static str, String)>, Error> {
    Ok(vec![
        ("softmax, A2/A3", softmax::<A2A3>()?),
        ("softmax, A5", softmax::<A5>()?),
        ("three rounds of two buffers, A2/A3", rounds::<A2A3>()?),
        ("three rounds of two buffers, A5", rounds::<A5>()?),
        ("gemm over two parts of k, A2/A3", gemm::<A2A3>()?),
        ("gemm over two parts of k, A5", gemm::<A5>()?),
    ])
}

/// Softmax of rows.
fn softmax<P: Target>() -> Result<String, Error> {
    let mut k = Kernel::<P>::new("softmax");
    let x = k.tensor::<f32>("x", &[ROWS.into(), COLS.into()])?;
    let y = k.tensor::<f32>("y", &[ROWS.into(), COLS.into()])?;
    let (tile, tmp): (Rows, Rows) = (k.tile("tile")?, k.tile("tmp")?);
    let column: Column = k.tile("column")?;
    k.assign(tile, 0)?;
    k.assign(tmp, 0x2000)?;
    k.assign(column, 0x4000)?;
    let e = k.tload(tile, &x)?;
    let e = k.after([e])?.trowmax(column, tile, tmp)?;
    let e = k.after([e])?.trowexpandsub(tile, tile, column)?;
    let e = k.after([e])?.texp(tile, tile)?;
    let e = k.after([e])?.trowsum(column, tile, tmp)?;
    let e = k.after([e])?.trowexpanddiv(tile, tile, column)?;
    k.after([e])?.tstore(&y, tile)?;
    k.to_text()
}

/// Three blocks of rows through two pairs of buffers; each buffer is loaded again after it has been read.
fn rounds<P: Target>() -> Result<String, Error> {
    let mut k = Kernel::<P>::new("rounds");
    let all = [(3 * ROWS).into(), COLS.into()];
    let (x, y) = (k.tensor::<f32>("x", &all)?, k.tensor::<f32>("y", &all)?);
    let source: [Rows; 2] = [k.tile("source0")?, k.tile("source1")?];
    let target: [Rows; 2] = [k.tile("target0")?, k.tile("target1")?];
    for (at, tile) in source.into_iter().chain(target).enumerate() {
        k.assign(tile, 0x2000 * at as u64)?;
    }
    let mut read: [Vec<Event>; 2] = [Vec::new(), Vec::new()];
    let mut stored: [Vec<Event>; 2] = [Vec::new(), Vec::new()];
    for round in 0..3 {
        let half = round % 2;
        let rows = [(round * ROWS).into(), 0.into()];
        let size = [ROWS.into(), COLS.into()];
        let (from, to) = (k.window(&x, &rows, &size)?, k.window(&y, &rows, &size)?);
        let loaded = k.after(std::mem::take(&mut read[half]))?.tload(source[half], from)?;
        let mut before = std::mem::take(&mut stored[half]);
        before.push(loaded);
        let computed = k.after(before)?.texp(target[half], source[half])?;
        let kept = k.after([computed])?.tstore(to, target[half])?;
        read[half].push(computed);
        stored[half].push(kept);
    }
    k.to_text()
}

type MatTile = Tile<loc::Mat, f32, 32, 32, layout::Nz>;
type AccTile = Tile<loc::Acc, f32, 32, 32, layout::Nz>;

/// A product in two parts along k, with one buffer per factor.
fn gemm<P>() -> Result<String, Error>
where
    P: Target + Moves<loc::Mat, loc::Left> + Moves<loc::Mat, loc::Right>,
{
    let mut k = Kernel::<P>::new("gemm");
    let (a, b) =
        (k.tensor::<f32>("a", &[32.into(), 64.into()])?, k.tensor::<f32>("b", &[64.into(), 32.into()])?);
    let c = k.tensor::<f32>("c", &[32.into(), 32.into()])?;
    let (am, bm): (MatTile, MatTile) = (k.tile("am")?, k.tile("bm")?);
    let left: Tile<loc::Left, f32, 32, 32, layout::Nz> = k.tile("left")?;
    let right: Tile<loc::Right, f32, 32, 32, layout::Zn> = k.tile("right")?;
    let acc: AccTile = k.tile("acc")?;
    k.assign(am, 0)?;
    k.assign(bm, 0x1000)?;
    k.assign(left, 0)?;
    k.assign(right, 0)?;
    k.assign(acc, 0)?;
    let (mut moved, mut product): (Vec<Event>, Vec<Event>) = (Vec::new(), Vec::new());
    for part in 0..2usize {
        let size = [32.into(), 32.into()];
        let from_a = k.window(&a, &[0.into(), (part * 32).into()], &size)?;
        let from_b = k.window(&b, &[(part * 32).into(), 0.into()], &size)?;
        let first = k.after(std::mem::take(&mut moved))?.tload(am, from_a)?;
        let second = k.tload(bm, from_b)?;
        let mut before = product.clone();
        before.extend([first, second]);
        let to_left = k.after(before)?.tmov(left, am)?;
        let to_right = k.tmov(right, bm)?;
        let mut before = product.clone();
        before.extend([to_left, to_right]);
        let done = match part {
            0 => k.after(before)?.tmatmul(acc, left, right)?,
            _ => k.after(before)?.tmatmul_acc(acc, acc, left, right)?,
        };
        moved = vec![to_left, to_right];
        product = vec![done];
    }
    k.after(product)?.tstore(&c, acc)?;
    k.to_text()
}
