//! Descriptions of kernels: arguments, tiles, pipes, synchronization, as text and as JSON.

mod judged;

use crate::render::SourceText;
use pto::analysis::{
    BufferView, Expression, FlagPair, Interface, Inventory, Parameter, ParameterKind, Role, Tile, Use,
};
use pto::isa::element::element_word;
use pto::{Profile, Program};
use serde_json::{Value as Json, json};

pub use judged::judgements;

/// A kernel and the results of its analysis without a run.
pub struct Inspected {
    /// Arguments of the kernel.
    pub interface: Interface,
    /// Parts of the kernel.
    pub inventory: Inventory,
    /// Profile for which the kernel was checked.
    pub profile: Profile,
}

impl Inspected {
    /// Inspects a decoded kernel.
    pub fn of(program: &Program) -> Inspected {
        let functions: Vec<_> = program.functions().collect();
        let (module, profile) = (program.module(), program.profile());
        Inspected {
            interface: program.interface(),
            inventory: Inventory::of(module, &functions, profile),
            profile,
        }
    }

    /// Whether the launch determines the work of a block: the program asks which block it is.
    fn by_blocks(&self) -> bool {
        let launch = |parameter: &Parameter| matches!(parameter.kind, ParameterKind::Launch(_));
        self.inventory.reads_blocks || self.interface.parameters.iter().any(launch)
    }
}

/// `f32[n, 4096]`: element type and the extents of the first view; `f32` without a view.
fn type_of(parameter: &Parameter) -> String {
    match parameter.kind {
        ParameterKind::Buffer(element) => match parameter.shape() {
            Some(shape) => format!("{}[{}]", element_word(element), list(shape)),
            None => element_word(element).to_owned(),
        },
        ParameterKind::Scalar(scalar) | ParameterKind::Launch(scalar) => scalar.word().to_owned(),
        _ => "?".to_owned(),
    }
}

fn list(expressions: &[Expression]) -> String {
    expressions.iter().map(Expression::to_string).collect::<Vec<_>>().join(", ")
}

/// The word of a role in text and JSON.
fn role_word(role: Role) -> &'static str {
    match role {
        Role::Extent => "extent",
        Role::Stride => "stride",
        Role::Offset => "offset",
        Role::Size => "size",
        Role::Loop => "bound",
        Role::ValidRegion => "valid region",
        Role::Condition => "condition",
        _ => "operand",
    }
}

/// `extent 0 of %view (line 15)`.
fn use_text(used: &Use, source: &SourceText<'_>) -> String {
    let dimension = used.dimension.map_or(String::new(), |dimension| format!(" {dimension}"));
    let how = if used.is_exact { "" } else { ", indirectly" };
    format!("{}{dimension} of {}{how} (line {})", role_word(used.role), used.of, line(source, used.span))
}

fn line(source: &SourceText<'_>, span: pto::diag::Span) -> usize {
    source.position(span.start as usize).line
}

/// Maximum number of uses of a scalar in the text; JSON has all.
const MOST_USES: usize = 4;

/// The description as text.
pub fn text(kernel: &Inspected, source: &SourceText<'_>) -> String {
    let (interface, inventory) = (&kernel.interface, &kernel.inventory);
    let mut out = format!("{}: kernel @{} for {}\n", source.name(), interface.entry, kernel.profile.word());
    section(&mut out, "arguments", arguments(interface, source));
    let blocks = match kernel.by_blocks() {
        true => "the work depends on the index of the block: `--blocks N` launches N",
        false => {
            "one: no instruction asks for the index of the block, so that every block does the same work"
        }
    };
    section(&mut out, "blocks", vec![vec![blocks.to_owned()]]);
    section(&mut out, "tiles", inventory.tiles.iter().map(|tile| tile_row(tile, source)).collect());
    let pipes: Vec<_> =
        inventory.pipes.iter().map(|(pipe, count)| format!("{} {count}", pipe.word())).collect();
    section(
        &mut out,
        "instructions by pipe",
        if pipes.is_empty() { vec![] } else { vec![vec![pipes.join(", ")]] },
    );
    section(&mut out, "synchronization", synchronization(inventory));
    let judged = judgements(inventory).into_iter().map(|(name, what)| vec![name.to_owned(), what.to_owned()]);
    section(&mut out, "watchers", judged.collect());
    out
}

/// Adds a heading and rows in aligned columns; nothing without rows.
fn section(out: &mut String, heading: &str, rows: Vec<Vec<String>>) {
    if rows.is_empty() {
        return;
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    out.push_str(&format!("\n{heading}\n"));
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        out.push_str(format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end());
        out.push('\n');
    }
}

fn arguments(interface: &Interface, source: &SourceText<'_>) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (number, parameter) in interface.parameters.iter().enumerate() {
        let (role, notes) = match parameter.kind {
            ParameterKind::Buffer(_) => (parameter.direction().word(), view_notes(parameter, source)),
            ParameterKind::Launch(_) => ("", vec!["filled in by the launch".to_owned()]),
            _ => ("", scalar_notes(parameter, source)),
        };
        let mut notes = notes.into_iter();
        let first = notes.next().unwrap_or_default();
        rows.push(vec![
            number.to_string(),
            parameter.name.clone(),
            type_of(parameter),
            role.to_owned(),
            first,
        ]);
        rows.extend(notes.map(|note| [vec![String::new(); 4], vec![note]].concat()));
    }
    rows
}

/// The views of a buffer: the first without its extents, which are in the type.
fn view_notes(parameter: &Parameter, source: &SourceText<'_>) -> Vec<String> {
    let note = |(number, view): (usize, &BufferView)| {
        let shape = if number == 0 { String::new() } else { format!(" [{}]", list(&view.shape)) };
        let offset = match view.offset.constant() {
            Some(0) => String::new(),
            _ => format!(" from element {}", view.offset),
        };
        format!(
            "view %{}{shape}{offset}, strides [{}] (line {})",
            view.name,
            list(&view.strides),
            line(source, view.span)
        )
    };
    parameter.views.iter().enumerate().map(note).collect()
}

fn scalar_notes(parameter: &Parameter, source: &SourceText<'_>) -> Vec<String> {
    let mut notes: Vec<_> =
        parameter.uses.iter().take(MOST_USES).map(|used| use_text(used, source)).collect();
    match parameter.uses.len() {
        0 => notes.push("unused".to_owned()),
        many if many > MOST_USES => notes.push(format!("and {} more", many - MOST_USES)),
        _ => {}
    }
    notes
}

fn tile_row(tile: &Tile, source: &SourceText<'_>) -> Vec<String> {
    let size = match tile.slots {
        1 => format!("{} bytes", tile.bytes),
        slots => format!("{slots} x {} bytes", tile.bytes),
    };
    let address =
        tile.address.map_or("not placed".to_owned(), |at| format!("{} {at:#x}", tile.buffer.word()));
    vec![
        format!("%{}", tile.name),
        tile.ty.clone(),
        size,
        address,
        format!("line {}", line(source, tile.span)),
    ]
}

fn synchronization(inventory: &Inventory) -> Vec<Vec<String>> {
    let flag = |pair: &FlagPair| {
        let ends = format!("{} to {}", pair.from.word(), pair.to.word());
        let events: Vec<_> = pair.events.iter().map(|event| event.trim_start_matches("EVENT_ID")).collect();
        vec![ends, format!("{} set, {} waited for, events {}", pair.sets, pair.waits, events.join(", "))]
    };
    let mut rows: Vec<_> = inventory.flags.iter().map(flag).collect();
    rows.extend(
        inventory
            .barriers
            .iter()
            .map(|(pipe, count)| vec![format!("barrier {}", pipe.word()), count.to_string()]),
    );
    let counts = [
        ("buffer tokens", inventory.tokens),
        ("flags and barriers between cores", inventory.core_flags),
        ("operations on queues", inventory.queues),
    ];
    rows.extend(
        counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(what, count)| vec![what.to_owned(), count.to_string()]),
    );
    rows
}

/// The description as JSON.
pub fn json(kernel: &Inspected, source: &SourceText<'_>) -> Json {
    let (interface, inventory) = (&kernel.interface, &kernel.inventory);
    let arguments: Vec<_> =
        interface.parameters.iter().map(|parameter| argument_json(parameter, source)).collect();
    let tiles = inventory.tiles.iter().map(|tile| {
        json!({
            "name": tile.name, "type": tile.ty, "buffer": tile.buffer.word(), "bytes": tile.bytes,
            "slots": tile.slots, "address": tile.address, "line": line(source, tile.span),
        })
    });
    let pipes: serde_json::Map<String, Json> =
        inventory.pipes.iter().map(|(pipe, count)| (pipe.word().to_owned(), (*count).into())).collect();
    let flags = inventory.flags.iter().map(|pair| {
        json!({
            "from": pair.from.word(), "to": pair.to.word(), "events": pair.events,
            "sets": pair.sets, "waits": pair.waits,
        })
    });
    let barriers =
        inventory.barriers.iter().map(|(pipe, count)| json!({ "pipe": pipe.word(), "count": count }));
    let judged: serde_json::Map<String, Json> =
        judgements(inventory).into_iter().map(|(name, what)| (name.to_owned(), what.into())).collect();
    json!({
        "entry": interface.entry,
        "profile": kernel.profile.word(),
        "arguments": arguments,
        "reads_blocks": kernel.by_blocks(),
        "tiles": tiles.collect::<Vec<_>>(),
        "pipes": pipes,
        "flags": flags.collect::<Vec<_>>(),
        "barriers": barriers.collect::<Vec<_>>(),
        "tokens": inventory.tokens,
        "core_flags": inventory.core_flags,
        "queue_operations": inventory.queues,
        "watchers": judged,
    })
}

fn argument_json(parameter: &Parameter, source: &SourceText<'_>) -> Json {
    let words = |list: &[Expression]| list.iter().map(Expression::to_string).collect::<Vec<_>>();
    let views = parameter.views.iter().map(|view| {
        json!({
            "name": view.name, "line": line(source, view.span), "offset": view.offset.to_string(),
            "shape": words(&view.shape), "strides": words(&view.strides),
        })
    });
    let uses = parameter.uses.iter().map(|used| {
        json!({
            "role": role_word(used.role), "of": used.of, "dimension": used.dimension, "exact": used.is_exact,
            "line": line(source, used.span),
        })
    });
    match parameter.kind {
        ParameterKind::Buffer(element) => json!({
            "name": parameter.name, "kind": "buffer", "element": element_word(element),
            "direction": parameter.direction().word(), "views": views.collect::<Vec<_>>(),
        }),
        ParameterKind::Scalar(scalar) => json!({
            "name": parameter.name, "kind": "scalar", "type": scalar.word(), "uses": uses.collect::<Vec<_>>(),
        }),
        ParameterKind::Launch(scalar) => {
            json!({ "name": parameter.name, "kind": "launch", "type": scalar.word() })
        }
        _ => json!({ "name": parameter.name, "kind": "other" }),
    }
}
