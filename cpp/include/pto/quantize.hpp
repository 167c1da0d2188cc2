// TQUANT: to 8-bit integers with a scale for each row, and to MX formats with an exponent for each group of 32 elements.
#ifndef PTO_QUANTIZE_HPP
#define PTO_QUANTIZE_HPP

#include "pto/call.hpp"
#include "pto/event.hpp"
#include "pto/tile.hpp"
#include "pto/words.hpp"

namespace pto {
namespace detail {

/// Quantizes to 8-bit integers, with a workspace or without one.
template <auto Type, typename Dst, typename Src, typename Parameter, typename... Tmp>
PTO_INST void quantize(Dst &dst, Src &src, Parameter &scale, Parameter *offset, Tmp &...tmp) {
    constexpr bool has_tmp = sizeof...(Tmp) == 1;
    static constexpr pto_form scaled = form<Dst, Src, Parameter, Tmp..., Word<Type>>(
        has_tmp ? "pto.tquant ins(%1, %2 : @1, @2) outs(%0, %3 : @0, @3) {quant_type = #pto<quant_type @4>}"
                : "pto.tquant ins(%1, %2 : @1, @2) outs(%0 : @0) {quant_type = #pto<quant_type @3>}",
        3 + sizeof...(Tmp));
    static constexpr pto_form shifted = form<Dst, Src, Parameter, Parameter, Tmp..., Word<Type>>(
        has_tmp ? "pto.tquant ins(%1, %2, %3 : @1, @2, @3) outs(%0, %4 : @0, @4) {quant_type = #pto<quant_type @5>}"
                : "pto.tquant ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {quant_type = #pto<quant_type @4>}",
        4 + sizeof...(Tmp));
    if (offset == nullptr) {
        call(scaled, dst, src, scale, tmp...);
    } else {
        call(shifted, dst, src, scale, *offset, tmp...);
    }
}

/// The element type of an MX quantization, and how it finds exponents.
constexpr QuantType type_of(MxQuantAlg algorithm) {
    return algorithm == MxQuantAlg::OcpMxFp4E2M1 || algorithm == MxQuantAlg::NvMxFp4E2M1 ? QuantType::MXFP4_E2M1
                                                                                         : QuantType::MXFP8;
}
constexpr QuantScaleAlg scale_of(MxQuantAlg algorithm) {
    return algorithm == MxQuantAlg::NvMxFp8E4M3 || algorithm == MxQuantAlg::NvMxFp4E2M1 ? QuantScaleAlg::NV
                                                                                        : QuantScaleAlg::OCP;
}

template <int Axis, QuantType Type, QuantScaleAlg Scale, typename Dst, typename Src, typename Exp, typename Max,
          typename Scaling>
PTO_INST void quantize_groups(Dst &dst, Src &src, Exp &exp, Max &max, Scaling &scaling) {
    static_assert(Axis == 0 || Axis == 1, "groups are of rows (0) or of columns (1)");
    static constexpr pto_form form =
        detail::form<Dst, Src, Exp, Max, Scaling, Word<Type>, Word<Scale>, Number<Axis>>(
            "pto.tquant.mx ins(%1 : @1) outs(%0, %2, %3, %4 : @0, @2, @3, @4) {quant_type = #pto<quant_type @5>, "
            "quantScaleAlg = #pto<quant_scale_alg @6>, grpAxis = #pto<mx_group_axis axis@7>}",
            5);
    call(form, dst, src, exp, max, scaling);
}

template <QuantType Type, VecStoreMode Store, typename Dst, typename Src, typename Exp, typename Max, typename Scaling>
PTO_INST void quantize_for_factor(Dst &dst, Src &src, Exp &exp, Max &max, Scaling &scaling, Exp &exp_zz) {
    static constexpr pto_form form = detail::form<Dst, Src, Exp, Max, Scaling, Exp, Word<Type>>(
        Store == VecStoreMode::NZ
            ? "pto.tquant.mx ins(%1 : @1) outs(%0, %2, %3, %4, %5 : @0, @2, @3, @4, @5) "
              "{quant_type = #pto<quant_type @6>, storeMode = #pto<vec_store_mode nz>}"
            : "pto.tquant.mx ins(%1 : @1) outs(%0, %2, %3, %4, %5 : @0, @2, @3, @4, @5) "
              "{quant_type = #pto<quant_type @6>}",
        6);
    call(form, dst, src, exp, max, scaling, exp_zz);
}

} // namespace detail

/// Quantizes to 8-bit integers: times the scale of the row, plus its offset if there is one.
template <auto Type, typename DstTile, typename SrcTile, typename ParameterTile, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<ParameterTile>, WaitEvents...>
TQUANT(DstTile &dst, SrcTile &src, ParameterTile &scale, ParameterTile *offset = nullptr, WaitEvents &...events) {
    detail::wait(events...);
    detail::quantize<Type>(dst, src, scale, offset);
    return {};
}

/// Quantizes to 8-bit integers with the workspace that A2/A3 needs.
template <auto Type, typename DstTile, typename SrcTile, typename ParameterTile, typename TmpTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<ParameterTile, TmpTile>, WaitEvents...>
TQUANT(DstTile &dst, SrcTile &src, ParameterTile &scale, TmpTile &tmp, ParameterTile *offset = nullptr,
       WaitEvents &...events) {
    detail::wait(events...);
    detail::quantize<Type>(dst, src, scale, offset, tmp);
    return {};
}

/// Quantizes groups of 32 rows (axis 0) or columns (axis 1) to 8-bit or 4-bit floats that share a power of two.
template <int Axis, auto Algorithm, typename DstTile, typename SrcTile, typename ExpTile, typename MaxTile,
          typename ScalingTile, typename... WaitEvents>
PTO_INST detail::RecordIf<std::is_same_v<decltype(Algorithm), MxQuantAlg>, WaitEvents...>
TQUANT(DstTile &dst, SrcTile &src, ExpTile *exp, MaxTile *max, ScalingTile *scaling, WaitEvents &...events) {
    static_assert(Algorithm != MxQuantAlg::Hif4, "TQUANT to Hif4 is not defined by the manual: use an MX format");
    detail::wait(events...);
    detail::quantize_groups<Axis, detail::type_of(Algorithm), detail::scale_of(Algorithm)>(dst, src, *exp, *max,
                                                                                         *scaling);
    return {};
}

/// Quantizes groups of 32 columns, given the format and the scale.
template <auto Type, typename DstTile, typename SrcTile, typename ExpTile, typename MaxTile,
          auto Scale = QuantScaleAlg::OCP, typename ScalingTile, typename... WaitEvents>
PTO_INST detail::RecordIf<std::is_same_v<decltype(Type), QuantType>, WaitEvents...>
TQUANT(DstTile &dst, SrcTile &src, ExpTile *exp, MaxTile *max, ScalingTile *scaling, WaitEvents &...events) {
    detail::wait(events...);
    detail::quantize_groups<1, Type, Scale>(dst, src, *exp, *max, *scaling);
    return {};
}

/// Quantizes like the overload above, and also stores the exponents in the order of a factor's scales.
template <auto Type, auto Store, typename DstTile, typename SrcTile, typename ExpTile, typename MaxTile,
          typename ScalingTile, typename... WaitEvents>
PTO_INST detail::RecordIf<std::is_same_v<decltype(Store), VecStoreMode>, WaitEvents...>
TQUANT(DstTile &dst, SrcTile &src, ExpTile *exp, MaxTile *max, ScalingTile *scaling, ExpTile *exp_zz,
       WaitEvents &...events) {
    detail::wait(events...);
    detail::quantize_for_factor<Type, Store>(dst, src, *exp, *max, *scaling, *exp_zz);
    return {};
}

/// Quantizes like the overload above, with a tile of indices: a workspace of the device, which changes no value.
template <auto Type, auto Store, typename DstTile, typename SrcTile, typename ExpTile, typename MaxTile,
          typename ScalingTile, typename IndexTile, typename... WaitEvents>
PTO_INST detail::RecordIf<std::is_same_v<decltype(Store), VecStoreMode>, WaitEvents...>
TQUANT(DstTile &dst, SrcTile &src, ExpTile *exp, MaxTile *max, ScalingTile *scaling, ExpTile *exp_zz, IndexTile *,
       WaitEvents &...events) {
    return TQUANT<Type, Store>(dst, src, exp, max, scaling, exp_zz, events...);
}

} // namespace pto

#endif
