//! Parts: functions of a live launch, and the values that a call puts into the slots of their arguments.

use super::{AUTOMATIC, Argument, Live, Tile, misuse};
use crate::sim::Observer;
use crate::sim::code::Program;
use crate::sim::machine::Core;
use pto_isa::diag::{Diagnostic, Label, Span};
use pto_isa::exec::state::{Live as TileState, Slot};
use pto_isa::memory::Buffer;
use pto_isa::rule::RuleId;
use pto_isa::rules;
use pto_isa::types::Type;
use std::ops::Range;

/// A part of a live launch, defined by [`Live::define`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Part(pub(super) u32);

/// Maximum number of bytes of the text of all parts, to which 32-bit offsets point.
const MOST_TEXT: usize = 1 << 30;

/// A part as calls need it.
pub(super) struct Defined {
    /// Number of the part's function in the program.
    pub(super) function: usize,
    parameters: Vec<Parameter>,
    /// The slots of the part's results.
    pub(super) results: Vec<Slot>,
    /// For each tile, the end of the highest place that it has had.
    reach: Vec<usize>,
}

/// A parameter: the slot of its argument, and for a tile the limits of its place.
#[derive(Clone, Copy, Debug)]
enum Parameter {
    Tile { slot: u32, room: Room, declared: (u32, u32) },
    Pointer { slot: u32 },
    Scalar { slot: u32 },
}

/// The part of an on-chip buffer in which a tile is placed.
#[derive(Clone, Copy, Debug)]
struct Room {
    /// First byte of the tile's buffer in the memory of a block.
    first: usize,
    /// First byte and size of the area for tiles without addresses.
    automatic: (usize, usize),
    /// Size of the tile in bytes; in `capacity`, that of its buffer.
    bytes: u64,
    capacity: u64,
    alignment: u64,
}

impl Room {
    fn of(program: &Program, buffer: Buffer, bytes: u64) -> Room {
        let (map, profile) = (program.map(), program.profile());
        Room {
            first: map.base[buffer as usize],
            automatic: map.automatic_of(buffer),
            bytes,
            capacity: profile.capacity(buffer),
            alignment: profile.address_alignment,
        }
    }

    /// The byte of the block's memory at which a tile begins, or the rule that its address breaks.
    #[inline]
    fn place(&self, address: u64) -> Result<usize, (RuleId, String)> {
        // Alignments are powers of two: a division would take as long as the rest of the call.
        if address & (self.alignment - 1) == 0 && address.saturating_add(self.bytes) <= self.capacity {
            return Ok(self.first + address as usize);
        }
        if let Some(at) = address.checked_sub(AUTOMATIC) {
            let (first, room) = self.automatic;
            crate::sim::machine::fits(at, self.bytes, room as u64, self.alignment)?;
            return Ok(first + at as usize);
        }
        crate::sim::machine::fits(address, self.bytes, self.capacity, self.alignment)?;
        Ok(self.first + address as usize)
    }
}

impl Parameter {
    fn kind(&self) -> &'static str {
        match self {
            Parameter::Tile { .. } => "a tile",
            Parameter::Pointer { .. } => "a pointer",
            Parameter::Scalar { .. } => "a scalar",
        }
    }
}

fn kind_of(argument: &Argument) -> &'static str {
    match argument {
        Argument::Tile(_) => "a tile",
        Argument::Pointer(_) => "a pointer",
        Argument::Scalar(_) => "a scalar",
    }
}

impl<O: Observer> Live<O> {
    /// Defines a part: `text` is a `func.func` whose arguments are tiles, pointers to global memory and scalars. It may be called
    /// from then on, in every launch.
    ///
    /// # Errors
    /// The findings of the parser, of the check for the profile, or of the decoder, at places in [`Live::source`].
    pub fn define(&mut self, text: &str) -> Result<Part, Vec<Diagnostic>> {
        if self.source.len() + text.len() > MOST_TEXT {
            return misuse("the text of the parts is longer than 1 GiB");
        }
        let offset = self.source.len() as u32;
        self.source.push_str(text);
        self.source.push('\n');
        let placed =
            |found: Vec<Diagnostic>| found.into_iter().map(|one| moved(one, offset)).collect::<Vec<_>>();
        let parsed = pto_lang::text::parse_with(text, self.program.module().types.clone()).map_err(placed)?;
        if parsed.module.functions.len() != 1 {
            return misuse("a part is one function");
        }
        let checked = pto_lang::check::check(parsed.module, Some(self.program.profile())).map_err(placed)?;
        let warnings = placed(checked.warnings().to_vec());
        let (function, results) = self.program.add_part(&checked, offset, &mut self.room.used)?;
        let parameters = parameters(&self.program, function as usize)?;
        self.state.outcome.warnings.extend(warnings);
        self.state.grow(&self.program);
        let reach = vec![0; parameters.len()];
        self.parts.push(Defined { function: function as usize, parameters, results, reach });
        Ok(Part(self.parts.len() as u32 - 1))
    }
}

/// The parameters of a function of a program.
fn parameters(program: &Program, number: usize) -> Result<Vec<Parameter>, Vec<Diagnostic>> {
    let (code, module) = (&program.functions[number], program.module());
    let function = &module.functions[code.id.unwrap_or(program.entry())];
    let arguments = function.arguments.iter().zip(&code.arguments);
    arguments
        .map(|(argument, slot)| {
            let value = &function.values[argument.value];
            match (&module.types[value.ty], *slot) {
                (Type::Tile(tile), Slot::Tile(slot)) => {
                    let room = Room::of(program, tile.buffer(), tile.bytes() as u64);
                    Ok(Parameter::Tile { slot, room, declared: (tile.rows, tile.cols) })
                }
                (Type::ConvTile(tile), Slot::Tile(slot)) => {
                    let room = Room::of(program, tile.buffer(), tile.bytes());
                    Ok(Parameter::Tile { slot, room, declared: (0, 0) })
                }
                (Type::Pointer { .. }, Slot::Scalar(slot)) => Ok(Parameter::Pointer { slot }),
                (Type::Scalar(_), Slot::Scalar(slot)) => Ok(Parameter::Scalar { slot }),
                (handle, Slot::Scalar(slot)) if handle.is_handle() => Ok(Parameter::Scalar { slot }),
                _ => {
                    let message = format!(
                        "argument `%{}` of a part is a tile, a pointer, a scalar or a handle",
                        value.name
                    );
                    Err(vec![Diagnostic::error(&rules::run::LIVE, message).at(value.span)])
                }
            }
        })
        .collect()
}

impl Defined {
    /// Puts arguments into the slots of a core. Returns bytes of the block's memory that no tile has covered before, if an argument
    /// covers some.
    #[inline]
    pub(super) fn take(
        &mut self,
        arguments: &[Argument],
        program: &Program,
        observed: bool,
        core: &mut Core,
    ) -> Result<Option<Range<usize>>, Vec<Diagnostic>> {
        if arguments.len() != self.parameters.len() {
            let (wanted, given) = (self.parameters.len(), arguments.len());
            return misuse(format!("the part takes {wanted} arguments, but {given} are given"));
        }
        if observed && core.serials.len() < core.tiles.len() {
            core.serials.resize(core.tiles.len(), 0);
        }
        let mut written: Option<Range<usize>> = None;
        for (at, (parameter, argument)) in self.parameters.iter().zip(arguments).enumerate() {
            match (parameter, argument) {
                (Parameter::Tile { slot, room, declared }, Argument::Tile(tile)) => {
                    let address = room
                        .place(tile.address)
                        .map_err(|(rule, message)| self.broken(program, at, rule, message))?;
                    if tile.rows > declared.0 || tile.cols > declared.1 {
                        let rule = RuleId::from(&rules::alloc_tile::VALID_REGION);
                        return Err(self.broken(program, at, rule, beyond(tile, declared.0, declared.1)));
                    }
                    let end = address + room.bytes as usize;
                    if end > self.reach[at] {
                        self.reach[at] = end;
                        let (start, end) =
                            written.map_or((address, end), |w| (w.start.min(address), w.end.max(end)));
                        written = Some(start..end);
                    }
                    core.tiles[*slot as usize] = TileState { address, rows: tile.rows, cols: tile.cols };
                    if observed {
                        core.serials[*slot as usize] = tile.serial;
                    }
                }
                (Parameter::Pointer { slot }, Argument::Pointer(bits))
                | (Parameter::Scalar { slot }, Argument::Scalar(bits)) => {
                    core.scalars[*slot as usize] = *bits
                }
                (parameter, argument) => {
                    let (wanted, given) = (parameter.kind(), kind_of(argument));
                    let message = format!("{given} is given where the part takes {wanted}");
                    return Err(self.broken(program, at, RuleId::from(&rules::run::LIVE), message));
                }
            }
        }
        Ok(written)
    }

    /// The finding for an argument that breaks a rule.
    #[cold]
    fn broken(&self, program: &Program, at: usize, rule: RuleId, message: String) -> Vec<Diagnostic> {
        let finding = Diagnostic::error(rule, message);
        let Some((_, function)) = program.function_at(self.function as u32) else { return vec![finding] };
        let value = &function.values[function.arguments[at].value];
        vec![finding.at(value.span).with_note(format!("it is `%{}` of `@{}`", value.name, function.name))]
    }
}

/// The message on a tile with more valid rows or columns than declared ones.
#[cold]
fn beyond(tile: &Tile, rows: u32, cols: u32) -> String {
    match tile.rows > rows {
        true => format!("{} valid rows, but {rows} are declared", tile.rows),
        false => format!("{} valid columns, but {cols} are declared", tile.cols),
    }
}

/// A finding in a text that begins `by` bytes later.
fn moved(mut finding: Diagnostic, by: u32) -> Diagnostic {
    let shift = |span: &mut Span| *span = Span::new(span.start + by, span.end + by);
    let labels = finding.primary.iter_mut().chain(&mut finding.secondary);
    labels.for_each(|Label { span, .. }| shift(span));
    finding.edits.iter_mut().for_each(|edit| shift(&mut edit.span));
    finding
}
