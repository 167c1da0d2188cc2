//! Settings of checks: target, strictness and levels of rules, from flags and from `pto.toml`.

use crate::args::{ProfileArgs, RuleArgs, Target};
use pto::Profile;
use pto::data::DataError;
use pto::diag::{Diagnostic, Level, LevelError, Leveled, Levels};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Name of the file with the settings of a folder and all below it.
pub const FILE_NAME: &str = "pto.toml";

/// Maximum size in bytes of a settings file.
const LONGEST: u64 = 1 << 20;

/// How the programs of a command are judged.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Profile instead of that of a module.
    pub target: Option<Profile>,
    /// Profile of a module that names none.
    pub usual_target: Option<Profile>,
    /// Whether extensions are errors.
    pub strict: bool,
    /// Levels of rules.
    pub levels: Levels,
    /// Whether a program that its target refuses runs as `cpu`.
    pub run_refused: bool,
}

impl Settings {
    /// Settings without levels, for `target`.
    pub fn of_target(target: Option<Profile>) -> Settings {
        Settings { target, ..Settings::default() }
    }

    /// Findings in a text at their levels.
    pub fn level(&self, findings: Vec<Diagnostic>, text: &str) -> Leveled {
        self.levels.apply(findings, text)
    }
}

impl From<&ProfileArgs> for Settings {
    fn from(args: &ProfileArgs) -> Settings {
        Settings { strict: args.strict, ..Settings::of_target(args.target.map(Target::profile)) }
    }
}

/// The contents of a settings file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    target: Option<String>,
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    rules: BTreeMap<String, WrittenLevel>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenLevel {
    Allow,
    Warn,
    Deny,
}

impl From<WrittenLevel> for Level {
    fn from(level: WrittenLevel) -> Level {
        match level {
            WrittenLevel::Allow => Level::Allow,
            WrittenLevel::Warn => Level::Warn,
            WrittenLevel::Deny => Level::Deny,
        }
    }
}

/// The settings of flags, with those of the `pto.toml` that is nearest to each program.
#[derive(Debug, Default)]
pub struct Configured {
    flags: Settings,
    /// The settings of folders that were asked for.
    known: Mutex<BTreeMap<PathBuf, Arc<Settings>>>,
}

impl From<Settings> for Configured {
    fn from(flags: Settings) -> Configured {
        Configured { flags, known: Mutex::default() }
    }
}

impl Configured {
    /// The settings of flags.
    ///
    /// # Errors
    /// A flag that names no rule, or a rule that it cannot hide.
    pub fn of(profile: &ProfileArgs, rules: &RuleArgs) -> Result<Configured, DataError> {
        let mut flags = Settings::from(profile);
        for (level, names) in
            [(Level::Allow, &rules.allow), (Level::Warn, &rules.warn), (Level::Deny, &rules.deny)]
        {
            for name in names {
                set(&mut flags.levels, name, level)
                    .map_err(|error| in_place(error, &format!("--{} {name}", level.word())))?;
            }
        }
        Ok(flags.into())
    }

    /// These settings; with `run_refused`, programs that their target refuses run as `cpu`.
    pub fn running_refused(self, run_refused: bool) -> Configured {
        Settings { run_refused, ..self.flags }.into()
    }

    /// The settings of a program: those of the nearest `pto.toml` in its folder or one above, and of the flags, which
    /// decide. For stdin (`-`), the current folder counts.
    ///
    /// # Errors
    /// A settings file that cannot be read.
    pub fn of_program(&self, path: &Path) -> Result<Arc<Settings>, DataError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(settings) = known.get(folder) {
            return Ok(Arc::clone(settings));
        }
        let settings = Arc::new(match nearest_file(folder) {
            Some(file) => self.with_file(&file)?,
            None => self.flags.clone(),
        });
        known.insert(folder.to_path_buf(), Arc::clone(&settings));
        Ok(settings)
    }

    fn with_file(&self, file: &Path) -> Result<Settings, DataError> {
        let fail = |what: String| DataError::misuse(format!("{}: {what}", file.display()));
        let mut text = String::new();
        std::fs::File::open(file)
            .and_then(|opened| opened.take(LONGEST).read_to_string(&mut text))
            .map_err(|error| fail(format!("cannot read the file: {error}")))?;
        let written: Written =
            toml::from_str(&text).map_err(|error| fail(error.to_string().trim_end().to_owned()))?;
        let mut settings = Settings { strict: written.strict, ..Settings::default() };
        if let Some(word) = written.target {
            let known = Profile::from_word(&word);
            let unknown = || fail(format!("`target` is `{word}`, but must be a2a3, a5 or cpu"));
            settings.usual_target = Some(known.ok_or_else(unknown)?);
        }
        for (name, level) in written.rules {
            set(&mut settings.levels, &name, level.into())
                .map_err(|error| in_place(error, &format!("{}, [rules]", file.display())))?;
        }
        settings.target = self.flags.target;
        settings.run_refused = self.flags.run_refused;
        settings.strict |= self.flags.strict;
        settings.levels.extend(&self.flags.levels);
        Ok(settings)
    }
}

/// The settings file of a folder, or of the nearest folder above it that has one.
fn nearest_file(folder: &Path) -> Option<PathBuf> {
    let folder = std::fs::canonicalize(folder).ok()?;
    folder.ancestors().map(|above| above.join(FILE_NAME)).find(|file| file.is_file())
}

fn set(levels: &mut Levels, name: &str, level: Level) -> Result<(), DataError> {
    levels.set(name, level).map_err(|error| match error {
        LevelError::Unknown(near) => {
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "`pto explain --list` lists the rules; `warnings` names all that is no error".to_owned()
                }
            };
            DataError::misuse(format!("there is no rule `{name}`")).with_help(help)
        }
        _ => {
            let message = format!("`{name}` cannot be set to `{}`", level.word());
            DataError::misuse(message)
                .with_help("a program that breaks this rule is not legal, or its run stops")
        }
    })
}

fn in_place(error: DataError, place: &str) -> DataError {
    DataError { message: format!("{place}: {}", error.message), ..error }
}
