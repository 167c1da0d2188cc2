//! Decoder from a checked module to a flat program.

mod control;
mod entry;
mod instruction;
mod memory;
mod order;
mod part;
mod queue;
mod signal;
mod statement;
mod strand;
mod value;
mod written;

use super::code::{FunctionCode, Program, Step};
use memory::Placement;
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::exec::state::Slot;
use pto_isa::profile::Profile;
use pto_isa::rule::Rule;
use pto_isa::rules;
use pto_lang::analysis::{Facts, Interface};
use pto_lang::check::Checked;
use pto_lang::ir::fields::Fields;
use pto_lang::ir::{
    BlockId, Function, FunctionId, Module, Names, Operation, OperationId, Type, TypeId, ValueId,
};
use std::collections::HashMap;
use std::ops::Range;

/// The reasons why a program cannot be decoded.
pub type DecodeError = Vec<Diagnostic>;

impl Program {
    /// Decodes an entry function and the functions that it calls.
    ///
    /// # Errors
    /// If there is no such function, no name and several candidates, or an operation whose operands cannot be run.
    pub fn decode(checked: &Checked, entry: Option<&str>) -> Result<Program, DecodeError> {
        let module = checked.module();
        let entries = entry::find_entry(module, entry)?;
        let entry = entries[0];
        let profile = checked.profile(entry);
        let reachable = entry::reachable(module, &entries);
        let places = Placement::of(module, &reachable, profile)?;
        let (mut functions, mut tiles) = (Vec::new(), Vec::new());
        let mut problems = Vec::new();
        let names = Names::of(module);
        let order = reachable.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let queues = queue::Queues::of(module, &reachable);
        let map = places.map;
        let shared = Shared { places, names, order, queues, fields: Fields::of(&module.types) };
        for &id in &reachable {
            let mut decoder = Decoder::new(module, id, profile, &shared);
            decoder.function();
            problems.append(&mut decoder.problems);
            decoder.code.facts = decoder.facts;
            decoder.code.core = module.functions[id].core();
            tiles.append(&mut decoder.tiles);
            functions.push(decoder.code);
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        if let [cube, vector] = entries.as_slice() {
            strand::same_arguments(module, *cube, *vector)?;
        }
        let strands = strand::strands(module, &reachable, entries.len());
        let waits = strand::waits(module, &reachable, &strands);
        let blocks_wait = strand::blocks_wait(module, &reachable, profile);
        let written = written::written(module, &reachable, &map, tiles);
        let module = module.clone();
        let spares = Default::default();
        Ok(Program {
            module,
            profile,
            functions,
            map,
            written,
            strands,
            waits,
            blocks_wait,
            grows: false,
            spares,
        })
    }

    /// The names of a module's kernels, for [`Program::decode`]: functions that no function of the module calls.
    pub fn kernels(module: &Module) -> Vec<String> {
        entry::kernels(module)
    }

    /// The entry function.
    pub fn entry(&self) -> FunctionId {
        self.functions[0].id.expect("a decoded function knows its origin")
    }

    /// The functions of the program, the entry first.
    pub fn functions(&self) -> impl Iterator<Item = FunctionId> {
        self.functions.iter().filter_map(|code| code.id)
    }

    /// The arguments of the entry, as the functions of the program use them.
    pub fn interface(&self) -> Interface {
        let functions: Vec<_> = self.functions().collect();
        Interface::of(&self.module, &functions, self.profile())
    }

    /// The module from which the program was decoded.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The profile for which the program was decoded.
    pub fn profile(&self) -> Profile {
        self.profile
    }
}

/// State shared by the functions of a program.
struct Shared<'a> {
    places: Placement,
    names: Names<'a>,
    /// Indices of the reachable functions in the program.
    order: HashMap<FunctionId, usize>,
    queues: queue::Queues,
    fields: Fields,
}

/// Decodes one function.
pub(super) struct Decoder<'a> {
    module: &'a Module,
    function: &'a Function,
    id: FunctionId,
    profile: Profile,
    facts: Facts,
    shared: &'a Shared<'a>,
    code: FunctionCode,
    slots: HashMap<ValueId, Slot>,
    /// Values declared without an address, each with the scalar slot of a flag: whether it has an address.
    declared: HashMap<ValueId, u32>,
    /// The byte ranges of the block's memory that its tiles may occupy.
    tiles: Vec<Range<usize>>,
    problems: Vec<Diagnostic>,
    origin: OperationId,
    block_starts: HashMap<BlockId, u32>,
    /// Jumps to blocks, resolved at the end.
    block_jumps: Vec<(usize, BlockId)>,
    /// Whether the function is a part of a live launch, whose arguments include addresses of tiles.
    is_part: bool,
}

impl<'a> Decoder<'a> {
    fn new(module: &'a Module, id: FunctionId, profile: Profile, shared: &'a Shared<'a>) -> Self {
        let function = &module.functions[id];
        Decoder {
            module,
            function,
            id,
            profile,
            facts: Facts::of(function, &module.types),
            shared,
            code: FunctionCode { id: Some(id), ..FunctionCode::default() },
            slots: HashMap::new(),
            declared: HashMap::new(),
            tiles: Vec::new(),
            problems: Vec::new(),
            origin: OperationId::from_index(0),
            block_starts: HashMap::new(),
            block_jumps: Vec::new(),
            is_part: false,
        }
    }

    fn function(&mut self) {
        self.code.arguments =
            self.function.arguments.iter().map(|argument| self.slot(argument.value)).collect();
        self.declarations();
        match self.function.body {
            Some(body) => self.body(body),
            None => self.problem(
                &rules::structure::UNSUPPORTED,
                self.function.name_span,
                format!("`@{}` has no body to run", self.function.name),
            ),
        }
        let first = self.list(&[]);
        self.emit(Step::Return { first });
    }

    fn problem(&mut self, rule: &'static Rule, span: Span, message: String) {
        self.problems.push(Diagnostic::error(rule, message).at(span));
    }

    // ---- slots

    fn new_slot(&mut self, ty: TypeId) -> Slot {
        let code = &mut self.code;
        let mut take = |counter: fn(&mut FunctionCode) -> &mut u32| {
            let counter = counter(code);
            *counter += 1;
            *counter - 1
        };
        match &self.module.types[ty] {
            Type::Scalar(_) | Type::Pointer { .. } | Type::Struct(_) => {
                Slot::Scalar(take(|code| &mut code.scalar_slots))
            }
            // The status of a merge: four 16-bit integers, the first in the lowest bits.
            Type::Opaque(text) if text == "vector<4xi16>" => {
                Slot::Scalar(take(|code| &mut code.scalar_slots))
            }
            handle if handle.is_handle() => Slot::Scalar(take(|code| &mut code.scalar_slots)),
            Type::Tile(_) | Type::ConvTile(_) | Type::MultiTile { .. } => {
                Slot::Tile(take(|code| &mut code.tile_slots))
            }
            Type::TensorView { .. } | Type::PartitionView { .. } | Type::MemRef { .. } => {
                Slot::View(take(|code| &mut code.view_slots))
            }
            Type::LocalArray { .. } => Slot::Array(take(|code| &mut code.array_slots)),
            ty if ty.events().is_some() => Slot::Array(take(|code| &mut code.array_slots)),
            _ => Slot::None,
        }
    }

    /// The slot of a value; allocated at its first mention.
    fn slot(&mut self, value: ValueId) -> Slot {
        if let Some(&slot) = self.slots.get(&value) {
            return slot;
        }
        let slot = self.new_slot(self.function.values[value].ty);
        self.slots.insert(value, slot);
        slot
    }

    fn scalar(&mut self, value: ValueId) -> u32 {
        match self.slot(value) {
            Slot::Scalar(slot) => slot,
            _ => 0,
        }
    }

    /// The scalar slot of the first operand in a role.
    fn scalar_in(&mut self, operation: &Operation, role: &str) -> u32 {
        operation.operand(role).map_or(0, |operand| self.scalar(operand.value))
    }

    fn list(&mut self, slots: &[Slot]) -> u32 {
        self.code.lists.push(Slot::Scalar(slots.len() as u32));
        let first = self.code.lists.len() as u32 - 1;
        self.code.lists.extend_from_slice(slots);
        first
    }

    // ---- steps

    fn emit(&mut self, step: Step) -> usize {
        self.code.steps.push(step);
        self.code.origins.push(self.origin);
        self.code.steps.len() - 1
    }

    fn here(&self) -> u32 {
        self.code.steps.len() as u32
    }

    /// Sets the target of the jump at `step` to the next step.
    fn land(&mut self, step: usize) {
        let here = self.here();
        self.aim(step, here);
    }

    fn aim(&mut self, step: usize, to: u32) {
        match &mut self.code.steps[step] {
            Step::Jump(target)
            | Step::Unless { target, .. }
            | Step::JumpIfEqual { target, .. }
            | Step::CubeBegin { end: target }
            | Step::VectorBegin { end: target }
            | Step::LoopTest { exit: target, .. } => *target = to,
            _ => {}
        }
    }

    fn copy(&mut self, to: Slot, from: Slot) {
        match (to, from) {
            (Slot::Scalar(to), Slot::Scalar(from)) => self.emit(Step::Copy { to, from }),
            (Slot::Tile(to), Slot::Tile(from)) => self.emit(Step::CopyTile { to, from }),
            (Slot::View(to), Slot::View(from)) => self.emit(Step::CopyView { to, from }),
            (Slot::Array(to), Slot::Array(from)) => self.emit(Step::CopyArray { to, from }),
            _ => return,
        };
    }

    /// Copies several values in parallel; if a target is also a source, through new slots.
    fn copy_all(&mut self, targets: &[ValueId], sources: &[ValueId]) {
        let pairs: Vec<_> =
            targets.iter().zip(sources).map(|(to, from)| (self.slot(*to), self.slot(*from), *to)).collect();
        let crosses = pairs
            .iter()
            .enumerate()
            .any(|(index, (_, from, _))| pairs[..index].iter().any(|(to, ..)| to == from));
        if !crosses {
            for (to, from, _) in pairs {
                if to != from {
                    self.copy(to, from);
                }
            }
            return;
        }
        let through: Vec<_> =
            pairs.iter().map(|(.., value)| self.new_slot(self.function.values[*value].ty)).collect();
        for ((_, from, _), via) in pairs.iter().zip(&through) {
            self.copy(*via, *from);
        }
        for ((to, ..), via) in pairs.iter().zip(&through) {
            self.copy(*to, *via);
        }
    }
}
