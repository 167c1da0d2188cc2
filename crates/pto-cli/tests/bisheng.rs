//! `pto c++ --as bisheng`: build scripts for the vendor's compiler run unchanged. Headers and library are stand-ins.
#![cfg(target_os = "linux")]
// A message that nothing was built.
#![allow(clippy::print_stderr)]

use crate::cpp::compilers;
use crate::support::folder::{Folder, parts};
use std::process::Command;

/// The compiler is set before the project, as build scripts of multi-card kernels do, so that CMake tries it for C and C++.
const PROJECT: &str = r#"cmake_minimum_required(VERSION 3.16)
set(CMAKE_C_COMPILER bisheng)
set(CMAKE_CXX_COMPILER bisheng)
project(example)
set(CMAKE_CXX_STANDARD 17)
if(NOT DEFINED ENV{ASCEND_HOME_PATH})
    message(FATAL_ERROR "no ASCEND_HOME_PATH")
endif()
add_compile_options(-D_FORTIFY_SOURCE=2 -O2 -Wno-macro-redefined -Wno-ignored-attributes -fstack-protector-strong)
add_link_options(-s -Wl,-z,relro -Wl,-z,now)
include_directories($ENV{ASCEND_HOME_PATH}/include)
add_library(add_kernel SHARED add_kernel.cpp)
target_compile_options(add_kernel PRIVATE -xcce -Xhost-start -Xhost-end "SHELL:-mllvm -cce-aicore-stack-size=0x8000" --cce-pto-enable
    --cce-aicore-arch=dav-c220-vec)
target_link_options(add_kernel PRIVATE --cce-fatobj-link)
add_executable(add main.cpp)
target_compile_options(add PRIVATE -xc++ "SHELL:-include stdint.h")
target_link_directories(add PUBLIC $ENV{ASCEND_HOME_PATH}/lib64)
target_link_libraries(add PRIVATE add_kernel runtime stdc++ ascendcl m tiling_api platform c_sec dl nnopbase pthread)
"#;

const KERNEL: &str = r#"#include <pto/pto-inst.hpp>
void add(int* sum) { *sum += 7; }
int launch() {
    int sum = 0;
    add<<<3, nullptr, nullptr>>>(&sum);
    return sum;
}
"#;

impl Folder {
    /// Runs a line of a shell with the vendor's names in the path.
    fn vendor(&self, compiler: &str, line: &str) -> (Option<i32>, String, String) {
        assert_eq!(self.pto("c++ --as bisheng ascend").0, Some(0));
        let mut shell = Command::new("sh");
        shell.args(["-euc", &format!(". ascend/set_env.sh; {line}")]).current_dir(&self.0);
        shell.env("PTO_HOME", self.path("home")).env("PTO_CXX", compiler).env_remove("LD_LIBRARY_PATH");
        // Folders with blanks are one word each.
        let path = std::env::var("PATH").unwrap_or_default();
        shell.env("PATH", format!("/with blanks/bin:{path}"));
        parts(&shell.output().expect("a shell"))
    }
}

#[test]
fn the_folder_names_this_command() {
    let folder = Folder::of_cpp();
    let compiler = folder.stand_in(12);
    let at = folder.0.canonicalize().expect("a folder").join("ascend");
    let (status, out, err) = folder.pto("c++ --as bisheng ascend");
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert_eq!(out, format!(". {}/set_env.sh\n", at.display()));
    for name in ["bisheng", "ccec"] {
        let line = format!("{name} --show --version; echo $ASCEND_HOME_PATH $LD_LIBRARY_PATH");
        let wanted = format!("{compiler} --version\n{0} {0}/lib64\n", at.display());
        assert_eq!(folder.vendor(&compiler, &line), (Some(0), wanted, String::new()));
    }
    let (status, _, err) = folder.pto("c++ --as bisheng");
    assert!(status == Some(2) && err.contains("needs one folder"), "{err}");
    folder.write("other/bisheng", "");
    let (status, _, err) = folder.pto("c++ --as bisheng other");
    assert!(status == Some(2) && err.contains("other/bisheng"), "{err}");
}

#[test]
fn what_belongs_to_the_vendor_does_not_reach_the_compiler() {
    let folder = Folder::of_cpp();
    let compiler = folder.stand_in(12);
    folder.write("k.cpp", "TileType::Vec");
    let shown = |line: &str| folder.vendor(&compiler, &format!("bisheng --show {line}")).1;
    let out = shown(
        "-fPIC -shared -xcce -Xhost-start -Xhost-end -mllvm -cce-aicore-addr-transform -cce-enable-mix --cce-fatobj-link -s \
         --cce-aicore-arch=dav-c220-vec --cce-pto-auto-enable k.cpp -L/nowhere/lib64 -lruntime -l ascendcl -lm -o k.so",
    );
    assert!(out.contains(" -D__PTO_AUTO__ -fPIC -shared k.cpp -L/nowhere/lib64 -lm -o k.so -L"), "{out}");
    // g++ does not have options of LLVM.
    assert!(shown("-c -mllvm -inline-threshold=9 k.cpp").ends_with(" -c k.cpp\n"));
    // `-x` does not apply to objects.
    folder.write("l.cpp", "TileType::Vec");
    let out = shown("-xc++ k.cpp l.cpp -o k");
    assert!(out.lines().last().is_some_and(|link| !link.contains("-xc++")), "{out}");
    assert!(out.lines().next().is_some_and(|first| first.contains("-xc++ k.cpp")), "{out}");
    // The vendor's compiler compiles a source in C as C.
    let out = shown("-c k.c");
    assert!(out.contains(" -c -x c k.c -x none") && !out.contains("-std="), "{out}");
}

#[test]
fn a_project_of_cmake_builds_and_runs() {
    if !Command::new("cmake").arg("--version").output().is_ok_and(|run| run.status.success()) {
        eprintln!("no cmake: nothing was built");
        return;
    }
    for compiler in compilers() {
        let folder = Folder::of_cpp().with_library(compiler);
        folder.write("CMakeLists.txt", PROJECT);
        folder.write("add_kernel.cpp", KERNEL);
        folder.write("main.cpp", "int launch();\nint main() { return launch(); }\n");
        let (status, out, err) = folder.vendor(compiler, "cmake -S . -B build && cmake --build build");
        assert_eq!(status, Some(0), "{compiler}: {out}{err}");
        let run = Command::new(folder.path("build/add")).status().expect("a program");
        assert_eq!(run.code(), Some(21), "{compiler}");
        // Findings name lines, and twins are found by symbols.
        let names = Command::new("nm").arg(folder.path("build/libadd_kernel.so")).output().expect("names");
        assert!(String::from_utf8_lossy(&names.stdout).contains("_Z3addPi"), "{compiler}");
    }
}
