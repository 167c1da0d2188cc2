// Moves between tiles: whole tiles, windows out of a tile, and windows into a tile.
//
// The overloads of an intrinsic differ in template parameters: the vector core that receives an accumulator
// (AccToVecMode), ReLU, and how an accumulator is quantized. Only `detail::fixpipe` composes the words.
#ifndef PTO_MOVES_HPP
#define PTO_MOVES_HPP

#include "pto/event.hpp"

#include <cstdint>

namespace pto {
namespace detail {

/// AccToVecMode of an instruction that chooses it itself.
struct NoMode {};

/// Words of a form between its operands and its mode.
template <typename... Texts>
struct Between {};

/// The form of a move: of two patterns, the second one ends in a mode.
template <typename Mode, typename... Operands, typename... Texts>
constexpr pto_form moved(Between<Texts...>, const char *plain, const char *with_mode) {
    constexpr std::uint32_t count = sizeof...(Operands);
    if constexpr (std::is_same_v<Mode, NoMode>) {
        (void)with_mode;
        return form<Operands..., Texts...>(plain, count);
    } else {
        (void)plain;
        return form<Operands..., Texts..., Mode>(with_mode, count);
    }
}

/// The form of a move with ReLU, and of one out of an accumulator in a phase, which holds the unit flag.
template <typename Mode, ReluPreMode relu, typename... Operands>
constexpr pto_form fixpipe(const char *plain, const char *with_mode) {
    return moved<Mode, Operands...>(Between<Word<relu>>{}, plain, with_mode);
}
template <typename Mode, ReluPreMode relu, STPhase phase, typename... Operands>
constexpr pto_form fixpipe(const char *plain, const char *with_mode) {
    return moved<Mode, Operands...>(Between<Word<relu>, Word<phase>>{}, plain, with_mode);
}

template <typename Mode, ReluPreMode relu, STPhase phase = STPhase::Unspecified, typename Dst, typename Src>
PTO_INST void move(Dst &dst, Src &src) {
    static constexpr pto_form form = fixpipe<Mode, relu, phase, Dst, Src>(
        "pto.tmov ins(%1 : @1) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @2>, stPhase = #pto<st_phase @3>}",
        "pto.tmov ins(%1 : @1) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @2>, stPhase = #pto<st_phase @3>, "
        "accToVecMode = #pto<acc_to_vec_mode @4>}");
    call(form, dst, src);
}

template <typename Mode, ReluPreMode relu, STPhase phase = STPhase::Unspecified, typename Dst, typename Src>
PTO_INST void move(Dst &dst, Src &src, Bits parameter) {
    static constexpr pto_form form = fixpipe<Mode, relu, phase, Dst, Src, Bits>(
        "pto.tmov ins(%1 : @1, %2 : @2) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @3>, "
        "stPhase = #pto<st_phase @4>}",
        "pto.tmov ins(%1 : @1, %2 : @2) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @3>, "
        "stPhase = #pto<st_phase @4>, accToVecMode = #pto<acc_to_vec_mode @5>}");
    call(form, dst, src, parameter);
}

template <typename Mode, ReluPreMode relu, STPhase phase = STPhase::Unspecified, typename Dst, typename Src,
          typename Fp>
PTO_INST void move_fp(Dst &dst, Src &src, Fp &fp) {
    static constexpr pto_form form = fixpipe<Mode, relu, phase, Dst, Src, Fp>(
        "pto.tmov_fp ins(%1, %2 : @1, @2) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @3>, "
        "stPhase = #pto<st_phase @4>}",
        "pto.tmov_fp ins(%1, %2 : @1, @2) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @3>, "
        "stPhase = #pto<st_phase @4>, accToVecMode = #pto<acc_to_vec_mode @5>}");
    call(form, dst, src, fp);
}

} // namespace detail

/// Copies a tile into a tile of another location or layout.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMOV(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tmov ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Moves an accumulator with ReLU.
template <typename DstTile, typename SrcTile, ReluPreMode Relu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMOV(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    detail::wait(events...);
    detail::move<detail::NoMode, Relu>(dst, src);
    return {};
}

/// Moves an accumulator to one vector core, or split to both.
template <typename DstTile, typename SrcTile, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMOV(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    detail::wait(events...);
    detail::move<detail::Word<Mode>, Relu>(dst, src);
    return {};
}

/// Moves an accumulator, quantized with one parameter.
template <typename DstTile, typename SrcTile, ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMOV(DstTile &dst, SrcTile &src, std::uint64_t preQuantScalar,
                                            WaitEvents &...events) {
    detail::wait(events...);
    detail::move<detail::NoMode, Relu>(dst, src, detail::Bits{preQuantScalar});
    return {};
}

/// Moves an accumulator to vector cores, quantized with one parameter.
template <typename DstTile, typename SrcTile, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMOV(DstTile &dst, SrcTile &src, std::uint64_t preQuantScalar,
                                            WaitEvents &...events) {
    detail::wait(events...);
    detail::move<detail::Word<Mode>, Relu>(dst, src, detail::Bits{preQuantScalar});
    return {};
}

/// Moves an accumulator to vector cores, quantized with a parameter for each column.
template <typename DstTile, typename SrcTile, typename FpTile, AccToVecMode Mode,
          ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMOV(DstTile &dst, SrcTile &src, FpTile &fp, WaitEvents &...events) {
    detail::wait(events...);
    detail::move_fp<detail::Word<Mode>, Relu>(dst, src, fp);
    return {};
}

/// Moves with a second tile: a workspace of a move of MX scales to ZZ, or a scaling tile with quantization parameters.
template <typename DstTile, typename SrcTile, typename OtherTile, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<OtherTile>, WaitEvents...> TMOV(DstTile &dst, SrcTile &src, OtherTile &other,
                                                                         WaitEvents &...events) {
    static constexpr pto_form form =
        detail::form<DstTile, SrcTile, OtherTile>("pto.tmov ins(%1 : @1, %2 : @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, other);
    return {};
}

/// Moves MX scales to ZZ, with their groups along axis 0 or 1.
template <int GroupAxis, typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<TmpTile>, WaitEvents...> TMOV(DstTile &dst, SrcTile &src, TmpTile &tmp,
                                                                       WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, TmpTile, detail::Number<GroupAxis>>(
        "pto.tmov ins(%1 : @1, %2 : @2) outs(%0 : @0) {grpAxis = #pto<mx_group_axis axis@3>}", 3);
    detail::wait(events...);
    detail::call(form, dst, src, tmp);
    return {};
}

// Moves as part of a phase of an accumulation: the move holds the unit flag of the accumulator.

template <STPhase Phase, typename DstTile, typename SrcTile, ReluPreMode Relu = ReluPreMode::NoRelu,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMOV(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    detail::wait(events...);
    detail::move<detail::NoMode, Relu, Phase>(dst, src);
    return {};
}
template <STPhase Phase, typename DstTile, typename SrcTile, AccToVecMode Mode,
          ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMOV(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    detail::wait(events...);
    detail::move<detail::Word<Mode>, Relu, Phase>(dst, src);
    return {};
}
template <STPhase Phase, typename DstTile, typename SrcTile, ReluPreMode Relu = ReluPreMode::NoRelu,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMOV(DstTile &dst, SrcTile &src, std::uint64_t preQuantScalar,
                                            WaitEvents &...events) {
    detail::wait(events...);
    detail::move<detail::NoMode, Relu, Phase>(dst, src, detail::Bits{preQuantScalar});
    return {};
}
template <STPhase Phase, typename DstTile, typename SrcTile, AccToVecMode Mode,
          ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMOV(DstTile &dst, SrcTile &src, std::uint64_t preQuantScalar,
                                            WaitEvents &...events) {
    detail::wait(events...);
    detail::move<detail::Word<Mode>, Relu, Phase>(dst, src, detail::Bits{preQuantScalar});
    return {};
}
template <STPhase Phase, typename DstTile, typename SrcTile, typename FpTile, AccToVecMode Mode,
          ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMOV(DstTile &dst, SrcTile &src, FpTile &fp, WaitEvents &...events) {
    detail::wait(events...);
    detail::move_fp<detail::Word<Mode>, Relu, Phase>(dst, src, fp);
    return {};
}

/// Moves an accumulator, quantized with a parameter for each column.
template <typename DstTile, typename SrcTile, typename FpTile, ReluPreMode Relu = ReluPreMode::NoRelu,
          typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<FpTile>, WaitEvents...> TMOV_FP(DstTile &dst, SrcTile &src, FpTile &fp,
                                                                         WaitEvents &...events) {
    detail::wait(events...);
    detail::move_fp<detail::NoMode, Relu>(dst, src, fp);
    return {};
}

/// Moves a tile, and fills the rest of the destination with a value.
template <typename DstTile, typename SrcTile, typename Fill, typename... WaitEvents>
PTO_INST detail::RecordIf<!detail::are_tiles_v<Fill> && std::is_convertible_v<Fill, typename DstTile::DType>,
                          WaitEvents...>
TMOV_FP(DstTile &dst, SrcTile &src, Fill fill, WaitEvents &...events) {
    using Element = typename DstTile::DType;
    static constexpr pto_form form =
        detail::form<DstTile, SrcTile, Element>("pto.tmov_fp ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, static_cast<Element>(fill));
    return {};
}

/// Moves with quantization by a tile, as part of a phase of an accumulation.
template <STPhase Phase, typename DstTile, typename SrcTile, typename FpTile, ReluPreMode Relu = ReluPreMode::NoRelu,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TMOV_FP(DstTile &dst, SrcTile &src, FpTile &fp, WaitEvents &...events) {
    detail::wait(events...);
    detail::move_fp<detail::NoMode, Relu, Phase>(dst, src, fp);
    return {};
}

} // namespace pto

#endif
