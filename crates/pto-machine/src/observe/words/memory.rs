//! Messages about memory.

use super::{
    allocation, counted, in_buffer, index_in_buffer, name_of, operand_of, operation_at, shared, span_of,
    tile_at,
};
use crate::observe::memory::MemoryMisuse;
use crate::observe::memory::init::Unwritten;
use crate::observe::memory::reuse::{Clobbered, Pair};
use crate::sim::Program;
use crate::sim::event::{Place, Touched};
use crate::sim::operands::Space;
use pto_isa::diag::dimension::Excess;
use pto_isa::diag::{Diagnostic, Severity, dimension};
use pto_isa::rule::Rule;
use pto_isa::rules;
use pto_isa::strided_range::StridedRange;
use pto_lang::ir::{Operand, OperandGroup};

/// The element of an operand that contains a byte, as text and as an index: row and column of a tile or of a buffer.
fn element_in_words(
    program: &Program,
    buffers: &[String],
    at: Place,
    touched: &Touched,
    byte: u64,
) -> (String, Option<Vec<u64>>) {
    let first = StridedRange::bytes(byte, 1);
    let element = tile_at(program, at, touched.touch.operand)
        .and_then(|(tile, _)| shared(&tile, touched.start, &touched.range, &first));
    match (element, touched.space) {
        (Some(((row, _), (col, _))), _) => {
            (format!("its row {row}, column {col}"), Some(vec![row.into(), col.into()]))
        }
        (None, Space::Global(buffer)) => {
            let text = in_buffer(&buffers[buffer as usize], byte, touched.grid);
            (text, index_in_buffer(byte, touched.grid))
        }
        (None, Space::Chip(..)) => (format!("byte {byte}"), None),
    }
}

pub(in crate::observe) fn memory_misuse_in_words(
    program: &Program,
    place: Place,
    operand: u16,
    misuse: MemoryMisuse,
    count: u64,
) -> Diagnostic {
    let (op, name, span) = operand_of(program, place, operand);
    let (rule, message, help) = match misuse {
        MemoryMisuse::SelfOverlap => (
            &rules::mem::SELF_OVERLAP,
            format!(
                "`{op}` stores to `%{name}`, where two indices have one address: the value that remains is undefined"
            ),
            "give the view strides with which its elements do not overlap",
        ),
        MemoryMisuse::Returned => (
            &rules::mem::AFTER_FREE,
            format!(
                "`{op}` uses `%{name}` in a slot of a queue that was freed: the slot may already hold the next entry"
            ),
            "free the slot after its last use",
        ),
    };
    let finding = Diagnostic::error(rule, message).at(span).with_help(help.to_owned());
    counted(finding, count)
}

/// The finding for an instruction that uses the reserved window of UB, and a tile there that is read afterwards.
pub(in crate::observe) fn evicted_in_words(
    program: &Program,
    user: Place,
    read: Place,
    operand: u16,
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

/// The finding for a partition that ended beyond its view in `count` executions; `excess` is that of the first.
pub(in crate::observe) fn beyond_in_words(
    program: &Program,
    at: Place,
    excess: Excess,
    count: u64,
) -> Diagnostic {
    let (_, name, _) = operand_of(program, at, 0);
    let rank = operation_at(program, at).map_or(0, |(_, operation)| operation.operands_in("offsets").count());
    let message = dimension::beyond("the partition", &name, rank, excess);
    let help =
        "limit the size to the remaining extent of the view, for instance with `arith.minsi`".to_owned();
    let mut finding = Diagnostic::error(&rules::mem::BEYOND_VIEW, message).at(span_of(program, at));
    if let Some((function, operation)) = operation_at(program, at)
        && let Some(view) = operation.operands.first()
    {
        let has = format!("`%{name}` has {}", dimension::extent(excess.dimension, rank, excess.extent));
        finding = finding.with_label(function.values[view.value].span, has);
    }
    counted(finding.with_help(help), count)
}

/// The finding for a tile that is read after a tile of another allocation has overwritten it.
pub(in crate::observe) fn clobbered_in_words(
    program: &Program,
    buffers: &[String],
    pair: Pair,
    found: &Clobbered,
) -> Diagnostic {
    let ((writes, by), at) = pair;
    let (op, name, span) = operand_of(program, at, found.read.touch.operand);
    let (writer, other, place) = operand_of(program, writes, by);
    let (element, index) = element_in_words(program, buffers, at, &found.read, found.byte);
    let message = format!(
        "`{op}` reads `%{name}`, but {element} was overwritten in between through `%{other}`, whose bytes overlap"
    );
    let finding = Diagnostic { element: index, ..Diagnostic::error(&rules::mem::CLOBBERED, message) }
        .at(span)
        .with_label(place, format!("`{writer}` overwrites it here"))
        .with_help(format!("give `%{name}` and `%{other}` disjoint addresses: their live ranges overlap"));
    counted(finding, found.count)
}

pub(in crate::observe) fn unwritten_in_words(
    program: &Program,
    buffers: &[String],
    at: Place,
    found: &Unwritten,
) -> Diagnostic {
    let Unwritten { read, count, .. } = found;
    let finding = read_in_vain(
        program,
        buffers,
        at,
        found,
        Severity::Error,
        &rules::init::UNWRITTEN,
        "nothing has written",
    );
    let finding = written_elsewhere(program, at, read.touch.operand, finding);
    let help = match read.space {
        Space::Global(_) => {
            "write it first, here or in an earlier launch, or set a valid region that leaves it out"
        }
        Space::Chip(..) => "write it first, or set a valid region that leaves it out",
    };
    counted(finding, *count).with_help(help)
}

/// The lint for a read of elements that the last load of their tile left unchanged.
pub(in crate::observe) fn stale_in_words(
    program: &Program,
    buffers: &[String],
    at: Place,
    found: &Unwritten,
) -> Diagnostic {
    let but = "the last load of the tile has not written";
    counted(read_in_vain(program, buffers, at, found, Severity::Lint, &rules::init::STALE, but), found.count)
}

/// The finding about a read of unwritten elements; `but` states the missing write.
fn read_in_vain(
    program: &Program,
    buffers: &[String],
    at: Place,
    Unwritten { read, byte, .. }: &Unwritten,
    severity: Severity,
    rule: &'static Rule,
    but: &str,
) -> Diagnostic {
    let (op, name, span) = operand_of(program, at, read.touch.operand);
    let (element, index) = element_in_words(program, buffers, at, read, *byte);
    let message = format!("`{op}` reads `%{name}`, but {but} {element}");
    let finding = Diagnostic { element: index, ..Diagnostic::new(severity, rule, message) }.at(span);
    match allocation(program, at, read.touch.operand) {
        Some(span) => finding.with_label(span, "allocated here"),
        None => finding,
    }
}

/// Labels the instruction that writes an operand only after the read, or states that there is none.
fn written_elsewhere(program: &Program, at: Place, operand: u16, finding: Diagnostic) -> Diagnostic {
    let Some((function, reader)) = operation_at(program, at) else { return finding };
    let Some(value) = reader.operands.get(usize::from(operand)).map(|operand| operand.value) else {
        return finding;
    };
    let is_output = |operand: &Operand| operand.value == value && operand.group == OperandGroup::Out;
    let others = function.operations.iter().map(|(_, other)| other).filter(|other| other.span != reader.span);
    let mut writers = others.filter(|other| other.operands.iter().any(is_output));
    match writers.next() {
        Some(first) if first.span.start > reader.span.start => finding
            .with_label(first.name_span, format!("`{}` writes it here, after the read", first.short_name())),
        None => finding.with_note(format!("no other instruction writes `%{}`", function.values[value].name)),
        Some(_) => finding,
    }
}

/// The finding for a buffer that is read although its argument was not given.
pub(in crate::observe) fn ungiven_in_words(
    program: &Program,
    buffers: &[String],
    buffer: u32,
    at: Place,
    operand: u16,
) -> Diagnostic {
    let (op, name, span) = operand_of(program, at, operand);
    let argument = &buffers[buffer as usize];
    let message = format!("`{op}` reads `%{name}`, but argument {argument} was not given");
    let given = argument.split('`').nth(1).unwrap_or_default().trim_start_matches('%');
    Diagnostic::error(&rules::init::UNWRITTEN, message)
        .at(span)
        .with_help(format!("give it contents: `-i {given}=...`"))
}
