// The C++ of the manual page, word for word.

#include <pto/pto-inst.hpp>
using namespace pto;
void example_auto() {
using SrcT = Tile<TileType::Vec, float, 16, 16>;
using DstT = Tile<TileType::Vec, float, 16, 16>;
using RowVecT = Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor>;
SrcT src0;
DstT dst;
RowVecT src1;
// Row-expand-add: each row of dst = src0.row + src1.row_scalar
TROWEXPANDADD(dst, src0, src1);
}

#include <pto/pto-inst.hpp>
using namespace pto;
void example_manual() {
using SrcT = Tile<TileType::Vec, float, 16, 16>;
using DstT = Tile<TileType::Vec, float, 16, 16>;
using RowVecT = Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor>;
SrcT src0;
DstT dst;
RowVecT src1;
TASSIGN(src0, 0x1000);
TASSIGN(dst, 0x2000);
TASSIGN(src1, 0x3000);
// Row-expand-add in manual mode
TROWEXPANDADD(dst, src0, src1);
}
