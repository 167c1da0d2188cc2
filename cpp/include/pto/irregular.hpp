// Sequences, indices and sorting: intrinsics with template parameters of their own.
#ifndef PTO_IRREGULAR_HPP
#define PTO_IRREGULAR_HPP

#include "pto/event.hpp"
#include "pto/intrinsics.hpp"

#include <cstdint>

namespace pto {

/// Selects each element from one of two sources by a mask. Destination and sources share a template parameter, as in
/// the order of the manual; sources of other types are taken by the generated overload.
template <typename DataTile, typename MaskTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<DataTile, MaskTile, TmpTile>, WaitEvents...>
TSEL(DataTile &dst, MaskTile &mask, DataTile &src0, DataTile &src1, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DataTile, MaskTile, DataTile, DataTile, TmpTile>(
        "pto.tsel ins(%1, %2, %3, %4 : @1, @2, @3, @4) outs(%0 : @0)", 5);
    detail::wait(events...);
    detail::call(form, dst, mask, src0, src1, tmp);
    return {};
}

/// TINTERLEAVE in the spelling of its page: (dst1, dst0, src1, src0).
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TInterleave(DstTile &dst1, DstTile &dst0, SrcTile &src1, SrcTile &src0,
                                                   WaitEvents &...events) {
    return TINTERLEAVE(dst1, dst0, src1, src0, events...);
}

/// TDEINTERLEAVE in the spelling of its page: (dst1, dst0, src1, src0).
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TDeInterleave(DstTile &dst1, DstTile &dst0, SrcTile &src1, SrcTile &src0,
                                                     WaitEvents &...events) {
    return TDEINTERLEAVE(dst1, dst0, src1, src0, events...);
}

/// TDEINTERLEAVE of one source in the spelling of its page: (dst1, dst0, src).
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TDeInterleave(DstTile &dst1, DstTile &dst0, SrcTile &src,
                                                     WaitEvents &...events) {
    return TDEINTERLEAVE(dst1, dst0, src, events...);
}

/// Fills the first row with consecutive numbers, upwards or downwards.
template <typename DstTile, typename T, int descending, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TCI(DstTile &dst, T start, WaitEvents &...events) {
    using Start = typename DstTile::DType;
    static constexpr pto_form form = detail::form<DstTile, Start, detail::Word<descending != 0>>(
        "pto.tci ins(%1 : @1) outs(%0 : @0) {descending = @2}", 2);
    detail::wait(events...);
    detail::call(form, dst, static_cast<Start>(start));
    return {};
}

/// Fills the first row like the overload above, with a workspace.
template <typename DstTile, typename TmpTile, typename T, int descending, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<TmpTile>, WaitEvents...> TCI(DstTile &dst, T start, TmpTile &tmp,
                                                                      WaitEvents &...events) {
    using Start = typename DstTile::DType;
    static constexpr pto_form form = detail::form<DstTile, Start, TmpTile, detail::Word<descending != 0>>(
        "pto.tci ins(%1, %2 : @1, @2) outs(%0 : @0) {descending = @3}", 3);
    detail::wait(events...);
    detail::call(form, dst, static_cast<Start>(start), tmp);
    return {};
}

/// Ones on and below a diagonal, or on and above it if `upper`; zeros elsewhere.
template <typename DstTile, int upper, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TTRI(DstTile &dst, int diagonal, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, std::int32_t, detail::Number<upper>>(
        "pto.ttri ins(%1 : @1) outs(%0 : @0) {upperOrLower = @2 : i32}", 2);
    detail::wait(events...);
    detail::call(form, dst, static_cast<std::int32_t>(diagonal));
    return {};
}

/// Gathers elements by their indices.
template <typename DstTile, typename SrcTile, typename IndexTile, typename TmpTile, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<IndexTile, TmpTile>, WaitEvents...>
TGATHER(DstTile &dst, SrcTile &src, IndexTile &indices, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, IndexTile, TmpTile>(
        "pto.tgather ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0)", 4);
    detail::wait(events...);
    detail::call(form, dst, src, indices, tmp);
    return {};
}

/// Gathers elements by their indices, without a workspace.
template <typename DstTile, typename SrcTile, typename IndexTile, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<IndexTile>, WaitEvents...> TGATHER(DstTile &dst, SrcTile &src,
                                                                            IndexTile &indices,
                                                                            WaitEvents &...events) {
    static constexpr pto_form form =
        detail::form<DstTile, SrcTile, IndexTile>("pto.tgather ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, indices);
    return {};
}

/// Gathers the elements that a mask pattern selects.
template <typename DstTile, typename SrcTile, MaskPattern Pattern, GatherAxis Axis = GatherAxis::GATHER_ROW,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TGATHER(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, detail::Word<Pattern>, detail::Word<Axis>>(
        "pto.tgather ins(%1 : @1) outs(%0 : @0) {maskPattern = #pto<mask_pattern @2>, axis = \"@3\"}", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Gathers the indices of the elements that compare with a threshold, and counts them.
template <typename DstTile, typename CountTile, typename SrcTile, typename Threshold, typename TmpTile, CmpMode Mode,
          std::int32_t offset = 0, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<CountTile, SrcTile, TmpTile>, WaitEvents...>
TGATHER(DstTile &dst, CountTile &count, SrcTile &src, Threshold &threshold, TmpTile &tmp, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, CountTile, SrcTile, Threshold, TmpTile, detail::Word<Mode>,
                                                  detail::Number<offset>>(
        "pto.tgather ins(%2, %3, %4 : @2, @3, @4) outs(%0, %1 : @0, @1) "
        "{cmpMode = #pto<cmp @5>, offset = @6 : i32}",
        5);
    detail::wait(events...);
    detail::call(form, dst, count, src, threshold, tmp);
    return {};
}

/// Scatters elements to the places that indices name; the rest of the destination is zero.
template <typename DstTile, typename SrcTile, typename IndexTile, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<IndexTile>, WaitEvents...> TSCATTER(DstTile &dst, SrcTile &src,
                                                                             IndexTile &indexes,
                                                                             WaitEvents &...events) {
    static constexpr pto_form form =
        detail::form<DstTile, SrcTile, IndexTile>("pto.tscatter ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, indexes);
    return {};
}

/// Scatters elements to the places that a mask pattern selects.
template <MaskPattern Pattern, ScatterAxis Axis = ScatterAxis::SCATTER_ROW, typename DstTile, typename SrcTile,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSCATTER(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, detail::Word<Pattern>, detail::Word<Axis>>(
        "pto.tscatter ins(%1 : @1) outs(%0 : @0) {maskPattern = #pto<mask_pattern @2>, axis = \"@3\"}", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Scatters like the overload above, with the types first among the template arguments.
template <typename DstTile, typename SrcTile, MaskPattern Pattern, ScatterAxis Axis = ScatterAxis::SCATTER_ROW,
          typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSCATTER(DstTile &dst, SrcTile &src, WaitEvents &...events) {
    return TSCATTER<Pattern, Axis>(dst, src, events...);
}

/// Counts the elements of each row by the values of one of their bytes.
template <HistByte byte, typename DstTile, typename SrcTile, typename IndexTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> THISTOGRAM(DstTile &dst, SrcTile &src, IndexTile &idx, WaitEvents &...events) {
    static constexpr pto_form form =
        detail::form<DstTile, SrcTile, IndexTile, detail::Number<static_cast<int>(byte)>>(
            "pto.thistogram ins(%1, %2 : @1, @2) outs(%0 : @0) {byte = @3 : i32}", 3);
    detail::wait(events...);
    detail::call(form, dst, src, idx);
    return {};
}

/// Merges each four sorted blocks of a tile.
template <typename DstTile, typename SrcTile, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<SrcTile>, WaitEvents...> TMRGSORT(DstTile &dst, SrcTile &src,
                                                                           std::uint32_t blockLen,
                                                                           WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcTile, std::int32_t>(
        "pto.tmrgsort ins(%1, %2 : @1, @2) outs(%0 : @0)", 3);
    detail::wait(events...);
    detail::call(form, dst, src, static_cast<std::int32_t>(blockLen));
    return {};
}

namespace detail {

/// Calls a merge of lists, whose result is four numbers of 16 bits.
template <typename... Operands>
PTO_INST void merge(const pto_form &form, MrgSortExecutedNumList &executed, const Operands &...operands) {
    const auto counts = call_for<std::uint64_t>(form, operands...);
    executed.mrgSortList0 = static_cast<std::uint16_t>(counts);
    executed.mrgSortList1 = static_cast<std::uint16_t>(counts >> 16);
    executed.mrgSortList2 = static_cast<std::uint16_t>(counts >> 32);
    executed.mrgSortList3 = static_cast<std::uint16_t>(counts >> 48);
}

} // namespace detail

/// Merges two sorted lists, and counts the elements that it took from each.
template <typename DstTile, typename TmpTile, typename Src0Tile, typename Src1Tile, bool exhausted = false,
          typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<Src0Tile, Src1Tile>, WaitEvents...>
TMRGSORT(DstTile &dst, MrgSortExecutedNumList &executed, TmpTile &tmp, Src0Tile &src0, Src1Tile &src1,
         WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, TmpTile, Src0Tile, Src1Tile, detail::Word<exhausted>>(
        "pto.tmrgsort ins(%2, %3, %1 {exhausted = @4} : @2, @3, @1) outs(%0, %result : @0, vector<4xi16>)", 4);
    detail::wait(events...);
    detail::merge(form, executed, dst, tmp, src0, src1);
    return {};
}

/// Merges three sorted lists.
template <typename DstTile, typename TmpTile, typename Src0Tile, typename Src1Tile, typename Src2Tile,
          bool exhausted = false, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<Src0Tile, Src1Tile, Src2Tile>, WaitEvents...>
TMRGSORT(DstTile &dst, MrgSortExecutedNumList &executed, TmpTile &tmp, Src0Tile &src0, Src1Tile &src1, Src2Tile &src2,
         WaitEvents &...events) {
    static constexpr pto_form form =
        detail::form<DstTile, TmpTile, Src0Tile, Src1Tile, Src2Tile, detail::Word<exhausted>>(
            "pto.tmrgsort ins(%2, %3, %4, %1 {exhausted = @5} : @2, @3, @4, @1) "
            "outs(%0, %result : @0, vector<4xi16>)",
            5);
    detail::wait(events...);
    detail::merge(form, executed, dst, tmp, src0, src1, src2);
    return {};
}

/// Merges four sorted lists.
template <typename DstTile, typename TmpTile, typename Src0Tile, typename Src1Tile, typename Src2Tile,
          typename Src3Tile, bool exhausted = false, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::are_tiles_v<Src0Tile, Src1Tile, Src2Tile, Src3Tile>, WaitEvents...>
TMRGSORT(DstTile &dst, MrgSortExecutedNumList &executed, TmpTile &tmp, Src0Tile &src0, Src1Tile &src1, Src2Tile &src2,
         Src3Tile &src3, WaitEvents &...events) {
    static constexpr pto_form form =
        detail::form<DstTile, TmpTile, Src0Tile, Src1Tile, Src2Tile, Src3Tile, detail::Word<exhausted>>(
            "pto.tmrgsort ins(%2, %3, %4, %5, %1 {exhausted = @6} : @2, @3, @4, @5, @1) "
            "outs(%0, %result : @0, vector<4xi16>)",
            6);
    detail::wait(events...);
    detail::merge(form, executed, dst, tmp, src0, src1, src2, src3);
    return {};
}

/// Fills a tile with pseudo-random words: a counter, mixed with a key.
template <std::uint16_t Rounds = 10, typename DstTile, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TRANDOM(DstTile &dst, const TRandomKey &key, const TRandomCounter &counter,
                                               WaitEvents &...events) {
    using Part = std::int32_t;
    static constexpr pto_form form = detail::form<DstTile, Part, Part, Part, Part, Part, Part, detail::Number<Rounds>>(
        "pto.trandom ins(%1, %2, %3, %4, %5, %6 : @1, @2, @3, @4, @5, @6) outs(%0 : @0) {rounds = @7 : i32}", 7);
    detail::wait(events...);
    detail::call(form, dst, static_cast<Part>(key[0]), static_cast<Part>(key[1]), static_cast<Part>(counter[0]),
                 static_cast<Part>(counter[1]), static_cast<Part>(counter[2]), static_cast<Part>(counter[3]));
    return {};
}

} // namespace pto

#endif
