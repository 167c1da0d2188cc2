//! The text of a log: a header, a line for each entry, and a last line with their number.
//!
//! ```text
//! # pto log 2
//! 0 rank 0 block 0 core 0 MTE2 tload at 12:3 | reads %x gm:x[0x0..0x100] | writes %a ub[0x0..0x100] 256 bytes 0fe1d2c3b4a59687
//! 1 rank 0 block 0 core 0 MTE2 set_flag at 13:3 | set MTE2 V event 0
//! # end 2
//! ```
//!
//! Words are separated by one space, clauses by ` | `. An entry is an instruction, or its first clause names its
//! synchronization. A log without its last line is incomplete.

use super::entry::{Action, Area, Core, CoreKind, Entry, Operand, Position, QueueEnd, Reach, Shape, Use};
use pto_isa::diag::Span;
use pto_isa::pipe::Pipe;
use std::fmt;

/// First line of a log.
pub const HEADER: &str = "# pto log 2";

/// Start of the last line of a log, which the number of entries follows.
pub const FOOTER: &str = "# end ";

/// Longest line of a log, in bytes; an instruction has a few operands of a hundred bytes each.
pub const LONGEST_LINE: usize = 1 << 16;

/// The pipes that a line may name.
const PIPES: [Pipe; 8] =
    [Pipe::Vector, Pipe::Mte2, Pipe::Mte3, Pipe::Mte1, Pipe::Matrix, Pipe::Fixpipe, Pipe::Scalar, Pipe::All];

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match self.usage {
            Use::Reads => "reads",
            Use::Writes { .. } => "writes",
            Use::Destroys => "destroys",
            Use::Notifies => "notifies",
            Use::Awaits => "awaits",
        };
        write!(f, "{verb} %{} {}", self.name, self.area)?;
        match self.usage {
            Use::Writes { bytes, hash } => write!(f, " {bytes} bytes {hash:016x}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Run => f.write_str("run"),
            Action::Set { from, to, event } => write!(f, "set {} {} event {event}", from.word(), to.word()),
            Action::Wait { from, to, event } => write!(f, "wait {} {} event {event}", from.word(), to.word()),
            Action::Barrier(pipe) => write!(f, "barrier {}", pipe.word()),
            Action::AllWait(pipe) => write!(f, "all-wait {}", pipe.word()),
            Action::Acquire { pipe, token } => write!(f, "acquire {} token {token}", pipe.word()),
            Action::Release { pipe, token } => write!(f, "release {} token {token}", pipe.word()),
            Action::Allocate { queue, returns } => write!(f, "allocate {queue} returns {returns}"),
            Action::Push { queue, entry } => write!(f, "push {queue} entry {entry}"),
            Action::Pop { queue, entry } => write!(f, "pop {queue} entry {entry}"),
            Action::Free { queue, number } => write!(f, "free {queue} entry {number}"),
            Action::Signal { pipe, reach, flag } => {
                write!(f, "signal {} {} flag {flag}", pipe.word(), reach.word())
            }
            Action::Await { pipe, reach, flag, count } => {
                write!(f, "await {} {} flag {flag} count {count}", pipe.word(), reach.word())
            }
            Action::Notify => f.write_str("notify"),
            Action::See => f.write_str("see"),
        }
    }
}

impl fmt::Display for Entry<'_> {
    /// Writes the entry as a line, without the end of the line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        write!(f, "{} {} {} {} at {line}:{column}", self.sequence, self.core, self.pipe.word(), self.name)?;
        if !self.is_instruction() {
            write!(f, " | {}", self.action)?;
        }
        self.operands.iter().try_for_each(|operand| write!(f, " | {operand}"))
    }
}

/// The words of a line that have not been read.
struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    fn next(&mut self) -> Result<&'a str, String> {
        let (word, rest) = self.0.split_once(' ').unwrap_or((self.0, ""));
        self.0 = rest;
        if word.is_empty() { Err("the line ends early".to_owned()) } else { Ok(word) }
    }

    fn keyword(&mut self, wanted: &str) -> Result<(), String> {
        let word = self.next()?;
        if word == wanted { Ok(()) } else { Err(unexpected(wanted, word)) }
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T, String> {
        let word = self.next()?;
        word.parse().map_err(|_| unexpected("a number", word))
    }

    /// A number after its keyword.
    fn named<T: std::str::FromStr>(&mut self, keyword: &str) -> Result<T, String> {
        self.keyword(keyword)?;
        self.number()
    }

    fn pipe(&mut self) -> Result<Pipe, String> {
        let word = self.next()?;
        PIPES.into_iter().find(|pipe| pipe.word() == word).ok_or_else(|| unexpected("a pipe", word))
    }

    fn reach(&mut self) -> Result<Reach, String> {
        let word = self.next()?;
        Reach::ALL.into_iter().find(|reach| reach.word() == word).ok_or_else(|| unexpected("a reach", word))
    }

    fn queue(&mut self) -> Result<QueueEnd, String> {
        let id = self.named("queue")?;
        self.keyword("to")?;
        let to_vector = match self.next()? {
            "vector" => true,
            "cube" => false,
            word => return Err(unexpected("`vector` or `cube`", word)),
        };
        Ok(QueueEnd { id, to_vector, core: self.named("core")? })
    }

    fn end(&self) -> Result<(), String> {
        if self.0.is_empty() { Ok(()) } else { Err(unexpected("the end of the clause", self.0)) }
    }
}

/// The message for a word that does not belong at its place; user input is cut.
fn unexpected(wanted: &str, word: &str) -> String {
    let shown: String = word.chars().take(40).flat_map(char::escape_debug).collect();
    format!("{wanted} expected, not `{shown}`")
}

fn hexadecimal(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").filter(|digits| !digits.starts_with('+'));
    digits
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
        .ok_or_else(|| unexpected("a hexadecimal number", text))
}

fn area(text: &str) -> Result<Area<'_>, String> {
    let malformed = || unexpected("a range such as `ub[0x0..0x40]`", text);
    let (space, inside) =
        text.strip_suffix(']').and_then(|text| text.split_once('[')).ok_or_else(malformed)?;
    let (range, shape) =
        inside.split_once(", ").map_or((inside, None), |(range, shape)| (range, Some(shape)));
    let (start, end) = range.split_once("..").ok_or_else(malformed)?;
    let (start, end) = (hexadecimal(start)?, hexadecimal(end)?);
    if end < start {
        return Err(malformed());
    }
    let shape = match shape {
        None => Shape::Whole,
        Some("parts") => Shape::Parts,
        Some(runs) => {
            let (run, stride) = runs.split_once(" every ").ok_or_else(malformed)?;
            let (run, stride) = (hexadecimal(run)?, hexadecimal(stride)?);
            if stride == 0 || run > stride {
                return Err(malformed());
            }
            Shape::Runs { run, stride }
        }
    };
    Ok(Area { space, start, end, shape })
}

fn operand<'a>(verb: &str, mut words: Words<'a>) -> Result<Operand<'a>, String> {
    let word = words.next()?;
    let name = word.strip_prefix('%').ok_or_else(|| unexpected("a name with `%`", word))?;
    let end = words.0.find(']').ok_or_else(|| unexpected("a range such as `ub[0x0..0x40]`", words.0))? + 1;
    let area = area(&words.0[..end])?;
    words.0 = words.0[end..].trim_start_matches(' ');
    let usage = match verb {
        "reads" => Use::Reads,
        "destroys" => Use::Destroys,
        "notifies" => Use::Notifies,
        "awaits" => Use::Awaits,
        _ => {
            let bytes = words.number()?;
            words.keyword("bytes")?;
            let hash = words.next()?;
            let parsed = u64::from_str_radix(hash, 16).ok().filter(|_| hash.len() == 16);
            Use::Writes { bytes, hash: parsed.ok_or_else(|| unexpected("a hash of 16 digits", hash))? }
        }
    };
    words.end()?;
    Ok(Operand { name, area, usage })
}

fn action(kind: &str, mut words: Words<'_>) -> Result<Action, String> {
    let action = match kind {
        "set" | "wait" => {
            let (from, to, event) = (words.pipe()?, words.pipe()?, words.named("event")?);
            if kind == "set" { Action::Set { from, to, event } } else { Action::Wait { from, to, event } }
        }
        "barrier" => Action::Barrier(words.pipe()?),
        "all-wait" => Action::AllWait(words.pipe()?),
        "acquire" => Action::Acquire { pipe: words.pipe()?, token: words.named("token")? },
        "release" => Action::Release { pipe: words.pipe()?, token: words.named("token")? },
        "allocate" => Action::Allocate { queue: words.queue()?, returns: words.named("returns")? },
        "push" => Action::Push { queue: words.queue()?, entry: words.named("entry")? },
        "pop" => Action::Pop { queue: words.queue()?, entry: words.named("entry")? },
        "free" => Action::Free { queue: words.queue()?, number: words.named("entry")? },
        "signal" => Action::Signal { pipe: words.pipe()?, reach: words.reach()?, flag: words.named("flag")? },
        "await" => Action::Await {
            pipe: words.pipe()?,
            reach: words.reach()?,
            flag: words.named("flag")?,
            count: words.named("count")?,
        },
        "notify" => Action::Notify,
        "see" => Action::See,
        word => return Err(unexpected("a clause such as `reads` or `set`", word)),
    };
    words.end()?;
    Ok(action)
}

fn core(words: &mut Words<'_>) -> Result<Core, String> {
    let (rank, block) = (words.named("rank")?, words.named("block")?);
    let kind = match words.next()? {
        "core" => CoreKind::Core,
        "cube" => CoreKind::Cube,
        "vector" => CoreKind::Vector,
        word => return Err(unexpected("a kind of core", word)),
    };
    Ok(Core { rank, block, kind, vector_core: words.number()? })
}

impl<'a> Entry<'a> {
    /// Reads number and core from a line, and nothing else.
    ///
    /// # Errors
    /// The expected text of the line.
    pub fn parse_core(line: &str) -> Result<(u64, Core), String> {
        let mut words = Words(line);
        Ok((words.number()?, core(&mut words)?))
    }

    /// Reads a line of a log, without the end of the line.
    ///
    /// # Errors
    /// The expected text of the line.
    pub fn parse(line: &'a str) -> Result<Entry<'a>, String> {
        let mut clauses = line.split(" | ");
        let mut words = Words(clauses.next().unwrap_or_default());
        let (sequence, core) = (words.number()?, core(&mut words)?);
        let (pipe, name) = (words.pipe()?, words.next()?);
        words.keyword("at")?;
        let word = words.next()?;
        let at =
            word.split_once(':').and_then(|(line, column)| Some((line.parse().ok()?, column.parse().ok()?)));
        let (line, column) = at.ok_or_else(|| unexpected("a position such as `12:3`", word))?;
        words.end()?;
        let position = Position { line, column };
        let mut entry = Entry {
            sequence,
            core,
            pipe,
            name,
            span: Span::default(),
            position,
            action: Action::Run,
            operands: Vec::new(),
        };
        for (at, clause) in clauses.enumerate() {
            let mut words = Words(clause);
            match words.next()? {
                verb @ ("reads" | "writes" | "destroys" | "notifies" | "awaits") => {
                    entry.operands.push(operand(verb, words)?)
                }
                kind if at == 0 => entry.action = action(kind, words)?,
                word => return Err(unexpected("`reads`, `writes` or `destroys`", word)),
            }
        }
        Ok(entry)
    }
}
