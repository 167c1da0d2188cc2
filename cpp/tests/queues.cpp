// A queue from the cube core to the vector cores and back. This file is compiled once for each kind of core.
#include <pto/pto-inst.hpp>

using namespace pto;

namespace {

using Pipe = TPipe<0, DIR_C2V, 1024, 2>;
using Both = TPipe<4, DIR_BOTH, 1024, 2, 2, true>;
using Sync = TSync_Custom<SyncOpType::TSTORE_C2GM, SyncOpType::TLOAD>;

void run(float *memory) {
    Pipe pipe(memory, 0x0, 0x0);
    Both both(nullptr, 0x1000, 0x2000);
    const Sync sync{3};
#ifdef __DAV_CUBE__
    TileAcc<float, 16, 16> sums;
    TPUSH<Pipe, decltype(sums), TileSplitAxis::TILE_UP_DOWN>(pipe, sums);
    Tile<TileType::Mat, float, 16, 16, BLayout::ColMajor, 16, 16, SLayout::RowMajor> entry;
    TPOP<Both, decltype(entry), TileSplitAxis::TILE_NO_SPLIT>(both, entry);
    TFREE<Both, TileSplitAxis::TILE_NO_SPLIT>(both);
    sync.record();
    sync.allocate();
#else
    Tile<TileType::Vec, float, 8, 16> entry;
    TPOP<Pipe, decltype(entry), TileSplitAxis::TILE_UP_DOWN>(pipe, entry);
    Tile<TileType::Vec, float, 8, 16, BLayout::RowMajor, -1, -1> part(4, 16);
    TPOP<Pipe, decltype(part), TileSplitAxis::TILE_UP_DOWN>(pipe, part);
    TFREE<Pipe, TileSplitAxis::TILE_UP_DOWN>(pipe);
    Tile<TileType::Vec, float, 16, 16> whole;
    TPUSH<Both, decltype(whole), TileSplitAxis::TILE_NO_SPLIT>(both, whole);
    using Slot = GlobalTensor<float, Shape<1, 1, 1, 8, 16>, Stride<128, 128, 128, 16, 1>>;
    Slot slot;
    TPOP<Pipe, Slot, TileSplitAxis::TILE_UP_DOWN>(pipe, slot);
    TFREE<Pipe, Slot, TileSplitAxis::TILE_UP_DOWN>(pipe, slot);
    TPOP(whole, both);
    TALLOC<Both, Slot, TileSplitAxis::TILE_NO_SPLIT>(both, slot);
    TPUSH<Both, Slot, TileSplitAxis::TILE_NO_SPLIT>(both, slot);
    sync.wait();
    sync.free();
#endif
    ffts_cross_core_sync(PIPE_FIX, _getFFTSMsg(CV_CORE_SYNC, 2));
    PTO_ASSERT(TSYNC_CVID(5, nullptr) == 5);
}

} // namespace

int main() {
    float memory[512];
    run(memory);
}
