// Number formats of elements that C++ has no type for: literal types of the size that they have on a device. Conversions
// round once, to nearest, ties to even, at compile time as at run time.
#ifndef PTO_FORMATS_HPP
#define PTO_FORMATS_HPP

#include "pto/codecs.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace pto {
namespace detail {

/// A float that is stored in this codec. It computes as float does: operators take the value, and an assignment rounds it.
template <typename Codec, typename Storage>
struct SmallFloat {
    /// The bits of the format; left out of the constructor without arguments, so that arrays cost nothing.
    Storage bits;

    SmallFloat() = default;

    template <typename Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
    constexpr SmallFloat(Number value) : bits(static_cast<Storage>(encode(value))) {}

    constexpr operator float() const { return static_cast<float>(Codec::decode(bits)); }

    template <typename Number>
    static constexpr std::uint32_t encode(Number value) {
        if constexpr (std::is_integral_v<Number>) {
            return Codec::encode(unrounded_integer(value));
        } else {
            return Codec::encode(unrounded(static_cast<double>(value)));
        }
    }
};

/// Compound assignment, which rounds the result in float once more. For two formats of at most 11 binary digits that
/// is the correctly rounded result.
template <typename Self>
struct Assigning {
    template <typename Number>
    constexpr Self &operator+=(Number value) { return assign(as_float() + static_cast<float>(value)); }
    template <typename Number>
    constexpr Self &operator-=(Number value) { return assign(as_float() - static_cast<float>(value)); }
    template <typename Number>
    constexpr Self &operator*=(Number value) { return assign(as_float() * static_cast<float>(value)); }
    template <typename Number>
    constexpr Self &operator/=(Number value) { return assign(as_float() / static_cast<float>(value)); }
    constexpr Self &operator++() { return assign(as_float() + 1.0f); }
    constexpr Self &operator--() { return assign(as_float() - 1.0f); }

  private:
    constexpr float as_float() const { return static_cast<float>(static_cast<const Self &>(*this)); }
    constexpr Self &assign(float value) { return static_cast<Self &>(*this) = Self(value); }
};

} // namespace detail
} // namespace pto

/// 16-bit float of IEEE 754.
struct half : pto::detail::SmallFloat<pto::detail::HalfCodec, std::uint16_t>, pto::detail::Assigning<half> {
    using SmallFloat::SmallFloat;
    half() = default;
};

/// The upper half of a 32-bit float.
struct bfloat16_t : pto::detail::SmallFloat<pto::detail::BFloat16Codec, std::uint16_t>, pto::detail::Assigning<bfloat16_t> {
    using SmallFloat::SmallFloat;
    bfloat16_t() = default;
};

/// 8-bit float with 4 bits of exponent and no infinity.
struct float8_e4m3_t : pto::detail::SmallFloat<pto::detail::E4M3Codec, std::uint8_t> {
    using SmallFloat::SmallFloat;
    float8_e4m3_t() = default;
};

/// 8-bit float with 5 bits of exponent.
struct float8_e5m2_t : pto::detail::SmallFloat<pto::detail::E5M2Codec, std::uint8_t> {
    using SmallFloat::SmallFloat;
    float8_e5m2_t() = default;
};

/// 8-bit power of two, the scale of an MX block.
struct float8_e8m0_t : pto::detail::SmallFloat<pto::detail::PowerCodec, std::uint8_t> {
    using SmallFloat::SmallFloat;
    float8_e8m0_t() = default;
};

/// 8-bit float whose exponent field has a variable width.
struct hifloat8_t : pto::detail::SmallFloat<pto::detail::HiFloat8Codec, std::uint8_t> {
    using SmallFloat::SmallFloat;
    hifloat8_t() = default;
};

namespace pto {
namespace detail {

/// Two 4-bit floats in a byte; the first one is in the low bits.
template <typename Codec>
struct FloatPair {
    std::uint8_t bits;

    FloatPair() = default;
    constexpr FloatPair(float first, float second)
        : bits(static_cast<std::uint8_t>(Codec::encode(unrounded(first)) | Codec::encode(unrounded(second)) << 4)) {}

    constexpr float first() const { return static_cast<float>(Codec::decode(bits & 0xf)); }
    constexpr float second() const { return static_cast<float>(Codec::decode(bits >> 4)); }
};

} // namespace detail
} // namespace pto

/// Two 4-bit floats with 2 bits of exponent.
struct float4_e2m1x2_t : pto::detail::FloatPair<pto::detail::E2M1Codec> {
    using FloatPair::FloatPair;
    float4_e2m1x2_t() = default;
};

/// Two 4-bit floats with 1 bit of exponent.
struct float4_e1m2x2_t : pto::detail::FloatPair<pto::detail::E1M2Codec> {
    using FloatPair::FloatPair;
    float4_e1m2x2_t() = default;
};

namespace pto {

/// Two 4-bit signed integers in a byte; the first one is in the low bits.
struct int4b_t {
    std::uint8_t bits;

    int4b_t() = default;
    constexpr int4b_t(int first, int second) : bits(static_cast<std::uint8_t>((first & 0xf) | (second & 0xf) << 4)) {}

    constexpr int first() const { return extended(bits & 0xf); }
    constexpr int second() const { return extended(bits >> 4); }

  private:
    static constexpr int extended(int value) { return value < 8 ? value : value - 16; }
};

namespace detail {

/// `std::numeric_limits` of a format, from its codec.
template <typename Format, typename Codec>
struct Limits {
    static constexpr bool is_specialized = true;
    static constexpr bool is_signed = Codec::sign != 0;
    static constexpr bool is_integer = false;
    static constexpr bool is_exact = false;
    static constexpr bool has_infinity = Codec::infinity != Codec::nan;
    static constexpr bool has_quiet_NaN = Codec::nan != 0;
    static constexpr int radix = 2;
    static constexpr int digits = Codec::digits;
    static constexpr Format of(std::uint32_t bits) {
        Format value(0);
        value.bits = static_cast<decltype(value.bits)>(bits);
        return value;
    }
    static constexpr Format max() noexcept { return of(Codec::max); }
    static constexpr Format lowest() noexcept { return of(Codec::max | Codec::sign); }
    static constexpr Format min() noexcept { return of(Codec::least_normal); }
    static constexpr Format infinity() noexcept { return of(Codec::infinity); }
    static constexpr Format quiet_NaN() noexcept { return of(Codec::nan); }
};

} // namespace detail
} // namespace pto

template <>
struct std::numeric_limits<half> : pto::detail::Limits<half, pto::detail::HalfCodec> {};
template <>
struct std::numeric_limits<bfloat16_t> : pto::detail::Limits<bfloat16_t, pto::detail::BFloat16Codec> {};
template <>
struct std::numeric_limits<float8_e4m3_t> : pto::detail::Limits<float8_e4m3_t, pto::detail::E4M3Codec> {};
template <>
struct std::numeric_limits<float8_e5m2_t> : pto::detail::Limits<float8_e5m2_t, pto::detail::E5M2Codec> {};
template <>
struct std::numeric_limits<hifloat8_t> : pto::detail::Limits<hifloat8_t, pto::detail::HiFloat8Codec> {};

#endif
