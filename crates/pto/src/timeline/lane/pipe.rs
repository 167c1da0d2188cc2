//! The pipes of a core: each runs what stands in front of it, in order.

use super::{Around, Item, Lane, Moment, Moving, Queued, Ranges, tell};
use crate::timeline::duration::Duration;

impl Lane<'_> {
    /// Runs what is first in front of a pipe; `false` if it must wait, or nothing is there.
    pub(super) fn step_pipe(&mut self, pipe: usize, around: &mut Around<'_, '_>) -> bool {
        let state = &mut self.pipes[pipe];
        if state.moving.is_some() {
            return false;
        }
        let Some(first) = state.queue.front().copied() else { return false };
        match first {
            Queued::Work { work, ranges, issued, phase, serial } => {
                let mut ready = issued;
                if phase > 0 {
                    let Some(before) = self.phases.remove(&serial) else { return false };
                    ready = ready.max(before);
                }
                self.begin_work(pipe, (work, ranges), ready, (phase, serial), around);
            }
            Queued::Set { flag, issued } => {
                let set = state.done.max(issued);
                self.set(flag, set);
            }
            Queued::Wait { flag, source } => {
                let Some(set) = self.take(flag) else { return false };
                self.gate(pipe, set.after(around.device.flag.value), source);
            }
            Queued::Fence => state.free = state.free.max(state.done),
            Queued::Acquire { token, releases, source } => {
                let token = self.tokens.entry(token).or_default();
                if token.released < releases {
                    return false;
                }
                let at = token.at;
                self.gate(pipe, at, source);
            }
            Queued::Release { token, issued } => {
                let at = state.done.max(issued);
                self.tokens.entry(token).or_default().release(at);
            }
            Queued::Tell { signal, issued } => {
                let at = state.done.max(issued);
                tell(signal, at, around);
            }
            Queued::Hear { signal, source } => {
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

    fn begin_work(
        &mut self,
        pipe: usize,
        (index, ranges): (u32, Ranges),
        ready: Moment,
        (phase, serial): (usize, usize),
        around: &mut Around<'_, '_>,
    ) {
        let work = &around.recording.works[index as usize];
        let state = &mut self.pipes[pipe];
        let start = ready.max(state.free);
        let waited = (start.at - state.last_end.max(ready.at)).max(0.0);
        state.waiting += waited;
        if let Some(gate) = state.gate.take().filter(|_| waited > 0.0) {
            around.stalls.add(work.source, gate, waited);
        }
        state.started += 1;
        state.starts.push_back(start);
        if state.starts.len() > around.device.queue_depth.value as usize + 1 {
            state.starts.pop_front();
        }
        let is_last = phase + 1 == work.phases.len();
        let time = if is_last { around.durations[index as usize] } else { Duration::default() };
        if time.moves_global {
            let moving = Moving {
                work: index,
                ranges,
                phase,
                serial,
                start,
                before: time.before,
                latency: time.latency,
                rate: time.rate,
            };
            state.moving = Some(moving);
            around.transfers.push((start.at + time.before, pipe));
            return;
        }
        let end = start.at + time.before;
        self.finish((pipe, start), (index, phase, serial), (end, time.latency, false), around);
    }

    /// The transfer of a pipe has ended.
    pub(in crate::timeline) fn moved(&mut self, pipe: usize, now: f64, around: &mut Around<'_, '_>) {
        let Some(moving) = self.pipes[pipe].moving.take() else { return };
        let Moving { work, phase, serial, start, before, latency, rate, .. } = moving;
        let alone = before + around.recording.works[work as usize].bytes as f64 / rate;
        let shared = now - start.at > 1.02 * alone;
        self.finish((pipe, start), (work, phase, serial), (now, latency, shared), around);
    }

    /// Notes an instruction that has ended.
    fn finish(
        &mut self,
        (pipe, start): (usize, Moment),
        (work, phase, serial): (u32, usize, usize),
        (end, latency, shared): (f64, f64, bool),
        around: &mut Around<'_, '_>,
    ) {
        let state = &mut self.pipes[pipe];
        let done = end + latency;
        let by = around.history.push(Item {
            work,
            lane: self.index as u32,
            step: serial as u32,
            pipe: around.recording.works[work as usize].phases[phase],
            start: start.at,
            end,
            done,
            cause: start.by,
            shared,
        });
        state.busy += end - start.at;
        state.last_end = end;
        state.free = Moment { at: end, by };
        state.done = state.done.max(Moment { at: done, by });
        if phase + 1 < around.recording.works[work as usize].phases.len() {
            self.phases.insert(serial, Moment { at: done, by });
        }
    }
}
