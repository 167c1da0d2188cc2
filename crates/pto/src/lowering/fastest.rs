//! The fastest of the programs that the passes can make of one.

use super::{Fastest, Lowering, LoweringOptions};
use crate::data::{Failure, Files};
use crate::prove::Generated;
use crate::timeline::{Detail, RecordOptions, record, time};
use pto_isa::device::Device;
use pto_lang::Checked;
use pto_lang::passes::{self, Choices, Lowered};
use pto_machine::Program;
use pto_machine::observe::WatchOptions;

/// Most steps of each core that are timed.
const MOST_STEPS: usize = 100_000;

/// Lowers a program by each choice of the passes, and keeps the fastest result.
///
/// # Errors
/// If the usual choice makes no program.
pub(super) fn fastest(
    checked: &Checked,
    options: &LoweringOptions,
    files: &dyn Files,
) -> Result<Lowering, Failure> {
    let candidates = candidates(checked, options)?;
    let timed = match candidates.len() {
        1 => None,
        _ => times(checked, &candidates, options, files),
    };
    let mut candidates: Vec<Option<Candidate>> = candidates.into_iter().map(Some).collect();
    let (at, fastest) = match timed {
        None => (0, None),
        Some((device, times)) => {
            let mut at = 0;
            for (other, time) in times.iter().enumerate() {
                if *time < times[at] {
                    at = other;
                }
            }
            (at, Some(Fastest { device, microseconds: times[at], candidates: times.len() }))
        }
    };
    let (choices, lowered) = candidates[at].take().expect("each is taken once");
    Ok(Lowering { lowered, choices, fastest, unknown: None })
}

/// A choice of the passes, and the program that they make.
type Candidate = (Choices, Lowered);

/// The programs that differ, in the order of their choices.
fn candidates(checked: &Checked, options: &LoweringOptions) -> Result<Vec<Candidate>, Failure> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    for choices in Choices::ALL {
        let lowered = match passes::lower(checked, &options.passes.clone().choices(choices)) {
            Ok(lowered) => lowered,
            Err(findings) if candidates.is_empty() => return Err(findings.into()),
            Err(_) => continue,
        };
        let text = pto_lang::text::print(&lowered.module, &Default::default());
        if !texts.contains(&text) {
            candidates.push((choices, lowered));
            texts.push(text);
        }
    }
    Ok(candidates)
}

/// The name of the device, and the microseconds of each candidate on it: the sum over the kernels. `None` if one of them is not timed.
fn times(
    checked: &Checked,
    candidates: &[Candidate],
    options: &LoweringOptions,
    files: &dyn Files,
) -> Option<(String, Vec<f64>)> {
    let profile = checked.module().functions.iter().map(|(id, _)| checked.profile(id)).next()?;
    let device = options.device.clone().unwrap_or_else(|| Device::usual(profile));
    // A program for no device is timed on the usual one.
    let programs: Vec<Checked> = candidates
        .iter()
        .map(|(_, lowered)| pto_lang::check(lowered.module.clone(), Some(device.profile)))
        .collect::<Result<_, _>>()
        .ok()?;
    let mut times = vec![0.0; programs.len()];
    let kernels = Program::kernels(checked.module());
    for entry in &kernels {
        let source = Program::decode(checked, Some(entry)).ok()?;
        let launch = Generated::of(&source, &options.comparison(), files)?;
        for (sum, program) in times.iter_mut().zip(&programs) {
            let program = Program::decode(program, Some(entry)).ok()?;
            let wanted = RecordOptions { most: MOST_STEPS, watch: WatchOptions::default(), contents: None };
            let (recording, _) = record(&program, launch.values(), &launch.options, &wanted).ok()?;
            let timing = time(&recording, &device, Detail::Totals).ok()?;
            if timing.is_stopped || timing.is_truncated {
                return None;
            }
            *sum += timing.microseconds();
        }
    }
    (!kernels.is_empty()).then_some((device.name.clone(), times))
}
