// Convolution tiles: feature maps and filters, with the parameters of the convolution that reads them.
#ifndef PTO_CONV_TILE_HPP
#define PTO_CONV_TILE_HPP

#include "pto/call.hpp"
#include "pto/event.hpp"
#include "pto/handle.hpp"

#include <cstdint>
#include <type_traits>

namespace pto {

/// The extents of a convolution tile, outermost first; DYNAMIC ones are values.
template <int... Extents>
struct ConvTileShape {
    static_assert(sizeof...(Extents) >= 1 && sizeof...(Extents) <= 6, "a convolution tile has one to six extents");
    static constexpr int rank = sizeof...(Extents);
    static constexpr int staticShape[rank] = {Extents...};
    static constexpr int dynamic = ((Extents < 0 ? 1 : 0) + ...);
};

/// A feature map or a filter in a buffer of `BufferSize` bytes.
template <TileType Loc_, typename Element_, int BufferSize_, Layout Layout_, typename Shape_>
struct ConvTile : detail::ConvTileTag, detail::Handle<Loc_, Element_> {
    using DType = Element_;
    using TileDType = Element_ *;
    using Storage = detail::Handle<Loc_, Element_>;
    using Shape = Shape_;
    static constexpr TileType Loc = Loc_;
    static constexpr Layout layout = Layout_;
    static constexpr int bufferSize = BufferSize_;
    static constexpr int totalDimCount = Shape_::rank;

    int shape[6] = {1, 1, 1, 1, 1, 1};

    PTO_INST ConvTile() : Storage(BufferSize_) {
        for (int at = 0; at < Shape_::rank; ++at) {
            shape[at] = Shape_::staticShape[at] < 0 ? 1 : Shape_::staticShape[at];
        }
    }

    /// The dynamic extents, in order.
    template <typename... Values, std::enable_if_t<(sizeof...(Values) > 0) && sizeof...(Values) == Shape_::dynamic &&
                                                       (std::is_convertible_v<Values, int> && ...),
                                                   int> = 0>
    PTO_INST ConvTile(Values... values) : ConvTile() {
        SetDynamicShape(values...);
    }

    template <typename... Values>
    void SetDynamicShape(Values... values) {
        static_assert(sizeof...(Values) == Shape_::dynamic, "SetDynamicShape takes a value for each dynamic extent");
        const int given[] = {static_cast<int>(values)..., 0};
        int next = 0;
        for (int at = 0; at < Shape_::rank; ++at) {
            if (Shape_::staticShape[at] < 0) {
                shape[at] = given[next++];
            }
        }
    }

    int GetShape(int dimension) const { return shape[dimension]; }

    // Parameters of the convolution, as registers of the device hold them.

    std::uint16_t GetFmapH() const { return fmap_h_; }
    std::uint16_t GetFmapW() const { return fmap_w_; }
    std::uint8_t GetPadList(int side) const { return pad_list_[side]; }
    const std::uint8_t *GetPadListArray() const { return pad_list_; }
    std::uint8_t GetFilterH() const { return filter_h_; }
    std::uint8_t GetFilterW() const { return filter_w_; }
    std::uint8_t GetDilationH() const { return dilation_h_; }
    std::uint8_t GetDilationW() const { return dilation_w_; }
    std::uint8_t GetStrideH() const { return stride_h_; }
    std::uint8_t GetStrideW() const { return stride_w_; }
    Element_ GetPadValue() const { return pad_value_; }
    std::uint16_t GetChannelSize() const { return channel_size_; }
    std::uint16_t GetRepeatStride() const { return repeat_stride_; }
    std::uint8_t GetRepeatTime() const { return repeat_time_; }
    std::uint8_t GetRepeatMode() const { return repeat_mode_; }
    bool GetTranspose() const { return transpose_; }
    std::uint16_t GetDstStride() const { return dst_stride_; }
    std::uint16_t GetDstMposition() const { return dst_m_position_; }

    void SetFmapH(std::uint16_t value) { fmap_h_ = value; }
    void SetFmapW(std::uint16_t value) { fmap_w_ = value; }
    void SetPadList(int side, std::uint8_t value) { pad_list_[side] = value; }
    void SetPadListArray(const std::uint8_t *values) {
        for (int side = 0; side < 4; ++side) {
            pad_list_[side] = values[side];
        }
    }
    void SetFilterH(std::uint8_t value) { filter_h_ = value; }
    void SetFilterW(std::uint8_t value) { filter_w_ = value; }
    void SetDilationH(std::uint8_t value) { dilation_h_ = value; }
    void SetDilationW(std::uint8_t value) { dilation_w_ = value; }
    void SetStrideH(std::uint8_t value) { stride_h_ = value; }
    void SetStrideW(std::uint8_t value) { stride_w_ = value; }
    void SetPadValue(Element_ value) { pad_value_ = value; }
    void SetChannelSize(std::uint16_t value) { channel_size_ = value; }
    void SetRepeatStride(std::uint16_t value) { repeat_stride_ = value; }
    void SetRepeatTime(std::uint8_t value) { repeat_time_ = value; }
    void SetRepeatMode(std::uint8_t value) { repeat_mode_ = value; }
    void SetTranspose(bool value) { transpose_ = value; }
    void SetDstStride(std::uint16_t value) { dst_stride_ = value; }
    void SetDstMposition(std::uint16_t value) { dst_m_position_ = value; }

  private:
    std::uint16_t fmap_h_ = 0;
    std::uint16_t fmap_w_ = 0;
    std::uint8_t pad_list_[4] = {0, 0, 0, 0};
    std::uint8_t filter_h_ = 1;
    std::uint8_t filter_w_ = 1;
    std::uint8_t dilation_h_ = 1;
    std::uint8_t dilation_w_ = 1;
    std::uint8_t stride_h_ = 1;
    std::uint8_t stride_w_ = 1;
    Element_ pad_value_{};
    std::uint16_t channel_size_ = 0;
    std::uint16_t repeat_stride_ = 0;
    std::uint8_t repeat_time_ = 1;
    std::uint8_t repeat_mode_ = 0;
    bool transpose_ = false;
    std::uint16_t dst_stride_ = 0;
    std::uint16_t dst_m_position_ = 0;
};

namespace detail {

/// Layouts of convolution tiles are written in capitals.
constexpr const char *conv_word(Layout layout) {
    switch (layout) {
    case Layout::NCHW:
        return "NCHW";
    case Layout::GNCHW:
        return "GNCHW";
    case Layout::NCDHW:
        return "NCDHW";
    case Layout::NC1HWC0:
        return "NC1HWC0";
    case Layout::GNC1HWC0:
        return "GNC1HWC0";
    case Layout::NDC1HWC0:
        return "NDC1HWC0";
    case Layout::FRACTAL_Z_3D:
        return "FRACTAL_Z_3D";
    default:
        return "FRACTAL_Z";
    }
}

/// `!pto.conv_tile<mat, NC1HWC0, 1x2x16x16x16xf16>`.
template <typename T>
struct Operand<T, std::enable_if_t<!std::is_const_v<T> && is_conv_tile_v<T>>> {
    static constexpr Text<160> composed() {
        Text<160> spelling;
        spelling.add("!pto.conv_tile<").add(word(T::Loc)).add(", ").add(conv_word(T::layout)).add(", ");
        for (int at = 0; at < T::Shape::rank; ++at) {
            spelling.add_extent(T::Shape::staticShape[at]).add("x");
        }
        return spelling.add(element_word<typename T::DType>()).add(">");
    }
    static constexpr Text<160> composed_text = composed();
    static constexpr const char *text = composed_text.characters;

    struct Passed {
        pto_conv_tile tile;
        std::uint64_t word() const { return reinterpret_cast<std::uintptr_t>(&tile); }
    };

    PTO_INST static Passed pass(const T &tile) {
        Passed passed{{tile.state(), {}}};
        for (int at = 0; at < 6; ++at) {
            passed.tile.extents[at] = static_cast<std::uint32_t>(tile.shape[at]);
        }
        return passed;
    }
};

} // namespace detail
} // namespace pto

#endif
