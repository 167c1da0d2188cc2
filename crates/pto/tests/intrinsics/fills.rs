//! Moves with a fill value for the elements that they do not write.

use super::*;

/// Extracts with fill, as in the manual: the window, and the fill value around it.
#[test]
fn a_kernel_extracts_and_inserts_with_fill_and_reshapes_into_a_tile() -> Result<(), Error> {
    let mut k = Kernel::<Cpu>::new("fills");
    let x = k.tensor::<f32>("x", &[8.into(), 8.into()])?;
    let y = k.tensor::<f32>("y", &[4.into(), 16.into()])?;
    let all: Ff<8, 8> = k.tile("all")?;
    let corner: Tile<loc::Vec, f32, 8, 8, layout::Nd, Part<2, 2>> = k.tile("corner")?;
    let wide: Ff<4, 16> = k.tile("wide")?;
    let loaded = k.tload(all, &x)?;
    k.after([loaded])?.textract_fill(corner, all, (1, 1), -1.0)?;
    let whole: Ff<8, 8> = k.treshape("whole", corner)?;
    let one: Tile<loc::Vec, f32, 8, 8, layout::Nd, Part<1, 1>> = k.tile("one")?;
    k.tmov(one, all)?;
    let inserted = k.tinsert_fill(whole, one, (7, 7), 5.0)?;
    k.treshape_into(wide, whole)?;
    k.after([inserted])?.tstore(&y, wide)?;
    let results = k.build()?.run().input(&x, &ints(64))?.zeros(&y)?.launch()?;
    let values = results.get(&y)?;
    assert_eq!(values[..3], [9.0, 10.0, -1.0]);
    assert_eq!(values[8..10], [17.0, 18.0]);
    assert_eq!(values[62..], [-1.0, 0.0]);
    Ok(())
}
