//! Threads that no launch has started, as cores.

use super::{Misuse, Session, misuse};
use crate::abi::pto_cores;
use pto::launch::live::{Core, OUTSIDE};

impl Session {
    /// A thread that no launch has started becomes a core.
    pub fn join(&mut self) -> Result<Core, Misuse> {
        let (word, kind) = self.loaded_unit()?;
        self.open_device(&word, kind)?;
        match self.join_block()?[..] {
            [core] => Ok(core),
            _ => Err(Misuse(
                "a block of this device has several cores: a thread says which one it is with `pto_join`"
                    .into(),
            )),
        }
    }

    /// A thread that no launch has started becomes a core of the block that all threads of a cluster share.
    pub fn join_cluster(&mut self, cluster: u64, index: u32) -> Result<Core, Misuse> {
        let (word, kind) = self.loaded_unit()?;
        self.open_device(&word, kind | pto_cores::PTO_MIXED as u32)?;
        let mut free = match self.clusters.remove(&cluster) {
            Some(free) => free,
            None => self.join_block()?,
        };
        let place = free.iter().position(|core| core.index == index);
        let core = place.map(|place| free.remove(place));
        // A cluster whose cores have all been given begins anew.
        if !free.is_empty() {
            self.clusters.insert(cluster, free);
        }
        core.ok_or_else(|| Misuse(format!("cluster {cluster} has no core {index}, or another thread is it")))
    }

    /// The target and the cores of code that threads outside of launches call.
    fn loaded_unit(&self) -> Result<(String, u32), Misuse> {
        self.unit.clone().ok_or_else(|| {
            Misuse("kernels run in a launch, `kernel<<<blocks, nullptr, stream>>>(...)`, compiled with `pto c++`".into())
        })
    }

    /// Begins a block whose cores are threads that no launch has started.
    fn join_block(&mut self) -> Result<Vec<Core>, Misuse> {
        self.memory.refresh();
        let cores = self.live().join();
        for core in &cores {
            let bases = self.bases_of(*core).map_err(misuse)?;
            self.bases.push(bases);
        }
        Ok(cores)
    }

    /// A core that joined ends.
    pub fn leave(&mut self, core: Core) {
        // The process may have ended the device already.
        if self.device.is_some()
            && let Err(found) = self.end_core(core)
        {
            self.stopped(found);
        }
    }

    pub(super) fn has_outsiders(&self) -> bool {
        self.bases.iter().any(|bases| bases.core.rank == OUTSIDE)
    }
}
