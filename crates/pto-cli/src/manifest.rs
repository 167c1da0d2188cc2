//! Manifests: the launches of the programs of a folder, as JSON.
//!
//! A manifest is an array with an object for each launch; a file may have several.
//!
//! | key | meaning | without it |
//! |---|---|---|
//! | `file` | the program, relative to the folder that is run | |
//! | `entry` | the kernel | every kernel of the file |
//! | `blocks`, `ranks`, `max_steps`, `seed` | as the flags of `pto run` | as the flags |
//! | `inputs` | an object: the source of each argument, as with `-i`; or an array, see below | buffers are zeros,
//! scalars 1 |
//! | `rejected` | the rules that reject the file, when it is checked or, if it is legal, when it runs | it runs |
//! | `watched` | rules of correct findings of watchers: the run passes with them | no finding |
//! | `note` | a remark | |
//!
//! An array is `{"dtype": "i32", "values": [1, 2]}`; `"repeat": 8` repeats the values eight times. `reference`,
//! `reference_inputs`, `large` and `never_ran` are for tests that compare results. Other keys are errors.

use crate::files::Disk;
use crate::keys;
use pto::data::Given;
use pto::data::Source;
use pto::data::{Array, DataError, dtype};
use pto::isa::rules as known;
use pto::launch::{Missing, Spec};
use pto::sim::MAX_RANKS;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Number, Value as Json};
use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};

/// One launch, or a file that must be rejected.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Entry {
    /// The program, relative to the folder that is run.
    pub file: String,
    /// The kernel; default: every kernel of the file.
    pub entry: Option<String>,
    /// Blocks to launch.
    pub blocks: Option<NonZeroU32>,
    /// Ranks to launch.
    #[serde(default, deserialize_with = "ranks")]
    pub ranks: Option<NonZeroU32>,
    /// Maximum number of steps of a block.
    pub max_steps: Option<NonZeroU64>,
    /// Seed of rand and randn.
    pub seed: Option<u64>,
    /// Sources of arguments, by name or number, with `@RANK` appended for a single rank.
    #[serde(default, deserialize_with = "inputs")]
    pub inputs: Vec<(String, Given)>,
    /// The rules that reject the file.
    #[serde(default, deserialize_with = "rules")]
    pub rejected: Vec<String>,
    /// Rules of watchers that the program breaks; their findings do not fail the run.
    #[serde(default, deserialize_with = "rules")]
    pub watched: Vec<String>,
    /// A remark.
    pub note: Option<String>,
    /// Name of the function that computes expected results, for tests.
    pub reference: Option<String>,
    /// Arguments that this function reads; all if empty.
    #[serde(default)]
    pub reference_inputs: Vec<String>,
    /// Whether a run takes much memory, for tests.
    #[serde(default)]
    pub large: bool,
    /// Number of instructions that no launch of the file executes, for tests.
    #[serde(default)]
    pub never_ran: u64,
}

impl Entry {
    /// Launch that the entry describes. Settings that the entry omits come from `usual`.
    pub fn spec(&self, usual: &Spec) -> Spec {
        let known = |(name, given): &(String, Given)| (name.clone(), given.clone().into());
        Spec {
            entry: self.entry.clone(),
            blocks: self.blocks.map_or(usual.blocks, NonZeroU32::get),
            ranks: self.ranks.map_or(usual.ranks, NonZeroU32::get),
            max_steps: self.max_steps.map_or(usual.max_steps, NonZeroU64::get),
            seed: self.seed.unwrap_or(usual.seed),
            inputs: self.inputs.iter().map(known).collect(),
            missing: Missing::Usual,
            ..usual.clone()
        }
    }
}

/// Reads a manifest.
///
/// # Errors
/// A file that cannot be read or is not a manifest; the message names the entry, the line and the key.
pub fn read(path: &Path) -> Result<Vec<Entry>, DataError> {
    let fail = |what: String| DataError::new(format!("{}: {what}", path.display()));
    let text = std::fs::read(path)
        .map_err(|error| DataError { misuse: true, ..fail(format!("cannot read the file: {error}")) })?;
    parse(&text, path.parent().unwrap_or(Path::new(""))).map_err(fail)
}

/// Parses the text of a manifest; files among its inputs are relative to `folder`.
fn parse(text: &[u8], folder: &Path) -> Result<Vec<Entry>, String> {
    let mut entries: Vec<Entry> = keys::read(text).map_err(|error| match error.index {
        Some(index) => format!("entry {index}{}: {error}", file_of(text, index)),
        None => error.to_string(),
    })?;
    let beside = |path: &mut PathBuf| *path = folder.join(&*path);
    for (_, given) in entries.iter_mut().flat_map(|entry| &mut entry.inputs) {
        if let Given::Source(source) = given {
            source.path_mut().into_iter().for_each(beside);
        }
    }
    Ok(entries)
}

/// The file of an entry, in parentheses, if the manifest with the error can be parsed that far.
fn file_of(text: &[u8], index: usize) -> String {
    let json: Json = serde_json::from_slice(text).unwrap_or_default();
    json[index]["file"].as_str().map_or(String::new(), |file| format!(" (`{file}`)"))
}

/// A number of ranks, at most that of `--ranks`.
fn ranks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NonZeroU32>, D::Error> {
    let count = NonZeroU32::deserialize(deserializer)?;
    if count.get() > MAX_RANKS {
        return Err(D::Error::custom(format_args!("it is at most {MAX_RANKS}, not {count}")));
    }
    Ok(Some(count))
}

/// A list of at least one rule.
fn rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let rules = Vec::<String>::deserialize(deserializer)?;
    if rules.is_empty() {
        return Err(D::Error::custom("it must be an array of rules, with at least one"));
    }
    let present = |id: String| known::renamed(&id).map(str::to_owned).unwrap_or(id);
    Ok(rules.into_iter().map(present).collect())
}

fn inputs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, Given)>, D::Error> {
    let inputs = keys::object(deserializer)?;
    Ok(inputs.into_iter().map(|(name, Written(given))| (name, given)).collect())
}

/// Source of an argument: as for `-i`, a number, or an array.
struct Written(Given);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Written, D::Error> {
        deserializer.deserialize_any(GivenVisitor).map(Written)
    }
}

struct GivenVisitor;

impl<'de> Visitor<'de> for GivenVisitor {
    type Value = Given;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a source as for `-i`, or {\"dtype\": \"i32\", \"values\": [1, 2]}")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Given, E> {
        Source::parse(text, &Disk).map(Given::Source).map_err(E::custom)
    }

    fn visit_u64<E>(self, number: u64) -> Result<Given, E> {
        Ok(Given::Source(Source::Scalar(number.to_string())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Given, E> {
        Ok(Given::Source(Source::Scalar(number.to_string())))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Given, E> {
        Ok(Given::Source(Source::Scalar(Json::from(number).to_string())))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Given, A::Error> {
        let array = WrittenArray::deserialize(MapAccessDeserializer::new(map))?;
        array.read().map(Given::Array).map_err(A::Error::custom)
    }
}

/// `{"dtype": "i32", "values": [...]}`.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct WrittenArray {
    dtype: String,
    values: Vec<Number>,
    repeat: Option<u64>,
}

impl WrittenArray {
    fn read(&self) -> Result<Array, String> {
        let word = &self.dtype;
        let element = dtype::element(word)
            .ok_or_else(|| keys::at("dtype", format_args!("`{word}` is not a number format")))?;
        let repeat = self.repeat.unwrap_or(1);
        let count = (self.values.len() as u64).checked_mul(repeat).filter(|count| *count <= LARGEST);
        // An empty array stays empty under any repetition.
        let (Some(count), true) = (count, repeat <= LARGEST) else {
            let many = format_args!("{} values {repeat} times are too many", self.values.len());
            return Err(keys::at("repeat", many));
        };
        let wrong = |at: usize, what: fmt::Arguments<'_>| keys::at(&format!("values[{at}]"), what);
        let mut bytes = vec![0; element.bytes(count as usize)];
        for (at, value) in self.values.iter().enumerate() {
            let bits = match (element.is_integer(), value.as_i64(), value.as_f64()) {
                (true, Some(number), _) => number as u64,
                (true, None, _) => {
                    value.as_u64().ok_or_else(|| wrong(at, format_args!("{value} is not a whole number")))?
                }
                (false, _, Some(number)) => pto::data::number::encode(element, number),
                _ => return Err(wrong(at, format_args!("{value} is not a number"))),
            };
            for time in 0..repeat as usize {
                pto_num::set_element(&mut bytes, 0, time * self.values.len() + at, element, bits);
            }
        }
        let items = bytes.len() / pto::data::item_bytes(element);
        Array::new(element, vec![items], bytes).map_err(|error| error.to_string())
    }
}

/// Maximum number of values of an array in a manifest.
const LARGEST: u64 = 1 << 26;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(json: Json) -> Result<Entry, String> {
        let entries = super::parse(Json::from(vec![json]).to_string().as_bytes(), Path::new("folder"));
        entries.map(|mut entries| entries.remove(0))
    }

    #[test]
    fn an_entry_with_everything() {
        let entry = parse(json!({
            "file": "a/b.pto", "entry": "f", "blocks": 4, "ranks": 2, "max_steps": 100, "seed": 0, "reference": "add",
            "inputs": {"x": "randn", "y": "y.npy", "n": 5, "i@1": {"dtype": "i16", "values": [1, -2], "repeat": 2}},
        }));
        let entry = entry.expect("an entry");
        assert_eq!((entry.file.as_str(), entry.entry.as_deref()), ("a/b.pto", Some("f")));
        assert_eq!((entry.blocks, entry.ranks), (NonZeroU32::new(4), NonZeroU32::new(2)));
        assert_eq!((entry.max_steps, entry.seed), (NonZeroU64::new(100), Some(0)));
        assert_eq!(entry.reference.as_deref(), Some("add"));
        let of = |wanted: &str| &entry.inputs.iter().find(|(name, _)| name == wanted).expect("an input").1;
        assert!(matches!(of("n"), Given::Source(Source::Scalar(text)) if text == "5"));
        assert!(matches!(of("y"), Given::Source(Source::Npy(path)) if path == Path::new("folder/y.npy")));
        assert!(matches!(of("i@1"), Given::Array(array) if array.full() == "[ 1 -2  1 -2]"));
    }

    #[test]
    fn what_is_no_entry() {
        let array = |array: Json| json!({"file": "a", "inputs": {"x": array}});
        for (json, what) in [
            (json!(3), "entry 0: line 1: invalid type: integer `3`, expected an object"),
            (json!({"blocks": 3}), "entry 0: line 1: `file` is missing"),
            (
                json!({"file": "a", "blocks": 0}),
                "entry 0 (`a`): line 1: `blocks`: invalid value: integer `0`, expected a positive whole number",
            ),
            (json!({"file": "a", "rejected": []}), "`rejected`: it must be an array of rules"),
            (json!({"file": "a", "ranks": 65}), "`ranks`: it is at most 64, not 65"),
            (array(json!("randm")), "`inputs.x`: `randm` is neither a file"),
            (array(json!(true)), "expected a source as for `-i`, or {"),
            (array(json!({"dtype": "i3", "values": []})), "`inputs.x.dtype`: `i3` is not a number format"),
            (
                array(json!({"dtype": "i32", "values": [0.5]})),
                "`inputs.x.values[0]`: 0.5 is not a whole number",
            ),
            (array(json!({"dtype": "i32", "values": ["1"]})), "`inputs.x.values[0]`: invalid type: string"),
            (
                array(json!({"dtype": "i32", "value": []})),
                "`inputs.x.value` is not a key; did you mean `values`?",
            ),
            (array(json!({"dtype": "i8", "values": [1, 2], "repeat": u64::MAX})), "are too many"),
            (array(json!({"dtype": "i8", "values": [], "repeat": u64::MAX})), "are too many"),
        ] {
            let error = parse(json).expect_err(what);
            assert!(error.contains(what), "{error}");
        }
    }
}
