//! The C++ compiler of the host: the compiler that the user names, or the first installed one that is new enough.

use pto::data::DataError;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Oldest versions that compile our headers.
const LEAST_GCC: u32 = 11;
const LEAST_CLANG: u32 = 14;

/// Newest versions whose names are tried after `g++` and `clang++`.
const NEWEST_GCC: u32 = 17;
const NEWEST_CLANG: u32 = 24;

/// Set in the environment of compilers. A script that calls this command may be the compiler that CXX names.
pub(crate) const WITHIN: &str = "PTO_CXX_RUNNING";

/// A family of compilers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Gcc,
    Clang,
}

/// A compiler that can be run.
#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    /// The program and its first arguments: `ccache g++` are two words.
    pub(crate) words: Vec<OsString>,
    family: Family,
}

impl Compiler {
    /// A call of it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).env(WITHIN, "1");
        command
    }

    /// Whether the compiler has an option. Options of LLVM come from build scripts for a compiler based on clang, and
    /// change no value.
    pub(crate) fn has(&self, option: &OsStr) -> bool {
        self.family == Family::Clang || option != "-mllvm"
    }

    /// Options that keep the line of each call. An optimizer merges equal calls at the ends of branches into one, which has one line, and
    /// findings would name the line of the other branch. clang does not do so with functions that headers mark as `nomerge`.
    pub(crate) fn keeping_lines(&self) -> &'static [&'static str] {
        match self.family {
            Family::Gcc => &["-fno-crossjumping", "-fno-tree-tail-merge"],
            Family::Clang => &[],
        }
    }

    /// Options that give each version of a kernel its own tables, for a process that loads several: by default g++ merges the
    /// variables of templates and inline functions of all loaded libraries.
    pub(crate) fn for_reloading(&self) -> &'static [&'static str] {
        match self.family {
            Family::Gcc => &["-fno-gnu-unique"],
            Family::Clang => &[],
        }
    }
}

/// Version of a compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version {
    family: Family,
    major: u32,
}

impl Version {
    fn is_enough(self) -> bool {
        self.major >= if self.family == Family::Gcc { LEAST_GCC } else { LEAST_CLANG }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.family == Family::Gcc { "g++" } else { "clang++" };
        write!(f, "{name} {}", self.major)
    }
}

/// Finds the compiler.
///
/// # Errors
/// A sentence with the names searched and a remedy.
pub(crate) fn find() -> Result<Compiler, DataError> {
    let is_within = env::var_os(WITHIN).is_some();
    for variable in ["PTO_CXX", "CXX"] {
        let value = env::var_os(variable).filter(|value| !value.is_empty());
        if let Some(value) = value
            && let words = words(value)
            && !(variable == "CXX" && (is_within || is_this(&words[0])))
        {
            if is_within || is_this(&words[0]) {
                return Err(DataError::misuse(format!("{variable} names this command itself"))
                    .with_help(format!("let {variable} name a C++ compiler: g++ or clang++")));
            }
            return named(variable, words);
        }
    }
    installed()
}

/// The words of a variable: a path with blanks is one.
fn words(value: OsString) -> Vec<OsString> {
    let words: Vec<OsString> = value.to_string_lossy().split_whitespace().map(OsString::from).collect();
    if words.len() < 2 || Path::new(&value).is_file() { vec![value] } else { words }
}

/// Whether a name means the program that is running: `CXX="pto c++"`.
fn is_this(name: &OsString) -> bool {
    let same = |path: PathBuf| path.canonicalize().ok();
    let this = env::current_exe().ok().and_then(same);
    this.is_some() && in_path(name).and_then(same) == this
}

/// The file that a shell would run.
fn in_path(name: &OsString) -> Option<PathBuf> {
    if Path::new(name).components().count() > 1 {
        return Some(PathBuf::from(name));
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// The compiler that a variable names, which must do.
fn named(variable: &str, words: Vec<OsString>) -> Result<Compiler, DataError> {
    let name = words[0].to_string_lossy().into_owned();
    match version(&words) {
        Some(version) if version.is_enough() => Ok(Compiler { words, family: version.family }),
        Some(version) => Err(DataError::misuse(format!(
            "{variable} names `{name}`, which is {version}: g++ {LEAST_GCC} or clang++ {LEAST_CLANG}, or a newer one, is needed"
        ))
        .with_help("PTO_CXX names another compiler for this command only")),
        None => Err(DataError::misuse(format!("{variable} names `{name}`, which is no C++ compiler that can be run"))
            .with_help("PTO_CXX names another compiler for this command only")),
    }
}

/// The first installed compiler that is new enough.
fn installed() -> Result<Compiler, DataError> {
    let plain = ["g++".to_owned(), "clang++".to_owned()].into_iter();
    let numbered = (LEAST_GCC..=NEWEST_GCC).rev().map(|number| format!("g++-{number}"));
    let numbered =
        numbered.chain((LEAST_CLANG..=NEWEST_CLANG).rev().map(|number| format!("clang++-{number}")));
    let mut old = Vec::new();
    for name in plain.chain(numbered) {
        let words = vec![OsString::from(&name)];
        if in_path(&words[0]).is_none() {
            continue;
        }
        match version(&words) {
            Some(version) if version.is_enough() => return Ok(Compiler { words, family: version.family }),
            Some(version) => old.push(format!("`{name}` is {version}")),
            None => {}
        }
    }
    let old = if old.is_empty() { String::new() } else { format!("; {}", old.join(", ")) };
    Err(DataError::misuse(format!(
        "no C++ compiler was found: PTO_CXX and CXX name none, and PATH has no g++ from {LEAST_GCC} on (g++, g++-{LEAST_GCC} to \
         g++-{NEWEST_GCC}) and no clang++ from {LEAST_CLANG} on (clang++, clang++-{LEAST_CLANG} to clang++-{NEWEST_CLANG}){old}"
    ))
    .with_help("install one, such as `apt-get install g++`, or name it in PTO_CXX"))
}

/// Version of a compiler, from macros of its preprocessor; the texts of `--version` differ between distributions.
fn version(words: &[OsString]) -> Option<Version> {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(["-x", "c++", "-E", "-P", "-"]).env(WITHIN, "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    // A program that is not a compiler may end without reading.
    let _ = child.stdin.take()?.write_all(b"__GNUC__ __clang_major__\n");
    let output = child.wait_with_output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.lines().last()?.split_whitespace().map(str::parse::<u32>);
    let gcc = numbers.next()?.ok()?;
    let clang = numbers.next()?.ok();
    let family = if clang.is_some() { Family::Clang } else { Family::Gcc };
    Some(Version { family, major: clang.unwrap_or(gcc) })
}
