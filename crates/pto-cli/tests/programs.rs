//! The programs that `pto explain` shows: every instruction has a legal example that runs; every rule has two programs.

use crate::support::command;
use pto::Profile;
use pto::isa::op::all;
use pto_cli::programs::{Example, example, examples, of_rule};

/// The output of `pto run` for an example.
fn printed(example: &Example, profile: Profile) -> String {
    let file = format!("examples/instructions/{}.pto", example.name);
    let mut words = vec!["run", &file, "--target", profile.word()];
    words.extend(&example.flags);
    let output = command(&words);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let is_note = |line: &str| line.contains(": not given, so zeros: ") || line.contains(": arguments from ");
    assert!(output.status.success() && err.lines().all(is_note), "{words:?}\n{out}{err}");
    out.into_owned()
}

/// Whether an instruction takes factors with MX scales, which layout instructions move without an attribute only on A5.
fn moves_scales(name: &str) -> bool {
    name.contains("mul.mx") || name.contains("gemv.mx") || name == "tget_scale_addr"
}

#[test]
fn every_instruction_has_an_example_and_every_example_an_instruction() {
    for instruction in all() {
        let name = instruction.page().name;
        let example = example(name).unwrap_or_else(|| panic!("examples/instructions/{name}.pto is missing"));
        let spelled = [' ', '(', '['].map(|next| format!("pto.{name}{next}"));
        let uses = spelled.iter().any(|word| example.text.contains(word))
            // The two functions of one kernel have its name with `_aic` and `_aiv`.
            && ["(", "_aic("].iter().any(|end| example.text.contains(&format!("@{}{end}", name.replace('.', "_"))));
        assert!(uses, "the example of `{name}` does not use it");
        assert!(example.text.starts_with("// "), "the example of `{name}` says nothing");
        assert!(example.text.lines().count() <= 60, "the example of `{name}` is long");
        let has = |profile| example.profiles.contains(&profile);
        assert!(
            (has(Profile::Cpu) || moves_scales(name)) && (has(Profile::A2A3) || has(Profile::A5)),
            "{name}: {:?}",
            example.profiles
        );
    }
    assert_eq!(examples().count(), all().count());
}

#[test]
fn every_example_is_legal_without_a_word_of_warning() {
    for example in examples() {
        for profile in &example.profiles {
            let parsed =
                pto::parse(example.text).unwrap_or_else(|findings| panic!("{}: {findings:?}", example.name));
            let checked = pto::check(parsed.module, Some(*profile));
            let checked =
                checked.unwrap_or_else(|findings| panic!("{} {profile:?}: {findings:?}", example.name));
            assert!(parsed.lints.is_empty() && checked.warnings().is_empty(), "{} {profile:?}", example.name);
        }
    }
}

#[test]
fn every_example_runs_and_computes_something() {
    for example in examples() {
        let outputs: Vec<_> = example.profiles.iter().map(|profile| printed(&example, *profile)).collect();
        let something =
            |text: &String| text.contains(|c: char| ('1'..='9').contains(&c)) || text.contains("inf");
        assert!(outputs.iter().all(something), "{}: {outputs:?}", example.name);
        assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]), "{}: profiles differ", example.name);
    }
}

#[test]
fn the_examples_of_the_layout_set_show_what_they_say() {
    let expected = [
        ("tconcat", "[[ 0.0  1.0  2.0  3.0  4.0 0.0 0.0 0.0]"),
        ("tconcatidx", "[ 5.0  6.0  7.0  8.0  9.0  0.0 -1.0 -1.0]"),
        ("textract", "[40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0]"),
        ("tinsert", "[ 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0]"),
        ("tmov", "[[[ 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0]"),
        ("tmov_fp", "[8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8]"),
        ("treshape", "[ 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0]"),
        ("ttrans", "[ 1.0 17.0 33.0 49.0 65.0 81.0 97.0 113.0]"),
        ("tfillpad", "[ 3.0 4.0 5.0 -inf -inf -inf -inf -inf]"),
        ("tfillpad_inplace", "[ 3.0 4.0 5.0 -inf -inf -inf -inf -inf]"),
        ("trowexpand", "[1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0]"),
        ("trowexpandadd", "[ 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0]"),
        ("tcolexpandmul", "[ 0.0 9.0 20.0 33.0 48.0 65.0 84.0 105.0]"),
    ];
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace("[ ", "[");
    for (name, line) in expected {
        let example = example(name).expect("an example");
        let text = printed(&example, example.profiles[0]);
        assert!(squeezed(&text).contains(&squeezed(line)), "{name}:\n{text}");
    }
}

#[test]
fn every_rule_shows_a_program_that_keeps_it_and_one_that_breaks_it() {
    for instruction in all() {
        let page = instruction.page();
        for rule in page.rules {
            let name = format!("{}::{}", page.name, rule.name);
            let (Some(kept), Some(broken)) = of_rule(&name) else { panic!("{name} shows no program") };
            let marked = |line: &&str| line.contains("//") && line.contains(&name);
            assert!(broken.lines.iter().any(marked), "{name}: {broken:?}");
            assert!(!kept.lines.iter().any(|line| line.contains("// error")), "{name}: {kept:?}");
            for shown in [kept, broken] {
                assert!((1..=30).contains(&shown.lines.len()), "{name}: {shown:?}");
            }
        }
    }
}

#[test]
fn explanations_end_in_a_program_and_give_it_alone() {
    let page = String::from_utf8(command(&["explain", "tinsert"]).stdout).expect("text");
    let alone = String::from_utf8(command(&["explain", "tinsert", "--example"]).stdout).expect("text");
    let last = alone.lines().rev().nth(1).expect("a line");
    assert!(
        page.contains("example, for cpu, a5: pto explain tinsert --example | pto run - -i")
            && page.contains(last)
    );
    assert!(pto::parse(&alone).is_ok());
    let rule = String::from_utf8(command(&["explain", "tconcat::valid-cols"]).stdout).expect("text");
    assert!(rule.contains("kept, for a2a3") && rule.contains("// error: tconcat::valid-cols"), "{rule}");
}
