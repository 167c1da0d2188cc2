//! Pipes that run independently: instructions that are issued and have not run.
//!
//! Under every schedule except program order an instruction is appended to the backlog of its pipe, with the current state of
//! its operands, and runs later: when something waits for it, or when the schedule selects it. Each pipe runs its backlog in
//! order; flags, barriers and buffer tokens delay it. A program without hazards has the same results under every schedule.

mod backlog;

use super::super::code::{FunctionCode, SyncStep};
use super::super::event::{FlagKey, Place};
use super::super::footprint::Footprint;
use super::step::Stop;
use super::tell::{flag_of, token_of};
use super::{Core, Frame, Machine};
pub(in crate::sim) use backlog::Pending;
pub(super) use backlog::Stage;
use backlog::{PIPES, Work, backlog_of};
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::exec::state::Slot;
use pto_isa::pipe::Pipe;
use pto_isa::rules;

/// The order in which pipes run issued instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Schedule {
    /// Program order.
    #[default]
    Program,
    /// Each instruction runs as soon as possible.
    Eager,
    /// An instruction runs only when something waits for it; at the end the youngest runs first: a missing wait gives
    /// wrong data in every run.
    Lazy,
    /// At random.
    Random,
    /// For a few instructions some pipes run ahead of the others, then other pipes do.
    Adversarial,
}

impl Schedule {
    /// Name of the schedule in flags and messages.
    pub fn word(self) -> &'static str {
        match self {
            Schedule::Program => "program",
            Schedule::Eager => "eager",
            Schedule::Lazy => "lazy",
            Schedule::Random => "random",
            Schedule::Adversarial => "adversarial",
        }
    }
}

/// Maximum number of entries of a backlog.
const DEPTH: usize = 64;

impl Machine<'_> {
    /// Appends an instruction to the backlog of its pipe. Returns `false` for an instruction that must run at once, such as one
    /// of the scalar unit.
    pub(super) fn issue(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<bool, Stop> {
        let step = &code.tiles[index];
        if step.footprint.handshakes.orders() {
            // The step synchronizes with other pipes itself: run the entries that it waits for, then run it at once.
            self.finish_pipes(core, &step.footprint)?;
            return Ok(false);
        }
        let Some(backlog) = backlog_of(step.footprint.pipe()) else { return Ok(false) };
        if step.gives_scalars {
            // The next step uses its result, so run everything that it depends on first.
            self.finish_pending(core)?;
            return Ok(false);
        }
        let given = core.given(frame);
        let operand = |slot: &Slot| Some((*slot, given.operand(*slot)?));
        let operands = step.slots.iter().filter_map(operand).collect();
        let vector_core = core.vector_core;
        let work = Work::Tile { function: frame.function, index, vector_core, operands };
        if let Some(pending) = core.pending.as_mut() {
            pending.put(backlog, work);
        }
        self.go_on(core)?;
        Ok(true)
    }

    /// Runs the entries that the schedule selects now.
    fn go_on(&mut self, core: &mut Core) -> Result<(), Stop> {
        let schedule = self.options.schedule;
        while let Some(backlog) = core.pending.as_mut().and_then(|pending| pending.unasked(schedule)) {
            self.do_first(core, backlog)?;
        }
        for backlog in 0..PIPES.len() {
            let full = |core: &Core| {
                core.pending.as_ref().is_some_and(|pending| pending.backlogs[backlog].len() > DEPTH)
            };
            if full(core) {
                self.force(core, backlog, &mut Vec::new())?;
            }
        }
        Ok(())
    }

    /// A flag, a barrier or a buffer token under a schedule other than program order.
    pub(super) fn order_pending(
        &mut self,
        core: &mut Core,
        frame: Frame,
        step: SyncStep,
        at: Place,
    ) -> Result<(), Stop> {
        match step {
            SyncStep::Flag { sets, from, to, id } => {
                let key = flag_of(core, frame, from, to, id);
                let Some(pending) = core.pending.as_mut() else { return Ok(()) };
                match (sets, backlog_of(if sets { from } else { to })) {
                    (true, Some(backlog)) => pending.put(backlog, Work::Set(key)),
                    (false, Some(backlog)) => pending.put(backlog, Work::Wait(key, at)),
                    (true, None) => pending.flags.set(key, ()),
                    (false, None) => {
                        self.await_flag(core, key, at, &mut Vec::new())?;
                        if let Some(pending) = core.pending.as_mut() {
                            pending.flags.take(key);
                        }
                    }
                }
            }
            SyncStep::Barrier(Pipe::All) => return self.finish_pending(core),
            SyncStep::Barrier(_) => {}
            SyncStep::Behind(pipe) => {
                let backlog = backlog_of(pipe);
                return backlog.map_or(Ok(()), |backlog| self.force(core, backlog, &mut Vec::new()));
            }
            SyncStep::Token { acquires, pipe, token } => {
                let token = token_of(core, frame, token);
                let (Some(backlog), Some(pending)) = (backlog_of(pipe), core.pending.as_mut()) else {
                    return Ok(());
                };
                let released = pending.released.entry(token).or_default();
                let work = match acquires {
                    true => Work::Acquire(token, released.0),
                    false => {
                        released.0 += 1;
                        Work::Release(token)
                    }
                };
                pending.put(backlog, work);
            }
        }
        self.go_on(core)
    }

    /// Runs all entries that can run. The remaining ones wait for instructions that are issued later.
    pub(super) fn drain(&mut self, core: &mut Core) -> Result<(), Stop> {
        let schedule = self.options.schedule;
        while let Some(backlog) = core.pending.as_mut().and_then(|pending| pending.choose(schedule)) {
            self.do_first(core, backlog)?;
        }
        Ok(())
    }

    /// Runs all entries.
    pub(super) fn finish_pending(&mut self, core: &mut Core) -> Result<(), Stop> {
        self.drain(core)?;
        let stuck = (0..PIPES.len()).find(|backlog| {
            core.pending.as_ref().is_some_and(|pending| !pending.backlogs[*backlog].is_empty())
        });
        stuck.map_or(Ok(()), |backlog| self.force(core, backlog, &mut Vec::new()))
    }

    /// Runs all entries of the pipes of an instruction, and of the pipes that it waits for before it begins.
    fn finish_pipes(&mut self, core: &mut Core, footprint: &Footprint) -> Result<(), Stop> {
        let before = footprint.handshakes.before.iter().map(|(from, _)| from);
        for pipe in before.chain(&footprint.phases) {
            match backlog_of(*pipe) {
                Some(backlog) => self.force(core, backlog, &mut Vec::new())?,
                None if *pipe == Pipe::All => self.finish_pending(core)?,
                None => {}
            }
        }
        Ok(())
    }

    /// Runs all entries of a backlog; `waiting` are the backlogs that wait for it.
    fn force(&mut self, core: &mut Core, backlog: usize, waiting: &mut Vec<usize>) -> Result<(), Stop> {
        while core.pending.as_ref().is_some_and(|pending| !pending.backlogs[backlog].is_empty()) {
            self.advance_backlog(core, backlog, waiting)?;
        }
        Ok(())
    }

    /// Runs the entries that the first entry of a backlog waits for, then that entry.
    fn advance_backlog(
        &mut self,
        core: &mut Core,
        backlog: usize,
        waiting: &mut Vec<usize>,
    ) -> Result<(), Stop> {
        let Some(pending) = core.pending.as_ref() else { return Ok(()) };
        if !pending.is_ready(backlog) {
            let key = match pending.backlogs[backlog].front() {
                Some((_, Work::Wait(key, at))) => Some((*key, *at)),
                _ => None,
            };
            if waiting.contains(&backlog) {
                return Err(self.stuck(core, backlog));
            }
            waiting.push(backlog);
            match key {
                Some((key, at)) => self.await_flag(core, key, at, waiting)?,
                None => self.others(core, backlog, waiting)?,
            }
            waiting.pop();
        }
        self.do_first(core, backlog)
    }

    /// Runs entries until a flag is set.
    fn await_flag(
        &mut self,
        core: &mut Core,
        key: FlagKey,
        at: Place,
        waiting: &mut Vec<usize>,
    ) -> Result<(), Stop> {
        let is_set = |core: &Core| core.pending.as_ref().is_some_and(|pending| pending.flags.is_set(key));
        while !is_set(core) {
            let sets = |pending: &Pending, backlog: usize| {
                pending.backlogs[backlog]
                    .iter()
                    .any(|(_, work)| matches!(work, Work::Set(other) if *other == key))
            };
            let backlog = backlog_of(key.from)
                .filter(|backlog| core.pending.as_ref().is_some_and(|pending| sets(pending, *backlog)));
            match backlog {
                Some(backlog) if !waiting.contains(&backlog) => {
                    self.advance_backlog(core, backlog, waiting)?
                }
                _ => return Err(self.never(core, key, at)),
            }
        }
        Ok(())
    }

    /// Runs entries of other backlogs until the first entry of this one can run. The oldest entries run first, since
    /// they wait for no later one.
    fn others(&mut self, core: &mut Core, backlog: usize, waiting: &mut Vec<usize>) -> Result<(), Stop> {
        while core.pending.as_ref().is_some_and(|pending| !pending.is_ready(backlog)) {
            let next = core.pending.as_ref().and_then(|pending| {
                (0..PIPES.len())
                    .filter(|other| !waiting.contains(other) && !pending.backlogs[*other].is_empty())
                    .min_by_key(|other| pending.head(*other))
            });
            match next {
                Some(next) => self.advance_backlog(core, next, waiting)?,
                None => return Err(self.stuck(core, backlog)),
            }
        }
        Ok(())
    }

    /// Runs the first entry of a backlog.
    fn do_first(&mut self, core: &mut Core, backlog: usize) -> Result<(), Stop> {
        let Some(mut pending) = core.pending.take() else { return Ok(()) };
        let work = pending.backlogs[backlog].pop_front().map(|(_, work)| work);
        let done = match work {
            Some(Work::Tile { function, index, vector_core, operands }) => {
                pending.set_stage(&operands);
                self.execute_staged(core, &mut pending.stage, function, index, vector_core)
            }
            Some(Work::Set(key)) => {
                pending.flags.set(key, ());
                Ok(())
            }
            Some(Work::Wait(key, _)) => {
                pending.flags.take(key);
                Ok(())
            }
            Some(Work::Release(token)) => {
                pending.released.entry(token).or_default().1 += 1;
                Ok(())
            }
            Some(Work::Acquire(..)) | None => Ok(()),
        };
        core.pending = Some(pending);
        done
    }

    /// The error for a deadlock of pipes, with the reason why each backlog waits.
    fn stuck(&self, core: &Core, backlog: usize) -> Stop {
        let message = format!("pipe {} can never continue", PIPES[backlog].word());
        Stop::Found(vec![self.waiting_pipes(core, Diagnostic::error(&rules::sync::DEADLOCK, message))])
    }

    fn never(&self, core: &Core, FlagKey { from, to, id }: FlagKey, at: Place) -> Stop {
        let message = format!(
            "{} waits for the flag of {} with number {id}, which is never set",
            to.word(),
            from.word()
        );
        let help = "put a `set_flag` with the same pipes and number before this wait, or delete the wait";
        let finding = Diagnostic::error(&rules::sync::DEADLOCK, message).at(self.span(at)).with_help(help);
        Stop::Found(vec![self.waiting_pipes(core, finding)])
    }

    /// Adds the waits at which pipes are to a deadlock.
    fn waiting_pipes(&self, core: &Core, mut finding: Diagnostic) -> Diagnostic {
        let Some(pending) = core.pending.as_ref() else { return finding };
        for (backlog, pipe) in pending.backlogs.iter().zip(PIPES) {
            if let Some((_, Work::Wait(FlagKey { from, id, .. }, at))) = backlog.front() {
                let line =
                    format!("pipe {} waits for the flag of {} with number {id}", pipe.word(), from.word());
                let span = self.span(*at);
                finding = match &finding.primary {
                    None => finding.at(span),
                    Some(primary) if primary.span != span => finding.with_label(span, "and here"),
                    Some(_) => finding,
                };
                finding = finding.with_note(line);
            }
        }
        finding.with_note(format!("in block {}", core.block))
    }

    /// The place of an operation in the text.
    fn span(&self, at: Place) -> Span {
        let operations =
            self.program.function_at(at.function).map(|(_, function)| function.operations.iter());
        let found = operations.into_iter().flatten().find(|(id, _)| id.index() == at.operation as usize);
        found.map(|(_, operation)| operation.span).unwrap_or_default()
    }
}
