//! The one launch of a process that a command asks for: it has the command's options and watchers, works on the command's arguments in
//! place, and hands outcome and findings to the command.

use super::{Session, retain_partial};
use crate::findings;
use crate::host::Found;
use pto::diag::Diagnostic;
use pto::observe::{WatchOptions, Watched};
use pto::sim::{Options, Outcome};
use pto_cli::linked::Ended;
use std::path::Path;

/// A launch that a command asks for.
pub struct Request {
    /// Options of the machine.
    pub options: Options,
    /// The watchers.
    pub watch: WatchOptions,
    /// The buffers of the arguments, in their order. Their bytes stay where they are until [`Session::ended`].
    pub buffers: Vec<Found>,
    /// Texts that the kernel has printed.
    pub(crate) printed: Vec<String>,
    /// The findings that stopped the launch, if it was stopped.
    pub(super) stopped: Option<Vec<Diagnostic>>,
}

impl Request {
    /// A launch with these options and watchers on these buffers.
    pub fn new(options: &Options, watch: &WatchOptions, buffers: Vec<Found>) -> Request {
        let (options, watch) = (options.clone(), *watch);
        Request { options, watch, buffers, printed: Vec::new(), stopped: None }
    }
}

impl Session {
    /// Makes the next launch that of a command.
    pub fn ask(&mut self, request: Request) {
        self.request = Some(request);
    }

    /// Adds the buffers of a request to the new device, as its first ones.
    pub(super) fn lend(&mut self) {
        let (Some(request), Some(device)) = (&self.request, &mut self.device) else { return };
        for found in &request.buffers {
            // There are no more than a function has parameters.
            if let Ok(address) = device.live.buffer(&found.name, found.storage(), found.written)
                && found.size > 0
            {
                self.memory.add(found, address);
            }
        }
    }

    /// Ends the launch of a command: outcome and findings, with the lines of the source. The buffers of the outcome have no bytes: these
    /// are where the request had them.
    pub fn ended(&mut self, source: &Path) -> Option<Ended> {
        let (text, mut outcome, mut watched) = self.end_device()?;
        let request = self.request.as_mut()?;
        let (stopped, count) = (request.stopped.take(), request.buffers.len());
        outcome.printed = std::mem::take(&mut request.printed);
        outcome.buffers.truncate(count);
        outcome.buffers.iter_mut().for_each(|buffer| buffer.bytes = Vec::new().into());
        let Some(stopped) = stopped else {
            let found = watched.after(&outcome);
            let (located, joined) = findings::located(self, &text, &found, Some(source));
            outcome.warnings.clear();
            watched.findings = located;
            return Some(Ended { result: Ok((outcome, watched)), joined });
        };
        retain_partial(&mut watched.findings);
        let found = [stopped, watched.findings].concat();
        let (located, joined) = findings::located(self, &text, &found, Some(source));
        Some(Ended { result: Err::<(Outcome, Watched), _>(located), joined })
    }
}
