//! The tutorials: their programs are the files of their steps. Their commands, and those of the page of commands, print
//! the output that the pages show. `BLESS=1` rewrites the pages.

use crate::support::{command, root};

const PAGE: &str = "docs/tutorial.md";
const BY_HAND: &str = "docs/by-hand.md";

/// Pages that show the output of commands.
const SHOWING: [&str; 3] = [PAGE, BY_HAND, "docs/commands.md"];

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Output of a command: stdout, then stderr.
fn printed(line: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        match at % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = command(&words);
    [output.stdout, output.stderr].iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
}

/// Returns the page with each program replaced by its file, and each output by the current output of the commands.
fn current(page: &str) -> String {
    let mut text = String::new();
    let mut lines = page.lines();
    let mut file = None;
    while let Some(line) = lines.next() {
        text.push_str(line);
        text.push('\n');
        file = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->")).or(file);
        match line {
            "```pto" => {
                let _ = lines.by_ref().take_while(|line| *line != "```").count();
                text.push_str(&read(file.take().expect("a program has a comment with its file")));
                text.push_str("```\n");
            }
            "```console" => {
                let block = lines.by_ref().take_while(|line| *line != "```");
                for line in block.filter_map(|line| line.strip_prefix("$ pto ")) {
                    text.push_str(&format!("$ pto {line}\n{}", printed(line)));
                }
                text.push_str("```\n");
            }
            _ => {}
        }
    }
    text
}

#[test]
fn programs_and_outputs_are_current() {
    for name in SHOWING {
        let page = read(name);
        let wanted = current(&page);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(root().join(name), wanted).expect("written");
            continue;
        }
        assert!(
            page == wanted,
            "{name} is stale: `BLESS=1 cargo test -p pto-cli --test all tutorial::` writes it anew"
        );
    }
}

#[test]
fn every_step_is_shown_in_order_and_is_legal_everywhere() {
    let page = read(PAGE);
    let mut last = 0;
    for step in 1..=10 {
        let file = format!("examples/tutorial/step{step}.pto");
        let at = page.find(&format!("<!-- {file} -->")).unwrap_or_else(|| panic!("{file} is not shown"));
        assert!(at > last, "{file} is out of order");
        last = at;
        let parsed = pto::parse(&read(&file)).unwrap_or_else(|found| panic!("{file}: {found:?}"));
        for profile in pto::Profile::ALL {
            let checked = pto::check(parsed.module.clone(), Some(profile));
            let checked = checked.unwrap_or_else(|found| panic!("{file}: {found:?}"));
            assert!(checked.warnings().is_empty(), "{file}");
        }
    }
}

/// Runs a command with `--watch` and `--expect`: all values match, and the watchers find nothing.
fn matches_and_is_clean(line: &str, values: usize) {
    let output = command(&line.split_whitespace().collect::<Vec<_>>());
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.contains(&format!("all {values} values match")), "{out}{err}");
    assert!(err.starts_with("nothing found: race: ") && !err.contains("lint["), "{err}");
}

/// The last step: right results on every profile, and nothing that a watcher reports on a device.
#[test]
fn the_last_step_matches_and_is_clean() {
    for target in ["a2a3", "a5"] {
        let line = format!(
            "run examples/tutorial/step10.pto --target {target} --entry rms_norm_{target} --blocks 3 --watch all \
             -i x=examples/tutorial/x.npy -i gamma=examples/tutorial/gamma.npy --expect y=examples/tutorial/y.npy \
             --atol 1e-6 --rtol 1e-6"
        );
        matches_and_is_clean(&line, 12_000);
        for schedule in ["lazy", "eager", "adversarial"] {
            let line = format!("{line} --schedule {schedule}").replace("--watch all", "");
            let output = command(&line.split_whitespace().collect::<Vec<_>>());
            assert!(output.status.success(), "{schedule}");
        }
    }
}

/// The programs with synchronization by hand: right results, and nothing that a watcher reports on their devices.
#[test]
fn the_programs_by_hand_match_and_are_clean() {
    let sum = "-i x=arange:64x128 --expect y=examples/by_hand/sum.npy";
    let product = "-i a=arange:64x16 -i b=arange:16x16 --expect y=examples/by_hand/product.npy";
    let programs = [
        ("step2", "a2a3", sum, 8192),
        ("step2", "a5", sum, 8192),
        ("step3", "a2a3", sum, 8192),
        ("step3", "a5", sum, 8192),
        ("step4", "a5", product, 1024),
    ];
    for (step, target, data, values) in programs {
        let line = format!("run examples/by_hand/{step}.pto --target {target} --watch all {data}");
        matches_and_is_clean(&line, values);
    }
}
