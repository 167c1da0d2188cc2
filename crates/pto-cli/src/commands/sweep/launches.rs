//! The launches of a program: from its entries in the manifest, else its recorded case, else the flags in its text,
//! else with default inputs.

use crate::args::{Cli, Command, RunArgs};
use crate::case::Case;
use crate::manifest::Entry;
use clap::Parser;
use pto::Profile;
use pto::data::DataError;
use pto::launch::{Missing, Spec};
use std::path::Path;

/// One launch of a program.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Launch {
    pub(in crate::commands) spec: Spec,
    /// Rules of correct findings of watchers.
    pub(in crate::commands) watched: Vec<String>,
}

/// The specified launches of a program.
pub(in crate::commands) struct Said {
    /// Profile of the program.
    pub(in crate::commands) profile: Option<Profile>,
    /// Specified launches of the program.
    pub(in crate::commands) launches: Vec<Launch>,
    /// Whether the launches are those of a recorded case.
    pub(in crate::commands) is_case: bool,
}

impl Said {
    /// Launches of the program at `path`. Unspecified settings come from `usual`.
    pub(in crate::commands) fn of(
        path: &Path,
        text: &str,
        entries: &[Entry],
        usual: &Spec,
    ) -> Result<Said, DataError> {
        let profile = profile(text);
        let case = path.with_file_name("case.json");
        if !entries.is_empty() {
            let launch = |entry: &Entry| Launch { spec: entry.spec(usual), watched: entry.watched.clone() };
            return Ok(Said { profile, launches: entries.iter().map(launch).collect(), is_case: false });
        }
        if path.file_name().is_some_and(|name| name == "kernel.pto") && case.is_file() {
            let case = Case::read(path.parent().unwrap_or(Path::new("")))?;
            let launches = vec![Launch::of_case(&case, usual)?];
            return Ok(Said { profile: case.profile, launches, is_case: true });
        }
        let launch = match comment(text, "// run:") {
            Some(flags) => Launch::of_flags(flags, usual)?,
            None => Launch {
                spec: Spec { entry: None, inputs: Vec::new(), missing: Missing::Guessed, ..usual.clone() },
                watched: Vec::new(),
            },
        };
        Ok(Said { profile, launches: vec![launch], is_case: false })
    }
}

impl Launch {
    /// Whether no inputs are specified, so that all are guessed.
    pub(in crate::commands) fn is_guessed(&self) -> bool {
        self.spec.missing == Missing::Guessed
    }

    fn of_case(case: &Case, usual: &Spec) -> Result<Launch, DataError> {
        let inputs = crate::commands::test::inputs(case)?;
        let inputs =
            inputs.into_iter().map(|input| (input.argument.to_string(), input.given.into())).collect();
        let spec = Spec { inputs, missing: Missing::Usual, ..case.spec(usual) };
        Ok(Launch { spec, watched: Vec::new() })
    }

    /// Parses the flags of `pto run` after `// run:`.
    fn of_flags(flags: &str, usual: &Spec) -> Result<Launch, DataError> {
        let args = run_flags(flags)?;
        let Spec { entry, blocks, ranks, seed, inputs, .. } = args.spec();
        let max_steps = args.launch.max_steps.unwrap_or(usual.max_steps);
        let missing = Missing::Usual;
        let spec = Spec { entry, blocks, ranks, seed, inputs, max_steps, missing, ..usual.clone() };
        Ok(Launch { spec, watched: Vec::new() })
    }
}

/// The rest of the first line of a text that begins with a key.
fn comment<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix(key))
}

/// The first profile after `// target:`.
fn profile(text: &str) -> Option<Profile> {
    let targets = comment(text, "// target:").into_iter().flat_map(|words| words.split(','));
    targets.filter_map(|word| Profile::from_word(word.trim())).next()
}

/// The flags of `pto run`.
fn run_flags(flags: &str) -> Result<Box<RunArgs>, DataError> {
    let words = ["pto", "run", "-"].into_iter().chain(flags.split_whitespace());
    match Cli::try_parse_from(words) {
        Ok(Cli { command: Command::Run(args) }) => Ok(args),
        _ => Err(DataError::new(format!("`// run:{flags}` are not flags of `pto run`"))),
    }
}

/// Profile and flags of `pto run` in the comments of a kernel in C++; `None` for a missing comment.
///
/// # Errors
/// A comment `// run:` without valid flags of `pto run`.
pub(in crate::commands) fn in_comments(
    text: &str,
) -> Result<(Option<Profile>, Option<Box<RunArgs>>), DataError> {
    Ok((profile(text), comment(text, "// run:").map(run_flags).transpose()?))
}
