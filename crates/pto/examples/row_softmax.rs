//! A kernel written with the Rust API: softmax of the rows of a matrix, checked for A5, printed as `.pto`, and run.

#![expect(clippy::print_stdout, reason = "the example shows what it computes")]

use pto::intrinsics::{A5, Error, Kernel, Tile, layout::Dn, loc};

const ROWS: usize = 16;
const COLS: usize = 64;

type Rows = Tile<loc::Vec, f32, ROWS, COLS>;
type Column = Tile<loc::Vec, f32, ROWS, 1, Dn>;

fn main() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("row_softmax");
    let x = k.tensor::<f32>("x", &[ROWS.into(), COLS.into()])?;
    let y = k.tensor::<f32>("y", &[ROWS.into(), COLS.into()])?;
    let (tile, tmp): (Rows, Rows) = (k.tile("tile")?, k.tile("tmp")?);
    let column: Column = k.tile("column")?;

    let loaded = k.tload(tile, &x)?;
    k.after([loaded])?.trowmax(column, tile, tmp)?;
    k.trowexpandsub(tile, tile, column)?;
    k.texp(tile, tile)?;
    k.trowsum(column, tile, tmp)?;
    let scaled = k.trowexpanddiv(tile, tile, column)?;
    k.after([scaled])?.tstore(&y, tile)?;

    println!("{}", k.to_text()?);
    let input: Vec<f32> = (0..ROWS * COLS).map(|i| (i % 7) as f32).collect();
    let output = k.build()?.run().input(&x, &input)?.zeros(&y)?.launch()?.get(&y)?;
    for row in output.chunks_exact(COLS) {
        let sum: f32 = row.iter().sum();
        assert!((sum - 1.0).abs() < 1e-5, "a row of softmax adds up to {sum}");
    }
    println!("{ROWS} rows add up to one each; the first starts {:?}", &output[..4]);
    Ok(())
}
