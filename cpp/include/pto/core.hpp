// Free functions of a core, all in the global namespace: flags, barriers, facts of the launch, control registers.
#ifndef PTO_CORE_HPP
#define PTO_CORE_HPP

#include "pto/synchronize.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

// Flags and barriers within a core.

/// Sets a flag when `source` has ended its earlier instructions. An event is a number or an `event_t`.
PTO_INST void set_flag(pipe_t source, pipe_t destination, std::int64_t event) {
    pto::detail::flag<true>(source, destination, event);
}

/// Lets `destination` wait for a flag, and clears the flag.
PTO_INST void wait_flag(pipe_t source, pipe_t destination, std::int64_t event) {
    pto::detail::flag<false>(source, destination, event);
}

/// Waits until a pipe, or all pipes of the core, have finished their issued instructions.
PTO_INST void pipe_barrier(pipe_t pipe) { pto::detail::barrier(pipe); }

namespace pto {

/// Sets a flag and waits for it.
template <pipe_t Src, pipe_t Dst>
PTO_INST void PtoSetWaitFlag(event_t set = EVENT_ID0, event_t wait = EVENT_ID0) {
    detail::flag<true>(Src, Dst, set);
    detail::flag<false>(Src, Dst, wait);
}

} // namespace pto

// Memory.

/// Waits until writes are visible.
PTO_INST void dsb(pto_mem_dsb memory) {
    static constexpr pto_form forms[] = {
        pto::detail::form<>("pto.fence.barrier_all #pto.fence_scope<all>", 0),
        pto::detail::form<>("pto.fence.barrier_all #pto.fence_scope<gm>", 0),
        pto::detail::form<>("pto.fence.barrier_all #pto.fence_scope<local_memory>", 0),
    };
    pto::detail::call(forms[static_cast<unsigned>(memory) % 3]);
}

/// Writes back and forgets a line of the data cache, or all of it.
template <typename T>
PTO_INST void dcci(T *address, pto_cache_line line, dcci_dst_t = CACHELINE_ALL) {
    static constexpr pto_form one =
        pto::detail::form<const std::uint8_t *>("pto.cmo.cacheinvalid %0 single_cache_line : @0", 1);
    static constexpr pto_form all = pto::detail::form<>("pto.cmo.cacheinvalid all #pto.address_space<gm>", 0);
    if (line == SINGLE_CACHE_LINE) {
        pto::detail::call(one, reinterpret_cast<const std::uint8_t *>(address));
    } else {
        pto::detail::call(all);
    }
}

/// Reads and writes that bypass the data cache. Kernels use them to poll words that other cores change.
template <typename T>
PTO_INST T ld_dev(T *address, std::int64_t offset = 0) {
    return *const_cast<const volatile T *>(address + offset);
}
template <typename T, typename Value>
PTO_INST void st_dev(Value value, T *address, std::int64_t offset = 0) {
    *const_cast<volatile T *>(address + offset) = static_cast<T>(value);
}

/// Operation of an atomic store on the word in memory: addition. Words have the type of the store.
enum atomic_type_t { ATOMIC_NONE, ATOMIC_F32, ATOMIC_F16, ATOMIC_S16, ATOMIC_S32, ATOMIC_S8, ATOMIC_BF16 };
enum atomic_op_t { ATOMIC_SUM };
inline void set_st_atomic_cfg(atomic_type_t, atomic_op_t) {}

template <typename T>
PTO_INST void st_atomic(T value, T *address) {
    static_assert(std::is_integral_v<T>,
                  "st_atomic adds integers here: TSTORE with AtomicType::AtomicAdd adds floats");
    __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
}

// Facts of the launch.

PTO_INST std::int64_t get_block_idx() { return static_cast<std::int64_t>(pto_fact(PTO_BLOCK_INDEX)); }
PTO_INST std::int64_t get_block_num() { return static_cast<std::int64_t>(pto_fact(PTO_BLOCK_COUNT)); }
// Files of a public runtime define a macro of this name before they include headers, which must not apply here.
PTO_INST std::int64_t(get_subblockid)() { return static_cast<std::int64_t>(pto_fact(PTO_SUBBLOCK_INDEX)); }
PTO_INST std::int64_t get_subblockdim() { return static_cast<std::int64_t>(pto_fact(PTO_SUBBLOCK_COUNT)); }
PTO_INST std::int64_t get_coreid() { return static_cast<std::int64_t>(pto_fact(PTO_CORE_INDEX)); }

/// A number that rises with each call, and is the same in each run.
PTO_INST std::uint64_t get_sys_cnt() { return pto_fact(PTO_COUNTER); }

namespace pto {
namespace detail {

/// A fact that kernels read as if it were a variable.
template <std::uint32_t what>
struct Fact {
    operator std::int64_t() const { return static_cast<std::int64_t>(pto_fact(what)); }
};

} // namespace detail
} // namespace pto

// Objects, not macros: kernels have variables of these names.
inline constexpr pto::detail::Fact<PTO_BLOCK_INDEX> block_idx{};
inline constexpr pto::detail::Fact<PTO_BLOCK_COUNT> block_num{};

// Masks select elements of micro-instructions; tile instructions go by valid regions.

inline void set_mask_norm() {}
inline void set_mask_count() {}
inline void set_vector_mask(std::uint64_t, std::uint64_t) {}
template <typename Element>
void SetFullVecMaskByDType() {}
inline void set_atomic_none() {}
inline void preload(const void *, std::int64_t = 0) {}
inline std::uint64_t get_icache_prl_st() { return 0; }

// Flags between cores.

/// Flags between cores need no address here.
inline void set_ffts_base_addr(std::uint64_t) {}

/// Sets flags of other cores; `message` has the identifier in bits 8 to 11 and the mode in bits 4 and 5.
PTO_INST void ffts_cross_core_sync(pipe_t pipe, std::uint64_t message) {
    const std::uint64_t id = message >> 8 & 0xf;
    const std::uint64_t mode = (message >> 4 & 3) % 3;
    pto::detail::core_state.flag_modes[id] = static_cast<std::uint8_t>(mode);
    const auto &forms = pto::detail::core_set_forms[mode];
    pto::detail::call(forms.list[pto::detail::pipe_index(pipe)], pto::detail::Index{static_cast<std::int64_t>(id)});
}

/// Waits for a flag of other cores. The scalar unit waits, and with it all that the core does later.
PTO_INST void wait_flag_dev(std::int64_t id) {
    const auto &forms = pto::detail::core_wait_forms[pto::detail::core_state.flag_modes[id & 0xf]];
    pto::detail::call(forms.list[pto::detail::pipe_index(PIPE_S)], pto::detail::Index{id});
}

PTO_INST void set_intra_block(pipe_t pipe, std::int64_t id) {
    pto::detail::call(pto::detail::block_set_forms.list[pto::detail::pipe_index(pipe)], pto::detail::Index{id});
}
PTO_INST void wait_intra_block(pipe_t pipe, std::int64_t id) {
    pto::detail::call(pto::detail::block_wait_forms.list[pto::detail::pipe_index(pipe)], pto::detail::Index{id});
}

// Control register.

PTO_INST std::uint64_t get_ctrl() {
    static constexpr pto_form form = pto::detail::form<>("%result = pto.get_ctrl : i64", 0);
    return pto::detail::call_for<std::uint64_t>(form);
}
PTO_INST void set_ctrl(std::uint64_t value) {
    static constexpr pto_form form = pto::detail::form<pto::detail::Bits>("pto.set_ctrl %0 : @0", 1);
    pto::detail::call(form, pto::detail::Bits{value});
}
constexpr std::uint64_t sbitset0(std::uint64_t value, int bit) { return value & ~(std::uint64_t{1} << bit); }
constexpr std::uint64_t sbitset1(std::uint64_t value, int bit) { return value | std::uint64_t{1} << bit; }

// Numbers.

namespace pto {
namespace detail {

/// The arithmetic type of a number: of a 16-bit float, and of a fact of the launch, the type to which it converts.
template <typename T, bool is_arithmetic = std::is_arithmetic_v<T>>
struct Arithmetic {
    using Type = T;
};
template <typename T>
struct Arithmetic<T, false> {
    using Type = decltype(+std::declval<const T &>());
};

template <typename A, typename B>
using Common = std::enable_if_t<std::is_arithmetic_v<typename Arithmetic<A>::Type> &&
                                    std::is_arithmetic_v<typename Arithmetic<B>::Type>,
                                std::common_type_t<typename Arithmetic<A>::Type, typename Arithmetic<B>::Type>>;

} // namespace detail
} // namespace pto

/// The smaller of two numbers, which may have different types.
template <typename A, typename B>
constexpr pto::detail::Common<A, B> min(A a, B b) {
    using Common = pto::detail::Common<A, B>;
    return static_cast<Common>(a) < static_cast<Common>(b) ? static_cast<Common>(a) : static_cast<Common>(b);
}

/// The larger of two numbers, which may have different types.
template <typename A, typename B>
constexpr pto::detail::Common<A, B> max(A a, B b) {
    using Common = pto::detail::Common<A, B>;
    return static_cast<Common>(a) < static_cast<Common>(b) ? static_cast<Common>(b) : static_cast<Common>(a);
}

/// Returns the address of a tile's elements. Here `data()` already returns it.
template <typename T>
constexpr T __cce_get_tile_ptr(T pointer) {
    return pointer;
}

// Output. Cores of a launch run one at a time, so their lines do not mix.

namespace cce {
using std::printf;
} // namespace cce

// Assertions.

namespace pto {
namespace detail {

template <typename... Explanation>
void assert_that(const char *text, const char *file, int line, bool condition, const Explanation &...) {
    if (!condition) {
        std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, text);
        std::abort();
    }
}

} // namespace detail
} // namespace pto

#ifndef PTO_ASSERT
#define PTO_ASSERT(...) pto::detail::assert_that(#__VA_ARGS__, __FILE__, __LINE__, __VA_ARGS__)
#endif
#ifndef PTO_CPU_ASSERT
#define PTO_CPU_ASSERT(...) PTO_ASSERT(__VA_ARGS__)
#endif
#ifndef PTO_STATIC_ASSERT
#define PTO_STATIC_ASSERT(...) static_assert(__VA_ARGS__)
#endif

#endif
