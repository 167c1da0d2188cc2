//! Waits between pipes, with the instruction that caused each wait.

use super::timing::Stall;

/// Cycles that instructions waited for other operations: for each source, the sources that delayed it.
#[derive(Debug)]
pub(super) struct Stalls(Vec<Vec<(u32, f64)>>);

impl Stalls {
    /// No stalls, for a number of sources.
    pub(super) fn of(sources: usize) -> Stalls {
        Stalls(vec![Vec::new(); sources])
    }

    /// An instruction of a source waited because of another source.
    pub(super) fn add(&mut self, waiting: u32, held_by: u32, cycles: f64) {
        let list = &mut self.0[waiting as usize];
        match list.iter_mut().find(|(other, _)| *other == held_by) {
            Some((_, sum)) => *sum += cycles,
            None => list.push((held_by, cycles)),
        }
    }

    /// All stalls, longest first.
    pub(super) fn finish(self) -> Vec<Stall> {
        let of = |(waiting, list): (u32, Vec<(u32, f64)>)| {
            list.into_iter().map(move |(held_by, cycles)| Stall { waiting, held_by, cycles })
        };
        let mut stalls: Vec<Stall> = (0..).zip(self.0).flat_map(of).collect();
        let key = |stall: &Stall| (stall.waiting, stall.held_by);
        stalls.sort_by(|a, b| b.cycles.total_cmp(&a.cycles).then_with(|| key(a).cmp(&key(b))));
        stalls
    }
}
