// Communication between ranks, each of which is a device: transfers into and out of the memory of others, and signals.
#ifndef PTO_COMMUNICATION_HPP
#define PTO_COMMUNICATION_HPP

#include "pto/event.hpp"
#include "pto/tensor.hpp"

#include <cstdint>

namespace pto {
namespace comm {

/// A signal: one 32-bit integer in global memory.
using Signal = GlobalTensor<std::int32_t, Shape<1, 1, 1, 1, 1>, Stride<1, 1, 1, 1, 1>, Layout::ND>;

/// A matrix of signals: all of it, or a part of a wider one.
template <int Rows, int Cols>
struct Signal2D : GlobalTensor<std::int32_t, Shape<1, 1, 1, Rows, Cols>, Stride<1, 1, 1, DYNAMIC, 1>, Layout::ND> {
    using Extents = Shape<1, 1, 1, Rows, Cols>;
    using Steps = Stride<1, 1, 1, DYNAMIC, 1>;
    using Base = GlobalTensor<std::int32_t, Extents, Steps, Layout::ND>;

    explicit Signal2D(std::int32_t *data, int row_stride = Cols) : Base(data, Extents(), Steps(row_stride)) {}
};

} // namespace comm

namespace detail {

using NotifyOps = Choice<comm::NotifyOp::AtomicAdd, comm::NotifyOp::Set>;
using WaitCmps = Choice<comm::WaitCmp::EQ, comm::WaitCmp::NE, comm::WaitCmp::GT, comm::WaitCmp::GE, comm::WaitCmp::LT,
                        comm::WaitCmp::LE>;
using AtomicTypes = Choice<AtomicType::AtomicNone, AtomicType::AtomicAdd>;

// Transfers differ in direction alone: the text of the operation is an argument.

template <typename Name, typename Dst, typename Src, typename Stage>
PTO_INST void transfer(AtomicType atomic, Dst &dst, Src &src, Stage &stage) {
    static constexpr Forms<AtomicTypes, Dst, Src, Stage> forms(Name::one, 3);
    call(forms[atomic], dst, src, stage);
}

template <typename Name, typename Dst, typename Src, typename Stage>
PTO_INST void transfer(AtomicType atomic, Dst &dst, Src &src, Stage &ping, Stage &pong) {
    static constexpr Forms<AtomicTypes, Dst, Src, Stage, Stage> forms(Name::two, 4);
    call(forms[atomic], dst, src, ping, pong);
}

struct Put {
    static constexpr const char *one =
        "pto.comm.tput(%0, %1, buf(%2) : @0, @1, @2) {atomicType = #pto<atomic_type @3>}";
    static constexpr const char *two =
        "pto.comm.tput(%0, %1, buf(%2, %3) : @0, @1, @2, @3) {atomicType = #pto<atomic_type @4>}";
};

struct Get {
    // A get has no mode: the word of the choice stands nowhere.
    static constexpr const char *one = "pto.comm.tget(%0, %1, buf(%2) : @0, @1, @2)";
    static constexpr const char *two = "pto.comm.tget(%0, %1, buf(%2, %3) : @0, @1, @2, @3)";
};

} // namespace detail

namespace comm {

/// Writes a tensor to the memory of another rank, through a tile.
template <AtomicType Atomic = AtomicType::AtomicNone, typename Dst, typename Src, typename Stage,
          typename... WaitEvents>
PTO_INST pto::detail::RecordIf<is_tile_data_v<Stage>, WaitEvents...> TPUT(Dst &dst, Src &src, Stage &stage,
                                                                          WaitEvents &...events) {
    pto::detail::wait(events...);
    pto::detail::transfer<pto::detail::Put>(Atomic, dst, src, stage);
    return {};
}

/// Transfers like the overload above, alternately through two tiles.
template <AtomicType Atomic = AtomicType::AtomicNone, typename Dst, typename Src, typename Stage,
          typename... WaitEvents>
PTO_INST pto::detail::RecordIf<is_tile_data_v<Stage>, WaitEvents...> TPUT(Dst &dst, Src &src, Stage &ping, Stage &pong,
                                                                          WaitEvents &...events) {
    pto::detail::wait(events...);
    pto::detail::transfer<pto::detail::Put>(Atomic, dst, src, ping, pong);
    return {};
}

/// Transfers like the overload above, with a mode that is given at run time.
template <typename Dst, typename Src, typename Stage, typename... WaitEvents>
PTO_INST pto::detail::RecordIf<is_tile_data_v<Stage>, WaitEvents...>
TPUT(Dst &dst, Src &src, Stage &stage, AtomicType atomic, WaitEvents &...events) {
    pto::detail::wait(events...);
    pto::detail::transfer<pto::detail::Put>(atomic, dst, src, stage);
    return {};
}

/// Reads a tensor from the memory of another rank, through a tile.
template <typename Dst, typename Src, typename Stage, typename... WaitEvents>
PTO_INST pto::detail::RecordIf<is_tile_data_v<Stage>, WaitEvents...> TGET(Dst &dst, Src &src, Stage &stage,
                                                                          WaitEvents &...events) {
    pto::detail::wait(events...);
    pto::detail::transfer<pto::detail::Get>(AtomicType::AtomicNone, dst, src, stage);
    return {};
}

/// Transfers like the overload above, alternately through two tiles.
template <typename Dst, typename Src, typename Stage, typename... WaitEvents>
PTO_INST pto::detail::RecordIf<is_tile_data_v<Stage>, WaitEvents...> TGET(Dst &dst, Src &src, Stage &ping, Stage &pong,
                                                                          WaitEvents &...events) {
    pto::detail::wait(events...);
    pto::detail::transfer<pto::detail::Get>(AtomicType::AtomicNone, dst, src, ping, pong);
    return {};
}

/// Sets a signal, or adds to it, after everything that was issued before.
template <typename Signals, typename... WaitEvents>
PTO_INST std::enable_if_t<all_events_v<WaitEvents...>> TNOTIFY(Signals &signal, std::int32_t value, NotifyOp op,
                                                               WaitEvents &...events) {
    static constexpr pto::detail::Forms<pto::detail::NotifyOps, Signals, std::int32_t> forms(
        "pto.comm.tnotify(%0, %1 : @0, @1) {notifyOp = #pto<notify_op @2>}", 2);
    pto::detail::wait(events...);
    pto::detail::call(forms[op], signal, value);
}

/// Waits until all signals of a tensor compare so with a value.
template <typename Signals, typename... WaitEvents>
PTO_INST std::enable_if_t<all_events_v<WaitEvents...>> TWAIT(Signals &signal, std::int32_t value, WaitCmp cmp,
                                                             WaitEvents &...events) {
    static constexpr pto::detail::Forms<pto::detail::WaitCmps, Signals, std::int32_t> forms(
        "pto.comm.twait(%0, %1 : @0, @1) {cmp = #pto<wait_cmp @2>}", 2);
    pto::detail::wait(events...);
    pto::detail::call(forms[cmp], signal, value);
}

/// Whether all signals of a tensor compare so with a value.
template <typename Signals, typename... WaitEvents>
PTO_INST std::enable_if_t<all_events_v<WaitEvents...>, bool> TTEST(Signals &signal, std::int32_t value, WaitCmp cmp,
                                                                   WaitEvents &...events) {
    static constexpr pto::detail::Forms<pto::detail::WaitCmps, Signals, std::int32_t> forms(
        "%result = pto.comm.ttest(%0, %1 : @0, @1) {cmp = #pto<wait_cmp @2>} -> i1", 2);
    pto::detail::wait(events...);
    return pto::detail::call_for<bool>(forms[cmp], signal, value);
}

} // namespace comm
} // namespace pto

#endif
