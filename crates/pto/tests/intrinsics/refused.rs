//! Errors of the Rust API that occur before there is a program to check.

use super::*;

#[test]
fn the_address_of_a_part_of_a_tile_is_that_of_the_tile() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    let a: Ff<16, 16> = k.tile("a")?;
    let part: Ff<4, 8> = k.subview("part", a, 8, 8)?;
    assert_eq!(k.assign(part, 0).unwrap_err().rule(), "assign::target");
    Ok(())
}

#[test]
fn an_event_without_a_later_instruction_in_its_block_is_refused() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    let x = k.tensor::<f32>("x", &[16.into(), 16.into()])?;
    let a: Ff<16, 16> = k.tile("a")?;
    let loaded = k.tload(a, &x)?;
    k.after([loaded])?;
    assert_eq!(k.to_text().unwrap_err().rule(), "event::scope");
    Ok(())
}

#[test]
fn extents_that_fit_nothing_are_refused() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    assert_eq!(k.tensor::<f32>("x", &[]).unwrap_err().rule(), "tensor::extents");
    let x = k.tensor::<f32>("x", &[16.into(), 16.into()])?;
    assert_eq!(k.window(&x, &[0.into()], &[8.into()]).unwrap_err().rule(), "tensor::extents");
    let built = k.build()?;
    assert_eq!(built.run().input(&x, &[0.0; 8]).unwrap_err().rule(), "tensor::extents");
    let few = k.conv_tile::<loc::Mat, f16, map::Nchw>("few", &[1, 2, 3]).unwrap_err();
    assert_eq!(few.rule(), "conv_tile::extents");
    Ok(())
}

#[test]
fn a_constant_is_no_argument() -> Result<(), Error> {
    let built = Kernel::<A5>::new("k").build()?;
    assert_eq!(built.run().index(3.into(), 1).unwrap_err().rule(), "kernel::signature");
    Ok(())
}

#[test]
fn loops_nest_as_deep_as_text_can() {
    fn nested(k: &mut Kernel<A5>, depth: usize) -> Result<(), Error> {
        if depth == 0 {
            return Ok(());
        }
        k.repeat([0.into(), 1.into(), 1.into()], |k, _| nested(k, depth - 1))
    }
    assert!(nested(&mut Kernel::new("k"), 100).is_ok());
    assert_eq!(nested(&mut Kernel::new("k"), 200).unwrap_err().rule(), "kernel::depth");
}

#[test]
fn half_a_pair_is_refused() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    let (a, part): (Pairs<16, 128>, Pairs<16, 64>) = (k.tile("a")?, k.tile("part")?);
    assert_eq!(k.textract(part, a, 0, 33).unwrap_err().rule(), "kernel::pairs");
    k.tinsert(a, part, 0, 32)?;
    assert_eq!(k.tinsert(a, part, 0, 33).unwrap_err().rule(), "kernel::pairs");
    assert_eq!(k.tensor::<E2M1x2>("x", &[16.into(), 63.into()]).unwrap_err().rule(), "kernel::pairs");
    Ok(())
}

type Pairs<const ROWS: usize, const COLS: usize> = Tile<loc::Vec, E2M1x2, ROWS, COLS>;
