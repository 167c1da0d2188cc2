//! Writes recorded cases.

use crate::args::KernelArgs;
use crate::output::{Output, write_all};
use clap::ValueEnum;
use pto::Profile;
use pto::data::{Array, DataError, Dtype, Tolerance, value_text};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A launch to be written as a case.
pub struct Recording<'a> {
    /// The text of the program.
    pub text: &'a str,
    /// The compilation of a kernel in C++.
    pub cpp: Option<Compiled<'a>>,
    /// The instruction under test.
    pub op: Option<&'a str>,
    /// Family of the case: a word for the recording command, or the set of the instruction.
    pub family: &'a str,
    /// Path of the page with the formula.
    pub source: Option<&'a str>,
    /// Profile of the recorded launch.
    pub profile: Profile,
    /// The function, if the program has several.
    pub entry: Option<&'a str>,
    /// Number of blocks.
    pub blocks: u32,
    /// The arguments of the function, in order: name without `%`, type, contents.
    pub args: &'a [(String, Dtype, Recorded)],
    /// Allowed errors of outputs: absolute and relative ones, or units in the last place.
    pub tolerance: Tolerance,
    /// A remark.
    pub note: Option<&'a str>,
}

/// The compilation of a kernel in C++.
pub struct Compiled<'a> {
    /// Kind of cores, and arguments of the compiler.
    pub flags: &'a KernelArgs,
    /// The headers beside its source.
    pub headers: &'a BTreeMap<PathBuf, Vec<u8>>,
}

/// Contents of an argument.
pub enum Recorded {
    /// A buffer that is only read.
    In(Array),
    /// A buffer that starts as zeros, after the launch.
    Out(Array),
    /// A buffer before and after the launch.
    InOut(Array, Array),
    /// The bits of a scalar.
    Scalar(u64),
    /// A property of the launch.
    Launch,
}

impl Recording<'_> {
    /// The name of its program.
    fn program(&self) -> &'static str {
        if self.cpp.is_some() { "kernel.cpp" } else { "kernel.pto" }
    }
}

/// Checks that a case may be written to `folder`: the folder is missing or empty, or `force` is set.
///
/// # Errors
/// A path that is not a folder, or a folder that is not empty, without `force`.
pub fn check_folder(folder: &Path, force: bool) -> Result<(), DataError> {
    if !folder.exists() {
        return Ok(());
    }
    let unreadable =
        |error| DataError::misuse(format!("{}: cannot read the folder: {error}", folder.display()));
    let is_empty = std::fs::read_dir(folder).map_err(unreadable)?.next().is_none();
    if is_empty || force {
        return Ok(());
    }
    Err(DataError::misuse(format!("{}: the folder is not empty", folder.display()))
        .with_help("name another folder, or write over its files with --force"))
}

/// Writes a case to `folder`, which is made if it does not exist.
///
/// # Errors
/// A folder or a file that cannot be written; a folder that is not empty, without `force`.
pub fn save(folder: &Path, recording: &Recording<'_>, force: bool) -> Result<(), DataError> {
    check_folder(folder, force)?;
    std::fs::create_dir_all(folder)
        .map_err(|error| DataError::misuse(format!("cannot make {}: {error}", folder.display())))?;
    let mut arrays: Vec<(String, &Array)> = Vec::new();
    let args: Vec<Value> = recording
        .args
        .iter()
        .enumerate()
        .map(|(at, (name, dtype, recorded))| argument(at, name, *dtype, recorded, &mut arrays))
        .collect();
    let json = format!("{:#}\n", description(recording, args));
    let mut files = vec![
        Output::new(folder.join(recording.program()), recording.text.as_bytes()),
        Output::new(folder.join("case.json"), json.as_bytes()),
    ];
    for (path, text) in recording.cpp.iter().flat_map(|cpp| cpp.headers) {
        let path = folder.join(path);
        let inner = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(inner)
            .map_err(|error| DataError::misuse(format!("cannot make {}: {error}", inner.display())))?;
        files.push(Output::new(path, text.as_slice()));
    }
    files.extend(arrays.iter().map(|(name, array)| Output::npy(folder.join(name), array)));
    // With `force` the folder may hold links to files outside of the folder.
    let files: Vec<Output<'_>> = files.into_iter().map(Output::replacing_links).collect();
    write_all(&files)
}

/// The object of `case.json`.
fn description(recording: &Recording<'_>, args: Vec<Value>) -> Value {
    let Tolerance { atol, rtol, ulp, .. } = recording.tolerance;
    let mut case = Map::new();
    for (key, word) in
        [("op", recording.op), ("family", Some(recording.family)), ("source", recording.source)]
    {
        case.extend(word.map(|word| (key.to_owned(), word.into())));
    }
    case.insert("profile".into(), recording.profile.word().into());
    if let Some(Compiled { flags, .. }) = &recording.cpp {
        case.insert("program".into(), recording.program().into());
        if let Some(cores) = flags.cores.and_then(|cores| cores.to_possible_value()) {
            case.insert("cores".into(), cores.get_name().into());
        }
        let words: Vec<Value> = flags.compiler.iter().map(|word| word.to_string_lossy().into()).collect();
        if !words.is_empty() {
            case.insert("compiler".into(), words.into());
        }
    }
    if let Some(entry) = recording.entry {
        case.insert("entry".into(), entry.into());
    }
    if recording.blocks != 1 {
        case.insert("blocks".into(), recording.blocks.into());
    }
    case.insert("args".into(), args.into());
    let tolerance = match () {
        () if recording.tolerance.is_exact() => json!({"kind": "exact"}),
        () if atol == 0.0 && rtol == 0.0 => json!({"kind": "ulp", "max": ulp}),
        () => json!({"kind": "close", "atol": atol, "rtol": rtol}),
    };
    case.insert("tolerance".into(), tolerance);
    if let Some(note) = recording.note {
        case.insert("note".into(), note.into());
    }
    Value::Object(case)
}

/// The object of an argument; its files go to `arrays`.
fn argument<'a>(
    at: usize,
    name: &str,
    dtype: Dtype,
    recorded: &'a Recorded,
    arrays: &mut Vec<(String, &'a Array)>,
) -> Value {
    let (before, after) = (format!("arg{at}.npy"), format!("expect{at}.npy"));
    let mut object = Map::new();
    object.insert("name".into(), name.into());
    object.insert("dtype".into(), dtype.word().into());
    let mut role = |role: &str, keys: &[(&str, Value)]| {
        object.insert("role".into(), role.into());
        object.extend(keys.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
    };
    match recorded {
        Recorded::In(array) => {
            role("in", &[("shape", json!(array.shape())), ("file", json!(before))]);
            arrays.push((before, array));
        }
        Recorded::Out(array) => {
            role("out", &[("shape", json!(array.shape())), ("expect", json!(after))]);
            arrays.push((after, array));
        }
        Recorded::InOut(old, new) => {
            let keys = [("shape", json!(old.shape())), ("file", json!(before)), ("expect", json!(after))];
            role("inout", &keys);
            arrays.extend([(before, old), (after, new)]);
        }
        Recorded::Scalar(bits) => role("scalar", &scalar(dtype, *bits)),
        Recorded::Launch => role("launch", &[]),
    }
    Value::Object(object)
}

/// The value of a scalar, and its bits if decimal digits may not give them.
fn scalar(dtype: Dtype, bits: u64) -> Vec<(&'static str, Value)> {
    let element = dtype.storage();
    let text = value_text(element, bits);
    match dtype {
        Dtype::Bool => vec![("value", json!(bits & 1 == 1))],
        _ if element.is_integer() => {
            let number =
                text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<u64>().map(Value::from));
            vec![("value", number.unwrap_or(Value::String(text)))]
        }
        _ => vec![("value", Value::String(text)), ("bits", json!(format!("{bits:#x}")))],
    }
}
