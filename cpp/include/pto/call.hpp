// How an instruction reaches the library: one operation of the .pto dialect as text, and a word for each operand.
//
// The text is composed at compile time and is the same object each time a kernel reaches a place, so the library reads
// it once per place. Everything here is inlined but `enter`, whose return address is therefore in the kernel.
#ifndef PTO_CALL_HPP
#define PTO_CALL_HPP

#include "pto/keywords.hpp"
#include "pto/pto.h"
#include "pto/text.hpp"
#include "pto/words.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace pto {
namespace detail {

/// The text of an operand's type, and the conversion of the operand to a word. Tiles, tensors and convolution tiles
/// specialize it beside their classes.
template <typename T, typename = void>
struct Operand;

template <typename T>
struct Operand<T, std::enable_if_t<std::is_const_v<T>>> : Operand<std::remove_const_t<T>> {};

/// A number is passed as its bits; integers are extended by their sign.
template <typename T>
struct Operand<T, std::enable_if_t<!std::is_const_v<T> && element_word<T>() != nullptr>> {
    static constexpr const char *text = element_word<T>();

    struct Passed {
        std::uint64_t bits;
        std::uint64_t word() const { return bits; }
    };

    PTO_INST static Passed pass(T value) {
        if constexpr (std::is_integral_v<T>) {
            return {static_cast<std::uint64_t>(value)};
        } else {
            std::uint64_t bits = 0;
            std::memcpy(&bits, &value, sizeof value);
            return {bits};
        }
    }
};

/// A count or an offset.
struct Index {
    std::int64_t value;
};

template <>
struct Operand<Index> {
    static constexpr const char *text = "index";
    using Passed = Operand<std::int64_t>::Passed;
    PTO_INST static Passed pass(Index index) { return {static_cast<std::uint64_t>(index.value)}; }
};

/// 64 bits without a sign, such as a quantization parameter.
struct Bits {
    std::uint64_t value;
};

template <>
struct Operand<Bits> {
    static constexpr const char *text = "i64";
    using Passed = Operand<std::int64_t>::Passed;
    PTO_INST static Passed pass(Bits bits) { return {bits.value}; }
};

/// A pointer into global memory.
template <typename T>
struct Operand<T *> {
    static constexpr Text<32> composed() {
        Text<32> spelling;
        const char *word = element_word<std::remove_cv_t<T>>();
        return spelling.add("!pto.ptr<").add(word).add(">");
    }
    static constexpr Text<32> composed_text = composed();
    static constexpr const char *text = composed_text.characters;

    struct Passed {
        const volatile void *pointer;
        std::uint64_t word() const { return reinterpret_cast<std::uintptr_t>(pointer); }
    };
    PTO_INST static Passed pass(T *pointer) { return {pointer}; }
};

/// An enumerator or a truth value that the pattern inserts as a word.
template <auto value>
struct Word {};

template <auto value>
struct Operand<Word<value>> {
    static constexpr const char *text = word(value);
};

template <pipe_t pipe>
struct Operand<Word<pipe>> {
    static constexpr const char *text = pipe_word(pipe);
};

/// An integer that the pattern inserts.
template <std::int64_t number>
struct Number {};

template <std::int64_t number>
struct Operand<Number<number>> {
    static constexpr Text<24> composed_text = Text<24>().add(number);
    static constexpr const char *text = composed_text.characters;
};

template <typename... Texts>
inline constexpr const char *texts_of[] = {Operand<Texts>::text...};

/// A form: the first `operands` of the texts are types of operands, the others words.
template <typename... Texts>
constexpr pto_form form(const char *pattern, std::uint32_t operands) {
    if constexpr (sizeof...(Texts) == 0) {
        return {pattern, nullptr, 0, 0};
    } else {
        return {pattern, texts_of<Texts...>, operands, sizeof...(Texts)};
    }
}

/// Enumerators among which a kernel chooses at run time.
template <auto... values>
struct Choice {};

using RoundModes = Choice<RoundMode::CAST_NONE, RoundMode::CAST_RINT, RoundMode::CAST_ROUND, RoundMode::CAST_FLOOR,
                          RoundMode::CAST_CEIL, RoundMode::CAST_TRUNC, RoundMode::CAST_ODD>;
using CmpModes = Choice<CmpMode::EQ, CmpMode::NE, CmpMode::LT, CmpMode::LE, CmpMode::GT, CmpMode::GE>;

/// A form for each enumerator of a choice, whose word comes after the texts.
template <typename Values, typename... Texts>
struct Forms;

template <auto... values, typename... Texts>
struct Forms<Choice<values...>, Texts...> {
    pto_form list[sizeof...(values)];

    constexpr Forms(const char *pattern, std::uint32_t operands)
        : list{form<Texts..., Word<values>>(pattern, operands)...} {}

    template <typename Enum>
    constexpr const pto_form &operator[](Enum value) const {
        return list[static_cast<std::size_t>(value) % sizeof...(values)];
    }
};

/// The only function that is not inlined: its return address is the place of the call.
inline __attribute__((noinline, visibility("hidden"))) void enter(const pto_form *form, const std::uint64_t *words,
                                                                  std::uint64_t *result) {
    pto_call(form, words, result, __builtin_return_address(0));
}

template <typename... Passed>
PTO_INST void issue(const pto_form &form, std::uint64_t *result, const Passed &...passed) {
    if constexpr (sizeof...(Passed) == 0) {
        enter(&form, nullptr, result);
    } else {
        const std::uint64_t words[] = {passed.word()...};
        enter(&form, words, result);
    }
    // Something must follow: the last call of a function would become a jump, which has no return address of its own.
    __asm__ volatile("");
}

/// Calls an operation without a result.
template <typename... Operands>
PTO_INST void call(const pto_form &form, const Operands &...operands) {
    issue(form, nullptr, Operand<Operands>::pass(operands)...);
}

/// Calls an operation whose result is a number.
template <typename Result, typename... Operands>
PTO_INST Result call_for(const pto_form &form, const Operands &...operands) {
    std::uint64_t bits = 0;
    issue(form, &bits, Operand<Operands>::pass(operands)...);
    Result result;
    std::memcpy(static_cast<void *>(&result), &bits, sizeof result);
    return result;
}

} // namespace detail
} // namespace pto

#endif
