// Convolutions: registers and the transformation of feature maps to matrices.
//
// The parameters of a convolution are values of a tile object, but attributes of an operation. Their texts are
// therefore composed at run time, and kept: a kernel uses few sets of parameters, and the library reads each form once.
#ifndef PTO_CONVOLUTION_HPP
#define PTO_CONVOLUTION_HPP

#include "pto/conv_tile.hpp"
#include "pto/event.hpp"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>

namespace pto {
namespace detail {

/// The form with this pattern, which lives until the program ends.
template <typename... Texts>
inline const pto_form &kept_form(const std::string &pattern) {
    static std::map<std::string, pto_form> forms;
    const auto entry = forms.emplace(pattern, pto_form{});
    if (entry.second) {
        entry.first->second = form<Texts...>(entry.first->first.c_str(), sizeof...(Texts));
    }
    return entry.first->second;
}

inline std::string list(std::initializer_list<int> numbers) {
    std::string text;
    for (const int number : numbers) {
        text += (text.empty() ? "[" : ", ") + std::to_string(number);
    }
    return text + "]";
}

/// The registers of the feature map.
template <typename T>
std::string map_attributes(const T &tile) {
    const std::uint8_t *pad = tile.GetPadListArray();
    return "fmap = " + list({tile.GetFmapH(), tile.GetFmapW()}) + ", pad = " + list({pad[0], pad[1], pad[2], pad[3]});
}

/// The registers of repeated transfers.
template <typename T>
std::string repeat_attributes(const T &tile) {
    return "repeat_stride = " + std::to_string(tile.GetRepeatStride()) +
           " : i32, repeat_time = " + std::to_string(tile.GetRepeatTime()) +
           " : i32, repeat_mode = " + std::to_string(tile.GetRepeatMode()) +
           " : i32, dst_stride = " + std::to_string(tile.GetDstStride()) +
           " : i32, dst_m_position = " + std::to_string(tile.GetDstMposition()) + " : i32";
}

/// The register of the padding value.
template <typename T>
std::string pad_attribute(const T &tile) {
    return "pad_value = " + std::to_string(static_cast<float>(tile.GetPadValue()));
}

template <SetFmatrixMode mode>
inline constexpr bool is_automatic = mode == SetFmatrixMode::FMATRIX_A_AUTO || mode == SetFmatrixMode::FMATRIX_B_AUTO;

template <typename T>
PTO_INST void set_registers(const char *name, const T &tile, SetFmatrixMode mode, const std::string &attributes) {
    call(kept_form<T>("pto." + std::string(name) + " ins(%0 : @0) outs() {mode = #pto<fmatrix_mode " + word(mode) + ">, " +
                      attributes + "}"),
         tile);
}

} // namespace detail

/// Sets the size of the feature map and the padding around it.
template <typename T, SetFmatrixMode Mode = SetFmatrixMode::FMATRIX_A_MANUAL, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> SETFMATRIX(T &src, WaitEvents &...events) {
    detail::wait(events...);
    detail::set_registers("setfmatrix", src, Mode, detail::map_attributes(src));
    return {};
}
template <SetFmatrixMode Mode, typename T, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> SETFMATRIX(T &src, WaitEvents &...events) {
    return SETFMATRIX<T, Mode>(src, events...);
}

/// Sets number and stride of the transfers of TIMG2COL.
template <typename T, SetFmatrixMode Mode = SetFmatrixMode::FMATRIX_A_MANUAL, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> SET_IMG2COL_RPT(T &src, WaitEvents &...events) {
    detail::wait(events...);
    detail::set_registers("set_img2col_rpt", src, Mode, detail::repeat_attributes(src));
    return {};
}
template <SetFmatrixMode Mode, typename T, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> SET_IMG2COL_RPT(T &src, WaitEvents &...events) {
    return SET_IMG2COL_RPT<T, Mode>(src, events...);
}

/// Sets the value that TIMG2COL finds outside of the feature map.
template <typename T, SetFmatrixMode Mode = SetFmatrixMode::FMATRIX_A_MANUAL, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> SET_IMG2COL_PADDING(T &src, WaitEvents &...events) {
    detail::wait(events...);
    detail::set_registers("set_img2col_padding", src, Mode, detail::pad_attribute(src));
    return {};
}
template <SetFmatrixMode Mode, typename T, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> SET_IMG2COL_PADDING(T &src, WaitEvents &...events) {
    return SET_IMG2COL_PADDING<T, Mode>(src, events...);
}

/// Makes the rows of a matrix from the points of a feature map under each position of a filter. Automatic modes set the
/// registers too.
template <typename DstTile, typename SrcTile, SetFmatrixMode Mode = SetFmatrixMode::FMATRIX_A_MANUAL,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TIMG2COL(DstTile &dst, SrcTile &src, std::uint16_t posM = 0,
                                                std::uint16_t posK = 0, WaitEvents &...events) {
    using detail::Index;
    std::string attributes = "mode = #pto<fmatrix_mode ";
    attributes += detail::word(Mode);
    attributes += ">, filter = " + detail::list({src.GetFilterH(), src.GetFilterW()}) +
                  ", stride = " + detail::list({src.GetStrideH(), src.GetStrideW()}) +
                  ", dilation = " + detail::list({src.GetDilationH(), src.GetDilationW()});
    if (detail::is_automatic<Mode>) {
        attributes += ", " + detail::map_attributes(src) + ", " + detail::repeat_attributes(src) + ", " +
                      detail::pad_attribute(src);
    }
    detail::wait(events...);
    detail::call(detail::kept_form<DstTile, SrcTile, Index, Index>(
                     "pto.timg2col ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {" + attributes + "}"),
                 dst, src, Index{posM}, Index{posK});
    return {};
}
template <SetFmatrixMode Mode, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TIMG2COL(DstTile &dst, SrcTile &src, std::uint16_t posM = 0,
                                                std::uint16_t posK = 0, WaitEvents &...events) {
    return TIMG2COL<DstTile, SrcTile, Mode>(dst, src, posM, posK, events...);
}

} // namespace pto

#endif
