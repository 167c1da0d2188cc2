//! Log files, read stream by stream. A first pass checks the frame of the file and notes where the lines of each core
//! are; memory is a few bytes for each change of the core from one line to the next.

use pto::data::{DataError, clip};
use pto::log::{Core, Entry, FOOTER, HEADER, LONGEST_LINE, Step};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum size in bytes of a log that is not a file, such as a pipe, and therefore kept in memory.
const MOST_KEPT: u64 = 1 << 30;

trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

type Reader = BufReader<Box<dyn ReadSeek>>;

/// The bytes of a log.
enum Bytes {
    File(PathBuf),
    Kept(Arc<[u8]>),
}

/// Consecutive lines of one core.
#[derive(Clone, Copy)]
struct Run {
    /// The first byte.
    start: u64,
    /// Number of lines.
    lines: u64,
    /// Number of the first line in the file, from 1.
    number: u64,
}

/// A log.
pub(super) struct LogFile {
    name: String,
    bytes: Bytes,
    streams: BTreeMap<Core, Vec<Run>>,
    entries: u64,
}

impl LogFile {
    /// Opens a log and checks its frame: header, numbers of the lines, and the last line.
    ///
    /// # Errors
    /// A file that cannot be read, is not a log, or is incomplete.
    pub(super) fn open(path: &Path) -> Result<LogFile, DataError> {
        let name = path.display().to_string();
        let fail = |error| DataError::misuse(format!("{name}: cannot read the file: {error}"));
        let file = File::open(path).map_err(fail)?;
        let known = file.metadata().map_err(fail)?;
        if known.is_dir() {
            return Err(DataError::misuse(format!("{name}: this is a folder, not a log")));
        }
        let bytes = if known.is_file() {
            Bytes::File(path.to_owned())
        } else {
            let mut bytes = Vec::new();
            file.take(MOST_KEPT + 1).read_to_end(&mut bytes).map_err(fail)?;
            if bytes.len() as u64 > MOST_KEPT {
                let message =
                    format!("{name}: more than {MOST_KEPT} bytes are too many for a log that is not a file");
                return Err(DataError::new(message).with_help("write it to a file first"));
            }
            Bytes::Kept(bytes.into())
        };
        let mut log = LogFile { name, bytes, streams: BTreeMap::new(), entries: 0 };
        log.index()?;
        Ok(log)
    }

    fn text(&self) -> Result<Text<'_>, DataError> {
        let unreadable = |error| unreadable(&self.name, &error);
        let source: Box<dyn ReadSeek> = match &self.bytes {
            Bytes::File(path) => Box::new(File::open(path).map_err(unreadable)?),
            Bytes::Kept(bytes) => Box::new(Cursor::new(bytes.clone())),
        };
        let reader = BufReader::with_capacity(1 << 17, source);
        Ok(Text { name: &self.name, reader, at: 0, number: 1, buffer: Vec::new() })
    }

    /// Notes where the lines of each core are.
    fn index(&mut self) -> Result<(), DataError> {
        let mut text = self.text()?;
        text.header()?;
        let (mut entries, mut last) = (0, None);
        let mut streams: BTreeMap<Core, Vec<Run>> = BTreeMap::new();
        loop {
            let (start, number) = (text.at, text.number);
            let Some(line) = text.next()? else {
                return Err(truncated(&self.name, &format!("it has no last line `{FOOTER}{entries}`")));
            };
            let wrong = |message: String| wrong(&self.name, number, message);
            if let Some(count) = line.strip_prefix(FOOTER) {
                if count.parse() != Ok(entries) {
                    return Err(wrong(format!(
                        "the log has {entries} entries, but says `{}`",
                        clip(count, 40)
                    )));
                }
                break;
            }
            let (sequence, core) = Entry::parse_core(line).map_err(wrong)?;
            if sequence != entries {
                return Err(wrong(format!("entry {entries} expected, not {sequence}")));
            }
            let runs = streams.entry(core).or_default();
            match runs.last_mut().filter(|_| last == Some(core)) {
                Some(run) => run.lines += 1,
                None => runs.push(Run { start, lines: 1, number }),
            }
            (last, entries) = (Some(core), entries + 1);
        }
        if text.next()?.is_some() {
            return Err(wrong(&self.name, text.number - 1, "a line after the last one of the log"));
        }
        (self.streams, self.entries) = (streams, entries);
        Ok(())
    }

    /// The name of the file.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Number of entries.
    pub(super) fn entries(&self) -> u64 {
        self.entries
    }

    /// The cores that have entries.
    pub(super) fn cores(&self) -> impl Iterator<Item = Core> {
        self.streams.keys().copied()
    }

    /// The entries of a core.
    pub(super) fn stream(&self, core: Core) -> Result<Stream<'_>, DataError> {
        let runs = self.streams.get(&core).map_or(&[][..], Vec::as_slice);
        Ok(Stream { text: self.text()?, runs, read: 0 })
    }

    /// The lines of entries, by number.
    pub(super) fn lines(&self, wanted: &BTreeSet<u64>) -> Result<BTreeMap<u64, String>, DataError> {
        let (mut text, mut found) = (self.text()?, BTreeMap::new());
        let Some(last) = wanted.last() else { return Ok(found) };
        text.header()?;
        for entry in 0..=*last {
            let Some(line) = text.next()? else { break };
            if wanted.contains(&entry) {
                found.insert(entry, line.to_owned());
            }
        }
        Ok(found)
    }
}

fn unreadable(name: &str, error: &std::io::Error) -> DataError {
    DataError::misuse(format!("{name}: cannot read the file: {error}"))
}

fn wrong(name: &str, line: u64, message: impl std::fmt::Display) -> DataError {
    DataError::new(format!("{name}:{line}: {message}"))
}

fn truncated(name: &str, how: &str) -> DataError {
    DataError::new(format!("{name}: the log has been cut off: {how}"))
        .with_help("write it anew with `pto run --log`")
}

/// The lines of a log.
struct Text<'a> {
    name: &'a str,
    reader: Reader,
    /// Bytes before the next line.
    at: u64,
    /// Number of the next line, from 1.
    number: u64,
    buffer: Vec<u8>,
}

impl Text<'_> {
    /// The next line without its end; `None` at the end of the file.
    fn next(&mut self) -> Result<Option<&str>, DataError> {
        self.buffer.clear();
        let most = LONGEST_LINE as u64;
        let part = self.reader.by_ref().take(most + 1).read_until(b'\n', &mut self.buffer);
        let read = part.map_err(|error| unreadable(self.name, &error))? as u64;
        let number = self.number;
        if read > most {
            return Err(wrong(self.name, number, format!("a line of a log has at most {most} bytes")));
        }
        if read == 0 {
            return Ok(None);
        }
        if self.buffer.pop_if(|byte| *byte == b'\n').is_none() {
            return Err(truncated(self.name, &format!("line {number} is not complete")));
        }
        self.buffer.pop_if(|byte| *byte == b'\r');
        (self.at, self.number) = (self.at + read, number + 1);
        match std::str::from_utf8(&self.buffer) {
            Ok(line) => Ok(Some(line)),
            Err(_) => Err(wrong(self.name, number, "not a line of a log: it is not UTF-8")),
        }
    }

    /// Reads the first line.
    fn header(&mut self) -> Result<(), DataError> {
        let is_header = match self.next() {
            Err(error) if error.misuse => return Err(error),
            line => line.is_ok_and(|line| line == Some(HEADER)),
        };
        if is_header {
            return Ok(());
        }
        let found = String::from_utf8_lossy(&self.buffer);
        let found = clip(&found, 40).escape_debug().to_string();
        let message = format!("{}: not a log: it starts with `{found}`, not with `{HEADER}`", self.name);
        Err(DataError::new(message).with_help("write one with `pto run --log FILE`"))
    }
}

/// The entries of a core, in order.
pub(super) struct Stream<'a> {
    text: Text<'a>,
    runs: &'a [Run],
    /// Lines of the first run that have been read.
    read: u64,
}

impl Stream<'_> {
    fn step(&mut self, run: Run) -> Result<Step, DataError> {
        let Text { name, .. } = self.text;
        if self.read == 0 {
            // A relative seek keeps the buffered bytes. No file has 2^63 bytes.
            let forward = run.start.cast_signed() - self.text.at.cast_signed();
            self.text.reader.seek_relative(forward).map_err(|error| unreadable(name, &error))?;
            (self.text.at, self.text.number) = (run.start, run.number);
        }
        let number = self.text.number;
        let Some(line) = self.text.next()? else { return Err(truncated(name, "it has become shorter")) };
        let entry = Entry::parse(line).map_err(|error| wrong(name, number, error))?;
        Ok(Step::of(&entry))
    }
}

impl Iterator for Stream<'_> {
    type Item = Result<Step, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let run = *self.runs.first()?;
        let step = self.step(run);
        self.read += 1;
        if self.read == run.lines {
            (self.runs, self.read) = (&self.runs[1..], 0);
        }
        if step.is_err() {
            self.runs = &[];
        }
        Some(step)
    }
}
