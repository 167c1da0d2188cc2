//! `pto run kernel.cpp`: the command compiles a kernel, and its program runs the command.
//!
//! The command of these tests is a program, too: a `main` without kernels, linked with the library.

use crate::headers::compilers;
use crate::kernels::{compile, folder};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The program `pto`; `None` without a compiler.
fn pto() -> Option<&'static Path> {
    static PTO: OnceLock<Option<PathBuf>> = OnceLock::new();
    let make = || {
        if compilers().is_empty() {
            return None;
        }
        let folder = folder("pto");
        let (source, program) = (folder.join("main.cpp"), folder.join("pto"));
        let text = "extern \"C\" int pto_main(const char *, unsigned, const void *);\n\
                    int main() { return pto_main(nullptr, 0, nullptr); }\n";
        std::fs::write(&source, text).expect("a source that can be written");
        compile(&source, &program, "vector", &[]);
        Some(program)
    };
    PTO.get_or_init(make).as_deref()
}

/// Kernels with their declarations; `body` adds a scalar to a vector.
const KERNELS: &str = "#include <pto/pto-inst.hpp>
#include <cstdio>
using namespace pto;
using Vec = Tile<TileType::Vec, float, 1, 8>;
using View = GlobalTensor<float, pto::Shape<1, 1, 1, 1, 8>, pto::Stride<8, 8, 8, 8, 1>>;
AICORE inline void body(__gm__ float *x, __gm__ float *z, float f) {
    View g(x), h(z);
    Vec a, b;
    TASSIGN(a, 0);
    TASSIGN(b, 64);
    TLOAD(a, g);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TADDS(b, a, f);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(h, b);
}
void host(float *x);
";

/// Four kernels, one of which writes with an assignment.
const SEVERAL: &str = "
extern \"C\" __global__ AICORE void add(__gm__ float *x, float f, __gm__ float *z, int8_t n) { body(x, z, f * n); }
extern \"C\" __global__ AICORE void raw(__gm__ uint8_t *x, __gm__ void *z, bool b, half q) {
    std::printf(\"%d %x\\n\", b, (unsigned)*(std::uint16_t *)&q);
    body((__gm__ float *)x, (__gm__ float *)z, 1.0f);
}
template <int N> __global__ AICORE void wide(__gm__ int32_t *x) { x[get_block_idx()] = N; }
template __global__ AICORE void wide<3>(__gm__ int32_t *x);
extern \"C\" __global__ AICORE void crash(__gm__ float *x) { *(volatile int *)8 = x[0]; }
void host(float *x) { add<<<1, nullptr, nullptr>>>(x, 1.0f, x, 1); }
int main() {}
";

/// A folder with a source and `want.npy`, the vector 3 to 10.
pub(crate) fn sources(name: &str, text: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("k.cpp"), [KERNELS, text].concat()).expect("a source that can be written");
    let values: Vec<u8> = (3..11u8).flat_map(|value| f32::from(value).to_le_bytes()).collect();
    let array = pto::data::Array::new(pto_num::Element::F32, vec![1, 8], values).expect("an array");
    let file = [pto::data::npy::header(&array), array.bytes().to_vec()].concat();
    std::fs::write(folder.join("want.npy"), file).expect("an array that can be written");
    folder
}

/// Status of a command, its stdout and its stderr.
pub(crate) type Said = (Option<i32>, String, String);

/// Runs `pto run k.cpp` with words in a folder.
fn run(folder: &Path, line: &str) -> Option<Said> {
    command(folder, &format!("run k.cpp {line}"))
}

/// Runs `pto` with words in a folder; `None` without a compiler.
pub(crate) fn command(folder: &Path, line: &str) -> Option<Said> {
    let libraries = std::env::current_exe().expect("the path of the tests");
    let mut command = Command::new(pto()?);
    // Cargo puts a folder there in which an older library may be.
    command.env_remove("LD_LIBRARY_PATH");
    command.current_dir(folder).env("PTO_HOME", libraries.parent().expect("a folder")).env("TMPDIR", folder);
    let output = command.args(line.split_whitespace()).output().expect("a program that starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Some((output.status.code(), text(output.stdout), text(output.stderr)))
}

#[test]
fn arguments_are_those_of_the_kernel() {
    let folder = sources("run", SEVERAL);
    let cases = [
        // Names, formats and the order of floats and integers; a result in the shape of the expected array.
        (
            "--entry add -i x=arange:1x8 -i f=-1.5 -i n=-2 --expect z=want.npy --watch all",
            0,
            "z: all 8 values match",
        ),
        (
            "--entry add -i x=zeros:8 -i f=1 -i n=1 --expect z=want.npy",
            1,
            "last by `TSTORE` at k.cpp:17, block 0",
        ),
        ("--entry add -i x=zeros:8 -i f=1 -i n=1 --expect z=want.npy --atol 9", 0, "z: all 8 values"),
        (
            "--entry add -i 0=arange:8 -i f=0.5 -i n=2 -i z=zeros:2x4",
            0,
            "z = [[1.0 2.0 3.0 4.0]\n [5.0 6.0 7.0 8.0]]",
        ),
        ("--entry raw -i x=want.npy -i z=f32:zeros:8 -i b=true -i q=1.5", 0, "1 3e00\nz = [ 4.0  5.0"),
        ("--entry wide<3> -i x=zeros:4 --blocks 2", 0, "x = [3 3 0 0]"),
        ("--entry add -i x=arange:8 -i f=3 -i n=1 -i z=zeros:8 -o z=z.npy", 0, ""),
        ("--entry add -i x=z.npy -i f=0 -i n=0 --expect z=want.npy", 0, "z: all 8 values match"),
    ];
    for (line, status, said) in cases {
        let Some((ended, out, errors)) = run(&folder, line) else { return };
        assert_eq!(ended, Some(status), "{line}: {out}{errors}");
        assert!(out.contains(said), "{line}: {out}{errors}");
    }
}

#[test]
fn wrong_use_is_a_sentence() {
    let folder = sources("run_misuse", SEVERAL);
    let cases = [
        ("", "k.cpp has several kernels: `add`, `raw`, `crash`, `wide<3>`"),
        ("--entry ad", "did you mean `add`?"),
        ("--entry add -i x=zeros:8 -i f=1 -i n=1", "nothing says how large the buffer `z` is"),
        ("--entry add -i x=zeros:8 -i f=1 -i n=1 -i z=zeros", "nothing says how large the buffer `z` is"),
        ("--entry add -i x=zeros:8 -i z=zeros:8 -i n=1", "argument `f` of type f32 is missing"),
        ("--entry add -i y=zeros:8", "`@add` has no argument `y`"),
        ("--entry raw -i z=zeros:8", "the type of `z` does not say to which numbers it points"),
        ("--entry add --dump %a@3", "--dump cannot be used for a kernel in C++"),
        ("--entry add --ranks 2", "--ranks cannot be used for a kernel in C++"),
        ("--entry add --schedule random", "it runs in program order"),
    ];
    for (line, said) in cases {
        let Some((status, out, errors)) = run(&folder, line) else { return };
        assert_eq!(status, Some(2), "{line}: {out}{errors}");
        assert!(errors.contains(said), "{line}: {errors}");
    }
}

#[test]
fn findings_are_at_lines_of_the_kernel() {
    let without =
        KERNELS.replace("    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);\n", "").replace("body", "hasty");
    let kernel =
        "extern \"C\" __global__ AICORE void k(__gm__ float *x, __gm__ float *z) { hasty(x, z, 1.0f); }\n";
    let function = &without[without.find("AICORE").expect("a function")..];
    let folder = sources("run_findings", &[function, kernel].concat());
    let line = "-i x=zeros:8 -i z=zeros:8 --watch all";
    let Some((status, out, errors)) = run(&folder, line) else { return };
    assert_eq!(status, Some(1), "{out}{errors}");
    assert!(errors.contains("error[race::read-after-write]") && errors.contains("--> k.cpp:"), "{errors}");
    assert!(errors.contains("TADDS(b, a, f);") && errors.contains("TLOAD(a, g);"), "{errors}");
    for (format, said) in [
        ("json", "\"file\": \"k.cpp\""),
        ("github", "::error file=k.cpp,line="),
        ("sarif", "\"uri\": \"k.cpp\""),
        ("junit", "k.cpp:"),
    ] {
        let Some((status, out, errors)) = run(&folder, &format!("{line} --format {format}")) else { return };
        assert!(status == Some(1) && out.contains(said), "{format}: {out}{errors}");
        assert!(!out.contains("the calls of the kernel"), "{format}: {out}");
    }
    let allowed = run(&folder, &format!("{line} --allow race --allow sync"));
    assert_eq!(allowed.map(|(status, ..)| status), Some(Some(0)));
    let first = run(&folder, &format!("{line} --max-reports 1"));
    assert!(first.is_some_and(|(.., errors)| errors.contains("1 more findings are not shown")));
}

#[test]
fn what_a_kernel_prints_is_in_no_report() {
    let text = "extern \"C\" __global__ AICORE void k(__gm__ float *x) {\n  std::printf(\"by C\\n\");\n  Vec a;\n  \
                View g(x);\n  TASSIGN(a, 0);\n  TLOAD(a, g);\n  TPRINT(a);\n}\n";
    let folder = sources("run_prints", text);
    let Some((status, out, errors)) = run(&folder, "-i x=ones:8 --format json") else { return };
    assert!(status == Some(0) && out.starts_with('{') && errors.contains("by C"), "{out}{errors}");
    assert!(!out.contains("\"printed\": []"), "the text of TPRINT is part of the report: {out}");
    let Some((status, out, errors)) = run(&folder, "-i x=ones:8") else { return };
    assert!(status == Some(0) && out.starts_with("by C\n") && out.len() > 6, "{out}{errors}");
}

#[test]
fn a_mixed_kernel_runs_on_both_kinds_of_cores() {
    let text = "extern \"C\" __global__ AICORE void k(__gm__ int32_t *x) {\n#ifdef __DAV_CUBE__\n  x[0] = 100;\n#else\n  \
                x[1 + get_subblockid()] = 200 + get_subblockdim();\n#endif\n}\n";
    let folder = sources("run_mixed", text);
    let Some((status, out, errors)) = run(&folder, "-i x=zeros:4 --cores mixed") else { return };
    assert!(status == Some(0) && out.contains("x = [100 202 202   0]"), "{out}{errors}");
}

#[test]
fn a_result_that_is_read_first_is_unwritten() {
    let text =
        "extern \"C\" __global__ AICORE void k(__gm__ float *x, __gm__ float *z) { body(z, x, 1.0f); }\n";
    let folder = sources("run_unwritten", text);
    let Some((status, out, errors)) = run(&folder, "-i x=zeros:8 --expect z=want.npy --watch init") else {
        return;
    };
    assert_eq!(status, Some(1), "{out}{errors}");
    assert!(errors.contains("init::unwritten") && errors.contains("argument `z` was not given"), "{errors}");
    // The access of the last element is beyond the buffer.
    let Some((status, out, errors)) = run(&folder, "-i x=zeros:7 -i z=zeros:8") else { return };
    assert!(status == Some(1) && errors.contains("tstore::out-of-bounds"), "{out}{errors}");
}

#[test]
fn a_kernel_that_crashes_ends_its_own_program() {
    let folder = sources("run_crash", SEVERAL);
    let Some((status, out, errors)) = run(&folder, "--entry crash -i x=zeros:8") else { return };
    assert_eq!(status, Some(1), "{out}{errors}");
    assert!(
        errors.contains("the kernel was ended by SIGSEGV") && errors.contains("`gdb --args "),
        "{errors}"
    );
    let told = run(&folder, "--entry crash -i x=zeros:8 --format github");
    assert!(
        told.is_some_and(|(_, out, _)| out.starts_with("::error file=k.cpp::k.cpp: the kernel was ended by"))
    );
    let Some((status, out, errors)) = run(&folder, "--entry add -- -include missing.hpp") else { return };
    assert_eq!(status, Some(1), "{out}{errors}");
    assert!(errors.contains("k.cpp: the compiler has refused the kernel"), "{errors}");
    let throws = sources(
        "run_throws",
        "#include <stdexcept>\nextern \"C\" __global__ AICORE void k() { throw std::runtime_error(\"no room\"); }\n",
    );
    let Some((status, out, errors)) = run(&throws, "") else { return };
    assert!(status == Some(1) && errors.contains("no room"), "{out}{errors}");
    let endless = sources(
        "run_endless",
        "extern \"C\" __global__ AICORE void k() { for (volatile int i = 0;; i = 1) {} }\n",
    );
    let Some((status, out, errors)) = run(&endless, "--max-seconds 0.5") else { return };
    assert!(status == Some(1) && errors.contains("has not ended after 0.5 s"), "{out}{errors}");
}

/// `pto bench` times a kernel with the flags in its comments, and gives the reason for kernels that it does not time.
#[test]
fn kernels_are_timed() {
    let timed = format!(
        "// target: a2a3\n// run: --entry add -i x=ones:1x8 -i f=2 -i z=zeros:1x8 -i n=1\n{KERNELS}{SEVERAL}"
    );
    let folder = folder("timed");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("a source that can be written")
    };
    write("k.cpp", &timed);
    write("quiet.cpp", KERNELS);
    write("wrong.cpp", &timed.replace("--entry add", "--entry no_kernel"));
    let Some((status, out, err)) = command(&folder, "bench . --repeat 2") else { return };
    assert_eq!(status, Some(0), "{out}{err}");
    let line = out.lines().find(|line| line.starts_with("k.cpp ")).expect("a line of the kernel");
    assert!(["ns", "us", "ms"].iter().any(|unit| line.contains(unit)), "{line}");
    assert!(out.contains("quiet.cpp: not timed: it has no line `// run:` with flags"), "{out}");
    let said = out.lines().find(|line| line.starts_with("wrong.cpp: not timed:")).expect("a reason");
    assert!(out.contains("no_kernel"), "{said}");
}
