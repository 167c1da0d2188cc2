//! The scalar unit of a core: it issues steps in order.

use super::{Around, Lane, Moment, Queued, Ranges, ScalarItem, tell};
use crate::isa::device::Device;
use crate::isa::pipe::Pipe;
use crate::timeline::recording::Step;

impl Lane<'_> {
    /// Issues the next step; `false` if the scalar unit must wait, or is at the end.
    pub(super) fn issue(&mut self, around: &mut Around<'_, '_>) -> bool {
        let Some(step) = around.recording.step(self.stream, self.next) else { return false };
        let device = around.device;
        let went = match step {
            Step::Work { work, ranges, uses } => {
                let ranges = Ranges { first: self.ranges, count: ranges };
                self.issue_work(work, ranges, uses > 0, around)
            }
            Step::Set { flag, .. } => match around.recording.flags[flag as usize].from {
                Pipe::Scalar => {
                    self.order(device);
                    self.set(flag, self.scalar);
                    true
                }
                from => self.queue(from, device, |issued| Queued::Set { flag, issued }),
            },
            Step::Wait { flag, source } => match around.recording.flags[flag as usize].to {
                Pipe::Scalar => {
                    let Some(set) = self.take(flag) else { return false };
                    self.scalar = self.scalar.max(set.after(device.flag.value));
                    true
                }
                to => self.queue(to, device, |_| Queued::Wait { flag, source }),
            },
            Step::Barrier { pipe: Pipe::Scalar, .. } => true,
            Step::Barrier { pipe: Pipe::All, .. } => self.wait_for_all(),
            Step::Barrier { pipe, .. } => self.queue(pipe, device, |_| Queued::Fence),
            Step::Acquire { pipe, token, source } => {
                let releases = self.tokens.entry(token).or_default().issued;
                match pipe {
                    Pipe::Scalar | Pipe::All => {
                        let token = self.tokens.entry(token).or_default();
                        if token.released < releases {
                            return false;
                        }
                        self.scalar = self.scalar.max(token.at);
                        true
                    }
                    pipe => self.queue(pipe, device, |_| Queued::Acquire { token, releases, source }),
                }
            }
            Step::Release { pipe, token } => {
                let went = match pipe {
                    Pipe::Scalar | Pipe::All => {
                        let at = self.scalar;
                        self.tokens.entry(token).or_default().release(at);
                        true
                    }
                    pipe => self.queue(pipe, device, |issued| Queued::Release { token, issued }),
                };
                self.tokens.entry(token).or_default().issued += u32::from(went);
                went
            }
            Step::Tell { pipe: Pipe::All, signal } => {
                let Some(all) = self.drained() else { return false };
                self.scalar = all;
                tell(signal, all, around);
                true
            }
            Step::Tell { pipe: Pipe::Scalar, signal } => {
                tell(signal, self.scalar, around);
                true
            }
            Step::Tell { pipe, signal } => self.queue(pipe, device, |issued| Queued::Tell { signal, issued }),
            Step::Hear { pipe: Pipe::Scalar | Pipe::All, signal, .. } => {
                let Some(set) = self.hear(signal, around) else { return false };
                self.scalar = self.scalar.max(set);
                true
            }
            Step::Hear { pipe, signal, source } => {
                self.queue(pipe, device, |_| Queued::Hear { signal, source })
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

    /// Puts something in front of a pipe.
    fn queue(&mut self, pipe: Pipe, device: &Device, make: impl FnOnce(Moment) -> Queued) -> bool {
        self.order(device);
        self.pipes[pipe as usize].queue.push_back(make(self.scalar));
        true
    }

    fn issue_work(
        &mut self,
        index: u32,
        ranges: Ranges,
        uses_tiles: bool,
        around: &mut Around<'_, '_>,
    ) -> bool {
        let device = around.device;
        let work = &around.recording.works[index as usize];
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
        self.ranges += ranges.count;
        let start = self.scalar.at;
        self.scalar.at += device.issue.value;
        self.scalar_busy += device.issue.value;
        let serial = self.next;
        for (phase, pipe) in work.phases.iter().enumerate() {
            if *pipe == Pipe::Scalar {
                let cycles = if phase + 1 < work.phases.len() {
                    // The scalar unit walks over the rows before another pipe takes over.
                    work.extents.rows as f64 * device.issue.value
                } else {
                    0.0
                };
                self.scalar.at += cycles;
                self.scalar_busy += cycles;
                if phase + 1 < work.phases.len() {
                    self.phases.insert(serial, self.scalar);
                }
                if uses_tiles {
                    let (lane, step, end) = (self.index as u32, serial as u32, self.scalar.at);
                    around.history.push_scalar(ScalarItem { lane, step, start, end });
                }
                continue;
            }
            let state = &mut self.pipes[*pipe as usize];
            state.issued += 1;
            state.queue.push_back(Queued::Work { work: index, ranges, issued: self.scalar, phase, serial });
        }
        true
    }
}
