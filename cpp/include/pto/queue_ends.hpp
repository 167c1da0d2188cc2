// The ends of queues between the cube core and the vector cores of a block: flags between cores, and the separate steps
// of a push and a pop.
#ifndef PTO_QUEUE_ENDS_HPP
#define PTO_QUEUE_ENDS_HPP

#include "pto/core.hpp"
#include "pto/enumerations.hpp"

#include <cstdint>
#include <type_traits>

namespace pto {
namespace detail {

// Which end of a queue an object is follows from the kind of core that this compilation is for.
#ifdef __DAV_CUBE__
inline constexpr bool is_cube_end = true;
#else
inline constexpr bool is_cube_end = false;
#endif

struct SplitQueueTag {};
struct TileQueueTag {};

/// Whether a type is a queue whose entries the vector cores share by a TileSplitAxis.
template <typename Pipe>
inline constexpr bool is_split_queue_v = std::is_base_of_v<SplitQueueTag, std::remove_cv_t<Pipe>>;
/// Whether a type is a queue of tiles of two types.
template <typename Pipe>
inline constexpr bool is_tile_queue_v = std::is_base_of_v<TileQueueTag, std::remove_cv_t<Pipe>>;

/// Whether this core takes part in a queue: the cube core does, and of the vector cores those of `ratio`.
template <VecCubeRatio ratio>
PTO_INST bool takes_part() {
    if constexpr (is_cube_end || ratio == VecCubeRatio::V2C1_VECS) {
        return true;
    } else {
        return pto_fact(PTO_SUBBLOCK_INDEX) == (ratio == VecCubeRatio::V1C1_VEC1 ? 1 : 0);
    }
}

/// Sets a flag of a queue, or waits for it.
template <VecCubeRatio ratio, bool sets>
PTO_INST void queue_flag(pipe_t pipe, std::int64_t id) {
#ifndef PTO_TARGET_A5
    static_assert(ratio == VecCubeRatio::V2C1_VECS,
                  "a flag from the vector cores to the cube core takes both vector cores on A2/A3");
    // The scalar unit waits, and with it all that the core does later.
    if constexpr (!sets) {
        pipe = PIPE_S;
    }
#endif
    if constexpr (ratio == VecCubeRatio::V2C1_VECS) {
        if constexpr (sets) {
            set_core_flag(pipe, id);
        } else {
            wait_core_flag(pipe, id);
        }
    } else if (takes_part<ratio>()) {
        // The cube core names the flag of each vector core: here, that of the participating one.
        const std::int64_t own = is_cube_end && ratio == VecCubeRatio::V1C1_VEC1 ? id + 16 : id;
        if constexpr (sets) {
            set_intra_block(pipe, own);
        } else {
            wait_intra_block(pipe, own);
        }
    }
}

/// State of an end: the next entry, and its next part.
struct QueueEnd {
    /// Number of the next entry, from 0.
    std::uint32_t tileIndex = 0;
    /// Number of the next part of that entry.
    int subTileIndex = 0;
    /// Offset in an entry in global memory, in bytes.
    int entryOffset = 0;

    void setTileId(int tile, int part) {
        tileIndex = static_cast<std::uint32_t>(tile);
        subTileIndex = part;
    }
    void setEntryOffset(int bytes) { entryOffset = bytes; }
};

/// The end that pushes. `Flag` signals that an entry is filled, the next flag that entries are free again. Instructions
/// on `Pipe` write entries.
template <std::uint8_t Flag, pipe_t Pipe, std::uint32_t Depth, std::uint32_t Period, VecCubeRatio Ratio>
struct Producer : QueueEnd {
    // A half that is switched off does not synchronize.
    void setAllocateStatus(bool on) {
        may_allocate_ = on;
        is_apart_ |= !on;
    }
    void setRecordStatus(bool on) {
        may_record_ = on;
        is_apart_ |= !on;
    }
    bool getAllocateStatus() const { return may_allocate_; }
    bool getRecordStatus() const { return may_record_; }

    /// Waits until the consumer has given entries back.
    PTO_INST void allocate() {
        is_apart_ = true;
        queue_flag<Ratio, false>(Pipe, Flag + 1);
    }
    /// Signals that an entry is filled.
    PTO_INST void record() {
        is_apart_ = true;
        queue_flag<Ratio, true>(Pipe, Flag);
    }

    /// The first half of a push: once all slots are in use, every `Period`th entry needs a wait.
    template <VecCubeRatio ratio = Ratio>
    PTO_INST void before() {
        if (may_allocate_ && tileIndex >= Depth && tileIndex % Period == 0) {
            queue_flag<ratio, false>(Pipe, Flag + 1);
            ++waits_;
        }
    }
    /// The last half of a push.
    template <VecCubeRatio ratio = Ratio>
    PTO_INST void after() {
        if (may_record_) {
            queue_flag<ratio, true>(Pipe, Flag);
        }
        is_for_all_ = ratio == VecCubeRatio::V2C1_VECS;
    }

    /// Waits for the signals of the consumer that no push has awaited, so that the flags are clear at the end of a
    /// kernel. A kernel that has switched a half off or called one alone does so itself.
    PTO_INST void finish() {
        for (; !is_apart_ && waits_ < tileIndex / Period; ++waits_) {
            if (is_for_all_) {
                queue_flag<VecCubeRatio::V2C1_VECS, false>(Pipe, Flag + 1);
            } else {
                queue_flag<Ratio, false>(Pipe, Flag + 1);
            }
        }
    }

  private:
    bool may_allocate_ = true;
    bool may_record_ = true;
    bool is_apart_ = false;
    bool is_for_all_ = true;
    std::uint32_t waits_ = 0;
};

/// The end that pops. A wait lets instructions on `Waits` go on, a signal follows those on `Signals`.
template <std::uint8_t Flag, pipe_t Waits, pipe_t Signals, std::uint32_t Period, VecCubeRatio Ratio>
struct Consumer : QueueEnd {
    // A half that is switched off does not synchronize.
    void setWaitStatus(bool on) { may_wait_ = on; }
    void setFreeStatus(bool on) { may_free_ = on; }
    bool getWaitStatus() const { return may_wait_; }
    bool getFreeStatus() const { return may_free_; }

    /// Waits until an entry is filled.
    PTO_INST void wait() const { queue_flag<Ratio, false>(Waits, Flag); }
    /// Gives entries back to the producer.
    PTO_INST void free() const { queue_flag<Ratio, true>(Signals, Flag + 1); }

    /// The first half of a pop.
    template <VecCubeRatio ratio = Ratio>
    PTO_INST void before() const {
        if (may_wait_) {
            queue_flag<ratio, false>(Waits, Flag);
        }
    }
    /// The last half of a pop of an entry with a number: one signal for `Period` entries.
    template <VecCubeRatio ratio = Ratio>
    PTO_INST void after(std::uint32_t index) const {
        if (may_free_ && (index + 1) % Period == 0) {
            queue_flag<ratio, true>(Signals, Flag + 1);
        }
    }

  private:
    bool may_wait_ = true;
    bool may_free_ = true;
};

/// An offset in the buffer of a kind of tiles. Kernels pass it as it is, or the lower half of a pointer into the
/// buffer.
PTO_INST std::uint32_t offset_in_buffer(TileType kind, std::uint32_t address) {
    constexpr std::uint32_t limit = 0x80000;
    const auto base = reinterpret_cast<std::uintptr_t>(pto_buffer(static_cast<std::uint32_t>(kind)));
    const std::uint32_t offset = address - static_cast<std::uint32_t>(base);
    return address >= limit && offset < limit ? offset : address;
}

} // namespace detail
} // namespace pto

#endif
