// Runs the public kernels gemm_ar with ranks as threads: each rank multiplies its own A by the same B, and all ranks get the sum of the
// products, tile by tile as they are ready. The README beside this file has the command lines.
#include "common.hpp"
#include "gemm_ar_config.h"
#include "kernel_launchers.h"
#include "ready_queue.hpp"

#include "windows.hpp"

#ifndef RANKS
#define RANKS 2
#endif

int main() {
    const int tiles = static_cast<int>(G_NUM_TILES);
    const std::size_t queue_bytes =
        MultiBlockQueueSetSize(COMPUTE_BLOCK_NUM, (tiles + COMPUTE_BLOCK_NUM - 1) / COMPUTE_BLOCK_NUM);
    const std::size_t signal_bytes = G_SIGNAL_TOTAL_SLOTS * sizeof(std::int32_t);
    const std::size_t product_bytes = static_cast<std::size_t>(G_M) * G_N * sizeof(half);
    Windows<CommDeviceContext> windows(RANKS, product_bytes + signal_bytes + 1024);

    // B has its columns one after the other.
    std::vector<half> b(static_cast<std::size_t>(G_K) * G_N);
    for (std::size_t at = 0; at < b.size(); ++at) {
        b[at] = number(at * 3 + 1);
    }
    std::vector<std::vector<half>> a(RANKS, std::vector<half>(static_cast<std::size_t>(G_M) * G_K));
    std::vector<half *> sums(RANKS);
    int wrong = pto::run_ranks(RANKS, [&](std::uint32_t rank) {
        for (std::size_t at = 0; at < a[rank].size(); ++at) {
            a[rank][at] = number(at + rank);
        }
        sums[rank] = reinterpret_cast<half *>(windows.take(rank, product_bytes));
        std::uint8_t *const signals = windows.take(rank, signal_bytes);
        half *const left = device<half>(a[rank].size()), *const right = device<half>(b.size());
        half *const product = device<half>(static_cast<std::size_t>(G_M) * G_N);
        copy(left, a[rank].data(), a[rank].size());
        copy(right, b.data(), b.size());
        aclrtMemset(product, product_bytes, 0, product_bytes);
        std::vector<std::uint8_t> initial(queue_bytes);
        MultiBlockQueueSetInit(reinterpret_cast<MultiBlockQueueSet *>(initial.data()), COMPUTE_BLOCK_NUM, tiles);
        std::uint8_t *const queues = device<std::uint8_t>(queue_bytes);
        copy(queues, initial.data(), queue_bytes);
        // Every rank has its window ready before anybody writes to it.
        pto::meet_ranks();
        launchGemmCompute(reinterpret_cast<std::uint8_t *>(product), reinterpret_cast<std::uint8_t *>(left),
                          reinterpret_cast<std::uint8_t *>(right), queues, static_cast<int>(rank), nullptr,
                          COMPUTE_BLOCK_NUM, G_K);
        launchGemmCommAll(reinterpret_cast<std::uint8_t *>(product), reinterpret_cast<std::uint8_t *>(sums[rank]),
                          signals, queues, windows.context(rank), static_cast<int>(rank), RANKS, nullptr,
                          COMPUTE_BLOCK_NUM);
    });
    for (int rank = 0; rank < RANKS; ++rank) {
        // The products of all ranks are one product, of all A beside each other and B below itself.
        wrong |= compare(
            "sum", G_ORIG_M, G_ORIG_N, static_cast<std::size_t>(G_K) * RANKS,
            [&](std::size_t i, std::size_t j) { return static_cast<float>(sums[rank][i * G_N + j]); },
            [&](std::size_t i, std::size_t k) { return static_cast<float>(a[k / G_K][i * G_K + k % G_K]); },
            [&](std::size_t k, std::size_t j) { return static_cast<float>(b[j * G_K + k % G_K]); });
    }
    return wrong;
}
