// Queues from the cube core to the vector cores and back. This file is compiled once for each kind of core.
#include <pto/pto-inst.hpp>

using namespace pto;

namespace {

#ifdef PTO_TARGET_A5
constexpr std::uint8_t to_vectors = DIR_C2V_GM;
#else
constexpr std::uint8_t to_vectors = DIR_C2V;
#endif

using Pipe = TPipe<0, to_vectors, 1024, 2>;
using Odd = TPipe<6, to_vectors, 1024, 2>;
using Both = TPipe<2, DIR_BOTH, 1024, 2, 2, true>;
using Sums = TileAcc<float, 16, 16>;
using Entry = Tile<TileType::Vec, float, 8, 16>;
using Tiles = TMPipe<8, FIFOType::GM_FIFO, 2, 1, Sums, Entry, true>;
using Sync = TSync_Custom<SyncOpType::TSTORE_C2GM, SyncOpType::TLOAD>;

void run(float *memory) {
    Pipe pipe(memory, 0x0, 0x0);
    Odd odd(memory, 0x0, 0x0);
    Both both(memory, 0x1000, 0x2000);
    Both copy(both);
    Tiles tiles(memory, 0x0);
    static_assert(Pipe::SyncPeriod == 2 && Pipe::RingFiFo::SLOT_NUM == 2 && Tiles::DataFiFo::fifoDepth == 2);
    const Sync sync{3};
#ifdef __DAV_CUBE__
    Sums sums;
    TPUSH<Pipe, Sums, TileSplitAxis::TILE_UP_DOWN>(pipe, sums);
    using Part = TileAcc<float, 16, 16, -1, -1>;
    Part part(15, 16);
    TPUSH<Odd, Part, TileSplitAxis::TILE_UP_DOWN_ODD>(odd, part);
    TPUSH(sums, both);
    Tile<TileType::Mat, float, 16, 16, BLayout::ColMajor, 16, 16, SLayout::RowMajor> entry;
    TPOP<Both, decltype(entry), TileSplitAxis::TILE_NO_SPLIT>(both, entry);
    TFREE<Both, TileSplitAxis::TILE_NO_SPLIT>(both);
    sync.record();
    sync.allocate();
    tiles.prod.setTileId(2, 0);
    tiles.prod.setAllocateStatus(true);
    TPUSH(sums, tiles);
    tiles.prod.allocate();
    tiles.prod.record();
#else
    Entry entry;
    TPOP<Pipe, Entry, TileSplitAxis::TILE_UP_DOWN>(pipe, entry);
    Tile<TileType::Vec, float, 8, 16, BLayout::RowMajor, -1, -1> part(4, 16);
    TPOP<Odd, decltype(part), TileSplitAxis::TILE_UP_DOWN_ODD>(odd, part);
    TFREE<Odd, TileSplitAxis::TILE_UP_DOWN_ODD>(odd);
    Tile<TileType::Vec, float, 16, 16> whole;
    TPUSH<Both, decltype(whole), TileSplitAxis::TILE_NO_SPLIT>(both, whole);
    TPOP(whole, both);
    using Slot = GlobalTensor<float, Shape<1, 1, 1, 8, 16>, Stride<128, 128, 128, 16, 1>>;
    Slot slot;
    TPOP<Pipe, Slot, TileSplitAxis::TILE_UP_DOWN>(pipe, slot);
    TFREE<Pipe, Slot, TileSplitAxis::TILE_UP_DOWN>(pipe, slot);
    TALLOC<Pipe, Slot, TileSplitAxis::TILE_NO_SPLIT>(pipe, slot);
    TPUSH<Pipe, Slot, TileSplitAxis::TILE_NO_SPLIT>(pipe, slot);
    sync.wait();
    sync.free();
    tiles.cons.setEntryOffset(512);
    TPOP(entry, tiles);
    TFREE(tiles);
    tiles.cons.wait();
    tiles.cons.free();
#endif
    ffts_cross_core_sync(PIPE_FIX, _getFFTSMsg(CV_CORE_SYNC, 2));
    PTO_ASSERT(TSYNC_CVID(5, nullptr) == 5);
}

} // namespace

int main() {
    float memory[4096];
    run(memory);
}
