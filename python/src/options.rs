//! Options of a launch as keyword arguments.

use crate::cpp::arguments::REFUSED;
use crate::errors::DataError;
use pto::launch::{Spec, Word};
use pto::observe::Watchers;
use pto::sim::MAX_RANKS;
use pyo3::prelude::*;

/// Keyword arguments of `Kernel.run` that are options, with their defaults as Python spells them. A kernel's argument of the same name comes
/// first.
pub(crate) const NAMES: [(&str, &str); 16] = [
    ("blocks", "1"),
    ("grid", "1"),
    ("ranks", "1"),
    ("threads", "0"),
    ("max_steps", "None"),
    ("watch", "'none'"),
    ("max_reports", "20"),
    ("schedule", "'program'"),
    ("seed", "0"),
    ("schedule_seed", "None"),
    ("sync_inserted", "False"),
    ("uninitialized", "'zero'"),
    ("missing", "'error'"),
    ("tiles", "()"),
    ("log", "False"),
    ("tconcat_index", "None"),
];

/// Names and defaults of the options of a kernel, which may be `compiled` code.
#[pyfunction]
#[pyo3(name = "_options")]
pub(crate) fn names(compiled: bool) -> Vec<(&'static str, &'static str)> {
    let is_refused = |name: &str| compiled && REFUSED.iter().any(|(refused, _)| *refused == name);
    NAMES.into_iter().filter(|(name, _)| !is_refused(name)).collect()
}

/// What a call asks for beside arguments.
#[derive(Default)]
pub(crate) struct Request {
    /// The launch, without its arguments.
    pub(crate) spec: Spec,
    /// Whether the launch keeps a log.
    pub(crate) log: bool,
    /// Tiles to keep: `%sum@42`.
    pub(crate) tiles: Vec<String>,
    /// Whether buffers that the kernel reads and that are not given are zeros.
    pub(crate) zeros: bool,
}

/// Whether a keyword is an option.
pub(crate) fn is_option(name: &str) -> bool {
    NAMES.iter().any(|(option, _)| *option == name)
}

/// Whether a keyword is an option of a session, whose launches have blocks, and of which each has one rank.
pub(crate) fn is_of_sessions(name: &str) -> bool {
    is_option(name) && !["grid", "blocks", "ranks", "tiles", "log", "missing"].contains(&name)
}

/// The options of a session.
pub(crate) fn options_of_sessions() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name).filter(|name| is_of_sessions(name))
}

impl Request {
    /// Sets the option `name`; None leaves it as it is.
    pub(crate) fn set(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if value.is_none() {
            return Ok(());
        }
        let spec = &mut self.spec;
        match name {
            "ranks" => {
                spec.ranks = read(name, value, "a number of ranks")?;
                if spec.ranks == 0 || spec.ranks > MAX_RANKS {
                    return Err(DataError::new_err(format!("a launch has 1 to {MAX_RANKS} ranks")));
                }
            }
            "missing" => {
                self.zeros = match read::<String>(name, value, "\"error\" or \"zeros\"")?.as_str() {
                    "error" => false,
                    "zeros" => true,
                    word => return Err(unknown(name, word, "error or zeros")),
                }
            }
            "tiles" => {
                self.tiles = match value.extract::<String>() {
                    Ok(one) => vec![one],
                    Err(_) => read(name, value, "a list such as [\"%sum@42\"]")?,
                }
            }
            "watch" => spec.watch = watchers(value)?,
            "max_reports" => spec.max_reports = read(name, value, "a number of findings")?,
            "log" => self.log = read(name, value, "True or False")?,
            "grid" | "blocks" => {
                spec.blocks = read(name, value, "a number of blocks")?;
                if spec.blocks == 0 {
                    return Err(DataError::new_err("a launch has at least one block"));
                }
            }
            "threads" => spec.threads = read(name, value, "a number of threads, 0 for one per core")?,
            "max_steps" => spec.max_steps = read(name, value, "a number of steps")?,
            "seed" => spec.seed = read(name, value, "a number from 0 to 2**64 - 1")?,
            "schedule_seed" => {
                spec.schedule_seed = Some(read(name, value, "a number from 0 to 2**64 - 1")?);
            }
            "sync_inserted" => spec.sync_inserted = read(name, value, "True or False")?,
            "tconcat_index" => {
                spec.tconcat_index = Some(choice(name, value, "\"bytes\" or \"columns\"")?);
            }
            "uninitialized" => {
                spec.poison = match read::<String>(name, value, "\"zero\" or \"nan\"")?.as_str() {
                    "zero" => false,
                    "nan" => true,
                    word => return Err(unknown(name, word, "zero or nan")),
                }
            }
            _ => spec.schedule = choice(name, value, "a word such as \"lazy\"")?,
        }
        Ok(())
    }
}

/// The value of an option.
fn read<'py, T: FromPyObject<'py, 'py>>(
    name: &str,
    value: &'py Bound<'py, PyAny>,
    what: &str,
) -> PyResult<T> {
    value.extract().map_err(|_| {
        let shown = value.repr().map(|text| text.to_string()).unwrap_or_default();
        DataError::new_err(format!("{name}={}: it takes {what}", pto::data::clip(&shown, 80)))
    })
}

/// A choice by its name.
fn choice<T: Word>(name: &str, value: &Bound<'_, PyAny>, what: &str) -> PyResult<T> {
    let word: String = read(name, value, what)?;
    T::of_word(&word).ok_or_else(|| {
        let words: Vec<&str> = T::WORDS.iter().map(|(word, ..)| *word).collect();
        let (last, first) = words.split_last().unwrap_or((&"", &[]));
        unknown(name, &word, &format!("{} or {last}", first.join(", ")))
    })
}

/// The watchers of a comma-separated text or a list of words.
pub(crate) fn watchers(value: &Bound<'_, PyAny>) -> PyResult<Watchers> {
    let words: Vec<String> = match value.extract::<String>() {
        Ok(text) => text.split(',').map(|word| word.trim().to_owned()).collect(),
        Err(_) => read("watch", value, "words: all, race, sync, init or mem")?,
    };
    let words = words.iter().map(String::as_str).filter(|word| !word.is_empty());
    Watchers::named(words).map_err(|word| unknown("watch", word, "all, race, sync, init or mem"))
}

/// The error for a word that an option does not have; `known` are its words, as text.
pub(crate) fn unknown(option: &str, word: &str, known: &str) -> PyErr {
    let words = known.split([',', ' ']).filter(|word| !word.is_empty() && *word != "or" && *word != "and");
    let near = pto::diag::nearest(word, words);
    let hint = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
    let word = pto::data::clip(word, 80);
    DataError::new_err(format!("{option}={word:?}: the words are {known}{hint}"))
}
