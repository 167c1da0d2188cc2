//! Messages and edits of findings.

mod between;
mod memory;
mod misuse;
pub(in crate::observe) mod operand;
mod proposals;
mod waits;

pub(in crate::observe) use between::core_in_words;
pub(in crate::observe) use memory::{
    beyond_in_words, clobbered_in_words, evicted_in_words, memory_misuse_in_words, stale_in_words,
    ungiven_in_words, unwritten_in_words,
};
pub(in crate::observe) use misuse::misuse_in_words;
pub(in crate::observe) use proposals::in_loop;

use crate::observe::race::findings::Race;
use crate::observe::race::pipes::{Cover, pipe_at};
use crate::observe::race::shadow::Record;
use crate::sim::Program;
use crate::sim::event::{CoreId, Grid, Place};
use operand::Operand;
use pto_isa::diag::{Diagnostic, Severity, Span};
use pto_isa::meaning::Meaning;
use pto_isa::op::effect::Access;
use pto_isa::op::site::{Fact, TileFact};
use pto_isa::pipe::Pipe;
use pto_isa::rule::Rule;
use pto_isa::rules;
use pto_isa::strided_range::StridedRange;
use pto_isa::tile::TileType;
use pto_lang::ir::{Function, Operation, Type};

/// The operation at a place, and its function.
pub fn operation_at(program: &Program, at: Place) -> Option<(&Function, &Operation)> {
    let (_, function) = program.function_at(at.function)?;
    let mut operations = function.operations.iter();
    operations.find(|(id, _)| id.index() == at.operation as usize).map(|(_, found)| (function, found))
}

/// The type of the first operand or result of an operation that is a tile.
pub fn tile_type_at(program: &Program, at: Place) -> Option<TileType> {
    let (function, operation) = operation_at(program, at)?;
    let operands = operation.operands.iter().map(|operand| operand.value);
    operands.chain(operation.results.iter().copied()).find_map(|value| {
        match &program.module().types[function.values[value].ty] {
            Type::Tile(tile) => Some(*tile),
            _ => None,
        }
    })
}

/// Names and facts of the operands and results of an instruction.
pub(in crate::observe) fn operands_at(program: &Program, at: Place) -> Vec<(&str, Fact)> {
    let site = || {
        let (code, function) = program.function_at(at.function)?;
        let (_, operation) = operation_at(program, at)?;
        code.facts.site(function, &program.module().types, operation, program.profile())
    };
    let operands = site().map(|site| site.operands).unwrap_or_default();
    operands.into_iter().map(|operand| (operand.name, operand.fact)).collect()
}

/// Source location of an operation.
pub fn span_of(program: &Program, place: Place) -> Span {
    operation_at(program, place).map_or(Span::default(), |(_, operation)| operation.span)
}

/// The name of an operation without the dialect's prefix.
pub fn name_of(program: &Program, place: Place) -> &str {
    operation_at(program, place).map_or("?", |(_, operation)| operation.short_name())
}

/// An access as text, such as "`tstore` reads `%a`", and its source location.
fn describe(program: &Program, record: &Record) -> (String, Span) {
    let Some((_, operation)) = operation_at(program, record.origin.at) else {
        return ("memory".to_owned(), Span::default());
    };
    let name = operation.short_name();
    let access = match Operand::of(program, record.origin.at, record.origin.operand) {
        Some(operand) if record.access.changes() => format!("`{name}` writes `%{}`", operand.name()),
        Some(operand) => format!("`{name}` reads `%{}`", operand.name()),
        // The operation names no tile: it fills or loads a slot in memory, or frees the slot of the oldest popped tile.
        None => match record.access {
            Access::Write => format!("`{name}` fills the slot"),
            Access::Read => format!("`{name}` loads the slot"),
            _ => format!("`{name}` gives the slot back"),
        },
    };
    (access, operation.name_span)
}

/// Adds the number of occurrences, if it is more than one.
fn counted(finding: Diagnostic, count: u64) -> Diagnostic {
    if count > 1 { finding.with_note(format!("{count} times in this run")) } else { finding }
}

/// The rule that a race breaks.
pub(in crate::observe) fn kind(race: &Race) -> &'static Rule {
    match (race.first.access.changes(), race.second.access.changes()) {
        (true, false) => &rules::race::READ_AFTER_WRITE,
        (false, _) => &rules::race::WRITE_AFTER_READ,
        (true, true) => &rules::race::WRITE_AFTER_WRITE,
    }
}

/// The facts about a tile operand, and the operand's name.
fn tile_at(program: &Program, at: Place, operand: u16) -> Option<(TileFact, &str)> {
    let (code, function) = program.function_at(at.function)?;
    let (_, operation) = operation_at(program, at)?;
    let name = operation.operands.get(usize::from(operand)).map(|operand| operand.value)?;
    let name = function.values[name].name.as_str();
    let site = code.facts.site(function, &program.module().types, operation, program.profile());
    match site?.operands.get(usize::from(operand))?.fact {
        Fact::Tile(ref tile) => Some((tile.clone(), name)),
        _ => None,
    }
}

/// First and last row, and first and last column, of the elements of a tile at byte `start` that overlap both ranges.
fn shared(
    tile: &TileFact,
    start: u64,
    one: &StridedRange,
    other: &StridedRange,
) -> Option<((u32, u32), (u32, u32))> {
    let (layout, element) = (tile.layout(), tile.element());
    let hit = |row: u32, col: u32| {
        let at = start + element.bytes(layout.offset(row as usize, col as usize)) as u64;
        let own = StridedRange::bytes(at, element.bytes(1) as u64);
        one.common(&own).is_some() && other.common(&own).is_some()
    };
    // Search inwards from each edge, since most ranges extend to the edges of their tile.
    let (mut rows, mut cols) = (0..tile.ty.rows, 0..tile.ty.cols);
    let has_row = |row: &u32| (0..tile.ty.cols).any(|col| hit(*row, col));
    let top = rows.find(has_row)?;
    let bottom = rows.rfind(has_row).unwrap_or(top);
    let has_col = |col: &u32| (top..=bottom).any(|row| hit(row, *col));
    let left = cols.find(has_col)?;
    let right = cols.rfind(has_col).unwrap_or(left);
    Some(((top, bottom), (left, right)))
}

/// The rows and columns of a tile operand that overlap a range; `None` if the operand is not a tile.
fn elements(program: &Program, record: &Record, other: &StridedRange) -> Option<(String, Vec<u64>)> {
    let (tile, name) = tile_at(program, record.origin.at, record.origin.operand)?;
    let ((top, bottom), (left, right)) = shared(&tile, record.start, &record.range, other)?;
    let text = format!("rows {top} to {bottom}, columns {left} to {right} of `%{name}`");
    Some((text, vec![top.into(), left.into()]))
}

/// The index of the element of a buffer that contains a byte: row and column if its view has rows.
fn index_in_buffer(byte: u64, grid: Option<Grid>) -> Option<Vec<u64>> {
    match grid? {
        Grid { element: 0, .. } => None,
        Grid { row, element } if row >= element => Some(vec![byte / row, byte % row / element]),
        Grid { element, .. } => Some(vec![byte / element]),
    }
}

/// A byte of a buffer as text: row and column if its view has rows.
fn in_buffer(name: &str, byte: u64, grid: Option<Grid>) -> String {
    match index_in_buffer(byte, grid).as_deref() {
        Some([row, col]) => format!("row {row}, column {col} of {name}"),
        Some([element]) => format!("element {element} of {name}"),
        _ => format!("byte {byte} of {name}"),
    }
}

/// The finding for a race, and, if `proposes`, changes that may order its accesses. `buffers` are the names of the
/// launch's buffers; `cores` are those of the accesses, if they differ, and `all` those of the launch.
pub(in crate::observe) fn race_in_words(
    program: &Program,
    buffers: &[String],
    race: &Race,
    cores: Option<[CoreId; 2]>,
    all: &[CoreId],
    proposes: bool,
) -> Diagnostic {
    let (first, first_span) = describe(program, &race.first);
    let (second, second_span) = describe(program, &race.second);
    let pipes = [race.first.moment.pipe, race.second.moment.pipe].map(pipe_at);
    let [earlier, later] = [&race.first, &race.second].map(|record| name_of(program, record.origin.at));
    let message = match &cores {
        None => format!(
            "no synchronization orders `{earlier}` ({}) before `{later}` ({}): {first}, then {second}",
            pipes[0].word(),
            pipes[1].word()
        ),
        Some(cores) => {
            let [a, b] = cores.map(|core| core_in_words(core, all));
            format!("no synchronization orders `{earlier}` on {a} and `{later}` on {b}: {first}, {second}")
        }
    };
    let mut finding = Diagnostic::error(kind(race), message)
        .at(second_span)
        .with_label(first_span, if race.first.access.changes() { "written here" } else { "read here" });
    let where_ = elements(program, &race.second, &race.first.range)
        .or_else(|| elements(program, &race.first, &race.second.range));
    let grid = race.second.grid.or(race.first.grid);
    let (text, element) = match (where_, race.buffer) {
        (Some((text, element)), _) => (text, Some(element)),
        (None, Some(buffer)) => {
            (in_buffer(&buffers[buffer as usize], race.byte, grid), index_in_buffer(race.byte, grid))
        }
        (None, None) => (format!("byte {} of the block's memory", race.byte), None),
    };
    finding.element = element;
    finding = finding.with_note(format!("both access {text}"));
    let (a, b) = (race.first.origin.times, race.second.origin.times);
    if (a, b) != (1, 1) {
        finding = finding.with_note(format!("run {a} of the first instruction, run {b} of the second"));
    }
    finding = counted(finding, race.count);
    match cores {
        None => {
            let places = [race.first.origin.at, race.second.origin.at];
            ordered_by(program, finding, places, pipes, proposes)
        }
        Some(cores) => finding.with_help(between::remedy(race, cores)),
    }
}

/// Adds a label for a wait between the accesses of a race within a core, and proposals that order them: edits if
/// `proposes`, else general help without a place.
fn ordered_by(
    program: &Program,
    finding: Diagnostic,
    places: [Place; 2],
    pipes: [Pipe; 2],
    proposes: bool,
) -> Diagnostic {
    let finding = match waits::between_accesses(program, places, pipes) {
        Some(wait) => finding.with_label(wait.span, wait.message),
        None => finding,
    };
    finding.with_proposals(match proposes {
        true => proposals::ordering(program, places, pipes),
        false => proposals::in_general(program, places[0], pipes),
    })
}

pub(in crate::observe) fn no_sync(
    program: &Program,
    buffers: &[String],
    race: &Race,
    count: usize,
) -> Diagnostic {
    let example = race_in_words(program, buffers, race, None, &[], true);
    let message = format!(
        "tiles have addresses, but no flag and no barrier orders the pipes: {count} pairs of instructions are \
         unordered, for example: {}",
        example.message
    );
    let mut finding = Diagnostic { message, rule: (&rules::race::NO_SYNC).into(), ..example };
    if count > 1 {
        // With one flag, a program is synchronized in part: the other pairs become findings of their own.
        finding.proposals.clear();
    }
    finding.help.push(
        "if synchronization is inserted later, use `--sync inserted`, which assumes program order within a core"
            .to_owned(),
    );
    finding
}

/// The lint for a wait or a barrier that `cover` makes redundant. `once`: it orders iterations of a loop that no core
/// of the run repeated.
pub(in crate::observe) fn redundant(program: &Program, place: Place, cover: Cover, once: bool) -> Diagnostic {
    let (name, span) = (name_of(program, place), span_of(program, place));
    let mut message = format!("`{name}` orders nothing that is not ordered already");
    let when = if once { "in this run, in which no core repeats its loop," } else { "in this run" };
    let pipe = operation_at(program, place)
        .and_then(|(_, op)| op.attribute("pipe")?.as_word().and_then(Pipe::from_word));
    let itself = pipe.filter(|pipe| *pipe != Pipe::All && program.profile().orders_itself(*pipe));
    let finding =
        |message: String| Diagnostic::new(Severity::Lint, &rules::sync::REDUNDANT, message).at(span);
    if let Some(pipe) = itself {
        message.push_str(&format!(": pipe {} of this target orders itself", pipe.word()));
        let help = "remove it".to_owned();
        return finding(message).with_proposals(proposals::deletion(program, place, help));
    }
    let lint = |message: String| {
        let what = removed(name);
        match once {
            true => {
                let help = format!("keep it if the loop may run more than once; else remove {what}");
                finding(message).with_help(help)
            }
            false => {
                let help = format!("remove {what} if no other run needs it: a loop that runs more often may");
                finding(message).with_proposals(proposals::deletion(program, place, help))
            }
        }
    };
    message = format!("{when} {message}");
    match cover {
        Cover::Nothing => lint(format!(
            "{when} `{name}` orders nothing: the pipe that it waits for has run no instruction before it"
        )),
        // In a loop: the execution in the previous iteration.
        Cover::By(by) if by == place => lint(message),
        Cover::By(by) => lint(message).with_label(span_of(program, by), "this orders it already"),
        Cover::Unknown => lint(message),
    }
}

/// Operations removed together with an operation: of a wait, also the sets of its flag.
fn removed(name: &str) -> &'static str {
    if name.starts_with("wait") { "it and what sets its flag" } else { "it" }
}

/// The lint for synchronization that no access relies on; or for a barrier of all pipes that a barrier of one pipe in
/// `enough` could replace.
pub(in crate::observe) fn unneeded(
    program: &Program,
    place: Place,
    enough: Option<&[u8]>,
    once: bool,
) -> Diagnostic {
    let (name, span) = (name_of(program, place), span_of(program, place));
    let lint = |rule, message: String| Diagnostic::new(Severity::Lint, rule, message).at(span);
    let Some(enough) = enough else {
        let message = format!("`{name}` orders instructions, but no access to memory in this run needs it");
        let what = removed(name);
        if once {
            let message = format!("{message}; no core repeats the loop of its flag");
            let help = format!("keep it if the loop may run more than once; else remove {what}");
            return lint(&rules::sync::UNNEEDED, message).with_help(help);
        }
        let help =
            format!("remove {what} if no other run needs it, one at a time: the others may then be needed");
        let proposals = proposals::deletion(program, place, help);
        return lint(&rules::sync::UNNEEDED, message).with_proposals(proposals);
    };
    let pipes: Vec<String> = enough.iter().map(|pipe| format!("<PIPE_{}>", pipe_at(*pipe).word())).collect();
    let message = format!(
        "`{name}` waits for all pipes, but in this run a barrier of one suffices: {}",
        pipes.join(" or ")
    );
    let narrowed = enough.iter().filter_map(|pipe| proposals::narrowed(program, place, pipe_at(*pipe)));
    lint(&rules::sync::WIDE, message).with_proposals(narrowed.collect())
}

fn operand_of(program: &Program, place: Place, operand: u16) -> (String, String, Span) {
    let Some((function, operation)) = operation_at(program, place) else {
        return ("?".to_owned(), "?".to_owned(), Span::default());
    };
    let found = operation.operands.get(usize::from(operand));
    let name = found.map_or("?", |operand| function.values[operand.value].name.as_str());
    let span = found.map_or(operation.span, |operand| operand.span);
    (operation.short_name().to_owned(), name.to_owned(), span)
}

/// Source location of the allocation of an operand's tile.
fn allocation(program: &Program, place: Place, operand: u16) -> Option<Span> {
    let (function, operation) = operation_at(program, place)?;
    let value = operation.operands.get(usize::from(operand))?.value;
    let makes = |operation: &&Operation| operation.results.contains(&value);
    let found = function.operations.iter().map(|(_, operation)| operation).find(makes)?;
    (found.meaning() == Meaning::AllocTile).then_some(found.span)
}
