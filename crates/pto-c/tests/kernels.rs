//! Kernels in C++ run on the library: results equal those of their twins in text, and errors are reported with their
//! lines.

use crate::headers::compilers;
use clap::Parser;
use pto::sim::{Options, Value};
use pto::{Profile, Program};
use pto_num::Element::F16;
use pto_num::{Overflow, Rounding};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

pub(crate) fn examples() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/cpp"))
}

/// A folder of a test, empty at its start.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for a test");
    folder
}

/// Compiles a kernel with the driver, as `pto c++` does.
pub(crate) fn compile(source: &Path, program: &Path, cores: &str, flags: &[&str]) {
    compile_for("a2a3", source, program, cores, flags);
}

fn compile_for(target: &str, source: &Path, program: &Path, cores: &str, flags: &[&str]) {
    let (source, program) = (source.to_str().expect("a path"), program.to_str().expect("a path"));
    let words = ["pto", "c++", "--target", target, "--cores", cores, source, "-o", program, "-O1"];
    let cli = pto_cli::args::Cli::parse_from(words.iter().chain(flags));
    assert_eq!(pto_cli::commands::run(&cli), ExitCode::SUCCESS, "{source} does not compile");
}

/// Runs a program under all watchers; returns its status, stdout and stderr.
pub(crate) fn run(
    program: &Path,
    arguments: &[&Path],
    environment: &[(&str, &str)],
) -> (Option<i32>, String, String) {
    let mut command = Command::new(program);
    // Cargo puts a folder there in which an older library may be.
    command.env_remove("LD_LIBRARY_PATH");
    command.args(arguments).env("PTO_WATCH", "all").envs(environment.iter().copied());
    let output = command.output().expect("a program that starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Bytes of elements that differ, small enough for exact sums.
fn values(count: usize, bits: u32) -> Vec<u8> {
    let value = |at: usize| ((at * 7 + at / 5) % 23) as f32 * 0.25 - 2.0;
    (0..count)
        .flat_map(|at| match bits {
            16 => F16.encode(value(at).into(), Rounding::NearestEven, Overflow::Ieee).to_le_bytes()[..2]
                .to_vec(),
            _ => value(at).to_le_bytes().to_vec(),
        })
        .collect()
}

/// Runs an example and its twin in text on the same inputs, and compares the bits of their results.
fn agrees(name: &str, cores: &str, inputs: &[Vec<u8>], (bytes, scalars, blocks): (usize, &[u64], u32)) {
    if compilers().is_empty() {
        return;
    }
    let (folder, example) = (folder(name), examples().join(name));
    let program = folder.join("program");
    compile(&example.join("kernel.cpp"), &program, cores, &[]);
    let mut files: Vec<PathBuf> = (0..inputs.len()).map(|at| folder.join(format!("in{at}.bin"))).collect();
    for (file, input) in files.iter().zip(inputs) {
        std::fs::write(file, input).expect("an input that can be written");
    }
    files.push(folder.join("out.bin"));
    let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let (status, _, errors) = run(&program, &paths, &[]);
    assert_eq!((status, errors.as_str()), (Some(0), ""), "{name}");

    let text = std::fs::read_to_string(example.join("kernel.pto")).expect("the twin of the example");
    let module = pto::parse(&text).expect("well-formed text").module;
    let checked = pto::check(module, Some(Profile::A2A3)).expect("a legal program");
    let twin = Program::decode(&checked, None).expect("a program that runs");
    let buffers = inputs.iter().cloned().chain([vec![0; bytes]]).map(Value::buffer);
    let values = buffers.chain(scalars.iter().map(|bits| Value::Scalar(*bits))).collect();
    let outcome = twin.launch(values, &Options::default().blocks(blocks), &mut []).expect("a run to its end");
    let result = std::fs::read(&files[inputs.len()]).expect("the result of the program");
    assert!(outcome.buffers[inputs.len()].bytes == result, "{name}: the bits of the twin differ");
}

#[test]
fn vector_add_is_its_twin() {
    agrees("vector_add", "vector", &[values(4096, 32), values(4096, 32)], (4096 * 4, &[], 4));
}

#[test]
fn row_softmax_is_its_twin() {
    agrees("row_softmax", "vector", &[values(1000, 32)], (4000, &[20, 50], 1));
}

#[test]
fn gemm_is_its_twin() {
    agrees("gemm", "cube", &[values(64 * 256, 16), values(256 * 64, 16)], (64 * 64 * 4, &[], 1));
}

/// Runs a program of a test; returns its status and output.
pub(crate) fn spoiled(name: &str, body: &str, environment: &[(&str, &str)]) -> Option<(Option<i32>, String)> {
    let text = format!(
        "#include <pto/pto-inst.hpp>\n#include <cstdio>\n#include <cstdlib>\nusing namespace pto;\n\
         using Vec = Tile<TileType::Vec, float, 1, 8>;\n\
         using View = GlobalTensor<float, pto::Shape<1, 1, 1, 1, 8>, pto::Stride<8, 8, 8, 8, 1>>;\n{body}\n"
    );
    program(name, &text, environment)
}

/// Compiles and runs a program for vector cores; returns its status and output. `None` without a compiler.
pub(crate) fn program(name: &str, text: &str, environment: &[(&str, &str)]) -> Option<(Option<i32>, String)> {
    if compilers().is_empty() {
        return None;
    }
    let folder = folder(name);
    let (source, program) = (folder.join("kernel.cpp"), folder.join("program"));
    std::fs::write(&source, text).expect("a kernel that can be written");
    compile(&source, &program, "vector", &["-pthread"]);
    let (status, said, errors) = run(&program, &[], environment);
    Some((status, said + &errors))
}

#[test]
fn a_missing_flag_is_found_at_its_line() {
    let body = "extern \"C\" __global__ AICORE void k(__gm__ float *x) {\n  View g(x);\n  Vec a, b;\n  TASSIGN(a, 0);\n  \
                TASSIGN(b, 64);\n  TLOAD(a, g);\n  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);\n  TADD(b, a, a);\n}\n\
                int main() {\n  float *x = (float *)calloc(8, 4);\n  k<<<1, nullptr, nullptr>>>(x);\n}";
    for stop in ["", "first"] {
        let Some((status, errors)) = spoiled(&format!("missing{stop}"), body, &[("PTO_STOP", stop)]) else {
            return;
        };
        assert_eq!(status, Some(1), "{errors}");
        assert!(errors.contains("error[race::read-after-write]"), "{errors}");
        // The load and the addition, and the flag that a wait would take.
        assert!(
            errors.contains("12 |   TLOAD(a, g);") && errors.contains("14 |   TADD(b, a, a);"),
            "{errors}"
        );
        assert!(errors.contains("`set_flag(PIPE_MTE2, PIPE_V, EVENT_ID"), "{errors}");
    }
}

#[test]
fn a_file_that_is_removed_as_soon_as_it_is_loaded_has_symbols_and_lines() {
    if compilers().is_empty() {
        return;
    }
    let folder = folder("removed");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("a source that can be written");
        folder.join(name)
    };
    let main = "#include <cstdint>\n#include <cstdio>\n#include <dlfcn.h>\nint main(int count, char **words) {\n  \
                for (int at = 1; at < count; ++at) {\n    void *library = dlopen(words[at], RTLD_NOW);\n    \
                if (!library || std::remove(words[at]) != 0) return 2;\n    int32_t x[32] = {};\n    \
                ((void (*)(int32_t *))dlsym(library, \"run\"))(x);\n    std::printf(\"%d %d %d\\n\", x[0], x[1], x[2]);\n  }\n}\n";
    let program = folder.join("program");
    compile(&write("main.cpp", main), &program, "vector", &["-ldl"]);
    let head = "#include <pto/pto-inst.hpp>\nusing namespace pto;\n";
    let launch = "extern \"C\" void run(int32_t *x) { k<<<1, nullptr, nullptr>>>(x); }\n";
    let mixed = "__global__ AICORE void k(__gm__ int32_t *x) {\n#ifdef __DAV_CUBE__\n  x[0] = VALUE;\n#else\n  \
                 x[1 + get_subblockid()] = VALUE + 1;\n#endif\n}\n";
    let libraries: Vec<PathBuf> = ["100", "200"]
        .iter()
        .map(|value| {
            let text = format!("{head}{}{launch}", mixed.replace("VALUE", value));
            let library = folder.join(format!("{value}.so"));
            compile(&write(&format!("{value}.cpp"), &text), &library, "mixed", &["-shared", "-fPIC"]);
            library
        })
        .collect();
    let paths: Vec<&Path> = libraries.iter().map(PathBuf::as_path).collect();
    let (status, out, errors) = run(&program, &paths, &[]);
    assert_eq!((status, out.as_str()), (Some(0), "100 101 101\n200 201 201\n"), "{errors}");

    let late = "__global__ AICORE void k(__gm__ int32_t *x) {\n  using Vec = Tile<TileType::Vec, int32_t, 1, 8>;\n  Vec a, b;\n  \
                TASSIGN(a, 0);\n  TASSIGN(b, 64);\n  GlobalTensor<int32_t, pto::Shape<1, 1, 1, 1, 8>, pto::Stride<8, 8, 8, 8, 1>> g(x);\n  \
                TLOAD(a, g);\n  TADD(b, a, a);\n}\n";
    let library = folder.join("late.so");
    compile(&write("late.cpp", &format!("{head}{late}{launch}")), &library, "vector", &["-shared", "-fPIC"]);
    let (status, _, errors) = run(&program, &[&library], &[]);
    assert!(status == Some(1) && errors.contains("late.cpp:10:"), "{errors}");
}

#[test]
fn an_allocation_is_read_but_not_written_behind_its_end() {
    let main = |asked: u32| {
        format!(
            "int main() {{ void *x = pto_allocate({asked}); pto_wrote(x, {asked}); k<<<1, nullptr, nullptr>>>((float *)x); }}"
        )
    };
    let load = "extern \"C\" __global__ AICORE void k(__gm__ float *x) { Vec a; TASSIGN(a, 0); View g(x + 4); TLOAD(a, g); }\n";
    let Some(ran) = spoiled("reads_behind", &format!("{load}{}", main(32)), &[("PTO_WATCH", "race,mem")])
    else {
        return;
    };
    assert_eq!(ran, (Some(0), String::new()));
    let store = "extern \"C\" __global__ AICORE void k(__gm__ float *x) { Vec a; TASSIGN(a, 0); View g(x + 4); TEXPANDS(a, 0.0f); \
                 set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0); wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0); TSTORE(g, a); }\n";
    let Some(ran) = spoiled("writes_behind", &format!("{store}{}", main(32)), &[]) else { return };
    let sentence = "error[tstore::out-of-bounds]: it writes up to 16 bytes behind an allocation of 32 bytes";
    assert!(ran.0 == Some(1) && ran.1.contains(sentence) && ran.1.contains("kernel.cpp:7:"), "{ran:?}");
    // An assignment of C++ is seen after the launch.
    let plain = "extern \"C\" __global__ AICORE void k(__gm__ float *x) { x[9] = 1; }\n";
    let Some(ran) = spoiled("assigns_behind", &format!("{plain}{}", main(32)), &[]) else { return };
    let sentence = "pto: a kernel has written up to 8 bytes behind an allocation of 32 bytes";
    assert!(ran.0 == Some(1) && ran.1.contains(sentence), "{ran:?}");
    let Some(ran) =
        spoiled("far_behind", &format!("{store}{}", main(32).replace("(float *)x", "(float *)x + 118")), &[])
    else {
        return;
    };
    assert!(ran.0 == Some(1) && ran.1.contains("tstore::out-of-bounds"), "{ran:?}");
}

#[test]
fn misuse_ends_with_a_sentence() {
    let main = "int main() { float *x = (float *)calloc(8, 4); k<<<1, nullptr, nullptr>>>(x); }";
    let kernel =
        |body: &str| format!("extern \"C\" __global__ AICORE void k(__gm__ float *x) {{ {body} }}\n{main}");
    let cases = [
        (
            "wild",
            kernel("View g((float *)0x10 + 0 * (x - x)); Vec a; TASSIGN(a, 0); TLOAD(a, g);"),
            "lies in no memory of the process",
        ),
        ("unplaced", kernel("View g(x); Vec a; TLOAD(a, g);"), "a tile has no address"),
        ("beyond", kernel("View g(x); Vec a; TASSIGN(a, 0x40000000); TLOAD(a, g);"), "alloc_tile::capacity"),
        ("outside", "int main() { Vec a; TADD(a, a, a); }".to_owned(), "a tile has no address"),
        ("throws", kernel("View g(x); throw 3;"), "a kernel throws an exception of its own type"),
        ("exit", kernel("View g(x); exit(0);"), "in the middle of a launch"),
    ];
    for (name, body, sentence) in cases {
        let Some((status, errors)) = spoiled(name, &body, &[]) else { return };
        assert!(status == Some(1) && errors.contains(sentence), "{name}: {status:?} {errors}");
    }
    let Some((status, errors)) = spoiled("target", &kernel(""), &[("PTO_TARGET", "a5")]) else { return };
    assert!(status == Some(1) && errors.contains("compile it with `pto c++ --target a5`"), "{errors}");
}

/// Runs the examples of a page in both modes and on all targets. Returns those that a rule rejects, by target, mode and
/// rule.
fn refused(page: &str, automatic_flags: &[&str]) -> Vec<String> {
    let mut refused = Vec::new();
    if compilers().is_empty() {
        return refused;
    }
    let folder = folder(page);
    let pages = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../cpp/tests/pages"));
    let main = pages.join("main.cpp");
    let main = main.to_str().expect("a path");
    for target in ["cpu", "a2a3", "a5"] {
        for (mode, flags) in
            [("automatic", &[&["-D__PTO_AUTO__"], automatic_flags].concat()[..]), ("manual", &[])]
        {
            let program = folder.join(format!("{target}-{mode}"));
            let flags = [&[main, "-O0"], flags].concat();
            compile_for(target, &pages.join(format!("{page}.cpp")), &program, "vector", &flags);
            // The pages give their tiles no contents.
            let (status, _, errors) = run(&program, &[], &[("PTO_WATCH", "none")]);
            if status != Some(0) {
                let rule = errors.strip_prefix("error[").and_then(|rest| rest.split(']').next());
                refused.push(format!("{target} {mode} {}", rule.unwrap_or(&errors)));
            }
        }
    }
    refused
}

#[test]
fn examples_of_tconcat_run_where_rows_may_be_short() {
    // The index tiles of the page have rows of four bytes, which no pipe can access.
    let by_rule = ["a2a3 automatic alloc_tile::alignment", "a5 automatic alloc_tile::alignment"];
    assert_eq!(refused("tconcat", &["-DINDEXED"]), if compilers().is_empty() { &[][..] } else { &by_rule });
}

/// Insertion into L1 from a vector tile: the page has it for A5 only.
#[test]
fn examples_of_tinsert_run_where_the_page_says_so() {
    let by_rule = ["a2a3 automatic tinsert::location-pair", "a2a3 manual tinsert::location-pair"];
    assert_eq!(refused("tinsert", &[]), if compilers().is_empty() { &[][..] } else { &by_rule });
}

#[test]
fn examples_of_tmov_run() {
    assert_eq!(refused("tmov", &[]), [""; 0]);
}

#[test]
fn examples_of_trowexpandadd_run() {
    assert_eq!(refused("trowexpandadd", &[]), [""; 0]);
}

#[test]
fn saved_calls_are_a_program_that_runs() {
    if compilers().is_empty() {
        return;
    }
    let folder = folder("saved");
    let (program, saved) = (folder.join("program"), folder.join("saved.pto"));
    compile(&examples().join("row_softmax").join("kernel.cpp"), &program, "vector", &[]);
    let (input, output) = (folder.join("in.bin"), folder.join("out.bin"));
    std::fs::write(&input, values(1000, 32)).expect("an input that can be written");
    let place = saved.to_str().expect("a path");
    let (status, _, errors) = run(&program, &[&input, &output], &[("PTO_SAVE", place)]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(errors.contains("calls of block 0"), "{errors}");
    let text = std::fs::read_to_string(&saved).expect("the saved program");
    let module = pto::parse(&text).expect("well-formed text").module;
    let checked = pto::check(module, None).expect("a legal program");
    let twin = Program::decode(&checked, None).expect("a program that runs");
    let buffers = vec![vec![Value::buffer(values(1000, 32)), Value::buffer(vec![0; 4000])]];
    let watch = pto::observe::WatchOptions::from(pto::observe::Watchers::ALL);
    let (outcome, watched) =
        pto::observe::watch(&twin, buffers, &Options::default(), &watch).expect("a run to its end");
    assert_eq!(outcome.buffers[1].bytes, std::fs::read(&output).expect("the result of the program"));
    assert!(watched.findings.is_empty(), "{:?}", watched.findings);
}

/// Compiles a mixed kernel of the tests with macros and runs it: its status and its findings; `None` without a compiler.
fn mixed(file: &str, target: &str, macros: &[&str]) -> Option<(Option<i32>, String)> {
    if compilers().is_empty() {
        return None;
    }
    let folder = folder(&format!("{file}-{target}{}", macros.concat()));
    let kernels = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../cpp/tests/mixed"));
    let source = kernels.join(format!("{file}.cpp"));
    let program = folder.join("program");
    compile_for(target, &source, &program, "mixed", macros);
    let (status, _, errors) = run(&program, &[], &[]);
    Some((status, errors))
}

#[test]
fn queues_carry_tiles_without_findings() {
    let cases: [(&str, &str, &[&str]); 12] = [
        ("tile_queue", "a2a3", &[]),
        ("tile_queue", "a5", &["-DON_CHIP"]),
        ("split_queue", "a2a3", &[]),
        ("split_queue", "a5", &["-DBY_COLUMNS"]),
        ("split_queue", "a5", &["-DIN_MEMORY"]),
        ("split_queue", "a2a3", &["-DTHREADS", "-pthread"]),
        ("split_queue", "a5", &["-DTHREADS", "-pthread"]),
        ("queue_halves", "a2a3", &[]),
        ("queue_halves", "a2a3", &["-DSPLIT"]),
        ("queue_halves", "a5", &["-DSPLIT"]),
        ("converting_queue", "a2a3", &[]),
        ("converting_queue", "a5", &[]),
    ];
    for (file, target, macros) in cases {
        let Some((status, errors)) = mixed(file, target, macros) else { return };
        assert_eq!((status, errors.as_str()), (Some(0), ""), "{file} {target} {macros:?}");
    }
}

#[test]
fn a_missing_half_of_a_push_or_pop_is_found() {
    let between_cores =
        "error[race::read-after-write]: no synchronization orders `TSTORE` on the cube core of block 0";
    let cases = [
        ("tile_queue", "a2a3", "NO_WAIT", between_cores),
        ("tile_queue", "a5", "NO_FREE", "error[cores::deadlock]"),
        ("queue_halves", "a2a3", "NO_RECORD", "error[cores::deadlock]"),
        ("queue_halves", "a2a3", "NO_WAIT", between_cores),
        ("queue_halves", "a2a3", "NO_ALLOCATE", between_cores),
        ("queue_halves", "a5", "NO_FREE", "error[cores::deadlock]"),
    ];
    for (file, target, half, sentence) in cases {
        let Some((status, errors)) = mixed(file, target, &[&format!("-D{half}")]) else { return };
        // Missing synchronization may also change the result, and thus the status of the program.
        assert!(
            status != Some(0) && errors.contains(sentence),
            "{file} {target} {half}: {status:?} {errors}"
        );
    }
}
