//! Unit flags: one for each accumulator, which synchronizes the matrix unit and the pipe that drains the accumulator.
//!
//! A product with a phase starts when the earlier stores and moves with a phase have ended; a store or move starts
//! when the earlier products have ended. So no flag between the pipes M and FIX is needed. Instructions without a
//! phase do not use the flag.

use super::attribute::AttributeSpec;
use super::site::Site;
use crate::tile::Location;

const PHASES: &[&str] = &["unspecified", "partial", "final"];

/// The phase of a product.
pub(in crate::op) const OF_PRODUCT: AttributeSpec = AttributeSpec::words(
    "accPhase",
    "acc_phase",
    PHASES,
    "The place of the product in a longer sum in one accumulator; with `partial` or `final` the instruction holds the unit flag \
     of the accumulator.",
)
.or_word("unspecified");

/// The phase of a store or a move out of an accumulator.
pub(in crate::op) const OF_STORE: AttributeSpec = AttributeSpec::words(
    "stPhase",
    "st_phase",
    PHASES,
    "The place of the instruction among several stores or moves of one accumulator; with `partial` or `final` the instruction \
     holds the unit flag of the accumulator.",
)
.or_word("unspecified");

impl Site<'_> {
    /// The role of the accumulator whose unit flag the instruction holds.
    pub fn unit_flag(&self) -> Option<&'static str> {
        let held = [(OF_PRODUCT.name, "dst"), (OF_STORE.name, "src")];
        held.into_iter().find_map(|(phase, role)| {
            let has_phase = self.listed_word(phase).is_some_and(|word| word != PHASES[0]);
            let is_accumulator = self.tile(role).is_some_and(|tile| tile.ty.location == Location::Acc);
            (has_phase && is_accumulator).then_some(role)
        })
    }
}
