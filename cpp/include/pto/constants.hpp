// Named numbers of PTO kernels, and the makers of padding values.
#ifndef PTO_CONSTANTS_HPP
#define PTO_CONSTANTS_HPP

#include "pto/enumerations.hpp"
#include "pto/formats.hpp"

#include <cstddef>
#include <cstdint>

namespace pto {

/// An extent or a stride that is known at run time.
inline constexpr int DYNAMIC = -1;

namespace GlobalTensorDim {
inline constexpr int DIM_0 = 0;
inline constexpr int DIM_1 = 1;
inline constexpr int DIM_2 = 2;
inline constexpr int DIM_3 = 3;
inline constexpr int DIM_4 = 4;
inline constexpr int TOTAL_DIM = 5;
} // namespace GlobalTensorDim

namespace TileConfig {
inline constexpr int alignedSize = 32;
inline constexpr int fixedRowSize = 16;
inline constexpr int fixedColSize = 16;
inline constexpr int fixedMxRowSize = 16;
inline constexpr int fixedMxColSize = 2;
inline constexpr int fractalABSize = 512;
inline constexpr int fractalCSize = 1024;
inline constexpr int fractalMxSize = 32;
} // namespace TileConfig

inline constexpr int BLOCK_BYTE_SIZE = 32;
inline constexpr int C0_SIZE_BYTE = 32;
inline constexpr int FRACTAL_NZ_ROW = 16;
inline constexpr int CUBE_BLOCK_SIZE = 512;
inline constexpr int REPEAT_BYTE = 256;
inline constexpr int REPEAT_MAX = 255;
inline constexpr int BLOCK_MAX_PER_REPEAT = 8;
inline constexpr int TMP_UB_SIZE = 8192;
inline constexpr int TMP_UB_OFFSET = 188416;
inline constexpr int ACC_C0_SIZE = 16;
inline constexpr int MX_COL_LEN = 2;
inline constexpr int MX_ROW_LEN = 16;
inline constexpr int MX_BLOCK_SIZE = 32;
inline constexpr int SYNCALL_SOFT_WORKSPACE_INT32 = 16;
inline constexpr int EVENT_ID_MAX = 8;
inline constexpr int MAD_MODE_BIT = 46;
inline constexpr int MAD_ROUND_MODE_BIT = 47;
inline constexpr float F16_MAX = 65504.0f;

inline constexpr int NUM_1 = 1;
inline constexpr int NUM_2 = 2;
inline constexpr int NUM_4 = 4;
inline constexpr int NUM_8 = 8;
inline constexpr int NUM_16 = 16;
inline constexpr int NUM_32 = 32;
inline constexpr int NUM_64 = 64;
inline constexpr int NUM_128 = 128;
inline constexpr int NUM_256 = 256;
inline constexpr int NUM_512 = 512;

namespace detail {

// A custom padding value holds the bits of the element in its low 32 bits.
constexpr PadValue custom_pad(std::uint32_t bits) {
    return static_cast<PadValue>(static_cast<std::uint64_t>(PadValue::CustomBase) | bits);
}

} // namespace detail

constexpr PadValue PadValueCustom(float value) { return detail::custom_pad(__builtin_bit_cast(std::uint32_t, value)); }
constexpr PadValue PadValueCustom(half value) { return detail::custom_pad(value.bits); }
constexpr PadValue PadValueCustom(bfloat16_t value) { return detail::custom_pad(value.bits); }
constexpr PadValue PadValueCustom(std::int8_t value) { return detail::custom_pad(static_cast<std::uint8_t>(value)); }
constexpr PadValue PadValueCustom(std::uint8_t value) { return detail::custom_pad(value); }
constexpr PadValue PadValueCustom(std::int16_t value) { return detail::custom_pad(static_cast<std::uint16_t>(value)); }
constexpr PadValue PadValueCustom(std::uint16_t value) { return detail::custom_pad(value); }
constexpr PadValue PadValueCustom(std::int32_t value) { return detail::custom_pad(static_cast<std::uint32_t>(value)); }
constexpr PadValue PadValueCustom(std::uint32_t value) { return detail::custom_pad(value); }

/// The padding value with these bits of a 16-bit element.
constexpr PadValue PadValueCustom16(std::uint16_t bits) { return detail::custom_pad(bits); }

/// The padding value of a constant.
template <auto value>
inline constexpr PadValue PadCustom = PadValueCustom(value);

} // namespace pto

#endif
