//! Sources and headers with launches, rewritten into a temporary folder.
//!
//! Compiler messages, debug information and files with dependencies must name the file of the user. A rewritten file begins with a `#line`
//! that names it, which messages and line tables follow. The name of a compilation unit and dependencies come from the path that is
//! opened, and are mapped back: [`Rewritten::flags`], [`Rewritten::restore`].
//!
//! A quoted include of a rewritten source is searched from the folder of the original, by `-iquote`. A header is
//! rewritten if it, or one that it includes in quotes, has a launch; the include that leads to it then names the
//! rewritten header. A rewritten header names the headers that it finds beside itself by absolute paths.

use super::arguments::{Argument, Role};
use super::launches::rewrite;
use super::tokens::{Kind, tokens};
use pto::data::DataError;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The start of some UTF-8 files, which compilers accept nowhere else.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Maximum number of headers that are read for one source.
const MOST_HEADERS: usize = 4096;

/// A folder for the files of one call, made when it is needed and removed at the end.
#[derive(Debug, Default)]
pub(crate) struct Temporary(OnceCell<PathBuf>);

impl Temporary {
    /// The folder.
    ///
    /// # Errors
    /// A folder for temporary files that cannot be written.
    pub(crate) fn path(&self) -> Result<&Path, DataError> {
        if self.0.get().is_none() {
            // The cell belongs to one thread, so no other thread has set it in the meantime.
            let _ = self.0.set(make()?);
        }
        Ok(self.0.get().map_or(Path::new(""), PathBuf::as_path))
    }
}

/// Makes a folder that only this user can read.
fn make() -> Result<PathBuf, DataError> {
    let all = std::env::temp_dir();
    let mut number = 0;
    loop {
        let path = all.join(format!("pto-c++-{}-{number}", std::process::id()));
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&path) {
            Ok(()) => return Ok(path),
            // Of a process with the same number, which was ended.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => {
                return Err(DataError::misuse(format!(
                    "{}: cannot make the folder: {error}",
                    path.display()
                )));
            }
        }
    }
}

impl Temporary {
    /// Leaves the folder where it is.
    pub(crate) fn keep(mut self) {
        self.0.take();
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = self.0.get() {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// A source whose launches are rewritten.
#[derive(Debug)]
pub(crate) struct Rewritten {
    /// The source that the compiler reads.
    pub(crate) path: PathBuf,
    /// The folder of the original, and the beginning of paths in it.
    folder: PathBuf,
    /// The original of each rewritten file.
    originals: BTreeMap<PathBuf, PathBuf>,
}

impl Rewritten {
    /// Rewrites a source and the headers that it includes in quotes. Returns `None` if they contain no launches.
    ///
    /// # Errors
    /// A launch that cannot be rewritten, or files that cannot be written.
    pub(crate) fn of(
        source: &Path,
        arguments: &[Argument],
        temporary: &Temporary,
        number: usize,
    ) -> Result<Option<Rewritten>, DataError> {
        let mut work = Work { folders: folders(arguments), temporary, number, known: BTreeMap::new() };
        let Some(path) = work.file(source, true)? else { return Ok(None) };
        let originals =
            work.known.into_iter().filter_map(|(original, rewritten)| Some((rewritten?, original)));
        let folder = source.parent().unwrap_or(Path::new("")).to_path_buf();
        Ok(Some(Rewritten { path, folder, originals: originals.collect() }))
    }

    /// Options for the compilation of it.
    pub(crate) fn flags(&self) -> Vec<OsString> {
        let here = |folder: &Path| {
            if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_path_buf() }
        };
        let mut map = OsString::from("-fdebug-prefix-map=");
        map.push(self.path.parent().unwrap_or(Path::new("")));
        map.push("=");
        map.push(here(&self.folder));
        vec!["-iquote".into(), here(&self.folder).into(), map]
    }

    /// A text of the compiler in which rewritten files have the names of their originals.
    pub(crate) fn restore(&self, text: &[u8]) -> Vec<u8> {
        let mut text = text.to_vec();
        for (rewritten, original) in &self.originals {
            let (from, to) =
                (rewritten.as_os_str().as_encoded_bytes(), original.as_os_str().as_encoded_bytes());
            let mut at = 0;
            while let Some(found) = text[at..].windows(from.len()).position(|window| window == from) {
                text.splice(at + found..at + found + from.len(), to.iter().copied());
                at += found + to.len();
            }
        }
        text
    }
}

/// The folders that the arguments name for quoted includes.
fn folders(arguments: &[Argument]) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for option in ["-iquote", "-I"] {
        for argument in arguments.iter().filter(|argument| argument.role == Role::Other) {
            let first = argument.words[0].to_string_lossy();
            match (argument.words.get(1), first.strip_prefix(option)) {
                (Some(folder), Some("")) => folders.push(folder.into()),
                (None, Some(folder)) => folders.push(folder.into()),
                _ => {}
            }
        }
    }
    folders
}

/// A quoted include.
struct Included {
    /// The bytes of the name in the text.
    name: Range<usize>,
    file: PathBuf,
    rewritten: Option<PathBuf>,
}

/// The rewriting of one source with its headers.
struct Work<'a> {
    folders: Vec<PathBuf>,
    temporary: &'a Temporary,
    /// The number of the source in the call.
    number: usize,
    /// The rewritten form of each file that was read, if it has one. A file that is being read has none yet, which ends cycles.
    known: BTreeMap<PathBuf, Option<PathBuf>>,
}

impl Work<'_> {
    /// Rewrites a file if it has launches, or includes a file that is rewritten.
    fn file(&mut self, path: &Path, is_source: bool) -> Result<Option<PathBuf>, DataError> {
        if let Some(known) = self.known.get(path) {
            return Ok(known.clone());
        }
        self.known.insert(path.to_path_buf(), None);
        let Ok(bytes) = fs::read(path) else { return Ok(None) };
        let text = characters(bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes));
        let text = text.as_str();
        let included = self.included(path, text)?;
        let leads_to_launch = included.iter().any(|one| one.rewritten.is_some());
        if !leads_to_launch && !text.contains("<<<") {
            return Ok(None);
        }
        let redirected = redirected(text, included, is_source);
        let launched = rewrite(&redirected).map_err(|error| {
            DataError::new(format!("{}:{}: {}", path.display(), error.line, error.reason))
        })?;
        if launched == redirected && !leads_to_launch {
            return Ok(None);
        }
        let name = path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
        let line = format!("#line 1 \"{name}\"\n").into_bytes();
        let target = self.write(path, &[line, encoded(&launched)].concat())?;
        self.known.insert(path.to_path_buf(), Some(target.clone()));
        Ok(Some(target))
    }

    /// Writes a rewritten file, which keeps its name: the names of objects and debug information derive from it.
    fn write(&self, path: &Path, text: &[u8]) -> Result<PathBuf, DataError> {
        let count = self.known.values().flatten().count();
        let folder = self.temporary.path()?.join(self.number.to_string()).join(count.to_string());
        let target = folder.join(path.file_name().unwrap_or(path.as_os_str()));
        let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&target, text));
        written.map_err(|error| {
            DataError::misuse(format!("{}: cannot write the file: {error}", target.display()))
        })?;
        Ok(target)
    }

    /// Quoted includes of a text that lead to files.
    fn included(&mut self, path: &Path, text: &str) -> Result<Vec<Included>, DataError> {
        let mut found = Vec::new();
        let directives = tokens(text, 0..text.len(), true);
        for directive in directives.iter().filter(|token| token.kind == Kind::Directive) {
            let Some(span) = quoted(text, directive.span.clone()) else { continue };
            let name = String::from_utf8_lossy(&encoded(&text[span.clone()])).into_owned();
            let beside = path.parent().unwrap_or(Path::new(""));
            let candidates = std::iter::once(beside).chain(self.folders.iter().map(PathBuf::as_path));
            let file = candidates.map(|folder| folder.join(&name)).find(|file| file.is_file());
            if let Some(file) = file.filter(|_| self.known.len() < MOST_HEADERS) {
                let rewritten = self.file(&file, false)?;
                found.push(Included { name: span, file, rewritten });
            }
        }
        Ok(found)
    }
}

/// The text with the paths of rewritten headers in its includes. A source finds its other headers by `-iquote`, a header
/// needs absolute paths.
fn redirected(text: &str, included: Vec<Included>, is_source: bool) -> String {
    let mut redirected = text.to_owned();
    for Included { name, file, rewritten } in included.into_iter().rev() {
        let target = match rewritten {
            Some(rewritten) => rewritten,
            None if is_source => continue,
            None => std::path::absolute(&file).unwrap_or(file),
        };
        redirected.replace_range(name, &characters(target.as_os_str().as_encoded_bytes()));
    }
    redirected
}

/// A character for each byte. Sources may be in encodings other than UTF-8, of which only the ASCII characters matter here.
pub(super) fn characters(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// The bytes of [`characters`].
pub(super) fn encoded(text: &str) -> Vec<u8> {
    text.chars().map(|character| character as u8).collect()
}

/// The name in `#include "name"`.
pub(super) fn quoted(text: &str, directive: Range<usize>) -> Option<Range<usize>> {
    let line = &text[directive.clone()];
    let rest = line.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    let name = rest.strip_prefix('"')?.split(['"', '\n']).next()?;
    let start = directive.start + line.len() - rest.len() + 1;
    Some(start..start + name.len())
}
