// What the kernels of this folder share: matrices of small integers, whose products are exact.
#ifndef PRODUCT_HPP
#define PRODUCT_HPP

#include <acl/acl.h>
#include <pto/pto-inst.hpp>

#include <cstdio>
#include <vector>

using namespace pto;

constexpr int size = 32;
constexpr int count = 6;
constexpr int rows = size / 2;
constexpr int elements = size * size;

using L1 = Tile<TileType::Mat, half, size, size, BLayout::ColMajor, size, size, SLayout::RowMajor>;
using Acc = TileAcc<float, size, size>;
using Sums = Tile<TileType::Vec, float, rows, size>;
using Scaled = Tile<TileType::Vec, half, rows, size>;
using Matrix = GlobalTensor<half, Shape<1, 1, 1, size, size>, Stride<elements, elements, elements, size, 1>>;
using Result = GlobalTensor<float, Shape<1, 1, 1, size, size>, Stride<elements, elements, elements, size, 1>>;

template <pipe_t first, pipe_t second>
AICORE inline void order(int event = 0) {
    set_flag(first, second, event);
    wait_flag(first, second, event);
}

// Two factors in L0 and their product.
struct Product {
    TileLeft<half, size, size> left;
    TileRight<half, size, size> right;
    Acc sums;
};

AICORE inline void multiply(Product &product, L1 &factor) {
    wait_flag(PIPE_M, PIPE_MTE1, EVENT_ID0);
    TMOV(product.left, factor);
    order<PIPE_MTE1, PIPE_M>();
    wait_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
    TMATMUL(product.sums, product.left, product.right);
    set_flag(PIPE_M, PIPE_MTE1, EVENT_ID0);
    order<PIPE_M, PIPE_FIX>();
}

// Loads the right factor, and sets the flags for which the first product waits.
AICORE inline void load_right(Product &product, __gm__ half *b) {
    L1 factor;
    TASSIGN(product.left, 0x0);
    TASSIGN(product.right, 0x0);
    TASSIGN(product.sums, 0x0);
    TASSIGN(factor, 0x1000);
    Matrix right(b);
    TLOAD(factor, right);
    order<PIPE_MTE2, PIPE_MTE1>();
    TMOV(product.right, factor);
    set_flag(PIPE_M, PIPE_MTE1, EVENT_ID0);
    set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
    set_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID0);
}

// Loads a left factor and multiplies. What reads the sums is followed by `set_flag(PIPE_FIX, PIPE_M, EVENT_ID0)`.
AICORE inline void load_and_multiply(Product &product, __gm__ half *a) {
    L1 factor;
    TASSIGN(factor, 0x0);
    Matrix left(a);
    wait_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID0);
    TLOAD(factor, left);
    order<PIPE_MTE2, PIPE_MTE1>();
    multiply(product, factor);
    set_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID0);
}

// Takes the flags that are left after the last product.
AICORE inline void finish() {
    wait_flag(PIPE_M, PIPE_MTE1, EVENT_ID0);
    wait_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
    wait_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID0);
}

// The product of two matrices, times a factor.
inline std::vector<float> product_of(const std::vector<float> &a, const std::vector<float> &b, float scale) {
    std::vector<float> sums(elements);
    for (int at = 0; at < elements; ++at) {
        for (int inner = 0; inner < size; ++inner) {
            sums[at] += scale * a[at / size * size + inner] * b[inner * size + at % size];
        }
    }
    return sums;
}

// Half the product of two matrices, times the right one again.
inline std::vector<float> halved_product_twice(const std::vector<float> &left, const std::vector<float> &right) {
    return product_of(product_of(left, right, 0.5f), right, 1.0f);
}

// A copy in the memory of a device.
template <typename Element>
Element *on_device(const std::vector<Element> &host) {
    const std::size_t bytes = host.size() * sizeof(Element);
    void *memory = nullptr;
    aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(memory, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    return static_cast<Element *>(memory);
}

// Runs a kernel on its factors, slots and results, and compares: `wanted` computes a result from a left and the right
// factor.
template <typename Run, typename Wanted>
int compare(Run run, Wanted wanted) {
    std::vector<half> a(count * elements), b(elements);
    std::vector<float> right(elements);
    for (int at = 0; at < count * elements; ++at) {
        a[at] = static_cast<half>(static_cast<float>((at * 7 + at / 5) % 5 - 2));
    }
    for (int at = 0; at < elements; ++at) {
        right[at] = static_cast<float>((at * 3 + at / 7) % 3 - 1);
        b[at] = static_cast<half>(right[at]);
    }
    void *slots = nullptr;
    void *results = nullptr;
    aclrtMalloc(&slots, 8 * elements * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&results, count * elements * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
    const auto *y = static_cast<float *>(results);
    run(on_device(a), on_device(b), static_cast<float *>(slots), static_cast<float *>(results));
    int wrong = 0;
    for (int matrix = 0; matrix < count; ++matrix) {
        const std::vector<float> left(a.begin() + matrix * elements, a.begin() + (matrix + 1) * elements);
        const std::vector<float> result = wanted(left, right);
        for (int at = 0; at < elements; ++at) {
            wrong += result[at] != y[matrix * elements + at];
        }
    }
    std::printf("%d of %d elements differ\n", wrong, count * elements);
    return wrong == 0 ? 0 : 2;
}

#endif
