//! How large the buffers of a launch must be, found by running the scalar part of the program.

use super::code::Program;
use super::machine::{Machine, Options, Value};

/// For each argument, the elements that the views and scalar accesses of the program reach in it, in bytes;
/// `None` for scalars.
///
/// Tile instructions are not run: views and loops depend on scalars only, and on what scalar loads find in
/// the buffers that are given.
///
/// # Errors
/// What a run of the scalar part finds wrong, such as an endless loop.
pub fn measure(
    program: &Program,
    values: Vec<Value>,
    options: &Options,
) -> Result<Vec<Option<u64>>, Vec<crate::diag::Diagnostic>> {
    let is_buffer: Vec<bool> = values.iter().map(|value| matches!(value, Value::Buffer { .. })).collect();
    let mut machine = Machine::measuring(program, values, options)?;
    machine.run_blocks()?;
    let mut reach = machine.into_reach().into_iter();
    Ok(is_buffer
        .into_iter()
        .map(|buffer| if buffer { Some(reach.next().unwrap_or(0)) } else { None })
        .collect())
}
