//! Each constraint broken one at a time: the legal programs of `tests/rules` with one thing changed.

use pto::diag::{Diagnostic, Severity};
use pto::isa::Profile;
use pto_smith::{alone, perturb};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn errors(module: &pto::ir::Module, target: Option<Profile>) -> Vec<Diagnostic> {
    let mut findings = pto::check(module.clone(), target).err().unwrap_or_default();
    findings.retain(|finding| finding.severity == Severity::Error);
    findings
}

#[test]
fn probe() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rules");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut also: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut count = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let target =
            text.lines().next().and_then(|line| Profile::from_word(line.strip_prefix("// target: ")?));
        let (module, _) = pto::text::parse_partial(&text);
        for single in alone(&module) {
            if !errors(&single, target).is_empty() {
                continue;
            }
            for perturbed in perturb(&single) {
                count += 1;
                let found = errors(&perturbed.module, target);
                let Some(leading) = found.first() else { continue };
                *first.entry(leading.rule.to_string()).or_default() += 1;
                let rules: BTreeSet<_> = found[1..]
                    .iter()
                    .map(|finding| finding.rule.to_string())
                    .filter(|rule| *rule != leading.rule)
                    .collect();
                if !rules.is_empty() {
                    let key =
                        format!("{} + {}", leading.rule, rules.into_iter().collect::<Vec<_>>().join(" + "));
                    let entry = also.entry(key).or_insert((
                        0,
                        format!("{} {}", file.file_name().unwrap().to_str().unwrap(), perturbed.change),
                    ));
                    entry.0 += 1;
                }
            }
        }
    }
    println!("{count} perturbations");
    for instruction in pto::isa::op::all() {
        for rule in instruction.page().rules {
            let name = format!("{}::{}", instruction.page().name, rule.name);
            if !first.contains_key(&name) {
                println!("never first: {name}");
            }
        }
    }
    for (key, (count, example)) in &also {
        println!("{count} {key}   ({example})");
    }
}
