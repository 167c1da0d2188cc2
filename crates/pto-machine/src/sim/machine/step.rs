//! The interpreter loop.

mod enter;
mod place;
mod scalars;
mod tile;
mod value;

pub(in crate::sim) use place::fits;

use super::super::code::{CoreKind, FunctionCode, Step};
use super::super::event::Place;
use super::queues::Wait;
use super::schedule::Pause;
use super::{Core, Frame, Machine};
use pto_isa::diag::Diagnostic;
use pto_isa::exec::state::{Fault, Slot};
use pto_isa::rule::RuleId;
use pto_isa::rules;

/// Why a core stopped at a step, without its source location.
pub(super) enum Stop {
    Fault(Fault),
    Rule(RuleId, String),
    /// The core must wait for another one, and retries the step afterwards.
    Wait(Wait),
    /// The step has tested signals, and failed: the core yields before the next one.
    Poll,
    /// The core has used up its steps.
    Used,
    /// The launch has used up its time.
    Late,
    /// The core is in a loop that nothing ends.
    Endless,
    /// The call of a part has ended.
    Done,
    /// An error, with its diagnostics.
    Found(Vec<Diagnostic>),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        match fault {
            Fault::Wait(what) => Stop::Wait(Wait { what }),
            fault => Stop::Fault(fault),
        }
    }
}

pub(super) fn rule<T>(rule: impl Into<RuleId>, message: String) -> Result<T, Stop> {
    Err(Stop::Rule(rule.into(), message))
}

impl Machine<'_> {
    /// Runs a core from step `at` of its innermost function to its end, or until it must wait.
    pub(super) fn run(
        &mut self,
        core: &mut Core,
        at: &mut usize,
        left: &mut u64,
    ) -> Result<Pause, Vec<Diagnostic>> {
        let before = *left;
        let pause = self.run_frames(core, at, left);
        self.state.outcome.steps += before - *left;
        pause
    }

    fn run_frames(
        &mut self,
        core: &mut Core,
        at: &mut usize,
        left: &mut u64,
    ) -> Result<Pause, Vec<Diagnostic>> {
        loop {
            let Some(&frame) = core.frames.last() else {
                return match self.finish_pending(core) {
                    Ok(()) => Ok(Pause::End),
                    Err(Stop::Found(found)) => Err(found),
                    Err(_) => Ok(Pause::End),
                };
            };
            let code = &self.program.functions[frame.function];
            match self.run_frame(core, frame, code, at, left) {
                Ok(()) => {}
                Err(Stop::Wait(wait)) => {
                    *left += 1;
                    return Ok(Pause::Wait(wait));
                }
                Err(Stop::Poll) => {
                    *at += 1;
                    return Ok(Pause::Poll);
                }
                Err(Stop::Used) => return Ok(Pause::Turn),
                Err(stop) => return Err(self.stopped(core, frame, *at, stop)),
            }
        }
    }

    /// Runs steps until a call or a return changes the frame.
    pub(super) fn run_frame(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        at: &mut usize,
        left: &mut u64,
    ) -> Result<(), Stop> {
        let plain = self.is_plain(core);
        loop {
            if *left == 0 {
                return Err(Stop::Used);
            }
            *left -= 1;
            match &code.steps[*at] {
                step if scalars::is_scalar(step) => {
                    *left += 1;
                    scalars::run(&code.steps, &mut core.scalars[frame.scalars..], at, left)?;
                    continue;
                }
                Step::PositiveIncrement { step, width } => {
                    let step = width.signed(core.scalars[frame.scalars + *step as usize]);
                    if step <= 0 {
                        return rule(
                            &rules::run::LOOP_STEP,
                            format!("the step of a loop is positive, not {step}"),
                        );
                    }
                }
                Step::Tile(index)
                    if plain && tile::is_checked(core, &frame, &code.tiles[*index as usize]) =>
                {
                    self.plain_tile(core, &frame, code, *index as usize)?;
                }
                Step::Tile(index) => self.tile(core, frame, code, *index as usize)?,
                Step::Exchange(index) => {
                    self.drain(core)?;
                    self.exchange(core, frame, code, *index as usize, *at)?;
                    self.state.changes += 1;
                    self.state.coverage.count_order(Place::of(frame.function, code.origins[*at]));
                    self.tell_queue(core, frame, code, *index as usize, *at);
                }
                Step::Sync(index) => {
                    if core.pending.is_some() {
                        let place = Place::of(frame.function, code.origins[*at]);
                        self.order_pending(core, frame, code.syncs[*index as usize], place)?;
                    }
                    if !code.syncs[*index as usize].is_part() {
                        self.state.coverage.count_order(Place::of(frame.function, code.origins[*at]));
                    }
                    if !self.observers.is_empty() {
                        self.tell_order(core, frame, code, *index as usize, *at);
                    }
                }
                Step::Call { function, first } if self.skips(core, *function as usize) => {
                    let _ = first;
                }
                Step::Call { function, first } => {
                    let caller = *at as u32 + 1;
                    return self.call(core, frame, *function as usize, *first, caller, at);
                }
                Step::Return { first } => {
                    self.leave(core, frame, code, *first, at);
                    return Ok(());
                }
                Step::Nothing => {}
                Step::Done => return Err(Stop::Done),
                Step::CubeBegin { end } => {
                    self.finish_pending(core)?;
                    if matches!(core.kind, CoreKind::Vector(_)) {
                        *at = *end as usize;
                        continue;
                    }
                }
                Step::VectorBegin { end } => {
                    self.finish_pending(core)?;
                    if core.kind == CoreKind::Cube {
                        *at = *end as usize;
                        continue;
                    }
                    if core.kind == CoreKind::Whole {
                        core.vector_core = 0;
                        core.vector_cores = 2;
                    }
                }
                Step::VectorEnd { .. } if core.kind != CoreKind::Whole => {}
                Step::VectorEnd { head } => {
                    self.finish_pending(core)?;
                    if core.vector_core == 0 {
                        core.vector_core = 1;
                        *at = *head as usize;
                        continue;
                    }
                    core.vector_core = 0;
                    core.vector_cores = 1;
                }
                other => self.rare(core, frame, code, *at, other)?,
            }
            *at += 1;
        }
    }

    /// Whether the callee is for another core than the running one.
    fn skips(&self, core: &Core, function: usize) -> bool {
        let kinds = core.kind.core().zip(self.program.functions[function].core);
        kinds.is_some_and(|(running, callee)| running != callee)
    }

    fn call(
        &mut self,
        core: &mut Core,
        frame: Frame,
        function: usize,
        list: u32,
        resume: u32,
        at: &mut usize,
    ) -> Result<(), Stop> {
        if !core.push_frame(self.program, function, resume, list) {
            return rule(&rules::run::CALL_DEPTH, "calls are nested more than 256 deep".into());
        }
        let callee = core.frames[core.frames.len() - 1];
        let caller_code = &self.program.functions[frame.function];
        let code = &self.program.functions[function];
        for (index, to) in code.arguments.iter().enumerate() {
            copy(core, callee, *to, frame, caller_code.lists[list as usize + 1 + index]);
        }
        *at = 0;
        Ok(())
    }

    /// Ends a function: copies its results to the caller's slots.
    fn leave(&mut self, core: &mut Core, frame: Frame, code: &FunctionCode, first: u32, at: &mut usize) {
        if let [.., caller, _] = core.frames.as_slice() {
            let caller = *caller;
            let lists = &self.program.functions[caller.function].lists;
            let skip = |at: u32| match lists[at as usize] {
                Slot::Scalar(count) => at + 1 + count,
                _ => at,
            };
            let results = skip(frame.list);
            let count = match lists[results as usize] {
                Slot::Scalar(count) => count,
                _ => 0,
            };
            for index in 0..count {
                let to = lists[(results + 1 + index) as usize];
                if let Some(from) = code.lists.get((first + 1 + index) as usize) {
                    copy(core, caller, to, frame, *from);
                }
            }
        }
        core.pop_frame();
        *at = frame.resume as usize;
    }
}

/// Copies a value between two frames.
pub(super) fn copy(core: &mut Core, to_frame: Frame, to: Slot, from_frame: Frame, from: Slot) {
    match (to, from) {
        (Slot::Scalar(to), Slot::Scalar(from)) => {
            core.scalars[to_frame.scalars + to as usize] = core.scalars[from_frame.scalars + from as usize];
        }
        (Slot::Tile(to), Slot::Tile(from)) => {
            core.tiles[to_frame.tiles + to as usize] = core.tiles[from_frame.tiles + from as usize];
        }
        (Slot::View(to), Slot::View(from)) => {
            core.views[to_frame.views + to as usize] = core.views[from_frame.views + from as usize];
        }
        (Slot::Array(to), Slot::Array(from)) => {
            let array = core.arrays[from_frame.arrays + from as usize].clone();
            core.arrays[to_frame.arrays + to as usize] = array;
        }
        _ => {}
    }
}
