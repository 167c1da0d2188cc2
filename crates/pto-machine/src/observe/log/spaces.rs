//! Names of memories in a log.

use crate::sim::Program;
use crate::sim::event::{CoreId, Memory};
use crate::sim::operands::Space;
use crate::sim::part::Part;
use pto_isa::memory::Buffer;
use std::collections::BTreeMap;

/// Names of memories, each once.
#[derive(Default)]
pub(super) struct Spaces {
    numbers: BTreeMap<Key, u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// A buffer, and the vector core, if it is not that of the running one.
    Buffer(Buffer, Option<u64>),
    /// Tiles that the machine placed, in UB, and the vector core as for buffers.
    AutomaticVector(Option<u64>),
    /// Tiles that the machine placed elsewhere.
    Automatic,
    Global(u32),
}

impl Spaces {
    /// The number of a byte's memory, and the address of the memory's first byte. A new memory adds its name to `names`.
    pub(super) fn locate(
        &mut self,
        program: &Program,
        core: CoreId,
        memory: &Memory<'_>,
        space: Space,
        byte: u64,
        names: &mut Vec<String>,
    ) -> (u32, u64) {
        let (key, base) = match space {
            Space::Global(buffer) => (Key::Global(buffer), 0),
            Space::Chip(..) => on_chip(program, core, byte),
        };
        if let Some(number) = self.numbers.get(&key) {
            return (*number, base);
        }
        names.push(name(memory, key));
        let number = names.len() as u32 - 1;
        self.numbers.insert(key, number);
        (number, base)
    }
}

fn name(memory: &Memory<'_>, key: Key) -> String {
    let of_core = |name: &str, core: Option<u64>| match core {
        Some(core) => format!("{name}@{core}"),
        None => name.to_owned(),
    };
    match key {
        Key::Buffer(buffer, core) => of_core(&buffer.word().to_ascii_lowercase(), core),
        Key::AutomaticVector(core) => of_core("auto-ub", core),
        Key::Automatic => "auto".to_owned(),
        Key::Global(buffer) => {
            format!("gm:{}", super::as_word(&memory.global.buffer(buffer as usize).name))
        }
    }
}

/// The part of a block's memory that contains a byte, and its first byte. A vector core is named if it is not the running one.
fn on_chip(program: &Program, core: CoreId, byte: u64) -> (Key, u64) {
    let other = |of: u64| Some(of).filter(|of| *of != u64::from(core.vector_core));
    let (part, first) = Part::of(program.map(), byte);
    let key = match part {
        Part::Ub(of) => Key::Buffer(Buffer::Ub, other(of)),
        Part::AutomaticUb(of) => Key::AutomaticVector(other(of)),
        Part::Cube(buffer) => Key::Buffer(buffer, None),
        Part::Automatic => Key::Automatic,
    };
    (key, first)
}
