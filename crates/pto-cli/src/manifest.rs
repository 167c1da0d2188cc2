//! Manifests: which kernels of a folder run with what, as JSON.
//!
//! A manifest is an array with an object for each launch; a file may have several.
//!
//! | key | meaning | without it |
//! |---|---|---|
//! | `file` | the program, relative to the folder that is run | |
//! | `entry` | the kernel | every kernel of the file |
//! | `blocks`, `ranks`, `max_steps`, `seed` | as the flags of `pto run` | as the flags |
//! | `inputs` | an object: what each argument is given, as with `-i`; or an array, see below | buffers are zeros, scalars 1 |
//! | `rejected` | the rules that reject the file, when it is checked or, if it is legal, when it runs | it runs |
//! | `watched` | rules that watchers name, and rightly: the run counts as fine | they name none |
//! | `note` | a remark | |
//!
//! An array is `{"dtype": "i32", "values": [1, 2]}`; `"repeat": 8` puts it there eight times in a row. `reference`,
//! `reference_inputs`, `large` and `never_ran` are for tests that compare results. Other keys are errors.

use crate::commands::launch::Given;
use crate::source::Source;
use crate::{Array, DataError, dtype, keys};
use pto::isa::rules;
use pto::sim::MAX_RANKS;
use serde_json::{Map, Value as Json};
use std::path::{Path, PathBuf};

/// The keys of an entry; the last ones are for those who compare results.
const KEYS: [&str; 14] = [
    "file",
    "entry",
    "blocks",
    "ranks",
    "max_steps",
    "seed",
    "inputs",
    "rejected",
    "watched",
    "note",
    "reference",
    "reference_inputs",
    "large",
    "never_ran",
];

/// One launch, or one file that must be rejected.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The program, relative to the folder that is run.
    pub file: String,
    /// The kernel; without it all of the file.
    pub entry: Option<String>,
    /// Blocks to launch.
    pub blocks: Option<u32>,
    /// Ranks to launch.
    pub ranks: Option<u32>,
    /// Steps after which a block is stopped.
    pub max_steps: Option<u64>,
    /// Seed of rand and randn.
    pub seed: Option<u64>,
    /// What arguments are given, by name or number, with `@RANK` after it for one rank.
    pub inputs: Vec<(String, Given)>,
    /// The rules that reject the file.
    pub rejected: Vec<String>,
    /// Rules that watchers name, and rightly.
    pub watched: Vec<String>,
    /// The rest: keys that mean something to others.
    pub other: Map<String, Json>,
}

/// Reads a manifest.
///
/// # Errors
/// A file that cannot be read or is no manifest; the message names the entry and the key.
pub fn read(path: &Path) -> Result<Vec<Entry>, DataError> {
    let fail = |what: String| DataError::new(format!("{}: {what}", path.display()));
    let text = std::fs::read(path).map_err(|error| fail(format!("cannot read the file: {error}")))?;
    let json = keys::parse(&text).map_err(fail)?;
    let entries = json.as_array().ok_or_else(|| fail("a manifest is an array of objects".into()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let entry = |(at, json): (usize, &Json)| {
        Entry::parse(json, folder).map_err(|what| {
            let file = json["file"].as_str().map_or(String::new(), |file| format!(" (`{file}`)"));
            fail(format!("entry {at}{file}: {what}"))
        })
    };
    entries.iter().enumerate().map(entry).collect()
}

impl Entry {
    /// Reads one entry; files among its inputs are relative to `folder`.
    fn parse(json: &Json, folder: &Path) -> Result<Entry, String> {
        let object = json.as_object().ok_or("it must be an object")?;
        keys::known(object, "", &KEYS)?;
        let mut entry = Entry::default();
        for (key, value) in object {
            let text = || value.as_str().map(str::to_owned).ok_or(format!("`{key}` must be a string"));
            let wrong = || format!("`{key}` must be a positive whole number");
            let number = || value.as_u64().filter(|number| *number > 0).ok_or_else(wrong);
            let small = || u32::try_from(number()?).map_err(|_| wrong());
            match key.as_str() {
                "file" => entry.file = text()?,
                "entry" => entry.entry = Some(text()?),
                "blocks" => entry.blocks = Some(small()?),
                "ranks" => entry.ranks = Some(small().and_then(ranks)?),
                "max_steps" => entry.max_steps = Some(number()?),
                "seed" => entry.seed = Some(value.as_u64().ok_or_else(wrong)?),
                "inputs" => entry.inputs = inputs(value, folder)?,
                "rejected" => entry.rejected = rules(key, value)?,
                "watched" => entry.watched = rules(key, value)?,
                _ => drop(entry.other.insert(key.clone(), value.clone())),
            }
        }
        if entry.file.is_empty() {
            return Err("`file` is missing".into());
        }
        Ok(entry)
    }
}

/// As many as `--ranks` takes.
fn ranks(count: u32) -> Result<u32, String> {
    if count > MAX_RANKS { Err(format!("`ranks` is at most {MAX_RANKS}, not {count}")) } else { Ok(count) }
}

fn rules(key: &str, json: &Json) -> Result<Vec<String>, String> {
    let listed = json.as_array().map(Vec::as_slice).unwrap_or_default();
    let present = |id: &str| rules::renamed(id).unwrap_or(id).to_owned();
    let words: Option<Vec<_>> = listed.iter().map(|rule| rule.as_str().map(present)).collect();
    words.filter(|words| !words.is_empty()).ok_or_else(|| format!("`{key}` must be an array of rules"))
}

fn inputs(json: &Json, folder: &Path) -> Result<Vec<(String, Given)>, String> {
    let object = json.as_object().ok_or("`inputs` must be an object")?;
    let one = |(name, json): (&String, &Json)| {
        let given = given(json, folder).map_err(|what| format!("input `{name}`: {what}"))?;
        Ok((name.clone(), given))
    };
    object.iter().map(one).collect()
}

fn given(json: &Json, folder: &Path) -> Result<Given, String> {
    match json {
        Json::String(text) => {
            let beside = |path: PathBuf| if path.is_absolute() { path } else { folder.join(path) };
            Ok(Given::Source(match Source::parse(text).map_err(|error| error.to_string())? {
                Source::Npy(path) => Source::Npy(beside(path)),
                Source::Raw(path) => Source::Raw(beside(path)),
                source => source,
            }))
        }
        Json::Number(number) => Ok(Given::Source(Source::Scalar(number.to_string()))),
        Json::Object(object) => array(object).map(Given::Array),
        _ => Err("write a source as for `-i`, or {\"dtype\": \"i32\", \"values\": [1, 2]}".into()),
    }
}

/// `{"dtype": "i32", "values": [...]}`.
fn array(object: &Map<String, Json>) -> Result<Array, String> {
    if let Some(key) = object.keys().find(|key| !["dtype", "values", "repeat"].contains(&key.as_str())) {
        return Err(format!("an array has `dtype`, `values` and `repeat`, no `{key}`"));
    }
    let word = object.get("dtype").and_then(Json::as_str).ok_or("`dtype` is missing")?;
    let element = dtype::element(word).ok_or_else(|| format!("`{word}` is no number format"))?;
    let values = object.get("values").and_then(Json::as_array).ok_or("`values` must be an array")?;
    let repeat = match object.get("repeat") {
        None => 1,
        Some(json) => {
            json.as_u64().filter(|n| *n <= LARGEST).ok_or("`repeat` must be a number up to 2^26")?
        }
    };
    let count = (values.len() as u64 * repeat) as usize;
    if count as u64 > LARGEST {
        return Err(format!("{count} values are too many"));
    }
    let mut bytes = vec![0; element.bytes(count)];
    for (at, value) in values.iter().enumerate() {
        let bits = match (element.is_integer(), value.as_i64(), value.as_f64()) {
            (true, Some(number), _) => number as u64,
            (true, None, _) => value.as_u64().ok_or_else(|| format!("`{value}` is no whole number"))?,
            (false, _, Some(number)) => crate::number::encode(element, number),
            _ => return Err(format!("`{value}` is no number")),
        };
        for time in 0..repeat as usize {
            pto_num::set_element(&mut bytes, 0, time * values.len() + at, element, bits);
        }
    }
    let items = bytes.len() / crate::array::item_bytes(element);
    Array::new(element, vec![items], bytes).map_err(|error| error.to_string())
}

/// Most values of an array that is written down.
const LARGEST: u64 = 1 << 26;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(json: Json) -> Result<Entry, String> {
        Entry::parse(&json, Path::new("folder"))
    }

    #[test]
    fn an_entry_with_everything() {
        let entry = parse(json!({
            "file": "a/b.pto", "entry": "f", "blocks": 4, "ranks": 2, "max_steps": 100, "seed": 0, "reference": "add",
            "inputs": {"x": "randn", "y": "y.npy", "n": 5, "i@1": {"dtype": "i16", "values": [1, -2], "repeat": 2}},
        }));
        let entry = entry.expect("an entry");
        assert_eq!((entry.file.as_str(), entry.entry.as_deref()), ("a/b.pto", Some("f")));
        assert_eq!(
            (entry.blocks, entry.ranks, entry.max_steps, entry.seed),
            (Some(4), Some(2), Some(100), Some(0))
        );
        assert_eq!(entry.other["reference"], "add");
        let of = |wanted: &str| &entry.inputs.iter().find(|(name, _)| name == wanted).expect("an input").1;
        assert!(matches!(of("n"), Given::Source(Source::Scalar(text)) if text == "5"));
        assert!(matches!(of("y"), Given::Source(Source::Npy(path)) if path == Path::new("folder/y.npy")));
        assert!(matches!(of("i@1"), Given::Array(array) if array.full() == "[ 1 -2  1 -2]"));
    }

    #[test]
    fn what_is_no_entry() {
        for (json, what) in [
            (json!(3), "an object"),
            (json!({"blocks": 3}), "`file` is missing"),
            (json!({"file": "a", "blocks": 0}), "`blocks` must be a positive whole number"),
            (json!({"file": "a", "rejected": []}), "array of rules"),
            (json!({"file": "a", "inputs": {"x": "randm"}}), "input `x`: `randm` is no file"),
            (
                json!({"file": "a", "inputs": {"x": {"dtype": "i3", "values": []}}}),
                "`i3` is no number format",
            ),
            (json!({"file": "a", "inputs": {"x": {"dtype": "i32", "values": [0.5]}}}), "no whole number"),
            (json!({"file": "a", "inputs": {"x": {"dtype": "i32", "value": []}}}), "no `value`"),
        ] {
            let error = parse(json).expect_err(what);
            assert!(error.contains(what), "{error}");
        }
    }
}
