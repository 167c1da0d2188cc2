//! Programs for tests of results: from files, or built around a few lines.

use crate::support::launch::{self, program};
use pto::diag::Diagnostic;
use pto::isa::Profile;
use pto::sim::{Options, Value};
use std::fmt::Write;

/// The text of `tests/results/NAME.pto`.
pub(crate) fn text(name: &str) -> String {
    launch::text(&format!("results/{name}.pto"))
}

/// Runs a program of that folder; returns its buffers after the run.
pub(crate) fn file(name: &str, profile: Option<Profile>, buffers: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    launch(&text(name), profile, buffers)
}

/// Runs a program whose arguments are buffers; returns them after the run.
pub(crate) fn launch(source: &str, profile: Option<Profile>, buffers: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    launch_with(source, profile, buffers, &Options::default())
}

/// Runs a program with options; returns its buffers after the run.
pub(crate) fn launch_with(
    source: &str,
    profile: Option<Profile>,
    buffers: Vec<Vec<u8>>,
    options: &Options,
) -> Vec<Vec<u8>> {
    let outcome = try_launch(source, profile, buffers, options);
    outcome.unwrap_or_else(|findings| panic!("{findings:#?}\n{source}"))
}

/// Runs a program with options; returns its buffers, or the findings that stop the run.
pub(crate) fn try_launch(
    source: &str,
    profile: Option<Profile>,
    buffers: Vec<Vec<u8>>,
    options: &Options,
) -> Result<Vec<Vec<u8>>, Vec<Diagnostic>> {
    let values = buffers.into_iter().map(Value::buffer).collect();
    let outcome = program(source, profile).launch(values, options, &mut [])?;
    Ok(outcome.buffers.into_iter().map(|buffer| buffer.bytes.into_vec()).collect())
}

/// A vec tile that is loaded from the argument of its name and stored there.
pub(crate) struct Tile {
    name: &'static str,
    element: &'static str,
    rows: usize,
    cols: usize,
}

impl Tile {
    /// A fully valid tile of this element type.
    pub(crate) fn new(name: &'static str, element: &'static str, rows: usize, cols: usize) -> Tile {
        Tile { name, element, rows, cols }
    }
}

/// The program that loads the tiles, runs these lines on them, and stores the tiles. The type of tile `%a` is `!a`.
pub(crate) fn source(tiles: &[Tile], lines: &str) -> String {
    let (mut text, mut before, mut after, mut arguments) =
        (String::new(), String::new(), String::new(), Vec::new());
    for Tile { name, element, rows, cols } in tiles {
        arguments.push(format!("%{name}_at: !pto.ptr<{element}>"));
        let view = format!("!pto.tensor_view<{rows}x{cols}x{element}>");
        let _ = writeln!(text, "!{name} = !pto.tile_buf<vec, {rows}x{cols}x{element}>");
        let _ = writeln!(
            before,
            "  %{name}_rows = arith.constant {rows} : index
  %{name}_cols = arith.constant {cols} : index
  %{name}_view = pto.make_tensor_view %{name}_at, shape = [%{name}_rows, %{name}_cols], strides = [%{name}_cols, %one] : {view}
  %{name} = pto.alloc_tile : !{name}
  pto.tload ins(%{name}_view : {view}) outs(%{name} : !{name})"
        );
        let _ = writeln!(after, "  pto.tstore ins(%{name} : !{name}) outs(%{name}_view : {view})");
    }
    let arguments = arguments.join(", ");
    format!(
        "{text}func.func @k({arguments}) {{\n  %one = arith.constant 1 : index\n{before}  {lines}\n{after}  return\n}}\n"
    )
}

/// Runs [`source`] on one buffer for each tile.
pub(crate) fn run(profile: Profile, tiles: &[Tile], lines: &str, buffers: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    launch(&source(tiles, lines), Some(profile), buffers)
}

/// The bytes of f32 values.
pub(crate) fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The bytes of i32 values.
pub(crate) fn i32s(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The bytes of i64 values.
pub(crate) fn i64s(values: &[i64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Bytes as 16-bit elements.
pub(crate) fn bits16(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}
