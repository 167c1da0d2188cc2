// Two products with a scaling in between, on the cube core, the vector cores and the cube core again: tiles travel by
// two queues of type TMPipe. Slots are in global memory, with ON_CHIP in UB and in L1. The program compares the result.
//
// NO_WAIT, NO_FREE and NO_ALLOCATE switch a half of the first queue off.
#include "product.hpp"

#ifdef ON_CHIP
using First = TMPipe<0, FIFOType::VEC_FIFO, 2, 1, Acc, Sums>;
using Second = TMPipe<2, FIFOType::MAT_FIFO, 2, 1, Scaled, L1>;
#else
using First = TMPipe<0, FIFOType::GM_FIFO, 2, 1, Acc, Sums>;
using Second = TMPipe<2, FIFOType::GM_FIFO, 2, 1, Scaled, L1>;
#endif

__global__ AICORE void run(__gm__ half *a, __gm__ half *b, __gm__ float *slots, __gm__ float *y) {
#ifdef ON_CHIP
    First first(0x0);
    Second second(0x4000);
#else
    First first(slots, 0x0);
    Second second(reinterpret_cast<half *>(slots + 2 * elements), 0x4000);
#endif
    static_assert(First::is_c2v && First::RingFiFo::SLOT_NUM == 2 && Second::DataFiFo::fifoPeriod == 1);
#ifdef NO_WAIT
    first.cons.setWaitStatus(false);
#endif
#ifdef NO_FREE
    first.cons.setFreeStatus(false);
#endif
#ifdef NO_ALLOCATE
    first.prod.setAllocateStatus(false);
#endif
#ifdef __DAV_CUBE__
    Product product;
    L1 scaled;
    load_right(product, b);
    // The second product is one step behind, so that two entries are on their way. Where a pop loads a tile, the entry
    // that was there has come back by the other queue: the place needs no flag of its own.
    for (int step = 0; step <= count; ++step) {
        if (step < count) {
            load_and_multiply(product, a + step * elements);
            TPUSH(product.sums, first);
            set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
        }
        if (step > 0) {
            TPOP(scaled, second);
#ifndef ON_CHIP
            order<PIPE_MTE2, PIPE_MTE1>(1);
#endif
            multiply(product, scaled);
            TFREE(second);
            Result sum(y + (step - 1) * elements);
            TSTORE(sum, product.sums);
            set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
        }
    }
    finish();
#ifndef NO_FREE
    first.prod.allocate();
    first.prod.allocate();
#endif
#else
    Sums sums;
    Scaled scaled;
    TASSIGN(scaled, 0x2000);
    first.cons.setEntryOffset(static_cast<int>(get_subblockid()) * rows * size * 4);
    second.prod.setEntryOffset(static_cast<int>(get_subblockid()) * rows * size * 2);

    set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    for (int step = 0; step < count; ++step) {
        TPOP(sums, first);
#ifndef ON_CHIP
        order<PIPE_MTE2, PIPE_V>();
#endif
        TMULS(sums, sums, 0.5f);
#ifndef PTO_TARGET_A5
        pipe_barrier(PIPE_V);
#endif
        wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
        TCVT(scaled, sums, RoundMode::CAST_RINT, SaturationMode::ON);
        TFREE(first);
        order<PIPE_V, PIPE_MTE3>();
        TPUSH(scaled, second);
        set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    }
    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    second.prod.allocate();
    second.prod.allocate();
#endif
}

int main() {
    return compare(
        [](half *a, half *b, float *slots, float *y) { run<<<1, nullptr, nullptr>>>(a, b, slots, y); },
        halved_product_twice);
}
