//! How long reading, checking and running take: `cargo bench -p pto`.
//!
//! The corpus is read where it stands beside the checkout; everything else needs nothing.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pto::Program;
use pto::sim::{Options, Value, Watched};
use std::path::{Path, PathBuf};

fn programs(folder: &Path) -> Vec<String> {
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

/// Parse and check everything: the goal is 0.3 s for the 3.4 MB of the corpus.
fn parse_and_check(criterion: &mut Criterion) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut group = criterion.benchmark_group("parse_and_check");
    group.sample_size(10);
    for (name, folder) in [("corpus", corpus), ("examples", examples)] {
        let texts = programs(&folder);
        if texts.is_empty() {
            continue;
        }
        group.throughput(Throughput::Bytes(texts.iter().map(|text| text.len() as u64).sum()));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for text in &texts {
                    if let Ok(parsed) = pto::parse(text) {
                        let _ = std::hint::black_box(pto::check(parsed.module, None));
                    }
                }
            });
        });
    }
    group.finish();
}

/// A loop of 1,000 rounds with one instruction each on tiles of a shape.
fn loop_program(line: &str, rows: u32, cols: u32) -> Program {
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

/// One instruction in a loop, all in; divide by 1,000. The goal is 60 ns on a 1x8 tile.
fn thousand_instructions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("thousand_instructions");
    let lines = [
        ("nothing", "%x = arith.addi %i, %c1 : index"),
        ("tadd", "pto.tadd ins(%a, %b : !t, !t) outs(%d : !t)"),
        ("tmuls", "pto.tmuls ins(%a, %s : !t, f32) outs(%d : !t)"),
        ("texp", "pto.texp ins(%a : !t) outs(%d : !t)"),
        ("tmov", "pto.tmov ins(%a : !t) outs(%d : !t)"),
    ];
    for (name, line) in lines {
        for (rows, cols) in [(1, 8), (64, 128)] {
            let program = loop_program(line, rows, cols);
            group.bench_function(BenchmarkId::new(name, format!("{rows}x{cols}")), |bencher| {
                bencher.iter(|| program.launch(Vec::<Value>::new(), &Options::default()).expect("a run"));
            });
        }
    }
    group.finish();
}

/// A loop of 1,000 rounds of load, exponential and store, with the three flags between them.
fn synchronized_program(rows: u32, cols: u32) -> Program {
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

/// What watching costs: 3,000 instructions, 3,000 flags set and 3,000 waits, bare and with all watchers.
fn watchers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("watchers");
    let all = Watched { race: true, sync: true, init: true, mem: true, log: false };
    for (rows, cols) in [(1, 64), (64, 128)] {
        let program = synchronized_program(rows, cols);
        for (name, watched) in [("none", Watched::default()), ("all", all)] {
            group.bench_function(BenchmarkId::new(name, format!("{rows}x{cols}")), |bencher| {
                bencher.iter(|| {
                    let x = Value::Buffer { bytes: vec![0; (rows * cols * 4) as usize] };
                    let outcome = program.launch(vec![x], &Options { watched, ..Options::default() });
                    assert!(outcome.expect("a run").findings.is_empty(), "nothing to report");
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, parse_and_check, thousand_instructions, watchers);
criterion_main!(benches);
