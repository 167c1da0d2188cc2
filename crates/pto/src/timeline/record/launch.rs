//! Launches that are watched and recorded at once.

use super::Recorder;
use crate::timeline::recording::Recording;
use pto_isa::diag::Diagnostic;
use pto_machine::observe::{Contents, KeepContents, Watch, WatchOptions, Watched, Writes};
use pto_machine::sim::event::Event;
use pto_machine::sim::{Needs, Observe, Options, Printed, Program, Value};

/// Parts of a launch to record.
#[derive(Clone, Copy, Debug)]
pub struct RecordOptions {
    /// Maximum number of steps of each core.
    pub most: usize,
    /// The watchers whose conflicts are marked in the recording.
    pub watch: WatchOptions,
    /// Contents of tiles to keep.
    pub contents: Option<KeepContents>,
}

/// The single observer of a launch that a command reports on: its watchers, and the recorders that the command requests.
///
/// A live launch has a single observer. Each call asks for its needs, so they are computed once.
pub struct LaunchObserver {
    watch: Watch,
    recorder: Option<Recorder>,
    contents: Option<Contents>,
    writes: Option<Writes>,
    needs: Needs,
}

/// The results of a [`LaunchObserver`].
pub struct Observed {
    /// Findings and coverage of the watchers.
    pub watched: Watched,
    /// The recording, if there was a recorder and the launch has begun.
    pub recording: Option<Recording>,
    /// The writes to global memory, if they were asked for.
    pub writes: Option<Writes>,
}

impl LaunchObserver {
    /// Watchers alone.
    pub fn new(watch: Watch) -> LaunchObserver {
        let needs = watch.needs();
        LaunchObserver { watch, recorder: None, contents: None, writes: None, needs }
    }

    /// The observer with a recorder of at most `most` steps of each core, which keeps these contents of tiles.
    #[must_use]
    pub fn recording(self, most: usize, contents: Option<KeepContents>) -> LaunchObserver {
        let recorder = Recorder::new(most);
        let contents = contents.map(Contents::new);
        let kept = contents.as_ref().map_or(Needs::NONE, Observe::needs);
        let needs = self.needs.or(recorder.needs()).or(kept);
        LaunchObserver { recorder: Some(recorder), contents, needs, ..self }
    }

    /// Observer that also records the writer of each byte of global memory.
    #[must_use]
    pub fn keeping_writes(self) -> LaunchObserver {
        let writes = Writes::default();
        LaunchObserver { needs: self.needs.or(writes.needs()), writes: Some(writes), ..self }
    }

    /// Whether a watcher has found an error so far.
    pub fn has_found(&self) -> bool {
        self.watch.has_found()
    }

    /// The results of a launch of a program, which may have been stopped.
    pub fn into_observed(self, program: &Program, is_stopped: bool) -> Observed {
        let LaunchObserver { watch, recorder, contents, writes, .. } = self;
        let watched = watch.into_watched();
        let recording = recorder.filter(|recorder| recorder.has_ended).map(|recorder| {
            let contents = contents.map_or_else(Vec::new, Contents::into_contents);
            Recording { is_stopped, contents, ..recorder.into_recording(program, &watched) }
        });
        Observed { watched, recording, writes }
    }
}

impl Observe for LaunchObserver {
    #[inline]
    fn needs(&self) -> Needs {
        self.needs
    }

    fn see(&mut self, program: &Program, event: &Event<'_>, printed: &mut Vec<Printed>) {
        self.watch.see(program, event, printed);
        if let Some(recorder) = &mut self.recorder {
            recorder.see(program, event, printed);
        }
        if let Some(contents) = &mut self.contents {
            contents.see(program, event, printed);
        }
        if let Some(writes) = &mut self.writes {
            writes.see(program, event, printed);
        }
    }

    fn finish(&mut self, program: &Program, names: &[String]) {
        self.watch.finish(program, names);
        if let Some(recorder) = &mut self.recorder {
            recorder.finish(program, names);
        }
    }
}

/// Runs a program, and records the instructions that its cores issue, for [`time`](crate::timeline::time). If the run
/// stops, the recording contains the instructions issued until then.
///
/// # Errors
/// Arguments that do not fit the program. Errors that stop the run, and findings of watchers, are the second part of the
/// result instead.
pub fn record(
    program: &Program,
    ranks: Vec<Vec<Value>>,
    options: &Options,
    record: &RecordOptions,
) -> Result<(Recording, Vec<Diagnostic>), Vec<Diagnostic>> {
    let watch = Watch::new(program, &record.watch, options);
    let mut observer = LaunchObserver::new(watch).recording(record.most, record.contents);
    let launched = program.launch_ranks(ranks, options, &mut [&mut observer]);
    let Observed { watched, recording, .. } = observer.into_observed(program, launched.is_err());
    let Some(recording) = recording else { return Err(launched.err().unwrap_or_default()) };
    let found = launched.map_or_else(|stopped| stopped, |outcome| outcome.warnings);
    Ok((recording, [found, watched.findings].concat()))
}
