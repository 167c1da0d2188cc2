//! Names of types and locations are removed.

use super::InModule;
use pto_lang::ir::Module;

/// An alias of a type, whose uses are printed in full, or of a location.
pub(super) enum Alias {
    Type(usize),
    Location(usize),
}

/// Removes aliases.
pub(super) const ALIASES: InModule<Alias> = InModule {
    name: "aliases",
    does: "removes type aliases, whose uses are written in full, and location aliases",
    places,
    change,
};

fn places(module: &Module) -> Vec<Alias> {
    let types = (0..module.type_aliases.len()).map(Alias::Type);
    types.chain((0..module.location_aliases.len()).map(Alias::Location)).collect()
}

fn change(module: &mut Module, places: &[Alias]) {
    for place in places.iter().rev() {
        match place {
            Alias::Type(at) => drop(module.type_aliases.remove(*at)),
            Alias::Location(at) => drop(module.location_aliases.remove(*at)),
        }
    }
}
