//! Cost of an instruction: its formulas, or the paths of its transfers. Each number names its source.

use pto::isa::Profile;
use pto::isa::device::{Device, Endpoint, Path, PathTime};
use pto::isa::op::Page;
use pto::isa::op::cost::{Constant, Cost, Count, Formula, Term};
use pto::isa::op::effect::{Access, Extent, Target};
use pto::isa::profile::NPU;
use serde_json::{Value, json};
use std::fmt::Write;

/// Whether the page of an instruction has a cost.
pub(super) fn is_known(page: &Page) -> bool {
    matches!(page.cost, Cost::Cycles(_) | Cost::Transfer)
}

/// The summary of an instruction and its cost on each device.
pub(super) fn page(page: &Page) -> String {
    let cost = match text(page) {
        text if text.is_empty() => "takes no cycles of a pipe\n".to_owned(),
        text => format!("cost, in cycles of the pipe\n{text}"),
    };
    format!("{}: {}\n\n{cost}", page.name, page.summary)
}

/// The cost as lines; empty for an instruction that takes no cycles of a pipe.
fn text(page: &Page) -> String {
    let mut text = String::new();
    for profile in NPU {
        match page.cost {
            Cost::Cycles(formulas) => {
                for formula in formulas.iter().filter(|formula| formula.profiles.contains(profile)) {
                    of_formula(&mut text, *profile, formula);
                }
            }
            Cost::Transfer => {
                let device = Device::usual(*profile);
                let _ = writeln!(text, "  {}, {} at {} GHz", profile.word(), device.name, device.clock.value);
                paths(page, &device).for_each(|path| of_path(&mut text, path));
            }
            _ => {}
        }
    }
    text
}

fn of_formula(text: &mut String, profile: Profile, formula: &Formula) {
    let bits: Vec<String> = formula.bits.iter().map(u32::to_string).collect();
    let of =
        if bits.is_empty() { String::new() } else { format!(", elements of {} bits", bits.join(" or ")) };
    let terms = formula.terms.iter().map(|term| match term.count {
        Count::Once => format!("{}", term.cycles.value),
        Count::Ragged => format!("{} {}", term.cycles.value, term.count.word()),
        _ => format!("{} x {}", term.cycles.value, term.count.word()),
    });
    let terms: Vec<String> = terms.collect();
    let start = if formula.start.value > 0.0 {
        format!("start {}, then ", formula.start.value)
    } else {
        String::new()
    };
    let _ = writeln!(text, "  {}{of}: {start}{}", profile.word(), terms.join(" + "));
    let constants = std::iter::once(&formula.start).chain(formula.terms.iter().map(|term| &term.cycles));
    bases(text, constants.filter(|constant| constant.value > 0.0));
}

/// Prints the sources of numbers, one line for each source.
fn bases<'a>(text: &mut String, constants: impl Iterator<Item = &'a Constant>) {
    let mut lines: Vec<(&Constant, Vec<String>)> = Vec::new();
    for constant in constants {
        let number = constant.value.to_string();
        match lines.iter_mut().find(|(of, _)| (of.basis, of.source) == (constant.basis, constant.source)) {
            Some((_, numbers)) if numbers.contains(&number) => {}
            Some((_, numbers)) => numbers.push(number),
            None => lines.push((constant, vec![number])),
        }
    }
    for (constant, numbers) in lines {
        let _ = writeln!(text, "    {} {}: {}", numbers.join(", "), constant.basis.word(), constant.source);
    }
}

/// The paths that an instruction may use: through global memory if it accesses a view, else those on chip.
fn paths<'d>(page: &Page, device: &'d Device) -> impl Iterator<Item = &'d Path> {
    let global = |access: fn(Access) -> bool| {
        page.own_effects().any(|effect| {
            let is_view =
                matches!(effect.target, Target::Operand(_, Extent::View | Extent::Flat | Extent::Covered(_)));
            is_view && access(effect.access)
        })
    };
    let (reads, writes) = (global(|access| access == Access::Read), global(Access::changes));
    device.paths.iter().filter(move |path| match (path.from, path.to) {
        (Endpoint::Global, _) => reads,
        (_, Endpoint::Global) => writes,
        _ => !reads && !writes,
    })
}

fn of_path(text: &mut String, path: &Path) {
    let (from, to) = (path.from.word(), path.to.word());
    match path.time {
        PathTime::Rate { start, each, run, rate } => {
            let _ = writeln!(
                text,
                "    {from} -> {to}: start {}, then {} + {} x runs of bytes + bytes / {}",
                start.value, each.value, run.value, rate.value
            );
            bases(text, [&start, &each, &run, &rate].into_iter().filter(|constant| constant.value > 0.0));
        }
        PathTime::Drain { each, least, rate, odd } => {
            let _ = writeln!(
                text,
                "    {from} -> {to}: {} + rows x (at least {}, bytes of a row / {}, and {} x (odd factor of its blocks - 1))",
                each.value, least.value, rate.value, odd.value
            );
            bases(text, [&each, &least, &rate, &odd].into_iter());
        }
        _ => {}
    }
}

fn constant(of: &Constant) -> Value {
    json!({"value": of.value, "basis": of.basis.word(), "source": of.source})
}

/// The cost as JSON: a list of formulas, or `"transfer"`.
pub(super) fn json(page: &Page) -> Value {
    let term = |term: &Term| json!({"count": term.count.word(), "cycles": constant(&term.cycles)});
    let formula = |formula: &Formula| {
        json!({
            "profiles": formula.profiles.iter().map(|profile| profile.word()).collect::<Vec<_>>(),
            "bits": formula.bits,
            "start": constant(&formula.start),
            "terms": formula.terms.iter().map(term).collect::<Vec<_>>(),
        })
    };
    match page.cost {
        Cost::Cycles(formulas) => formulas.iter().map(formula).collect(),
        Cost::Transfer => json!("transfer"),
        _ => Value::Null,
    }
}
