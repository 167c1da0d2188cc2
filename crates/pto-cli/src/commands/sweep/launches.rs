//! The launches of a program: from its entries in the manifest, else its recorded case, else the flags in its text,
//! else with default inputs.

use crate::args::{Cli, Command};
use crate::case::Case;
use crate::files::Disk;
use crate::manifest::Entry;
use clap::Parser;
use pto::Profile;
use pto::data::DataError;
use pto::data::Given;
use pto::data::Source;
use pto::sim::Options;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;

/// One launch of a program; the command line specifies the rest.
#[derive(Clone, Debug, Default)]
pub(in crate::commands) struct Launch {
    pub(in crate::commands) entry: Option<String>,
    pub(in crate::commands) blocks: Option<u32>,
    pub(in crate::commands) ranks: Option<u32>,
    pub(in crate::commands) max_steps: Option<u64>,
    pub(in crate::commands) seed: Option<u64>,
    pub(in crate::commands) inputs: Vec<(String, Given)>,
    /// Rules of correct findings of watchers.
    pub(in crate::commands) watched: Vec<String>,
    /// Whether no inputs are specified, so that all are guessed.
    pub(in crate::commands) guessed: bool,
}

/// The specified launches of a program.
pub(in crate::commands) struct Said {
    /// Its profile.
    pub(in crate::commands) profile: Option<Profile>,
    /// Its launches.
    pub(in crate::commands) launches: Vec<Launch>,
}

impl Said {
    /// The specification of the program at `path`.
    pub(in crate::commands) fn of(path: &Path, text: &str, entries: &[Entry]) -> Result<Said, DataError> {
        let comment = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
        let targets = comment("// target:").into_iter().flat_map(|words| words.split(','));
        let profile = targets.filter_map(|word| Profile::from_word(word.trim())).next();
        let case = path.with_file_name("case.json");
        if !entries.is_empty() {
            return Ok(Said { profile, launches: entries.iter().map(Launch::of_entry).collect() });
        }
        if path.file_name().is_some_and(|name| name == "kernel.pto") && case.is_file() {
            let case = Case::read(path.parent().unwrap_or(Path::new("")))?;
            return Ok(Said { profile: case.profile, launches: vec![Launch::of_case(&case)?] });
        }
        let launch = match comment("// run:") {
            Some(flags) => Launch::of_flags(flags)?,
            None => Launch { guessed: true, ..Launch::default() },
        };
        Ok(Said { profile, launches: vec![launch] })
    }
}

impl Launch {
    /// Launch options as far as they are specified, with `threads` threads.
    pub(in crate::commands) fn options(&self, threads: usize) -> Options {
        let usual = Options::default();
        let (blocks, max_steps) = (usual.blocks, usual.max_steps);
        usual
            .blocks(self.blocks.unwrap_or(blocks))
            .max_steps(self.max_steps.unwrap_or(max_steps))
            .threads(threads)
    }

    fn of_entry(entry: &Entry) -> Launch {
        Launch {
            entry: entry.entry.clone(),
            blocks: entry.blocks.map(NonZeroU32::get),
            ranks: entry.ranks.map(NonZeroU32::get),
            max_steps: entry.max_steps.map(NonZeroU64::get),
            seed: entry.seed,
            inputs: entry.inputs.clone(),
            watched: entry.watched.clone(),
            guessed: false,
        }
    }

    fn of_case(case: &Case) -> Result<Launch, DataError> {
        let inputs = crate::commands::test::inputs(case)?;
        let named = inputs.into_iter().map(|input| (input.argument.to_string(), input.given));
        let (entry, blocks) = (case.entry.clone(), Some(case.blocks));
        Ok(Launch { entry, blocks, inputs: named.collect(), ..Launch::default() })
    }

    /// Parses the flags of `pto run` after `// run:`.
    fn of_flags(flags: &str) -> Result<Launch, DataError> {
        let words = ["pto", "run", "-"].into_iter().chain(flags.split_whitespace());
        let wrong = || DataError::new(format!("`// run:{flags}` are not flags of `pto run`"));
        let Ok(Cli { command: Command::Run(args) }) = Cli::try_parse_from(words) else { return Err(wrong()) };
        let inputs = args.inputs.iter().map(|assignment| {
            Ok((assignment.arg.clone(), Given::Source(Source::parse(&assignment.value, &Disk)?)))
        });
        Ok(Launch {
            entry: args.entry.clone(),
            blocks: Some(args.blocks),
            ranks: Some(args.ranks),
            max_steps: args.max_steps,
            seed: Some(args.seed),
            inputs: inputs.collect::<Result<_, DataError>>()?,
            watched: Vec::new(),
            guessed: false,
        })
    }
}
