//! Synchronization defects that were found on devices, each as a small program: the defect is reported with the
//! right rule and the right two lines, and the repaired program has no findings. The programs are in
//! `tests/races`, named after the public thread.
//!
//! A line that ends in `// error: RULE` or `// lint: RULE` is the location of a finding; a line that ends in `//
//! first` is its other location; a run stops at `// run-error: RULE`. Functions named `fixed...` have no finding.
//! Reads of unwritten bytes are checked in files with the line `// watch: init`. Lints are compared only in files
//! that expect one.

mod edits;

use crate::support::launch::{arguments, checked};
use pto::Program;
use pto::diag::{Diagnostic, Severity};
use pto::isa::Profile;
use pto::observe::{WatchOptions, Watchers, watch};
use pto::sim::{Argument, ArgumentKind, Options, Schedule, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Annotations at the end of a line, by severity.
const MARKS: [(&str, &str); 2] = [("error", "// error: "), ("lint", "// lint: ")];

const ALL: Watchers = Watchers::USUAL;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/races");
    let entries = std::fs::read_dir(folder).expect("the programs");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn line_of(text: &str, start: u32) -> usize {
    text[..start as usize].matches('\n').count()
}

/// The line numbers of a function in the text.
fn lines_of(text: &str, name: &str) -> std::ops::Range<usize> {
    let start = text.lines().position(|line| line.contains(&format!("@{name}("))).expect("the function");
    let length = text.lines().skip(start).position(|line| line == "}").expect("its end");
    start..start + length
}

fn run(
    program: &Program,
    options: &Options,
    watchers: impl Into<WatchOptions>,
) -> Result<(pto::sim::Outcome, Vec<Diagnostic>), Vec<Diagnostic>> {
    let value = |argument: &Argument, bytes: usize| match argument.kind {
        ArgumentKind::Buffer(_) => Value::buffer(
            (0..bytes)
                .map(|at| {
                    ((at + argument.name.len() + usize::from(argument.name.as_bytes()[0])) % 251) as u8 & 0x3f
                })
                .collect(),
        ),
        _ => Value::Scalar(0),
    };
    let ranks = vec![arguments(program, options, value)?];
    let (outcome, watched) = watch(program, ranks, options, &watchers.into())?;
    Ok((outcome, watched.findings))
}

fn functions(text: &str) -> Vec<(String, Program)> {
    let profile = text.lines().find_map(|line| line.strip_prefix("// target: ")).and_then(Profile::from_word);
    let checked = checked(text, profile);
    let names: Vec<String> =
        checked.module().functions.iter().map(|(_, function)| function.name.clone()).collect();
    let decode = |name: String| {
        let program =
            Program::decode(&checked, Some(&name)).unwrap_or_else(|findings| panic!("{findings:#?}"));
        (name, program)
    };
    names.into_iter().map(decode).collect()
}

/// The watchers for the programs of a file.
fn watchers_of(text: &str) -> Watchers {
    if text.contains("\n// watch: init\n") { Watchers::ALL } else { ALL }
}

/// The findings of the watchers of a file in one of its programs.
fn watched(program: &Program, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    run(program, &Options::default(), watchers_of(text)).map(|(_, findings)| findings)
}

#[test]
fn defects_are_reported_and_repaired_programs_are_silent() {
    let (mut buggy, mut wrong) = (0, Vec::new());
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("a program");
        let lines: Vec<&str> = text.lines().collect();
        for (name, program) in functions(&text) {
            let place = format!("{} @{name}", path.display());
            let range = lines_of(&text, &name);
            let said = |mark: &str| -> BTreeSet<(usize, String)> {
                let marked = range.clone().filter_map(|at| Some((at, lines[at].split_once(mark)?.1)));
                marked
                    .flat_map(|(at, list)| list.split("; ").map(move |rule| (at, rule.to_owned())))
                    .collect()
            };
            let findings = match watched(&program, &text) {
                Ok(findings) => findings,
                Err(findings) => {
                    let stops = said("// run-error: ");
                    let found = findings.iter().filter_map(|finding| {
                        let start = finding.primary.as_ref()?.span.start;
                        Some((line_of(&text, start), finding.rule.to_string()))
                    });
                    let found: BTreeSet<_> = found.collect();
                    if found != stops {
                        wrong.push(format!("{place}: stopped by {found:?}, expected {stops:?}"));
                    }
                    buggy += 1;
                    continue;
                }
            };
            let lints = text.contains("// lint: ");
            let found: BTreeSet<_> = findings
                .iter()
                .filter(|finding| lints || finding.severity == Severity::Error)
                .map(|finding| {
                    let start = finding.primary.as_ref().map_or(0, |label| label.span.start);
                    (line_of(&text, start), finding.severity.word(), finding.rule.to_string())
                })
                .collect();
            let mut wanted = BTreeSet::new();
            for (level, mark) in MARKS {
                wanted.extend(said(mark).into_iter().map(|(line, rule)| (line, level, rule)));
            }
            if found != wanted {
                wrong.push(format!("{place}: found {found:?}, expected {wanted:?}"));
            }
            let first: BTreeSet<usize> = said("// first").into_iter().map(|(line, _)| line).collect();
            let labels = findings.iter().flat_map(|finding| &finding.secondary);
            let others: BTreeSet<usize> = labels.map(|label| line_of(&text, label.span.start)).collect();
            assert!(first.is_subset(&others), "{place}: {findings:#?}");
            buggy += usize::from(!found.is_empty());
            if name.starts_with("fixed") != found.is_empty() {
                wrong.push(format!("{place}: found {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(buggy >= 16, "{buggy} defects");
}

/// Repaired programs have the same results under every schedule.
#[test]
fn repaired_programs_compute_the_same_under_every_schedule() {
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("a program");
        for (name, program) in functions(&text).into_iter().filter(|(name, _)| name.starts_with("fixed")) {
            let bytes = |schedule: Schedule, seed: u64| -> Vec<Vec<u8>> {
                let options = Options::default().schedule(schedule).seed(seed);
                let (outcome, _) = run(&program, &options, Watchers::NONE)
                    .unwrap_or_else(|findings| panic!("{} @{name}: {findings:#?}", path.display()));
                outcome.buffers.into_iter().map(|buffer| buffer.bytes.into_vec()).collect()
            };
            let written = bytes(Schedule::Program, 0);
            for (schedule, seeds) in
                [(Schedule::Eager, 1), (Schedule::Lazy, 1), (Schedule::Random, 8), (Schedule::Adversarial, 8)]
            {
                for seed in 0..seeds {
                    assert_eq!(bytes(schedule, seed), written, "{} @{name} {schedule:?}", path.display());
                }
            }
        }
    }
}

/// Under the lazy schedule, a pipe that nothing waits for runs late: the store reads old data.
#[test]
fn a_missing_wait_shows_as_wrong_data() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/races/ptoas_194_no_sync.pto");
    let text = std::fs::read_to_string(path).expect("a program");
    for (name, program) in functions(&text) {
        let bytes = |schedule| {
            let options = Options::default().schedule(schedule);
            run(&program, &options, Watchers::NONE).expect("it runs").0.buffers[1].bytes.clone()
        };
        let same = bytes(Schedule::Lazy) == bytes(Schedule::Program);
        assert_eq!(same, name == "fixed", "{name}");
    }
}

/// Under schedules with independent pipes, pipes that wait for each other stop the run.
#[test]
fn pipes_that_wait_for_each_other_stop_every_other_schedule() {
    let text = "// target: a5
func.func @k() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  pto.wait_flag[<PIPE_MTE3>, <PIPE_V>, <EVENT_ID0>]
  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.set_flag[<PIPE_MTE3>, <PIPE_V>, <EVENT_ID0>]
  return
}";
    let [(_, program)] = &functions(text)[..] else { panic!("one function") };
    for schedule in [Schedule::Eager, Schedule::Lazy, Schedule::Random, Schedule::Adversarial] {
        let findings =
            run(program, &Options::default().schedule(schedule), Watchers::NONE).expect_err("it stops");
        assert_eq!(findings[0].rule, "sync::deadlock", "{schedule:?}");
        assert!(findings[0].notes[0].starts_with("pipe V waits for the flag of MTE3"), "{findings:#?}");
        // Both waits are shown.
        let shown = findings[0].primary.iter().chain(&findings[0].secondary);
        let line = |at: u32| text[..at as usize].lines().count();
        let lines: BTreeSet<usize> = shown.map(|label| line(label.span.start)).collect();
        assert_eq!(lines, BTreeSet::from([3, 5]), "{findings:#?}");
    }
}

#[test]
fn findings_beyond_those_asked_for_are_counted() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/races/twelve_loads_eight_events.pto");
    let text = std::fs::read_to_string(path).expect("a program");
    let (_, program) = &functions(&text)[0];
    let watch = WatchOptions { max_reports: 3, ..ALL.into() };
    let outcome = run(program, &Options::default(), watch);
    let (_, findings) = outcome.unwrap_or_else(|findings| panic!("{findings:#?}"));
    assert_eq!(findings[3].rule, "watch::more");
    assert_eq!(findings[3].message, "1 more findings are not shown");
}

/// The findings of all observers in the only function of a text.
fn found_in(text: &str) -> Vec<Diagnostic> {
    let [(_, program)] = &functions(text)[..] else { panic!("one function") };
    watched(program, text).unwrap_or_else(|findings| panic!("{findings:#?}"))
}

#[test]
fn what_orders_nothing_new_is_a_lint_that_names_what_does() {
    let text = "// target: a5
!vec = !pto.tile_buf<vec, 16x64xf32>
!view = !pto.tensor_view<16x64xf32>
func.func @k(%x: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %a0 = arith.constant 0 : i64
  %xv = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !view
  %t = pto.alloc_tile addr = %a0 : !vec
  pto.barrier <PIPE_ALL>  // lint: has run no instruction before it
  pto.tload ins(%xv : !view) outs(%t : !vec)
  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]  // covers 1
  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]  // lint: already; by 1
  scf.for %i = %c0 to %c3 step %c1 {
    pto.texp ins(%t : !vec) outs(%t : !vec)
    pto.barrier <PIPE_V>  // lint: pipe V of this target orders itself
  }
  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.barrier <PIPE_ALL>  // covers 2
  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]  // lint: already; by 2
  pto.tstore ins(%t : !vec) outs(%xv : !view)
  return
}";
    let found = found_in(text);
    let lines: Vec<&str> = text.lines().collect();
    let wanted: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].contains("// lint: ")).collect();
    let mut said: Vec<usize> = Vec::new();
    for finding in &found {
        assert_eq!(finding.rule, "sync::redundant", "{finding:#?}");
        let at = line_of(text, finding.primary.as_ref().expect("a place").span.start);
        let (_, mark) = lines[at].split_once("// lint: ").unwrap_or_else(|| panic!("{finding:#?}"));
        let (words, by) = mark.split_once("; by ").map_or((mark, None), |(words, by)| (words, Some(by)));
        assert!(finding.message.contains(words), "{finding:#?}");
        let covers = finding.secondary.first().map(|label| lines[line_of(text, label.span.start)]);
        let number = covers.map(|line| line.split_once("// covers ").expect("what covers").1);
        assert_eq!(number, by, "{finding:#?}");
        said.push(at);
    }
    said.sort_unstable();
    assert_eq!(said, wanted);
}

#[test]
fn what_no_access_needs_is_a_lint_and_what_takes_a_flag_that_must_be_set_is_none() {
    let text = "// target: a5
!vec = !pto.tile_buf<vec, 16x64xf32>
!view = !pto.tensor_view<16x64xf32>
func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %a0 = arith.constant 0 : i64
  %a1 = arith.constant 4096 : i64
  %xv = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !view
  %yv = pto.make_tensor_view %y, shape = [%c16, %c64], strides = [%c64, %c1] : !view
  %t = pto.alloc_tile addr = %a0 : !vec
  %u = pto.alloc_tile addr = %a1 : !vec
  pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  scf.for %i = %c0 to %c3 step %c1 {
    pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
    pto.tload ins(%xv : !view) outs(%t : !vec)
    pto.barrier <PIPE_ALL>  // no lint: texp needs it
    pto.texp ins(%t : !vec) outs(%t : !vec)
    pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  }
  pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]  // no lint: the loop has set the flag
  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID1>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID1>]  // sync::unneeded
  pto.tload ins(%xv : !view) outs(%u : !vec)
  pto.tload ins(%yv : !view) outs(%t : !vec)
  pto.barrier <PIPE_ALL>  // sync::wide MTE2
  pto.tload ins(%xv : !view) outs(%t : !vec)
  return
}";
    assert_lints_as_marked(text);
}

#[test]
fn what_takes_a_flag_of_a_loop_is_no_lint_if_it_orders_nothing_new() {
    let text = "// target: a5
!vec = !pto.tile_buf<vec, 16x64xf32>
!view = !pto.tensor_view<16x64xf32>
func.func @k(%x: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %a0 = arith.constant 0 : i64
  %xv = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !view
  %t = pto.alloc_tile addr = %a0 : !vec
  pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  scf.for %i = %c0 to %c3 step %c1 {
    pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
    pto.tload ins(%xv : !view) outs(%t : !vec)
    pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
    pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
    pto.texp ins(%t : !vec) outs(%t : !vec)
    pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  }
  pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID1>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID1>]  // sync::unneeded
  pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]  // no lint: the loop has set the flag
  pto.tload ins(%xv : !view) outs(%t : !vec)
  return
}";
    assert_lints_as_marked(text);
}

/// Asserts that a run reports exactly the findings in the comments of a program: a rule with the pipes that would
/// suffice.
#[track_caller]
fn assert_lints_as_marked(text: &str) {
    let found = found_in(text);
    let lines: Vec<&str> = text.lines().collect();
    let said: Vec<String> = (found.iter())
        .map(|finding| {
            let at = line_of(text, finding.primary.as_ref().expect("a place").span.start);
            let enough =
                finding.message.split_once("<PIPE_").map_or("", |(_, pipes)| pipes.trim_end_matches('>'));
            format!("{}: {} {enough}", at, finding.rule).trim_end().to_owned()
        })
        .collect();
    let wanted: Vec<String> = (0..lines.len())
        .filter_map(|at| {
            Some(format!("{at}: {}", lines[at].split_once("// sync").map(|(_, rule)| format!("sync{rule}"))?))
        })
        .collect();
    assert_eq!(said, wanted, "{found:#?}");
}
