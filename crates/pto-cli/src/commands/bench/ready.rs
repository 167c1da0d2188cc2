//! Programs prepared for repeated launches.

use crate::files::Disk;
use pto::data::Failure;
use pto::ir::{FunctionId, Module};
use pto::isa::Profile;
use pto::launch::{Launch, Spec};
use pto::observe::{Watch, Watchers};
use pto::sim::Observer;
use pto::sim::{BufferState, Options, Value};
use pto::{Checked, Program};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

/// A program that is ready to run.
pub(super) struct Ready {
    program: Program,
    arguments: Rc<Arguments>,
    options: Options,
}

/// The arguments of repeated launches.
struct Arguments {
    /// Values before a launch, for each rank.
    fresh: Vec<Vec<Value>>,
    /// The values for the next launch; `None` after a failed one. Making new ones each time takes longer than most
    /// launches.
    next: RefCell<Option<Vec<Vec<Value>>>>,
}

impl Arguments {
    fn take(&self) -> Vec<Vec<Value>> {
        self.next.take().unwrap_or_else(|| self.fresh.clone())
    }

    /// Takes the buffers back and restores those that the launch wrote.
    fn put_back(&self, buffers: Vec<BufferState>) {
        let mut buffers = buffers.into_iter();
        let mut value = |fresh: &Value| {
            let Value::Buffer { bytes } = fresh else { return fresh.clone() };
            let Some(mut buffer) = buffers.next() else { return fresh.clone() };
            if buffer.written {
                buffer.bytes.clone_from(bytes);
            }
            Value::Buffer { bytes: buffer.bytes }
        };
        let ranks = self.fresh.iter().map(|values| values.iter().map(&mut value).collect());
        self.next.replace(Some(ranks.collect()));
    }
}

impl Ready {
    /// A kernel with its arguments.
    pub(super) fn new(checked: &Checked, kernel: Option<&str>, spec: &Spec) -> Result<Ready, Failure> {
        let program = Program::decode(checked, kernel)?;
        let Launch { ranks: fresh, options, .. } = spec.prepare(&program, &Disk)?;
        let arguments = Rc::new(Arguments { fresh, next: RefCell::default() });
        Ok(Ready { program, arguments, options })
    }

    /// The kernel of this name in a program with a looped instruction, on one thread.
    pub(super) fn looped(&self, checked: &Checked, kernel: Option<&str>) -> Result<Ready, Failure> {
        let program = Program::decode(checked, kernel)?;
        let options = self.options.clone().threads(1);
        Ok(Ready { program, arguments: Rc::clone(&self.arguments), options })
    }

    pub(super) fn module(&self) -> &Module {
        self.program.module()
    }

    pub(super) fn profile(&self) -> Profile {
        self.program.profile()
    }

    /// Execution count of each operation of each function.
    pub(super) fn executed(&self) -> Result<Vec<(FunctionId, Vec<u64>)>, Failure> {
        let outcome = self.program.launch_ranks(self.arguments.take(), &self.options, &mut [])?;
        self.arguments.put_back(outcome.buffers);
        Ok(self.program.functions().zip(outcome.executed).collect())
    }

    /// Minimum of [`time`](Ready::time) over `launches` launches.
    pub(super) fn fastest(&self, launches: u32, rounds: u64) -> Result<f64, String> {
        (0..launches).try_fold(f64::INFINITY, |least, _| Ok(self.time(rounds)?.min(least)))
    }

    /// Nanoseconds of a launch with `rounds` rounds of the loop.
    pub(super) fn time(&self, rounds: u64) -> Result<f64, String> {
        let mut ranks = self.arguments.take();
        for values in &mut ranks {
            for value in values.iter_mut() {
                if let Value::Peer { argument, .. } = value {
                    *argument += 1;
                }
            }
            values.insert(0, Value::Scalar(rounds));
        }
        self.launch_with(ranks).map_err(|failure| sentence(&failure))
    }

    /// Nanoseconds of a launch.
    pub(super) fn launch(&self) -> Result<f64, Failure> {
        self.launch_with(self.arguments.take())
    }

    /// Nanoseconds of a launch with watchers.
    pub(super) fn launch_watched(&self, watchers: Watchers) -> Result<f64, Failure> {
        let mut watch = Watch::new(&self.program, &watchers.into(), &self.options);
        self.timed(self.arguments.take(), &mut [&mut watch])
    }

    fn launch_with(&self, ranks: Vec<Vec<Value>>) -> Result<f64, Failure> {
        self.timed(ranks, &mut [])
    }

    fn timed(&self, ranks: Vec<Vec<Value>>, observers: &mut [&mut dyn Observer]) -> Result<f64, Failure> {
        let start = Instant::now();
        let outcome = self.program.launch_ranks(ranks, &self.options, observers)?;
        let time = start.elapsed().as_nanos() as f64;
        self.arguments.put_back(outcome.buffers);
        Ok(time)
    }
}

/// The reason of a failed measurement, as a sentence.
pub(super) fn sentence(failure: &Failure) -> String {
    match failure {
        Failure::Data(error) => error.to_string().replace('\n', "; "),
        Failure::Program(findings) => {
            findings.first().map_or(String::new(), |finding| finding.message.clone())
        }
    }
}
