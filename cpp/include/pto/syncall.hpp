// SYNCALL: a barrier of all cores. In automatic mode a compiler synchronizes, and it does nothing.
#ifndef PTO_SYNCALL_HPP
#define PTO_SYNCALL_HPP

#include "pto/event.hpp"
#include "pto/tensor.hpp"

#include <cstdint>

namespace pto {
namespace detail {

/// The barrier with a counter in global memory. Workspaces in buffers of the core are the device's and change nothing.
template <SyncCoreType cores, typename Global>
PTO_INST void soft_barrier(Global &workspace, std::int32_t used) {
    static constexpr pto_form all = form<Global, Word<cores>>(
        "pto.syncall(%0 : @0) mode = #pto.sync_all_mode<soft>, core_type = #pto.sync_core_type<@1>", 1);
    static constexpr pto_form some = form<Global, std::int32_t, Word<cores>>(
        "pto.syncall(%0, %1 : @0, @1) mode = #pto.sync_all_mode<soft>, core_type = #pto.sync_core_type<@2>", 2);
    if (used == 0) {
        call(all, workspace);
    } else {
        call(some, workspace, used);
    }
}

} // namespace detail

#ifndef __PTO_AUTO__

/// A barrier of all cores of a kind.
template <SyncCoreType CoreType = SyncCoreType::AIVOnly>
PTO_INST void SYNCALL() {
    static constexpr pto_form form = detail::form<detail::Word<CoreType>>(
        "pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<@0>", 0);
    detail::call(form);
}

/// A barrier of cores of a kind by a counter in global memory.
template <SyncAllMode Mode, SyncCoreType CoreType = SyncCoreType::AIVOnly, typename Global>
PTO_INST std::enable_if_t<is_global_data_v<Global>> SYNCALL(Global &workspace, std::int32_t usedCores = 0) {
    detail::soft_barrier<CoreType>(workspace, usedCores);
}

/// A barrier like the overload above, with a workspace on the core, which changes nothing. A tile in UB selects vector
/// cores, one in L1 cube cores.
template <SyncAllMode Mode, SyncCoreType CoreType = SyncCoreType::AIVOnly, typename Global, typename Tile>
PTO_INST std::enable_if_t<is_global_data_v<Global> && is_tile_data_v<Tile>> SYNCALL(Global &workspace, Tile &,
                                                                                    std::int32_t usedCores = 0) {
    constexpr bool is_default = CoreType == SyncCoreType::AIVOnly && Tile::Loc == TileType::Mat;
    detail::soft_barrier<is_default ? SyncCoreType::AICOnly : CoreType>(workspace, usedCores);
}

/// A barrier of cores of both kinds.
template <SyncAllMode Mode, SyncCoreType CoreType = SyncCoreType::Mix, typename Global, typename VecTile,
          typename MatTile>
PTO_INST std::enable_if_t<is_global_data_v<Global> && is_tile_data_v<MatTile>>
SYNCALL(Global &workspace, VecTile &, MatTile &, std::int32_t usedCores = 0) {
    detail::soft_barrier<CoreType>(workspace, usedCores);
}

#else

template <SyncCoreType CoreType = SyncCoreType::AIVOnly>
PTO_INST void SYNCALL() {}
template <SyncAllMode Mode, SyncCoreType CoreType = SyncCoreType::AIVOnly, typename... Workspaces>
PTO_INST void SYNCALL(Workspaces &&...) {}

#endif

} // namespace pto

#endif
