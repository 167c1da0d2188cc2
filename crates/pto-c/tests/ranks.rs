//! Ranks as threads: kernels that communicate, findings of watchers about them, and launches that wait for each other in
//! vain.

use crate::kernels::{examples, program, spoiled};

/// Runs the example with a text in the place of another one.
fn ring(name: &str, from: &str, to: &str) -> Option<(Option<i32>, String)> {
    let text = std::fs::read_to_string(examples().join("ring_sum/kernel.cpp")).expect("the example");
    assert!(text.contains(from), "the example has `{from}`");
    program(name, &text.replacen(from, to, 1), &[])
}

const WAIT: &str = "comm::TWAIT(here, 1, comm::WaitCmp::EQ);";

#[test]
fn ranks_add_their_vectors_in_a_ring() {
    let Some(ran) = ring("ring", WAIT, WAIT) else { return };
    assert_eq!(ran, (Some(0), String::new()));
    let tested = ring("ring_test", WAIT, "while (!comm::TTEST(here, 1, comm::WaitCmp::EQ)) {\n}");
    assert_eq!(tested, Some((Some(0), String::new())), "a loop of tests lets the other ranks run");
}

#[test]
fn a_missing_wait_is_a_race_of_two_ranks() {
    let Some((status, said)) = ring("ring_race", WAIT, "") else { return };
    assert_eq!(status, Some(1), "{said}");
    let race = "error[race::read-after-write]: no synchronization orders `comm.tput` on the core of block 0 of rank 0 and `TLOAD` \
                on the core of block 0 of rank 1";
    assert!(said.contains(race), "{said}");
}

#[test]
fn ranks_that_wait_in_vain_are_named() {
    let cases = [
        ("waits", "comm::TWAIT(here, 2, comm::WaitCmp::EQ);", "rank 3 waits in `comm.twait` for a signal of"),
        (
            "tests",
            "while (!comm::TTEST(here, 2, comm::WaitCmp::EQ)) {\n}",
            "rank 3 repeats `comm.ttest`, whose signals nobody changes",
        ),
    ];
    for (name, to, said) in cases {
        let Some((status, found)) = ring(&format!("ring_{name}"), WAIT, to) else { return };
        assert!(status == Some(1) && found.contains("error[cores::deadlock]"), "{found}");
        assert!(found.contains(said), "{found}");
    }
}

/// Rank 0 writes a vector, rank 1 reads it; `between` stands between the two launches.
fn handed_over(name: &str, between: &str) -> Option<(Option<i32>, String)> {
    spoiled(
        name,
        &format!(
            "__global__ AICORE void put(float *x) {{ View g(x); Vec a; TASSIGN(a, 0); TEXPANDS(a, 3.0f); \
             set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0); wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0); TSTORE(g, a); }}\n\
             __global__ AICORE void get(float *x) {{ View g(x); Vec a; TASSIGN(a, 0); TLOAD(a, g); }}\n\
             int main() {{ float *x = (float *)calloc(8, 4);\n\
             return run_ranks(2, [&](uint32_t rank) {{\n\
             if (rank == 0) put<<<1, nullptr, nullptr>>>(x);\n\
             {between}\n\
             if (rank == 1) get<<<1, nullptr, nullptr>>>(x);\n\
             if (rank == 0) get<<<1, nullptr, nullptr>>>(x); }}); }}"
        ),
        &[],
    )
}

#[test]
fn launches_of_two_ranks_are_ordered_where_the_ranks_meet() {
    let Some(met) = handed_over("met", "meet_ranks();") else { return };
    assert_eq!(met, (Some(0), String::new()));
    let Some((status, said)) = handed_over("not_met", "") else { return };
    assert!(status == Some(1) && said.contains("race::read-after-write"), "{said}");
    assert_eq!(said.matches("error[").count(), 1, "launches of one rank follow each other: {said}");
}

#[test]
fn misuse_of_ranks_ends_with_a_sentence() {
    let cases = [
        ("none", "run_ranks(0, [](uint32_t) {});", "0 ranks: there may be 1 to 64"),
        ("nested", "run_ranks(2, [](uint32_t) { run_ranks(2, [](uint32_t) {}); });", "ranks run already"),
        (
            "alone",
            "run_ranks(2, [](uint32_t rank) { if (rank == 0) meet_ranks(); });",
            "rank 0 waits for all ranks to meet, but rank 1 has ended",
        ),
        ("outside", "meet_ranks();", "ranks meet on threads of ranks"),
    ];
    for (name, body, sentence) in cases {
        let body = format!("int main() {{ {body} }}");
        let Some((status, said)) = spoiled(&format!("ranks_{name}"), &body, &[]) else { return };
        assert!(status == Some(1) && said.contains(sentence), "{name}: {said}");
    }
}

#[test]
fn collective_operations_are_those_of_the_machine() {
    let body = "int main() { constexpr int ranks = 3; float data[ranks][16], sum[16] = {}, all[ranks * 16] = {};\n\
        for (int at = 0; at < ranks * 16; ++at) data[at / 16][at % 16] = at;\n\
        return run_ranks(1, [&](uint32_t) { [&]() { pto::launch(pto::Config(1), kernel)(data[0], sum, all); }(); }) ||\n\
        !(sum[1] == 1 + 17 + 33 && all[40] == 40 && data[2][5] == 5); }";
    let text = "#include <pto/comm/pto_comm_inst.hpp>\nusing namespace pto;\n\
        using Part = GlobalTensor<float, Shape<1, 1, 1, 2, 8>, Stride<16, 16, 16, 8, 1>>;\n\
        using All = GlobalTensor<float, Shape<1, 1, 1, 6, 8>, Stride<48, 48, 48, 8, 1>>;\n\
        using Stage = Tile<TileType::Vec, float, 2, 8>;\n\
        void kernel(float *data, float *sum, float *all) {\n\
        Part parts[3] = {Part(data), Part(data + 16), Part(data + 32)}, whole(sum); All rows(all);\n\
        comm::ParallelGroup<Part> group(parts, 3, 0);\n\
        Stage a, b, c; TASSIGN(a, 0); TASSIGN(b, 0x100); TASSIGN(c, 0x200);\n\
        comm::TREDUCE(group, whole, a, b, c, comm::ReduceOp::Sum); pipe_barrier(PIPE_MTE3);\n\
        comm::TGATHER(group, rows, a); pipe_barrier(PIPE_MTE3);\n\
        comm::TBROADCAST(group, parts[0], a, b); }\n";
    let Some(ran) = program("collective", &format!("{text}{body}"), &[]) else { return };
    assert_eq!(ran, (Some(0), String::new()));
}

#[test]
fn asynchronous_transfers_end_with_their_events() {
    let text = "#include <pto/comm/pto_comm_inst.hpp>\nusing namespace pto;\n\
        using Line = GlobalTensor<float, Shape<1, 1, 1, 1, 64>, Stride<64, 64, 64, 64, 1>>;\n\
        using Scratch = Tile<TileType::Vec, uint8_t, 1, comm::sdma::UB_ALIGN_SIZE>;\n\
        __global__ AICORE void kernel(float *from, float *to, uint8_t *workspace, int *done) {\n\
        Line src(from), dst(to); Scratch scratch; TASSIGN(scratch, 0); comm::AsyncSession session;\n\
        if (!comm::BuildAsyncSession(scratch, workspace, session)) return;\n\
        auto event = comm::TPUT_ASYNC(dst, src, session);\n\
        *done = event.valid() && event.Wait(session) && !comm::AsyncEvent().Wait(session);\n\
        PrefetchAsyncContext context(workspace); TPREFETCH_ASYNC(src, context).Wait(context.GetSession()); }\n\
        int main() { float from[64], to[64] = {}; uint8_t workspace[64] = {}; int done = 0;\n\
        for (int at = 0; at < 64; ++at) from[at] = at;\n\
        kernel<<<1, nullptr, nullptr>>>(from, to, workspace, &done);\n\
        return !(done == 1 && to[63] == 63); }\n";
    let Some(ran) = program("asynchronous", text, &[]) else { return };
    assert_eq!(ran, (Some(0), String::new()));
}
