//! A folder in which this command has the names of the vendor's compiler, for build scripts that call it.
//!
//! The names are symbolic links. The command finds its headers and its library at its own location, not at the link, and
//! recognizes by its name that it is called as a compiler. `CXX=bisheng` also names this command, and does not make it
//! call itself.

use super::line;
use crate::args::Vendor;
use crate::printer::print_out;
use pto::data::DataError;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Makes the folder that the arguments name, and prints the command line that activates it.
///
/// # Errors
/// Not exactly one folder, or a folder that cannot be written.
pub(super) fn install(arguments: &[OsString]) -> Result<(), DataError> {
    let [folder] = arguments else {
        return Err(DataError::misuse("`--as bisheng` needs one folder")
            .with_help("`pto c++ --as bisheng ascend` makes the folder `ascend`"));
    };
    let folder = make(Path::new(folder)).map_err(|error| failed(Path::new(folder), &error))?;
    let program = std::env::current_exe().map_err(|error| failed(&folder, &error))?;
    for name in Vendor::BISHENG {
        let link = folder.join(name);
        name_of(&program, &link).map_err(|error| failed(&link, &error))?;
    }
    let script = folder.join("set_env.sh");
    fs::write(&script, environment(&folder)).map_err(|error| failed(&script, &error))?;
    print_out(&format!(". {}\n", line(&[script.into()])));
    Ok(())
}

fn failed(path: &Path, error: &std::io::Error) -> DataError {
    DataError::misuse(format!("{}: {error}", path.display()))
}

fn make(folder: &Path) -> std::io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    folder.canonicalize()
}

/// Gives the program a name. A name that is a link already may be of an older program; a file is not ours to replace.
#[cfg(unix)]
fn name_of(program: &Path, link: &Path) -> std::io::Result<()> {
    if link.is_symlink() {
        fs::remove_file(link)?;
    }
    std::os::unix::fs::symlink(program, link)
}

#[cfg(not(unix))]
fn name_of(_program: &Path, _link: &Path) -> std::io::Result<()> {
    Err(std::io::Error::other("the build scripts of kernels run on Linux only"))
}

/// A shell script, named as build scripts expect. They read `LD_LIBRARY_PATH` even where an unset variable is an error;
/// like the vendor's script, this one sets the variable.
fn environment(folder: &Path) -> String {
    let folder = line(&[folder.into()]);
    format!(
        "# Written by `pto c++ --as bisheng`: the vendor's compiler is the command of pto.
export ASCEND_HOME_PATH={folder}
export ASCEND_TOOLKIT_HOME={folder}
export PATH={folder}\"${{PATH:+:$PATH}}\"
export LD_LIBRARY_PATH={folder}/lib64\"${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\"
"
    )
}
