//! JSON files written by hand, parsed into structs. A misspelt or repeated key is an error, and every error names its
//! line and key.

use pto::data::clip;
use pto::text::nearest;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, Visitor};
use serde_path_to_error::Segment;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// An error in the text of a JSON file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misread {
    /// Index of the element with the error, if the text is an array.
    pub(crate) index: Option<usize>,
    /// Line number, from 1; 0 if unknown.
    line: usize,
    /// The error. Keys are full paths, such as `args[2].role`, relative to the element at `index`.
    what: String,
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        f.write_str(&self.what)
    }
}

/// Parses a value from JSON.
///
/// # Errors
/// Invalid JSON, or not the structure of `T`.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Misread> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let no_json = |error: &serde_json::Error| Misread {
        index: None,
        line: error.line(),
        what: format!("this is not JSON: {error}"),
    };
    let value =
        serde_path_to_error::deserialize(&mut json).map_err(|error| match error.inner().is_data() {
            true => misread(error.path(), error.inner()),
            false => no_json(error.inner()),
        })?;
    json.end().map_err(|error| no_json(&error))?;
    Ok(value)
}

/// Rewrites a serde error in terms of the file.
fn misread(path: &serde_path_to_error::Path, error: &serde_json::Error) -> Misread {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    let mut path: Vec<&Segment> = path.iter().collect();
    // A key of the object at the path, and the statement about it.
    let (key, what) = if let Some((key, known)) = parted(what, "unknown field `", "`, expected ") {
        path.pop();
        let near = nearest(key, known.split('`').skip(1).step_by(2));
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        (key, format!(" is not a key{near}"))
    } else if let Some((word, known)) = parted(what, "unknown variant `", "`, expected ") {
        ("", format!(" is `{}`, but must be {known}", clip(word, 40)))
    } else if let Some((key, _)) = parted(what, "duplicate field `", "`") {
        (key, " occurs twice".to_owned())
    } else if let Some((key, _)) = parted(what, "missing field `", "`") {
        (key, " is missing".to_owned())
    } else if let Some((key, what)) = what.strip_prefix(AT).and_then(|what| what.split_once("`: ")) {
        (key, format!(": {what}"))
    } else {
        ("", format!(": {}", in_plain_words(what)))
    };
    let (index, path) = match path.as_slice() {
        [Segment::Seq { index }, rest @ ..] => (Some(*index), rest),
        all => (None, all),
    };
    let (at, key) = (keys(path), clip(key, 40));
    let dot = if at.is_empty() || key.is_empty() { "" } else { "." };
    let what = match format!("{at}{dot}{key}") {
        whole if whole.is_empty() => what.trim_start_matches(": ").to_owned(),
        whole => format!("`{whole}`{what}"),
    };
    Misread { index, line: error.line(), what }
}

/// Start of the messages of [`at`].
const AT: &str = "at `";

/// A message about a key of the object that is being parsed.
pub(crate) fn at(key: &str, what: impl fmt::Display) -> String {
    format!("{AT}{key}`: {what}")
}

/// A path such as `args[2].role`.
fn keys(path: &[&Segment]) -> String {
    let mut text = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => text += &format!("[{index}]"),
            Segment::Map { key } | Segment::Enum { variant: key } => {
                let dot = if text.is_empty() { "" } else { "." };
                text += &format!("{dot}{}", clip(key, 40));
            }
            Segment::Unknown => {}
        }
    }
    text
}

/// The text between `start` and the last `middle`, and the text after that.
fn parted<'t>(text: &'t str, start: &str, middle: &str) -> Option<(&'t str, &'t str)> {
    text.strip_prefix(start)?.rsplit_once(middle)
}

/// Replaces Rust's names of numbers and lists in a message.
fn in_plain_words(what: &str) -> String {
    let whole = ["u32", "u64", "usize"].map(|name| (name, "a whole number"));
    let positive = ["a nonzero u32", "a nonzero u64"].map(|name| (name, "a positive whole number"));
    let list = [("a sequence", "an array")];
    let known = |(name, plain): (&str, &str)| {
        let rest = what.strip_suffix(name)?.strip_suffix("expected ")?;
        Some(format!("{}expected {plain}", clip(rest, 120)))
    };
    whole.into_iter().chain(positive).chain(list).find_map(known).unwrap_or_else(|| clip(what, 240))
}

/// Parses an object with arbitrary keys, each at most once.
pub(crate) fn object<'de, D, V>(deserializer: D) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    deserializer.deserialize_map(Once(PhantomData))
}

struct Once<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for Once<V> {
    type Value = BTreeMap<String, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
            }
            map.insert(key, entries.next_value()?);
        }
        Ok(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        #[serde(rename = "args")]
        _args: Vec<Inner>,
        #[serde(default, deserialize_with = "object", rename = "names")]
        _names: BTreeMap<String, u32>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        #[serde(rename = "file")]
        _file: String,
        #[serde(rename = "kind")]
        _kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        One,
        Two,
    }

    #[test]
    fn an_error_has_its_line_and_its_key() {
        for (text, expected) in [
            (
                "{\"args\": [{\"file\": \"\"},\n {\"filee\": 1}]}",
                "line 2: `args[1].filee` is not a key; did you mean `file`?",
            ),
            ("{\"args\": [{\"file\": \"a\",\n\"file\": \"b\"}]}", "line 2: `args[0].file` occurs twice"),
            ("{\"args\": [], \"names\": {\"a\": 1, \"a\": 1}}", "line 1: `names.a` occurs twice"),
            (
                "{\"args\": [], \"names\": {\"a\": -1}}",
                "line 1: `names.a`: invalid value: integer `-1`, expected a whole number",
            ),
            ("{\"args\": [{}]}", "line 1: `args[0].file` is missing"),
            ("{}", "line 1: `args` is missing"),
            (
                "{\"args\": [{\"file\": \"a\", \"kind\": \"three\"}]}",
                "line 1: `args[0].kind` is `three`, but must be `one` or `two`",
            ),
            ("{\"args\": 3}", "line 1: `args`: invalid type: integer `3`, expected an array"),
            ("[", "line 1: this is not JSON: EOF while parsing a list at line 1 column 1"),
        ] {
            assert_eq!(read::<Outer>(text.as_bytes()).expect_err(text).to_string(), expected);
        }
        let error = read::<Vec<Inner>>(b"[{\"file\": \"\"},\n{\"file\": 1}]").unwrap_err();
        assert_eq!(error.index, Some(1));
        assert_eq!(error.to_string(), "line 2: `file`: invalid type: integer `1`, expected a string");
        assert!(read::<Vec<Inner>>(b"[] []").unwrap_err().to_string().contains("this is not JSON"));
    }
}
