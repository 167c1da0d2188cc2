//! Launches of a sequence on one device: each occupies cores for its time, after the launches that it follows.

use super::Timing;
use pto_isa::device::Device;

/// Schedule of the launches of a sequence. Launches follow each other; the branches of a group run in parallel as far as
/// cores are free. The model does not share the memory below the L2 cache among launches: each is timed as if it ran
/// alone.
#[derive(Clone, Debug)]
pub struct Chain {
    /// For each cube core, the cycle from which it is free.
    cubes: Vec<f64>,
    /// For each vector core, the cycle from which it is free. The vector cores of one cube core are adjacent.
    vectors: Vec<f64>,
    /// Cycle at which the predecessors of the next launch have ended.
    ready: f64,
    groups: Vec<Group>,
    /// Cycle at which all launches have ended.
    end: f64,
}

/// A group of branches without order.
#[derive(Clone, Copy, Debug)]
struct Group {
    start: f64,
    /// The end of the branches so far.
    end: f64,
}

impl Chain {
    /// All cores of a device, free.
    pub fn new(device: &Device) -> Chain {
        let free = |cores: u32| vec![0.0; cores.max(1) as usize];
        let (cubes, vectors) = (free(device.cube_cores), free(device.vector_cores));
        Chain { cubes, vectors, ready: 0.0, groups: Vec::new(), end: 0.0 }
    }

    /// Adds a launch. Returns its first cycle and its end, exclusive.
    pub fn launch(&mut self, timing: &Timing) -> (f64, f64) {
        let per_cube = (self.vectors.len() / self.cubes.len()).max(1);
        let cores = if timing.uses_cube { &mut self.cubes } else { &mut self.vectors };
        let mut order: Vec<usize> = (0..cores.len()).collect();
        order.sort_by(|a, b| cores[*a].total_cmp(&cores[*b]));
        order.truncate(timing.slots.clamp(1, cores.len()));
        let mut start = order.iter().fold(self.ready, |start, core| start.max(cores[*core]));
        let beside = |core: &usize| {
            let vectors = core * per_cube..(core + 1) * per_cube;
            if timing.uses_cube { vectors } else { *core..core + 1 }
        };
        let vectors: Vec<usize> =
            order.iter().flat_map(beside).filter(|core| *core < self.vectors.len()).collect();
        start = vectors.iter().fold(start, |start, core| start.max(self.vectors[*core]));
        let end = start + timing.cycles;
        vectors.iter().for_each(|core| self.vectors[*core] = end);
        if timing.uses_cube {
            order.iter().for_each(|core| self.cubes[*core] = end);
        }
        (self.ready, self.end) = (end, self.end.max(end));
        (start, end)
    }

    /// Begins a group of branches that run beside each other.
    pub fn begin_group(&mut self) {
        self.groups.push(Group { start: self.ready, end: self.ready });
    }

    /// Begins the next branch of the innermost group.
    pub fn next_branch(&mut self) {
        if let Some(group) = self.groups.last_mut() {
            group.end = group.end.max(self.ready);
            self.ready = group.start;
        }
    }

    /// Ends the innermost group: the next launch follows all of its branches.
    pub fn end_group(&mut self) {
        if let Some(group) = self.groups.pop() {
            self.ready = self.ready.max(group.end);
        }
    }

    /// Cycles from the start of the first launch to the end of the last.
    pub fn cycles(&self) -> f64 {
        self.end
    }
}
