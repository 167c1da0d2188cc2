//! The memory that all cores share: transfers that share its rate, and the L2 cache in front of it.

use super::recording::GlobalRange;
use pto_isa::device::Device;

/// A transfer that runs.
#[derive(Clone, Debug)]
struct Running {
    lane: usize,
    pipe: usize,
    /// Bytes that remain to be moved.
    remaining: f64,
    /// Maximum rate along its path, in bytes per cycle.
    most: f64,
    /// Bytes moved by the memory below the L2 cache for each byte of the transfer.
    missing: f64,
    rate: f64,
}

/// Transfers that share the rate of a memory: each gets the maximum rate of its path, or an equal share.
#[derive(Debug)]
pub(super) struct Shared {
    now: f64,
    rate: f64,
    running: Vec<Running>,
}

/// A transfer to start: the waiting pipe, and the amounts of data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer {
    pub(super) lane: usize,
    pub(super) pipe: usize,
    pub(super) bytes: f64,
    /// Maximum rate along its path, in bytes per cycle.
    pub(super) most: f64,
    /// Bytes moved by the memory below the L2 cache.
    pub(super) missed: f64,
}

impl Shared {
    pub(super) fn new(device: &Device) -> Shared {
        Shared { now: 0.0, rate: device.memory_rate(), running: Vec::new() }
    }

    pub(super) fn now(&self) -> f64 {
        self.now
    }

    /// Moves bytes until `time`.
    pub(super) fn advance(&mut self, time: f64) {
        let cycles = (time - self.now).max(0.0);
        for transfer in &mut self.running {
            transfer.remaining -= transfer.rate * cycles;
        }
        self.now = self.now.max(time);
    }

    pub(super) fn start(&mut self, transfer: Transfer) {
        let Transfer { lane, pipe, bytes, most, missed } = transfer;
        let bytes = bytes.max(1.0);
        let missing = missed / bytes;
        self.running.push(Running { lane, pipe, remaining: bytes, most, missing, rate: most });
        self.share();
    }

    /// The time at which the next transfer ends.
    pub(super) fn next_end(&self) -> Option<f64> {
        let ends = self.running.iter().map(|transfer| self.now + transfer.remaining.max(0.0) / transfer.rate);
        ends.min_by(f64::total_cmp)
    }

    /// Ends the transfer that ends first, and returns its lane and pipe.
    pub(super) fn end(&mut self) -> Option<(usize, usize)> {
        let left = |transfer: &Running| transfer.remaining.max(0.0) / transfer.rate;
        let (index, _) =
            self.running.iter().enumerate().min_by(|(_, a), (_, b)| left(a).total_cmp(&left(b)))?;
        let ended = self.running.remove(index);
        self.share();
        Some((ended.lane, ended.pipe))
    }

    /// Divides the rate of the memory: the level below which paths get all that they take.
    fn share(&mut self) {
        let wanted: f64 = self.running.iter().map(|transfer| transfer.most * transfer.missing).sum();
        if wanted <= self.rate {
            self.running.iter_mut().for_each(|transfer| transfer.rate = transfer.most);
            return;
        }
        let mut order: Vec<usize> = (0..self.running.len()).collect();
        order.sort_by(|a, b| self.running[*a].most.total_cmp(&self.running[*b].most));
        let mut left = self.rate;
        let mut weight: f64 = self.running.iter().map(|transfer| transfer.missing).sum();
        for index in order {
            let transfer = &mut self.running[index];
            let level = if weight > 0.0 { left / weight } else { transfer.most };
            transfer.rate =
                if transfer.missing > 0.0 { transfer.most.min(level).max(1e-6) } else { transfer.most };
            left = (left - transfer.rate * transfer.missing).max(0.0);
            weight -= transfer.missing;
        }
    }
}

/// The L2 cache: lines, of which the least recently used are dropped.
///
/// A line is there if fewer lines than the cache has were brought in since its last use.
#[derive(Debug)]
pub(super) struct Cache {
    line: u64,
    lines: u64,
    /// Lines that were brought in.
    brought: u64,
    /// For each buffer and line, one more than `brought` at its last use; 0 if it was never used.
    used: Vec<Vec<u32>>,
}

/// Lines that accesses touch: those in the cache, and others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) hits: u64,
    pub(super) misses: u64,
}

impl Cache {
    /// The cache of a device for buffers of these sizes in bytes.
    pub(super) fn new(device: &Device, buffers: &[u64]) -> Cache {
        let line = (device.l2_line.value as u64).max(1);
        let lines = device.l2_bytes.value as u64 / line;
        let used = buffers.iter().map(|bytes| vec![0; bytes.div_ceil(line) as usize]);
        Cache { line, lines, brought: 0, used: used.collect() }
    }

    /// Bytes of a line.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Accesses a range. Written lines stay in the cache until they are evicted. A write counts as a miss only if another
    /// line must be evicted for it.
    pub(super) fn access(&mut self, access: &GlobalRange) -> Lines {
        let Cache { line, lines, brought, .. } = *self;
        let Some(used) = self.used.get_mut(access.buffer as usize) else { return Lines::default() };
        let (mut found, mut now) = (Lines::default(), brought);
        let mut last = None;
        for (start, length) in access.range.runs() {
            let (first, end) = (start / line, (start + length).div_ceil(line));
            for at in first.max(last.map_or(0, |last| last + 1))..end {
                let Some(stamp) = used.get_mut(at as usize) else { break };
                let is_there = *stamp != 0 && now - u64::from(*stamp - 1) < lines;
                if is_there {
                    found.hits += 1;
                } else {
                    now += 1;
                    let room = access.writes && now <= lines;
                    found.misses += u64::from(!room);
                    found.hits += u64::from(room);
                }
                *stamp = u32::try_from(now + 1).unwrap_or(u32::MAX);
            }
            if end > first {
                last = Some(end - 1);
            }
        }
        self.brought = now;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pto_isa::strided_range::StridedRange;

    #[test]
    fn transfers_share_the_rate_equally() {
        let device = Device::named("910B1").expect("a known device");
        let mut shared = Shared::new(&device);
        let rate = device.memory_rate();
        let transfer =
            |lane, most: f64| Transfer { lane, pipe: 0, bytes: 1000.0 * rate, most, missed: 1000.0 * rate };
        shared.start(transfer(0, rate));
        assert_eq!(shared.next_end(), Some(1000.0));
        shared.advance(500.0);
        shared.start(transfer(1, rate));
        // Half of the rate for the other half.
        assert_eq!(shared.next_end(), Some(1500.0));
        shared.advance(1500.0);
        assert_eq!(shared.end(), Some((0, 0)));
        assert_eq!(shared.next_end(), Some(2000.0));
        // A slow path leaves its share to others.
        shared.start(transfer(2, rate / 4.0));
        let left = shared.running.iter().map(|transfer| transfer.rate).collect::<Vec<_>>();
        assert_eq!(left, [rate * 0.75, rate / 4.0]);
    }

    #[test]
    fn lines_are_dropped_when_the_cache_is_full() {
        let mut device = Device::named("910B1").expect("a known device");
        device.l2_bytes.value = 4.0 * 512.0;
        let mut cache = Cache::new(&device, &[8 * 512]);
        let read = |start: u64| GlobalRange {
            buffer: 0,
            writes: false,
            range: StridedRange::bytes(start * 512, 2 * 512),
        };
        assert_eq!(cache.access(&read(0)), Lines { hits: 0, misses: 2 });
        assert_eq!(cache.access(&read(0)), Lines { hits: 2, misses: 0 });
        assert_eq!(cache.access(&read(2)), Lines { hits: 0, misses: 2 });
        assert_eq!(cache.access(&read(4)), Lines { hits: 0, misses: 2 });
        assert_eq!(cache.access(&read(0)), Lines { hits: 0, misses: 2 });
        // Runs within one line touch it once.
        let narrow = GlobalRange { buffer: 0, writes: false, range: StridedRange::new(6 * 512, 32, 4, 64) };
        assert_eq!(cache.access(&narrow), Lines { hits: 0, misses: 1 });
    }
}
