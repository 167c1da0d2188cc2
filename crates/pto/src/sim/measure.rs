//! How large the buffers of a launch must be, found by running the scalar part of the program.

use super::code::Program;
use super::machine::{Machine, Options, Value};

/// For each argument, the elements that the views and scalar accesses of the program reach in it, in bytes, the most of
/// all ranks; `None` for scalars.
///
/// Tile instructions are not run: views and loops depend on scalars only, and on what scalar loads find in
/// the buffers that are given.
///
/// # Errors
/// What a run of the scalar part finds wrong, such as an endless loop.
pub fn measure_ranks(
    program: &Program,
    ranks: Vec<Vec<Value>>,
    options: &Options,
) -> Result<Vec<Option<u64>>, Vec<crate::diag::Diagnostic>> {
    let Some(first) = ranks.first() else { return Ok(Vec::new()) };
    let is_buffer: Vec<bool> = first.iter().map(|value| matches!(value, Value::Buffer { .. })).collect();
    let buffers = is_buffer.iter().filter(|is| **is).count();
    let mut machine = Machine::measuring(program, ranks, options)?;
    machine.run_blocks()?;
    let reach = machine.into_reach();
    let of_any = |buffer: usize| reach.iter().skip(buffer).step_by(buffers).copied().max();
    let mut reach = (0..buffers).map(|buffer| of_any(buffer).unwrap_or(0));
    Ok(is_buffer
        .into_iter()
        .map(|buffer| if buffer { Some(reach.next().unwrap_or(0)) } else { None })
        .collect())
}

/// As [`measure_ranks`], for a launch of one rank.
///
/// # Errors
/// As [`measure_ranks`].
pub fn measure(
    program: &Program,
    values: Vec<Value>,
    options: &Options,
) -> Result<Vec<Option<u64>>, Vec<crate::diag::Diagnostic>> {
    measure_ranks(program, vec![values], options)
}
