//! Generator of valid programs of every instruction that computes.
//!
//! A program is a few steps. A step uses one instruction on tiles of its own: it places them (sometimes overlapping),
//! fills them from global memory, runs the instruction, sometimes in a loop, and stores every byte that it wrote. Steps
//! are drawn at random and kept if the checker accepts them.

mod attributes;
mod comm;
mod conv;
mod draft;
mod irregular;
mod layouts;
mod manifests;
mod own;
mod push;
mod quant;
mod steps;
mod tiles;
mod wishes;

pub use attributes::attributes;
pub use manifests::{case, manifest};

use crate::Rng;
use draft::Draft;
use pto::isa::Profile;
use pto::isa::op::{Instruction, all};

/// A program that the checker accepts.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The text.
    pub text: String,
    /// The profile that its module names.
    pub profile: Profile,
    /// The instruction of each step.
    pub instructions: Vec<&'static str>,
    /// Number of drawn steps, including those that the checker rejected.
    pub drawn: usize,
}

/// Instructions of generated programs: those with formulas.
pub fn computing() -> impl Iterator<Item = &'static dyn Instruction> {
    all().filter(|instruction| instruction.page().set.has_formulas())
}

/// Maximum number of attempts to draw a legal step of an instruction.
const PATIENCE: usize = 12;

/// A program of one to four steps with random instructions.
pub fn generate(rng: &mut Rng) -> Generated {
    let profile = *rng.pick(&PROFILES);
    let instructions: Vec<_> =
        computing().filter(|instruction| has(profile, instruction.page().name)).collect();
    let steps = rng.between(1, 4);
    program(rng, profile, steps, |rng| *rng.pick(&instructions))
}

const PROFILES: [Profile; 4] = [Profile::Cpu, Profile::Cpu, Profile::A2A3, Profile::A5];

/// Whether a profile has an instruction.
fn has(profile: Profile, name: &str) -> bool {
    match profile {
        Profile::Cpu => true,
        Profile::A2A3 => {
            !name.contains(".mx")
                && !matches!(
                    name,
                    "tget_scale_addr" | "thistogram" | "trandom" | "tinterleave" | "tdeinterleave"
                )
        }
        Profile::A5 => name != "taddrelu",
    }
}

/// A program of one step with the instruction `name`.
///
/// # Panics
/// An unknown instruction name.
pub fn generate_with(rng: &mut Rng, name: &str) -> Generated {
    let instruction = all().find(|instruction| instruction.page().name == name);
    let instruction = instruction.expect("an instruction of this name");
    let profiles: Vec<_> = PROFILES.into_iter().filter(|profile| has(*profile, name)).collect();
    let profile = *rng.pick(&profiles);
    program(rng, profile, 1, |_| instruction)
}

fn program(
    rng: &mut Rng,
    profile: Profile,
    steps: usize,
    mut instruction: impl FnMut(&mut Rng) -> &'static dyn Instruction,
) -> Generated {
    let mut draft = Draft::new(profile);
    let (mut instructions, mut drawn) = (Vec::new(), 0);
    for _ in 0..steps {
        let instruction = instruction(rng);
        for _ in 0..PATIENCE {
            let mut longer = draft.clone();
            steps::step(&mut longer, rng, instruction);
            drawn += 1;
            if is_legal(&longer.text()) {
                draft = longer;
                instructions.push(instruction.page().name);
                break;
            }
        }
    }
    Generated { text: draft.text(), profile, instructions, drawn }
}

fn is_legal(text: &str) -> bool {
    pto::parse(text).is_ok_and(|parsed| pto::check(parsed.module, None).is_ok())
}
