//! Values that are used before they are defined.

use super::Name;
use crate::ir::ValueId;
use pto_isa::diag::Span;
use std::collections::HashMap;

/// Uses whose value is not yet defined. A definition resolves a use if the region of the definition contains the
/// use, directly or in a nested region.
#[derive(Default)]
pub struct Forward<'a> {
    /// Uses in text order; `None` once resolved.
    uses: Vec<Option<(Name<'a>, ValueId, Span)>>,
    by_name: HashMap<Name<'a>, Vec<usize>>,
    by_value: HashMap<ValueId, Span>,
    /// The innermost open region of each use: (index of the first use, depth of its region), valid up to the next
    /// entry. Depths increase.
    depths: Vec<(usize, usize)>,
}

impl<'a> Forward<'a> {
    /// Adds the first use of a name, at a region depth.
    pub fn add(&mut self, name: Name<'a>, value: ValueId, span: Span, depth: usize) {
        let at = self.uses.len();
        if self.depths.last().is_none_or(|(_, known)| *known < depth) {
            self.depths.push((at, depth));
        }
        self.uses.push(Some((name, value, span)));
        self.by_name.entry(name).or_default().push(at);
        self.by_value.insert(value, span);
    }

    /// Removes and returns the use that a definition at region depth `depth` resolves.
    pub fn take(&mut self, name: Name<'a>, depth: usize) -> Option<(ValueId, Span)> {
        let waiting = self.by_name.get(&name)?;
        let place = waiting.iter().position(|at| self.depth_of(*at) >= depth)?;
        let at = self.by_name.get_mut(&name)?.remove(place);
        let (_, value, span) = self.uses[at].take()?;
        self.by_value.remove(&value);
        Some((value, span))
    }

    fn depth_of(&self, at: usize) -> usize {
        let next = self.depths.partition_point(|(first, _)| *first <= at);
        next.checked_sub(1).map_or(0, |found| self.depths[found].1)
    }

    /// Records that regions have closed down to a depth.
    pub fn close_to(&mut self, depth: usize) {
        let mut first = None;
        while let Some((start, _)) = self.depths.pop_if(|(_, known)| *known > depth) {
            first = Some(start);
        }
        if let Some(first) = first.filter(|_| self.depths.last().is_none_or(|(_, known)| *known < depth)) {
            self.depths.push((first, depth));
        }
    }

    /// Whether a use of the name is unresolved.
    pub(super) fn has(&self, name: Name<'a>) -> bool {
        self.by_name.get(&name).is_some_and(|waiting| !waiting.is_empty())
    }

    /// The span of the first use of an unresolved value.
    pub(super) fn first_use(&self, value: ValueId) -> Option<Span> {
        self.by_value.get(&value).copied()
    }

    /// The unresolved uses, in text order.
    pub fn undefined(self) -> impl Iterator<Item = (ValueId, Span)> {
        self.uses.into_iter().flatten().map(|(_, value, span)| (value, span))
    }
}
