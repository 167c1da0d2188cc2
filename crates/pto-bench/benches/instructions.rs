//! Speed of single instructions in the machine, dispatch included: `cargo bench -p pto-bench --bench instructions`, with a part of a
//! name as an argument for fewer, such as `-- "tadd f32"`.
//!
//! The instruction is repeated in a loop of its program. Criterion fits the time of a round to launches of different numbers of rounds,
//! so that what a launch costs by itself is not in it. Products are compared with `peak fma f32`, transfers with `peak copy`: the clock of
//! a core varies, so only figures of one run are comparable.
#![allow(missing_docs, clippy::print_stderr)]

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use pto_bench::cases::cases;
use pto_bench::enlarged::enlarged;
use pto_cli::commands::Repeated;
use pto_cli::programs::examples;
use pto_kernels::copy_rows;
use pto_kernels::peak::{multiply_adds, multiply_adds_from_l1};
use std::hint::black_box;
use std::time::Duration;

/// A loop of a number of rounds, which returns its number of multiply-adds.
type Rounds = fn(usize) -> usize;

/// Multiply-adds of f32 in registers, and with the loads of a product.
const LOOPS: [(&str, Rounds); 2] =
    [("peak fma f32", multiply_adds), ("peak fma f32 from L1", multiply_adds_from_l1)];

/// Bytes of each of two buffers of a copy: both in L1, both in L2, and in memory.
const BUFFERS: [(&str, usize); 3] =
    [("peak copy in L1", 12 << 10), ("peak copy in L2", 256 << 10), ("peak copy in memory", 64 << 20)];

/// A short measurement each, since there are some two hundred.
fn settings() -> Criterion {
    let short = Duration::from_millis(300);
    Criterion::default().sample_size(15).warm_up_time(short).measurement_time(2 * short)
}

/// The highest rates of multiply-adds and of copies.
fn peaks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("peaks");
    for (name, run) in LOOPS {
        let rounds = 10_000;
        group.throughput(Throughput::Elements(run(rounds) as u64));
        group.bench_function(name, |bencher| bencher.iter(|| run(rounds)));
    }
    for (name, bytes) in BUFFERS {
        // Both in one buffer, as tiles are, and written before: unwritten pages all map to one zero page.
        let mut both = vec![1u8; 2 * bytes];
        group.throughput(Throughput::Bytes(2 * bytes as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| copy_rows(black_box(&mut both), (bytes, bytes), (0, bytes), 1, bytes));
        });
    }
    group.finish();
}

/// The instructions that are compared with other simulators, in multiply-adds for products.
fn table(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("table");
    for case in cases() {
        let copies = u64::from(Repeated::COPIES);
        group.throughput(Throughput::Elements(copies * case.multiply_adds.max(1)));
        let repeated = repeated(&case.text, &case.instruction).expect("an instruction that can be repeated");
        time(&mut group, &case.name, &repeated);
    }
    group.finish();
}

/// The example of every instruction, with larger tiles where its rules allow them.
fn every_instruction(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("examples");
    group.throughput(Throughput::Elements(u64::from(Repeated::COPIES)));
    for example in examples() {
        let (text, name) = (example.text, example.name);
        match repeated(&enlarged(text), name).or_else(|_| repeated(text, name)) {
            Ok(repeated) => time(&mut group, name, &repeated),
            Err(why) => eprintln!("{name}: not timed: {why}"),
        }
    }
    group.finish();
}

/// A repeated instruction that was run once, since only a run shows whether larger tiles fit.
fn repeated(text: &str, instruction: &str) -> Result<Repeated, String> {
    let repeated = Repeated::of(text, instruction)?;
    repeated.time(1)?;
    Ok(repeated)
}

fn time(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, repeated: &Repeated) {
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|rounds| repeated.time(rounds).expect("a launch that ran before"));
    });
}

criterion_group!(name = benches; config = settings(); targets = peaks, table, every_instruction);
criterion_main!(benches);
