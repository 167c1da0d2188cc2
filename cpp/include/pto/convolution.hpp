// Convolutions: registers and the transformation of feature maps to matrices.
//
// The parameters of a convolution are values of a tile object, but attributes of an operation. Their texts are
// therefore composed at run time, and kept: a kernel uses few sets of parameters, and the library reads each form once.
#ifndef PTO_CONVOLUTION_HPP
#define PTO_CONVOLUTION_HPP

#include "pto/conv_tile.hpp"
#include "pto/event.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>

namespace pto {
namespace detail {

/// A text that is composed at run time. By hand, since <string> and <map> took two thirds of the time that all headers take.
class Composed {
  public:
    Composed &operator<<(const char *words) { return append("%s", words); }
    Composed &operator<<(int number) { return append("%d", number); }
    Composed &operator<<(float number) { return append("%f", static_cast<double>(number)); }
    Composed &operator<<(std::initializer_list<int> numbers) {
        const char *before = "[";
        for (const int number : numbers) {
            *this << before << number;
            before = ", ";
        }
        return *this << "]";
    }
    const char *text() const { return text_; }

  private:
    template <typename Value>
    Composed &append(const char *format, Value value) {
        const std::size_t room = sizeof text_ - length_;
        const auto longer = static_cast<std::size_t>(std::snprintf(text_ + length_, room, format, value));
        length_ += longer < room ? longer : room - 1;
        return *this;
    }

    /// The longest text, of TIMG2COL in automatic modes, has less than 700 characters, whatever the numbers.
    char text_[1024] = "";
    std::size_t length_ = 0;
};

/// A form whose pattern was composed.
struct KeptForm {
    Composed pattern;
    pto_form form;
    KeptForm *next;
};

/// The form with this pattern, which lives until the program ends. Ranks are threads: two that compose a pattern at the same time may
/// keep it twice, which costs the library one more reading.
template <typename... Texts>
inline const pto_form &kept_form(const Composed &pattern) {
    static KeptForm *first = nullptr;
    KeptForm *next = __atomic_load_n(&first, __ATOMIC_ACQUIRE);
    for (const KeptForm *kept = next; kept != nullptr; kept = kept->next) {
        if (std::strcmp(kept->pattern.text(), pattern.text()) == 0) {
            return kept->form;
        }
    }
    KeptForm *added = new KeptForm{pattern, {}, next};
    added->form = form<Texts...>(added->pattern.text(), sizeof...(Texts));
    while (!__atomic_compare_exchange_n(&first, &added->next, added, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
    return added->form;
}

/// The registers of the feature map.
template <typename T>
void map_attributes(Composed &pattern, const T &tile) {
    const std::uint8_t *pad = tile.GetPadListArray();
    pattern << "fmap = " << std::initializer_list<int>{tile.GetFmapH(), tile.GetFmapW()} << ", pad = "
            << std::initializer_list<int>{pad[0], pad[1], pad[2], pad[3]};
}

/// The registers of repeated transfers.
template <typename T>
void repeat_attributes(Composed &pattern, const T &tile) {
    pattern << "repeat_stride = " << tile.GetRepeatStride() << " : i32, repeat_time = " << tile.GetRepeatTime()
            << " : i32, repeat_mode = " << tile.GetRepeatMode() << " : i32, dst_stride = " << tile.GetDstStride()
            << " : i32, dst_m_position = " << tile.GetDstMposition() << " : i32";
}

/// The register of the padding value.
template <typename T>
void pad_attribute(Composed &pattern, const T &tile) {
    pattern << "pad_value = " << static_cast<float>(tile.GetPadValue());
}

template <SetFmatrixMode mode>
inline constexpr bool is_automatic = mode == SetFmatrixMode::FMATRIX_A_AUTO || mode == SetFmatrixMode::FMATRIX_B_AUTO;

template <typename T>
PTO_INST void set_registers(const char *name, const T &tile, SetFmatrixMode mode,
                            void (*attributes)(Composed &, const T &)) {
    Composed pattern;
    pattern << "pto." << name << " ins(%0 : @0) outs() {mode = #pto<fmatrix_mode " << word(mode) << ">, ";
    attributes(pattern, tile);
    call(kept_form<T>(pattern << "}"), tile);
}

} // namespace detail

/// Sets the size of the feature map and the padding around it.
template <typename T, SetFmatrixMode Mode = SetFmatrixMode::FMATRIX_A_MANUAL, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> SETFMATRIX(T &src, WaitEvents &...events) {
    detail::wait(events...);
    detail::set_registers("setfmatrix", src, Mode, detail::map_attributes<T>);
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
    detail::set_registers("set_img2col_rpt", src, Mode, detail::repeat_attributes<T>);
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
    detail::set_registers("set_img2col_padding", src, Mode, detail::pad_attribute<T>);
    return {};
}
template <SetFmatrixMode Mode, typename T, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> SET_IMG2COL_PADDING(T &src, WaitEvents &...events) {
    return SET_IMG2COL_PADDING<T, Mode>(src, events...);
}

/// Makes a matrix with a row for each position of a filter: the points of the feature map under the filter. Automatic
/// modes set the registers too.
template <typename DstTile, typename SrcTile, SetFmatrixMode Mode = SetFmatrixMode::FMATRIX_A_MANUAL,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TIMG2COL(DstTile &dst, SrcTile &src, std::uint16_t posM = 0,
                                                std::uint16_t posK = 0, WaitEvents &...events) {
    using detail::Index;
    using Pair = std::initializer_list<int>;
    detail::Composed pattern;
    pattern << "pto.timg2col ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {mode = #pto<fmatrix_mode " << detail::word(Mode)
            << ">, filter = " << Pair{src.GetFilterH(), src.GetFilterW()}
            << ", stride = " << Pair{src.GetStrideH(), src.GetStrideW()}
            << ", dilation = " << Pair{src.GetDilationH(), src.GetDilationW()};
    if (detail::is_automatic<Mode>) {
        detail::map_attributes(pattern << ", ", src);
        detail::repeat_attributes(pattern << ", ", src);
        detail::pad_attribute(pattern << ", ", src);
    }
    detail::wait(events...);
    detail::call(detail::kept_form<DstTile, SrcTile, Index, Index>(pattern << "}"),
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
