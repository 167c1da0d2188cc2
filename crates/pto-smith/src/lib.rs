//! Generators of PTO programs, and the oracles that judge what the toolchain makes of them.
//!
//! - [`mutate()`] breaks a program in the ways in which files get broken: bytes, lines, tokens, numbers, types,
//!   brackets, nesting.
//! - [`generate`] makes valid programs, with every instruction that computes; attributes of all kinds, recorded cases
//!   and manifests, valid and not.
//! - [`perturb()`] changes one thing about one instruction of a legal program: a type, a constant, a word.
//! - [`survive()`] is the oracle for any text at all: whatever it is, the toolchain answers, and answers again
//!   what it answered before.
//! - [`same_bits()`] is the oracle for programs that run: each instruction's fast path and its formula leave
//!   the same bits after.
//! - [`audit()`] is the oracle for what instructions declare to touch: no other byte changes, no other byte matters.
//! - [`rewritten()`] is the oracle for changes: random rewrites and the passes keep what a program does.
//! - [`judge`] is a second judge of races and of synchronization, which shares no code with the watchers.
//! - [`sync`] takes synchronization out of programs that are right, and asks the watchers and the schedules.
//!
//! Everything follows from a seed ([`Rng`]), so a failure is told by a number. The ordinary tests and the
//! fuzzing targets call the same functions.

mod audit;
pub mod generate;
pub mod judge;
mod mutate;
mod perturb;
mod rewrite;
mod rng;
mod same_bits;
mod survive;
pub mod sync;
mod synchronized;
mod words;

pub use audit::audit;
pub use mutate::mutate;
pub use perturb::{Perturbed, alone, perturb};
pub use rewrite::{dead_tiles_are_free, rewritten};
pub use rng::Rng;
pub use same_bits::{Agreement, same_bits};
pub use survive::{Survival, survive};
pub use synchronized::synchronized;
