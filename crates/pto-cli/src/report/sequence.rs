//! The report of `pto run --sequence`.

use super::{Compared, Finding, Output};
use pto::sequence::Plan;
use serde::Serialize;
use std::fmt::Write;

/// JSON report of `pto run --sequence`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SequenceReport {
    /// Findings in kernels and across launches, and the errors that stopped the run.
    pub diagnostics: Vec<Finding>,
    /// The results.
    pub outputs: Vec<Output>,
    /// The comparisons of `--expect`.
    pub expect: Vec<Compared>,
    /// Launches and times of each kernel.
    pub kernels: Vec<KernelTime>,
    /// Texts that the programs printed.
    pub printed: Vec<String>,
}

/// The launches of a kernel.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KernelTime {
    /// The file, as the sequence names it.
    pub file: String,
    /// The function, if the sequence names one.
    pub entry: Option<String>,
    /// Number of launches.
    pub launches: usize,
    /// Time of all of them on this machine.
    pub total_ns: u64,
}

impl KernelTime {
    /// The kernels of a plan, without launches.
    pub fn of(plan: &Plan) -> Vec<KernelTime> {
        let kernels = plan.kernels.iter();
        let time = |(file, entry)| KernelTime { file, entry, launches: 0, total_ns: 0 };
        kernels.map(|kernel| time((kernel.file.clone(), kernel.entry.clone()))).collect()
    }

    /// A line for each kernel, the longest time first, and the sum.
    pub fn table(times: &[KernelTime]) -> String {
        let mut times: Vec<&KernelTime> = times.iter().collect();
        times.sort_by_key(|time| std::cmp::Reverse(time.total_ns));
        let name = |time: &KernelTime| match &time.entry {
            Some(entry) => format!("{} @{entry}", time.file),
            None => time.file.clone(),
        };
        let width = times.iter().map(|time| name(time).chars().count()).max().unwrap_or(0);
        let mut table = String::new();
        let mut line = |name: &str, launches: usize, ns: u64| {
            let _ = writeln!(table, "{name:width$}  {launches:>6} launches  {:>10.3} ms", ns as f64 / 1e6);
        };
        times.iter().for_each(|time| line(&name(time), time.launches, time.total_ns));
        let launches = times.iter().map(|time| time.launches).sum();
        line("all", launches, times.iter().map(|time| time.total_ns).sum());
        table
    }
}
