//! The required sizes of the buffers of a launch, determined by running the scalar part of the program.

use super::code::Program;
use super::machine::{Options, Value, measured};

/// For each rank and argument, the size in bytes that the views and scalar accesses of the program reach, the
/// maximum over all ranks; `None` for scalars.
///
/// Tile instructions are not run: views and loops depend only on scalars, and on scalar loads from the given buffers.
///
/// # Errors
/// The findings of a run of the scalar part, such as an endless loop.
pub fn measure_ranks(
    program: &Program,
    ranks: Vec<Vec<Value>>,
    options: &Options,
) -> Result<Vec<Vec<Option<u64>>>, Vec<pto_isa::diag::Diagnostic>> {
    let is_buffer = |value: &Value| matches!(value, Value::Buffer { .. });
    let shapes: Vec<Vec<bool>> = ranks.iter().map(|values| values.iter().map(is_buffer).collect()).collect();
    let buffers = shapes.first().map_or(0, |rank| rank.iter().filter(|is| **is).count());
    let reach = measured(program, ranks, options)?;
    let most = |buffer: usize| reach.iter().skip(buffer).step_by(buffers.max(1)).copied().max().unwrap_or(0);
    let of_rank = |shape: Vec<bool>| {
        let mut next = (0..buffers).map(most);
        shape.into_iter().map(|is| if is { next.next() } else { None }).collect()
    };
    Ok(shapes.into_iter().map(of_rank).collect())
}

/// The required sizes in bytes of the buffers of a launch of one rank.
///
/// # Errors
/// The findings that stop the run, or prevent its start.
pub fn measure(
    program: &Program,
    values: Vec<Value>,
    options: &Options,
) -> Result<Vec<Option<u64>>, Vec<pto_isa::diag::Diagnostic>> {
    Ok(measure_ranks(program, vec![values], options)?.pop().unwrap_or_default())
}
