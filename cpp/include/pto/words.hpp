// The words of the .pto dialect for enumerators, and for element types.
#ifndef PTO_WORDS_HPP
#define PTO_WORDS_HPP

#include "pto/enumerations.hpp"
#include "pto/formats.hpp"

#include <type_traits>

namespace pto {
namespace detail {

/// The word at the number of an enumerator, counted from `first`.
template <typename Enum, std::size_t Count>
constexpr const char *word_of(const char *const (&words)[Count], Enum value, std::size_t first = 0) {
    return words[static_cast<std::size_t>(value) - first];
}

constexpr const char *word(TileType value) {
    constexpr const char *words[] = {"vec", "mat", "left", "right", "acc", "bias", "scaling", "scaling", "scaling"};
    return word_of(words, value);
}
constexpr const char *word(BLayout value) { return value == BLayout::RowMajor ? "row_major" : "col_major"; }
constexpr const char *word(SLayout value) {
    constexpr const char *words[] = {"none_box", "row_major", "col_major"};
    return word_of(words, value);
}
constexpr const char *word(Layout value) {
    constexpr const char *words[] = {"nd",       "dn",        "nz",      "scale",     "mx_a_nd",         "mx_a_dn",
                                     "mx_a_zz",  "mx_b_nd",   "mx_b_dn", "mx_b_nn",   "hif4_a_zz",       "hif4_b_nn",
                                     "nc1hwc0",  "gnc1hwc0",  "nchw",    "gnchw",     "nhwc",            "ndc1hwc0",
                                     "ncdhw",    "fractal_z", "fractal_z_s16s8", "fractal_z_3d"};
    return word_of(words, value);
}
constexpr const char *word(RoundMode value) {
    constexpr const char *words[] = {"NONE", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD"};
    return word_of(words, value);
}
constexpr const char *word(SaturationMode value) { return value == SaturationMode::ON ? "ON" : "OFF"; }
constexpr const char *word(CmpMode value) {
    constexpr const char *words[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    return word_of(words, value);
}
constexpr const char *word(MaskPattern value) {
    constexpr const char *words[] = {"P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111"};
    return word_of(words, value, 1);
}
constexpr const char *word(AtomicType value) {
    return value == AtomicType::AtomicNone ? "atomic_none" : "atomic_add";
}
constexpr const char *word(ReluPreMode value) { return value == ReluPreMode::NoRelu ? "no_relu" : "normal_relu"; }
constexpr const char *word(STPhase value) {
    return value == STPhase::Final ? "final" : value == STPhase::Partial ? "partial" : "unspecified";
}
constexpr const char *word(AccPhase value) {
    return value == AccPhase::Final ? "final" : value == AccPhase::Partial ? "partial" : "unspecified";
}
constexpr const char *word(AccToVecMode value) {
    constexpr const char *words[] = {"single_mode_vec0", "single_mode_vec1", "dual_mode_split_m", "dual_mode_split_n"};
    return word_of(words, value);
}
constexpr const char *word(TInsertMode value) { return value == TInsertMode::SPLIT2 ? "split2" : "split4"; }
constexpr const char *word(QuantType value) {
    constexpr const char *words[] = {"MXFP8", "MXFP4_E2M1", "INT8_SYM", "INT8_ASYM"};
    return word_of(words, value);
}
constexpr const char *word(QuantScaleAlg value) { return value == QuantScaleAlg::OCP ? "ocp" : "nv"; }
constexpr const char *word(PrintFormat value) {
    constexpr const char *words[] = {"width8_precision4", "width8_precision2", "width10_precision6"};
    return word_of(words, value);
}
constexpr const char *word(SetFmatrixMode value) {
    constexpr const char *words[] = {"a_auto", "b_auto", "a_manual", "b_manual"};
    return word_of(words, value);
}
constexpr const char *word(SyncAllMode value) { return value == SyncAllMode::Hard ? "hard" : "soft"; }
constexpr const char *word(SyncCoreType value) {
    constexpr const char *words[] = {"aiv_only", "aic_only", "mix"};
    return word_of(words, value);
}
constexpr const char *word(Coalesce value) { return value == Coalesce::Row ? "row" : "elem"; }
constexpr const char *word(GatherOOB value) {
    constexpr const char *words[] = {"undefined", "clamp", "wrap", "zero"};
    return word_of(words, value);
}
constexpr const char *word(ScatterOOB value) {
    constexpr const char *words[] = {"undefined", "skip", "clamp", "wrap"};
    return word_of(words, value);
}
constexpr const char *word(ScatterAtomicOp value) {
    constexpr const char *words[] = {"none", "add", "max", "min"};
    return word_of(words, value);
}
constexpr const char *word(ScatterConflict value) { return value == ScatterConflict::Last ? "last" : "default"; }
constexpr const char *word(ScatterAxis value) { return value == ScatterAxis::SCATTER_ROW ? "row" : "col"; }
constexpr const char *word(GatherAxis value) { return value == GatherAxis::GATHER_ROW ? "row" : "col"; }
constexpr const char *word(comm::NotifyOp value) { return value == comm::NotifyOp::Set ? "set" : "atomic_add"; }
constexpr const char *word(comm::WaitCmp value) {
    constexpr const char *words[] = {"eq", "ne", "gt", "ge", "lt", "le"};
    return word_of(words, value);
}
constexpr const char *word(comm::ReduceOp value) {
    constexpr const char *words[] = {"sum", "max", "min"};
    return word_of(words, value);
}
constexpr const char *word(bool value) { return value ? "true" : "false"; }

/// Whether an enumeration selects the algorithm of a function.
template <typename Enum>
inline constexpr bool is_algorithm_v =
    std::is_same_v<Enum, DivAlgorithm> || std::is_same_v<Enum, ExpAlgorithm> || std::is_same_v<Enum, LogAlgorithm> ||
    std::is_same_v<Enum, SqrtAlgorithm> || std::is_same_v<Enum, RsqrtAlgorithm> ||
    std::is_same_v<Enum, RecipAlgorithm> || std::is_same_v<Enum, PowAlgorithm> || std::is_same_v<Enum, FmodAlgorithm> ||
    std::is_same_v<Enum, FmodSAlgorithm> || std::is_same_v<Enum, RemAlgorithm> || std::is_same_v<Enum, RemSAlgorithm>;

template <typename Enum, std::enable_if_t<is_algorithm_v<Enum>, int> = 0>
constexpr const char *word(Enum value) {
    return value == Enum::DEFAULT ? "default" : "high_precision";
}

constexpr const char *pipe_word(pipe_t pipe) {
    switch (pipe) {
    case PIPE_S:
        return "PIPE_S";
    case PIPE_V:
        return "PIPE_V";
    case PIPE_M:
        return "PIPE_M";
    case PIPE_MTE1:
        return "PIPE_MTE1";
    case PIPE_MTE2:
        return "PIPE_MTE2";
    case PIPE_MTE3:
        return "PIPE_MTE3";
    case PIPE_FIX:
        return "PIPE_FIX";
    default:
        return "PIPE_ALL";
    }
}

/// The word of an element type; null for any other type. Integers go by width and sign, since `long` and `long long`
/// are two types of one format.
template <typename Element>
constexpr const char *element_word() {
    if constexpr (std::is_same_v<Element, bool>) {
        return "i1";
    } else if constexpr (std::is_integral_v<Element>) {
        constexpr const char *signed_words[] = {"i8", "i16", "", "i32", "", "", "", "i64"};
        constexpr const char *unsigned_words[] = {"ui8", "ui16", "", "ui32", "", "", "", "ui64"};
        return std::is_signed_v<Element> ? signed_words[sizeof(Element) - 1] : unsigned_words[sizeof(Element) - 1];
    } else if constexpr (std::is_same_v<Element, float>) {
        return "f32";
    } else if constexpr (std::is_same_v<Element, half>) {
        return "f16";
    } else if constexpr (std::is_same_v<Element, bfloat16_t>) {
        return "bf16";
    } else if constexpr (std::is_same_v<Element, float8_e4m3_t>) {
        return "f8E4M3FN";
    } else if constexpr (std::is_same_v<Element, float8_e5m2_t>) {
        return "f8E5M2";
    } else if constexpr (std::is_same_v<Element, float8_e8m0_t>) {
        return "!pto.f8E8M0";
    } else if constexpr (std::is_same_v<Element, hifloat8_t>) {
        return "!pto.hif8";
    } else if constexpr (std::is_same_v<Element, float4_e2m1x2_t>) {
        return "!pto.f4E2M1x2";
    } else if constexpr (std::is_same_v<Element, float4_e1m2x2_t>) {
        return "!pto.f4E1M2x2";
    } else if constexpr (std::is_same_v<Element, int4b_t>) {
        return "!pto.i4x2";
    } else {
        return nullptr;
    }
}

/// Whether an element is two numbers of 4 bits in a byte. C++ counts these numbers in extents, strides and offsets along the direction in which
/// they follow each other, the dialect counts bytes.
template <typename Element>
inline constexpr bool is_pair_v = std::is_same_v<Element, float4_e2m1x2_t> || std::is_same_v<Element, float4_e1m2x2_t> ||
                                  std::is_same_v<Element, int4b_t>;

/// A number of elements as the dialect counts them; negative ones are unknown.
template <typename Number>
constexpr Number in_pairs(bool are_pairs, Number elements) {
    return are_pairs && elements > 0 ? (elements + 1) / 2 : elements;
}

} // namespace detail
} // namespace pto

#endif
