// Products of the cube core lose their negative values and become f16 on their way to vector core 0. On A5 they are
// also halved.
#include "product.hpp"

#ifdef PTO_TARGET_A5
constexpr QuantMode_t mode = QuantMode_t::QF322F16_PRE;
constexpr float scale = 0.5f;
#else
constexpr QuantMode_t mode = QuantMode_t::F322F16;
constexpr float scale = 1.0f;
#endif
using Queue = TPipe<0, DIR_C2V, elements * sizeof(float), 2, 2, true>;
using Whole = Tile<TileType::Vec, half, size, size>;

__global__ AICORE void run(__gm__ half *a, __gm__ half *b, __gm__ float *slots, __gm__ float *y) {
    Queue queue(slots, 0x0, 0x0);
#ifdef __DAV_CUBE__
    using Config = FixpipeParams<LayoutMode_t::NZ2ND, mode, ReluPreMode::NormalRelu>;
    Product product;
    load_right(product, b);
    SET_QUANT_SCALAR<half>(scale);
    for (int step = 0; step < count; ++step) {
        load_and_multiply(product, a + step * elements);
        TPUSH<Queue, Acc, Config>(queue, product.sums);
        set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
    }
    finish();
#else
    Whole entry;
    Tile<TileType::Vec, float, size, size> result;
    TASSIGN(result, 0x8000);
    for (int step = 0; step < count; ++step) {
        TPOP<Queue, Whole>(queue, entry);
        if (get_subblockid() == 0) {
            if constexpr (Queue::is_in_memory) {
                order<PIPE_MTE2, PIPE_V>();
            }
            TCVT(result, entry, RoundMode::CAST_NONE);
            order<PIPE_V, PIPE_MTE3>();
            Result sum(y + step * elements);
            TSTORE(sum, result);
            order<PIPE_MTE3, PIPE_V>();
            if constexpr (Queue::is_in_memory) {
                order<PIPE_V, PIPE_MTE2>();
            }
        }
        TFREE(queue);
    }
#endif
}

int main() {
    return compare(
        [](half *a, half *b, float *slots, float *y) { run<<<1, nullptr, nullptr>>>(a, b, slots, y); },
        [](const std::vector<float> &left, const std::vector<float> &right) {
            std::vector<float> sums = product_of(left, right, scale);
            for (float &sum : sums) {
                sum = sum > 0 ? sum : 0;
            }
            return sums;
        });
}
