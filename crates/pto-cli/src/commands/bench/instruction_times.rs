//! Compares a kernel with the times of its instructions. Each is repeated in place, with its tiles in the kernel, and
//! its time is multiplied by its execution count.

use super::looped::{UNROLLED, looped_at};
use super::measured::time_text;
use super::ready::Ready;
use crate::commands::check_text;
use crate::report::{Part, Parts};
use crate::settings::Settings;
use pto::data::Failure;
use pto::isa::meaning::{EntryAction, Meaning};
use pto::isa::op::Set;

/// Time of the instructions of one name in a kernel.
struct InstructionTime {
    name: String,
    /// Execution count.
    count: u64,
    /// Total time of that many executions, in ns.
    ns: f64,
}

/// Times of the instructions of a kernel.
pub(super) struct InstructionTimes {
    /// The longest first.
    parts: Vec<InstructionTime>,
    /// Instructions that cannot be repeated, since other cores wait for them.
    left_out: Vec<String>,
}

/// Least time of a repeated instruction as a share of the kernel's, so that noise does not hide it.
const SHARE: f64 = 0.2;

/// Most repetitions of an instruction.
const MOST_ROUNDS: u64 = 1 << 16;

/// Launches per measurement, of which the fastest counts.
const LAUNCHES: u32 = 3;

/// Times the instructions of a prepared kernel.
pub(super) fn of(ready: &Ready, text: &str, kernel: Option<&str>) -> Result<InstructionTimes, Failure> {
    let mut found = InstructionTimes { parts: Vec::new(), left_out: Vec::new() };
    for (function, counts) in ready.executed()? {
        for (operation, instruction) in ready.module().functions[function].operations.iter() {
            // Transfers by queues are not attributed to an instruction.
            if let Meaning::Entry { action: EntryAction::Push | EntryAction::Pop, .. } = instruction.meaning()
            {
                found.leave_out(instruction.name.as_str());
            }
            let count = counts.get(operation.index()).copied().unwrap_or(0);
            let orders = instruction.instruction().is_none_or(|found| found.page().set == Set::Sync);
            if count == 0 || orders {
                continue;
            }
            let name = instruction.name.as_str().trim_start_matches("pto.").to_owned();
            let looped = looped_at(text, ready.module(), function, operation);
            match looped.and_then(|text| each(ready, &text, kernel, count)) {
                Some(ns) => found.add(name, count, ns * count as f64),
                None => found.leave_out(&name),
            }
        }
    }
    found.parts.sort_by(|a, b| b.ns.total_cmp(&a.ns));
    Ok(found)
}

/// Nanoseconds of one execution of the instruction that `text` loops, which the kernel executes `count` times; `None`
/// if it cannot be repeated.
fn each(ready: &Ready, text: &str, kernel: Option<&str>, count: u64) -> Option<f64> {
    let (checked, _) = check_text(text, &Settings::of_target(Some(ready.profile()))).ok()?;
    let looped = ready.looped(&checked, kernel).ok()?;
    let fastest = |rounds: u64| looped.fastest(LAUNCHES, rounds).ok();
    let base = fastest(0)?;
    let mut rounds = 1;
    loop {
        let took = (fastest(rounds)? - base).max(0.0);
        if took > SHARE * base || rounds >= MOST_ROUNDS {
            return Some(took / (count * rounds * u64::from(UNROLLED)) as f64);
        }
        // Launches may be long: the next number of rounds is extrapolated from this one, at least four times as many.
        let missing = (2.0 * SHARE * base / took.max(1.0)) as u64;
        rounds = (rounds * missing.clamp(4, 1 << 10)).min(MOST_ROUNDS);
    }
}

impl InstructionTimes {
    fn add(&mut self, name: String, count: u64, ns: f64) {
        match self.parts.iter_mut().find(|part| part.name == name) {
            Some(part) => (part.count, part.ns) = (part.count + count, part.ns + ns),
            None => self.parts.push(InstructionTime { name, count, ns }),
        }
    }

    fn leave_out(&mut self, name: &str) {
        let name = name.trim_start_matches("pto.").to_owned();
        if !self.left_out.contains(&name) {
            self.left_out.push(name);
        }
    }

    /// Sum of all times in ns.
    fn sum(&self) -> f64 {
        self.parts.iter().map(|part| part.ns).sum()
    }

    /// A line that compares the sum with the time of the kernel.
    pub(super) fn line(&self, kernel_ns: f64) -> String {
        let sum = self.sum();
        let without = if self.left_out.is_empty() {
            String::new()
        } else {
            format!("    not timed: {}, which other cores wait for\n", self.left_out.join(", "))
        };
        if self.parts.is_empty() {
            return without;
        }
        let shares = self.parts.iter().take(6).map(|part| {
            format!("{} x {} {:.0} %", part.count, part.name, part.ns / sum.max(f64::MIN_POSITIVE) * 100.0)
        });
        let shares: Vec<String> = shares.collect();
        format!(
            "    its instructions timed separately: {}, the kernel {:.2} times that: {}\n{without}",
            time_text(sum),
            kernel_ns / sum,
            shares.join(", ")
        )
    }

    pub(super) fn report(&self) -> Parts {
        let part = |part: &InstructionTime| Part { name: part.name.clone(), count: part.count, ns: part.ns };
        Parts {
            sum_ns: self.sum(),
            instructions: self.parts.iter().map(part).collect(),
            left_out: self.left_out.clone(),
        }
    }
}
