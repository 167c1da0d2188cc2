//! Source lines of addresses: of this process, and of small C++ programs that print their mappings and addresses. Without
//! a C++ compiler, tests of the latter print that they did not run.
#![cfg(target_os = "linux")]
// A message that nothing was compiled.
#![allow(clippy::print_stderr)]

use pto_c::lines::module::Module;
use pto_c::lines::parameters::{Number, Parameter, ParameterType};
use pto_c::lines::{Frame, Lines, maps, user_frame};
use pto_num::{Element, random};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A stand-in for our headers: the outer helper is inlined with optimization only.
const HEADER: &str = "#pragma once
#ifdef __clang__
__attribute__((nomerge))
#endif
extern \"C\" void note(const char* name);

inline __attribute__((always_inline)) void inner() {
    note(\"call\");
}
inline void outer() {
    inner();
}
";

const KERNEL: &str = r#"#include <pto/ops.hpp>
#include <cstdint>
#include <cstdio>

struct half { std::uint16_t bits; };
struct bfloat16_t { std::uint16_t bits; };
struct Tensor { float* data; };
using bytes_t = unsigned char*;

extern "C" __attribute__((noinline)) void note(const char* name) {
    std::printf("%s %lu\n", name, (unsigned long)__builtin_return_address(0));
}

template <int N> __attribute__((noinline)) void add(float* x, const half* y, std::int64_t n, bfloat16_t, bytes_t raw,
    void* p, Tensor t, double d, bool b, const volatile std::uint32_t m, float** q, Tensor& r) {
    outer();
    std::printf("used\n");
}

extern "C" __attribute__((noinline)) void branches(int n, const char* name) {
    if (n == 1) {
        note(name); // first
    } else if (n > 3) {
        note(name); // second
    } else {
        note(name); // third
    }
    std::printf("end\n");
}

extern "C" void kernel() {}
void of_cube() __asm__("kernel.cube");
__attribute__((visibility("default"))) void of_cube() { std::printf("cube\n"); }

extern "C" void run() {
    if (std::FILE* maps = std::fopen("/proc/self/maps", "r")) {
        for (int c; (c = std::fgetc(maps)) != EOF;) std::putchar(c);
        std::fclose(maps);
    }
    Tensor t{};
    add<64>(nullptr, nullptr, 0, bfloat16_t{}, nullptr, nullptr, t, 0.0, false, 0, nullptr, t);
    branches(1, "first");
    branches(4, "second");
    branches(2, "third");
    std::printf("add %lu\n", (unsigned long)&add<64>);
    std::printf("kernel %lu\n", (unsigned long)&kernel);
    std::printf("cube %lu\n", (unsigned long)&of_cube);
}
"#;

/// A folder with a shared object and a program that uses it, removed at the end.
struct Built(PathBuf);

impl Built {
    fn new(compiler: &str, flags: &[&str]) -> Built {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("pto-lines-{}-{number}", std::process::id()));
        std::fs::create_dir_all(folder.join("include/pto")).expect("a folder");
        let built = Built(folder.canonicalize().expect("a folder"));
        for (name, text) in [
            ("include/pto/ops.hpp", HEADER),
            ("kernel.cpp", KERNEL),
            ("main.cpp", "extern \"C\" void run();\nint main() { run(); }\n"),
        ] {
            std::fs::write(built.0.join(name), text).expect("a file");
        }
        built.compile(
            compiler,
            &[flags, &["-fPIC", "-shared", "-I", "include", "./kernel.cpp", "-o", "libk.so"]].concat(),
        );
        built.compile(
            compiler,
            &[flags, &["main.cpp", "-L.", "-lk", "-Wl,-rpath,$ORIGIN", "-o", "main"]].concat(),
        );
        built
    }

    fn compile(&self, compiler: &str, arguments: &[&str]) {
        let status = Command::new(compiler).args(arguments).current_dir(&self.0).status();
        assert!(status.is_ok_and(|status| status.success()), "{compiler} {arguments:?}");
    }

    /// Runs the program: its mappings, and addresses by name.
    fn run(&self) -> (Lines, BTreeMap<String, u64>) {
        let out = Command::new(self.0.join("main")).output().expect("a program").stdout;
        let text = String::from_utf8(out).expect("text");
        let named = text.lines().filter_map(|line| {
            let (name, address) = line.split_once(' ')?;
            Some((name.to_owned(), address.parse().ok()?))
        });
        (Lines::with_mappings(&text), named.collect())
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Calls a function for each installed compiler with several kinds of debug information.
fn for_each_compiler(check: impl Fn(&Built, &[&str])) {
    let mut is_installed = false;
    for compiler in ["g++", "clang++"] {
        if !Command::new(compiler).arg("--version").output().is_ok_and(|run| run.status.success()) {
            continue;
        }
        is_installed = true;
        for level in ["-O0", "-O2"] {
            for version in ["-gdwarf-4", "-gdwarf-5"] {
                let mut flags = vec!["-std=c++17", level, version];
                if compiler == "g++" {
                    // As `pto c++` has it: merged calls have one line.
                    flags.extend(["-fno-crossjumping", "-fno-tree-tail-merge"]);
                }
                check(&Built::new(compiler, &flags), &[&[compiler], &flags[..]].concat());
            }
        }
    }
    if !is_installed {
        eprintln!("no C++ compiler: nothing was compiled");
    }
}

/// The line of a text on which a piece of it is, from 1.
fn line_of(text: &str, piece: &str) -> Option<u32> {
    let at = text.find(piece)?;
    u32::try_from(1 + text[..at].matches('\n').count()).ok()
}

fn place(frame: &Frame) -> (&str, &str, Option<u32>) {
    let text = |text: &Option<String>| -> &'static str { text.clone().unwrap_or_default().leak() };
    (text(&frame.function), text(&frame.file), frame.line)
}

#[test]
fn a_return_address_has_the_frames_of_inlined_callers() {
    for_each_compiler(|built, what| {
        let (mut lines, addresses) = built.run();
        let frames = lines.callers(addresses["call"]);
        let header = built.path("include/pto/ops.hpp");
        assert_eq!(place(&frames[0]), ("inner", &*header, line_of(HEADER, "note(\"call\")")), "{what:?}");
        assert_eq!(place(&frames[1]), ("outer", &*header, line_of(HEADER, "    inner();")), "{what:?}");
        // Compilers describe columns of calls.
        assert!(frames[0].column.is_some(), "{what:?}");
        if what.contains(&"-O2") {
            let (function, file, line) = place(&frames[2]);
            assert_eq!(function, "add<64>", "{what:?}");
            assert_eq!(
                (file, line),
                (&*built.path("kernel.cpp"), line_of(KERNEL, "    outer();")),
                "{what:?}"
            );
            assert_eq!(user_frame(&frames, None), Some(&frames[2]), "{what:?}");
            assert_eq!(user_frame(&frames, Some(&built.0.join("include"))), Some(&frames[2]), "{what:?}");
        } else {
            assert_eq!((frames.len(), user_frame(&frames, None)), (2, None), "{what:?}");
        }
    });
}

#[test]
fn equal_calls_in_branches_keep_their_lines() {
    for_each_compiler(|built, what| {
        let (mut lines, addresses) = built.run();
        for name in ["first", "second", "third"] {
            let frames = lines.callers(addresses[name]);
            assert_eq!(frames[0].line, line_of(KERNEL, &format!("// {name}")), "{what:?}");
        }
    });
}

#[test]
fn parameters_have_names_and_types() {
    for_each_compiler(|built, what| {
        let (mut lines, addresses) = built.run();
        let parameters = lines.parameters(addresses["add"]).expect("a function");
        let found: Vec<(&str, ParameterType)> =
            parameters.iter().map(|Parameter { name, ty }| (name.as_str(), ty.clone())).collect();
        let to = |element, is_const| ParameterType::Pointer { element, is_const };
        let pointer = |element, is_const| to(Some(Number::Element(element)), is_const);
        let scalar = |element| ParameterType::Scalar(Number::Element(element));
        let wanted = [
            ("x", pointer(Element::F32, false)),
            ("y", pointer(Element::F16, true)),
            ("n", scalar(Element::I64)),
            ("", scalar(Element::Bf16)),
            ("raw", pointer(Element::U8, false)),
            ("p", to(None, false)),
            ("t", ParameterType::Other("Tensor".into())),
            ("d", ParameterType::Scalar(Number::F64)),
            ("b", ParameterType::Scalar(Number::Bool)),
            ("m", scalar(Element::U32)),
            ("q", to(None, false)),
            ("r", ParameterType::Other("reference".into())),
        ];
        assert_eq!(found, wanted, "{what:?}");
    });
}

#[test]
fn functions_have_names_and_twins() {
    for_each_compiler(|built, what| {
        let (mut lines, addresses) = built.run();
        assert_eq!(lines.twin(addresses["kernel"]), Some(addresses["cube"]), "{what:?}");
        assert_eq!(lines.twin(addresses["add"]), None, "{what:?}");
        let module = Module::open(&built.0.join("libk.so")).expect("a module");
        let functions = module.functions();
        let kernel = functions.iter().find(|function| function.symbol == "kernel").expect("a kernel");
        assert_eq!(kernel.name, "kernel");
        let add = functions.iter().find(|function| function.name == "add<64>").expect("a template");
        assert!(add.symbol.starts_with("_Z3addILi64EEv"), "{add:?}");
        assert_eq!(module.parameters(add.address).map(|parameters| parameters.len()), Some(12), "{what:?}");
    });
}

#[test]
fn a_file_without_debug_information_has_symbols() {
    for_each_compiler(|built, what| {
        let (mut lines, addresses) = built.run();
        assert!(lines.callers(addresses["call"])[0].file.is_some(), "{what:?}");
        let stripped = Command::new("strip").args(["-g", "libk.so"]).current_dir(&built.0).status();
        if !stripped.is_ok_and(|stripped| stripped.success()) {
            return;
        }
        // The file has changed since it was read.
        let frames = lines.callers(addresses["call"]);
        assert_eq!((frames.len(), &frames[0].file, frames[0].line), (1, &None, None), "{what:?}");
        assert_eq!((lines.parameters(addresses["add"]), user_frame(&frames, None)), (None, None));
    });
}

#[test]
fn this_process_has_lines() {
    let mut lines = Lines::of_process();
    let own: fn() = this_process_has_lines;
    let frames = lines.frames(own as usize as u64);
    if cfg!(debug_assertions) {
        let file = frames.last().and_then(|frame| frame.file.clone()).unwrap_or_default();
        assert!(file.ends_with("tests/lines.rs"), "{frames:?}");
    }
    assert_eq!((lines.frames(0), lines.frames(u64::MAX), lines.callers(0)), (vec![], vec![], vec![]));
    fn may_go_to_another_thread<T: Send>(_: &T) {}
    may_go_to_another_thread(&lines);
    assert_eq!((lines.parameters(1), lines.twin(1)), (None, None));
}

#[test]
fn mappings_are_read() {
    let text = "7f00-8000 r-xp 00000100 fe:01 39 /a b/c.so\n8000-9000 r--p 0 0:0 0 /d\n9000-a000 r-xp 0 0:0 0 \n\
                a000-b000 r-xp 0 0:0 0 /e (deleted)\nb000-c000 r-xp 0 0:0 0 [vdso]\nx\n-\ng-h r-xp 0 0 0 /f\n";
    let mappings = maps::parse(text);
    let (mapping, offset) = maps::find(&mappings, 0x7f10).expect("a mapping");
    assert_eq!((&*mapping.path, mapping.is_deleted, offset), (Path::new("/a b/c.so"), false, 0x110));
    assert_eq!(mapping.identity, ("fe:01".to_owned(), 39));
    let (mapping, _) = maps::find(&mappings, 0xa000).expect("a mapping");
    assert_eq!((&*mapping.path, mapping.is_deleted), (Path::new("/e"), true));
    assert_eq!(
        (mappings.len(), maps::find(&mappings, 0x8000), maps::find(&mappings, 0x9000)),
        (2, None, None)
    );
}

#[test]
fn the_users_frame_is_outside_of_headers() {
    let frames = [
        "/x/include/pto/ops.hpp",
        "/usr/include/c++/12/array",
        "/opt/gcc/include/c++/15/array",
        "/pto/k.cpp",
        "/pto/l.cpp",
    ]
    .map(|file| Frame { file: Some(file.into()), ..Frame::default() });
    assert_eq!(user_frame(&frames, None), Some(&frames[3]));
    assert_eq!(user_frame(&frames, Some(Path::new("/y"))), Some(&frames[0]));
    assert_eq!(user_frame(&frames[..3], Some(Path::new("/x/include"))), None);
    assert_eq!(user_frame(&[Frame::default()], None), None);
}

/// Asks a module, if the bytes are one, about addresses in its functions and elsewhere.
fn ask(bytes: &[u8]) -> bool {
    let Ok(module) = Module::parse(bytes) else { return false };
    let functions = module.functions();
    let addresses = functions.iter().step_by(1 + functions.len() / 8).map(|function| function.address);
    for address in addresses.chain([0, 1, 0x1000, u64::MAX]) {
        let _ = (
            module.frames(address),
            module.parameters(address),
            module.twin(address),
            module.address(address),
        );
    }
    true
}

#[test]
fn broken_files_are_no_panic() {
    let own = std::fs::read(std::env::current_exe().expect("a path")).expect("a file");
    for part in 0..12 {
        ask(&own[..own.len() * part / 12]);
    }
    for_each_compiler(|built, what| {
        let bytes = std::fs::read(built.0.join("libk.so")).expect("a file");
        assert!(ask(&bytes), "{what:?}");
        for length in (0..bytes.len()).step_by(97) {
            ask(&bytes[..length]);
        }
        let mut state = 5;
        for _ in 0..300 {
            let mut broken = bytes.clone();
            for _ in 0..1 + random::next(&mut state) % 32 {
                let at = random::next(&mut state) as usize % broken.len();
                broken[at] = random::next(&mut state) as u8;
            }
            ask(&broken);
        }
    });
}
