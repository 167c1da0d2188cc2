//! The flags of a launch, which several commands share, and the description of the launch that they make.

use super::at_least_one;
use super::values::assignment;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use pto::launch::{ArgumentSource, Spec, Word};
use pto::observe::{Watcher, Watchers};
use pto::sim::{DEFAULT_MAX_STEPS, DivisionByZero, IndexUnit, MAX_RANKS, Schedule};

/// The function, its arguments and its blocks.
#[derive(Clone, Debug, Args)]
pub struct LaunchArgs {
    /// The function to execute, if the program has several.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Contents of an argument, named without `%` or numbered from 0: a .npy file, an array of a .npz
    /// file (x.npz:NAME), a raw .bin file, a number, or one of
    /// zeros, ones, arange, rand, randn with an optional shape, such as x=randn:16x128. With several ranks, x@1 is the
    /// argument of rank 1, and a source may be rank or ranks (their number), @0 (the buffer of rank 0), @0:y, or comm
    /// (a communication context).
    #[arg(short = 'i', long = "input", value_name = "ARG=SOURCE", value_parser = ValueParser::new(assignment))]
    pub inputs: Vec<Assignment>,
    /// Number of blocks to launch.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    pub blocks: u32,
    /// Seed of rand and randn.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this many steps of a block, which ends endless loops. Default: 10^10.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
}

/// The machine.
#[derive(Clone, Debug, Args)]
pub struct MachineArgs {
    /// Number of ranks. Each rank has its own memory and runs all blocks.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_RANKS)))]
    pub ranks: u32,
    /// Unit of the indices of tconcat: bytes of index elements, as on devices, or columns, as the page says. Default:
    /// bytes, with a lint if the two differ.
    #[arg(long, value_name = "UNIT", value_parser = words::<IndexUnit>())]
    pub tconcat_index: Option<IndexUnit>,
    /// Integer division by zero in tile instructions: stop the run, or set the quotient or remainder to zero, as
    /// devices do.
    #[arg(long, value_name = "HOW", default_value = "stop", value_parser = words::<DivisionByZero>())]
    pub on_division_by_zero: DivisionByZero,
}

/// The order of execution.
#[derive(Clone, Debug, Args)]
pub struct ScheduleArgs {
    /// Order in which the pipes of a core execute issued instructions: program order, as early as possible, as late as
    /// possible, random, or some pipes ahead of others.
    #[arg(long, value_name = "ORDER", default_value = "program", value_parser = words::<Schedule>())]
    pub schedule: Schedule,
    /// Seed of the random and adversarial schedules. Default: that of --seed.
    #[arg(long, value_name = "N")]
    pub schedule_seed: Option<u64>,
}

/// The watchers.
#[derive(Clone, Debug, Args)]
pub struct WatchArgs {
    /// Watchers, separated by commas. Default: none; race and mem for `pto map`, all for `pto report`.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = watchers())]
    pub watch: Vec<String>,
    /// `inserted`: a later tool inserts the synchronization within a core, so watchers assume program order there.
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(["inserted"]))]
    pub sync: Option<String>,
    /// `v-chains`: on A2/A3, no barrier is needed between an elementwise instruction on V and an instruction on V that
    /// reads exactly the bytes it wrote, as the public assembler assumes.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = PossibleValuesParser::new(["v-chains"]))]
    pub assume: Vec<String>,
}

impl LaunchArgs {
    /// The launch that the flags describe, on one rank, in program order, without watchers.
    pub fn spec(&self) -> Spec {
        Spec {
            entry: self.entry.clone(),
            blocks: self.blocks,
            inputs: self.inputs.iter().map(Assignment::input).collect(),
            seed: self.seed,
            max_steps: self.max_steps.unwrap_or(DEFAULT_MAX_STEPS),
            ..Spec::default()
        }
    }
}

impl MachineArgs {
    /// The launch on this machine.
    pub fn with(&self, spec: Spec) -> Spec {
        let MachineArgs { ranks, tconcat_index, on_division_by_zero } = *self;
        Spec { ranks, tconcat_index, on_division_by_zero, ..spec }
    }
}

impl ScheduleArgs {
    /// The launch in this order.
    pub fn with(&self, spec: Spec) -> Spec {
        Spec { schedule: self.schedule, schedule_seed: self.schedule_seed, ..spec }
    }
}

impl WatchArgs {
    /// The launch under these watchers; under `usual` if the flags name none.
    pub fn with(&self, spec: Spec, usual: Watchers) -> Spec {
        Spec {
            watch: if self.watch.is_empty() { usual } else { named(&self.watch) },
            sync_inserted: self.sync.is_some(),
            assume_v_chains: !self.assume.is_empty(),
            ..spec
        }
    }
}

/// The watchers that words of a flag name; the flag takes no other words.
pub fn named(words: &[String]) -> Watchers {
    Watchers::named(words.iter().map(String::as_str)).unwrap_or_default()
}

/// Reads a value of `--watch`.
pub(super) fn watchers() -> PossibleValuesParser {
    let value = |watcher: Watcher| PossibleValue::new(watcher.word()).help(watcher.summary());
    let sets = [("all", "All of them"), ("none", "None of them")];
    let sets = sets.map(|(word, help)| PossibleValue::new(word).help(help));
    PossibleValuesParser::new(Watcher::ALL.map(value).into_iter().chain(sets))
}

/// Reads the name of a choice.
fn words<T: Word>() -> impl TypedValueParser<Value = T> {
    let values = T::WORDS.iter().map(|(word, _, help)| PossibleValue::new(*word).help(*help));
    PossibleValuesParser::new(values)
        .try_map(|word| T::of_word(&word).ok_or(format!("no choice is `{word}`")))
}

/// `ARG=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The argument's name without `%`, or its number.
    pub arg: String,
    /// The text after the first `=`.
    pub value: String,
}

impl Assignment {
    /// The argument's number, if it is given by number.
    pub fn number(&self) -> Option<usize> {
        self.arg.parse().ok().filter(|_| self.arg.bytes().all(|b| b.is_ascii_digit()))
    }

    /// The input that it describes.
    pub fn input(&self) -> (String, ArgumentSource) {
        (self.arg.clone(), ArgumentSource::Text(self.value.clone()))
    }
}
