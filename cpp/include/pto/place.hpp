// Intrinsics that give a tile or a tensor its place: nothing moves.
#ifndef PTO_PLACE_HPP
#define PTO_PLACE_HPP

#include "pto/event.hpp"
#include "pto/tensor.hpp"
#include "pto/tile.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pto {
namespace detail {

template <typename Tile, typename Address>
PTO_INST void assign_tile(Tile &tile, Address address) {
    std::uint64_t bits = 0;
    if constexpr (std::is_pointer_v<Address>) {
        bits = reinterpret_cast<std::uintptr_t>(address);
    } else {
        bits = static_cast<std::uint64_t>(address);
    }
    pto_tile state = tile.state();
    assign_address(&state, bits);
    tile.take(state);
}

} // namespace detail

/// Gives a tile an address: an offset in its buffer in bytes, or a pointer into it, which may be made of the address of
/// another tile. A tensor takes a pointer. In automatic mode tiles keep the memory that they have.
template <typename T, typename Address>
PTO_INST void TASSIGN(T &object, Address address) {
    if constexpr (is_global_data_v<T>) {
        object.data() = address;
    } else {
#ifdef __PTO_AUTO__
        (void)address;
#else
        detail::assign_tile(object, address);
#endif
    }
}

/// Gives a tile a constant offset in its buffer.
template <std::size_t Address, typename T>
PTO_INST void TASSIGN(T &tile) {
    static_assert(Address % BLOCK_BYTE_SIZE == 0, "the address of a tile is a multiple of 32 bytes");
    TASSIGN(tile, Address);
}

/// Makes a tile another name of the bytes of a tile, with its own shape and element type.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TRESHAPE(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    detail::wait(events...);
    dst.rename(src.state());
    return {};
}

/// Renames like the overload above, and sets the valid region to the last two extents of a shape.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TRESHAPE(DstTile &dst, SrcTile &src, ShapeRef newShape, WaitEvents &...events) {
    detail::wait(events...);
    dst.rename(src.state());
    dst.SetValidShape(static_cast<int>(newShape.shape[GlobalTensorDim::DIM_3]),
                      static_cast<int>(newShape.shape[GlobalTensorDim::DIM_4]));
    return {};
}

/// Makes a tile the name of a part of another one, which begins at a row and a column.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSUBVIEW(DstTile &dst, SrcTile &src, std::uint16_t row, std::uint16_t col,
                                                WaitEvents &...events) {
    detail::wait(events...);
    pto_tile state = src.state();
    if (state.data != nullptr) {
        state.data = src.data() + detail::in_pairs(detail::is_pair_v<typename SrcTile::DType>, SrcTile::Offset(row, col));
    }
    dst.rename(state);
    return {};
}

/// The place of the MX scales of a factor: its address in L0A or L0B, divided by 16.
template <typename T>
PTO_INST std::uint64_t GetScaleAddr(T *factor) {
    const auto address = reinterpret_cast<std::uintptr_t>(factor);
    const auto left = reinterpret_cast<std::uintptr_t>(pto_buffer(static_cast<std::uint32_t>(TileType::Left)));
    const auto right = reinterpret_cast<std::uintptr_t>(pto_buffer(static_cast<std::uint32_t>(TileType::Right)));
    // An address belongs to the buffer with the larger start that is not after it.
    const bool in_left = address >= left && (address < right || left > right);
    return (address - (in_left ? left : right)) >> 4;
}

/// Gives a tile of MX scales the place that belongs to a factor.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TGET_SCALE_ADDR(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form =
        detail::form<DstTile, SrcTile>("pto.tget_scale_addr ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    TASSIGN(dst, GetScaleAddr(src.data()));
    detail::call(form, dst, src);
    return {};
}

/// Prints the valid region of a tile, or a tensor.
template <PrintFormat Format = PrintFormat::Width8_Precision4, typename T>
PTO_INST void TPRINT(T &src) {
    static constexpr pto_form form = detail::form<T, detail::Word<Format>>(
        "pto.tprint ins(%0 : @0) outs() {printFormat = #pto<print_format @1>}", 1);
    detail::call(form, src);
}

/// Prints a tile by way of a workspace in global memory.
template <PrintFormat Format = PrintFormat::Width8_Precision4, typename Tile, typename Global>
PTO_INST void TPRINT(Tile &src, Global &tmp) {
    static constexpr pto_form form = detail::form<Tile, Global, detail::Word<Format>>(
        "pto.tprint ins(%0, %1 : @0, @1) outs() {printFormat = #pto<print_format @2>}", 2);
    detail::call(form, src, tmp);
}

} // namespace pto

#endif
