//! Threads that no launch has started become cores at their first call.

use crate::kernels::{program, spoiled};

/// A kernel as a runtime calls it: a vector of eight times two.
const TWICE: &str = "extern \"C\" void kernel_entry(int64_t *args) {\n  View from((float *)args[0]), to((float *)args[1]);\n  Vec a;\n  \
                     TASSIGN(a, 0);\n  TLOAD(a, from);\n  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);\n  \
                     wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);\n  TMULS(a, a, 2.0f);\n  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);\n  \
                     wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);\n  TSTORE(to, a);\n}\n";

/// Workers that call the kernel, each several times, on the results of others.
const WORKERS: &str = "#include <thread>\n#include <vector>\nint main() {\n  std::vector<float> x(8 * 9, 1.0f);\n  \
                       for (int round = 0; round < 8; ++round) {\n    std::thread worker([&] {\n      \
                       for (int again = 0; again < 2; ++again) {\n        \
                       int64_t args[] = {(int64_t)&x[8 * round], (int64_t)&x[8 * (round + 1)]};\n        kernel_entry(args);\n      }\n    });\n    \
                       worker.join();\n  }\n  return x[70] == 256.0f ? 0 : 2;\n}";

#[test]
fn threads_of_a_runtime_become_cores() {
    let Some(ran) = spoiled("workers", &format!("{TWICE}{WORKERS}"), &[]) else { return };
    // The watchers cannot see how the runtime orders its threads, so they report no race between them.
    let flags = "set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1); wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1); }\n";
    let again = "race::write-after-write";
    assert!(ran.0 == Some(1) && ran.1.contains(again), "a thread overwrites what it wrote: {ran:?}");
    assert!(!ran.1.contains("on the core of block"), "no race of two cores: {ran:?}");
    let ordered =
        TWICE.replace("TSTORE(to, a);\n}", &format!("TSTORE(to, a); pipe_barrier(PIPE_ALL); {flags}"));
    let ran = spoiled("workers_ordered", &format!("{ordered}{WORKERS}"), &[("PTO_WATCH", "race,init,mem")]);
    assert_eq!(ran, Some((Some(0), String::new())));
}

#[test]
fn several_threads_run_at_the_same_time() {
    let main = "#include <thread>\n#include <vector>\nint main() {\n  std::vector<float> x(8 * 64), y(8 * 64);\n  \
                for (int at = 0; at < 8 * 64; ++at) x[at] = at;\n  std::vector<std::thread> all;\n  \
                for (int worker = 0; worker < 4; ++worker) all.emplace_back([&, worker] {\n    \
                for (int at = worker; at < 64; at += 4) { int64_t args[] = {(int64_t)&x[8 * at], (int64_t)&y[8 * at]}; kernel_entry(args); }\n  });\n  \
                for (auto &one : all) one.join();\n  for (int at = 0; at < 8 * 64; ++at) if (y[at] != 2 * x[at]) return 2;\n  return 0;\n}";
    let Some(ran) = spoiled("at_once", &format!("{TWICE}{main}"), &[("PTO_WATCH", "none")]) else { return };
    assert_eq!(ran, (Some(0), String::new()));
}

#[test]
fn a_core_of_a_cluster_is_one_thread() {
    let main = "#include <thread>\nint main() {\n  std::thread first([] { pto_join(5, 1); pto_join(5, 1); });\n  first.join();\n  \
                std::thread other([] { pto_join(5, 1); pto_join(5, 2); });\n  other.join();\n}";
    let Some((status, said)) = spoiled("one_thread", &format!("{TWICE}{main}"), &[]) else { return };
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("cluster 5 has no core 1, or another thread is it"), "{said}");
}

#[test]
fn a_program_calls_a_kernel_as_a_function_and_launches_it() {
    let main = "__global__ AICORE void k(float *x, float *y) { int64_t args[] = {(int64_t)x, (int64_t)y}; kernel_entry(args); }\n\
                int main() { float x[24] = {1, 2, 3}; k(x, x + 8); k<<<1, nullptr, nullptr>>>(x + 8, x + 16); k(x + 16, x);\n\
                return x[2] == 24 ? 0 : 2; }";
    let Some(ran) = spoiled("as_function", &format!("{TWICE}{main}"), &[]) else { return };
    assert_eq!(ran, (Some(0), String::new()));
}

#[test]
fn tiles_without_addresses_have_memory_in_a_program_that_launches_nothing() {
    let text = "#define __PTO_AUTO__\n#include <pto/pto-inst.hpp>\nusing namespace pto;\n\
        using Vec = Tile<TileType::Vec, float, 1, 8>;\n\
        using View = GlobalTensor<float, pto::Shape<1, 1, 1, 1, 8>, pto::Stride<8, 8, 8, 8, 1>>;\n\
        int main() {\n  float x[8] = {1, 2, 3}, y[8];\n  View from(x), to(y);\n  Vec a, b;\n  TLOAD(a, from);\n  TADD(b, a, a);\n  \
        TSTORE(to, b);\n  return y[2] == 6 ? 0 : 2;\n}\n";
    let Some(ran) = program("automatic", text, &[]) else { return };
    assert_eq!(ran, (Some(0), String::new()));
}
