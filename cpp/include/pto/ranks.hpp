// Ranks: devices whose launches run at the same time, each driven by a host thread of its own.
#ifndef PTO_RANKS_HPP
#define PTO_RANKS_HPP

#include "pto/keywords.hpp"
#include "pto/pto.h"

#include <cstdint>
#include <type_traits>

namespace pto {

/// Calls `run(rank)` for each of `count` ranks, on a thread of its own: it launches the kernels of that rank, and may pass
/// them pointers into the memory of any other one. A launch that waits for a signal lets the other ranks go on. Returns 0,
/// or 1 if a finding stopped a launch.
template <typename Run>
inline int run_ranks(std::uint32_t count, Run &&run) {
    using Function = std::remove_reference_t<Run>;
    const auto enter = [](void *closure, std::uint32_t rank) { (*static_cast<Function *>(closure))(rank); };
    return pto_ranks(count, enter, const_cast<void *>(static_cast<const void *>(&run)));
}

/// Waits on the thread of a rank until all ranks have called it. All earlier launches of all ranks happen before all
/// later ones.
inline void meet_ranks() { pto_meet(); }

} // namespace pto

#endif
