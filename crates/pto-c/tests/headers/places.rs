//! Calls map to lines of the kernel, and constructs that are not tile instructions are rejected with a sentence.

use super::{compiler, compilers, complaint, folder};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The line of `places.cpp` to which debug information maps an address; `None` without `addr2line`.
fn line(program: &PathBuf, address: &str) -> Option<String> {
    let mut command = Command::new("addr2line");
    command.arg("-i").arg("-e").arg(program).arg(format!("0x{address}"));
    let text = String::from_utf8(command.output().ok()?.stdout).expect("text");
    // The innermost frames are in the headers.
    let own = text.lines().find(|line| line.contains("places.cpp:"))?;
    let (_, line) = own.rsplit_once(':')?;
    Some(line.split_whitespace().next()?.to_owned())
}

#[test]
#[allow(clippy::print_stderr)]
fn places_are_lines_of_the_kernel() {
    if Command::new("addr2line").arg("--version").output().is_err() {
        eprintln!("not run: there is no addr2line");
        return;
    }
    for name in compilers() {
        for level in ["-O0", "-O2"] {
            let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("places{level}{name}"));
            let mut build = compiler(name, "c++17", &[level, "-gdwarf-4"]);
            build.arg(folder().join("tests/places.cpp")).arg("-o").arg(&program);
            let output = build.output().expect("the compiler runs");
            assert!(output.status.success(), "{}", complaint(&build, &output));
            let output = Command::new(&program).output().expect("the program runs");
            let text = String::from_utf8(output.stdout).expect("text");
            assert_eq!(text.lines().count(), 7, "{text}");
            for (address, expected) in text.lines().filter_map(|line| line.split_once(' ')) {
                assert_eq!(line(&program, address).as_deref(), Some(expected), "{name} {level}");
            }
        }
    }
}

#[test]
fn other_instructions_are_refused_with_a_sentence() {
    let uses = [
        ("__VEC_SCOPE__ { }", "micro-instructions"),
        ("RegTensor<float> r; (void)r;", "micro-instructions"),
        ("int x = 0; vlds(x);", "vlds is a micro-instruction"),
        ("int x = 0; copy_gm_to_ubuf(x, x);", "use TLOAD"),
        ("async_invoke(1);", "SIMT"),
        (
            "Tile<TileType::Vec, float, 32, 64> t; Tile<TileType::Vec, uint8_t, 32, 64> e; \
             TQUANT<1, MxQuantAlg::Hif4>(e, t, &e, &t, &t);",
            "TQUANT to Hif4 is not defined by the manual",
        ),
    ];
    for name in compilers() {
        for (used, sentence) in uses {
            let mut command = compiler(name, "c++17", &["-x", "c++", "-fsyntax-only", "-"]);
            command.stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::null());
            let mut child = command.spawn().expect("the compiler runs");
            let source =
                format!("#include <pto/pto-inst.hpp>\nusing namespace pto;\nvoid kernel() {{ {used} }}\n");
            let mut input = child.stdin.take().expect("a pipe");
            input.write_all(source.as_bytes()).expect("the source is read");
            drop(input);
            let output = child.wait_with_output().expect("the compiler ends");
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!output.status.success() && text.contains(sentence), "{name}: {used}: {text}");
        }
    }
}
