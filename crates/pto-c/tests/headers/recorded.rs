//! Programs that run over the recorder: each form that they call parses, and checks for their target.

use super::{compiler, compilers, complaint, folder};
use crate::generate::kernel;
use pto_isa::profile::Profile;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds a program from files of the tests, over the recorder; the lines that it prints.
fn run(name: &str, files: &[&str], mode: &[&str], compiler_name: &str) -> Vec<String> {
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let tests = folder().join("tests");
    let mut build = compiler(compiler_name, "c++17", mode);
    build.args(files.iter().map(|file| tests.join(file))).arg(tests.join("recorder.cpp"));
    build.arg("-o").arg(&program);
    let output = build.output().expect("the compiler runs");
    assert!(output.status.success(), "{}", complaint(&build, &output));
    lines(&program)
}

fn lines(program: &Path) -> Vec<String> {
    let mut command = Command::new(program);
    let output = command.output().expect("the program runs");
    assert!(output.status.success(), "{}", complaint(&command, &output));
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

/// The type of a view in the dialect, and its layout, of the text of a tensor.
fn view(text: &str) -> Option<(String, &str)> {
    let body = text.strip_prefix("tensor<")?.strip_suffix('>')?;
    let (shape, rest) = body.split_once(", strides = ")?;
    let (_, layout) = rest.split_once("layout = ")?;
    Some((format!("!pto.partition_tensor_view<{shape}>"), layout))
}

/// The function with the operation of a line.
fn text(line: &str) -> String {
    let mut fields = line.split('\t');
    let mut pattern = fields.next().expect("a pattern").to_owned();
    let operands: usize = fields.next().expect("a number").parse().expect("a number");
    let mut texts = Vec::new();
    for field in fields {
        match view(field) {
            Some((ty, layout)) => {
                // The layout belongs to the definition of a view, which there is none of here.
                if layout != "nd" && !pattern.ends_with('}') {
                    pattern.push_str(&format!(" {{layout = #pto<layout {layout}>}}"));
                }
                texts.push(ty);
            }
            None => texts.push(field.to_owned()),
        }
    }
    // A merge returns its counts by an operand.
    if pattern.contains("%result") && !pattern.starts_with("%result") {
        pattern = format!("%result = arith.constant dense<0> : vector<4xi16>\n  {pattern}");
    }
    kernel(&pattern, &texts, operands)
}

/// The lines whose operations are none of a profile, with the reasons.
fn refused(lines: &[String], profile: Profile) -> Vec<String> {
    let reason = |line: &String| {
        let text = text(line);
        let module = match pto::parse(&text) {
            Ok(parsed) => parsed.module,
            Err(errors) => return Some(format!("{text}{errors:?}")),
        };
        let errors = pto::check(module, Some(profile)).err()?;
        let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        Some(format!("{text}{}: {}", profile.word(), messages.join("; ")))
    };
    lines.iter().filter_map(reason).collect()
}

#[test]
fn calls_are_operations_of_the_dialect() {
    let Some(name) = compilers().first().copied() else { return };
    let modes = [
        ("-DPTO_TARGET_CPU", Profile::Cpu),
        ("-DPTO_TARGET_A2A3", Profile::A2A3),
        ("-DPTO_TARGET_A5", Profile::A5),
    ];
    let mut reasons = Vec::new();
    for (mode, profile) in modes {
        let lines = run(&format!("operations{mode}"), &["operations.cpp"], &[mode], name);
        assert!(lines.len() > 60, "{} calls are recorded", lines.len());
        reasons.extend(refused(&lines, profile));
    }
    assert!(reasons.is_empty(), "{}", reasons.join("\n"));
}

#[test]
fn operations_of_queues_are_read() {
    let Some(name) = compilers().first().copied() else { return };
    for end in ["-D__DAV_CUBE__", "-D__DAV_VEC__"] {
        let lines = run(&format!("queues{end}"), &["queues.cpp"], &["-DPTO_TARGET_A2A3", end], name);
        assert!(lines.len() >= 8, "{lines:?}");
        // Rules of queues need the whole function, which a recording of one operation is not.
        for text in lines.iter().map(|line| text(line)) {
            assert!(pto::parse(&text).is_ok(), "{text}{:?}", pto::parse(&text).err());
        }
    }
}

#[test]
fn formats_values_and_host_functions_behave() {
    for name in compilers() {
        for mode in ["-DPTO_TARGET_CPU", "-D__PTO_AUTO__"] {
            run(&format!("formats{mode}{name}"), &["formats.cpp"], &[mode, "-O1"], name);
            run(&format!("host{mode}{name}"), &["host.cpp"], &[mode, "-O1"], name);
            let lines = run(&format!("values{mode}{name}"), &["values.cpp"], &[mode, "-O1"], name);
            assert_eq!(lines.len(), 6, "a sum and a product on each of three blocks");
        }
    }
}

#[test]
fn examples_of_pages_run() {
    let Some(name) = compilers().first().copied() else { return };
    let pages = [("tconcat", 2), ("tinsert", 1), ("tmov", 1), ("trowexpandadd", 1)];
    for (page, calls) in pages {
        for mode in ["-DPTO_TARGET_A5", "-D__PTO_AUTO__"] {
            let indexed: &[&str] = if page == "tconcat" { &["-DINDEXED"] } else { &[] };
            let mode_flags = [&[mode], indexed].concat();
            let files = [format!("pages/{page}.cpp"), "pages/main.cpp".to_owned()];
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            let lines = run(&format!("{page}{mode}"), &files, &mode_flags, name);
            assert_eq!(lines.len(), calls, "{page}: {lines:?}");
        }
    }
}
