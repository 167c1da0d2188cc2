//! The description of a launch.

use super::prepared::Launch;
use crate::data::{
    Arguments, DataError, Failure, Files, Given, Input, Plan, Source, guess, located, place, plan,
};
use pto_machine::Program;
use pto_machine::observe::{WatchOptions, Watchers};
use pto_machine::sim::{
    ArgumentKind, DEFAULT_MAX_STEPS, DivisionByZero, IndexUnit, Options, Schedule, Signature,
};

/// A launch as its user describes it.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Spec {
    /// The function to execute, if the program has several.
    pub entry: Option<String>,
    /// Number of blocks of each rank, at least 1.
    pub blocks: u32,
    /// Maximum number of host threads that run blocks; 0 for one per host core. Results do not depend on it.
    pub threads: usize,
    /// Number of ranks, 1 to [`MAX_RANKS`](pto_machine::sim::MAX_RANKS).
    pub ranks: u32,
    /// Contents of arguments, by name or number, with `@RANK` appended for a single rank.
    #[cfg_attr(feature = "serde", serde(with = "super::written::inputs"))]
    pub inputs: Vec<(String, ArgumentSource)>,
    /// Contents of the arguments that `inputs` does not name.
    pub missing: Missing,
    /// Seed of the generators `rand` and `randn`.
    pub seed: u64,
    /// Order in which the pipes of a core execute issued instructions.
    #[cfg_attr(feature = "serde", serde(with = "super::written::choice"))]
    pub schedule: Schedule,
    /// Seed of the random and adversarial schedules. Default: `seed`.
    pub schedule_seed: Option<u64>,
    /// Maximum number of steps of a block; a block that exceeds it stops with an error.
    pub max_steps: u64,
    /// Time limit of the run, in seconds; a run that takes longer stops with an error. The preceding search for the sizes
    /// of buffers has the same limit.
    pub max_seconds: Option<f64>,
    /// Unit of the indices of TCONCAT. Default: bytes, with a lint if columns would give another result.
    #[cfg_attr(feature = "serde", serde(with = "super::written::optional"))]
    pub tconcat_index: Option<IndexUnit>,
    /// Behaviour of tile instructions on integer division by zero.
    #[cfg_attr(feature = "serde", serde(with = "super::written::choice"))]
    pub on_division_by_zero: DivisionByZero,
    /// Unwritten memory starts as bytes of all ones instead of zeros.
    pub poison: bool,
    /// Watchers assume program order within a core, since synchronization is inserted later.
    pub sync_inserted: bool,
    /// The watchers.
    #[cfg_attr(feature = "serde", serde(with = "super::written::watchers"))]
    pub watch: Watchers,
    /// Watchers treat chains of elementwise instructions on V as ordered, as on A2/A3.
    pub assume_v_chains: bool,
    /// Maximum number of findings of watchers that are reported.
    pub max_reports: usize,
}

impl Default for Spec {
    fn default() -> Spec {
        let WatchOptions { watchers, assume_v_chains, max_reports, .. } = WatchOptions::default();
        Spec {
            entry: None,
            blocks: 1,
            threads: 0,
            ranks: 1,
            inputs: Vec::new(),
            missing: Missing::Error,
            seed: 0,
            schedule: Schedule::Program,
            schedule_seed: None,
            max_steps: DEFAULT_MAX_STEPS,
            max_seconds: None,
            tconcat_index: None,
            on_division_by_zero: DivisionByZero::Stop,
            poison: false,
            sync_inserted: false,
            watch: watchers,
            assume_v_chains,
            max_reports,
        }
    }
}

/// Contents of an argument.
#[derive(Clone, Debug)]
pub enum ArgumentSource {
    /// A source such as `x.npy`, `randn:16x128` or `5`, which is parsed when the launch is planned. Its syntax is that of
    /// [`Source::parse`].
    Text(String),
    /// Known contents.
    Known(Given),
}

impl From<&str> for ArgumentSource {
    fn from(text: &str) -> ArgumentSource {
        ArgumentSource::Text(text.to_owned())
    }
}

impl From<Given> for ArgumentSource {
    fn from(given: Given) -> ArgumentSource {
        ArgumentSource::Known(given)
    }
}

/// Contents of arguments that a launch does not name. Buffers have the size that the views of the program reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Missing {
    /// Buffers are zeros; a scalar is an error.
    #[default]
    Error,
    /// Buffers are zeros, scalars are 1.
    Usual,
    /// Guessed: [`guess`] has the rules.
    Guessed,
}

impl Spec {
    /// The options of the machine.
    pub fn options(&self) -> Options {
        Options::default()
            .blocks(self.blocks)
            .threads(self.threads)
            .max_steps(self.max_steps)
            .max_seconds(self.max_seconds)
            .schedule(self.schedule)
            .seed(self.schedule_seed.unwrap_or(self.seed))
            .poison(self.poison)
            .sync_inserted(self.sync_inserted)
            .tconcat_index(self.tconcat_index)
            .on_division_by_zero(self.on_division_by_zero)
    }

    /// The watchers with their assumptions.
    pub fn watch_options(&self) -> WatchOptions {
        WatchOptions {
            watchers: self.watch,
            assume_v_chains: self.assume_v_chains,
            max_reports: self.max_reports,
            ..WatchOptions::default()
        }
    }

    /// Inputs of a program: first those of arguments that the launch does not name, then the named ones. The last input
    /// of an argument counts.
    ///
    /// # Errors
    /// An argument or a rank that does not exist, an argument that is named twice, a text that does not describe a
    /// source.
    pub fn inputs(&self, program: &Program, files: &dyn Files) -> Result<Vec<Input>, DataError> {
        let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
        let mut inputs = self.unnamed(program, &signature);
        let unnamed = inputs.len();
        for (name, source) in &self.inputs {
            let (argument, rank) = place(&signature, name, self.ranks)?;
            if inputs[unnamed..].iter().any(|known| (known.argument, known.rank) == (argument, rank)) {
                return Err(DataError::misuse(format!("argument `{name}` is given twice")));
            }
            let given = match source {
                ArgumentSource::Known(given) => given.clone(),
                ArgumentSource::Text(text) => Source::parse(text, files)
                    .map(Given::Source)
                    .map_err(|error| located(name, error).of_argument(argument))?,
            };
            inputs.push(Input { argument, rank, given });
        }
        Ok(inputs)
    }

    /// Inputs of arguments, by [`Spec::missing`].
    fn unnamed(&self, program: &Program, signature: &Signature) -> Vec<Input> {
        let input = |(argument, given): (usize, Option<Given>)| {
            given.map(|given| Input { argument, rank: None, given })
        };
        match self.missing {
            Missing::Error => Vec::new(),
            Missing::Usual => {
                let one = |kind| match kind {
                    ArgumentKind::Scalar(_) => Some(Given::Source(Source::Scalar("1".into()))),
                    _ => None,
                };
                let kinds = signature.arguments.iter().map(|argument| one(argument.kind));
                kinds.enumerate().filter_map(input).collect()
            }
            Missing::Guessed => {
                let interface = program.interface();
                let guessed = interface.parameters.iter().map(|one| guess::input(&interface, one));
                guessed.enumerate().filter_map(input).collect()
            }
        }
    }

    /// The sizes of the arguments, before their memory is allocated: for callers that limit it.
    ///
    /// # Errors
    /// A missing scalar, a file of the wrong size, or a program whose scalar part cannot be run.
    pub fn plan<'a>(
        &self,
        program: &Program,
        inputs: &'a [Input],
        files: &'a dyn Files,
    ) -> Result<Plan<'a>, Failure> {
        plan(program, inputs, self.seed, self.ranks, &self.options(), files)
    }

    /// The launch of a program with arguments that a [`plan`](Spec::plan) has made from these inputs.
    pub fn launch<'p>(&self, program: &'p Program, inputs: &[Input], arguments: Arguments) -> Launch<'p> {
        let options = self.options().blank(blank(inputs, &arguments));
        Launch { program, ranks: arguments.ranks, options, watch: self.watch_options() }
    }

    /// The launch of a program with given inputs instead of those of the description.
    ///
    /// # Errors
    /// As for [`plan`](Spec::plan).
    pub fn prepare_with<'p>(
        &self,
        program: &'p Program,
        inputs: &[Input],
        files: &dyn Files,
    ) -> Result<Launch<'p>, Failure> {
        let arguments = self.plan(program, inputs, files)?.make()?;
        Ok(self.launch(program, inputs, arguments))
    }

    /// The launch of a program, with its arguments made.
    ///
    /// # Errors
    /// As for [`inputs`](Spec::inputs) and [`plan`](Spec::plan).
    pub fn prepare<'p>(&self, program: &'p Program, files: &dyn Files) -> Result<Launch<'p>, Failure> {
        self.prepare_with(program, &self.inputs(program, files)?, files)
    }
}

/// The buffers without input, by rank and argument.
fn blank(inputs: &[Input], arguments: &Arguments) -> Vec<(u32, usize)> {
    let is_given = |argument: usize, rank: u32| {
        inputs.iter().any(|input| input.argument == argument && input.rank.is_none_or(|of| of == rank))
    };
    let buffers = super::report::buffers(&arguments.ranks).into_iter();
    buffers.filter(|(at, rank)| !is_given(*at, *rank)).map(|(at, rank)| (rank, at)).collect()
}
