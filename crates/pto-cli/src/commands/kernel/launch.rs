//! The launch of a kernel, in the process that has it.

use super::arguments::{Buffer, Size, format_of, sources};
use crate::args::{Assignment, LaunchArgs};
use crate::commands::Text;
use crate::files::Disk;
use crate::linked::{Ended, Format, Kernel, Kernels, Wanted, choose, signature};
use crate::render::Joined;
use pto::data::{DataError, Failure, Input, Source};
use pto::diag::Diagnostic;
use pto::launch::{ArgumentSource, Launch, Report, Spec};
use pto::observe::Writes;
use pto::sim::{self, ArgumentKind};
use pto::timeline::Recording;
use pto::{Profile, Program};
use std::path::Path;

/// A source file of kernels in C++.
#[derive(Clone, Copy)]
pub(in crate::commands) struct KernelFile<'k> {
    /// Path of the file among the kernels of this process.
    pub(in crate::commands) path: &'k Path,
    /// Contents of the file, and its name in messages.
    pub(in crate::commands) text: &'k Text,
}

/// A kernel of this process.
pub(in crate::commands) struct Linked<'k> {
    kernels: &'k dyn Kernels,
    path: &'k Path,
    kernel: Kernel,
    /// The program of its signature: a function without operations.
    program: Program,
}

/// Shapes of buffers, by the number of their argument.
type Shapes = Vec<(usize, Vec<usize>)>;

/// A launch with its arguments, and the shapes of its buffers.
pub(in crate::commands) struct Prepared<'p> {
    /// The launch.
    pub(in crate::commands) launch: Launch<'p>,
    shapes: Shapes,
}

/// A launch that has ended.
pub(in crate::commands) struct Launched<'p> {
    /// The report, or the findings that stopped the launch.
    pub(in crate::commands) report: Result<Report<'p>, Vec<Diagnostic>>,
    /// The files that places are in.
    pub(in crate::commands) joined: Joined,
    /// The recording, if one was wanted and the launch has begun.
    pub(in crate::commands) recording: Option<Recording>,
    /// The program of all calls.
    pub(in crate::commands) program: Program,
    /// The writes to global memory, if they were wanted.
    pub(in crate::commands) writes: Option<Writes>,
}

impl<'k> Linked<'k> {
    /// The kernel that flags choose in a source, with the formats of their arguments.
    ///
    /// # Errors
    /// No such kernel, or one with parameters that no argument fits.
    pub(in crate::commands) fn of(
        kernels: &'k dyn Kernels,
        file: KernelFile<'k>,
        launch: &LaunchArgs,
        expect: &[Assignment],
    ) -> Result<Linked<'k>, DataError> {
        let format = |at: usize, name: &str| format_of(&launch.inputs, expect, at, name);
        Linked::with_formats(kernels, file, launch.entry.as_deref(), &format)
    }

    /// The kernel with a name, or the only one; `format` has formats of parameters by number and name.
    ///
    /// # Errors
    /// See [`Linked::of`].
    pub(in crate::commands) fn with_formats(
        kernels: &'k dyn Kernels,
        file: KernelFile<'k>,
        entry: Option<&str>,
        format: &dyn Fn(usize, &str) -> Format,
    ) -> Result<Linked<'k>, DataError> {
        let KernelFile { path, text } = file;
        let kernel = choose(kernels.of_source(path), entry, &text.name, &text.text)?;
        let program = program(&signature(&kernel, format)?, kernels.target())?;
        Ok(Linked { kernels, path, kernel, program })
    }

    /// The program of its signature.
    pub(in crate::commands) fn program(&self) -> &Program {
        &self.program
    }

    /// Signature of the kernel.
    ///
    /// # Errors
    /// None for the program of a signature.
    pub(in crate::commands) fn signature(&self) -> Result<sim::Signature, DataError> {
        sim::Signature::of(self.program.module(), self.program.entry()).map_err(DataError::new)
    }

    /// Launch that the flags describe, with the sources of the inputs in terms of the signature.
    pub(in crate::commands) fn spec(&self, spec: Spec, inputs: &[Assignment]) -> Spec {
        let inputs: Vec<(String, ArgumentSource)> = sources(inputs);
        Spec { entry: None, inputs, ..spec }
    }

    /// Makes the arguments. A buffer without an input has the size of its array among `expected`, which has pairs of
    /// argument number and array.
    ///
    /// # Errors
    /// Inputs that are missing or fit no argument, and buffers of unknown size.
    pub(in crate::commands) fn prepare(
        &self,
        spec: &Spec,
        inputs: &mut Vec<Input>,
        expected: &[(usize, Source)],
    ) -> Result<Prepared<'_>, Failure> {
        let (mut shapes, mut blank) = (Vec::new(), Vec::new());
        for (argument, described) in self.signature()?.arguments.iter().enumerate() {
            let ArgumentKind::Buffer(element) = described.kind else { continue };
            let buffer = Buffer { argument, name: &described.name, element };
            let expected = expected.iter().find(|(of, _)| *of == argument).map(|(_, source)| source);
            let Size { shape, is_blank } = buffer.size(inputs, expected)?;
            shapes.extend(shape.map(|shape| (argument, shape)));
            blank.extend(is_blank.then_some((0, argument)));
        }
        let mut launch = spec.prepare_with(&self.program, inputs, &Disk)?;
        launch.options.blank = blank;
        Ok(Prepared { launch, shapes })
    }

    /// The nanoseconds of launches, see [`Kernels::time`].
    ///
    /// # Errors
    /// See [`Kernels::time`].
    pub(in crate::commands) fn time(
        &self,
        Prepared { launch, .. }: Prepared<'_>,
        most: usize,
        longest: f64,
    ) -> Result<Vec<f64>, DataError> {
        let values = launch.ranks.into_iter().next().unwrap_or_default();
        self.kernels.time(self.path, &self.kernel, values, &launch.options, most, longest)
    }

    /// Runs the kernel. Results have the shapes of their arguments. The watchers are those of the launch.
    ///
    /// # Errors
    /// Parameters that cannot be passed on this host.
    pub(in crate::commands) fn run<'p>(
        &self,
        Prepared { launch, shapes }: Prepared<'p>,
        wanted: &Wanted,
    ) -> Result<Launched<'p>, DataError> {
        let mut others = Err(DataError::new("the kernel was not launched"));
        let report = launch.run_by(|ranks, options, watch| {
            let values = ranks.into_iter().next().unwrap_or_default();
            let wanted = Wanted { watch: *watch, ..wanted.clone() };
            match self.kernels.run(self.path, &self.kernel, values, options, &wanted) {
                Ok(Ended { result, joined, recording, program, writes }) => {
                    others = Ok((joined, recording, program, writes));
                    result
                }
                Err(error) => {
                    others = Err(error);
                    Err(Vec::new())
                }
            }
        });
        let (joined, recording, program, writes) = others?;
        let report = report.map(|mut report| {
            report.shape(&shapes);
            report
        });
        Ok(Launched { report, joined, recording, program, writes })
    }
}

/// The program of a signature.
fn program(text: &str, target: &str) -> Result<Program, DataError> {
    let refused = |findings: Vec<Diagnostic>| {
        let first = findings.first().map_or(String::new(), |finding| finding.message.clone());
        DataError::misuse(format!("the parameters of the kernel are none of a launch: {first}"))
    };
    let module = pto::parse(text).map_err(refused)?.module;
    let checked = pto::check(module, Profile::from_word(target)).map_err(refused)?;
    Program::decode(&checked, None).map_err(refused)
}
