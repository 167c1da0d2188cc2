//! Table of the operands that each profile accepts for an instruction, from [`pto::check::probe`], in few lines.

use crate::printer::plural;
use pto::Profile;
use pto::check::probe::{Case, OperandStorage, Take, Variant, Verdict, probe};
use pto::data::dtype::word;
use pto::isa::op::Instruction;
use pto::isa::{Element, LayoutName, Location};
use serde_json::{Value, json};
use std::fmt::Write;

/// Operands with any combination of these storages, one list per operand, and the element types accepted for them.
struct Group {
    storages: Vec<Vec<OperandStorage>>,
    takes: Vec<Take>,
}

/// One form: the storages that a device accepts, and the number of further ones for `cpu` only.
struct Table {
    title: String,
    groups: Vec<Group>,
    elsewhere: usize,
}

/// Whether a device accepts any element type here.
fn on_device(case: &Case) -> bool {
    case.takes.iter().any(|take| take.verdicts[1..].iter().any(|verdict| *verdict != Verdict::No))
}

fn tables(variants: &[Variant]) -> Vec<Table> {
    let mut seen: Vec<&Vec<Case>> = Vec::new();
    let mut tables = Vec::new();
    for variant in variants {
        if seen.contains(&&variant.cases) {
            continue;
        }
        seen.push(&variant.cases);
        let any = variant.cases.iter().any(on_device);
        let (shown, hidden): (Vec<_>, Vec<_>) =
            variant.cases.iter().cloned().partition(|case| !any || on_device(case));
        let title = title(variant, &variants[0]);
        tables.push(Table { title, groups: grouped(shown), elsewhere: hidden.len() });
    }
    tables
}

/// `with q` for operands that the first form lacks, or else `without tmp` for operands that only the first form has.
fn title(variant: &Variant, first: &Variant) -> String {
    let names = |variant: &Variant| variant.form.roles().map(|role| role.name).collect::<Vec<_>>();
    let (own, known) = (names(variant), names(first));
    let beyond = |list: &[&'static str], other: &[&'static str]| {
        list.iter().filter(|role| !other.contains(role)).copied().collect::<Vec<_>>().join(", ")
    };
    let (new, missing) = (beyond(&own, &known), beyond(&known, &own));
    match (new.is_empty(), missing.is_empty()) {
        (false, _) => format!("with {new}"),
        (true, false) => format!("without {missing}"),
        (true, true) => String::new(),
    }
}

/// Groups cases with equal element types, as products of lists of storages.
fn grouped(cases: Vec<Case>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for case in cases {
        let storages: Vec<Vec<OperandStorage>> =
            case.storages.into_iter().map(|storage| vec![storage]).collect();
        groups.push(Group { storages, takes: case.takes });
    }
    let count = groups.first().map_or(0, |group| group.storages.len());
    for side in (0..count).rev() {
        let mut merged: Vec<Group> = Vec::new();
        for group in groups {
            let others = |a: &Group| {
                (0..count).all(|at| at == side || a.storages[at] == group.storages[at])
                    && a.takes == group.takes
            };
            match merged.iter_mut().find(|known| others(known)) {
                Some(known) => known.storages[side].extend(&group.storages[side]),
                None => merged.push(group),
            }
        }
        groups = merged;
    }
    groups
}

/// `vec ND/NZ or mat NZ`.
fn storages_text(storages: &[OperandStorage]) -> String {
    let mut parts: Vec<((String, &str), Vec<LayoutName>)> = Vec::new();
    let mut words = Vec::new();
    for storage in storages {
        let OperandStorage::Tile { location, layout, .. } = *storage else {
            words.push(storage.text());
            continue;
        };
        let kind = (location.word().to_owned(), storage.kind());
        match parts.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, list)) => list.push(layout),
            None => parts.push((kind, vec![layout])),
        }
    }
    words.extend(parts.into_iter().map(|((location, kind), list)| {
        let names: Vec<_> = list.iter().map(|layout| layout.word()).collect();
        let layouts = if names.len() == 6 { "in any layout".to_owned() } else { names.join("/") };
        format!("{location} {layouts}{kind}")
    }));
    words.join(" or ")
}

impl Group {
    fn storages_text(&self) -> String {
        let mut words: Vec<_> = self.storages.iter().map(|storages| storages_text(storages)).collect();
        let last = words.pop().unwrap_or_default();
        if words.is_empty() { last } else { format!("{} -> {last}", words.join(", ")) }
    }
}

/// The element types that a profile accepts: unchanged ones, then conversions; `*` marks extensions.
fn elements_text(takes: &[Take], profile: usize) -> String {
    // Sources, each with all its targets.
    let mut sources: Vec<(&[Element], Vec<String>)> = Vec::new();
    for take in takes.iter().filter(|take| take.verdicts[profile] != Verdict::No) {
        let star = if take.verdicts[profile] == Verdict::Extension { "*" } else { "" };
        let Some((last, from)) = take.elements.split_last() else { continue };
        let to = format!("{}{star}", word(*last));
        match sources.iter_mut().find(|(known, _)| *known == from) {
            Some((_, list)) => list.push(to),
            None => sources.push((from, vec![to])),
        }
    }
    let mut kept = Vec::new();
    let mut converted: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for (from, to) in sources {
        if from.is_empty() {
            kept = to;
            continue;
        }
        let name = from.iter().map(|source| word(*source)).collect::<Vec<_>>().join(" x ");
        if let [only] = &to[..]
            && only.trim_end_matches('*') == name
        {
            kept.push(only.clone());
            continue;
        }
        match converted.iter_mut().find(|(_, known)| *known == to) {
            Some((list, _)) => list.push(name),
            None => converted.push((vec![name], to)),
        }
    }
    let mut parts = Vec::new();
    if !kept.is_empty() {
        parts.push(any_or("any one element type", &kept, " "));
    }
    parts.extend(converted.into_iter().map(|(from, to)| {
        if from == to {
            return format!("among {}", from.join(" "));
        }
        let separator = if from[0].contains(" x ") { ", " } else { " " };
        format!("{} -> {}", any_or("any", &from, separator), any_or("any", &to, " "))
    }));
    parts.join("; ")
}

/// A list of element types, or a word for all of them.
fn any_or(all: &str, list: &[String], separator: &str) -> String {
    let every = list.len() == Element::ALL.len()
        && list.iter().all(|word| !word.contains(['*', 'x']) || word.starts_with("f4"));
    if every { all.to_owned() } else { list.join(separator) }
}

/// The table as text; empty if no operand of the instruction is a tile.
pub fn text(instruction: &'static dyn Instruction) -> String {
    table_text(probe(instruction))
}

/// The plain case of an instruction with many, and the table as text.
pub fn usual_and_text(instruction: &'static dyn Instruction) -> (Option<String>, String) {
    let variants = probe(instruction);
    (usual(variants), table_text(variants))
}

fn table_text(variants: &[Variant]) -> String {
    let mut text = String::new();
    for table in tables(variants) {
        if table.title.is_empty() {
            text.push_str("legal, found by probing the rules with tiles of 64x64 (one row: 1x512)\n");
        } else {
            let _ = writeln!(text, "\nlegal {}", table.title);
        }
        for group in &table.groups {
            let _ = writeln!(text, "  {}", group.storages_text());
            let mut lines: Vec<(Vec<&str>, String)> = Vec::new();
            for (at, profile) in Profile::ALL.into_iter().enumerate() {
                let elements = elements_text(&group.takes, at);
                match lines.iter_mut().find(|(_, known)| *known == elements) {
                    Some((profiles, _)) => profiles.push(profile.word()),
                    None if elements.is_empty() => {}
                    None => lines.push((vec![profile.word()], elements)),
                }
            }
            for (profiles, elements) in lines {
                let _ = writeln!(text, "    {:<14} {elements}", profiles.join(", "));
            }
        }
        if table.elsewhere > 0 {
            let more = plural(table.elsewhere, "other combination");
            let _ = writeln!(text, "  cpu also takes {more} of location and layout");
        }
    }
    if text.contains('*') {
        text.push_str("  * extension: only a newer page or a header has it\n");
    }
    text
}

/// The plain case of an instruction with many: f32 in vec tiles and views that are stored row by row, and the profiles
/// that accept it. `None` if few cases are listed, or it is none of them.
fn usual(variants: &[Variant]) -> Option<String> {
    const MANY: usize = 5;
    let first = variants.first()?;
    let plain = |storage: &OperandStorage| match storage {
        OperandStorage::Tile { location, layout, .. } => {
            (*location, *layout) == (Location::Vec, LayoutName::Nd)
        }
        OperandStorage::View(_) => storage.text().starts_with("ND"),
    };
    let mut cases = first.cases.iter().filter(|case| on_device(case));
    let case = cases.clone().find(|case| case.storages.iter().all(plain))?;
    let take = case.takes.iter().find(|take| take.elements.iter().all(|element| *element == Element::F32))?;
    cases.nth(MANY)?;
    let taking = Profile::ALL.into_iter().zip(take.verdicts).filter(|(_, verdict)| *verdict == Verdict::Yes);
    let profiles: Vec<&str> = taking.map(|(profile, _)| profile.word()).collect();
    let mut words: Vec<String> = case.storages.iter().map(|storage| storage.text()).collect();
    let last = words.pop()?;
    Some(format!("{} -> {last}, both of f32, on {}", words.join(", "), profiles.join(", ")))
}

/// The table as JSON: forms, each with groups of storages and the element types of each profile.
pub fn json(instruction: &'static dyn Instruction) -> Value {
    let group = |group: &Group| {
        let storages: Vec<Vec<String>> =
            group.storages.iter().map(|list| list.iter().map(|storage| storage.text()).collect()).collect();
        let mut profiles = serde_json::Map::new();
        for (at, profile) in Profile::ALL.into_iter().enumerate() {
            let takes = group.takes.iter().filter(|take| take.verdicts[at] != Verdict::No);
            let takes: Vec<Value> = takes
                .map(|take| {
                    let elements: Vec<_> = take.elements.iter().map(|element| word(*element)).collect();
                    json!({"elements": elements, "extension": take.verdicts[at] == Verdict::Extension})
                })
                .collect();
            profiles.insert(profile.word().to_owned(), takes.into());
        }
        json!({"places": storages, "profiles": profiles})
    };
    let tables = tables(probe(instruction));
    let tables = tables.iter().map(|table| {
        let groups: Vec<Value> = table.groups.iter().map(group).collect();
        json!({"form": table.title, "groups": groups})
    });
    tables.collect()
}

/// The element types of a profile over all storages of the first form, for a table cell; `None` if unknown.
pub fn cell(instruction: &'static dyn Instruction, profile: Profile) -> Option<String> {
    let at = Profile::ALL.iter().position(|known| *known == profile)?;
    let mut takes: Vec<Take> = Vec::new();
    for take in probe(instruction).first()?.cases.iter().flat_map(|case| &case.takes) {
        match takes.iter_mut().find(|known| known.elements == take.elements) {
            Some(known) => known.verdicts[at] = known.verdicts[at].max(take.verdicts[at]),
            None => takes.push(take.clone()),
        }
    }
    let text = elements_text(&takes, at);
    Some(if text.is_empty() { "-".to_owned() } else { text })
}
