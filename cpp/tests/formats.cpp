// Number formats at compile time. There is no `#include <cstdint>` before the header.
#include <pto/pto-inst.hpp>

static_assert(sizeof(half) == 2 && sizeof(bfloat16_t) == 2 && sizeof(float8_e4m3_t) == 1 && sizeof(hifloat8_t) == 1);
static_assert(sizeof(float4_e2m1x2_t) == 1 && sizeof(float4_e1m2x2_t) == 1 && sizeof(pto::int4b_t) == 1);
static_assert(std::is_trivially_copyable_v<half> && std::is_trivially_default_constructible_v<half>);

// Rounding is to nearest, ties to even, from every arithmetic type.
static_assert(half(1.0).bits == 0x3c00 && half(-2).bits == 0xc000 && half(0).bits == 0 && half(-0.0).bits == 0x8000);
static_assert(half(2049).bits == 0x6800 && half(2051).bits == 0x6802 && half(2049.0000001).bits == 0x6801);
static_assert(half(65519.99).bits == 0x7bff && half(65520).bits == 0x7c00 && half(-1e300).bits == 0xfc00);
static_assert(half(5.960464477539063e-08).bits == 1 && half(2.9802322387695312e-08).bits == 0);
static_assert(half(2.9802322387695317e-08).bits == 1 && half(1e-320).bits == 0);
static_assert(bfloat16_t(1.0f).bits == 0x3f80 && bfloat16_t(3.4e38).bits == 0x7f80);
// 2^60 + 2^52 is a tie of bf16; one more is none, which a conversion by way of double would miss.
static_assert(bfloat16_t((1LL << 60) + (1LL << 52)).bits == 0x5d80);
static_assert(bfloat16_t((1LL << 60) + (1LL << 52) + 1).bits == 0x5d81);
static_assert(bfloat16_t(~0ULL).bits == 0x5f80);
static_assert(float8_e4m3_t(448).bits == 0x7e && float8_e4m3_t(464).bits == 0x7e && float8_e4m3_t(465).bits == 0x7f);
static_assert(float8_e5m2_t(57344).bits == 0x7b && float8_e5m2_t(61440).bits == 0x7c);
static_assert(float8_e8m0_t(1).bits == 127 && float8_e8m0_t(3).bits == 129 && float(float8_e8m0_t(8.0)) == 8);
static_assert(hifloat8_t(1.25 * 32768).bits == 0x6f && hifloat8_t(1.24 * 32768).bits == 0x6e);
static_assert(float(hifloat8_t(3)) == 3 && float(hifloat8_t(-0.15625)) == -0.15625f);
static_assert(float4_e2m1x2_t(6, 0.5f).bits == 0x17 && float4_e1m2x2_t(-1.75f, 0).first() == -1.75f);
static_assert(pto::int4b_t(-8, 7).first() == -8 && pto::int4b_t(-8, 7).second() == 7);

// Numbers compute as float does.
constexpr half computed() {
    half value = 1.5;
    value += half(2);
    value *= 2;
    value -= 0.5f;
    return value / 2 + 1;
}
static_assert(computed() == 4.25f && -computed() == -4.25f && computed() < half(5) && (int)computed() == 4);
static_assert(std::is_same_v<decltype((half)1.0), half> && !std::is_same_v<half, bfloat16_t>);
static_assert(float(std::numeric_limits<half>::max()) == 65504 && half(1) != bfloat16_t(2));

static_assert(pto::PadValueCustom(1.0f) == static_cast<pto::PadValue>(0x13f800000));
static_assert(pto::PadCustom<std::int8_t{-1}> == static_cast<pto::PadValue>(0x1000000ff));

int main() {
    // All values of a format survive the way through float.
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        half value;
        value.bits = static_cast<std::uint16_t>(bits);
        const float wide = value;
        if (wide == wide && half(wide).bits != bits) {
            return 1;
        }
        bfloat16_t brain;
        brain.bits = static_cast<std::uint16_t>(bits);
        const float as_float = brain;
        if (as_float == as_float && bfloat16_t(as_float).bits != bits) {
            return 2;
        }
    }
    for (unsigned bits = 0; bits < 0x100; ++bits) {
        hifloat8_t high;
        high.bits = static_cast<std::uint8_t>(bits);
        const float wide = high;
        if (wide == wide && hifloat8_t(wide).bits != bits) {
            return 3;
        }
    }
    return 0;
}
