// Intrinsics whose operands are tiles and numbers, written from the registry of instructions; not for editing.
//
// Operands of C++ are destinations, then sources. Each function calls one form of an instruction.
#ifndef PTO_INTRINSICS_HPP
#define PTO_INTRINSICS_HPP

#include "pto/call.hpp"
#include "pto/event.hpp"
#include "pto/tile.hpp"

namespace pto {

/// Takes magnitudes; -0 becomes +0.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TABS(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tabs ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Takes magnitudes; -0 becomes +0.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TABS(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.tabs ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Adds two tiles.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TADD(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tadd ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Adds three tiles.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename Src2Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TADDC(DstTile &dst, Src0Tile &src0, Src1Tile &src1, Src2Tile &src2,
                                             WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, Src2Tile>(
        "pto.taddc ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, src2);
    return {};
}

/// Adds two tiles of i32, multiplies by a scale, replaces negative products by zero and narrows to f16, saturating.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TADDDEQRELU(DstTile &dst, Src0Tile &src0, Src1Tile &src1, float scale,
                                                   TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, float, TmpTile>(
        "pto.tadddeqrelu ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0)", 5);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, scale, tmp);
    return {};
}

/// Adds two tiles, replaces negative sums by zero and narrows, saturating.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TADDRELUCONV(DstTile &dst, Src0Tile &src0, Src1Tile &src1,
                                                    WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.taddreluconv ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Ands the bits of two tiles.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TAND(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tand ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Compares element by element and packs the results, one bit per element.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TCMP(DstTile &dst, Src0Tile &src0, Src1Tile &src1, CmpMode cmpMode,
                                            WaitEvents &...events) {
    static constexpr detail::Forms<detail::CmpModes, DstTile, Src0Tile, Src1Tile> forms(
        "pto.tcmp ins(%1, %2 : @1, @2) outs(%0 : @0) {cmpMode = #pto<cmp @3>}", 3);
    detail::wait(events...);
    detail::call(forms[cmpMode], dst, src0, src1);
    return {};
}

/// Divides a tile by a tile element by element.
template <auto Precision = DivAlgorithm::DEFAULT, typename DstTile, typename Src0Tile, typename Src1Tile,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TDIV(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tdiv ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, Src0Tile, Src1Tile, detail::Word<Precision>>(
        "pto.tdiv ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<div_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == DivAlgorithm::DEFAULT ? standard : chosen, dst, src0, src1);
    return {};
}

/// Raises e to the power of each element.
template <auto Precision = ExpAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TEXP(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile>("pto.texp ins(%1 : @1) outs(%0 : @0)", 2);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, detail::Word<Precision>>(
        "pto.texp ins(%1 : @1) outs(%0 : @0) {precisionType = #pto<exp_precision @2>}", 2);
    detail::wait(events...);
    detail::call(Precision == ExpAlgorithm::DEFAULT ? standard : chosen, dst, src);
    return {};
}

/// Raises e to the power of each element.
template <auto Precision = ExpAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename TmpTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TEXP(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.texp ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, TmpTile, detail::Word<Precision>>(
        "pto.texp ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<exp_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == ExpAlgorithm::DEFAULT ? standard : chosen, dst, src, tmp);
    return {};
}

/// Remainder with the sign of the dividend.
template <auto Precision = FmodAlgorithm::DEFAULT, typename DstTile, typename Src0Tile, typename Src1Tile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TFMOD(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tfmod ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, Src0Tile, Src1Tile, detail::Word<Precision>>(
        "pto.tfmod ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<fmod_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == FmodAlgorithm::DEFAULT ? standard : chosen, dst, src0, src1);
    return {};
}

/// Remainder with the sign of the dividend.
template <auto Precision = FmodAlgorithm::DEFAULT, typename DstTile, typename Src0Tile, typename Src1Tile,
          typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TFMOD(DstTile &dst, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.tfmod ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    static constexpr pto_form chosen = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile, detail::Word<Precision>>(
        "pto.tfmod ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {precisionType = #pto<fmod_precision @4>}", 4);
    detail::wait(events...);
    detail::call(Precision == FmodAlgorithm::DEFAULT ? standard : chosen, dst, src0, src1, tmp);
    return {};
}

/// Multiplies the destination by one tile and adds another.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TFUSEDMULADD(DstTile &dst, Src0Tile &src0, Src1Tile &src1,
                                                    WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tfusedmuladd ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Multiplies the destination by one tile, adds another and replaces negative results by zero; NaN stays NaN.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TFUSEDMULADDRELU(DstTile &dst, Src0Tile &src0, Src1Tile &src1,
                                                        WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tfusedmuladdrelu ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Takes natural logarithms.
template <auto Precision = LogAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TLOG(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile>("pto.tlog ins(%1 : @1) outs(%0 : @0)", 2);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, detail::Word<Precision>>(
        "pto.tlog ins(%1 : @1) outs(%0 : @0) {precisionType = #pto<log_precision @2>}", 2);
    detail::wait(events...);
    detail::call(Precision == LogAlgorithm::DEFAULT ? standard : chosen, dst, src);
    return {};
}

/// Takes natural logarithms.
template <auto Precision = LogAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename TmpTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TLOG(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.tlog ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, TmpTile, detail::Word<Precision>>(
        "pto.tlog ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<log_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == LogAlgorithm::DEFAULT ? standard : chosen, dst, src, tmp);
    return {};
}

/// Takes the larger of two elements; NaN propagates.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMAX(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tmax ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Takes the smaller of two elements; NaN propagates.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMIN(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tmin ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Multiplies two tiles element by element.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMUL(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tmul ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Adds the product of two tiles to the destination.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMULADDDST(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tmuladddst ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Negates elements.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TNEG(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tneg ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Negates elements.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TNEG(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.tneg ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Complements the bits of elements.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TNOT(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tnot ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Complements the bits of elements.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TNOT(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.tnot ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Ors the bits of two tiles.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TOR(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tor ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Raises elements to the power of elements.
template <auto Precision = PowAlgorithm::DEFAULT, typename DstTile, typename Src0Tile, typename Src1Tile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TPOW(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tpow ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, Src0Tile, Src1Tile, detail::Word<Precision>>(
        "pto.tpow ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<pow_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == PowAlgorithm::DEFAULT ? standard : chosen, dst, src0, src1);
    return {};
}

/// Raises elements to the power of elements.
template <auto Precision = PowAlgorithm::DEFAULT, typename DstTile, typename Src0Tile, typename Src1Tile,
          typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TPOW(DstTile &dst, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.tpow ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    static constexpr pto_form chosen = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile, detail::Word<Precision>>(
        "pto.tpow ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {precisionType = #pto<pow_precision @4>}", 4);
    detail::wait(events...);
    detail::call(Precision == PowAlgorithm::DEFAULT ? standard : chosen, dst, src0, src1, tmp);
    return {};
}

/// Multiplies negative elements by their slope.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TPRELU(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tprelu ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Multiplies negative elements by their slope.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TPRELU(DstTile &dst, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.tprelu ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, tmp);
    return {};
}

/// Takes reciprocals.
template <auto Precision = RecipAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TRECIP(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile>("pto.trecip ins(%1 : @1) outs(%0 : @0)", 2);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, detail::Word<Precision>>(
        "pto.trecip ins(%1 : @1) outs(%0 : @0) {precisionType = #pto<recip_precision @2>}", 2);
    detail::wait(events...);
    detail::call(Precision == RecipAlgorithm::DEFAULT ? standard : chosen, dst, src);
    return {};
}

/// Takes reciprocals.
template <auto Precision = RecipAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename TmpTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TRECIP(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.trecip ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, TmpTile, detail::Word<Precision>>(
        "pto.trecip ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<recip_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == RecipAlgorithm::DEFAULT ? standard : chosen, dst, src, tmp);
    return {};
}

/// Replaces negative elements by zero; NaN stays NaN.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TRELU(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.trelu ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Replaces negative elements by zero; NaN stays NaN.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TRELU(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.trelu ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Remainder with the sign of the divisor. A2/A3 overwrite sources of i32.
template <auto Precision = RemAlgorithm::DEFAULT, typename DstTile, typename Src0Tile, typename Src1Tile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TREM(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.trem ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, Src0Tile, Src1Tile, detail::Word<Precision>>(
        "pto.trem ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<rem_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == RemAlgorithm::DEFAULT ? standard : chosen, dst, src0, src1);
    return {};
}

/// Remainder with the sign of the divisor. A2/A3 overwrite sources of i32.
template <auto Precision = RemAlgorithm::DEFAULT, typename DstTile, typename Src0Tile, typename Src1Tile,
          typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TREM(DstTile &dst, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.trem ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    static constexpr pto_form chosen = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile, detail::Word<Precision>>(
        "pto.trem ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {precisionType = #pto<rem_precision @4>}", 4);
    detail::wait(events...);
    detail::call(Precision == RemAlgorithm::DEFAULT ? standard : chosen, dst, src0, src1, tmp);
    return {};
}

/// Takes reciprocal square roots.
template <auto Precision = RsqrtAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TRSQRT(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile>("pto.trsqrt ins(%1 : @1) outs(%0 : @0)", 2);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, detail::Word<Precision>>(
        "pto.trsqrt ins(%1 : @1) outs(%0 : @0) {precisionType = #pto<rsqrt_precision @2>}", 2);
    detail::wait(events...);
    detail::call(Precision == RsqrtAlgorithm::DEFAULT ? standard : chosen, dst, src);
    return {};
}

/// Takes reciprocal square roots.
template <auto Precision = RsqrtAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename TmpTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TRSQRT(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.trsqrt ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, TmpTile, detail::Word<Precision>>(
        "pto.trsqrt ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<rsqrt_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == RsqrtAlgorithm::DEFAULT ? standard : chosen, dst, src, tmp);
    return {};
}

/// Selects each element from one of two sources by a mask.
template <typename DstTile, typename MaskTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, MaskTile, Src0Tile, Src1Tile>, WaitEvents...>
TSEL(DstTile &dst, MaskTile &mask, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, MaskTile, Src0Tile, Src1Tile>(
        "pto.tsel ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, mask, src0, src1);
    return {};
}

/// Selects each element from one of two sources by a mask.
template <typename DstTile, typename MaskTile, typename Src0Tile, typename Src1Tile, typename TmpTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, MaskTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TSEL(DstTile &dst, MaskTile &mask, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, MaskTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.tsel ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0)", 5);
    detail::wait(events...);
    detail::call(form, dst, mask, src0, src1, tmp);
    return {};
}

/// Shifts elements left.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSHL(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tshl ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Shifts elements right, arithmetically if they are signed.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSHR(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tshr ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Takes square roots.
template <auto Precision = SqrtAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TSQRT(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile>("pto.tsqrt ins(%1 : @1) outs(%0 : @0)", 2);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, detail::Word<Precision>>(
        "pto.tsqrt ins(%1 : @1) outs(%0 : @0) {precisionType = #pto<sqrt_precision @2>}", 2);
    detail::wait(events...);
    detail::call(Precision == SqrtAlgorithm::DEFAULT ? standard : chosen, dst, src);
    return {};
}

/// Takes square roots.
template <auto Precision = SqrtAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename TmpTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TSQRT(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.tsqrt ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, TmpTile, detail::Word<Precision>>(
        "pto.tsqrt ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<sqrt_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == SqrtAlgorithm::DEFAULT ? standard : chosen, dst, src, tmp);
    return {};
}

/// Subtracts a tile from a tile.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSUB(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tsub ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Subtracts a tile from a tile and adds a third.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename Src2Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSUBC(DstTile &dst, Src0Tile &src0, Src1Tile &src1, Src2Tile &src2,
                                             WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, Src2Tile>(
        "pto.tsubc ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, src2);
    return {};
}

/// Subtracts two tiles and replaces negative differences by zero; NaN stays NaN.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSUBRELU(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tsubrelu ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Subtracts two tiles, replaces negative differences by zero and narrows, saturating.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSUBRELUCONV(DstTile &dst, Src0Tile &src0, Src1Tile &src1,
                                                    WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tsubreluconv ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Xors the bits of two tiles.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TXOR(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.txor ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Xors the bits of two tiles.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TXOR(DstTile &dst, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.txor ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, tmp);
    return {};
}

/// Adds a scalar to each element.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TADDS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar,
                                             WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tadds ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Adds a tile, a scalar and a tile.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TADDSC(DstTile &dst, Src0Tile &src0, typename Src0Tile::DType scalar,
                                              Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, typename Src0Tile::DType, Src1Tile>(
        "pto.taddsc ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src0, scalar, src1);
    return {};
}

/// Ands the bits of each element with a scalar.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TANDS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar,
                                             WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tands ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Adds a multiple of a tile to the destination.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TAXPY(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar,
                                             WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.taxpy ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Compares element by element and packs the results, one bit per element.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TCMPS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar, CmpMode cmpMode, WaitEvents &...events) {
    static constexpr detail::Forms<detail::CmpModes, DstTile, SrcTile, typename SrcTile::DType> forms(
        "pto.tcmps ins(%1, %2 : @1, @2) outs(%0 : @0) {cmpMode = #pto<cmp @3>}", 3);
    detail::wait(events...);
    detail::call(forms[cmpMode], dst, src, scalar);
    return {};
}

/// Compares element by element and packs the results, one bit per element.
template <typename DstTile, typename SrcTile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, Src1Tile>, WaitEvents...>
TCMPS(DstTile &dst, SrcTile &src, Src1Tile &src1, CmpMode cmpMode, WaitEvents &...events) {
    static constexpr detail::Forms<detail::CmpModes, DstTile, SrcTile, Src1Tile> forms(
        "pto.tcmps ins(%1, %2 : @1, @2) outs(%0 : @0) {cmpMode = #pto<cmp @3>}", 3);
    detail::wait(events...);
    detail::call(forms[cmpMode], dst, src, src1);
    return {};
}

/// Divides each element by a scalar, or a scalar by each element, in the order of the operands.
template <auto Precision = DivAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TDIVS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tdivs ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, typename SrcTile::DType, detail::Word<Precision>>(
        "pto.tdivs ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<div_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == DivAlgorithm::DEFAULT ? standard : chosen, dst, src, scalar);
    return {};
}

/// Divides each element by a scalar, or a scalar by each element, in the order of the operands.
template <auto Precision = DivAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TDIVS(DstTile &dst, typename SrcTile::DType scalar, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, typename SrcTile::DType, SrcTile>(
        "pto.tdivs ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, typename SrcTile::DType, SrcTile, detail::Word<Precision>>(
        "pto.tdivs ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<div_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == DivAlgorithm::DEFAULT ? standard : chosen, dst, scalar, src);
    return {};
}

/// Fills a tile with a scalar: the valid region of a vec tile, all of a mat tile.
template <typename DstTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TEXPANDS(DstTile &dst, typename DstTile::DType scalar, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, typename DstTile::DType>(
        "pto.texpands ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, scalar);
    return {};
}

/// Remainder of each element by a scalar, with the sign of the element.
template <auto Precision = FmodSAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TFMODS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tfmods ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Remainder of each element by a scalar, with the sign of the element.
template <auto Precision = FmodSAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename TmpTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TFMODS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType, TmpTile>(
        "pto.tfmods ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src, scalar, tmp);
    return {};
}

/// Multiplies negative elements by a scalar.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TLRELU(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar,
                                              WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tlrelu ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Takes the larger of each element and a scalar.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMAXS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar,
                                             WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tmaxs ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Takes the smaller of each element and a scalar.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMINS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar,
                                             WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tmins ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Multiplies each element by a scalar.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMULS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar,
                                             WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tmuls ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Ors the bits of each element with a scalar.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TORS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar,
                                            WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tors ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Raises elements to the power of a scalar.
template <auto Precision = PowAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TPOWS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tpows ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, typename SrcTile::DType, detail::Word<Precision>>(
        "pto.tpows ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<pow_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == PowAlgorithm::DEFAULT ? standard : chosen, dst, src, scalar);
    return {};
}

/// Raises elements to the power of a scalar.
template <auto Precision = PowAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename TmpTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TPOWS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, SrcTile, typename SrcTile::DType, TmpTile>(
        "pto.tpows ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    static constexpr pto_form chosen = detail::form<DstTile, SrcTile, typename SrcTile::DType, TmpTile, detail::Word<Precision>>(
        "pto.tpows ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {precisionType = #pto<pow_precision @4>}", 4);
    detail::wait(events...);
    detail::call(Precision == PowAlgorithm::DEFAULT ? standard : chosen, dst, src, scalar, tmp);
    return {};
}

/// Remainder of each element by a scalar, with the sign of the scalar. A2/A3 overwrite a source of i32.
template <auto Precision = RemSAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TREMS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.trems ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Remainder of each element by a scalar, with the sign of the scalar. A2/A3 overwrite a source of i32.
template <auto Precision = RemSAlgorithm::DEFAULT, typename DstTile, typename SrcTile, typename TmpTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TREMS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType, TmpTile>(
        "pto.trems ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src, scalar, tmp);
    return {};
}

/// Selects each element from one of two sources by a mask.
template <typename DstTile, typename MaskTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, MaskTile, SrcTile>, WaitEvents...>
TSELS(DstTile &dst, MaskTile &mask, SrcTile &src, typename SrcTile::DType scalar, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, MaskTile, SrcTile, typename SrcTile::DType>(
        "pto.tsels ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, mask, src, scalar);
    return {};
}

/// Selects each element from one of two sources by a mask.
template <typename DstTile, typename MaskTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, MaskTile, SrcTile, TmpTile>, WaitEvents...>
TSELS(DstTile &dst, MaskTile &mask, SrcTile &src, TmpTile &tmp, typename SrcTile::DType scalar, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, MaskTile, SrcTile, TmpTile, typename SrcTile::DType>(
        "pto.tsels ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0)", 5);
    detail::wait(events...);
    detail::call(form, dst, mask, src, tmp, scalar);
    return {};
}

/// Shifts each element left by a scalar.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSHLS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar,
                                             WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tshls ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Shifts each element right by a scalar, arithmetically if it is signed.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSHRS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar,
                                             WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tshrs ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Subtracts a scalar from each element.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSUBS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar,
                                             WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.tsubs ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Subtracts a scalar from a tile and adds a tile.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSUBSC(DstTile &dst, Src0Tile &src0, typename Src0Tile::DType scalar,
                                              Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, typename Src0Tile::DType, Src1Tile>(
        "pto.tsubsc ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src0, scalar, src1);
    return {};
}

/// Xors the bits of each element with a scalar.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TXORS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType>(
        "pto.txors ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, scalar);
    return {};
}

/// Xors the bits of each element with a scalar.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TXORS(DstTile &dst, SrcTile &src, typename SrcTile::DType scalar, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, typename SrcTile::DType, TmpTile>(
        "pto.txors ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src, scalar, tmp);
    return {};
}

/// Finds the index of the largest element of each column, and optionally the element.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TCOLARGMAX(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.tcolargmax ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Finds the index of the largest element of each column, and optionally the element.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TCOLARGMAX(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tcolargmax ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Finds the index of the largest element of each column, and optionally the element.
template <typename ValueTile, typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<ValueTile, DstTile, SrcTile, TmpTile>, WaitEvents...>
TCOLARGMAX(ValueTile &value, DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<ValueTile, DstTile, SrcTile, TmpTile>(
        "pto.tcolargmax ins(%2, %3 : @2, @3) outs(%0, %1 : @0, @1)", 4);
    detail::wait(events...);
    detail::call(form, value, dst, src, tmp);
    return {};
}

/// Finds the index of the smallest element of each column, and optionally the element.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TCOLARGMIN(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.tcolargmin ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Finds the index of the smallest element of each column, and optionally the element.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TCOLARGMIN(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tcolargmin ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Finds the index of the smallest element of each column, and optionally the element.
template <typename ValueTile, typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<ValueTile, DstTile, SrcTile, TmpTile>, WaitEvents...>
TCOLARGMIN(ValueTile &value, DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<ValueTile, DstTile, SrcTile, TmpTile>(
        "pto.tcolargmin ins(%2, %3 : @2, @3) outs(%0, %1 : @0, @1)", 4);
    detail::wait(events...);
    detail::call(form, value, dst, src, tmp);
    return {};
}

/// Takes the largest element of each column.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TCOLMAX(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.tcolmax ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Takes the largest element of each column.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TCOLMAX(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tcolmax ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Takes the smallest element of each column.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TCOLMIN(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.tcolmin ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Takes the smallest element of each column.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TCOLMIN(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tcolmin ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Multiplies the elements of each column.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TCOLPROD(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.tcolprod ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Multiplies the elements of each column.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TCOLPROD(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tcolprod ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Sums each column.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TCOLSUM(DstTile &dst, SrcTile &src, TmpTile &tmp, bool isBinary, WaitEvents &...events) {
    static constexpr detail::Forms<detail::Choice<false, true>, DstTile, SrcTile, TmpTile> forms(
        "pto.tcolsum ins(%1, %2 : @1, @2) outs(%0 : @0) {isBinary = @3}", 3);
    detail::wait(events...);
    detail::call(forms[isBinary], dst, src, tmp);
    return {};
}

/// Sums each column.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TCOLSUM(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tcolsum ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Adds each even column and the next; zeros fill the rest of the destination. A lone last column is not added.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TPAIRREDUCESUM(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tpairreducesum ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Finds the index of the largest element of each row, and optionally the element.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TROWARGMAX(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.trowargmax ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Finds the index of the largest element of each row, and optionally the element.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TROWARGMAX(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.trowargmax ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Finds the index of the largest element of each row, and optionally the element.
template <typename ValueTile, typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<ValueTile, DstTile, SrcTile, TmpTile>, WaitEvents...>
TROWARGMAX(ValueTile &value, DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<ValueTile, DstTile, SrcTile, TmpTile>(
        "pto.trowargmax ins(%2, %3 : @2, @3) outs(%0, %1 : @0, @1)", 4);
    detail::wait(events...);
    detail::call(form, value, dst, src, tmp);
    return {};
}

/// Finds the index of the smallest element of each row, and optionally the element.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TROWARGMIN(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.trowargmin ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Finds the index of the smallest element of each row, and optionally the element.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TROWARGMIN(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.trowargmin ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Finds the index of the smallest element of each row, and optionally the element.
template <typename ValueTile, typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<ValueTile, DstTile, SrcTile, TmpTile>, WaitEvents...>
TROWARGMIN(ValueTile &value, DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<ValueTile, DstTile, SrcTile, TmpTile>(
        "pto.trowargmin ins(%2, %3 : @2, @3) outs(%0, %1 : @0, @1)", 4);
    detail::wait(events...);
    detail::call(form, value, dst, src, tmp);
    return {};
}

/// Takes the largest element of each row.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TROWMAX(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.trowmax ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Takes the largest element of each row.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TROWMAX(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.trowmax ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Takes the smallest element of each row.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TROWMIN(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.trowmin ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Takes the smallest element of each row.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TROWMIN(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.trowmin ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Multiplies the elements of each row.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TROWPROD(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.trowprod ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Multiplies the elements of each row.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TROWPROD(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.trowprod ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Sums each row.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TROWSUM(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.trowsum ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Sums each row.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TROWSUM(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.trowsum ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Repeats the first row down the tile.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TCOLEXPAND(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tcolexpand ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Adds one element per column to a tile.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TCOLEXPANDADD(DstTile &dst, Src0Tile &src0, Src1Tile &src1,
                                                     WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tcolexpandadd ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Divides a tile by one element per column; with swapped operands, the reverse.
template <auto Precision = DivAlgorithm::DEFAULT, typename DstTile, typename Src0Tile, typename Src1Tile,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TCOLEXPANDDIV(DstTile &dst, Src0Tile &src0, Src1Tile &src1,
                                                     WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tcolexpanddiv ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, Src0Tile, Src1Tile, detail::Word<Precision>>(
        "pto.tcolexpanddiv ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<div_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == DivAlgorithm::DEFAULT ? standard : chosen, dst, src0, src1);
    return {};
}

/// Takes the exponential of the difference of a tile and one element per column.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TCOLEXPANDEXPDIF(DstTile &dst, Src0Tile &src0, Src1Tile &src1,
                                                        WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tcolexpandexpdif ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Takes the larger of a tile and one element per column.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TCOLEXPANDMAX(DstTile &dst, Src0Tile &src0, Src1Tile &src1,
                                                     WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tcolexpandmax ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Takes the smaller of a tile and one element per column.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TCOLEXPANDMIN(DstTile &dst, Src0Tile &src0, Src1Tile &src1,
                                                     WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tcolexpandmin ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Multiplies a tile by one element per column.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TCOLEXPANDMUL(DstTile &dst, Src0Tile &src0, Src1Tile &src1,
                                                     WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tcolexpandmul ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Subtracts one element per column from a tile; with swapped operands, the reverse.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TCOLEXPANDSUB(DstTile &dst, Src0Tile &src0, Src1Tile &src1,
                                                     WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tcolexpandsub ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Repeats the first element of each row along it.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TROWEXPAND(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.trowexpand ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Adds one element per row to a tile.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TROWEXPANDADD(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.trowexpandadd ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Adds one element per row to a tile.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TROWEXPANDADD(DstTile &dst, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.trowexpandadd ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, tmp);
    return {};
}

/// Divides a tile by one element per row; with swapped operands, the reverse.
template <auto Precision = DivAlgorithm::DEFAULT, typename DstTile, typename Src0Tile, typename Src1Tile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TROWEXPANDDIV(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.trowexpanddiv ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    static constexpr pto_form chosen = detail::form<DstTile, Src0Tile, Src1Tile, detail::Word<Precision>>(
        "pto.trowexpanddiv ins(%1, %2 : @1, @2) outs(%0 : @0) {precisionType = #pto<div_precision @3>}", 3);
    detail::wait(events...);
    detail::call(Precision == DivAlgorithm::DEFAULT ? standard : chosen, dst, src0, src1);
    return {};
}

/// Divides a tile by one element per row; with swapped operands, the reverse.
template <auto Precision = DivAlgorithm::DEFAULT, typename DstTile, typename Src0Tile, typename Src1Tile,
          typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TROWEXPANDDIV(DstTile &dst, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form standard = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.trowexpanddiv ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    static constexpr pto_form chosen = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile, detail::Word<Precision>>(
        "pto.trowexpanddiv ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {precisionType = #pto<div_precision @4>}", 4);
    detail::wait(events...);
    detail::call(Precision == DivAlgorithm::DEFAULT ? standard : chosen, dst, src0, src1, tmp);
    return {};
}

/// Takes the exponential of the difference of a tile and one element per row.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TROWEXPANDEXPDIF(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.trowexpandexpdif ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Takes the exponential of the difference of a tile and one element per row.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TROWEXPANDEXPDIF(DstTile &dst, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.trowexpandexpdif ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, tmp);
    return {};
}

/// Takes the larger of a tile and one element per row.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TROWEXPANDMAX(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.trowexpandmax ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Takes the larger of a tile and one element per row.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TROWEXPANDMAX(DstTile &dst, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.trowexpandmax ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, tmp);
    return {};
}

/// Takes the smaller of a tile and one element per row.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TROWEXPANDMIN(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.trowexpandmin ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Takes the smaller of a tile and one element per row.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TROWEXPANDMIN(DstTile &dst, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.trowexpandmin ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, tmp);
    return {};
}

/// Multiplies a tile by one element per row.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TROWEXPANDMUL(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.trowexpandmul ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Multiplies a tile by one element per row.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TROWEXPANDMUL(DstTile &dst, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.trowexpandmul ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, tmp);
    return {};
}

/// Subtracts one element per row from a tile; with swapped operands, the reverse.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TROWEXPANDSUB(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.trowexpandsub ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Subtracts one element per row from a tile; with swapped operands, the reverse.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, TmpTile>, WaitEvents...>
TROWEXPANDSUB(DstTile &dst, Src0Tile &src0, Src1Tile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, TmpTile>(
        "pto.trowexpandsub ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, tmp);
    return {};
}

/// Multiplies a row vector by a matrix.
template <typename DstTile, typename LeftTile, typename RightTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, RightTile>, WaitEvents...>
TGEMV(DstTile &dst, LeftTile &left, RightTile &right, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, RightTile>(
        "pto.tgemv ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, left, right);
    return {};
}

/// Multiplies a row vector by a matrix.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename RightTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, RightTile>, WaitEvents...>
TGEMV(DstTile &dst, LeftTile &left, RightTile &right, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, RightTile, detail::Word<Phase>>(
        "pto.tgemv ins(%1, %2 : @1, @2) outs(%0 : @0) {accPhase = #pto<acc_phase @3>}", 3);
    detail::wait(events...);
    detail::call(form, dst, left, right);
    return {};
}

/// Multiplies a row vector by a matrix onto an accumulator.
template <typename DstTile, typename LeftTile, typename RightTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, DstTile, LeftTile, RightTile>, WaitEvents...>
TGEMV_ACC(DstTile &dst, DstTile &acc, LeftTile &left, RightTile &right, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, DstTile, LeftTile, RightTile>(
        "pto.tgemv.acc ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, acc, left, right);
    return {};
}

/// Multiplies a row vector by a matrix onto an accumulator.
template <typename DstTile, typename LeftTile, typename RightTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, RightTile>, WaitEvents...>
TGEMV_ACC(DstTile &dst, LeftTile &left, RightTile &right, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, RightTile>(
        "pto.tgemv.acc ins(%0, %1, %2 : @0, @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, left, right);
    return {};
}

/// Multiplies a row vector by a matrix onto an accumulator.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename RightTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, DstTile, LeftTile, RightTile>, WaitEvents...>
TGEMV_ACC(DstTile &dst, DstTile &acc, LeftTile &left, RightTile &right, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, DstTile, LeftTile, RightTile, detail::Word<Phase>>(
        "pto.tgemv.acc ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {accPhase = #pto<acc_phase @4>}", 4);
    detail::wait(events...);
    detail::call(form, dst, acc, left, right);
    return {};
}

/// Multiplies a row vector by a matrix onto an accumulator.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename RightTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, RightTile>, WaitEvents...>
TGEMV_ACC(DstTile &dst, LeftTile &left, RightTile &right, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, RightTile, detail::Word<Phase>>(
        "pto.tgemv.acc ins(%0, %1, %2 : @0, @1, @2) outs(%0 : @0) {accPhase = #pto<acc_phase @3>}", 3);
    detail::wait(events...);
    detail::call(form, dst, left, right);
    return {};
}

/// Multiplies a row vector by a matrix and adds a row of biases.
template <typename DstTile, typename LeftTile, typename RightTile, typename BiasTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, RightTile, BiasTile>, WaitEvents...>
TGEMV_BIAS(DstTile &dst, LeftTile &left, RightTile &right, BiasTile &bias, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, RightTile, BiasTile>(
        "pto.tgemv.bias ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, left, right, bias);
    return {};
}

/// Multiplies a row vector by a matrix and adds a row of biases.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename RightTile, typename BiasTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, RightTile, BiasTile>, WaitEvents...>
TGEMV_BIAS(DstTile &dst, LeftTile &left, RightTile &right, BiasTile &bias, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, RightTile, BiasTile, detail::Word<Phase>>(
        "pto.tgemv.bias ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {accPhase = #pto<acc_phase @4>}", 4);
    detail::wait(events...);
    detail::call(form, dst, left, right, bias);
    return {};
}

/// Multiplies a row vector by a matrix with MX scales.
template <typename DstTile, typename LeftTile, typename LeftScaleTile, typename RightTile, typename RightScaleTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile>, WaitEvents...>
TGEMV_MX(DstTile &dst, LeftTile &left, LeftScaleTile &left_scale, RightTile &right, RightScaleTile &right_scale,
         WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile>(
        "pto.tgemv.mx ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0)", 5);
    detail::wait(events...);
    detail::call(form, dst, left, left_scale, right, right_scale);
    return {};
}

/// Multiplies a row vector by a matrix with MX scales.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename LeftScaleTile, typename RightTile,
          typename RightScaleTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile>, WaitEvents...>
TGEMV_MX(DstTile &dst, LeftTile &left, LeftScaleTile &left_scale, RightTile &right, RightScaleTile &right_scale,
         WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile, detail::Word<Phase>>(
        "pto.tgemv.mx ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0) {accPhase = #pto<acc_phase @5>}", 5);
    detail::wait(events...);
    detail::call(form, dst, left, left_scale, right, right_scale);
    return {};
}

/// Multiplies a row vector by a matrix with MX scales onto an accumulator.
template <typename DstTile, typename LeftTile, typename LeftScaleTile, typename RightTile, typename RightScaleTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile>, WaitEvents...>
TGEMV_MX(DstTile &dst, DstTile &acc, LeftTile &left, LeftScaleTile &left_scale, RightTile &right,
         RightScaleTile &right_scale, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile>(
        "pto.tgemv.mx.acc ins(%1, %2, %3, %4, %5 : @1, @2, @3, @4, @5) outs(%0 : @0)", 6);
    detail::wait(events...);
    detail::call(form, dst, acc, left, left_scale, right, right_scale);
    return {};
}

/// Multiplies a row vector by a matrix with MX scales onto an accumulator.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename LeftScaleTile, typename RightTile,
          typename RightScaleTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile>, WaitEvents...>
TGEMV_MX(DstTile &dst, DstTile &acc, LeftTile &left, LeftScaleTile &left_scale, RightTile &right,
         RightScaleTile &right_scale, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile, detail::Word<Phase>>(
        "pto.tgemv.mx.acc ins(%1, %2, %3, %4, %5 : @1, @2, @3, @4, @5) outs(%0 : @0) {accPhase = #pto<acc_phase @6>}", 6);
    detail::wait(events...);
    detail::call(form, dst, acc, left, left_scale, right, right_scale);
    return {};
}

/// Multiplies a row vector by a matrix with MX scales and adds a row of biases.
template <typename DstTile, typename LeftTile, typename LeftScaleTile, typename RightTile, typename RightScaleTile,
          typename BiasTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile, BiasTile>, WaitEvents...>
TGEMV_MX(DstTile &dst, LeftTile &left, LeftScaleTile &left_scale, RightTile &right, RightScaleTile &right_scale,
         BiasTile &bias, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile, BiasTile>(
        "pto.tgemv.mx.bias ins(%1, %2, %3, %4, %5 : @1, @2, @3, @4, @5) outs(%0 : @0)", 6);
    detail::wait(events...);
    detail::call(form, dst, left, left_scale, right, right_scale, bias);
    return {};
}

/// Multiplies a row vector by a matrix with MX scales and adds a row of biases.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename LeftScaleTile, typename RightTile,
          typename RightScaleTile, typename BiasTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile, BiasTile>, WaitEvents...>
TGEMV_MX(DstTile &dst, LeftTile &left, LeftScaleTile &left_scale, RightTile &right, RightScaleTile &right_scale,
         BiasTile &bias, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile, BiasTile, detail::Word<Phase>>(
        "pto.tgemv.mx.bias ins(%1, %2, %3, %4, %5 : @1, @2, @3, @4, @5) outs(%0 : @0) {accPhase = #pto<acc_phase @6>}", 6);
    detail::wait(events...);
    detail::call(form, dst, left, left_scale, right, right_scale, bias);
    return {};
}

/// Multiplies two matrices.
template <typename DstTile, typename LeftTile, typename RightTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, RightTile>, WaitEvents...>
TMATMUL(DstTile &dst, LeftTile &left, RightTile &right, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, RightTile>(
        "pto.tmatmul ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, left, right);
    return {};
}

/// Multiplies two matrices.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename RightTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, RightTile>, WaitEvents...>
TMATMUL(DstTile &dst, LeftTile &left, RightTile &right, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, RightTile, detail::Word<Phase>>(
        "pto.tmatmul ins(%1, %2 : @1, @2) outs(%0 : @0) {accPhase = #pto<acc_phase @3>}", 3);
    detail::wait(events...);
    detail::call(form, dst, left, right);
    return {};
}

/// Multiplies two matrices onto an accumulator.
template <typename DstTile, typename LeftTile, typename RightTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, DstTile, LeftTile, RightTile>, WaitEvents...>
TMATMUL_ACC(DstTile &dst, DstTile &acc, LeftTile &left, RightTile &right, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, DstTile, LeftTile, RightTile>(
        "pto.tmatmul.acc ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, acc, left, right);
    return {};
}

/// Multiplies two matrices onto an accumulator.
template <typename DstTile, typename LeftTile, typename RightTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, RightTile>, WaitEvents...>
TMATMUL_ACC(DstTile &dst, LeftTile &left, RightTile &right, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, RightTile>(
        "pto.tmatmul.acc ins(%0, %1, %2 : @0, @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, left, right);
    return {};
}

/// Multiplies two matrices onto an accumulator.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename RightTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, DstTile, LeftTile, RightTile>, WaitEvents...>
TMATMUL_ACC(DstTile &dst, DstTile &acc, LeftTile &left, RightTile &right, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, DstTile, LeftTile, RightTile, detail::Word<Phase>>(
        "pto.tmatmul.acc ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {accPhase = #pto<acc_phase @4>}", 4);
    detail::wait(events...);
    detail::call(form, dst, acc, left, right);
    return {};
}

/// Multiplies two matrices onto an accumulator.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename RightTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, RightTile>, WaitEvents...>
TMATMUL_ACC(DstTile &dst, LeftTile &left, RightTile &right, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, RightTile, detail::Word<Phase>>(
        "pto.tmatmul.acc ins(%0, %1, %2 : @0, @1, @2) outs(%0 : @0) {accPhase = #pto<acc_phase @3>}", 3);
    detail::wait(events...);
    detail::call(form, dst, left, right);
    return {};
}

/// Multiplies two matrices and adds a row of biases.
template <typename DstTile, typename LeftTile, typename RightTile, typename BiasTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, RightTile, BiasTile>, WaitEvents...>
TMATMUL_BIAS(DstTile &dst, LeftTile &left, RightTile &right, BiasTile &bias, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, RightTile, BiasTile>(
        "pto.tmatmul.bias ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, left, right, bias);
    return {};
}

/// Multiplies two matrices and adds a row of biases.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename RightTile, typename BiasTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, RightTile, BiasTile>, WaitEvents...>
TMATMUL_BIAS(DstTile &dst, LeftTile &left, RightTile &right, BiasTile &bias, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, RightTile, BiasTile, detail::Word<Phase>>(
        "pto.tmatmul.bias ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {accPhase = #pto<acc_phase @4>}", 4);
    detail::wait(events...);
    detail::call(form, dst, left, right, bias);
    return {};
}

/// Multiplies two matrices with MX scales.
template <typename DstTile, typename LeftTile, typename LeftScaleTile, typename RightTile, typename RightScaleTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile>, WaitEvents...>
TMATMUL_MX(DstTile &dst, LeftTile &left, LeftScaleTile &left_scale, RightTile &right, RightScaleTile &right_scale,
           WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile>(
        "pto.tmatmul.mx ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0)", 5);
    detail::wait(events...);
    detail::call(form, dst, left, left_scale, right, right_scale);
    return {};
}

/// Multiplies two matrices with MX scales.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename LeftScaleTile, typename RightTile,
          typename RightScaleTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile>, WaitEvents...>
TMATMUL_MX(DstTile &dst, LeftTile &left, LeftScaleTile &left_scale, RightTile &right, RightScaleTile &right_scale,
           WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile, detail::Word<Phase>>(
        "pto.tmatmul.mx ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0) {accPhase = #pto<acc_phase @5>}", 5);
    detail::wait(events...);
    detail::call(form, dst, left, left_scale, right, right_scale);
    return {};
}

/// Multiplies two matrices with MX scales onto an accumulator.
template <typename DstTile, typename LeftTile, typename LeftScaleTile, typename RightTile, typename RightScaleTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile>, WaitEvents...>
TMATMUL_MX(DstTile &dst, DstTile &acc, LeftTile &left, LeftScaleTile &left_scale, RightTile &right,
           RightScaleTile &right_scale, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile>(
        "pto.tmatmul.mx.acc ins(%1, %2, %3, %4, %5 : @1, @2, @3, @4, @5) outs(%0 : @0)", 6);
    detail::wait(events...);
    detail::call(form, dst, acc, left, left_scale, right, right_scale);
    return {};
}

/// Multiplies two matrices with MX scales onto an accumulator.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename LeftScaleTile, typename RightTile,
          typename RightScaleTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile>, WaitEvents...>
TMATMUL_MX(DstTile &dst, DstTile &acc, LeftTile &left, LeftScaleTile &left_scale, RightTile &right,
           RightScaleTile &right_scale, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile, detail::Word<Phase>>(
        "pto.tmatmul.mx.acc ins(%1, %2, %3, %4, %5 : @1, @2, @3, @4, @5) outs(%0 : @0) {accPhase = #pto<acc_phase @6>}", 6);
    detail::wait(events...);
    detail::call(form, dst, acc, left, left_scale, right, right_scale);
    return {};
}

/// Multiplies two matrices with MX scales and adds a row of biases.
template <typename DstTile, typename LeftTile, typename LeftScaleTile, typename RightTile, typename RightScaleTile,
          typename BiasTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile, BiasTile>, WaitEvents...>
TMATMUL_MX(DstTile &dst, LeftTile &left, LeftScaleTile &left_scale, RightTile &right, RightScaleTile &right_scale,
           BiasTile &bias, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile, BiasTile>(
        "pto.tmatmul.mx.bias ins(%1, %2, %3, %4, %5 : @1, @2, @3, @4, @5) outs(%0 : @0)", 6);
    detail::wait(events...);
    detail::call(form, dst, left, left_scale, right, right_scale, bias);
    return {};
}

/// Multiplies two matrices with MX scales and adds a row of biases.
template <AccPhase Phase, typename DstTile, typename LeftTile, typename LeftScaleTile, typename RightTile,
          typename RightScaleTile, typename BiasTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile, BiasTile>, WaitEvents...>
TMATMUL_MX(DstTile &dst, LeftTile &left, LeftScaleTile &left_scale, RightTile &right, RightScaleTile &right_scale,
           BiasTile &bias, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, LeftTile, LeftScaleTile, RightTile, RightScaleTile, BiasTile, detail::Word<Phase>>(
        "pto.tmatmul.mx.bias ins(%1, %2, %3, %4, %5 : @1, @2, @3, @4, @5) outs(%0 : @0) {accPhase = #pto<acc_phase @6>}", 6);
    detail::wait(events...);
    detail::call(form, dst, left, left_scale, right, right_scale, bias);
    return {};
}

/// Puts the columns of two tiles side by side.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile>, WaitEvents...>
TCONCAT(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tconcat ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Puts the columns of two tiles side by side.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename Idx0Tile, typename Idx1Tile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, Idx0Tile, Idx1Tile>, WaitEvents...>
TCONCAT(DstTile &dst, Src0Tile &src0, Src1Tile &src1, Idx0Tile &idx0, Idx1Tile &idx1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, Idx0Tile, Idx1Tile>(
        "pto.tconcat ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0)", 5);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, idx0, idx1);
    return {};
}

/// Puts the columns of two tiles side by side.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename CountTile, typename Idx0Tile,
          typename Idx1Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, Src0Tile, Src1Tile, CountTile, Idx0Tile, Idx1Tile>, WaitEvents...>
TCONCAT(DstTile &dst, Src0Tile &src0, Src1Tile &src1, CountTile &count, Idx0Tile &idx0, Idx1Tile &idx1,
        WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, CountTile, Idx0Tile, Idx1Tile>(
        "pto.tconcat ins(%1, %2, %4, %5 : @1, @2, @4, @5) outs(%0, %3 : @0, @3)", 6);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, count, idx0, idx1);
    return {};
}

/// Puts the even columns of two tiles, or of one, into one destination and the odd columns into another.
template <typename Dst1Tile, typename Dst0Tile, typename Src1Tile, typename Src0Tile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<Dst1Tile, Dst0Tile, Src1Tile, Src0Tile>, WaitEvents...>
TDEINTERLEAVE(Dst1Tile &dst1, Dst0Tile &dst0, Src1Tile &src1, Src0Tile &src0, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<Dst1Tile, Dst0Tile, Src1Tile, Src0Tile>(
        "pto.tdeinterleave ins(%3, %2 : @3, @2) outs(%1, %0 : @1, @0)", 4);
    detail::wait(events...);
    detail::call(form, dst1, dst0, src1, src0);
    return {};
}

/// Puts the even columns of two tiles, or of one, into one destination and the odd columns into another.
template <typename Dst1Tile, typename Dst0Tile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<Dst1Tile, Dst0Tile, SrcTile>, WaitEvents...>
TDEINTERLEAVE(Dst1Tile &dst1, Dst0Tile &dst0, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<Dst1Tile, Dst0Tile, SrcTile>(
        "pto.tdeinterleave ins(%2 : @2) outs(%1, %0 : @1, @0)", 3);
    detail::wait(events...);
    detail::call(form, dst1, dst0, src);
    return {};
}

/// Copies the valid region of a tile into a larger one and fills the rest.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TFILLPAD_EXPAND(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>(
        "pto.tfillpad_expand ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Fills the elements outside the valid region of a tile, in place.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TFILLPAD_INPLACE(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>(
        "pto.tfillpad_inplace ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Interleaves the columns of two tiles, with the first half of the result in one destination and the second half in another.
template <typename Dst1Tile, typename Dst0Tile, typename Src1Tile, typename Src0Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TINTERLEAVE(Dst1Tile &dst1, Dst0Tile &dst0, Src1Tile &src1, Src0Tile &src0,
                                                   WaitEvents &...events) {
    static constexpr pto_form form = detail::form<Dst1Tile, Dst0Tile, Src1Tile, Src0Tile>(
        "pto.tinterleave ins(%3, %2 : @3, @2) outs(%1, %0 : @1, @0)", 4);
    detail::wait(events...);
    detail::call(form, dst1, dst0, src1, src0);
    return {};
}

/// Truncates integers to their low bits in a narrower type, or extends them to a wider type.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TPACK(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tpack ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Exchanges rows and columns, or brings a convolution tile into another layout.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile>, WaitEvents...>
TTRANS(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.ttrans ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Exchanges rows and columns, or brings a convolution tile into another layout.
template <typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, TmpTile>, WaitEvents...>
TTRANS(DstTile &dst, SrcTile &src, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile>(
        "pto.ttrans ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

/// Converts quantized integers to f32: subtracts the offset of the row and multiplies by its scale.
template <typename DstTile, typename SrcTile, typename ScaleTile, typename OffsetTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TDEQUANT(DstTile &dst, SrcTile &src, ScaleTile &scale, OffsetTile &offset,
                                                WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, ScaleTile, OffsetTile>(
        "pto.tdequant ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src, scale, offset);
    return {};
}

/// Gathers blocks of 32 bytes by their byte offsets in the source.
template <typename DstTile, typename SrcTile, typename OffsetsTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TGATHERB(DstTile &dst, SrcTile &src, OffsetsTile &offsets,
                                                WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, OffsetsTile>(
        "pto.tgatherb ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, offsets);
    return {};
}

/// Adds two tiles; where only one is valid, its element is copied.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TPARTADD(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tpartadd ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// The larger element of two tiles with its index; where only one tile is valid, its element and index are copied.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename IdxTile, typename Idx0Tile,
          typename Idx1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TPARTARGMAX(DstTile &dst, Src0Tile &src0, Src1Tile &src1, IdxTile &idx,
                                                   Idx0Tile &idx0, Idx1Tile &idx1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, IdxTile, Idx0Tile, Idx1Tile>(
        "pto.tpartargmax ins(%1, %2, %4, %5 : @1, @2, @4, @5) outs(%0, %3 : @0, @3)", 6);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, idx, idx0, idx1);
    return {};
}

/// The smaller element of two tiles with its index; where only one tile is valid, its element and index are copied.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename IdxTile, typename Idx0Tile,
          typename Idx1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TPARTARGMIN(DstTile &dst, Src0Tile &src0, Src1Tile &src1, IdxTile &idx,
                                                   Idx0Tile &idx0, Idx1Tile &idx1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile, IdxTile, Idx0Tile, Idx1Tile>(
        "pto.tpartargmin ins(%1, %2, %4, %5 : @1, @2, @4, @5) outs(%0, %3 : @0, @3)", 6);
    detail::wait(events...);
    detail::call(form, dst, src0, src1, idx, idx0, idx1);
    return {};
}

/// The larger element of two tiles; where only one is valid, its element is copied.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TPARTMAX(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tpartmax ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// The smaller element of two tiles; where only one is valid, its element is copied.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TPARTMIN(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tpartmin ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Multiplies two tiles; where only one is valid, its element is copied.
template <typename DstTile, typename Src0Tile, typename Src1Tile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TPARTMUL(DstTile &dst, Src0Tile &src0, Src1Tile &src1, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, Src0Tile, Src1Tile>(
        "pto.tpartmul ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src0, src1);
    return {};
}

/// Sorts each block of 32 values of a row, the greatest first, together with their indices.
template <typename DstTile, typename SrcTile, typename IdxTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, IdxTile>, WaitEvents...>
TSORT32(DstTile &dst, SrcTile &src, IdxTile &idx, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, IdxTile>(
        "pto.tsort32 ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, idx);
    return {};
}

/// Sorts each block of 32 values of a row, the greatest first, together with their indices.
template <typename DstTile, typename SrcTile, typename IdxTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DstTile, SrcTile, IdxTile, TmpTile>, WaitEvents...>
TSORT32(DstTile &dst, SrcTile &src, IdxTile &idx, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, IdxTile, TmpTile>(
        "pto.tsort32 ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src, idx, tmp);
    return {};
}

} // namespace pto

#endif
