// Texts that are composed at compile time: the spellings of types in the .pto dialect.
#ifndef PTO_TEXT_HPP
#define PTO_TEXT_HPP

#include <cstddef>
#include <cstdint>

namespace pto {
namespace detail {

/// A text of limited length. An overflow is an access outside of an array, which does not compile.
template <std::size_t Capacity>
struct Text {
    char characters[Capacity] = {};
    std::size_t length = 0;

    constexpr Text &add(const char *text) {
        for (; *text != '\0'; ++text) {
            characters[length++] = *text;
        }
        return *this;
    }

    constexpr Text &add(std::int64_t number) {
        char digits[20] = {};
        int count = 0;
        auto rest = static_cast<std::uint64_t>(number);
        if (number < 0) {
            rest = 0 - rest;
            add("-");
        }
        do {
            digits[count++] = static_cast<char>('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        while (count > 0) {
            characters[length++] = digits[--count];
        }
        return *this;
    }

    constexpr Text &add_hex(std::uint64_t number) {
        add("0x");
        int shift = 60;
        while (shift > 0 && (number >> shift) == 0) {
            shift -= 4;
        }
        for (; shift >= 0; shift -= 4) {
            characters[length++] = "0123456789ABCDEF"[number >> shift & 0xf];
        }
        return *this;
    }

    /// A number, or `?` for one that is known at run time.
    constexpr Text &add_extent(std::int64_t extent) { return extent < 0 ? add("?") : add(extent); }
};

} // namespace detail
} // namespace pto

#endif
