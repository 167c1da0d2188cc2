//! Programs that grow: the functions of a live launch, which are decoded one at a time into the same program.

use super::super::code::{FunctionCode, MemoryMap, Program, Step, Strand};
use super::memory::Placement;
use super::{DecodeError, Decoder, Shared, queue, written};
use pto_isa::exec::state::Slot;
use pto_isa::profile::Profile;
use pto_lang::check::Checked;
use pto_lang::ir::fields::Fields;
use pto_lang::ir::{FunctionId, Module, Names};

/// Room in bytes for tiles without addresses: in the memory of each vector core, and elsewhere.
const ROOM: [usize; 2] = [1 << 20, 4 << 20];

/// Size of the largest tile of which an instruction copies sources that overlap its destination: an L1 buffer full.
const LARGEST: usize = 1 << 20;

impl Program {
    /// A program without functions for blocks of these cores.
    pub(crate) fn growing(profile: Profile, strands: Vec<Strand>) -> Program {
        Program {
            module: Module::default(),
            profile,
            functions: Vec::new(),
            map: MemoryMap::with_room(profile, ROOM[0], ROOM[1], LARGEST),
            written: Vec::new(),
            waits: strands.len() > 1,
            strands,
            blocks_wait: true,
            grows: true,
            spares: Default::default(),
        }
    }

    /// Adds the function of a part, whose text begins at byte `offset` of the program's text. `room`: bytes in use of
    /// the areas for tiles without addresses, which the part's tiles increase. Returns the number of the function and
    /// the slots of its results.
    ///
    /// # Errors
    /// If an operation cannot be run. The function is then in the module, but not in the program.
    pub(in crate::sim) fn add_part(
        &mut self,
        part: &Checked,
        offset: u32,
        room: &mut [usize; 2],
    ) -> Result<(u32, Vec<Slot>), DecodeError> {
        let Some(id) = self.module.add_part(part.module().clone(), offset) else { return Err(Vec::new()) };
        let mut taken = *room;
        let places = Placement::within(self.map, &mut taken, &self.module, id)?;
        let (mut code, tiles) = decoded(&self.module, id, self.profile, places)?;
        let results = ends_with_its_call(&mut code);
        let tiles = self.written.drain(..).chain(tiles).collect();
        self.written = written::written(&self.module, &[id], &self.map, tiles);
        *room = taken;
        self.functions.push(code);
        Ok((self.functions.len() as u32 - 1, results))
    }

    /// Adds bytes of a block's memory that tiles may occupy.
    pub(in crate::sim) fn may_write(&mut self, range: std::ops::Range<usize>) {
        let tiles = self.written.drain(..).chain([range]).collect();
        self.written = written::merged(tiles);
    }
}

/// The code of a function of a growing program, and the bytes that its own tiles may occupy.
fn decoded(
    module: &Module,
    id: FunctionId,
    profile: Profile,
    places: Placement,
) -> Result<(FunctionCode, Vec<std::ops::Range<usize>>), DecodeError> {
    let shared = Shared {
        places,
        names: Names::of(module),
        order: Default::default(),
        queues: queue::Queues::of(module, &[id]),
        fields: Fields::of(&module.types),
    };
    let mut decoder = Decoder::new(module, id, profile, &shared);
    decoder.is_part = true;
    decoder.function();
    if !decoder.problems.is_empty() {
        return Err(decoder.problems);
    }
    decoder.code.facts = decoder.facts;
    decoder.code.core = module.functions[id].core();
    Ok((decoder.code, decoder.tiles))
}

/// Makes the function end with its call, because there is no calling frame to return to. Returns the slots of its
/// results.
fn ends_with_its_call(code: &mut FunctionCode) -> Vec<Slot> {
    let mut results = None;
    for step in &mut code.steps {
        if let Step::Return { first } = *step {
            let count = match code.lists[first as usize] {
                Slot::Scalar(count) => count as usize,
                _ => 0,
            };
            let slots = &code.lists[first as usize + 1..first as usize + 1 + count];
            // The last return is that of functions that end without one.
            results.get_or_insert_with(|| slots.to_vec());
            *step = Step::Done;
        }
    }
    results.unwrap_or_default()
}
