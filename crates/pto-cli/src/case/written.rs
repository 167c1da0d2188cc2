//! The syntax of `case.json`.

use super::{CaseArg, Role};
use crate::args::Cores;
use crate::keys;
use clap::ValueEnum;
use pto::Profile;
use pto::data::Dtype;
use pto::data::Tolerance;
use pto::data::clip;
use pto::data::parse_scalar;
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Number;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// The top-level object of a `case.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct Case {
    op: Option<String>,
    family: Option<String>,
    #[serde(default, deserialize_with = "profile")]
    profile: Option<Profile>,
    #[serde(default, deserialize_with = "program")]
    program: Option<String>,
    #[serde(default, deserialize_with = "cores")]
    cores: Option<Cores>,
    #[serde(default)]
    compiler: Vec<String>,
    entry: Option<String>,
    blocks: Option<NonZeroU32>,
    args: Vec<Arg>,
    #[serde(default)]
    tolerance: Closeness,
    #[serde(default)]
    nan: Nan,
    source: Option<String>,
    #[serde(default)]
    oracles: Vec<String>,
    note: Option<String>,
    // Remarks on the recording of the case.
    #[serde(rename = "ptoas_next")]
    _ptoas_next: Option<String>,
    #[serde(rename = "sim")]
    _sim: Option<String>,
    #[serde(rename = "spelling")]
    _spelling: Option<String>,
}

impl Case {
    /// The case of a `case.json` in `folder`.
    pub(super) fn in_folder(self, folder: &Path) -> super::Case {
        let name = || folder.file_name().map_or_else(|| "case".into(), |n| n.to_string_lossy().into_owned());
        let args = self.args.into_iter().map(|Arg(arg)| CaseArg { role: arg.role.in_folder(folder), ..arg });
        super::Case {
            folder: folder.to_path_buf(),
            program: folder.join(self.program.as_deref().unwrap_or("kernel.pto")),
            cores: self.cores,
            compiler: self.compiler,
            op: self.op.unwrap_or_else(name),
            family: self.family.unwrap_or_else(|| "other".into()),
            profile: self.profile,
            entry: self.entry,
            blocks: self.blocks.map_or(1, NonZeroU32::get),
            args: args.collect(),
            tolerance: Tolerance { nan_payload_matters: self.nan == Nan::Exact, ..self.tolerance.0 },
            source: self.source,
            oracles: self.oracles,
            note: self.note,
        }
    }
}

impl Role {
    /// The role with its files relative to `folder`.
    fn in_folder(self, folder: &Path) -> Role {
        match self {
            Role::In(file) => Role::In(folder.join(file)),
            Role::Out(expect) => Role::Out(folder.join(expect)),
            Role::InOut { file, expect } => {
                Role::InOut { file: folder.join(file), expect: folder.join(expect) }
            }
            Role::Scalar(_) | Role::Launch => self,
        }
    }
}

#[derive(Default, Deserialize, PartialEq, Eq)]
enum Nan {
    #[default]
    #[serde(rename = "any NaN payload matches")]
    AnyPayload,
    #[serde(rename = "exact")]
    Exact,
}

/// A tolerance, except for its treatment of NaN.
#[derive(Default, Deserialize)]
#[serde(try_from = "WrittenTolerance")]
struct Closeness(Tolerance);

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct WrittenTolerance {
    kind: Kind,
    max: Option<u64>,
    #[serde(default)]
    atol: f64,
    #[serde(default)]
    rtol: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Exact,
    Ulp,
    Close,
}

impl TryFrom<WrittenTolerance> for Closeness {
    type Error = String;

    fn try_from(written: WrittenTolerance) -> Result<Closeness, String> {
        let WrittenTolerance { kind, max, atol, rtol } = written;
        for (key, value) in [("atol", atol), ("rtol", rtol)] {
            if value < 0.0 {
                return Err(keys::at(key, "it must not be negative"));
            }
        }
        let exact = Tolerance::default();
        Ok(Closeness(match kind {
            Kind::Exact => exact,
            Kind::Ulp => Tolerance { ulp: max.ok_or("missing field `max`")?, ..exact },
            Kind::Close => Tolerance { atol, rtol, ..exact },
        }))
    }
}

/// An argument, with file names as written.
#[derive(Deserialize)]
#[serde(try_from = "WrittenArg")]
struct Arg(CaseArg);

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct WrittenArg {
    name: String,
    #[serde(deserialize_with = "dtype")]
    dtype: Dtype,
    /// Optional for scalars.
    #[serde(default)]
    shape: Vec<usize>,
    role: WrittenRole,
    file: Option<PathBuf>,
    expect: Option<PathBuf>,
    value: Option<Scalar>,
    /// Replaces `value` if decimal is not exact.
    bits: Option<Scalar>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenRole {
    In,
    Out,
    InOut,
    Scalar,
    Launch,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "must be a number, a string or a truth value")]
enum Scalar {
    Text(String),
    Number(Number),
    Truth(bool),
}

/// Most dimensions of an array; more are an error.
const MOST_DIMENSIONS: usize = 64;

impl TryFrom<WrittenArg> for Arg {
    type Error = String;

    fn try_from(written: WrittenArg) -> Result<Arg, String> {
        let WrittenArg { name, dtype, shape, role, file, expect, value, bits } = written;
        if shape.len() > MOST_DIMENSIONS {
            let many = format_args!("{} dimensions are more than {MOST_DIMENSIONS}", shape.len());
            return Err(keys::at("shape", many));
        }
        let role = match role {
            WrittenRole::In => Role::In(file.ok_or("missing field `file`")?),
            WrittenRole::Out => Role::Out(expect.ok_or("missing field `expect`")?),
            WrittenRole::InOut => Role::InOut {
                file: file.ok_or("missing field `file`")?,
                expect: expect.ok_or("missing field `expect`")?,
            },
            WrittenRole::Launch => Role::Launch,
            WrittenRole::Scalar => Role::Scalar(match (bits, value) {
                (Some(bits), _) => bits.of(dtype, "bits")?,
                (None, value) => value.ok_or("missing field `value`")?.of(dtype, "value")?,
            }),
        };
        let name = name.strip_prefix('%').map_or(name.clone(), str::to_owned);
        Ok(Arg(CaseArg { name, dtype, shape, role }))
    }
}

impl Scalar {
    /// The bits of a value of a type; `key` names it in errors.
    fn of(&self, dtype: Dtype, key: &str) -> Result<u64, String> {
        let text = match self {
            Scalar::Text(text) => text.clone(),
            Scalar::Number(number) => number.to_string(),
            Scalar::Truth(truth) => truth.to_string(),
        };
        parse_scalar(&text, dtype).map_err(|error| keys::at(key, error.message))
    }
}

/// Parses the name of a type.
fn dtype<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Dtype, D::Error> {
    let word = String::deserialize(deserializer)?;
    Dtype::parse(&word)
        .ok_or_else(|| D::Error::custom(format_args!("no type is named `{}`", clip(&word, 40))))
}

/// Parses the name of the program, which is in the folder of the case.
fn program<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let name = String::deserialize(deserializer)?;
    match Path::new(&name).file_name().is_some_and(|file| file == name.as_str()) {
        true => Ok(Some(name)),
        false => Err(D::Error::custom(format_args!("`{}` is no name of a file", clip(&name, 40)))),
    }
}

/// Parses a kind of cores.
fn cores<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cores>, D::Error> {
    let word = String::deserialize(deserializer)?;
    let wrong = || format!("it is `{}`, but must be vector, cube or mixed", clip(&word, 40));
    Cores::from_str(&word, false).map(Some).map_err(|_| D::Error::custom(wrong()))
}

/// Parses the name of a profile.
fn profile<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Profile>, D::Error> {
    let word = String::deserialize(deserializer)?;
    let wrong = || format!("it is `{}`, but must be cpu, a2, a3, a2a3 or a5", clip(&word, 40));
    Profile::from_word(&word).map(Some).ok_or_else(|| D::Error::custom(wrong()))
}
