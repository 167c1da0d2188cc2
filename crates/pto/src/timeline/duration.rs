//! How long an instruction takes on its pipe.

use super::recording::Work;
use pto_isa::device::{Device, Endpoint, Path, PathTime};
use pto_isa::op::cost::Cost;
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;

/// The cycles of an instruction on its last pipe.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Duration {
    /// Cycles during which the pipe begins nothing else; for a transfer of global memory, those before its bytes flow.
    pub(super) before: f64,
    /// Cycles after them until the results are there.
    pub(super) latency: f64,
    /// Whether its bytes are those of global memory, which all cores share.
    pub(super) moves_global: bool,
    /// Bytes a cycle along its path.
    pub(super) rate: f64,
}

/// Bytes a cycle along a path for which a device has no figure.
const UNKNOWN_RATE: f64 = 64.0;

impl Duration {
    pub(super) fn of(work: &Work, device: &Device) -> Duration {
        match &work.cost {
            Cost::Issue => Duration::default(),
            Cost::Cycles(_) => of_formula(work, device.profile),
            Cost::Transfer => of_transfer(work, device),
        }
    }
}

fn of_formula(work: &Work, profile: Profile) -> Duration {
    let Some(formula) = work.cost.formula(profile, work.element) else { return Duration::default() };
    let (occupied, start) = (formula.occupied(&work.extents), formula.start.value);
    let pipe = work.phases.last().copied().unwrap_or(Pipe::Vector);
    match profile.overlapping_pipes.contains(&pipe) {
        true => Duration { before: occupied, latency: start, ..Duration::default() },
        false => Duration { before: occupied + start, ..Duration::default() },
    }
}

fn of_transfer(work: &Work, device: &Device) -> Duration {
    let bytes = work.bytes as f64;
    let Some((from, to)) = work.path else {
        return Duration { before: bytes / UNKNOWN_RATE, ..Duration::default() };
    };
    let moves_global = from == Endpoint::Global || to == Endpoint::Global;
    let shared = match (from, to) {
        (Endpoint::Global, _) => device.l2_read.value,
        (_, Endpoint::Global) => device.l2_write.value,
        _ => f64::INFINITY,
    };
    let (before, latency, rate) = match device.path(from, to) {
        Some(Path { time: PathTime::Rate { start, each, run, rate }, .. }) => {
            (each.value + work.runs as f64 * run.value, start.value, rate.value)
        }
        Some(Path { time: PathTime::Drain { each, least, rate, odd }, .. }) => {
            let row = work.extents.row_bytes as f64;
            let blocks = work.extents.row_bytes.div_ceil(32).max(1);
            let factor = (blocks >> blocks.trailing_zeros()) as f64 - 1.0;
            let cycles =
                work.extents.rows as f64 * ((row / rate.value).max(least.value) + factor * odd.value);
            (each.value, 0.0, bytes / cycles.max(1.0))
        }
        _ => (0.0, 0.0, UNKNOWN_RATE),
    };
    let rate = rate.min(shared).max(1e-3);
    match moves_global {
        true => Duration { before, latency, moves_global, rate },
        false => Duration { before: before + bytes / rate, latency, moves_global, rate },
    }
}
