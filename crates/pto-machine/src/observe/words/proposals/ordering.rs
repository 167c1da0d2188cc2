//! Changes that order two accesses of a core.
//!
//! The accesses race, so the order of one before the other is missing, in whole or in part. A flag orders them if it is set after the
//! first and waited for before the second, both in the innermost block around the two; an access of an earlier iteration of a loop
//! needs four operations, since the flag is also set before the loop and waited for after it. Where some of these operations stand
//! already, the rest of them is the likely mistake, and comes first.

use super::draft::{Draft, Drafts, barrier, id_at, set, wait};
use crate::sim::event::{FlagKey, Place};
use pto_isa::diag::Proposal;
use pto_isa::meaning::Meaning;
use pto_isa::pipe::Pipe;
use pto_lang::ir::OperationId;

/// Two accesses of one function and the pipes that they run on.
pub(super) struct Pair<'d, 'p> {
    drafts: &'d Drafts<'p>,
    accesses: [OperationId; 2],
    pipes: [Pipe; 2],
}

/// The operations of one block that are or contain the accesses, and the loop if the first access is of an earlier iteration.
struct Ends {
    first: OperationId,
    second: OperationId,
    carrier: Option<OperationId>,
}

impl<'d, 'p> Pair<'d, 'p> {
    pub(super) fn of(drafts: &'d Drafts<'p>, places: [Place; 2], pipes: [Pipe; 2]) -> Option<Pair<'d, 'p>> {
        let accesses = [id_at(drafts.function, places[0])?, id_at(drafts.function, places[1])?];
        Some(Pair { drafts, accesses, pipes })
    }

    /// The changes, the most likely first.
    pub(super) fn proposals(&self) -> Vec<Proposal> {
        let Some(ends) = self.ends() else { return Vec::new() };
        let mut all: Vec<Proposal> = Vec::new();
        if self.pipes[0] == self.pipes[1] {
            all.push(self.barrier(&ends, self.pipes[0]).into());
        } else {
            match ends.carrier {
                Some(carrier) => {
                    let partial = self.keys().into_iter().flat_map(|key| self.rest(&ends, carrier, key));
                    all.extend(partial.map(Proposal::from));
                    all.extend(self.around(&ends, carrier));
                }
                None => {
                    all.extend(self.halves(&ends).into_iter().map(Proposal::from));
                    all.extend(self.both(&ends));
                }
            }
        }
        let words = ", which waits for all pipes and takes longer than a flag";
        all.push(self.barrier(&ends, Pipe::All).at_last().because(words));
        all
    }

    fn ends(&self) -> Option<Ends> {
        let Drafts { flow, .. } = self.drafts;
        let [a, b] = self.accesses;
        let outer = std::iter::once(b).chain(flow.around(b));
        let common = |second: OperationId| Some((self.drafts.within(flow.place(second)?.0, a)?, second));
        let (first, second) = outer.into_iter().find_map(common)?;
        let is_forward = flow.place(first)?.1 < flow.place(second)?.1;
        if is_forward {
            return Some(Ends { first, second, carrier: None });
        }
        let carrier = self.drafts.loops_around(second).next()?;
        let body = |id: OperationId| {
            let mut outer = std::iter::once(id).chain(flow.around(id));
            outer.find(|id| flow.parent(*id) == Some(carrier))
        };
        Some(Ends { first: body(a)?, second: body(b)?, carrier: Some(carrier) })
    }

    fn barrier(&self, ends: &Ends, pipe: Pipe) -> Draft {
        Draft::default().before(self.drafts, ends.second, &barrier(pipe))
    }

    /// The flags between the pipes that the function uses.
    fn keys(&self) -> Vec<FlagKey> {
        let [from, to] = self.pipes;
        let own =
            self.drafts.flags.iter().map(|(.., key)| *key).filter(|key| (key.from, key.to) == (from, to));
        let mut keys: Vec<FlagKey> = own.collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// A set for a wait that stands between the accesses, a wait for a set that does, or one of both with the flag of the other.
    fn halves(&self, ends: &Ends) -> Vec<Draft> {
        let drafts = self.drafts;
        let inside = drafts.order(self.accesses[0])..drafts.order(self.accesses[1]);
        let between = |sets: bool| {
            let flags = drafts.flags.iter().filter(move |(.., is_set, _)| *is_set == sets);
            flags.map(|(id, _, key)| (*id, *key)).filter(|(id, _)| inside.contains(&drafts.order(*id)))
        };
        let is_pair = |key: &FlagKey| [key.from, key.to] == self.pipes;
        let has_other = |sets: bool, key: FlagKey| between(sets).any(|(_, other)| other == key);
        let mut all = Vec::new();
        for (at, key) in between(false).filter(|(_, key)| is_pair(key) && !has_other(true, *key)) {
            let until = self.in_block(ends, at).unwrap_or(ends.second);
            let last = drafts.last_on(key.from, ends.first, until);
            all.extend([ends.first, last].map(|id| Draft::default().after(drafts, id, &set(key))));
        }
        for (at, key) in between(true).filter(|(_, key)| is_pair(key) && !has_other(false, *key)) {
            let since = self.in_block(ends, at).unwrap_or(ends.first);
            let first = drafts.first_on(key.to, since, ends.second);
            all.extend([ends.second, first].map(|id| Draft::default().before(drafts, id, &wait(key))));
        }
        all.extend(
            drafts
                .exchanged()
                .into_iter()
                .filter(|(keys, _)| keys.iter().any(is_pair))
                .map(|(_, draft)| draft),
        );
        all
    }

    /// The operation in the block of both ends that is or contains an operation.
    fn in_block(&self, ends: &Ends, id: OperationId) -> Option<OperationId> {
        self.drafts.within(self.drafts.flow.place(ends.second)?.0, id)
    }

    /// A flag that nothing uses: set after the first access, or after the last instruction of its pipe before the second one, which
    /// orders more.
    fn both(&self, ends: &Ends) -> Vec<Proposal> {
        let Some(key) = self.drafts.free_flag(self.pipes[0], self.pipes[1]) else { return Vec::new() };
        let last = self.drafts.last_on(key.from, ends.first, ends.second);
        let draft = |id| {
            let draft = Draft::default().after(self.drafts, id, &set(key));
            draft.before(self.drafts, ends.second, &wait(key)).into()
        };
        [ends.first, last].map(draft).into()
    }

    /// The missing operations of a flag between iterations, if some of its four stand already.
    fn rest(&self, ends: &Ends, carrier: OperationId, key: FlagKey) -> Option<Draft> {
        let drafts = self.drafts;
        let start = drafts.order(carrier);
        let is_inside = |id: OperationId| drafts.flow.around(id).any(|outer| outer == carrier);
        let has = |sets: bool, part: &dyn Fn(OperationId) -> bool| {
            drafts.flags.iter().any(|(id, is_set, own)| *is_set == sets && *own == key && part(*id))
        };
        let before = has(true, &|id| !is_inside(id) && drafts.order(id) < start);
        let behind = has(false, &|id| !is_inside(id) && drafts.order(id) > start);
        let (waits, sets) = (has(false, &is_inside), has(true, &is_inside));
        if !before && !behind || before && behind && waits && sets {
            return None;
        }
        Some(self.four(ends, carrier, key, [before, waits, sets, behind]))
    }

    /// The operations of a flag between iterations that do not stand yet.
    fn four(&self, ends: &Ends, carrier: OperationId, key: FlagKey, stands: [bool; 4]) -> Draft {
        let drafts = self.drafts;
        let mut draft = Draft::default();
        let [before, waits, sets, behind] = stands;
        if !before {
            draft = draft.before(drafts, carrier, &set(key));
        }
        if !waits {
            draft = draft.before(drafts, ends.second, &wait(key));
        }
        if !sets {
            draft = draft.after(drafts, ends.first, &set(key));
        }
        if !behind {
            draft = draft.after(drafts, carrier, &wait(key));
        }
        draft
    }

    /// A flag between iterations that nothing uses. The condition of `scf.while` runs once more than its body.
    fn around(&self, ends: &Ends, carrier: OperationId) -> Option<Proposal> {
        if self.drafts.operation(carrier).meaning() != Meaning::For {
            return None;
        }
        let key = self.drafts.free_flag(self.pipes[0], self.pipes[1])?;
        let name = self.drafts.operation(self.accesses[0]).short_name();
        let words = format!(": `{name}` is of an earlier iteration of the loop; see `pto explain flag`");
        Some(self.four(ends, carrier, key, [false; 4]).because(&words))
    }
}
