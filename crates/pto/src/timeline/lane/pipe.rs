//! The pipes of a core: each runs its queue of steps in order.

use super::{Around, Item, Lane, Moment, Moving, Queued, Ranges, Running, Wait};
use crate::timeline::recording::Step;
use pto_isa::op::cost::Duration;

/// The end of an instruction on its pipe.
struct End {
    /// Time of the end, in cycles.
    at: f64,
    /// Cycles from the end to the availability of the results.
    latency: f64,
    /// Whether the instruction's transfer shared the bandwidth of global memory.
    shared: bool,
}

impl Lane<'_> {
    /// Runs the first step in the queue of a pipe. Returns `false` if it must wait, or the queue is empty.
    pub(super) fn step_pipe(&mut self, pipe: usize, around: &mut Around<'_, '_>) -> bool {
        let state = &mut self.pipes[pipe];
        if state.moving.is_some() {
            return false;
        }
        let Some(first) = state.queue.front().copied() else { return false };
        let Queued { issued, detail, .. } = first;
        match around.recording.steps[first.number as usize] {
            Step::Work { work, ranges, .. } => {
                let mut ready = issued;
                if first.phase > 0 {
                    let Some(before) = self.phases.remove(&first.step) else { return false };
                    ready = ready.max(before);
                }
                let ranges = Ranges { first: detail, count: ranges };
                let (step, phase, wait) = (first.step, first.phase, Wait::default());
                let instruction = Running { work, step, phase, start: ready, wait };
                self.begin_work(pipe, instruction, ranges, around);
            }
            Step::Set { flag, .. } => {
                let set = state.reached(issued);
                self.set(flag, around.recording.flags[flag as usize].to, set);
            }
            Step::Wait { flag, source } => {
                let Some(set) = self.take(flag) else { return false };
                self.gate(pipe, set.after(around.device.flag.value), source);
            }
            Step::Barrier { .. } => state.free = state.free.max(state.done),
            Step::Acquire { token, source, .. } => {
                let token = self.tokens.entry(token).or_default();
                if token.released < detail {
                    return false;
                }
                let at = token.at;
                self.gate(pipe, at, source);
            }
            Step::Release { token, .. } => {
                let at = state.reached(issued);
                self.release(token, at);
            }
            Step::Tell { signal, .. } => {
                let at = state.reached(issued);
                self.tell(signal, at, around);
            }
            Step::Hear { signal, source, .. } => {
                let Some(set) = self.hear(signal, around) else { return false };
                self.gate(pipe, set, source);
            }
        }
        self.pipes[pipe].queue.pop_front();
        true
    }

    /// A pipe begins nothing before a moment.
    fn gate(&mut self, pipe: usize, until: Moment, source: u32) {
        let state = &mut self.pipes[pipe];
        if until.at > state.free.at {
            state.free = until;
            state.gate = Some(source);
        }
    }

    /// Begins an instruction that could start at the moment that it has.
    fn begin_work(&mut self, pipe: usize, instruction: Running, ranges: Ranges, around: &mut Around<'_, '_>) {
        let work = &around.recording.works[instruction.work as usize];
        let state = &mut self.pipes[pipe];
        let (ready, start) = (instruction.start, instruction.start.max(state.free));
        let waited = (start.at - state.last_end.max(ready.at)).max(0.0);
        state.waiting += waited;
        let wait = Wait { cycles: waited, held_by: state.gate.take().filter(|_| waited > 0.0) };
        if let Some(gate) = wait.held_by {
            around.stalls.add(work.source, gate, waited);
        }
        state.started += 1;
        state.starts.push_back(start);
        if state.starts.len() > around.device.queue_depth.value as usize + 1 {
            state.starts.pop_front();
        }
        let is_last = usize::from(instruction.phase) + 1 == work.phases.len();
        let time = if is_last { around.durations[instruction.work as usize] } else { Duration::default() };
        let instruction = Running { start, wait, ..instruction };
        if time.moves_global {
            state.moving = Some(Moving { instruction, ranges, time });
            around.transfers.push((start.at + time.before, pipe));
            return;
        }
        let end = End { at: start.at + time.before, latency: time.latency, shared: false };
        self.finish(pipe, instruction, end, around);
    }

    /// The transfer of a pipe has ended.
    pub(in crate::timeline) fn moved(&mut self, pipe: usize, now: f64, around: &mut Around<'_, '_>) {
        let Some(moving) = self.pipes[pipe].moving.take() else { return };
        self.awake |= 1 << pipe;
        let Moving { instruction, time, .. } = moving;
        let bytes = around.recording.works[instruction.work as usize].load.bytes;
        let alone = time.before + bytes as f64 / time.rate;
        let shared = now - instruction.start.at > 1.02 * alone;
        self.finish(pipe, instruction, End { at: now, latency: time.latency, shared }, around);
    }

    /// Notes an instruction that has ended.
    fn finish(&mut self, pipe: usize, instruction: Running, end: End, around: &mut Around<'_, '_>) {
        let End { at: end, latency, shared } = end;
        let Running { work, step, phase, start, wait } = instruction;
        let phases = &around.recording.works[work as usize].phases;
        let state = &mut self.pipes[pipe];
        let done = end + latency;
        let by = around.history.push(Item {
            work,
            lane: self.index as u32,
            step,
            pipe: phases[usize::from(phase)],
            start: start.at,
            end,
            done,
            cause: start.by,
            shared,
            wait,
        });
        state.busy += end - start.at;
        state.last_end = end;
        state.free = Moment { at: end, by };
        state.done = state.done.max(Moment { at: done, by });
        if usize::from(phase) + 1 < phases.len() {
            self.end_phase(step, Moment { at: done, by });
        }
    }
}
