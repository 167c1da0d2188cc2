//! Options of a launch as keyword arguments.

use crate::diagnostics::DataError;
use pto::sim::{Options, Schedule, Watched};
use pyo3::prelude::*;

/// Keyword arguments of `Kernel.run` that are options. A kernel's argument of the same name comes first.
const NAMES: [&str; 9] =
    ["grid", "blocks", "threads", "max_steps", "watch", "schedule", "seed", "sync_inserted", "log"];

/// Whether a keyword is an option.
pub(crate) fn is_option(name: &str) -> bool {
    NAMES.contains(&name)
}

/// Sets the option `name`.
pub(crate) fn set(options: Options, name: &str, value: &Bound<'_, PyAny>) -> PyResult<Options> {
    let watched = options.watched;
    Ok(match name {
        "grid" | "blocks" => match value.extract()? {
            0 => return Err(DataError::new_err("a launch has at least one block")),
            blocks => options.blocks(blocks),
        },
        "threads" => options.threads(value.extract()?),
        "max_steps" => options.max_steps(value.extract()?),
        "seed" => options.seed(value.extract()?),
        "sync_inserted" => options.sync_inserted(value.extract()?),
        "log" => options.watched(watched.log(value.extract()?)),
        "schedule" => {
            let word: String = value.extract()?;
            let schedule = match word.as_str() {
                "program" => Schedule::Program,
                "lazy" => Schedule::Lazy,
                "eager" => Schedule::Eager,
                "random" => Schedule::Random,
                "adversarial" => Schedule::Adversarial,
                _ => return Err(unknown("schedule", &word, "program, lazy, eager, random or adversarial")),
            };
            options.schedule(schedule)
        }
        _ => options.watched(watch(watched, value)?),
    })
}

/// The watchers of a comma-separated text or a list of words.
fn watch(mut watched: Watched, value: &Bound<'_, PyAny>) -> PyResult<Watched> {
    let words: Vec<String> = match value.extract::<String>() {
        Ok(text) => text.split(',').map(|word| word.trim().to_owned()).collect(),
        Err(_) => value.extract()?,
    };
    for word in words {
        watched = match word.as_str() {
            "all" => watched.race(true).sync(true).init(true).mem(true),
            "race" => watched.race(true),
            "sync" => watched.sync(true),
            "init" => watched.init(true),
            "mem" => watched.mem(true),
            _ => return Err(unknown("watch", &word, "all, race, sync, init or mem")),
        };
    }
    Ok(watched)
}

fn unknown(option: &str, word: &str, known: &str) -> PyErr {
    DataError::new_err(format!("{option}={word:?}: the words are {known}"))
}
