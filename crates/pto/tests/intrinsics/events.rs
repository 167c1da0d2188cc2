//! Events of a kernel become flags, barriers and waits in its text.

use super::*;

/// The synchronization lines of a kernel, shortened.
fn flags<P: Target>(k: &Kernel<P>) -> Result<Vec<String>, Error> {
    let text = k.to_text()?;
    let lines = text.lines().map(str::trim).filter(|line| {
        ["pto.set_flag", "pto.wait_flag", "pto.barrier", "pto.t", "scf.for"]
            .iter()
            .any(|start| line.starts_with(start))
    });
    let short = |line: &str| line.split(" ins").next().unwrap_or(line).replace("pto.", "");
    Ok(lines
        .map(|line| short(line).replace("<PIPE_", "").replace("<EVENT_ID", "").replace('>', ""))
        .collect())
}

#[test]
fn events_in_flight_at_once_have_identifiers_of_their_own() -> Result<(), Error> {
    let mut k = Kernel::<A2A3>::new("k");
    let x = k.tensor::<f32>("x", &[16.into(), 16.into()])?;
    let (a, b): (Ff<16, 16>, Ff<16, 16>) = (k.tile("a")?, k.tile("b")?);
    let first = k.tload(a, &x)?;
    let second = k.tload(b, &x)?;
    let added = k.after([first])?.tadds(a, a, 1.0)?;
    k.after([second, added])?.tadd(b, a, b)?;
    assert_eq!(
        flags(&k)?,
        [
            "tload",
            "set_flag[MTE2, V, 0]",
            "tload",
            "set_flag[MTE2, V, 1]",
            "wait_flag[MTE2, V, 0]",
            "tadds",
            "barrier V",
            "wait_flag[MTE2, V, 1]",
            "tadd",
        ]
    );
    Ok(())
}

#[test]
fn one_wait_serves_for_what_came_before_on_its_pipe() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    let x = k.tensor::<f32>("x", &[16.into(), 16.into()])?;
    let (a, b): (Ff<16, 16>, Ff<16, 16>) = (k.tile("a")?, k.tile("b")?);
    let loaded = [k.tload(a, &x)?, k.tload(b, &x)?];
    let added = k.after(loaded)?.tadd(a, a, b)?;
    k.after([added])?.tadd(b, a, b)?;
    let both = flags(&k)?;
    let sets = both.iter().filter(|line| line.starts_with("set_flag")).count();
    assert_eq!(
        sets, 1,
        "A5 keeps the order of a pipe, and the second load's flag covers the first: {both:?}"
    );
    Ok(())
}

#[test]
fn flags_around_a_loop_stand_outside_it() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    let x = k.tensor::<f32>("x", &[16.into(), 16.into()])?;
    let a: Ff<16, 16> = k.tile("a")?;
    let loaded = k.tload(a, &x)?;
    let bounds = [0.into(), 4.into(), 1.into()];
    let last = k.repeat(bounds, |k, _| k.after([loaded])?.tadds(a, a, 1.0))?;
    k.after([last])?.tstore(&x, a)?;
    assert_eq!(
        flags(&k)?,
        [
            "tload",
            "set_flag[MTE2, V, 0]",
            "wait_flag[MTE2, V, 0]",
            "scf.for %i = %c0 to %c4 step %c1 {",
            "tadds",
            "set_flag[V, MTE3, 0]",
            "wait_flag[V, MTE3, 0]",
            "tstore",
        ]
    );
    let results = k.build()?.run().input(&x, &ints(256))?.launch()?;
    assert_eq!(results.get(&x)?[10], 14.0);
    Ok(())
}

#[test]
fn more_events_than_identifiers_and_events_between_cores_are_errors() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    let x = k.tensor::<f32>("x", &[16.into(), 16.into()])?;
    let tiles: Vec<Ff<16, 16>> = (0..9).map(|_| k.tile("t")).collect::<Result<_, _>>()?;
    let events: Vec<Event> = tiles.iter().map(|tile| k.tload(*tile, &x)).collect::<Result<_, _>>()?;
    for (tile, event) in tiles.iter().zip(&events) {
        k.after([*event])?.tadd(*tile, *tile, *tile)?;
    }
    assert_eq!(k.to_text().unwrap_err().rule(), "event::identifiers");

    let mut k = Kernel::<A5>::new("k");
    let acc: TileAcc<f32, 16, 16> = k.tile("acc")?;
    let vec: Ff<16, 16> = k.tile("vec")?;
    let moved = k.tmov(vec, acc)?;
    assert_eq!(k.after([moved])?.tadd(vec, vec, vec).unwrap_err().rule(), "event::cores");
    Ok(())
}
