//! Recorded cases: a program with its inputs and expected outputs.

pub mod pypto;
mod save;
mod written;

pub use save::{Compiled, Recorded, Recording, check_folder, save};

use crate::args::Cores;
use crate::keys;
use pto::Profile;
use pto::data::Tolerance;
use pto::data::{DataError, Dtype};
use pto::launch::Spec;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// One recorded case, as its `case.json` describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The folder with `case.json`.
    pub folder: PathBuf,
    /// The program in that folder: usually `kernel.pto`.
    pub program: PathBuf,
    /// For a kernel in C++: the kind of cores for which it is compiled, if its source does not determine it.
    pub cores: Option<Cores>,
    /// For a kernel in C++: arguments of the compiler.
    pub compiler: Vec<String>,
    /// The instruction under test; default: the folder's name.
    pub op: String,
    /// The instruction set; default: `other`.
    pub family: String,
    /// The profile to run for; `None` for that of the program.
    pub profile: Option<Profile>,
    /// The function, if the program has several.
    pub entry: Option<String>,
    /// Number of blocks of the launch.
    pub blocks: u32,
    /// The arguments of the function, in order.
    pub args: Vec<CaseArg>,
    /// Tolerance of the comparison of outputs.
    pub tolerance: Tolerance,
    /// The manual page with the formula.
    pub source: Option<String>,
    /// The tools that computed the expected outputs.
    pub oracles: Vec<String>,
    /// A remark.
    pub note: Option<String>,
}

/// One argument of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseArg {
    /// Name of the argument, without `%`.
    pub name: String,
    /// Type of the argument, or of its items.
    pub dtype: Dtype,
    /// Extents in items; empty for a scalar.
    pub shape: Vec<usize>,
    /// Whether the argument is read, written, or both.
    pub role: Role,
}

/// Use of an argument. Paths include the folder of the case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Read only; the file has the contents.
    In(PathBuf),
    /// Written; starts as zeros, and must equal the file at the end.
    Out(PathBuf),
    /// Read and written.
    InOut {
        /// Contents before.
        file: PathBuf,
        /// Contents after.
        expect: PathBuf,
    },
    /// A scalar, as its bits.
    Scalar(u64),
    /// A property of the launch, which the machine fills in.
    Launch,
}

/// Largest accepted `case.json`, in bytes.
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

    /// Launch of the case, without inputs. Settings that the file omits come from `usual`.
    pub fn spec(&self, usual: &Spec) -> Spec {
        Spec { entry: self.entry.clone(), blocks: self.blocks, ..usual.clone() }
    }

    /// Parses the text of a `case.json` in `folder`. Errors name the line and the key.
    fn parse(folder: &Path, text: &[u8]) -> Result<Case, String> {
        let written: written::Case = keys::read(text).map_err(|error| error.to_string())?;
        Ok(written.in_folder(folder))
    }
}

/// The folders at or below `paths` that hold a `case.json` or are cases of PyPTO, sorted, each once.
///
/// A path may also be the `case.json` or the program of a case. A case without `kernel.pto` is found too, and counts
/// as failed. Symbolic links are followed, but no folder is entered twice.
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, DataError> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut pending: Vec<PathBuf> = Vec::new();
    for path in paths {
        let unreadable = |e| DataError::misuse(format!("{}: cannot read it: {e}", path.display()));
        let folder = match std::fs::metadata(path).map_err(unreadable)?.is_dir() {
            true => path.clone(),
            false => match path.file_name().and_then(|n| n.to_str()) {
                Some("case.json" | "kernel.pto" | "kernel.cpp")
                    if path.with_file_name("case.json").is_file() =>
                {
                    path.parent()
                        .filter(|p| !p.as_os_str().is_empty())
                        .unwrap_or(Path::new("."))
                        .to_path_buf()
                }
                _ => {
                    return Err(DataError::misuse(format!(
                        "{}: this is not a recorded case",
                        path.display()
                    ))
                    .with_help(
                        "a case is a folder with case.json and kernel.pto, or with golden.py and ptoas",
                    ));
                }
            },
        };
        pending.push(folder);
    }
    while let Some(folder) = pending.pop() {
        let unreadable = |e| DataError::misuse(format!("{}: cannot read the folder: {e}", folder.display()));
        if !seen.insert(std::fs::canonicalize(&folder).map_err(unreadable)?) {
            continue;
        }
        let mut inner = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            inner.push(entry.map_err(unreadable)?.path());
        }
        // Which of two paths to one folder is reported must not depend on the file system.
        inner.sort_unstable_by(|a, b| b.cmp(a));
        pending.extend(inner.into_iter().filter(|path| path.is_dir()));
        if folder.join("case.json").is_file() || pypto::is_case(&folder) {
            found.push(folder);
        }
    }
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests;
