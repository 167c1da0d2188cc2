//! `pto fmt`.

use super::{Status, read_text};
use crate::args::{FmtArgs, Spelling};
use crate::output::{Output, write_all};
use crate::printer::{print_diagnostics, print_err, print_out};
use pto::data::DataError;
use pto::text::{PrintedSpelling, Style, TypeAliases};

pub(super) fn run(args: &FmtArgs) -> Result<Status, DataError> {
    let text = read_text(&args.file)?;
    let parsed = match pto::parse(&text.text) {
        Ok(parsed) => parsed,
        Err(findings) => {
            print_diagnostics(&findings, &text);
            return Ok(Status::Wrong);
        }
    };
    let spelling = match args.spelling {
        Spelling::Dps => PrintedSpelling::Destination,
        Spelling::Ssa => PrintedSpelling::Ssa,
        Spelling::Asm => PrintedSpelling::Assembly,
    };
    let compact = !args.keyed && (args.compact || pto::text::has_compact_types(&text.text));
    let aliases = if args.expand { TypeAliases::Expanded } else { TypeAliases::Introduced };
    let style = Style { spelling, compact, source: Some(&text.text), aliases };
    let canonical = pto::text::print(&parsed.module, &style);
    if args.check {
        if canonical == text.text {
            return Ok(Status::Fine);
        }
        let differs = canonical.lines().zip(text.text.lines()).position(|(a, b)| a != b);
        let line = differs.unwrap_or_else(|| canonical.lines().count().min(text.text.lines().count())) + 1;
        print_err!("{}: not canonical from line {line} on; `pto fmt` rewrites it", text.name);
        return Ok(Status::Wrong);
    }
    match &args.output {
        Some(path) => write_all(&[Output::new(path, canonical.into_bytes())])?,
        None => print_out(&canonical),
    }
    Ok(Status::Fine)
}
