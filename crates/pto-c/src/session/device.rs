//! The device of the launches: how it begins and ends.

use super::{Device, Misuse, Session, retain_partial};
use crate::abi::pto_cores;
use crate::findings;
use crate::save::Saved;
use pto::Profile;
use pto::diag::Severity;
use pto::launch::live::{Cores, Finished, Live};
use pto::observe::Watch;
use pto::timeline::LaunchObserver;
use std::sync::Once;

impl Session {
    /// Makes the device for a target and a kind of cores, if there is none.
    pub(super) fn open_device(&mut self, word: &str, kind: u32) -> Result<(), Misuse> {
        static AT_EXIT: Once = Once::new();
        AT_EXIT.call_once(findings::at_exit);
        let profile =
            Profile::from_word(word).ok_or_else(|| Misuse(format!("there is no target `{word}`")))?;
        if let Ok(wanted) = std::env::var("PTO_TARGET")
            && Profile::from_word(&wanted) != Some(profile)
        {
            return Err(Misuse(format!(
                "PTO_TARGET is {wanted}, but the kernel was compiled for {word}: compile it with `pto c++ --target {wanted}`"
            )));
        }
        let cores = if kind & pto_cores::PTO_MIXED as u32 == pto_cores::PTO_MIXED as u32 {
            Cores::Mixed
        } else {
            Cores::One
        };
        match &self.device {
            None => {
                let (mut options, watched) = self.wanted()?;
                options.sync_inserted |= kind & pto_cores::PTO_AUTOMATIC as u32 != 0;
                let observer = self.observer(Watch::live(profile, &watched, &options));
                self.saved = std::env::var("PTO_SAVE").ok().filter(|path| !path.is_empty()).map(Saved::to);
                let mut live = Live::with_cores(profile, cores, options, observer);
                live.set_ranks(self.ranks.unwrap_or(1));
                self.device = Some(Device { live, profile, cores });
                self.lend();
            }
            Some(device) if device.profile != profile => {
                let first = device.profile.capabilities().word;
                return Err(Misuse(format!(
                    "a kernel for {word} is launched after one for {first}: compile both for one target"
                )));
            }
            Some(device) if device.cores != cores => {
                return Err(Misuse(
                    "a kernel for one kind of core is launched after a mixed one, or the other way round"
                        .into(),
                ));
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// Ends the device and the file of saved calls. Returns the text of all parts, and the results of the device.
    pub(super) fn end_device(&mut self) -> Option<(String, Finished<LaunchObserver>)> {
        let device = self.device.take()?;
        if let Some(saved) = self.saved.take() {
            findings::print_error(&format!("pto: {}\n", saved.finish(device.profile)));
        }
        let source = device.live.source().to_owned();
        Some((source, device.live.finish()))
    }

    /// Ends all launches at the end of the process, and prints the findings. Returns the status of the process if it is
    /// not success.
    pub(crate) fn finish(&mut self) -> Option<i32> {
        let (source, Finished { outcome, observer, program }) = self.end_device()?;
        let is_open = !self.open.is_empty();
        let is_partial = is_open || self.has_failed;
        let mut found = observer.into_observed(&program, is_partial).watched.after(&outcome);
        if is_partial {
            retain_partial(&mut found);
        }
        let told = findings::text(self, &source, &found);
        findings::print_error(&told);
        if is_open {
            findings::print_error(
                "pto: the process ends in the middle of a launch: its results are incomplete\n",
            );
        }
        let wrong = is_partial || self.has_overrun || found.iter().any(|one| one.severity == Severity::Error);
        wrong.then_some(1)
    }
}
