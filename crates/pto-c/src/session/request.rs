//! A launch that a command asks for, or Python: it has the command's options and watchers, works on the command's arguments in
//! place, and hands outcome and findings to the command.

use super::{Session, retain_partial};
use crate::findings::Located;
use crate::host::Found;
use pto::diag::Diagnostic;
use pto::launch::live::Finished;
use pto::observe::Watch;
use pto::sim::Options;
use pto::timeline::{LaunchObserver, Observed};
use pto_cli::linked::{Ended, Wanted};
use std::path::Path;

/// A launch that a command asks for.
pub struct Request {
    /// Options of the machine.
    pub options: Options,
    /// The watchers and the requested recordings.
    pub wanted: Wanted,
    /// The buffers of the arguments, in their order. Their bytes stay where they are until [`Session::ended`].
    pub buffers: Vec<Found>,
    /// Texts that the kernel has printed.
    pub(crate) printed: Vec<String>,
    /// The findings that stopped the launch, if it was stopped.
    pub(super) stopped: Option<Vec<Diagnostic>>,
}

impl Request {
    /// A launch with these options and observers on these buffers.
    pub fn new(options: &Options, wanted: &Wanted, buffers: Vec<Found>) -> Request {
        let (options, wanted) = (options.clone(), wanted.clone());
        Request { options, wanted, buffers, printed: Vec::new(), stopped: None }
    }

    /// Whether the caller has stopped the launch.
    pub(crate) fn is_stopped(&self) -> bool {
        self.options.control.as_ref().is_some_and(|control| control.is_stopped())
    }
}

impl Session {
    /// Begins again after the launch of a command. Lines and the unit that was loaded last outlive a launch; memory does not: its owner may
    /// have freed it by the next one.
    pub fn renew(&mut self) {
        *self = Session { lines: self.lines.take(), unit: self.unit.take(), ..Session::default() };
    }

    /// Makes the next launch belong to a command.
    pub fn ask(&mut self, request: Request) {
        self.request = Some(request);
    }

    /// Observer of the launches: watchers, and the recordings of a request.
    pub(super) fn observer(&self, watch: Watch) -> LaunchObserver {
        let mut observer = LaunchObserver::new(watch);
        let Some(Request { wanted, .. }) = &self.request else { return observer };
        if let Some(most) = wanted.record {
            observer = observer.recording(most, wanted.contents);
        }
        if wanted.writes { observer.keeping_writes() } else { observer }
    }

    /// Adds the buffers of a request to the new device, as its first ones.
    pub(super) fn lend(&mut self) {
        let (Some(request), Some(device)) = (&self.request, &mut self.device) else { return };
        for found in &request.buffers {
            // There are no more buffers than parameters of a function.
            if let Ok(address) = device.live.buffer(&found.name, found.storage(), found.written)
                && found.size > 0
            {
                self.memory.add(found, address);
            }
        }
    }

    /// Ends the launch of a command: outcome, findings and recordings, with the lines of the source. The buffers of the outcome have no
    /// bytes: these are where the request had them.
    pub fn ended(&mut self, source: &Path) -> Option<Ended> {
        let (text, Finished { mut outcome, observer, program }) = self.end_device()?;
        let request = self.request.as_mut()?;
        let (stopped, count) = (request.stopped.take(), request.buffers.len());
        outcome.printed = std::mem::take(&mut request.printed);
        outcome.buffers.truncate(count);
        outcome.buffers.iter_mut().for_each(|buffer| buffer.bytes = Vec::new().into());
        let observed = observer.into_observed(&program, stopped.is_some());
        let Observed { mut watched, mut recording, mut writes } = observed;
        let mut located = Located::of(self, &text, Some(source));
        if let Some(recording) = &mut recording {
            recording.translate(&mut located);
        }
        writes.iter_mut().flat_map(|writes| writes.writers_mut()).for_each(|writer| located.writer(writer));
        let result = match stopped {
            None => {
                let found = watched.after(&outcome);
                watched.findings = found.iter().map(|finding| located.finding(finding)).collect();
                outcome.warnings.clear();
                Ok((outcome, watched))
            }
            Some(stopped) => {
                retain_partial(&mut watched.findings);
                let found = [stopped, watched.findings].concat();
                Err(found.iter().map(|finding| located.finding(finding)).collect())
            }
        };
        let joined = located.finish(self);
        Some(Ended { result, joined, recording, program, writes })
    }
}
