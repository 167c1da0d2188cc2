//! Programs that the benchmarks of `benches/` time.

pub mod cases;
pub mod enlarged;

use pto::Program;
use std::path::{Path, PathBuf};

/// Texts of the programs in a folder and all folders below, by path; empty if the folder cannot be read.
pub fn texts(folder: &Path) -> Vec<String> {
    let mut pending = vec![folder.to_path_buf()];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(path) = pending.pop() {
        let Ok(entries) = std::fs::read_dir(&path) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|ending| ending == "pto") {
                files.push(path);
            }
        }
    }
    files.sort();
    files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect()
}

/// A program with a loop of 1,000 rounds of one operation on f32 tiles `%a`, `%b` and `%d` of a shape, a scalar `%s`
/// and the round number `%i`.
///
/// # Panics
/// If `line` is not a legal operation on these.
pub fn loop_program(line: &str, rows: u32, cols: u32) -> Program {
    let ty = format!(
        "!pto.tile_buf<loc=vec, dtype=f32, rows={rows}, cols={cols}, v_row=?, v_col=?, blayout=row_major, \
         slayout=none_box, fractal=512, pad=0>"
    );
    let text = format!(
        "!t = {ty}\nfunc.func @k() {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %rows = arith.constant {rows} : index
  %cols = arith.constant {cols} : index
  %s = arith.constant 1.5 : f32
  %a = pto.alloc_tile valid_row = %rows valid_col = %cols : !t
  %b = pto.alloc_tile valid_row = %rows valid_col = %cols : !t
  %d = pto.alloc_tile valid_row = %rows valid_col = %cols : !t
  scf.for %i = %c0 to %n step %c1 {{
    {line}
  }}
  return
}}"
    );
    let parsed = pto::parse(&text).expect("a program");
    let checked = pto::check(parsed.module, None).expect("a legal program");
    Program::decode(&checked, None).expect("a decoded program")
}

/// A program with a loop of 1,000 rounds, each of which loads an f32 tile of a shape, applies the exponential and
/// stores it, with three flags between them.
///
/// # Panics
/// If a tile cannot have the shape.
pub fn synchronized_program(rows: u32, cols: u32) -> Program {
    let flag = |from: &str, to: &str| {
        format!(
            "    pto.set_flag[<PIPE_{from}>, <PIPE_{to}>, <EVENT_ID0>]\n    \
             pto.wait_flag[<PIPE_{from}>, <PIPE_{to}>, <EVENT_ID0>]"
        )
    };
    let text = format!(
        "!t = !pto.tile_buf<vec, {rows}x{cols}xf32>
!view = !pto.tensor_view<{rows}x{cols}xf32>
func.func @k(%x: !pto.ptr<f32>) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %rows = arith.constant {rows} : index
  %cols = arith.constant {cols} : index
  %a0 = arith.constant 0 : i64
  %xv = pto.make_tensor_view %x, shape = [%rows, %cols], strides = [%cols, %c1] : !view
  %t = pto.alloc_tile addr = %a0 : !t
  scf.for %i = %c0 to %n step %c1 {{
    pto.tload ins(%xv : !view) outs(%t : !t)
{}
    pto.texp ins(%t : !t) outs(%t : !t)
{}
    pto.tstore ins(%t : !t) outs(%xv : !view)
{}
  }}
  return
}}",
        flag("MTE2", "V"),
        flag("V", "MTE3"),
        flag("MTE3", "MTE2"),
    );
    let parsed = pto::parse(&text).expect("a program");
    let checked = pto::check(parsed.module, Some(pto::isa::Profile::A5)).expect("a legal program");
    Program::decode(&checked, None).expect("a decoded program")
}
