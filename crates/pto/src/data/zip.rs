//! Members of zip archives, as numpy writes them: stored or deflated, found by the directory at the end of the file.

use super::files::Contents;
use super::{DataError, clip};
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};
use std::io::{self, Read, SeekFrom};

/// Largest directory in bytes, and maximum number of members of an archive.
const LARGEST_DIRECTORY: u64 = 1 << 24;
const MOST_MEMBERS: usize = 1 << 16;

/// The method of a member that is deflated.
const DEFLATED: u16 = 8;

/// Largest deflated member, in bytes after decompression.
const LARGEST_DEFLATED: u64 = 1 << 32;

/// Maximum number of bytes to which one byte of a deflated member decompresses.
const DENSEST: u64 = 1032;

/// A member of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Name of the member.
    pub(super) name: String,
    flags: u16,
    method: u16,
    crc: u32,
    /// Sizes in bytes, in the archive and decompressed.
    packed: u64,
    pub(super) size: u64,
    /// Byte offset of the member's local header.
    offset: u64,
}

/// The members of an archive of `length` bytes.
///
/// # Errors
/// A file that is not an archive, or has a damaged directory.
pub(super) fn members(file: &mut dyn Contents, length: u64) -> Result<Vec<Member>, DataError> {
    let (directory, count) = directory(file, length)?;
    let mut rest = &directory[..];
    let mut members = Vec::new();
    for _ in 0..count {
        let (member, after) = member(rest).ok_or_else(|| damaged("its directory is damaged"))?;
        members.push(member);
        rest = after;
    }
    Ok(members)
}

fn damaged(what: &str) -> DataError {
    DataError::new(what).with_help("the file is truncated or damaged; write it again with numpy.savez")
}

fn unreadable(error: io::Error) -> DataError {
    DataError::new(format!("cannot read the file: {error}"))
}

/// Reads `size` bytes at an offset.
fn read_at(file: &mut dyn Contents, offset: u64, size: usize) -> Result<Vec<u8>, DataError> {
    let mut bytes = vec![0; size];
    file.seek(SeekFrom::Start(offset)).map_err(unreadable)?;
    file.read_exact(&mut bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged("the archive ends too early"),
        _ => unreadable(error),
    })?;
    Ok(bytes)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// The bytes of the directory, and the number of its members.
fn directory(file: &mut dyn Contents, length: u64) -> Result<(Vec<u8>, usize), DataError> {
    const END: usize = 22;
    let no_archive = || damaged("this is no .npz archive, or its end is missing");
    // The end record is followed by a comment of at most 65,535 bytes.
    let tail = length.min(END as u64 + u64::from(u16::MAX));
    let start = length - tail;
    let bytes = read_at(file, start, tail as usize)?;
    let at = (0..=bytes.len().saturating_sub(END))
        .rev()
        .find(|at| bytes.get(*at..at + 4) == Some(b"PK\x05\x06"))
        .ok_or_else(no_archive)?;
    let end = &bytes[at..];
    let read = || Some((u16_at(end, 10)?.into(), u32_at(end, 12)?.into(), u32_at(end, 16)?.into()));
    let (mut count, mut size, mut offset): (u64, u64, u64) = read().ok_or_else(no_archive)?;
    // Large archives have a second end record, whose place is in the 20 bytes before this one.
    let locator = at.checked_sub(20).map(|at| &bytes[at..at + 20]);
    if let Some(locator) = locator.filter(|locator| locator.starts_with(b"PK\x06\x07")) {
        let place = u64_at(locator, 8).filter(|place| *place < length).ok_or_else(no_archive)?;
        let end = read_at(file, place, 56)?;
        let read = || Some((u64_at(&end, 32)?, u64_at(&end, 40)?, u64_at(&end, 48)?));
        (count, size, offset) = read().filter(|_| end.starts_with(b"PK\x06\x06")).ok_or_else(no_archive)?;
    }
    if count > MOST_MEMBERS as u64 || size > LARGEST_DIRECTORY {
        return Err(DataError::new(format!("an archive of {count} members is too large")));
    }
    if offset.checked_add(size).is_none_or(|end| end > length) {
        return Err(no_archive());
    }
    Ok((read_at(file, offset, size as usize)?, count as usize))
}

/// The first member of a directory, and the rest of it.
fn member(bytes: &[u8]) -> Option<(Member, &[u8])> {
    const FIXED: usize = 46;
    if !bytes.starts_with(b"PK\x01\x02") {
        return None;
    }
    let lengths = [u16_at(bytes, 28)?, u16_at(bytes, 30)?, u16_at(bytes, 32)?].map(usize::from);
    let name = bytes.get(FIXED..FIXED + lengths[0])?;
    let extra = bytes.get(FIXED + lengths[0]..FIXED + lengths[0] + lengths[1])?;
    let mut member = Member {
        name: String::from_utf8_lossy(name).into_owned(),
        flags: u16_at(bytes, 8)?,
        method: u16_at(bytes, 10)?,
        crc: u32_at(bytes, 16)?,
        packed: u32_at(bytes, 20)?.into(),
        size: u32_at(bytes, 24)?.into(),
        offset: u32_at(bytes, 42)?.into(),
    };
    widen(&mut member, extra)?;
    Some((member, bytes.get(FIXED + lengths.iter().sum::<usize>()..)?))
}

/// Replaces sizes that do not fit in 32 bits by those of the extra field 1, which lists them in order.
fn widen(member: &mut Member, mut extra: &[u8]) -> Option<()> {
    const WIDE: u64 = u32::MAX as u64;
    while extra.len() >= 4 {
        let (id, length) = (u16_at(extra, 0)?, usize::from(u16_at(extra, 2)?));
        let field = extra.get(4..4 + length)?;
        if id == 1 {
            let values = [&mut member.size, &mut member.packed, &mut member.offset];
            for (at, value) in values.into_iter().filter(|value| **value == WIDE).enumerate() {
                *value = u64_at(field, at * 8)?;
            }
        }
        extra = &extra[4 + length..];
    }
    Some(())
}

impl Member {
    /// Whether its contents are compressed.
    pub(super) fn is_deflated(&self) -> bool {
        self.method == DEFLATED
    }

    /// Opens the contents of the member, decompressed as they are read. A read fails at the end if the checksum differs.
    ///
    /// # Errors
    /// A member that is encrypted, compressed by another method, or too large.
    pub(super) fn open<'a>(
        &self,
        file: &'a mut dyn Contents,
        length: u64,
    ) -> Result<Unpacked<'a>, DataError> {
        let name = clip(&self.name, 60);
        if self.flags & 1 != 0 {
            return Err(DataError::new(format!("its member `{name}` is encrypted")));
        }
        let deflated = match self.method {
            0 => false,
            DEFLATED => true,
            method => {
                let message = format!("its member `{name}` is compressed by method {method}");
                return Err(DataError::new(message).with_help("numpy.savez_compressed deflates members"));
            }
        };
        let plausible = match deflated {
            true => self.size <= self.packed.saturating_mul(DENSEST),
            false => self.size == self.packed,
        };
        if !plausible {
            return Err(damaged(&format!(
                "its member `{name}` claims {} bytes, which its {} bytes cannot hold",
                self.size, self.packed
            )));
        }
        if deflated && self.size > LARGEST_DEFLATED {
            let message =
                format!("its member `{name}` has {} bytes, too many for a compressed array", self.size);
            return Err(
                DataError::new(message).with_help("write it with numpy.savez, or alone with numpy.save")
            );
        }
        let header = read_at(file, self.offset, 30)?;
        let lengths =
            u16_at(&header, 26).zip(u16_at(&header, 28)).filter(|_| header.starts_with(b"PK\x03\x04"));
        let (name_bytes, extra) = lengths.ok_or_else(|| damaged("its directory names no member"))?;
        let start = (self.offset + 30).saturating_add(u64::from(name_bytes) + u64::from(extra));
        if start.checked_add(self.packed).is_none_or(|end| end > length) {
            return Err(damaged(&format!("its member `{name}` ends after the file")));
        }
        file.seek(SeekFrom::Start(start)).map_err(unreadable)?;
        Ok(Unpacked {
            packed: file.take(self.packed),
            state: deflated.then(|| InflateState::new_boxed(DataFormat::Raw)),
            input: vec![0; 1 << 15],
            pending: 0..0,
            left: self.size,
            crc: Crc::new(),
            wanted: self.crc,
        })
    }
}

/// The contents of a member.
pub(super) struct Unpacked<'a> {
    packed: io::Take<&'a mut dyn Contents>,
    /// `None` for a stored member.
    state: Option<Box<InflateState>>,
    input: Vec<u8>,
    /// The part of `input` that is not decompressed yet.
    pending: std::ops::Range<usize>,
    /// Bytes that are still to come.
    left: u64,
    crc: Crc,
    wanted: u32,
}

impl Read for Unpacked<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(out.len());
        if most == 0 {
            return Ok(0);
        }
        let count = match self.state {
            None => self.packed.read(&mut out[..most])?,
            Some(_) => self.inflate(&mut out[..most])?,
        };
        if count == 0 {
            return Err(io::Error::other("a member of the archive ends too early"));
        }
        self.crc.add(&out[..count]);
        self.left -= count as u64;
        if self.left == 0 && self.crc.value() != self.wanted {
            return Err(io::Error::other("the checksum of a member of the archive is wrong"));
        }
        Ok(count)
    }
}

impl Unpacked<'_> {
    /// Decompresses at least one byte, unless the member has ended.
    fn inflate(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some(state) = self.state.as_mut() else { return Ok(0) };
        loop {
            if self.pending.is_empty() {
                self.pending = 0..self.packed.read(&mut self.input)?;
            }
            let at_end = self.pending.is_empty();
            let result = inflate(state, &self.input[self.pending.clone()], out, MZFlush::None);
            self.pending.start += result.bytes_consumed;
            match result.status {
                _ if result.bytes_written > 0 => return Ok(result.bytes_written),
                Ok(MZStatus::StreamEnd) => return Ok(0),
                Ok(_) | Err(MZError::Buf) if !at_end => {}
                Ok(_) | Err(MZError::Buf) => return Ok(0),
                Err(_) => return Err(io::Error::other("the compressed data of the archive is damaged")),
            }
        }
    }
}

/// The checksum of zip archives: CRC-32 with the polynomial 0xEDB88320.
struct Crc {
    table: [u32; 256],
    state: u32,
}

impl Crc {
    fn new() -> Crc {
        let step = |value: u32| if value & 1 == 0 { value >> 1 } else { value >> 1 ^ 0xedb8_8320 };
        let row = |byte: usize| (0..8).fold(byte as u32, |value, _| step(value));
        Crc { table: std::array::from_fn(row), state: u32::MAX }
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.state = self.table[((self.state ^ u32::from(*byte)) & 0xff) as usize] ^ self.state >> 8;
        }
    }

    fn value(&self) -> u32 {
        !self.state
    }
}
