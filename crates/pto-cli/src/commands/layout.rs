//! `pto layout`.

use super::{Status, Text};
use crate::args::{LayoutArgs, Target};
use crate::output::{Output, write_all};
use crate::printer::{print_diagnostics, print_either, print_refusal};
use crate::{layout, picture};
use pto::Profile;
use pto::data::DataError;
use pto::diag::{Diagnostic, Severity};
use pto::isa::TileType;
use pto::isa::rules::alloc_tile::CAPACITY;

pub(super) fn run(args: &LayoutArgs) -> Result<Status, DataError> {
    let text = Text { name: "<type>".to_owned(), text: args.tile.clone() };
    let profile = args.target.map(Target::profile).unwrap_or_default();
    let refuse = |findings: &[Diagnostic], status: Status| {
        print_refusal(args.format.is_json(), findings, &text);
        status
    };
    let (tile, mut findings) = match pto::text::parse_tile_type(&args.tile) {
        Ok(read) => read,
        Err(findings) => return Ok(refuse(&findings, Status::Misused)),
    };
    findings.extend(judged(&tile, profile, args.tile.len() as u32));
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Ok(refuse(&findings, Status::Wrong));
    }
    print_diagnostics(&findings, &text);
    if let Some(path) = &args.svg {
        write_all(&[Output::new(path, picture::layout(&tile).into_bytes())])?;
    }
    let notes: Vec<_> = findings.iter().map(|finding| finding.message.clone()).collect();
    let report = || layout::json(&tile, profile, &notes);
    print_either(args.format.is_json(), report, || layout::text(&tile, profile));
    Ok(Status::Fine)
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
