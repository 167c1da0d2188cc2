//! Atomic writing of results: an existing file is replaced by a complete new one or not at all.

use pto::data::DataError;
use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file to be written.
#[derive(Clone, Debug)]
pub struct Output<'a> {
    /// The path.
    pub path: PathBuf,
    /// The contents, in pieces, which avoids joining a header and a large array.
    pub pieces: Vec<Cow<'a, [u8]>>,
    /// Whether a symbolic link of that name is replaced by the file; else the file that it names is written.
    pub replaces_links: bool,
}

impl<'a> Output<'a> {
    /// A file of these bytes.
    pub fn new(path: impl Into<PathBuf>, bytes: impl Into<Cow<'a, [u8]>>) -> Output<'a> {
        Output { path: path.into(), pieces: vec![bytes.into()], replaces_links: false }
    }

    /// The `.npy` file of `array`.
    pub fn npy(path: impl Into<PathBuf>, array: &'a pto::data::Array) -> Output<'a> {
        let pieces = vec![pto::data::npy::header(array).into(), array.bytes().into()];
        Output { path: path.into(), pieces, replaces_links: false }
    }

    /// A file that replaces a symbolic link of its name.
    #[must_use]
    pub fn replacing_links(self) -> Output<'a> {
        Output { replaces_links: true, ..self }
    }

    /// The path that is written.
    fn target(&self) -> PathBuf {
        if self.replaces_links { self.path.clone() } else { follow(&self.path) }
    }

    /// Whether it is written in place: neither a file nor a folder.
    fn is_special(&self) -> bool {
        let is_link = || fs::symlink_metadata(&self.path).is_ok_and(|known| known.is_symlink());
        is_special(&self.path) && !(self.replaces_links && is_link())
    }
}

/// Writes all of `outputs`, each under a temporary name in its own folder, and then renames them.
///
/// If one cannot be written, no target is changed and the temporary files are removed. A rename that fails after
/// another has succeeded cannot be undone; the message names the file. Two outputs with one path are an error. An
/// existing target that is not a regular file (`/dev/null`, a pipe) is written in place; a symbolic link is followed, unless
/// the output [replaces it](Output::replaces_links).
pub fn write_all(outputs: &[Output<'_>]) -> Result<(), DataError> {
    let mut pending = Pending(Vec::new());
    for output in outputs {
        // Writing through a link must not replace it by a file.
        let target = output.target();
        if pending.0.iter().any(|(_, other)| *other == target) {
            return Err(failed(&output.path, "the name is given twice"));
        }
        let is_link = output.replaces_links && target.is_symlink();
        if target.is_dir() && !is_link {
            return Err(failed(&output.path, "it is a folder"));
        }
        let write = |(temporary, file): (PathBuf, File)| {
            pending.0.push((temporary, target.clone()));
            fill(file, &output.pieces, &target)
        };
        if output.is_special() {
            continue;
        }
        create_beside(&target).and_then(write).map_err(|e| failed(&output.path, &e.to_string()))?;
    }
    for output in outputs.iter().filter(|output| output.is_special()) {
        let write = |file| fill(file, &output.pieces, Path::new(""));
        OpenOptions::new()
            .write(true)
            .open(&output.path)
            .and_then(write)
            .map_err(|e| failed(&output.path, &e.to_string()))?;
    }
    while let Some((temporary, target)) = pending.0.pop() {
        if let Err(e) = fs::rename(&temporary, &target) {
            let _ = fs::remove_file(&temporary);
            return Err(failed(&target, &e.to_string()));
        }
    }
    Ok(())
}

/// Writes a file as [`write_all`] does, but its contents as they are made, without keeping all of them.
pub fn write_streamed(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<(), DataError> {
    let target = follow(path);
    let fail = |error: io::Error| failed(path, &error.to_string());
    if target.is_dir() {
        return Err(failed(path, "it is a folder"));
    }
    let write = |file: &mut File| {
        let mut buffered = BufWriter::new(file);
        write(&mut buffered)?;
        buffered.flush()
    };
    if is_special(&target) {
        let mut file = OpenOptions::new().write(true).open(path).map_err(fail)?;
        return write(&mut file).map_err(fail);
    }
    let (temporary, file) = create_beside(&target).map_err(fail)?;
    let mut pending = Pending(vec![(temporary.clone(), target.clone())]);
    fill_by(file, &target, write).and_then(|()| fs::rename(&temporary, &target)).map_err(fail)?;
    pending.0.clear();
    Ok(())
}

/// Temporary files with their targets; those not renamed are removed on drop.
struct Pending(Vec<(PathBuf, PathBuf)>);

impl Drop for Pending {
    fn drop(&mut self) {
        for (temporary, _) in &self.0 {
            // A failure here has no remedy.
            let _ = fs::remove_file(temporary);
        }
    }
}

fn failed(path: &Path, what: &str) -> DataError {
    DataError::misuse(format!("cannot write {}: {what}", path.display()))
}

fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// The target of a path: follows symbolic links, also to files that do not exist yet.
pub(crate) fn follow(path: &Path) -> PathBuf {
    if let Ok(target) = fs::canonicalize(path) {
        return target;
    }
    let mut path = path.to_path_buf();
    // The limit of Linux for chains of links.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => break,
        }
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Removes temporary files that killed runs have left beside `target`: those of processes that no longer exist. If that
/// cannot be determined, they are kept.
fn clear_beside(target: &Path, name: &str) {
    let Some(entries) = target.parent().and_then(|folder| fs::read_dir(folder).ok()) else { return };
    for entry in entries.flatten() {
        let known = entry.file_name();
        let rest = known.to_str().and_then(|known| known.strip_prefix(&format!(".{name}.")));
        let number = rest.and_then(|rest| rest.strip_suffix(".tmp")?.split_once('-'));
        let Some((process, attempt)) = number else { continue };
        let numbers = process.parse::<u32>().is_ok() && attempt.parse::<u32>().is_ok();
        let processes = Path::new("/proc");
        if numbers && processes.join("self").exists() && !processes.join(process).exists() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Creates a file with a unique name in the folder of `target`.
fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let name = target.file_name().ok_or_else(|| io::Error::other("it names no file"))?;
    name.to_str().into_iter().for_each(|name| clear_beside(target, name));
    for attempt in 0..1000 {
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}-{attempt}.tmp", std::process::id()));
        let temporary = target.with_file_name(temporary);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::other("too many temporary files beside it"))
}

fn fill(file: File, pieces: &[Cow<'_, [u8]>], target: &Path) -> io::Result<()> {
    fill_by(file, target, |file| pieces.iter().try_for_each(|piece| file.write_all(piece)))
}

fn fill_by(mut file: File, target: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    write(&mut file)?;
    // The new file gets the permissions of the old one.
    if let Some(old) = fs::symlink_metadata(target).ok().filter(|old| !old.is_symlink()) {
        file.set_permissions(old.permissions())?;
    }
    file.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("pto-cli-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_written_and_replaced() {
        let folder = folder("write");
        fs::write(folder.join("a"), "old").unwrap();
        let array = pto::data::Array::scalar(pto::isa::Element::F32, 0);
        write_all(&[Output::new(folder.join("a"), &b"new"[..]), Output::npy(folder.join("b.npy"), &array)])
            .unwrap();
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"new");
        assert_eq!(
            pto::data::npy::read(&folder.join("b.npy"), pto::isa::Element::F32, &crate::files::Disk).unwrap(),
            array
        );
        assert_eq!(names(&folder), ["a", "b.npy"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn nothing_changes_if_one_file_cannot_be_written() {
        let folder = folder("fail");
        fs::write(folder.join("a"), "old").unwrap();
        for second in ["missing/b", "a", "", "."] {
            let outputs =
                [Output::new(folder.join("a"), &b"new"[..]), Output::new(folder.join(second), &b"x"[..])];
            let error = write_all(&outputs).unwrap_err().to_string();
            assert!(error.starts_with("cannot write "), "{error}");
            assert_eq!(fs::read(folder.join("a")).unwrap(), b"old");
            assert_eq!(names(&folder), ["a"]);
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = folder("link");
        fs::write(folder.join("real"), "old").unwrap();
        std::os::unix::fs::symlink("real", folder.join("link")).unwrap();
        write_all(&[Output::new(folder.join("link"), &b"new"[..]), Output::new("/dev/null", &b"x"[..])])
            .unwrap();
        assert_eq!(fs::read(folder.join("real")).unwrap(), b"new");
        assert!(fs::symlink_metadata(folder.join("link")).unwrap().is_symlink());
        fs::remove_dir_all(&folder).unwrap();
    }
}
