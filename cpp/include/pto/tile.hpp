// Tiles: matrices in the buffers of a core.
//
// A tile object is a name of bytes with the extents of its valid region. The type contains everything that is known at
// compile time; a tile that a target rejects is reported when an instruction uses it.
#ifndef PTO_TILE_HPP
#define PTO_TILE_HPP

#include "pto/call.hpp"
#include "pto/constants.hpp"
#include "pto/handle.hpp"

#include <cstdint>
#include <type_traits>

namespace pto {
namespace detail {

struct TileTag {};

/// Rows and columns of the box of a layout.
struct Box {
    int rows;
    int cols;
};

constexpr Box box_of(SLayout inner, int fractal, int element_bytes) {
    if (inner == SLayout::NoneBox) {
        return {1, 1};
    }
    if (fractal == TileConfig::fractalCSize) {
        return {16, 16};
    }
    const int along = fractal == TileConfig::fractalMxSize ? 2 : C0_SIZE_BYTE / element_bytes;
    return inner == SLayout::RowMajor ? Box{16, along} : Box{along, 16};
}

} // namespace detail

/// A matrix of elements in a buffer of a core.
template <TileType Loc_, typename Element_, int Rows_, int Cols_, BLayout BFractal_ = BLayout::RowMajor,
          int RowValid_ = Rows_, int ColValid_ = Cols_, SLayout SFractal_ = SLayout::NoneBox,
          int SFractalSize_ = TileConfig::fractalABSize, auto PadVal_ = PadValue::Null,
          CompactMode Compact_ = CompactMode::Null>
struct Tile : detail::TileTag, detail::Handle<Loc_, Element_> {
    static_assert(Rows_ > 0 && Cols_ > 0, "a tile has at least one row and one column");
    static_assert(RowValid_ <= Rows_ && ColValid_ <= Cols_, "the valid region of a tile is within its declared shape");
    static_assert(SFractalSize_ == TileConfig::fractalABSize || SFractalSize_ == TileConfig::fractalCSize ||
                      SFractalSize_ == TileConfig::fractalMxSize,
                  "the boxes of a tile have 512, 1024 or 32 bytes");

    using DType = Element_;
    using TileDType = Element_ *;
    using Storage = detail::Handle<Loc_, Element_>;

    static constexpr TileType Loc = Loc_;
    static constexpr int Rows = Rows_;
    static constexpr int Cols = Cols_;
    static constexpr int ValidRow = RowValid_;
    static constexpr int ValidCol = ColValid_;
    static constexpr int Numel = Rows_ * Cols_;
    static constexpr BLayout BFractal = BFractal_;
    static constexpr SLayout SFractal = SFractal_;
    static constexpr int SFractalSize = SFractalSize_;
    static constexpr bool isRowMajor = BFractal_ == BLayout::RowMajor;
    static constexpr bool isBoxedLayout = SFractal_ != SLayout::NoneBox;
    static constexpr bool isInnerRowMajor = SFractal_ == SLayout::RowMajor;
    static constexpr bool isInnerColMajor = SFractal_ == SLayout::ColMajor;
    static constexpr int RowStride = isRowMajor ? Cols_ : 1;
    static constexpr int ColStride = isRowMajor ? 1 : Rows_;
    static constexpr int InnerRows = detail::box_of(SFractal_, SFractalSize_, sizeof(Element_)).rows;
    static constexpr int InnerCols = detail::box_of(SFractal_, SFractalSize_, sizeof(Element_)).cols;
    static constexpr int InnerNumel = InnerRows * InnerCols;
    static constexpr PadValue PadVal = static_cast<PadValue>(PadVal_);
    static constexpr CompactMode Compact = Compact_;

    /// The extents of the valid region now. Kernels set them, also beside the methods below.
    int RowMaskInternal = RowValid_ < 0 ? Rows_ : RowValid_;
    int ColMaskInternal = ColValid_ < 0 ? Cols_ : ColValid_;

    PTO_INST Tile() : Storage(sizeof(Element_) * Rows_ * Cols_) {}

    /// A tile with this valid region. It may be smaller than a static one.
    template <typename R, typename C,
              std::enable_if_t<std::is_convertible_v<R, int> && std::is_convertible_v<C, int>, int> = 0>
    PTO_INST Tile(R rows, C cols) : Tile() {
        SetValidRegion(static_cast<int>(rows), static_cast<int>(cols));
    }

    /// A tile of which one extent is dynamic.
    template <typename Extent, std::enable_if_t<std::is_convertible_v<Extent, int> && (RowValid_ < 0) != (ColValid_ < 0),
                                                int> = 0>
    PTO_INST Tile(Extent extent) : Tile() {
        (RowValid_ < 0 ? RowMaskInternal : ColMaskInternal) = static_cast<int>(extent);
    }

    /// The valid rows: a constant where the type states them.
    template <int Valid = RowValid_, std::enable_if_t<(Valid >= 0), int> = 0>
    static constexpr int GetValidRow() {
        return Valid;
    }
    template <int Valid = RowValid_, std::enable_if_t<(Valid < 0), int> = 0>
    int GetValidRow() const {
        return RowMaskInternal;
    }

    /// The valid columns: a constant where the type states them.
    template <int Valid = ColValid_, std::enable_if_t<(Valid >= 0), int> = 0>
    static constexpr int GetValidCol() {
        return Valid;
    }
    template <int Valid = ColValid_, std::enable_if_t<(Valid < 0), int> = 0>
    int GetValidCol() const {
        return ColMaskInternal;
    }

    void SetValidRow(int rows) { RowMaskInternal = rows; }
    void SetValidCol(int cols) { ColMaskInternal = cols; }
    void SetValidShape(int rows, int cols) {
        RowMaskInternal = rows;
        ColMaskInternal = cols;
    }
    void SetValidRegion(int rows, int cols) { SetValidShape(rows, cols); }

    /// Reads an element by its offset in memory order.
    PTO_INST DType GetValue(std::uint32_t offset) const {
        static constexpr pto_form form =
            detail::form<Tile, detail::Index, DType>("%result = pto.tgetval ins(%0, %1 : @0, @1) outs : @2", 2);
        return detail::call_for<DType>(form, *this, detail::Index{offset});
    }

    /// Writes an element by its offset in memory order.
    PTO_INST void SetValue(std::uint32_t offset, DType value) {
        static constexpr pto_form form =
            detail::form<Tile, detail::Index, DType>("pto.tsetval ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
        detail::call(form, *this, detail::Index{offset}, value);
    }

    /// The offset of an element in memory order.
    static constexpr int Offset(int row, int col) {
        if constexpr (!isBoxedLayout) {
            return row * RowStride + col * ColStride;
        } else {
            const int outer_row = row / InnerRows;
            const int outer_col = col / InnerCols;
            const int box = isRowMajor ? outer_row * (Cols / InnerCols) + outer_col
                                       : outer_col * ((Rows + InnerRows - 1) / InnerRows) + outer_row;
            const int inner_row = row % InnerRows;
            const int inner_col = col % InnerCols;
            return box * InnerNumel +
                   (isInnerRowMajor ? inner_row * InnerCols + inner_col : inner_col * InnerRows + inner_row);
        }
    }

    PTO_INST DType GetElement(int row, int col) const {
        static_assert(!detail::is_pair_v<DType>, "elements of 4 bits are read in pairs, by GetValue");
        return GetValue(static_cast<std::uint32_t>(Offset(row, col)));
    }
    PTO_INST void SetElement(int row, int col, DType value) {
        static_assert(!detail::is_pair_v<DType>, "elements of 4 bits are written in pairs, by SetValue");
        SetValue(static_cast<std::uint32_t>(Offset(row, col)), value);
    }

    bool GetKAligned() const { return is_k_aligned_; }
    void SetKAligned(bool aligned) { is_k_aligned_ = aligned; }

    /// Lets the products that follow round factors to TF32.
    PTO_INST void SetMadTF32Mode(RoundMode mode = RoundMode::CAST_ROUND) {
        static constexpr detail::Forms<detail::RoundModes> forms(
            "pto.settf32mode ins({enable = true, mode = #pto<round_mode @0>}) outs()", 0);
        detail::call(forms[mode]);
    }
    PTO_INST void ResetMadMode() {
        static constexpr pto_form form =
            detail::form<>("pto.settf32mode ins({enable = false, mode = #pto<round_mode RINT>}) outs()", 0);
        detail::call(form);
    }

    /// The tile as the library sees it.
    pto_tile state() const { return Storage::state(RowMaskInternal, ColMaskInternal); }

  private:
    bool is_k_aligned_ = false;
};

/// The left factor of a matrix product. Its boxes are in rows on A2/A3 and in columns on A5.
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
#ifdef PTO_TARGET_A5
using TileLeft = Tile<TileType::Left, Element, Rows, Cols, BLayout::ColMajor, RowValid, ColValid, SLayout::RowMajor,
                      TileConfig::fractalABSize>;
#else
using TileLeft = Tile<TileType::Left, Element, Rows, Cols, BLayout::RowMajor, RowValid, ColValid, SLayout::RowMajor,
                      TileConfig::fractalABSize>;
#endif

/// The right factor of a matrix product.
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileRight = Tile<TileType::Right, Element, Rows, Cols, BLayout::RowMajor, RowValid, ColValid, SLayout::ColMajor,
                       TileConfig::fractalABSize>;

/// The accumulator of a matrix product.
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileAcc = Tile<TileType::Acc, Element, Rows, Cols, BLayout::ColMajor, RowValid, ColValid, SLayout::RowMajor,
                     TileConfig::fractalCSize>;

/// The MX scales of a left factor.
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileLeftScale = Tile<TileType::ScaleLeft, Element, Rows, Cols, BLayout::RowMajor, RowValid, ColValid,
                           SLayout::RowMajor, TileConfig::fractalMxSize>;

/// The MX scales of a right factor.
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileRightScale = Tile<TileType::ScaleRight, Element, Rows, Cols, BLayout::ColMajor, RowValid, ColValid,
                            SLayout::ColMajor, TileConfig::fractalMxSize>;

namespace detail {

template <typename T>
struct MakeCompact;

template <TileType Loc, typename Element, int Rows, int Cols, BLayout BFractal, int RowValid, int ColValid,
          SLayout SFractal, int SFractalSize, auto PadVal, CompactMode Compact>
struct MakeCompact<
    Tile<Loc, Element, Rows, Cols, BFractal, RowValid, ColValid, SFractal, SFractalSize, PadVal, Compact>> {
    using Type = Tile<Loc, Element, Rows, Cols, BFractal, RowValid, ColValid, SFractal, SFractalSize, PadVal,
                      CompactMode::Normal>;
};

} // namespace detail

// Tiles of the matrix unit whose boxes hold the valid region without gaps.
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileLeftCompact = typename detail::MakeCompact<TileLeft<Element, Rows, Cols, RowValid, ColValid>>::Type;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileRightCompact = typename detail::MakeCompact<TileRight<Element, Rows, Cols, RowValid, ColValid>>::Type;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileAccCompact = typename detail::MakeCompact<TileAcc<Element, Rows, Cols, RowValid, ColValid>>::Type;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileLeftScaleCompact = typename detail::MakeCompact<TileLeftScale<Element, Rows, Cols, RowValid, ColValid>>::Type;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileRightScaleCompact =
    typename detail::MakeCompact<TileRightScale<Element, Rows, Cols, RowValid, ColValid>>::Type;

/// Whether a type is a tile.
template <typename T>
inline constexpr bool is_tile_data_v = std::is_base_of_v<detail::TileTag, std::remove_cv_t<T>>;

namespace detail {

/// Whether the columns of a tile, or its rows, are numbers of 4 bits that follow each other. Convolution tiles have none.
template <typename T, typename = void>
inline constexpr bool has_pairs_along_columns = false;
template <typename T>
inline constexpr bool has_pairs_along_columns<T, std::enable_if_t<is_tile_data_v<T>>> =
    is_pair_v<typename T::DType> && (T::isBoxedLayout ? T::isInnerRowMajor : T::isRowMajor);
template <typename T>
inline constexpr bool has_pairs_along_rows =
    is_tile_data_v<T> && is_pair_v<typename T::DType> && !has_pairs_along_columns<T>;

template <typename T>
constexpr int rows_in_dialect(int rows) {
    return in_pairs(has_pairs_along_rows<T>, rows);
}
template <typename T>
constexpr int cols_in_dialect(int cols) {
    return in_pairs(has_pairs_along_columns<T>, cols);
}

template <typename T, typename = void>
inline constexpr bool is_boxed = false;
template <typename T>
inline constexpr bool is_boxed<T, std::enable_if_t<is_tile_data_v<T>>> = T::isBoxedLayout;

/// `!pto.tile_buf<vec, 16x64xf32, valid=?x64>`; keys with default values are left out.
template <typename T>
struct Operand<T, std::enable_if_t<!std::is_const_v<T> && is_tile_data_v<T>>> {
    static constexpr Text<192> composed() {
        Text<192> spelling;
        spelling.add("!pto.tile_buf<").add(word(T::Loc)).add(", ");
        spelling.add(rows_in_dialect<T>(T::Rows)).add("x").add(cols_in_dialect<T>(T::Cols));
        spelling.add("x").add(element_word<typename T::DType>());
        if (T::ValidRow != T::Rows || T::ValidCol != T::Cols) {
            spelling.add(", valid=").add_extent(rows_in_dialect<T>(T::ValidRow));
            spelling.add("x").add_extent(cols_in_dialect<T>(T::ValidCol));
        }
        if (!T::isRowMajor) {
            spelling.add(", blayout=").add(word(T::BFractal));
        }
        if (T::isBoxedLayout) {
            spelling.add(", slayout=").add(word(T::SFractal));
        }
        if (T::SFractalSize != TileConfig::fractalABSize) {
            spelling.add(", fractal=").add(T::SFractalSize);
        }
        constexpr auto pad = static_cast<std::uint64_t>(T::PadVal);
        if (pad >= static_cast<std::uint64_t>(PadValue::CustomBase)) {
            spelling.add(", pad=").add_hex(pad);
        } else if (pad != 0) {
            spelling.add(", pad=").add(static_cast<std::int64_t>(pad));
        }
        if (T::Compact != CompactMode::Null) {
            spelling.add(", compact=").add(static_cast<std::int64_t>(T::Compact));
        }
        return spelling.add(">");
    }
    static constexpr Text<192> composed_text = composed();
    static constexpr const char *text = composed_text.characters;

    struct Passed {
        pto_tile tile;
        std::uint64_t word() const { return reinterpret_cast<std::uintptr_t>(&tile); }
    };

    PTO_INST static Passed pass(const T &tile) {
        pto_tile state = tile.state();
        state.rows = in_pairs(has_pairs_along_rows<T>, state.rows);
        state.cols = in_pairs(has_pairs_along_columns<T>, state.cols);
        return {state};
    }
};

} // namespace detail

/// Whether a type is a tile whose elements lie in boxes.
template <typename T>
inline constexpr bool is_boxed_data_v = detail::is_boxed<std::remove_cv_t<T>>;

/// The layout of a tile by its usual two letters.
template <typename T>
constexpr TileLayoutCustom GetTileLayoutCustom() {
    if (T::isBoxedLayout) {
        if (T::isRowMajor) {
            return T::isInnerRowMajor ? TileLayoutCustom::ZZ : TileLayoutCustom::ZN;
        }
        return T::isInnerRowMajor ? TileLayoutCustom::NZ : TileLayoutCustom::NONE;
    }
    return T::isRowMajor ? TileLayoutCustom::ND : TileLayoutCustom::DN;
}

/// The offset of an element of a tile in memory order.
template <typename T>
constexpr int GetTileOffset(int row, int col) {
    return T::Offset(row, col);
}

} // namespace pto

#endif
