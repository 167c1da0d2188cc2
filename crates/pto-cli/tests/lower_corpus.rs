//! `pto::passes::lower` on the public corpus and on the examples: `pto::prove::verify` accepts its results; they are as
//! fast as those of the public assembler, and with `--sync fewest` contain no more synchronization than authors write by
//! hand.
//!
//! The corpus is beside the checkout; without it only the examples are lowered. `PTO_LOWERED=1` selects all programs; the
//! default is a sample.

#![allow(clippy::print_stderr)]

mod manual;
mod measure;
pub(crate) mod samples;
mod table;
mod time;

use measure::{Counts, measure};
use pto::passes::BufferPlan;
use samples::{Sample, corpus, examples, shared};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use table::Row;
use time::Arguments;

/// Programs with synchronization by hand that pass values through the addresses of their tiles, with the reason.
const NEED_ADDRESSES: [(&str, &str); 1] = [(
    "Sync/rmsnorm_incore_0.pto",
    "each step allocates its operands anew, at the address of the previous result",
)];

/// Programs with instructions that neither a launch of the manifest nor a generated one reaches. The verdict of `pto
/// verify` on them is *unknown*.
const UNCOVERED: [&str; 6] = [
    "DeepseekV4DecodeA5/kernels/aiv/csa_slots_build_valid_qk_plan.pto",
    "DeepseekV4DecodeA5/kernels/aiv/hc_post.pto",
    "DeepseekV4DecodeA5/kernels/aiv/hca_gather_kv.pto",
    "Sync/test_dynamic_valid_shape.pto",
    "examples/tutorial/step10.pto (a2a3)",
    "examples/tutorial/step10.pto (a5)",
];

/// Programs whose barriers belong to an exchange between cores, which lowering leaves to the author, with the reason.
const OF_CORES: [(&str, &str); 1] =
    [("examples/instructions/syncall.pto", "a barrier ends the store before the cores meet")];

/// Applies a function to each item, on two threads; results in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], apply: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut results = Vec::new();
        while let Some((at, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
        {
            results.push((at, apply(item)));
        }
        results
    };
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

fn wants_all() -> bool {
    std::env::var_os("PTO_LOWERED").is_some()
}

/// All programs if `PTO_LOWERED` is set, else some.
fn sampled(samples: Vec<Sample>, every: usize) -> Vec<Sample> {
    samples.into_iter().step_by(if wants_all() { 1 } else { every }).collect()
}

/// A program after lowering: its memory, and the time of the passes.
struct Lowering {
    plans: Vec<BufferPlan>,
    time: Duration,
    /// Whether every instruction ran in a launch in which it was compared.
    is_covered: bool,
}

/// Lowers a program and verifies the result. `None` if the check rejects the program.
fn lower_and_verify(sample: &Sample, multi_buffer: u32) -> Option<Result<Lowering, String>> {
    let source = sample.checked()?;
    let result = measure(sample, &source, multi_buffer).and_then(|measured| {
        let verified = sample.verify(&source, &measured.checked)?;
        if !verified.is_lowered {
            return Err("an address or synchronization is left open".to_owned());
        }
        let is_covered = verified.is_covered();
        Ok(Lowering { plans: measured.lowered.buffers, time: measured.time, is_covered })
    });
    Some(result.map_err(|error| format!("{} with {multi_buffer} buffers: {error}", sample.name)))
}

#[test]
fn what_lowering_makes_is_verified_and_fits() {
    let mut samples = sampled(corpus(), 9);
    samples.extend(sampled(examples(), 9));
    let mut uncovered = Vec::new();
    for multi_buffer in [1, 2] {
        let results = in_parallel(&samples, |sample| lower_and_verify(sample, multi_buffer));
        let (mut done, mut wrong) = (Vec::new(), Vec::new());
        for (sample, result) in samples.iter().zip(results) {
            match result {
                Some(Ok(lowering)) => {
                    let name = sample.name.as_str();
                    // With two buffers, loops have copies that some launches do not reach.
                    if multi_buffer == 1 && lowering.is_covered == UNCOVERED.contains(&name) {
                        uncovered.push(format!("{name}: every instruction ran: {}", lowering.is_covered));
                    }
                    done.push(lowering);
                }
                Some(Err(error)) => wrong.push(error),
                None => {}
            }
        }
        let time: Duration = done.iter().map(|lowering| lowering.time).sum();
        eprintln!(
            "{multi_buffer} buffers: {} of {} programs verified, lowered in {:.2} s",
            done.len(),
            samples.len(),
            time.as_secs_f64()
        );
        let plans = || done.iter().flat_map(|lowering| &lowering.plans);
        assert!(plans().all(|plan| plan.peak <= plan.capacity));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(done.len() * 10 > samples.len() * 9, "{} of {}", done.len(), samples.len());
    }
    assert!(uncovered.is_empty(), "{}", uncovered.join("\n"));
}

/// Programs that take more than 1.05 times as long as the public assembler's result, with the cause.
const SLOWER: [(&str, &str); 0] = [];

#[test]
fn lowered_programs_are_as_fast_as_those_of_the_public_assembler() {
    let Some(folder) = shared().map(|folder| folder.join("lowered")) else {
        eprintln!("no shared folder beside the checkout: nothing to compare with");
        return;
    };
    let arguments = Arguments::of(&folder);
    let rows = in_parallel(&sampled(corpus(), 24), |sample| {
        let source = sample.checked()?;
        let ours = measure(sample, &source, 1).unwrap_or_else(|error| panic!("{}: {error}", sample.name));
        let name = sample.name.clone();
        let theirs = std::fs::read_to_string(folder.join("insert-sync").join(name.replace('/', "@"))).ok();
        let times = arguments.times(&name, &ours.text);
        Some(Row { name, ours, theirs, times })
    });
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    let ratios: Vec<(&str, f64)> = rows
        .iter()
        .filter_map(|row| Some((row.name.as_str(), row.times.filter(|[_, theirs]| *theirs > 0.0)?)))
        .map(|(name, [ours, theirs])| (name, ours / theirs))
        .collect();
    let mean = (ratios.iter().map(|(_, ratio)| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    eprintln!("{} programs take {mean:.4} times as long as those of the public assembler", ratios.len());
    assert!(mean <= 1.0, "{mean}");
    for (name, ratio) in &ratios {
        let is_known = SLOWER.iter().any(|(known, _)| known == name);
        assert_eq!(*ratio > 1.05, is_known, "{name}: {ratio:.3}");
    }
    if wants_all() {
        assert!(ratios.len() > 150, "{}", ratios.len());
        table::same_or_bless(&table::table(&rows));
    }
}

/// A program that fits in memory with the addresses of its compiler also fits with ours. Exception: values that pass
/// between its tiles by way of addresses; without the addresses it is another program.
#[test]
fn programs_whose_addresses_are_taken_out_fit() {
    let placed: Vec<Sample> = corpus()
        .into_iter()
        .filter(|sample| sample.checked().is_some_and(|checked| manual::has_addresses(checked.module())))
        .collect();
    let wrong = in_parallel(&placed, |sample| {
        let checked = sample.checked().expect("a legal program");
        let (open, _) = manual::automatic(&checked, false);
        let plans = pto::passes::plan(&open, |function| checked.profile(function));
        let full = plans.into_iter().find(|plan| plan.peak > plan.capacity)?;
        let text = pto::text::print(&open, &Default::default());
        let open = samples::check(&text, sample.profile).ok()?;
        sample.verify(&checked, &open).ok()?;
        Some(format!("{}: {} of {} bytes of {}", sample.name, full.peak, full.capacity, full.buffer.word()))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    eprintln!("{} programs with addresses", placed.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(placed.len() > 60 || shared().is_none(), "{}", placed.len());
}

#[test]
fn fewest_synchronizes_no_more_than_authors() {
    let mut samples = corpus();
    samples.extend(examples());
    let results = in_parallel(&samples, manual::compare);
    let compared: Vec<_> =
        samples.iter().zip(results).filter_map(|(sample, result)| Some((sample, result?))).collect();
    let mut wrong = Vec::new();
    for (sample, result) in &compared {
        let reason = |list: &[(&str, &str)]| list.iter().any(|(name, _)| sample.name.starts_with(name));
        match result {
            Err(_) if reason(&OF_CORES) => {}
            Ok(_) if reason(&OF_CORES) => wrong.push(format!("{} needs no exception", sample.name)),
            Err(error) => wrong.push(format!("{}: {error}", sample.name)),
            Ok(one) => {
                if one.keeps_addresses != reason(&NEED_ADDRESSES) {
                    wrong.push(format!("{} relies on its addresses: {}", sample.name, one.keeps_addresses));
                }
                if one.fewest.all() > one.by_hand.all() {
                    wrong
                        .push(format!("{}: fewest {:?}, by hand {:?}", sample.name, one.fewest, one.by_hand));
                }
            }
        }
    }
    let sum = |of: fn(&manual::Compared) -> Counts| {
        let all = compared.iter().filter_map(|(_, result)| result.as_ref().ok());
        all.fold(Counts::default(), |mut sum, one| {
            sum.add(of(one));
            sum
        })
    };
    let [by_hand, lowered, fewest] = [sum(|one| one.by_hand), sum(|one| one.lowered), sum(|one| one.fewest)];
    eprintln!(
        "{} programs with flags or barriers: {lowered:?}, fewest {fewest:?}, by hand {by_hand:?}",
        compared.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared.len() > 40, "{}", compared.len());
}
