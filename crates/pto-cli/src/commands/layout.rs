//! `pto layout`.

use super::{Status, Text};
use crate::args::{LayoutArgs, Target};
use crate::output::{Output, write_all};
use crate::printer::{print_diagnostics, print_out};
use crate::render::SourceText;
use crate::report;
use crate::{layout, picture};
use pto::Profile;
use pto::data::DataError;
use pto::diag::{Diagnostic, Severity};
use pto::isa::TileType;
use pto::isa::rules::alloc_tile::CAPACITY;
use serde_json::json;

pub(super) fn run(args: &LayoutArgs) -> Result<Status, DataError> {
    let text = Text { name: "<type>".to_owned(), text: args.tile.clone() };
    let profile = args.target.map(Target::profile).unwrap_or_default();
    let (tile, mut findings) = match pto::text::parse_tile_type(&args.tile) {
        Ok(read) => read,
        Err(findings) => return Ok(refuse(args, &findings, &text)),
    };
    findings.extend(judged(&tile, profile, args.tile.len() as u32));
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Ok(refuse(args, &findings, &text));
    }
    print_diagnostics(&findings, &text);
    if let Some(path) = &args.svg {
        write_all(&[Output::new(path, picture::layout(&tile).into_bytes())])?;
    }
    if args.format.is_json() {
        let notes: Vec<_> = findings.iter().map(|finding| finding.message.clone()).collect();
        print_out(&format!("{:#}\n", layout::json(&tile, profile, &notes)));
    } else {
        print_out(&layout::text(&tile, profile));
    }
    Ok(Status::Fine)
}

/// Reports why a type has no layout.
fn refuse(args: &LayoutArgs, findings: &[Diagnostic], text: &Text) -> Status {
    if args.format.is_json() {
        let source = SourceText::new(&text.name, &text.text);
        print_out(&format!("{:#}\n", json!({ "diagnostics": report::findings(findings, &source) })));
    } else {
        print_diagnostics(findings, text);
    }
    Status::Wrong
}

/// The findings of the profile about the type; each spans the whole text.
fn judged(tile: &TileType, profile: Profile, end: u32) -> Vec<Diagnostic> {
    let whole = pto::diag::Span::new(0, end);
    let findings = pto::check::tile_type(tile, profile).into_iter().map(|finding| finding.at(whole));
    let mut findings: Vec<_> = findings.collect();
    let (bytes, capacity) = (tile.bytes() as u64, profile.capacity(tile.buffer()));
    if bytes > capacity {
        let buffer = tile.buffer().word();
        let message =
            format!("{bytes} bytes do not fit {buffer}, which has {capacity} on {}", profile.word());
        findings.push(Diagnostic::new(Severity::Lint, &CAPACITY, message).at(whole));
    }
    findings
}
