//! `pto run --log` and `pto diff-log`: the hash of what each tile instruction wrote, and the first difference of two
//! runs.

use super::{Status, print_out};
use crate::args::DiffLogArgs;
use crate::render::SourceText;
use pto::Program;
use pto::data::DataError;
use pto::sim::LogEntry;
use std::fmt::Write as _;
use std::path::Path;

/// The log as text: a line per instruction.
pub(super) fn to_text(program: &Program, log: &[LogEntry], source: &SourceText<'_>) -> String {
    let mut text = String::with_capacity(log.len() * 80);
    for (sequence, entry) in log.iter().enumerate() {
        let place = source.position(entry.span.start as usize);
        let LogEntry { rank, block, core, vector_core, bytes, hash, .. } = entry;
        let _ = writeln!(
            text,
            "{sequence} rank {rank} block {block} {core} {vector_core} {} {} at {}:{} wrote {bytes} bytes {hash:016x}",
            entry.pipe.word(),
            program.name_in_log(entry),
            place.line,
            place.column,
        );
    }
    text
}

fn read(path: &Path) -> Result<String, DataError> {
    std::fs::read_to_string(path)
        .map_err(|error| DataError::misuse(format!("{}: cannot read the file: {error}", path.display())))
}

/// Prints the first difference of two logs.
pub(super) fn diff(args: &DiffLogArgs) -> Result<Status, DataError> {
    let (a, b) = (read(&args.first)?, read(&args.second)?);
    let mut lines = (a.lines(), b.lines());
    let mut count = 0usize;
    loop {
        let ended = |path: &Path| format!("{} ends here", path.display());
        let (first, second) = match (lines.0.next(), lines.1.next()) {
            (None, None) => {
                print_out(&format!("the same {count} instructions\n"));
                return Ok(Status::Fine);
            }
            (Some(first), Some(second)) if first == second => {
                count += 1;
                continue;
            }
            (Some(first), Some(second)) => (first.to_owned(), second.to_owned()),
            (Some(first), None) => (first.to_owned(), ended(&args.second)),
            (None, Some(second)) => (ended(&args.first), second.to_owned()),
        };
        print_out(&format!("the first {count} instructions are the same; then\n- {first}\n+ {second}\n"));
        return Ok(Status::Wrong);
    }
}
