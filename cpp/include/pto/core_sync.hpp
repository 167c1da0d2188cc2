// Synchronization of the cube core and the vector cores of a block, in the spellings of two public kernel libraries.
#ifndef PTO_CORE_SYNC_HPP
#define PTO_CORE_SYNC_HPP

#include "pto/core.hpp"

#include <cstdint>

namespace pto {

/// Participants of a flag.
enum CVSyncMode { C_ALL_CORE_SYNC = 0, V_ALL_CORE_SYNC = 0, V_SUBCORES_SYNC = 1, CV_CORE_SYNC = 2 };

inline constexpr int CV_COMM_CTRL = 12;
inline constexpr int kCvCommSlotBytes = 512;
inline constexpr int kCvMaxCores = 25;

/// The message of `ffts_cross_core_sync`.
constexpr std::uint16_t _getFFTSMsg(CVSyncMode mode, std::uint16_t id, std::uint16_t base = 1) {
    return static_cast<std::uint16_t>(base + (static_cast<unsigned>(mode) << 4) + (static_cast<unsigned>(id) << 8));
}

/// The number of the cube core of a vector core's block: blocks here are numbered alike on all their cores.
template <int SlotBytes = kCvCommSlotBytes, int MaxCores = kCvMaxCores>
PTO_INST int TSYNC_CVID(int block, std::uint8_t *) {
    return block;
}

/// An instruction that writes or reads data which cores exchange; `TSync_Custom` takes one of each.
enum class SyncOpType : std::uint8_t { TSTORE_C2GM, TSTORE_V2GM, TLOAD, TMOV_C2UB, TINSERT_V2L1 };

/// A flag from the core that produces to the core that consumes, and one back, which has the next number.
template <SyncOpType Producer, SyncOpType Consumer>
struct TSync_Custom {
    static constexpr bool is_from_cube = Producer == SyncOpType::TSTORE_C2GM || Producer == SyncOpType::TMOV_C2UB;
    static constexpr pipe_t producer = is_from_cube ? PIPE_FIX : PIPE_MTE3;
    static constexpr pipe_t consumer = PIPE_MTE2;

    std::uint16_t flag;

    /// The producer has written an entry.
    PTO_INST void record() const { detail::set_core_flag(producer, flag); }
    /// The consumer waits for an entry.
    PTO_INST void wait() const { detail::wait_core_flag(consumer, flag); }
    /// The producer waits until an entry is free.
    PTO_INST void allocate() const { detail::wait_core_flag(producer, flag + 1); }
    /// The consumer has read an entry.
    PTO_INST void free() const { detail::set_core_flag(consumer, flag + 1); }
};

} // namespace pto

using pto::_getFFTSMsg;

#endif
