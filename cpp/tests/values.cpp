// Tiles by value and in arrays, addresses made of addresses, launches, and a macro for a missing pipe.
#define PIPE_FIX static_cast<pipe_t>(10)
#include <pto/pto-inst.hpp>

#include <string_view>

using namespace pto;

static_assert(PIPE_FIX == 10);

// C++ counts numbers of 4 bits, the dialect pairs of them.
using Fp4Rows = Tile<TileType::Mat, float4_e2m1x2_t, 32, 256, BLayout::ColMajor, -1, 128, SLayout::RowMajor>;
using Fp4Cols = TileRight<float4_e2m1x2_t, 256, 32, 129, 32>;
static_assert(std::string_view(detail::Operand<Fp4Rows>::text) ==
              "!pto.tile_buf<mat, 32x128x!pto.f4E2M1x2, valid=?x64, blayout=col_major, slayout=row_major>");
static_assert(std::string_view(detail::Operand<Fp4Cols>::text) ==
              "!pto.tile_buf<right, 128x32x!pto.f4E2M1x2, valid=65x32, slayout=col_major>");
static_assert(detail::row_in<Fp4Rows>(64).value == 64 && detail::col_in<Fp4Rows>(64).value == 32);
static_assert(detail::row_in<Fp4Cols>(64).value == 32 && detail::col_in<Fp4Cols>(64).value == 64);
using Fp4Matrix = GlobalTensor<float4_e1m2x2_t, pto::Shape<1, 1, 1, -1, 64>, pto::Stride<512, 512, 512, 128, 1>>;
using Fp4Columns = GlobalTensor<float4_e1m2x2_t, pto::Shape<1, 1, 1, 64, 8>, pto::Stride<512, 512, 512, 1, 128>, Layout::DN>;
static_assert(std::string_view(detail::Operand<Fp4Matrix>::text) ==
              "tensor<1x1x1x?x32x!pto.f4E1M2x2, strides = [256, 256, 256, 64, 1], layout = nd>");
static_assert(std::string_view(detail::Operand<Fp4Columns>::text) ==
              "tensor<1x1x1x32x8x!pto.f4E1M2x2, strides = [256, 256, 256, 1, 64], layout = dn>");

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
    Tile<TileType::Vec, float4_e2m1x2_t, 16, 64> pairs, right_half;
    TASSIGN(pairs, 0x8000);
    TSUBVIEW(right_half, pairs, 0, 32);
    PTO_ASSERT(right_half.data() == pairs.data() + 16);
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
