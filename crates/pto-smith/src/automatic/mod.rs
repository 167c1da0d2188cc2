//! Generator of automatic programs: tiles without addresses, instructions without synchronization, for the two device
//! profiles. They are the input of lowering passes.
//!
//! A program is a list of statements for one kind of core, or for both in sections. A statement is an instruction, a
//! pattern of several (a product, a load of the next round), or a loop or branch around statements. Tiles are written
//! before they are read, windows stay within their buffers for every launch, and a flag that a program sets is awaited.

mod control;
mod cube;
mod draft;
mod early;
mod given;
mod memory;
mod vector;

use crate::Rng;
use draft::Draft;
pub(crate) use given::GIVEN;
use pto::isa::Profile;
use std::collections::BTreeSet;

/// An automatic program that the checker accepts.
#[derive(Clone, Debug)]
pub struct Automatic {
    /// The text.
    pub text: String,
    /// The profile that its module names.
    pub profile: Profile,
    /// Features in words: `loop`, `branch on data`, `multi tile`.
    pub features: BTreeSet<&'static str>,
}

/// Features whose accesses are unknown before a run: the bytes or the path depend on data, or on a number that is not
/// affine in counters of loops. In deep nests lowering puts a barrier of all pipes at each instruction, whatever it
/// accesses.
const UNKNOWN: [&str; 10] = [
    "branch",
    "branch on data",
    "while",
    "computed window",
    "multi tile",
    "indirect",
    "early load",
    "deep nesting",
    "exchanged tiles",
    "chosen tile",
];

impl Automatic {
    /// Whether the path and the bytes of all accesses follow from the numbers of rounds of the loops: no branch, no loop
    /// with a condition, no deep nest, no index or offset that is not affine in counters of loops.
    pub fn is_affine(&self) -> bool {
        UNKNOWN.iter().all(|feature| !self.features.contains(feature))
    }
}

/// The cores of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cores {
    Vector,
    Cube,
    Both,
}

/// A random automatic program.
pub fn automatic(rng: &mut Rng) -> Automatic {
    let profile = *rng.pick(&[Profile::A2A3, Profile::A5]);
    let cores = match rng.below(10) {
        0..=5 => Cores::Vector,
        6..=8 => Cores::Cube,
        _ => Cores::Both,
    };
    let mut draft = Draft::new(rng, profile);
    match cores {
        Cores::Vector => vector::body(&mut draft),
        Cores::Cube => cube::body(&mut draft),
        Cores::Both => both(&mut draft),
    }
    draft.finish()
}

/// A section for each kind of core; one of the vector cores does nothing, since both run the section.
fn both(draft: &mut Draft<'_>) {
    draft.has("sections");
    draft.open("pto.section.vector {");
    let (core, zero, condition) = (draft.name("core"), draft.constant(0, "i64"), draft.name("first"));
    draft.line(&format!("{core} = pto.get_subblock_idx"));
    draft.line(&format!("{condition} = arith.cmpi eq, {core}, {zero} : i64"));
    draft.open(&format!("scf.if {condition} {{"));
    draft.scoped(vector::body);
    draft.close();
    draft.close();
    draft.open("pto.section.cube {");
    draft.scoped(cube::body);
    draft.close();
}
