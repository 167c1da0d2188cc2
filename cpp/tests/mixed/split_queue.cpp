// Two products with a scaling in between: tiles travel by one queue of type TPipe in both directions, and each vector
// core has half of the rows, with BY_COLUMNS half of the columns. IN_MEMORY has the slots in global memory on A5, too.
// With THREADS there is no launch: threads of the program become the cores of a cluster.
#include "product.hpp"

#include <thread>

#ifdef IN_MEMORY
using Queue = TPipe<0, DIR_BOTH_GM, elements * sizeof(float), 4>;
#else
using Queue = TPipe<0, DIR_BOTH, elements * sizeof(float), 4>;
#endif
#ifdef BY_COLUMNS
constexpr TileSplitAxis split = TILE_LEFT_RIGHT;
using Share = Tile<TileType::Vec, float, size, size / 2>;
using Half = Tile<TileType::Vec, half, size, size / 2>;
#else
constexpr TileSplitAxis split = TILE_UP_DOWN;
using Share = Sums;
using Half = Scaled;
#endif

__global__ AICORE void run(__gm__ half *a, __gm__ half *b, __gm__ float *slots, __gm__ float *y) {
    Queue queue(slots, 0x0, 0x2000);
#ifdef __DAV_CUBE__
    Product product;
    L1 scaled;
    load_right(product, b);
    for (int step = 0; step <= count; ++step) {
        if (step < count) {
            load_and_multiply(product, a + step * elements);
            TPUSH<Queue, Acc, split>(queue, product.sums);
            set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
        }
        if (step > 0) {
            TPOP<Queue, L1, split>(queue, scaled);
            if constexpr (Queue::is_in_memory) {
                order<PIPE_MTE2, PIPE_MTE1>(1);
            }
            multiply(product, scaled);
            TFREE<Queue, split>(queue);
            Result sum(y + (step - 1) * elements);
            TSTORE(sum, product.sums);
            set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
        }
    }
    finish();
#else
    Share sums;
    Half scaled;
    TASSIGN(scaled, 0x8000);
    set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    for (int step = 0; step < count; ++step) {
        TPOP<Queue, Share, split>(queue, sums);
        if constexpr (Queue::is_in_memory) {
            order<PIPE_MTE2, PIPE_V>();
        }
        TMULS(sums, sums, 0.5f);
#ifndef PTO_TARGET_A5
        pipe_barrier(PIPE_V);
#endif
        wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
        TCVT(scaled, sums, RoundMode::CAST_RINT, SaturationMode::ON);
        TFREE<Queue, split>(queue);
        order<PIPE_V, PIPE_MTE3>();
        TPUSH<Queue, Half, split>(queue, scaled);
        set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    }
    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
#endif
}

#ifdef THREADS
void call(half *a, half *b, float *slots, float *y) {
    std::thread cores[3];
    for (std::uint32_t index = 0; index < 3; ++index) {
        cores[index] = std::thread([=] {
            pto_join(1, index);
            const void *half_of_core = pto_entry(reinterpret_cast<const void *>(&run));
            reinterpret_cast<decltype(&run)>(const_cast<void *>(half_of_core))(a, b, slots, y);
        });
    }
    for (std::thread &core : cores) {
        core.join();
    }
}
#else
void call(half *a, half *b, float *slots, float *y) { run<<<1, nullptr, nullptr>>>(a, b, slots, y); }
#endif

int main() { return compare(call, halved_product_twice); }
