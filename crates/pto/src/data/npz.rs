//! `.npz` files: zip archives of `.npy` files, as `numpy.savez` and `numpy.savez_compressed` write them.
//!
//! Members are stored or deflated. Our own parser reads their directory: a crate for all of zip would add more
//! dependencies than the inflating crate. Sizes that a member claims are not trusted for allocations: memory grows with
//! the bytes that were read, and a member larger than its array is an error.

use super::files::open;
use super::zip::{Member, members};
use super::{Array, DataError, Files, Opened, clip, npy};
use pto_isa::diag::nearest;
use pto_num::Element;
use std::io::Read;
use std::path::Path;

#[cfg(test)]
mod tests;

/// Maximum number of names that a message lists.
const MOST_NAMES: usize = 12;

/// Reads the array `name` of the archive in `path`; without a name, its only array. The array's type must store `wanted`, as for
/// [`npy::read`].
///
/// # Errors
/// A file that is not an archive; an archive without that array; no name for an archive with several arrays; a damaged
/// member.
pub fn read(path: &Path, name: Option<&str>, wanted: Element, files: &dyn Files) -> Result<Array, DataError> {
    read_by(path, name, files, &|unpacked| npy::read_from(unpacked, None, wanted))
}

/// Reads the array `name` of the archive in `path`, if it is in a wider float format than `element`, as for [`npy::read_wider`].
pub(super) fn read_wider(
    path: &Path,
    name: Option<&str>,
    element: Element,
    files: &dyn Files,
) -> Result<Option<npy::Wider>, DataError> {
    read_by(path, name, files, &|unpacked| npy::read_wider_from(unpacked, None, element))
}

/// Applies a reader to an array of an archive.
fn read_by<T>(
    path: &Path,
    name: Option<&str>,
    files: &dyn Files,
    reader_of: &dyn Fn(&mut dyn Read) -> Result<T, DataError>,
) -> Result<T, DataError> {
    let in_file =
        |error: DataError| DataError { message: format!("{}: {}", path.display(), error.message), ..error };
    let Opened { mut reader, length } = open(path, files)?;
    let mut array = || {
        let length = length.ok_or_else(|| DataError::new("an archive must be a regular file"))?;
        let members = members(&mut *reader, length)?;
        let member = find(&members, name, path)?;
        let unpacked = &mut member.open(&mut *reader, length)?;
        reader_of(unpacked).map_err(|error| DataError {
            message: format!("`{}`: {}", shown(member), error.message),
            ..error
        })
    };
    array().map_err(in_file)
}

/// The shape of an array of an archive, if [`read`] finds it.
pub fn shape(path: &Path, name: Option<&str>, files: &dyn Files) -> Option<Vec<usize>> {
    let Opened { mut reader, length } = open(path, files).ok()?;
    let members = members(&mut *reader, length?).ok()?;
    let member = find(&members, name, path).ok()?;
    npy::shape_from(&mut member.open(&mut *reader, length?).ok()?)
}

/// The format of an array of an archive, if [`read`] finds it, as for [`npy::element_from`].
pub fn element(path: &Path, name: Option<&str>, files: &dyn Files) -> Option<Element> {
    let Opened { mut reader, length } = open(path, files).ok()?;
    let members = members(&mut *reader, length?).ok()?;
    let member = find(&members, name, path).ok()?;
    npy::element_from(&mut member.open(&mut *reader, length?).ok()?)
}

/// Bytes that the array of an archive takes, if [`read`] finds it and decompresses it.
pub fn inflated_bytes(path: &Path, name: Option<&str>, files: &dyn Files) -> Option<u64> {
    let Opened { mut reader, length } = open(path, files).ok()?;
    let members = members(&mut *reader, length?).ok()?;
    find(&members, name, path).ok().filter(|member| member.is_deflated()).map(|member| member.size)
}

/// Names of the arrays in an archive, in its order.
///
/// # Errors
/// A file that cannot be opened, or is not an archive.
pub fn names(path: &Path, files: &dyn Files) -> Result<Vec<String>, DataError> {
    let Opened { mut reader, length } = open(path, files)?;
    let members = members(&mut *reader, length.unwrap_or(0))
        .map_err(|error| DataError { message: format!("{}: {}", path.display(), error.message), ..error })?;
    Ok(members.iter().filter_map(array_name).map(str::to_owned).collect())
}

/// Name of the array in a member; `None` if the member is not an array.
fn array_name(member: &Member) -> Option<&str> {
    member.name.strip_suffix(".npy")
}

fn shown(member: &Member) -> String {
    clip(array_name(member).unwrap_or(&member.name), 60)
}

/// The member of an array.
fn find<'a>(members: &'a [Member], name: Option<&str>, path: &Path) -> Result<&'a Member, DataError> {
    let arrays: Vec<(&str, &Member)> =
        members.iter().filter_map(|member| Some((array_name(member)?, member))).collect();
    let mut listed: Vec<String> = arrays.iter().take(MOST_NAMES).map(|(name, _)| clip(name, 60)).collect();
    if arrays.len() > MOST_NAMES {
        listed.push(format!("and {} more", arrays.len() - MOST_NAMES));
    }
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let choose = |first: &str| format!("it has {}; name one, such as `{file}:{first}`", listed.join(", "));
    let Some(name) = name else {
        return match arrays[..] {
            [(_, member)] => Ok(member),
            [] => Err(DataError::new("this archive has no arrays")),
            [(first, _), ..] => {
                let message = format!("this archive has {} arrays", arrays.len());
                Err(DataError::misuse(message).with_help(choose(first)))
            }
        };
    };
    let wanted = name.strip_suffix(".npy").unwrap_or(name);
    let found = arrays.iter().find(|(known, _)| *known == name || *known == wanted);
    found.map(|(_, member)| *member).ok_or_else(|| {
        let error = DataError::misuse(format!("this archive has no array `{}`", clip(name, 60)));
        match (nearest(name, arrays.iter().map(|(known, _)| *known)), arrays.first()) {
            (Some(near), _) => {
                error.with_help(format!("did you mean `{near}`? it has {}", listed.join(", ")))
            }
            (None, Some(_)) => error.with_help(format!("it has {}", listed.join(", "))),
            (None, None) => error.with_help("it has no arrays"),
        }
    })
}
