//! Programs that are run call by call give the results and findings of the same program as one text.

use super::{VECTOR, binary, floats, operation, tile, transfer};
use pto::Profile;
use pto::diag::Diagnostic;
use pto::launch::live::{Argument, Finished, Live, Part};
use pto::observe::{Watch, WatchOptions, Watchers};
use pto::sim::{Options, Program, Storage, Value};
use pto_num::random;

/// A program of tile instructions, flags and barriers, as steps: the part with its arguments, and the line of text.
struct Steps {
    random: u64,
    parts: Vec<String>,
    steps: Vec<(usize, Vec<Argument>)>,
    lines: Vec<String>,
}

impl Steps {
    /// The tiles: some overlap.
    const ADDRESSES: [u64; 6] = [0, 32, 64, 64, 96, 4096];

    fn of(seed: u64) -> Steps {
        let mut steps = Steps { random: seed, parts: Vec::new(), steps: Vec::new(), lines: Vec::new() };
        // Half of them begin with tiles that are full, and order everything.
        let is_ordered = seed.is_multiple_of(2);
        for at in (0..Steps::ADDRESSES.len()).filter(|_| is_ordered) {
            steps.transfer("tload", at);
            steps.order(&["pto.barrier #pto.pipe<PIPE_ALL>"]);
        }
        for _ in 0..24 {
            steps.add();
            if is_ordered {
                steps.order(&["pto.barrier #pto.pipe<PIPE_ALL>"]);
            }
        }
        steps
    }

    fn below(&mut self, limit: usize) -> usize {
        (random::next(&mut self.random) >> 33) as usize % limit
    }

    fn part(&mut self, text: String) -> usize {
        self.parts.iter().position(|known| *known == text).unwrap_or_else(|| {
            self.parts.push(text);
            self.parts.len() - 1
        })
    }

    fn tile(at: usize) -> Argument {
        tile(Steps::ADDRESSES[at], at as u32 + 1)
    }

    fn transfer(&mut self, op: &str, at: usize) {
        let part = self.part(transfer(op));
        self.steps.push((part, vec![Argument::Pointer(0), Steps::tile(at)]));
        let view = "!pto.partition_tensor_view<1x8xf32>";
        self.lines.push(match op {
            "tload" => format!("pto.tload ins(%w : {view}) outs(%t{at} : {VECTOR})"),
            _ => format!("pto.tstore ins(%t{at} : {VECTOR}) outs(%w : {view})"),
        });
    }

    fn order(&mut self, texts: &[&str]) {
        for text in texts {
            let part = self.part(operation(text));
            self.steps.push((part, Vec::new()));
            self.lines.push((*text).into());
        }
    }

    fn add(&mut self) {
        let [a, b, c] = [(); 3].map(|()| self.below(Steps::ADDRESSES.len()));
        match self.below(6) {
            kind @ (0 | 1) => self.transfer(["tload", "tstore"][kind], a),
            2 | 3 => {
                let op = ["tadd", "tmul", "tsub"][self.below(3)];
                let part = self.part(binary(op));
                self.steps.push((part, [a, b, c].map(Steps::tile).to_vec()));
                self.lines
                    .push(format!("pto.{op} ins(%t{a}, %t{b} : {VECTOR}, {VECTOR}) outs(%t{c} : {VECTOR})"));
            }
            kind => {
                let pipes = [["MTE2", "V"], ["V", "MTE3"], ["MTE3", "MTE2"], ["V", "MTE2"]];
                let [from, to] = pipes[self.below(4)];
                if kind == 4 {
                    let flag = |op| format!("pto.{op}[<PIPE_{from}>, <PIPE_{to}>, <EVENT_ID{a}>]");
                    self.order(&[&flag("set_flag"), &flag("wait_flag")]);
                } else {
                    self.order(&[&format!("pto.barrier #pto.pipe<PIPE_{from}>")]);
                }
            }
        }
    }

    /// The program as one text.
    fn text(&self) -> String {
        let mut text = String::from("func.func @k(%p: !pto.ptr<f32>) {\n");
        for value in [0, 1, 8] {
            text += &format!("  %c{value} = arith.constant {value} : index\n");
        }
        let whole = "!pto.tensor_view<1x8xf32>";
        text += &format!(
            "  %v = pto.make_tensor_view %p, shape = [%c1, %c8], strides = [%c8, %c1] : {whole}\n  \
             %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c8] : {whole} -> !pto.partition_tensor_view<1x8xf32>\n"
        );
        for (at, address) in Steps::ADDRESSES.iter().enumerate() {
            text += &format!(
                "  %a{at} = arith.constant {address} : i64\n  %t{at} = pto.alloc_tile addr = %a{at} : {VECTOR}\n"
            );
        }
        for line in &self.lines {
            text += &format!("  {line}\n");
        }
        text + "  return\n}\n"
    }
}

/// Number of findings of each rule.
fn summary(found: &[Diagnostic]) -> Vec<(String, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for finding in found {
        *counts.entry(finding.rule.to_string()).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

#[test]
fn results_and_findings_are_those_of_the_same_program_as_one_text() {
    let options = Options::default();
    let watch = WatchOptions { as_written: true, max_reports: 1000, ..WatchOptions::from(Watchers::ALL) };
    let (mut clean, mut broken) = (0, 0);
    for seed in 0..300 {
        let steps = Steps::of(seed);
        let bytes = floats(&[1., 2., 3., 4., 5., 6., 7., 8.]);

        let module = pto::parse(&steps.text()).expect("well-formed text").module;
        let Ok(checked) = pto::check(module, Some(Profile::A2A3)) else { continue };
        let program = Program::decode(&checked, None).expect("a program that runs");
        let values = vec![vec![Value::buffer(bytes.clone())]];
        let whole = pto::observe::watch(&program, values, &options, &watch);
        let (outcome, seen) = whole.expect("a run to its end");

        let mut live =
            Live::new(Profile::A2A3, options.clone(), Watch::live(Profile::A2A3, &watch, &options));
        // A part for each line, since findings count places.
        let parts: Vec<Part> =
            steps.steps.iter().map(|(part, _)| live.define(&steps.parts[*part]).expect("a part")).collect();
        let x = live.buffer("p", Storage::from(bytes), true).expect("a buffer");
        live.begin_launch(0, 1).expect("a rank");
        let core = live.begin_block(0).expect("a block")[0];
        for (part, (_, arguments)) in parts.iter().zip(&steps.steps) {
            let arguments: Vec<Argument> = arguments
                .iter()
                .map(
                    |argument| {
                        if *argument == Argument::Pointer(0) { Argument::Pointer(x) } else { *argument }
                    },
                )
                .collect();
            live.call(core, *part, &arguments).expect("a call");
        }
        live.end_core(core).expect("a core that runs");
        live.end_launch(0).expect("a launch that has ended");
        let Finished { outcome: own, observer: watched, .. } = live.finish();
        assert_eq!(own.buffers[0].bytes, outcome.buffers[0].bytes, "seed {seed}");
        let found = watched.into_watched().findings;
        assert_eq!(summary(&found), summary(&seen.findings), "seed {seed}\n{}", steps.text());
        if found.iter().any(|finding| finding.severity == pto::diag::Severity::Error) {
            broken += 1;
        } else {
            clean += 1;
        }
    }
    assert!(broken > 50 && clean > 20, "{broken} programs with errors, {clean} without");
}
