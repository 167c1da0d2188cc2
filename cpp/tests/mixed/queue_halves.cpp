// Products of the cube core travel to the vector cores by a queue whose pushes and pops the kernel takes apart: of two
// entries, one is pushed and popped as a whole, the other one by its halves, with a store and a load in between. The
// queue is a TMPipe, with SPLIT a TPipe.
//
// NO_RECORD, NO_WAIT, NO_ALLOCATE and NO_FREE leave one half out.
#include "product.hpp"

#ifdef SPLIT
#ifdef PTO_TARGET_A5
using Queue = TPipe<3, DIR_C2V_GM, elements * sizeof(float), 2, 2, false>;
#else
using Queue = TPipe<3, DIR_C2V, elements * sizeof(float), 2, 2, false>;
#endif
#else
using Queue = TMPipe<3, FIFOType::GM_FIFO, 2, 2, Acc, Sums>;
#endif

__global__ AICORE void run(__gm__ half *a, __gm__ half *b, __gm__ float *slots, __gm__ float *y) {
#ifdef SPLIT
    Queue queue(slots, 0x0, 0x0);
#else
    Queue queue(slots, 0x0);
#endif
    static_assert(Queue::SyncPeriod == 2 && Queue::RingFiFo::SLOT_NUM == 2);
#ifdef __DAV_CUBE__
    Product product;
    load_right(product, b);
    for (int step = 0; step < count; ++step) {
        load_and_multiply(product, a + step * elements);
        queue.prod.setTileId(step, 0);
        if (step % 2 == 0) {
            // Every second entry of two waits until both slots are free.
#ifdef NO_ALLOCATE
            queue.prod.setAllocateStatus(false);
#endif
#ifdef SPLIT
            TPUSH<Queue, Acc, TILE_UP_DOWN>(queue, product.sums);
#else
            TPUSH(product.sums, queue);
#endif
        } else {
            Result slot(slots + step % 2 * elements);
            TSTORE(slot, product.sums);
#ifndef NO_RECORD
            queue.prod.record();
#endif
        }
        set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
    }
    finish();
#ifndef NO_ALLOCATE
    // The last signal of the consumer.
    queue.prod.allocate();
#endif
#else
    const int first = static_cast<int>(get_subblockid()) * rows * size;
    using Part = GlobalTensor<float, Shape<1, 1, 1, rows, size>, Stride<elements, elements, elements, size, 1>>;
    Sums sums;
    set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    for (int step = 0; step < count; ++step) {
        queue.cons.setTileId(step, 0);
        wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
        if (step % 2 == 0) {
#ifdef SPLIT
            TPOP<Queue, Sums, TILE_UP_DOWN>(queue, sums);
#else
            queue.cons.setEntryOffset(first * sizeof(float));
            TPOP(sums, queue);
#endif
        } else {
#ifndef NO_WAIT
            queue.cons.wait();
#endif
            Part slot(slots + step % 2 * elements + first);
            TASSIGN(sums, 0x2000);
            TLOAD(sums, slot);
#ifndef NO_FREE
            queue.cons.free();
#endif
        }
        order<PIPE_MTE2, PIPE_MTE3>();
        Part part(y + step * elements + first);
        TSTORE(part, sums);
        set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    }
    wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
#endif
}

int main() {
    return compare(
        [](half *a, half *b, float *slots, float *y) { run<<<1, nullptr, nullptr>>>(a, b, slots, y); },
        [](const std::vector<float> &left, const std::vector<float> &right) { return product_of(left, right, 1.0f); });
}
