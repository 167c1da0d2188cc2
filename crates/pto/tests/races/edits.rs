//! The edits of findings about synchronization repair the program.

use super::*;
use pto::diag::apply;
use std::collections::BTreeMap;

/// The number of findings per rule in a function of a text: errors, and findings of the rule `about` if it is a
/// lint.
fn counts(text: &str, name: &str, about: &str) -> BTreeMap<String, usize> {
    let programs = functions(text);
    let (_, program) = programs.iter().find(|(known, _)| known == name).expect("the function");
    let found = watched(program, text).unwrap_or_else(|findings| panic!("{text}\n{findings:#?}"));
    let mut counts = BTreeMap::new();
    for finding in found {
        let rule = finding.rule.to_string();
        if finding.severity == Severity::Error || rule == about {
            *counts.entry(rule).or_default() += 1;
        }
    }
    counts
}

#[test]
fn the_edits_of_a_finding_remove_it_and_bring_no_error() {
    let mut edited: BTreeMap<String, usize> = BTreeMap::new();
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("a program");
        for (name, program) in functions(&text) {
            let Ok(found) = watched(&program, &text) else { continue };
            for finding in found.iter().filter(|finding| !finding.edits.is_empty()) {
                let rule = finding.rule.to_string();
                let repaired = apply(&text, &finding.edits);
                let (before, after) = (counts(&text, &name, &rule), counts(&repaired, &name, &rule));
                let place = format!("{} @{name} {rule}: {before:?}, {after:?}\n{repaired}", path.display());
                assert!(after.get(&rule).unwrap_or(&0) < &before[&rule], "{place}");
                // Without its only barrier, a program reports a race by another rule.
                assert!(after.values().sum::<usize>() <= before.values().sum(), "{place}");
                *edited.entry(rule).or_default() += 1;
            }
        }
    }
    let kinds: Vec<&str> = edited.keys().map(String::as_str).collect();
    let wanted = [
        "race::read-after-write",
        "race::write-after-read",
        "race::write-after-write",
        "sync::redundant",
        "sync::unneeded",
        "sync::wide",
    ];
    assert_eq!(kinds, wanted, "{edited:?}");
}

#[test]
fn a_flag_is_set_after_the_first_access_and_waited_for_before_the_second() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/races/ptoas_844_reused_address.pto");
    let text = std::fs::read_to_string(path).expect("a program");
    let (_, program) = &functions(&text)[0];
    let found = watched(program, &text).unwrap_or_else(|findings| panic!("{findings:#?}"));
    let repaired = apply(&text, &found[0].edits);
    let wanted = "
  pto.texp ins(%t : !vec) outs(%u : !vec)  // first
  pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  pto.tload ins(%yv : !view) outs(%again : !vec)  // error: race::write-after-read
";
    assert!(repaired.contains(wanted), "{repaired}");
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
    let mut found = found_in(text);
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
    assert!(finding.help[0].starts_with("`tstore` is of an earlier iteration of the loop"), "{finding:#?}");
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
    assert!(finding.help[0].contains("before `tadd` in the loop"), "{finding:#?}");
    assert!(repaired.contains("pto.barrier <PIPE_V>\n    pto.tadd"), "{repaired}");
    let left = found_in(&repaired).into_iter().filter(|finding| finding.severity == Severity::Error);
    assert_eq!(left.count(), 0, "{repaired}");
}

/// In a run that repeats no iteration, a flag between iterations is no candidate for removal.
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
