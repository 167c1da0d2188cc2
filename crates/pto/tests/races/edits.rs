//! Advice about synchronization: its edits repair the program, and findings of one cause are one.

use super::*;
use pto::advice::{Trial, tried};
use pto::diag::apply;

/// Findings of all observers in a function of a text, with advice; `None` if the text is not a legal program.
fn trial(text: &str, name: &str, most: u64) -> Option<Trial> {
    let profile = text.lines().find_map(|line| line.strip_prefix("// target: ")).and_then(Profile::from_word);
    let checked = pto::check(pto::parse(text).ok()?.module, profile).ok()?;
    let program = Program::decode(&checked, Some(name)).ok()?;
    let watch = WatchOptions { max_reports: usize::MAX, ..watchers_of(text).into() };
    let options = Options::default().max_steps(most);
    let findings = run(&program, &options, watch).map_or_else(|stopped| stopped, |(_, found)| found);
    Some(Trial { findings, work: 0 })
}

fn advised(text: &str, name: &str) -> Vec<Diagnostic> {
    let first = trial(text, name, 1_000_000).expect("a legal program");
    tried(text, first, |text, most| trial(text, name, most))
}

/// The errors in a function.
fn errors(text: &str, name: &str) -> Vec<Diagnostic> {
    let trial = trial(text, name, 1_000_000).unwrap_or_else(|| panic!("no legal program:\n{text}"));
    trial.findings.into_iter().filter(|finding| finding.severity == Severity::Error).collect()
}

#[test]
fn the_edits_of_a_finding_remove_it_and_bring_no_other_one() {
    let mut rules: BTreeSet<String> = BTreeSet::new();
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("a program");
        for (name, _) in functions(&text) {
            let before = trial(&text, &name, 1_000_000).expect("a legal program").findings;
            for finding in advised(&text, &name).iter().filter(|finding| !finding.edits.is_empty()) {
                let repaired = apply(&text, &finding.edits);
                let after = trial(&repaired, &name, 1_000_000);
                let after = after.unwrap_or_else(|| panic!("no legal program:\n{repaired}")).findings;
                // A lint may come instead of an error: then the program lacks less than it had too much.
                let is_error = |one: &&Diagnostic| one.severity == Severity::Error;
                let count = |findings: &[Diagnostic]| match is_error(&finding) {
                    true => findings.iter().filter(is_error).count(),
                    false => findings.len(),
                };
                let gone = count(std::slice::from_ref(finding)) + count(&finding.folded);
                let place = format!("{} @{name} {}: {after:#?}\n{repaired}", path.display(), finding.rule);
                assert!(count(&after) + gone <= count(&before), "{place}");
                rules.insert(finding.rule.to_string());
            }
        }
    }
    for rule in ["race::read-after-write", "race::write-after-read", "race::write-after-write"] {
        assert!(rules.contains(rule), "{rules:?}");
    }
    for rule in ["sync::redundant", "sync::unneeded", "sync::wide", "sync::never-set", "sync::left-set"] {
        assert!(rules.contains(rule), "{rules:?}");
    }
}

/// Each operation that synchronizes pipes, left out: findings about it are one, and its edit repairs the program.
#[test]
fn a_missing_flag_wait_or_barrier_is_one_finding_with_an_edit() {
    let is_sync = |line: &str| {
        let words = ["pto.set_flag[", "pto.wait_flag[", "pto.barrier <", "pto.get_buf[", "pto.rls_buf["];
        words.iter().any(|word| line.trim_start().starts_with(word))
    };
    let (mut causes, mut findings, mut open) = (0, 0, Vec::new());
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("a program");
        for (name, _) in functions(&text) {
            if !errors(&text, &name).is_empty() {
                continue;
            }
            let lines: Vec<&str> = text.lines().collect();
            for at in lines_of(&text, &name).filter(|at| is_sync(lines[*at])) {
                let without: Vec<&str> = [&lines[..at], &lines[at + 1..]].concat();
                let broken = without.join("\n") + "\n";
                if errors(&broken, &name).is_empty() {
                    continue;
                }
                causes += 1;
                let found = advised(&broken, &name).into_iter();
                let found: Vec<_> = found.filter(|finding| finding.severity == Severity::Error).collect();
                findings += found.len();
                let edits: Vec<_> = found.iter().flat_map(|finding| finding.edits.clone()).collect();
                let is_repaired = found.iter().all(|finding| !finding.edits.is_empty())
                    && errors(&apply(&broken, &edits), &name).is_empty();
                if !is_repaired {
                    open.push(format!("{}:{}: {}", path.display(), at + 1, lines[at].trim()));
                }
            }
        }
    }
    assert!(causes >= 40, "{causes}");
    assert!(findings * 10 <= causes * 11, "{findings} findings of {causes} causes");
    assert!(open.is_empty(), "{} of {causes} have no edit:\n{}", open.len(), open.join("\n"));
}

#[test]
fn a_flag_is_set_after_the_first_access_and_waited_for_before_the_second() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/races/ptoas_844_reused_address.pto");
    let text = std::fs::read_to_string(path).expect("a program");
    let name = &functions(&text)[0].0;
    let repaired = apply(&text, &advised(&text, name)[0].edits);
    let wanted = "
  pto.texp ins(%t : !vec) outs(%u : !vec)  // first
  pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  pto.tload ins(%yv : !view) outs(%again : !vec)  // error: race::write-after-read
";
    assert!(repaired.contains(wanted), "{repaired}");
}

/// Advice that was not tested in a run is marked.
#[test]
fn advice_that_was_not_tried_is_marked() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/races/ptoas_844_reused_address.pto");
    let text = std::fs::read_to_string(path).expect("a program");
    let found = watched(&functions(&text)[0].1, &text).unwrap_or_else(|findings| panic!("{findings:#?}"));
    assert!(found[0].help[0].ends_with("(not tried)") && found[0].edits.is_empty(), "{:#?}", found[0]);
}

/// A loop that copies rows through one tile, with this text in its body between load and store.
fn loop_over_one_tile(target: &str, between: &str) -> String {
    format!(
        "// target: {target}
!vec = !pto.tile_buf<vec, 4x16xf32>
!view = !pto.tensor_view<16x16xf32>
!part = !pto.partition_tensor_view<4x16xf32>
func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %a0 = arith.constant 0 : i64
  %xv = pto.make_tensor_view %x, shape = [%c16, %c16], strides = [%c16, %c1] : !view
  %yv = pto.make_tensor_view %y, shape = [%c16, %c16], strides = [%c16, %c1] : !view
  %t = pto.alloc_tile addr = %a0 : !vec
  scf.for %row = %c0 to %c16 step %c4 {{
    %from = pto.partition_view %xv, offsets = [%row, %c0], sizes = [%c4, %c16] : !view -> !part
    %to = pto.partition_view %yv, offsets = [%row, %c0], sizes = [%c4, %c16] : !view -> !part
    {between}
  }}
  return
}}
"
    )
}

/// The only finding of the rule in the only function of a text, and the text after its edits.
fn repaired(text: &str, rule: &str) -> (Diagnostic, String) {
    let mut found = advised(text, "k");
    found.retain(|finding| finding.rule == rule);
    let finding = found.pop().filter(|_| found.is_empty()).unwrap_or_else(|| panic!("{found:#?}"));
    let text = apply(text, &finding.edits);
    (finding, text)
}

#[test]
fn a_flag_between_iterations_is_set_before_the_loop_and_waited_for_after_it() {
    let text = loop_over_one_tile(
        "a5",
        "pto.tload ins(%from : !part) outs(%t : !vec)
    pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
    pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
    pto.tstore ins(%t : !vec) outs(%to : !part)",
    );
    let (finding, repaired) = repaired(&text, "race::write-after-read");
    assert!(finding.help[0].contains("`tstore` is of an earlier iteration of the loop"), "{finding:#?}");
    assert_eq!(found_in(&repaired), [], "{repaired}");
    let (set, wait) = ("pto.set_flag[<PIPE_MTE3>", "pto.wait_flag[<PIPE_MTE3>");
    let order: Vec<&str> = repaired
        .lines()
        .filter_map(|line| {
            [set, wait, "scf.for", "}"].into_iter().find(|word| line.trim_start().starts_with(word))
        })
        .collect();
    assert_eq!(order, [set, "scf.for", wait, set, "}", wait, "}"], "{repaired}");
}

#[test]
fn a_barrier_between_iterations_goes_before_the_access_that_comes_first() {
    let text = loop_over_one_tile(
        "a2a3",
        "pto.tadd ins(%t, %t : !vec, !vec) outs(%t : !vec)
    pto.barrier <PIPE_V>
    pto.trowexpand ins(%t : !vec) outs(%t : !vec)",
    );
    let (finding, repaired) = repaired(&text, "race::read-after-write");
    assert!(finding.help[0].contains("before `tadd`"), "{finding:#?}");
    assert!(repaired.contains("pto.barrier <PIPE_V>\n    pto.tadd"), "{repaired}");
    let left = found_in(&repaired).into_iter().filter(|finding| finding.severity == Severity::Error);
    assert_eq!(left.count(), 0, "{repaired}");
}

/// In a run that repeats no iteration, a flag between iterations is not a candidate for removal.
#[test]
fn a_flag_of_a_loop_that_runs_once_is_to_be_kept() {
    let text = loop_over_one_tile(
        "a5",
        "pto.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]
    pto.tload ins(%from : !part) outs(%t : !vec)
    pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
    pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
    pto.tstore ins(%t : !vec) outs(%to : !part)
    pto.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]",
    );
    let text = text.replace("  scf.for", "  pto.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]\n  scf.for");
    let text = text.replace("  return", "  pto.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]\n  return");
    assert_eq!(found_in(&text), []);
    let once = found_in(&text.replace("step %c4", "step %c16"));
    let rules: Vec<String> = once.iter().map(|finding| finding.rule.to_string()).collect();
    assert_eq!(rules, ["sync::redundant", "sync::unneeded"]);
    for finding in once {
        assert!(finding.help[0].starts_with("keep it if the loop may run more than once"), "{finding:#?}");
        assert_eq!(finding.edits, []);
    }
}
