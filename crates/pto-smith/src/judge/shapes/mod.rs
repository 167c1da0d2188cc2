//! Programs of several shapes: random instructions, which are then synchronized.

mod across;
mod memory;
mod within;

use super::program::{Core, CoreProgram, Source, Statement};
use super::queues::Slots;
use super::repair::repair;
use crate::Rng;
use pto::Profile;

/// Makes a synchronized program: one core, cube core and vector cores, several blocks, or several ranks.
pub fn generate(rng: &mut Rng) -> Source {
    let mut source = match rng.below(8) {
        0..3 => within::vector(rng),
        3 => within::cube(rng),
        4 => across::cores(rng, false),
        5 => across::cores(rng, true),
        6 => across::blocks(rng),
        _ => across::ranks(rng),
    };
    repair(&mut source, rng);
    if source.parts.len() == 1 && source.ranks == 1 && source.blocks == 1 && rng.chance(30) {
        within::repeat(&mut source, rng);
    }
    source
}

/// A random profile: a device, or CPU.
fn profile(rng: &mut Rng) -> Profile {
    *rng.pick(&[Profile::A2A3, Profile::A5, Profile::A5, Profile::Cpu])
}

/// A program with empty parts: a function for one kind of core, or sections.
fn source(profile: Profile, kind: Option<Core>, ranks: usize) -> Source {
    let arch = match profile {
        Profile::A2A3 => "a3",
        _ => "a5",
    };
    let mut arguments = "%g0: !pto.ptr<f32>, %g1: !pto.ptr<f32>, %fifo: !pto.ptr<f32>".to_owned();
    if ranks > 1 {
        arguments += ", %sig: !pto.ptr<i32>, %n0: !pto.ptr<f32>, %nsig: !pto.ptr<i32>";
    }
    let kind = match kind {
        Some(Core::Cube) => " attributes {pto.kernel_kind = #pto.kernel_kind<cube>}",
        Some(Core::Vector) => " attributes {pto.kernel_kind = #pto.kernel_kind<vector>}",
        None => "",
    };
    let mut head = memory::types(profile);
    head += &format!(
        "module attributes {{pto.target_arch = \"{arch}\"}} {{\nfunc.func @f({arguments}){kind} {{\n"
    );
    head += &memory::constants();
    Source { profile, blocks: 1, ranks, head, parts: Vec::new(), slots: 1, storage: Slots::InMemory }
}

fn part(core: Core, cores: usize, head: String, body: Vec<Statement>) -> CoreProgram {
    CoreProgram { core, cores, head, body }
}
