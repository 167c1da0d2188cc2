//! Plain loads and stores of kernels that are compiled with `-fsanitize=thread`.

use crate::headers::compilers;
use crate::kernels::{compile, folder, run};

const KERNELS: &str = "#include <pto/pto-inst.hpp>\n#include <acl/acl.h>\n#include <atomic>\nusing namespace pto;\n\
using Vec = Tile<TileType::Vec, float, 1, 8>;\n\
using View = GlobalTensor<float, pto::Shape<1, 1, 1, 1, 8>, pto::Stride<8, 8, 8, 8, 1>>;\n\
template <typename T> T *room(size_t bytes) { void *memory; aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST);\n  \
aclrtMemset(memory, bytes, 0, bytes); return (T *)memory; }\n";

/// Compiles and runs a program with announced accesses; returns its status and output. `None` without a compiler.
fn announced(name: &str, text: &str, flags: &[&str]) -> Option<(Option<i32>, String)> {
    if compilers().is_empty() {
        return None;
    }
    let folder = folder(name);
    let (source, program) = (folder.join("kernel.cpp"), folder.join("program"));
    std::fs::write(&source, format!("{KERNELS}{text}")).expect("a kernel that can be written");
    compile(&source, &program, "vector", &[&["-fsanitize=thread"], flags].concat());
    let (status, said, errors) = run(&program, &[], &[]);
    Some((status, said + &errors))
}

/// A kernel that changes a tile by a pointer, between a load and a store of the tile.
fn by_pointer(before: &str, after: &str) -> String {
    format!(
        "__global__ AICORE void k(float *x, float *y) {{\n  View g(x), h(y);\n  Vec a;\n  TASSIGN(a, 0);\n  TLOAD(a, g);\n  {before}\n  \
         float *p = a.data();\n  p[1] = p[0] + 1;\n  {after}\n  TSTORE(h, a);\n}}\n\
         int main() {{\n  float *x = room<float>(32), *y = room<float>(32);\n  k<<<1, nullptr, nullptr>>>(x, y);\n  return y[1] == 1 ? 0 : 2;\n}}\n"
    )
}

#[test]
fn accesses_by_pointers_are_ordered_by_flags() {
    let before = "set_flag(PIPE_MTE2, PIPE_S, EVENT_ID0); wait_flag(PIPE_MTE2, PIPE_S, EVENT_ID0);";
    let after = "set_flag(PIPE_S, PIPE_MTE3, EVENT_ID0); wait_flag(PIPE_S, PIPE_MTE3, EVENT_ID0);";
    let clean = Some((Some(0), String::new()));
    let Some(ran) = announced("pointer", &by_pointer(before, after), &[]) else { return };
    // Instructions of the scalar unit complete before later instructions are issued.
    assert_eq!(announced("pointer_short", &by_pointer(before, ""), &[]), clean);
    assert!(ran.1.contains("lint[sync::"), "a flag behind the scalar unit orders nothing: {ran:?}");
    let (status, said) = announced("pointer_race", &by_pointer("", ""), &[]).expect("a compiler");
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("error[race::no-sync]") && said.contains("`TLOAD` (MTE2) before `TGETVAL` (S)"),
        "{said}"
    );
    assert!(said.contains("16 |   p[1] = p[0] + 1;"), "{said}");
}

/// Block 0 waits in a loop until block 1 has written a vector.
fn handed_over(waits: &str, sets: &str) -> String {
    format!(
        "__global__ AICORE void k(float *x, volatile int *flag, float *y) {{\n  View g(x), h(y);\n  Vec a;\n  TASSIGN(a, 0);\n  \
         if (get_block_idx() == 1) {{\n    TEXPANDS(a, 5.0f);\n    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);\n    \
         wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);\n    TSTORE(g, a);\n    {sets}\n  }} else {{\n    {waits}\n    TLOAD(a, g);\n    \
         set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);\n    wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);\n    TSTORE(h, a);\n  }}\n}}\n\
         int main() {{\n  float *x = room<float>(32), *y = room<float>(32);\n  int *flag = room<int>(4);\n  \
         k<<<2, nullptr, nullptr>>>(x, flag, y);\n  return y[1] == 5 ? 0 : 2;\n}}\n"
    )
}

#[test]
fn a_kernel_waits_by_reading_memory() {
    let atomic = "while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) != 1) {\n    }";
    let store = "__atomic_store_n(flag, 1, __ATOMIC_RELEASE);";
    let signal = "comm::Signal signal((int32_t *)flag); comm::TNOTIFY(signal, 1, comm::NotifyOp::Set);";
    let clean = Some((Some(0), String::new()));
    let Some(ran) = announced("atomic", &handed_over(atomic, store), &[]) else { return };
    assert_eq!(Some(ran), clean);
    assert_eq!(announced("polled", &handed_over("while (*flag != 1) {\n    }", signal), &[]), clean);
    let (status, said) = announced("unordered", &handed_over("", store), &[]).expect("a compiler");
    assert!(status == Some(1) && said.contains("race::write-after-read"), "{said}");
    let waits = "while (*flag != 2) {\n    }";
    let (status, said) = announced("in_vain", &handed_over(waits, signal), &["-O2"]).expect("a compiler");
    assert!(status == Some(1) && said.contains("error[cores::deadlock]"), "{said}");
}
