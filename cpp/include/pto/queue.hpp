// Queues between the cube core and the vector cores of a block whose entries the vector cores share: TPipe. Both sides
// construct the queue. A push is a wait for a free slot, a transfer into the slot and a flag to the other core; a pop
// is a wait for that flag, a transfer out of the slot and a flag back.
#ifndef PTO_QUEUE_HPP
#define PTO_QUEUE_HPP

#include "pto/queue_ends.hpp"
#include "pto/queue_slots.hpp"

#include <cstdint>

namespace pto {

/// A queue of tiles: entries of SlotSize bytes, SlotNum for each direction.
///
/// Slots are in global memory, and a pop loads a tile to one of LocalSlotNum places of the consumer. On A5 slots are in
/// the buffer of the consumer instead, and a pop names one, unless the direction is one of the `_GM`.
template <std::uint8_t Flag, std::uint8_t Dir, std::uint32_t SlotSize, std::uint32_t SlotNum,
          std::uint32_t LocalSlotNum = 2, bool NoSplit = false, bool UnitFlag = false>
struct TPipe : detail::SplitQueueTag {
    static constexpr std::uint8_t flag = Flag;
    static constexpr bool is_c2v = (Dir & DIR_C2V) != 0;
    static constexpr bool is_v2c = (Dir & DIR_V2C) != 0;
    static constexpr bool is_both = is_c2v && is_v2c;
    static_assert(is_c2v || is_v2c, "a queue carries tiles: there are none of control words (DIR_V2C_CTRL)");
    static_assert(SlotNum > 0 && LocalSlotNum > 0, "a queue has slots");
    static_assert(Flag + (is_both ? 4 : 2) <= 16, "a queue takes two flags for each direction, of which there are 16");
    static constexpr std::uint32_t SyncPeriod = SlotNum <= 2 ? SlotNum : SlotNum / 2;
    static constexpr bool has_unit_flag = UnitFlag;

#ifdef PTO_TARGET_A5
    static constexpr bool is_in_memory = (Dir & (DIR_BOTH_GM & ~DIR_BOTH)) != 0;
    // The cube core gives slots in memory back from MTE1, too, although MTE2 has loaded them.
    static constexpr pipe_t frees = detail::is_cube_end ? PIPE_MTE1 : is_in_memory ? PIPE_MTE2 : PIPE_V;
#else
    static constexpr bool is_in_memory = true;
    static constexpr pipe_t frees = PIPE_MTE2;
#endif
    static constexpr pipe_t waits = is_in_memory ? PIPE_MTE2 : frees;
#ifdef __PTO_AUTO__
    static_assert(is_in_memory, "a compiler that places tiles leaves no room for slots of a queue: use one of the "
                                "directions DIR_C2V_GM, DIR_V2C_GM and DIR_BOTH_GM");
#endif

    /// The slots of a direction.
    struct RingFiFo {
        static constexpr std::uint32_t SLOT_NUM = SlotNum;
        static constexpr std::uint32_t SLOT_SIZE = SlotSize;

        /// First slot in global memory for pushed entries, and for popped entries.
        char *pushed;
        char *popped;
        /// Byte offset of the places of popped tiles in UB, and in L1.
        std::uint32_t in_ub;
        std::uint32_t in_l1;
    };

    // The direction to the vector cores has the first two flags.
    static constexpr std::uint8_t push_flag = Flag + (is_both && !detail::is_cube_end ? 2 : 0);
    static constexpr std::uint8_t pop_flag = Flag + (is_both && detail::is_cube_end ? 2 : 0);

    static constexpr pipe_t writes = detail::is_cube_end ? PIPE_FIX : PIPE_MTE3;

    RingFiFo fifo;
    detail::Producer<push_flag, writes, SlotNum, SyncPeriod, detail::ratio_of(!NoSplit)> prod;
    detail::Consumer<pop_flag, waits, frees, SyncPeriod, detail::ratio_of(!NoSplit)> cons;

    /// Opens this end. Slots are in global memory at `gm`; consumers have popped tiles at `c2vConsumer` in UB and at
    /// `v2cConsumer` in L1.
    PTO_INST TPipe(void *gm, std::uint32_t c2vConsumer, std::uint32_t v2cConsumer)
        : fifo{slots(gm, detail::is_cube_end), slots(gm, !detail::is_cube_end),
               detail::offset_in_buffer(TileType::Vec, c2vConsumer),
               detail::offset_in_buffer(TileType::Mat, v2cConsumer)} {}

    /// A copy leaves it to the original to wait for the last signals of the consumer.
    PTO_INST TPipe(const TPipe &other) : fifo(other.fifo), prod(other.prod), cons(other.cons), is_copy_(true) {}

    PTO_INST ~TPipe() {
        if (!is_copy_) {
            prod.finish();
        }
    }

    /// Pushes a tile, converted according to `Conversion` and quantization parameters.
    template <typename Element, TileSplitAxis Split, typename Conversion, typename Tile, typename... Parameters>
    PTO_INST void push(Conversion conversion, Tile &tile, Parameters &...parameters) {
        static_assert(Tile::Loc == TileType::Acc || Tile::Loc == TileType::Vec,
                      "an accumulator of the cube core is pushed, or a tile of a vector core");
        static_assert(!detail::is_pair_v<Element>, "queues carry elements of whole bytes: push 4-bit ones as bytes");
        // Both vector cores fill one slot in memory or in L1; in UB each has slots of its own, for its share.
        constexpr bool is_shared = detail::Share<Split>::exists;
        constexpr std::uint64_t bytes = sizeof(Element) * detail::rows_of<Tile> * Tile::Cols;
        constexpr bool is_in_ub = Tile::Loc == TileType::Acc && !is_in_memory;
        constexpr bool is_half = is_shared && Tile::Loc == TileType::Vec;
        static_assert((is_shared && is_in_ub ? bytes / 2 : is_half ? bytes * 2 : bytes) <= SlotSize,
                      "an entry is larger than a slot of its queue");
        prod.template before<detail::ratio_of(detail::Share<Split>::exists)>();
        if constexpr (is_in_memory) {
            auto *const entry = reinterpret_cast<Element *>(slot(fifo.pushed, prod));
            if constexpr (Tile::Loc == TileType::Acc) {
                detail::store_rows<Element, Tile::ValidCol>(conversion, tile, entry, tile.GetValidCol(), parameters...);
            } else if (detail::Share<Split>::exists || pto_fact(PTO_SUBBLOCK_INDEX) == 0) {
                using Share = detail::Share<Split>;
                detail::store_rows<Element, Share::static_pitch(Tile::ValidCol)>(
                    conversion, tile, entry + Share::first(tile.GetValidRow(), tile.GetValidCol()),
                    Share::pitch(tile.GetValidCol()));
            }
        } else if constexpr (Tile::Loc == TileType::Acc) {
            push_to_ub<Element, Split>(conversion, tile, parameters...);
        } else {
            push_to_l1<Split>(tile);
        }
        prod.template after<detail::ratio_of(detail::Share<Split>::exists)>();
        ++prod.tileIndex;
    }

    template <TileSplitAxis Split, typename Tile>
    PTO_INST void pop(Tile &tile) {
        static_assert(Tile::Loc == TileType::Vec || Tile::Loc == TileType::Mat,
                      "an entry becomes a tile of a vector core, or one in L1 of the cube core");
        constexpr VecCubeRatio ratio = detail::ratio_of(detail::Share<Split>::exists);
        const std::uint32_t local = Tile::Loc == TileType::Vec ? fifo.in_ub : fifo.in_l1;
        cons.template before<ratio>();
        if constexpr (is_in_memory) {
#if defined(PTO_TARGET_A5) && !defined(__PTO_AUTO__)
            detail::assign_tile(tile, local + cons.tileIndex % SlotNum * sizeof(typename Tile::DType) * Tile::Numel);
#elif !defined(__PTO_AUTO__)
            detail::assign_tile(tile, local + cons.tileIndex % LocalSlotNum * SlotSize);
#endif
            // The cube core takes all of an entry.
            using Share = detail::Share<Tile::Loc == TileType::Vec ? Split : TILE_NO_SPLIT>;
            auto *const entry = reinterpret_cast<typename Tile::DType *>(slot(fifo.popped, cons));
            const int rows = tile.GetValidRow();
            const int cols = tile.GetValidCol();
            if (detail::takes_part<ratio>()) {
                detail::load_rows<Share::static_pitch(Tile::ValidCol)>(tile, entry + Share::first(rows, cols),
                                                                       Share::pitch(cols));
            }
            // A pop out of memory gives the slot back itself.
            cons.template after<ratio>(cons.tileIndex++);
        } else {
            detail::assign_tile(tile, local + cons.tileIndex % SlotNum * SlotSize);
            numbers_[popped_++ % SlotNum] = cons.tileIndex++;
        }
    }

    /// Makes a tensor the name of the next slot that this core fills.
    template <TileSplitAxis Split, typename Global>
    PTO_INST void allocate(Global &tensor) {
        require_memory();
        prod.template before<detail::ratio_of(detail::Share<Split>::exists)>();
        name<Split>(tensor, slot(fifo.pushed, prod));
        ++prod.tileIndex;
    }

    template <TileSplitAxis Split, typename Global>
    PTO_INST void pop_tensor(Global &tensor) {
        require_memory();
        cons.template before<detail::ratio_of(detail::Share<Split>::exists)>();
        name<Split>(tensor, slot(fifo.popped, cons));
        numbers_[popped_++ % SlotNum] = cons.tileIndex++;
    }

    /// Gives the oldest popped slot back.
    template <TileSplitAxis Split>
    PTO_INST void free() {
        cons.template after<detail::ratio_of(detail::Share<Split>::exists)>(numbers_[freed_++ % SlotNum]);
    }

  private:
    static constexpr void require_memory() {
        static_assert(is_in_memory, "the slots of this queue are on chip: a tensor names slots in global memory, which "
                                    "DIR_C2V_GM, DIR_V2C_GM and DIR_BOTH_GM have on A5");
    }

    /// Returns the first slot in global memory of a direction. Slots to the cube core are after those to the vector
    /// cores.
    static char *slots(void *gm, bool to_vector) {
        return static_cast<char *>(gm) + (is_both && !to_vector ? std::size_t{SlotSize} * SlotNum : 0);
    }

    static char *slot(char *first, const detail::QueueEnd &end) {
        return first + std::size_t{end.tileIndex % SlotNum} * SlotSize + end.entryOffset;
    }

    template <TileSplitAxis Split, typename Global>
    PTO_INST static void name(Global &tensor, char *entry) {
        std::int64_t rows = tensor.GetShape(GlobalTensorDim::DIM_3);
        for (int outer = 0; outer < GlobalTensorDim::DIM_3; ++outer) {
            rows *= tensor.GetShape(outer);
        }
        tensor.data() = reinterpret_cast<typename Global::DType *>(entry);
        if constexpr (!detail::is_cube_end) {
            tensor.data() += detail::Share<Split>::first(rows, tensor.GetShape(GlobalTensorDim::DIM_4));
        }
    }

    template <typename Element, TileSplitAxis Split, STPhase Phase, AtomicType Atomic, ReluPreMode Relu, typename Acc,
              typename... Parameters>
    PTO_INST void push_to_ub(detail::Conversion<Phase, Atomic, Relu>, Acc &tile, Parameters &...parameters) {
        static_assert(detail::Share<Split>::more == 0, "an odd extent is split by way of global memory alone");
        static_assert(Phase == STPhase::Unspecified && Atomic == AtomicType::AtomicNone,
                      "a move to another core has no phase of an accumulation and adds to nothing");
        using Share = detail::Share<Split>;
        constexpr int rows = Share::is_by_rows ? 2 : 1;
        constexpr int cols = Share::is_by_cols ? 2 : 1;
        pto::Tile<TileType::Vec, Element, Acc::Rows / rows, Acc::Cols / cols, BLayout::RowMajor,
                  Acc::ValidRow < 0 ? -1 : Acc::ValidRow / rows, Acc::ValidCol < 0 ? -1 : Acc::ValidCol / cols>
            slot;
        slot.SetValidShape(tile.GetValidRow() / rows, tile.GetValidCol() / cols);
        detail::assign_tile(slot, fifo.in_ub + prod.tileIndex % SlotNum * SlotSize);
        constexpr AccToVecMode mode = Share::is_by_rows   ? AccToVecMode::DualModeSplitM
                                      : Share::is_by_cols ? AccToVecMode::DualModeSplitN
                                                          : AccToVecMode::SingleModeVec0;
        if constexpr ((is_tile_data_v<Parameters> || ...)) {
            detail::move_fp<detail::Word<mode>, Relu>(slot, tile, parameters...);
        } else {
            detail::move<detail::Word<mode>, Relu>(slot, tile, parameters...);
        }
    }

    template <TileSplitAxis Split, typename Vec>
    PTO_INST void push_to_l1(Vec &tile) {
        static_assert(detail::Share<Split>::more == 0, "an odd extent is split by way of global memory alone");
        using Share = detail::Share<Split>;
        using Slot = pto::Tile<TileType::Mat, typename Vec::DType, detail::rows_of<Vec> * (Share::is_by_rows ? 2 : 1),
                               Vec::Cols * (Share::is_by_cols ? 2 : 1), BLayout::ColMajor,
                               detail::rows_of<Vec> *(Share::is_by_rows ? 2 : 1),
                               Vec::Cols *(Share::is_by_cols ? 2 : 1), SLayout::RowMajor>;
        const int core = static_cast<int>(pto_fact(PTO_SUBBLOCK_INDEX));
        if (core == 0 || Share::exists) {
            detail::insert_at<Slot>(fifo.in_l1 + prod.tileIndex % SlotNum * SlotSize, tile,
                                    Share::is_by_rows ? core * detail::rows_of<Vec> : 0,
                                    Share::is_by_cols ? core * Vec::Cols : 0);
        }
    }

    // Numbers of the entries that were popped and that TFREE has not given back, the oldest first.
    std::uint32_t numbers_[SlotNum] = {};
    std::uint32_t popped_ = 0;
    std::uint32_t freed_ = 0;
    bool is_copy_ = false;
};

/// Puts a tile into the next slot of a queue.
template <typename Pipe, typename Value, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::is_split_queue_v<Pipe> && is_tile_data_v<Value>, WaitEvents...>
TPUSH(Pipe &pipe, Value &value, WaitEvents &...events) {
    detail::wait(events...);
    constexpr bool is_last = Pipe::has_unit_flag && Value::Loc == TileType::Acc;
    pipe.template push<typename Value::DType, Split>(
        detail::Conversion<is_last ? STPhase::Final : STPhase::Unspecified>{}, value);
    return {};
}

/// Marks the slot of the tensor from TALLOC as filled.
template <typename Pipe, typename Value, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::is_split_queue_v<Pipe> && is_global_data_v<Value>, WaitEvents...>
TPUSH(Pipe &pipe, Value &, WaitEvents &...events) {
    detail::wait(events...);
    pipe.prod.template after<detail::ratio_of(detail::Share<Split>::exists)>();
    return {};
}

/// Pushes an entry that is not split, with the operands in the opposite order.
template <typename Value, typename Pipe, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<Value> && detail::is_split_queue_v<Pipe>, WaitEvents...>
TPUSH(Value &value, Pipe &pipe, WaitEvents &...events) {
    return TPUSH<Pipe, Value, TILE_NO_SPLIT>(pipe, value, events...);
}

/// Takes the next entry out of a queue. The tile has the extents that it had, at the place of the entry.
template <typename Pipe, typename DstTile, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::is_split_queue_v<Pipe> && is_tile_data_v<DstTile>, WaitEvents...>
TPOP(Pipe &pipe, DstTile &tile, WaitEvents &...events) {
    detail::wait(events...);
    pipe.template pop<Split>(tile);
    return {};
}

/// Pops an entry that is not split, with the operands in the opposite order.
template <typename DstTile, typename Pipe, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<DstTile> && detail::is_split_queue_v<Pipe>, WaitEvents...>
TPOP(DstTile &tile, Pipe &pipe, WaitEvents &...events) {
    return TPOP<Pipe, DstTile, TILE_NO_SPLIT>(pipe, tile, events...);
}

/// Takes the next entry of slots in global memory: the tensor becomes its name.
template <typename Pipe, typename Global, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::is_split_queue_v<Pipe> && is_global_data_v<Global>, WaitEvents...>
TPOP(Pipe &pipe, Global &tensor, WaitEvents &...events) {
    detail::wait(events...);
    pipe.template pop_tensor<Split>(tensor);
    return {};
}

/// Makes a tensor the name of the next free slot in global memory. TPUSH later marks the slot as filled.
template <typename Pipe, typename Global, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::Record<WaitEvents...> TALLOC(Pipe &pipe, Global &tensor, WaitEvents &...events) {
    detail::wait(events...);
    pipe.template allocate<Split>(tensor);
    return {};
}

/// Gives the slot of the oldest popped tile back to the producer. A pop out of global memory has done so.
template <typename Pipe, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::is_split_queue_v<Pipe>, WaitEvents...> TFREE(Pipe &pipe, WaitEvents &...events) {
    detail::wait(events...);
    if constexpr (!Pipe::is_in_memory) {
        pipe.template free<Split>();
    }
    return {};
}

/// Gives the slot of the oldest popped tensor back to the producer.
template <typename Pipe, typename Global, TileSplitAxis Split = TILE_NO_SPLIT, typename... WaitEvents>
PTO_INST detail::RecordIf<is_global_data_v<Global>, WaitEvents...> TFREE(Pipe &pipe, Global &,
                                                                         WaitEvents &...events) {
    detail::wait(events...);
    pipe.template free<Split>();
    return {};
}

} // namespace pto

#endif
