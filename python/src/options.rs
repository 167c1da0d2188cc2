//! Options of a launch as keyword arguments.

use crate::errors::DataError;
use pto::observe::{WatchOptions, Watchers};
use pto::sim::{IndexUnit, MAX_RANKS, Options, Schedule};
use pyo3::prelude::*;

/// Keyword arguments of `Kernel.run` that are options. A kernel's argument of the same name comes first.
const NAMES: [&str; 15] = [
    "grid",
    "blocks",
    "threads",
    "max_steps",
    "watch",
    "schedule",
    "seed",
    "sync_inserted",
    "log",
    "ranks",
    "uninitialized",
    "tiles",
    "max_reports",
    "tconcat_index",
    "missing",
];

/// What a call asks for beside arguments.
pub(crate) struct Request {
    /// The options of the launch.
    pub(crate) options: Options,
    /// The watchers of the launch.
    pub(crate) watch: WatchOptions,
    /// Whether the launch keeps a log.
    pub(crate) log: bool,
    /// Number of ranks.
    pub(crate) ranks: u32,
    /// Tiles to keep: `%sum@42`.
    pub(crate) tiles: Vec<String>,
    /// Whether buffers that the kernel reads and that are not given are zeros.
    pub(crate) zeros: bool,
}

impl Default for Request {
    fn default() -> Request {
        let (options, watch) = (Options::default(), WatchOptions::default());
        Request { options, watch, log: false, ranks: 1, tiles: Vec::new(), zeros: false }
    }
}

/// Whether a keyword is an option.
pub(crate) fn is_option(name: &str) -> bool {
    NAMES.contains(&name)
}

/// Whether a keyword is an option of a session, whose launches have blocks, and of which each has one rank.
pub(crate) fn is_of_sessions(name: &str) -> bool {
    is_option(name) && !["grid", "blocks", "ranks", "tiles", "log", "missing"].contains(&name)
}

impl Request {
    /// Sets the option `name`.
    pub(crate) fn set(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match name {
            "ranks" => {
                self.ranks = read(name, value, "a number of ranks")?;
                if self.ranks == 0 || self.ranks > MAX_RANKS {
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
            "watch" => self.watch.watchers = watchers(value)?,
            "max_reports" => self.watch.max_reports = read(name, value, "a number of findings")?,
            "log" => self.log = read(name, value, "True or False")?,
            _ => self.options = set(std::mem::take(&mut self.options), name, value)?,
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

fn set(options: Options, name: &str, value: &Bound<'_, PyAny>) -> PyResult<Options> {
    Ok(match name {
        "grid" | "blocks" => match read(name, value, "a number of blocks")? {
            0 => return Err(DataError::new_err("a launch has at least one block")),
            blocks => options.blocks(blocks),
        },
        "threads" => options.threads(read(name, value, "a number of threads, 0 for one per core")?),
        "max_steps" => options.max_steps(read(name, value, "a number of steps")?),
        "seed" => options.seed(read(name, value, "a number from 0 to 2**64 - 1")?),
        "sync_inserted" => options.sync_inserted(read(name, value, "True or False")?),
        "tconcat_index" => match read::<String>(name, value, "\"bytes\" or \"columns\"")?.as_str() {
            "bytes" => options.tconcat_index(Some(IndexUnit::Bytes)),
            "columns" => options.tconcat_index(Some(IndexUnit::Columns)),
            word => return Err(unknown(name, word, "bytes or columns")),
        },
        "uninitialized" => match read::<String>(name, value, "\"zero\" or \"nan\"")?.as_str() {
            "zero" => options.poison(false),
            "nan" => options.poison(true),
            word => return Err(unknown(name, word, "zero or nan")),
        },
        _ => {
            let word: String = read(name, value, "a word such as \"lazy\"")?;
            let schedule = match word.as_str() {
                "program" => Schedule::Program,
                "lazy" => Schedule::Lazy,
                "eager" => Schedule::Eager,
                "random" => Schedule::Random,
                "adversarial" => Schedule::Adversarial,
                _ => return Err(unknown(name, &word, "program, lazy, eager, random or adversarial")),
            };
            options.schedule(schedule)
        }
    })
}

/// The watchers of a comma-separated text or a list of words.
fn watchers(value: &Bound<'_, PyAny>) -> PyResult<Watchers> {
    let words: Vec<String> = match value.extract::<String>() {
        Ok(text) => text.split(',').map(|word| word.trim().to_owned()).collect(),
        Err(_) => read("watch", value, "words: all, race, sync, init or mem")?,
    };
    let words = words.iter().map(String::as_str).filter(|word| !word.is_empty());
    Watchers::named(words).map_err(|word| unknown("watch", word, "all, race, sync, init or mem"))
}

fn unknown(option: &str, word: &str, known: &str) -> PyErr {
    let word = pto::data::clip(word, 80);
    DataError::new_err(format!("{option}={word:?}: the words are {known}"))
}
