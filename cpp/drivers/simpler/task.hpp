// Tasks of an orchestration, and the order in which they may run.
#pragma once

#include "intrinsic.h"
#include "pto_orchestration_api.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

extern "C" {
void *pto_allocate(std::uint64_t bytes);
std::int32_t pto_free(void *memory);
void pto_wrote(const void *memory, std::uint64_t bytes);
void pto_join(std::uint64_t cluster, std::uint32_t core);
}

/// The entry point of a kernel.
using Entry = void (*)(std::int64_t *);

/// Bytes of global memory that a task accesses.
struct Range {
    std::uint64_t begin, end;
    bool writes;

    bool conflicts(const Range &other) const {
        return begin < other.end && other.begin < end && (writes || other.writes);
    }
};

inline Range range_of(const ChipTensor &tensor, bool writes) {
    const std::uint64_t size = get_element_size(tensor.dtype);
    const std::uint64_t begin = tensor.buffer.addr + tensor.start_offset * size;
    return {begin, begin + tensor.extent_elem() * size, writes};
}

/// Memory that the runtime allocates for an output. It counts as unwritten until a kernel stores to it.
class Buffer {
  public:
    explicit Buffer(std::uint64_t bytes) : data_(pto_allocate(bytes)) {}
    ~Buffer() { pto_free(data_); }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;

    void *data() const { return data_; }

  private:
    void *data_;
};

/// A task of an orchestration.
struct Task {
    PTO2TaskId id;
    /// Entry points for the cube core and both vector cores; null for a core without part in the task.
    std::array<Entry, 3> kernels{};
    std::vector<ChipTensor> tensors;
    std::vector<std::uint64_t> scalars;
    std::vector<Range> ranges;
    /// Memory that the task uses, which lives until it has ended.
    std::vector<std::shared_ptr<Buffer>> buffers;
    DispatchPredicate predicate;
    int blocks = 1;
    /// Whether all blocks run at the same time.
    bool together = false;

    /// Number of unfinished tasks that this one waits for, and the tasks that wait for this one.
    int waits = 0;
    std::vector<std::shared_ptr<Task>> next;
    /// Blocks given to cores, and calls of kernels that have not returned.
    int begun = 0, running = 0;

    int cores() const {
        int count = 0;
        for (Entry kernel : kernels) {
            count += kernel != nullptr;
        }
        return count;
    }
};

// Some names differ between the runtimes of A2/A3 and of A5.
template <typename Spec>
auto blocks_of(const Spec &spec, int) -> decltype(spec.block_num()) {
    return spec.block_num();
}
template <typename Spec>
auto blocks_of(const Spec &spec, long) -> decltype(spec.core_num()) {
    return spec.core_num();
}
template <typename Context>
auto set_block(Context &context, int block, int count, int) -> decltype(context.block_idx, void()) {
    context.block_idx = block;
    context.block_num = count;
}
template <typename Context>
auto set_block(Context &context, int block, int count, long) -> decltype(context.s_block_idx, void()) {
    context.s_block_idx = block;
    context.s_block_num = count;
}
template <typename Context>
auto set_workspace(Context &context, const Buffer &memory, int) -> decltype(context.dma_workspace[0], void()) {
    // The first engine is SDMA.
    context.dma_workspace[0] = reinterpret_cast<std::uint64_t>(memory.data());
}
template <typename Context>
void set_workspace(Context &, const Buffer &, long) {}

/// The memory of scopes: outputs of tasks live until the scope ends in which they were submitted, and all tasks that
/// use them have ended.
class Scopes {
  public:
    void begin(bool is_manual) { open_.push_back({is_manual, {}, {}}); }
    void end() {
        for (std::uint64_t address : open_.back().addresses) {
            buffers_.erase(address);
        }
        open_.pop_back();
    }

    bool is_manual() const { return !open_.empty() && open_.back().is_manual; }

    /// Tensors of a task are borrowed by the orchestration until the scope ends.
    void keep(std::shared_ptr<Task> task) { open_.back().tasks.push_back(std::move(task)); }

    std::shared_ptr<Buffer> allocate(std::uint64_t bytes) {
        auto buffer = std::make_shared<Buffer>(bytes);
        const auto address = reinterpret_cast<std::uint64_t>(buffer->data());
        buffers_[address] = buffer;
        open_.back().addresses.push_back(address);
        return buffer;
    }

    /// The memory of a tensor; null for a tensor of the caller.
    std::shared_ptr<Buffer> find(const ChipTensor &tensor) const {
        const auto found = buffers_.find(tensor.buffer.addr);
        return found == buffers_.end() ? nullptr : found->second;
    }

  private:
    struct Scope {
        bool is_manual;
        std::vector<std::shared_ptr<Task>> tasks;
        std::vector<std::uint64_t> addresses;
    };

    std::vector<Scope> open_;
    std::map<std::uint64_t, std::shared_ptr<Buffer>> buffers_;
};
