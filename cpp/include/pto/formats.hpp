// Number formats of elements that C++ has no type for: literal types of the size that they have on a device. Conversions
// round once, to nearest, ties to even, at compile time as at run time.
#ifndef PTO_FORMATS_HPP
#define PTO_FORMATS_HPP

#include <cstdint>
#include <limits>
#include <type_traits>

namespace pto {
namespace detail {

/// A number before it is rounded into a format: (-1)^negative * significand * 2^exponent.
struct Unrounded {
    bool negative = false;
    bool is_nan = false;
    bool is_infinite = false;
    std::uint64_t significand = 0;
    int exponent = 0;
};

constexpr Unrounded unrounded(double value) {
    const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, value);
    const int field = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & 0xfffffffffffff;
    Unrounded result;
    result.negative = bits >> 63 != 0;
    result.is_nan = field == 0x7ff && fraction != 0;
    result.is_infinite = field == 0x7ff && fraction == 0;
    result.significand = field == 0 ? fraction : fraction | std::uint64_t{1} << 52;
    result.exponent = (field == 0 ? 1 : field) - 1075;
    return result;
}

// An integer of 64 bits has more digits than a double: it must not be rounded to a double first.
template <typename Integer>
constexpr Unrounded unrounded_integer(Integer value) {
    Unrounded result;
    result.negative = value < Integer{0};
    const auto bits = static_cast<std::uint64_t>(value);
    result.significand = result.negative ? std::uint64_t{0} - bits : bits;
    return result;
}

/// `value / 2^shift`, rounded to nearest, ties to even.
constexpr std::uint64_t shifted(std::uint64_t value, int shift) {
    if (shift <= 0) {
        return value << -shift;
    }
    if (shift > 64) {
        return 0;
    }
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const std::uint64_t whole = shift == 64 ? 0 : value >> shift;
    const std::uint64_t rest = shift == 64 ? value : value & (half * 2 - 1);
    const bool up = rest > half || (rest == half && (whole & 1) != 0);
    return whole + (up ? 1 : 0);
}

constexpr int width(std::uint64_t value) {
    int bits = 0;
    for (; value != 0; value >>= 1) {
        ++bits;
    }
    return bits;
}

/// 2^exponent, for exponents of normal and subnormal doubles.
constexpr double power_of_two(int exponent) {
    return exponent < -1022 ? __builtin_bit_cast(double, std::uint64_t{1} << (exponent + 1074))
                            : __builtin_bit_cast(double, static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// A float of sign, exponent and fraction: widths of the fields, exponent bias, and bits of the largest magnitude, of
/// infinity (of what takes its place in formats without one) and of NaN.
template <int Exponent, int Fraction, int Bias, std::uint32_t Max, std::uint32_t Infinity, std::uint32_t NaN>
struct FieldsCodec {
    static constexpr int total = 1 + Exponent + Fraction;
    static constexpr std::uint32_t max = Max;
    static constexpr std::uint32_t infinity = Infinity;
    static constexpr std::uint32_t nan = NaN;
    static constexpr std::uint32_t sign = 1u << (Exponent + Fraction);
    static constexpr std::uint32_t one = static_cast<std::uint32_t>(Bias) << Fraction;
    static constexpr std::uint32_t least_normal = 1u << Fraction;
    static constexpr int digits = Fraction + 1;

    static constexpr std::uint32_t encode(const Unrounded &value) {
        if (value.is_nan) {
            return NaN;
        }
        const std::uint32_t signed_zero = value.negative ? sign : 0;
        if (value.is_infinite) {
            return signed_zero | Infinity;
        }
        if (value.significand == 0) {
            return signed_zero;
        }
        constexpr int least = 1 - Bias;
        const int leading = value.exponent + width(value.significand) - 1;
        const int exponent = leading < least ? least : leading;
        if (exponent > (1 << Exponent) - Bias) {
            return signed_zero | Infinity;
        }
        // A significand that rounds up to the next power of two carries into the exponent field.
        const std::uint64_t steps = shifted(value.significand, exponent - Fraction - value.exponent);
        const std::uint64_t bits = (static_cast<std::uint64_t>(exponent - least) << Fraction) + steps;
        return signed_zero | (bits > Max ? Infinity : static_cast<std::uint32_t>(bits));
    }

    static constexpr double decode(std::uint32_t bits) {
        const std::uint32_t magnitude = bits & (sign - 1);
        const double factor = (bits & sign) != 0 ? -1.0 : 1.0;
        if (magnitude > Max) {
            const bool is_infinite = magnitude == Infinity && Infinity != NaN;
            return is_infinite ? factor * std::numeric_limits<double>::infinity()
                               : std::numeric_limits<double>::quiet_NaN();
        }
        const auto field = static_cast<int>(magnitude >> Fraction);
        const std::uint32_t fraction = magnitude & (least_normal - 1);
        const std::uint32_t significand = field == 0 ? fraction : fraction | least_normal;
        return factor * significand * power_of_two((field == 0 ? 1 : field) - Bias - Fraction);
    }
};

/// Powers of two without sign: 2^(bits - 127), and NaN.
struct PowerCodec {
    static constexpr std::uint32_t max = 0xfe;
    static constexpr std::uint32_t infinity = 0xff;
    static constexpr std::uint32_t nan = 0xff;
    static constexpr std::uint32_t sign = 0;
    static constexpr std::uint32_t one = 127;
    static constexpr std::uint32_t least_normal = 0;
    static constexpr int digits = 1;

    static constexpr std::uint32_t encode(const Unrounded &value) {
        if (value.is_nan || value.is_infinite || (value.negative && value.significand != 0)) {
            return nan;
        }
        const int bits = width(value.significand);
        const int exponent = value.exponent + bits - 1;
        if (value.significand == 0 || exponent < -127) {
            return 0;
        }
        // The middle of two powers of two is 1.5 times the lower one and goes up.
        const bool up = bits > 1 && (value.significand >> (bits - 2) & 1) != 0;
        const int code = exponent + 127 + (up ? 1 : 0);
        return code > 0xfe ? nan : static_cast<std::uint32_t>(code);
    }

    static constexpr double decode(std::uint32_t bits) {
        return bits == nan ? std::numeric_limits<double>::quiet_NaN() : power_of_two(static_cast<int>(bits) - 127);
    }
};

/// HiFloat8: the width of the exponent field grows with the exponent, and the fraction takes the remaining bits. As on
/// devices, ties round away from zero.
struct HiFloat8Codec {
    static constexpr std::uint32_t max = 0x6e;
    static constexpr std::uint32_t infinity = 0x6f;
    static constexpr std::uint32_t nan = 0x80;
    static constexpr std::uint32_t sign = 0x80;
    static constexpr std::uint32_t one = 0x08;
    static constexpr std::uint32_t least_normal = 0x7e;
    static constexpr int digits = 4;

    static constexpr int fraction_width(int exponent) {
        const int size = exponent < 0 ? -exponent : exponent;
        return size < 4 ? 3 : size < 8 ? 2 : size < 16 ? 1 : 0;
    }

    static constexpr std::uint32_t encode(const Unrounded &value) {
        if (value.is_nan) {
            return nan;
        }
        const std::uint32_t signed_zero = value.negative ? sign : 0;
        if (value.is_infinite) {
            return signed_zero | infinity;
        }
        const int bits = width(value.significand);
        int exponent = value.exponent + bits - 1;
        if (value.significand == 0 || exponent < -23) {
            return 0;
        }
        if (exponent > 15) {
            return signed_zero | infinity;
        }
        // The significand with its leading bit at bit 4 and one more bit for rounding, ties away from zero.
        const int fraction = fraction_width(exponent);
        const int shift = bits - 1 - fraction - 1;
        const std::uint64_t doubled = shift >= 0 ? value.significand >> shift : value.significand << -shift;
        std::uint64_t significand = (doubled + 1) >> 1;
        if (significand >> (fraction + 1) != 0) {
            significand >>= 1;
            ++exponent;
        }
        if (exponent <= -16) {
            return signed_zero | static_cast<std::uint32_t>((exponent < -22 ? -22 : exponent) + 23);
        }
        // Only 1.0 and 1.5 times 2^15 would follow, and the second is the place of infinity.
        if (exponent > 15 || (exponent == 15 && (significand & 1) != 0)) {
            return signed_zero | infinity;
        }
        // After a carry the fraction is zero, so a narrower field loses nothing.
        const int rest = fraction_width(exponent);
        const std::uint32_t low = static_cast<std::uint32_t>(significand) & ((1u << rest) - 1);
        const auto size = static_cast<std::uint32_t>(exponent < 0 ? -exponent : exponent);
        const int field_width = width(size);
        constexpr std::uint32_t prefixes[] = {0x08, 0x10, 0x20, 0x40, 0x60};
        std::uint32_t field = 0;
        if (field_width != 0) {
            const std::uint32_t top = 1u << (field_width - 1);
            field = (size & (top - 1)) | (exponent < 0 ? top : 0);
        }
        return signed_zero | prefixes[field_width] | field << rest | low;
    }

    static constexpr double decode(std::uint32_t bits) {
        const std::uint32_t payload = bits & 0x7f;
        const double factor = (bits & sign) != 0 ? -1.0 : 1.0;
        if (payload == 0) {
            return bits == nan ? std::numeric_limits<double>::quiet_NaN() : 0.0;
        }
        if (payload == infinity) {
            return factor * std::numeric_limits<double>::infinity();
        }
        if (payload < 8) {
            return factor * power_of_two(static_cast<int>(payload) - 23);
        }
        const int field_width = payload >= 0x60 ? 4 : payload >= 0x40 ? 3 : payload >= 0x20 ? 2 : payload >= 0x10 ? 1 : 0;
        const int fraction = field_width == 4 ? 1 : field_width == 3 ? 2 : 3;
        int exponent = 0;
        if (field_width != 0) {
            const std::uint32_t field = payload >> fraction & ((1u << field_width) - 1);
            const std::uint32_t top = 1u << (field_width - 1);
            const auto size = static_cast<int>(top | (field & (top - 1)));
            exponent = (field & top) != 0 ? -size : size;
        }
        const double significand = 1.0 + (payload & ((1u << fraction) - 1)) * power_of_two(-fraction);
        return factor * significand * power_of_two(exponent);
    }
};

using HalfCodec = FieldsCodec<5, 10, 15, 0x7bff, 0x7c00, 0x7e00>;
using BFloat16Codec = FieldsCodec<8, 7, 127, 0x7f7f, 0x7f80, 0x7fc0>;
using E4M3Codec = FieldsCodec<4, 3, 7, 0x7e, 0x7f, 0x7f>;
using E5M2Codec = FieldsCodec<5, 2, 15, 0x7b, 0x7c, 0x7e>;
// 4-bit floats have neither infinity nor NaN: they saturate, and NaN becomes zero.
using E2M1Codec = FieldsCodec<2, 1, 1, 0x7, 0x7, 0x0>;
using E1M2Codec = FieldsCodec<1, 2, 1, 0x7, 0x7, 0x0>;

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
