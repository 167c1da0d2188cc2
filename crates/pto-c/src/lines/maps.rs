//! Files that are mapped into a process as code, from `/proc/PID/maps`.

use std::path::PathBuf;

/// A part of a file, mapped as code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// First address.
    pub start: u64,
    /// End address, exclusive.
    pub end: u64,
    /// Offset of the first byte in the file.
    pub offset: u64,
    /// The file.
    pub path: PathBuf,
    /// Device and inode number of the file, unique while the file is open.
    pub identity: (String, u64),
    /// Whether the file was deleted: another file may have its name.
    pub is_deleted: bool,
}

/// Parses the executable mappings of files. Other lines are skipped.
pub fn parse(text: &str) -> Vec<Mapping> {
    text.lines().filter_map(mapping).collect()
}

/// A line such as `7f32a4026000-7f32a417b000 r-xp 00026000 fe:01 398741   /usr/lib/libc.so.6`.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let rights = words.next()?;
    let offset = words.next()?;
    let identity = (words.next()?.to_owned(), words.next()?.parse().ok()?);
    // A path may contain blanks.
    let path = &line[line.find('/')?..];
    let (path, is_deleted) = path.strip_suffix(" (deleted)").map_or((path, false), |path| (path, true));
    let hex = |digits: &str| u64::from_str_radix(digits, 16).ok();
    let (start, end, offset, path) = (hex(start)?, hex(end)?, hex(offset)?, path.into());
    rights.contains('x').then_some(Mapping { start, end, offset, path, identity, is_deleted })
}

/// The mapping of an address, and the place in its file.
pub fn find(mappings: &[Mapping], address: u64) -> Option<(&Mapping, u64)> {
    let mapping = mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&address))?;
    Some((mapping, mapping.offset.checked_add(address - mapping.start)?))
}
