//! Speed of parsing, checking and running: `cargo bench -p pto-bench --bench speed`.
//!
//! The corpus is read if it is beside the checkout; the other benchmarks need no files.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pto::observe::{Watchers, watch};
use pto::sim::{Options, Value};
use pto_bench::{loop_program, synchronized_program, texts};
use std::path::Path;

/// Parse and check everything: the goal is 0.3 s for the 3.4 MB of the corpus.
fn parse_and_check(criterion: &mut Criterion) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut group = criterion.benchmark_group("parse_and_check");
    group.sample_size(10);
    for (name, folder) in [("corpus", corpus), ("examples", examples)] {
        let texts = texts(&folder);
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

/// One instruction in a loop of 1,000, including the overhead of the loop; divide by 1,000. The goal is 60 ns on a 1x8
/// tile.
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
                bencher.iter(|| {
                    program.launch(Vec::<Value>::new(), &Options::default(), &mut []).expect("a run")
                });
            });
        }
    }
    group.finish();
}

/// Overhead of watchers: 3,000 instructions, 3,000 flags set and 3,000 waits, without and with all watchers.
fn watchers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("watchers");
    let all = Watchers::ALL;
    for (rows, cols) in [(1, 64), (64, 128)] {
        let program = synchronized_program(rows, cols);
        for (name, watched) in [("none", Watchers::NONE), ("all", all)] {
            group.bench_function(BenchmarkId::new(name, format!("{rows}x{cols}")), |bencher| {
                bencher.iter(|| {
                    let x = Value::buffer(vec![0; (rows * cols * 4) as usize]);
                    let outcome = watch(&program, vec![vec![x]], &Options::default(), &watched.into());
                    assert!(outcome.expect("a run").1.findings.is_empty(), "nothing to report");
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, parse_and_check, thousand_instructions, watchers);
criterion_main!(benches);
