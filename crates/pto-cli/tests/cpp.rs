//! `pto c++`: command lines, and programs compiled with stand-ins for headers and library.
#![cfg(target_os = "linux")]
// A message that nothing was compiled.
#![allow(clippy::print_stderr)]

use crate::support::folder::{Folder, parts};
use std::process::Command;

/// A stand-in for the headers: a launch prints its configuration and calls the kernel once for each block.
const HEADER: &str = r#"#pragma once
#include <cstdio>
namespace pto {
struct Config { int blocks; Config(int blocks, void* = nullptr, void* = nullptr) : blocks(blocks) {} };
template <class... T> auto launch(Config config, void (*kernel)(T...)) {
    return [=](T... arguments) { for (int i = 0; i < config.blocks; i++) kernel(arguments...); };
}
}
"#;

const KERNEL: &str = r#"#include <pto/pto-inst.hpp>
#include "size.h"
template <int N> void add(int* sum) { *sum += N * SIZE; }
int main() {
    int sum = 0;
    add<
        2
    ><<<3, nullptr, nullptr>>>(&sum);
    printf("%d %s:%d %d\n", sum, __FILE__, __LINE__, __CCE_AICORE__);
}
"#;

/// Installed compilers. If there is none, prints that nothing was compiled.
pub(crate) fn compilers() -> Vec<&'static str> {
    let runs =
        |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|run| run.status.success());
    let found: Vec<_> = ["g++", "clang++"].into_iter().filter(runs).collect();
    if found.is_empty() {
        eprintln!("no C++ compiler: nothing was compiled");
    }
    found
}

impl Folder {
    /// A folder with stand-ins for headers and library.
    pub(crate) fn of_cpp() -> Folder {
        let folder = Folder::new();
        folder.write("home/include/pto/pto.h", "");
        folder.write("home/include/pto/pto-inst.hpp", HEADER);
        folder.write("home/lib/libpto_c.so", "");
        folder
    }

    /// Runs `pto c++` with the stand-ins and a compiler.
    fn cpp(&self, compiler: &str, line: &str) -> (Option<i32>, String, String) {
        let mut command = self.command();
        command.arg("c++").args(line.split_whitespace()).env("PTO_HOME", self.path("home"));
        command.env("PTO_CXX", compiler).env_remove("CXX").env("TMPDIR", self.path("tmp"));
        std::fs::create_dir_all(self.path("tmp")).expect("a folder");
        let result = parts(&command.output().expect("the command runs"));
        let left = std::fs::read_dir(self.path("tmp")).expect("a folder").flatten();
        let left: Vec<_> = left
            .map(|entry| entry.file_name())
            .filter(|name| name.to_string_lossy().contains("pto"))
            .collect();
        assert!(left.is_empty(), "{line}: {left:?} is left");
        result
    }

    /// Replaces the library by one that can be linked.
    pub(crate) fn with_library(self, compiler: &str) -> Folder {
        self.write("empty.cpp", "");
        let built = Command::new(compiler)
            .args(["-shared", "-o", &self.path("home/lib/libpto_c.so"), &self.path("empty.cpp")])
            .status();
        assert!(built.is_ok_and(|built| built.success()));
        self
    }

    /// Makes a stand-in for a compiler, which only prints its version.
    pub(crate) fn stand_in(&self, gcc: u32) -> String {
        self.script("compiler", &format!("#!/bin/sh\ncat > /dev/null\necho {gcc} __clang_major__\n"))
    }
}

#[test]
fn the_folders_are_printed() {
    let folder = Folder::of_cpp();
    let home = std::fs::canonicalize(folder.path("home")).expect("a folder").display().to_string();
    assert_eq!(folder.cpp("", "--include"), (Some(0), format!("{home}/include\n"), String::new()));
    let libs = format!("-L{home}/lib -lpto_c -Wl,-rpath,{home}/lib\n");
    assert_eq!(folder.cpp("", "--libs"), (Some(0), libs, String::new()));
}

#[test]
fn the_command_line_is_shown() {
    let folder = Folder::of_cpp();
    let compiler = folder.stand_in(12);
    folder.write("k.cpp", "TileType::Vec");
    let (status, out, err) = folder.cpp(&compiler, "-O2 k.cpp --target a5 -o k -DX='a --show -Wall");
    assert_eq!((status, err.as_str()), (Some(0), ""));
    let line = out
        .strip_prefix(&format!("{compiler} -g -fno-crossjumping -fno-tree-tail-merge -std=c++17 -I "))
        .expect("our flags are first");
    assert!(line.contains("-DPTO_TARGET_A5") && line.contains("-D__DAV_C310_VEC__"), "{line}");
    assert!(line.contains(r" -O2 k.cpp -o k '-DX='\''a' -Wall -L"), "{line}");
    assert!(line.contains(" -lpto_c -Wl,-rpath,"), "{line}");
    // Standards and stages of the user, and the vendor's flags.
    let line = folder.cpp(&compiler, "--show -c -std=c++20 -xcce --cce-aicore-arch=dav-c220-cube k.cpp").1;
    assert!(line.contains("-D__DAV_C220_CUBE__") && line.ends_with(" -c -std=c++20 k.cpp\n"), "{line}");
    assert!(!line.contains("-std=c++17") && !line.contains("lpto_c"), "{line}");
    // The text of the standard input needs them, too.
    assert!(folder.cpp(&compiler, "--show -E -x c++ -").1.contains(" -DPTO_TARGET_A2A3 "));
    // Calls without an input are the compiler's own.
    assert_eq!(folder.cpp(&compiler, "--show --version").1, format!("{compiler} --version\n"));
    assert_eq!(
        folder.cpp(&compiler, "--show -v --target=x86_64-linux-gnu").1,
        format!("{compiler} -v --target=x86_64-linux-gnu\n")
    );
}

#[test]
fn several_sources_are_compiled_one_by_one() {
    let folder = Folder::of_cpp();
    let compiler = folder.stand_in(12);
    folder.write("vector.cpp", "TileType::Vec");
    folder.write("cube.cpp", "TMATMUL(c, a, b);");
    let out = folder.cpp(&compiler, "--show vector.cpp cube.cpp x.o -lm -o all").1;
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    assert!(lines[0].contains("-D__DAV_VEC__") && lines[0].contains(" vector.cpp -c -o "), "{out}");
    assert!(lines[1].contains("-D__DAV_CUBE__") && lines[1].contains(" cube.cpp -c -o "), "{out}");
    assert!(lines[2].contains(" x.o -lm -o all -L") && !lines[2].contains(".cpp"), "{out}");
    // A program of the host launches the kernels of the call.
    folder.write("main.cpp", "int main() { k<<<1, nullptr, nullptr>>>(); }");
    let out = folder.cpp(&compiler, "--show main.cpp cube.cpp -o all").1;
    assert!(
        out.lines().next().is_some_and(|line| line.contains("-D__DAV_CUBE__") && line.contains("main.cpp")),
        "{out}"
    );
    let (status, _, err) = folder.cpp(&compiler, "-c vector.cpp cube.cpp -o x.o");
    assert_eq!(status, Some(2));
    assert!(err.contains("there are several sources"), "{err}");
}

#[test]
fn misuse_is_a_sentence() {
    let folder = Folder::of_cpp();
    let compiler = folder.stand_in(12);
    folder.write("both.cpp", "#ifdef __DAV_CUBE__\n#else\n#ifdef __DAV_VEC__\n#endif\n#endif");
    folder.write("host.cpp", "int main() {}");
    folder.write("broken.cpp", "\n\nk<<<1(x);\n");
    for (line, wanted) in [
        ("both.cpp", "for which cores?"),
        ("host.cpp --cores three", "known are vector, cube and mixed"),
        ("host.cpp --target a4", "known are cpu"),
        ("host.cpp --npu-arch=dav-1", "architecture"),
        ("host.cpp --cores", "needs a value"),
        ("-E --cores mixed host.cpp", "this stage has one result"),
    ] {
        let (status, out, err) = folder.cpp(&compiler, line);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{line}: {err}");
        assert!(err.contains(wanted), "{line}: {err}");
    }
    let (status, _, err) = folder.cpp(&compiler, "broken.cpp");
    assert_eq!(status, Some(1));
    assert!(err.starts_with("error: broken.cpp:3: no `>>>`"), "{err}");
}

#[test]
fn a_compiler_that_is_missing_or_old_is_named() {
    let folder = Folder::of_cpp();
    folder.write("k.cpp", "int main() {}");
    let old = folder.stand_in(9);
    let (status, _, err) = folder.cpp(&old, "k.cpp");
    assert_eq!(status, Some(2));
    assert!(err.contains("which is g++ 9: g++ 11 or clang++ 14"), "{err}");
    let (status, _, err) = folder.cpp("no-such-compiler", "k.cpp");
    assert_eq!(status, Some(2));
    assert!(err.contains("PTO_CXX names `no-such-compiler`"), "{err}");
    let mut command = folder.command();
    command.args(["c++", "k.cpp"]).env("PATH", "").env_remove("PTO_CXX").env_remove("CXX");
    let (status, _, err) = parts(&command.output().expect("the command runs"));
    assert_eq!(status, Some(2));
    assert!(err.contains("no C++ compiler was found") && err.contains("help: install one"), "{err}");
    // A compiler that is this command would call itself without end.
    let mut command = folder.command();
    command.args(["c++", "k.cpp"]).env("PATH", "").env_remove("PTO_CXX");
    command.env("CXX", format!("{} c++", env!("CARGO_BIN_EXE_pto")));
    assert!(parts(&command.output().expect("the command runs")).2.contains("no C++ compiler was found"));
}

#[test]
fn headers_and_library_that_are_missing_are_named() {
    let folder = Folder::new();
    let compiler = folder.stand_in(12);
    folder.write("k.cpp", "int main() {}");
    let (status, _, err) = folder.cpp(&compiler, "k.cpp");
    // In a source tree the headers are found, and the library may be.
    if status != Some(0) {
        assert_eq!(status, Some(2));
        assert!(err.contains("was not found in") && err.contains("PTO_HOME"), "{err}");
    }
}

#[test]
fn a_launch_compiles_and_keeps_names_and_lines() {
    for compiler in compilers() {
        let folder = Folder::of_cpp().with_library(compiler);
        folder.write("src/k.cpp", KERNEL);
        folder.write("src/size.h", "#define SIZE 5\n");
        assert_eq!(folder.cpp(compiler, "src/k.cpp -O1 -o k"), (Some(0), String::new(), String::new()));
        let out = Command::new(folder.path("k")).output().expect("a program").stdout;
        assert_eq!(String::from_utf8_lossy(&out), "30 src/k.cpp:9 220\n", "{compiler}");
        // Neither debug information nor dependencies name a temporary file.
        assert_eq!(folder.cpp(compiler, "-c src/k.cpp -MMD").0, Some(0));
        let temporary = folder.path("tmp");
        assert!(
            !String::from_utf8_lossy(&std::fs::read(folder.path("k.o")).expect("an object"))
                .contains(&temporary)
        );
        let dependencies = folder.read("k.d");
        assert!(dependencies.contains("k.o: src/k.cpp"), "{dependencies}");
        assert!(!dependencies.contains(&temporary), "{dependencies}");
        let (status, out, _) = folder.cpp(compiler, "-E src/k.cpp");
        assert!(status == Some(0) && out.contains("src/k.cpp") && !out.contains(&temporary), "{out}");
        // Errors name the file and the line of the user.
        folder.write("src/k.cpp", KERNEL.replace("int sum = 0;", "int sum = zero;"));
        let (status, _, err) = folder.cpp(compiler, "-c src/k.cpp");
        assert!(status == Some(1) && err.contains("src/k.cpp:5:"), "{compiler}: {err}");
    }
}

#[test]
fn a_launch_in_a_header_compiles() {
    for compiler in compilers() {
        let folder = Folder::of_cpp().with_library(compiler);
        let header = KERNEL.replace("int main() {", "inline int run() {").replace("printf", "return printf");
        folder.write("src/inner/size.h", "#pragma once\n#define SIZE 7\n");
        folder.write("src/inner/run.hpp", format!("#pragma once\n{header}"));
        // Two headers of one name, of which one has the launch and the other leads to it.
        folder.write("src/run.hpp", "#include \"inner/run.hpp\"\n");
        folder.write("src/k.cpp", "#include \"run.hpp\"\n#include \"inner/size.h\"\nint main() { run(); }\n");
        assert_eq!(
            folder.cpp(compiler, "src/k.cpp -o k -MD -MF k.d"),
            (Some(0), String::new(), String::new())
        );
        let out = Command::new(folder.path("k")).output().expect("a program").stdout;
        assert_eq!(String::from_utf8_lossy(&out), "42 src/inner/run.hpp:10 220\n", "{compiler}");
        let dependencies = folder.read("k.d");
        assert!(
            dependencies.contains("src/inner/run.hpp") && !dependencies.contains(&folder.path("tmp")),
            "{dependencies}"
        );
    }
}

#[test]
fn a_source_in_another_encoding_compiles() {
    for compiler in compilers() {
        let folder = Folder::of_cpp().with_library(compiler);
        let text = KERNEL
            .replace("int sum = 0;", "int sum = 0; // @")
            .replace("SIZE;", "2;")
            .replace("#include \"size.h\"", "");
        // A comment in GB 18030, after a byte order mark.
        let bytes = text
            .bytes()
            .flat_map(|byte| if byte == b'@' { vec![0xba, 0xcb, 0xd0, 0xc4] } else { vec![byte] });
        let bytes: Vec<u8> = bytes.collect();
        let text = [b"\xef\xbb\xbf", bytes.as_slice()].concat();
        folder.write("größe/k.cpp", text);
        let (status, _, err) = folder.cpp(compiler, "größe/k.cpp -o k");
        assert_eq!(status, Some(0), "{compiler}: {err}");
        let out = Command::new(folder.path("k")).output().expect("a program").stdout;
        assert_eq!(String::from_utf8_lossy(&out), "12 größe/k.cpp:9 220\n", "{compiler}");
    }
}

#[test]
fn code_for_both_kinds_is_one_object_with_twins() {
    let source = "#include <pto/pto-inst.hpp>\n#ifdef __DAV_CUBE__\nint kind() { return 1; }\n#elif defined(__DAV_VEC__)\n\
                  int kind() { return 2; }\n#endif\ntemplate <class T> T twice(T x) { static T last; return last = x * kind(); }\n\
                  int main() { return twice(3); }\n";
    let has_tools = ["nm", "objcopy"].iter().all(|tool| Command::new(tool).arg("--version").output().is_ok());
    for compiler in compilers().into_iter().filter(|_| has_tools) {
        let folder = Folder::of_cpp().with_library(compiler);
        folder.write("k.cpp", source);
        assert_eq!(
            folder.cpp(compiler, "--cores mixed -c k.cpp -MMD"),
            (Some(0), String::new(), String::new())
        );
        assert!(folder.read("k.d").starts_with("k.o: k.cpp"), "{}", folder.read("k.d"));
        assert_eq!(folder.cpp(compiler, "k.o -o k"), (Some(0), String::new(), String::new()));
        assert_eq!(Command::new(folder.path("k")).status().expect("a program").code(), Some(6));
        let names = Command::new("nm").arg(folder.path("k")).output().expect("names").stdout;
        let names = String::from_utf8_lossy(&names);
        for name in ["_Z4kindv", "_Z5twiceIiET_S0_", "main"] {
            let count = names.lines().filter(|line| line.ends_with(&format!(" {name}"))).count();
            let twins = names.lines().filter(|line| line.ends_with(&format!(" {name}.cube"))).count();
            assert_eq!((count, twins), (1, 1), "{name}: {names}");
        }
        assert_eq!(
            folder.cpp(compiler, "--cores mixed -O2 k.cpp -o all"),
            (Some(0), String::new(), String::new())
        );
        assert_eq!(Command::new(folder.path("all")).status().expect("a program").code(), Some(6));
    }
}
