// Runs the public kernels allgather_gemm with ranks as threads: each rank sends its rows of A to the others, and multiplies all
// rows by its own B as they arrive. The README beside this file has the command lines.
#include "common.hpp"
#include "gemm_config.hpp"
#include "kernel_launch.hpp"
#include "ready_queue.hpp"

#include "windows.hpp"

#ifndef RANKS
#define RANKS 2
#endif
#ifndef CONFIG_COMPUTE_BLOCK_NUM
#define CONFIG_COMPUTE_BLOCK_NUM 4
#endif

int main() {
    const int tiles = static_cast<int>(G_M / G_BASE_M / RANKS * (G_K / G_BASE_N));
    const int chunk = ComputeOptimalChunkSize(tiles);
    const std::size_t flag_bytes = ChunkFlagMatrixWithSummarySize(RANKS, tiles, chunk);
    const std::size_t rows = G_M / RANKS;
    Windows<CommDeviceContext> windows(RANKS, G_M * G_K * sizeof(half) + flag_bytes + 1024);

    std::vector<half> a(G_M * G_K);
    for (std::size_t at = 0; at < a.size(); ++at) {
        a[at] = number(at);
    }
    std::vector<std::vector<half>> b(RANKS, std::vector<half>(G_K * G_N));
    std::vector<float *> output(RANKS);
    int wrong = pto::run_ranks(RANKS, [&](std::uint32_t rank) {
        half *const input = reinterpret_cast<half *>(windows.take(rank, a.size() * sizeof(half)));
        std::uint8_t *const flags = windows.take(rank, flag_bytes);
        copy(input + rank * rows * G_K, a.data() + rank * rows * G_K, rows * G_K);
        std::vector<std::uint8_t> initial(flag_bytes);
        auto *const matrix = reinterpret_cast<ChunkFlagMatrix *>(initial.data());
        ChunkFlagMatrixInit(matrix, RANKS, tiles, chunk);
        matrix->my_rank = static_cast<std::int32_t>(rank);
        copy(flags, initial.data(), flag_bytes);

        // B has its columns one after the other.
        for (std::size_t at = 0; at < b[rank].size(); ++at) {
            b[rank][at] = number(at * 3 + rank);
        }
        half *const factor = device<half>(b[rank].size());
        copy(factor, b[rank].data(), b[rank].size());
        output[rank] = device<float>(G_M * G_N);
        // Every rank has its window ready before anybody writes to it.
        pto::meet_ranks();
        launchRingCommStreaming(reinterpret_cast<std::uint8_t *>(input), flags, windows.context(rank), RANKS, nullptr);
        launchAllGatherGemmComputeStreaming(reinterpret_cast<std::uint8_t *>(output[rank]),
                                            reinterpret_cast<std::uint8_t *>(input),
                                            reinterpret_cast<std::uint8_t *>(factor), flags, nullptr,
                                            CONFIG_COMPUTE_BLOCK_NUM);
    });
    for (int rank = 0; rank < RANKS; ++rank) {
        wrong |= compare(
            "product", G_M, G_N, G_K, [&](std::size_t i, std::size_t j) { return output[rank][i * G_N + j]; },
            [&](std::size_t i, std::size_t k) { return a[i * G_K + k]; },
            [&](std::size_t k, std::size_t j) { return b[rank][j * G_K + k]; });
    }
    return wrong;
}
