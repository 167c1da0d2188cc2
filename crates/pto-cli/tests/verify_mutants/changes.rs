//! Changes of the text of a lowered program, one at a time. Each operation has a line of its own.

use pto_num::random::mix;
use std::collections::BTreeMap;

/// A kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A flag that nothing sets.
    DroppedSet,
    /// A flag that nothing waits for.
    DroppedWait,
    /// Neither the set nor the wait.
    DroppedPair,
    /// The wait where the set was, and the reverse.
    Swapped,
    DroppedBarrier,
    /// A tile some bytes after or before its address.
    ShiftedAddress,
    /// A tile at the address of another one.
    OtherSlot,
    /// A number that differs by one.
    Constant,
    /// A tile that is not filled.
    DroppedFill,
    /// An instruction that is missing.
    DroppedInstruction,
}

/// A change: its kind, the line, and for some kinds another line.
type Site = (usize, Option<usize>);

/// The text after one change that `seed` chooses: a kind first, so that rare ones are as frequent as others; `None` if there
/// is nothing to change.
pub(super) fn changed(text: &str, seed: u64) -> Option<(Kind, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let sites = sites(&lines);
    let kinds: Vec<Kind> = sites.keys().copied().collect();
    let kind = *pick(&kinds, mix(seed))?;
    let site = *pick(&sites[&kind], mix(seed ^ 1))?;
    let lines = apply(kind, site, &lines, mix(seed ^ 2))?;
    Some((kind, lines.join("\n") + "\n"))
}

fn pick<T>(all: &[T], number: u64) -> Option<&T> {
    all.get(usize::try_from(number % all.len().max(1) as u64).ok()?)
}

fn sites(lines: &[&str]) -> BTreeMap<Kind, Vec<Site>> {
    let mut sites: BTreeMap<Kind, Vec<Site>> = BTreeMap::new();
    let mut add = |kind, at, other| sites.entry(kind).or_default().push((at, other));
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        if let Some(flag) = code.strip_prefix("pto.set_flag[") {
            add(Kind::DroppedSet, at, None);
            let waits = |line: &&str| line.trim_start().strip_prefix("pto.wait_flag[") == Some(flag);
            let after = (at..lines.len()).chain(0..at).find(|at| waits(&lines[*at]));
            if after.is_some() {
                add(Kind::DroppedPair, at, after);
                add(Kind::Swapped, at, after);
            }
        } else if code.starts_with("pto.wait_flag[") {
            add(Kind::DroppedWait, at, None);
        } else if code.starts_with("pto.barrier") {
            add(Kind::DroppedBarrier, at, None);
        } else if let Some(address) = address(line).filter(|_| code.contains("pto.alloc_tile")) {
            if number(lines, address).is_some() {
                add(Kind::ShiftedAddress, at, None);
            }
            let others = lines.iter().enumerate().filter(|(_, line)| line.contains("pto.alloc_tile"));
            for (other, _) in others.filter(|(_, line)| self::address(line).is_some_and(|it| it != address)) {
                add(Kind::OtherSlot, at, Some(other));
            }
        } else if code.contains(" = arith.constant ") && !code.contains("true") && !code.contains("false") {
            add(Kind::Constant, at, None);
        } else if ["pto.texpands", "pto.tfillpad", "pto.tci"].iter().any(|fill| code.starts_with(fill)) {
            add(Kind::DroppedFill, at, None);
        } else if code.starts_with("pto.t") && code.contains("outs(") {
            add(Kind::DroppedInstruction, at, None);
        }
    }
    sites
}

/// The value after `addr = `.
fn address(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("addr = ")?;
    rest.split([' ', ',', ')']).next()
}

/// The constant that a value is.
fn number(lines: &[&str], value: &str) -> Option<i64> {
    let defines = format!("{value} = arith.constant ");
    let rest = lines.iter().find_map(|line| line.trim_start().strip_prefix(&defines))?;
    rest.split(' ').next()?.parse().ok()
}

fn apply(kind: Kind, (at, other): Site, lines: &[&str], random: u64) -> Option<Vec<String>> {
    let mut text: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    match kind {
        Kind::DroppedPair => {
            text[at].clear();
            text[other?].clear();
        }
        Kind::Swapped => text.swap(at, other?),
        Kind::ShiftedAddress => {
            let address = address(lines[at])?;
            let by = *pick(&[32, 64, 512, -32], random)?;
            let moved = number(lines, address)?.checked_add(by).filter(|moved| *moved >= 0)?;
            let from = format!("addr = {address}");
            text[at] = format!(
                "%moved_tile = arith.constant {moved} : i64\n{}",
                lines[at].replacen(&from, "addr = %moved_tile", 1)
            );
        }
        Kind::OtherSlot => {
            let (from, to) = (address(lines[at])?, address(lines[other?])?);
            text[at] = lines[at].replacen(&format!("addr = {from}"), &format!("addr = {to}"), 1);
        }
        Kind::Constant => {
            let (start, rest) = lines[at].split_once("arith.constant ")?;
            let (number, rest) = rest.split_once(' ')?;
            let by = *pick(&[1, -1], random)?;
            let number = match number.parse::<i64>() {
                Ok(whole) => whole.checked_add(by)?.to_string(),
                Err(_) => format!("{:?}", number.parse::<f64>().ok()? + by as f64),
            };
            text[at] = format!("{start}arith.constant {number} {rest}");
        }
        _ => text[at].clear(),
    }
    Some(text)
}
