// Pushes that convert: accumulators are cast or quantized, and lose their negative values, on their way into a queue.
#ifndef PTO_QUEUE_CONVERT_HPP
#define PTO_QUEUE_CONVERT_HPP

#include "pto/queue.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace pto {

/// Conversion of an accumulator by a push.
template <LayoutMode_t layoutMode = LayoutMode_t::NZ2ND, QuantMode_t quantMode = QuantMode_t::NoQuant,
          ReluPreMode reluMode = ReluPreMode::NoRelu, STPhase phase = STPhase::Unspecified, std::uint8_t subBlockId = 0,
          AtomicType atomicT = AtomicType::AtomicNone, ClipReluMode_t clipReluMode = ClipReluMode_t::NOCLIP_RELU,
          bool isChannelSplit = false>
struct FixpipeParams {
    static constexpr LayoutMode_t LayoutMode = layoutMode;
    static constexpr QuantMode_t QuantPre = quantMode;
    static constexpr ReluPreMode ReluMode = reluMode;
    static constexpr STPhase Phase = phase;
    static constexpr std::uint8_t SubBlockId = subBlockId;
    static constexpr AtomicType AtomicT = atomicT;
    static constexpr ClipReluMode_t ClipReluMode = clipReluMode;
    static constexpr bool IsChannelSplit = isChannelSplit;
};

namespace detail {

/// The quantization parameters of a core, for the pushes that follow.
struct Quantization {
    /// A scale, with bit 46 for entries with a sign of 8 bits.
    std::uint64_t scalar = 0;
    /// The tile with a parameter for each column.
    pto_tile columns = {};
};
inline thread_local Quantization quantization;

inline constexpr std::uint64_t sign_of_bytes = std::uint64_t{1} << 46;

/// The source of the parameters of a mode.
enum class By { Nothing, Scalar, Columns };

constexpr By parameters_of(QuantMode_t mode) {
    switch (mode) {
    case QuantMode_t::NoQuant:
    case QuantMode_t::F322F16:
    case QuantMode_t::F322BF16:
        return By::Nothing;
    case QuantMode_t::VDEQF16:
    case QuantMode_t::VREQ8:
    case QuantMode_t::VQF322B8_PRE:
    case QuantMode_t::VQS322BF16_PRE:
        return By::Columns;
    default:
        return By::Scalar;
    }
}

template <typename T>
struct Type {
    using type = T;
};

/// The elements of an entry that a mode makes of those of an accumulator.
template <QuantMode_t mode, typename From>
constexpr auto converted() {
    if constexpr (mode == QuantMode_t::NoQuant) {
        return Type<From>{};
    } else if constexpr (mode == QuantMode_t::F322F16 || mode == QuantMode_t::DEQF16 || mode == QuantMode_t::VDEQF16 ||
                         mode == QuantMode_t::QF322F16_PRE) {
        return Type<half>{};
    } else if constexpr (mode == QuantMode_t::F322BF16 || mode == QuantMode_t::QF322BF16_PRE ||
                         mode == QuantMode_t::QS322BF16_PRE || mode == QuantMode_t::VQS322BF16_PRE) {
        return Type<bfloat16_t>{};
    } else if constexpr (mode == QuantMode_t::QF322HIF8_PRE) {
        return Type<hifloat8_t>{};
    } else if constexpr (mode == QuantMode_t::QF322FP8_PRE) {
        return Type<float8_e4m3_t>{};
    } else {
        return Type<std::int8_t>{};
    }
}

template <typename T, typename = void>
inline constexpr bool is_conversion_v = false;
template <typename T>
inline constexpr bool is_conversion_v<T, std::void_t<decltype(T::QuantPre)>> = true;

} // namespace detail

/// Sets the scale of the pushes that follow, whose entries have these elements.
template <typename OutType, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> SET_QUANT_SCALAR(float preQuantScalar, WaitEvents &...events) {
    detail::wait(events...);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &preQuantScalar, sizeof bits);
    detail::quantization.scalar = bits | (std::is_same_v<OutType, std::int8_t> ? detail::sign_of_bytes : 0);
    return {};
}

/// Sets the parameters of the columns of the pushes that follow.
template <typename FpTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> SET_QUANT_VECTOR(FpTile &fp, WaitEvents &...events) {
    static_assert(FpTile::Loc == TileType::Scaling, "the parameters of columns are in a tile of the location Scaling");
    static_assert(sizeof(typename FpTile::DType) == 8, "a parameter of a column has 64 bits");
    detail::wait(events...);
    detail::quantization.columns = fp.state();
    return {};
}

/// Puts an accumulator into the next slot of a queue, converted.
template <typename Pipe, typename TileProd, typename Config, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::is_split_queue_v<Pipe> && detail::is_conversion_v<Config>, WaitEvents...>
TPUSH(Pipe &pipe, TileProd &tile, WaitEvents &...events) {
    static_assert(TileProd::Loc == TileType::Acc, "the cube core converts accumulators that it pushes");
    static_assert(Config::LayoutMode == LayoutMode_t::NZ2ND,
                  "entries of a queue are in rows (NZ2ND): a tile takes its own layout when it is popped");
    static_assert(Config::ClipReluMode == ClipReluMode_t::NOCLIP_RELU && !Config::IsChannelSplit,
                  "the tile ISA has no bounded ReLU and no split of channels on the way into a queue");
    static_assert(Config::SubBlockId == 0, "an entry that is converted is not split: it is that of vector core 0");
    using From = typename TileProd::DType;
    using To = typename decltype(detail::converted<Config::QuantPre, From>())::type;
    constexpr detail::Conversion<Config::Phase, Config::AtomicT, Config::ReluMode> conversion;
    constexpr detail::By by = detail::parameters_of(Config::QuantPre);
    detail::wait(events...);
    if constexpr (by == detail::By::Nothing) {
        pipe.template push<To, TILE_NO_SPLIT>(conversion, tile);
    } else if constexpr (by == detail::By::Columns) {
        Tile<TileType::Scaling, std::uint64_t, 1, TileProd::Cols> columns;
        columns.rename(detail::quantization.columns);
        pipe.template push<To, TILE_NO_SPLIT>(conversion, tile, columns);
    } else {
        detail::Bits scalar{detail::quantization.scalar};
        if constexpr (std::is_same_v<To, std::int8_t>) {
            if ((scalar.value & detail::sign_of_bytes) == 0) {
                pipe.template push<std::uint8_t, TILE_NO_SPLIT>(conversion, tile, scalar);
                return {};
            }
        }
        pipe.template push<To, TILE_NO_SPLIT>(conversion, tile, scalar);
    }
    return {};
}

} // namespace pto

#endif
