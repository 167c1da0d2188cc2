//! The scalar unit of a core: it issues steps in order.

use super::{Around, Lane, Queued, ScalarItem};
use crate::timeline::recording::Step;
use pto_isa::device::Device;
use pto_isa::pipe::Pipe;
use pto_machine::sim::event::{FlagKey, UNIT_FLAGS};

impl Lane<'_> {
    /// Issues the next step; `false` if the scalar unit must wait, or is at the end.
    pub(super) fn issue(&mut self, around: &mut Around<'_, '_>) -> bool {
        let Some(step) = around.recording.step(self.stream, self.next) else { return false };
        let device = around.device;
        let went = match step {
            Step::Work { work, ranges, uses } => self.issue_work(work, ranges, uses > 0, around),
            Step::Set { flag, .. } => match around.recording.flags[flag as usize] {
                FlagKey { from: Pipe::Scalar, to, .. } => {
                    self.order(device);
                    self.set(flag, to, self.scalar);
                    true
                }
                FlagKey { from, .. } => self.queue(from, 0, device),
            },
            Step::Wait { flag, .. } => match around.recording.flags[flag as usize].to {
                Pipe::Scalar => {
                    let Some(set) = self.take(flag) else { return false };
                    self.scalar = self.scalar.max(set.after(device.flag.value));
                    true
                }
                to => self.queue(to, 0, device),
            },
            Step::Barrier { pipe: Pipe::Scalar, .. } => true,
            Step::Barrier { pipe: Pipe::All, .. } => self.wait_for_all(),
            Step::Acquire { pipe: Pipe::Scalar | Pipe::All, token, .. } => {
                let token = self.tokens.entry(token).or_default();
                if token.released < token.issued {
                    return false;
                }
                self.scalar = self.scalar.max(token.at);
                true
            }
            Step::Acquire { pipe, token, .. } => {
                let releases = self.tokens.entry(token).or_default().issued;
                self.hold(pipe, token, releases, device)
            }
            Step::Release { pipe, token } => {
                self.tokens.entry(token).or_default().issued += 1;
                match pipe {
                    Pipe::Scalar | Pipe::All => {
                        self.release(token, self.scalar);
                        true
                    }
                    pipe => self.hold(pipe, token, 0, device),
                }
            }
            Step::Tell { pipe: Pipe::All, signal } => {
                let Some(all) = self.drained() else { return false };
                self.scalar = all;
                self.tell(signal, all, around);
                true
            }
            Step::Tell { pipe: Pipe::Scalar, signal } => {
                self.tell(signal, self.scalar, around);
                true
            }
            Step::Hear { pipe: Pipe::Scalar | Pipe::All, signal, .. } => {
                let Some(set) = self.hear(signal, around) else { return false };
                self.scalar = self.scalar.max(set);
                true
            }
            Step::Barrier { pipe, .. } | Step::Tell { pipe, .. } | Step::Hear { pipe, .. } => {
                self.queue(pipe, 0, device)
            }
        };
        self.next += usize::from(went);
        went
    }

    /// Waits for all pipes; `false` if one of them is not done.
    fn wait_for_all(&mut self) -> bool {
        let Some(all) = self.drained() else { return false };
        self.scalar = all;
        for pipe in &mut self.pipes {
            pipe.free = pipe.free.max(all);
        }
        true
    }

    /// The scalar unit's time for a flag or a barrier.
    fn order(&mut self, device: &Device) {
        self.scalar.at += device.issue_order.value;
        self.scalar_busy += device.issue_order.value;
    }

    /// Puts the next step in front of a pipe.
    fn queue(&mut self, pipe: Pipe, detail: u32, device: &Device) -> bool {
        self.order(device);
        self.push(pipe, detail, 0);
        true
    }

    /// Queues the next step, which acquires or releases a token, on a pipe. A unit flag is part of an instruction: it
    /// takes no time of the scalar unit.
    fn hold(&mut self, pipe: Pipe, token: u32, detail: u32, device: &Device) -> bool {
        if token < UNIT_FLAGS {
            self.order(device);
        }
        self.push(pipe, detail, 0);
        true
    }

    fn push(&mut self, pipe: Pipe, detail: u32, phase: u8) {
        let (step, number) = (self.next as u32, self.stream.steps[self.next]);
        let queued = Queued { step, number, issued: self.scalar, detail, phase };
        self.pipes[pipe as usize].queue.push_back(queued);
        self.wake(pipe);
    }

    /// Issues an instruction with some ranges of global memory; `false` if one of its pipes does not take it yet.
    fn issue_work(&mut self, work: u32, ranges: u32, uses_tiles: bool, around: &mut Around<'_, '_>) -> bool {
        let device = around.device;
        let work = &around.recording.works[work as usize];
        // A pipe takes a limited number of instructions.
        let depth = device.queue_depth.value as u64;
        for pipe in work.phases.iter().filter(|pipe| **pipe != Pipe::Scalar) {
            let pipe = &self.pipes[*pipe as usize];
            if let Some(needed) = (pipe.issued + 1).checked_sub(depth).filter(|needed| *needed > 0) {
                if pipe.started < needed {
                    return false;
                }
                let behind = (pipe.started - needed) as usize;
                if let Some(start) =
                    pipe.starts.len().checked_sub(behind + 1).and_then(|at| pipe.starts.get(at))
                {
                    self.scalar = self.scalar.max(*start);
                }
            }
        }
        let first = self.ranges;
        self.ranges += ranges;
        let start = self.scalar.at;
        self.scalar.at += device.issue.value;
        self.scalar_busy += device.issue.value;
        for (phase, pipe) in work.phases.iter().enumerate() {
            if *pipe != Pipe::Scalar {
                self.pipes[*pipe as usize].issued += 1;
                self.push(*pipe, first, phase as u8);
                continue;
            }
            let step = self.next as u32;
            if phase + 1 < work.phases.len() {
                // The scalar unit walks over the rows before another pipe takes over.
                let cycles = work.load.extents.rows as f64 * device.issue.value;
                self.scalar.at += cycles;
                self.scalar_busy += cycles;
                self.end_phase(step, self.scalar);
            }
            if uses_tiles {
                let (lane, end) = (self.index as u32, self.scalar.at);
                around.history.push_scalar(ScalarItem { lane, step, start, end });
            }
        }
        true
    }
}
