//! Programs with moves, insertions and extractions that a rule forbids on a profile.

use super::{program, tile};
use crate::support::launch::{findings, module};
use pto::diag::Severity;
use pto::isa::Profile;

/// The rules that a program violates on a profile, errors first.
fn broken(profile: Profile, element: &str, dst: (&str, &str, &str), lines: &str) -> Vec<(Severity, String)> {
    let source = program(element, dst, lines);
    let findings = findings(module(&source), Some(profile));
    let mut rules: Vec<_> =
        findings.into_iter().map(|finding| (finding.severity, finding.rule.to_string())).collect();
    rules.sort_by_key(|(severity, _)| *severity != Severity::Error);
    rules
}

fn has(rules: &[(Severity, String)], severity: Severity, rule: &str) -> bool {
    rules.iter().any(|(found, name)| *found == severity && name == rule)
}

#[test]
fn formats_depend_on_the_profile() {
    let cases = [
        (Profile::A2A3, "i32", "bf16", "tmov::quant-type"),
        (Profile::A5, "i32", "i16", "tmov::quant-type"),
        (Profile::A2A3, "f32", "ui8", "tmov::quant-type"),
    ];
    for (profile, from, to, rule) in cases {
        let dst = tile("mat", "32x64", to, "nz");
        let line = "  pto.tmov ins(%a : ACC, %q : i64) outs(%d : DST)";
        let rules = broken(profile, from, (&dst, "32x64", to), line);
        assert!(has(&rules, Severity::Error, rule), "{rules:?}");
        let rules = broken(Profile::Cpu, from, (&dst, "32x64", to), line);
        assert!(!has(&rules, Severity::Error, rule), "{rules:?}");
    }
    let dst = tile("mat", "32x64", "f32", "nz");
    let line = "  pto.tmov ins(%a : ACC, %q : i64) outs(%d : DST)";
    let rules = broken(Profile::A5, "f32", (&dst, "32x64", "f32"), line);
    assert!(has(&rules, Severity::Extension, "tmov::quant-type"), "{rules:?}");
}

#[test]
fn each_rule_of_the_dual_modes_rejects() {
    let line = |mode: &str| {
        format!("  pto.tmov ins(%a : ACC) outs(%d : DST) {{accToVecMode = #pto.acc_to_vec_mode<{mode}>}}")
    };
    let cases = [
        ("vec", "f16", "nd", "dual_mode_split_m", "tmov::dual-quant"),
        ("vec", "f32", "dn", "dual_mode_split_m", "tmov::dual-layout"),
        ("mat", "f32", "nz", "single_mode_vec0", "tmov::mode-pair"),
        ("vec", "f32", "nd", "both", "attribute-word"),
    ];
    for (location, to, layout, mode, rule) in cases {
        let dst = tile(location, "32x64", to, layout);
        let rules = broken(Profile::A5, "f32", (&dst, "32x64", to), &line(mode));
        assert!(has(&rules, Severity::Error, rule), "{rule}: {rules:?}");
    }
}

#[test]
fn spellings_of_moves_name_their_locations() {
    let dst = tile("vec", "32x64", "f32", "nd");
    for (spelling, fits) in [("tmov.v2v", true), ("tmov.s2d", true), ("tmov.m2l", false), ("tmov.a2v", false)]
    {
        let rules = broken(
            Profile::Cpu,
            "f32",
            (&dst, "32x64", "f32"),
            &format!("  pto.{spelling} ins(%v : VEC) outs(%d : DST)"),
        );
        assert_eq!(has(&rules, Severity::Error, "tmov::spelling"), !fits, "{spelling}: {rules:?}");
    }
}

#[test]
fn insertions_between_vec_tiles_are_a5s() {
    let dst = tile("vec", "32x64", "f32", "nd");
    let line = "  pto.tinsert ins(%v, %c0, %c0 : VEC, index, index) outs(%d : DST)";
    assert!(has(
        &broken(Profile::A2A3, "f32", (&dst, "32x64", "f32"), line),
        Severity::Extension,
        "tinsert::location-pair"
    ));
    let rules = broken(Profile::A5, "f32", (&dst, "32x64", "f32"), line);
    assert!(!rules.iter().any(|(_, name)| name.starts_with("tinsert::")), "{rules:?}");
    let line = "  pto.tinsert ins(%v, %c1, %c0 : VEC, index, index) outs(%d : DST)";
    assert!(has(
        &broken(Profile::A5, "f32", (&dst, "32x64", "f32"), line),
        Severity::Error,
        "tinsert::bounds"
    ));
    let line = "  pto.tinsert ins(%v, %c0, %c0 : VEC, index, index) outs(%d : DST) {tinsertMode = #pto.tinsert_mode<split2>}";
    assert!(has(
        &broken(Profile::A5, "f32", (&dst, "32x64", "f32"), line),
        Severity::Error,
        "tinsert::split-pair"
    ));
}
