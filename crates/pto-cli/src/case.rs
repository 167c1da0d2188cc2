//! Recorded cases: a program with its inputs and what must come out.

use crate::compare::Tolerance;
use crate::error::clip;
use crate::source::parse_scalar;
use crate::{DataError, Dtype, keys};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// One recorded case, as its `case.json` describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The folder with `case.json`.
    pub folder: PathBuf,
    /// The program: `kernel.pto` in that folder.
    pub program: PathBuf,
    /// The instruction under test; the folder's name if the file does not say.
    pub op: String,
    /// The instruction set; `other` if the file does not say.
    pub family: String,
    /// The profile to run for, as spelled (`a3`, `a5`, `cpu`); none leaves it to the program.
    pub profile: Option<String>,
    /// The arguments of the function, in order.
    pub args: Vec<CaseArg>,
    /// How close the outputs must be.
    pub tolerance: Tolerance,
    /// The page that the formula is from.
    pub source: Option<String>,
    /// Who computed the expectation.
    pub oracles: Vec<String>,
    /// A remark.
    pub note: Option<String>,
}

/// One argument of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseArg {
    /// Its name, without `%`.
    pub name: String,
    /// Its type.
    pub dtype: Dtype,
    /// Its shape in items; empty for a scalar.
    pub shape: Vec<usize>,
    /// What becomes of it.
    pub role: Role,
}

/// What an argument is for. Paths include the folder of the case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Read only; the file holds the contents.
    In(PathBuf),
    /// Written; starts as zeros and must end as the file says.
    Out(PathBuf),
    /// Both.
    InOut {
        /// Contents before.
        file: PathBuf,
        /// Contents after.
        expect: PathBuf,
    },
    /// A scalar, as its bits.
    Scalar(u64),
}

/// The keys of a case; the last ones say how it was recorded.
const KEYS: [&str; 12] = [
    "op",
    "family",
    "profile",
    "args",
    "tolerance",
    "nan",
    "source",
    "oracles",
    "note",
    "ptoas_next",
    "sim",
    "spelling",
];

/// The keys of an argument.
const ARG_KEYS: [&str; 8] = ["name", "dtype", "shape", "role", "file", "expect", "value", "bits"];

/// A `case.json` larger than this is none.
const LARGEST: u64 = 1 << 24;

impl Case {
    /// Reads `case.json` in `folder`.
    pub fn read(folder: &Path) -> Result<Case, DataError> {
        let path = folder.join("case.json");
        let fail = |what: String| DataError::new(format!("{}: {what}", path.display()));
        let size = std::fs::metadata(&path).map_err(|e| fail(format!("cannot read the file: {e}")))?.len();
        if size > LARGEST {
            return Err(fail(format!("{size} bytes are too many for a case.json")));
        }
        let text = std::fs::read(&path).map_err(|e| fail(format!("cannot read the file: {e}")))?;
        Case::parse(folder, &text).map_err(fail)
    }

    /// Reads the text of a `case.json` that belongs to `folder`. The error names the key.
    fn parse(folder: &Path, text: &[u8]) -> Result<Case, String> {
        let value = keys::parse(text)?;
        let object = Object { map: value.as_object().ok_or("it must hold an object")?, at: String::new() };
        keys::known(object.map, "", &KEYS)?;
        let name = folder.file_name().map_or_else(|| "case".into(), |n| n.to_string_lossy().into_owned());
        let args = object.array("args")?;
        let args = args.iter().enumerate().map(|(i, arg)| {
            let at = format!("args[{i}].");
            let map = arg.as_object().ok_or(format!("args[{i}] must be an object"))?;
            keys::known(map, &at, &ARG_KEYS)?;
            read_arg(folder, &Object { map, at })
        });
        let oracles = if object.map.contains_key("oracles") { object.array("oracles")? } else { &[] };
        Ok(Case {
            folder: folder.to_path_buf(),
            program: folder.join("kernel.pto"),
            op: object.optional_text("op")?.map_or(name, str::to_string),
            family: object.optional_text("family")?.unwrap_or("other").to_string(),
            profile: read_profile(&object)?,
            args: args.collect::<Result<Vec<_>, String>>()?,
            tolerance: read_tolerance(&object)?,
            source: object.optional_text("source")?.map(str::to_string),
            oracles: oracles.iter().filter_map(|o| o.as_str().map(str::to_string)).collect(),
            note: object.optional_text("note")?.map(str::to_string),
        })
    }
}

/// The folders at or below `paths` that hold a `case.json`, sorted, each once.
///
/// A path may also be the `case.json` or `kernel.pto` of a case. A case without its `kernel.pto` is found all
/// the same, to be counted as failed. Symbolic links are followed, but no folder is entered twice.
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, DataError> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut pending: Vec<PathBuf> = Vec::new();
    for path in paths {
        let unreadable = |e| DataError::new(format!("{}: cannot read it: {e}", path.display()));
        let folder = match std::fs::metadata(path).map_err(unreadable)?.is_dir() {
            true => path.clone(),
            false => match path.file_name().and_then(|n| n.to_str()) {
                Some("case.json" | "kernel.pto") if path.with_file_name("case.json").is_file() => path
                    .parent()
                    .filter(|p| !p.as_os_str().is_empty())
                    .unwrap_or(Path::new("."))
                    .to_path_buf(),
                _ => {
                    return Err(DataError::new(format!("{}: this is no recorded case", path.display()))
                        .with_help("a case is a folder with case.json and kernel.pto"));
                }
            },
        };
        pending.push(folder);
    }
    while let Some(folder) = pending.pop() {
        let unreadable = |e| DataError::new(format!("{}: cannot read the folder: {e}", folder.display()));
        if !seen.insert(std::fs::canonicalize(&folder).map_err(unreadable)?) {
            continue;
        }
        let mut inner = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            inner.push(entry.map_err(unreadable)?.path());
        }
        // Which of two names of one folder is reported must not depend on the file system.
        inner.sort_by(|a, b| b.cmp(a));
        pending.extend(inner.into_iter().filter(|path| path.is_dir()));
        if folder.join("case.json").is_file() {
            found.push(folder);
        }
    }
    found.sort();
    Ok(found)
}

fn read_profile(object: &Object<'_>) -> Result<Option<String>, String> {
    match object.optional_text("profile")? {
        None => Ok(None),
        Some(word @ ("cpu" | "a2" | "a3" | "a2a3" | "a5")) => Ok(Some(word.to_string())),
        Some(word) => Err(format!("`profile` is `{}`, but must be cpu, a2, a3, a2a3 or a5", clip(word, 40))),
    }
}

fn read_tolerance(object: &Object<'_>) -> Result<Tolerance, String> {
    let mut tolerance = Tolerance::default();
    match object.optional_text("nan")? {
        None | Some("any NaN payload matches") => {}
        Some("exact") => tolerance.nan_payload_matters = true,
        Some(other) => {
            return Err(format!(
                "`nan` is `{}`, but must be `any NaN payload matches` or `exact`",
                clip(other, 40)
            ));
        }
    }
    let Some(value) = object.map.get("tolerance") else { return Ok(tolerance) };
    let map = value.as_object().ok_or("`tolerance` must be an object")?;
    keys::known(map, "tolerance.", &["kind", "max", "atol", "rtol"])?;
    let inner = Object { map, at: "tolerance.".to_string() };
    match inner.text("kind")? {
        "exact" => {}
        "ulp" => {
            tolerance.ulp = inner.need("max")?.as_u64().ok_or("`tolerance.max` must be a whole number")?
        }
        "close" => {
            tolerance.atol = inner.magnitude("atol")?;
            tolerance.rtol = inner.magnitude("rtol")?;
        }
        other => {
            return Err(format!(
                "`tolerance.kind` is `{}`, but must be exact, ulp or close",
                clip(other, 40)
            ));
        }
    }
    Ok(tolerance)
}

fn read_arg(folder: &Path, object: &Object<'_>) -> Result<CaseArg, String> {
    let word = object.text("dtype")?;
    let dtype = Dtype::parse(word)
        .ok_or_else(|| format!("`{}dtype` is `{}`, which is no type", object.at, clip(word, 40)))?;
    let file = |key| object.text(key).map(|name| folder.join(name));
    let role = match object.text("role")? {
        "in" => Role::In(file("file")?),
        "out" => Role::Out(file("expect")?),
        "inout" => Role::InOut { file: file("file")?, expect: file("expect")? },
        "scalar" => Role::Scalar(read_scalar(object, dtype)?),
        other => {
            let at = &object.at;
            return Err(format!("`{at}role` is `{}`, but must be in, out, inout or scalar", clip(other, 40)));
        }
    };
    let name = object.text("name")?;
    Ok(CaseArg {
        name: name.strip_prefix('%').unwrap_or(name).to_string(),
        dtype,
        shape: object.shape("shape")?,
        role,
    })
}

/// The bits of a scalar: `bits` where decimal is not exact, else `value`.
fn read_scalar(object: &Object<'_>, dtype: Dtype) -> Result<u64, String> {
    let key = if object.map.contains_key("bits") { "bits" } else { "value" };
    let text = match object.need(key)? {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        _ => return Err(format!("`{}{key}` must be a number, a string or a truth value", object.at)),
    };
    parse_scalar(&text, dtype).map_err(|e| format!("`{}{key}`: {}", object.at, e.message))
}

/// A JSON object and where it is in its file, such as `args[2].`, for messages.
struct Object<'a> {
    map: &'a Map<String, Value>,
    at: String,
}

impl<'a> Object<'a> {
    fn need(&self, key: &str) -> Result<&'a Value, String> {
        self.map.get(key).ok_or_else(|| format!("`{}{key}` is missing", self.at))
    }

    fn text(&self, key: &str) -> Result<&'a str, String> {
        self.need(key)?.as_str().ok_or_else(|| format!("`{}{key}` must be a string", self.at))
    }

    fn optional_text(&self, key: &str) -> Result<Option<&'a str>, String> {
        if self.map.contains_key(key) { self.text(key).map(Some) } else { Ok(None) }
    }

    fn array(&self, key: &str) -> Result<&'a [Value], String> {
        let array = self.need(key)?.as_array();
        array.map(Vec::as_slice).ok_or_else(|| format!("`{}{key}` must be an array", self.at))
    }

    /// A shape; a scalar may leave it out.
    fn shape(&self, key: &str) -> Result<Vec<usize>, String> {
        if !self.map.contains_key(key) {
            return Ok(Vec::new());
        }
        let size = |v: &Value| v.as_u64().and_then(|d| usize::try_from(d).ok());
        let shape: Option<Vec<usize>> = self.array(key)?.iter().map(size).collect();
        let shape = shape.filter(|s| s.len() <= 64);
        shape.ok_or_else(|| format!("`{}{key}` must hold at most 64 whole numbers", self.at))
    }

    /// A number that is not negative; zero if it is not there.
    fn magnitude(&self, key: &str) -> Result<f64, String> {
        match self.map.get(key) {
            None => Ok(0.0),
            Some(value) => value
                .as_f64()
                .filter(|v| *v >= 0.0)
                .ok_or_else(|| format!("`{}{key}` must be a number that is not negative", self.at)),
        }
    }
}

#[cfg(test)]
mod tests;
