// Slots of queues: transfers of tiles into them and out of them, in global memory and in the buffers of the other core.
#ifndef PTO_QUEUE_SLOTS_HPP
#define PTO_QUEUE_SLOTS_HPP

#include "pto/memory.hpp"
#include "pto/place.hpp"
#include "pto/windows.hpp"

#include <cstdint>
#include <type_traits>

namespace pto {
namespace detail {

/// The type of some columns of a tile.
template <typename T, int columns>
using Columns = Tile<T::Loc, typename T::DType, T::Rows, T::Cols, T::BFractal, T::ValidRow, columns, T::SFractal,
                     T::SFractalSize, T::PadVal, T::Compact>;

/// The declared rows of a tile; for a compact tile with an additional row, without that row.
template <typename T>
inline constexpr int rows_of = T::Compact == CompactMode::RowPlusOne ? T::Rows - 1 : T::Rows;

/// Conversion of an accumulator on its way into a slot.
template <STPhase phase, AtomicType atomic = AtomicType::AtomicNone, ReluPreMode relu = ReluPreMode::NoRelu>
struct Conversion {};

/// Copies a tile to rows in global memory with a stride of `pitch` elements.
template <typename Element, std::int64_t static_pitch, STPhase phase, AtomicType atomic, ReluPreMode relu,
          typename Tile, typename... Parameters>
PTO_INST void store_rows(Conversion<phase, atomic, relu>, Tile &tile, Element *memory, std::int64_t pitch,
                         Parameters &...parameters) {
    using Extents = Shape<1, 1, 1, Tile::ValidRow, Tile::ValidCol>;
    constexpr std::int64_t whole = times(static_pitch, Tile::Rows);
    using Strides = Stride<whole, whole, whole, static_pitch, 1>;
    const std::int64_t all = pitch * Tile::Rows;
    using Rows = GlobalTensor<Element, Extents, Strides>;
    Rows rows(memory, Extents(1, 1, 1, tile.GetValidRow(), tile.GetValidCol()), Strides(all, all, all, pitch, 1));
    if constexpr ((is_tile_data_v<Parameters> || ...)) {
        TSTORE_FP<phase, Tile, Rows, Parameters..., atomic, relu>(rows, tile, parameters...);
    } else {
        store<phase, atomic, relu>(rows, tile, parameters...);
    }
}

/// Copies rows in global memory with a stride of `pitch` elements to a tile.
template <std::int64_t static_pitch, typename Tile, typename Element>
PTO_INST void load_rows(Tile &tile, Element *memory, std::int64_t pitch) {
    using Extents = Shape<1, 1, 1, Tile::ValidRow, Tile::ValidCol>;
    constexpr std::int64_t whole = times(static_pitch, Tile::Rows);
    using Strides = Stride<whole, whole, whole, static_pitch, 1>;
    const std::int64_t all = pitch * Tile::Rows;
    GlobalTensor<Element, Extents, Strides> rows(memory, Extents(1, 1, 1, tile.GetValidRow(), tile.GetValidCol()),
                                                 Strides(all, all, all, pitch, 1));
    TLOAD(tile, rows);
}

/// Copies a vector tile into a tile of L1 at an address, from a row and a column on.
template <typename MatTile, typename Tile>
PTO_INST void insert_at(std::uint32_t address, Tile &tile, int row, int col) {
    if constexpr (Tile::isBoxedLayout) {
        MatTile slot;
        assign_tile(slot, address);
        TINSERT(slot, tile, static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(col));
    } else {
        // Rows become boxes: 32 bytes of each row follow each other in L1.
        constexpr int width = C0_SIZE_BYTE / static_cast<int>(sizeof(typename Tile::DType));
        static_assert(Tile::isRowMajor && Tile::Cols % width == 0,
                      "a vector tile has rows of whole blocks of 32 bytes");
        static_assert(MatTile::isInnerRowMajor && !MatTile::isRowMajor,
                      "rows of a vector tile become an NZ tile of L1");
        using Element = typename Tile::DType;
        using Block = pto::Tile<TileType::Mat, Element, Tile::Rows, width, BLayout::RowMajor, Tile::ValidRow>;
        for (int at = 0; at < (tile.GetValidCol() + width - 1) / width; ++at) {
            Columns<Tile, width> part;
            Block block;
            part.SetValidRow(tile.GetValidRow());
            block.SetValidRow(tile.GetValidRow());
            TSUBVIEW(part, tile, 0, static_cast<std::uint16_t>(at * width));
            const int before = (col / width + at) * MatTile::Rows + row;
            assign_tile(block, address + static_cast<std::uint32_t>(before * C0_SIZE_BYTE));
            TINSERT(block, part, std::uint16_t{0}, std::uint16_t{0});
        }
    }
}

/// The participating vector cores of an entry, split or not. On A5 the second one does not participate in an entry that
/// is not split.
constexpr VecCubeRatio ratio_of(bool is_split) {
#ifdef PTO_TARGET_A5
    return is_split ? VecCubeRatio::V2C1_VECS : VecCubeRatio::V1C1_VEC0;
#else
    (void)is_split;
    return VecCubeRatio::V2C1_VECS;
#endif
}

/// The part of an entry in memory that belongs to a vector core.
template <TileSplitAxis split>
struct Share {
    static constexpr bool is_by_rows = split == TILE_UP_DOWN || split == TILE_UP_DOWN_ODD;
    static constexpr bool is_by_cols = split == TILE_LEFT_RIGHT || split == TILE_LEFT_RIGHT_ODD;
    /// Rows or columns of the first vector core beyond those of the second.
    static constexpr int more = split == TILE_UP_DOWN_ODD || split == TILE_LEFT_RIGHT_ODD ? 1 : 0;
    static constexpr bool exists = is_by_rows || is_by_cols;

    /// Stride in elements between the rows of an entry, of which this core has `cols` columns.
    static std::int64_t pitch(std::int64_t cols) {
        const bool is_second = pto_fact(PTO_SUBBLOCK_INDEX) == 1;
        return is_by_cols ? 2 * cols + (is_second ? more : -more) : cols;
    }
    static constexpr std::int64_t static_pitch(int cols) {
        return cols < 0 || (is_by_cols && more != 0) ? DYNAMIC : is_by_cols ? 2 * cols : cols;
    }
    /// Offset in elements of this core's share, which has `rows` rows and `cols` columns.
    static std::int64_t first(std::int64_t rows, std::int64_t cols) {
        if (pto_fact(PTO_SUBBLOCK_INDEX) == 0) {
            return 0;
        }
        return is_by_rows ? (rows + more) * cols : is_by_cols ? cols + more : 0;
    }
};

} // namespace detail
} // namespace pto

#endif
