// Conversions of elements, and padding.
#ifndef PTO_CONVERT_HPP
#define PTO_CONVERT_HPP

#include "pto/event.hpp"

namespace pto {

/// Converts elements to another format with a rounding mode; values out of range go by the default of the two formats.
/// NeedSetCtrl is about a register of the device and changes no value.
template <bool NeedSetCtrl = true, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TCVT(DstTile &dst, SrcTile &src, RoundMode mode, WaitEvents &...events) {
    static constexpr detail::Forms<detail::RoundModes, DstTile, SrcTile> forms(
        "pto.tcvt ins(%1 : @1) outs(%0 : @0) {rmode = #pto<round_mode @2>}", 2);
    detail::wait(events...);
    detail::call(forms[mode], dst, src);
    return {};
}

/// Converts with a rounding mode and a saturation mode.
template <bool NeedSetCtrl = true, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TCVT(DstTile &dst, SrcTile &src, RoundMode mode, SaturationMode satMode,
                                            WaitEvents &...events) {
    static constexpr detail::Forms<detail::RoundModes, DstTile, SrcTile> on(
        "pto.tcvt ins(%1 : @1) outs(%0 : @0) {rmode = #pto<round_mode @2>, sat_mode = #pto<saturation_mode ON>}", 2);
    static constexpr detail::Forms<detail::RoundModes, DstTile, SrcTile> off(
        "pto.tcvt ins(%1 : @1) outs(%0 : @0) {rmode = #pto<round_mode @2>, sat_mode = #pto<saturation_mode OFF>}", 2);
    detail::wait(events...);
    detail::call(satMode == SaturationMode::ON ? on[mode] : off[mode], dst, src);
    return {};
}

/// Converts by way of a workspace.
template <bool NeedSetCtrl = true, typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<TmpTile>, WaitEvents...> TCVT(DstTile &dst, SrcTile &src, TmpTile &tmp,
                                                                       RoundMode mode, WaitEvents &...events) {
    static constexpr detail::Forms<detail::RoundModes, DstTile, SrcTile, TmpTile> forms(
        "pto.tcvt ins(%1, %2 : @1, @2) outs(%0 : @0) {rmode = #pto<round_mode @3>}", 3);
    detail::wait(events...);
    detail::call(forms[mode], dst, src, tmp);
    return {};
}

/// Converts by way of a workspace, with a saturation mode.
template <bool NeedSetCtrl = true, typename DstTile, typename SrcTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<TmpTile>, WaitEvents...>
TCVT(DstTile &dst, SrcTile &src, TmpTile &tmp, RoundMode mode, SaturationMode satMode, WaitEvents &...events) {
    static constexpr detail::Forms<detail::RoundModes, DstTile, SrcTile, TmpTile> on(
        "pto.tcvt ins(%1, %2 : @1, @2) outs(%0 : @0) "
        "{rmode = #pto<round_mode @3>, sat_mode = #pto<saturation_mode ON>}",
        3);
    static constexpr detail::Forms<detail::RoundModes, DstTile, SrcTile, TmpTile> off(
        "pto.tcvt ins(%1, %2 : @1, @2) outs(%0 : @0) "
        "{rmode = #pto<round_mode @3>, sat_mode = #pto<saturation_mode OFF>}",
        3);
    detail::wait(events...);
    detail::call(satMode == SaturationMode::ON ? on[mode] : off[mode], dst, src, tmp);
    return {};
}

namespace detail {

/// A tile type with another padding value.
template <typename T, PadValue Pad>
struct WithPad;

template <TileType Loc, typename Element, int Rows, int Cols, BLayout BFractal, int RowValid, int ColValid,
          SLayout SFractal, int SFractalSize, auto OldPad, CompactMode Compact, PadValue Pad>
struct WithPad<Tile<Loc, Element, Rows, Cols, BFractal, RowValid, ColValid, SFractal, SFractalSize, OldPad, Compact>,
               Pad> {
    using Type =
        Tile<Loc, Element, Rows, Cols, BFractal, RowValid, ColValid, SFractal, SFractalSize, Pad, Compact>;
};

/// The type of a tile that is padded: its own, or with `Pad` if it has no padding value.
template <typename T, PadValue Pad, bool has_own = T::PadVal != PadValue::Null>
struct Padded {
    using Type = T;
};
template <typename T, PadValue Pad>
struct Padded<T, Pad, false> : WithPad<std::remove_cv_t<T>, Pad> {};

} // namespace detail

/// Copies the valid region of a tile and fills the rest of the destination with its padding value.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TFILLPAD(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile>("pto.tfillpad ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Copies and fills like the overload above, for a destination of the source's type. If the type has no padding value,
/// the fill is `PadVal`.
template <typename TileData, PadValue PadVal = PadValue::Zero, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TFILLPAD(TileData &dst, TileData &src, WaitEvents &...events) {
    using Padded = typename detail::Padded<TileData, PadVal>::Type;
    static constexpr pto_form form = detail::form<Padded, Padded>("pto.tfillpad ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Fills the elements outside the valid region of a tile with a value.
template <typename DstTile, typename Fill, typename... WaitEvents>
PTO_INST detail::RecordIf<!detail::are_tiles_v<Fill> && std::is_convertible_v<Fill, typename DstTile::DType>,
                          WaitEvents...>
TFILLPAD(DstTile &dst, Fill fill, WaitEvents &...events) {
    using Element = typename DstTile::DType;
    static constexpr pto_form form =
        detail::form<DstTile, Element>("pto.tfillpad ins(%0, %1 : @0, @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, static_cast<Element>(fill));
    return {};
}

} // namespace pto

#endif
