//! Limits on the nesting of composite types.

use super::{Parse, Parser};
use crate::ir::{Type, TypeId};

/// Maximum nesting depth of types, with aliases expanded.
const MAX_NESTING: u32 = 64;
/// Maximum number of component types of a type, with aliases expanded.
const MAX_PARTS: u32 = 1 << 16;

impl Parser<'_> {
    /// Creates a composite type. Nesting and size are limited, because nested aliases can expand exponentially.
    pub(super) fn made_of(&mut self, parts: &[TypeId], ty: Type, start: usize) -> Parse<TypeId> {
        let of = |part: &TypeId| self.nested_types.get(part).copied().unwrap_or((0, 1));
        let depth = parts.iter().map(|part| of(part).0).max().unwrap_or(0) + 1;
        let count = parts.iter().map(|part| of(part).1).fold(1, u32::saturating_add);
        if depth > MAX_NESTING || count > MAX_PARTS {
            let message =
                format!("types nest at most {MAX_NESTING} deep and are made of at most {MAX_PARTS} others");
            return self.syntax(self.since(start), message);
        }
        let id = self.module.types.intern(ty);
        self.nested_types.insert(id, (depth, count));
        Ok(id)
    }
}
