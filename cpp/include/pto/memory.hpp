// Transfers between global memory and tiles.
#ifndef PTO_MEMORY_HPP
#define PTO_MEMORY_HPP

#include "pto/event.hpp"
#include "pto/tensor.hpp"

#include <cstdint>

namespace pto {

/// Copies a tensor into the valid region of a tile, or into a convolution tile.
template <typename DstTile, typename SrcGlobal, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TLOAD(DstTile &dst, SrcGlobal &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcGlobal>("pto.tload ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

/// Copies a tensor into a tile ahead of its use.
template <typename DstTile, typename SrcGlobal, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TPREFETCH(DstTile &dst, SrcGlobal &src, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<DstTile, SrcGlobal>("pto.tprefetch ins(%1 : @1) outs(%0 : @0)", 2);
    detail::wait(events...);
    detail::call(form, dst, src);
    return {};
}

namespace detail {

// The overloads of TSTORE differ in template parameters alone: all of them come here.

template <STPhase phase, AtomicType atomic, ReluPreMode relu, typename SrcTile, typename DstGlobal>
PTO_INST void store(DstGlobal &dst, SrcTile &src) {
    static constexpr pto_form form = detail::form<DstGlobal, SrcTile, Word<atomic>, Word<relu>, Word<phase>>(
        "pto.tstore ins(%1 : @1) outs(%0 : @0) {atomicType = #pto<atomic_type @2>, "
        "reluPreMode = #pto<relu_pre_mode @3>, stPhase = #pto<st_phase @4>}",
        2);
    call(form, dst, src);
}

template <STPhase phase, AtomicType atomic, ReluPreMode relu, typename SrcTile, typename DstGlobal>
PTO_INST void store(DstGlobal &dst, SrcTile &src, Bits parameter) {
    static constexpr pto_form form = detail::form<DstGlobal, SrcTile, Bits, Word<atomic>, Word<relu>, Word<phase>>(
        "pto.tstore ins(%1, %2 : @1, @2) outs(%0 : @0) {atomicType = #pto<atomic_type @3>, "
        "reluPreMode = #pto<relu_pre_mode @4>, stPhase = #pto<st_phase @5>}",
        3);
    call(form, dst, src, parameter);
}

} // namespace detail

/// Copies the valid region of a tile into a tensor, converting elements of an accumulator.
template <typename SrcTile, typename DstGlobal, AtomicType Atomic = AtomicType::AtomicNone,
          ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSTORE(DstGlobal &dst, SrcTile &src, WaitEvents &...events) {
    detail::wait(events...);
    detail::store<STPhase::Unspecified, Atomic, Relu>(dst, src);
    return {};
}

/// Stores a tile as part of a phase of an accumulation.
template <STPhase Phase, typename SrcTile, typename DstGlobal, AtomicType Atomic = AtomicType::AtomicNone,
          ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSTORE(DstGlobal &dst, SrcTile &src, WaitEvents &...events) {
    detail::wait(events...);
    detail::store<Phase, Atomic, Relu>(dst, src);
    return {};
}

/// Stores a tile without atomic addition, whose template argument may be left out.
template <typename SrcTile, typename DstGlobal, ReluPreMode Relu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSTORE(DstGlobal &dst, SrcTile &src, WaitEvents &...events) {
    detail::wait(events...);
    detail::store<STPhase::Unspecified, AtomicType::AtomicNone, Relu>(dst, src);
    return {};
}

/// Copies an accumulator into a tensor, quantized with one parameter.
template <typename SrcTile, typename DstGlobal, AtomicType Atomic = AtomicType::AtomicNone,
          ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSTORE(DstGlobal &dst, SrcTile &src, std::uint64_t preQuantScalar,
                                              WaitEvents &...events) {
    detail::wait(events...);
    detail::store<STPhase::Unspecified, Atomic, Relu>(dst, src, detail::Bits{preQuantScalar});
    return {};
}

/// Stores an accumulator with quantization by a scalar, as part of a phase of an accumulation.
template <STPhase Phase, typename SrcTile, typename DstGlobal, AtomicType Atomic = AtomicType::AtomicNone,
          ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSTORE(DstGlobal &dst, SrcTile &src, std::uint64_t preQuantScalar,
                                              WaitEvents &...events) {
    detail::wait(events...);
    detail::store<Phase, Atomic, Relu>(dst, src, detail::Bits{preQuantScalar});
    return {};
}

/// Stores an accumulator with quantization by a scalar, without atomic addition, whose template argument may be left
/// out.
template <typename SrcTile, typename DstGlobal, ReluPreMode Relu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSTORE(DstGlobal &dst, SrcTile &src, std::uint64_t preQuantScalar,
                                              WaitEvents &...events) {
    detail::wait(events...);
    detail::store<STPhase::Unspecified, AtomicType::AtomicNone, Relu>(dst, src, detail::Bits{preQuantScalar});
    return {};
}

/// Copies an accumulator into a tensor, quantized with a parameter for each column.
template <typename SrcTile, typename DstGlobal, typename FpTile, AtomicType Atomic = AtomicType::AtomicNone,
          ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSTORE_FP(DstGlobal &dst, SrcTile &src, FpTile &fp, WaitEvents &...events) {
    static constexpr pto_form form =
        detail::form<DstGlobal, SrcTile, FpTile, detail::Word<Atomic>, detail::Word<Relu>>(
            "pto.tstore_fp ins(%1, %2 : @1, @2) outs(%0 : @0) {atomicType = #pto<atomic_type @3>, "
            "reluPreMode = #pto<relu_pre_mode @4>}",
            3);
    detail::wait(events...);
    detail::call(form, dst, src, fp);
    return {};
}

/// Stores an accumulator with quantization by a tile, as part of a phase of an accumulation.
template <STPhase Phase, typename SrcTile, typename DstGlobal, typename FpTile,
          AtomicType Atomic = AtomicType::AtomicNone, ReluPreMode Relu = ReluPreMode::NoRelu, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TSTORE_FP(DstGlobal &dst, SrcTile &src, FpTile &fp, WaitEvents &...events) {
    static constexpr pto_form form =
        detail::form<DstGlobal, SrcTile, FpTile, detail::Word<Atomic>, detail::Word<Relu>, detail::Word<Phase>>(
            "pto.tstore_fp ins(%1, %2 : @1, @2) outs(%0 : @0) {atomicType = #pto<atomic_type @3>, "
            "reluPreMode = #pto<relu_pre_mode @4>, stPhase = #pto<st_phase @5>}",
            3);
    detail::wait(events...);
    detail::call(form, dst, src, fp);
    return {};
}

namespace detail {

/// Whether an index tile has an index for each element; else it has one for each row.
template <typename Data, typename Indices>
inline constexpr Coalesce coalesce_of =
    Data::ValidRow == Indices::ValidRow && Data::ValidCol == Indices::ValidCol && Data::Rows == Indices::Rows
        ? Coalesce::Elem
        : Coalesce::Row;

} // namespace detail

/// Gathers rows or elements of a tensor by their indices, which are in a tile or in a tensor.
template <Coalesce Mode, GatherOOB Beyond = GatherOOB::Undefined, typename DstTile, typename SrcGlobal,
          typename Indices, typename... WaitEvents>
PTO_INST detail::RecordIf<is_global_data_v<SrcGlobal>, WaitEvents...> MGATHER(DstTile &dst, SrcGlobal &src,
                                                                              Indices &indexes,
                                                                              WaitEvents &...events) {
    static constexpr pto_form form =
        detail::form<DstTile, SrcGlobal, Indices, detail::Word<Mode>, detail::Word<Beyond>>(
            "pto.mgather ins(%1, %2 : @1, @2) outs(%0 : @0) {coalesce = #pto<coalesce @3>, "
            "gatherOob = #pto<gather_oob @4>}",
            3);
    detail::wait(events...);
    detail::call(form, dst, src, indexes);
    return {};
}

/// Gathers like the overload above, with a workspace in global memory.
template <Coalesce Mode, GatherOOB Beyond = GatherOOB::Undefined, typename DstTile, typename SrcGlobal,
          typename Indices, typename Scratch, typename... WaitEvents>
PTO_INST detail::RecordIf<is_global_data_v<Scratch>, WaitEvents...>
MGATHER(DstTile &dst, SrcGlobal &src, Indices &indexes, Scratch &scratch, WaitEvents &...events) {
    static constexpr pto_form form =
        detail::form<DstTile, SrcGlobal, Indices, Scratch, detail::Word<Mode>, detail::Word<Beyond>>(
            "pto.mgather ins(%1, %2, %3 : @1, @2, @3) outs(%0 : @0) {coalesce = #pto<coalesce @4>, "
            "gatherOob = #pto<gather_oob @5>}",
            4);
    detail::wait(events...);
    detail::call(form, dst, src, indexes, scratch);
    return {};
}

/// Gathers like the overload above, by the unit that the third template argument names.
template <Coalesce Mode, GatherOOB Beyond, GatherExec Unit, typename DstTile, typename SrcGlobal, typename Indices,
          typename Scratch, typename... WaitEvents>
PTO_INST detail::RecordIf<is_global_data_v<Scratch>, WaitEvents...>
MGATHER(DstTile &dst, SrcGlobal &src, Indices &indexes, Scratch &scratch, WaitEvents &...events) {
    static_assert(Unit == GatherExec::Scalar,
                  "MGATHER by GatherExec::Simt is SIMT code of a vector core, and no tile instruction: use GatherExec::Scalar");
    return MGATHER<Mode, Beyond>(dst, src, indexes, scratch, events...);
}

/// Gathers elements if the index tile has the shape of the destination, else rows.
template <typename DstTile, typename SrcGlobal, typename IndexTile, typename... WaitEvents>
PTO_INST detail::RecordIf<is_global_data_v<SrcGlobal>, WaitEvents...> MGATHER(DstTile &dst, SrcGlobal &src,
                                                                              IndexTile &indexes,
                                                                              WaitEvents &...events) {
    return MGATHER<detail::coalesce_of<DstTile, IndexTile>, GatherOOB::Undefined>(dst, src, indexes, events...);
}

/// Scatters rows or elements of a tile to the places of a tensor that indices name.
template <Coalesce Mode, ScatterAtomicOp Atomic = ScatterAtomicOp::None, ScatterOOB Beyond = ScatterOOB::Undefined,
          ScatterConflict Conflict = ScatterConflict::Last, typename DstGlobal, typename SrcTile, typename IndexTile,
          typename... WaitEvents>
PTO_INST detail::RecordIf<is_global_data_v<DstGlobal>, WaitEvents...> MSCATTER(DstGlobal &dst, SrcTile &src,
                                                                               IndexTile &indexes,
                                                                               WaitEvents &...events) {
    // The last of equal indices wins by default, so the attribute is omitted: not every target has it.
    static constexpr pto_form form =
        detail::form<DstGlobal, SrcTile, IndexTile, detail::Word<Mode>, detail::Word<Beyond>, detail::Word<Atomic>,
                     detail::Word<Conflict>>(
            Conflict == ScatterConflict::Last
                ? "pto.mscatter ins(%1, %2 : @1, @2) outs(%0 : @0) {coalesce = #pto<coalesce @3>, "
                  "scatterOob = #pto<scatter_oob @4>, scatterAtomicOp = #pto<scatter_atomic_op @5>}"
                : "pto.mscatter ins(%1, %2 : @1, @2) outs(%0 : @0) {coalesce = #pto<coalesce @3>, "
                  "scatterOob = #pto<scatter_oob @4>, scatterAtomicOp = #pto<scatter_atomic_op @5>, "
                  "scatterConflict = #pto<scatter_conflict @6>}",
            3);
    detail::wait(events...);
    detail::call(form, dst, src, indexes);
    return {};
}

/// Scatters elements if the index tile has the shape of the source, else rows.
template <typename DstGlobal, typename SrcTile, typename IndexTile, typename... WaitEvents>
PTO_INST detail::RecordIf<is_global_data_v<DstGlobal>, WaitEvents...> MSCATTER(DstGlobal &dst, SrcTile &src,
                                                                               IndexTile &indexes,
                                                                               WaitEvents &...events) {
    return MSCATTER<detail::coalesce_of<SrcTile, IndexTile>>(dst, src, indexes, events...);
}

} // namespace pto

#endif
