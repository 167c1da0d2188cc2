// Windows of tiles: TEXTRACT copies one out of a tile, TINSERT copies a tile into one.
#ifndef PTO_WINDOWS_HPP
#define PTO_WINDOWS_HPP

#include "pto/moves.hpp"

#include <cstdint>

namespace pto {
namespace detail {

/// A row or a column of a tile as the dialect counts it.
template <typename T>
PTO_INST constexpr Index row_in(std::uint16_t row) {
    return {rows_in_dialect<T>(row)};
}
template <typename T>
PTO_INST constexpr Index col_in(std::uint16_t col) {
    return {cols_in_dialect<T>(col)};
}

/// The row and the column where a window begins.
struct Corner {
    Index row;
    Index col;

    constexpr Corner(std::uint16_t row, std::uint16_t col) : row{row}, col{col} {}
};

template <typename Mode, ReluPreMode relu, typename Dst, typename Src>
PTO_INST void extract(Dst &dst, Src &src, Corner corner) {
    static constexpr pto_form form = fixpipe<Mode, relu, Dst, Src, Index, Index>(
        "pto.textract ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @4>}",
        "pto.textract ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @4>, "
        "accToVecMode = #pto<acc_to_vec_mode @5>}");
    call(form, dst, src, corner.row, corner.col);
}

template <typename Mode, ReluPreMode relu, typename Dst, typename Src>
PTO_INST void extract(Dst &dst, Src &src, Corner corner, Bits parameter) {
    static constexpr pto_form form = fixpipe<Mode, relu, Dst, Src, Index, Index, Bits>(
        "pto.textract ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @5>}",
        "pto.textract ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @5>, "
        "accToVecMode = #pto<acc_to_vec_mode @6>}");
    call(form, dst, src, corner.row, corner.col, parameter);
}

template <typename Mode, ReluPreMode relu, typename Dst, typename Src, typename Fp>
PTO_INST void extract_fp(Dst &dst, Src &src, Fp &fp, Corner corner) {
    static constexpr pto_form form = fixpipe<Mode, relu, Dst, Src, Fp, Index, Index>(
        "pto.textract_fp ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @5>}",
        "pto.textract_fp ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @5>, "
        "accToVecMode = #pto<acc_to_vec_mode @6>}");
    call(form, dst, src, fp, corner.row, corner.col);
}

template <typename Mode, ReluPreMode relu, typename Dst, typename Src>
PTO_INST void insert(Dst &dst, Src &src, Corner corner) {
    static constexpr pto_form form = fixpipe<Mode, relu, Dst, Src, Index, Index>(
        "pto.tinsert ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @4>}",
        "pto.tinsert ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @4>, "
        "accToVecMode = #pto<acc_to_vec_mode @5>}");
    call(form, dst, src, corner.row, corner.col);
}

template <typename Mode, ReluPreMode relu, typename Dst, typename Src>
PTO_INST void insert(Dst &dst, Src &src, Corner corner, Bits parameter) {
    static constexpr pto_form form = fixpipe<Mode, relu, Dst, Src, Index, Index, Bits>(
        "pto.tinsert ins(%1, %2, %3 : @1, @2, @3 pre_quant %4 : @4) outs(%0 : @0) "
        "{reluPreMode = #pto<relu_pre_mode @5>}",
        "pto.tinsert ins(%1, %2, %3 : @1, @2, @3 pre_quant %4 : @4) outs(%0 : @0) "
        "{reluPreMode = #pto<relu_pre_mode @5>, accToVecMode = #pto<acc_to_vec_mode @6>}");
    call(form, dst, src, corner.row, corner.col, parameter);
}

template <typename Mode, ReluPreMode relu, typename Dst, typename Src, typename Fp>
PTO_INST void insert_fp(Dst &dst, Src &src, Fp &fp, Corner corner) {
    static constexpr pto_form form = fixpipe<Mode, relu, Dst, Src, Fp, Index, Index>(
        "pto.tinsert_fp ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @5>}",
        "pto.tinsert_fp ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0) {reluPreMode = #pto<relu_pre_mode @5>, "
        "accToVecMode = #pto<acc_to_vec_mode @6>}");
    call(form, dst, src, fp, corner.row, corner.col);
}

} // namespace detail

/// Copies the window of a tile that begins at a row and a column.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TEXTRACT(DstTile &dst, SrcTile &src, std::uint16_t indexRow = 0,
                                                std::uint16_t indexCol = 0, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, detail::Index, detail::Index>(
        "pto.textract ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src, detail::row_in<SrcTile>(indexRow), detail::col_in<SrcTile>(indexCol));
    return {};
}

/// Extracts from an accumulator with ReLU.
template <typename DstTile, typename SrcTile, ReluPreMode Relu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TEXTRACT(DstTile &dst, SrcTile &src, std::uint16_t indexRow,
                                                std::uint16_t indexCol, WaitEvents &...events) {
    detail::wait(events...);
    detail::extract<detail::NoMode, Relu>(dst, src, {indexRow, indexCol});
    return {};
}

/// Extracts from an accumulator to one vector core, or split to both.
template <typename DstTile, typename SrcTile, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TEXTRACT(DstTile &dst, SrcTile &src, std::uint16_t indexRow,
                                                std::uint16_t indexCol, WaitEvents &...events) {
    detail::wait(events...);
    detail::extract<detail::Word<Mode>, Relu>(dst, src, {indexRow, indexCol});
    return {};
}

/// Extracts from an accumulator, quantized with one parameter.
template <typename DstTile, typename SrcTile, ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TEXTRACT(DstTile &dst, SrcTile &src, std::uint64_t preQuantScalar,
                                                std::uint16_t indexRow, std::uint16_t indexCol,
                                                WaitEvents &...events) {
    detail::wait(events...);
    detail::extract<detail::NoMode, Relu>(dst, src, {indexRow, indexCol}, detail::Bits{preQuantScalar});
    return {};
}

/// Extracts from an accumulator to vector cores, quantized with one parameter.
template <typename DstTile, typename SrcTile, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TEXTRACT(DstTile &dst, SrcTile &src, std::uint64_t preQuantScalar,
                                                std::uint16_t indexRow, std::uint16_t indexCol,
                                                WaitEvents &...events) {
    detail::wait(events...);
    detail::extract<detail::Word<Mode>, Relu>(dst, src, {indexRow, indexCol}, detail::Bits{preQuantScalar});
    return {};
}

/// Extracts from an accumulator, quantized with a parameter for each column.
template <typename DstTile, typename SrcTile, typename FpTile, ReluPreMode Relu = ReluPreMode::NoRelu,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TEXTRACT_FP(DstTile &dst, SrcTile &src, FpTile &fp, std::uint16_t indexRow,
                                                   std::uint16_t indexCol, WaitEvents &...events) {
    detail::wait(events...);
    detail::extract_fp<detail::NoMode, Relu>(dst, src, fp, {indexRow, indexCol});
    return {};
}

/// Extracts from an accumulator to vector cores, quantized with a parameter for each column.
template <typename DstTile, typename SrcTile, typename FpTile, AccToVecMode Mode,
          ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TEXTRACT(DstTile &dst, SrcTile &src, FpTile &fp, std::uint16_t indexRow,
                                                std::uint16_t indexCol, WaitEvents &...events) {
    detail::wait(events...);
    detail::extract_fp<detail::Word<Mode>, Relu>(dst, src, fp, {indexRow, indexCol});
    return {};
}

/// Copies two windows of a tile into a tile each.
template <typename Dst0Tile, typename Dst1Tile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<SrcTile>, WaitEvents...>
TEXTRACT(Dst0Tile &dst0, Dst1Tile &dst1, SrcTile &src, std::uint16_t indexRow0, std::uint16_t indexCol0,
         std::uint16_t indexRow1, std::uint16_t indexCol1, WaitEvents &...events) {
    using detail::Index;
    static constexpr pto_form form = detail::form<Dst0Tile, Dst1Tile, SrcTile, Index, Index, Index, Index>(
        "pto.textract ins(%2, %3, %4, %5, %6 : @2, @3, @4, @5, @6) outs(%0, %1 : @0, @1)", 7);
    detail::wait(events...);
    detail::call(form, dst0, dst1, src, Index{indexRow0}, Index{indexCol0}, Index{indexRow1}, Index{indexCol1});
    return {};
}

/// Copies a tile into the window of a tile that begins at a row and a column.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TINSERT(DstTile &dst, SrcTile &src, std::uint16_t indexRow,
                                               std::uint16_t indexCol, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, detail::Index, detail::Index>(
        "pto.tinsert ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src, detail::row_in<DstTile>(indexRow), detail::col_in<DstTile>(indexCol));
    return {};
}

/// Inserts an accumulator with ReLU.
template <typename DstTile, typename SrcTile, ReluPreMode Relu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TINSERT(DstTile &dst, SrcTile &src, std::uint16_t indexRow,
                                               std::uint16_t indexCol, WaitEvents &...events) {
    detail::wait(events...);
    detail::insert<detail::NoMode, Relu>(dst, src, {indexRow, indexCol});
    return {};
}

/// Inserts an accumulator on one vector core, or split on both.
template <typename DstTile, typename SrcTile, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TINSERT(DstTile &dst, SrcTile &src, std::uint16_t indexRow,
                                               std::uint16_t indexCol, WaitEvents &...events) {
    detail::wait(events...);
    detail::insert<detail::Word<Mode>, Relu>(dst, src, {indexRow, indexCol});
    return {};
}

/// Inserts an accumulator, quantized with one parameter.
template <typename DstTile, typename SrcTile, ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TINSERT(DstTile &dst, SrcTile &src, std::uint64_t preQuantScalar,
                                               std::uint16_t indexRow, std::uint16_t indexCol,
                                               WaitEvents &...events) {
    detail::wait(events...);
    detail::insert<detail::NoMode, Relu>(dst, src, {indexRow, indexCol}, detail::Bits{preQuantScalar});
    return {};
}

/// Inserts an accumulator on vector cores, quantized with one parameter.
template <typename DstTile, typename SrcTile, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TINSERT(DstTile &dst, SrcTile &src, std::uint64_t preQuantScalar,
                                               std::uint16_t indexRow, std::uint16_t indexCol,
                                               WaitEvents &...events) {
    detail::wait(events...);
    detail::insert<detail::Word<Mode>, Relu>(dst, src, {indexRow, indexCol}, detail::Bits{preQuantScalar});
    return {};
}

/// Inserts an accumulator, quantized with a parameter for each column.
template <typename DstTile, typename SrcTile, typename FpTile, ReluPreMode Relu = ReluPreMode::NoRelu,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TINSERT_FP(DstTile &dst, SrcTile &src, FpTile &fp, std::uint16_t indexRow,
                                                  std::uint16_t indexCol, WaitEvents &...events) {
    detail::wait(events...);
    detail::insert_fp<detail::NoMode, Relu>(dst, src, fp, {indexRow, indexCol});
    return {};
}

/// Inserts an accumulator on vector cores, quantized with a parameter for each column.
template <typename DstTile, typename SrcTile, typename FpTile, AccToVecMode Mode,
          ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TINSERT(DstTile &dst, SrcTile &src, FpTile &fp, std::uint16_t indexRow,
                                               std::uint16_t indexCol, WaitEvents &...events) {
    detail::wait(events...);
    detail::insert_fp<detail::Word<Mode>, Relu>(dst, src, fp, {indexRow, indexCol});
    return {};
}

/// Inserts in two or four transfers.
template <TInsertMode Mode, typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TINSERT(DstTile &dst, SrcTile &src, std::uint16_t indexRow = 0,
                                               std::uint16_t indexCol = 0, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, detail::Index, detail::Index, detail::Word<Mode>>(
        "pto.tinsert ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {tinsertMode = #pto<tinsert_mode @4>}", 4);
    detail::wait(events...);
    detail::call(form, dst, src, detail::row_in<DstTile>(indexRow), detail::col_in<DstTile>(indexCol));
    return {};
}

} // namespace pto

#endif
