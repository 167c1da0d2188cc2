// Queues of tiles between the cube core and the vector cores of a block, whose operations a kernel may also split into
// steps: TMPipe. The queues consist of flags between the cores, and of stores, loads and moves into slots.
#ifndef PTO_TILE_QUEUE_HPP
#define PTO_TILE_QUEUE_HPP

#include "pto/queue_ends.hpp"
#include "pto/queue_slots.hpp"

#include <cstdint>
#include <type_traits>

namespace pto {
/// A queue of tiles of which one end pushes `TileProd`, the other one pops `TileCons`.
///
/// Entries are in `Depth` slots: in global memory, in UB or in L1 of the consumer. A slot in global memory is one panel
/// for each width of the cube core's tile in that of the vector cores, and each panel has all rows. A pop loads it into
/// the tile, at its address, or at `LocalDepth` addresses in turn if that is not 0. In UB and L1 a pop names the slot,
/// and offsets in an entry have no meaning: each vector core has a share of its rows.
template <std::uint8_t Flag, FIFOType Memory, std::uint8_t Depth, std::uint8_t Period, typename TileProd,
          typename TileCons, bool UnitFlag = false, std::uint8_t LocalDepth = 2,
          VecCubeRatio Ratio = VecCubeRatio::V2C1_VECS>
struct TMPipe : detail::TileQueueTag {
    static constexpr bool is_c2v = TileProd::Loc == TileType::Acc;
    static constexpr bool is_v2c = !is_c2v;
    static constexpr std::uint32_t SyncPeriod = Period;

    static_assert(Depth > 0 && Period > 0, "a queue has slots, and a period of signals from the consumer");
    static_assert(Memory != FIFOType::CTRL_FIFO, "a queue carries tiles: there are none of control words (CTRL_FIFO)");
    static_assert(is_c2v ? TileCons::Loc == TileType::Vec
                         : TileProd::Loc == TileType::Vec && TileCons::Loc == TileType::Mat,
                  "a queue leads from an accumulator to a vector tile, or from a vector tile into L1");
    static_assert(Memory != FIFOType::VEC_FIFO || is_c2v, "slots in UB are those of accumulators (VEC_FIFO)");
    static_assert(Memory != FIFOType::MAT_FIFO || is_v2c, "slots in L1 are those of vector tiles (MAT_FIFO)");
#ifdef PTO_TARGET_A2A3
    static_assert(Memory == FIFOType::GM_FIFO, "a queue goes by way of global memory on A2/A3 (GM_FIFO)");
#endif
    static_assert(Memory == FIFOType::GM_FIFO || !UnitFlag, "a move to another core has no phase of an accumulation");
#ifdef __PTO_AUTO__
    static_assert(Memory == FIFOType::GM_FIFO, "a compiler that places tiles leaves no room for slots of a queue");
#endif

    /// Slots and period.
    struct RingFiFo {
        static constexpr int SLOT_NUM = Depth;
        static constexpr int fifoDepth = Depth;
        static constexpr int fifoPeriod = Period;
        static constexpr FIFOType fifoType = Memory;

        /// The slots in global memory.
        void *memory;
        /// Byte offset of the slots, or of popped tiles, in the buffer of the consumer.
        std::uint32_t local;
    };
    using DataFiFo = RingFiFo;
    static constexpr pipe_t writer = is_c2v ? PIPE_FIX : PIPE_MTE3;
    static constexpr pipe_t reader = Memory == FIFOType::GM_FIFO    ? PIPE_MTE2
                                     : Memory == FIFOType::VEC_FIFO ? PIPE_V
                                                                    : PIPE_MTE1;

    RingFiFo fifo;
    detail::Producer<Flag, writer, Depth, Period, Ratio> prod;
    detail::Consumer<Flag, reader, reader, Period, Ratio> cons;

    /// A queue with slots in global memory. Popped tiles are at `local` in the buffer of the consumer.
    template <typename Element>
    PTO_INST explicit TMPipe(Element *memory, std::uint32_t local = 0)
        : fifo{memory, detail::offset_in_buffer(TileCons::Loc, local)} {
        static_assert(Memory == FIFOType::GM_FIFO, "these slots are on chip: the queue takes the address there");
    }
    /// A queue with slots at `local` in UB or L1 of the consumer.
    PTO_INST explicit TMPipe(std::uint32_t local) : fifo{nullptr, detail::offset_in_buffer(TileCons::Loc, local)} {
        static_assert(Memory != FIFOType::GM_FIFO, "these slots are in global memory: the queue takes a pointer");
    }

    template <typename Tile>
    PTO_INST void push(Tile &tile) {
        prod.before();
        if (detail::takes_part<Ratio>()) {
            put(tile);
        }
        prod.after();
        ++prod.tileIndex;
    }

    template <typename Tile>
    PTO_INST void pop(Tile &tile) {
        cons.before();
        if (detail::takes_part<Ratio>()) {
            get(tile);
        }
        popped_ = cons.tileIndex++;
        if constexpr (Memory == FIFOType::GM_FIFO) {
            cons.after(popped_);
        }
    }

    /// Gives the slot that a tile names back. A pop out of global memory has done so.
    PTO_INST void free() {
        if constexpr (Memory != FIFOType::GM_FIFO) {
            cons.after(popped_);
        }
    }

  private:
    using CubeTile = std::conditional_t<is_c2v, TileProd, TileCons>;
    using VectorTile = std::conditional_t<is_c2v, TileCons, TileProd>;
    using Element = std::conditional_t<is_c2v, typename TileCons::DType, typename TileProd::DType>;
    static constexpr int shares = Ratio == VecCubeRatio::V2C1_VECS ? 2 : 1;
    static constexpr int panel = CubeTile::Rows * CubeTile::Cols;

    template <typename Tile>
    static constexpr std::uint32_t bytes_of = sizeof(typename Tile::DType) * Tile::Rows * Tile::Cols;

    /// Offset in bytes of the slot of an end, in the buffer of the consumer.
    std::uint32_t local_slot(const detail::QueueEnd &end) const {
        return fifo.local + end.tileIndex % Depth * bytes_of<TileCons>;
    }

    template <typename Tile>
    PTO_INST void put(Tile &tile) {
        if constexpr (Memory == FIFOType::GM_FIFO) {
            panels<true>(tile, prod);
        } else if constexpr (Memory == FIFOType::VEC_FIFO) {
            static_assert(TileCons::Rows * shares == TileProd::Rows && TileCons::Cols == TileProd::Cols,
                          "a push fills a slot in UB: the popped tile has the rows of a vector core, and all columns");
            TileCons slot;
            detail::assign_tile(slot, local_slot(prod));
            constexpr AccToVecMode mode = Ratio == VecCubeRatio::V2C1_VECS   ? AccToVecMode::DualModeSplitM
                                          : Ratio == VecCubeRatio::V1C1_VEC0 ? AccToVecMode::SingleModeVec0
                                                                             : AccToVecMode::SingleModeVec1;
            TMOV<TileCons, Tile, mode>(slot, tile);
        } else {
            const int share = shares == 1 ? 0 : static_cast<int>(pto_fact(PTO_SUBBLOCK_INDEX)) * (TileCons::Rows / 2);
            detail::insert_at<TileCons>(local_slot(prod), tile, share + prod.subTileIndex * tile.GetValidRow(), 0);
        }
    }

    template <typename Tile>
    PTO_INST void get(Tile &tile) {
        if constexpr (Memory == FIFOType::GM_FIFO) {
#ifndef __PTO_AUTO__
            if constexpr (LocalDepth > 0) {
                detail::assign_tile(tile, fifo.local + cons.tileIndex % LocalDepth * bytes_of<Tile>);
            }
#endif
            panels<false>(tile, cons);
        } else {
            detail::assign_tile(tile, local_slot(cons));
        }
    }

    /// Copies a tile to the slot of an end in global memory, or from there.
    template <bool stores, typename Tile>
    PTO_INST void panels(Tile &tile, const detail::QueueEnd &end) {
        static_assert(VectorTile::Cols % CubeTile::Cols == 0,
                      "the tile of the vector cores is as wide as one or more tiles of the cube core");
        constexpr int width = CubeTile::Cols;
        constexpr std::uint32_t slot = panel * (VectorTile::Cols / width) * sizeof(Element);
        auto *const entry = static_cast<char *>(fifo.memory) + end.tileIndex % Depth * slot + end.entryOffset;
        auto *const memory = reinterpret_cast<Element *>(entry);
        if constexpr (Tile::Cols == width) {
            copy<stores>(tile, memory);
        } else {
            static_assert(Tile::ValidCol == Tile::Cols, "all columns of a tile that is several panels wide are valid");
            for (int at = 0; at < Tile::Cols / width; ++at) {
                detail::Columns<Tile, width> part;
                part.SetValidRow(tile.GetValidRow());
                TSUBVIEW(part, tile, 0, static_cast<std::uint16_t>(at * width));
                copy<stores>(part, memory + at * panel);
            }
        }
    }

    template <bool stores, typename Tile>
    PTO_INST static void copy(Tile &tile, Element *memory) {
        if constexpr (stores) {
            constexpr STPhase phase = UnitFlag && is_c2v ? STPhase::Final : STPhase::Unspecified;
            detail::store_rows<Element, CubeTile::Cols>(detail::Conversion<phase>{}, tile, memory, CubeTile::Cols);
        } else {
            detail::load_rows<CubeTile::Cols>(tile, memory, CubeTile::Cols);
        }
    }

    std::uint32_t popped_ = 0;
};

/// Puts a tile into the next slot of a queue.
template <typename TileProd, typename Pipe, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<TileProd> && detail::is_tile_queue_v<Pipe>, WaitEvents...>
TPUSH(TileProd &tile, Pipe &pipe, WaitEvents &...events) {
    detail::wait(events...);
    pipe.push(tile);
    return {};
}

/// Takes the next entry out of a queue.
template <typename TileCons, typename Pipe, typename... WaitEvents>
PTO_INST detail::RecordIf<is_tile_data_v<TileCons> && detail::is_tile_queue_v<Pipe>, WaitEvents...>
TPOP(TileCons &tile, Pipe &pipe, WaitEvents &...events) {
    detail::wait(events...);
    pipe.pop(tile);
    return {};
}

/// Gives the slot of the tile that was popped last back.
template <typename Pipe, typename... WaitEvents>
PTO_INST detail::RecordIf<detail::is_tile_queue_v<Pipe>, WaitEvents...> TFREE(Pipe &pipe, WaitEvents &...events) {
    detail::wait(events...);
    pipe.free();
    return {};
}

} // namespace pto

#endif
