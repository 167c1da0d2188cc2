// Tiles by value and in arrays, addresses made of addresses, launches, and a macro for a missing pipe.
#define PIPE_FIX static_cast<pipe_t>(10)
#include <pto/pto-inst.hpp>

using namespace pto;

static_assert(PIPE_FIX == 10);

namespace {

using TileT = Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, -1, -1>;

TileT doubled(TileT tile) {
    TADD(tile, tile, tile);
    return tile;
}

bool ran = false;

template <typename T, int Blocks>
__global__ AICORE void kernel(__gm__ T *pointer, uint32_t count, float scale) {
    Tile<TileType::Vec, float, 16, 64> tiles[2];
    TASSIGN(tiles[0], 0x1000);
    // The address of a tile is a pointer into the buffer, and may be computed with.
    TASSIGN(tiles[1], (uint64_t)tiles[0].data() + 4096);
    __ubuf__ float *raw = tiles[1].data();
#ifndef __PTO_AUTO__
    PTO_ASSERT(raw == tiles[0].data() + 1024);
#endif
    TileT part(count, 32);
    TASSIGN<0x4000>(part);
    PTO_ASSERT(part.GetValidRow() == static_cast<int>(count) && part.GetValidCol() == 32);
    TileT same = doubled(part);
    PTO_ASSERT(same.data() == part.data() && same.GetValidRow() == part.GetValidRow());
    same.SetValidShape(4, 8);
    TileT one = same;
    one = part;
    PTO_ASSERT(one.GetValidRow() == static_cast<int>(count));
#ifndef __PTO_AUTO__
    one = TileT(3, 5);
    PTO_ASSERT(one.data() == part.data() && one.GetValidRow() == 3 && one.GetValidCol() == 5);
#endif
    TMULS(part, part, scale);
    PTO_ASSERT(min(block_idx, 7u) == get_block_idx() && max(half(2), 1.5f) == 2 && min(2, 3.5) == 2.0);
    const auto block_num = get_block_num();
    PTO_ASSERT(block_num == Blocks && block_idx < Blocks && pointer == nullptr && raw != nullptr);
    ran = true;
}

} // namespace

int main() {
    // What a launch of `kernel<float, 3><<<3, nullptr, stream>>>(nullptr, 8, 2)` is rewritten to.
    void *stream = nullptr;
    pto::launch(pto::Config(3, nullptr, stream), kernel<float, 3>)(nullptr, 8, 2);
    return ran ? 0 : 1;
}
