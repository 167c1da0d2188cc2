//! Sources for both kinds of cores: compiled for each, and joined in one object.
//!
//! One compilation holds the code of one kind of core, so a source whose kernels run on both is compiled twice. Both halves define the same
//! names. In the half for cube cores each defined symbol gets the ending [`ENDING`], and the linker joins the halves in one
//! relocatable object. This object is like any other: it may be put into an archive, linked into a program or a shared object.
//!
//! The twin of a kernel is the function of the same symbol with the ending in the same file: the library reads the symbol tables to
//! find it. The half for vector cores keeps its names, so `main`, functions that others call and the addresses of kernels are of that half.
//!
//! Each half has its own variables, and runs its own initializers.

use super::{Driver, Source};
use crate::args::Cores;
use crate::cpp::arguments::Stage;
use pto::data::DataError;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// The ending of symbols of the half for cube cores.
const ENDING: &str = ".cube";

impl Driver {
    /// Compiles a source for vector cores and for cube cores to one object.
    pub(super) fn twins(&self, source: &Source, result: &Path) -> Result<Option<ExitStatus>, DataError> {
        if self.stage < Stage::Compile {
            return Err(DataError::misuse(
                "for both kinds of cores a source is compiled twice: this stage has one result",
            )
            .with_help("say `--cores vector` or `--cores cube`"));
        }
        if self.arguments.iter().any(|argument| argument.text().starts_with("-flto")) {
            return Err(DataError::misuse(
                "`-flto` leaves no symbols that could be told apart for both kinds of cores",
            )
            .with_help("compile without `-flto`, or say `--cores vector` or `--cores cube`"));
        }
        let folder = self.temporary.path()?;
        let part = |kind: &str| folder.join(format!("{}.{kind}", source.argument));
        let (vector, cube, names) = (part("vector.o"), part("cube.o"), part("names"));
        for (cores, object) in [(Cores::Vector, &vector), (Cores::Cube, &cube)] {
            let mut words = self.object(source, cores, object)?;
            words.insert(0, "-DPTO_CORES_MIXED".into());
            words.extend(self.dependencies_of(result));
            let failed = self.call(&words, source.rewritten.as_ref())?;
            if failed.is_some() {
                return Ok(failed);
            }
        }
        if !self.show {
            let list: String =
                defined(&cube)?.iter().map(|name| format!("{name} {name}{ENDING}\n")).collect();
            std::fs::write(&names, list)
                .map_err(|error| DataError::misuse(format!("{}: {error}", names.display())))?;
        }
        let mut rename = Command::new("objcopy");
        let mut flag = OsString::from("--redefine-syms=");
        flag.push(&names);
        rename.arg(flag).arg(&cube);
        if let Some(failed) = self.tool(rename)? {
            return Ok(Some(failed));
        }
        let join = ["-r", "-nostdlib", "-o"].map(OsString::from).into_iter();
        self.call(&join.chain([result, &vector, &cube].map(OsString::from)).collect::<Vec<_>>(), None)
    }

    /// Options that name the file with dependencies, and the object in it, as the compiler would for the result.
    fn dependencies_of(&self, result: &Path) -> Vec<OsString> {
        let has = |option: &str| self.arguments.iter().any(|argument| argument.words[0] == option);
        let mut words = Vec::new();
        if has("-MD") || has("-MMD") {
            let file = result.with_extension("d");
            words.extend((!has("-MF")).then(|| ["-MF".into(), file.into_os_string()]).into_iter().flatten());
            let is_named = has("-MT") || has("-MQ");
            words.extend((!is_named).then(|| ["-MT".into(), result.into()]).into_iter().flatten());
        }
        words
    }

    /// Runs a program of the binutils.
    fn tool(&self, command: Command) -> Result<Option<ExitStatus>, DataError> {
        let name = command.get_program().to_string_lossy().into_owned();
        self.execute(command).map_err(|_| missing(&name))
    }
}

/// The symbols that an object defines.
fn defined(object: &Path) -> Result<BTreeSet<String>, DataError> {
    let output = Command::new("nm").args(["--defined-only", "--format=posix"]).arg(object).output();
    let output = output.ok().filter(|output| output.status.success()).ok_or_else(|| missing("nm"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
}

fn missing(tool: &str) -> DataError {
    DataError::misuse(format!("cannot run `{tool}`, which joins the code for both kinds of cores"))
        .with_help("install the binutils, which most compilers bring along")
}
