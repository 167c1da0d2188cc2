// Codecs of number formats that C++ has no type for: from a number to bits, rounded once, and from bits to its value.
#ifndef PTO_CODECS_HPP
#define PTO_CODECS_HPP

#include <cstdint>
#include <limits>

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
/// infinity (or of its substitute in formats without one) and of NaN.
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

} // namespace detail
} // namespace pto

#endif
