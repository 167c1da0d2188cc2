// Facts about tile types for templates.
#ifndef PTO_TRAITS_HPP
#define PTO_TRAITS_HPP

#include "pto/tile.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace pto {

/// The padding value of a tile type as an element: zero if it has none.
template <typename T>
inline typename T::DType GetPadValue() {
    using Element = typename T::DType;
    constexpr auto pad = static_cast<std::uint64_t>(T::PadVal);
    Element value{};
    if constexpr (pad >= static_cast<std::uint64_t>(PadValue::CustomBase)) {
        const auto bits = static_cast<std::uint32_t>(pad);
        std::memcpy(static_cast<void *>(&value), &bits, sizeof(Element) < 4 ? sizeof(Element) : 4);
    } else if constexpr (T::PadVal == PadValue::Max) {
        value = std::numeric_limits<Element>::has_infinity ? std::numeric_limits<Element>::infinity()
                                                           : std::numeric_limits<Element>::max();
    } else if constexpr (T::PadVal == PadValue::Min) {
        value = std::numeric_limits<Element>::has_infinity ? static_cast<Element>(-std::numeric_limits<Element>::infinity())
                                                           : std::numeric_limits<Element>::lowest();
    }
    return value;
}

} // namespace pto

#endif
