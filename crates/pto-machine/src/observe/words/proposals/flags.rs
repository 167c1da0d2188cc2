//! Changes for flags and tokens that are set, waited for, acquired or released once too often or too seldom.

use super::draft::{Draft, Drafts, set, wait};
use crate::sim::event::FlagKey;
use pto_isa::pipe::Pipe;
use pto_lang::ir::{OperationId, Order};
use std::collections::BTreeSet;

/// Most sets without a wait, and waits without a set, that are matched with each other.
const MOST_LONELY: usize = 4;

impl Drafts<'_> {
    /// Changes for a wait whose flag is not set.
    pub(super) fn never_set(&self, at: OperationId, key: FlagKey) -> Vec<Draft> {
        let mut all = self.exchanged_at(at);
        let line = set(key);
        let last =
            |ahead: &[OperationId]| ahead.iter().rev().find(|id| self.runs_on(**id, key.from)).copied();
        let last_before = last(self.ahead(at));
        all.extend(last_before.map(|id| Draft::default().after(self, id, &line)));
        let behind = last(self.behind(at)).filter(|_| self.loops_around(at).next().is_some());
        all.extend(behind.map(|id| Draft::default().after(self, id, &line)));
        all.extend(self.loops_around(at).map(|carrier| Draft::default().before(self, carrier, &line)));
        all.extend(self.loops_around(at).map(|carrier| self.outside(carrier, key)));
        if last_before.is_none() {
            all.push(Draft::default().before(self, at, &line));
        }
        all.push(Draft::default().without(self, at).at_last());
        all
    }

    /// Changes for a flag that is set and not waited for.
    pub(super) fn left_set(&self, at: OperationId, key: FlagKey) -> Vec<Draft> {
        let mut all = self.exchanged_at(at);
        let line = wait(key);
        let first = |behind: &[OperationId]| behind.iter().find(|id| self.runs_on(**id, key.to)).copied();
        let next = first(self.behind(at));
        all.extend(next.map(|id| Draft::default().before(self, id, &line)));
        let is_in_loop = self.loops_around(at).next().is_some();
        let in_front = first(self.ahead(at)).filter(|_| is_in_loop);
        all.extend(in_front.map(|id| Draft::default().before(self, id, &line)));
        all.extend(self.loops_around(at).map(|carrier| Draft::default().after(self, carrier, &line)));
        all.extend(self.loops_around(at).map(|carrier| self.outside(carrier, key)));
        // Set before a loop for its first iteration: then the set of the last iteration stays.
        let sets_in = |id: &OperationId| {
            let inside = |other: OperationId| self.flow.around(other).any(|outer| outer == *id);
            self.flags.iter().any(|(other, sets, own)| *sets && *own == key && inside(*other))
        };
        let carrier = self.behind(at).iter().find(|id| sets_in(id));
        all.extend(carrier.map(|id| Draft::default().after(self, *id, &line)));
        if next.is_none() && !is_in_loop {
            all.push(Draft::default().after(self, at, &line));
        }
        all.push(Draft::default().without(self, at).at_last());
        all
    }

    /// The set before a loop and the wait after it, for a flag between iterations.
    fn outside(&self, carrier: OperationId, key: FlagKey) -> Draft {
        Draft::default().before(self, carrier, &set(key)).after(self, carrier, &wait(key))
    }

    /// Changes for a flag that is set while it is set: the waits that may be missing, then another number for this set and the wait
    /// that follows it.
    pub(super) fn set_twice(&self, at: OperationId, before: OperationId, key: FlagKey) -> Vec<Draft> {
        let mut all = match at == before {
            true => Vec::new(),
            false => self.left_set(before, key),
        };
        all.extend(self.left_set(at, key));
        let next = self
            .behind(at)
            .iter()
            .find(|id| self.flags.iter().any(|(other, sets, own)| other == *id && !*sets && *own == key));
        if let (Some(wait_at), Some(free)) = (next, self.free_flag(key.from, key.to)) {
            let draft = Draft::default().instead(self, at, &set(free));
            all.push(draft.instead(self, *wait_at, &wait(free)));
        }
        all
    }

    /// Changes for a wait whose flag is never set and a set whose flag is never awaited: one of the two takes the flag of the other.
    pub(super) fn exchanged(&self) -> Vec<([FlagKey; 2], Draft)> {
        let keys = [false, true].map(|sets| {
            let own = self.flags.iter().filter(|(_, is_set, _)| *is_set == sets);
            own.map(|(.., key)| *key).collect::<BTreeSet<FlagKey>>()
        });
        let lonely = |sets: bool| {
            let others = &keys[usize::from(!sets)];
            let own =
                self.flags.iter().filter(move |(_, is_set, key)| *is_set == sets && !others.contains(key));
            own.take(MOST_LONELY)
        };
        let mut all = Vec::new();
        for (wait_at, _, waited) in lonely(false) {
            for (set_at, _, given) in lonely(true) {
                let keys = [*waited, *given];
                all.push((keys, Draft::default().instead(self, *wait_at, &wait(*given))));
                all.push((keys, Draft::default().instead(self, *set_at, &set(*waited))));
            }
        }
        all
    }

    /// Those changes of [`Self::exchanged`] in which the flag of this operation takes part.
    fn exchanged_at(&self, at: OperationId) -> Vec<Draft> {
        let own = self.flags.iter().find(|(id, ..)| *id == at).map(|(.., key)| *key);
        let all = self.exchanged().into_iter();
        all.filter(|(keys, _)| own.is_some_and(|own| keys.contains(&own))).map(|(_, draft)| draft).collect()
    }

    /// Changes for a token that is acquired and not released: the release after the last instruction of the pipe that follows.
    pub(super) fn not_released(&self, at: OperationId) -> Vec<Draft> {
        let Some(Order::Token { pipe, token, .. }) = self.operation(at).order() else { return Vec::new() };
        let until = self.behind(at).iter().take_while(|id| !self.is_of_token(**id, pipe, token));
        let used: Vec<OperationId> = until.copied().collect();
        let of_pipe = used.iter().rev().find(|id| self.runs_on(**id, pipe));
        let last = of_pipe.or(used.last());
        let mut all: Vec<Draft> = Vec::new();
        if let Some(line) = self.token_line(at, "rls_buf") {
            all.extend(last.map(|id| Draft::default().after(self, *id, &line)));
        }
        all.push(Draft::default().without(self, at).at_last());
        all
    }

    /// Changes for a token that is released and not held: the acquisition before the first instruction of the pipe in front.
    pub(super) fn not_held(&self, at: OperationId) -> Vec<Draft> {
        let Some(Order::Token { pipe, token, .. }) = self.operation(at).order() else { return Vec::new() };
        let ahead = self.ahead(at).iter().rev().take_while(|id| !self.is_of_token(**id, pipe, token));
        let first = ahead.filter(|id| self.runs_on(**id, pipe)).last();
        let mut all: Vec<Draft> = Vec::new();
        if let Some(line) = self.token_line(at, "get_buf") {
            all.extend(first.map(|id| Draft::default().before(self, *id, &line)));
        }
        all.push(Draft::default().without(self, at).at_last());
        all
    }

    fn is_of_token(&self, id: OperationId, pipe: Pipe, token: u32) -> bool {
        matches!(self.operation(id).order(), Some(Order::Token { pipe: p, token: t, .. }) if (p, t) == (pipe, token))
    }

    /// The operation on the token of another operation, spelled alike.
    fn token_line(&self, at: OperationId, name: &str) -> Option<String> {
        let operation = self.operation(at);
        let attribute = operation.instruction()?.pipe_attribute()?;
        let (word, id) = (operation.word(attribute)?, operation.integer("id")?);
        let written = match word.starts_with("PIPE_") {
            true => format!("<{word}>"),
            false => format!("#pto.pipe_event_type<{word}>"),
        };
        let mode = operation.integer("mode").map(|mode| format!(", {mode}")).unwrap_or_default();
        Some(format!("pto.{name}[{written}, {id}{mode}]"))
    }
}
