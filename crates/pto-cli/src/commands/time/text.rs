//! The tables of `pto time`.

use super::Timed;
use pto::isa::device::Device;
use pto::isa::pipe::Pipe;
use pto::timeline::{Bound, Timing};
use std::collections::BTreeMap;
use std::fmt::Write;

pub(super) fn lines(timed: &Timed<'_>, top: usize) -> String {
    let timing = &timed.timing;
    let mut out = String::new();
    let total = timing.microseconds();
    let blocks =
        timing.cores.iter().map(|core| (core.rank, core.block)).collect::<std::collections::BTreeSet<_>>();
    let _ = writeln!(
        out,
        "{}: {total:.2} us on {} ({:.0} cycles at {} GHz), {} block{} on {} core{}",
        timed.text.name,
        timing.device,
        timing.cycles,
        timing.clock,
        blocks.len(),
        if blocks.len() == 1 { "" } else { "s" },
        timing.slots,
        if timing.slots == 1 { "" } else { "s" },
    );
    timed.remarks().iter().for_each(|remark| out.push_str(&format!("{remark}\n")));
    pipes(&mut out, timing);
    if top > 0 {
        path(&mut out, timed, top);
        stalls(&mut out, timed, top);
        by_line(&mut out, timed, top);
    }
    bounds(&mut out, timing, &timed.device);
    out
}

/// Busy, waiting and idle time of each kind of pipe.
fn pipes(out: &mut String, timing: &Timing) {
    let mut sums: BTreeMap<(bool, Pipe), [f64; 3]> = BTreeMap::new();
    for core in &timing.cores {
        for (pipe, time) in &core.pipes {
            let sum = sums.entry((core.core.starts_with("vector"), *pipe)).or_default();
            for (sum, part) in sum.iter_mut().zip([time.busy, time.waiting, time.idle]) {
                *sum += part;
            }
        }
    }
    out.push_str("\npipe         busy  waiting     idle\n");
    for ((vector, pipe), [busy, waiting, idle]) in sums {
        let all = (busy + waiting + idle).max(1e-9);
        let share = |part: f64| format!("{:.1} %", 100.0 * part / all);
        let of = if vector && pipe != Pipe::Vector {
            format!("{} (vec)", pipe.word())
        } else {
            pipe.word().to_owned()
        };
        let _ = writeln!(out, "{of:<10} {:>7}  {:>7}  {:>7}", share(busy), share(waiting), share(idle));
    }
}

fn path(out: &mut String, timed: &Timed<'_>, top: usize) {
    let timing = &timed.timing;
    out.push_str("\ncritical path\n");
    for part in timing.path.iter().take(top) {
        let share = 100.0 * part.cycles / timing.cycles.max(1.0);
        let what = match part.source {
            Some(source) => format!("{}, {}", timed.place(source), part.bound.word()),
            None => Bound::Start.word().to_owned(),
        };
        let _ = writeln!(out, "{share:5.1} %  {:9.2} us  {what}", timing.micros(part.cycles));
    }
}

fn stalls(out: &mut String, timed: &Timed<'_>, top: usize) {
    let timing = &timed.timing;
    if timing.stalls.is_empty() {
        return;
    }
    out.push_str("\nwaits, on all cores\n");
    for stall in timing.stalls.iter().take(top) {
        let _ = writeln!(
            out,
            "{:9.2} us  {} waits at {}",
            timing.micros(stall.cycles),
            timed.place(stall.waiting),
            timed.place(stall.held_by)
        );
    }
}

fn by_line(out: &mut String, timed: &Timed<'_>, top: usize) {
    let timing = &timed.timing;
    let mut lines: Vec<_> = timing.lines.iter().filter(|(_, line)| line.count > 0).collect();
    lines.sort_by(|(_, a), (_, b)| b.busy.total_cmp(&a.busy));
    out.push_str("\noperations, on all cores\n     busy      count         bytes  critical\n");
    for (source, line) in lines.into_iter().take(top) {
        let _ = writeln!(
            out,
            "{:8.2} us {:>7} {:>13} {:>7.1} %  {}",
            timing.micros(line.busy),
            line.count,
            line.bytes,
            100.0 * line.critical / timing.cycles.max(1.0),
            timed.place(*source)
        );
    }
}

fn bounds(out: &mut String, timing: &Timing, device: &Device) {
    let seconds = timing.microseconds() / 1e6;
    let traffic = &timing.traffic;
    out.push('\n');
    if traffic.bytes > 0 {
        let _ = writeln!(
            out,
            "global memory: {} bytes, {:.1} GB/s; {:.1} % of the lines of L2 were there; {} bytes behind it, {:.1} of {} GB/s",
            traffic.bytes,
            traffic.bytes as f64 / seconds / 1e9,
            100.0 * traffic.hits as f64 / (traffic.lines as f64).max(1.0),
            traffic.memory_bytes,
            traffic.memory_bytes as f64 / seconds / 1e9,
            device.memory.value,
        );
    }
    if let Some(roof) = &timing.roofline {
        let _ = writeln!(
            out,
            "roofline: {:.2} of {:.1} TFLOP/s; {:.1} operations a byte of memory, at which memory allows {:.1} TFLOP/s",
            roof.reached / 1e12,
            roof.peak / 1e12,
            roof.intensity,
            roof.memory_bound.min(roof.peak) / 1e12
        );
    }
    let _ = writeln!(
        out,
        "perfect overlap: {:.2} us, {:.1} % of the time",
        timing.micros(timing.overlapped),
        100.0 * timing.overlapped / timing.cycles.max(1.0)
    );
}
