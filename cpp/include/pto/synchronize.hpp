// Flags and barriers: an operation for each pipe or pair of pipes, in tables, since kernels often pass pipes on.
#ifndef PTO_SYNCHRONIZE_HPP
#define PTO_SYNCHRONIZE_HPP

#include "pto/call.hpp"

#include <cstddef>
#include <cstdint>

namespace pto {
namespace detail {

using Pipes = Choice<PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX, PIPE_ALL>;

/// The place of a pipe in `Pipes`.
constexpr std::size_t pipe_index(pipe_t pipe) {
    switch (static_cast<int>(pipe)) {
    case PIPE_FIX:
        return 6;
    case PIPE_ALL:
        return 7;
    default:
        return static_cast<std::size_t>(pipe) % 8;
    }
}

/// A form for each pair of pipes.
template <typename First, typename Second>
struct FlagForms;

template <auto... first, typename Second>
struct FlagForms<Choice<first...>, Second> {
    const pto_form *rows[sizeof...(first)];

    template <pipe_t source, bool sets>
    static constexpr Forms<Second, Index, Word<source>> row{
        sets ? "pto.set_flag_dyn[<@1>, <@2>, %0]" : "pto.wait_flag_dyn[<@1>, <@2>, %0]", 1};

    template <bool sets>
    static constexpr FlagForms all() {
        return {{row<first, sets>.list...}};
    }
};

template <bool sets>
inline constexpr auto flag_forms = FlagForms<Pipes, Pipes>::template all<sets>();

/// Sets a flag or waits for it.
template <bool sets>
PTO_INST void flag(pipe_t source, pipe_t destination, std::int64_t event) {
    call(flag_forms<sets>.rows[pipe_index(source)][pipe_index(destination)], Index{event});
}

inline constexpr Forms<Pipes> barrier_forms("pto.barrier <@0>", 0);

PTO_INST void barrier(pipe_t pipe) { call(barrier_forms.list[pipe_index(pipe)]); }

/// State of a core during a launch. Each core is a thread of its own.
struct CoreState {
    // Mode of each flag between cores: its participants. A wait does not name the mode. But in modes 0 and 1, a waiting
    // core has set the flag before; otherwise the flag is between the cores of a block.
    std::uint8_t flag_modes[16] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    // Event identifiers are handed out in turn for each pair of pipes.
    std::uint32_t next_event[8][8] = {};
};
inline thread_local CoreState core_state;

/// Participants of a flag between cores: all cores of a kind, the vector cores of a block, the cores of a block.
inline constexpr Forms<Pipes, Index> core_set_forms[] = {
    {"pto.sync.set <@1>, %0 {ffts_mode = 0 : i32}", 1},
    {"pto.sync.set <@1>, %0 {ffts_mode = 1 : i32}", 1},
    {"pto.sync.set <@1>, %0 {ffts_mode = 2 : i32}", 1},
};
inline constexpr Forms<Pipes, Index> core_wait_forms[] = {
    {"pto.sync.wait <@1>, %0 {ffts_mode = 0 : i32}", 1},
    {"pto.sync.wait <@1>, %0 {ffts_mode = 1 : i32}", 1},
    {"pto.sync.wait <@1>, %0 {ffts_mode = 2 : i32}", 1},
};
inline constexpr Forms<Pipes, Index> block_set_forms("pto.set_intra_block <@1>, %0", 1);
inline constexpr Forms<Pipes, Index> block_wait_forms("pto.wait_intra_block <@1>, %0", 1);

/// A flag between the cube core and the vector cores of a block.
PTO_INST void set_core_flag(pipe_t pipe, std::int64_t id) {
#ifdef PTO_TARGET_A5
    // A flag of its own for each vector core; a vector core has only the first one.
    call(block_set_forms.list[pipe_index(pipe)], Index{id});
#ifdef __DAV_CUBE__
    call(block_set_forms.list[pipe_index(pipe)], Index{id + 16});
#endif
#else
    call(core_set_forms[2].list[pipe_index(pipe)], Index{id});
#endif
}

PTO_INST void wait_core_flag(pipe_t pipe, std::int64_t id) {
#ifdef PTO_TARGET_A5
    call(block_wait_forms.list[pipe_index(pipe)], Index{id});
#ifdef __DAV_CUBE__
    call(block_wait_forms.list[pipe_index(pipe)], Index{id + 16});
#endif
#else
    call(core_wait_forms[2].list[pipe_index(pipe)], Index{id});
#endif
}

} // namespace detail
} // namespace pto

#endif
