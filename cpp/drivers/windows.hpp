// Memory of ranks as kernels of communication find it: a window for each rank, and a context that tells where the windows are.
// The names are those of the context of the kernels, which is included before this header.
#ifndef PTO_DRIVERS_WINDOWS_HPP
#define PTO_DRIVERS_WINDOWS_HPP

#include <pto/pto-inst.hpp>

#include <acl/acl.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

/// The windows of all ranks, of equal size, and the context of each rank. `Context` is the type that the kernels read.
template <typename Context>
class Windows {
  public:
    Windows(int ranks, std::size_t bytes) : windows_(ranks), contexts_(ranks) {
        for (void *&window : windows_) {
            aclrtMalloc(&window, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
            aclrtMemset(window, bytes, 0, bytes);
        }
        for (int rank = 0; rank < ranks; ++rank) {
            Context &context = contexts_[rank];
            context.rankId = static_cast<std::uint32_t>(rank);
            context.rankNum = static_cast<std::uint32_t>(ranks);
            context.winSize = bytes;
            for (int other = 0; other < ranks; ++other) {
                context.windowsIn[other] = reinterpret_cast<std::uint64_t>(windows_[other]);
                context.windowsOut[other] = context.windowsIn[other];
            }
        }
    }

    ~Windows() {
        for (void *window : windows_) {
            aclrtFree(window);
        }
    }

    Windows(const Windows &) = delete;

    std::uint8_t *context(int rank) { return reinterpret_cast<std::uint8_t *>(&contexts_[rank]); }

    /// The next bytes of the window of a rank: the same offset on every rank that asks for the same sizes.
    std::uint8_t *take(int rank, std::size_t bytes) {
        used_.resize(windows_.size());
        std::uint8_t *const start = static_cast<std::uint8_t *>(windows_[rank]) + used_[rank];
        used_[rank] += (bytes + 511) / 512 * 512;
        return start;
    }

  private:
    std::vector<void *> windows_;
    std::vector<Context> contexts_;
    std::vector<std::size_t> used_;
};

/// Memory of a device for elements, unwritten.
template <typename T>
T *device(std::size_t count) {
    void *memory = nullptr;
    aclrtMalloc(&memory, count * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST);
    return static_cast<T *>(memory);
}

/// Copies elements of the host to memory of a device.
template <typename T>
void copy(T *to, const T *from, std::size_t count) {
    aclrtMemcpy(to, count * sizeof(T), from, count * sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE);
}

/// A small number that half has, of a place in a matrix.
inline half number(std::size_t at) { return half(static_cast<float>(static_cast<int>(at * 7 + at / 13) % 9 - 4) * 0.25f); }

/// Compares the elements of a product with those that the host computes: row i of `a` times column j of `b`, of `depth` numbers each.
template <typename Got, typename A, typename B>
int compare(const char *what, std::size_t rows, std::size_t columns, std::size_t depth, Got got, A a, B b) {
    double worst = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < depth; ++k) {
                sum += static_cast<double>(a(i, k)) * static_cast<double>(b(k, j));
            }
            worst = std::fmax(worst, std::fabs(sum - static_cast<double>(got(i, j))) / (1 + std::fabs(sum)));
        }
    }
    std::printf("%s: largest relative error %g\n", what, worst);
    return worst <= 1e-3 ? 0 : 1;
}

#endif
