//! Files that are mapped into a process as code, from `/proc/PID/maps`.

use std::path::{Path, PathBuf};

/// A part of a file, mapped as code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Its first address.
    pub start: u64,
    /// The address after its last one.
    pub end: u64,
    /// The place in the file of the first byte.
    pub offset: u64,
    /// The file.
    pub path: PathBuf,
}

/// The executable mappings of files. Lines that are none are left out, as are files that were deleted: another file may have their name.
pub fn parse(text: &str) -> Vec<Mapping> {
    text.lines().filter_map(mapping).collect()
}

/// A line such as `7f32a4026000-7f32a417b000 r-xp 00026000 fe:01 398741   /usr/lib/libc.so.6`.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let rights = words.next()?;
    let offset = words.next()?;
    // A path may contain blanks.
    let path = &line[line.find('/')?..];
    let hex = |digits: &str| u64::from_str_radix(digits, 16).ok();
    let mapping = Mapping { start: hex(start)?, end: hex(end)?, offset: hex(offset)?, path: path.into() };
    (rights.contains('x') && !path.ends_with(" (deleted)")).then_some(mapping)
}

/// The file at an address, and the place in it.
pub fn find(mappings: &[Mapping], address: u64) -> Option<(&Path, u64)> {
    let mapping = mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&address))?;
    Some((&mapping.path, mapping.offset.checked_add(address - mapping.start)?))
}
