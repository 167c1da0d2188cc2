// z = x + y, a block for each 16 x 64 elements.
//
//   pto c++ --target a2a3 --cores vector kernel.cpp -o add && PTO_WATCH=all ./add x.bin y.bin z.bin
#include "../files.hpp"
#include <pto/pto-inst.hpp>

#include <acl/acl.h>

using namespace pto;

constexpr int kRows = 16;
constexpr int kCols = 64;
constexpr int kBlocks = 4;

extern "C" __global__ AICORE void vector_add(__gm__ float *x, __gm__ float *y, __gm__ float *z) {
    using View = GlobalTensor<float, pto::Shape<1, 1, 1, kRows, kCols>,
                              pto::Stride<kRows * kCols, kRows * kCols, kRows * kCols, kCols, 1>>;
    using Vector = Tile<TileType::Vec, float, kRows, kCols>;
    const int offset = get_block_idx() * kRows * kCols;
    View xs(x + offset), ys(y + offset), zs(z + offset);
    Vector a, b, sum;
    TASSIGN(a, 0x0);
    TASSIGN(b, 0x1000);
    TASSIGN(sum, 0x2000);

    TLOAD(a, xs);
    TLOAD(b, ys);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TADD(sum, a, b);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(zs, sum);
}

int main(int count, char **names) {
    constexpr std::size_t bytes = kBlocks * kRows * kCols * sizeof(float);
    Files files(count, names, 3);
    void *x = files.load(1, bytes), *y = files.load(2, bytes), *z = files.room(bytes);
    vector_add<<<kBlocks, nullptr, nullptr>>>((float *)x, (float *)y, (float *)z);
    return files.save(3, z, bytes);
}

// With these flags `pto bench` times the kernel.
// target: a2a3
// run: --entry vector_add -i x=randn:64x64 -i y=randn:64x64 -i z=zeros:64x64 --blocks 4
