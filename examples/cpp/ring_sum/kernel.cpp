// The sum of the vectors of all ranks, on each of them: in each round a rank passes on what it got last to the next one.
//
//   pto c++ --target a2a3 --cores vector kernel.cpp -o ring_sum && PTO_WATCH=all ./ring_sum
#include <pto/comm/pto_comm_inst.hpp>
#include <pto/pto-inst.hpp>

#include <acl/acl.h>

#include <cstdio>
#include <vector>

using namespace pto;

constexpr int kRanks = 4;
constexpr int kSize = 256;

using Vector = GlobalTensor<float, pto::Shape<1, 1, 1, 1, kSize>, pto::Stride<kSize, kSize, kSize, kSize, 1>>;
using Row = Tile<TileType::Vec, float, 1, kSize>;

// `inbox` and `arrived` have a place for each round; `next_...` are those of the next rank.
extern "C" __global__ AICORE void ring_sum(__gm__ float *own, __gm__ float *sum, __gm__ float *inbox,
                                           __gm__ int32_t *arrived, __gm__ float *next_inbox,
                                           __gm__ int32_t *next_arrived) {
    Row total, got, stage;
    TASSIGN(total, 0x0);
    TASSIGN(got, 0x1000);
    TASSIGN(stage, 0x2000);
    Vector mine(own), result(sum);
    TLOAD(total, mine);
    for (int round = 0; round + 1 < kRanks; ++round) {
        Vector from(round == 0 ? own : inbox + (round - 1) * kSize), to(next_inbox + round * kSize);
        // The tile on the way is free again.
        pipe_barrier(PIPE_MTE3);
        comm::TPUT(to, from, stage);
        comm::Signal there(next_arrived + round), here(arrived + round);
        comm::TNOTIFY(there, 1, comm::NotifyOp::Set);
        comm::TWAIT(here, 1, comm::WaitCmp::EQ);
        Vector passed(inbox + round * kSize);
        TLOAD(got, passed);
        set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        TADD(total, total, got);
        // The next vector may be loaded.
        set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
        wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
    }
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(result, total);
}

struct Rank {
    std::vector<float> own, sum, inbox;
    std::vector<int32_t> arrived;
};

int main() {
    std::vector<Rank> ranks(kRanks);
    for (int rank = 0; rank < kRanks; ++rank) {
        Rank &own = ranks[rank];
        for (int at = 0; at < kSize; ++at) {
            own.own.push_back(static_cast<float>(at * (rank + 1)));
        }
        own.sum.resize(kSize);
        own.inbox.resize(kSize * kRanks);
        own.arrived.resize(kRanks);
    }
    const int status = run_ranks(kRanks, [&](uint32_t rank) {
        Rank &own = ranks[rank], &next = ranks[(rank + 1) % kRanks];
        ring_sum<<<1, nullptr, nullptr>>>(own.own.data(), own.sum.data(), own.inbox.data(), own.arrived.data(),
                                          next.inbox.data(), next.arrived.data());
    });
    for (const Rank &rank : ranks) {
        for (int at = 0; at < kSize; ++at) {
            if (rank.sum[at] != static_cast<float>(at * kRanks * (kRanks + 1) / 2)) {
                std::printf("element %d is %g\n", at, rank.sum[at]);
                return 1;
            }
        }
    }
    return status;
}
