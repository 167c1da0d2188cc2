// Events: the order of two classes of instructions, and the results of intrinsics.
#ifndef PTO_EVENT_HPP
#define PTO_EVENT_HPP

#include "pto/ops.hpp"
#include "pto/synchronize.hpp"
#include "pto/tile.hpp"

#include <cstdint>
#include <type_traits>

namespace pto {

/// Result of an intrinsic. Assigned to an event, it records that event after the instruction.
struct RecordEvent {};

namespace detail {

struct EventTag {};
struct ConvTileTag {};

/// The next event identifier of a pair of pipes.
inline std::uint32_t next_event(pipe_t source, pipe_t destination) {
    return core_state.next_event[pipe_index(source)][pipe_index(destination)]++ % 8;
}

} // namespace detail

/// Orders instructions of class `Dst` after those of class `Src`: by a flag between their pipes, or by a barrier if
/// they share one pipe.
template <Op Src, Op Dst, bool AutoToken = true, event_t Id = EVENT_ID0>
struct Event : detail::EventTag {
    static constexpr pipe_t source = detail::pipe_of(Src);
    static constexpr pipe_t destination = detail::pipe_of(Dst);

    Event() : token(AutoToken ? detail::next_event(source, destination) : static_cast<std::uint32_t>(Id)) {}
    PTO_INST Event(RecordEvent) : Event() { Record(); }
    PTO_INST Event &operator=(RecordEvent) {
        Record();
        return *this;
    }

    /// The identifier of the flag.
    std::uint32_t token;

    // Where a compiler schedules, it also orders.
#ifdef __PTO_AUTO__
    void Record() {}
    void Wait() {}
#else
    PTO_INST void Record() {
        if constexpr (source != destination) {
            detail::flag<true>(source, destination, token);
        }
    }
    PTO_INST void Wait() {
        if constexpr (source != destination) {
            detail::flag<false>(source, destination, token);
        } else {
            detail::barrier(source);
        }
    }
#endif

    /// Sets the flag, or waits for it, between the cores of a block.
    template <int CrossCoreId>
    PTO_INST void Record() {
        detail::set_core_flag(source, CrossCoreId);
    }
    template <int CrossCoreId>
    PTO_INST void Wait() {
        detail::wait_core_flag(destination, CrossCoreId);
    }

    /// Flags between cores need no address here.
    void InitAddr(std::uint64_t) {}
};

/// Whether a type is a convolution tile.
template <typename T>
inline constexpr bool is_conv_tile_v = std::is_base_of_v<detail::ConvTileTag, std::remove_cv_t<T>>;

/// Whether all types are events.
template <typename... Events>
inline constexpr bool all_events_v = ((std::is_base_of_v<detail::EventTag, Events> ||
                                       std::is_same_v<RecordEvent, std::remove_cv_t<Events>>)&&...);

namespace detail {

template <typename... Tiles>
inline constexpr bool are_tiles_v = ((is_tile_data_v<Tiles> || is_conv_tile_v<Tiles>)&&...);

/// The result of an intrinsic, if the arguments after its operands are events.
template <typename... Events>
using Record = std::enable_if_t<all_events_v<Events...>, RecordEvent>;

/// The result of an intrinsic under an additional condition, which selects an overload.
template <bool condition, typename... Events>
using RecordIf = std::enable_if_t<condition && all_events_v<Events...>, RecordEvent>;

// A record names no other instruction: all pipes wait.
PTO_INST void wait_one(RecordEvent &) {
#ifndef __PTO_AUTO__
    barrier(PIPE_ALL);
#endif
}
template <typename Event>
PTO_INST void wait_one(Event &event) {
    event.Wait();
}

/// Waits for the events that are given to an intrinsic.
template <typename... Events>
PTO_INST void wait(Events &...events) {
    (wait_one(events), ...);
}

} // namespace detail

/// Waits for events.
template <typename... Events>
PTO_INST std::enable_if_t<(sizeof...(Events) > 0) && all_events_v<Events...>> TSYNC(Events &...events) {
    detail::wait(events...);
}

/// Waits until all pipes have finished their issued instructions.
PTO_INST void TSYNC() {
#ifndef __PTO_AUTO__
    detail::barrier(PIPE_ALL);
#endif
}

/// Waits until the pipe of a class of instructions has finished its issued instructions.
template <Op op>
PTO_INST void TSYNC() {
#ifndef __PTO_AUTO__
    detail::barrier(detail::pipe_of(op));
#endif
}

} // namespace pto

#endif
