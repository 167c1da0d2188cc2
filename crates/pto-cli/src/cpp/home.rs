//! The places of the C++ headers and of the library that kernels are linked with.

use pto::data::DataError;
use std::env;
use std::path::{Path, PathBuf};

/// A header that is ours: headers of the same names from others may be installed beside the command.
const MARK: &str = "pto/pto.h";

/// The name of the library for `-l`, and its file.
pub(crate) const LIBRARY: &str = "pto_c";

/// The folder that `PTO_HOME` names, if it is set.
fn named() -> Option<PathBuf> {
    env::var_os("PTO_HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
}

/// The folder of this program, without symbolic links.
fn own() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let program = program.canonicalize().unwrap_or(program);
    program.parent().map(Path::to_path_buf)
}

/// The include folder.
///
/// # Errors
/// A sentence that lists the folders that were searched.
pub(crate) fn include() -> Result<PathBuf, DataError> {
    let mut folders = Vec::new();
    folders.extend(named().map(|home| home.join("include")));
    folders.extend(own().and_then(|own| own.parent().map(|parent| parent.join("include"))));
    // A development build is run from its source tree.
    folders.push(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../cpp/include")));
    first(&folders, MARK, "the C++ headers")
}

/// The folder of the library.
///
/// # Errors
/// A sentence that lists the folders that were searched.
pub(crate) fn library() -> Result<PathBuf, DataError> {
    let file = format!("{}{LIBRARY}{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let mut folders = Vec::new();
    if let Some(home) = named() {
        folders.extend([home.join("lib"), home]);
    }
    if let Some(own) = own() {
        folders.extend([own.clone(), own.join("deps")]);
        folders.extend(own.parent().map(|parent| parent.join("lib")));
    }
    first(&folders, &file, "the library")
}

/// The first folder that has a file.
fn first(folders: &[PathBuf], file: &str, what: &str) -> Result<PathBuf, DataError> {
    if let Some(found) = folders.iter().find(|folder| folder.join(file).is_file()) {
        return Ok(found.canonicalize().unwrap_or_else(|_| found.clone()));
    }
    let searched: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
    let help = "PTO_HOME names a folder with `include` and `lib`; in a source tree `cargo build -p pto-c` makes the library";
    Err(DataError::misuse(format!("{what} {file} was not found in {}", searched.join(", "))).with_help(help))
}
