//! Findings about memory in words.

use super::{allocation, buffer_name, counted, in_buffer, name_of, operand_of, shared, span_of, tile_at};
use crate::diag::Diagnostic;
use crate::isa::rules;
use crate::observe::init::Unwritten;
use crate::observe::mem::Trouble;
use crate::observe::reuse::{Clobbered, Pair};
use crate::sim::Program;
use crate::sim::event::{Place, Touched};
use crate::sim::operands::Space;
use crate::sim::strided_range::StridedRange;

/// The element of an operand that has a byte: row and column of a tile or of a buffer.
fn element_in_words(program: &Program, at: Place, touched: &Touched, byte: u64) -> String {
    let first = StridedRange::bytes(byte, 1);
    let element = tile_at(program, at, touched.touch.operand)
        .and_then(|(tile, _)| shared(&tile, touched.start, &touched.range, &first));
    match (element, touched.space) {
        (Some(((row, _), (col, _))), _) => format!("its row {row}, column {col}"),
        (None, Space::Global(buffer)) => in_buffer(program, buffer, byte, touched.grid),
        (None, Space::Chip(..)) => format!("byte {byte}"),
    }
}

pub(in crate::observe) fn trouble_in_words(
    program: &Program,
    place: Place,
    operand: u16,
    trouble: Trouble,
    count: u64,
) -> Diagnostic {
    let (op, name, span) = operand_of(program, place, operand);
    let (rule, message, help) = match trouble {
        Trouble::SelfOverlap => (
            &rules::mem::SELF_OVERLAP,
            format!("`{op}` stores to `%{name}`, where two indices are one place: which value stays is open"),
            "give the view strides that keep its elements apart",
        ),
        Trouble::Returned => (
            &rules::mem::AFTER_FREE,
            format!(
                "`{op}` uses `%{name}` in a slot of a queue that was given back: the next entry may be there"
            ),
            "free the slot behind its last use",
        ),
    };
    let finding = Diagnostic::error(rule, message).at(span).with_help(help.to_owned());
    counted(finding, count)
}

/// An instruction that uses the window of UB for itself, while a tile there is read afterwards.
pub(in crate::observe) fn evicted_in_words(
    program: &Program,
    user: Place,
    (read, operand): (Place, u16),
    count: u64,
) -> Diagnostic {
    let (op, name, span) = operand_of(program, read, operand);
    let message = format!(
        "`{}` keeps intermediate results in the last 8 KB of UB, where `%{name}` is, which `{op}` reads afterwards",
        name_of(program, user)
    );
    let finding = Diagnostic::error(&rules::mem::RESERVED_WINDOW, message)
        .at(span_of(program, user))
        .with_label(span, "read here")
        .with_help(
            "pass a `tmp` tile where the instruction takes one, or place the tile below 184 KB".to_owned(),
        );
    counted(finding, count)
}

/// A part that ends beyond its view, given the dimension, the end and the extent.
pub(in crate::observe) fn beyond_in_words(
    program: &Program,
    at: Place,
    (dimension, end, extent): (usize, u64, u64),
    count: u64,
) -> Diagnostic {
    let (_, name, _) = operand_of(program, at, 0);
    let message = format!(
        "the part ends at index {end} of dimension {dimension}, but `%{name}` has {extent}: what lies beyond is another row's, \
         or nobody's"
    );
    let help = "limit the size to what the view has left, for instance with `arith.minsi`".to_owned();
    counted(
        Diagnostic::error(&rules::mem::BEYOND_VIEW, message).at(span_of(program, at)).with_help(help),
        count,
    )
}

/// A tile that is read after another one has taken its place.
pub(in crate::observe) fn clobbered_in_words(program: &Program, pair: Pair, found: &Clobbered) -> Diagnostic {
    let ((writes, by), at) = pair;
    let (op, name, span) = operand_of(program, at, found.read.touch.operand);
    let (writer, other, place) = operand_of(program, writes, by);
    let element = element_in_words(program, at, &found.read, found.byte);
    let message = format!(
        "`{op}` reads `%{name}`, but {element} was overwritten in between through `%{other}`, which has its place"
    );
    let finding = Diagnostic::error(&rules::mem::CLOBBERED, message)
        .at(span)
        .with_label(place, format!("`{writer}` overwrites it here"))
        .with_help(format!("give `%{name}` and `%{other}` places of their own: both are needed at once"));
    counted(finding, found.count)
}

pub(in crate::observe) fn unwritten_in_words(program: &Program, at: Place, found: &Unwritten) -> Diagnostic {
    let Unwritten { read, byte, count } = found;
    let (op, name, span) = operand_of(program, at, read.touch.operand);
    let element = element_in_words(program, at, read, *byte);
    let message = format!("`{op}` reads `%{name}`, but nothing has written {element}");
    let mut finding = Diagnostic::error(&rules::init::UNWRITTEN, message).at(span);
    if let Some(span) = allocation(program, at, read.touch.operand) {
        finding = finding.with_label(span, "allocated here");
    }
    counted(finding, *count).with_help("write it first, or set a valid region that leaves it out".to_owned())
}

/// A buffer that is read although nothing was given for it.
pub(in crate::observe) fn ungiven_in_words(
    program: &Program,
    buffer: u32,
    (at, operand): (Place, u16),
) -> Diagnostic {
    let (op, name, span) = operand_of(program, at, operand);
    let argument = buffer_name(program, buffer);
    let message = format!("`{op}` reads `%{name}`, but argument {argument} was not given");
    let given = argument.split('`').nth(1).unwrap_or_default().trim_start_matches('%');
    Diagnostic::error(&rules::init::UNWRITTEN, message)
        .at(span)
        .with_help(format!("give it contents: `-i {given}=...`"))
}
