// c = a * b in half precision with sums in single precision: two buffers at each level, so that loads, moves and products overlap.
//
//   pto c++ --target a2a3 --cores cube kernel.cpp -o gemm && PTO_WATCH=all ./gemm a.bin b.bin c.bin
#include "../files.hpp"
#include <pto/pto-inst.hpp>

#include <acl/acl.h>

using namespace pto;

constexpr int kM = 64;
constexpr int kK = 256;
constexpr int kN = 64;
constexpr int kStep = 64;

extern "C" __global__ AICORE void gemm(__gm__ half *a, __gm__ half *b, __gm__ float *c) {
    using ViewA = GlobalTensor<half, pto::Shape<1, 1, 1, kM, kStep>, pto::Stride<kM * kK, kM * kK, kM * kK, kK, 1>>;
    using ViewB =
        GlobalTensor<half, pto::Shape<1, 1, 1, kStep, kN>, pto::Stride<kStep * kN, kStep * kN, kStep * kN, kN, 1>>;
    using ViewC = GlobalTensor<float, pto::Shape<1, 1, 1, kM, kN>, pto::Stride<kM * kN, kM * kN, kM * kN, kN, 1>>;
    using MatA = Tile<TileType::Mat, half, kM, kStep, BLayout::ColMajor, kM, kStep, SLayout::RowMajor>;
    using MatB = Tile<TileType::Mat, half, kStep, kN, BLayout::ColMajor, kStep, kN, SLayout::RowMajor>;

    MatA matA[2];
    MatB matB[2];
    TileLeft<half, kM, kStep> left[2];
    TileRight<half, kStep, kN> right[2];
    TileAcc<float, kM, kN> acc;
    for (int at = 0; at < 2; ++at) {
        TASSIGN(matA[at], at * 0x4000);
        TASSIGN(matB[at], 0x8000 + at * 0x4000);
        TASSIGN(left[at], at * 0x4000);
        TASSIGN(right[at], at * 0x4000);
        // Both buffers of each level are free.
        set_flag(PIPE_MTE1, PIPE_MTE2, (event_t)at);
        set_flag(PIPE_M, PIPE_MTE1, (event_t)at);
    }
    TASSIGN(acc, 0x0);

    for (int k = 0; k < kK; k += kStep) {
        const int at = k / kStep % 2;
        const auto id = (event_t)at;
        ViewA viewA(a + k);
        ViewB viewB(b + k * kN);
        wait_flag(PIPE_MTE1, PIPE_MTE2, id);
        TLOAD(matA[at], viewA);
        TLOAD(matB[at], viewB);
        set_flag(PIPE_MTE2, PIPE_MTE1, id);

        wait_flag(PIPE_MTE2, PIPE_MTE1, id);
        wait_flag(PIPE_M, PIPE_MTE1, id);
        TMOV(left[at], matA[at]);
        TMOV(right[at], matB[at]);
        set_flag(PIPE_MTE1, PIPE_MTE2, id);
        set_flag(PIPE_MTE1, PIPE_M, id);

        wait_flag(PIPE_MTE1, PIPE_M, id);
        if (k == 0) {
            TMATMUL(acc, left[at], right[at]);
        } else {
            pipe_barrier(PIPE_M);
            TMATMUL_ACC(acc, acc, left[at], right[at]);
        }
        set_flag(PIPE_M, PIPE_MTE1, id);
    }
    for (int at = 0; at < 2; ++at) {
        wait_flag(PIPE_MTE1, PIPE_MTE2, (event_t)at);
        wait_flag(PIPE_M, PIPE_MTE1, (event_t)at);
    }
    set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
    wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
    ViewC viewC(c);
    TSTORE(viewC, acc);
}

int main(int count, char **names) {
    constexpr std::size_t bytesA = kM * kK * sizeof(half), bytesB = kK * kN * sizeof(half);
    constexpr std::size_t bytesC = kM * kN * sizeof(float);
    Files files(count, names, 3);
    void *a = files.load(1, bytesA), *b = files.load(2, bytesB), *c = files.room(bytesC);
    gemm<<<1, nullptr, nullptr>>>((half *)a, (half *)b, (float *)c);
    return files.save(3, c, bytesC);
}

// With these flags `pto bench` times the kernel.
// target: a2a3
// run: --entry gemm -i a=randn:64x256 -i b=randn:256x64 -i c=zeros:64x64
