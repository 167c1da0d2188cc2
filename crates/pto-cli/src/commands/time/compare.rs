//! `pto time A B`: the lines that gained and lost.

use super::Timed;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Time of an operation in both programs, in cycles.
#[derive(Default)]
struct Both {
    busy: [f64; 2],
    count: [u64; 2],
}

/// Source line of an operation, without its indentation. It identifies the operation in both programs.
fn key(timed: &Timed<'_>, source: u32) -> String {
    let line = timed.text.text.lines().nth(timed.line(source) - 1);
    line.unwrap_or_default().trim().to_owned()
}

pub(super) fn lines(first: &Timed<'_>, second: &Timed<'_>, top: usize) -> String {
    let mut both: BTreeMap<String, Both> = BTreeMap::new();
    for (index, timed) in [first, second].into_iter().enumerate() {
        for (source, line) in &timed.timing.lines {
            let entry = both.entry(key(timed, *source)).or_default();
            entry.busy[index] += timed.timing.micros(line.busy);
            entry.count[index] += line.count;
        }
    }
    let (a, b) = (first.timing.microseconds(), second.timing.microseconds());
    let mut out = String::new();
    for (timed, micros) in [(first, a), (second, b)] {
        let lowered = if timed.lowered { ", as `pto lower` lowers it" } else { "" };
        let _ = writeln!(out, "{micros:12.2} us  {}{lowered}", timed.text.name);
    }
    let _ = writeln!(out, "{:12.3}     times as long\n", b / a.max(1e-12));
    let gain = |both: &Both| both.busy[1] - both.busy[0];
    let is_changed = |one: &Both| gain(one).abs() > 1e-6 || one.count[0] != one.count[1];
    let mut both: Vec<(String, Both)> = both.into_iter().filter(|(_, one)| is_changed(one)).collect();
    if both.is_empty() {
        let differ = (a - b).abs() > 1e-6;
        out.push_str(if differ {
            "the lines take the same time: waits differ\n"
        } else {
            "no line takes another time\n"
        });
    }
    if both.is_empty() || top == 0 {
        return out;
    }
    both.sort_by(|(_, a), (_, b)| gain(b).abs().total_cmp(&gain(a).abs()));
    out.push_str("    change     before      after      count  line\n");
    for (line, one) in both.iter().take(top) {
        let mut shown: String = line.chars().take(80).collect();
        if shown.len() < line.len() {
            shown.push_str("...");
        }
        let count = match one.count {
            [a, b] if a == b => a.to_string(),
            [a, b] => format!("{a} > {b}"),
        };
        let _ = writeln!(
            out,
            "{:+10.2} {:10.2} {:10.2} {count:>10}  {shown}",
            gain(one),
            one.busy[0],
            one.busy[1]
        );
    }
    out
}
