//! Generators of PTO programs, and oracles for the results of the toolchain.
//!
//! - [`mutate()`] corrupts a program as files get corrupted: bytes, lines, tokens, numbers, types, brackets, nesting.
//! - [`generate`] makes valid programs of every instruction that computes; and attributes of all kinds, recorded cases
//!   and manifests, valid and invalid.
//! - [`automatic()`] makes programs without addresses and synchronization, which the passes lower.
//! - [`perturb()`] changes one property of one instruction of a legal program: a type, a constant, an attribute word.
//! - [`survive()`] is the oracle for arbitrary text: the toolchain returns a result, and the same result when repeated.
//! - [`same_bits()`] is the oracle for programs that run: the fast path and the formula of each instruction give equal
//!   bits.
//! - [`audit()`] is the oracle for effects: an instruction changes no undeclared byte, and depends on none.
//! - [`rewritten()`] is the oracle for rewrites: random rewrites and the passes preserve the behaviour of a program.
//! - [`lowered()`] is the oracle for lowering: the result is legal, final, equivalent, and no more than needed.
//! - [`judge`] is an independent model of races and synchronization, which shares no code with the watchers.
//! - [`reader`] is an independent reader of printed text, which shares no code with parser and printer.
//! - [`sync`] removes synchronization from correct programs, and compares watchers and schedules.
//!
//! All choices follow from a seed ([`Rng`]), so that a number identifies a failure. The ordinary tests and the fuzzing
//! targets call the same functions.

mod audit;
mod automatic;
pub mod generate;
pub mod judge;
mod lowered;
mod mutate;
mod perturb;
mod program;
pub mod reader;
mod rewrite;
mod rng;
mod same_bits;
mod survive;
pub mod sync;
mod synchronized;

pub use audit::audit;
pub use automatic::{Automatic, automatic};
pub use lowered::{Lowering, lowered};
pub use mutate::mutate;
pub use perturb::{Perturbed, alone, perturb};
pub use rewrite::{dead_tiles_are_free, rewritten};
pub use rng::Rng;
pub use same_bits::{Agreement, same_bits};
pub use survive::{Survival, survive};
pub use synchronized::synchronized;
