//! The time of programs that tools have made of one source: on one device, with the same launches.

use super::{LoweringOptions, profile};
use crate::data::Files;
use crate::prove::Generated;
use crate::timeline::{Detail, RecordOptions, record, time};
use pto_isa::device::Device;
use pto_lang::Checked;
use pto_lang::ir::Module;
use pto_machine::Program;
use pto_machine::observe::WatchOptions;

/// Most steps of each core that are timed.
const MOST_STEPS: usize = 100_000;

/// Times lowered forms of a program. Each of its kernels is launched as a verification would launch it first.
pub struct Timer {
    device: Device,
    launches: Vec<(String, Generated)>,
}

impl Timer {
    /// A timer for the lowered forms of a program; `None` if the program has no kernel, or if one of them does not run.
    pub fn of(source: &Checked, options: &LoweringOptions, files: &dyn Files) -> Option<Timer> {
        let profile = profile(source)?;
        let device = options.device.clone().unwrap_or_else(|| Device::usual(profile));
        let launch = |entry: String| {
            let program = Program::decode(source, Some(&entry)).ok()?;
            let launch = Generated::of(&program, &options.comparison(), files)?;
            Some((entry, launch))
        };
        let launches: Vec<_> =
            Program::kernels(source.module()).into_iter().map(launch).collect::<Option<_>>()?;
        (!launches.is_empty()).then_some(Timer { device, launches })
    }

    /// The name of the device.
    pub fn device(&self) -> &str {
        &self.device.name
    }

    /// Microseconds of a lowered form: the sum over the kernels. `None` if one of them does not run to its end within bounded steps.
    pub fn microseconds(&self, lowered: &Module) -> Option<f64> {
        // A program for no device is timed on the usual one.
        let lowered = pto_lang::check(lowered.clone(), Some(self.device.profile)).ok()?;
        let one = |(entry, launch): &(String, Generated)| {
            let program = Program::decode(&lowered, Some(entry)).ok()?;
            let wanted = RecordOptions { most: MOST_STEPS, watch: WatchOptions::default(), contents: None };
            let (recording, _) = record(&program, launch.values(), &launch.options, &wanted).ok()?;
            let timing = time(&recording, &self.device, Detail::Totals).ok()?;
            (!timing.is_stopped && !timing.is_truncated).then(|| timing.microseconds())
        };
        self.launches.iter().map(one).sum()
    }
}
