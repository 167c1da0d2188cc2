// Queues between the cube core and the vector cores of a block. Both sides construct the queue; which end an object is
// follows from the kind of core that this compilation is for.
#ifndef PTO_QUEUE_HPP
#define PTO_QUEUE_HPP

#include "pto/event.hpp"
#include "pto/tensor.hpp"

#include <cstdint>

namespace pto {
namespace detail {

#ifdef __DAV_CUBE__
inline constexpr bool is_cube_end = true;
#else
inline constexpr bool is_cube_end = false;
#endif

/// The one of two patterns that belongs to this end.
constexpr const char *of_end(const char *cube, const char *vector) { return is_cube_end ? cube : vector; }

/// An operand that the operation defines: the library writes its address.
template <typename State>
struct Defined {
    State *state;
    std::uint64_t word() const { return reinterpret_cast<std::uintptr_t>(state); }
};

/// Calls an operation that defines its first operand, a `pto_tile` or a `pto_tensor`.
template <typename State, typename... Others>
PTO_INST void define(const pto_form &form, State &state, const Others &...others) {
    issue(form, nullptr, Defined<State>{&state}, Operand<Others>::pass(others)...);
}

/// Calls an operation that defines a tensor.
template <typename Global>
PTO_INST void define_tensor(const pto_form &form, Global &tensor) {
    auto passed = Operand<Global>::pass(tensor);
    define(form, passed.tensor);
    tensor.data() = static_cast<typename Global::DType *>(passed.tensor.data);
}

} // namespace detail

/// A queue of tiles: entries of SlotSize bytes, SlotNum for each direction.
template <std::uint8_t Flag, std::uint8_t Dir, std::uint32_t SlotSize, std::uint32_t SlotNum,
          std::uint32_t LocalSlotNum = 2, bool NoSplit = false, bool UnitFlag = false>
struct TPipe {
    static constexpr std::uint8_t flag = Flag;
    static constexpr bool is_c2v = (Dir & DIR_C2V) != 0;
    static constexpr bool is_v2c = (Dir & DIR_V2C) != 0;
    static constexpr bool is_both = is_c2v && is_v2c;
    static_assert(is_c2v || is_v2c, "a queue carries tiles: there are none of control words (DIR_V2C_CTRL)");
    static constexpr std::uint32_t SyncPeriod = SlotNum <= 2 ? SlotNum : SlotNum / 2;

    /// Opens this end. Slots are in global memory at `gm`, unless it is null, and in the buffers of the consumers: at
    /// `c2vConsumer` in UB and at `v2cConsumer` in L1.
    PTO_INST TPipe(void *gm, std::uint32_t c2vConsumer, std::uint32_t v2cConsumer) {
        const auto c2v = static_cast<std::int32_t>(c2vConsumer);
        const auto v2c = static_cast<std::int32_t>(v2cConsumer);
        if (gm == nullptr) {
            if constexpr (is_both) {
                open<0>(c2v, v2c);
            } else {
                open<0>(is_c2v ? c2v : v2c);
            }
        } else {
            auto *const slots = static_cast<std::int8_t *>(gm);
            if constexpr (is_both) {
                open<1>(slots, c2v, v2c);
            } else {
                open<1>(slots, is_c2v ? c2v : v2c);
            }
        }
    }

  private:
    /// The pattern of an end with these operands, after which come the words of `open`.
    static constexpr detail::Text<320> pattern(bool has_memory) {
        detail::Text<320> text;
        int operand = 0;
        const char *separator = "";
        const int words = (has_memory ? 1 : 0) + (is_both ? 2 : 1);
        text.add(detail::of_end("pto.aic_initialize_pipe", "pto.aiv_initialize_pipe"));
        text.add(" {id = @").add(words).add(" : i32, dir_mask = @").add(words + 1);
        text.add(" : i8, slot_size = @").add(words + 2).add(" : i32, slot_num = @").add(words + 3);
        text.add(" : i32, local_slot_num = @").add(words + 4).add(" : i32, nosplit = @").add(words + 5).add("} (");
        const bool given[] = {has_memory, is_c2v, is_v2c};
        const char *const keys[] = {"gm_slot_buffer", "c2v_consumer_buf", "v2c_consumer_buf"};
        for (int at = 0; at < 3; ++at) {
            if (given[at]) {
                text.add(separator).add(keys[at]).add(" = %").add(operand).add(" : @").add(operand);
                separator = ", ";
                ++operand;
            }
        }
        return text.add(")");
    }

    template <int has_memory, typename... Operands>
    PTO_INST void open(Operands... operands) {
        using detail::Number;
        static constexpr detail::Text<320> text = pattern(has_memory != 0);
        static constexpr pto_form form =
            detail::form<Operands..., Number<Flag>, Number<Dir & DIR_BOTH>, Number<SlotSize>, Number<SlotNum>,
                         Number<LocalSlotNum>, detail::Word<NoSplit>>(text.characters, sizeof...(Operands));
        detail::call(form, operands...);
    }
};

/// Puts a tile into the next slot of a queue; of a tensor that TALLOC gave, says that it is filled.
template <typename Pipe, typename Value, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TPUSH(Pipe &, Value &value, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<Value, detail::Number<Pipe::flag>, detail::Number<Split>>(
        detail::of_end("pto.tpush_to_aiv(%0 : @0) {id = @1 : i32, split = @2 : i8}",
                       "pto.tpush_to_aic(%0 : @0) {id = @1 : i32, split = @2 : i8}"),
        1);
    detail::wait(events...);
    detail::call(form, value);
    return {};
}

/// Takes the next entry out of a queue: the tile becomes its name, and has the extents that it had.
template <typename Pipe, typename DstTile, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<DstTile>, WaitEvents...> TPOP(Pipe &, DstTile &tile, WaitEvents &...events) {
    using detail::Index;
    using detail::Number;
    detail::wait(events...);
    pto_tile state = tile.state();
    if constexpr (DstTile::ValidRow < 0 || DstTile::ValidCol < 0) {
        static constexpr pto_form form =
            detail::form<DstTile, Index, Index, Number<Pipe::flag>, Number<Split>>(
                detail::of_end("%0 = pto.tpop_from_aiv(%1, %2) {id = @3 : i32, split = @4 : i8} -> @0",
                               "%0 = pto.tpop_from_aic(%1, %2) {id = @3 : i32, split = @4 : i8} -> @0"),
                3);
        detail::define(form, state, Index{tile.RowMaskInternal}, Index{tile.ColMaskInternal});
    } else {
        static constexpr pto_form form = detail::form<DstTile, Number<Pipe::flag>, Number<Split>>(
            detail::of_end("%0 = pto.tpop_from_aiv {id = @1 : i32, split = @2 : i8} -> @0",
                           "%0 = pto.tpop_from_aic {id = @1 : i32, split = @2 : i8} -> @0"),
            1);
        detail::define(form, state);
    }
    tile.take(state);
    return {};
}

/// The same with the operands the other way round, of an entry that is not split.
template <typename DstTile, typename Pipe, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<DstTile> && !is_tile_data_v<Pipe>, WaitEvents...>
TPOP(DstTile &tile, Pipe &pipe, WaitEvents &...events) {
    return TPOP<Pipe, DstTile, TILE_NO_SPLIT>(pipe, tile, events...);
}

/// Takes the next entry of slots in global memory: the tensor becomes its name.
template <typename Pipe, typename Global, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::RecordIf<is_global_data_v<Global>, WaitEvents...> TPOP(Pipe &, Global &tensor,
                                                                        WaitEvents &...events) {
    static constexpr pto_form form = detail::form<Global, detail::Number<Pipe::flag>, detail::Number<Split>>(
        detail::of_end("%0 = pto.tpop_from_aiv {id = @1 : i32, split = @2 : i8} -> @0",
                       "%0 = pto.tpop_from_aic {id = @1 : i32, split = @2 : i8} -> @0"),
        1);
    detail::wait(events...);
    detail::define_tensor(form, tensor);
    return {};
}

/// Makes a tensor the name of the next free slot in global memory; TPUSH says that it is filled.
template <typename Pipe, typename Global, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TALLOC(Pipe &, Global &tensor, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<Global, detail::Number<Pipe::flag>, detail::Number<Split>>(
        detail::of_end("%0 = pto.talloc_to_aiv {id = @1 : i32, split = @2 : i8} -> @0",
                       "%0 = pto.talloc_to_aic {id = @1 : i32, split = @2 : i8} -> @0"),
        1);
    detail::wait(events...);
    detail::define_tensor(form, tensor);
    return {};
}

/// Gives the slot of the oldest popped entry back to the producer.
template <typename Pipe, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TFREE(Pipe &, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<detail::Number<Pipe::flag>, detail::Number<Split>>(
        detail::of_end("pto.tfree_from_aiv {id = @0 : i32, split = @1 : i8}",
                       "pto.tfree_from_aic {id = @0 : i32, split = @1 : i8}"),
        0);
    detail::wait(events...);
    detail::call(form);
    return {};
}

/// The same for a popped tensor.
template <typename Pipe, typename Global, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::RecordIf<is_global_data_v<Global>, WaitEvents...> TFREE(Pipe &pipe, Global &,
                                                                         WaitEvents &...events) {
    return TFREE<Pipe, Split>(pipe, events...);
}

} // namespace pto

#endif
